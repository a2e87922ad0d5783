/* The steps of a run that are kept, and values of those before an event of a C program. */
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status grow(trajectory *kept)
{
    size_t capacity = kept->capacity ? 2 * kept->capacity : 64;
    dense_output *segment = realloc(kept->segment, capacity * sizeof *segment);
    if (segment) kept->segment = segment;
    segment_values *values = realloc(kept->values, capacity * sizeof *values);
    if (values) kept->values = values;
    if (!segment || !values) return DAE_NO_MEMORY;
    kept->capacity = capacity;
    return DAE_OK;
}

dae_status trajectory_keep(trajectory *kept, const dense_output *step)
{
    if (kept->count == kept->capacity && grow(kept) != DAE_OK) return DAE_NO_MEMORY;
    dense_output copy = {0};
    if (!dense_output_copy(&copy, step)) return DAE_NO_MEMORY;
    kept->values[kept->count] = (segment_values){0};
    kept->segment[kept->count++] = copy;
    return DAE_OK;
}

const dense_output *trajectory_find(const trajectory *kept, double t, bool before)
{
    size_t low = 0, high = kept->count;
    if (kept->count == 0) return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        double way = (t - kept->segment[middle].t) * kept->segment[middle].h;
        if (way > 0 || (!before && way == 0))
            low = middle;
        else
            high = middle;
    }
    const dense_output *found = &kept->segment[low];
    double x = (t - found->t) / found->h;
    return x >= -1e-12 && x <= 1 + 1e-12 ? found : NULL;
}

static void drop_last(trajectory *kept)
{
    kept->count--;
    free(kept->segment[kept->count].coefficient);
    free(kept->values[kept->count].value);
}

void trajectory_cut(trajectory *kept, double t)
{
    while (kept->count > 0) {
        const dense_output *last = &kept->segment[kept->count - 1];
        if ((last->t - t) * last->h < 0) return;
        drop_last(kept);
    }
}

void trajectory_clear(trajectory *kept)
{
    while (kept->count > 0) drop_last(kept);
    free(kept->segment);
    free(kept->values);
    *kept = (trajectory){0};
}

/* --- values before an event --- */

/* More points than the polynomial of the step has coefficients, as algebraic variables follow from
 * it by equations. */
enum { MORE_POINTS = 2, MOST_POINTS = 16 };

/* The extrema of Chebyshev's polynomial, from 0 to 1. */
static double part_of(size_t point, size_t points)
{
    return 0.5 - 0.5 * cos(acos(-1.0) * (double)point / (double)(points - 1));
}

/* Evaluates a segment up to a time by the equations in their present modes. Where they have no
 * values, it has none. */
static dae_status take_values(dae_solver *s, const dense_output *step, double end,
                              segment_values *to)
{
    simulation *c = s->simulation;
    size_t points = (size_t)step->degree + 1 + MORE_POINTS;
    if (points > MOST_POINTS) points = MOST_POINTS;
    free(to->value);
    *to = (segment_values){.end = end, .value = malloc(2 * c->n * points * sizeof *to->value)};
    if (!to->value) return DAE_NO_MEMORY;
    for (size_t k = 0; k < points; k++) {
        double *row = to->value + 2 * c->n * k;
        double t = k + 1 == points ? end : step->t + part_of(k, points) * (end - step->t);
        solve_ask_rates(s, true);
        dae_status status = solve_try_values(s, t, step);
        solve_ask_rates(s, false);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK || c->ops->missing(c) >= 0) return DAE_OK;
        memcpy(row, c->value, c->n * sizeof *row);
        memcpy(row + c->n, simulation_shown_yp(c), c->n * sizeof *row);
    }
    to->points = points;
    return DAE_OK;
}

dae_status trajectory_take_values(dae_solver *s, double t)
{
    trajectory *kept = &s->kept;
    size_t modes = s->simulation->mode_number;
    for (size_t i = kept->count; i-- > 0;) {
        const dense_output *step = &kept->segment[i];
        segment_values *to = &kept->values[i];
        bool last = i + 1 == kept->count;
        double end = last ? t : kept->segment[i + 1].t;
        if (step->mode_number != modes || (!last && to->value && to->end == end)) break;
        if (!((end - step->t) * step->h > 0)) continue;
        dae_status status = take_values(s, step, end, to);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

/* Barycentric interpolation (Berrut & Trefethen, SIAM Review 46 (2004), eq. 4.2 and 5.4). */
static void interpolate(const segment_values *from, size_t n, double x, double *y, double *yp)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) y[i] = yp[i] = 0;
    for (size_t k = 0; k < from->points; k++) {
        const double *row = from->value + 2 * n * k;
        double away = x - part_of(k, from->points), weight = k % 2 ? -1 : 1;
        bool at_end = k == 0 || k + 1 == from->points;
        if (away == 0) {
            memcpy(y, row, n * sizeof *y);
            memcpy(yp, row + n, n * sizeof *yp);
            return;
        }
        weight *= (at_end ? 0.5 : 1) / away;
        sum += weight;
        for (size_t i = 0; i < n; i++) y[i] += weight * row[i], yp[i] += weight * row[n + i];
    }
    for (size_t i = 0; i < n; i++) y[i] /= sum, yp[i] /= sum;
}

bool trajectory_values(const dae_solver *s, const dense_output *step, double t, double *y,
                       double *yp)
{
    const trajectory *kept = &s->kept;
    const simulation *c = s->simulation;
    if (!step || kept->count == 0 || step < kept->segment || step >= kept->segment + kept->count)
        return false;
    const segment_values *from = &kept->values[step - kept->segment];
    if (step->mode_number == c->mode_number || from->points == 0) return false;
    interpolate(from, c->n, (t - step->t) / (from->end - step->t), y, yp);
    return true;
}

/* The segments of the one that is restored are others. */
void trajectory_state(trajectory *kept, size_t n, state_visit *s)
{
    size_t count = kept->count;
    STATE(s, count);
    if (s->way == STATE_RESTORE) trajectory_clear(kept);
    for (size_t i = 0; i < count && s->status == DAE_OK; i++) {
        if (s->way == STATE_RESTORE) state_fail(s, trajectory_keep(kept, &(dense_output){0}));
        if (s->status != DAE_OK) return;
        segment_values *values = &kept->values[i];
        size_t points = values->points, numbers;
        dense_output_state(&kept->segment[i], s);
        STATE(s, points);
        STATE(s, values->end);
        numbers = 2 * n * points;
        if (s->way == STATE_RESTORE && s->status == DAE_OK && points > 0) {
            values->value = malloc(numbers * sizeof *values->value);
            if (!values->value) state_fail(s, DAE_NO_MEMORY);
        }
        values->points = points;
        if (s->status == DAE_OK && points > 0) state_doubles(s, values->value, numbers);
    }
}
