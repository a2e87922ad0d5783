/* Breaking points of delays: which come to an event, and which it makes. */
#include "base/round_off.h"
#include "solve/delays.h"
#include "symbolic/relations.h"

#include <math.h>
#include <string.h>

/* Jumps of higher derivatives are not brought back: methods of this order do not notice them
 * (Bellen & Zennaro 2003, Sec. 4.1). */
enum { MOST_TRACKED = 8 };

/* Values that differ by no more than this part are the same on both sides of an event. */
static const double SAME = ROUND_OFF_AMPLIFIED;

double delays_resolution(double t, double lag)
{
    return ROUND_OFF_SUM * (fabs(t) + fabs(lag));
}

/* The window of delay k is left through its end. */
static void arrive(delays *d, size_t k)
{
    unsigned char level = past_window_level(&d->past, k, &d->window[k]);
    if (level < d->arriving[k]) d->arriving[k] = level;
}

/* The end of a transport; `lag` is the label there. */
static void follow_content(delays *d, size_t k, double label, bool crossed)
{
    unsigned char level = transports_follow(d->transports, k, &d->window[k], label, crossed);
    if (level < d->arriving[k]) d->arriving[k] = level;
}

static bool is_of_transport(const delays *d, size_t k)
{
    return d->system->delay.item[k].kind != SYM_DELAYED;
}

void delays_follow(delays *d, size_t k, double t, double lag)
{
    past_window *w = &d->window[k];
    if (is_of_transport(d, k)) {
        if (delays_has_root(d, k)) follow_content(d, k, lag, false);
        return;
    }
    double at = t - lag, near = delays_resolution(t, lag);
    while (past_window_to(&d->past, w) <= at + near) {
        arrive(d, k);
        past_next_window(&d->past, k, w);
    }
    while (past_window_from(&d->past, w) > at + near) past_last_window(&d->past, k, w);
}

double delays_next(const delays *d, double t)
{
    double next = HUGE_VAL;
    for (size_t k = 0; k < d->count; k++) {
        if (d->system->delay.item[k].varies) continue;
        double found = past_window_to(&d->past, &d->window[k]) + d->lag[k];
        if (found > t + delays_resolution(t, d->lag[k])) next = fmin(next, found);
    }
    return next;
}

void delays_name_due(const delays *d, double t, text *to)
{
    for (size_t k = 0; k < d->count; k++) {
        const sym_delay *x = &d->system->delay.item[k];
        double found = past_window_to(&d->past, &d->window[k]) + d->lag[k];
        if (x->varies || !(fabs(found - t) <= delays_resolution(t, d->lag[k]))) continue;
        text_format(to, "%s%s", to->length ? ", " : "", x->text);
    }
}

/* The product of the distances from the breaking points around. A delayed time that stays at one of
 * them, as t - t does, comes to it in rounding alone: it is passed where it lies clearly beyond. */
static double distances(const delays *d, size_t k, double t, double lag)
{
    double from = past_window_from(&d->past, &d->window[k]);
    double to = past_window_to(&d->past, &d->window[k]), at = t - lag;
    double near = delays_resolution(t, lag);
    return (isinf(from) ? 1 : at - from + near) * (isinf(to) ? 1 : to - at + near);
}

void delays_roots(delays *d, double t, const double *z, double *value)
{
    size_t size = sym_tape_inputs(d->view->lag_tape) - 1, root = 0;
    if (d->varying == 0) return;
    d->view->z_input[0] = t;
    memcpy(d->view->z_input + 1, z, size * sizeof *z);
    sym_tape_eval(d->view->lag_tape, d->view->z_input, d->now);
    for (size_t k = 0; k < d->count; k++) {
        if (!delays_has_root(d, k)) continue;
        value[root++] = is_of_transport(d, k)
                            ? transports_root(d->transports, k, &d->window[k], d->now[k])
                            : distances(d, k, t, d->now[k]);
    }
}

static size_t delay_of_root(const delays *d, size_t root)
{
    size_t k = 0;
    while (!delays_has_root(d, k) || root-- > 0) k++;
    return k;
}

const char *delays_root_name(const delays *d, size_t root)
{
    return d->system->delay.item[delay_of_root(d, root)].text;
}

/* Leaves a window through the end that the delayed time has come to. */
static void cross(delays *d, size_t k, double at)
{
    past_window *w = &d->window[k];
    double from = past_window_from(&d->past, w), to = past_window_to(&d->past, w);
    if (fabs(at - to) <= fabs(at - from)) {
        arrive(d, k);
        past_next_window(&d->past, k, w);
    } else {
        past_last_window(&d->past, k, w);
        arrive(d, k);
    }
}

void delays_pass(delays *d, double t, const double *y, const signed char *crossed)
{
    double *lag = d->before + d->count;
    delays_look(d, t, y, d->before, lag);
    memcpy(d->y_before, y, d->system->unknown.count * sizeof *y);
    past_cut(&d->past, t, d->before, d->count);
    memset(d->arriving, PAST_SMOOTH, d->count);
    d->view_before = d->view;
    d->settling = true;
    d->event = t;
    for (size_t k = 0, root = 0; k < d->count; k++) {
        bool varies = d->system->delay.item[k].varies, has_root = delays_has_root(d, k);
        if (has_root && is_of_transport(d, k))
            follow_content(d, k, lag[k], crossed[root] != 0);
        else if (has_root && crossed[root])
            cross(d, k, t - lag[k]);
        else
            delays_follow(d, k, t, varies ? lag[k] : d->lag[k]);
        root += has_root;
    }
}

static bool are_same(double before, double after)
{
    return fabs(after - before) <= SAME * (fabs(after) + fabs(before));
}

/* Where the structure of the equations does not tell: what comes may concern everything. */
static void take_lowest(const delays *d, bool other, unsigned char *level)
{
    int due = PAST_SMOOTH;
    for (size_t k = 0; k < d->count; k++)
        if (d->arriving[k] < due) due = d->arriving[k];
    for (size_t k = 0; k < d->count; k++) {
        int found = due + d->view->smooths[k] - (int)d->view->derived;
        if (due == PAST_SMOOTH) found = PAST_SMOOTH;
        level[k] = (unsigned char)(other || found < 0 ? 0 : found);
    }
}

/* The orders by the structure. What a relation decides that makes another formulation of its mode
 * follows from the equations of all modes. */
static void find_levels(delays *d, const delayed_change *c, bool other, unsigned char *level)
{
    bool one = d->view->whole && d->view_before->whole;
    unsigned char *by_all = level + d->count;
    if (!d->view->levels) {
        take_lowest(d, other, level);
        return;
    }
    delayed_change own = *c;
    if (!one) own.graph = NULL;
    delayed_levels_find(d->view->levels, &own, level);
    if (one) return;
    memset(by_all, other ? 0 : PAST_SMOOTH, d->count);
    if (d->levels) delayed_levels_find(d->levels, c, by_all);
    for (size_t k = 0; k < d->count; k++)
        if (by_all[k] < PAST_SMOOTH) level[k] = 0;
}

/* The order of the lowest derivative of delayed expression k that jumps at an event, by the
 * structure and by its values. */
static unsigned char level_of(const delays *d, size_t k, double after, unsigned char by_structure)
{
    if (!are_same(d->before[k], after)) return 0;
    if (d->view->held[k]) return PAST_SMOOTH;
    return by_structure < 1 ? 1 : by_structure;
}

/* Whether the lag of delay k jumps at an event. */
static bool jumps(const delays *d, size_t k, double lag)
{
    return !is_of_transport(d, k) && fabs(lag - d->before[d->count + k]) > SAME * d->most;
}

static dae_status refuse_jump(const delays *d, const sym_delay *x, double t, message *to)
{
    return message_fail(to, DAE_UNSUPPORTED,
                        "x of %s (%s:%u) jumps at t = %.9g: how far its content has moved is not "
                        "known then\n  remedy: let x be the integral of the velocity, and reset "
                        "another variable",
                        x->text, d->system->file, x->at.line, t);
}

dae_status delays_mark(delays *d, double t, const double *y, const double *yp, const sym_graph *g,
                       const unsigned char *mode_before, const double *cell_before, bool moved,
                       message *to)
{
    double *after = d->at_nodes, *lag = after + d->count;
    size_t n = d->system->unknown.count;
    d->settling = false;
    delays_look(d, t, y, after, lag);
    delays_look_at_rates(d, t, y, yp, d->past.behind + d->count);
    for (size_t k = 0; k < d->count; k++)
        if (jumps(d, k, lag[k])) d->arriving[k] = 0;
    for (size_t i = 0; i < n; i++) d->moved[i] = !are_same(d->y_before[i], y[i]);
    const delayed_change c = {g, mode_before, cell_before, d->arriving, d->moved, n};
    find_levels(d, &c, delays_see(d, g, mode_before, cell_before, moved), d->level);
    for (size_t k = 0; k < d->count; k++) {
        unsigned char level = level_of(d, k, after[k], d->level[k]);
        if (level <= MOST_TRACKED) past_mark(&d->past, k, level);
        d->past.behind[k] = after[k];
        d->level[k] = level <= MOST_TRACKED ? level : PAST_SMOOTH;
        if (is_of_transport(d, k)) continue;
        past_close_window(&d->past, k, &d->window[k]);
        if (jumps(d, k, lag[k])) delays_follow(d, k, t, lag[k]);
    }
    if (!d->transports) return DAE_OK;
    const sym_delay *x = transports_find_jump(d->transports, d->before, after);
    if (x) return refuse_jump(d, x, t, to);
    return transports_mark(d->transports, after, lag, d->level, d->window);
}
