#include "solve/callback_simulation.h"

#include "problem/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef dae_status (*projection_call)(projection *p, double t, double *z);

/* Brings (y, y') back to the invariants or constraints, into z, and solves F(t, y, y') = 0 for y'
 * where the form allows it. */
static dae_status meet(callback_simulation *k, double t, const double *y, const double *yp,
                       projection_call bring_back)
{
    simulation *c = &k->base;
    memcpy(k->z, y, c->n * sizeof *y);
    memcpy(k->z + c->n, yp, c->n * sizeof *yp);
    if (!c->projection) return DAE_OK;
    dae_status status = bring_back(c->projection, t, k->z);
    if (status != DAE_OK || !c->problem->form->yp) return status;
    return problem_yp(c->problem, t, k->z, k->z + c->n);
}

static dae_status callback_evaluate(simulation *c, double t, const double *y, const double *yp,
                                    simulation_place where)
{
    callback_simulation *k = (callback_simulation *)c;
    /* the author's functions are in the modes after the last event: nothing before it meets them
     */
    if (c->segment_modes != c->mode_number) where = SIMULATION_UNMET;
    if (where != SIMULATION_START && where != SIMULATION_UNMET) {
        dae_status status = meet(k, t, y, yp,
                                 where == SIMULATION_STEP_END ? projection_complete
                                                              : projection_meet_apart);
        if (status != DAE_OK) return status;
        y = k->z;
        yp = k->z + c->n;
    }
    if (where == SIMULATION_WITHIN && k->reduced) {
        dae_status status = callback_reduced_meet(k->reduced, t, c->step, k->z, k->z + c->n);
        if (status != DAE_OK) return status;
    }
    memcpy(c->value, y, c->n * sizeof *y);
    for (size_t j = 0; j < c->n; j++) c->value_yp[j] = c->problem->dynamic[j] ? yp[j] : (double)NAN;
    return DAE_OK;
}

void callback_simulation_take(callback_simulation *k)
{
    simulation *c = &k->base;
    memcpy(c->y, k->z, c->n * sizeof *c->y);
    memcpy(c->yp, k->z + c->n, c->n * sizeof *c->yp);
}

static dae_status callback_project(simulation *c, double t, const double *y, const double *yp)
{
    callback_simulation *k = (callback_simulation *)c;
    dae_status status = meet(k, t, y, yp, projection_meet);
    /* At the ends of their steps, multistep methods meet the equations as far as Newton's iteration
     * goes. Any further change of y is amplified by differences of order 8. */
    if (status == DAE_OK && k->reduced && !c->yp_meets)
        status = callback_reduced_meet(k->reduced, t, c->step, k->z, k->z + c->n);
    if (status == DAE_OK && k->reduced) status = callback_reduced_look(k->reduced, t, k->z);
    if (status != DAE_OK) return status;
    callback_simulation_take(k);
    simulation_keep_values(c, y);
    return DAE_OK;
}

/* Measures the invariants at the values evaluated last. */
static dae_status measure_invariants(callback_simulation *k, double t, double *worst)
{
    const simulation *c = &k->base;
    const constraint_levels *l = c->levels;
    const constraint_level *level = &l->level[0];
    memcpy(k->z, c->value, c->n * sizeof *c->value);
    memcpy(k->z + c->n, c->value_yp, c->n * sizeof *c->value_yp);
    dae_status status = l->form->value(l->self, 0, t, k->z, k->level);
    if (status == DAE_OK) status = l->form->linearize(l->self, t, k->z);
    if (status == DAE_NOT_EVALUABLE) *worst = HUGE_VAL;
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    l->form->jacobian(l->self, 0, k->level_value);
    miss_terms(level->pattern, k->level_value, k->z, l->nominal, k->sum); /* of y, half of z */
    miss_raise(worst, miss_largest(level->rows, k->level, k->sum, NULL));
    return DAE_OK;
}

static dae_status callback_measure(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    double *residual = &c->solver.stats->max_residual;
    violations worst = {.equation = *residual, .algebraic = k->invariants ? 0 : c->constraint[0]};
    dae_status status = violation_raise(&k->violation, t, c->value, c->value_yp, &worst);
    if (status != DAE_OK) return status;
    *residual = worst.equation;
    if (k->invariants) return measure_invariants(k, t, &c->constraint[0]);
    c->constraint[0] = worst.algebraic;
    return DAE_OK;
}

static void callback_tolerances(const simulation *c, const double *atols, double *inner)
{
    memcpy(inner, atols, c->n * sizeof *inner);
}

static size_t callback_author_of(const simulation *c, size_t j)
{
    (void)c;
    return j;
}

static void callback_report_missing(simulation *c, size_t row, text *t)
{
    const callback_simulation *k = (const callback_simulation *)c;
    int code = 0;
    const char *refused = callbacks_refused(k->callbacks, &code);
    if (refused) {
        text_format(t, "the callback %s cannot be evaluated there (it returned %d)", refused, code);
        return;
    }
    if (k->reduced && callback_reduced_unresolved(k->reduced)) {
        text_add(t, "differences of the equations, by which their index is reduced, resolve too "
                    "little there: a looser tolerance asks less of them, formulation direct "
                    "integrates the equations as given, and a model in text is differentiated "
                    "without differences");
        return;
    }
    text_add(t, "there is no finite value in ");
    if (row == PROBLEM_NOWHERE)
        text_add(t, "the equations");
    else
        c->problem->form->name_equation(c->problem->self, row, t);
}

static void clear_parts(callback_simulation *k)
{
    projection_free(k->base.projection);
    k->base.projection = NULL;
    k->base.levels = NULL;
    invariant_levels_free(k->invariants);
    callback_levels_free(k->constraints);
    callback_start_free(k->search);
    callback_reduced_free(k->reduced);
    k->reduced = NULL;
    if (k->callbacks) k->base.problem = callbacks_problem(k->callbacks);
    k->invariants = NULL;
    k->constraints = NULL;
    k->search = NULL;
}

void callback_simulation_clear(callback_simulation *k)
{
    clear_parts(k);
    violation_free(&k->violation);
    callbacks_free(k->callbacks);
    embedded_free(&k->embedded);
    k->base.problem = NULL;
    k->callbacks = NULL;
    k->checked = k->misled = false;
}

bool callback_simulation_begin_again(callback_simulation *k, double t, const double *y)
{
    if (k->embedded.wrapped || k->constraints || !k->callbacks || !k->violation.callbacks)
        return false;
    clear_parts(k);
    return callbacks_begin_again(k->callbacks, t, y);
}

static void callback_free(simulation *c)
{
    callback_simulation *k = (callback_simulation *)c;
    callback_simulation_forget_passed(k);
    callback_simulation_clear(k);
    author_events_free(k->events);
    arena_free(&k->memory);
    free(k);
}

static void callback_state(simulation *c, state_visit *s)
{
    callback_simulation *k = (callback_simulation *)c;
    state_doubles(s, k->z, 2 * c->n);
    STATE(s, c->ends);
}

static const simulation_ops callback_row = {
    .start = &callback_simulation_stages,
    .evaluate = callback_evaluate,
    .project = callback_project,
    .missing = simulation_missing,
    .measure = callback_measure,
    .verify = callback_simulation_verify_end,
    .tolerances = callback_tolerances,
    .author_of = callback_author_of,
    .report_missing = callback_report_missing,
    .report_beyond = callback_simulation_report_beyond,
    .state = callback_state,
    .free = callback_free,
};

static void take_arrays(void *argument)
{
    callback_simulation *k = argument;
    simulation *c = &k->base;
    arena *a = &k->memory;
    size_t n = k->equations->n, rows = k->equations->invariants;
    arena_vectors(
        a, n, (double **[]){&c->y, &c->yp, &c->value, &c->value_yp, &c->given, &c->start, NULL});
    c->constraint = arena_array(a, 1, sizeof(double));
    k->held = arena_array(a, n, sizeof *k->held);
    k->z = arena_array(a, 2 * n, sizeof(double));
    k->open = arena_array(a, n, sizeof *k->open);
    arena_vectors(a, rows, (double **[]){&k->level, &k->sum, NULL});
    k->level_value = arena_array(a, rows * n, sizeof(double));
    k->events = author_events_create(a, c, equations_about(k->equations),
                                     &callback_simulation_events, n, k->equations->user);
    c->events = k->events ? &k->events->source : NULL;
}

simulation *callback_simulation_create(const equations *e, const double *given,
                                       const simulation_solver *solver)
{
    callback_simulation *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->base = (simulation){.ops = &callback_row, .solver = *solver, .formulation = "direct"};
    dae_status status = equations_copy(&k->equations, &k->memory, e);
    if (status == DAE_OK) status = arena_protect(&k->memory, take_arrays, k);
    if (status != DAE_OK) {
        message_fail(solver->message, status, "memory is exhausted");
        return &k->base;
    }
    memcpy(k->base.given, given, e->n * sizeof *given);
    k->base.n = e->n;
    k->base.stop = k->equations->stop;
    k->base.variable = k->equations->variable;
    k->base.nominal = k->equations->nominal;
    return &k->base;
}

const equations *callback_simulation_equations(const simulation *c)
{
    return c && c->ops == &callback_row ? ((const callback_simulation *)c)->equations : NULL;
}
