/* The steps that are allowed: up to the next event that is announced, short where events follow
 * each other ever faster, and for fixed steps on their grid or on the way back to it. */
#include "base/round_off.h"
#include "solve/solver.h"

#include <math.h>

/* The number of whole fixed steps from the start to t, and what is over, in steps. */
static double whole_steps(const dae_solver *s, double t, double *over)
{
    double steps = fabs(t - s->t_start) / s->options.step,
           whole = floor(steps + ROUND_OFF_AMPLIFIED);
    *over = steps - whole;
    return whole;
}

/* Fixed steps go on from their grid. */
static double next_on_grid(const dae_solver *s)
{
    double over, whole = whole_steps(s, s->engine->t, &over);
    return s->t_start + s->engine->options.direction * (whole + 1) * s->options.step;
}

/* Where gaps between events shrink, the first step is this part of the gap that follows if they go
 * on to shrink, and no shorter than this part of the last one: in a step that is far longer than
 * the gap, rounding hides the event, and a method of order 1 shows none at all. */
static const double FIRST_PART = 0.5, LEAST_PART = 0.01;

/* The end of the first step after an event, if that is before the limit. */
static double shrinking_limit(const dae_solver *s, double limit)
{
    const engine *e = s->engine;
    const double *gap = s->event_gap;
    bool shrinks = gap[0] < gap[1] && isfinite(gap[1]);
    if (!shrinks || e->t != s->event.t || !events_hold_some(&s->events)) return limit;
    double next = FIRST_PART * gap[0] * fmax(gap[0] / gap[1], LEAST_PART);
    double near = e->t + e->options.direction * next;
    bool told = next > ROUND_OFF_LONG_SUM * fabs(e->t);
    return told && (near - limit) * e->options.direction < 0 ? near : limit;
}

double solve_limit(dae_solver *s, double t_end)
{
    double direction = s->engine->options.direction, t = s->engine->t;
    double far = events_limit(&s->events, s->engine, t_end), limit = shrinking_limit(s, far);
    if (!s->off_grid) return limit;
    if (limit != far && s->short_step == 0) s->short_step = fabs(limit - t);
    double grid = next_on_grid(s), near = t + direction * s->short_step;
    if ((grid - limit) * direction < 0) limit = grid;
    return s->short_step > 0 && (near - limit) * direction < 0 ? near : limit;
}

void solve_leave_grid(dae_solver *s, double t)
{
    double over = 0;
    if (s->options.step > 0) whole_steps(s, t, &over);
    s->off_grid = over > ROUND_OFF_AMPLIFIED;
    s->short_step = 0;
}

/* Fixed steps that the equations have no values for are shortened by SHORTER. What succeeds is
 * lengthened by LONGER, until the grid is reached again. */
static const double SHORTER = 0.25, LONGER = 2;

void solve_step_off_grid(dae_solver *s, double step)
{
    engine *e = s->engine;
    s->off_grid = true;
    s->short_step = step;
    engine_restart(e, e->t, e->y, e->yp, e->options.first_step, 0);
}

bool solve_shortens_fixed(dae_solver *s, dae_status status)
{
    engine *e = s->engine;
    bool ends = s->events.source && s->events.source->ops->ending;
    double step = SHORTER * fabs(e->failure.step);
    if (s->options.step == 0 || status != DAE_NOT_EVALUABLE || !ends) return false;
    if (!(step > ROUND_OFF_VALUE * fabs(e->t))) return false;
    solve_step_off_grid(s, step);
    return true;
}

/* A multistep method has no points at the spacing of the grid there, nor at that of shorter steps
 * on the way there. */
void solve_return_to_grid(dae_solver *s)
{
    engine *e = s->engine;
    double over;
    whole_steps(s, e->t, &over);
    if (!s->off_grid) return;
    s->off_grid = over > ROUND_OFF_AMPLIFIED;
    s->short_step = s->off_grid ? LONGER * s->short_step : 0;
    if (s->method->multistep) engine_restart(e, e->t, e->y, e->yp, e->options.first_step, 0);
}
