/* The output that the author asks for: its times, and sending the rows that are due. */
#include "solve/solver.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether all numbers are finite and run in one direction. */
static bool have_one_direction(const double *at, size_t count)
{
    bool rises = false, falls = false;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(at[k])) return false;
        rises = rises || (k > 0 && at[k] > at[k - 1]);
        falls = falls || (k > 0 && at[k] < at[k - 1]);
    }
    return !(rises && falls);
}

static dae_status take_times(dae_solver *s, const dae_times *times)
{
    size_t bytes = times->count * sizeof *s->time_list;
    s->time_list = times->count < SIZE_MAX / sizeof *s->time_list ? malloc(bytes + 1) : NULL;
    if (!s->time_list) return message_status(&s->message, DAE_NO_MEMORY);
    memcpy(s->time_list, times->at, bytes);
    s->times.at = s->time_list;
    return DAE_OK;
}

dae_status dae_solver_output(dae_solver *s, const dae_times *times, dae_output output, void *user)
{
    if (!s) return DAE_USAGE;
    if (s->message.status != DAE_OK) return s->message.status;
    if (!solve_enter(s, "dae_solver_output", true)) return DAE_USAGE;
    solve_leave(s, DAE_OK);
    if (times && !output)
        return message_fail(&s->message, DAE_USAGE, "the receiver of the output is missing");
    free(s->time_list);
    s->time_list = NULL;
    s->output = output;
    s->output_user = user;
    s->next_time = 0;
    s->t_output = dae_solver_time(s);
    s->times = (dae_times){0};
    if (!times) return DAE_OK;
    const double ends[] = {times->first, times->last};
    if (!have_one_direction(times->at ? times->at : ends, times->at ? times->count : 2))
        return message_fail(&s->message, DAE_USAGE,
                            "the times of the output are not finite numbers in one direction");
    if (!times->at && times->count == 1 && times->first != times->last)
        return message_fail(&s->message, DAE_USAGE,
                            "one time of output is asked for, and its first, %.9g, is not its "
                            "last, %.9g",
                            times->first, times->last);
    s->times = *times;
    return times->at ? take_times(s, times) : DAE_OK;
}

double solve_output_time(const dae_times *times, size_t k)
{
    if (times->at) return times->at[k];
    if (k + 1 == times->count) return times->last; /* also the only one */
    return times->first + (times->last - times->first) * ((double)k / (double)(times->count - 1));
}

static dae_status send_row(dae_solver *s, double t, const double *y, const double *yp)
{
    s->place.between = true;
    s->t_row = t;
    int answer = s->output(t, y, yp, s->output_user);
    s->place.between = false;
    simulation_report_anew(s->simulation);
    if (answer > 0)
        return message_fail(&s->message, DAE_STOPPED,
                            "stopped at t = %.9g by the receiver of the "
                            "output",
                            t);
    if (answer < 0)
        return message_fail(&s->message, DAE_OUTPUT_FAILED, "the output failed at t = %.9g", t);
    return s->message.status; /* the receiver may have asked for wrong times */
}

/* Whether the row holds limits of the values beside it, where the equations give none: these have
 * nothing to be checked by. */
static bool holds_limits(const simulation *c)
{
    bool finite = c->passed;
    for (size_t i = 0; i < c->n && finite; i++) finite = isfinite(c->value[i]);
    return finite;
}

dae_status solve_send_values(dae_solver *s, double t, bool measured)
{
    const simulation *c = s->simulation;
    dae_status status = holds_limits(c) ? DAE_OK : solve_check(s, t);
    if (status == DAE_OK && measured) status = solve_measure(s, t);
    return status == DAE_OK ? send_row(s, t, c->value, simulation_shown_yp(c)) : status;
}

static dae_status send_one(dae_solver *s, double t, const dense_output *step)
{
    dae_status status = solve_evaluate_to_show(s, t, step);
    return status == DAE_OK ? solve_send_values(s, t, true) : status;
}

/* Whether the remaining output times run against the run. */
static bool lie_against(const dae_solver *s, double direction)
{
    const dae_times *times = &s->times;
    if (!s->output || s->next_time >= times->count) return false;
    return (solve_output_time(times, times->count - 1) - solve_output_time(times, s->next_time)) *
               direction <
           0;
}

/* Output times must be listed in the direction of the run: rows are sent in the order of the list,
 * and a step is forgotten once its rows have been sent. Times that a run does not reach stay in the
 * list, for a later run in the other direction. */
dae_status solve_look_at_times(dae_solver *s, double t_end)
{
    double now = s->engine->t, direction = t_end >= now ? 1 : -1;
    if (!lie_against(s, direction)) return DAE_OK;
    size_t k = s->next_time;
    while (k < s->times.count && solve_output_time(&s->times, k) == now) k++;
    for (; k < s->times.count; k++) {
        double t = solve_output_time(&s->times, k);
        if ((t - now) * direction < 0 || (t_end - t) * direction < 0) continue;
        return message_fail(&s->message, DAE_USAGE,
                            "the times of the output are in the other order than the run from t = "
                            "%.9g to %.9g, which passes t = %.9g of them: give them in the "
                            "direction of the run",
                            now, t_end, t);
    }
    return DAE_OK;
}

/* Sends what is due up to a time, or before it. */
static dae_status send_due(dae_solver *s, double until, bool before, bool within)
{
    double now = s->engine->t, direction = s->engine->options.direction;
    while (s->output && s->next_time < s->times.count) {
        double t = solve_output_time(&s->times, s->next_time);
        if ((t - until) * direction > 0 || (before && t == until)) break;
        if (t != now && lie_against(s, direction)) break;
        s->next_time++; /* advanced before the call, because the receiver may ask for other times */
        /* a time before the start, or before the output was asked for, is passed over */
        if ((t - s->t_output) * direction < 0) continue;
        const dense_output *step = t == now || !within ? NULL : engine_polynomial(s->engine);
        dae_status status = send_one(s, t, step);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

dae_status solve_send(dae_solver *s, bool within)
{
    return send_due(s, s->engine->t, false, within);
}

dae_status solve_send_before(dae_solver *s, double t)
{
    return send_due(s, t, true, true);
}

/* Output has begun there and does not end before. */
static bool is_within_output(const dae_solver *s, double t)
{
    double direction = s->engine->options.direction;
    const dae_times *times = &s->times;
    if (!s->output || times->count == 0) return false;
    double first = solve_output_time(times, 0), last = solve_output_time(times, times->count - 1);
    return (t - first) * direction >= 0 && (last - t) * direction >= 0 &&
           (t - s->t_output) * direction >= 0;
}

static bool wants_rows_of(const dae_solver *s, double t)
{
    return s->options.event_rows && is_within_output(s, t);
}

dae_status solve_send_left(dae_solver *s, double t)
{
    if (!wants_rows_of(s, t)) return DAE_OK;
    return send_row(s, t, s->event.y_before, s->event.yp_before);
}

dae_status solve_send_right(dae_solver *s, double t, bool left)
{
    bool due = s->output && s->next_time < s->times.count &&
               solve_output_time(&s->times, s->next_time) == t;
    if (due && left) return solve_send(s, false);
    if (due) return send_due(s, t, false, true);
    if (!wants_rows_of(s, t)) return DAE_OK;
    return left ? send_one(s, t, NULL) : send_row(s, t, s->event.y_before, s->event.yp_before);
}

dae_status solve_send_end(dae_solver *s, bool changed)
{
    double t = s->engine->t;
    bool sent = s->t_row == t;
    dae_status status = solve_send(s, false);
    bool wanted = sent ? changed : s->t_row != t;
    return status == DAE_OK && wanted && is_within_output(s, t) ? send_one(s, t, NULL) : status;
}
