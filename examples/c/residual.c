/* F(t, y, y') = 0, fully implicit: the car axis, two wheels on springs over a bumpy road, joined by
 * a massless rod, of index 3. Test Set for IVP Solvers 2.4 (Mazzia & Magherini 2008). */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

/* y: xl, yl, xr, yr, their velocities, two multipliers. */
static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double k = 5e-4, rest = 0.5, yb = 0.1 * sin(10 * t), xb = sqrt(1 - yb * yb);
    double left = hypot(y[0], y[1]), right = hypot(y[2] - xb, y[3] - yb);
    double dx = y[0] - y[2], dy = y[1] - y[3];
    for (int i = 0; i < 4; i++) r[i] = yp[i] - y[i + 4];
    r[4] = k * yp[4] - ((rest - left) * y[0] / left + y[8] * xb + 2 * y[9] * dx);
    r[5] = k * yp[5] - ((rest - left) * y[1] / left + y[8] * yb + 2 * y[9] * dy - k);
    r[6] = k * yp[6] - ((rest - right) * (y[2] - xb) / right - 2 * y[9] * dx);
    r[7] = k * yp[7] - ((rest - right) * (y[3] - yb) / right - 2 * y[9] * dy - k);
    r[8] = xb * y[0] + yb * y[1];
    r[9] = dx * dx + dy * dy - 1;
    return 0;
}

static int print(double t, const double *y, const double *yp, void *user)
{
    (void)yp, (void)user;
    printf("t = %.1f: left wheel at (%.6f, %.6f), right wheel at (%.6f, %.6f)\n", t, y[0], y[1],
           y[2], y[3]);
    return 0;
}

/* Of the positions; velocities and multipliers of an index-3 problem are less accurate. */
static double worst_error(const double *y)
{
    static const double reference[4] = {4.934557842752409e-02, 4.969894602300081e-01,
                                        1.041742524885426, 3.739110272653658e-01};
    double worst = 0;
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] - reference[i]) / fabs(reference[i]));
    return worst;
}

int main(void)
{
    static const unsigned char index[10] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3};
    static const double start[10] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0};
    static const double slope[10] = {-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0};
    double y[10] = {0};
    dae_residual_form form = {.n = 10, .residual = residual, .about = {.index = index}};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-8;
    dae_problem *problem = dae_problem_residual(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_times times = {.count = 7, .first = 0, .last = 3};
    dae_solver_output(solver, &times, print, NULL);
    dae_solver_start_with(solver, 0, start, slope); /* consistent as they are */
    if (dae_solver_run(solver, 3) == DAE_OK) dae_solver_at(solver, 3, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", worst_error(y), options.rtol,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
