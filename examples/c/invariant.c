/* y' = f(t, y) on a manifold: a pendulum in Cartesian coordinates with its rod force eliminated, an
 * ODE that keeps length, tangency and energy by itself but for its errors; here they are met after
 * each step. Reference by elliptic functions (IFToMM benchmark A01). */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

static const double G = 9.81;

/* y: x, y, vx, vy */
static int f(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double pull = y[2] * y[2] + y[3] * y[3] - G * y[1]; /* of the rod, of length 1 */
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -pull * y[0];
    dy[3] = -pull * y[1] - G;
    return 0;
}

static int c(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    value[0] = y[0] * y[0] + y[1] * y[1];
    value[1] = y[0] * y[2] + y[1] * y[3];
    value[2] = 0.5 * (y[2] * y[2] + y[3] * y[3]) + G * y[1];
    return 0;
}

int main(void)
{
    static const char *const name[4] = {"x", "y", "vx", "vy"};
    static const double start[4] = {-1, 0, 0, 0};
    static const double reference[4] = {-0.27508746257611686, -0.96141920509912506,
                                        4.1755981009517288, -1.1947490545604753};
    dae_invariant_form form = {
        .n = 4, .f = f, .invariants = 3, .c = c, .about = {.variable = name}};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    options.projection = "coordinate";
    double y[4] = {0}, worst = 0;
    dae_problem *problem = dae_problem_invariant(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, start);
    if (dae_solver_run(solver, 10) == DAE_OK) dae_solver_at(solver, 10, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] / reference[i] - 1));
    printf("energy is off by %.1e\n", fabs(0.5 * (y[2] * y[2] + y[3] * y[3]) + G * y[1]));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", worst, options.rtol,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
