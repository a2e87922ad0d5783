/* Saddle-point systems as one square matrix; the linear solver chooses dense or sparse factors.
 *
 * Columns are scaled so that the diagonal of H and the rows of G have size 1: a small pivot then
 * shows that rows depend on others. If they do in a matrix too large for a rank-revealing
 * decomposition, the last diagonal block is a shift. */
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <string.h>

/* The shift relative to the rows; and the inertia, relative to the largest, below which an unknown
 * counts as nearly without inertia. */
static const double SHIFT = 1e-7, LIGHTEST = 1e-8;

void saddle_square_build(saddle_point *p)
{
    saddle_square *s = &p->square;
    arena *a = &p->memory;
    size_t n = p->n, size = n + p->m, of_g = p->g->nonzeros;
    sparse_entries e = sparse_entries_take(a, p->h->nonzeros + 2 * of_g + size);
    sparse_entries_add_all(&e, p->h, 0, 0);
    sparse_entries_add_all(&e, p->g, n, 0);
    sparse_entries_add_transposed(&e, p->g, 0, n);
    for (size_t i = 0; i < size; i++) sparse_entries_add(&e, i, i);
    s->pattern = sparse_entries_build(a, &e, size, size);
    s->of_h = e.where;
    s->of_g = s->of_h + p->h->nonzeros;
    s->of_gt = s->of_g + of_g;
    s->diagonal = s->of_gt + of_g;
    s->value = arena_array(a, s->pattern->nonzeros, sizeof(double));
    arena_vectors(a, p->m, (double **const[]){&s->length, &s->shift, NULL});
    arena_vectors(a, size, (double **const[]){&s->column, &s->solution, &s->left, &s->terms, NULL});
}

/* The size of one of the first unknowns is 1 over the square root of its diagonal entry of H. An
 * unknown nearly without inertia, in units of the sizes, gets the least inertia that counts. */
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

void saddle_square_solve(saddle_point *p, double *x)
{
    linear_solver_solve(p->square.solver, x);
    for (size_t i = 0; i < p->n + p->m; i++) x[i] *= p->square.column[i];
}
