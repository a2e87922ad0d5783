#include "event/events.h"

#include "base/round_off.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The number of points of a step, its end included, at which signs are examined. */
enum { LOOKS = 5 };

/* The limit of iterations for a root. The Illinois variant of regula falsi (Dowell & Jarratt, BIT
 * 11 (1971) 168) takes about ten; every third iteration halves the interval. */
enum { MOST_ITERATIONS = 200 };

/* Two times closer than this are one instant. */
static double resolution(double t)
{
    return ROUND_OFF_VALUE * fabs(t) + DBL_MIN;
}

static void carve(events *v)
{
    size_t count = v->source->count;
    v->sign = workspace_take(&v->space, count, sizeof *v->sign);
    v->crossed = workspace_take(&v->space, count, sizeof *v->crossed);
    workspace_vectors(&v->space, count, (double **[]){&v->value, &v->at_low, &v->at_high, NULL});
    workspace_vectors(&v->space, v->n, (double **[]){&v->y, &v->yp, NULL});
}

static signed char sign_of(double value)
{
    return (signed char)((value > 0) - (value < 0));
}

dae_status events_begin(events *v, const event_source *source, const engine *e)
{
    events_free(v);
    if (!source) return DAE_OK;
    *v = (events){.source = source, .n = e->problem->n, .next = HUGE_VAL};
    carve(v);
    if (workspace_allocate(&v->space) != DAE_OK) return DAE_NO_MEMORY;
    carve(v);
    dae_status status = source->ops->roots(source->self, e->t, e->y, e->yp, v->value);
    for (size_t k = 0; k < source->count; k++) v->sign[k] = sign_of(v->value[k]);
    if (source->ops->sides) source->ops->sides(source->self, v->sign);
    return status;
}

void events_free(events *v)
{
    workspace_free(&v->space);
    *v = (events){.next = HUGE_VAL};
}

void events_look_ahead(events *v, const engine *e)
{
    const event_source *s = v->source;
    if (s && s->ops->next) v->next = s->ops->next(s->self, e->t, e->options.direction);
}

/* v->y and v->yp at a time of the last step. */
static void take_state(events *v, engine *e, double t)
{
    if (t != e->t) {
        dense_output_evaluate(engine_polynomial(e), t, v->y, v->yp);
    } else {
        memcpy(v->y, e->y, v->n * sizeof *v->y);
        memcpy(v->yp, e->yp, v->n * sizeof *v->yp);
    }
}

static dae_status roots_at(events *v, engine *e, double t, double *value)
{
    take_state(v, e, t);
    return v->source->ops->roots(v->source->self, t, v->y, v->yp, value);
}

/* Whether a change of root k to this value is an event. */
static bool counts(const events *v, size_t k, double value)
{
    signed char now = sign_of(value), wanted = v->source->direction ? v->source->direction[k] : 0;
    if (v->sign[k] == 0 || now == v->sign[k]) return false;
    return wanted == 0 || wanted == -v->sign[k];
}

static bool any_counts(const events *v, const double *value)
{
    for (size_t k = 0; k < v->source->count; k++)
        if (counts(v, k, value[k])) return true;
    return false;
}

/* The time between `low` and `high` of the first root that counts, by secants through the values at
 * both. */
static double first_secant(const events *v, double low, double high)
{
    double part = 1;
    for (size_t k = 0; k < v->source->count; k++) {
        double a = v->at_low[k], b = v->at_high[k];
        if (counts(v, k, b) && a != b) part = fmin(part, a / (a - b));
    }
    return low + part * (high - low);
}

/* Finds the first event after `low`, of those that have happened at `high`. *high becomes the
 * earliest time known to lie behind it, and v->at_high the values there. */
static dae_status locate(events *v, engine *e, double low, double *high)
{
    size_t count = v->source->count;
    bool was_behind = false;
    for (int i = 0; i < MOST_ITERATIONS && fabs(*high - low) > resolution(*high); i++) {
        double t = i % 3 == 2 ? low + 0.5 * (*high - low) : first_secant(v, low, *high);
        double nearest = 0.5 * resolution(*high) * (*high > low ? 1 : -1);
        if (!(fabs(t - low) > fabs(nearest))) t = low + nearest;
        if (!(fabs(*high - t) > fabs(nearest))) t = *high - nearest;
        dae_status status = roots_at(v, e, t, v->value);
        if (status != DAE_OK) return status;
        bool behind = any_counts(v, v->value);
        memcpy(behind ? v->at_high : v->at_low, v->value, count * sizeof *v->value);
        /* an end that stays twice in a row has its values halved, so that it moves too (Illinois)
         */
        double *other = behind ? v->at_low : v->at_high;
        for (size_t k = 0; k < count && i > 0 && behind == was_behind; k++) other[k] *= 0.5;
        was_behind = behind;
        *(behind ? high : &low) = t;
    }
    return roots_at(v, e, *high, v->at_high);
}

dae_status events_look(events *v, engine *e, double *t, bool *found)
{
    *found = v->cut = false;
    if (!v->source) return DAE_OK;
    const dense_output *step = engine_polynomial(e);
    double low = step->t, length = e->t - step->t;
    dae_status status = roots_at(v, e, low, v->at_low);
    for (int k = 1; status == DAE_OK && k <= LOOKS; k++) {
        double high = k == LOOKS ? e->t : step->t + length * k / LOOKS;
        status = roots_at(v, e, high, v->at_high);
        if (status == DAE_OK && any_counts(v, v->at_high)) {
            *found = true;
            *t = high;
            return locate(v, e, low, t);
        }
        for (size_t i = 0; i < v->source->count; i++) /* signs may change without an event */
            if (v->at_high[i] != 0 && !v->source->ops->sides) v->sign[i] = sign_of(v->at_high[i]);
        memcpy(v->at_low, v->at_high, v->source->count * sizeof *v->at_low);
        low = high;
    }
    return status;
}

bool events_are_due(const events *v, double t)
{
    return v->source && t == v->next;
}

double events_limit(const events *v, const engine *e, double t_end)
{
    double direction = e->options.direction;
    bool before = v->source && (v->next - t_end) * direction < 0;
    return before && (v->next - e->t) * direction > 0 ? v->next : t_end;
}

dae_status events_update(events *v, engine *e, double t, event_outcome *outcome)
{
    const event_source *s = v->source;
    *outcome = (event_outcome){0};
    for (size_t k = 0; k < s->count; k++)
        v->crossed[k] = counts(v, k, v->at_high[k]) ? (signed char)-v->sign[k] : 0;
    take_state(v, e, t);
    dae_status status = s->ops->update(s->self, t, v->crossed, events_are_due(v, t), v->y, v->yp,
                                       outcome);
    if (outcome->replaced) return status; /* begun anew by the caller */
    if (status == DAE_OK) status = s->ops->roots(s->self, t, v->y, v->yp, v->value);
    /* A crossed root is about 0 here: its sign is taken from the next values. */
    for (size_t k = 0; k < s->count; k++) v->sign[k] = v->crossed[k] ? 0 : sign_of(v->value[k]);
    if (s->ops->sides) s->ops->sides(s->self, v->sign);
    return status;
}

void events_name(const events *v, text *t)
{
    bool any = false;
    for (size_t k = 0; k < v->source->count; k++) {
        if (!v->crossed[k]) continue;
        if (any) text_add(t, ", ");
        any = true;
        v->source->ops->name(v->source->self, k, t);
    }
}
