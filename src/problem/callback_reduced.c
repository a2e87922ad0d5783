#include "problem/callback_reduced.h"

#include "linalg/lapack.h"
#include "problem/callback_array.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, MOST_START_ITERATIONS = 30 };

/* Singular values below this part of the largest are 0, and they are by so much smaller than the
 * others; else no rank is beyond doubt. */
static const double ZERO = 1e-9, LEAST_ZERO = 1e-12, LEAST_NOISE = 1e-15, GAP = 1e-2;

/* Of matrices whose rank is to be full, so much above what is uncertain. */
static const double ABOVE_NOISE = 100;

/* What is held lets a constraint be met by others where these move it by so much. */
static const double MOVES = 1e-7;

/* Derivatives that were given stay where those found differ by less, in their units. */
static const double SLOPE_KNOWN = 1e-9;

/* Ranks at a start are asked for again so many steps of the differences later. */
static const double AHEAD = 2;

/* The derivatives of y are known when they change by less, in their units. */
static const double KNOWN = 1e-11, START_KNOWN = 1e-13;

typedef struct svd {
    double *left, *size, *right; /* rows x rows, the values, columns x columns transposed */
    double *copy, *work;
    int length; /* of work */
} svd;

struct callback_reduced {
    problem problem; /* for the engine; its self is this */
    arena memory;
    callback_array array;
    const problem *author;
    int index;
    size_t n, rows, constraints, rank; /* rows: of the array; rank: of by_rest */
    dae_status ended;                  /* of a call in the analysis after which there is none */
    bool based;                        /* z1 and z2 are there */
    double noise;                      /* of the array's matrices where ranks were found */
    double *rest, *trial;              /* 3 n each: c_1, ... as linearised last, and on trial */
    double *coefficient, *change;      /* 3 n each */
    double *z1, *z2;                   /* n x (n - constraints), rows x constraints */
    double *hidden, *tangent;          /* constraints x n: Z2^T by_y; F_y' / h on its kernel */
    double *product;                   /* rows x rows */
    double *f, *consistent;            /* n each */
    double *ahead_y, *ahead_rest;      /* n, 3 n: a little later */
    svd of_array, of_hidden, of_mass, of_free;
    sparse_pattern *dense;
    double *slope, *mass; /* n x n by columns: of the reduced equations */
    pencil *pencil;
};

static void prepare_svd(svd *s, size_t n, arena *a)
{
    s->length = (int)(8 * n + 64);
    s->left = arena_array(a, n * n, sizeof(double));
    s->right = arena_array(a, n * n, sizeof(double));
    s->copy = arena_array(a, n * n, sizeof(double));
    s->size = arena_array(a, n, sizeof(double));
    s->work = arena_array(a, (size_t)s->length, sizeof(double));
}

static bool decompose(svd *s, size_t rows, size_t columns, const double *m)
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

static double size_of(size_t n, const double *x)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
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
static double noise_of(const callback_reduced *r)
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
    if (!decompose(&r->of_hidden, r->constraints, n, r->hidden)) return false;
    double noise = noise_of(r), least = r->based ? 0 : ABOVE_NOISE * noise;
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
    if (!decompose(&r->of_mass, n, d, r->tangent)) return false;
    if (rank_of(&r->of_mass, d, least * size_of(n * n, g->mass)) != (long)d) return false;
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
static bool find_bases(callback_reduced *r)
{
    if (!decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) return false;
    if (r->based) return keeps_rank(r) && find_bases_above(r, LEAST_ZERO);
    return find_bases_above(r, ZERO) || find_bases_above(r, LEAST_ZERO);
}

/* The array's matrices and the bases at y and the derivatives in `rest`; where coarse ones leave
 * the ranks in doubt, better ones from then on. */
static dae_status linearize_array(callback_reduced *r, double t, const double *y)
{
    for (;;) {
        dae_status status = callback_array_linearize(&r->array, t, y, r->rest);
        if (status != DAE_OK) return status;
        if (find_bases(r)) return DAE_OK;
        if (!r->array.coarse) return DAE_SINGULAR;
        r->array.coarse = false;
    }
}

/* change (rows) = by_rest^+ x, by its largest `rank` singular values. */
static void solve_rest(callback_reduced *r, const double *x, double *change)
{
    const svd *s = &r->of_array;
    memset(change, 0, r->rows * sizeof *change);
    for (size_t k = 0; k < r->rank; k++) {
        double part = dot(r->rows, s->left + k * r->rows, x) / s->size[k];
        for (size_t j = 0; j < r->rows; j++) change[j] += part * s->right[j * r->rows + k];
    }
}

/* What round-off can do to what is solved with the first `count` of these singular values. */
static double round_off(const callback_reduced *r, const svd *s, size_t count)
{
    double least = count > 0 ? s->size[count - 1] : 1;
    return fmax(1e3 * KNOWN, ABOVE_NOISE * noise_of(r) / least);
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
        if (anew && !decompose(&r->of_array, r->rows, r->rows, r->array.by_rest)) break;
        solve_rest(r, r->array.value, r->change);
        double size = size_of(r->rows, r->change), all = 1 + size_of(r->rows, r->trial);
        if (!isfinite(size)) break;
        if (size <= KNOWN * all) return DAE_OK;
        if (size >= 0.5 * before && size <= round_off(r, &r->of_array, r->rank) * all)
            return DAE_OK;
        before = size;
        for (size_t j = 0; j < r->rows; j++) r->trial[j] -= r->change[j];
    }
    return DAE_NOT_EVALUABLE;
}

/* The same, with matrices as linearised last as long as they will do: beside stiff terms a small
 * change of them is too much. */
static dae_status find_rest(callback_reduced *r, double t, const double *y)
{
    dae_status status = iterate_rest(r, t, y, false);
    if (status != DAE_NOT_EVALUABLE) return status;
    status = iterate_rest(r, t, y, true);
    if (status == DAE_OK) memcpy(r->rest, r->trial, r->rows * sizeof *r->rest);
    return status;
}

static dae_status form_residual(void *self, double t, const double *y, const double *yp, double *f)
{
    callback_reduced *r = self;
    size_t d = r->n - r->constraints;
    dae_status status = find_rest(r, t, y);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < r->constraints; i++)
        f[d + i] = dot(r->rows, r->z2 + i * r->rows, r->array.value);
    status = callback_array_residual(&r->array, t, y, yp, r->f);
    for (size_t i = 0; status == DAE_OK && i < d; i++) f[i] = dot(r->n, r->z1 + i * r->n, r->f);
    return status;
}

/* As linearised last, as those by y are. */
static dae_status form_time_derivative(void *self, double t, const double *y, const double *yp,
                                       double *f)
{
    callback_reduced *r = self;
    size_t d = r->n - r->constraints;
    dae_status status = callback_array_by_time(&r->array, t, y, yp, r->rest, r->consistent,
                                               r->change);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < d; i++) f[i] = dot(r->n, r->z1 + i * r->n, r->consistent);
    for (size_t i = 0; i < r->constraints; i++)
        f[d + i] = dot(r->rows, r->z2 + i * r->rows, r->change);
    return DAE_OK;
}

/* Z1^T F and the constraints by y and y', in the author's units of unknowns. */
static dae_status fill_matrices(callback_reduced *r, double t, const double *y, const double *yp)
{
    callback_array *g = &r->array;
    size_t n = r->n, d = n - r->constraints;
    dae_status status = callback_array_at_point(g, t, y, yp);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < n; j++) {
        double unit = g->column[j], *slope = r->slope + j * n, *mass = r->mass + j * n;
        for (size_t i = 0; i < d; i++) {
            slope[i] = dot(n, r->z1 + i * n, g->slope + j * n) / unit;
            mass[i] = dot(n, r->z1 + i * n, g->mass + j * n) * g->h / unit;
        }
        for (size_t i = 0; i < r->constraints; i++) {
            slope[d + i] = r->hidden[j * r->constraints + i] / unit;
            mass[d + i] = 0;
        }
    }
    return DAE_OK;
}

static dae_status form_linearize(void *self, double t, const double *y, const double *yp)
{
    callback_reduced *r = self;
    dae_status status = find_rest(r, t, y);
    if (status == DAE_OK) memcpy(r->rest, r->trial, r->rows * sizeof *r->rest);
    if (status == DAE_OK) status = callback_array_retune(&r->array, t, y, yp, r->rest);
    if (status == DAE_OK) status = linearize_array(r, t, y);
    return status == DAE_OK ? fill_matrices(r, t, y, yp) : status;
}

static dae_status form_reserve(void *self, size_t slots, const bool *is_complex)
{
    callback_reduced *r = self;
    dae_status status = pencil_reserve(r->pencil, slots, is_complex);
    if (status == DAE_OK && slots > 0)
        r->problem.linear_solver = linear_solver_name(pencil_solver(r->pencil, 0));
    return status;
}

static dae_status form_factor(void *self, size_t slot, double complex alpha, double complex beta)
{
    callback_reduced *r = self;
    dae_status status = pencil_factor(r->pencil, slot, alpha, r->mass, beta, r->slope, NULL);
    if (status == DAE_SINGULAR)
        pencil_singular(r->pencil, slot, &r->problem.bad_row, &r->problem.bad_column);
    else
        r->problem.factor_nonzeros = linear_solver_nonzeros(pencil_solver(r->pencil, slot));
    return status;
}

static void form_solve(void *self, size_t slot, void *b)
{
    pencil_solve(((callback_reduced *)self)->pencil, slot, b);
}

static void form_multiply(void *self, const double *v, double *x)
{
    const callback_reduced *r = self;
    sparse_multiply(r->dense, r->mass, v, x);
}

static bool form_occurs(const void *self, size_t i, size_t j)
{
    (void)self, (void)i, (void)j;
    return true;
}

static void form_mark_rows(const void *self, size_t j, bool *row)
{
    (void)j;
    for (size_t i = 0; i < ((const callback_reduced *)self)->n; i++) row[i] = true;
}

static void form_name_variable(void *self, size_t j, text *t)
{
    const problem *p = ((const callback_reduced *)self)->author;
    p->form->name_variable(p->self, j, t);
}

static void form_name_equation(void *self, size_t i, text *t)
{
    const callback_reduced *r = self;
    bool hidden = i >= r->n - r->constraints;
    text_add(t, hidden ? "a constraint that the equations and their derivatives imply"
                       : "a combination of the equations");
}

/* Nanoseconds: of a multiplication and addition in a matrix; of what singular values of a square
 * matrix take, for each of the cubes of its rows. Two iterations find the derivatives. */
static const double OPERATION = 0.5, SINGULAR_VALUES = 5;
enum { ITERATIONS = 2, NODES = 7, COARSE_NODES = 3, COARSE_POINTS = 2 };

static void form_costs(const void *self, size_t slot, problem_costs *costs)
{
    const callback_reduced *r = self;
    double n = (double)r->n, rows = (double)r->rows;
    problem_costs author;
    callback_call_costs(r->author->self, &author);
    double linear = OPERATION * rows * (2 * rows + (double)r->constraints);
    costs->residual = ITERATIONS * (NODES * author.residual + linear) + author.residual;
    bool given = callback_array_has_matrices(&r->array);
    double point = given ? author.jacobian : COARSE_POINTS * 2 * n * author.residual;
    costs->jacobian = COARSE_NODES * point + SINGULAR_VALUES * rows * rows * rows;
    pencil_costs(r->pencil, slot, &costs->factor, &costs->solve);
}

static const problem_form reduced_form = {
    .name = "residual",
    .residual = form_residual,
    .linearize = form_linearize,
    .reserve = form_reserve,
    .factor = form_factor,
    .solve = form_solve,
    .costs = form_costs,
    .multiply = form_multiply,
    .time_derivative = form_time_derivative,
    .occurs = form_occurs,
    .mark_rows = form_mark_rows,
    .name_variable = form_name_variable,
    .name_equation = form_name_equation,
};

static sparse_pattern *dense_pattern(arena *a, size_t n)
{
    size_t *row = arena_array(a, n * n, sizeof *row), *column = arena_array(a, n * n, sizeof *row);
    size_t *where = arena_array(a, n * n, sizeof *where);
    for (size_t k = 0; k < n * n; k++) row[k] = k % n, column[k] = k / n;
    return sparse_build(a, n, n, n * n, row, column, where);
}

typedef struct making {
    callback_reduced *r;
    callbacks *c;
} making;

static void make(void *argument)
{
    making *m = argument;
    callback_reduced *r = m->r;
    arena *a = &r->memory;
    size_t n = r->n, all = CALLBACK_ARRAY_MOST * n;
    callback_array_prepare(&r->array, m->c, a);
    r->rest = arena_array(a, all, sizeof(double));
    r->trial = arena_array(a, all, sizeof(double));
    r->coefficient = arena_array(a, all, sizeof(double));
    r->change = arena_array(a, all + n, sizeof(double));
    r->z1 = arena_array(a, n * n, sizeof(double));
    r->z2 = arena_array(a, all * n, sizeof(double));
    r->hidden = arena_array(a, n * n, sizeof(double));
    r->tangent = arena_array(a, n * n, sizeof(double));
    r->product = arena_array(a, all * (all + n), sizeof(double));
    r->f = arena_array(a, n, sizeof(double));
    r->ahead_y = arena_array(a, n, sizeof(double));
    r->ahead_rest = arena_array(a, all, sizeof(double));
    r->consistent = arena_array(a, n, sizeof(double));
    r->slope = arena_array(a, n * n, sizeof(double));
    r->mass = arena_array(a, n * n, sizeof(double));
    prepare_svd(&r->of_array, all + n, a);
    prepare_svd(&r->of_hidden, n, a);
    prepare_svd(&r->of_mass, n, a);
    prepare_svd(&r->of_free, n, a);
    r->dense = dense_pattern(a, n);
    r->pencil = pencil_create(a, (pencil_matrix){r->dense, NULL}, (pencil_matrix){r->dense, NULL});
    unsigned char *index = arena_array(a, n, sizeof *index);
    memset(index, 1, n);
    r->problem = (problem){.form = &reduced_form,
                           .self = r,
                           .n = n,
                           .author = r->author,
                           .nominal = r->author->nominal,
                           .dynamic = r->author->dynamic,
                           .constant_mass = r->author->constant,
                           .constant = r->author->constant,
                           .index = index,
                           .bad_row = PROBLEM_NOWHERE,
                           .bad_column = PROBLEM_NOWHERE,
                           .linear_solver = "none"};
}

/* x += the least change of what is not held that takes away `missed`; both that and `hidden` as
 * found by `of_hidden`, which makes the rows of the constraints orthonormal: those of high levels
 * are smaller by powers of the step of the differences. */
static bool add_least(callback_reduced *r, const bool *held, const double *missed, double *x)
{
    size_t n = r->n, count = r->constraints;
    const svd *all = &r->of_hidden, *s = &r->of_free;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < count; i++)
            r->product[j * count + i] = held && held[j] ? 0 : all->right[j * n + i];
    if (!decompose(&r->of_free, count, n, r->product)) return false;
    for (size_t i = 0; i < count; i++)
        r->product[i] = dot(count, all->left + i * count, missed) / all->size[i];
    for (size_t k = 0; k < count && s->size[k] > MOVES; k++) {
        double part = dot(count, s->left + k * count, r->product) / s->size[k];
        for (size_t j = 0; j < n; j++) x[j] += part * s->right[j * n + k];
    }
    return true;
}

/* Z2^T of what the constraints miss after a change x of y. */
static void take_missed(callback_reduced *r, const double *x, double *missed)
{
    for (size_t i = 0; i < r->constraints; i++) {
        missed[i] = dot(r->rows, r->z2 + i * r->rows, r->array.value);
        for (size_t j = 0; j < r->n; j++) missed[i] -= r->hidden[j * r->constraints + i] * x[j];
    }
}

/* y moves least onto the constraints as linearised, what is held by no more than it has to; the
 * array's values follow. */
static double move_to_constraints(callback_reduced *r, const bool *held, double *y)
{
    callback_array *g = &r->array;
    size_t n = r->n, rows = r->rows;
    memset(r->f, 0, n * sizeof *r->f);
    take_missed(r, r->f, r->coefficient);
    if (size_of(r->constraints, r->coefficient) <= START_KNOWN) return 0;
    if (!add_least(r, held, r->coefficient, r->f)) return (double)NAN;
    take_missed(r, r->f, r->coefficient);
    if (!add_least(r, NULL, r->coefficient, r->f)) return (double)NAN;
    for (size_t j = 0; j < n; j++) {
        y[j] -= g->column[j] * r->f[j];
        for (size_t i = 0; i < rows; i++) g->value[i] -= g->by_y[j * rows + i] * r->f[j];
    }
    return size_of(n, r->f);
}

/* Points at which there is no value are known to the caller by that; what ends all is kept. */
static bool succeeds(callback_reduced *r, dae_status status)
{
    bool is_local = status == DAE_NOT_EVALUABLE || status == DAE_SINGULAR;
    if (status != DAE_OK && !is_local) r->ended = status;
    return status == DAE_OK;
}

/* y and its derivatives become consistent, y by the least change in its units (Gauss-Newton), and
 * none where it is: until nothing changes, or round-off alone. */
static bool make_consistent(callback_reduced *r, double t, const bool *held, double *y)
{
    callback_array *g = &r->array;
    double before = HUGE_VAL;
    for (int k = 0; k < MOST_START_ITERATIONS; k++) {
        if (!succeeds(r, callback_array_linearize(g, t, y, r->rest)) || !find_bases(r))
            return false;
        if (!succeeds(r, callback_array_value(g, t, y, r->rest))) return false;
        double moved = move_to_constraints(r, held, y);
        solve_rest(r, g->value, r->change);
        for (size_t j = 0; j < r->rows; j++) r->rest[j] -= r->change[j];
        double all = 1 + size_of(r->rows, r->rest), changed = size_of(r->rows, r->change) / all;
        double size = fmax(moved / all, changed);
        if (!isfinite(size)) return false;
        if (size <= 1e2 * START_KNOWN) return true;
        bool stays = size >= 0.5 * before &&
                     moved <= all * round_off(r, &r->of_hidden, r->constraints) &&
                     changed <= round_off(r, &r->of_array, r->rank);
        if (stays) return true;
        before = size;
    }
    return false;
}

/* The polynomial from s on into ahead_y and ahead_rest. */
static void go_ahead(callback_reduced *r, const double *y, double s)
{
    size_t n = r->n, orders = r->array.orders;
    memset(r->ahead_rest, 0, r->rows * sizeof *r->ahead_rest);
    for (size_t j = 0; j < n; j++) {
        double sum = 0, power = 1;
        for (size_t k = 1; k <= orders; k++) {
            double c = r->rest[(k - 1) * n + j], binomial = 1, lower = 1;
            power *= s;
            sum += c * power;
            for (size_t i = k; i >= 1; i--) { /* of k over i, times s^(k - i) */
                r->ahead_rest[(i - 1) * n + j] += binomial * lower * c;
                binomial *= (double)i / (double)(k - i + 1);
                lower *= s;
            }
        }
        r->ahead_y[j] = y[j] + r->array.column[j] * sum;
    }
}

/* Whether ranks are the same a little later: a start is often a special point, where a sine is 0,
 * and what is found there does not hold beside it. The matrices at the start stay. */
static bool holds_ahead(callback_reduced *r, double t, const double *y)
{
    size_t rank = r->rank;
    go_ahead(r, y, AHEAD);
    double there = t + AHEAD * r->array.h;
    dae_status status = callback_array_linearize(&r->array, there, r->ahead_y, r->ahead_rest);
    return succeeds(r, status) && find_bases(r) && r->rank == rank;
}

static bool has_index(callback_reduced *r, size_t orders, double t, const bool *held, double *y,
                      const double *yp)
{
    r->array.orders = orders;
    r->rows = orders * r->n;
    r->index = (int)orders;
    memset(r->rest, 0, r->rows * sizeof *r->rest);
    for (size_t j = 0; j < r->n; j++)
        if (r->author->dynamic[j]) r->rest[j] = yp[j] * r->array.h / r->array.column[j];
    return make_consistent(r, t, held, y) && holds_ahead(r, t, y) &&
           succeeds(r, callback_array_linearize(&r->array, t, y, r->rest)) && find_bases(r);
}

/* The derivatives as found, where they are not those that are there up to their errors. */
static void take_slopes(const callback_reduced *r, double *yp)
{
    const callback_array *g = &r->array;
    for (size_t j = 0; j < r->n; j++) {
        double unit = g->column[j] / g->h, found = r->rest[j] * unit;
        double allowed = SLOPE_KNOWN * (fabs(found) + unit);
        if (r->author->dynamic[j] && !(fabs(found - yp[j]) <= allowed)) yp[j] = found;
    }
}

/* By index: 1 is not reduced. */
static bool reduce(callback_reduced *r, double t, const bool *held, double *y, double *yp)
{
    callback_array *g = &r->array;
    if (!succeeds(r, callback_array_calibrate(g, t, y, yp, r->rest))) return false;
    for (size_t orders = 1; orders <= CALLBACK_ARRAY_MOST && r->ended == DAE_OK; orders++) {
        memcpy(r->consistent, y, r->n * sizeof *y);
        if (!has_index(r, orders, t, held, r->consistent, yp)) continue;
        if (orders == 1) return false;
        r->noise = noise_of(r);
        r->based = g->coarse = true;
        memcpy(y, r->consistent, r->n * sizeof *y);
        take_slopes(r, yp);
        return true;
    }
    return false;
}

dae_status callback_reduced_create(callback_reduced **created, callbacks *c, double t,
                                   const bool *held, double *y, double *yp)
{
    const problem *author = callbacks_problem(c);
    *created = NULL;
    if (author->n == 0 || author->n > CALLBACK_REDUCED_LARGEST) return DAE_OK;
    callback_reduced *r = calloc(1, sizeof *r);
    if (!r) return DAE_NO_MEMORY;
    r->author = author;
    r->n = author->n;
    making m = {r, c};
    dae_status status = arena_protect(&r->memory, make, &m);
    bool reduced = status == DAE_OK && reduce(r, t, held, y, yp);
    if (status == DAE_OK) status = r->ended;
    if (reduced)
        *created = r;
    else
        callback_reduced_free(r);
    return status;
}

problem *callback_reduced_problem(callback_reduced *r)
{
    return &r->problem;
}

int callback_reduced_index(const callback_reduced *r)
{
    return r->index;
}

void callback_reduced_free(callback_reduced *r)
{
    if (!r) return;
    pencil_free(r->pencil);
    arena_free(&r->memory);
    free(r);
}
