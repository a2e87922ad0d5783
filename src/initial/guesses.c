#include "initial/guesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 4 }; /* rows away: what is farther has little to do with what is missed */

typedef struct search {
    const start_system *s;
    double *moved, *value, *moved_value; /* size; nonzeros twice */
    bool *row, *column;                  /* have been reached */
} search;

static void end(search *w)
{
    free(w->moved);
    free(w->value);
    free(w->moved_value);
    free(w->row);
    free(w->column);
}

static bool begin(search *w, const start_system *s)
{
    size_t nonzeros = s->pattern->nonzeros;
    w->s = s;
    w->moved = malloc((s->size + 1) * sizeof *w->moved);
    w->value = malloc((nonzeros + 1) * sizeof *w->value);
    w->moved_value = malloc((nonzeros + 1) * sizeof *w->moved_value);
    w->row = calloc(s->pattern->rows + 1, sizeof *w->row);
    w->column = calloc(s->size + 1, sizeof *w->column);
    return w->moved && w->value && w->moved_value && w->row && w->column;
}

/* The Jacobian at z and away from it: where it differs, rows are not linear. */
static bool look(search *w, const reduced_start *r)
{
    const start_system *s = w->s;
    for (size_t j = 0; j < s->size; j++)
        w->moved[j] = s->fixed[j] ? r->z[j] : r->z[j] + 0.4 * fmax(s->nominal[j], fabs(r->z[j]));
    return s->form->jacobian(s->self, r->t, r->z, w->value) == DAE_OK &&
           s->form->jacobian(s->self, r->t, w->moved, w->moved_value) == DAE_OK;
}

static bool is_wanted(const search *w, size_t j)
{
    const start_system *s = w->s;
    if (!s->variable[j] || s->given[j] || s->fixed[j]) return false;
    for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
        double a = w->value[k], b = w->moved_value[k];
        if (!(fabs(a - b) <= 1e-3 * fmax(fabs(a), fabs(b)))) return true; /* or not finite */
    }
    return false;
}

/* Reach the columns of the rows that are reached; how many are wanted, into `entry`. */
static size_t reach_columns(search *w, size_t *entry, size_t most)
{
    const start_system *s = w->s;
    size_t found = 0;
    for (size_t j = 0; j < s->size; j++) {
        bool met = false;
        for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            met = met || w->row[s->pattern->row[k]];
        if (!met || w->column[j] || s->fixed[j]) continue;
        w->column[j] = true;
        if (found < most && is_wanted(w, j)) entry[found++] = j;
    }
    return found;
}

static void reach_rows(search *w)
{
    const start_system *s = w->s;
    for (size_t j = 0; j < s->size; j++)
        for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            if (w->column[j]) w->row[s->pattern->row[k]] = true;
}

size_t initial_guesses_wanted(const reduced_start *r, const size_t *row, size_t rows, size_t *entry,
                              size_t most)
{
    search w = {0};
    size_t found = 0;
    bool holds = begin(&w, r->s) && look(&w, r);
    for (size_t i = 0; i < rows && holds; i++) w.row[row[i]] = true;
    for (int k = 0; k < FARTHEST && holds && found == 0; k++) {
        found = reach_columns(&w, entry, most);
        reach_rows(&w);
    }
    end(&w);
    return found;
}
