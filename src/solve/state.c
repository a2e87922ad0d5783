#include "solve/solver.h"

#include "solve/judge.h"

#include <string.h>

/* Numbers of a block that holds no pointers. */
static void space_state(const workspace *space, state_visit *s)
{
    state_bytes(s, space->base, space->base ? space->size : 0);
}

static void selection_state(method_selection *c, state_visit *s)
{
    STATE_MEMBERS(s, method_selection, c, name, stiffness);
    STATE_MEMBERS(s, stiffness, &c->stiffness, grown, damping);
    STATE(s, c->stiffness.damping);
    STATE_MEMBERS(s, method_selection, c, stiff, since_failure);
    STATE(s, c->since_failure);
    space_state(&c->space, s);
}

static void judge_state(judge *j, state_visit *s)
{
    STATE(s, j->t);
    STATE_MEMBERS(s, judge, j, within_step, branch);
    STATE(s, j->branch.turns);
    STATE_MEMBERS(s, branch, &j->branch, suspect, jumps);
    STATE(s, j->branch.jumps);
    STATE(s, j->whole);
    space_state(&j->space, s);
}

static void watches_state(dae_solver *solver, state_visit *s)
{
    poles *p = &solver->poles;
    retreat *r = &solver->retreat;
    judge_state(&solver->judge, s);
    STATE_MEMBERS(s, poles, p, end_t, by);
    STATE(s, p->by);
    space_state(&p->space, s);
    crossing_state(&solver->crossing, s);
    STATE(s, solver->turning);
    STATE_MEMBERS(s, retreat, r, count, y);
    space_state(&r->space, s);
    space_state(&solver->events.space, s);
    STATE(s, solver->events.cut);
    if (solver->growth) growth_state(solver->growth, s);
}

static void segment_state(dense_output *d, state_visit *s)
{
    STATE_MEMBERS(s, dense_output, d, t, coefficient);
    state_doubles(s, d->coefficient, d->n * (size_t)(d->degree + 1));
}

/* The segments of the one that is restored are others: they are copied from where they were saved,
 * which holds their coefficients behind their members. */
static void trajectory_state(trajectory *kept, state_visit *s)
{
    size_t count = kept->count;
    STATE(s, count);
    if (s->way != STATE_RESTORE) {
        for (size_t i = 0; i < count; i++) segment_state(&kept->segment[i], s);
        return;
    }
    trajectory_clear(kept);
    for (size_t i = 0; i < count && s->status == DAE_OK; i++) {
        dense_output d = {0};
        STATE_MEMBERS(s, dense_output, &d, t, coefficient);
        d.coefficient = (double *)(void *)(s->at + s->size);
        state_fail(s, trajectory_keep(kept, &d));
        s->size += d.n * (size_t)(d.degree + 1) * sizeof *d.coefficient;
    }
}

/* The equations, which may have been formed anew, and the method, which `auto` may have changed. */
static void engine_at_work(dae_solver *solver, state_visit *s)
{
    simulation *c = solver->simulation;
    bool automatic = solver->selection.automatic, anew = c->ops->formed && c->ops->formed(c, s);
    const char *name = automatic ? solver->selection.name : solver->method->name;
    if (automatic) STATE(s, name); /* of the catalogue */
    if (s->way != STATE_RESTORE || s->status != DAE_OK) return;
    if (anew || strcmp(name, solver->method->name) != 0)
        state_fail(s, solve_take_engine(solver, name, anew));
}

void solve_state(dae_solver *solver, state_visit *s)
{
    simulation *c = solver->simulation;
    engine_at_work(solver, s);
    if (s->status != DAE_OK) return;
    engine_state(solver->engine, s);
    if (solver->selection.automatic) selection_state(&solver->selection, s);
    watches_state(solver, s);
    simulation_state(c, s);
    trajectory_state(&solver->kept, s);
    state_doubles(s, solver->largest, c->n);
    state_doubles(s, solver->constraint, c->constraint_levels);
    STATE_MEMBERS(s, dae_solver, solver, most_left, kept);
    STATE(s, solver->next_time);
    STATE(s, solver->t_output);
    STATE(s, solver->stats.max_residual);
    STATE(s, solver->stats.method_changes);
    STATE(s, solver->stats.events);
    STATE(s, solver->stats.chart_changes);
}
