/* Diodes at loose tolerances: a tolerance of the voltage is many units of the exponential, so that
 * values within it lie where Newton's iteration without damping does not converge. */
#include "solve/models.h"

#include <math.h>

enum { MOST = 20 };

/* A half-wave rectifier with a freewheeling diode. */
static const char CHOKE[] =
    "model Choke parameter Real Rs = 0.5, L = 50e-3, C = 1e-3, RL = 20, Is = 1e-9, Vt = 0.05, "
    "G = 1e-6;\n"
    "  Real u = 325*sin(100*3.141592653589793*time), x, i1, i2;\n"
    "  Real iL(start = 0, fixed = true), vc(start = 0, fixed = true);\n"
    "equation i1 = Is*(exp((u - Rs*i1 - x)/Vt) - 1) + G*(u - x);\n"
    "  i2 = Is*(exp(-x/Vt) - 1) - G*x; i1 + i2 = iL;\n"
    "  L*der(iL) = x - vc; C*der(vc) = iL - vc/RL; end Choke;";

/* Greinacher's voltage doubler: a pulse of charge lies within a step that finds nothing of it. */
static const char DOUBLER[] =
    "model Doubler parameter Real R = 5, RL = 10e3, C = 100e-6, Is = 1e-9, Vt = 0.05;\n"
    "  Real u, x, y(start = 0, fixed = true), w(start = 0, fixed = true), i, i1, i2;\n"
    "equation u = 24*sin(100*3.141592653589793*time); u - w - R*i = x; C*der(w) = i;\n"
    "  i + i1 = i2; i1 = Is*(exp(-x/Vt) - 1); i2 = Is*(exp((x - y)/Vt) - 1);\n"
    "  C*der(y) = i2 - y/RL; end Doubler;";

typedef struct circuit {
    const char *text;
    double stop;
    const char *state;
} circuit;

static const circuit CIRCUITS[] = {
    {BRIDGE, 0.03, "iL"}, {CHOKE, 0.06, "vc"}, {DOUBLER, 0.07, "w"}, {DOUBLER, 0.09, "w"}};

static int take_row(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* The state at the end, and all rows on the way. */
static double run(const circuit *c, double rtol, double atol, size_t rows)
{
    double y[MOST];
    dae_options options = dae_options_default();
    options.rtol = rtol;
    options.atol = atol;
    dae_problem *problem = problem_of(c->text);
    dae_solver *solver = dae_solver_create(problem, &options);
    const dae_times times = {.count = rows, .first = 0, .last = c->stop};
    ck_assert_int_eq(dae_solver_output(solver, &times, take_row, NULL), DAE_OK);
    dae_status status = dae_solver_run(solver, c->stop);
    ck_assert_msg(status == DAE_OK, "%s at %g, %g: %s", c->state, rtol, atol,
                  dae_solver_message(solver));
    is_ok(solver, dae_solver_at(solver, c->stop, y, NULL));
    double found = y[dae_problem_find(problem, c->state)];
    dae_solver_free(solver);
    dae_problem_free(problem);
    return found;
}

START_TEST(loose_tolerances_come_to_the_end)
{
    const circuit *c = &CIRCUITS[_i];
    double exact = run(c, 1e-9, 1e-9, 2);
    for (double rtol = 2.9e-3; rtol > 2e-4; rtol *= 0.76) {
        for (int loose = 0; loose <= 1; loose++) {
            double atol = loose ? rtol : 1e-3 * rtol, off = run(c, rtol, atol, 2) - exact;
            ck_assert_double_lt(fabs(off), 100 * (rtol * fabs(exact) + atol));
        }
    }
}
END_TEST

/* Within a step the polynomial of a voltage may be 200 units of the exponential off. */
START_TEST(rows_between_have_their_values)
{
    for (double rtol = 2.9e-3; rtol > 5e-4; rtol *= 0.7) {
        double few = run(&CIRCUITS[_i], rtol, rtol, 2), many = run(&CIRCUITS[_i], rtol, rtol, 1501);
        ck_assert_double_eq(few, many);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    int circuits = sizeof CIRCUITS / sizeof *CIRCUITS;
    unit_loop(tests, loose_tolerances_come_to_the_end, 0, circuits);
    unit_loop(tests, rows_between_have_their_values, 0, circuits);
    return unit_run("solve/exponentials", tests);
}
