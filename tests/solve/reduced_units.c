/* Equations of index 2 of C programs, reduced by differences, in any unit of time: what is known of
 * their derivatives in a unit that is far too short, or too long, is to be known of the constraints
 * that these make. */
#include "solve/equations.h"

#include <math.h>

/* c = y2 + a y1 is given, and so is e = y2' + a y1' + b y1, which with c' leaves y1; the equations
 * are e = ... and c + g e = ..., in units of T, all coefficients moving. */
typedef struct hidden {
    double T, a, g, left, turn, speed[2], phase[2];
} hidden;

static void known_values(const hidden *p, double s, double *y, double *yp)
{
    for (int j = 0; j < 2; j++) {
        y[j] = 1.5 * sin(p->speed[j] * s + p->phase[j]) + exp(-s);
        yp[j] = 1.5 * p->speed[j] * cos(p->speed[j] * s + p->phase[j]) - exp(-s);
    }
}

static void parts_of(const hidden *p, double s, const double *y, const double *yp, double *c,
                     double *e)
{
    double a = p->a * sin(p->turn * s), b = p->left + p->a * p->turn * cos(p->turn * s);
    *c = y[1] + a * y[0];
    *e = yp[1] + a * yp[0] + b * y[0];
}

static int hidden_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const hidden *p = user;
    double s = t / p->T, z[2], zp[2], own[2] = {p->T * yp[0], p->T * yp[1]}, c[2], e[2];
    known_values(p, s, z, zp);
    parts_of(p, s, y, own, &c[0], &e[0]);
    parts_of(p, s, z, zp, &c[1], &e[1]);
    r[0] = e[0] - e[1];
    r[1] = p->g * sin(0.6 * s) * (e[0] - e[1]) - (c[0] - c[1]);
    return 0;
}

/* The largest error at ends of steps and in their middles, in tolerances. */
static double worst_of_run(hidden *p, const char *method, double rtol)
{
    const dae_residual_form form = {.n = 2, .residual = hidden_residual, .about.user = p};
    dae_options options = tolerance_of(rtol);
    options.method = method;
    double y[2], z[2], zp[2], worst = 0, last = 0, end = 2.5 * p->T;
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    known_values(p, 0, y, zp);
    is_ok(solver, dae_solver_start(solver, 0, y));
    while (dae_solver_time(solver) < end) {
        is_ok(solver, dae_solver_step(solver, end));
        double now = dae_solver_time(solver), times[2] = {(last + now) / 2, now};
        for (int k = now > last ? 0 : 2; k < 2; k++) { /* a run may go back */
            is_ok(solver, dae_solver_at(solver, times[k], y, NULL));
            known_values(p, times[k] / p->T, z, zp);
            for (int j = 0; j < 2; j++)
                worst = fmax(worst, fabs(y[j] - z[j]) / (rtol * (1 + fabs(z[j]))));
        }
        last = now;
    }
    dae_solver_free(solver);
    return worst;
}

START_TEST(hidden_constraints_in_any_unit_of_time)
{
    static const char *const method[] = {"auto", "radau", "mebdf", "radau-iia5", "rodas5p"};
    uint64_t state = 31;
    for (int k = 0; k < 60; k++) {
        hidden p = {.T = pow(10, scatter_between(&state, -9, 9)),
                    .a = scatter_between(&state, 0.5, 1.5),
                    .g = scatter_between(&state, -1, 1),
                    .left = scatter_between(&state, 0.5, 1.5),
                    .turn = scatter_between(&state, 0.5, 1.5)};
        for (int j = 0; j < 2; j++) p.speed[j] = scatter_between(&state, 0.3, 2);
        for (int j = 0; j < 2; j++) p.phase[j] = scatter_between(&state, -3, 3);
        double rtol = k % 2 ? 1e-6 : 1e-8, off = worst_of_run(&p, method[k % 5], rtol);
        ck_assert_msg(off < 10, "draw %d, T = %g, %s, %g: %g tolerances", k, p.T, method[k % 5],
                      rtol, off);
    }
}
END_TEST

/* T x' = z with x given: a pulse, or waves. No equation but that which has z tells the unit of
 * time; where sizes say that of z is another (`told` of false), the run may stop, but is not wrong.
 */
typedef struct given {
    double T, place, width;
    bool waves;
} given;

static double given_value(const given *p, double s)
{
    double x = (s - p->place) / p->width;
    return p->waves ? sin(x) : exp(-x * x);
}

static double given_slope(const given *p, double s)
{
    double x = (s - p->place) / p->width;
    return (p->waves ? cos(x) : -2 * x * exp(-x * x)) / p->width;
}

static int follow_given(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x;
    f[0] = z[0] / ((const given *)user)->T;
    return 0;
}

static int meet_given(double t, const double *x, const double *z, double *g, void *user)
{
    const given *p = user;
    (void)z;
    g[0] = x[0] - given_value(p, t / p->T);
    return 0;
}

static int given_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const given *p = user;
    r[0] = y[0] - given_value(p, t / p->T);
    r[1] = p->T * yp[0] - y[1];
    return 0;
}

static void follow(given *p, bool residual, bool told, double rtol, int draw)
{
    const double nominal[2] = {1, told ? 1 : p->T};
    const dae_about about = {.user = p, .nominal = nominal};
    const dae_residual_form one = {.n = 2, .residual = given_residual, .about = about};
    const dae_semi_explicit_form other = {
        .nx = 1, .nz = 1, .f = follow_given, .g = meet_given, .about = about};
    const double atol[2] = {rtol, rtol};
    dae_options options = tolerance_of(rtol);
    options.atols = atol;
    dae_problem *problem = residual ? dae_problem_residual(&one)
                                    : dae_problem_semi_explicit(&other);
    dae_solver *solver = solver_for(problem, &options);
    double y[2] = {given_value(p, 0), given_slope(p, 0)};
    dae_status status = dae_solver_start(solver, 0, y);
    double last = 0, worst = 0;
    while (status == DAE_OK && dae_solver_time(solver) < p->T &&
           dae_solver_step(solver, p->T) == DAE_OK) {
        double now = dae_solver_time(solver), times[2] = {(last + now) / 2, now};
        for (int k = now > last ? 0 : 2; k < 2; k++) { /* a run may go back */
            is_ok(solver, dae_solver_at(solver, times[k], y, NULL));
            double z = given_slope(p, times[k] / p->T);
            worst = fmax(worst, fabs(y[1] - z) / (rtol * (1 + fabs(z))));
        }
        last = now;
    }
    if (told) is_ok(solver, dae_solver_status(solver));
    ck_assert_msg(worst < 100, "draw %d, T = %g, place %g, width %g, %s, %g: %g tolerances", draw,
                  p->T, p->place, p->width, told ? "told" : "not told", rtol, worst);
    dae_solver_free(solver);
}

START_TEST(what_is_given_alone_tells_the_time)
{
    uint64_t state = 77;
    for (int k = 0; k < 80; k++) {
        given p = {.T = pow(10, scatter_between(&state, -12, 12)),
                   .place = scatter_between(&state, 0.1, 0.9),
                   .width = scatter_between(&state, 0.05, 0.3),
                   .waves = k % 3 == 0};
        bool told = k % 4 != 3;
        if (!told) p.T = pow(10, scatter_between(&state, -6, 3));
        follow(&p, k % 2, told, k % 5 ? 1e-6 : 1e-4, k);
    }
}
END_TEST

/* P (E Q y' + A Q y - b(t)) = 0 with Q y = (x1, x2, x3, u, v, w): x1' = x2 + ..., x2' = x3 + ...,
 * 0 = x1 - ..., u' and v' by a matrix, 0 = w - ...: index 3, two degrees of freedom. */
enum { MIXED = 6 };

typedef struct mixed {
    double T, e[MIXED][MIXED], a[MIXED][MIXED]; /* of y', in units of T, and of y */
    double speed[MIXED], phase[MIXED];
} mixed;

static void mixed_solution(const mixed *p, double s, double *y, double *yp)
{
    for (int j = 0; j < MIXED; j++) {
        y[j] = 1.5 * sin(p->speed[j] * s + p->phase[j]);
        yp[j] = 1.5 * p->speed[j] * cos(p->speed[j] * s + p->phase[j]);
    }
}

static int mixed_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const mixed *p = user;
    double z[MIXED], zp[MIXED];
    mixed_solution(p, t / p->T, z, zp);
    for (int i = 0; i < MIXED; i++) {
        double left = 0, right = 0;
        for (int j = 0; j < MIXED; j++) left += p->e[i][j] * p->T * yp[j] + p->a[i][j] * y[j];
        for (int j = 0; j < MIXED; j++) right += p->e[i][j] * zp[j] + p->a[i][j] * z[j];
        r[i] = left - right;
    }
    return 0;
}

static void multiply(double (*a)[MIXED], double (*b)[MIXED], double (*to)[MIXED])
{
    for (int i = 0; i < MIXED; i++)
        for (int j = 0; j < MIXED; j++) {
            to[i][j] = 0;
            for (int k = 0; k < MIXED; k++) to[i][j] += a[i][k] * b[k][j];
        }
}

/* Small integers with ones on the diagonal: lower times upper, so that the determinant is 1. */
static void draw_mix(uint64_t *state, double (*m)[MIXED])
{
    double lower[MIXED][MIXED] = {{0}}, upper[MIXED][MIXED] = {{0}};
    for (int i = 0; i < MIXED; i++) {
        lower[i][i] = upper[i][i] = 1;
        for (int j = 0; j < i; j++) lower[i][j] = (double)scatter_below(state, 3) - 1;
        for (int j = 0; j < i; j++) upper[j][i] = (double)scatter_below(state, 3) - 1;
    }
    multiply(lower, upper, m);
}

static mixed draw_mixed(uint64_t *state)
{
    double E[MIXED][MIXED] = {{1}, {0, 1}, {0}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0}};
    double A[MIXED][MIXED] = {{0, -1},          {0, 0, -1},        {1},
                              {0, 0, 0, 1, -1}, {0, 0, 0, 1, 0.5}, {0, 0, 0, 0, 0, 1}};
    double left[MIXED][MIXED], right[MIXED][MIXED], half[MIXED][MIXED];
    mixed p = {.T = pow(2, (double)scatter_below(state, 21) - 10)};
    draw_mix(state, left);
    draw_mix(state, right);
    multiply(left, E, half);
    multiply(half, right, p.e);
    multiply(left, A, half);
    multiply(half, right, p.a);
    for (int j = 0; j < MIXED; j++) {
        p.speed[j] = scatter_between(state, 0.3, 2);
        p.phase[j] = scatter_between(state, -3, 3);
    }
    return p;
}

/* What is left open is found as exactly as differences resolve it, not as the equations do: these
 * see a multiplier by the square of the step of the differences. */
START_TEST(open_values_are_found_to_the_resolution)
{
    uint64_t state = 5;
    int met = 0;
    for (int k = 0; k < 60; k++) {
        mixed p = draw_mixed(&state);
        const dae_residual_form form = {.n = MIXED, .residual = mixed_residual, .about.user = &p};
        dae_options options = tolerance_of(1e-8);
        dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
        double y[MIXED], z[MIXED], zp[MIXED], off = 0;
        mixed_solution(&p, 0, z, zp);
        for (int j = 0; j < MIXED; j++)
            y[j] = j == k % MIXED || j == (k + 1) % MIXED ? z[j] : (double)NAN;
        dae_status status = dae_solver_start(solver, 0, y);
        if (status == DAE_OK) is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        dae_solver_free(solver);
        for (int j = 0; j < MIXED; j++) off = fmax(off, fabs(y[j] - z[j]));
        if (status != DAE_OK || off > 1e-3) continue; /* those two do not determine the others */
        ck_assert_msg(off < 1e-9, "draw %d, T = %g: off by %g", k, p.T, off);
        met++;
    }
    ck_assert_int_ge(met, 30);
}
END_TEST

UNIT_MAIN("solve/reduced_units", 60, hidden_constraints_in_any_unit_of_time,
          what_is_given_alone_tells_the_time, open_values_are_found_to_the_resolution)
