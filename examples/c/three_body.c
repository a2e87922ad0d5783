/* y' = f(t, y) with an invariant: a spaceship between Earth and Moon, in coordinates that turn with
 * both. Its Jacobi integral is constant; that of a numerical flight drifts unless it is brought
 * back after each step. Four flights from one place at different speeds (after Daniel & Moore,
 * Computation and Theory in Ordinary Differential Equations, 1970). Reference by extrapolation with
 * 30 digits. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

static const double MU = 0.01215; /* the Moon's part of both masses */

/* y: position and velocity; a positive answer at the centre of a mass */
static int f(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    double earth = pow(hypot(y[0] + MU, y[1]), 3), moon = pow(hypot(y[0] - 1 + MU, y[1]), 3);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = y[0] + 2 * y[3] - (1 - MU) * (y[0] + MU) / earth - MU * (y[0] - 1 + MU) / moon;
    dy[3] = y[1] - 2 * y[2] - (1 - MU) * y[1] / earth - MU * y[1] / moon;
    return earth > 0 && moon > 0 ? 0 : 1;
}

static int jacobi(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    double kinetic = 0.5 * (y[2] * y[2] + y[3] * y[3] - y[0] * y[0] - y[1] * y[1]);
    c[0] = kinetic - (1 - MU) / hypot(y[0] + MU, y[1]) - MU / hypot(y[0] - 1 + MU, y[1]);
    return 0;
}

/* The largest change of the integral on a flight, which ends at y; -1: it failed. */
static double fly(double speed, const char *projection, double *y)
{
    const double start[4] = {-0.5 * MU, 0.1, speed, 4};
    dae_invariant_form form = {.n = 4, .f = f, .invariants = 1, .c = jacobi};
    dae_options options = dae_options_default();
    options.method = "dopri5";
    options.rtol = options.atol = 1e-6;
    options.projection = projection;
    dae_problem *problem = dae_problem_invariant(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    double first, now, worst = 0;
    jacobi(0, start, &first, NULL);
    dae_solver_start(solver, 0, start);
    while (dae_solver_time(solver) < 2 && dae_solver_step(solver, 2) == DAE_OK) {
        dae_solver_at(solver, dae_solver_time(solver), y, NULL);
        jacobi(0, y, &now, NULL);
        worst = fmax(worst, fabs(now - first));
    }
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    printf("%5.1f  %-10s  %7.1e  %5zu\n", speed, projection, worst,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status == DAE_OK ? worst : -1;
}

int main(void)
{
    static const double speed[] = {0.5, 1.1, 1.4, 2.0};
    static const double reference[2] = {1.0718648542405785, -2.2659459386528993};
    double y[4] = {0}, held = 0;
    printf("speed  projection  change of the Jacobi integral, steps\n");
    for (int k = 0; k < 4 && held >= 0; k++) {
        fly(speed[k], "none", y);
        held = fly(speed[k], "coordinate", y);
    }
    double error = fmax(fabs(y[0] / reference[0] - 1), fabs(y[1] / reference[1] - 1));
    printf("relative error %.2e with rtol 1e-06, 4 flights\n", error);
    return held < 0;
}
