#include "solve/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The place of a pole is first narrowed down by WIDE halvings, then to NARROW in all. Between the
 * two, a pole of order 1 makes a side of the equation 32 times larger, within a factor of 2. A
 * quotient with a limit does not grow. More halvings would show the errors of its parts instead. */
enum { WIDE = 3, NARROW = 8 };
static const double GROWS = 8;

/* A side of at most this many tolerances does not count as a pole, because it may be all error. */
static const double LEAST_SIZE = 100;

/* The shortest steps, in units of round-off of the time; the time counts as LEAST_PART of the run
 * at least. Divisors must differ over such a step. */
static const double LEAST_UNITS = 1e5, LEAST_PART = 1e-3;

/* A divisor may bounce where it is below SMALL of its largest value and would lose more than LOSES
 * of its size by its slope at the start of the step. It bounces if it loses less than LESS of what
 * it would lose by the slopes at both ends, or if it grows by a factor of RISES and then falls
 * again. */
static const double SMALL = 0.125, LOSES = 0.5, LESS = 0.5, RISES = 1.25;

/* Slopes of divisors are differences over this part of a step. */
static const double ASIDE = 0x1p-10;

/* No error explains a value that is FAR tolerances beyond a pole. ALL_DIGITS halvings narrow the
 * place down to the last digits. */
static const double FAR = 100;
enum { ALL_DIGITS = 45 };

/* Two poles of one divisor closer than this part of the run count as the same. */
static const double NEAR = 1e-3;

void poles_carve(poles *p, size_t n, workspace *space)
{
    if (p->count == 0) return;
    workspace_vectors(space, p->count,
                      (double **[]){&p->before, &p->here, &p->aside, &p->largest, NULL});
    for (int k = 0; k < 2; k++) engine_point_carve(&p->end[k], n, space);
    engine_point_carve(&p->at, n, space);
}

static void evaluate(const poles *p, simulation *c, double t, const double *y, const double *yp,
                     double *divisor)
{
    c->ops->divisors(c, t, y, yp, divisor);
    for (size_t k = 0; k < p->count; k++)
        if (isnan(divisor[k])) divisor[k] = 0;
}

void poles_begin(poles *p, simulation *c, const engine *e)
{
    if (p->count == 0) return;
    engine_point_keep(&p->end[p->last], e);
    evaluate(p, c, e->t, e->y, e->yp, p->before);
    for (size_t k = 0; k < p->count; k++) p->largest[k] = fabs(p->before[k]);
}

/* Two times between which a divisor changes its sign, its value at the first, and the way between
 * them. Where a step is as short as round-off, the tangent at its end covers the neighbourhood of
 * that, and the chord goes straight from its start to its end. A step that bounces is examined
 * along the tangent at its start. */
typedef struct bracket {
    double low, high, low_value;
    const engine_point *tangent; /* NULL: on the polynomial of the step, */
    bool on_chord;               /* or on its chord */
} bracket;

static double shortest(const engine *e, double whole)
{
    return LEAST_UNITS * DBL_EPSILON * fmax(fabs(e->t), LEAST_PART * whole);
}

static bracket around(const poles *p, engine *e, size_t which)
{
    const dense_output *step = engine_polynomial(e);
    return (bracket){.low = step->t, .high = step->t + step->h, .low_value = p->before[which]};
}

/* Goes from a point along its slope for the time `way`. */
static void go_along(const poles *p, size_t n, const engine_point *from, double way)
{
    for (size_t k = 0; k < n; k++) p->at.y[k] = from->y[k] + way * from->yp[k];
    memcpy(p->at.yp, from->yp, n * sizeof *p->at.yp);
}

static void go_to(const poles *p, engine *e, const bracket *b, double t)
{
    const dense_output *step = engine_polynomial(e);
    double part = (t - step->t) / step->h;
    if (b->tangent) {
        go_along(p, e->problem->n, b->tangent, t - b->tangent->t);
        return;
    }
    dense_output_evaluate(step, b->on_chord ? step->t : t, p->at.y, p->at.yp);
    for (size_t k = 0; b->on_chord && k < e->problem->n; k++) {
        p->at.y[k] = (1 - part) * p->at.y[k] + part * e->y[k];
        p->at.yp[k] = e->yp[k];
    }
}

static double size_at(const poles *p, simulation *c, engine *e, const bracket *b, double t,
                      size_t which)
{
    go_to(p, e, b, t);
    return c->ops->divided(c, t, p->at.y, p->at.yp, which);
}

static double narrow(const poles *p, simulation *c, engine *e, size_t which, int halvings,
                     bracket *b)
{
    for (int i = 0; i < halvings; i++) {
        double middle = b->low + 0.5 * (b->high - b->low);
        go_to(p, e, b, middle);
        evaluate(p, c, middle, p->at.y, p->at.yp, p->here);
        if (p->here[which] * b->low_value > 0)
            b->low = middle;
        else
            b->high = middle;
    }
    return fmin(size_at(p, c, e, b, b->low, which), size_at(p, c, e, b, b->high, which));
}

static bool grows(const poles *p, simulation *c, engine *e, size_t which, bracket b)
{
    double least = LEAST_SIZE * fmax(e->options.rtol, e->options.atol);
    double wide = narrow(p, c, e, which, WIDE, &b);
    return narrow(p, c, e, which, NARROW - WIDE, &b) > fmax(least, GROWS * wide);
}

/* Whether the sign change of a divisor is a pole. Near a pole that longer steps have found, the
 * sides in a step of round-off are arbitrary, so that pole counts. */
static bool is_pole(const poles *p, simulation *c, engine *e, size_t which, double whole)
{
    const double wide = copysign(shortest(e, whole), e->dense.h);
    const bracket b = around(p, e, which);
    bracket chord = b;
    if (fabs(e->dense.h) >= fabs(wide)) return grows(p, c, e, which, b);
    if (p->seen == which + 1 && fabs(e->t - p->seen_at) < NEAR * whole) return true;
    const bracket tangent = {e->t - wide, e->t + wide, b.low_value, &p->end[!p->last], false};
    chord.on_chord = true;
    return grows(p, c, e, which, tangent) || grows(p, c, e, which, chord);
}

/* The loss of a divisor over a step of length h by its slope at a point; below 0 it grows. */
static double loss_at(const poles *p, simulation *c, size_t n, const engine_point *at, double h,
                      size_t which)
{
    evaluate(p, c, at->t, at->y, at->yp, p->aside);
    double value = p->aside[which];
    go_along(p, n, at, ASIDE * h);
    evaluate(p, c, at->t + ASIDE * h, p->at.y, p->at.yp, p->aside);
    return copysign(1, value) * (value - p->aside[which]) / ASIDE;
}

/* Whether a step that ends on the side where it began has passed 0 by its slopes, and is at a pole.
 */
static bool bounces(const poles *p, simulation *c, engine *e, const engine_point *begun,
                    size_t which)
{
    double h = e->t - begun->t, was = fabs(p->before[which]), is = fabs(p->here[which]);
    size_t n = e->problem->n;
    double first = loss_at(p, c, n, begun, h, which);
    if (!(first > LOSES * was && was - is < LESS * first)) return false;
    double last = loss_at(p, c, n, &p->end[!p->last], h, which), least = fmin(first, last);
    bool against = least > LOSES * was && was - is < LESS * least;
    bool rises = last > 0 && is > RISES * was;
    if (!against && !rises) return false;
    bracket b = {begun->t, begun->t + 2 * h * fmax(1, was / first), p->before[which], begun, false};
    return grows(p, c, e, which, b);
}

/* Whether the run has passed a pole that no step could avoid and continues on the same side. */
static bool passes_by(poles *p, const engine *e, double whole)
{
    if (p->met == 0) return false;
    if (p->here[p->met - 1] * p->side < 0) p->met = 0;
    return p->met && (e->t - p->met_at) * e->options.direction > NEAR * whole;
}

/* Whether a divisor is beyond a pole by more than an error. A step from before the pole to there is
 * repeated. If the last step ended beyond the pole by no more than an error, and this one moves
 * further, no step could avoid the pole, and the run ends. */
static bool is_beyond(poles *p, simulation *c, engine *e, const engine_point *begun, size_t which)
{
    bool known = p->doubted == which + 1;
    double pole = p->doubted_at;
    const engine_point *last = &p->end[p->last], *end = &p->end[!p->last];
    if (!known) {
        bracket b = around(p, e, which);
        narrow(p, c, e, which, ALL_DIGITS, &b);
        go_to(p, e, &b, b.low);
        const engine_point between = {b.low, p->at.y, p->at.yp};
        if (!c->ops->has_pole(c, begun, end, &between, which, &pole) &&
            !c->ops->has_pole(c, last, end, &between, which, &pole))
            return false;
    }
    bool far = c->ops->beyond(c, end, which, pole) > FAR;
    if (!far && p->doubted == 0) {
        p->doubted = which + 1;
        p->doubted_at = pole;
    }
    p->by = known && far;
    return far;
}

static bool passes_pole(poles *p, simulation *c, engine *e, const engine_point *begun, size_t which,
                        double whole)
{
    bool known = p->doubted == which + 1;
    if (!(p->here[which] * p->before[which] < 0)) return bounces(p, c, e, begun, which);
    return (!known && is_pole(p, c, e, which, whole)) || is_beyond(p, c, e, begun, which);
}

bool poles_look(poles *p, simulation *c, engine *e, const engine_point *begun, double whole)
{
    p->crossed = false;
    if (p->count == 0) return false;
    engine_point_keep(&p->end[!p->last], e);
    p->looked = true;
    evaluate(p, c, e->t, e->y, e->yp, p->here);
    if (p->doubted && p->here[p->doubted - 1] * p->before[p->doubted - 1] > 0) p->doubted = 0;
    p->by = passes_by(p, e, whole);
    if (p->by) {
        p->which = p->met - 1;
        return true;
    }
    for (size_t k = 0; k < p->count; k++) {
        bool passes = p->here[k] * p->before[k] < 0,
             small = fabs(p->before[k]) < SMALL * p->largest[k];
        if (!passes && !small) continue;
        bool pole = passes_pole(p, c, e, begun, k, whole);
        evaluate(p, c, e->t, e->y, e->yp, p->here);
        p->which = k;
        if (!pole) continue;
        p->seen = k + 1;
        p->seen_at = e->t;
        return true;
    }
    return false;
}

bool poles_can_shorten(poles *p, const engine *e, double part, double whole)
{
    if (!p->by && part * fabs(e->dense.h) > shortest(e, whole)) return true;
    if (p->met == 0) {
        p->met = p->which + 1;
        p->met_at = e->t;
        p->side = p->before[p->which];
    }
    return false;
}

void poles_keep(poles *p)
{
    if (p->looked) p->last = !p->last;
    p->looked = false;
    for (size_t k = 0; k < p->count; k++) {
        if (p->here[k] != 0 && p->doubted != k + 1) p->before[k] = p->here[k];
        p->largest[k] = fmax(p->largest[k], fabs(p->here[k]));
    }
}
