#include "problem/invariants.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "base/scatter.h"
#include "nonlinear/differences.h"

#include <math.h>
#include <string.h>

/* Round-off of c as a part of its terms; round-off of the time as a part of the time. */
static const double OF_TERMS = ROUND_OFF_SUM / 2;

/* The range of distances along variables, in parts of their sizes; and along the motion, in units
 * of the time in which the fastest variable moves by its size. That unit may be far from the real
 * time scale, so the second range is wide. */
static const double LEAST_WAY = 0x1p-40, MOST_WAY = 0x1p-3;
static const double LEAST_TIME = 0x1p-60, MOST_TIME = 0x1p3;

/* Changes below this part of the terms of c, per unit of time, are round-off. */
static const double NOISE = 1e-7;

typedef struct check {
    const invariant_source *s;
    const invariant_point *p;
    double pace;               /* the rate of time along the direction */
    double *direction, *moved; /* n */
    double *given, *size;      /* count */
    double *terms, *noise;     /* count: of c */
    derivative_outward *outward;
    arena memory;
} check;

static void make(void *argument)
{
    check *k = argument;
    arena *a = &k->memory;
    arena_vectors(a, k->s->n, (double **const[]){&k->direction, &k->moved, NULL});
    arena_vectors(a, k->s->count,
                  (double **const[]){&k->given, &k->size, &k->terms, &k->noise, NULL});
    k->outward = derivative_outward_create(a, k->s->count);
}

static double size_of(const check *k, size_t j)
{
    return fmax(fabs(k->p->y[j]), k->s->nominal[j]);
}

static dae_status along(void *self, double distance, double *c)
{
    const check *k = self;
    for (size_t j = 0; j < k->s->n; j++) k->moved[j] = k->p->y[j] + distance * k->direction[j];
    return k->s->value(k->s->self, k->p->t + k->pace * distance, k->moved, c);
}

/* Set k->given: the gradient along the direction; k->size: its terms; k->terms: the terms of c
 * itself; k->noise: the round-off of c. */
static void take_given(check *k)
{
    const invariant_point *p = k->p;
    double late = k->pace * ROUND_OFF_VALUE * fabs(p->t);
    sparse_multiply(p->pattern, p->jacobian, k->direction, k->given);
    miss_terms(p->pattern, p->jacobian, k->direction, NULL, k->size);
    miss_terms(p->pattern, p->jacobian, p->y, NULL, k->terms);
    for (size_t i = 0; i < k->s->count; i++)
        k->noise[i] = OF_TERMS * k->terms[i] + late * k->size[i];
}

/* Derivatives along the direction by differences; they count as terms as well. */
static dae_status difference(check *k, const derivative_range *range)
{
    take_given(k);
    dae_status status = derivative_outward_find(k->outward, along, k, range);
    for (size_t i = 0; status == DAE_OK && i < k->s->count; i++)
        k->size[i] += fabs(k->outward->derivative[i]);
    return status;
}

static dae_status difference_by_y(check *k)
{
    derivative_range range = {
        .rows = k->s->count, .least = LEAST_WAY, .most = MOST_WAY, .noise = k->noise};
    for (size_t j = 0; j < k->s->n; j++)
        range.argument = fmax(range.argument, OF_TERMS * fabs(k->p->y[j]) / size_of(k, j));
    return difference(k, &range);
}

/* Find the variable by which a row is wrong, from differences along each variable. */
static dae_status find_column(check *k, size_t row, invariant_fault *fault)
{
    double worst = 0;
    for (size_t j = 0; j < k->s->n; j++) {
        memset(k->direction, 0, k->s->n * sizeof *k->direction);
        k->direction[j] = size_of(k, j);
        dae_status status = difference_by_y(k);
        if (status != DAE_OK) return status;
        double error = fabs(k->given[row] - k->outward->derivative[row]);
        if (!(error > worst)) continue;
        worst = error;
        *fault = (invariant_fault){.wrong = true,
                                   .row = row,
                                   .column = j,
                                   .given = k->given[row] / k->direction[j],
                                   .found = k->outward->derivative[row] / k->direction[j]};
    }
    return DAE_OK;
}

static dae_status check_jacobian(check *k, invariant_fault *fault)
{
    size_t count = k->s->count;
    for (size_t j = 0; j < k->s->n; j++) k->direction[j] = size_of(k, j) * (1 + 0.5 * scattered(j));
    dae_status status = difference_by_y(k);
    if (status != DAE_OK) return status;
    size_t row = derivative_outward_denies(k->outward, count, k->given, k->size, k->p->allowed);
    return row < count ? find_column(k, row, fault) : DAE_OK;
}

/* The time in which the fastest variable moves by its size; one second if all are at rest. */
static double unit_of_time(const check *k)
{
    double rate = 0;
    for (size_t j = 0; j < k->s->n; j++) rate = fmax(rate, fabs(k->direction[j]) / size_of(k, j));
    return rate > 0 ? 1 / rate : 1;
}

static dae_status check_rate(check *k, invariant_fault *fault)
{
    size_t count = k->s->count;
    double unit = unit_of_time(k), late = ROUND_OFF_LONG_SUM * fabs(k->p->t);
    const derivative_range range = {.rows = count,
                                    .least = fmax(LEAST_TIME * unit, late),
                                    .most = fmax(MOST_TIME * unit, 256 * late),
                                    .noise = k->noise,
                                    .argument = late / 16};
    k->pace = 1;
    dae_status status = difference(k, &range);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < count; i++) {
        double least = NOISE / k->p->allowed * k->terms[i] / unit;
        k->given[i] = 0;
        k->size[i] = fmax(k->size[i], least);
    }
    size_t row = derivative_outward_denies(k->outward, count, k->given, k->size, k->p->allowed);
    if (row < count)
        *fault = (invariant_fault){.wrong = true,
                                   .changes = true,
                                   .row = row,
                                   .given = k->size[row],
                                   .found = k->outward->derivative[row]};
    return DAE_OK;
}

dae_status invariant_check(const invariant_source *s, const invariant_point *p, const double *rate,
                           invariant_fault *fault)
{
    check k = {.s = s, .p = p};
    *fault = (invariant_fault){0};
    if (s->count == 0) return DAE_OK;
    dae_status status = arena_protect(&k.memory, make, &k);
    if (status == DAE_OK && rate) memcpy(k.direction, rate, s->n * sizeof *rate);
    if (status == DAE_OK) status = rate ? check_rate(&k, fault) : check_jacobian(&k, fault);
    arena_free(&k.memory);
    return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

void invariant_fault_report(const invariant_fault *f, double t, const char *value,
                            const char *jacobian, const char *variable, text *words)
{
    if (f->changes)
        text_format(words,
                    "invariant %zu (%s) changes along the motion: at t = %.9g its rate by "
                    "differences is %.6g instead of 0, with terms of size %.6g",
                    f->row + 1, value, t, f->found, f->given);
    else
        text_format(words,
                    "%s by %s is %.6g in invariant %zu at t = %.9g, and differences of %s give "
                    "%.6g",
                    jacobian, variable, f->given, f->row + 1, t, value, f->found);
}
