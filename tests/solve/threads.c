/* Solvers never meet: runs in threads, of the same model and of others, end in the same bits as one
 * after the other, also where `auto` changes the method on the run. */
#include "solve/equations.h"
#include "solve/models.h"

#include <pthread.h>
#include <stdio.h>

enum { RUNS = 16, MOST_VALUES = 256, MOST_TEXT = 2000 };

typedef struct task {
    const char *model;
    dae_status status;
    size_t size, steps, method_changes;
    char reasons[MOST_TEXT]; /* why, with the quantities that were measured */
    double y[MOST_VALUES], yp[MOST_VALUES];
} task;

/* van der Pol's oscillator: a Radau method, one of variable order and a multistep one take turns.
 */
static const char OSCILLATING[] =
    "model Oscillating Real x(start = 2, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(x) = 200*v; der(v) = 200*((1 - x^2)*v - x); end Oscillating;";

/* The same, begun with an implicit method and soon with an explicit one. */
static int oscillate(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = 20 * y[1];
    f[1] = 20 * ((1 - y[0] * y[0]) * y[1] - y[0]);
    return 0;
}

/* (sin t, cos t), held by a damper from t = 1 on, and by an implicit method. */
static int grip(double t, const double *y, double *f, void *user)
{
    (void)user;
    double damper = 1e5 * (0.5 + 0.5 * tanh(20 * (t - 1)));
    f[0] = y[1];
    f[1] = -y[0] - damper * (y[1] - cos(t));
    return 0;
}

static dae_problem *of_two(int (*f)(double t, const double *y, double *f, void *user))
{
    dae_mass_form form = {.n = 2, .f = f};
    return dae_problem_mass(&form);
}

/* Of a model's text, or the name of a form. */
static dae_problem *problem_for(const char *model)
{
    if (strcmp(model, "semi_explicit") == 0) return decay_in_semi_explicit_form(false);
    if (strcmp(model, "residual") == 0) return decay_in_residual_form(true);
    if (strcmp(model, "oscillate") == 0) return of_two(oscillate);
    if (strcmp(model, "grip") == 0) return of_two(grip);
    return problem_of(model);
}

static const double *start_of(const char *model)
{
    static const double oscillating[] = {2, 0}, gripped[] = {0, 1};
    if (strcmp(model, "oscillate") == 0) return oscillating;
    return strcmp(model, "grip") == 0 ? gripped : NULL;
}

static void *carry_out(void *argument)
{
    task *t = argument;
    dae_problem *problem = problem_for(t->model);
    t->size = dae_problem_size(problem);
    dae_description *d = dae_describe(problem, 0);
    dae_description_free(d);
    dae_solver *solver = dae_solver_create(problem, NULL);
    dae_problem_free(problem);
    t->status = dae_solver_start(solver, 0, start_of(t->model));
    if (t->status == DAE_OK) t->status = dae_solver_run(solver, 2);
    if (t->status == DAE_OK) t->status = dae_solver_at(solver, 2, t->y, t->yp);
    const dae_stats *stats = dae_solver_stats(solver);
    t->steps = stats->steps;
    t->method_changes = stats->method_changes;
    snprintf(t->reasons, sizeof t->reasons, "%s", stats->reasons);
    dae_solver_free(solver);
    return NULL;
}

static const char *const models[RUNS] = {
    PENDULUM, OSCILLATING, LADDER, PENDULUM,   "oscillate",     CIRCLING,   OSCILLATING, "grip",
    LADDER,   CAPACITORS,  DECAY,  OSCILLATOR, "semi_explicit", "residual", "oscillate", "grip"};

static void is_same(const task *one, const task *other)
{
    ck_assert_int_eq(one->status, DAE_OK);
    ck_assert_uint_eq(one->steps, other->steps);
    ck_assert_uint_eq(one->method_changes, other->method_changes);
    ck_assert_str_eq(one->reasons, other->reasons);
    ck_assert_uint_le(other->size, MOST_VALUES);
    ck_assert_mem_eq(one->y, other->y, other->size * sizeof(double));
    for (size_t i = 0; i < other->size; i++)
        ck_assert(isnan(other->yp[i]) ? isnan(one->yp[i]) : one->yp[i] == other->yp[i]);
}

/* How often runs of such a model changed the method. */
static size_t changes_of(const task *all, const char *model)
{
    size_t sum = 0;
    for (int k = 0; k < RUNS; k++)
        if (strcmp(all[k].model, model) == 0) sum += all[k].method_changes;
    return sum;
}

START_TEST(threads_and_turns)
{
    static task alone[RUNS], together[RUNS];
    pthread_t thread[RUNS];
    for (int k = 0; k < RUNS; k++) {
        alone[k].model = together[k].model = models[k];
        carry_out(&alone[k]);
        ck_assert_int_eq(alone[k].status, DAE_OK);
    }
    for (int k = 0; k < RUNS; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, carry_out, &together[k]), 0);
    for (int k = 0; k < RUNS; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < RUNS; k++) is_same(&together[k], &alone[k]);
    ck_assert_uint_ge(changes_of(together, OSCILLATING), 2);
    ck_assert_uint_ge(changes_of(together, "oscillate"), 2);
    ck_assert_uint_ge(changes_of(together, "grip"), 2);
}
END_TEST

UNIT_MAIN("solve/threads", 60, threads_and_turns)
