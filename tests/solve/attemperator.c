/* Steam cooled by water, after C. Bendtsen & P. G. Thomsen (eds.), IMM-REP-1999-8, Sec. 10.2.3,
 * with the parameters of examples/attemperator.mo: how the instant is found at which the valve is
 * open wholly. */
#include "solve/equations.h"

#include <math.h>

enum { MOST_CALLS = 4000 };

/* The values of the root function in the order in which they were asked for. */
typedef struct trace {
    size_t n;
    double t[MOST_CALLS], value[MOST_CALLS];
    int open; /* the valve */
    size_t events;
} trace;

static double asked_for(const double *y)
{
    return 0.02 * (y[0] - 753.15) + y[2];
}

/* Temperatures of steam and wall, and the integral of the controller. */
static int heat(double t, const double *y, double *f, void *user)
{
    const trace *w = user;
    (void)t;
    double opening = w->open ? 1 : asked_for(y), To = y[0], wall = 4000 * (To - y[1]);
    double water = 6e-6 * opening * sqrt(2e6 / 1.2e-3), M = 2 * 6e6 / (440 * To);
    f[0] = (10 * 2300 * (793.15 - To) - water * (2.4e6 + 2300 * (To - 753.15)) - wall) / (M * 2300);
    f[1] = wall / 8e5;
    f[2] = 1.8e-4 * (To - 753.15);
    return 0;
}

static int switch_variable(double t, const double *y, const double *yp, double *g, void *user)
{
    trace *w = user;
    (void)yp;
    g[0] = 1 - asked_for(y);
    if (w->events == 0 && w->n < MOST_CALLS) {
        w->t[w->n] = t;
        w->value[w->n++] = g[0];
    }
    return 0;
}

static int valve_is_open(dae_event *e, void *user)
{
    trace *w = user;
    (void)e;
    w->open = 1;
    w->events++;
    return 0;
}

/* One step of the classical Runge-Kutta method with the valve at work. */
static void rk4(double h, double *y)
{
    trace w = {0};
    double k[4][3], v[3];
    const double at[] = {0, h / 2, h / 2, h};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) v[j] = y[j] + (i > 0 ? at[i] * k[i - 1][j] : 0);
        heat(0, v, k[i], &w);
    }
    for (int j = 0; j < 3; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

/* When the valve is open wholly: steps of 0.01 s, the last of them halved until nothing is left. */
static double instant(void)
{
    double y[3] = {753.15, 753.15, 0}, t = 0;
    for (double h = 0.01; h > 1e-13;) {
        double tried[3] = {y[0], y[1], y[2]};
        rk4(h, tried);
        if (asked_for(tried) > 1) {
            h /= 2;
            continue;
        }
        t += h;
        for (int j = 0; j < 3; j++) y[j] = tried[j];
    }
    return t;
}

static const char *const METHODS[] = {"bdf", "mebdf", "radau-iia5", "rodas5p", "dopri5", "dop853"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

/* Table 10.1 there: between the two ends of the step the switch variable is -2.0e-5, 5e-10, -1e-15.
 */
START_TEST(the_instant_is_found_in_three_iterates)
{
    static const signed char falls[] = {-1};
    trace w = {0};
    const dae_about about = {.roots = 1,
                             .root = switch_variable,
                             .root_direction = falls,
                             .event = valve_is_open,
                             .user = &w};
    dae_options options = tolerance_of(1e-8);
    options.method = METHODS[_i];
    dae_solver *s = solver_for(
        dae_problem_mass(&(dae_mass_form){.n = 3, .f = heat, .about = about}), &options);
    is_ok(s, dae_solver_start(s, 0, (double[]){753.15, 753.15, 0}));
    is_ok(s, dae_solver_run(s, 600));
    size_t i = 2;
    while (i < w.n && !(fabs(w.value[i]) < 1e-14)) i++;
    ck_assert_uint_eq(w.events, 1);
    ck_assert_uint_lt(i, w.n);
    ck_assert_double_lt(fabs(w.value[i - 2]), 1e-3);
    ck_assert_double_lt(fabs(w.value[i - 1]), 1e-8);
    ck_assert_double_eq_tol(w.t[i], instant(), 1e-5);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, the_instant_is_found_in_three_iterates, 0, METHODS_COUNT);
    return unit_run("solve/attemperator", tests);
}
