/* Invariants of flights under gravity: what drifts without a projection is kept by it, to round-off
 * or by what the projection promises, and at the price of no step.
 *
 * Kepler's ellipse keeps energy, angular momentum and the two components of the Runge-Lenz vector,
 * of which three are independent: A^2 = 1 + 2 E L^2. A spaceship between Earth and Moon keeps the
 * Jacobi integral (Daniel & Moore, Computation and Theory in Ordinary Differential Equations,
 * 1970); ends of the flights by extrapolation with 30 digits. */
#include "base/unit.h"

#include <daedal/daedal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INVARIANTS = 4 };

static const double MU = 0.01215; /* the Moon's part of both masses */

static int flight_f(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double earth = pow(hypot(y[0] + MU, y[1]), 3), moon = pow(hypot(y[0] - 1 + MU, y[1]), 3);
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = y[0] + 2 * y[3] - (1 - MU) * (y[0] + MU) / earth - MU * (y[0] - 1 + MU) / moon;
    dy[3] = y[1] - 2 * y[2] - (1 - MU) * y[1] / earth - MU * y[1] / moon;
    return earth > 0 && moon > 0 ? 0 : 1;
}

static int flight_c(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    double earth = hypot(y[0] + MU, y[1]), moon = hypot(y[0] - 1 + MU, y[1]);
    c[0] = 0.5 * (y[2] * y[2] + y[3] * y[3] - y[0] * y[0] - y[1] * y[1]) - (1 - MU) / earth -
           MU / moon;
    return 0;
}

/* The largest of the four terms of the integral at a point: about 10 near the Earth, 1 far out. */
static double flight_size(const double *y)
{
    double kinetic = 0.5 * (y[2] * y[2] + y[3] * y[3]), turning = 0.5 * (y[0] * y[0] + y[1] * y[1]);
    double earth = (1 - MU) / hypot(y[0] + MU, y[1]), moon = MU / hypot(y[0] - 1 + MU, y[1]);
    return fmax(fmax(kinetic, turning), fmax(earth, moon));
}

static int kepler_f(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double r = hypot(y[0], y[1]), cube = r * r * r;
    dy[0] = y[2], dy[1] = y[3], dy[2] = -y[0] / cube, dy[3] = -y[1] / cube;
    return r > 0 ? 0 : 1;
}

static int kepler_c(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    double r = hypot(y[0], y[1]), momentum = y[0] * y[3] - y[1] * y[2];
    c[0] = 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1 / r;
    c[1] = momentum;
    c[2] = y[3] * momentum - y[0] / r;
    c[3] = -y[2] * momentum - y[1] / r;
    return 0;
}

static int kepler_c_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double r = hypot(y[0], y[1]), cube = r * r * r, momentum = y[0] * y[3] - y[1] * y[2];
    const double by_columns[16] = {y[0] / cube,
                                   y[3],
                                   y[3] * y[3] - y[1] * y[1] / cube,
                                   -y[2] * y[3] + y[0] * y[1] / cube,
                                   y[1] / cube,
                                   -y[2],
                                   -y[3] * y[2] + y[0] * y[1] / cube,
                                   y[2] * y[2] - y[0] * y[0] / cube,
                                   y[2],
                                   -y[1],
                                   -y[1] * y[3],
                                   -momentum + y[1] * y[2],
                                   y[3],
                                   y[0],
                                   momentum + y[0] * y[3],
                                   -y[0] * y[2]};
    memcpy(dy, by_columns, sizeof by_columns);
    return 0;
}

typedef struct outcome {
    double drift;        /* the largest change of an invariant, relative to `size` at that point, */
    double change, size; /* these two there */
    double absolute;     /* the largest change as it is */
    double y[4];         /* at the end */
    size_t steps;
    bool unknown; /* there is no such method */
} outcome;

typedef struct flight {
    const dae_invariant_form *form;
    const double *start;
    double t_end, rtol;
    double (*size)(const double *y); /* NULL: 1 */
} flight;

static void evaluate(const dae_invariant_form *form, const double *y, double *c)
{
    double yp[4];
    form->f(0, y, yp, NULL);
    if (form->c)
        form->c(0, y, c, NULL);
    else
        form->c_with_yp(0, y, yp, c, NULL);
}

static void look(const flight *f, const double *y, const double *first, outcome *o)
{
    double now[MOST_INVARIANTS];
    evaluate(f->form, y, now);
    for (size_t i = 0; i < f->form->invariants; i++) {
        double change = fabs(now[i] - first[i]);
        double size = f->size ? f->size(y) : 1;
        o->absolute = fmax(o->absolute, change);
        if (o->drift >= change / size) continue;
        o->drift = change / size, o->change = change, o->size = size;
    }
}

/* Over the ends of all steps. */
static outcome fly(const flight *f, const char *method, const char *projection)
{
    outcome o = {0};
    double first[MOST_INVARIANTS];
    dae_options options = dae_options_default();
    options.method = method;
    options.projection = projection;
    options.rtol = options.atol = f->rtol;
    dae_problem *problem = dae_problem_invariant(f->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    evaluate(f->form, f->start, first);
    if (dae_solver_status(solver) == DAE_OK) dae_solver_start(solver, 0, f->start);
    o.unknown = dae_solver_status(solver) == DAE_USAGE ||
                dae_solver_status(solver) == DAE_UNSUPPORTED;
    ck_assert(!o.unknown || strcmp(projection, "none") == 0);
    while (!o.unknown && dae_solver_time(solver) < f->t_end) {
        ck_assert_msg(dae_solver_step(solver, f->t_end) == DAE_OK, "%s, %s: %s", method, projection,
                      dae_solver_message(solver));
        ck_assert_int_eq(dae_solver_at(solver, dae_solver_time(solver), o.y, NULL), DAE_OK);
        look(f, o.y, first, &o);
    }
    if (!o.unknown) ck_assert_str_eq(dae_solver_stats(solver)->projection, projection);
    o.steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return o;
}

static double distance(const double *a, const double *b)
{
    double worst = 0;
    for (int j = 0; j < 4; j++) worst = fmax(worst, fabs(a[j] - b[j]));
    return worst;
}

static const char *const PROJECTIONS[] = {"none",  "coordinate", "derivative",   "post",
                                          "post2", "embedded",   "least-squares"};
enum { PROJECTIONS_COUNT = sizeof PROJECTIONS / sizeof *PROJECTIONS };

/* Whether invariants are met at outputs, or up to the square of what a step misses. */
static bool keeps(const char *projection)
{
    return strcmp(projection, "none") != 0 && strcmp(projection, "embedded") != 0;
}

static const dae_invariant_form flight_form = {
    .n = 4, .f = flight_f, .invariants = 1, .c = flight_c};

START_TEST(jacobi_integral)
{
    static const double speed[] = {0.5, 1.1, 1.4, 2.0};
    static const double integral[] = {-1.7525030001092, -1.2725030001092, -0.8975030001092,
                                      0.1224969998908};
    static const double end[4][4] = {
        {0.28704353833381797, -0.17402761311527471, 1.0765463898435585, -1.0910684402174543},
        {0.49404044167913151, -0.50904129230072838, -0.45346033998671214, -0.73413994087193182},
        {1.4778196295356611, -1.1031948791394708, -0.29418307513466557, -1.6140799894247917},
        {1.0718648542405785, -2.2659459386528993, -1.9996297068203790, -1.8240437670259593}};
    printf("Jacobi integral  projection     change, where it is largest beside the bound, 1e-12 of "
           "the largest term there   error at the end  steps\n");
    for (int k = 0; k < 4; k++) {
        const double start[4] = {-0.5 * MU, 0.1, speed[k], 4};
        const flight f = {&flight_form, start, 2, 1e-7, flight_size};
        double c;
        flight_c(0, start, &c, NULL);
        ck_assert_double_eq_tol(c, integral[k], 1e-13);
        const outcome drifted = fly(&f, "dopri5", "none");
        ck_assert_double_gt(drifted.drift, 1e-9);
        for (int p = 0; p < PROJECTIONS_COUNT; p++) {
            outcome o = fly(&f, "dopri5", PROJECTIONS[p]);
            printf("speed %.1f        %-14s %.1e, bound %.1e, %.1e of the term   %.1e   %zu\n",
                   speed[k], PROJECTIONS[p], o.change, 1e-12 * o.size, o.drift,
                   distance(o.y, end[k]), o.steps);
            if (!keeps(PROJECTIONS[p])) continue;
            ck_assert_double_lt(o.change, 1e-12 * o.size);
            ck_assert_double_lt(distance(o.y, end[k]), distance(drifted.y, end[k]));
        }
    }
}
END_TEST

/* Four invariants of rank three, their Jacobian given or found by differences: ten revolutions
 * after which the start is reached again. */
START_TEST(kepler)
{
    const double e = 0.6, start[4] = {1 - e, 0, 0, sqrt((1 + e) / (1 - e))};
    printf("Kepler          projection     change   error at the end  steps\n");
    for (int exact = 0; exact < 2; exact++) {
        const dae_invariant_form form = {.n = 4,
                                         .f = kepler_f,
                                         .invariants = 4,
                                         .c = kepler_c,
                                         .c_y = exact ? kepler_c_y : NULL};
        const flight f = {&form, start, 20 * 3.14159265358979323846, 1e-6, NULL};
        const outcome drifted = fly(&f, "dopri5", "none");
        for (int p = 0; p < PROJECTIONS_COUNT; p++) {
            outcome o = fly(&f, "dopri5", PROJECTIONS[p]);
            printf("%-15s %-14s %.1e  %.1e           %zu\n", exact ? "with c_y" : "",
                   PROJECTIONS[p], o.absolute, distance(o.y, start), o.steps);
            if (p == 0) continue;
            ck_assert_double_lt(o.absolute, keeps(PROJECTIONS[p]) ? 1e-13 : drifted.absolute / 10);
            ck_assert_double_lt(distance(o.y, start), distance(drifted.y, start) / 10);
        }
        /* what goes on is another state where only derivatives are projected */
        const outcome whole = fly(&f, "dopri5", "coordinate"),
                      part = fly(&f, "dopri5", "derivative");
        ck_assert_double_gt(distance(whole.y, part.y), 1e-6);
    }
}
END_TEST

static int kepler_energy(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1 / hypot(y[0], y[1]);
    return 0;
}

/* The same with the potential -1/r written as q . q'', which holds y'. */
static int kepler_c_with_yp(double t, const double *y, const double *yp, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = 0.5 * (yp[0] * yp[0] + yp[1] * yp[1]) + y[0] * yp[2] + y[1] * yp[3];
    return 0;
}

/* What of y' stands in an invariant is f(t, y), also while the equations are drawn to it. */
START_TEST(invariants_that_hold_derivatives)
{
    const double e = 0.6, start[4] = {1 - e, 0, 0, sqrt((1 + e) / (1 - e))};
    const dae_invariant_form plain = {.n = 4, .f = kepler_f, .invariants = 1, .c = kepler_energy};
    dae_invariant_form form = plain;
    form.c = NULL, form.c_with_yp = kepler_c_with_yp;
    const flight f = {&plain, start, 20, 1e-6, NULL}, g = {&form, start, 20, 1e-6, NULL};
    for (int p = 1; p < PROJECTIONS_COUNT; p++) {
        const outcome a = fly(&f, "dopri5", PROJECTIONS[p]), b = fly(&g, "dopri5", PROJECTIONS[p]);
        ck_assert_uint_eq(a.steps, b.steps);
        ck_assert_double_lt(distance(a.y, b.y), 1e-7);
        if (keeps(PROJECTIONS[p])) ck_assert_double_lt(b.absolute, 1e-13);
    }
}
END_TEST

/* The state that a step has reached is replaced without a restart: steps stay as they are, of any
 * method that controls its error. */
START_TEST(no_step_is_lost)
{
    static const char *const methods[] = {"dopri5",  "dop853",  "radau-iia3", "radau",
                                          "gauss2",  "esdirk4", "kvaerno5",   "sdirk-hw16",
                                          "rodas5p", "bdf",     "mebdf"};
    static const char *const projections[] = {"coordinate", "post", "derivative"};
    const double e = 0.3, start[4] = {1 - e, 0, 0, sqrt((1 + e) / (1 - e))};
    const dae_invariant_form form = {
        .n = 4, .f = kepler_f, .invariants = 4, .c = kepler_c, .c_y = kepler_c_y};
    const flight f = {&form, start, 20, 1e-6, NULL};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const outcome free = fly(&f, methods[m], "none");
        if (free.unknown) continue;
        for (int p = 0; p < 3; p++) {
            outcome o = fly(&f, methods[m], projections[p]);
            printf("%-12s %-12s %zu steps, %zu without projection\n", methods[m], projections[p],
                   o.steps, free.steps);
            ck_assert_double_le((double)o.steps, 1.05 * (double)free.steps);
        }
    }
}
END_TEST

UNIT_MAIN("accuracy/invariants", 120, jacobi_integral, kepler, invariants_that_hold_derivatives,
          no_step_is_lost)
