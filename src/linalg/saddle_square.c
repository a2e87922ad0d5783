/* Saddle-point systems as one square matrix, dense or sparse by the linear solver's choice.
 *
 * Columns are scaled so that the diagonal of H and the rows of G have the size 1: then a small
 * pivot tells of rows that depend on others. Where they do in a matrix too large for a
 * decomposition that reveals the rank, the last diagonal block is a shift, and the solution is
 * improved until the shift has no part in it: x then meets the rows in the least-squares sense. */
#include "linalg/saddle_point_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The shift relative to the rows; the part of the right-hand side that is left at the end, and
 * where that is more than round-off. */
static const double SHIFT = 1e-7, SETTLED = 1e-15, CONTRADICTION = 1e-12;

/* What is light beside the largest inertia; and a residual that is round-off of a row's terms. */
static const double LIGHTEST = 1e-8, ROUND_OFF = 64 * DBL_EPSILON;

enum { MOST_ITERATIONS = 40, MOST_REFINEMENTS = 2 };

typedef struct entries {
    size_t count, *row, *column;
} entries;

static void add(entries *e, size_t row, size_t column)
{
    e->row[e->count] = row;
    e->column[e->count++] = column;
}

static void build(void *argument)
{
    saddle_point *p = argument;
    saddle_square *s = &p->square;
    arena *a = &s->memory;
    size_t n = p->n, size = n + p->m, of_g = p->g->nonzeros;
    size_t most = p->h->nonzeros + 2 * of_g + size;
    entries e = {.row = arena_array(a, most, sizeof(size_t)),
                 .column = arena_array(a, most, sizeof(size_t))};
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++)
            add(&e, (size_t)p->h->row[k], j);
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++)
            add(&e, n + (size_t)p->g->row[k], j);
    for (size_t k = p->h->nonzeros; k < p->h->nonzeros + of_g; k++) add(&e, e.column[k], e.row[k]);
    for (size_t i = 0; i < size; i++) add(&e, i, i);
    s->of_h = arena_array(a, most, sizeof *s->of_h);
    s->of_g = s->of_h + p->h->nonzeros;
    s->of_gt = s->of_g + of_g;
    s->diagonal = s->of_gt + of_g;
    s->pattern = sparse_build(a, size, size, most, e.row, e.column, s->of_h);
    s->value = arena_array(a, s->pattern->nonzeros, sizeof(double));
    s->column = arena_array(a, size, sizeof(double));
    s->length = arena_array(a, p->m, sizeof(double));
    s->shift = arena_array(a, p->m, sizeof(double));
    s->solution = arena_array(a, size, sizeof(double));
    s->left = arena_array(a, size, sizeof(double));
    s->terms = arena_array(a, size, sizeof(double));
}

dae_status saddle_square_create(saddle_point *p)
{
    return arena_protect(&p->square.memory, build, p);
}

/* The size of a first unknown is 1 over the root of H's diagonal entry; of one that is nearly
 * without inertia, as if it had the least that counts beside the largest, in units of the sizes. */
static void scale_columns(saddle_point *p)
{
    saddle_square *s = &p->square;
    double largest = 0;
    memset(s->column, 0, p->n * sizeof(double));
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++)
            if ((size_t)p->h->row[k] == j) s->column[j] = fabs(p->h_value[k]);
        largest = fmax(largest, s->column[j] * p->scale[j] * p->scale[j]);
    }
    largest = largest > 0 ? largest : 1;
    for (size_t j = 0; j < p->n; j++) {
        double least = LIGHTEST * largest / (p->scale[j] * p->scale[j]);
        s->column[j] = 1 / sqrt(fmax(s->column[j], least));
    }
    memset(s->length, 0, p->m * sizeof(double));
    for (size_t j = 0; j < p->n; j++)
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++) {
            double entry = p->g_value[k] * s->column[j];
            s->length[p->g->row[k]] += entry * entry;
        }
    for (size_t i = 0; i < p->m; i++) {
        s->length[i] = s->length[i] > 0 ? sqrt(s->length[i]) : 1;
        s->column[p->n + i] = 1 / s->length[i];
    }
}

dae_status saddle_square_factor(saddle_point *p, bool shifted)
{
    saddle_square *s = &p->square;
    dae_status status = DAE_OK;
    if (!s->solver) /* with its whole diagonal no pattern is singular */
        status = linear_solver_create_for_any_pivots(&s->solver, s->pattern);
    if (status != DAE_OK) return status;
    scale_columns(p);
    memset(s->value, 0, s->pattern->nonzeros * sizeof(double));
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++)
            s->value[s->of_h[k]] += p->h_value[k] * s->column[j];
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++) {
            s->value[s->of_g[k]] = p->g_value[k] * s->column[j];
            s->value[s->of_gt[k]] = -p->g_value[k] * s->column[p->n + (size_t)p->g->row[k]];
        }
    }
    for (size_t i = 0; shifted && i < p->m; i++) {
        s->shift[i] = SHIFT * s->length[i] * s->length[i];
        s->value[s->diagonal[p->n + i]] = s->shift[i] * s->column[p->n + i];
    }
    return linear_solver_factor(s->solver, s->value);
}

static void solve_once(saddle_point *p, double *x)
{
    if (p->way == SADDLE_BLOCKS) {
        saddle_blocks_solve(p, x);
        return;
    }
    linear_solver_solve(p->square.solver, x);
    for (size_t i = 0; i < p->n + p->m; i++) x[i] *= p->square.column[i];
}

/* s->left = what s->solution leaves of x, and the sizes of the terms of each row. */
static void look_at_rest(saddle_point *p, const double *x)
{
    saddle_square *s = &p->square;
    double *left = s->left, *terms = s->terms, *now = s->solution;
    for (size_t i = 0; i < p->n + p->m; i++) left[i] = x[i], terms[i] = fabs(x[i]);
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = p->h->start[j]; k < p->h->start[j + 1]; k++) {
            double term = p->h_value[k] * now[j];
            left[p->h->row[k]] -= term;
            terms[p->h->row[k]] += fabs(term);
        }
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++) {
            size_t i = p->n + (size_t)p->g->row[k];
            double down = p->g_value[k] * now[j], across = p->g_value[k] * now[i];
            left[i] -= down;
            left[j] += across;
            terms[i] += fabs(down);
            terms[j] += fabs(across);
        }
    }
}

static bool has_rest(const saddle_square *s, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!(fabs(s->left[i]) <= ROUND_OFF * s->terms[i])) return true;
    return false;
}

/* Rows of very different terms may keep more than their round-off: one refinement leaves no more
 * (Skeel, Math. Comp. 35 (1980)). */
static void solve_regular(saddle_point *p, double *x)
{
    saddle_square *s = &p->square;
    size_t size = p->n + p->m;
    memcpy(s->solution, x, size * sizeof *x);
    solve_once(p, s->solution);
    for (int k = 0; k < MOST_REFINEMENTS; k++) {
        look_at_rest(p, x);
        if (!has_rest(s, size)) break;
        solve_once(p, s->left);
        for (size_t i = 0; i < size; i++) s->solution[i] += s->left[i];
    }
    memcpy(x, s->solution, size * sizeof *x);
}

/* What is left of the constraint rows, relative to the rows. */
static double rows_left(const saddle_point *p)
{
    const saddle_square *s = &p->square;
    double sum = 0;
    for (size_t i = 0; i < p->m; i++)
        sum += s->left[p->n + i] * s->left[p->n + i] / (s->length[i] * s->length[i]);
    return sqrt(sum);
}

/* Each solution with the shift leaves of the rows what their dependence and the shift leave; what
 * remains at the end is the contradiction, whose multiples the multipliers have taken up. */
static void solve_shifted(saddle_point *p, double *x)
{
    saddle_square *s = &p->square;
    size_t size = p->n + p->m, k = 0;
    memset(s->solution, 0, size * sizeof(double));
    look_at_rest(p, x);
    double first = rows_left(p), last = first, now = first;
    do {
        last = now;
        solve_once(p, s->left);
        for (size_t i = 0; i < size; i++) s->solution[i] += s->left[i];
        look_at_rest(p, x);
        now = rows_left(p);
        k++;
    } while (k < MOST_ITERATIONS && (k < 3 || (now > SETTLED * first && now < 0.9 * last)));
    for (size_t i = 0; now > CONTRADICTION * first && i < p->m; i++)
        s->solution[p->n + i] -= (double)k * s->left[p->n + i] / s->shift[i];
    memcpy(x, s->solution, size * sizeof *x);
}

void saddle_square_solve(saddle_point *p, double *x)
{
    if (p->way == SADDLE_SHIFTED)
        solve_shifted(p, x);
    else
        solve_regular(p, x);
}

void saddle_square_free(saddle_point *p)
{
    linear_solver_free(p->square.solver);
    arena_free(&p->square.memory);
}
