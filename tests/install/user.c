/* What a user of the library writes first: read a model, run it, ask for a value by its name. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

int main(int count, char **argument)
{
    dae_problem *problem = dae_problem_read(count > 1 ? argument[1] : "decay.mo");
    dae_solver *solver = dae_solver_create(problem, NULL);
    double y[2] = {NAN, NAN}, x = NAN;
    dae_solver_run(solver, 1.0);
    if (dae_solver_at(solver, 1.0, y, NULL) == DAE_OK) x = y[dae_problem_find(problem, "x")];
    fprintf(stderr, "%s", dae_solver_message(solver));
    printf("x(1) = %.6f by %s\n", x, dae_solver_stats(solver)->method);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return fabs(x - exp(-2)) < 1e-5 ? 0 : 1;
}
