/* M(q) v' = f + G^T lambda, phi(q) = 0: a pendulum as a point on a circle, IFToMM benchmark A01
 * (Gonzalez, Dopico, Lugris & Cuadrado 2006), with the force in its rod. The exact solution is an
 * elliptic function; its values at t = 10 are from an evaluation with 113 bits. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

enum { X, Y, VX, VY, LAMBDA, VARIABLES };

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[X] = 0;
    f[Y] = -9.81;
    return 0;
}

static int circle(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[X] * q[X] + q[Y] * q[Y] - 1;
    return 0;
}

static int gradient(double t, const double *q, double *g, void *user)
{
    (void)t, (void)user;
    g[X] = 2 * q[X];
    g[Y] = 2 * q[Y];
    return 0;
}

static double worst_relative_error(const double *y)
{
    static const double reference[VARIABLES] = {-0.27508746257611686, -0.96141920509912506,
                                                4.1755981009517288, -1.1947490545604753,
                                                -14.147283603033625};
    double worst = 0;
    for (int i = 0; i < VARIABLES; i++)
        worst = fmax(worst, fabs(y[i] - reference[i]) / fabs(reference[i]));
    return worst;
}

int main(void)
{
    static const double mass[4] = {1, 0, 0, 1};
    static const char *const name[VARIABLES] = {"x", "y", "vx", "vy", "lambda"};
    const double start[VARIABLES] = {-1, 0, 0, 0, (double)NAN}; /* the last one is found */
    double y[VARIABLES] = {0};
    dae_mechanical_form form = {.nq = 2,
                                .holonomic = 1,
                                .constant_mass = mass,
                                .force = weight,
                                .constraint = circle,
                                .constraint_q = gradient,
                                .about = {.name = "pendulum", .variable = name}};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-9;
    dae_problem *problem = dae_problem_mechanical(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, start);
    if (dae_solver_run(solver, 10) == DAE_OK) dae_solver_at(solver, 10, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    printf("force in the rod %.6f N, relative error %.2e with rtol %.0e, %zu steps\n",
           -2 * y[LAMBDA], worst_relative_error(y), options.rtol, dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
