/* The problems are what they say: their starts and exact solutions satisfy the equations, their
 * Jacobians and slopes in time agree with differences. */
#include "base/unit.h"
#include "zoo/variants.h"
#include "zoo/zoo.h"

#include <stdbool.h>
#include <string.h>

enum { SQUARE = ZOO_MOST * ZOO_MOST };

/* How far the equations are from being met, over the largest term that a change of eps in one
 * unknown makes in them. */
static double violation(const zoo_form *form, double t, const double *y, const double *yp)
{
    static double matrix[2][SQUARE];
    size_t n = zoo_size(form);
    double r[ZOO_MOST], worst = 0;
    ck_assert_int_eq(zoo_residual(form, t, y, yp, r), 0);
    for (int which = 0; which < 2; which++)
        ck_assert_int_eq(zoo_matrix(form, t, y, yp, which == 0, which == 1, matrix[which]), 0);
    for (size_t i = 0; i < n; i++) {
        double scale = DBL_MIN;
        for (int which = 0; which < 2; which++) {
            const double *x = which == 0 ? yp : y;
            for (size_t j = 0; j < n; j++)
                scale = fmax(scale, fabs(matrix[which][j * n + i]) * fmax(1, fabs(x[j])));
        }
        worst = fmax(worst, fabs(r[i]) / scale);
    }
    return worst;
}

START_TEST(starts)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        double y[ZOO_MOST], yp[ZOO_MOST];
        zoo_ivps[k]->start(y, yp);
        double worst = violation(zoo_ivps[k]->form, 0, y, yp);
        ck_assert_msg(worst < 64 * DBL_EPSILON, "%s: %g", zoo_ivps[k]->name, worst);
    }
}
END_TEST

/* Where a reference has all unknowns, it meets the equations without derivatives to its digits. */
START_TEST(references)
{
    static double by_y[SQUARE], by_yp[SQUARE];
    int seen = 0;
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        const zoo_ivp *ivp = zoo_ivps[k];
        const double *y = ivp->reference;
        double resting[ZOO_MOST] = {0}, r[ZOO_MOST];
        size_t n = zoo_size(ivp->form);
        if (zoo_known(ivp) < n) continue;
        ck_assert_int_eq(zoo_residual(ivp->form, ivp->t_end, y, resting, r), 0);
        ck_assert_int_eq(zoo_matrix(ivp->form, ivp->t_end, y, resting, 0, 1, by_y), 0);
        ck_assert_int_eq(zoo_matrix(ivp->form, ivp->t_end, y, resting, 1, 0, by_yp), 0);
        for (size_t i = 0; i < n; i++) {
            double scale = DBL_MIN, dynamic = 0;
            for (size_t j = 0; j < n; j++) {
                scale = fmax(scale, fabs(by_y[j * n + i]) * fmax(1, fabs(y[j])));
                dynamic = fmax(dynamic, fabs(by_yp[j * n + i]));
            }
            if (dynamic > 0) continue;
            ck_assert_msg(fabs(r[i]) <= pow(10, -ivp->digits) * scale, "%s: equation %zu, %g of %g",
                          ivp->name, i + 1, r[i], scale);
            seen++;
        }
    }
    ck_assert_int_gt(seen, 400);
}
END_TEST

START_TEST(exact_solutions)
{
    for (size_t k = 0; k < zoo_order_count; k++) {
        const zoo_order *problem = zoo_orders[k];
        ck_assert_uint_eq(strlen(problem->classes), zoo_size(problem->form));
        for (double t = 0; t <= problem->t_end; t += 0.19) {
            double y[ZOO_MOST], yp[ZOO_MOST], before[ZOO_MOST], after[ZOO_MOST], unused[ZOO_MOST];
            zoo_exact(problem, t, y, yp);
            double worst = violation(problem->form, t, y, yp);
            ck_assert_msg(worst < 64 * DBL_EPSILON, "%s: %g at %g", problem->name, worst, t);
            zoo_exact(problem, t - 1e-5, before, unused);
            zoo_exact(problem, t + 1e-5, after, unused);
            for (size_t i = 0; problem->classes[i]; i++)
                ck_assert_double_eq_tol(yp[i], (after[i] - before[i]) / 2e-5,
                                        1e-6 * fmax(1, 20 * fabs(y[i])));
        }
    }
}
END_TEST

/* A central difference of the residual by unknown j of y or y', or by time (j = n), and its
 * round-off. */
static void difference(const zoo_form *form, double t, const double *y, const double *yp, size_t j,
                       bool derivative, double *slope, double *doubt)
{
    size_t n = zoo_size(form);
    double high[ZOO_MOST], low[ZOO_MOST], at[2][ZOO_MOST];
    double size = j == n ? fmax(fabs(t), 1e-6) : fabs(derivative ? yp[j] : y[j]);
    double h = j == n ? 1e-6 * size : 1e-5 * fmax(size, 1e-3);
    if (derivative) h = fmax(1, size); /* all are linear in y' */
    for (int side = 0; side < 2; side++) {
        double moved = side == 0 ? h : -h;
        memcpy(at[0], y, n * sizeof *y);
        memcpy(at[1], yp, n * sizeof *yp);
        if (j < n) at[derivative][j] += moved;
        ck_assert_int_eq(
            zoo_residual(form, j == n ? t + moved : t, at[0], at[1], side == 0 ? high : low), 0);
    }
    for (size_t i = 0; i < n; i++) {
        slope[i] = (high[i] - low[i]) / (2 * h);
        doubt[i] = 8 * DBL_EPSILON * fabs(high[i]) / h;
    }
}

/* Entries to 1e-5 of the largest in the row of the equation. */
static void jacobian_is_right(const char *name, const zoo_form *form, double t, const double *y,
                              const double *yp, bool derivative)
{
    static double matrix[SQUARE], slope[SQUARE], doubt[SQUARE];
    size_t n = zoo_size(form);
    ck_assert_int_eq(zoo_matrix(form, t, y, yp, derivative, !derivative, matrix), 0);
    for (size_t j = 0; j < n; j++)
        difference(form, t, y, yp, j, derivative, slope + j * n, doubt + j * n);
    for (size_t i = 0; i < n; i++) {
        double scale = 0;
        for (size_t j = 0; j < n; j++) scale = fmax(scale, fabs(slope[j * n + i]));
        for (size_t j = 0; j < n; j++)
            ck_assert_msg(fabs(matrix[j * n + i] - slope[j * n + i]) <=
                              1e-5 * scale + doubt[j * n + i],
                          "%s: dF%zu/dy%zu%s is %.9g, by differences %.9g", name, i + 1, j + 1,
                          derivative ? "'" : "", matrix[j * n + i], slope[j * n + i]);
    }
}

static void slope_is_right(const char *name, const zoo_form *form, double t, const double *y,
                           const double *yp)
{
    double stated[ZOO_MOST], slope[ZOO_MOST], doubt[ZOO_MOST], scale = 0;
    size_t n = zoo_size(form);
    ck_assert_int_eq(zoo_slope(form, t, y, yp, stated), 0);
    difference(form, t, y, yp, n, false, slope, doubt);
    for (size_t i = 0; i < n; i++) scale = fmax(scale, fabs(slope[i]));
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabs(stated[i] - slope[i]) <= 1e-5 * scale + doubt[i],
                      "%s: dF%zu/dt is %g, not %g", name, i + 1, stated[i], slope[i]);
}

/* M(t, y) y' by y vanishes at y' = 0, if zoo_matrix() leaves it out. */
static void slopes_are_right(const char *name, const zoo_form *form, double t, const double *y,
                             const double *yp)
{
    static const double resting[ZOO_MOST];
    double turning[ZOO_MOST];
    bool moving = form->kind == ZOO_MASS && form->as.mass.mass;
    for (size_t i = 0; i < zoo_size(form); i++) turning[i] = 1 + 0.5 * (double)(i % 3);
    jacobian_is_right(name, form, t, y, moving ? resting : yp, false);
    if (moving && form->as.mass.mass_y) jacobian_is_right(name, form, t, y, turning, false);
    jacobian_is_right(name, form, t, y, yp, true);
    slope_is_right(name, form, t, y, moving ? resting : yp);
}

START_TEST(jacobians_of_initial_value_problems)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        const zoo_ivp *ivp = zoo_ivps[k];
        double y[ZOO_MOST], yp[ZOO_MOST];
        uint64_t state = k;
        ivp->start(y, yp);
        for (int point = 0; point < 4; point++) { /* between start and end, all a little off */
            double t = ivp->t_end * (0.1 + 0.2 * point) * (1 + 0.1 * scatter(&state));
            for (size_t i = 0; i < zoo_size(ivp->form); i++) {
                double end = i < zoo_known(ivp) ? ivp->reference[i] : y[i];
                y[i] += (end - y[i]) * 0.25 * (1 + 0.01 * scatter(&state));
            }
            slopes_are_right(ivp->name, ivp->form, t, y, yp);
        }
    }
}
END_TEST

START_TEST(jacobians_of_order_problems)
{
    for (size_t k = 0; k < zoo_order_count; k++) {
        const zoo_order *problem = zoo_orders[k];
        uint64_t state = k;
        for (double t = 0.1; t < problem->t_end; t += 0.3) {
            double y[ZOO_MOST], yp[ZOO_MOST];
            zoo_exact(problem, t, y, yp);
            for (size_t i = 0; problem->classes[i]; i++) y[i] += 0.05 * scatter(&state);
            slopes_are_right(problem->name, problem->form, t, y, yp);
        }
    }
}
END_TEST

/* The reference has all its digits, a relative error of 1e-6 has six. */
START_TEST(digits)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        const zoo_ivp *ivp = zoo_ivps[k];
        double y[ZOO_MOST], atol[ZOO_MOST];
        memcpy(y, ivp->reference, zoo_known(ivp) * sizeof *y);
        ck_assert_double_ge(zoo_digits(ivp, y), 15.9);
        zoo_tolerances(ivp, 1e-6, atol);
        size_t first = zoo_counted(ivp, 0);
        double size = fabs(y[first]) + (ivp->mixed ? atol[first] / 1e-6 : 0);
        y[first] += 1e-6 * size;
        ck_assert_double_eq_tol(zoo_digits(ivp, y), 6, 1e-3);
        ck_assert_ptr_eq(zoo_ivp_named(ivp->name), ivp);
    }
}
END_TEST

/* In other units, another order, with other parameters: the start, and the Jacobians beside it. */
static void variant_is_right(const zoo_ivp *ivp)
{
    double y[ZOO_MOST], yp[ZOO_MOST];
    uint64_t state = 0;
    zoo_start(ivp, y, yp);
    double worst = violation(ivp->form, 0, y, yp);
    ck_assert_msg(worst < 256 * DBL_EPSILON, "%s: %g", ivp->name, worst);
    for (size_t i = 0; i < zoo_size(ivp->form); i++) y[i] *= 1 + 0.01 * scatter(&state);
    slopes_are_right(ivp->name, ivp->form, 0.01 * ivp->t_end, y, yp);
}

START_TEST(variants)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        for (zoo_change c = ZOO_SCALED; c < ZOO_CHANGES; c++) {
            const zoo_ivp *ivp = zoo_variant_make(zoo_ivps[k], c);
            if (ivp) variant_is_right(ivp);
            zoo_variant_free(ivp);
        }
    }
}
END_TEST

UNIT_MAIN("zoo/definitions", 60, starts, variants, references, exact_solutions,
          jacobians_of_initial_value_problems, jacobians_of_order_problems, digits)
