#include "nonlinear/differences.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

differences *differences_create(arena *a, const sparse_pattern *pattern)
{
    differences *d = arena_take(a, sizeof *d);
    d->pattern = pattern;
    d->colouring = colouring_create(a, pattern);
    d->moved = arena_array(a, pattern->columns, sizeof(double));
    d->there = arena_array(a, pattern->rows, sizeof(double));
    return d;
}

/* Difference quotients of one column; false where one is not finite. */
static bool divide_column(differences *d, size_t j, const double *x, const double *here,
                          double *value)
{
    const sparse_pattern *p = d->pattern;
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
        value[k] = (d->there[p->row[k]] - here[p->row[k]]) / (d->moved[j] - x[j]);
        if (isfinite(value[k])) continue;
        d->bad_row = (size_t)p->row[k];
        d->bad_column = j;
        return false;
    }
    return true;
}

/* Difference all columns of a colour, with increments `part` times as large. Increments point away
 * from 0, so that the domain of a root or a logarithm is not left. */
static dae_status move_colour(differences *d, vector_function f, size_t colour, double part,
                              const double *x, const double *nominal, const double *here,
                              double *value)
{
    const size_t *column = d->colouring->column, *first = d->colouring->first;
    for (size_t c = first[colour]; c < first[colour + 1]; c++) {
        size_t j = column[c];
        d->moved[j] = x[j] + copysign(part * fmax(fabs(x[j]), nominal[j]), part * x[j]);
    }
    dae_status status = f.value(f.self, d->moved, d->there);
    for (size_t c = first[colour]; status == DAE_OK && c < first[colour + 1]; c++)
        if (!divide_column(d, column[c], x, here, value)) status = DAE_NOT_EVALUABLE;
    for (size_t c = first[colour]; c < first[colour + 1]; c++) d->moved[column[c]] = x[column[c]];
    return status;
}

dae_status differences_jacobian(differences *d, vector_function f, const double *x,
                                const double *nominal, const double *here, double increment,
                                double *value)
{
    static const double PART[] = {1, -1, 0x1p-6, -0x1p-6};
    memcpy(d->moved, x, d->pattern->columns * sizeof *x);
    for (size_t colour = 0; colour < d->colouring->colours; colour++) {
        dae_status status = DAE_NOT_EVALUABLE;
        d->bad_row = (size_t)-1;
        d->bad_column = d->colouring->column[d->colouring->first[colour]];
        for (size_t k = 0; status == DAE_NOT_EVALUABLE && k < sizeof PART / sizeof *PART; k++)
            status = move_colour(d, f, colour, PART[k] * increment, x, nominal, here, value);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}
