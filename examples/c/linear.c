/* E x' = A x + b(t) with a singular E: a wheel suspension, two masses on springs with a damper
 * between them, and the force between them as fifth unknown. Exact solution by the matrix
 * exponential. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

enum { BODY, WHEEL, BODY_SPEED, WHEEL_SPEED, FORCE, N };

static const double M1 = 500, M2 = 50, K1 = 7500, K2 = 150000, DAMPING = 2250;

int main(void)
{
    /* by columns */
    const double e[N][N] = {[BODY] = {[BODY] = 1},
                            [WHEEL] = {[WHEEL] = 1},
                            [BODY_SPEED] = {[BODY_SPEED] = M1},
                            [WHEEL_SPEED] = {[WHEEL_SPEED] = M2}};
    const double a[N][N] = {
        [BODY] = {[FORCE] = K1},
        [WHEEL] = {[WHEEL_SPEED] = -K2, [FORCE] = -K1},
        [BODY_SPEED] = {[BODY] = 1, [FORCE] = DAMPING},
        [WHEEL_SPEED] = {[WHEEL] = 1, [FORCE] = -DAMPING},
        [FORCE] = {[BODY_SPEED] = -1, [WHEEL_SPEED] = 1, [FORCE] = -1},
    };
    static const char *const name[N] = {"body", "wheel", "body speed", "wheel speed", "force"};
    const double start[N] = {
        [BODY] = -0.05, [FORCE] = (double)NAN}; /* at rest; the force is found */
    const double reference[4] = {0.0061054906223117922, 0.00028857590869595689,
                                 -0.0014528031775957740, -0.0013321912076007015};
    dae_linear_form form = {.n = N, .e = e[0], .a = a[0], .about = {.variable = name}};
    dae_options options = dae_options_default();
    options.rtol = 1e-8;
    options.atol = 1e-10;
    double y[N] = {0}, worst = 0;
    dae_problem *problem = dae_problem_linear(&form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, start);
    if (dae_solver_run(solver, 1) == DAE_OK) dae_solver_at(solver, 1, y, NULL);
    dae_status status = dae_solver_status(solver);
    if (status != DAE_OK) fprintf(stderr, "%s\n", dae_solver_message(solver));
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(y[i] / reference[i] - 1));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", worst, options.rtol,
           dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return status != DAE_OK;
}
