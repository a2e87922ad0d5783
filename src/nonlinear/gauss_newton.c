#include "nonlinear/gauss_newton.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "nonlinear/gauss_newton_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows whose remainder is smaller than this depend on other rows, where no other part is asked for.
 */
static const double RANK_TOLERANCE = 1e-11;

/* The shortest fraction of a step that is tried. */
static const double SHORTEST_DAMPING = 1e-10;

/* If round-off is larger than that, as in long chains, the iteration ends after this many
 * corrections that are not shorter than STALLED times the one before. */
enum { MOST_STALLS = 3 };
static const double STALLED = 0.9;

/* One wild trial, such as of an exponential, says little about how far to go back. The fraction is
 * reduced by no more than this at once. */
static const double LARGEST_REDUCTION = 0.1;

/* A step follows Newton's flow, x' = -J(x)^-1 r(x), if the simplified correction after it is what
 * the rest of the step was, but for this part of the step (Deuflhard, Sec. 3.1.4: the flow leads
 * from x to a solution, or to where J is singular). Steps that are longer may lead across such
 * points, to one of other solutions. Shorter ones than that are not looked at. */
static const double CLOSE = 0.25, LOOKED_AT = 1e-3;

static void build(void *self)
{
    gauss_newton *gn = self;
    arena *a = &gn->memory;
    arena_vectors(a, gn->system->rows,
                  (double **const[]){&gn->residual, &gn->noise, &gn->probe, &gn->met, NULL});
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
    gn->dependent = RANK_TOLERANCE;
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

void gauss_newton_measure(gauss_newton *gn, const double *x, const double *dx,
                          const double *nominal)
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
    if (status == DAE_OK) status = min_norm_factor(gn->linear, gn->value, weight, gn->dependent);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
}

void gauss_newton_prefer(gauss_newton *gn, const gauss_newton_order *order)
{
    gn->order = order;
}

/* In an order of precedence, unless the rows determine all columns: there is no choice then, and
 * the decomposition without an order serves as well. */
static dae_status decompose_in_order(gauss_newton *gn, const double *weight)
{
    const sparse_pattern *p = gn->system->pattern;
    dae_status status = DAE_OK;
    bool factored = p->rows >= p->columns;
    if (factored) status = min_norm_factor(gn->linear, gn->value, weight, gn->dependent);
    bool determined = factored && min_norm_knows_rank(gn->linear) &&
                      min_norm_rank(gn->linear) == p->columns;
    gn->depends = false;
    if (status != DAE_OK || determined) return status;
    status = lexicographic_create(&gn->ordered, p, gn->value, gn->order->level, gn->order->levels,
                                  gn->order->scale);
    gn->depends = status == DAE_OK && lexicographic_rank(gn->ordered) < p->rows;
    if (gn->depends && !factored)
        status = min_norm_factor(gn->linear, gn->value, weight, gn->dependent);
    return status;
}

dae_status gauss_newton_decompose(gauss_newton *gn, const double *x, const double *weight)
{
    const nonlinear_system *s = gn->system;
    lexicographic_free(gn->ordered);
    gn->ordered = NULL;
    if (!gn->order) return gauss_newton_look(gn, x, weight);
    dae_status status = s->value(s->self, x, gn->residual);
    if (status == DAE_OK) status = s->jacobian(s->self, x, gn->value);
    if (status == DAE_OK) status = decompose_in_order(gn, weight);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
}

/* The correction of a residual that changes least. Where rows contradict each other, an order says
 * nothing of what they miss: all of them share in it, as in the sum of all. */
static void correct(gauss_newton *gn, const double *residual, double *step)
{
    const nonlinear_system *s = gn->system;
    if (!gn->ordered || gn->depends) min_norm_solve(gn->linear, residual, step);
    if (!gn->ordered) return;
    memcpy(gn->met, residual, s->rows * sizeof *gn->met);
    if (gn->depends) {
        memset(gn->met, 0, s->rows * sizeof *gn->met);
        sparse_add_product(s->pattern, gn->value, step, gn->met);
        for (size_t i = 0; i < s->rows; i++) gn->met[i] = -gn->met[i];
    }
    memset(step, 0, s->columns * sizeof *step);
    lexicographic_solve(gn->ordered, gn->met, step);
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
    gauss_newton_measure(gn, x, gn->trial, nominal);
    for (gauss_newton_part *p = gn->part; p < gn->part + gn->parts; p++) {
        bool known = p->lambda != 0 && p->length != 0 && p->step != 0;
        double allowed = known ? p->size * p->next / (p->length * p->step) * p->lambda : 1;
        if (gn->closely) allowed *= 2 * CLOSE;
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
    gauss_newton_measure(gn, x, gn->next, nominal);
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
    gauss_newton_measure(gn, x, gn->previous, nominal);
}

/* Take the trial, or go back, or once further; at the measured curvature. */
static void judge_trial(gauss_newton_part *p, bool closely)
{
    /* the longest fraction that the trial's correction justifies: Deuflhard (3.48) */
    double part = closely ? CLOSE : 0.5;
    double best = p->length > 0 ? part * p->size * p->lambda * p->lambda / p->length : HUGE_VAL;
    bool changed = p->changed, strays = best < p->lambda && p->size > LOOKED_AT;
    p->changed = true;
    if (p->valueless)
        p->lambda /= 4;
    else if ((p->next >= p->size && p->size > ROUND_OFF_ITERATED) || (closely && strays))
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
            if (p->sought) judge_trial(p, gn->closely);
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
        gauss_newton_measure(gn, x, gn->previous, nominal);
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

/* Notes whether the trial leaves Newton's flow. */
static void look_for_straying(gauss_newton *gn)
{
    for (const gauss_newton_part *p = gn->part; p < gn->part + gn->parts; p++)
        if (!p->ended && p->size > LOOKED_AT && p->length > CLOSE * p->lambda * p->size)
            gn->strayed = true;
}

/* The same at a small part of the first step: its end may lie at another solution. */
static dae_status look_on_the_way(gauss_newton *gn, const double *x, const double *nominal)
{
    static const double PART = 0.25;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    double most = 0;
    for (; p < end; p++) most = fmax(most, p->ended ? 0 : p->step);
    if (!(most > LOOKED_AT)) return DAE_OK;
    for (p = gn->part; p < end; p++) p->lambda = PART, p->size = p->step;
    dae_status status = try_step(gn, x, nominal);
    if (status != DAE_OK) return status;
    measure_curvature(gn, x, nominal);
    look_for_straying(gn);
    return DAE_OK;
}

/* Go along gn->step, which begin_step() has judged. */
static dae_status make_step(gauss_newton *gn, double *x, const double *nominal)
{
    size_t n = gn->system->columns;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    dae_status status = DAE_OK;
    if (gn->iterations == 0) {
        if (gn->watched) status = look_on_the_way(gn, x, nominal);
        if (status != DAE_OK) return status;
        begin_first(gn, x, nominal);
    } else {
        begin_predicted(gn, x, nominal);
    }
    for (; p < end; p++) {
        if (!p->sought) p->lambda = p->polished;
        p->shortest = fmin(SHORTEST_DAMPING, p->lambda);
        p->size = p->step;
    }
    status = damp(gn, x, nominal);
    if (status != DAE_OK) return status;
    look_for_straying(gn);
    for (size_t j = 0; j < n; j++) {
        const gauss_newton_part *part = part_of(gn, j);
        if (part && part->lambda > 0) x[j] = gn->trial[j];
    }
    end_by_noise(gn, x, nominal);
    memcpy(gn->previous, gn->next, n * sizeof *x);
    return DAE_OK;
}

/* What the rows of each part miss, in sizes of their terms, into the lengths of the parts. */
static void measure_rows(gauss_newton *gn, const double *residual, const double *size)
{
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    for (; p < end; p++) p->length = 0;
    for (size_t i = 0; i < gn->system->rows; i++) {
        if (gn->row_part[i] == SPARSE_NO_PART || !(size[i] > 0)) continue;
        p = &gn->part[gn->row_part[i]];
        p->length = hypot(p->length, residual[i] / size[i]);
    }
}

/* Ends the parts whose first correction is round-off and meets none of what the rows miss, as that
 * of x^2 = 1 at 0: the next one would depend on what round-off has made of x. What rows miss by
 * round-off of their own does not count. */
static void end_at_rest(gauss_newton *gn, const double *x, const double *nominal)
{
    static const double LEFT = 0.5, SEEN = 1e-6;
    const sparse_pattern *a = gn->system->pattern;
    gauss_newton_part *p = gn->part, *end = p + gn->parts;
    bool any = false;
    for (; p < end; p++) any = any || (!p->ended && p->step < NEARLY_CONVERGED);
    if (!any) return;
    memset(gn->noise, 0, a->rows * sizeof *gn->noise);
    for (size_t j = 0; j < a->columns; j++)
        for (sparse_index k = a->start[j]; k < a->start[j + 1]; k++)
            gn->noise[a->row[k]] += fabs(gn->value[k]) * fmax(fabs(x[j]), nominal[j]);
    measure_rows(gn, gn->residual, gn->noise);
    for (p = gn->part; p < end; p++) p->next = p->length;
    memcpy(gn->probe, gn->residual, a->rows * sizeof *gn->probe);
    sparse_add_product(a, gn->value, gn->step, gn->probe);
    measure_rows(gn, gn->probe, gn->noise);
    for (p = gn->part; p < end; p++) {
        bool rests = p->step < NEARLY_CONVERGED && p->length > fmax(SEEN, LEFT * p->next);
        if (!p->ended && rests) p->ended = true, p->polished = false;
    }
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
    dae_status status = gauss_newton_decompose(gn, x, weight);
    if (status != DAE_OK) return status;
    correct(gn, gn->residual, gn->step);
    gauss_newton_measure(gn, x, gn->step, nominal);
    for (size_t k = 0; k < gn->parts; k++) {
        begin_step(&gn->part[k]);
        sought = sought || gn->part[k].sought;
    }
    if (gn->iterations == 0) end_at_rest(gn, x, nominal);
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
    gn->strayed = false;
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

void gauss_newton_free(gauss_newton *gn)
{
    if (!gn) return;
    min_norm_free(gn->linear);
    lexicographic_free(gn->ordered);
    arena_free(&gn->memory);
    free(gn);
}
