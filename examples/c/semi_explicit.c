/* x' = f(t, x, z), 0 = g(t, x, z): the chemical Akzo Nobel problem, six concentrations, of which
 * the last follows from an equilibrium. Test Set for IVP Solvers 2.4 (Mazzia & Magherini 2008). */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

/* Negative concentrations, at which a trial step may arrive, have no square root: 1 asks for a
 * smaller step. */
static int f(double t, const double *x, const double *z, double *dx, void *user)
{
    (void)t, (void)user;
    if (x[1] < 0) return 1;
    double r1 = 18.7 * pow(x[0], 4) * sqrt(x[1]), r2 = 0.58 * x[2] * x[3];
    double r3 = 0.58 / 34.4 * x[0] * x[4], r4 = 0.09 * x[0] * x[3] * x[3];
    double r5 = 0.42 * z[0] * z[0] * sqrt(x[1]), inflow = 3.3 * (0.9 / 737 - x[1]);
    dx[0] = -2 * r1 + r2 - r3 - r4;
    dx[1] = -0.5 * r1 - r4 - 0.5 * r5 + inflow;
    dx[2] = r1 - r2 + r3;
    dx[3] = -r2 + r3 - 2 * r4;
    dx[4] = r2 - r3 + r5;
    return 0;
}

static int g(double t, const double *x, const double *z, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = 115.83 * x[0] * x[3] - z[0];
    return 0;
}

static double worst_relative_error(const double *y)
{
    static const double reference[6] = {1.150794920661702e-01, 1.203831471567705e-03,
                                        1.611562887407974e-01, 3.656156421249288e-04,
                                        1.708010885264404e-02, 4.873531310307461e-03};
    double worst = 0;
    for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(y[i] - reference[i]) / fabs(reference[i]));
    return worst;
}

int main(void)
{
    static const char *const name[6] = {"FLB", "CO2", "FLBT", "ZHU", "ZLA", "FLB.ZHU"};
    const double start[6] = {0.444, 0.00123, 0, 0.007, 0, (double)NAN}; /* the last one is found */
    double y[6] = {0};
    dae_semi_explicit_form form = {
        .nx = 5, .nz = 1, .f = f, .g = g, .about = {.name = "Akzo Nobel", .variable = name}};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    dae_problem *problem = dae_problem_semi_explicit(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, start);
    if (dae_solver_run(solver, 180) == DAE_OK) dae_solver_at(solver, 180, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", worst_relative_error(y), options.rtol,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
