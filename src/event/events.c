#include "event/events.h"

#include "base/round_off.h"
#include "event/bracket.h"
#include "event/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The limit of iterations for a root. Few need more than 60 (bracket.h). */
enum { MOST_ITERATIONS = 200 };

/* Two times of a step closer than this are one instant. */
static double resolution(const engine *e)
{
    return ROUND_OFF_VALUE * fmax(fabs(e->dense.t), fabs(e->t)) + DBL_MIN;
}

static void carve(events *v)
{
    size_t count = v->count;
    v->sign = workspace_take(&v->space, count, sizeof *v->sign);
    v->sign_at_end = workspace_take(&v->space, count, sizeof *v->sign_at_end);
    v->crossed = workspace_take(&v->space, count, sizeof *v->crossed);
    v->change = workspace_take(&v->space, count, sizeof *v->change);
    workspace_vectors(&v->space, count,
                      (double **[]){&v->value, &v->now, &v->at_end, &v->at_low, &v->at_high,
                                    &v->slack, &v->band, NULL});
    v->point = workspace_doubles(&v->space, count * (COURSE_MOST + 1));
    workspace_vectors(&v->space, v->n, (double **[]){&v->y, &v->yp, NULL});
}

static signed char sign_of(double value)
{
    return (signed char)((value > 0) - (value < 0));
}

/* The values of the root functions at v->y and v->yp. */
static dae_status evaluate(events *v, double t, double *value)
{
    if (v->count == 0) return DAE_OK;
    v->t_tried = t;
    dae_status status = v->source->ops->roots(v->source->self, t, v->y, v->yp, value);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++)
        if (!isfinite(value[k])) status = DAE_NOT_EVALUABLE;
    return status;
}

/* Roots that are beyond their bands are not held at 0 any more. */
static void wake(events *v, const double *value)
{
    for (size_t k = 0; k < v->count; k++)
        if (fabs(value[k]) > v->band[k]) v->band[k] = 0;
}

/* Takes the values behind an event, or at the start. Signs count where the next step shows that
 * they are no rounding. */
static dae_status take_now(events *v, double t)
{
    dae_status status = evaluate(v, t, v->now);
    for (size_t k = 0; k < v->count; k++) v->sign[k] = sign_of(v->now[k]);
    if (v->source->ops->sides) v->source->ops->sides(v->source->self, v->sign);
    if (v->source->ops->bands) v->source->ops->bands(v->source->self, v->band);
    wake(v, v->now);
    v->t_now = t;
    v->fresh = true;
    return status;
}

dae_status events_begin(events *v, const event_source *source, const engine *e)
{
    size_t n = e->problem->n;
    if (!source || source != v->source || source->count != v->count || n != v->n) {
        events_free(v);
        if (!source) return DAE_OK;
        *v = (events){.source = source, .n = n, .count = source->count, .next = HUGE_VAL};
        carve(v);
        if (workspace_allocate(&v->space) != DAE_OK) return DAE_NO_MEMORY;
        carve(v);
    }
    memcpy(v->y, e->y, n * sizeof *v->y);
    memcpy(v->yp, e->yp, n * sizeof *v->yp);
    return take_now(v, e->t);
}

void events_free(events *v)
{
    workspace_free(&v->space);
    *v = (events){.next = HUGE_VAL};
}

dae_status events_look_ahead(events *v, const engine *e, double t)
{
    const event_source *s = v->source;
    if (!s || !s->ops->next) return DAE_OK;
    v->next = s->ops->next(s->self, t, e->options.direction);
    return (v->next - t) * e->options.direction > 0 ? DAE_OK : DAE_USAGE;
}

/* The values at a time of the last step, by its polynomial; v->y and v->yp are the state there. */
static dae_status roots_at(events *v, engine *e, double t, double *value)
{
    dense_output_evaluate(engine_polynomial(e), t, v->y, v->yp);
    return evaluate(v, t, value);
}

/* v->y and v->yp at a time of the last step; at its end that of the engine, which may have been
 * projected. */
static void take_state(events *v, engine *e, double t)
{
    if (t != e->t) {
        dense_output_evaluate(engine_polynomial(e), t, v->y, v->yp);
    } else {
        memcpy(v->y, e->y, v->n * sizeof *v->y);
        memcpy(v->yp, e->yp, v->n * sizeof *v->yp);
    }
}

/* The time at x of 0 to 1 of the last step. */
static double time_at(const engine *e, double x)
{
    return x == 1 ? e->t : e->dense.t + x * (e->t - e->dense.t);
}

/* Whether the source itself knows the sign of each root, whatever rounding its value has. */
static bool knows_signs(const events *v)
{
    return v->source->ops->sides != NULL;
}

static bool is_watched(const events *v, size_t k)
{
    return v->sign[k] != 0 || !knows_signs(v);
}

static double part_at(const engine *e, double t)
{
    return t == e->t ? 1 : (t - e->dense.t) / (e->t - e->dense.t);
}

/* The part of the step at x of 0 to 1 of what is looked at. */
static double part_of(const events *v, double x)
{
    return x == 1 ? v->end : v->begin + x * (v->end - v->begin);
}

/* The values at the first points of a part: those at its begin are known, unless the run has gone
 * back; those at the end of the step are of the engine's state. */
static dae_status take_points(events *v, engine *e, int m)
{
    double begun = v->begin > 0 ? v->t_now : engine_polynomial(e)->t, end = time_at(e, v->end);
    dae_status status = DAE_OK;
    if (v->t_now != begun) {
        status = roots_at(v, e, begun, v->now);
        for (size_t k = 0; k < v->count; k++)
            if (v->now[k] != 0 && !knows_signs(v)) v->sign[k] = sign_of(v->now[k]);
    }
    memcpy(v->point, v->now, v->count * sizeof *v->point);
    for (int j = 1; status == DAE_OK && j < m; j++)
        status = roots_at(v, e, time_at(e, part_of(v, course_point(j, m))),
                          v->point + (size_t)j * v->count);
    if (status != DAE_OK) return status;
    take_state(v, e, end);
    status = evaluate(v, end, v->at_end);
    memcpy(v->point + (size_t)m * v->count, v->at_end, v->count * sizeof *v->point);
    return status;
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
    dae_status status = roots_at(v, e, time_at(e, v->end), v->point + (size_t)*m * count);
    for (int j = 1; status == DAE_OK && j < *m; j += 2)
        status = roots_at(v, e, time_at(e, part_of(v, course_point(j, *m))),
                          v->point + (size_t)j * count);
    return status;
}

/* The course of root k. In the first step behind an event or the start, a value that is 0 but for
 * rounding has no sign. */
static void take_course(const events *v, const engine *e, size_t k, int m, course *c)
{
    course_take(c, m, v->point + k, (int)v->count);
    course_blur(c, resolution(e) / fabs(time_at(e, v->end) - time_at(e, v->begin)));
    if (!v->fresh || knows_signs(v)) return;
    if (fabs(v->now[k]) <= v->slack[k] + c->rounding) v->sign[k] = 0;
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
static dae_status resolve(events *v, engine *e, int *m)
{
    course c;
    size_t first = 0;
    v->coarse = v->doubtful = false;
    dae_status status = take_points(v, e, *m);
    while (status == DAE_OK && first < v->count) {
        take_course(v, e, first, *m, &c);
        bool resolved = course_is_resolved(&c), clear = keeps_sign(v, first, &c) || resolved;
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

/* The marks of root k behind the begin of the step: points, extrema between them, and the end. */
static dae_status take_marks(events *v, engine *e, size_t k, const course *c, mark *list,
                             int *count)
{
    double extremum[COURSE_MOST];
    int extrema = course_extrema(c, extremum), next = 0, m = c->intervals;
    *count = 0;
    for (int j = 0; j < m; j++) {
        double x = course_point(j + 1, m);
        for (; next < extrema && extremum[next] < x; next++) {
            if (tells_nothing(v, k, c, j, course_value(c, extremum[next]))) continue;
            dae_status status = roots_at(v, e, time_at(e, part_of(v, extremum[next])), v->value);
            if (status != DAE_OK) return status;
            list[(*count)++] = (mark){extremum[next], v->value[k]};
        }
        list[(*count)++] = (mark){x, v->point[(size_t)(j + 1) * v->count + k]};
    }
    list[(*count)++] = (mark){1, v->at_end[k]};
    return DAE_OK;
}

/* Whether mark i, where the value is 0, ends the sign: a root function may also touch 0. */
static bool ends_sign(const course *c, const mark *list, int count, int i, signed char sign)
{
    if (i + 1 < count) return sign_of(list[i + 1].value) != sign;
    return i > 0 &&
           (list[i - 1].value == 0 || course_slope(c, 1) * sign < -ROUND_OFF_AMPLIFIED * c->varies);
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
        if (v->band[k] > 0 && fabs(list[i].value) <= v->band[k]) continue;
        if (here == 0 && (sign == 0 || !ends_sign(c, list, count, i, sign))) continue;
        if (here == 0) here = (signed char)-sign;
        if (sign * here < 0 && (wanted == 0 || wanted == here)) {
            v->change[k] = (event_change){here, part_of(v, last.x), last.value,
                                          part_of(v, list[i].x), list[i].value};
            return i;
        }
        sign = here;
    }
    v->change[k] = (event_change){0};
    v->sign_at_end[k] = sign;
    return -1;
}

/* Root k at a time of the last step, where its state is brought back to constraints. */
static dae_status met_root(events *v, engine *e, double t, size_t k, double *value)
{
    take_state(v, e, t);
    dae_status status = v->source->ops->met_roots(v->source->self, t, v->y, v->yp, v->value);
    *value = v->value[k];
    return status == DAE_OK && !isfinite(*value) ? DAE_NOT_EVALUABLE : status;
}

/* Whether states that meet the equations show the change of root k as well: within a step algebraic
 * variables may be less exact than the states. */
static dae_status is_shown(events *v, engine *e, size_t k, bool *shown)
{
    const event_change *change = &v->change[k];
    double value;
    *shown = true;
    if (!v->source->ops->met_roots) return DAE_OK;
    dae_status status = met_root(v, e, time_at(e, change->high), k, &value);
    if (status == DAE_OK) *shown = sign_of(value) != -change->to;
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* Finds in which part of what is looked at each root first changes its sign, if it does. */
static dae_status find_changes(events *v, engine *e, int m, bool *any)
{
    course c;
    mark list[MOST_MARKS];
    int count;
    for (size_t k = 0; k < v->count; k++) {
        v->change[k] = (event_change){0};
        take_course(v, e, k, m, &c);
        if (keeps_sign(v, k, &c)) continue;
        dae_status status = take_marks(v, e, k, &c, list, &count);
        if (status != DAE_OK) return status;
        int at = find_change(v, k, &c, list, count);
        for (bool shown = false; at >= 0 && !shown;) {
            status = is_shown(v, e, k, &shown);
            if (status != DAE_OK) return status;
            if (shown) break;
            list[at].value = -list[at].value;
            at = find_change(v, k, &c, list, count);
        }
        *any = *any || v->change[k].to != 0;
    }
    return DAE_OK;
}

/* Whether root k has changed its sign at x, where it has this value. */
static bool has_changed(const events *v, size_t k, double x, double value)
{
    const event_change *change = &v->change[k];
    return change->to != 0 && x > change->low && sign_of(value) != -change->to;
}

/* Narrows the part of the step in which root k changes its sign to one instant. */
static dae_status narrow(events *v, engine *e, size_t k)
{
    event_change *change = &v->change[k];
    double t, before = -change->to, unit = resolution(e);
    bracket_end low = {time_at(e, change->low), fmax(before * change->at_low, 0), false};
    bracket_end high = {time_at(e, change->high), fmin(before * change->at_high, 0), true};
    bracket b;
    bracket_begin(&b, low, high, unit);
    for (int i = 0; i < MOST_ITERATIONS && bracket_next(&b, &t); i++) {
        dae_status status = roots_at(v, e, t, v->value);
        if (status != DAE_OK) return status;
        double value = before * v->value[k];
        bracket_take(&b, (bracket_end){t, value, !(value > 0)});
    }
    v->low = bracket_before(&b)->x;
    v->high = bracket_behind(&b)->x;
    dae_status status = roots_at(v, e, v->low, v->at_low);
    if (status != DAE_OK) return status;
    take_state(v, e, v->high);
    return evaluate(v, v->high, v->at_high);
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
    double x = part_at(e, v->low);
    for (size_t k = 0; k < v->count; k++) {
        event_change *change = &v->change[k];
        if (!has_changed(v, k, x, v->at_low[k]) || !(x < change->high)) continue;
        change->high = x;
        change->at_high = v->at_low[k];
        return k;
    }
    return v->count;
}

/* To bring a state back to constraints moves a root that is 0 there by the error of the step, so
 * that equations that are continuous at the root jump. The instant is moved by secants to where the
 * root of such states is 0. */
static dae_status meet_root(events *v, engine *e, size_t k)
{
    enum { MOST_SECANTS = 5 };
    static const double NEAR = 0.1, ASIDE = 1e-3; /* of the step */
    double length = e->t - e->dense.t, first = v->high, t = first, value, next;
    if (!v->source->ops->met_roots) return DAE_OK;
    dae_status status = roots_at(v, e, t - ASIDE * length, v->value);
    double slope = (v->at_high[k] - v->value[k]) / (ASIDE * length);
    if (status == DAE_OK) status = met_root(v, e, t, k, &value);
    for (int i = 0; i < MOST_SECANTS && status == DAE_OK; i++) {
        double other = t - value / slope, after = (other - e->t) * length > 0 ? e->t : other;
        if (!(fabs(after - first) < NEAR * fabs(length)) || fabs(after - t) <= resolution(e)) break;
        status = met_root(v, e, after, k, &next);
        if (status != DAE_OK || !(fabs(next) < fabs(value))) break;
        slope = (next - value) / (after - t);
        t = v->high = after, value = next;
    }
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* Finds the first event of the step, of the changes that were found. All roots that change within
 * the same instant are crossed together. */
static dae_status locate(events *v, engine *e)
{
    size_t k = first_change(v), narrowed = k;
    while (k < v->count) {
        narrowed = k;
        dae_status status = narrow(v, e, k);
        if (status != DAE_OK) return status;
        k = earlier_change(v, e);
        if (k == narrowed) break;
    }
    double x = part_at(e, v->high);
    for (k = 0; k < v->count; k++) {
        if (!has_changed(v, k, x, v->at_high[k])) continue;
        v->crossed[k] = v->change[k].to;
        v->slack[k] = 2 * fmax(fabs(v->at_low[k]), fabs(v->at_high[k]));
    }
    return meet_root(v, e, narrowed);
}

/* No event: what follows begins with what this part of the step ends with. */
static void pass_on(events *v, const engine *e)
{
    if (!knows_signs(v)) memcpy(v->sign, v->sign_at_end, v->count * sizeof *v->sign);
    memcpy(v->now, v->at_end, v->count * sizeof *v->now);
    wake(v, v->now);
    v->t_now = time_at(e, v->end);
    v->fresh = false;
}

/* Looks for an event in a part of the step whose points were taken. */
static dae_status look_in_part(events *v, engine *e, bool *found)
{
    memset(v->crossed, 0, v->count * sizeof *v->crossed);
    dae_status status = find_changes(v, e, v->intervals, found);
    if (status != DAE_OK) return status;
    if (!*found) {
        pass_on(v, e);
        return DAE_OK;
    }
    memset(v->slack, 0, v->count * sizeof *v->slack);
    return locate(v, e);
}

/* A part of a step that is this short is not divided where a root function has a kink in it. */
static const double SHORTEST = 1.0 / 64;

/* Whether the functions are to be looked at once more before the event that was found. */
static bool hides_some(const events *v, const engine *e, double looked)
{
    double before = part_at(e, v->low);
    return v->doubtful && before > v->begin + ROUND_OFF_AMPLIFIED &&
           fabs(before - looked) > ROUND_OFF_AMPLIFIED;
}

/* Looks for the first event from v->begin on. A part in which a root function bends or oscillates
 * too much for its points is halved. Before an event that was found in such a part, such as a kink,
 * the functions are smooth: what lies before it is looked at once more. */
static dae_status look(events *v, engine *e, double *t, bool *found)
{
    dae_status status = DAE_OK;
    int first = engine_polynomial(e)->degree > 2 ? e->dense.degree : 2;
    double width = 1 - v->begin, looked = -1;
    *found = false;
    while (!*found && v->begin < 1) {
        v->end = v->begin + width < 1 - SHORTEST / 2 ? v->begin + width : 1;
        v->intervals = first;
        status = resolve(v, e, &v->intervals);
        if (status == DAE_OK && v->coarse && width > SHORTEST) {
            width /= 2;
            continue;
        }
        if (status == DAE_OK) status = look_in_part(v, e, found);
        if (status != DAE_OK) break;
        if (*found && hides_some(v, e, looked)) {
            looked = part_at(e, v->low);
            width = looked - v->begin;
            *found = false;
        } else if (!*found) {
            v->begin = v->end;
            width = 1 - v->begin;
        }
    }
    *t = v->high;
    return status;
}

dae_status events_look(events *v, engine *e, double *t, bool *found)
{
    *found = v->cut = false;
    if (!v->source || v->count == 0) return DAE_OK;
    v->begin = 0;
    return look(v, e, t, found);
}

dae_status events_look_on(events *v, engine *e, double *t, bool *found)
{
    *found = false;
    for (size_t k = 0; k < v->count; k++) {
        if (v->crossed[k])
            v->sign[k] = v->crossed[k];
        else if (v->at_high[k] != 0 && !knows_signs(v))
            v->sign[k] = sign_of(v->at_high[k]);
        v->sign_at_end[k] = v->sign[k];
        v->at_end[k] = v->at_high[k];
    }
    v->begin = v->end = part_at(e, v->high);
    pass_on(v, e);
    return look(v, e, t, found);
}

dae_status events_try(events *v, engine *e, double t)
{
    return roots_at(v, e, t, v->value);
}

double events_found_until(const events *v, const engine *e)
{
    return time_at(e, v->begin);
}

bool events_are_due(const events *v, double t)
{
    return v->source && fabs(t - v->next) <= ROUND_OFF_VALUE * fabs(t);
}

double events_limit(events *v, const engine *e, double t_end)
{
    double direction = e->options.direction;
    if (events_are_due(v, t_end)) v->next = t_end;
    bool before = v->source && (v->next - t_end) * direction < 0;
    return before && (v->next - e->t) * direction > 0 ? v->next : t_end;
}

dae_status events_update(events *v, engine *e, double t, event_outcome *outcome)
{
    const event_source *s = v->source;
    take_state(v, e, t);
    return s->ops->update(s->self, t, v->crossed, events_are_due(v, t), v->y, v->yp, outcome);
}

dae_status events_leave(events *v, double t)
{
    v->cut = true;
    return take_now(v, t);
}

void events_keep_open(events *v, const signed char *stays)
{
    if (knows_signs(v)) return; /* their number may be another one behind the event */
    for (size_t k = 0; k < v->count; k++) {
        if (!stays[k]) continue;
        v->sign[k] = 0;
        v->slack[k] = fmax(v->slack[k], 2 * fabs(v->now[k]));
    }
}

void event_name_crossed(const event_source *source, const signed char *crossed, text *t)
{
    bool any = false;
    for (size_t k = 0; k < source->count; k++) {
        if (!crossed[k]) continue;
        if (any) text_add(t, ", ");
        any = true;
        source->ops->name(source->self, k, t);
    }
}

void events_name(const events *v, double t, text *to)
{
    event_name_crossed(v->source, v->crossed, to);
    if (!events_are_due(v, t) || !v->source->ops->name_due) return;
    text due = {0};
    v->source->ops->name_due(v->source->self, t, &due);
    if (to->length && due.length) text_add(to, ", ");
    text_add(to, text_string(&due));
    text_free(&due);
}
