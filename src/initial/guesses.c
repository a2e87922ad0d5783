/* A solution that was found is moved nearer to the guesses, and entries that only round-off has
 * changed go back to theirs. */
#include "initial/search.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

/* Whether a change may be round-off: it is as small as round-off of a value of nominal size. */
static bool is_small_change(const reduced_start *r, size_t column)
{
    static const double DUST = 1e-9;
    double size = fmax(fabs(r->guess[column]), r->nominal[column]);
    return fabs(r->x[column] - r->guess[column]) < DUST * size;
}

/* Mark in r->dust small changes, without those that equations require, such as one to 1e-24 kg m/s
 * by p = m v. A change is required if, in one of its rows, it exceeds the round-off of the terms of
 * entries with larger changes. */
static void find_dust(reduced_start *r)
{
    const start_system *s = r->s;
    const sparse_pattern *p = s->pattern;
    double *others = r->row_all;
    for (size_t c = 0; c < r->system.columns; c++) r->dust[r->entry[c]] = is_small_change(r, c);
    if (start_system_jacobian(s, r->t, r->z, r->value_all) != DAE_OK) return;
    memset(others, 0, p->rows * sizeof *others);
    for (size_t j = 0; j < s->size; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1] && !r->dust[j]; k++)
            others[p->row[k]] += fabs(r->value_all[k] * r->z[j]);
    for (size_t c = 0; c < r->system.columns; c++) {
        size_t j = r->entry[c];
        double change = fabs(r->x[c] - r->guess[c]);
        for (sparse_index k = p->start[j]; k < p->start[j + 1] && r->dust[j]; k++)
            r->dust[j] = (size_t)p->row[k] >= s->rows ||
                         !(fabs(r->value_all[k]) * change >
                               ROUND_OFF_ITERATED * others[p->row[k]] &&
                           others[p->row[k]] > 0);
    }
}

/* Whether any of them is not at its guess. */
static bool has_dust(reduced_start *r)
{
    find_dust(r);
    for (size_t c = 0; c < r->system.columns; c++)
        if (r->dust[r->entry[c]] && r->x[c] != r->guess[c]) return true;
    return false;
}

/* Move entries that only round-off has changed back to their guesses, unless the other entries
 * alone cannot meet the equations as well. */
static void drop_dust(reduced_start *r)
{
    static const double HELD = 1e-30;
    enum { FEW_ITERATIONS = 20 };
    size_t columns = r->system.columns;
    if (!has_dust(r)) return;
    double allowed = fmax(2 * reduced_start_violation(r), ROUND_OFF_SOLVED);
    memcpy(r->saved_x, r->x, columns * sizeof *r->x);
    memcpy(r->saved_weight, r->weight, columns * sizeof *r->weight);
    for (size_t j = 0; j < columns; j++) {
        if (!r->dust[r->entry[j]]) continue;
        r->z[r->entry[j]] = r->guess[j];
        r->weight[j] = HELD * r->nominal[j];
    }
    if (!(reduced_start_violation(r) <= allowed)) {
        bool good = reduced_start_solve(r, FEW_ITERATIONS) == DAE_OK &&
                    reduced_start_violation(r) <= allowed;
        for (size_t j = 0; j < columns; j++) r->z[r->entry[j]] = good ? r->x[j] : r->saved_x[j];
    }
    for (size_t j = 0; j < columns; j++) r->x[j] = r->z[r->entry[j]];
    memcpy(r->weight, r->saved_weight, columns * sizeof *r->weight);
}

bool start_come_to_guesses(reduced_start *r)
{
    static const double MORE = 10;
    bool free = min_norm_rank(r->solver->linear) < r->system.columns, nearest = true;
    if (!free && !has_dust(r)) return true;
    double before = terms_missed(r);
    memcpy(r->saved_z, r->z, r->s->size * sizeof *r->z);
    if (free) nearest = reduced_start_keep_guesses(r);
    drop_dust(r);
    if (terms_missed(r) <= MORE * before) return nearest;
    reduced_start_go_to(r, r->saved_z);
    return false;
}
