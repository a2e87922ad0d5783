#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static dae_options options_of(const char *method_name, double rtol, size_t most_steps)
{
    dae_options options = dae_options_default();
    options.method = method_name;
    options.rtol = rtol;
    if (most_steps > 0) options.max_steps = most_steps;
    return options;
}

static void note(dae_solver *solver, dae_status status, outcome *found)
{
    const dae_stats *s = dae_solver_stats(solver);
    found->reached = status == DAE_OK;
    snprintf(found->status, sizeof found->status, "%s", dae_status_word(status));
    snprintf(found->message, sizeof found->message, "%s", dae_solver_message(solver));
    found->steps = s->steps, found->rejected = s->rejected;
    found->residual_calls = s->residual_calls, found->jacobian_calls = s->jacobian_calls;
    found->factorizations = s->factorizations;
}

static dae_status run_with_restarts(const zoo_ivp *ivp, dae_solver *solver)
{
    dae_status status = DAE_OK;
    double every = ivp->restart_every > 0 ? ivp->restart_every : ivp->t_end;
    for (double t = every; status == DAE_OK; t += every) {
        double y[ZOO_MOST], yp[ZOO_MOST];
        status = dae_solver_run(solver, fmin(t, ivp->t_end));
        if (t >= ivp->t_end) break;
        if (status == DAE_OK) status = dae_solver_at(solver, t, y, yp);
        if (status == DAE_OK) status = dae_solver_start_with(solver, t, y, yp);
    }
    return status;
}

void run_daedal(const zoo_ivp *ivp, const char *method_name, double rtol, size_t most_steps,
                outcome *found)
{
    double y[ZOO_MOST], yp[ZOO_MOST], atol[ZOO_MOST];
    dae_options options = options_of(method_name, rtol, most_steps);
    *found = (outcome){.reached = false};
    zoo_tolerances(ivp, rtol, atol);
    options.atols = atol;
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    ivp->start(y, yp);
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK) status = dae_solver_start_with(solver, 0, y, yp);
    clock_t begun = clock();
    if (status == DAE_OK) status = run_with_restarts(ivp, solver);
    found->milliseconds = 1e3 * (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (status == DAE_OK) status = dae_solver_at(solver, ivp->t_end, found->y, NULL);
    note(solver, status, found);
    dae_solver_free(solver);
}

void run_model(const zoo_ivp *ivp, const char *path, const char *const *names,
               const char *method_name, double rtol, size_t most_steps, outcome *found)
{
    double y[ZOO_MOST];
    dae_options options = options_of(method_name, rtol, most_steps);
    *found = (outcome){.reached = false};
    options.atol = rtol * (ivp->weight ? ivp->weight[0] : 1);
    dae_problem *problem = dae_problem_read(path);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK) status = dae_solver_start(solver, 0, NULL);
    clock_t begun = clock();
    if (status == DAE_OK) status = dae_solver_run(solver, ivp->t_end);
    found->milliseconds = 1e3 * (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (status == DAE_OK) status = dae_solver_at(solver, ivp->t_end, y, NULL);
    note(solver, status, found);
    for (size_t i = 0; found->reached && i < zoo_size(ivp->form); i++)
        found->y[i] = y[dae_problem_find(problem, names[i])];
    dae_problem_free(problem);
    dae_solver_free(solver);
}

/* Which unknowns are differentiated: their columns of dF/dy' at the start are not zero. */
static bool is_differentiated(const zoo_ivp *ivp, const double *by_slope, size_t unknown)
{
    size_t n = zoo_size(ivp->form);
    for (size_t i = 0; i < n; i++)
        if (by_slope[unknown * n + i] != 0) return true;
    return false;
}

double error_over_tolerance(const zoo_ivp *ivp, double rtol, const double *y)
{
    static double by_slope[ZOO_MOST * ZOO_MOST];
    double start[ZOO_MOST], slope[ZOO_MOST], atol[ZOO_MOST], worst = 0;
    ivp->start(start, slope);
    zoo_tolerances(ivp, rtol, atol);
    if (zoo_matrix(ivp->form, 0, start, slope, 1, 0, by_slope) != 0) return HUGE_VAL;
    for (size_t i = 0; i < ivp->counted; i++) {
        double error = fabs(y[i] - ivp->reference[i]);
        if (!is_differentiated(ivp, by_slope, i)) continue;
        worst = fmax(worst, error / (atol[i] + rtol * fabs(ivp->reference[i])));
    }
    return worst;
}
