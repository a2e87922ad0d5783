#include "problem/callbacks.h"

#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much more freely y' and algebraic variables change (at_once), and the accuracy of the
 * differences of hidden rows. */
static const double FOLLOWING_CHEAPER = 1e6, DIFFERENCE_ACCURACY = 1e-6;

struct callback_levels {
    constraint_levels levels;
    constraint_level level[2], merged;
    callbacks *c;
    callback_start *start; /* gives the derivatives of constraints */
    arena memory;
    size_t n;
    size_t *row;         /* level[0].rows: the equations that are constraints */
    size_t *start_row;   /* n: for each row of the last level, its row in the start's system */
    uint32_t *taken[2];  /* nonzeros of each level: place in dF/dy, or, counted after its nonzeros,
                           in  dF/dy' */
    double *found;       /* n: F */
    double *start_found; /* rows of the start's system */
    double *start_jacobian; /* its Jacobian, if that system is the only level; else NULL */
    bool at_once;
};

static dae_status levels_value(void *self, size_t level, double t, const double *z, double *value)
{
    callback_levels *l = self;
    const start_system *s = callback_start_system(l->start);
    dae_status status;
    if (l->at_once) return s->form->value(s->self, t, z, value);
    if (level == 0) {
        status = problem_residual(&l->c->problem, t, z, z + l->n, l->found);
        for (size_t i = 0; i < l->level[0].rows; i++) value[i] = l->found[l->row[i]];
        return status;
    }
    status = s->form->value(s->self, t, z, l->start_found);
    for (size_t i = 0; i < l->n; i++) value[i] = l->start_found[l->start_row[i]];
    return status;
}

static dae_status levels_linearize(void *self, double t, const double *z)
{
    callback_levels *l = self;
    const start_system *s = callback_start_system(l->start);
    return l->at_once ? s->form->jacobian(s->self, t, z, l->start_jacobian)
                      : problem_linearize(&l->c->problem, t, z, z + l->n);
}

static void levels_jacobian(void *self, size_t level, double *value)
{
    const callback_levels *l = self;
    size_t jacobians = l->c->jacobian_pattern->nonzeros;
    if (l->at_once) memcpy(value, l->start_jacobian, l->merged.pattern->nonzeros * sizeof *value);
    for (size_t k = 0; !l->at_once && k < l->level[level].pattern->nonzeros; k++) {
        size_t from = l->taken[level][k];
        value[k] = from < jacobians ? l->c->jacobian[from] : l->c->mass[from - jacobians];
    }
}

static void levels_name_row(void *self, size_t level, size_t row, text *t)
{
    const callback_levels *l = self;
    const start_system *s = callback_start_system(l->start);
    if (!l->at_once) row = level == 0 ? l->row[row] : l->start_row[row];
    s->form->name_row(s->self, row, t);
}

static const constraint_levels_form callback_levels_seam = {
    .value = levels_value,
    .linearize = levels_linearize,
    .jacobian = levels_jacobian,
    .name_row = levels_name_row,
};

/* Choose the constraints among the rows that the start differentiates, which are all rows without
 * derivatives. A row with algebraic variables is no constraint. */
static void choose_rows(callback_levels *l, bool *is_constraint)
{
    size_t hiddens, count = 0;
    const size_t *hidden = callback_start_hidden(l->start, &hiddens);
    for (size_t i = 0; i < l->n; i++) l->start_row[i] = i;
    for (size_t j = 0; j < l->n; j++) /* first used to mark the rows that are no constraints */
        if (!l->c->problem.dynamic[j]) callbacks_mark_rows(l->c, j, is_constraint);
    for (size_t h = 0; h < hiddens; h++) {
        if (is_constraint[hidden[h]]) continue;
        l->start_row[hidden[h]] = l->n + h;
        l->row[count++] = hidden[h];
    }
    memset(is_constraint, 0, l->n * sizeof *is_constraint);
    for (size_t i = 0; i < count; i++) is_constraint[l->row[i]] = true;
    l->level[0].rows = count;
}

/* List the entries of column j of a pattern, in the rows that are constraints or in the others. */
static void list_column(sparse_entries *e, const sparse_pattern *p, size_t j, size_t from,
                        const bool *is_constraint, bool constraints)
{
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        if (is_constraint[p->row[k]] == constraints)
            sparse_entries_add_from(e, (size_t)p->row[k], j, from + (size_t)k);
}

/* Level 0: g by the differential variables. Level 1: all equations, with the constraints
 * differentiated, by y' and the algebraic variables. */
static void build_patterns(callback_levels *l, const bool *is_constraint)
{
    const sparse_pattern *jacobian = l->c->jacobian_pattern, *mass = l->c->mass_pattern;
    arena *a = &l->memory;
    sparse_entries written = sparse_entries_take(a, jacobian->nonzeros);
    sparse_entries last = sparse_entries_take(a, jacobian->nonzeros + mass->nonzeros);
    for (size_t j = 0; j < l->n; j++) {
        bool dynamic = l->c->problem.dynamic[j];
        if (dynamic) list_column(&written, jacobian, j, 0, is_constraint, true);
        if (dynamic) list_column(&last, jacobian, j, 0, is_constraint, true);
        if (dynamic) list_column(&last, mass, j, jacobian->nonzeros, is_constraint, false);
        if (!dynamic) list_column(&last, jacobian, j, 0, is_constraint, false);
    }
    size_t *number = arena_array(a, l->n, sizeof *number), rows = l->level[0].rows;
    for (size_t i = 0; i < rows; i++) number[l->row[i]] = i;
    for (size_t k = 0; k < written.count; k++) written.row[k] = number[written.row[k]];
    l->level[0].pattern = sparse_entries_build_from(a, &written, rows, l->n, &l->taken[0]);
    l->level[1].pattern = sparse_entries_build_from(a, &last, l->n, l->n, &l->taken[1]);
}

/* Level 0 has a column for each unknown; the columns of algebraic ones are empty. */
static void describe(callback_levels *l)
{
    arena *a = &l->memory;
    size_t *own = arena_array(a, l->n, sizeof *own);
    size_t *highest = arena_array(a, l->n, sizeof *highest);
    for (size_t j = 0; j < l->n; j++) {
        own[j] = j;
        highest[j] = l->c->problem.dynamic[j] ? l->n + j : j;
    }
    l->level[0].columns = l->level[1].columns = l->level[1].rows = l->n;
    l->level[0].column = own;
    l->level[0].last_row = l->row;
    l->level[1].column = highest;
    l->level[0].last_column = l->level[1].last_row = l->level[1].last_column = own;
}

static void merge(callback_levels *l)
{
    arena *a = &l->memory;
    const start_system *s = callback_start_system(l->start);
    size_t *column = arena_array(a, s->size, sizeof *column);
    double *nominal = arena_array(a, s->size, sizeof *nominal);
    for (size_t j = 0; j < s->size; j++) {
        bool integrated = j < l->n && l->c->problem.dynamic[j];
        nominal[j] = s->nominal[j] * (integrated ? 1 : FOLLOWING_CHEAPER);
        column[j] = j;
    }
    l->start_jacobian = arena_array(a, s->pattern->nonzeros, sizeof *l->start_jacobian);
    l->merged = (constraint_level){
        .rows = s->rows, .columns = s->size, .column = column, .pattern = s->pattern};
    l->levels.count = 1;
    l->levels.level = &l->merged;
    l->levels.nominal = nominal;
    l->levels.accuracy = DIFFERENCE_ACCURACY;
}

static void make(void *argument)
{
    callback_levels *l = argument;
    arena *a = &l->memory;
    const start_system *s = callback_start_system(l->start);
    bool *is_constraint = arena_array(a, l->n, sizeof *is_constraint);
    l->row = arena_array(a, l->n, sizeof *l->row);
    l->start_row = arena_array(a, l->n, sizeof *l->start_row);
    l->found = arena_array(a, l->n, sizeof(double));
    l->start_found = arena_array(a, s->rows, sizeof(double));
    choose_rows(l, is_constraint);
    describe(l);
    build_patterns(l, is_constraint);
    l->levels = (constraint_levels){.form = &callback_levels_seam,
                                    .self = l,
                                    .size = 2 * l->n,
                                    .count = 2,
                                    .level = l->level,
                                    .nominal = s->nominal};
    if (l->at_once) merge(l);
}

dae_status callback_levels_create(callback_levels **created, callbacks *c, bool at_once)
{
    callback_levels *l = calloc(1, sizeof *l);
    if (!l) return DAE_NO_MEMORY;
    l->c = c;
    l->n = c->e->n;
    l->at_once = at_once;
    dae_status status = callback_start_create(&l->start, c, NULL, NULL);
    if (status == DAE_OK) status = arena_protect(&l->memory, make, l);
    if (status == DAE_OK)
        *created = l;
    else
        callback_levels_free(l);
    return status;
}

const constraint_levels *callback_levels_form(const callback_levels *l)
{
    return l->level[0].rows > 0 ? &l->levels : NULL;
}

void callback_levels_free(callback_levels *l)
{
    if (!l) return;
    callback_start_free(l->start);
    arena_free(&l->memory);
    free(l);
}
