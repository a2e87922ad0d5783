/* The choice of the method along a run: what it looks at, and what it does after failures. */
#include "method/catalogue.h"
#include "solve/solver.h"

/* What a step costs besides its engine where events are looked for: these looks, those for what
 * equations miss within it, projection, rows. In residuals, and by itself in the units of
 * problem_costs, as measured on circuits with diodes. Short steps pay it more often. */
static const double BESIDES_RESIDUALS = 6, BESIDES = 4000;

static double besides(const simulation *c)
{
    double residual = c->problem->costs.residual; /* 0: costs are not known */
    return c->events && residual > 0 ? BESIDES_RESIDUALS * residual + BESIDES : 0;
}

method_view solve_method_view(const dae_solver *s, double t, const double *y)
{
    return (method_view){.problem = s->simulation->problem,
                         .t = t,
                         .rtol = s->options.rtol,
                         .atol = s->options.atol,
                         .y = y,
                         .atols = s->inner_atols,
                         .besides = besides(s->simulation),
                         .fixed_step = s->options.step > 0,
                         .solves_yp = s->simulation->solves_yp,
                         .switches = s->simulation->switches};
}

/* The most retreats of a run. From each point, the methods are tried in turn. */
enum { MOST_BACKS = 5 };

void retreat_keep(retreat *r, const engine *e, size_t formulation_number)
{
    size_t at = r->count++ % RETREAT_POINTS;
    r->formulation_number[at] = formulation_number;
    engine_point_keep(&r->point[at], e);
}

/* Brings the engine to the earliest kept point in that formulation. False where there is none, or
 * where the run has gone back often enough. */
static bool go_back(retreat *r, engine *e, size_t formulation_number)
{
    size_t first = r->count > RETREAT_POINTS ? r->count - RETREAT_POINTS : 0;
    while (first < r->count && r->formulation_number[first % RETREAT_POINTS] != formulation_number)
        first++;
    if (first == r->count || r->backs == MOST_BACKS) return false;
    const engine_point *p = &r->point[first % RETREAT_POINTS];
    if (p->t == e->t) return false;
    r->backs++;
    r->count = 0;
    engine_start(e, p->t, p->y, p->yp);
    return true;
}

/* Algebraic variables that an event has made stiff are missed by the polynomials of an explicit
 * method, however short its steps are. */
bool solve_tries_another(dae_solver *s, dae_status status)
{
    const engine *e = s->engine;
    bool missed = status == DAE_MISSED && method_is_explicit(s->method);
    if (!(solve_is_of_equations(status) || missed) || !s->selection.automatic) return false;
    method_view view = solve_method_view(s, e->t, e->y);
    if (method_selection_after_failure(&s->selection, &view, &s->reasons)) return true;
    if (!go_back(&s->retreat, s->engine, s->simulation->formulation_number)) return false;
    trajectory_cut(&s->kept, e->t);
    view.t = e->t;
    method_selection_go_back(&s->selection, &view, &s->reasons);
    return true;
}

void solve_watch_method(dae_solver *s)
{
    const engine *e = s->engine;
    if (!s->selection.automatic || s->crossing.place == CROSSING_NEAR) return;
    method_view view = solve_method_view(s, e->t, e->y);
    method_selection_watch(&s->selection, &view, e->dense.h, e->stiffness, &s->reasons);
}

void solve_announce_event(dae_solver *s, double next)
{
    if (!s->selection.automatic) return;
    method_view view = solve_method_view(s, s->engine->t, s->engine->y);
    method_selection_announce(&s->selection, &view, next, &s->reasons);
}

void solve_pass_restart(dae_solver *s)
{
    const engine *e = s->engine;
    if (!s->selection.automatic) return;
    method_view view = solve_method_view(s, e->t, e->y);
    method_selection_pass_event(&s->selection, &view, e->dense.h, s->event.due, &s->reasons);
}
