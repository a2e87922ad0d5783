#include "zoo/run.h"

#include "method/method.h"
#include "zoo/mechanical.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Problems that are models as well: the file, and the unknowns in the order of the C program. */
static const struct {
    const char *problem, *path, *names[10];
} models[] = {{"Robertson", "tests/corpus/RobertsonDae.mo", {"y1", "y2", "y3"}},
              {"transistor amplifier",
               "examples/transistor_amplifier.mo",
               {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"}},
              {"chemical Akzo Nobel",
               "examples/chemical_akzo_nobel.mo",
               {"y1", "y2", "y3", "y4", "y5", "y6"}},
              {"car axis",
               "examples/car_axis.mo",
               {"xl", "yl", "xr", "yr", "ul", "vl", "ur", "vr", "lam1", "lam2"}}};

enum { MODELS = sizeof models / sizeof *models, MOST_VARIABLES = 64 };

static int model_of(const zoo_ivp *ivp)
{
    int k = 0;
    while (k < MODELS && strcmp(models[k].problem, ivp->name) != 0) k++;
    return k;
}

bool zoo_has_model(const zoo_ivp *ivp)
{
    return model_of(ivp) < MODELS;
}

double zoo_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double zoo_median(int count, double *value)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    return value[count / 2];
}

bool zoo_is_adaptive(const char *name)
{
    message m = {.status = DAE_OK};
    method *made = NULL;
    bool adaptive = method_create(&made, name, &m) == DAE_OK && method_is_adaptive(made) &&
                    !made->structural;
    method_free(made);
    message_free(&m);
    return adaptive;
}

/* Whether the column of dF/dy' at the start is not zero. */
static bool is_differentiated(const double *by_yp, size_t n, size_t unknown)
{
    for (size_t i = 0; i < n; i++)
        if (by_yp[unknown * n + i] != 0) return true;
    return false;
}

double zoo_units(const zoo_ivp *ivp, double rtol, double h, const double *y)
{
    double start[ZOO_MOST], slope[ZOO_MOST], atol[ZOO_MOST], worst = 0;
    const unsigned char *index = h > 0 ? zoo_index(ivp->form) : NULL;
    size_t n = zoo_size(ivp->form);
    double tolerance = rtol + pow(10, -ivp->digits);
    double *by_yp = calloc(n * n, sizeof *by_yp);
    zoo_start(ivp, start, slope);
    zoo_tolerances(ivp, tolerance, atol);
    if (!by_yp || zoo_matrix(ivp->form, 0, start, slope, 1, 0, by_yp) != 0) worst = HUGE_VAL;
    for (size_t i = 0; i < zoo_known(ivp) && worst < HUGE_VAL; i++) {
        double error = fabs(y[i] - ivp->reference[i]);
        error /= atol[i] + tolerance * fabs(ivp->reference[i]);
        if (index && index[i] > 1) error *= fmin(h, 1);
        if (is_differentiated(by_yp, n, i)) worst = fmax(worst, error);
    }
    free(by_yp);
    return worst;
}

static dae_options options_of(const char *name, double rtol, size_t max_steps)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.rtol = rtol;
    options.max_steps = max_steps;
    return options;
}

/* What the run gave so far, but for the values at its end; its counts are those since the last
 * start, and are added to those before. */
static void note(dae_solver *solver, dae_status status, zoo_outcome *found)
{
    const dae_stats *s = dae_solver_stats(solver);
    found->status = status;
    found->steps += s->steps;
    found->rejected += s->rejected;
    found->residual_calls += s->residual_calls;
    found->jacobian_calls += s->jacobian_calls;
    found->factorizations += s->factorizations;
    snprintf(found->message, sizeof found->message, "%s", dae_solver_message(solver));
}

/* The ends of the last two steps. */
static int remember(double t, void *user)
{
    double *end = user;
    end[0] = end[1], end[1] = t;
    return 0;
}

/* From corner to corner of the right side; each start after the first is after the corner, where
 * the slopes are those after it, with the differential unknowns as they were. */
static dae_status run_pieces(dae_solver *solver, const zoo_ivp *ivp, double *y, zoo_outcome *found)
{
    double corner = ivp->restart_every > 0 ? ivp->restart_every : ivp->t_end;
    double yp[ZOO_MOST];
    dae_status status = DAE_OK;
    for (int k = 1; status == DAE_OK; k++) {
        double end = fmin(k * corner, ivp->t_end);
        status = dae_solver_run(solver, end);
        if (status == DAE_OK) status = dae_solver_at(solver, end, y, NULL);
        note(solver, status, found);
        if (end == ivp->t_end) break;
        double behind = nextafter(end, HUGE_VAL);
        if (status == DAE_OK && zoo_slopes(ivp->form, behind, y, yp) == 0)
            status = dae_solver_start_with(solver, behind, y, yp);
    }
    return found->status = status;
}

void zoo_solve_for(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                   zoo_outcome *found, double *y)
{
    double yp[ZOO_MOST], atol[ZOO_MOST], end[2] = {0}, begun = zoo_clock();
    dae_options options = options_of(name, rtol, max_steps);
    options.formulation = "direct"; /* as published, and as other codes take them */
    *found = (zoo_outcome){.status = DAE_OK};
    zoo_tolerances(ivp, rtol, atol);
    options.atols = atol;
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    zoo_start(ivp, y, yp);
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK) status = dae_solver_start_with(solver, 0, y, yp);
    dae_solver_watch(solver, remember, end);
    double started = zoo_clock();
    if (status == DAE_OK)
        status = run_pieces(solver, ivp, y, found);
    else
        note(solver, status, found);
    found->set_up = started - begun, found->milliseconds = zoo_clock() - started;
    dae_solver_free(solver);
    if (status != DAE_OK) return;
    found->digits = zoo_digits(ivp, y);
    found->units = zoo_units(ivp, rtol, end[1] - end[0], y);
}

void zoo_solve(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
               zoo_outcome *found)
{
    double y[ZOO_MOST];
    zoo_solve_for(ivp, name, rtol, max_steps, found, y);
}

void zoo_solve_model(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                     zoo_outcome *found)
{
    double all[MOST_VARIABLES], y[ZOO_MOST], begun = zoo_clock();
    int model = model_of(ivp);
    char path[400];
    *found = (zoo_outcome){.status = DAE_OK};
    dae_options options = options_of(name, rtol, max_steps);
    options.atol = rtol * (ivp->weight ? ivp->weight[0] : 1); /* the same for all, in these */
    snprintf(path, sizeof path, "%s/%s", ZOO_ROOT, models[model].path);
    dae_problem *problem = dae_problem_read(path);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK && dae_problem_size(problem) > MOST_VARIABLES) status = DAE_UNSUPPORTED;
    if (status == DAE_OK) status = dae_solver_start(solver, 0, NULL);
    double started = zoo_clock();
    if (status == DAE_OK) status = dae_solver_run(solver, ivp->t_end);
    if (status == DAE_OK) status = dae_solver_at(solver, ivp->t_end, all, NULL);
    note(solver, status, found);
    found->set_up = started - begun, found->milliseconds = zoo_clock() - started;
    for (size_t i = 0; status == DAE_OK && i < zoo_size(ivp->form); i++)
        y[i] = all[dae_problem_find(problem, models[model].names[i])];
    dae_problem_free(problem);
    dae_solver_free(solver);
    if (status != DAE_OK) return;
    found->digits = zoo_digits(ivp, y);
    found->units = zoo_units(ivp, rtol, 0, y);
}

/* The same data and unknowns: coordinates, velocities, multipliers come first in both forms. */
static const zoo_mechanical *mechanical_of(const zoo_ivp *ivp)
{
    return strcmp(ivp->name, "Andrews squeezer") == 0 ? &zoo_andrews : NULL;
}

bool zoo_has_mechanical(const zoo_ivp *ivp)
{
    return mechanical_of(ivp) != NULL;
}

void zoo_solve_mechanical(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                          zoo_outcome *found)
{
    const zoo_mechanical *mechanical = mechanical_of(ivp);
    double y[3 * ZOO_MECHANICAL_MOST], begun = zoo_clock();
    dae_options options = options_of(name, rtol, max_steps);
    options.atol = rtol;
    *found = (zoo_outcome){.status = DAE_OK};
    dae_problem *problem = dae_problem_mechanical(&mechanical->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    for (size_t j = 0; j < dae_problem_size(problem); j++) y[j] = (double)NAN;
    dae_problem_free(problem);
    mechanical->start(y, y + mechanical->form.nq);
    dae_status status = dae_solver_start(solver, 0, y);
    double started = zoo_clock();
    if (status == DAE_OK) status = dae_solver_run(solver, ivp->t_end);
    if (status == DAE_OK) status = dae_solver_at(solver, ivp->t_end, y, NULL);
    note(solver, status, found);
    found->set_up = started - begun, found->milliseconds = zoo_clock() - started;
    dae_solver_free(solver);
    if (status == DAE_OK) found->digits = zoo_digits(ivp, y);
}
