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

/* Of a step across a singular point only that there is none: its polynomial is not visited. */
static void crossing_state(crossing *x, state_visit *s)
{
    STATE_MEMBERS(s, crossing, x, found, step);
    STATE(s, x->end_t);
    space_state(&x->space, s);
    if (x->holds) state_fail(s, DAE_UNSUPPORTED);
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

static void simulation_state(simulation *c, state_visit *s)
{
    STATE(s, c->left);
    STATE(s, c->passed);
    STATE(s, c->step);
    state_doubles(s, c->value, c->n);
    state_doubles(s, c->value_yp, c->n);
    state_doubles(s, c->y, c->problem->n);
    state_doubles(s, c->yp, c->problem->n);
    state_doubles(s, c->constraint, c->constraint_levels);
    if (c->projection) projection_state(c->projection, s);
    if (c->ops->state) c->ops->state(c, s);
}

/* The method at work: `auto` may have changed it. */
static void method_state(dae_solver *solver, state_visit *s)
{
    const char *name = solver->selection.name;
    STATE(s, name); /* of the catalogue */
    if (s->way != STATE_RESTORE || strcmp(name, solver->method->name) == 0) return;
    state_fail(s, solve_take_engine(solver, name));
}

static void same_equations(const simulation *c, state_visit *s)
{
    if (c->formulation_number != 0) state_fail(s, DAE_UNSUPPORTED);
}

void solve_state(dae_solver *solver, state_visit *s)
{
    simulation *c = solver->simulation;
    same_equations(c, s);
    if (solver->selection.automatic) method_state(solver, s);
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
}
