#include "problem/levels.h"

#include <math.h>
#include <string.h>

void miss_add_terms(const sparse_pattern *p, const double *value, const double *x,
                    const double *nominal, double *terms)
{
    for (size_t j = 0; j < p->columns; j++) {
        double size = miss_size(x[j], nominal ? nominal[j] : 0);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            terms[p->row[k]] += fabs(value[k]) * size;
    }
}

void miss_add_transposed(const sparse_pattern *p, const double *value, const double *x,
                         const double *nominal, double *terms)
{
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            terms[j] += fabs(value[k]) * miss_size(x[p->row[k]], nominal[p->row[k]]);
}

void miss_terms(const sparse_pattern *p, const double *value, const double *x,
                const double *nominal, double *terms)
{
    memset(terms, 0, p->rows * sizeof *terms);
    miss_add_terms(p, value, x, nominal, terms);
}

void miss_level_terms(const constraint_level *level, const double *value, const double *z,
                      const double *nominal, double *terms)
{
    const sparse_pattern *p = level->pattern;
    memset(terms, 0, p->rows * sizeof *terms);
    for (size_t j = 0; j < p->columns; j++) {
        double size = miss_size(z[level->column[j]], nominal[level->column[j]]);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            terms[p->row[k]] += fabs(value[k]) * size;
    }
}

double miss_of_row(double residual, double terms)
{
    return terms > 0 ? fabs(residual) / terms : fabs(residual);
}

void miss_raise(double *worst, double found)
{
    if (!(found <= *worst)) *worst = found;
}

double miss_largest(size_t rows, const double *residual, const double *terms, size_t *row)
{
    double worst = 0;
    for (size_t i = 0; i < rows; i++) {
        double found = miss_of_row(residual[i], terms[i]);
        if (found <= worst) continue;
        worst = found;
        if (row) *row = i;
    }
    return worst;
}

bool constraint_levels_nested(const constraint_levels *l)
{
    for (size_t k = 0; k < l->count; k++)
        if (!l->level[k].last_row) return false;
    return l->count > 0;
}

bool constraint_levels_paired(const constraint_levels *l)
{
    return l->count == 1 && l->level[0].pair;
}
