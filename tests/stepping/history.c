/* Backward differences: polynomials are what they were, whatever the spacing. */
#include "stepping/history.h"

#include "base/unit.h"

enum { N = 2, ORDER = 5 };

/* A polynomial of degree 5 and one of degree 3, and their derivatives. */
static void exact(double t, double *y, double *yp)
{
    y[0] = 1 + t * (2 - t * (1 - t * (0.5 + t * (0.25 - 0.125 * t))));
    yp[0] = 2 - t * (2 - t * (1.5 + t * (1 - 0.625 * t)));
    y[1] = t * t * t - 2;
    yp[1] = 3 * t * t;
}

static void check_near(const double *found, const double *expected)
{
    for (int k = 0; k < N; k++) ck_assert_double_eq_tol(found[k], expected[k], 2e-13);
}

/* Points at equal steps from t on, as a method of order 1, 2, ... would leave them. */
static void fill(history *p, double t, double h)
{
    double y[N], yp[N], predicted[N], change[N];
    exact(t, y, yp);
    history_start(p, t, h, y, yp);
    for (int k = 0; k < ORDER + 3; k++) {
        int order = k < 1 ? 1 : k < ORDER ? k : ORDER;
        history_evaluate(p, order, 1, predicted, NULL);
        exact(p->t + h, y, yp);
        for (int i = 0; i < N; i++) change[i] = y[i] - predicted[i];
        history_advance(p, order, change);
    }
}

static history make(workspace *space)
{
    history p;
    history_carve(&p, space, N, ORDER);
    ck_assert_int_eq(workspace_allocate(space), DAE_OK);
    history_carve(&p, space, N, ORDER);
    return p;
}

START_TEST(reproduces_polynomials)
{
    workspace space = {0};
    history p = make(&space);
    fill(&p, -0.5, 0.125);
    const double spacing[] = {0.125, 0.3, 0.04, 0.04, 0.11};
    for (size_t i = 0; i < sizeof spacing / sizeof *spacing; i++) {
        history_respace(&p, ORDER, spacing[i]);
        for (double s = -3; s <= 2; s += 0.25) {
            double y[N], yp[N], at[N], slope[N];
            history_evaluate(&p, ORDER, s, at, slope);
            exact(p.t + s * p.h, y, yp);
            check_near(at, y);
            for (int k = 0; k < N; k++) ck_assert_double_eq_tol(slope[k], yp[k], 2e-12);
        }
    }
    workspace_free(&space);
}
END_TEST

/* The differences that are constant, of order 5 and 3, where the polynomial that is passed on is of
 * a lower order: each goes with the power of the spacing that it belongs to. */
START_TEST(scales_what_lies_above)
{
    for (int order = 1; order < ORDER; order++) {
        workspace space = {0};
        history p = make(&space);
        fill(&p, 0, 0.125);
        history_respace(&p, order, 0.3);
        const double *fifth = p.difference + ORDER * N, *third = p.difference + 3 * N;
        ck_assert_double_eq_tol(fifth[0], -15 * pow(0.3, 5), 1e-11);
        if (order < 3) ck_assert_double_eq_tol(third[1], 6 * pow(0.3, 3), 1e-12);
        workspace_free(&space);
    }
}
END_TEST

START_TEST(lies_within_the_last_step)
{
    workspace space = {0};
    history p = make(&space);
    double coefficient[(ORDER + 1) * N], y[N], yp[N], at[N], slope[N];
    dense_output d = {.n = N, .coefficient = coefficient};
    fill(&p, 0.25, -0.1); /* a run back */
    history_interpolate(&p, ORDER, &d);
    ck_assert_double_eq_tol(d.t + d.h, p.t, 1e-15);
    for (double x = 0; x <= 1; x += 0.125) {
        dense_output_evaluate(&d, d.t + x * d.h, at, slope);
        exact(d.t + x * d.h, y, yp);
        check_near(at, y);
        for (int k = 0; k < N; k++) ck_assert_double_eq_tol(slope[k], yp[k], 2e-12);
    }
    workspace_free(&space);
}
END_TEST

/* Points other than the newest stay where they are. */
START_TEST(moves_the_newest_point_alone)
{
    workspace space = {0};
    history p = make(&space);
    const double change[N] = {0.5, -0.25};
    double y[N], yp[N], at[N];
    fill(&p, 0, 0.125);
    const double highest = p.difference[p.known * N];
    history_move_newest(&p, change);
    ck_assert_int_eq(p.known, ORDER + 2); /* differences of the choice of order have it as well */
    ck_assert_double_eq_tol(p.difference[p.known * N], highest + change[0], 1e-15);
    for (int back = 0; back <= ORDER; back++) {
        history_evaluate(&p, ORDER, -back, at, NULL);
        exact(p.t - back * p.h, y, yp);
        for (int k = 0; k < N && back == 0; k++) y[k] += change[k];
        check_near(at, y);
    }
    workspace_free(&space);
}
END_TEST

/* Other unknowns: (2 y1 + t, y0). */
static void turned(double t, const double *y, double *z)
{
    z[0] = 2 * y[1] + t;
    z[1] = y[0];
}

static dae_status turn_point(void *self, double t, double *y)
{
    const double *refused = self, old[N] = {y[0], y[1]};
    turned(t, old, y);
    return t < *refused ? DAE_NOT_EVALUABLE : DAE_OK;
}

START_TEST(goes_through_what_points_become)
{
    workspace space = {0};
    history p = make(&space);
    double refused = -10, y[N], yp[N], z[N], at[N];
    fill(&p, -0.5, 0.125);
    history_respace(&p, ORDER, 0.1);
    ck_assert_int_eq(history_carry(&p, turn_point, &refused), DAE_OK);
    for (double s = -3; s <= 2; s += 0.25) {
        history_evaluate(&p, ORDER, s, at, NULL);
        exact(p.t + s * p.h, y, yp);
        turned(p.t + s * p.h, y, z);
        check_near(at, z);
    }
    refused = p.t - 0.15;
    ck_assert_int_eq(history_carry(&p, turn_point, &refused), DAE_NOT_EVALUABLE);
    workspace_free(&space);
}
END_TEST

UNIT_MAIN("stepping/history", 10, reproduces_polynomials, scales_what_lies_above,
          lies_within_the_last_step, moves_the_newest_point_alone, goes_through_what_points_become)
