/* The reduction of a descriptor system by ranks, for structures that mislead. */
#include "analysis/descriptor.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 12 };

/* E x' = A x + B (u, u', ...) for the x that are left, rows (E, A, B) contiguous; and the variables
 * by them, rows (t, p) contiguous. */
typedef struct shuffle {
    arena *a;
    const descriptor *d;
    size_t rows;         /* those of the n that are left */
    size_t left, inputs; /* variables; inputs: with all derivatives that may occur */
    size_t *variable;    /* left: which variables x are */
    matrix_row *row;     /* rows x (2 left + inputs), in any order ... */
    double *first;       /* ... of these, one after the other ... */
    size_t *origin;      /* rows: ... each from which equation */
    matrix_row *lift;    /* n x (left + inputs) */
    double *weight;      /* left: nominal sizes */
    double smallest;
    size_t dropped;
    size_t *gone; /* n: the equations that were dropped */
} shuffle;

/* Room for the rows. */
static void take_rows(shuffle *w, size_t rows, size_t left)
{
    w->rows = rows;
    w->left = left;
    w->row = matrix_rows(w->a, rows, 2 * left + w->inputs);
    w->first = rows > 0 ? w->row[0] : NULL;
    w->lift = matrix_rows(w->a, w->d->n, left + w->inputs);
    w->origin = arena_array(w->a, rows, sizeof *w->origin);
}

static size_t origin_of(const shuffle *w, size_t i)
{
    return w->origin[(size_t)(w->row[i] - w->first) / (2 * w->left + w->inputs)];
}

/* Rows are divided by their largest entry in E, or by that in A where E has none. */
static void begin(shuffle *w)
{
    const descriptor *d = w->d;
    size_t n = d->n;
    w->inputs = (MOST_STEPS + 1) * d->inputs;
    w->smallest = HUGE_VAL;
    w->variable = arena_array(w->a, n, sizeof *w->variable);
    w->weight = arena_array(w->a, n, sizeof *w->weight);
    w->gone = arena_array(w->a, n, sizeof *w->gone);
    take_rows(w, n, n);
    for (size_t i = 0; i < n; i++) {
        const double *E = d->E + i * n, *A = d->A + i * n;
        double in_E = 0, in_A = 0;
        for (size_t j = 0; j < n; j++) {
            in_E = fmax(in_E, fabs(E[j]) * d->nominal[j]);
            in_A = fmax(in_A, fabs(A[j]) * d->nominal[j]);
        }
        double size = in_E > 0 ? in_E : in_A > 0 ? in_A : 1;
        for (size_t j = 0; j < n; j++) {
            w->row[i][j] = E[j] / size;
            w->row[i][n + j] = A[j] / size;
        }
        for (size_t q = 0; q < d->inputs; q++)
            w->row[i][2 * n + q] = d->B[i * d->inputs + q] / size;
        w->lift[i][i] = 1;
        w->origin[i] = i;
        w->variable[i] = i;
        w->weight[i] = d->nominal[i];
    }
}

/* The rows without derivatives, divided by their largest entries. */
static void scale_algebraic(const shuffle *w, size_t rank)
{
    for (size_t i = rank; i < w->rows; i++) {
        double *A = w->row[i] + w->left, largest = 0;
        for (size_t j = 0; j < w->left; j++) largest = fmax(largest, fabs(A[j]) * w->weight[j]);
        if (!(largest > w->d->rounding)) continue;
        for (size_t j = 0; j < w->left + w->inputs; j++) A[j] /= largest;
    }
}

/* The largest factors of each input in the rows without derivatives. */
static double *sizes_of_inputs(const shuffle *w, size_t rank)
{
    double *size = arena_array(w->a, w->inputs, sizeof *size);
    for (size_t i = rank; i < w->rows; i++)
        for (size_t q = 0; q < w->inputs; q++)
            size[q] = fmax(size[q], fabs(w->row[i][2 * w->left + q]));
    return size;
}

/* Drops the rows from `end` on, of which nothing is left. False: inputs are, which cannot be given
 * then. */
static bool drop(shuffle *w, size_t end, const double *size)
{
    for (size_t i = end; i < w->rows; i++) {
        for (size_t q = 0; q < w->inputs; q++)
            if (fabs(w->row[i][2 * w->left + q]) > w->d->rounding * size[q]) return false;
        w->gone[w->dropped++] = origin_of(w, i);
    }
    return true;
}

/* x_p = -(the others) - (inputs), of an algebraic row, goes into a row with a factor of x_p. */
static void substitute(const shuffle *w, const double *algebraic, double factor, double *to,
                       double *inputs)
{
    if (factor == 0) return;
    for (size_t j = 0; j < w->left; j++) to[j] -= factor * algebraic[j];
    for (size_t q = 0; q < w->inputs; q++) inputs[q] -= factor * algebraic[w->left + q];
}

/* The same for x_p', whose inputs are differentiated and go to the other side. */
static void substitute_rate(const shuffle *w, const double *algebraic, double factor, double *to,
                            double *inputs)
{
    size_t m = w->d->inputs;
    if (factor == 0) return;
    for (size_t j = 0; j < w->left; j++) to[j] -= factor * algebraic[j];
    for (size_t q = m; q < w->inputs; q++) inputs[q] += factor * algebraic[w->left + q - m];
}

static void take_out(shuffle *w, size_t rank, size_t which, size_t pivot)
{
    const double *algebraic = w->row[rank + which] + w->left;
    for (size_t i = 0; i < rank; i++) {
        double *E = w->row[i], *A = E + w->left, *B = A + w->left;
        substitute_rate(w, algebraic, E[pivot], E, B);
        substitute(w, algebraic, A[pivot], A, B);
    }
    for (size_t i = 0; i < w->d->n; i++)
        substitute(w, algebraic, w->lift[i][pivot], w->lift[i], w->lift[i] + w->left);
}

/* Only the variables that are kept remain, in the first `rank` rows. */
static void shrink(shuffle *w, size_t rank, size_t left, const bool *gone)
{
    shuffle next = *w;
    take_rows(&next, rank, left);
    for (size_t j = 0, to = 0; j < w->left; j++) {
        if (gone[j]) continue;
        for (size_t i = 0; i < rank; i++) {
            next.row[i][to] = w->row[i][j];
            next.row[i][left + to] = w->row[i][w->left + j];
        }
        for (size_t i = 0; i < w->d->n; i++) next.lift[i][to] = w->lift[i][j];
        next.variable[to] = w->variable[j];
        next.weight[to++] = w->weight[j];
    }
    for (size_t i = 0; i < rank; i++) {
        memcpy(next.row[i] + 2 * left, w->row[i] + 2 * w->left, w->inputs * sizeof(double));
        next.origin[i] = origin_of(w, i);
    }
    for (size_t i = 0; i < w->d->n; i++)
        memcpy(next.lift[i] + left, w->lift[i] + w->left, w->inputs * sizeof(double));
    *w = next;
}

/* Solves the rows below `rank` for as many variables. False: the pencil is singular. */
static bool step(shuffle *w, size_t rank)
{
    size_t count = w->rows - rank, width = 2 * w->left + w->inputs;
    size_t *pivot = arena_array(w->a, count, sizeof *pivot);
    bool *gone = arena_array(w->a, w->left, sizeof *gone);
    for (size_t i = rank; i < w->rows; i++) memset(w->row[i], 0, w->left * sizeof **w->row);
    scale_algebraic(w, rank);
    const double *size = sizes_of_inputs(w, rank);
    size_t found = eliminate(w->a, count, width, w->row + rank, w->left, 2 * w->left, w->weight,
                             w->d->rounding, pivot, &w->smallest);
    if (!drop(w, rank + found, size)) return false;
    for (size_t k = 0; k < found; k++) gone[pivot[k]] = true;
    for (size_t k = 0; k < found; k++) take_out(w, rank, k, pivot[k]);
    shrink(w, rank, w->left - found, gone);
    return true;
}

/* Whether variable j acts on the rows, of which each gives the derivative of one other variable. */
static bool acts(const shuffle *w, const size_t *pivot, size_t j)
{
    for (size_t i = 0; i < w->rows; i++) {
        const double *E = w->row[i], *A = E + w->left;
        double largest = 0;
        for (size_t k = 0; k < w->left; k++) largest = fmax(largest, fabs(A[k]) * w->weight[k]);
        if (fabs(E[j]) * w->weight[j] > w->d->rounding * w->weight[pivot[i]] ||
            fabs(A[j]) * w->weight[j] > w->d->rounding * largest)
            return true;
    }
    return false;
}

/* Takes the variables out that are left without an equation. False: others depend on them. */
static bool leave_open(shuffle *w, size_t *pivot, reduction *r)
{
    bool *gone = arena_array(w->a, w->left, sizeof *gone);
    r->dropped = w->dropped;
    r->row = w->gone;
    r->open = arena_array(w->a, w->dropped, sizeof *r->open);
    for (size_t j = 0; j < w->left; j++) gone[j] = true;
    for (size_t i = 0; i < w->rows; i++) gone[pivot[i]] = false;
    for (size_t j = 0, to = 0; j < w->left; j++) {
        if (!gone[j]) continue;
        if (acts(w, pivot, j)) return false;
        r->open[to++] = w->variable[j];
    }
    for (size_t i = 0; i < w->rows; i++) {
        size_t before = 0;
        for (size_t j = 0; j < pivot[i]; j++) before += gone[j];
        pivot[i] -= before;
    }
    shrink(w, w->rows, w->rows, gone);
    return true;
}

static void compose(const shuffle *w, const size_t *pivot, reduction *r)
{
    size_t n = w->d->n, s = w->left, m = w->d->inputs;
    r->states = s;
    r->powers = MOST_STEPS + 1;
    r->margin = w->smallest < HUGE_VAL ? w->smallest : 1;
    r->variable = w->variable;
    r->order = arena_array(w->a, s, sizeof *r->order);
    r->a = arena_array(w->a, s * s, sizeof *r->a);
    r->b = arena_array(w->a, r->powers * s * m, sizeof *r->b);
    r->t = arena_array(w->a, n * s, sizeof *r->t);
    r->p = arena_array(w->a, r->powers * n * m, sizeof *r->p);
    for (size_t i = 0; i < s; i++) {
        size_t q = pivot[i];
        memcpy(r->a + q * s, w->row[i] + s, s * sizeof *r->a);
        for (size_t k = 0; k < r->powers; k++)
            memcpy(r->b + (k * s + q) * m, w->row[i] + 2 * s + k * m, m * sizeof *r->b);
    }
    for (size_t j = 0; j < n; j++) {
        memcpy(r->t + j * s, w->lift[j], s * sizeof *r->t);
        for (size_t k = 0; k < r->powers; k++)
            memcpy(r->p + (k * n + j) * m, w->lift[j] + s + k * m, m * sizeof *r->p);
    }
}

bool descriptor_deflate(arena *a, const descriptor *d, reduction *r)
{
    shuffle w = {.a = a, .d = d};
    size_t *pivot = arena_array(a, d->n, sizeof *pivot);
    begin(&w);
    for (r->index = 0; r->index <= MOST_STEPS; r->index++) {
        size_t rank = eliminate(a, w.rows, 2 * w.left + w.inputs, w.row, 0, w.left, w.weight,
                                d->rounding, pivot, &w.smallest);
        if (rank == w.rows) {
            if (!leave_open(&w, pivot, r)) return false;
            compose(&w, pivot, r);
            return true;
        }
        if (!step(&w, rank)) return false;
    }
    return false;
}
