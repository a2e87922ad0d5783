#include "structure/mechanical_proof.h"

#include "structure/signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6, TRIES = 60 };

/* What counts as equal, relative to what is compared; and where rows count as dependent. */
static const double EQUAL = 1e-8, DEPENDENT = 1e-9;

/* Values at one point, by rows; those of mass and direction are put in the coordinates' order. */
typedef struct sample {
    double *mass, *direction; /* n x n; n x m */
    double *jacobian;         /* m x n */
} sample;

typedef struct proof {
    const mechanical_form *form;
    const sym_system *system;
    arena *a;
    size_t n, m; /* coordinates, constraints */
    uint32_t *place;
    size_t inputs;
    double *input, *nonzero, *zero, *work;
    sym_matrix *mass, *direction, *jacobian;
    sym_tape *vanishing;
    uint64_t state; /* of the random numbers */
    sample at[SAMPLES];
    double *row_size, *column_size; /* n: of direction, of the jacobian */
    double *basis, *push;           /* m x n each */
} proof;

/* Numbers between -1 and 1, the same on every machine (Steele, Lea & Flood, OOPSLA 2014). */
static double scatter(proof *p)
{
    uint64_t x = p->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Time, then q, q', q'' and the multipliers. */
static size_t slot(void *context, const sym_view *leaf)
{
    const proof *p = context;
    if (leaf->op == SYM_TIME) return 0;
    bool multiplier = p->form->names->highest[leaf->id] == 0;
    return 1 + (multiplier ? 3 : leaf->order) * p->n + p->place[leaf->id];
}

static void choose_point(proof *p, double radius)
{
    const sym_experiment *e = &p->system->experiment;
    p->input[0] = (e->has_start ? e->start : 0) + radius * (1 + scatter(p));
    for (size_t j = 0; j < p->n; j++) {
        const sym_unknown *u = &p->system->unknown.item[p->form->coordinate[j]];
        p->input[1 + j] = u->start + radius * fmax(u->nominal, fabs(u->start)) * scatter(p);
        p->input[1 + p->n + j] = u->nominal * (1 + scatter(p) / 2);
        p->input[1 + 2 * p->n + j] = u->nominal * (1 + scatter(p) / 2);
    }
    for (size_t l = 0; l < p->m; l++) p->input[1 + 3 * p->n + l] = 1 + scatter(p) / 2;
}

/* The entries of a matrix, by rows; false where one is not finite. */
static bool evaluate(proof *p, const sym_matrix *matrix, double *value)
{
    const sparse_pattern *of = matrix->pattern;
    sym_matrix_prepare(matrix, p->work);
    sym_matrix_eval(matrix, p->input, p->nonzero, p->work);
    memset(value, 0, of->rows * of->columns * sizeof *value);
    for (size_t j = 0; j < of->columns; j++) {
        for (sparse_index k = of->start[j]; k < of->start[j + 1]; k++) {
            value[(size_t)of->row[k] * of->columns + j] = p->nonzero[k];
            if (!isfinite(p->nonzero[k])) return false;
        }
    }
    return true;
}

static bool all_vanish(proof *p, size_t count)
{
    sym_tape_prepare(p->vanishing, p->work);
    sym_tape_eval(p->vanishing, p->input, p->zero, p->work);
    for (size_t k = 0; k < count; k++)
        if (!(fabs(p->zero[2 * k]) <= EQUAL * fabs(p->zero[2 * k + 1]))) return false;
    return true;
}

/* Points near the start at which all is finite: nearer ones where it is not. */
static bool take_samples(proof *p, size_t zeros)
{
    double radius = 0.5;
    size_t taken = 0;
    for (int k = 0; k < TRIES && taken < SAMPLES; k++) {
        sample *s = &p->at[taken];
        choose_point(p, radius);
        if (evaluate(p, p->mass, s->mass) && evaluate(p, p->direction, s->direction) &&
            evaluate(p, p->jacobian, s->jacobian)) {
            if (!all_vanish(p, zeros)) return false;
            taken++;
        } else {
            radius /= 2;
        }
    }
    return taken == SAMPLES;
}

/* To each coordinate the equation of motion in which its acceleration is largest, for all together:
 * of a positive definite matrix the diagonal has the largest product among all permutations,
 * because M_ij^2 < M_ii M_jj, whatever the scales of its rows. */
static bool assign_rows(proof *p, uint32_t *row)
{
    static const double STEPS = 1e4; /* of the logarithm's integer part */
    size_t n = p->n;
    const double *mass = p->at[0].mass;
    incidence in = {.rows = n, .columns = n};
    in.start = arena_array(p->a, n + 1, sizeof *in.start);
    in.column = arena_array(p->a, n * n, sizeof *in.column);
    in.order = arena_array(p->a, n * n, sizeof *in.order);
    for (size_t i = 0; i < n; i++) {
        size_t next = in.start[i];
        for (size_t j = 0; j < n; j++) {
            if (mass[i * n + j] == 0) continue;
            in.column[next] = (uint32_t)j;
            in.order[next++] = (uint32_t)(STEPS * (1100 + log2(fabs(mass[i * n + j]))));
        }
        in.start[i + 1] = next;
    }
    signature *best = structure_signature(p->a, &in, NULL);
    if (!best->regular) return false;
    for (uint32_t i = 0; i < n; i++) row[best->match[i]] = i;
    return true;
}

static double row_norm(size_t count, const double *row)
{
    double largest = 0;
    for (size_t j = 0; j < count; j++) largest = fmax(largest, fabs(row[j]));
    return largest;
}

static void reorder(proof *p, const uint32_t *row, size_t columns, double *matrix, double *copy)
{
    memcpy(copy, matrix, p->n * columns * sizeof *copy);
    for (size_t i = 0; i < p->n; i++)
        memcpy(&matrix[i * columns], &copy[row[i] * columns], columns * sizeof *copy);
}

/* Sizes by which units and scales of equations drop out. */
static void measure(proof *p)
{
    const sample *s = &p->at[0];
    for (size_t i = 0; i < p->n; i++) {
        double size = row_norm(p->m, &s->direction[i * p->m]);
        if (size == 0) size = row_norm(p->n, &s->mass[i * p->n]);
        p->row_size[i] = size > 0 ? size : 1;
        p->column_size[i] = 0;
        for (size_t c = 0; c < p->m; c++)
            p->column_size[i] = fmax(p->column_size[i], fabs(s->jacobian[c * p->n + i]));
        if (p->column_size[i] == 0) p->column_size[i] = 1;
    }
}

static double dot(size_t count, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += x[k] * y[k];
    return sum;
}

/* What orthogonal unit vectors leave of x, as a part of it; 0 of a zero vector. */
static double leave(size_t count, size_t vectors, const double *vector, double *x)
{
    double before = sqrt(dot(count, x, x));
    for (int twice = 0; twice < 2; twice++) {
        for (size_t k = 0; k < vectors; k++) {
            double along = dot(count, &vector[k * count], x);
            for (size_t j = 0; j < count; j++) x[j] -= along * vector[k * count + j];
        }
    }
    return before > 0 ? sqrt(dot(count, x, x)) / before : 0;
}

/* Make the rows of `vector` orthonormal, those that depend on others dropped: their number. */
static size_t orthonormal(size_t rows, size_t count, double *vector)
{
    size_t kept = 0;
    for (size_t k = 0; k < rows; k++) {
        double *x = &vector[kept * count];
        memmove(x, &vector[k * count], count * sizeof *x);
        if (!(leave(count, kept, vector, x) > DEPENDENT)) continue;
        double norm = sqrt(dot(count, x, x));
        for (size_t j = 0; j < count; j++) x[j] /= norm;
        kept++;
    }
    return kept;
}

/* Bring to one scale the rows of the constraints' Jacobian, made orthonormal, and the columns of
 * the direction matrix, its rows multiplied by factor[i] (NULL: ones): the rank of the first. */
static size_t scaled_rows(proof *p, const sample *s, const double *factor)
{
    size_t n = p->n;
    for (size_t c = 0; c < p->m; c++) {
        for (size_t j = 0; j < n; j++) {
            p->basis[c * n + j] = s->jacobian[c * n + j] / p->column_size[j];
            p->push[c * n + j] = s->direction[j * p->m + c] / p->row_size[j];
            if (factor) p->push[c * n + j] *= factor[j];
        }
    }
    return orthonormal(p->m, n, p->basis);
}

/* Reactions do no work along the constraints, and each constraint has its reaction. */
static bool spans_agree(proof *p, const sample *s, const double *factor)
{
    size_t rank = scaled_rows(p, s, factor);
    for (size_t l = 0; l < p->m; l++) {
        double *copy = p->nonzero;
        memcpy(copy, &p->push[l * p->n], p->n * sizeof *copy);
        if (leave(p->n, rank, p->basis, copy) > EQUAL) return false;
    }
    return orthonormal(p->m, p->n, p->push) == rank;
}

/* Lower Cholesky factor in place; false where the matrix is not positive definite. */
static bool cholesky(size_t n, double *c)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = c[j * n + j] - dot(j, &c[j * n], &c[j * n]);
        if (!(pivot > 0)) return false;
        c[j * n + j] = sqrt(pivot);
        for (size_t i = j + 1; i < n; i++)
            c[i * n + j] = (c[i * n + j] - dot(j, &c[i * n], &c[j * n])) / c[j * n + j];
    }
    return true;
}

/* scale[i] M_ij is symmetric and positive semidefinite; matrix: n x n to work in. */
static bool inertia_fits(const proof *p, const sample *s, const double *scale, double *matrix)
{
    size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double one = scale[i] * s->mass[i * n + j], other = scale[j] * s->mass[j * n + i];
            double size = sqrt(scale[i] * s->mass[i * n + i]) *
                          sqrt(scale[j] * s->mass[j * n + j]); /* NAN where they are negative */
            if (!(fabs(one - other) <= EQUAL * size)) return false;
            matrix[i * n + j] = size > 0 ? one / size : 0;
        }
        matrix[i * n + i] = 1 + EQUAL;
    }
    return cholesky(n, matrix);
}

/* Whether scale (n) makes all samples mechanical. factor: n to work in. */
static bool scale_fits(proof *p, const double *scale, double *factor, double *matrix)
{
    for (size_t i = 0; i < p->n; i++) factor[i] = scale[i] * p->row_size[i] / p->column_size[i];
    for (size_t k = 0; k < SAMPLES; k++)
        if (!inertia_fits(p, &p->at[k], scale, matrix) || !spans_agree(p, &p->at[k], factor))
            return false;
    return true;
}

/* a_ij and a_ji of the condition x_i a_ij = x_j a_ji for the inertia, made of size 1. */
static void inertia_pair(const proof *p, const sample *s, const double *sign, size_t i, size_t j,
                         double *a, double *b)
{
    *a = sign[i] * s->mass[i * p->n + j] * p->column_size[i] / p->row_size[i];
    *b = sign[j] * s->mass[j * p->n + i] * p->column_size[j] / p->row_size[j];
    double size = hypot(*a, *b);
    if (size > 0) *a /= size, *b /= size;
}

static size_t unit_pushes(proof *p, const sample *s, const double *sign)
{
    size_t n = p->n, rank = scaled_rows(p, s, NULL);
    for (size_t l = 0; l < p->m; l++) {
        double size = sqrt(dot(n, &p->push[l * n], &p->push[l * n]));
        for (size_t j = 0; size > 0 && j < n; j++) p->push[l * n + j] *= sign[j] / size;
    }
    return rank;
}

/* Add the squares of what must vanish to the quadratic form of the factors x: (I - Q Q^T) X B for
 * the reactions, with Q from the constraints, is the form of (I - Q Q^T)_ij (B B^T)_ij, and
 * x_i a_ij - x_j a_ji for the inertia. */
static void add_squares(proof *p, const sample *s, const double *sign, double *form)
{
    size_t n = p->n, rank = unit_pushes(p, s, sign);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double projector = i == j, product = 0, a, b;
            for (size_t k = 0; k < rank; k++)
                projector -= p->basis[k * n + i] * p->basis[k * n + j];
            for (size_t l = 0; l < p->m; l++) product += p->push[l * n + i] * p->push[l * n + j];
            form[i * n + j] += projector * product;
            if (i == j) continue;
            inertia_pair(p, s, sign, i, j, &a, &b);
            form[i * n + i] += a * a;
            form[i * n + j] -= a * b;
        }
    }
}

/* Add its derivative at x, from what does not vanish, which the form itself would lose by rounding.
 */
static void add_slope(proof *p, const sample *s, const double *sign, const double *x, double *slope)
{
    size_t n = p->n, rank = unit_pushes(p, s, sign);
    double *work = p->nonzero, a, b;
    for (size_t l = 0; l < p->m; l++) {
        for (size_t j = 0; j < n; j++) work[j] = x[j] * p->push[l * n + j];
        leave(n, rank, p->basis, work);
        for (size_t j = 0; j < n; j++) slope[j] += work[j] * p->push[l * n + j];
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (i == j) continue;
            inertia_pair(p, s, sign, i, j, &a, &b);
            slope[i] += a * (a * x[i] - b * x[j]);
        }
    }
}

/* x = (L L^T)^-1 x */
static void solve(size_t n, const double *c, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] = (x[i] - dot(i, &c[i * n], x)) / c[i * n + i];
    for (size_t i = n; i-- > 0;) {
        x[i] /= c[i * n + i];
        for (size_t k = 0; k < i; k++) x[k] -= c[i * n + k] * x[i];
    }
}

/* The scales for which the quadratic form vanishes, nearest to equal factors: ones projected on its
 * null space, by inverse iteration with residuals (A. Bjorck, Linear Algebra Appl. 88/89 (1987):
 * corrected seminormal equations). */
static bool find_scale(proof *p, const double *sign, double *form, double *x, double *scale)
{
    enum { ITERATIONS = 8 };
    size_t n = p->n;
    double largest = 0, *slope = arena_array(p->a, n, sizeof *slope);
    memset(form, 0, n * n * sizeof *form);
    for (size_t k = 0; k < SAMPLES; k++) add_squares(p, &p->at[k], sign, form);
    for (size_t i = 0; i < n; i++) largest = fmax(largest, form[i * n + i]);
    double shift = largest > 0 ? 1e-13 * (double)n * largest : 1;
    for (size_t i = 0; i < n; i++) {
        form[i * n + i] += shift;
        x[i] = 1;
    }
    if (!cholesky(n, form)) return false;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        memset(slope, 0, n * sizeof *slope);
        for (size_t k = 0; k < SAMPLES; k++) add_slope(p, &p->at[k], sign, x, slope);
        solve(n, form, slope);
        for (size_t i = 0; i < n; i++) x[i] -= slope[i];
    }
    for (size_t i = 0; i < n; i++) scale[i] = sign[i] * x[i] * p->column_size[i] / p->row_size[i];
    for (size_t i = n; i-- > 0;) scale[i] /= fabs(scale[0]);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(scale[i]) || scale[i] == 0) return false;
    return true;
}

/* Rows as they are written, but for their signs; else rows with the scales that are found. */
static bool choose_scale(proof *p, double *scale)
{
    size_t n = p->n;
    double *matrix = arena_array(p->a, n * n, sizeof *matrix);
    double *factor = arena_array(p->a, n, sizeof *factor);
    double *sign = arena_array(p->a, n, sizeof *sign);
    for (size_t i = 0; i < n; i++) scale[i] = sign[i] = p->at[0].mass[i * n + i] < 0 ? -1 : 1;
    return scale_fits(p, scale, factor, matrix) ||
           (find_scale(p, sign, matrix, factor, scale) && scale_fits(p, scale, factor, matrix));
}

static void place_unknowns(proof *p)
{
    const mechanical_form *f = p->form;
    p->place = arena_array(p->a, p->system->unknown.count, sizeof *p->place);
    for (uint32_t j = 0; j < p->n; j++) p->place[f->coordinate[j]] = j;
    for (uint32_t l = 0; l < p->m; l++) p->place[f->multiplier[l]] = l;
}

static void compile(proof *p, const mechanical_zeros *zeros)
{
    const mechanical_form *f = p->form;
    sym_graph *g = p->system->graph;
    sym *vanishing = arena_array(p->a, 2 * zeros->count, sizeof *vanishing);
    for (size_t k = 0; k < zeros->count; k++) {
        vanishing[2 * k] = zeros->item[k].value;
        vanishing[2 * k + 1] = zeros->item[k].of;
    }
    p->mass = sym_matrix_compile(p->a, g, p->n, p->n, &f->mass, p->inputs, slot, p);
    p->direction = sym_matrix_compile(p->a, g, p->n, p->m, &f->direction, p->inputs, slot, p);
    p->jacobian = sym_matrix_compile(p->a, g, p->m, p->n, &f->jacobian, p->inputs, slot, p);
    p->vanishing = sym_tape_compile(p->a, g, 2 * zeros->count, vanishing, p->inputs, slot, p);
    size_t work = sym_tape_work(p->vanishing), nonzeros = p->n;
    const sym_matrix *all[] = {p->mass, p->direction, p->jacobian};
    for (size_t k = 0; k < 3; k++) {
        if (sym_matrix_work(all[k]) > work) work = sym_matrix_work(all[k]);
        if (all[k]->pattern->nonzeros > nonzeros) nonzeros = all[k]->pattern->nonzeros;
    }
    p->work = arena_array(p->a, work, sizeof *p->work);
    p->nonzero = arena_array(p->a, nonzeros, sizeof *p->nonzero);
    p->zero = arena_array(p->a, 2 * zeros->count, sizeof *p->zero);
}

bool mechanical_proof(const mechanical_form *form, const mechanical_zeros *zeros, uint32_t *row,
                      double *scale)
{
    const sym_system *system = form->names->system;
    size_t n = form->coordinates, m = form->constraints;
    proof p = {.form = form, .system = system, .a = system->memory, .n = n, .m = m, .state = 1};
    p.inputs = 1 + 3 * n + m;
    p.input = arena_array(p.a, p.inputs, sizeof *p.input);
    p.row_size = arena_array(p.a, n, sizeof *p.row_size);
    p.column_size = arena_array(p.a, n, sizeof *p.column_size);
    p.basis = arena_array(p.a, m * n, sizeof *p.basis);
    p.push = arena_array(p.a, m * n, sizeof *p.push);
    for (size_t k = 0; k < SAMPLES; k++) {
        p.at[k].mass = arena_array(p.a, n * n, sizeof *p.at[k].mass);
        p.at[k].direction = arena_array(p.a, n * m, sizeof *p.at[k].direction);
        p.at[k].jacobian = arena_array(p.a, m * n, sizeof *p.at[k].jacobian);
    }
    place_unknowns(&p);
    compile(&p, zeros);
    if (!take_samples(&p, zeros->count) || !assign_rows(&p, row)) return false;
    double *copy = arena_array(p.a, n * n, sizeof *copy);
    for (size_t k = 0; k < SAMPLES; k++) {
        reorder(&p, row, n, p.at[k].mass, copy);
        reorder(&p, row, m, p.at[k].direction, copy);
    }
    measure(&p);
    return choose_scale(&p, scale);
}
