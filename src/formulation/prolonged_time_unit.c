#include "formulation/prolonged_time.h"
#include "problem/time_unit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The largest term of each row among derivatives of each order. */
typedef struct terms {
    size_t orders;
    double *largest; /* rows x orders */
} terms;

static void gather_column(const sparse_pattern *pattern, const double *value, size_t column,
                          double nominal, uint32_t order, const terms *t)
{
    for (sparse_index e = pattern->start[column]; e < pattern->start[column + 1]; e++) {
        double *largest = &t->largest[(size_t)pattern->row[e] * t->orders + order];
        double size = fabs(value[e]) * nominal;
        if (isfinite(size)) *largest = fmax(*largest, size);
    }
}

/* Ignore terms of values (order 0) that are far below the other terms of their row. Such a term may
 * have a factor that is almost 0 at this instant. */
static void drop_weak(arena *a, const sym_system *system, const prolongation *p,
                      const sparse_pattern *pattern, const double *value, const terms *t)
{
    const terms all = {.orders = 1, .largest = arena_array(a, pattern->rows, sizeof(double))};
    for (size_t j = 0; j < p->n; j++)
        gather_column(pattern, value, p->first[j], system->unknown.item[p->unknown[j]].nominal, 0,
                      &all);
    for (size_t i = 0; i < pattern->rows; i++) {
        double *own = &t->largest[i * t->orders];
        if (*own < TIME_UNIT_WEAK * all.largest[i]) *own = 0;
    }
    arena_return(a, all.largest, pattern->rows, sizeof *all.largest);
}

/* Gather terms of differentiated variables only. The sizes of others do not determine a rate. */
static terms gather(arena *a, const sym_system *system, const prolongation *p,
                    const sparse_pattern *pattern, const double *value)
{
    terms t = {.orders = 1};
    for (size_t j = 0; j < p->n; j++)
        if (p->d[j] + (size_t)1 > t.orders) t.orders = p->d[j] + (size_t)1;
    t.largest = arena_array(a, pattern->rows * t.orders, sizeof *t.largest);
    for (size_t j = 0; j < p->n; j++) {
        double nominal = system->unknown.item[p->unknown[j]].nominal;
        for (uint32_t k = 0; p->d[j] > 0 && k <= p->d[j]; k++)
            gather_column(pattern, value, p->first[j] + k, nominal, k, &t);
    }
    drop_weak(a, system, p, pattern, value, &t);
    return t;
}

/* The decades that a row determines, at `decades`; returns how many they are. */
static size_t find_decades(const terms *t, size_t row, double *decades)
{
    const double *largest = t->largest + row * t->orders;
    size_t count = 0;
    for (size_t k = 1, below = 0; k < t->orders; k++) {
        if (largest[k] > 0 && largest[below] > 0)
            decades[count++] = log10(largest[k] / largest[below]) / (double)(k - below);
        if (largest[k] > 0) below = k;
    }
    return count;
}

double prolonged_time_unit_find(arena *a, const sym_system *system, const prolongation *p,
                                const sparse_pattern *pattern, const double *value,
                                double *of_unknown)
{
    terms t = gather(a, system, p, pattern, value);
    size_t rows = pattern->rows, all = 0, *first;
    size_t *row_part = arena_array(a, rows, sizeof *row_part),
           *column_part = arena_array(a, pattern->columns, sizeof *column_part);
    double *decades = arena_array(a, rows * t.orders, sizeof *decades);
    size_t parts = sparse_parts(a, pattern, row_part, column_part);
    const size_t *row = sparse_members(a, parts, rows, row_part, &first);
    double *unit = arena_array(a, parts, sizeof *unit);
    for (size_t k = 0; k < parts; k++) {
        size_t count = 0;
        for (size_t i = first[k]; i < first[k + 1]; i++)
            count += find_decades(&t, row[i], decades + all + count);
        unit[k] = time_unit_of(decades + all, count);
        all += count;
    }
    for (size_t j = 0; j < p->n; j++) {
        size_t part = column_part[p->first[j]];
        of_unknown[j] = part == SPARSE_NO_PART ? 1 : unit[part];
    }
    double whole = time_unit_of(decades, all);
    arena_return(a, unit, parts, sizeof *unit);
    arena_return(a, row, rows, sizeof *row);
    arena_return(a, first, parts + 3, sizeof *first);
    arena_return(a, decades, rows * t.orders, sizeof *decades);
    arena_return(a, column_part, pattern->columns, sizeof *column_part);
    arena_return(a, row_part, rows, sizeof *row_part);
    arena_return(a, t.largest, rows * t.orders, sizeof *t.largest);
    return whole;
}

static uint32_t order_in_its_name(const prolonged_names *names, uint32_t id, uint32_t order)
{
    uint32_t named = id, left = order;
    prolonged_called(names, &named, &left);
    return names->system->unknown.item[named].sized ? left : order;
}

static void scale_column(const prolongation *p, const prolonged_names *names, size_t j, double unit,
                         double *size)
{
    for (uint32_t k = 1; k <= p->d[j]; k++)
        size[p->first[j] + k] /= pow(unit, order_in_its_name(names, p->unknown[j], k));
}

void prolonged_time_unit_scale(const prolongation *p, const prolonged_names *names, double unit,
                               double *size)
{
    for (size_t j = 0; j < p->n; j++) scale_column(p, names, j, unit, size);
}

void prolonged_time_unit_scale_each(const prolongation *p, const prolonged_names *names,
                                    const double *unit, double *size)
{
    for (size_t j = 0; j < p->n; j++) scale_column(p, names, j, unit[j], size);
}

void prolonged_time_unit_scale_jacobian(const prolonged_orders *o, double unit,
                                        const sparse_pattern *pattern, const double *values,
                                        double *scaled)
{
    for (size_t j = 0; j < pattern->columns; j++) {
        for (sparse_index e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            int difference = (int)o->column[j] - (int)o->row[pattern->row[e]];
            scaled[e] = values[e] / pow(unit, difference);
        }
    }
}
