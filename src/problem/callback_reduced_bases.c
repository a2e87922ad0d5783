/* Ranks and bases of the derivative array, and the derivatives that it determines. */
#include "problem/callback_reduced_parts.h"

#include "linalg/lapack.h"

#include <string.h>

enum { MOST_ITERATIONS = 12 };

/* Singular values below this part of the largest are 0, and they are by so much smaller than the
 * others; else no rank is beyond doubt. */
static const double ZERO = 1e-9, LEAST_ZERO = 1e-12, LEAST_NOISE = 1e-15, GAP = 1e-2;

/* Of matrices whose rank is to be full, so much above what is uncertain. */
static const double ABOVE_NOISE = 100;

/* The derivatives of y are known when they change by less, in their units. */
static const double KNOWN = 1e-11;

void svd_prepare(svd *s, size_t n, arena *a)
{
    s->length = (int)(8 * n + 64);
    s->left = arena_array(a, n * n, sizeof(double));
    s->right = arena_array(a, n * n, sizeof(double));
    s->copy = arena_array(a, n * n, sizeof(double));
    s->size = arena_array(a, n, sizeof(double));
    s->work = arena_array(a, (size_t)s->length, sizeof(double));
}

bool svd_decompose(svd *s, size_t rows, size_t columns, const double *m)
{
    int r = (int)rows, c = (int)columns, info = 0;
    if (r == 0 || c == 0) return true;
    memcpy(s->copy, m, rows * columns * sizeof *m);
    for (size_t k = 0; k < rows * columns; k++)
        if (!isfinite(m[k])) return false;
    dgesvd_("A", "A", &r, &c, s->copy, &r, s->size, s->left, &r, s->right, &c, s->work, &s->length,
            &info, 1, 1);
    return info == 0;
}

/* The rank, where it is beyond doubt; else -1. What is not above `least` is 0. */
static long rank_of(const svd *s, size_t count, double least)
{
    size_t rank = 0;
    while (rank < count && s->size[rank] > least) rank++;
    bool doubt = rank > 0 && rank < count && s->size[rank] > GAP * s->size[rank - 1];
    return doubt ? -1 : (long)rank;
}

/* Orthonormal columns that differ least from those of z in the space of `count` columns of q: a
 * basis that moves continuously, so that equations of two linearisations are nearly the same. */
static void turn(size_t rows, size_t count, const double *q, double *z, double *room)
{
    for (size_t j = 0; j < count; j++) {
        double *to = room + j * rows;
        memset(to, 0, rows * sizeof *to);
        for (size_t i = 0; i < count; i++) {
            double part = dot(rows, q + i * rows, z + j * rows);
            for (size_t k = 0; k < rows; k++) to[k] += part * q[i * rows + k];
        }
        for (size_t i = 0; i < j; i++) {
            double part = dot(rows, room + i * rows, to);
            for (size_t k = 0; k < rows; k++) to[k] -= part * room[i * rows + k];
        }
        double length = sqrt(dot(rows, to, to));
        for (size_t k = 0; length > 0 && k < rows; k++) to[k] /= length;
    }
    memcpy(z, room, rows * count * sizeof *z);
}

static void take_basis(const callback_reduced *r, size_t rows, size_t count, const double *q,
                       double *z)
{
    if (r->based)
        turn(rows, count, q, z, r->product);
    else
        memcpy(z, q, rows * count * sizeof *z);
}

/* By how much matrices of the array are uncertain: what is left where there should be 0. */
double reduced_noise(const callback_reduced *r)
{
    if (r->based) return r->noise;
    double left = r->rank < r->rows ? r->of_array.size[r->rank] : 0;
    return fmax(left, LEAST_NOISE * r->of_array.size[0]);
}

/* The constraints by y, and what is left of F_y' on their kernel; whether ranks are as they should
 * be: then there are Z1 and Z2. */
static bool find_bases_above(callback_reduced *r, double zero)
{
    const callback_array *g = &r->array;
    size_t n = r->n, rows = r->rows, d;
    long rank = r->based ? (long)r->rank : rank_of(&r->of_array, rows, zero * r->of_array.size[0]);
    if (rank < 0 || rows - (size_t)rank > n) return false;
    r->rank = (size_t)rank;
    r->constraints = rows - r->rank;
    d = n - r->constraints;
    take_basis(r, rows, r->constraints, r->of_array.left + r->rank * rows, r->z2);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < r->constraints; i++)
            r->hidden[j * r->constraints + i] = dot(rows, r->z2 + i * rows, g->by_y + j * rows);
    if (!svd_decompose(&r->of_hidden, r->constraints, n, r->hidden)) return false;
    double noise = reduced_noise(r), least = r->based ? 0 : ABOVE_NOISE * noise;
    if (rank_of(&r->of_hidden, r->constraints, least) != (long)r->constraints) return false;
    if (r->constraints) least /= r->of_hidden.size[r->constraints - 1]; /* noise of the kernel */
    for (size_t j = 0; j < d; j++) /* rows of `right` from the rank on span the kernel */
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                double v = r->constraints ? r->of_hidden.right[k * n + r->constraints + j] : k == j;
                sum += g->mass[k * n + i] * v;
            }
            r->tangent[j * n + i] = sum;
        }
    if (!svd_decompose(&r->of_mass, n, d, r->tangent)) return false;
    if (rank_of(&r->of_mass, d, least * largest_of(n * n, g->mass)) != (long)d) return false;
    take_basis(r, n, d, r->of_mass.left, r->z1);
    return true;
}

/* Whether the array still has the rank that it was found to have. */
static bool keeps_rank(const callback_reduced *r)
{
    const double *size = r->of_array.size;
    return r->rank == 0 || r->rank == r->rows || size[r->rank] <= GAP * size[r->rank - 1];
}

/* Stiff terms make singular values as small as 1e-9 of the largest that are not 0; what is taken
 * for 0 is so much smaller than that, or there are too many or too few constraints. */
bool reduced_find_bases(callback_reduced *r)
{
    if (!svd_decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) return false;
    if (r->based) return keeps_rank(r) && find_bases_above(r, LEAST_ZERO);
    return find_bases_above(r, ZERO) || find_bases_above(r, LEAST_ZERO);
}

/* The array's matrices and the bases at y and the derivatives in `rest`; where coarse ones leave
 * the ranks in doubt, better ones from then on. */
dae_status reduced_linearize_array(callback_reduced *r, double t, const double *y)
{
    for (;;) {
        dae_status status = callback_array_linearize(&r->array, t, y, r->rest);
        if (status != DAE_OK) return status;
        if (reduced_find_bases(r)) return DAE_OK;
        if (!r->array.coarse) return DAE_SINGULAR;
        r->array.coarse = false;
    }
}

/* change (rows) = by_rest^+ x, by its largest `rank` singular values. */
void reduced_solve_rest(callback_reduced *r, const double *x, double *change)
{
    const svd *s = &r->of_array;
    memset(change, 0, r->rows * sizeof *change);
    for (size_t k = 0; k < r->rank; k++) {
        double part = dot(r->rows, s->left + k * r->rows, x) / s->size[k];
        for (size_t j = 0; j < r->rows; j++) change[j] += part * s->right[j * r->rows + k];
    }
}

/* What round-off can do to what is solved with the first `count` of these singular values. */
double reduced_round_off(const callback_reduced *r, const svd *s, size_t count)
{
    double least = count > 0 ? s->size[count - 1] : 1;
    return fmax(1e3 * KNOWN, ABOVE_NOISE * reduced_noise(r) / least);
}

/* Newton's iteration for the derivatives of y that the equations of full rank determine at y, from
 * those of the last linearisation, into `trial`; the array's values there. `anew`: with a
 * linearisation of its own each time. */
static dae_status iterate_rest(callback_reduced *r, double t, const double *y, bool anew)
{
    double before = HUGE_VAL;
    memcpy(r->trial, r->rest, r->rows * sizeof *r->trial);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        dae_status status = DAE_OK;
        if (anew) status = callback_array_linearize(&r->array, t, y, r->trial);
        if (status == DAE_OK) status = callback_array_value(&r->array, t, y, r->trial);
        if (status != DAE_OK) return status;
        if (anew && !svd_decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) break;
        reduced_solve_rest(r, r->array.value, r->change);
        double size = largest_of(r->rows, r->change), all = 1 + largest_of(r->rows, r->trial);
        if (!isfinite(size)) break;
        if (size <= KNOWN * all) return DAE_OK;
        if (size >= 0.5 * before && size <= reduced_round_off(r, &r->of_array, r->rank) * all)
            return DAE_OK;
        before = size;
        for (size_t j = 0; j < r->rows; j++) r->trial[j] -= r->change[j];
    }
    return DAE_NOT_EVALUABLE;
}

/* How far errors of the array (rows, in r->change) move y (n), in units of the unknowns or of their
 * present sizes, if these are larger: at most. */
static double effect_of_errors(callback_reduced *r, const double *y)
{
    const svd *s = &r->of_hidden;
    size_t count = r->constraints, n = r->n;
    double most = 0, *missed = r->coefficient, *moved = r->f;
    for (size_t i = 0; i < count; i++) {
        missed[i] = 0;
        for (size_t k = 0; k < r->rows; k++)
            missed[i] += fabs(r->z2[i * r->rows + k]) * r->change[k];
    }
    for (size_t k = 0; k < count; k++) {
        moved[k] = 0;
        for (size_t i = 0; i < count; i++) moved[k] += fabs(s->left[k * count + i]) * missed[i];
        moved[k] /= s->size[k];
    }
    for (size_t j = 0; j < n; j++) {
        double sum = 0, size = fmax(1, fabs(y[j]) / r->array.column[j]);
        for (size_t k = 0; k < count; k++) sum += fabs(s->right[j * n + k]) * moved[k];
        most = fmax(most, sum / size);
    }
    return most;
}

double reduced_truncation(callback_reduced *r, double t, const double *y)
{
    callback_array_truncation(&r->array, r->change);
    double most = effect_of_errors(r, y);
    if (most <= r->most_left_out) return most;
    if (callback_array_halve(&r->array, t, y, r->trial, r->change) != DAE_OK) return most;
    return fmin(most, effect_of_errors(r, y));
}

/* With matrices as linearised last as long as they will do: beside stiff terms a small change of
 * them is too much. */
dae_status reduced_find_rest(callback_reduced *r, double t, const double *y)
{
    dae_status status = iterate_rest(r, t, y, false);
    if (status != DAE_NOT_EVALUABLE) return status;
    status = iterate_rest(r, t, y, true);
    if (status == DAE_OK) memcpy(r->rest, r->trial, r->rows * sizeof *r->rest);
    return status;
}
