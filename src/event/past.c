#include "event/past.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static size_t place(const past *p, uint64_t number)
{
    return (size_t)(number % p->capacity);
}

static past_segment *segment_of(const past *p, uint64_t number)
{
    return &p->segment[place(p, number)];
}

static double *coefficients(const past *p, uint64_t number, size_t k)
{
    return p->coefficient + (place(p, number) * p->functions + k) * PAST_MOST_NODES;
}

static unsigned char *level_of(const past *p, uint64_t number, size_t k)
{
    return &p->level[place(p, number) * p->functions + k];
}

static uint64_t newest(const past *p)
{
    return p->first + p->count - 1;
}

/* --- growth --- */

/* Segments keep their numbers, by which they lie in the ring. */
static dae_status grow(past *p, size_t capacity)
{
    past wide = *p;
    size_t n = p->functions;
    wide.capacity = capacity;
    wide.segment = calloc(capacity, sizeof *wide.segment);
    wide.coefficient = calloc(capacity * n * PAST_MOST_NODES + 1, sizeof(double));
    wide.level = calloc(capacity * n + 1, 1);
    if (!wide.segment || !wide.coefficient || !wide.level) {
        free(wide.segment);
        free(wide.coefficient);
        free(wide.level);
        return DAE_NO_MEMORY;
    }
    for (uint64_t i = p->first; i < p->first + p->count; i++) {
        *segment_of(&wide, i) = *segment_of(p, i);
        for (size_t k = 0; k < n; k++) {
            memcpy(coefficients(&wide, i, k), coefficients(p, i, k),
                   PAST_MOST_NODES * sizeof(double));
            *level_of(&wide, i, k) = *level_of(p, i, k);
        }
    }
    free(p->segment);
    free(p->coefficient);
    free(p->level);
    *p = wide;
    return DAE_OK;
}

dae_status past_begin(past *p, size_t functions, double t, const double *value, unsigned char level)
{
    enum { FIRST_CAPACITY = 64 };
    if (p->functions != functions) past_free(p);
    p->functions = functions;
    p->first = p->count = 0;
    if (!p->behind) p->behind = calloc(functions + 1, sizeof *p->behind);
    if (!p->behind) return DAE_NO_MEMORY;
    dae_status status = p->capacity ? DAE_OK : grow(p, FIRST_CAPACITY);
    if (status != DAE_OK) return status;
    p->count = 1;
    *segment_of(p, 0) = (past_segment){.t = t, .to = t, .nodes = 1};
    for (size_t k = 0; k < functions; k++) *level_of(p, 0, k) = level;
    past_set_start(p, value);
    return DAE_OK;
}

void past_set_start(past *p, const double *value)
{
    for (size_t k = 0; k < p->functions; k++) p->behind[k] = coefficients(p, 0, k)[0] = value[k];
}

double past_node(size_t i, size_t nodes, double t, double h)
{
    if (i + 1 == nodes) return t + h;
    return t + 0.5 * h * (1 - cos(PI * (double)i / (double)(nodes - 1)));
}

/* Values at x = -cos(pi i / m), i = 0 ... m: the coefficients of the interpolating polynomial, by
 * the discrete cosine transform. */
static void interpolate(size_t nodes, size_t functions, const double *value, double *coefficient)
{
    size_t m = nodes - 1, same = 0;
    while (same < nodes && value[same * functions] == value[0]) same++;
    for (size_t j = 0; j < nodes; j++) {
        double sum = 0;
        for (size_t i = 0; i < nodes; i++) {
            double half = i == 0 || i == m ? 0.5 : 1;
            sum += half * value[i * functions] * cos(PI * (double)(j * (m - i)) / (double)m);
        }
        coefficient[j] = sum * (j == 0 || j == m ? 1 : 2) / (double)m;
        if (same == nodes) coefficient[j] = j == 0 ? value[0] : 0; /* it is compared, as a count */
    }
}

dae_status past_add(past *p, double t, double h, size_t nodes, const double *value)
{
    if (p->count == p->capacity) {
        dae_status status = grow(p, 2 * p->capacity);
        if (status != DAE_OK) return status;
    }
    p->count++;
    *segment_of(p, newest(p)) = (past_segment){.t = t, .h = h, .to = t + h, .nodes = nodes};
    for (size_t k = 0; k < p->functions; k++) {
        interpolate(nodes, p->functions, value + k, coefficients(p, newest(p), k));
        *level_of(p, newest(p), k) = PAST_SMOOTH;
        p->behind[k] = value[(nodes - 1) * p->functions + k];
    }
    return DAE_OK;
}

void past_drop_from(past *p, double t)
{
    while (p->count > 1 && segment_of(p, newest(p))->t >= t) p->count--;
}

past_window past_newest(const past *p)
{
    return (past_window){newest(p), PAST_OPEN};
}

void past_drop(past *p, const double *behind)
{
    p->count--;
    memcpy(p->behind, behind, p->functions * sizeof *behind);
}

double past_tail(size_t functions, size_t k, size_t nodes, const double *value)
{
    double coefficient[PAST_MOST_NODES];
    interpolate(nodes, functions, value + k, coefficient);
    return fabs(coefficient[nodes - 1]) + fabs(coefficient[nodes - 2]);
}

void past_mark(past *p, size_t k, unsigned char level)
{
    unsigned char *is = level_of(p, newest(p), k);
    if (level < *is) *is = level;
}

void past_forget(past *p, double t)
{
    while (p->count > 1 && segment_of(p, p->first)->to < t) {
        p->first++;
        p->count--;
    }
}

const past_segment *past_segment_at(const past *p, uint64_t number)
{
    return segment_of(p, number);
}

double past_end(const past *p)
{
    return segment_of(p, newest(p))->to;
}

/* --- windows --- */

double past_window_from(const past *p, const past_window *w)
{
    return w->first <= p->first ? -HUGE_VAL : segment_of(p, w->first - 1)->to;
}

double past_window_to(const past *p, const past_window *w)
{
    if (w->last == PAST_OPEN) return HUGE_VAL;
    return w->last < p->first ? -HUGE_VAL : segment_of(p, w->last)->to;
}

unsigned char past_window_level(const past *p, size_t k, const past_window *w)
{
    return w->last == PAST_OPEN || w->last < p->first ? PAST_SMOOTH : *level_of(p, w->last, k);
}

static void find_last(const past *p, size_t k, past_window *w)
{
    w->last = PAST_OPEN;
    for (uint64_t i = w->first; i <= newest(p) && w->last == PAST_OPEN; i++)
        if (*level_of(p, i, k) != PAST_SMOOTH) w->last = i;
}

void past_close_window(const past *p, size_t k, past_window *w)
{
    bool marked = *level_of(p, newest(p), k) != PAST_SMOOTH;
    if (w->last == PAST_OPEN && w->first <= newest(p) && marked) w->last = newest(p);
}

void past_next_window(const past *p, size_t k, past_window *w)
{
    if (w->last == PAST_OPEN) return;
    w->first = w->last + 1;
    if (w->first < p->first) w->first = p->first;
    find_last(p, k, w);
}

void past_last_window(const past *p, size_t k, past_window *w)
{
    if (w->first <= p->first) return;
    w->last = w->first - 1;
    w->first = w->last;
    while (w->first > p->first && *level_of(p, w->first - 1, k) == PAST_SMOOTH) w->first--;
}

/* --- values --- */

/* sum c_j T_j(x), j < nodes, by Clenshaw's recurrence. */
static double clenshaw(size_t nodes, const double *c, double x)
{
    double b1 = 0, b2 = 0;
    for (size_t j = nodes - 1; j > 0; j--) {
        double b = c[j] + 2 * x * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return c[0] + x * b1 - b2;
}

/* The coefficients of the derivative, in place (Mason & Handscomb, Chebyshev Polynomials, 2003,
 * Sec. 2.4.5). */
static void differentiate(size_t nodes, double *c)
{
    double above = 0, above2 = 0;
    for (size_t j = nodes - 1; j > 0; j--) {
        double d = above2 + 2 * (double)j * c[j];
        c[j] = above;
        above2 = above;
        above = d;
    }
    c[0] = 0.5 * above;
}

static double value_of(const past *p, uint64_t number, size_t k, size_t order, double at)
{
    const past_segment *s = segment_of(p, number);
    const double *c = coefficients(p, number, k);
    if (s->nodes == 1) return order > 0 ? 0 : c[0];
    double x = 2 * (at - s->t) / s->h - 1;
    if (order == 0) return clenshaw(s->nodes, c, x);
    double derived[PAST_MOST_NODES];
    memcpy(derived, c, s->nodes * sizeof *c);
    for (size_t j = 0; j < order; j++) differentiate(s->nodes, derived);
    return clenshaw(s->nodes, derived, x) * pow(2 / s->h, (double)order);
}

/* The first segment from `low` to `high` that ends at or after a time; `high` if none does. */
static uint64_t search(const past *p, uint64_t low, uint64_t high, double at)
{
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (segment_of(p, middle)->to < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double past_value(const past *p, size_t k, const past_window *w, size_t order, double at)
{
    uint64_t low = w->first > p->first ? w->first : p->first;
    uint64_t high = w->last < newest(p) ? w->last : newest(p);
    if (low > newest(p)) return order > 0 ? 0 : p->behind[k];
    if (high < low) high = low;
    return value_of(p, search(p, low, high, at), k, order, at);
}

/* Parts of a segment shorter than this do not tell a slope. */
static const double SHORT = 1e-6;

/* Gives function k this value at x of the newest segment, -1 to 1, and leaves it at the begin. */
static void bend(past *p, size_t k, double x, double value)
{
    const past_segment *s = segment_of(p, newest(p));
    double *c = coefficients(p, newest(p), k), off = value - clenshaw(s->nodes, c, x);
    bool tells = x + 1 > SHORT;
    if (tells) c[1] += off / (x + 1);
    c[0] += tells ? off / (x + 1) : off;
}

/* Values at an event are those by which its instant was found. A value that is a little beside
 * them, as an interpolated one is, would pass a threshold at another instant after the lag. */
void past_cut(past *p, double t, const double *value, size_t count)
{
    past_drop_from(p, t);
    past_segment *last = segment_of(p, newest(p));
    if (last->nodes == 1 || last->to < t) return;
    last->to = t;
    for (size_t k = 0; k < count; k++) bend(p, k, 2 * (t - last->t) / last->h - 1, value[k]);
}

void past_state(past *p, state_visit *s)
{
    size_t capacity = p->capacity;
    STATE(s, capacity);
    if (s->way == STATE_RESTORE && capacity > p->capacity) {
        dae_status status = grow(p, capacity);
        if (status != DAE_OK) {
            state_fail(s, status);
            return;
        }
    }
    STATE(s, p->first);
    STATE(s, p->count);
    for (uint64_t i = p->first; i < p->first + p->count; i++) {
        STATE(s, *segment_of(p, i));
        for (size_t k = 0; k < p->functions; k++) {
            state_doubles(s, coefficients(p, i, k), PAST_MOST_NODES);
            STATE(s, *level_of(p, i, k));
        }
    }
    state_doubles(s, p->behind, p->functions);
}

void past_free(past *p)
{
    free(p->segment);
    free(p->coefficient);
    free(p->level);
    free(p->behind);
    *p = (past){0};
}
