/* Changes of sign of root functions within a part of a step, and the first of them. */
#include "event/changes.h"

#include "base/round_off.h"
#include "event/bracket.h"
#include "event/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The limit of iterations for a root. Few need more than 60 (bracket.h). */
enum { MOST_ITERATIONS = 200 };

/* The part of the step at x of 0 to 1 of what is looked at. */
static double part_of(const events *v, double x)
{
    return x == 1 ? v->end : v->begin + x * (v->end - v->begin);
}

static bool is_watched(const events *v, size_t k)
{
    return v->equal[k] == 0 && !v->stays[k] && (v->sign[k] != 0 || !events_know_signs(v));
}

/* The values at the first points of a part: those at its begin are known, unless the run has gone
 * back; those at the end of the step are of the engine's state. */
static dae_status take_points(events *v, engine *e, int m)
{
    double begun = v->begin > 0 ? v->t_now : engine_polynomial(e)->t,
           end = events_time_at(e, v->end);
    dae_status status = DAE_OK;
    if (fabs(v->t_now - begun) > events_resolution(e)) {
        status = events_roots_at(v, e, begun, v->now);
        for (size_t k = 0; k < v->count; k++)
            if (v->now[k] != 0 && !events_know_signs(v)) v->sign[k] = sign_of(v->now[k]);
    }
    memcpy(v->point, v->now, v->count * sizeof *v->point);
    for (int j = 1; status == DAE_OK && j < m; j++)
        status = events_roots_at(v, e, events_time_at(e, part_of(v, course_point(j, m))),
                                 v->point + (size_t)j * v->count);
    if (status != DAE_OK) return status;
    status = events_values_at(v, e, end, v->at_end);
    memcpy(v->point + (size_t)m * v->count, v->at_end, v->count * sizeof *v->point);
    if (status == DAE_OK && v->source->ops->rounding)
        v->source->ops->rounding(v->source->self, v->rounded);
    return status == DAE_OK ? equal_look(v, e, end) : status;
}

/* Puts another point between any two. The last one becomes that of the polynomial, because the end
 * of the step may have been projected. */
static dae_status refine(events *v, engine *e, int *m)
{
    size_t count = v->count;
    for (int j = *m; j > 0; j--)
        memmove(v->point + (size_t)(2 * j) * count, v->point + (size_t)j * count,
                count * sizeof *v->point);
    *m *= 2;
    dae_status status = events_roots_at(v, e, events_time_at(e, v->end),
                                        v->point + (size_t)*m * count);
    for (int j = 1; status == DAE_OK && j < *m; j += 2)
        status = events_roots_at(v, e, events_time_at(e, part_of(v, course_point(j, *m))),
                                 v->point + (size_t)j * count);
    return status;
}

/* The course of root k along the part. In the first step after an event or the start, a value
 * within rounding of 0 has no sign, unless it was there before the event, too, and was not crossed.
 */
static void take_course(events *v, const engine *e, size_t k, int m, course *c)
{
    if (v->grid.intervals != m) course_grid_make(&v->grid, m);
    course_take(c, &v->grid, v->point + k, v->count);
    course_blur(
        c, events_resolution(e) / fabs(events_time_at(e, v->end) - events_time_at(e, v->begin)),
        v->rounded[k]);
    if (!v->fresh || events_know_signs(v)) return;
    double near = v->slack[k] + c->rounding;
    if (!(fabs(v->now[k]) <= near)) return;
    v->sign[k] = v->kept[k] != 0 && fabs(v->now[k] - v->left[k]) <= near ? v->kept[k] : 0;
}

/* Whether a value says nothing about the sign of root k, because none is known since an event. */
static bool is_open(const events *v, size_t k, signed char sign, double value)
{
    return sign == 0 && fabs(value) <= v->slack[k];
}

/* Whether root k surely keeps its sign in the step. */
static bool keeps_sign(events *v, size_t k, const course *c)
{
    signed char now = sign_of(c->coefficient[0]);
    v->sign_at_end[k] = is_open(v, k, v->sign[k], v->at_end[k]) ? 0 : now;
    if (!is_watched(v, k)) return true;
    return course_is_quiet(c) && (v->sign[k] == 0 || v->sign[k] == now) &&
           sign_of(v->at_end[k]) == now;
}

/* Takes as many points as the root functions need where they may change their sign. */
dae_status changes_resolve(events *v, engine *e, int *m)
{
    course c;
    size_t first = 0;
    v->coarse = v->doubtful = false;
    dae_status status = take_points(v, e, *m);
    while (status == DAE_OK && first < v->count) {
        take_course(v, e, first, *m, &c);
        bool resolved = v->equal[first] > 0 || course_is_resolved(&c);
        bool clear = keeps_sign(v, first, &c) || resolved;
        if (!clear && 2 * *m <= COURSE_MOST) {
            status = refine(v, e, m);
            continue;
        }
        v->coarse = v->coarse || !clear;
        v->doubtful = v->doubtful || !resolved;
        first++;
    }
    return status;
}

/* A point of a step at which the value of one root function is known. */
typedef struct mark {
    double x, value;
} mark;

enum { MOST_MARKS = 2 * COURSE_MOST + 1 };

/* Whether an extremum between the points j and j + 1 tells no more than these. */
static bool tells_nothing(const events *v, size_t k, const course *c, int j, double value)
{
    signed char sign = sign_of(value);
    signed char left = j == 0 ? v->sign[k] : sign_of(v->point[(size_t)j * v->count + k]);
    signed char right = sign_of(v->point[(size_t)(j + 1) * v->count + k]);
    return fabs(value) > c->missed && sign == left && sign == right;
}

/* The first two of the points of a part that follow on x; the end where there are no two. */
static int second_point_after(const course_grid *grid, double x)
{
    int j = 0;
    while (j < grid->intervals && grid->point[j] < x) j++;
    return j < grid->intervals ? j + 1 : j;
}

/* The marks of root k within the step: points, extrema between them, and the end.
 * Changes after `until` do not count: none of the marks is needed that follow on the second point
 * there. */
static dae_status take_marks(events *v, engine *e, size_t k, const course *c, double until,
                             mark *list, int *count)
{
    double extremum[COURSE_MOST];
    int last = second_point_after(&v->grid, until), next = 0;
    int extrema = course_extrema(c, &v->grid, v->grid.point[last], extremum);
    *count = 0;
    for (int j = 0; j < last; j++) {
        double x = v->grid.point[j + 1];
        for (; next < extrema && extremum[next] < x; next++) {
            if (tells_nothing(v, k, c, j, course_value(c, extremum[next]))) continue;
            dae_status status = events_roots_at(v, e, events_time_at(e, part_of(v, extremum[next])),
                                                v->value);
            if (status != DAE_OK) return status;
            list[(*count)++] = (mark){extremum[next], v->value[k]};
        }
        list[(*count)++] = (mark){x, v->point[(size_t)(j + 1) * v->count + k]};
    }
    if (last == c->intervals) list[(*count)++] = (mark){1, v->at_end[k]};
    return DAE_OK;
}

/* Whether mark i, where the value is 0, ends the sign: a root function may also touch 0. */
static bool ends_sign(const course *c, const mark *list, int count, int i, signed char sign)
{
    if (i + 1 < count) return sign_of(list[i + 1].value) != sign;
    return i > 0 &&
           (list[i - 1].value == 0 || course_slope(c, 1) * sign < -ROUND_OFF_AMPLIFIED * c->varies);
}

/* Whether root k stays at 0 at mark i, which belongs to its side: no root function that is 0 for a
 * while changes its sign before it leaves 0. */
static bool stays_at_zero(const events *v, size_t k, const mark *list, int count, int i)
{
    if (!events_know_signs(v) || !v->closed[k] || list[i].value != 0) return false;
    const mark *before = i > 0 ? &list[i - 1] : &(mark){0, v->now[k]};
    bool was = before->value == 0, stays = i + 1 < count && list[i + 1].value == 0;
    return was || (stays && list[i + 1].x > list[i].x);
}

/* Whether mark i of root k tells nothing because a root that stands at 0 has not left it. Along
 * slow motions it has by as little as is surely no error there, whether or not it comes back. */
static bool is_at_zero(const events *v, size_t k, const mark *list, int i)
{
    double size = fabs(list[i].value);
    if (v->slow[k]) return size <= v->left_over[k];
    return v->band[k] > 0 && size <= v->band[k];
}

/* Goes through the marks of root k to its first change of sign that counts; the number of that
 * mark, -1: there is none. */
static int find_change(events *v, size_t k, const course *c, const mark *list, int count)
{
    signed char sign = v->sign[k], wanted = v->source->direction ? v->source->direction[k] : 0;
    mark last = {0, v->now[k]};
    for (int i = 0; i < count; last = list[i++]) {
        signed char here = sign_of(list[i].value);
        if (is_open(v, k, sign, list[i].value)) continue;
        if (is_at_zero(v, k, list, i)) continue;
        if (stays_at_zero(v, k, list, count, i)) continue;
        if (here == 0 && (sign == 0 || !ends_sign(c, list, count, i, sign))) continue;
        if (here == 0) here = (signed char)-sign;
        if (sign * here < 0 && (wanted == 0 || wanted == here)) {
            v->change[k] = (event_change){
                here,          part_of(v, last.x),
                last.value,    part_of(v, list[i].x),
                list[i].value, events_know_signs(v) && v->closed[k] && last.value == 0};
            return i;
        }
        sign = here;
    }
    v->change[k] = (event_change){0};
    v->sign_at_end[k] = sign;
    return -1;
}

/* Whether a value of root k, counted from where it is crossed, is after its change. */
static bool is_behind(const event_change *change, double value)
{
    double before = -change->to * value;
    return change->from_zero ? before < 0 : before <= 0;
}

/* The value of root k, counted from where it is crossed. Along slow motions it is surely on the
 * other side there: nothing leads it back in the new mode. */
static double from_edge(const events *v, size_t k, double value)
{
    return value - v->change[k].to * (v->edge[k] + (v->slow[k] ? v->left_over[k] : 0));
}

/* Whether root k, which has this value, is surely on the other side than where the step begins. */
static bool is_beyond(const events *v, size_t k, double value)
{
    bool other = is_watched(v, k) && v->sign[k] != 0 && value * v->sign[k] < -v->band[k];
    return other && isfinite(value) && !events_root_moves(v, k);
}

bool events_leave_step(events *v, engine *e)
{
    bool any = false;
    if (!v->source || v->count == 0 || !events_know_signs(v) || v->source->direction) return false;
    events_take_state(v, e, e->t);
    if (events_evaluate(v, e->t, v->value) != DAE_OK) return false;
    for (size_t k = 0; k < v->count; k++) {
        v->beyond[k] = is_beyond(v, k, v->value[k]);
        any = any || v->beyond[k];
    }
    return any;
}

bool events_leave_before(events *v, engine *e, double t)
{
    if (events_roots_at(v, e, t, v->value) != DAE_OK) return false;
    for (size_t k = 0; k < v->count; k++)
        if (v->beyond[k] && is_beyond(v, k, v->value[k])) return true;
    return false;
}

/* Root k at a time of the last step, where its state is brought back to constraints. */
static dae_status met_root(events *v, engine *e, double t, size_t k, double *value)
{
    dae_status status = events_met_roots(v, e, t, k);
    *value = from_edge(v, k, v->value[k]);
    return status == DAE_OK && !isfinite(*value) ? DAE_NOT_EVALUABLE : status;
}

/* Whether states that meet the equations show the change of root k as well: within a step algebraic
 * variables may be less exact than the states. */
static dae_status is_shown(events *v, engine *e, size_t k, bool *shown)
{
    const event_change *change = &v->change[k];
    double value;
    *shown = true;
    dae_status status = events_look_how_loose(v, e, events_time_at(e, change->high), k);
    if (status != DAE_OK || v->loose[k] || v->slow[k] || !events_root_moves(v, k)) return status;
    status = met_root(v, e, events_time_at(e, change->high), k, &value);
    if (status == DAE_OK) *shown = is_behind(change, value);
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* The instant of an event is moved by no more than this part of the step. */
static const double NEAR = 0.1;

/* Where a root has changed its sign at `high` of the step, up to which x of 0 to 1 of what is
 * looked at other roots may be crossed before, or together with it. */
static double part_needed(const events *v, double high)
{
    return (high + NEAR - v->begin) / (v->end - v->begin);
}

/* Finds in which part of what is looked at each root first changes its sign, if it may do so before
 * another one. */
dae_status changes_find(events *v, engine *e, int m, bool *any)
{
    course c;
    mark list[MOST_MARKS];
    int count;
    double until = 1;
    for (size_t k = 0; k < v->count; k++) {
        v->change[k] = (event_change){0};
        take_course(v, e, k, m, &c);
        if (keeps_sign(v, k, &c)) continue;
        dae_status status = take_marks(v, e, k, &c, until, list, &count);
        if (status != DAE_OK) return status;
        int at = find_change(v, k, &c, list, count);
        for (bool shown = false; at >= 0 && !shown;) {
            status = is_shown(v, e, k, &shown);
            if (status != DAE_OK) return status;
            if (shown) break;
            list[at].value = -v->change[k].to * fmax(fabs(list[at].value), DBL_MIN);
            at = find_change(v, k, &c, list, count);
        }
        *any = *any || v->change[k].to != 0;
        if (v->change[k].to) until = fmin(until, part_needed(v, v->change[k].high));
    }
    return DAE_OK;
}

/* Whether root k has changed its sign at x, where it has this value. */
static bool has_changed(const events *v, size_t k, double x, double value)
{
    const event_change *change = &v->change[k];
    return change->to != 0 && x > change->low && is_behind(change, from_edge(v, k, value));
}

/* Root k at a time of the last step, counted from where it is crossed. One that leaves 0 has left
 * it where states that meet the equations show that, too: no secant leads back to that instant. */
static dae_status narrowed_root(events *v, engine *e, double t, size_t k, double *value)
{
    const event_change *change = &v->change[k];
    double met;
    dae_status status = events_roots_at(v, e, t, v->value);
    *value = from_edge(v, k, v->value[k]);
    if (status != DAE_OK || !change->from_zero || v->slow[k] || !v->source->ops->met_roots)
        return status;
    status = met_root(v, e, t, k, &met);
    if (status == DAE_OK && met * change->to < *value * change->to) *value = met;
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* Narrows the part of the step in which root k changes its sign to one instant. */
static dae_status narrow(events *v, engine *e, size_t k)
{
    event_change *change = &v->change[k];
    double t, before = -change->to, unit = events_resolution(e);
    double at_low = before * from_edge(v, k, change->at_low);
    double at_high = before * from_edge(v, k, change->at_high);
    bracket_end low = {events_time_at(e, change->low), fmax(at_low, 0), false};
    bracket_end high = {events_time_at(e, change->high), fmin(at_high, 0), true};
    bracket b;
    bracket_begin(&b, low, high, unit);
    for (int i = 0; i < MOST_ITERATIONS && bracket_next(&b, &t); i++) {
        double value;
        dae_status status = narrowed_root(v, e, t, k, &value);
        if (status != DAE_OK) return status;
        bracket_take(&b, (bracket_end){t, before * value, is_behind(change, value)});
    }
    v->low = bracket_before(&b)->x;
    v->high = bracket_behind(&b)->x;
    dae_status status = events_roots_at(v, e, v->low, v->at_low);
    if (status != DAE_OK) return status;
    return events_values_at(v, e, v->high, v->at_high);
}

/* The root whose change of sign is the first to be complete; v->count: there is none. */
static size_t first_change(const events *v)
{
    size_t first = v->count;
    for (size_t k = 0; k < v->count; k++)
        if (v->change[k].to && (first == v->count || v->change[k].high < v->change[first].high))
            first = k;
    return first;
}

/* A root that has changed already where the one that was narrowed has not yet; v->count: none. Its
 * change is complete there. */
static size_t earlier_change(events *v, const engine *e)
{
    double x = events_part_at(e, v->low);
    for (size_t k = 0; k < v->count; k++) {
        event_change *change = &v->change[k];
        if (!has_changed(v, k, x, v->at_low[k]) || !(x < change->high)) continue;
        change->high = x;
        change->at_high = v->at_low[k];
        return k;
    }
    return v->count;
}

/* The instant of the event has been moved. */
static dae_status move_instant(events *v, engine *e)
{
    if ((v->low - v->high) * (e->t - e->dense.t) > 0) v->low = v->high;
    return events_values_at(v, e, v->high, v->at_high);
}

/* Moves the instant on by some roundings, from where the root of a state that meets the equations
 * has this value and slope to where it has changed its sign. Before that, the mode after the event
 * is none of the state yet: where it makes much of little, as a diode that blocks makes a voltage
 * of a current, that shows. */
static dae_status go_behind(events *v, engine *e, size_t k, double value, double slope)
{
    enum { MOST_ROUNDINGS = 64 };
    signed char to = v->change[k].to;
    double length = e->t - e->dense.t, direction = length < 0 ? -1 : 1;
    double t = v->high;
    dae_status status = DAE_OK;
    for (int n = 1; sign_of(value) == -to && n <= MOST_ROUNDINGS && t != e->t; n *= 2) {
        t = v->high - value / slope + n * direction * events_resolution(e);
        if (!((t - v->high) * length > 0)) break;
        if ((t - e->t) * length > 0) t = e->t;
        status = met_root(v, e, t, k, &value);
        if (status != DAE_OK) return status;
    }
    if (sign_of(value) != -to) v->high = t;
    return status;
}

/* Moves the instant by secants from `first` to where the root k of states that are brought back to
 * the equations is 0. */
static dae_status follow_secants(events *v, engine *e, size_t k)
{
    enum { MOST_SECANTS = 5 };
    static const double ASIDE = 1e-3; /* of the step */
    double length = e->t - e->dense.t, first = v->high, t = first, value, next;
    double begin = events_time_at(e, v->begin);
    dae_status status = events_roots_at(v, e, t - ASIDE * length, v->value);
    double slope = (v->at_high[k] - v->value[k]) / (ASIDE * length);
    if (status == DAE_OK) status = met_root(v, e, t, k, &value);
    for (int i = 0; i < MOST_SECANTS && status == DAE_OK; i++) {
        double other = t - value / slope, after = (other - e->t) * length > 0 ? e->t : other;
        if (!(fabs(after - first) < NEAR * fabs(length)) || fabs(after - t) <= events_resolution(e))
            break;
        if ((after - begin) * length <= 0) break; /* time does not go back */
        status = met_root(v, e, after, k, &next);
        if (status != DAE_OK || !(fabs(next) < fabs(value))) break;
        slope = (next - value) / (after - t);
        t = v->high = after, value = next;
    }
    return status == DAE_OK ? go_behind(v, e, k, value, slope) : status;
}

/* The same for a root that is judged by the polynomial. Where the states show it on its old side
 * still, the mode after the event is none of theirs, and one event would follow the other: the
 * instant is moved on to where they show its change as well, if they do so near by and errors of
 * the polynomial are no less than that. */
static dae_status follow_loose(events *v, engine *e, size_t k)
{
    signed char to = v->change[k].to;
    double first = v->high, value;
    bool tells;
    dae_status status = events_polynomial_tells(v, e, first, k, &tells);
    if (status != DAE_OK || tells) return status;
    v->loose[k] = false;
    status = met_root(v, e, first, k, &value);
    if (status == DAE_OK && value * to < 0) {
        double was = fabs(value);
        status = follow_secants(v, e, k);
        if (status == DAE_OK) status = met_root(v, e, v->high, k, &value);
        /* beyond a fold the states are of another branch, and far from the root */
        if (status != DAE_OK || value * to < 0 || fabs(value) > was) v->high = first;
    }
    v->loose[k] = true;
    return status;
}

/* To bring a state back to constraints moves a root that is 0 there by the error of the step, so
 * that equations that are continuous at the root jump. The instant is moved to where the root of
 * such states is 0. */
static dae_status meet_root(events *v, engine *e, size_t k)
{
    double first = v->high;
    if (!v->source->ops->met_roots || v->slow[k] || v->change[k].from_zero) return DAE_OK;
    dae_status status = (v->loose[k] ? follow_loose : follow_secants)(v, e, k);
    if (status == DAE_STOPPED) return status;
    return v->high == first ? DAE_OK : move_instant(v, e);
}

/* How fast and how much root k changes in the part of the step that was looked at, and how fast its
 * rate does. */
static void take_rate(events *v, const engine *e, size_t k)
{
    course c;
    double length = events_time_at(e, v->end) - events_time_at(e, v->begin);
    double x = (events_part_at(e, v->high) - v->begin) / (v->end - v->begin);
    if (v->grid.intervals != v->intervals) course_grid_make(&v->grid, v->intervals);
    course_take(&c, &v->grid, v->point + k, v->count);
    v->rate[k] = course_slope(&c, fmin(fmax(x, 0), 1)) / fabs(length);
    v->extent[k] = c.varies;
    v->pull[k] = fabs(course_slope(&c, x) - course_slope(&c, 0)) / (x * length * length);
    if (!isfinite(v->pull[k])) v->pull[k] = 0;
}

/* Marks the roots that have changed at the instant of the event. Where that has been moved to where
 * states that meet the equations have a root, those show the others as well: on the polynomial a
 * root that comes soon after may be crossed by then. */
static dae_status mark_crossed(events *v, engine *e, bool moved)
{
    double x = events_part_at(e, v->high);
    for (size_t k = 0; k < v->count; k++) {
        if (v->crossed[k] || !has_changed(v, k, x, v->at_high[k])) continue;
        if (moved) v->change[k].high = fmin(v->change[k].high, x);
        bool shown = true;
        dae_status status = moved ? is_shown(v, e, k, &shown) : DAE_OK;
        if (status != DAE_OK) return status;
        if (!shown) continue;
        v->crossed[k] = v->change[k].to;
        take_rate(v, e, k);
    }
    return DAE_OK;
}

/* Finds the first event of the step, of the changes that were found. All roots that change within
 * the same instant are crossed together. */
dae_status changes_locate(events *v, engine *e)
{
    size_t k = first_change(v), narrowed = k;
    memset(v->rate, 0, v->count * sizeof *v->rate);
    while (k < v->count) {
        narrowed = k;
        dae_status status = narrow(v, e, k);
        if (status != DAE_OK) return status;
        k = earlier_change(v, e);
        if (k == narrowed) break;
    }
    double first = v->high;
    dae_status status = mark_crossed(v, e, false);
    if (status == DAE_OK) status = meet_root(v, e, narrowed);
    if (status == DAE_OK) status = mark_crossed(v, e, v->high != first);
    for (k = 0; k < v->count; k++)
        if (v->crossed[k]) v->slack[k] = 2 * fmax(fabs(v->at_low[k]), fabs(v->at_high[k]));
    return status;
}
