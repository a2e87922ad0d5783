#include "nonlinear/gauss_newton.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows whose remainder is smaller than this depend on other rows. */
static const double RANK_TOLERANCE = 1e-11;

/* The shortest fraction of a step that is tried; the correction below which only round-off is left
 * to remove; and the correction that counts as zero once it gets no shorter. */
static const double SHORTEST_DAMPING = 1e-10, NEARLY_CONVERGED = 1e-8;

/* If round-off is larger than that, as in long chains, the iteration ends after this many
 * corrections that are not shorter than STALLED times the one before. */
enum { MOST_STALLS = 3 };
static const double STALLED = 0.9;

/* One wild trial, such as of an exponential, says little about how far to go back. The fraction is
 * reduced by no more than this at once. */
static const double LARGEST_REDUCTION = 0.1;

static void build(void *self)
{
    gauss_newton *gn = self;
    arena *a = &gn->memory;
    arena_vectors(a, gn->system->rows,
                  (double **const[]){&gn->residual, &gn->noise, &gn->probe, NULL});
    arena_vectors(a, gn->system->columns,
                  (double **const[]){&gn->step, &gn->next, &gn->trial, &gn->previous, &gn->tangent,
                                     &gn->nearer, NULL});
    gn->value = arena_array(a, gn->system->pattern->nonzeros, sizeof(double));
}

dae_status gauss_newton_create(gauss_newton **created, const nonlinear_system *system)
{
    gauss_newton *gn = calloc(1, sizeof *gn);
    if (!gn) return DAE_NO_MEMORY;
    gn->system = system;
    dae_status status = arena_protect(&gn->memory, build, gn);
    if (status == DAE_OK) status = min_norm_create(&gn->linear, system->pattern, true);
    if (status == DAE_OK)
        *created = gn;
    else
        gauss_newton_free(gn);
    return status;
}

static double length(const gauss_newton *gn, const double *x, const double *dx,
                     const double *nominal)
{
    double sum = 0;
    size_t n = gn->system->columns;
    for (size_t j = 0; j < n; j++) {
        double part = dx[j] / fmax(fabs(x[j]), nominal[j]);
        sum += part * part;
    }
    return n ? sqrt(sum / (double)n) : 0;
}

/* The part of the first step that is tried first. */
static double first_fraction(const gauss_newton *gn, const double *x, const double *nominal)
{
    double longest = 0, most = gn->longest_first;
    for (size_t j = 0; j < gn->system->columns && most > 0; j++)
        longest = fmax(longest, fabs(gn->step[j]) / fmax(fabs(x[j]), nominal[j]));
    return longest > most ? most / longest : 1;
}

dae_status gauss_newton_look(gauss_newton *gn, const double *x, const double *weight)
{
    const nonlinear_system *s = gn->system;
    dae_status status = s->value(s->self, x, gn->residual);
    if (status == DAE_OK) status = s->jacobian(s->self, x, gn->value);
    if (status == DAE_OK) status = min_norm_factor(gn->linear, gn->value, weight, RANK_TOLERANCE);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
}

typedef struct damping {
    double lambda; /* fraction of the step */
    double size;   /* length of the step */
    double next;   /* length of the simplified correction after it */
} damping;

/* The fraction of the step that the curvature allows, judged by the last two corrections: Deuflhard
 * (3.47). */
static double predicted(const gauss_newton *gn, const damping *before, double size, const double *x,
                        const double *nominal, double *scratch)
{
    size_t n = gn->system->columns;
    for (size_t j = 0; j < n; j++) scratch[j] = gn->previous[j] - gn->step[j];
    double change = length(gn, x, scratch, nominal);
    if (before->lambda == 0 || change == 0 || size == 0) return 1;
    return fmin(1, before->size * before->next / (change * size) * before->lambda);
}

/* Try x + lambda step: the simplified correction there, into gn->next, and its length. */
static dae_status try_step(gauss_newton *gn, const double *x, const double *nominal, damping *d)
{
    const nonlinear_system *s = gn->system;
    for (size_t j = 0; j < s->columns; j++) gn->trial[j] = x[j] + d->lambda * gn->step[j];
    dae_status status = s->value(s->self, gn->trial, gn->residual);
    if (status != DAE_OK) return status;
    min_norm_solve(gn->linear, gn->residual, gn->next);
    d->next = length(gn, x, gn->next, nominal);
    return isfinite(d->next) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* The longest fraction that the trial's correction justifies: Deuflhard (3.48). */
static double corrected(const gauss_newton *gn, const double *x, const double *nominal,
                        const damping *d, double *scratch)
{
    for (size_t j = 0; j < gn->system->columns; j++)
        scratch[j] = gn->next[j] - (1 - d->lambda) * gn->step[j];
    double curved = length(gn, x, scratch, nominal);
    return curved > 0 ? 0.5 * d->size * d->lambda * d->lambda / curved : HUGE_VAL;
}

/* Find a fraction with which the next correction is shorter. gn->trial becomes the point; `d` holds
 * the fraction. */
static dae_status damp(gauss_newton *gn, const double *x, const double *nominal, damping *d)
{
    bool reduced = false;
    double shortest = fmin(SHORTEST_DAMPING, d->lambda);
    while (d->lambda >= shortest) {
        dae_status status = try_step(gn, x, nominal, d);
        if (status == DAE_NOT_EVALUABLE) {
            d->lambda /= 4;
            reduced = true;
            continue;
        }
        if (status != DAE_OK) return status;
        double best = corrected(gn, x, nominal, d, gn->previous);
        if (d->next >= d->size && d->size > ROUND_OFF_ITERATED) {
            d->lambda = fmax(fmin(best, d->lambda / 2), LARGEST_REDUCTION * d->lambda);
            reduced = true;
            continue;
        }
        best = fmin(1, best);
        if (!reduced && best >= 4 * d->lambda) {
            d->lambda = best;
            reduced = true; /* once: a longer step is not tried twice */
            continue;
        }
        return DAE_OK;
    }
    return DAE_NEWTON;
}

void gauss_newton_spread(gauss_newton *gn, const double *noise, double *spread)
{
    enum { PROBES = 4 };
    size_t rows = gn->system->rows, columns = gn->system->columns;
    double *probe = gn->probe;
    memset(spread, 0, columns * sizeof *spread);
    for (size_t k = 0; k < PROBES; k++) {
        for (size_t i = 0; i < rows; i++)
            probe[i] = scattered(k * rows + i) < 0 ? -noise[i] : noise[i];
        min_norm_solve(gn->linear, probe, gn->trial);
        for (size_t j = 0; j < columns; j++) spread[j] = fmax(spread[j], fabs(gn->trial[j]));
    }
}

/* Whether a correction is no longer than round-off of the rows makes it at x, where the Jacobian
 * was decomposed last. Among stiff equations, or with sizes far apart, that is far more than
 * round-off of x. */
static bool is_noise(gauss_newton *gn, const double *x, const double *nominal, double size)
{
    static const double MARGIN = 8, LARGEST = 0.03;
    const nonlinear_system *s = gn->system;
    if (size > LARGEST || !s->noise || s->noise(s->self, x, gn->noise) != DAE_OK) return false;
    gauss_newton_spread(gn, gn->noise, gn->previous);
    return size <= MARGIN * length(gn, x, gn->previous, nominal);
}

dae_status gauss_newton_solve(gauss_newton *gn, double *x, const double *weight,
                              const double *nominal, size_t most_iterations)
{
    size_t n = gn->system->columns;
    damping d = {0};
    double last = HUGE_VAL;
    int stalls = 0;
    for (gn->iterations = 0; gn->iterations < most_iterations; gn->iterations++) {
        dae_status status = gauss_newton_look(gn, x, weight);
        if (status != DAE_OK) return status;
        min_norm_solve(gn->linear, gn->residual, gn->step);
        double size = gn->correction = length(gn, x, gn->step, nominal);
        if (!isfinite(size)) return DAE_NOT_EVALUABLE;
        if (size == 0 || (size < ROUND_OFF_ITERATED && size >= last / 2)) return DAE_OK;
        if (size < NEARLY_CONVERGED) { /* only round-off is left, which no test can judge */
            for (size_t j = 0; j < n; j++) x[j] += gn->step[j];
            stalls += size >= STALLED * last;
            if (stalls >= MOST_STALLS) return DAE_OK;
            last = size;
            continue;
        }
        double lambda = gn->iterations == 0 ? first_fraction(gn, x, nominal)
                                            : fmax(predicted(gn, &d, size, x, nominal, gn->trial),
                                                   SHORTEST_DAMPING);
        d = (damping){.lambda = lambda, .size = size};
        status = damp(gn, x, nominal, &d);
        if (status == DAE_NEWTON && is_noise(gn, x, nominal, size)) return DAE_OK;
        if (status != DAE_OK) return status;
        memcpy(x, gn->trial, n * sizeof *x);
        memcpy(gn->previous, gn->next, n * sizeof *x);
        last = size;
    }
    bool small = gn->correction < NEARLY_CONVERGED || is_noise(gn, x, nominal, gn->correction);
    return small ? DAE_OK : DAE_NEWTON;
}

/* For a solution x: the step to the point of the tangent at x that is nearest to `from`. */
static dae_status tangential_step(gauss_newton *gn, const double *x, const double *from,
                                  const double *weight, double *step)
{
    const nonlinear_system *s = gn->system;
    dae_status status = gauss_newton_look(gn, x, weight);
    if (status != DAE_OK) return status;
    /* the shortest change from `from` that solves c + A (from - x) = 0 */
    for (size_t j = 0; j < s->columns; j++) gn->trial[j] = from[j] - x[j];
    sparse_add_product(s->pattern, gn->value, gn->trial, gn->residual);
    min_norm_solve(gn->linear, gn->residual, step);
    for (size_t j = 0; j < s->columns; j++) step[j] += from[j] - x[j];
    return DAE_OK;
}

static double distance(const gauss_newton *gn, const double *x, const double *from,
                       const double *weight)
{
    double sum = 0;
    for (size_t j = 0; j < gn->system->columns; j++) {
        double part = (x[j] - from[j]) / weight[j];
        sum += part * part;
    }
    return sum;
}

/* Go along `step` as far as that leads to a nearer solution, into `next`; false if nothing does. */
static bool come_nearer(gauss_newton *gn, const double *x, const double *step, const double *from,
                        const double *weight, const double *nominal, double *fraction, double *next)
{
    enum { MOST_ITERATIONS = 10 };
    static const double SHORTEST = 1e-3;
    double before = distance(gn, x, from, weight);
    for (; *fraction > SHORTEST; *fraction /= 2) {
        for (size_t j = 0; j < gn->system->columns; j++) next[j] = x[j] + *fraction * step[j];
        if (gauss_newton_solve(gn, next, weight, nominal, MOST_ITERATIONS) == DAE_OK &&
            distance(gn, next, from, weight) < before)
            return true;
    }
    return false;
}

void gauss_newton_approach(gauss_newton *gn, double *x, const double *from, const double *weight,
                           const double *nominal, size_t most_sweeps)
{
    size_t n = gn->system->columns;
    double *step = gn->tangent, *next = gn->nearer, fraction = 1;
    for (size_t sweep = 0; sweep < most_sweeps; sweep++) {
        if (tangential_step(gn, x, from, weight, step) != DAE_OK) break;
        double size = length(gn, x, step, nominal);
        if (!(size >= NEARLY_CONVERGED)) break;
        if (!come_nearer(gn, x, step, from, weight, nominal, &fraction, next)) break;
        memcpy(x, next, n * sizeof *x);
        fraction = fmin(1, 2 * fraction);
    }
}

void gauss_newton_free(gauss_newton *gn)
{
    if (!gn) return;
    min_norm_free(gn->linear);
    arena_free(&gn->memory);
    free(gn);
}
