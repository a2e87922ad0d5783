/* The reduction of a descriptor system by its structure.
 *
 * Row i and its derivatives up to c_i, over the derivatives of y_j up to d_j, are a square system
 * for the highest ones, J y^(d) = ..., and as many constraints as there are lower rows for the
 * lower ones, G z = H (u, u', ...). J is regular, hence G has full rank (Pryce, BIT 41 (2001)):
 * what an elimination of G leaves free are the states. */
#include "analysis/descriptor.h"
#include "linalg/linear_solver.h"
#include "linalg/linear_solver_rows.h"
#include "structure/local_index.h"
#include "structure/signature.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An order of a variable above 0 is a state only where variables themselves determine it this many
 * times worse. */
static const double PREFERRED = 1e3;

typedef struct array {
    arena *a;
    const descriptor *d;
    const incidence *in; /* of E and A */
    const signature *s;
    size_t *low;           /* n + 1: where the lower orders of each variable begin */
    size_t lows;           /* how many there are */
    size_t states, inputs; /* inputs: with their derivatives */
    sparse_pattern *jacobian;
    double *entry;
    double *z, *top; /* lows and n x (states + inputs): by the states and inputs */
} array;

static double entry(const descriptor *d, size_t i, size_t j, uint32_t order)
{
    return order ? d->E[i * d->n + j] : -d->A[i * d->n + j];
}

static bool occurs(const descriptor *d, size_t i, size_t j, uint32_t *order)
{
    *order = d->E[i * d->n + j] != 0;
    return *order || d->A[i * d->n + j] != 0;
}

static incidence *incidence_of(arena *a, const descriptor *d)
{
    incidence *in = arena_take(a, sizeof *in);
    size_t count = 0;
    uint32_t order;
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++) count += occurs(d, i, j, &order);
    *in = (incidence){.rows = d->n, .columns = d->n};
    in->start = arena_array(a, d->n + 1, sizeof *in->start);
    in->column = arena_array(a, count, sizeof *in->column);
    in->order = arena_array(a, count, sizeof *in->order);
    for (size_t i = 0, at = 0; i < d->n; i++) {
        for (uint32_t j = 0; j < d->n; j++) {
            if (!occurs(d, i, j, &order)) continue;
            in->column[at] = j;
            in->order[at++] = order;
        }
        in->start[i + 1] = at;
    }
    return in;
}

/* The entries of the system Jacobian, and whether it is regular. */
static bool is_regular(array *w, reduction *r)
{
    const descriptor *d = w->d;
    const incidence *in = w->in;
    size_t entries = in->start[d->n];
    sparse_entries e = sparse_entries_take(w->a, entries);
    double *value = arena_array(w->a, entries, sizeof *value);
    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = in->start[i]; k < in->start[i + 1]; k++) {
            uint32_t j = in->column[k], order = in->order[k];
            if (order + w->s->c[i] != w->s->d[j]) continue;
            value[e.count] = entry(d, i, j, order);
            sparse_entries_add(&e, i, j);
        }
    }
    w->jacobian = sparse_entries_build(w->a, &e, d->n, d->n);
    w->entry = arena_array(w->a, w->jacobian->nonzeros, sizeof *w->entry);
    for (size_t k = 0; k < e.count; k++) w->entry[e.where[k]] = value[k];
    local_rank found;
    if (structure_local_rank(w->jacobian, w->entry, &found) == DAE_NO_MEMORY) arena_fail(w->a);
    r->margin = found.margin;
    return found.full && found.margin > w->d->rounding;
}

static void find_index(const array *w, reduction *r)
{
    unsigned *index = arena_array(w->a, w->d->n, sizeof *index);
    dae_status status = structure_variable_index(w->jacobian, w->entry, w->s->c, w->s->d, index);
    if (status == DAE_NO_MEMORY) arena_fail(w->a);
    r->index = status == DAE_OK ? 0 : (long)w->s->index;
    for (size_t j = 0; status == DAE_OK && j < w->d->n; j++)
        if ((long)index[j] > r->index) r->index = (long)index[j];
}

/* The lower rows: G, then H. */
static matrix_row *lower_rows(const array *w)
{
    const descriptor *d = w->d;
    matrix_row *row = matrix_rows(w->a, w->s->differentiations, w->lows + w->inputs);
    size_t at = 0;
    for (size_t i = 0; i < d->n; i++) {
        for (uint32_t k = 0; k < w->s->c[i]; k++, at++) {
            for (size_t e = w->in->start[i]; e < w->in->start[i + 1]; e++) {
                uint32_t j = w->in->column[e];
                double by_yp = d->E[i * d->n + j], by_y = d->A[i * d->n + j];
                if (by_yp != 0) row[at][w->low[j] + k + 1] += by_yp;
                if (by_y != 0) row[at][w->low[j] + k] -= by_y;
            }
            for (size_t q = 0; q < d->inputs; q++)
                row[at][w->lows + k * d->inputs + q] = d->B[i * d->inputs + q];
        }
    }
    return row;
}

static void scale_rows(const array *w, matrix_row *row, const double *weight)
{
    for (size_t i = 0; i < w->s->differentiations; i++) {
        double largest = 0;
        for (size_t j = 0; j < w->lows; j++) largest = fmax(largest, fabs(row[i][j]) * weight[j]);
        for (size_t j = 0; largest > 0 && j < w->lows + w->inputs; j++) row[i][j] /= largest;
    }
}

/* Chooses the states and gives the lower orders by them. False: the constraints are dependent. */
static bool choose_states(array *w, reduction *r)
{
    const descriptor *d = w->d;
    size_t rows = w->s->differentiations, width = w->states + w->inputs, next = 0;
    matrix_row *row = lower_rows(w);
    double *weight = arena_array(w->a, w->lows, sizeof *weight), smallest = HUGE_VAL;
    size_t *pivot = arena_array(w->a, rows, sizeof *pivot);
    bool *taken = arena_array(w->a, w->lows, sizeof *taken);
    for (size_t j = 0; j < d->n; j++)
        for (size_t k = w->low[j]; k < w->low[j + 1]; k++)
            weight[k] = d->nominal[j] * (k > w->low[j] ? PREFERRED : 1);
    scale_rows(w, row, weight);
    if (eliminate(w->a, rows, w->lows + w->inputs, row, 0, w->lows, weight, 0, pivot, &smallest) <
        rows)
        return false;
    for (size_t i = 0; i < rows; i++) taken[pivot[i]] = true;
    for (size_t j = 0; j < d->n; j++) {
        for (size_t k = w->low[j]; k < w->low[j + 1]; k++) {
            if (taken[k]) continue;
            for (size_t i = 0; i < rows; i++) w->z[pivot[i] * width + next] = -row[i][k];
            w->z[k * width + next] = 1;
            r->variable[next] = j;
            r->order[next++] = (uint32_t)(k - w->low[j]);
        }
    }
    for (size_t i = 0; i < rows; i++)
        memcpy(w->z + pivot[i] * width + w->states, row[i] + w->lows, w->inputs * sizeof *w->z);
    return true;
}

/* What the highest row of equation i leaves to its highest derivatives, by states and inputs. */
static void highest_right(const array *w, size_t i, double *right)
{
    const descriptor *d = w->d;
    size_t width = w->states + w->inputs;
    for (size_t e = w->in->start[i]; e < w->in->start[i + 1]; e++) {
        uint32_t j = w->in->column[e];
        for (uint32_t order = 0; order < 2; order++) {
            double by = entry(d, i, j, order);
            size_t k = w->s->c[i] + order;
            if (by == 0 || k >= w->s->d[j]) continue;
            const double *z = w->z + (w->low[j] + k) * width;
            for (size_t q = 0; q < width; q++) right[q] -= by * z[q];
        }
    }
    double *own = right + w->states + w->s->c[i] * d->inputs;
    for (size_t q = 0; q < d->inputs; q++) own[q] += d->B[i * d->inputs + q];
}

/* J, its rows and columns scaled by powers of 2, in factors. */
typedef struct factors {
    linear_solver *solver;
    double *entry, *row, *column;
} factors;

/* Pivots are the largest of their columns. */
static dae_status factor(const array *w, factors *f)
{
    const sparse_pattern *p = w->jacobian;
    f->entry = arena_array(w->a, p->nonzeros, sizeof *f->entry);
    arena_vectors(w->a, p->rows, (double **[]){&f->row, &f->column, NULL});
    dae_status status = equilibrate(p, w->entry, f->row, f->column);
    if (status == DAE_OK) status = linear_solver_create(&f->solver, p, false);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            f->entry[k] = w->entry[k] * f->row[p->row[k]] * f->column[j];
    linear_solver_prefer_diagonal(f->solver, 1);
    return linear_solver_factor(f->solver, f->entry);
}

/* J top = right; right (width x n) becomes scratch. */
static void solve_highest(array *w, const factors *f, double *right)
{
    size_t n = w->d->n, width = w->states + w->inputs;
    for (size_t q = 0; q < width; q++) {
        double *b = right + q * n;
        for (size_t i = 0; i < n; i++) b[i] *= f->row[i];
        linear_solver_solve(f->solver, b);
        for (size_t j = 0; j < n; j++) w->top[j * width + q] = b[j] * f->column[j];
    }
}

/* False: J is singular. */
static bool find_highest(array *w)
{
    size_t n = w->d->n, width = w->states + w->inputs;
    double *right = arena_array(w->a, n * width, sizeof *right);
    double *one = arena_array(w->a, width, sizeof *one);
    for (size_t i = 0; i < n; i++) {
        memset(one, 0, width * sizeof *one);
        highest_right(w, i, one);
        for (size_t q = 0; q < width; q++) right[q * n + i] = one[q];
    }
    factors f = {0};
    dae_status status = factor(w, &f);
    if (status == DAE_OK) solve_highest(w, &f, right);
    linear_solver_free(f.solver);
    arena_return(w->a, right, n * width, sizeof *right);
    if (status == DAE_NO_MEMORY) arena_fail(w->a);
    return status == DAE_OK;
}

/* The k-th derivative of a variable, by states and inputs. */
static const double *derivative(const array *w, size_t variable, uint32_t k)
{
    size_t width = w->states + w->inputs;
    bool lower = k < w->s->d[variable];
    return lower ? w->z + (w->low[variable] + k) * width : w->top + variable * width;
}

/* Parts of rows over states and inputs become matrices: `count` rows, the powers of inputs apart.
 */
static void split(const array *w, const double *from, size_t i, size_t count, double *by_states,
                  double *by_inputs)
{
    size_t m = w->d->inputs;
    memcpy(by_states + i * w->states, from, w->states * sizeof *from);
    for (size_t k = 0; k * m < w->inputs && m > 0; k++)
        memcpy(by_inputs + (k * count + i) * m, from + w->states + k * m, m * sizeof *from);
}

static void compose(const array *w, reduction *r)
{
    size_t n = w->d->n, s = w->states, m = w->d->inputs;
    r->a = arena_array(w->a, s * s, sizeof *r->a);
    r->b = arena_array(w->a, r->powers * s * m, sizeof *r->b);
    r->t = arena_array(w->a, n * s, sizeof *r->t);
    r->p = arena_array(w->a, r->powers * n * m, sizeof *r->p);
    for (size_t q = 0; q < s; q++)
        split(w, derivative(w, r->variable[q], r->order[q] + 1), q, s, r->a, r->b);
    for (size_t j = 0; j < n; j++) split(w, derivative(w, j, 0), j, n, r->t, r->p);
}

static void take_sizes(array *w, reduction *r)
{
    size_t n = w->d->n, most = 0;
    w->low = arena_array(w->a, n + 1, sizeof *w->low);
    for (size_t j = 0; j < n; j++) w->low[j + 1] = w->low[j] + w->s->d[j];
    for (size_t i = 0; i < n; i++)
        if (w->s->c[i] > most) most = w->s->c[i];
    w->lows = w->low[n];
    r->states = w->states = w->s->freedom;
    r->powers = most + 1;
    w->inputs = r->powers * w->d->inputs;
    w->z = arena_array(w->a, w->lows * (w->states + w->inputs), sizeof *w->z);
    w->top = arena_array(w->a, n * (w->states + w->inputs), sizeof *w->top);
    r->variable = arena_array(w->a, w->states, sizeof *r->variable);
    r->order = arena_array(w->a, w->states, sizeof *r->order);
}

bool descriptor_reduce(arena *a, const descriptor *d, reduction *r)
{
    array w = {.a = a, .d = d, .in = incidence_of(a, d)};
    w.s = structure_signature(a, w.in, NULL);
    if (!w.s->regular || !is_regular(&w, r)) return false;
    take_sizes(&w, r);
    find_index(&w, r);
    if (!choose_states(&w, r) || !find_highest(&w)) return false;
    compose(&w, r);
    return true;
}
