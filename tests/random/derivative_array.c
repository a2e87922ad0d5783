#include "random/derivative_array.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_ROWS = (ARRAY_ORDER + 1) * SYSTEM_MOST,
    MOST_COLUMNS = (ARRAY_ORDER + 2) * SYSTEM_MOST + ROUNDINGS
};

/* Below this share of its row's largest entry a pivot is round-off. */
static const double NO_PIVOT = 1e-24;

void linearised_open(linearised *l, random_system *s, draw *d)
{
    expr_pool *p = s->pool;
    int n = s->n;
    expr jacobian[2 * SYSTEM_MOST * SYSTEM_MOST];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            jacobian[i * n + j] = expr_derivative(p, s->equation[i], expr_y(p, j));
            jacobian[(n + i) * n + j] = expr_derivative(p, s->equation[i], expr_yp(p, j));
        }
    }
    *l = (linearised){.n = n, .index = s->index};
    for (int j = 0; j < n; j++) {
        l->algebraic[j] = true;
        for (int i = 0; i < n; i++)
            l->algebraic[j] = l->algebraic[j] && expr_is_zero(p, jacobian[(n + i) * n + j]);
    }
    tape_open(&l->solution, p, n, s->solution);
    tape_open(&l->equations, p, n, s->equation);
    tape_open(&l->jacobians, p, 2 * n * n, jacobian);
    for (int r = 0; r < ROUNDINGS; r++) {
        l->signs[r] = malloc((size_t)l->equations.length + 1);
        if (!l->signs[r]) exit(3);
        for (int k = 0; k < l->equations.length; k++) l->signs[r][k] = draw_bits(d) & 1;
    }
}

void linearised_close(linearised *l)
{
    tape_close(&l->solution);
    tape_close(&l->equations);
    tape_close(&l->jacobians);
    for (int r = 0; r < ROUNDINGS; r++) free(l->signs[r]);
}

typedef struct array {
    int rows, columns, n, order; /* order: of the highest Taylor coefficient of the equations */
    int row[MOST_ROWS];          /* in the order of pivots */
    quad m[MOST_ROWS][MOST_COLUMNS];
    bool algebraic[SYSTEM_MOST]; /* unknowns whose derivative does not occur */
    int taken;                   /* rows that are pivots */
    int pivot[MOST_ROWS];        /* their columns */
} array;

/* First column of Taylor coefficient k of d. */
static int column_of(const array *a, int k)
{
    return (a->order + 1 - k) * a->n;
}

static void fill(array *a, const linearised *l, double t, const series *y, const series *yp)
{
    int n = a->n, terms = a->order + 1;
    series jacobian[2 * SYSTEM_MOST * SYSTEM_MOST], missed[SYSTEM_MOST];
    tape_series(&l->jacobians, terms, t, y, yp, NULL, jacobian);
    for (int j = 0; j <= a->order; j++) {
        for (int i = 0; i < n; i++) {
            quad *row = a->m[j * n + i];
            for (int k = 0; k < a->columns; k++) row[k] = 0;
            for (int k = 0; k <= j; k++) {
                for (int v = 0; v < n; v++) {
                    row[column_of(a, k) + v] += jacobian[i * n + v].c[j - k];
                    row[column_of(a, k + 1) + v] += (k + 1) * jacobian[(n + i) * n + v].c[j - k];
                }
            }
        }
    }
    for (int v = 0; v < n; v++) a->algebraic[v] = l->algebraic[v];
    for (int r = 0; r < ROUNDINGS; r++) {
        tape_series(&l->equations, terms, t, y, yp, l->signs[r], missed);
        for (int j = 0; j <= a->order; j++)
            for (int i = 0; i < n; i++)
                a->m[j * n + i][a->columns - ROUNDINGS + r] = -missed[i].c[j];
    }
}

static void scale_rows(array *a)
{
    for (int i = 0; i < a->rows; i++) {
        quad most = 0;
        for (int k = 0; k < a->columns - ROUNDINGS; k++)
            most = quad_max(most, quad_abs(a->m[i][k]));
        for (int k = 0; k < a->columns && most > 0; k++) a->m[i][k] /= most;
        a->row[i] = i;
    }
}

/* Rows that are left, by their largest entry from column `first` on; round-off becomes 0. */
static void scale_rest(array *a, int first)
{
    for (int k = a->taken; k < a->rows; k++) {
        quad *row = a->m[a->row[k]], most = 0;
        for (int j = first; j < a->columns - ROUNDINGS; j++)
            most = quad_max(most, quad_abs(row[j]));
        bool nothing = most < (quad)NO_PIVOT;
        for (int j = first; j < a->columns; j++) row[j] = nothing ? 0 : row[j] / most;
    }
}

/* The largest entry of the rows that are left within the columns. */
static quad find_pivot(const array *a, int first, int last, int *at_row, int *at_column)
{
    quad most = 0;
    for (int i = a->taken; i < a->rows; i++) {
        for (int k = first; k < last; k++) {
            quad size = quad_abs(a->m[a->row[i]][k]);
            if (size > most) most = size, *at_row = i, *at_column = k;
        }
    }
    return most;
}

/* The first column that a pivot's row may hold: those of d' and of d come last. */
static int column_start(const array *a, int column)
{
    return column < column_of(a, 1) ? 0 : column - column % a->n;
}

static void subtract(array *a, int from, const quad *pivot, int column, int first)
{
    quad *row = a->m[from], factor = row[column] / pivot[column];
    if (factor == 0) return;
    for (int k = first; k < a->columns; k++) row[k] -= factor * pivot[k];
    row[column] = 0;
}

/* Eliminate columns from the rows that are left, and from pivots' rows from `also` on. */
static int eliminate(array *a, int first, int last, int also)
{
    int begun = a->taken, at = 0, column = 0;
    while (a->taken < a->rows && find_pivot(a, first, last, &at, &column) > (quad)NO_PIVOT) {
        int chosen = a->row[at];
        a->row[at] = a->row[a->taken];
        a->row[a->taken] = chosen;
        a->pivot[a->taken] = column;
        for (int i = 0; i < a->rows; i++)
            if (i > a->taken || (i < a->taken && i >= also))
                subtract(a, a->row[i], a->m[chosen], column, column_start(a, column));
        a->taken++;
    }
    return a->taken - begun;
}

/* Let values of algebraic unknowns depend on others, however little beside stiff terms: a start by
 * them may have another solution nearby. */
static int eliminate_algebraic(array *a)
{
    int values = column_of(a, 0), begun = a->taken;
    for (int v = 0; v < a->n; v++) {
        int at = 0, column = 0;
        if (!a->algebraic[v]) continue;
        if (find_pivot(a, values + v, values + v + 1, &at, &column) > (quad)1e-9)
            eliminate(a, values + v, values + v + 1, begun);
    }
    return a->taken - begun;
}

static void take_yp(const array *a, int begun, level_at *at)
{
    int first = column_of(a, 1), values = column_of(a, 0);
    for (int k = begun; k < begun + a->n; k++) {
        const quad *row = a->m[a->row[k]];
        int v = a->pivot[k] - first;
        for (int j = 0; j < a->n; j++) at->slope[v][j] = -row[values + j] / row[a->pivot[k]];
        for (int r = 0; r < ROUNDINGS; r++)
            at->push[v][r] = row[a->columns - ROUNDINGS + r] / row[a->pivot[k]];
    }
}

static void take_levels(const array *a, int begun, level_at *at)
{
    int values = column_of(a, 0);
    for (int k = begun; k < a->taken; k++) {
        const quad *row = a->m[a->row[k]];
        int v = a->pivot[k] - values;
        at->dependent[v] = true;
        for (int j = 0; j < a->n; j++)
            at->by[v][j] = j == v ? 0 : row[values + j] / row[a->pivot[k]];
        for (int r = 0; r < ROUNDINGS; r++)
            at->level[v][r] = row[a->columns - ROUNDINGS + r] / row[a->pivot[k]];
    }
}

static bool reduce(array *a, level_at *at)
{
    int n = a->n;
    int slopes = eliminate(a, 0, column_of(a, 1), MOST_ROWS);
    if (eliminate(a, column_of(a, 1), column_of(a, 0), slopes) < n) return false;
    take_yp(a, slopes, at);
    int levels = a->taken, values = column_of(a, 0);
    scale_rest(a, values);
    int algebraic = eliminate_algebraic(a);
    at->freedom = n - algebraic - eliminate(a, values, values + n, levels);
    take_levels(a, levels, at);
    return true;
}

bool derivative_array(const linearised *l, double t, level_at *at)
{
    series y[SYSTEM_MOST], yp[SYSTEM_MOST];
    array *a = malloc(sizeof *a);
    if (!a) exit(3);
    a->n = l->n, a->order = l->index, a->taken = 0;
    a->rows = (a->order + 1) * a->n;
    a->columns = (a->order + 2) * a->n + ROUNDINGS;
    *at = (level_at){.freedom = 0};
    tape_series(&l->solution, a->order + 2, t, NULL, NULL, NULL, y);
    for (int i = 0; i < l->n; i++) {
        at->y[i] = (double)y[i].c[0];
        yp[i] = (series){{0}};
        for (int k = 0; k <= a->order; k++) yp[i].c[k] = (k + 1) * y[i].c[k + 1];
    }
    fill(a, l, t, y, yp);
    scale_rows(a);
    bool determined = reduce(a, at);
    free(a);
    return determined;
}
