/* The start of a run: finds consistent values, then creates the engine that continues from them. */
#include "solve/solver.h"

#include <math.h>
#include <time.h>

/* The parts of a start that do not depend on the known values. */
static dae_status begin(dae_solver *s, double t)
{
    if (s->message.status != DAE_OK) return s->message.status;
    if (!isfinite(t))
        return message_fail(&s->message, DAE_USAGE, "the start of the run is not a finite time");
    solve_free_watches(s);
    engine_free(s->engine);
    s->engine = NULL;
    trajectory_clear(&s->kept);
    text_clear(&s->reasons);
    s->next_time = 0;
    s->t_start = s->t_output = t;
    s->t_row = (double)NAN;
    s->finished = false;
    s->started = s->reported_dependence = s->reported_unmet = s->reported_let_go = false;
    s->reported_instant = false;
    solve_forget_weakest(s);
    s->formed_steps = 0;
    s->longest_step = s->tiny_steps = 0;
    s->stats.method_changes = s->stats.chart_changes = 0;
    s->stats.events = s->stats.state_events = s->stats.time_events = 0;
    s->stats.max_residual = (double)NAN; /* until values are measured */
    simulation_report_anew(s->simulation);
    solve_forget_stop(s);
    return DAE_OK;
}

static dae_status finish(dae_solver *s, double t, dae_status status)
{
    if (status == DAE_OK) status = solve_begin_engine(s, t);
    if (status == DAE_OK) status = solve_begin_events(s);
    s->started = status == DAE_OK;
    if (status == DAE_OK) status = solve_evaluate(s, t, NULL);
    if (status == DAE_OK) status = solve_check(s, t);
    if (status == DAE_OK) s->stats.max_residual = 0;
    if (status == DAE_OK) status = solve_measure(s, t);
    if (status == DAE_OK) status = success_look_at_start(s);
    return solve_heed_stop(s, status);
}

/* Refuses values and derivatives that cannot be taken as they are. */
static dae_status refuse_given(dae_solver *s, const double *y, const double *yp)
{
    if (!s->simulation->ops->start->accept)
        return message_fail(
            &s->message, DAE_UNSUPPORTED,
            "values and derivatives are taken as they are only for equations of a C "
            "program: give a model's values to dae_solver_start()");
    if (y && yp) return DAE_OK;
    return message_fail(&s->message, DAE_USAGE, "%s are missing for the start",
                        y ? "derivatives" : "values");
}

static dae_status start(dae_solver *s, double t, const double *y, const double *yp, bool given)
{
    clock_t begun = clock();
    dae_status status = begin(s, t);
    if (status == DAE_OK && given) status = refuse_given(s, y, yp);
    if (status != DAE_OK) return status;
    status = finish(s, t, simulation_start(s->simulation, t, y, yp));
    s->stats.cpu_seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    return status;
}

dae_status solve_start(dae_solver *s, double t, const double *values)
{
    return start(s, t, values, NULL, false);
}

dae_status dae_solver_start(dae_solver *s, double t, const double *values)
{
    if (!s || !solve_enter(s, "dae_solver_start", false)) return DAE_USAGE;
    return solve_leave(s, solve_start(s, t, values));
}

dae_status dae_solver_start_with(dae_solver *s, double t, const double *y, const double *yp)
{
    if (!s || !solve_enter(s, "dae_solver_start_with", false)) return DAE_USAGE;
    return solve_leave(s, start(s, t, y, yp, true));
}
