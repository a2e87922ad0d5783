/* Ranks and bases of the derivative array, and the derivatives that it determines. */
#include "base/round_off.h"
#include "problem/callback_reduced_parts.h"

#include "linalg/lapack.h"

#include <float.h>
#include <string.h>

enum { MOST_ITERATIONS = REDUCED_MOST_ITERATIONS };

/* Singular values that count as 0 are smaller than the others by at least the factor GAP; otherwise
 * the rank is in doubt. */
static const double GAP = 1e-2;

/* The smallest singular value of a matrix of full rank exceeds the matrix's error by this
 * factor. */
static const double ABOVE_NOISE = 100;

/* KNOWN: the derivatives of y are accepted when they change by less, in their units. UNSEEN: since
 * the matrices belong to another point, a part of each change reaches the constraints. That part
 * has to be less than their round-off. */
static const double KNOWN = 1e-11, UNSEEN = DBL_EPSILON / 4;

/* A correction that is round-off, or one that is skipped, moves y by less than this part of what
 * differences may leave out. A small change of derivatives matters much in a long unit of time. */
static const double SETTLED = 1e-3;

/* Nothing is learned from a correction that resembles the last one by more than this. */
static const double LEARNABLE = 0.5;

/* Derivatives beyond this, in their units, show that the iteration diverges. */
static const double LARGEST = 1e12;

void svd_prepare(svd *s, size_t n, arena *a)
{
    s->length = (int)(8 * n + 64);
    arena_vectors(a, n * n, (double **const[]){&s->left, &s->right, &s->copy, NULL});
    s->size = arena_array(a, n, sizeof(double));
    s->work = arena_array(a, (size_t)s->length, sizeof(double));
}

bool svd_decompose(svd *s, size_t rows, size_t columns, const double *m)
{
    int r = (int)rows, c = (int)columns, info = 0;
    if (r == 0 || c == 0) return true;
    memcpy(s->copy, m, rows * columns * sizeof *m);
    if (!vector_is_finite(rows * columns, m)) return false;
    dgesvd_("A", "A", &r, &c, s->copy, &r, s->size, s->left, &r, s->right, &c, s->work, &s->length,
            &info, 1, 1);
    return info == 0;
}

/* The rank, or -1 if it is in doubt. Values that are not above `least` are 0. */
static long rank_of(const svd *s, size_t count, double least)
{
    size_t rank = 0;
    while (rank < count && s->size[rank] > least) rank++;
    bool doubt = rank > 0 && rank < count && s->size[rank] > GAP * s->size[rank - 1];
    return doubt ? -1 : (long)rank;
}

/* Replace z by the orthonormal basis of the space of `count` columns of q that differs least from z
 * (Procrustes). It moves continuously, so that the equations of two linearisations are nearly the
 * same. */
static bool turn(callback_reduced *r, size_t rows, size_t count, const double *q, double *z)
{
    svd *s = &r->of_free;
    double *common = r->product, *turned = r->product + count * count;
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < count; i++)
            common[j * count + i] = vector_dot(rows, q + i * rows, z + j * rows);
    if (!svd_decompose(s, count, count, common)) return false;
    memset(turned, 0, rows * count * sizeof *turned);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < count; i++) {
            double part = 0;
            for (size_t k = 0; k < count; k++)
                part += s->left[k * count + i] * s->right[j * count + k];
            for (size_t k = 0; k < rows; k++) turned[j * rows + k] += part * q[i * rows + k];
        }
    memcpy(z, turned, rows * count * sizeof *z);
    return true;
}

static bool take_basis(callback_reduced *r, size_t rows, size_t count, const double *q, double *z)
{
    if (r->based) return turn(r, rows, count, q, z);
    memcpy(z, q, rows * count * sizeof *z);
    return true;
}

/* The error of the array's matrices: the largest singular value that counts as 0. */
double reduced_noise(const callback_reduced *r)
{
    if (r->based) return r->noise;
    double left = r->rank < r->rows ? r->of_array.size[r->rank] : 0;
    return fmax(left, ROUND_OFF_NORM * r->of_array.size[0]);
}

/* Find the constraints by y, the remainder of F_y' on their kernel, and from them Z1 and Z2. False
 * if ranks are not as they should be. */
static bool find_bases_of(callback_reduced *r, long rank)
{
    const callback_array *g = &r->array;
    size_t n = r->n, rows = r->rows, d;
    if (rank < 0 || rows - (size_t)rank > n) return false;
    r->rank = (size_t)rank;
    r->constraints = rows - r->rank;
    d = n - r->constraints;
    memcpy(r->range, r->of_array.left, rows * r->rank * sizeof *r->range);
    memcpy(r->left, r->range, rows * r->rank * sizeof *r->left);
    if (!take_basis(r, rows, r->constraints, r->of_array.left + r->rank * rows, r->z2))
        return false;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < r->constraints; i++)
            r->hidden[j * r->constraints + i] = vector_dot(rows, r->z2 + i * rows,
                                                           g->by_y + j * rows);
    if (!svd_decompose(&r->of_hidden, r->constraints, n, r->hidden)) return false;
    double noise = reduced_noise(r), least = r->based ? 0 : ABOVE_NOISE * noise;
    if (rank_of(&r->of_hidden, r->constraints, least) != (long)r->constraints) return false;
    if (!r->based) least = ABOVE_NOISE * fmax(noise, r->uncertain);
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
    if (rank_of(&r->of_mass, d, least * vector_largest(n * n, g->mass)) != (long)d) return false;
    return take_basis(r, n, d, r->of_mass.left, r->z1);
}

/* Whether the array still has the rank that it was found to have. */
static bool keeps_rank(const callback_reduced *r)
{
    const double *size = r->of_array.size;
    return r->rank == 0 || r->rank == r->rows || size[r->rank] <= GAP * size[r->rank - 1];
}

bool reduced_keeps_bases(callback_reduced *r)
{
    if (!svd_decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) return false;
    return keeps_rank(r) && find_bases_of(r, (long)r->rank);
}

bool reduced_find_bases(callback_reduced *r)
{
    if (r->based) return reduced_keeps_bases(r);
    if (!svd_decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) return false;
    return find_bases_of(r, rank_of(&r->of_array, r->rows, r->zero * r->of_array.size[0]));
}

/* Find the rank that counts smaller singular values, and its bases. If there is no index with that
 * rank, those values are noise and the rank stays. */
static bool raise_rank(callback_reduced *r)
{
    size_t before = r->rank;
    r->based = false;
    r->zero = REDUCED_LEAST_ZERO;
    bool found = reduced_find_bases(r) && r->rank > before;
    if (found) r->noise = reduced_noise(r);
    if (!found) r->rank = before;
    r->based = true;
    return found || reduced_keeps_bases(r);
}

/* Find the array's matrices and the bases at y and the derivatives in `rest`. */
static bool look_at_array(callback_reduced *r, double t, const double *y, dae_status *status)
{
    *status = callback_array_linearize(&r->array, t, y, r->rest);
    return *status == DAE_OK && reduced_find_bases(r);
}

/* A rank that was found where a term is 0, such as a sine at a start, may leave out much later, or
 * may no longer show. Coarse matrices leave that in doubt, so finer ones are tried. */
dae_status reduced_linearize_array(callback_reduced *r, double t, const double *y)
{
    dae_status status;
    bool coarse = r->array.coarse, found = look_at_array(r, t, y, &status);
    if (found && reduced_leaves_out_little(r, t, y)) return DAE_OK;
    if (status != DAE_OK) return status;
    r->array.coarse = false;
    if (coarse) found = look_at_array(r, t, y, &status);
    if (status != DAE_OK) return status;
    r->array.coarse = coarse && found; /* doubtful ranks get finer matrices from then on */
    if (found && reduced_leaves_out_little(r, t, y)) return DAE_OK;
    if (r->zero <= REDUCED_LEAST_ZERO) return DAE_SINGULAR;
    return raise_rank(r) ? DAE_OK : DAE_SINGULAR;
}

/* change (rows): the shortest change that removes the parts of x outside the space of Z2. */
void reduced_solve_rest(callback_reduced *r, const double *x, double *change)
{
    const svd *s = &r->of_array;
    memset(change, 0, r->rows * sizeof *change);
    for (size_t k = 0; k < r->rank; k++) {
        double part = vector_dot(r->rows, r->left + k * r->rows, x) / s->size[k];
        for (size_t j = 0; j < r->rows; j++) change[j] += part * s->right[j * r->rows + k];
    }
}

void reduced_take_rest(callback_reduced *r)
{
    const svd *s = &r->of_array;
    memset(r->rest, 0, r->rows * sizeof *r->rest);
    for (size_t k = 0; k < r->rank; k++) {
        double part = 0;
        for (size_t j = 0; j < r->rows; j++) part += s->right[j * r->rows + k] * r->trial[j];
        for (size_t j = 0; j < r->rows; j++) r->rest[j] += part * s->right[j * r->rows + k];
    }
}

/* Decompose by_rest by matrices at another point than that of Z2, which stays. */
static bool look_at_rest_anew(callback_reduced *r)
{
    const callback_array *g = &r->array;
    size_t rows = r->rows, rank = r->rank;
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < rank; i++)
            r->product[j * rank + i] = vector_dot(rows, r->range + i * rows, g->by_rest + j * rows);
    if (!svd_decompose(&r->of_array, rank, rows, r->product)) return false;
    memset(r->left, 0, rows * rank * sizeof *r->left);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < rank; i++) {
            double part = r->of_array.left[k * rank + i];
            for (size_t l = 0; l < rows; l++)
                r->left[k * rows + l] += part * r->range[i * rows + l];
        }
    return true;
}

void reduced_keep(callback_reduced *r, state_way way)
{
    state_visit s = {.way = way, .at = (unsigned char *)r->kept};
    state_doubles(&s, r->rest, r->rows);
    state_doubles(&s, r->of_array.size, r->rows);
    state_doubles(&s, r->of_array.right, r->rows * r->rows);
    state_doubles(&s, r->left, r->rows * r->rank);
    r->moved = false;
}

/* The effect of round-off on a solution with the first `count` of these singular values. */
double reduced_round_off(const callback_reduced *r, const svd *s, size_t count)
{
    double least = count > 0 ? s->size[count - 1] : 1;
    return fmax(1e3 * KNOWN, ABOVE_NOISE * reduced_noise(r) / least);
}

/* An upper bound of how far a miss of the constraints (at most r->coefficient) moves y (n), in
 * units of the unknowns, or of their present sizes if these are larger. */
static double effect_of_missed(callback_reduced *r, const double *y)
{
    const svd *s = &r->of_hidden;
    size_t count = r->constraints, n = r->n;
    double most = 0, *missed = r->coefficient, *moved = r->f;
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

/* The same for errors of the array (rows, in r->change). */
static double effect_of_errors(callback_reduced *r, const double *y)
{
    for (size_t i = 0; i < r->constraints; i++) {
        r->coefficient[i] = 0;
        for (size_t k = 0; k < r->rows; k++)
            r->coefficient[i] += fabs(r->z2[i * r->rows + k]) * r->change[k];
    }
    return effect_of_missed(r, y);
}

/* The same for the change of the constraints by the last correction of the derivatives. */
static double effect_of_correction(callback_reduced *r, const double *y)
{
    for (size_t i = 0; i < r->constraints; i++) {
        double value = vector_dot(r->rows, r->z2 + i * r->rows, r->array.value);
        r->coefficient[i] = fabs(value - r->seen[i]);
        r->seen[i] = value;
    }
    return effect_of_missed(r, y);
}

/* The correction in r->change becomes that of Broyden's method with the last `count` corrections
 * (Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995, Sec. 7.3), because the
 * matrices belong to another point. Returns from how many corrections the next one can learn. */
static size_t learn(callback_reduced *r, size_t count)
{
    size_t rows = r->rows;
    double *change = r->change;
    for (size_t k = 0; k < count; k++) {
        const double *last = r->corrections + k * rows, *next = last + rows;
        double part = vector_dot(rows, last, change) / vector_dot(rows, last, last);
        if (k + 1 == count) {
            if (!(fabs(part) < LEARNABLE)) return 0;
            for (size_t j = 0; j < rows; j++) change[j] /= 1 - part;
        } else {
            for (size_t j = 0; j < rows; j++) change[j] += part * next[j];
        }
    }
    return count;
}

/* Newton's iteration for the derivatives of y, into `trial`, from those of the last linearisation,
 * and the array's values there. It ends when only parts of the array along Z2 are left at y. So the
 * remainder is small where Z2^T A is small, however far Z2 is from its value at y. `anew`: each
 * iteration linearises. */
static dae_status iterate_rest(callback_reduced *r, double t, const double *y, bool anew)
{
    double before = HUGE_VAL;
    size_t learned = 0;
    memcpy(r->trial, r->rest, r->rows * sizeof *r->trial);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        dae_status status = DAE_OK;
        if (anew) status = callback_array_linearize(&r->array, t, y, r->trial);
        if (status == DAE_OK) status = callback_array_value(&r->array, t, y, r->trial);
        if (status != DAE_OK) return status;
        if (anew && !look_at_rest_anew(r)) break;
        reduced_solve_rest(r, r->array.value, r->change);
        if (!anew) learned = learn(r, learned);
        memcpy(r->corrections + learned++ * r->rows, r->change, r->rows * sizeof *r->change);
        double effect = effect_of_correction(r, y);
        double size = vector_largest(r->rows, r->change),
               all = 1 + vector_largest(r->rows, r->trial);
        if (!isfinite(size) || all > LARGEST) break;
        double falls = fmin(1, size / before);
        bool unseen = falls >= 0.5 || falls * effect <= SETTLED * r->most_left_out;
        if (size <= KNOWN * all && falls * size <= UNSEEN * all && unseen) return DAE_OK;
        bool stays = effect <= SETTLED * r->most_left_out && falls >= 0.5;
        if (stays && size <= reduced_round_off(r, &r->of_array, r->rank) * all) return DAE_OK;
        before = size;
        for (size_t j = 0; j < r->rows; j++) r->trial[j] -= r->change[j];
    }
    return DAE_NOT_EVALUABLE;
}

double reduced_truncation(callback_reduced *r, double t, const double *y)
{
    callback_array_truncation(&r->array, r->change);
    double most = effect_of_errors(r, y);
    if (most <= r->most_left_out) return most;
    if (callback_array_halve(&r->array, t, y, r->trial, r->change) != DAE_OK) return most;
    return fmin(most, effect_of_errors(r, y));
}

bool reduced_noise_counts(callback_reduced *r, const double *y)
{
    callback_array_round_off(&r->array, r->change);
    return effect_of_errors(r, y) > KNOWN;
}

/* Use the matrices as linearised last as long as they converge. Beside stiff terms even a small
 * change of the matrices is too much; then each iteration linearises. Matrices found at one trial
 * state may mislead at others. If they fail, the matrices of the last linearisation are
 * restored. */
dae_status reduced_find_rest(callback_reduced *r, double t, const double *y)
{
    dae_status status = iterate_rest(r, t, y, false);
    if (status == DAE_NOT_EVALUABLE && r->moved) {
        reduced_keep(r, STATE_RESTORE);
        status = iterate_rest(r, t, y, false);
    }
    if (status != DAE_NOT_EVALUABLE) return status;
    status = iterate_rest(r, t, y, true);
    if (status == DAE_OK) {
        memcpy(r->rest, r->trial, r->rows * sizeof *r->rest);
        r->moved = true;
    } else {
        reduced_keep(r, STATE_RESTORE);
    }
    return status;
}
