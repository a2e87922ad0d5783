#include "solve/solver.h"

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
    space_state(&c->space, s);
}

/* The equations, which may have been formed anew, and the method, which `auto` may have changed. */
static void engine_at_work(dae_solver *solver, state_visit *s)
{
    simulation *c = solver->simulation;
    bool on_state_space = solve_is_on_state_space(solver); /* since an event */
    bool automatic = solver->selection.automatic, anew = c->ops->formed && c->ops->formed(c, s);
    const char *name = automatic ? solver->selection.at_work : solver->method->name;
    text derived = {0};
    STATE(s, on_state_space);
    if (automatic) STATE(s, name); /* of the catalogue */
    if (s->way != STATE_RESTORE || s->status != DAE_OK) return;
    if (!automatic) name = solve_name_of(solver, on_state_space, &derived);
    if (anew || strcmp(name, solver->method->name) != 0)
        state_fail(s, solve_take_engine(solver, name, anew));
    text_free(&derived);
    if (anew && s->status == DAE_OK) /* unknowns and roots depend on the equations */
        state_fail(s, events_make(&solver->events, c->events, solver->engine));
    if (anew && automatic && s->status == DAE_OK)
        state_fail(s, method_selection_make(&solver->selection, c->problem));
}

/* The last event: its time, and the values before it. Its name belongs to the messages. */
static void event_state(dae_solver *solver, state_visit *s)
{
    dae_event *e = &solver->event;
    const simulation *c = solver->simulation;
    bool known = e->y_before;
    STATE(s, known);
    STATE(s, e->t);
    STATE(s, e->due);
    if (!known || !solver->event_before) return;
    state_doubles(s, solver->event_before, 3 * c->n);
    STATE(s, solver->crawl.t);
    STATE(s, solver->crawl.count);
    STATE(s, solver->crawl.root);
    STATE(s, solver->crawl.to);
    if (s->way != STATE_RESTORE) return;
    e->name = text_string(&solver->event_name);
    e->n = c->n - c->hidden;
    e->y_before = solver->event_before;
    e->yp_before = solver->event_before + c->n;
}

void solve_state(dae_solver *solver, state_visit *s)
{
    simulation *c = solver->simulation;
    engine_at_work(solver, s);
    if (s->status != DAE_OK) return;
    engine_state(solver->engine, s);
    if (solver->selection.automatic) selection_state(&solver->selection, s);
    solve_watches_state(solver, s);
    events_state(&solver->events, s);
    simulation_state(c, s);
    trajectory_state(&solver->kept, c->n, s);
    state_doubles(s, solver->largest, c->n);
    STATE_MEMBERS(s, dae_solver, solver, most_left, kept);
    STATE(s, solver->next_time);
    STATE(s, solver->t_output);
    STATE(s, solver->stats.max_residual);
    STATE(s, solver->stats.method_changes);
    STATE(s, solver->stats.events);
    STATE(s, solver->stats.state_events);
    STATE(s, solver->stats.time_events);
    event_state(solver, s);
    STATE_MEMBERS(s, dae_solver, solver, event_gap, event_watch);
    STATE_MEMBERS(s, dae_solver, solver, creeping, started);
    STATE(s, solver->t_row);
    STATE(s, solver->finished);
    STATE(s, solver->stats.chart_changes);
}
