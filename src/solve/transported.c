#include "solve/transported.h"

#include "base/round_off.h"

#include <math.h>

/* A segment of the past, with x in it. */
typedef struct reading {
    const past *p;
    size_t carrier;
    past_window at;
    double begin, end;
} reading;

static double x_of(const reading *r, size_t order, double time)
{
    return past_value(r->p, r->carrier, &r->at, order, time);
}

static void take_segment(reading *r, uint64_t number)
{
    const past_segment *s = past_segment_at(r->p, number);
    r->at = (past_window){number, number};
    r->begin = s->t;
    r->end = s->to;
}

/* The segment in which x comes to a value, or the first or last one. */
static void find_segment(reading *r, const transported_piece *piece, double wanted)
{
    uint64_t newest = r->p->first + r->p->count - 1;
    uint64_t low = piece->first > r->p->first ? piece->first : r->p->first;
    uint64_t high = piece->last < newest ? piece->last : newest;
    double sign = piece->written == TRANSPORTED_AT_LEFT ? 1 : -1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        take_segment(r, middle);
        if (sign * (x_of(r, 0, r->end) - wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    take_segment(r, low);
}

/* Within the segment: Newton's iteration, with bisection where it leaves the bracket. */
static double solve_within(const reading *r, double wanted)
{
    enum { MOST = 100 };
    double low = r->begin, high = r->end, f_low = x_of(r, 0, low) - wanted;
    double at = low + 0.5 * (high - low);
    for (int i = 0; i < MOST; i++) {
        double f = x_of(r, 0, at) - wanted;
        if (f == 0) break;
        if ((f < 0) == (f_low < 0))
            low = at;
        else
            high = at;
        double next = at - f / x_of(r, 1, at);
        if (!(next > low && next < high)) next = low + 0.5 * (high - low);
        if (next == at || next <= low || next >= high) break;
        at = next;
    }
    return at;
}

/* Beyond an end of the segment, as far as the polynomial of x goes on at no less than this part of
 * its speed there, and by no more than the segment's length. */
static const double SLOWER = 0.5;

static double solve_beyond(const reading *r, double wanted, double end)
{
    enum { MOST = 20 };
    double speed = x_of(r, 1, end), at = end;
    for (int i = 0; i < MOST; i++) {
        double slope = x_of(r, 1, at);
        bool goes_on = slope * speed > SLOWER * speed * speed;
        if (!goes_on || !(fabs(at - end) <= r->end - r->begin)) return end;
        double next = at - (x_of(r, 0, at) - wanted) / slope;
        if (next == at || (i > 0 && fabs(next - at) <= ROUND_OFF_SUM * fabs(at))) return next;
        at = next;
    }
    return at;
}

/* *on: beyond the end of what is written up to now. */
static double time_of(reading *r, const transported_piece *piece, double label, bool *on)
{
    bool at_left = piece->written == TRANSPORTED_AT_LEFT;
    double wanted = at_left ? -label : 1 - label, sign = at_left ? 1 : -1;
    find_segment(r, piece, wanted);
    double before = sign * (wanted - x_of(r, 0, r->begin));
    double behind = sign * (wanted - x_of(r, 0, r->end));
    *on = behind > 0 && piece->last == PAST_OPEN;
    if (before == 0) return r->begin;
    if (behind == 0) return r->end;
    if (behind > 0) return solve_beyond(r, wanted, r->end);
    if (before < 0) return solve_beyond(r, wanted, r->begin);
    return solve_within(r, wanted);
}

double transported_time(const past *p, const transported_piece *piece, size_t carrier, double label)
{
    reading r = {.p = p, .carrier = carrier};
    bool on;
    return time_of(&r, piece, label, &on);
}

static double of_start(const transported_piece *piece, uint32_t order, double label)
{
    double slope = (piece->value_to - piece->value_from) / (piece->to - piece->from);
    if (order > 0) return order > 1 ? 0 : slope;
    double from_left = piece->value_from + slope * (label - piece->from);
    double from_right = piece->value_to + slope * (label - piece->to);
    return label - piece->from < piece->to - label ? from_left : from_right;
}

void transported_clip(transported_piece *piece, transported_end end, double x)
{
    double label = end == TRANSPORTED_AT_LEFT ? -x : 1 - x;
    double value = of_start(piece, 0, label); /* of the content at the start */
    if (end == TRANSPORTED_AT_LEFT) {
        piece->value_from = value;
        piece->from = label;
    } else {
        piece->value_to = value;
        piece->to = label;
    }
}

/* Derivatives of functions of the past: as the equations give them, where these are kept. */
static double derivative(const reading *r, size_t k, uint32_t order, double time)
{
    size_t given = r->p->functions / 2 + k;
    double value = past_value(r->p, given, &r->at, order - 1, time);
    return isnan(value) ? past_value(r->p, k, &r->at, order, time) : value;
}

/* By the label: d/dlabel = -1/x' d/dt, applied to Taylor polynomials at the time. */
static double by_label(const reading *r, size_t k, uint32_t order, double time)
{
    enum { MOST = 8 };
    double f[MOST + 1], w[MOST + 1], x[MOST + 1], factorial = 1;
    if (order > MOST) return (double)NAN;
    f[0] = past_value(r->p, k, &r->at, 0, time);
    for (uint32_t j = 1; j <= order; j++) {
        factorial *= j;
        f[j] = derivative(r, k, j, time) / factorial;
        x[j - 1] = derivative(r, r->carrier, j, time) * j / factorial; /* of x' */
    }
    w[0] = -1 / x[0];
    for (uint32_t j = 1; j < order; j++) {
        double sum = 0;
        for (uint32_t i = 1; i <= j; i++) sum += x[i] * w[j - i];
        w[j] = -sum / x[0];
    }
    for (uint32_t n = order; n > 0; n--) {
        double next[MOST + 1];
        for (uint32_t j = 0; j < n; j++) {
            next[j] = 0;
            for (uint32_t i = 0; i <= j; i++) next[j] += w[j - i] * (i + 1) * f[i + 1];
        }
        for (uint32_t j = 0; j < n; j++) f[j] = next[j];
    }
    return isfinite(f[0]) ? f[0] : 0; /* where the flow stood */
}

double transported_value(const past *p, const transported_piece *piece, size_t carrier,
                         uint32_t order, double label, double *reached)
{
    if (piece->written == TRANSPORTED_INITIAL) return of_start(piece, order, label);
    size_t k = piece->written == TRANSPORTED_AT_LEFT ? carrier - 2 : carrier - 1;
    if (piece->first >= p->first + p->count) return order > 0 ? 0 : p->behind[k];
    reading r = {.p = p, .carrier = carrier};
    bool on;
    double time = time_of(&r, piece, label, &on);
    if (on) *reached = time > r.end ? fmax(*reached, time) : HUGE_VAL;
    return order > 0 ? by_label(&r, k, order, time) : past_value(p, k, &r.at, 0, time);
}
