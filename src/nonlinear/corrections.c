#include "nonlinear/corrections.h"

#include <math.h>

enum { MOST_HALVINGS = 40 };

typedef struct run {
    const correction_ops *ops;
    void *self;
    const correction_rules *rules;
    correction_course course;
    double last;    /* size of the previous correction */
    bool has_whole; /* damped: whether the last correction was made whole */
    double radius;  /* how far one may lead, by the way so far */
} run;

static dae_status find(run *r, double *size)
{
    dae_status status = r->ops->find(r->self, size);
    return status == DAE_OK && !isfinite(*size) ? DAE_SINGULAR : status;
}

/* Move along the correction, halving it until the next correction is shorter. */
static dae_status descend(run *r, double size)
{
    double part = 1, next;
    for (int i = 0; i < MOST_HALVINGS; i++, part /= 2) {
        dae_status status = r->ops->move(r->self, part, size);
        if (status == DAE_OK) status = find(r, &next);
        r->has_whole = part == 1;
        if (status == DAE_OK && next <= (1 - part / 4) * size) return DAE_OK;
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE && status != DAE_SINGULAR)
            return status;
    }
    return DAE_NEWTON;
}

/* The whole of a correction may end at another solution, where nothing shows that it has left the
 * flow. So the first part that is tried is no longer than FIRST_RADIUS, and later ones than what
 * the curvature of the part before allows, or GROWTH times that. And the least reduction of a part.
 */
static const double FIRST_RADIUS = 0.3, GROWTH = 4, LEAST_REDUCTION = 0.1;

/* Move along the correction by a part that follows the flow. */
static dae_status follow(run *r, double size)
{
    double part = fmin(1, r->radius / size), next;
    for (int i = 0; i < MOST_HALVINGS; i++) {
        dae_status status = i == 0 ? r->ops->move(r->self, 1, size) : DAE_OK;
        if (status == DAE_OK && part < 1) status = r->ops->move(r->self, part, size);
        if (status == DAE_OK) status = find(r, &next);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE && status != DAE_SINGULAR)
            return status;
        double by = status == DAE_OK ? r->ops->strays(r->self, part) : HUGE_VAL,
               longest = part * (r->rules->close * part * size / by);
        r->has_whole = part == 1;
        if (status == DAE_OK && (!(longest < part) || size < r->rules->near)) {
            r->radius = fmin(longest, GROWTH * part) * size;
            return DAE_OK;
        }
        part = fmax(fmin(longest, part / 2), LEAST_REDUCTION * part);
    }
    return DAE_NEWTON;
}

/* Whether this correction, already made, is the last. */
static bool is_last(run *r, double size)
{
    const correction_rules *k = r->rules;
    if (size <= k->round_off || (size < k->nearly && size >= k->falls * r->last)) return true;
    bool stays = r->ops->is_round_off && size >= 0.5 * r->last;
    if (!stays || !r->ops->is_round_off(r->self, size)) return false;
    r->course.slowest = 0;
    return true;
}

/* DAE_OK with *done if this correction is the last, DAE_NEWTON if none may follow; else *done
 * becomes false. */
static dae_status judge(run *r, double size, bool *done)
{
    const correction_rules *k = r->rules;
    if (is_last(r, size)) return DAE_OK;
    if (k->must_fall && !(size < k->falls * r->last)) return DAE_NEWTON;
    if (r->course.count > 1) r->course.slowest = fmax(r->course.slowest, size / r->last);
    *done = false;
    return DAE_OK;
}

/* Make one correction; *done: it is the last, because no other is needed or possible. */
static dae_status correct(run *r, bool *done)
{
    const correction_rules *k = r->rules;
    double size;
    dae_status status = find(r, &size);
    *done = true;
    if (status != DAE_OK) return status;
    r->course.count++;
    r->course.size = size;
    if (k->near > 0) {
        *done = r->has_whole && size < k->near;
        return *done ? DAE_OK : k->close > 0 ? follow(r, size) : descend(r, size);
    }
    if (k->diverges > 0 && size > 1 && size > k->diverges * r->last) return DAE_NEWTON;
    if (k->by_miss) status = judge(r, size, done);
    if (k->by_miss && (status != DAE_OK || *done)) return status;
    if (r->ops->move) status = r->ops->move(r->self, 1, size);
    return status == DAE_OK && !k->by_miss ? judge(r, size, done) : status;
}

static bool is_outdated(const run *r, int made)
{
    const correction_rules *k = r->rules;
    if (made < k->fresh) return true;
    if (made == 0) return false;
    return (k->slow > 0 && r->course.size > k->slow * r->last) ||
           (k->far > 0 && made == 1 && r->course.size > k->far);
}

/* Whether corrections that were all but round-off have led to where none is determined, as the root
 * of q*abs(q) = 0. */
static bool ends_at_singular(const run *r)
{
    return r->course.count > 1 && r->last < r->rules->nearly;
}

dae_status corrections_run(const correction_ops *ops, void *self, const correction_rules *rules,
                           correction_course *course)
{
    run r = {ops, self, rules, .radius = FIRST_RADIUS};
    r.last = rules->first > 0 ? rules->first : HUGE_VAL;
    dae_status status = DAE_OK;
    bool done = false;
    for (int i = 0; status == DAE_OK && !done && i < rules->most; i++) {
        if (is_outdated(&r, i)) status = ops->renew(self);
        if (i > 0) r.last = r.course.size;
        if (status == DAE_OK) status = correct(&r, &done);
        if (status == DAE_SINGULAR && ends_at_singular(&r)) status = DAE_OK, done = true;
    }
    if (course) *course = r.course;
    return status == DAE_OK && !done && !rules->enough ? DAE_NEWTON : status;
}
