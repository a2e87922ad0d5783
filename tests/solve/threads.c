/* Solvers never meet: runs in threads, of the same model and of others, end in the same bits as one
 * after the other. */
#include "solve/equations.h"
#include "solve/models.h"

#include <pthread.h>

enum { RUNS = 10, MOST_VALUES = 256 };

typedef struct task {
    const char *model;
    dae_status status;
    size_t size, steps;
    double y[MOST_VALUES], yp[MOST_VALUES];
} task;

/* Of a model's text, or the name of a form. */
static dae_problem *problem_for(const char *model)
{
    if (strcmp(model, "semi_explicit") == 0) return decay_in_semi_explicit_form(false);
    if (strcmp(model, "residual") == 0) return decay_in_residual_form(true);
    return problem_of(model);
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
    t->status = dae_solver_run(solver, 2);
    if (t->status == DAE_OK) t->status = dae_solver_at(solver, 2, t->y, t->yp);
    t->steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return NULL;
}

static const char *const models[RUNS] = {PENDULUM,        LADDER,     PENDULUM, CIRCLING,
                                         LADDER,          CAPACITORS, DECAY,    OSCILLATOR,
                                         "semi_explicit", "residual"};

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
    for (int k = 0; k < RUNS; k++) {
        ck_assert_int_eq(together[k].status, DAE_OK);
        ck_assert_uint_eq(together[k].steps, alone[k].steps);
        ck_assert_uint_le(alone[k].size, MOST_VALUES);
        ck_assert_mem_eq(together[k].y, alone[k].y, alone[k].size * sizeof(double));
        for (size_t i = 0; i < alone[k].size; i++)
            ck_assert(isnan(alone[k].yp[i]) ? isnan(together[k].yp[i])
                                            : together[k].yp[i] == alone[k].yp[i]);
    }
}
END_TEST

UNIT_MAIN("solve/threads", 60, threads_and_turns)
