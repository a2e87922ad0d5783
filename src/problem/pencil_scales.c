#include "problem/pencil.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Rows, columns and alpha are settled in turn, each optimal for the others. The last digits do not
 * matter. */
enum { SWEEPS = 20 };

/* All logarithms are to the base 2. */
typedef struct pencil_logarithms {
    size_t n;
    pencil_values part[2]; /* B and A: logarithms of their entries, -infinity for 0 */
    double *row, *column, alpha;
    double *sum, *count; /* n */
} pencil_logarithms;

static pencil_values logarithms_of(arena *memory, pencil_values m)
{
    double *value = arena_array(memory, m.pattern->nonzeros, sizeof *value);
    for (size_t k = 0; k < m.pattern->nonzeros; k++) value[k] = log2(fabs(m.value[k]));
    return (pencil_values){m.pattern, value};
}

/* Add up the logarithms of one matrix's entries, scaled with the present factors, for each row or
 * for each column. */
static void add_up(const pencil_logarithms *l, int which, double *sum, double *count, bool rows)
{
    const sparse_pattern *p = l->part[which].pattern;
    double alpha = which == 0 ? l->alpha : 0;
    for (size_t j = 0; j < l->n; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k], at = rows ? i : j;
            double size = l->part[which].value[k] + l->row[i] + l->column[j] + alpha;
            if (!isfinite(size)) continue;
            sum[at] += size;
            count[at]++;
        }
    }
}

static void settle(pencil_logarithms *l, double *factor, bool rows)
{
    memset(l->sum, 0, l->n * sizeof *l->sum);
    memset(l->count, 0, l->n * sizeof *l->count);
    add_up(l, 0, l->sum, l->count, rows);
    add_up(l, 1, l->sum, l->count, rows);
    for (size_t i = 0; i < l->n; i++)
        if (l->count[i] > 0) factor[i] -= l->sum[i] / l->count[i];
}

static void settle_alpha(pencil_logarithms *l)
{
    double sum = 0, count = 0;
    memset(l->sum, 0, l->n * sizeof *l->sum);
    memset(l->count, 0, l->n * sizeof *l->count);
    add_up(l, 0, l->sum, l->count, true);
    for (size_t i = 0; i < l->n; i++) {
        sum += l->sum[i];
        count += l->count[i];
    }
    if (count > 0) l->alpha -= sum / count;
}

static void sweep(pencil_scales *s, bool free_alpha)
{
    pencil_logarithms *l = s->logarithms;
    for (int k = 0; k < SWEEPS; k++) {
        settle(l, l->row, true);
        settle(l, l->column, false);
        if (free_alpha) settle_alpha(l);
    }
    for (size_t i = 0; i < l->n; i++) {
        s->row[i] = exp2(round(l->row[i]));
        s->column[i] = exp2(round(l->column[i]));
    }
    s->alpha = exp2(l->alpha);
}

pencil_scales pencil_scales_find(arena *memory, pencil_values b, pencil_values a)
{
    size_t n = a.pattern->columns;
    pencil_logarithms *l = arena_take(memory, sizeof *l);
    *l = (pencil_logarithms){.n = n, .part = {logarithms_of(memory, b), logarithms_of(memory, a)}};
    pencil_scales s = {.logarithms = l};
    arena_vectors(
        memory, n,
        (double **const[]){&l->row, &l->column, &l->sum, &l->count, &s.row, &s.column, NULL});
    sweep(&s, true);
    return s;
}

void pencil_scales_at(pencil_scales *s, double alpha)
{
    s->logarithms->alpha = log2(alpha);
    sweep(s, false);
}
