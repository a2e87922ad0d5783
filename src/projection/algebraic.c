#include "projection/algebraic.h"

#include <math.h>
#include <string.h>

static const size_t NOWHERE = (size_t)-1;

/* The factor by which 1/alpha is shorter than a step. */
static const double SHORTER = 10;

/* The entries of a matrix under construction. */
typedef struct entries {
    size_t count, *row, *column, *from;
} entries;

static entries begin_entries(arena *a, const algebraic_way *w)
{
    size_t most = w->level->pattern->nonzeros + w->level->pairs;
    return (entries){.row = arena_array(a, most, sizeof(size_t)),
                     .column = arena_array(a, most, sizeof(size_t)),
                     .from = arena_array(a, most, sizeof(size_t))};
}

static void add(entries *e, size_t row, size_t column, size_t from)
{
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->from[e->count++] = from;
}

static void add_column(entries *e, const sparse_pattern *whole, size_t from, size_t to)
{
    for (sparse_index k = whole->start[from]; k < whole->start[from + 1]; k++)
        add(e, (size_t)whole->row[k], to, (size_t)k);
}

static sparse_pattern *end_entries(arena *a, const entries *e, size_t n, size_t **from)
{
    size_t *where = arena_array(a, e->count, sizeof *where);
    sparse_pattern *p = sparse_build(a, n, n, e->count, e->row, e->column, where);
    *from = arena_array(a, e->count, sizeof **from);
    for (size_t k = 0; k < e->count; k++) (*from)[where[k]] = e->from[k];
    return p;
}

static void build(void *self)
{
    algebraic_way *w = self;
    arena *a = &w->memory;
    const constraint_level *level = w->level;
    size_t n = level->pairs, row = level->rows;
    entries mass = begin_entries(a, w), jacobian = begin_entries(a, w);
    for (size_t j = 0; j < n; j++) {
        const level_pair *pair = &level->pair[j];
        add_column(&jacobian, level->pattern, pair->value, j);
        if (pair->chained) {
            add(&mass, row, j, NOWHERE);
            add(&jacobian, row++, j + 1, NOWHERE);
        } else if (pair->derivative != PAIR_NOWHERE) {
            add_column(&mass, level->pattern, pair->derivative, j);
        }
    }
    w->mass = end_entries(a, &mass, n, &w->mass_from);
    w->jacobian = end_entries(a, &jacobian, n, &w->jacobian_from);
    w->mass_value = arena_array(a, mass.count, sizeof(double));
    w->jacobian_value = arena_array(a, jacobian.count, sizeof(double));
    w->step = arena_array(a, n, sizeof(double));
    w->moved = arena_array(a, n, sizeof(double));
    w->moved_twice = arena_array(a, n, sizeof(double));
    w->k = pencil_create(a, (pencil_matrix){.pattern = w->mass},
                         (pencil_matrix){.pattern = w->jacobian});
}

dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level)
{
    *w = (algebraic_way){.level = level};
    dae_status status = arena_protect(&w->memory, build, w);
    return status == DAE_OK ? pencil_reserve(w->k, 1, (const bool[]){false}) : status;
}

static void take_values(const sparse_pattern *p, const size_t *from, const double *value,
                        double nowhere, double *taken)
{
    for (size_t k = 0; k < p->nonzeros; k++)
        taken[k] = from[k] == NOWHERE ? nowhere : value[from[k]];
}

dae_status algebraic_way_factor(algebraic_way *w, const double *value, double h)
{
    w->alpha = SHORTER / h;
    take_values(w->mass, w->mass_from, value, 1, w->mass_value);
    take_values(w->jacobian, w->jacobian_from, value, -1, w->jacobian_value);
    return pencil_factor(w->k, 0, w->alpha, w->mass_value, 1, w->jacobian_value, NULL);
}

/* moved (pairs) = P x */
static void project(algebraic_way *w, const double *x, double *moved)
{
    sparse_multiply(w->mass, w->mass_value, x, moved);
    for (size_t j = 0; j < w->level->pairs; j++) moved[j] *= w->alpha;
    pencil_solve(w->k, 0, moved);
}

void algebraic_way_correct(algebraic_way *w, const double *residual, double *change)
{
    const constraint_level *level = w->level;
    size_t n = level->pairs;
    double *x = w->step, *moved = w->moved, *twice = w->moved_twice;
    memset(x, 0, n * sizeof *x);
    for (size_t i = 0; i < level->rows; i++) x[i] = -residual[i];
    pencil_solve(w->k, 0, x);
    project(w, x, moved);
    for (size_t j = 0; j < n; j++) x[j] -= moved[j];
    project(w, x, twice);
    memset(change, 0, level->columns * sizeof *change);
    for (size_t j = 0; j < n; j++) {
        const level_pair *pair = &level->pair[j];
        change[pair->value] = x[j] + 2 * twice[j];
        if (pair->derivative != PAIR_NOWHERE && !pair->chained)
            change[pair->derivative] = w->alpha * (moved[j] + 2 * twice[j]);
    }
}

void algebraic_way_clear(algebraic_way *w)
{
    pencil_free(w->k);
    arena_free(&w->memory);
    *w = (algebraic_way){0};
}
