/* A step across a point at which a law is flat.
 *
 * The loss of a turbulent flow, h = q*abs(q), leaves open how fast q changes where q = 0: q comes
 * to rest there, begins to flow, or turns round, and its derivative jumps or is infinite. No
 * polynomial predicts it, and Newton's iteration with a Jacobian from q > 0 does not converge as q
 * comes to 0. The state h is smooth all the same. A step of the implicit Euler method solves
 * q*abs(q) + d*q = h, which has one solution for each h, as the law is monotone: Euler's method
 * converges for all such equations, uniformly smooth or not (H. Brezis, Operateurs maximaux
 * monotones, 1973, Ch. III).
 *
 * The iteration takes a new Jacobian each time, and the error is held in the states alone:
 * algebraic variables follow from these. That the solution is the only one is not taken for
 * granted: other guesses have to lead to the same one. */
#include "base/round_off.h"
#include "base/scatter.h"
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The longest step, as a part of the run; the shortest, in roundings of the time; by how much a
 * step is shorter than one that has failed. */
static const double LONGEST = 1e-2, SHORTEST = 64, SHORTER = 0.25;

/* The last step of a run may be so much longer. */
static const double STRETCHED = 1.01;

/* The part of the tolerance that the error of such a step may have. */
static const double SHARE = 0.1;

/* An iteration ends where corrections are this small, in tolerances, or no longer shrink. */
static const double CONVERGED = 1e-6;
enum { MOST_ITERATIONS = 80 };

/* Corrections may lead to and fro across flat points of several laws for ever. After so many of
 * them, one that is no smaller than the last one is made by half. */
enum { CIRCLES = 8 };

/* Near the flat point of q*abs(q) = p - 1e5, the rounding of p moves q by its root, and corrections
 * of q do not shrink any further. After so many iterations those of the states decide, where the
 * others are no larger than so many tolerances. */
enum { ENOUGH = 40 };
static const double NOISY = 10;

/* Once in MANY attempts: more than one in FEW was rejected, and steps are below this part of the
 * run. */
enum { MANY = 100, FEW = 8 };
static const double SHORT = 1e-5;

/* Steps that have become no longer than this many times as long since then do not grow. */
static const double GROWS = 2;

/* A step leads across a flat point if an algebraic variable changes by this part of its size. */
static const double CHANGES = 0.5;

typedef struct flat_step {
    dae_solver *solver;
    engine *engine;
    problem *problem;
    const engine_point *begun; /* where the step begins: attempts that fail may change e->y */
    bool failed;               /* the engine makes no step at all */
    size_t n;
    double *y, *yp, *half, *whole, *other, *residual; /* n */
    workspace space;
} flat_step;

static dae_status take_room(flat_step *f)
{
    for (int placing = 0; placing < 2; placing++) {
        workspace_vectors(
            &f->space, f->n,
            (double **[]){&f->y, &f->yp, &f->half, &f->whole, &f->other, &f->residual, NULL});
        if (!placing && workspace_allocate(&f->space) != DAE_OK) return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

/* The largest difference in tolerances, of states or of all variables. */
static double distance(const flat_step *f, const double *a, const double *b, bool states)
{
    double most = 0;
    for (size_t k = 0; k < f->n; k++) {
        double size = engine_tolerance(&f->engine->options, k, fmax(fabs(a[k]), fabs(b[k])));
        if (!states || f->problem->dynamic[k]) most = fmax(most, fabs(a[k] - b[k]) / size);
    }
    return most;
}

static double size_of(const flat_step *f, const double *correction, const double *y, bool states)
{
    double most = 0;
    for (size_t k = 0; k < f->n; k++) {
        if (states && !f->problem->dynamic[k]) continue;
        double size = fabs(correction[k]) / engine_tolerance(&f->engine->options, k, y[k]);
        if (!(size <= most)) most = size; /* NaN stays */
    }
    return most;
}

/* One correction of y at t + h, with the Jacobian at y. */
static dae_status correct(flat_step *f, double t, double h, const double *from, double *y)
{
    problem *p = f->problem;
    for (size_t k = 0; k < f->n; k++) f->yp[k] = (y[k] - from[k]) / h;
    dae_status status = problem_residual(p, t + h, y, f->yp, f->residual);
    if (status == DAE_OK) status = problem_linearize(p, t + h, y, f->yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, 1 / h, 1);
    if (status != DAE_OK) return status;
    problem_solve(p, p->real_slot, f->residual);
    for (size_t k = 0; k < f->n; k++) y[k] -= f->residual[k];
    return DAE_OK;
}

/* The Jacobian may be singular where all flows of a block rest, though not beside that. */
static void go_beside(const flat_step *f, double *y)
{
    for (size_t k = 0; k < f->n; k++)
        if (!f->problem->dynamic[k])
            y[k] += scattered(k) * engine_tolerance(&f->engine->options, k, y[k]);
}

/* A correction from a flow of 1e-90 leads to 1e90, and hundreds of others back: algebraic variables
 * begin at the size of their tolerances at least. */
static void begin_beside(const flat_step *f, double *y)
{
    for (size_t k = 0; k < f->n; k++) {
        double least = engine_tolerance(&f->engine->options, k, 0);
        if (!f->problem->dynamic[k] && fabs(y[k]) < least) y[k] = copysign(least, y[k]);
    }
}

/* Takes half of the last correction back. */
static void go_half(const flat_step *f, double *y)
{
    for (size_t k = 0; k < f->n; k++) y[k] += 0.5 * f->residual[k];
}

/* The end of a step from `from` at t, by a guess in y. */
static dae_status find_end(flat_step *f, double t, double h, const double *from, double *y)
{
    double last = HUGE_VAL;
    begin_beside(f, y);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        dae_status status = correct(f, t, h, from, y);
        if (status == DAE_SINGULAR && i == 0) {
            go_beside(f, y);
            continue;
        }
        if (status != DAE_OK) return status;
        double size = size_of(f, f->residual, y, false);
        if (!isfinite(size)) return DAE_NEWTON;
        if (size <= ROUND_OFF_VALUE || (size <= CONVERGED && size >= 0.5 * last)) return DAE_OK;
        if (i >= ENOUGH && size <= NOISY && size_of(f, f->residual, y, true) <= CONVERGED)
            return DAE_OK;
        if (i >= CIRCLES && size >= last) go_half(f, y);
        last = size;
    }
    return last <= CONVERGED ? DAE_OK : DAE_NEWTON;
}

/* Whether other guesses of algebraic variables lead to the same end: their mirror images in 0. */
static dae_status is_only_one(flat_step *f, double t, double h, const double *from, const double *y,
                              bool *only)
{
    for (size_t k = 0; k < f->n; k++) f->other[k] = f->problem->dynamic[k] ? y[k] : -y[k];
    dae_status status = find_end(f, t, h, from, f->other);
    *only = status != DAE_OK || distance(f, f->other, y, true) <= SHARE;
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

static bool leads_across(const flat_step *f, const double *end)
{
    const double *y = f->begun->y;
    for (size_t k = 0; k < f->n; k++) {
        double change = fabs(end[k] - y[k]), size = fmax(fabs(end[k]), fabs(y[k]));
        if (!f->problem->dynamic[k] && change > CHANGES * size) return true;
    }
    return false;
}

/* Tries a step of length h in two halves; *good: their end in f->y and f->yp is within the
 * tolerance of a whole step. */
static dae_status try_length(flat_step *f, double h, bool *good)
{
    const double t = f->begun->t, *y = f->begun->y;
    size_t bytes = f->n * sizeof *y;
    *good = false;
    memcpy(f->whole, y, bytes);
    dae_status status = find_end(f, t, h, y, f->whole);
    memcpy(f->half, f->whole, bytes);
    if (status == DAE_OK) status = find_end(f, t, 0.5 * h, y, f->half);
    memcpy(f->y, f->whole, bytes);
    if (status == DAE_OK) status = find_end(f, t + 0.5 * h, 0.5 * h, f->half, f->y);
    if (status != DAE_OK || distance(f, f->whole, f->y, true) > SHARE) return status;
    status = is_only_one(f, t + 0.5 * h, 0.5 * h, f->half, f->y, good);
    for (size_t k = 0; k < f->n; k++) f->yp[k] = (f->y[k] - f->half[k]) / (0.5 * h);
    return status;
}

/* Restarts the engine at the end of the step. Its polynomial joins both ends by a straight line;
 * algebraic variables between them are solved for from the states on it. */
static void take_end(flat_step *f, double h)
{
    engine *e = f->engine;
    const double t = f->begun->t, *y = f->begun->y;
    engine_lend(e);
    engine_restart(e, t + h, f->y, f->yp, fabs(h), 0);
    dense_output *d = &e->dense;
    d->t = t;
    d->h = h;
    d->n = f->n;
    d->degree = 1;
    d->follows = true;
    memcpy(d->coefficient, y, f->n * sizeof *y);
    for (size_t k = 0; k < f->n; k++) d->coefficient[f->n + k] = f->y[k] - y[k];
    e->counts.steps++;
    e->counts.attempts++;
    e->evidence = (engine_evidence){0};
}

/* After an event the judge knows nothing of the run yet. */
static double run_length(const dae_solver *s, double t_end)
{
    return fmax(s->judge.whole, fabs(t_end - s->t_start));
}

/* The longest step that meets the tolerance. */
static dae_status find_step(flat_step *f, double t_end, bool *made)
{
    engine *e = f->engine;
    double direction = e->options.direction, t = f->begun->t, left = fabs(t_end - t);
    double most = LONGEST * run_length(f->solver, t_end);
    double least = SHORTEST * DBL_EPSILON * fmax(fabs(t), DBL_MIN / DBL_EPSILON);
    if (left < STRETCHED * most) most = left; /* no step is left that is too small to move t */
    if (e->options.max_step > 0) most = fmin(most, e->options.max_step);
    for (double h = fmin(most, left); h > least; h *= SHORTER) {
        bool good;
        dae_status status = try_length(f, direction * h, &good);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK || !good) continue;
        *made = f->failed || leads_across(f, f->y);
        if (*made) take_end(f, h == left ? t_end - t : direction * h);
        return DAE_OK;
    }
    return DAE_OK;
}

/* Whether many steps have been rejected that were short all the same: beside a flat point Newton's
 * iteration may converge in such steps alone. Or short ones do not grow: what rounding of a state
 * makes of a flow that rests counts as an error at whatever length. Looked at once in MANY
 * attempts.
 */
static bool creeps(dae_solver *s, double t_end)
{
    const engine *e = s->engine;
    const engine_counts *now = &e->counts;
    if (now->attempts < s->flat_looked.attempts) s->flat_looked = *now; /* another engine */
    if (now->attempts - s->flat_looked.attempts < MANY) return false;
    size_t rejected = now->rejected - s->flat_looked.rejected;
    double h = fabs(e->dense.h), before = s->flat_length;
    s->flat_looked = *now;
    s->flat_length = h;
    return (rejected * FEW > MANY || h <= GROWS * before) && h < SHORT * run_length(s, t_end);
}

static bool can_make(const dae_solver *s)
{
    const simulation *c = s->simulation;
    const engine *e = s->engine;
    bool known = !e->problem->mechanical && problem_highest_index(e->problem) <= 2;
    return c->flat && !c->delays && s->options.step == 0 && known && !c->ops->renew &&
           engine_can_lend(e) && e->problem->has_real_slot;
}

dae_status solve_step_across_flat(dae_solver *s, dae_status status, double t_end, bool *made)
{
    *made = s->across_flat = false;
    if (!can_make(s) || (status == DAE_OK && !creeps(s, t_end))) return DAE_OK;
    flat_step f = {.solver = s,
                   .engine = s->engine,
                   .problem = s->engine->problem,
                   .begun = &s->judge.begun,
                   .failed = status != DAE_OK,
                   .n = s->engine->problem->n};
    status = take_room(&f);
    if (status == DAE_OK) status = find_step(&f, t_end, made);
    s->across_flat = *made;
    if (!*made) engine_lend(s->engine);
    workspace_free(&f.space);
    return status;
}
