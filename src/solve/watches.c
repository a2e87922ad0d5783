/* What watches the steps of an engine: made anew with its equations. */
#include "solve/solver.h"

static void carve_watches(dae_solver *s)
{
    const simulation *c = s->simulation;
    size_t n = c->problem->n;
    judge_carve(&s->judge, &s->watches);
    poles_carve(&s->poles, n, &s->watches);
    crossing_carve(&s->crossing, n, &s->watches);
    for (int k = 0; k < RETREAT_POINTS; k++)
        engine_point_carve(&s->retreat.point[k], n, &s->watches);
    growth_carve(&s->growth, n, &s->watches);
    s->constraint = workspace_doubles(&s->watches, c->constraint_levels);
}

dae_status solve_begin_watches(dae_solver *s)
{
    simulation *c = s->simulation;
    const simulation_ops *ops = c->ops;
    solve_free_watches(s);
    s->judge = (judge){.n = c->problem->n};
    /* what switches in other equations may have made a variable small, which then moves in its
     * noise */
    bool smooth = c->smooth && (!c->switched || c->combined);
    s->judge.branch = (branch){.smooth = smooth, .bent = smooth && c->bent};
    s->poles = (poles){.count = ops->divisors ? c->divisors : 0};
    s->crossing = (crossing){.count = ops->determinants ? c->determinants : 0};
    s->turning = (turning){.reported = s->turning.reported};
    s->retreat = (retreat){0};
    s->growth = (growth){.watches = s->options.step > 0 && engine_can_lend(s->engine)};
    carve_watches(s);
    if (workspace_allocate(&s->watches) != DAE_OK)
        return message_status(&s->message, DAE_NO_MEMORY);
    carve_watches(s);
    poles_begin(&s->poles, c, s->engine);
    crossing_begin(&s->crossing, c, s->engine);
    const engine_point here = {s->engine->t, s->engine->y, s->engine->yp};
    if (ops->turns) ops->turns(c, &here, TURNING_BEGINS);
    growth_begin(s);
    return DAE_OK;
}

void solve_free_watches(dae_solver *s)
{
    free(s->crossing.step.coefficient);
    s->crossing.step.coefficient = NULL;
    workspace_free(&s->watches);
}

/* Pointers that are restored with the rest are those of the other solver: they are set anew. */
void solve_watches_state(dae_solver *s, state_visit *v)
{
    double *coefficient = s->crossing.step.coefficient;
    STATE_MEMBERS(v, dae_solver, s, judge, constraint);
    s->crossing.step.coefficient = coefficient;
    s->watches.used = 0;
    carve_watches(s);
    state_bytes(v, s->watches.base, s->watches.size);
    dense_output_state(&s->crossing.step, v);
}
