/* M y' = f(t, y) with a singular M: the transistor amplifier, whose capacitors couple the voltages
 * of eight nodes. M is tridiagonal, the Jacobian banded. Test Set for IVP Solvers 2.4 (Mazzia &
 * Magherini 2008). */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846, UB = 6, UF = 0.026, ALPHA = 0.99;

static double current(double u)
{
    return 1e-6 * (exp(u / UF) - 1);
}

static int f(double t, const double *y, double *r, void *user)
{
    (void)user;
    double first = current(y[1] - y[2]), second = current(y[4] - y[5]);
    r[0] = (y[0] - 0.1 * sin(200 * PI * t)) / 1000;
    r[1] = y[1] / 9000 + (y[1] - UB) / 9000 + (1 - ALPHA) * first;
    r[2] = y[2] / 9000 - first;
    r[3] = (y[3] - UB) / 9000 + ALPHA * first;
    r[4] = y[4] / 9000 + (y[4] - UB) / 9000 + (1 - ALPHA) * second;
    r[5] = y[5] / 9000 - second;
    r[6] = (y[6] - UB) / 9000 + ALPHA * second;
    r[7] = y[7] / 9000;
    return 0;
}

/* By columns of lower + upper + 1 = 4 entries, the diagonal being the second. */
static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    static const double conductance[8] = {1. / 1000, 2. / 9000, 1. / 9000, 1. / 9000,
                                          2. / 9000, 1. / 9000, 1. / 9000, 1. / 9000};
    for (int j = 0; j < 8; j++) dy[4 * j + 1] = conductance[j];
    for (int j = 1; j < 7; j += 3) { /* of each transistor: base j, emitter j + 1 */
        double slope = 1e-6 / UF * exp((y[j] - y[j + 1]) / UF);
        dy[4 * j + 1] += (1 - ALPHA) * slope, dy[4 * (j + 1)] = -(1 - ALPHA) * slope;
        dy[4 * j + 2] = -slope, dy[4 * (j + 1) + 1] += slope;
        dy[4 * j + 3] = ALPHA * slope, dy[4 * (j + 1) + 2] = -ALPHA * slope;
    }
    return 0;
}

int main(void)
{
    static const double c[8] = {-1e-6, -1e-6, -2e-6, -3e-6, -3e-6, -4e-6, -5e-6, -5e-6};
    static const double start[8] = {0, 3, 3, 6, 3, 3, 6, 0},
                        reference[8] = {-5.56214501226200e-03, 3.006522471903042, 2.849958788608125,
                                        2.926422536206108,     2.704617865010420, 2.761837778393153,
                                        4.770927631616772,     1.236995868091552};
    double mass[24] = {0}, y[8] = {0}, worst = 0; /* by columns of three, the diagonal second */
    for (int j = 0; j < 8; j++) mass[3 * j + 1] = c[j];
    for (int j = 0; j < 8; j += 3) mass[3 * j + 2] = mass[3 * (j + 1)] = -c[j];
    dae_mass_form form = {.n = 8,
                          .f = f,
                          .f_y = f_y,
                          .constant_mass = mass,
                          .f_pattern = {.layout = DAE_BANDED, .lower = 2, .upper = 1},
                          .mass_pattern = {.layout = DAE_BANDED, .lower = 1, .upper = 1}};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    dae_problem *problem = dae_problem_mass(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, start);
    if (dae_solver_run(solver, 0.2) == DAE_OK) dae_solver_at(solver, 0.2, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    for (int i = 0; i < 8; i++) worst = fmax(worst, fabs(y[i] / reference[i] - 1));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", worst, options.rtol,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
