#include "nonlinear/differences.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Distances shrink by 4, to 1e-9 of the widest. Extrapolations have order 12 at most. */
enum { DISTANCES = 16, DEEPEST = 5 };
static const double SHRINK = 0.25;

struct derivative_along {
    size_t rows;
    size_t from, to;              /* the distances that are used */
    double *tableau[DEEPEST + 1]; /* rows: extrapolations that end with the previous distance */
    int side;                     /* 0: central differences; 1, -1: to that side of 0 */
    double *after, *before;       /* rows: g at s and at -s, or at s to that side and at 0 */
    double *error;                /* rows: error of the best value so far */
    size_t *best;                 /* rows: the distance with which the best value ends */
};

derivative_along *derivative_along_create(arena *a, size_t rows)
{
    derivative_along *s = arena_take(a, sizeof *s);
    s->rows = rows;
    s->to = DISTANCES;
    for (size_t d = 0; d <= DEEPEST; d++) s->tableau[d] = arena_array(a, rows, sizeof(double));
    arena_vectors(a, rows, (double **const[]){&s->after, &s->before, &s->error, NULL});
    s->best = arena_array(a, rows, sizeof *s->best);
    return s;
}

/* Neville's scheme for one row, in the distances, or in their squares if differences are central. A
 * new quotient, known up to `noise`, joins `earlier` others. Without the noise, two values that
 * agree by chance would be taken where only round-off is left. */
static void extrapolate(derivative_along *s, size_t row, size_t distance, size_t earlier,
                        double quotient, double noise, double *derivative)
{
    const double shrink = s->side == 0 ? SHRINK * SHRINK : SHRINK;
    double power = 1;
    for (size_t d = 0; d < earlier && d < DEEPEST; d++) {
        double coarser = s->tableau[d][row];
        power *= shrink;
        double value = (quotient - power * coarser) / (1 - power);
        double error = fmax(fabs(value - quotient), fabs(value - coarser)) + noise;
        s->tableau[d][row] = quotient;
        quotient = value;
        if (!(error < s->error[row])) continue;
        s->error[row] = error;
        s->best[row] = distance;
        derivative[row] = value;
    }
    s->tableau[earlier < DEEPEST ? earlier : DEEPEST][row] = quotient;
}

static void join(derivative_along *s, size_t k, size_t earlier, double distance, double *derivative)
{
    for (size_t i = 0; i < s->rows; i++) {
        double size = fmax(fabs(s->after[i]), fabs(s->before[i]));
        double apart = s->side == 0 ? 2 * distance : s->side * distance;
        double quotient = (s->after[i] - s->before[i]) / apart;
        extrapolate(s, i, k, earlier, quotient, DBL_EPSILON * size / distance, derivative);
    }
}

static dae_status look(derivative_along *s, curve g, void *self, double distance)
{
    dae_status status = g(self, s->side == 0 ? distance : s->side * distance, s->after);
    if (status == DAE_OK) status = g(self, s->side == 0 ? -distance : 0, s->before);
    for (size_t i = 0; status == DAE_OK && i < s->rows; i++)
        if (!isfinite(s->after[i] - s->before[i])) status = DAE_NOT_EVALUABLE;
    return status;
}

/* Restrict later calls to the distances at which the rows were known best. */
static void narrow(derivative_along *s)
{
    size_t from = DISTANCES, to = 0;
    for (size_t i = 0; i < s->rows; i++) {
        if (s->best[i] < from) from = s->best[i];
        if (s->best[i] > to) to = s->best[i];
    }
    s->from = from < DEEPEST ? 0 : from - DEEPEST;
    s->to = to + 2 < DISTANCES ? to + 2 : DISTANCES;
}

/* By differences on s->side. */
static dae_status find(derivative_along *s, curve g, void *self, double widest, double *derivative)
{
    size_t earlier = 0; /* consecutive distances with a value */
    for (size_t i = 0; i < s->rows; i++) s->error[i] = HUGE_VAL;
    for (size_t k = s->from; k < s->to; k++) {
        double distance = widest * pow(SHRINK, (double)k);
        dae_status status = look(s, g, self, distance);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
        if (status == DAE_OK) join(s, k, earlier, distance, derivative);
        earlier = status == DAE_OK ? earlier + 1 : 0;
    }
    for (size_t i = 0; i < s->rows; i++)
        if (s->error[i] == HUGE_VAL) return DAE_NOT_EVALUABLE;
    narrow(s);
    return DAE_OK;
}

dae_status derivative_along_find(derivative_along *s, curve g, void *self, double widest,
                                 double *derivative)
{
    dae_status status = find(s, g, self, widest, derivative);
    for (int tried = 0; status == DAE_NOT_EVALUABLE && tried < 2; tried++) {
        s->side = s->side == 0 ? 1 : s->side == 1 ? -1 : 0;
        s->from = 0;
        s->to = DISTANCES;
        status = find(s, g, self, widest, derivative);
    }
    return status;
}

void derivative_along_state(derivative_along *s, state_visit *to)
{
    STATE(to, s->from);
    STATE(to, s->to);
    STATE(to, s->side);
}
