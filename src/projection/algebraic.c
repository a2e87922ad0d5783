#include "projection/algebraic.h"

#include <math.h>
#include <string.h>

/* The factor by which 1/alpha is shorter than a step. */
static const double SHORTER = 10;

enum { SLOTS = 2 }; /* the second one is for what is begun beside */

/* What each way has for itself. */
static void take_room(void *self)
{
    algebraic_way *w = self;
    arena *a = &w->memory;
    w->mass_value = arena_array(a, w->mass->nonzeros, sizeof(double));
    w->jacobian_value = arena_array(a, w->jacobian->nonzeros, sizeof(double));
    arena_vectors(a, w->level->pairs,
                  (double **const[]){&w->step, &w->moved, &w->moved_twice, NULL});
}

static void build(void *self)
{
    algebraic_way *w = self;
    arena *a = &w->memory;
    const constraint_level *level = w->level;
    size_t n = level->pairs, row = level->rows;
    size_t most = level->pattern->nonzeros + n;
    sparse_entries mass = sparse_entries_take(a, most), jacobian = sparse_entries_take(a, most);
    for (size_t j = 0; j < n; j++) {
        const level_pair *pair = &level->pair[j];
        sparse_entries_add_column(&jacobian, level->pattern, pair->value, j);
        if (pair->chained) {
            sparse_entries_add_from(&mass, row, j, SPARSE_NOWHERE);
            sparse_entries_add_from(&jacobian, row++, j + 1, SPARSE_NOWHERE);
        } else if (pair->derivative != PAIR_NOWHERE) {
            sparse_entries_add_column(&mass, level->pattern, pair->derivative, j);
        }
    }
    w->mass = sparse_entries_build_from(a, &mass, n, n, &w->mass_from);
    w->jacobian = sparse_entries_build_from(a, &jacobian, n, n, &w->jacobian_from);
    take_room(w);
    w->k = pencil_create(a, (pencil_matrix){.pattern = w->mass},
                         (pencil_matrix){.pattern = w->jacobian});
}

dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level)
{
    *w = (algebraic_way){.level = level};
    dae_status status = arena_protect(&w->memory, build, w);
    return status == DAE_OK ? pencil_reserve(w->k, SLOTS, (const bool[SLOTS]){false}) : status;
}

dae_status algebraic_way_begin_beside(algebraic_way *w, const algebraic_way *first)
{
    *w = *first;
    w->memory = (arena){0};
    w->slot = 1;
    return arena_protect(&w->memory, take_room, w);
}

static void take_values(const sparse_pattern *p, const uint32_t *from, const double *value,
                        double nowhere, double *taken)
{
    for (size_t k = 0; k < p->nonzeros; k++)
        taken[k] = from[k] == SPARSE_NOWHERE ? nowhere : value[from[k]];
}

dae_status algebraic_way_factor(algebraic_way *w, const double *value, double h)
{
    w->alpha = SHORTER / h;
    take_values(w->mass, w->mass_from, value, 1, w->mass_value);
    take_values(w->jacobian, w->jacobian_from, value, -1, w->jacobian_value);
    return pencil_factor(w->k, w->slot, w->alpha, w->mass_value, 1, w->jacobian_value, NULL);
}

/* moved (pairs) = P x */
static void project(algebraic_way *w, const double *x, double *moved)
{
    sparse_multiply(w->mass, w->mass_value, x, moved);
    for (size_t j = 0; j < w->level->pairs; j++) moved[j] *= w->alpha;
    pencil_solve(w->k, w->slot, moved);
}

void algebraic_way_correct(algebraic_way *w, const double *residual, double *change)
{
    const constraint_level *level = w->level;
    size_t n = level->pairs;
    double *x = w->step, *moved = w->moved, *twice = w->moved_twice;
    memset(x, 0, n * sizeof *x);
    for (size_t i = 0; i < level->rows; i++) x[i] = -residual[i];
    pencil_solve(w->k, w->slot, x);
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

void algebraic_way_forget(algebraic_way *w)
{
    pencil_forget(w->k, w->slot);
}

void algebraic_way_clear(algebraic_way *w)
{
    if (w->slot == 0) pencil_free(w->k);
    arena_free(&w->memory);
    *w = (algebraic_way){0};
}
