#include "analysis/modes.h"

#include "base/round_off.h"
#include "linalg/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A complex vector of which LAPACK holds the parts in two columns, or a real one. */
typedef struct vector {
    const double *real, *imaginary; /* NULL: real */
    double sign;                    /* of the imaginary part */
} vector;

typedef struct spectrum {
    size_t n;
    double *real, *imaginary, *left, *right; /* n, n, n x n and n x n, columns contiguous */
    size_t *order;                           /* n: by |lambda|, pairs stay together */
} spectrum;

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

/* By insertion of real eigenvalues and of pairs. */
static void sort(spectrum *s)
{
    for (size_t i = 0; i < s->n;) {
        size_t width = s->imaginary[i] != 0 ? 2 : 1, at = i;
        while (at > 0 && size_of(s, s->order[at - 1]) > size_of(s, i)) at--;
        memmove(s->order + at + width, s->order + at, (i - at) * sizeof *s->order);
        for (size_t k = 0; k < width; k++) s->order[at + k] = i + k;
        i += width;
    }
}

static bool decompose(arena *a, const reduction *r, spectrum *s)
{
    size_t n = s->n = r->states;
    int size = (int)n, length = 8 * size + 1, info = 0;
    double *m = arena_array(a, n * n, sizeof *m),
           *work = arena_array(a, (size_t)length, sizeof *work);
    arena_vectors(a, n, (double **[]){&s->real, &s->imaginary, NULL});
    arena_vectors(a, n * n, (double **[]){&s->left, &s->right, NULL});
    s->order = arena_array(a, n, sizeof *s->order);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) m[j * n + i] = r->a[i * n + j];
    if (n > 0)
        dgeev_("V", "V", &size, m, &size, s->real, s->imaginary, s->left, &size, s->right, &size,
               work, &length, &info, 1, 1);
    if (info != 0) return false;
    clean(s);
    sort(s);
    return true;
}

/* The eigenvector of eigenvalue i: of a pair, the parts stand in the columns of its first one. */
static vector eigenvector(const spectrum *s, const double *columns, size_t i)
{
    if (s->imaginary[i] == 0) return (vector){.real = columns + i * s->n};
    bool first = s->imaginary[i] > 0;
    const double *real = columns + (first ? i : i - 1) * s->n;
    return (vector){.real = real, .imaginary = real + s->n, .sign = first ? 1 : -1};
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
static void find_shape(arena *a, const descriptor *d, const reduction *r, vector v, dae_mode *mode)
{
    double *real, *imaginary;
    size_t largest = 0;
    arena_vectors(a, d->n, (double **[]){&real, &imaginary, NULL});
    for (size_t j = 0; j < d->n; j++) {
        for (size_t k = 0; k < r->states; k++) {
            real[j] += r->t[j * r->states + k] * v.real[k];
            if (v.imaginary) imaginary[j] += v.sign * r->t[j * r->states + k] * v.imaginary[k];
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

const dae_mode *modes_find(arena *memory, const descriptor *d, const reduction *r)
{
    spectrum s;
    if (!decompose(memory, r, &s)) return NULL;
    dae_mode *mode = arena_array(memory, s.n + 1, sizeof *mode);
    for (size_t q = 0; q < s.n; q++) {
        size_t i = s.order[q];
        dae_mode *m = &mode[q];
        m->real = s.real[i];
        m->imaginary = s.imaginary[i];
        describe(m);
        vector right = eigenvector(&s, s.right, i);
        m->participation = participation(memory, s.n, eigenvector(&s, s.left, i), right);
        find_shape(memory, d, r, right, m);
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
