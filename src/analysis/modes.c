#include "analysis/modes.h"

#include "analysis/spectrum.h"
#include "base/round_off.h"
#include "linalg/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A complex vector of which LAPACK holds the parts in two columns, or a real one. */
typedef struct vector {
    const double *real, *imaginary; /* NULL: real */
} vector;

/* A matrix without its zeros: rows[i] to before rows[i + 1]. */
typedef struct sparse_rows {
    size_t *rows, *column;
    double *value;
} sparse_rows;

static double size_of(const spectrum *s, size_t i)
{
    return hypot(s->real[i], s->imaginary[i]);
}

/* Real parts that are round-off beside the imaginary one, and the other way round, are 0. */
static void clean(spectrum *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double least = ROUND_OFF_ITERATED * size_of(s, i);
        if (fabs(s->real[i]) <= least) s->real[i] = 0;
    }
}

/* By |lambda|, pairs together, by insertion of real eigenvalues and of pairs. */
static const size_t *sorted(arena *a, const spectrum *s)
{
    size_t *order = arena_array(a, s->n, sizeof *order);
    for (size_t i = 0; i < s->n;) {
        size_t width = s->imaginary[i] != 0 ? 2 : 1, at = i;
        while (at > 0 && size_of(s, order[at - 1]) > size_of(s, i)) at--;
        memmove(order + at + width, order + at, (i - at) * sizeof *order);
        for (size_t k = 0; k < width; k++) order[at + k] = i + k;
        i += width;
    }
    return order;
}

/* The variables by the states. */
static sparse_rows lift_of(arena *a, size_t n, const reduction *r)
{
    size_t s = r->states, count = 0;
    sparse_rows lift = {.rows = arena_array(a, n + 1, sizeof *lift.rows)};
    for (size_t k = 0; k < n * s; k++) count += r->t[k] != 0;
    lift.column = arena_array(a, count, sizeof *lift.column);
    lift.value = arena_array(a, count, sizeof *lift.value);
    count = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < s; k++) {
            if (r->t[j * s + k] == 0) continue;
            lift.column[count] = k;
            lift.value[count++] = r->t[j * s + k];
        }
        lift.rows[j + 1] = count;
    }
    return lift;
}

/* The eigenvector of eigenvalue i, the first one of a pair. */
static vector eigenvector(const spectrum *s, const double *columns, size_t i)
{
    const double *real = columns + i * s->n;
    return (vector){.real = real, .imaginary = s->imaginary[i] != 0 ? real + s->n : NULL};
}

static double part(const vector *v, size_t k)
{
    return v->imaginary ? hypot(v->real[k], v->imaginary[k]) : fabs(v->real[k]);
}

static const double *participation(arena *a, size_t n, vector left, vector right)
{
    double *share = arena_array(a, n, sizeof *share), sum = 0;
    for (size_t k = 0; k < n; k++) sum += share[k] = part(&left, k) * part(&right, k);
    for (size_t k = 0; sum > 0 && k < n; k++) share[k] /= sum;
    return share;
}

/* y = t v, divided by its largest component in units of the nominal sizes. */
static void find_shape(arena *a, const descriptor *d, const sparse_rows *t, vector v,
                       dae_mode *mode)
{
    double *real, *imaginary;
    size_t largest = 0;
    arena_vectors(a, d->n, (double **[]){&real, &imaginary, NULL});
    for (size_t j = 0; j < d->n; j++) {
        for (size_t e = t->rows[j]; e < t->rows[j + 1]; e++) {
            real[j] += t->value[e] * v.real[t->column[e]];
            if (v.imaginary) imaginary[j] += t->value[e] * v.imaginary[t->column[e]];
        }
        double size = hypot(real[j], imaginary[j]) / d->nominal[j];
        if (size > hypot(real[largest], imaginary[largest]) / d->nominal[largest]) largest = j;
    }
    double x = real[largest] / d->nominal[largest], y = imaginary[largest] / d->nominal[largest];
    double square = x * x + y * y;
    for (size_t j = 0; square > 0 && j < d->n; j++) {
        double own = real[j], other = imaginary[j];
        real[j] = (own * x + other * y) / square;
        imaginary[j] = (other * x - own * y) / square;
    }
    mode->shape_real = real;
    mode->shape_imaginary = imaginary;
}

static void describe(dae_mode *m)
{
    m->frequency = hypot(m->real, m->imaginary);
    m->damping = m->frequency > 0 ? -m->real / m->frequency : (double)NAN;
    m->time_constant = m->real != 0 ? -1 / m->real : (double)INFINITY;
    if (m->damping == 0) m->damping = 0; /* not -0 */
}

static void conjugate(arena *a, size_t n, const dae_mode *of, dae_mode *mode)
{
    double *imaginary = arena_array(a, n, sizeof *imaginary);
    for (size_t j = 0; j < n; j++) imaginary[j] = 0 - of->shape_imaginary[j];
    *mode = *of;
    mode->imaginary = -of->imaginary;
    mode->shape_imaginary = imaginary;
}

const dae_mode *modes_find(arena *memory, const descriptor *d, const reduction *r)
{
    spectrum s;
    if (!spectrum_find(memory, r->states, r->a, &s)) return NULL;
    clean(&s);
    const size_t *order = sorted(memory, &s);
    sparse_rows t = lift_of(memory, d->n, r);
    dae_mode *mode = arena_array(memory, s.n + 1, sizeof *mode);
    for (size_t q = 0; q < s.n; q++) {
        size_t i = order[q];
        dae_mode *m = &mode[q];
        if (s.imaginary[i] < 0) {
            conjugate(memory, d->n, m - 1, m);
            continue;
        }
        m->real = s.real[i];
        m->imaginary = s.imaginary[i];
        describe(m);
        vector right = eigenvector(&s, s.right, i);
        m->participation = participation(memory, s.n, eigenvector(&s, s.left, i), right);
        find_shape(memory, d, &t, right, m);
    }
    return mode;
}

/* E and A by columns in units of the nominal sizes, rows divided by their largest entries. */
static void scale(const descriptor *d, double *E, double *A)
{
    size_t n = d->n;
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        for (size_t j = 0; j < n; j++) {
            E[j * n + i] = d->E[i * n + j] * d->nominal[j];
            A[j * n + i] = d->A[i * n + j] * d->nominal[j];
            largest = fmax(largest, fmax(fabs(E[j * n + i]), fabs(A[j * n + i])));
        }
        for (size_t j = 0; largest > 0 && j < n; j++) {
            E[j * n + i] /= largest;
            A[j * n + i] /= largest;
        }
    }
}

double modes_cross_check(arena *memory, const descriptor *d, size_t states, const dae_mode *mode)
{
    enum { LARGEST = 300 };
    static const double SMALL = 1e-6; /* of the largest: eigenvalues at 0 have no size */
    size_t n = d->n;
    if (n > LARGEST || n == 0) return (double)NAN;
    int size = (int)n, length = 16 * size + 1, info, one = 1;
    double *E, *A, *real, *imaginary, *beta, *work, none;
    arena_vectors(memory, n * n, (double **[]){&E, &A, NULL});
    arena_vectors(memory, n, (double **[]){&real, &imaginary, &beta, NULL});
    work = arena_array(memory, (size_t)length, sizeof *work);
    scale(d, E, A);
    dggev_("N", "N", &size, A, &size, E, &size, real, imaginary, beta, &none, &one, &none, &one,
           work, &length, &info, 1, 1);
    if (info != 0) return (double)NAN;
    double worst = 0, largest = states > 0 ? mode[states - 1].frequency : 0;
    for (size_t q = 0; q < states; q++) {
        double nearest = HUGE_VAL, own = fmax(mode[q].frequency, SMALL * largest);
        for (size_t i = 0; i < n; i++) {
            if (beta[i] == 0) continue;
            double away = hypot(real[i] / beta[i] - mode[q].real,
                                imaginary[i] / beta[i] - mode[q].imaginary);
            nearest = fmin(nearest, away);
        }
        worst = fmax(worst, nearest / (own > 0 ? own : 1));
    }
    return worst;
}
