#include "initial/contradiction.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Search for the start values that would help most if no start was found. */

enum { FARTHEST = 4 }; /* rows away; farther entries hardly affect the violated rows */

typedef struct search {
    const start_system *s;
    double *moved, *value, *moved_value; /* size; nonzeros twice */
    bool *row, *column;                  /* whether it has been reached */
} search;

static bool begin(search *w, const start_system *s)
{
    size_t nonzeros = s->pattern->nonzeros;
    w->s = s;
    w->value = malloc((2 * nonzeros + s->size + 1) * sizeof *w->value);
    w->row = calloc(s->pattern->rows + s->size + 1, sizeof *w->row);
    if (!w->value || !w->row) return false;
    w->moved_value = w->value + nonzeros;
    w->moved = w->moved_value + nonzeros;
    w->column = w->row + s->pattern->rows;
    return true;
}

/* Evaluate the Jacobian at z and at another point. Where both differ, rows are not linear. */
static bool look(search *w, const reduced_start *r)
{
    const start_system *s = w->s;
    for (size_t j = 0; j < s->size; j++)
        w->moved[j] = s->fixed[j] ? r->z[j] : r->z[j] + 0.4 * fmax(s->nominal[j], fabs(r->z[j]));
    return start_system_jacobian(s, r->t, r->z, w->value) == DAE_OK &&
           start_system_jacobian(s, r->t, w->moved, w->moved_value) == DAE_OK;
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

/* Reach the columns of all reached rows. Those whose guesses are wanted go into `entry`; returns
 * their number. */
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
    free(w.value);
    free(w.row);
    return found;
}

static const size_t NOBODY = (size_t)-1;

/* Matching of columns to rows by augmenting paths. */
typedef struct matching {
    const sparse_pattern *pattern;
    size_t rows;                          /* only the first `rows` rows count */
    size_t *column_of, *came_from, *seen; /* of each row */
    size_t *row_of, *queue;               /* of each column */
} matching;

static void turn_path_over(matching *m, size_t row)
{
    while (row != NOBODY) {
        size_t column = m->came_from[row], next = m->row_of[column];
        m->column_of[row] = column;
        m->row_of[column] = row;
        row = next;
    }
}

static bool match_column(matching *m, size_t column)
{
    const sparse_pattern *p = m->pattern;
    size_t first = 0, last = 0;
    m->queue[last++] = column;
    while (first < last) {
        size_t from = m->queue[first++];
        for (sparse_index k = p->start[from]; k < p->start[from + 1]; k++) {
            size_t row = (size_t)p->row[k];
            if (row >= m->rows || m->seen[row] == column) continue;
            m->seen[row] = column;
            m->came_from[row] = from;
            if (m->column_of[row] == NOBODY) {
                turn_path_over(m, row);
                return true;
            }
            m->queue[last++] = m->column_of[row];
        }
    }
    return false;
}

/* The largest number of the first rows that can be matched to columns, `without` some columns. */
static dae_status structural_rank(const sparse_pattern *p, size_t first, const bool *without,
                                  size_t *rank)
{
    size_t rows = p->rows, columns = p->columns;
    size_t *room = malloc((3 * rows + 2 * columns + 1) * sizeof *room);
    if (!room) return DAE_NO_MEMORY;
    matching m = {.pattern = p,
                  .rows = first,
                  .column_of = room,
                  .came_from = room + rows,
                  .seen = room + 2 * rows,
                  .row_of = room + 3 * rows,
                  .queue = room + 3 * rows + columns};
    for (size_t k = 0; k < 3 * rows + columns; k++) room[k] = NOBODY;
    *rank = 0;
    for (size_t j = 0; j < columns; j++)
        if (!without[j] && match_column(&m, j)) ++*rank;
    free(room);
    return DAE_OK;
}

/* Where entries of the Jacobian are the same at two points, and which rows are left to look at. */
typedef struct linearity {
    const reduced_start *r;
    bool *constant; /* nonzeros */
    bool *aside;    /* rows: taken aside */
} linearity;

/* The entry of a column in the only row that it has left; the number of entries if there is none,
 * or several. */
static size_t only_entry(const linearity *l, size_t column)
{
    const sparse_pattern *p = l->r->system.pattern;
    size_t found = p->nonzeros, count = 0;
    for (size_t k = (size_t)p->start[column]; k < (size_t)p->start[column + 1]; k++) {
        bool none = l->constant[k] && l->r->solver->value[k] == 0;
        if (!none && !l->aside[p->row[k]]) found = k, count++;
    }
    return count == 1 ? found : p->nonzeros;
}

/* Takes rows aside that say what a value is on which nothing depends, as an integral of power; then
 * those on which only these depend. Such a row is met whatever the other unknowns are: by a value
 * without a guess that occurs in no other row, and of which it is a constant multiple. */
static void take_aside(linearity *l)
{
    enum { MOST_ROUNDS = 20 };
    const reduced_start *r = l->r;
    const sparse_pattern *p = r->system.pattern;
    bool more = true;
    for (int round = 0; round < MOST_ROUNDS && more; round++) {
        more = false;
        for (size_t j = 0; j < p->columns; j++) {
            size_t k = r->s->given[r->entry[j]] ? p->nonzeros : only_entry(l, j);
            if (k < p->nonzeros && l->constant[k]) l->aside[p->row[k]] = more = true;
        }
    }
}

/* Whether the rows miss something only where they are linear. */
static bool is_missed_apart(reduced_start *r, const bool *aside)
{
    double apart = 0, others = 0;
    if (isnan(reduced_start_violation(r))) return false;
    for (size_t i = 0; i < r->system.rows; i++) {
        double *most = aside[i] ? &others : &apart;
        *most = fmax(*most, r->violation[i]);
    }
    return others <= INITIAL_TOLERANCE && apart > INITIAL_TOLERANCE;
}

static dae_status find_constant(reduced_start *r, bool *constant, bool *found)
{
    static const double DISTANCE = 0.3;
    const nonlinear_system *system = &r->system;
    size_t nonzeros = system->pattern->nonzeros, columns = system->columns;
    double *there = malloc((nonzeros + columns + 1) * sizeof *there),
           *x = there ? there + nonzeros : NULL;
    if (!there) return DAE_NO_MEMORY;
    for (size_t j = 0; j < columns; j++)
        x[j] = r->x[j] + DISTANCE * scattered(j) * fmax(fabs(r->x[j]), r->nominal[j]);
    *found = system->jacobian(system->self, x, there) == DAE_OK &&
             system->jacobian(system->self, r->x, r->solver->value) == DAE_OK;
    for (size_t k = 0; k < nonzeros && *found; k++)
        constant[k] = fabs(there[k] - r->solver->value[k]) <= ROUND_OFF_AMPLIFIED * fabs(there[k]);
    free(there);
    return DAE_OK;
}

static bool are_linear(const linearity *l)
{
    const sparse_pattern *p = l->r->system.pattern;
    for (size_t k = 0; k < p->nonzeros; k++)
        if (!l->aside[p->row[k]] && !l->constant[k]) return false;
    return true;
}

/* Which rows are looked at: all; those that are not taken aside; and whether these alone miss
 * anything. */
typedef enum looked_at { OF_ALL, OF_THE_REST, MISSED_BY_THE_REST } looked_at;

typedef struct proof {
    reduced_start *r;
    looked_at at;
    bool *holds;
    arena memory;
} proof;

static void prove(void *self)
{
    proof *f = self;
    const sparse_pattern *p = f->r->system.pattern;
    arena *a = &f->memory;
    linearity l = {.r = f->r,
                   .constant = arena_array(a, p->nonzeros, sizeof *l.constant),
                   .aside = arena_array(a, p->rows, sizeof *l.aside)};
    if (find_constant(f->r, l.constant, f->holds) != DAE_OK) arena_fail(a);
    if (!*f->holds) return;
    if (f->at != OF_ALL) take_aside(&l);
    *f->holds = are_linear(&l) && (f->at != MISSED_BY_THE_REST || is_missed_apart(f->r, l.aside));
}

static dae_status is_linear(reduced_start *r, looked_at at, bool *holds)
{
    proof f = {.r = r, .at = at, .holds = holds};
    *holds = false;
    dae_status status = arena_protect(&f.memory, prove, &f);
    arena_free(&f.memory);
    return status;
}

dae_status initial_is_linear(reduced_start *r, bool *linear)
{
    return is_linear(r, OF_ALL, linear);
}

dae_status initial_rest_is_linear(reduced_start *r, bool *linear)
{
    return is_linear(r, OF_THE_REST, linear);
}

dae_status initial_misses_linear(reduced_start *r, bool *misses)
{
    return is_linear(r, MISSED_BY_THE_REST, misses);
}

dae_status initial_is_proved(reduced_start *r, bool *proved)
{
    const start_system *s = r->s;
    size_t rank = 0, own = 0;
    bool *none = calloc(s->size + 1, sizeof *none);
    dae_status status = none ? structural_rank(s->pattern, s->rows, s->fixed, &rank)
                             : DAE_NO_MEMORY;
    if (status == DAE_OK) status = structural_rank(s->pattern, s->equations, none, &own);
    free(none);
    *proved = rank < own + s->rows - s->equations;
    if (status == DAE_OK && !*proved) status = initial_is_linear(r, proved);
    return status == DAE_OK && !*proved ? initial_misses_linear(r, proved) : status;
}
