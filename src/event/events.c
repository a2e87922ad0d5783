#include "event/events.h"

#include "base/round_off.h"
#include "event/changes.h"
#include "event/contracted.h"
#include "event/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Two times of a step closer than this are one instant. */
double events_resolution(const engine *e)
{
    return ROUND_OFF_VALUE * fmax(fabs(e->dense.t), fabs(e->t)) + DBL_MIN;
}

static void carve(events *v)
{
    size_t count = v->count;
    v->sign = workspace_take(&v->space, count, sizeof *v->sign);
    v->closed = workspace_take(&v->space, count, sizeof *v->closed);
    v->sign_at_end = workspace_take(&v->space, count, sizeof *v->sign_at_end);
    v->turned = workspace_take(&v->space, count, sizeof *v->turned);
    v->beside = workspace_take(&v->space, count, sizeof *v->beside);
    v->held = workspace_take(&v->space, count, sizeof *v->held);
    v->stopped = workspace_take(&v->space, count, sizeof *v->stopped);
    v->crossed = workspace_take(&v->space, count, sizeof *v->crossed);
    v->turned_to = workspace_take(&v->space, count, sizeof *v->turned_to);
    v->loose = workspace_take(&v->space, count, sizeof *v->loose);
    v->slow = workspace_take(&v->space, count, sizeof *v->slow);
    v->stays = workspace_take(&v->space, count, sizeof *v->stays);
    v->beyond = workspace_take(&v->space, count, sizeof *v->beyond);
    v->kept = workspace_take(&v->space, count, sizeof *v->kept);
    v->change = workspace_take(&v->space, count, sizeof *v->change);
    workspace_vectors(&v->space, count,
                      (double **[]){&v->value,    &v->now,       &v->at_end,    &v->at_low,
                                    &v->at_high,  &v->slack,     &v->rounded,   &v->band,
                                    &v->edge,     &v->turn_band, &v->turn_edge, &v->left,
                                    &v->rate,     &v->extent,    &v->blur,      &v->doubt,
                                    &v->t_turned, &v->leaving,   &v->pull,      &v->flight,
                                    &v->equal,    &v->began,     &v->tried,     &v->left_over,
                                    &v->along,    &v->along_end, NULL});
    v->lows = workspace_take(&v->space, count, sizeof *v->lows);
    v->point = workspace_doubles(&v->space, count * (COURSE_MOST + 1));
    workspace_vectors(&v->space, v->n,
                      (double **[]){&v->y, &v->yp, &v->y_kept, &v->y_low, &v->y_high, &v->yp_low,
                                    &v->yp_high, NULL});
}

/* The values of the root functions at v->y and v->yp. */
dae_status events_evaluate(events *v, double t, double *value)
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
        if (fabs(value[k]) > v->band[k]) v->band[k] = v->edge[k] = 0;
}

/* Narrows the bands of roots that stand within them to what errors of the differential variables
 * make of them, where algebraic variables are solved for: the voltage of a diode that conducts is
 * 1e-6 V, and all but exact. */
static dae_status narrow_bands(events *v, const engine *e, double t)
{
    enum { MARGIN = 4 };
    bool any = false;
    for (size_t k = 0; k < v->count; k++)
        any = any || (v->band[k] > 0 && v->edge[k] == 0 && fabs(v->now[k]) <= v->band[k]);
    if (!any || !v->source->ops->solved_roots) return DAE_OK;
    memcpy(v->y_kept, v->y, v->n * sizeof *v->y);
    events_move_unknowns(v, e, false);
    dae_status status = v->source->ops->solved_roots(v->source->self, t, v->y, v->yp, v->at_low);
    memcpy(v->y, v->y_kept, v->n * sizeof *v->y);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++) {
        double error = MARGIN * fabs(v->at_low[k] - v->now[k]);
        double rounding = v->band[k] * ROUND_OFF_ITERATED / e->options.rtol;
        if (isfinite(error) && v->edge[k] == 0) v->band[k] = fmin(v->band[k], error + rounding);
    }
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Marks the roots that are so close to 0 that a step may lead them across by its errors. */
static void find_beside(events *v)
{
    const event_source_ops *ops = v->source->ops;
    memset(v->beside, 0, v->count * sizeof *v->beside);
    if (!ops->errors) return;
    ops->errors(v->source->self, v->at_low);
    for (size_t k = 0; k < v->count; k++)
        v->beside[k] = v->now[k] * v->sign[k] > v->band[k] && fabs(v->now[k]) <= v->at_low[k];
}

/* Takes the values after an event, or at the start. Signs count where the next step shows that
 * they are no rounding. */
static dae_status take_now(events *v, const engine *e, double t)
{
    dae_status status = events_evaluate(v, t, v->now);
    for (size_t k = 0; k < v->count; k++) v->sign[k] = sign_of(v->now[k]);
    if (v->source->ops->sides) v->source->ops->sides(v->source->self, v->sign, v->closed);
    if (v->source->ops->bands) v->source->ops->bands(v->source->self, v->band, v->edge);
    if (v->source->ops->equal) v->source->ops->equal(v->source->self, v->equal);
    if (status == DAE_OK && v->source->ops->bands) status = narrow_bands(v, e, t);
    wake(v, v->now);
    find_beside(v);
    memset(v->tried, 0, v->count * sizeof *v->tried);
    contracted_forget(v);
    v->t_now = v->since = t;
    v->fresh = true;
    v->quickens = false;
    v->hidden = 0;
    return status;
}

dae_status events_make(events *v, const event_source *source, const engine *e)
{
    size_t n = e->problem->n;
    contracted_free(v);
    if (source && source == v->source && source->count == v->count && n == v->n) return DAE_OK;
    events_free(v);
    if (!source) return DAE_OK;
    *v = (events){.source = source, .n = n, .count = source->count, .next = HUGE_VAL};
    carve(v);
    if (workspace_allocate(&v->space) != DAE_OK) return DAE_NO_MEMORY;
    carve(v);
    return DAE_OK;
}

dae_status events_begin(events *v, const event_source *source, const engine *e)
{
    size_t n = e->problem->n;
    dae_status status = events_make(v, source, e);
    if (status != DAE_OK || !source) return status;
    v->passed = v->let_go = SIZE_MAX;
    memcpy(v->y, e->y, n * sizeof *v->y);
    memcpy(v->yp, e->yp, n * sizeof *v->yp);
    memset(v->kept, 0, v->count * sizeof *v->kept);
    return take_now(v, e, e->t);
}

void events_state(events *v, state_visit *s)
{
    state_bytes(s, v->space.base, v->space.base ? v->space.size : 0);
    STATE_MEMBERS(s, events, v, passed, at_low);
    STATE(s, v->t_tried);
    STATE(s, v->next);
    STATE(s, v->cut);
    STATE(s, v->t_now);
    STATE(s, v->since);
}

void events_free(events *v)
{
    contracted_free(v);
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
dae_status events_roots_at(events *v, engine *e, double t, double *value)
{
    dense_output_evaluate(engine_polynomial(e), t, v->y, v->yp);
    dae_status status = events_evaluate(v, t, value);
    return status == DAE_OK ? contracted_roots(v, e, t, value) : status;
}

dae_status events_values_at(events *v, engine *e, double t, double *value)
{
    events_take_state(v, e, t);
    dae_status status = events_evaluate(v, t, value);
    return status == DAE_OK ? contracted_roots(v, e, t, value) : status;
}

/* v->y and v->yp at a time of the last step; at its end that of the engine, which may have been
 * projected. */
void events_take_state(events *v, engine *e, double t)
{
    if (t != e->t) {
        dense_output_evaluate(engine_polynomial(e), t, v->y, v->yp);
    } else {
        memcpy(v->y, e->y, v->n * sizeof *v->y);
        memcpy(v->yp, e->yp, v->n * sizeof *v->yp);
    }
}

/* The time at x of 0 to 1 of the last step. */
double events_time_at(const engine *e, double x)
{
    return x == 1 ? e->t : e->dense.t + x * (e->t - e->dense.t);
}

/* Whether the source itself knows the sign of each root, whatever rounding its value has. */
bool events_know_signs(const events *v)
{
    return v->source->ops->sides != NULL;
}

double events_part_at(const engine *e, double t)
{
    return t == e->t ? 1 : (t - e->dense.t) / (e->t - e->dense.t);
}

/* No event: what follows begins with what this part of the step ends with. */
static void pass_on(events *v, const engine *e)
{
    if (!events_know_signs(v)) memcpy(v->sign, v->sign_at_end, v->count * sizeof *v->sign);
    memcpy(v->now, v->at_end, v->count * sizeof *v->now);
    wake(v, v->now);
    v->t_now = events_time_at(e, v->end);
    v->fresh = false;
}

/* Looks for an event in a part of the step whose points were taken. */
static dae_status look_in_part(events *v, engine *e, bool *found, bool *anew)
{
    memset(v->crossed, 0, v->count * sizeof *v->crossed);
    dae_status status = changes_find(v, e, v->intervals, found);
    if (status == DAE_OK) status = contracted_look(v, e, found, anew);
    if (status != DAE_OK || *anew) return status;
    if (*found) {
        memset(v->slack, 0, v->count * sizeof *v->slack);
        status = changes_locate(v, e);
    }
    if (status == DAE_OK) held_look(v, e, *found);
    if (status == DAE_OK && !*found) pass_on(v, e);
    return status;
}

/* A part of a step that is this short is not divided where a root function has a kink in it. */
static const double SHORTEST = 1.0 / 64;

/* Whether the functions are to be looked at once more before the event that was found. */
static bool hides_some(const events *v, const engine *e, double looked)
{
    double before = events_part_at(e, v->low);
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
    double begin = v->begin, t_begin = begin > 0 ? v->t_now : e->dense.t;
    double width = 1 - begin, looked = -1;
    bool anew = false;
    *found = false;
    while (status == DAE_OK && !*found && v->begin < 1 && v->passed == SIZE_MAX) {
        v->end = v->begin + width < 1 - SHORTEST / 2 ? v->begin + width : 1;
        v->intervals = first;
        status = changes_resolve(v, e, &v->intervals);
        if (status == DAE_OK && v->coarse && width > SHORTEST) {
            width /= 2;
            continue;
        }
        if (status == DAE_OK && hidden_find(v, e, &v->end))
            status = changes_resolve(v, e, &v->intervals);
        if (status == DAE_OK) status = look_in_part(v, e, found, &anew);
        if (status != DAE_OK) break;
        if (anew) {
            status = contracted_go_back(v, e, begin, t_begin);
            width = 1 - begin;
            *found = false;
        } else if (*found && hides_some(v, e, looked)) {
            looked = events_part_at(e, v->low);
            width = looked - v->begin;
            *found = false;
        } else if (!*found) {
            v->begin = v->end;
            width = 1 - v->begin;
        }
    }
    *t = v->high;
    if (!*found) contracted_end(v);
    return status;
}

dae_status events_look(events *v, engine *e, double *t, bool *found)
{
    *found = v->cut = false;
    v->passed = v->let_go = SIZE_MAX;
    if (!v->source || v->count == 0) return DAE_OK;
    contracted_begin(v);
    v->begin = 0;
    return look(v, e, t, found);
}

/* Root functions may have another mode after an event that leaves the equations as they are. */
static dae_status look_again(events *v, engine *e)
{
    if (events_know_signs(v)) return DAE_OK;
    events_take_state(v, e, v->high);
    dae_status status = events_evaluate(v, v->high, v->value);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++) {
        if (v->value[k] == v->at_high[k]) continue;
        v->at_high[k] = v->value[k];
        v->crossed[k] = 0;
    }
    return status;
}

/* Whether nothing but rounding is left of a step after an event: all other roots are at its end
 * where they are known to be. v->at_end becomes their values there; the one that was crossed has
 * not come back within rounding. */
static bool is_at_end(events *v, engine *e)
{
    bool near = 1 - events_part_at(e, v->high) <= ROUND_OFF_AMPLIFIED, stays = true;
    if (!near) return false;
    events_take_state(v, e, e->t);
    if (events_evaluate(v, e->t, v->value) != DAE_OK) return false;
    for (size_t k = 0; k < v->count; k++)
        stays = stays && (v->crossed[k] || v->value[k] * v->sign[k] >= 0);
    for (size_t k = 0; k < v->count && stays; k++)
        v->at_end[k] = v->value[k] * v->crossed[k] < 0 ? 0 : v->value[k];
    return stays;
}

dae_status events_look_on(events *v, engine *e, double *t, bool *found)
{
    *found = false;
    dae_status status = look_again(v, e);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < v->count; k++) {
        if (v->at_high[k] * v->crossed[k] < 0) v->at_high[k] = 0; /* its instant has been moved */
        if (v->crossed[k])
            v->sign[k] = v->crossed[k];
        else if (v->at_high[k] != 0 && !events_know_signs(v))
            v->sign[k] = sign_of(v->at_high[k]);
        v->sign_at_end[k] = v->sign[k];
        v->at_end[k] = v->at_high[k];
    }
    v->begin = v->end = is_at_end(v, e) ? 1 : events_part_at(e, v->high);
    pass_on(v, e);
    return look(v, e, t, found);
}

dae_status events_try(events *v, engine *e, double t)
{
    return events_roots_at(v, e, t, v->value);
}

bool events_find_ending(events *v, engine *e, bool closely)
{
    if (!v->source || !v->source->ops->ending) return false;
    events_take_state(v, e, e->t);
    if (events_evaluate(v, e->t, v->at_high) != DAE_OK) return false;
    v->low = v->high = e->t;
    memset(v->crossed, 0, v->count * sizeof *v->crossed);
    return v->source->ops->ending(v->source->self, closely, v->value, v->crossed);
}

double events_just_before(const events *v, double t)
{
    bool any = false;
    for (size_t k = 0; k < v->count; k++) any = any || v->crossed[k];
    return any && t == v->high ? v->low : t;
}

double events_found_until(const events *v, const engine *e)
{
    return events_time_at(e, v->begin);
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
    events_take_state(v, e, t);
    dae_status status = contracted_state(v, e, t);
    contracted_end(v);
    if (status != DAE_OK) return status;
    return s->ops->update(s->self, t, v->crossed, events_are_due(v, t), v->y, v->yp, outcome);
}

/* Another root may be 0 at an event but for round-off, and is crossed just after it. */
static void keep_signs(events *v, double t)
{
    for (size_t k = 0; k < v->count; k++) {
        v->left[k] = t == v->high ? v->at_high[k] : t == v->t_now ? v->now[k] : (double)NAN;
        signed char before = v->left[k] != 0 ? sign_of(v->left[k]) : v->sign[k];
        bool known = v->sign[k] != 0 && !v->crossed[k] && isfinite(v->left[k]);
        v->kept[k] = known ? before : 0;
    }
}

/* A root that is not crossed and stays as it is, on the side of its sign, remains told from 0 as it
 * was before: a ball that turns close above the floor still falls onto it. */
static void keep_bands(events *v, const double *before)
{
    for (size_t k = 0; k < v->count; k++) {
        bool stays = !v->crossed[k] && v->now[k] == v->left[k] && v->now[k] * v->sign[k] > 0;
        if (stays && before[k] < v->band[k]) v->band[k] = before[k], v->edge[k] = 0;
    }
}

dae_status events_leave(events *v, const engine *e, double t)
{
    v->cut = true;
    keep_signs(v, t);
    memcpy(v->value, v->band, v->count * sizeof *v->band);
    dae_status status = take_now(v, e, t);
    if (status == DAE_OK) keep_bands(v, v->value);
    return status;
}

void events_keep_open(events *v, const signed char *stays)
{
    if (events_know_signs(v)) return; /* their number may be another one after the event */
    for (size_t k = 0; k < v->count; k++) {
        if (!stays[k]) continue;
        v->sign[k] = 0;
        v->slack[k] = fmax(v->slack[k], 2 * fabs(v->now[k]));
    }
}

void event_name_add(const char *one, text *to)
{
    static const char COMMA[] = ", ";
    size_t length = strlen(one), comma = strlen(COMMA);
    const char *list = text_string(to);
    for (const char *at = strstr(list, one); length && at; at = strstr(at + 1, one)) {
        bool begins = at == list || (at >= list + comma && memcmp(at - comma, COMMA, comma) == 0);
        bool ends = !at[length] || strncmp(at + length, COMMA, comma) == 0;
        if (begins && ends) return;
    }
    if (to->length) text_add(to, COMMA);
    text_add(to, one);
}

void event_name_crossed(const event_source *source, const signed char *crossed, text *t)
{
    text one = {0};
    for (size_t k = 0; k < source->count; k++) {
        if (!crossed[k]) continue;
        text_clear(&one);
        source->ops->name(source->self, k, &one);
        event_name_add(text_string(&one), t);
    }
    text_free(&one);
}

void events_name(const events *v, double t, text *to)
{
    event_name_crossed(v->source, v->crossed, to);
    if (events_are_due(v, t) && v->source->ops->name_due)
        v->source->ops->name_due(v->source->self, t, to);
}
