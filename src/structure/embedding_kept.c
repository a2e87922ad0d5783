#include "structure/embedding_kept.h"

#include "base/scatter.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "structure/structure.h"

#include <math.h>
#include <string.h>

/* How far what is kept is moved, in sizes; and the part of what all variables do to a row by which
 * it is missed then. Consistent values meet rows much better. */
static const double MOVED = 0.1, MISSED = 1e-6;

/* A correction up to this many sizes is the last one. */
static const double LITTLE = 1e-10;

enum { PROBES = 3, MOST_CORRECTIONS = 20 };

typedef struct copies {
    const embedding_copies *c;
    size_t n; /* that are replaced */
    sym_tape *rows, *entries;
    size_t *at;   /* entries: where they are in the matrix; n x n */
    size_t count; /* of entries */
    int *pivot;
    double *input, *row, *entry, *matrix, *change; /* matrix: by rows */
} copies;

static size_t input_of(const embedding_copies *c, uint32_t column)
{
    return 1 + c->p->first[column] + c->p->d[column] - c->level;
}

static double size_at(const embedding_copies *c, uint32_t column, uint32_t order)
{
    double nominal = c->system->unknown.item[c->p->unknown[column]].nominal;
    return fmax(fabs(c->z[c->p->first[column] + order]), nominal / pow(c->time_unit, order));
}

static void go_to_solution(const copies *k)
{
    k->input[0] = k->c->t;
    memcpy(k->input + 1, k->c->z, k->c->p->size * sizeof *k->input);
}

/* The entries of the system Jacobian are those of its rows differentiated less often, too
 * (Griewank's lemma, prolonged_levels.h). */
static void find_entries(copies *k, arena *a)
{
    const embedding_copies *c = k->c;
    const prolongation *p = c->p;
    const sym_entries *all = structure_system_entries(p);
    uint32_t *row = arena_array(a, 2 * p->n, sizeof *row), *column = row + p->n;
    sym *value = arena_array(a, all->count + 1, sizeof *value);
    k->at = arena_array(a, all->count + 1, sizeof *k->at);
    for (uint32_t i = 0; i < k->n; i++) row[c->row[i]] = column[c->replaced[i]] = i + 1;
    for (size_t e = 0; e < all->count; e++) {
        uint32_t i = row[all->item[e].row], j = column[all->item[e].column];
        if (i == 0 || j == 0) continue;
        value[k->count] = all->item[e].value;
        k->at[k->count++] = (i - 1) * k->n + j - 1;
    }
    k->entries = prolongation_tape(a, p, k->count, value);
    k->entry = arena_array(a, k->count + 1, sizeof *k->entry);
}

/* k->change by the first rows. */
static bool eliminate(const copies *k)
{
    const int n = (int)k->n, one = 1;
    int info;
    dgetrf_(&n, &n, k->matrix, &n, k->pivot, &info);
    if (info == 0) dgetrs_("T", &n, &one, k->matrix, &n, k->pivot, k->change, &n, &info, 1);
    return info == 0 && vector_is_finite(k->n, k->change);
}

/* Newton's iteration for what is replaced. */
static bool solve(const copies *k)
{
    const embedding_copies *c = k->c;
    for (int step = 0; step < MOST_CORRECTIONS; step++) {
        double most = 0;
        sym_tape_eval(k->rows, k->input, k->row);
        sym_tape_eval(k->entries, k->input, k->entry);
        memset(k->matrix, 0, k->n * k->n * sizeof *k->matrix);
        for (size_t e = 0; e < k->count; e++) k->matrix[k->at[e]] += k->entry[e];
        memcpy(k->change, k->row, k->n * sizeof *k->change);
        if (k->n > 0 && !eliminate(k)) return false;
        for (size_t j = 0; j < k->n; j++) {
            uint32_t column = c->replaced[j];
            k->input[input_of(c, column)] -= k->change[j];
            most = fmax(most, fabs(k->change[j]) / size_at(c, column, c->p->d[column] - c->level));
        }
        if (most <= LITTLE) {
            sym_tape_eval(k->rows, k->input, k->row);
            return true;
        }
    }
    return false;
}

/* What all variables do to the last row if they change by their sizes. */
static double size_of_last(const copies *k)
{
    static const double ASIDE = 1e-4;
    const prolongation *p = k->c->p;
    double most = 0, here;
    go_to_solution(k);
    sym_tape_eval(k->rows, k->input, k->row);
    here = k->row[k->n];
    for (size_t probe = 0; probe < PROBES; probe++) {
        for (uint32_t j = 0; j < p->n; j++)
            for (uint32_t d = 0; d <= p->d[j]; d++) {
                size_t at = p->first[j] + d;
                k->input[1 + at] = k->c->z[at] +
                                   ASIDE * scattered(probe * p->size + at) * size_at(k->c, j, d);
            }
        sym_tape_eval(k->rows, k->input, k->row);
        double change = fabs(k->row[k->n] - here) / ASIDE;
        if (isfinite(change)) most = fmax(most, change);
    }
    return most;
}

bool embedding_copies_hold(arena *a, const embedding_copies *c)
{
    const prolongation *p = c->p;
    copies k = {.c = c, .n = c->rows - 1};
    sym *f = arena_array(a, c->rows, sizeof *f);
    for (size_t i = 0; i < c->rows; i++)
        f[i] = p->row[p->first_row[c->row[i]] + p->c[c->row[i]] - c->level];
    k.rows = prolongation_tape(a, p, c->rows, f);
    find_entries(&k, a);
    k.input = arena_array(a, prolongation_inputs(p), sizeof *k.input);
    arena_vectors(a, c->rows, (double **const[]){&k.row, &k.change, NULL});
    k.matrix = arena_array(a, k.n * k.n + 1, sizeof *k.matrix);
    k.pivot = arena_array(a, k.n + 1, sizeof *k.pivot);
    double size = size_of_last(&k);
    for (size_t probe = 0; probe < PROBES; probe++) {
        go_to_solution(&k);
        for (size_t j = 0; j < c->keeps; j++) {
            double part = scattered(probe * c->keeps + j);
            k.input[input_of(c, c->kept[j])] += MOVED * copysign(0.5 + 0.5 * fabs(part), part) *
                                                size_at(c, c->kept[j], p->d[c->kept[j]] - c->level);
        }
        if (solve(&k) && fabs(k.row[k.n]) > MISSED * size) return false;
    }
    return true;
}
