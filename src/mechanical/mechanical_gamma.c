/* gamma: the time derivatives of the velocity constraints for v' = 0. It is the author's function,
 * or differences along the direction (1, S v).
 *
 * The right distance for differences depends on the author's unit of time and on how fast the
 * constraints vary: a rod may be driven within nanoseconds or over a year. So it is searched for
 * once, from short distances outward. */
#include "base/round_off.h"
#include "mechanical/mechanical_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* FARTHEST: coordinates move at most by this fraction of their size. Central differences at four
 * distances are extrapolated to order 8 (Richardson). The last correction, of order 6, must be
 * below SETTLED times the value or below the round-off of the terms; the error of the result is
 * then far smaller. CLOSER: factor between trials. */
static const double FARTHEST = 0x1p-3, SETTLED = 1e-11, CLOSER = 0.25;

/* CLOSEST: the shortest distance of that search, as a fraction of the time in which coordinates
 * move as far as allowed; at rest, of a second. LONGEST: the longest distance at rest, in s. WIDER:
 * later calls start at most this factor beyond the best distance. SLOWER: if no row was seen to
 * vary, the search is repeated once motions are slower by this factor. */
static const double CLOSEST = 0x1p-60, LONGEST = 0x1p40, WIDER = 16, SLOWER = 16;

/* Distances below this fraction of a large t are rounded when they are added to t. */

/* If t is so large that all distances are rounded, the shortest is at most this fraction of the
 * longest, so that some are tried. */
static const double CLOSEST_OF_LATE = 0x1p-8;
static const double OF_TERMS = 2 * ROUND_OFF_SUM;

/* Relative round-off of times inside the author's functions, in products such as 1.3 t. */

enum { MOST_TRIALS = 12 };

/* The velocity level at a distance along (1, S v), with v held. Where the form says that no
 * constraint depends on time, functions are not called at other times. */
static dae_status velocity_along(mechanical_state *s, double distance, double *c)
{
    const dae_mechanical_form *f = &s->form->given;
    double delay = f->constraint_t || f->nonholonomic || f->kinematics ? distance : 0;
    for (size_t j = 0; j < s->form->nq; j++) s->moved_q[j] = s->at_q[j] + distance * s->rate_q[j];
    return mechanical_velocity(&s->base, s->at_t + delay, s->moved_q, s->at_v, c);
}

static dae_status quotient(mechanical_state *s, double distance, double *rate)
{
    double *before = s->before;
    dae_status status = velocity_along(s, distance, rate);
    if (status == DAE_OK) status = velocity_along(s, -distance, before);
    for (size_t i = 0; status == DAE_OK && i < s->form->constraints; i++) {
        s->size[i] = fmax(s->size[i], fmax(fabs(rate[i]), fabs(before[i])));
        rate[i] = (rate[i] - before[i]) / (2 * distance);
    }
    return status;
}

/* The differences at MECHANICAL_DISTANCES distances, extrapolated to distance 0. *correction
 * becomes the size of the last correction. */
static double extrapolate(double *value, double *correction)
{
    double power = 1;
    for (int last = MECHANICAL_DISTANCES - 1; last > 0; last--) {
        power *= 4;
        *correction = fabs(value[last] - value[last - 1]) / (power - 1);
        for (int k = 0; k < last; k++)
            value[k] = value[k + 1] + (value[k + 1] - value[k]) / (power - 1);
    }
    return value[0];
}

/* gamma from differences at `distance` and smaller ones. Each row keeps the value with the smallest
 * last correction. *error becomes the largest ratio of a correction to its limit. */
static dae_status look(mechanical_state *s, double distance, double *gamma, double *error)
{
    dae_status status = DAE_OK;
    for (int k = 0; status == DAE_OK && k < MECHANICAL_DISTANCES; k++)
        status = quotient(s, ldexp(distance, -k), s->quotient[k]);
    *error = 0;
    for (size_t i = 0; status == DAE_OK && i < s->form->constraints; i++) {
        double value[MECHANICAL_DISTANCES], correction = 0, steepest = 0;
        for (int k = 0; k < MECHANICAL_DISTANCES; k++) {
            value[k] = s->quotient[k][i];
            steepest = fmax(steepest, fabs(value[k]));
        }
        double found = extrapolate(value, &correction);
        double noise = OF_TERMS * s->size[i] + ROUND_OFF_VALUE * fabs(s->at_t) * steepest;
        double most = SETTLED * fabs(found) + noise / distance;
        if (correction > most) *error = fmax(*error, correction / most);
        if (!(correction + noise / distance < s->doubt[i])) continue;
        s->doubt[i] = correction + noise / distance;
        gamma[i] = found;
    }
    return status;
}

static double power_below(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

/* The time in which coordinates move as far as allowed; HUGE_VAL at rest. It is a power of 2, so
 * that large times plus such distances are not rounded. */
static double farthest(const mechanical_state *s)
{
    double distance = HUGE_VAL;
    for (size_t j = 0; j < s->form->nq; j++) {
        double way = FARTHEST * fmax(fabs(s->at_q[j]), s->nominal_q[j]);
        double speed = fabs(s->rate_q[j]);
        if (distance * speed > way) distance = way / speed;
    }
    return distance < HUGE_VAL ? power_below(distance) : distance;
}

static dae_status level_along(void *self, double distance, double *c)
{
    return velocity_along(self, distance, c);
}

/* The distance along the direction that corresponds to round-off of the coordinates or of time. */
static double rounding_on_way(const mechanical_state *s)
{
    double part = 0, speed = 0;
    for (size_t j = 0; j < s->form->nq; j++) {
        double size = fmax(fabs(s->at_q[j]), s->nominal_q[j]);
        part = fmax(part, fabs(s->at_q[j]) / size);
        speed = fmax(speed, fabs(s->rate_q[j]) / size);
    }
    double rounding = speed > 0 ? OF_TERMS * part / speed : 0;
    return fmax(rounding, ROUND_OFF_VALUE * fabs(s->at_t));
}

static derivative_range outward_range(const mechanical_state *s, double most)
{
    bool at_rest = most == HUGE_VAL;
    double least = CLOSEST * (at_rest ? 1 : most), late = ROUND_OFF_LONG_SUM * fabs(s->at_t);
    if (at_rest) most = LONGEST;
    least = fmax(least, power_below(fmax(late, DBL_MIN)));
    return (derivative_range){.rows = s->form->constraints,
                              .least = fmin(least, most * CLOSEST_OF_LATE),
                              .most = most,
                              .noise = s->noise,
                              .argument = rounding_on_way(s)};
}

/* Search outward into s->outward. s->reach becomes the longest distance at which later calls start.
 */
static dae_status look_outward(mechanical_state *s, double most)
{
    const derivative_range range = outward_range(s, most);
    for (size_t i = 0; i < range.rows; i++) s->noise[i] = OF_TERMS * s->size[i];
    s->reach = 0;
    s->seen = range.most;
    dae_status status = derivative_outward_find(s->outward, level_along, s, &range);
    for (size_t i = 0; status == DAE_OK && i < range.rows; i++)
        if (s->outward->risen[i]) s->reach = fmax(s->reach, WIDER * s->outward->distance[i]);
    return status;
}

/* Where there are no values farther off on one side, differences to the other side may be better.
 */
static dae_status look_aside(mechanical_state *s, double most, double *gamma)
{
    double reach = s->reach, seen = s->seen;
    dae_status status = look_outward(s, most);
    s->reach = reach;
    s->seen = seen;
    for (size_t i = 0; status == DAE_OK && i < s->form->constraints; i++) {
        if (!(s->outward->error[i] < s->doubt[i])) continue;
        s->doubt[i] = s->outward->error[i];
        gamma[i] = s->outward->derivative[i];
    }
    return status;
}

/* Shrink distances until the values agree, at most MOST_TRIALS times. */
static dae_status look_inward(mechanical_state *s, double distance, double *gamma)
{
    double error = HUGE_VAL, most = distance;
    bool found = false, edge = false;
    for (int k = 0; k < MOST_TRIALS && error > 1; k++, distance *= CLOSER) {
        dae_status status = look(s, distance, gamma, &error);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
        if (status == DAE_NOT_EVALUABLE) error = HUGE_VAL;
        edge = edge || status == DAE_NOT_EVALUABLE;
        found = found || status == DAE_OK;
    }
    if (!edge || error <= 1) return DAE_OK;
    dae_status status = look_aside(s, most, gamma);
    return found && status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

static dae_status prepare(mechanical_state *s, double t, const double *q, const double *v)
{
    dae_status status = mechanical_call_parts(s, t, q, &s->there);
    if (status != DAE_OK) return status;
    mechanical_rate(s, &s->there, v, s->rate_q);
    s->at_t = t;
    s->at_q = q;
    s->at_v = v;
    /* the sizes of the terms of the velocity level */
    const mechanical_form *f = s->form;
    miss_terms(f->position.pattern, s->there.position, s->rate_q, NULL, s->size);
    miss_terms(f->velocity.pattern, s->there.velocity, v, NULL, s->size + f->holonomic);
    return DAE_OK;
}

dae_status mechanical_gamma_outward(mechanical_state *s, double t, const double *q, const double *v)
{
    dae_status status = prepare(s, t, q, v);
    if (status == DAE_OK) status = look_outward(s, farthest(s));
    s->seen = 0;
    return status;
}

/* Gamma by differences; s->doubt receives an estimate of its error. */
static dae_status gamma_by_differences(mechanical_state *s, double t, const double *q,
                                       const double *v, double *gamma)
{
    dae_status status = prepare(s, t, q, v);
    if (status != DAE_OK) return status;
    double most = farthest(s);
    bool unknown = s->seen == 0 || (s->reach == 0 && fmin(most, LONGEST) > SLOWER * s->seen);
    if (unknown) status = look_outward(s, most);
    if (status != DAE_OK) return status;
    if (s->reach > 0) most = fmin(most, s->reach);
    for (size_t i = 0; i < s->form->constraints; i++)
        s->doubt[i] = HUGE_VAL, gamma[i] = (double)NAN;
    return look_inward(s, fmin(most, LONGEST), gamma);
}

dae_status mechanical_gamma(mechanical *m, double t, const double *q, const double *v,
                            double *gamma)
{
    mechanical_state *s = mechanical_inside(m);
    if (s->form->constraints == 0) return DAE_OK;
    if (!s->form->given.gamma) return gamma_by_differences(s, t, q, v, gamma);
    dae_status answer = mechanical_call(s, CALL_GAMMA, t, q, v, gamma);
    mechanical_leave_out(m, m->constraints, gamma);
    return answer;
}
