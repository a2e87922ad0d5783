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
    gn->row_part = arena_array(a, gn->system->rows, sizeof *gn->row_part);
    gn->column_part = arena_array(a, gn->system->columns, sizeof *gn->column_part);
    gn->parts = sparse_parts(a, gn->system->pattern, gn->row_part, gn->column_part);
    gn->part = arena_array(a, gn->parts, sizeof *gn->part);
    for (size_t j = 0; j < gn->system->columns; j++)
        if (gn->column_part[j] != SPARSE_NO_PART) gn->part[gn->column_part[j]].columns++;
}

dae_status gauss_newton_create(gauss_newton **created, const nonlinear_system *system)
{
    gauss_newton *gn = calloc(1, sizeof *gn);
    if (!gn) return DAE_NO_MEMORY;
    gn->system = system;
    dae_status status = arena_protect(&gn->memory, build, gn);
    if (status == DAE_OK)
        status = min_norm_create(&gn->linear, system->pattern, MIN_NORM_RANK_OF_PARTS);
    if (status == DAE_OK)
        *created = gn;
    else
        gauss_newton_free(gn);
    return status;
}

/* The part of a column; NULL if no row contains it, so that it never moves. */
static gauss_newton_part *part_of(const gauss_newton *gn, size_t column)
{
    size_t part = gn->column_part[column];
    return part == SPARSE_NO_PART ? NULL : &gn->part[part];
}

/* The length of dx in each part, relative to the sizes of x. */
static void measure(gauss_newton *gn, const double *x, const double *dx, const double *nominal)
{
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    for (; p < end; p++) p->length = 0;
    for (size_t j = 0; j < gn->system->columns; j++) {
        double ratio = dx[j] / fmax(fabs(x[j]), nominal[j]);
        if ((p = part_of(gn, j)) != NULL) p->length += ratio * ratio;
    }
    for (p = gn->part; p < end; p++) p->length = sqrt(p->length / (double)p->columns);
}

dae_status gauss_newton_look(gauss_newton *gn, const double *x, const double *weight)
{
    const nonlinear_system *s = gn->system;
    dae_status status = s->value(s->self, x, gn->residual);
    if (status == DAE_OK) status = s->jacobian(s->self, x, gn->value);
    if (status == DAE_OK) status = min_norm_factor(gn->linear, gn->value, weight, RANK_TOLERANCE);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
}

void gauss_newton_prefer(gauss_newton *gn, const gauss_newton_order *order)
{
    gn->order = order;
}

/* Evaluate and decompose as corrections need it. */
static dae_status decompose(gauss_newton *gn, const double *x, const double *weight)
{
    const nonlinear_system *s = gn->system;
    if (!gn->order) return gauss_newton_look(gn, x, weight);
    dae_status status = s->value(s->self, x, gn->residual);
    if (status == DAE_OK) status = s->jacobian(s->self, x, gn->value);
    lexicographic_free(gn->ordered);
    gn->ordered = NULL;
    if (status == DAE_OK)
        status = lexicographic_create(&gn->ordered, s->pattern, gn->value, gn->order->level,
                                      gn->order->levels, gn->order->scale);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
}

/* The correction of a residual that changes least. */
static void correct(gauss_newton *gn, const double *residual, double *step)
{
    if (!gn->order) {
        min_norm_solve(gn->linear, residual, step);
        return;
    }
    memset(step, 0, gn->system->columns * sizeof *step);
    lexicographic_solve(gn->ordered, residual, step);
}

/* The part of the first step that is tried first. */
static void begin_first(gauss_newton *gn, const double *x, const double *nominal)
{
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    double most = gn->longest_first;
    for (; p < end; p++) p->length = 0;
    for (size_t j = 0; j < gn->system->columns; j++)
        if ((p = part_of(gn, j)) != NULL)
            p->length = fmax(p->length, fabs(gn->step[j]) / fmax(fabs(x[j]), nominal[j]));
    for (p = gn->part; p < end; p++)
        p->lambda = most > 0 && p->length > most ? most / p->length : 1;
}

/* The fraction of the step that the curvature allows, judged by the last two corrections: Deuflhard
 * (3.47). */
static void begin_predicted(gauss_newton *gn, const double *x, const double *nominal)
{
    for (size_t j = 0; j < gn->system->columns; j++) gn->trial[j] = gn->previous[j] - gn->step[j];
    measure(gn, x, gn->trial, nominal);
    for (gauss_newton_part *p = gn->part; p < gn->part + gn->parts; p++) {
        bool known = p->lambda != 0 && p->length != 0 && p->step != 0;
        double allowed = known ? p->size * p->next / (p->length * p->step) * p->lambda : 1;
        p->lambda = fmax(fmin(1, allowed), SHORTEST_DAMPING);
    }
}

/* Marks the parts that have no value at the trial. Rows without a value become 0. */
static void find_valueless(gauss_newton *gn)
{
    const nonlinear_system *s = gn->system;
    bool apart = s->rows_apart;
    for (size_t i = 0; i < s->rows && apart; i++) {
        if (isfinite(gn->residual[i])) continue;
        gn->residual[i] = 0;
        apart = gn->row_part[i] != SPARSE_NO_PART;
        if (apart) gn->part[gn->row_part[i]].valueless = true;
    }
    for (size_t k = 0; k < gn->parts && !apart; k++) gn->part[k].valueless = true;
}

/* Try x + lambda step: the simplified correction there, into gn->next, and its lengths. */
static dae_status try_step(gauss_newton *gn, const double *x, const double *nominal)
{
    const nonlinear_system *s = gn->system;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    for (; p < end; p++) p->valueless = false;
    for (size_t j = 0; j < s->columns; j++) {
        p = part_of(gn, j);
        gn->trial[j] = p && p->lambda > 0 ? x[j] + p->lambda * gn->step[j] : x[j];
    }
    dae_status status = s->value(s->self, gn->trial, gn->residual);
    if (status == DAE_NOT_EVALUABLE) find_valueless(gn);
    if (status == DAE_NOT_EVALUABLE && !s->rows_apart) return DAE_OK;
    if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
    correct(gn, gn->residual, gn->next);
    measure(gn, x, gn->next, nominal);
    for (p = gn->part; p < end; p++) {
        p->next = p->length;
        if (!isfinite(p->next)) p->valueless = true;
    }
    return DAE_OK;
}

/* How far each trial's correction is from that of a linear system. */
static void measure_curvature(gauss_newton *gn, const double *x, const double *nominal)
{
    for (size_t j = 0; j < gn->system->columns; j++) {
        const gauss_newton_part *p = part_of(gn, j);
        gn->previous[j] = gn->next[j] - (1 - (p ? p->lambda : 0)) * gn->step[j];
    }
    measure(gn, x, gn->previous, nominal);
}

/* Take the trial, or go back, or once further; at the measured curvature. */
static void judge_trial(gauss_newton_part *p)
{
    /* the longest fraction that the trial's correction justifies: Deuflhard (3.48) */
    double best = p->length > 0 ? 0.5 * p->size * p->lambda * p->lambda / p->length : HUGE_VAL;
    bool changed = p->changed;
    p->changed = true;
    if (p->valueless)
        p->lambda /= 4;
    else if (p->next >= p->size && p->size > ROUND_OFF_ITERATED)
        p->lambda = fmax(fmin(best, p->lambda / 2), LARGEST_REDUCTION * p->lambda);
    else if (!changed && fmin(1, best) >= 4 * p->lambda)
        p->lambda = fmin(1, best); /* once: a longer step is not tried twice */
    else
        p->sought = false;
    if (!p->sought || p->lambda >= p->shortest) return;
    p->status = DAE_NEWTON;
    p->sought = false;
    p->lambda = 0;
}

/* Find fractions with which the next corrections are shorter. gn->trial becomes the point; a part
 * without such a fraction gets 0 and status DAE_NEWTON. */
static dae_status damp(gauss_newton *gn, const double *x, const double *nominal)
{
    for (bool sought = true; sought;) {
        dae_status status = try_step(gn, x, nominal);
        if (status != DAE_OK) return status;
        measure_curvature(gn, x, nominal);
        sought = false;
        for (gauss_newton_part *p = gn->part; p < gn->part + gn->parts; p++) {
            if (p->sought) judge_trial(p);
            sought = sought || p->sought;
        }
    }
    return DAE_OK;
}

static void find_spread(gauss_newton *gn, const double *noise, double *spread,
                        void (*solve)(gauss_newton *gn, const double *residual, double *step))
{
    enum { PROBES = 4 };
    size_t rows = gn->system->rows, columns = gn->system->columns;
    double *probe = gn->probe;
    memset(spread, 0, columns * sizeof *spread);
    for (size_t k = 0; k < PROBES; k++) {
        for (size_t i = 0; i < rows; i++)
            probe[i] = scattered(k * rows + i) < 0 ? -noise[i] : noise[i];
        solve(gn, probe, gn->trial);
        for (size_t j = 0; j < columns; j++) spread[j] = fmax(spread[j], fabs(gn->trial[j]));
    }
}

static void correct_by_look(gauss_newton *gn, const double *residual, double *step)
{
    min_norm_solve(gn->linear, residual, step);
}

void gauss_newton_spread(gauss_newton *gn, const double *noise, double *spread)
{
    find_spread(gn, noise, spread, correct_by_look);
}

/* Marks the parts whose corrections are no longer than round-off of the rows makes them at x, where
 * the Jacobian was decomposed last. Among stiff equations, or with sizes far apart, that is far
 * more than round-off of x. They end; the others fail. */
static void end_by_noise(gauss_newton *gn, const double *x, const double *nominal)
{
    static const double MARGIN = 8, LARGEST = 0.03;
    const nonlinear_system *s = gn->system;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    bool any = false;
    for (; p < end; p++) any = any || (!p->ended && p->status == DAE_NEWTON && p->step <= LARGEST);
    bool known = any && s->noise && s->noise(s->self, x, gn->noise) == DAE_OK;
    if (known) {
        find_spread(gn, gn->noise, gn->previous, correct);
        measure(gn, x, gn->previous, nominal);
    }
    for (p = gn->part; p < end; p++) {
        if (p->ended || p->status != DAE_NEWTON) continue;
        bool noise = known && p->step <= LARGEST && p->step <= MARGIN * p->length;
        p->status = noise ? DAE_OK : DAE_NEWTON;
        p->ended = true;
    }
}

/* What becomes of a part whose correction has the length that was measured. */
static void begin_step(gauss_newton_part *p)
{
    p->polished = p->sought = p->changed = false;
    if (p->ended) return;
    p->step = p->length;
    p->ended = !isfinite(p->step) || p->step == 0 ||
               (p->step < ROUND_OFF_ITERATED && p->step >= p->last / 2);
    if (!isfinite(p->step)) p->status = DAE_NOT_EVALUABLE;
    if (p->ended) return;
    p->polished = p->step < NEARLY_CONVERGED;
    p->sought = !p->polished;
    if (p->polished && p->step >= STALLED * p->last) p->ended = ++p->stalls >= MOST_STALLS;
    p->last = p->step;
}

/* Go along gn->step, which begin_step() has judged. */
static dae_status make_step(gauss_newton *gn, double *x, const double *nominal)
{
    size_t n = gn->system->columns;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    if (gn->iterations == 0)
        begin_first(gn, x, nominal);
    else
        begin_predicted(gn, x, nominal);
    for (; p < end; p++) {
        if (!p->sought) p->lambda = p->polished;
        p->shortest = fmin(SHORTEST_DAMPING, p->lambda);
        p->size = p->step;
    }
    dae_status status = damp(gn, x, nominal);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < n; j++) {
        const gauss_newton_part *part = part_of(gn, j);
        if (part && part->lambda > 0) x[j] = gn->trial[j];
    }
    end_by_noise(gn, x, nominal);
    memcpy(gn->previous, gn->next, n * sizeof *x);
    return DAE_OK;
}

static void polish(gauss_newton *gn, double *x)
{
    for (size_t j = 0; j < gn->system->columns; j++) {
        const gauss_newton_part *p = part_of(gn, j);
        if (p && p->polished) x[j] += gn->step[j];
    }
}

static dae_status iterate(gauss_newton *gn, double *x, const double *weight, const double *nominal,
                          bool *ended)
{
    bool sought = false;
    dae_status status = decompose(gn, x, weight);
    if (status != DAE_OK) return status;
    correct(gn, gn->residual, gn->step);
    measure(gn, x, gn->step, nominal);
    for (size_t k = 0; k < gn->parts; k++) {
        begin_step(&gn->part[k]);
        sought = sought || gn->part[k].sought;
    }
    if (sought)
        status = make_step(gn, x, nominal);
    else
        polish(gn, x);
    *ended = true;
    for (size_t k = 0; k < gn->parts; k++) {
        if (gn->part[k].polished) gn->part[k].lambda = 0;
        *ended = *ended && gn->part[k].ended;
    }
    return status;
}

dae_status gauss_newton_solve(gauss_newton *gn, double *x, const double *weight,
                              const double *nominal, size_t most_iterations)
{
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    bool ended = false;
    for (; p < end; p++) *p = (gauss_newton_part){.columns = p->columns, .last = HUGE_VAL};
    for (gn->iterations = 0; gn->iterations < most_iterations; gn->iterations++) {
        dae_status status = iterate(gn, x, weight, nominal, &ended);
        if (status != DAE_OK) return status;
        if (ended) break;
    }
    for (p = gn->part; p < end; p++)
        if (!p->ended && p->step >= NEARLY_CONVERGED) p->status = DAE_NEWTON;
    end_by_noise(gn, x, nominal);
    for (p = gn->part; p < end; p++)
        if (p->status != DAE_OK) return p->status;
    return DAE_OK;
}

bool gauss_newton_failed(const gauss_newton *gn, size_t column)
{
    const gauss_newton_part *p = part_of(gn, column);
    return p && p->status != DAE_OK;
}

/* For a solution x: the step to the point of the tangent at x that is nearest to `from`. */
static dae_status tangential_step(gauss_newton *gn, const double *x, const double *from,
                                  const double *weight, double *step)
{
    const nonlinear_system *s = gn->system;
    dae_status status = decompose(gn, x, weight);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < s->columns; j++) step[j] = from[j] - x[j];
    if (gn->order) {
        lexicographic_solve(gn->ordered, gn->residual, step);
        return DAE_OK;
    }
    /* the shortest change from `from` that solves c + A (from - x) = 0 */
    memcpy(gn->trial, step, s->columns * sizeof *step);
    sparse_add_product(s->pattern, gn->value, gn->trial, gn->residual);
    min_norm_solve(gn->linear, gn->residual, step);
    for (size_t j = 0; j < s->columns; j++) step[j] += from[j] - x[j];
    return DAE_OK;
}

/* The length of a step in the part where it is longest. */
static double longest(gauss_newton *gn, const double *x, const double *step, const double *nominal)
{
    double most = 0;
    measure(gn, x, step, nominal);
    for (size_t k = 0; k < gn->parts; k++) most = fmax(most, gn->part[k].length);
    return isnan(most) ? HUGE_VAL : most;
}

/* The distance in the columns of a level, or in all. */
static double distance(const gauss_newton *gn, const double *x, const double *from,
                       const double *weight, size_t level)
{
    const gauss_newton_order *order = gn->order;
    double sum = 0;
    for (size_t j = 0; j < gn->system->columns; j++) {
        if (order && order->level[j] != level) continue;
        double part = (x[j] - from[j]) / (order ? order->scale[j] : weight[j]);
        sum += part * part;
    }
    return sum;
}

/* Whether a solution is nearer than another one, in the highest level in which they differ. */
static bool is_nearer(const gauss_newton *gn, const double *next, const double *x,
                      const double *from, const double *weight)
{
    for (size_t level = gn->order ? gn->order->levels : 1; level-- > 0;) {
        double before = distance(gn, x, from, weight, level),
               now = distance(gn, next, from, weight, level);
        if (!gn->order || fabs(now - before) > ROUND_OFF_SOLVED * before) return now < before;
    }
    return false;
}

/* Go along `step` as far as that leads to a nearer solution, into `next`; false if nothing does.
 * Near the end distances differ by round-off; whole steps are made there as long as they get
 * shorter. */
static bool come_nearer(gauss_newton *gn, const double *x, const double *step, const double *from,
                        const double *weight, const double *nominal, bool ends, double *fraction,
                        double *next)
{
    enum { MOST_ITERATIONS = 10 };
    static const double SHORTEST = 1e-3;
    for (; *fraction > SHORTEST; *fraction /= 2) {
        for (size_t j = 0; j < gn->system->columns; j++) next[j] = x[j] + *fraction * step[j];
        if (gauss_newton_solve(gn, next, weight, nominal, MOST_ITERATIONS) != DAE_OK) continue;
        if ((ends && *fraction == 1) || is_nearer(gn, next, x, from, weight)) return true;
    }
    return false;
}

/* Near the end steps are made whole, and one that leads no nearer is round-off. */
static const double NEAR = 1e-3;

/* What a step that leads no nearer means, by what it was to change in the highest level. */
static approach_end end_of_way(const gauss_newton *gn, const double *step, const double *weight)
{
    const gauss_newton_order *order = gn->order;
    for (size_t j = 0; j < gn->system->columns; j++) {
        if (order && (size_t)order->level[j] + 1 != order->levels) continue;
        if (!(fabs(step[j]) <= NEAR * (order ? order->scale[j] : weight[j]))) return APPROACH_STUCK;
    }
    return APPROACH_ON_THE_WAY;
}

static approach_end go_to_nearest(gauss_newton *gn, double *x, const double *from,
                                  const double *weight, const double *nominal, size_t most_sweeps,
                                  size_t *lower_rank)
{
    static const double SHORTER = 0.5;
    size_t n = gn->system->columns;
    double *step = gn->tangent, *next = gn->nearer, fraction = 1, last = HUGE_VAL;
    for (size_t sweep = 0; sweep < most_sweeps; sweep++) {
        if (tangential_step(gn, x, from, weight, step) != DAE_OK) return APPROACH_STUCK;
        if (sweep == 0 && gn->order) *lower_rank = lexicographic_lower_rank(gn->ordered);
        double length = longest(gn, x, step, nominal);
        if (length < NEARLY_CONVERGED) return APPROACH_NEAREST;
        bool ends = length < NEAR && length < SHORTER * last;
        if (!come_nearer(gn, x, step, from, weight, nominal, ends, &fraction, next))
            return end_of_way(gn, step, weight);
        memcpy(x, next, n * sizeof *x);
        fraction = fmin(1, 2 * fraction);
        last = length;
    }
    return APPROACH_ON_THE_WAY;
}

approach_end gauss_newton_approach(gauss_newton *gn, double *x, const double *from,
                                   const double *weight, const double *nominal, size_t most_sweeps)
{
    size_t lower_rank = 0;
    approach_end end = go_to_nearest(gn, x, from, weight, nominal, most_sweeps, &lower_rank);
    if (!gn->order || decompose(gn, x, weight) != DAE_OK) return end;
    /* an end at which the rows determine less of the others than before is one of solutions */
    return lexicographic_lower_rank(gn->ordered) < lower_rank ? APPROACH_STUCK : end;
}

void gauss_newton_free(gauss_newton *gn)
{
    if (!gn) return;
    min_norm_free(gn->linear);
    lexicographic_free(gn->ordered);
    arena_free(&gn->memory);
    free(gn);
}
