#include "formulation/prolonged_levels.h"

#include "formulation/prolonged_time.h"
#include "linalg/rows.h"
#include "problem/levels.h"
#include "structure/signature.h"
#include "symbolic/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In an array level, derivatives that y does not hold may change more freely by this factor than
 * entries of y, because the array is there to determine them. */
static const double DERIVATIVES_CHEAPER = 1e6;

/* The equation of a row that belongs to none. */
static const size_t NO_ROW = (size_t)-1;

static void load(prolonged_levels *l, double t, const double *z)
{
    l->input[0] = t;
    memcpy(l->input + 1, z, l->levels.size * sizeof *z);
}

static dae_status levels_value(void *self, size_t level, double t, const double *z, double *c)
{
    prolonged_levels *l = self;
    load(l, t, z);
    sym_tape_eval(l->level[level].rows, l->input, c);
    return vector_is_finite(l->levels.level[level].rows, c) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* An entry by a lower derivative without a finite value becomes 0: the derivative is held. */
static void linearize_lower(prolonged_levels *l)
{
    if (!l->lower) return;
    double *jacobian_value = l->jacobian_value + l->jacobian->pattern->nonzeros;
    sym_matrix_eval(l->lower, l->input, jacobian_value);
    for (size_t k = 0; k < l->lower->pattern->nonzeros; k++)
        if (!isfinite(jacobian_value[k])) jacobian_value[k] = 0;
}

/* Whether the Jacobian has finite values. An array of undifferentiated equations has the rows of
 * the form, so missing entries are found by differences. */
static bool has_jacobian(prolonged_levels *l)
{
    const constraint_level *level = l->levels.level;
    const sparse_pattern *p = l->jacobian->pattern;
    const prolongation *o = l->f->p;
    if (l->levels.count == 1 && p->rows == o->n && p->columns == level->columns)
        return prolonged_beside_fill(l->f, l->input, p, level->column, l->jacobian_value);
    return vector_is_finite(p->nonzeros, l->jacobian_value);
}

static dae_status levels_linearize(void *self, double t, const double *z)
{
    prolonged_levels *l = self;
    load(l, t, z);
    sym_matrix_eval(l->jacobian, l->input, l->jacobian_value);
    if (!has_jacobian(l)) return DAE_NOT_EVALUABLE;
    linearize_lower(l);
    return DAE_OK;
}

static void levels_jacobian(void *self, size_t level, double *value)
{
    prolonged_levels *l = self;
    size_t nonzeros = l->levels.level[level].pattern->nonzeros;
    const uint32_t *taken = l->level[level].taken;
    for (size_t k = 0; k < nonzeros; k++) value[k] = l->jacobian_value[taken ? taken[k] : k];
}

static dae_status levels_balance(void *self, size_t b, double t, const double *z,
                                 jump_balance *found)
{
    return prolonged_jumps_balance(self, b, t, z, found);
}

static dae_status levels_fast_equations(void *self, const unsigned *forced, const bool *moves,
                                        const fast_equations **found)
{
    return prolonged_fast_equations(self, forced, moves, found);
}

static void levels_fast_rows(void *self, size_t power, double t, double s, const double *z,
                             const double *coefficient, double *row)
{
    prolonged_fast_rows(self, power, t, s, z, coefficient, row);
}

static void levels_name_row(void *self, size_t level, size_t row, text *t)
{
    prolonged_levels *l = self;
    const sym_system *system = l->f->system;
    size_t equation = l->level[level].equation[row];
    if (equation == NO_ROW) {
        const sym_invariant *v = &system->invariant.item[row - l->f->p->rows];
        text_format(t, "the invariant %s (%s:%u)", v->text, system->file, v->at.line);
        return;
    }
    size_t i = l->f->core->equation[equation];
    sym_derivative_name(system, &system->equation.item[i], l->level[level].order[row], t);
}

static void levels_name_entry(void *self, size_t entry, text *t)
{
    const prolonged_form *f = ((prolonged_levels *)self)->f;
    prolonged_name_entry(f->names, f->p, entry, t);
}

static dae_status levels_solve_hidden(void *self, double t, double *z, double accuracy)
{
    prolonged_levels *l = self;
    return l->hidden ? prolonged_hidden_meet(l->hidden, t, z, accuracy) : DAE_OK;
}

static dae_status levels_whole_jacobian(void *self, double t, const double *z, double *value)
{
    prolonged_levels *l = self;
    const sym_matrix *jacobian = l->f->jacobian;
    load(l, t, z);
    sym_matrix_eval(jacobian, l->input, value);
    bool known = prolonged_beside_fill(l->f, l->input, jacobian->pattern, NULL, value);
    return known ? DAE_OK : DAE_NOT_EVALUABLE;
}

static const constraint_levels_form prolonged_levels_form = {
    .value = levels_value,
    .linearize = levels_linearize,
    .jacobian = levels_jacobian,
    .balance = levels_balance,
    .fast_equations = levels_fast_equations,
    .fast_rows = levels_fast_rows,
    .solve_hidden = levels_solve_hidden,
    .whole_jacobian = levels_whole_jacobian,
    .name_row = levels_name_row,
    .name_entry = levels_name_entry,
};

/* Typical sizes of all derivatives. Sizes of derivatives that y does not hold are multiplied by
 * `free`. Unless `algebraic_held`, so are all sizes of algebraic variables. */
static double *nominals(arena *a, const prolonged_form *f, double free, bool algebraic_held)
{
    const prolongation *p = f->p;
    double *nominal = arena_array(a, p->size, sizeof *nominal);
    for (size_t j = 0; j < p->n; j++) {
        uint32_t id = p->unknown[j];
        for (uint32_t k = 0; k <= p->d[j]; k++) {
            uint32_t named = id, order = k;
            prolonged_called(f->names, &named, &order);
            bool held = k < (f->top[j] > 0 ? f->top[j] : algebraic_held);
            nominal[p->first[j] + k] = f->system->unknown.item[named].nominal * (held ? 1 : free);
        }
    }
    prolonged_time_unit_scale(p, f->names, f->problem.time_unit, nominal);
    return nominal;
}

static prolonged_levels *create(arena *a, const prolonged_form *f, size_t count,
                                const double *nominal)
{
    prolonged_levels *l = arena_take(a, sizeof *l);
    l->f = f;
    l->level = arena_array(a, count, sizeof *l->level);
    l->time_unit = f->problem.time_unit;
    l->levels.form = &prolonged_levels_form;
    l->levels.self = l;
    l->levels.size = f->p->size;
    l->levels.level = l->stage = arena_array(a, count, sizeof *l->stage);
    l->levels.nominal = nominal;
    l->input = arena_array(a, prolongation_inputs(f->p), sizeof(double));
    return l;
}

/* Compile the tape of a level's rows: equation[i] differentiated order[i] times. */
static void compile_rows(arena *a, prolonged_levels *l, size_t level, size_t rows)
{
    const prolongation *p = l->f->p;
    prolonged_level *at = &l->level[level];
    sym *row = arena_array(a, rows, sizeof *row);
    for (size_t i = 0; i < rows; i++) row[i] = p->row[p->first_row[at->equation[i]] + at->order[i]];
    at->rows = prolongation_tape(a, p, rows, row);
    arena_return(a, row, rows, sizeof *row);
}

static void compile_jacobian(arena *a, prolonged_levels *l, sym_matrix *jacobian)
{
    l->jacobian = jacobian;
    size_t lower = l->lower ? l->lower->pattern->nonzeros : 0; /* stored after */
    l->jacobian_value = arena_array(a, jacobian->pattern->nonzeros + lower, sizeof(double));
    l->scaled = arena_array(a, jacobian->pattern->nonzeros, sizeof(double));
}

sym_matrix *prolonged_system_jacobian(arena *a, const prolongation *p)
{
    return prolongation_matrix(a, p, p->n, p->n, structure_system_entries(p));
}

/* Choose the rows of the level that solves for x_j^(d_j - below). Returns how many there are.
 * row_of maps rows of the prolongation to rows of the level. */
static size_t choose_rows(arena *a, const prolongation *p, uint32_t below, prolonged_level *at,
                          size_t *row_of)
{
    size_t rows = 0;
    for (size_t r = 0; r < p->rows; r++) row_of[r] = NO_ROW;
    at->equation = arena_array(a, p->n, sizeof *at->equation);
    at->order = arena_array(a, p->n, sizeof *at->order);
    for (size_t i = 0; i < p->n; i++) {
        if (p->c[i] < below) continue;
        row_of[p->first_row[i] + p->c[i] - below] = rows;
        at->equation[rows] = i;
        at->order[rows++] = p->c[i] - below;
    }
    return rows;
}

/* A level under construction: its columns, its entries, and their places in `jacobian_value`. */
typedef struct stage {
    size_t columns, *entry, *unknown;
    sparse_entries e;
} stage;

static stage begin_stage(arena *a, const prolonged_levels *l)
{
    const sparse_pattern *lower = l->lower ? l->lower->pattern : NULL;
    size_t columns = l->f->p->n + (lower ? lower->columns : 0);
    size_t nonzeros = l->jacobian->pattern->nonzeros + (lower ? lower->nonzeros : 0);
    return (stage){.entry = arena_array(a, columns, sizeof(size_t)),
                   .unknown = arena_array(a, columns, sizeof(size_t)),
                   .e = sparse_entries_take(a, nonzeros)};
}

static void put(stage *s, size_t row, size_t from)
{
    sparse_entries_add_from(&s->e, row, s->columns, from);
}

static void end_column(stage *s, size_t entry, size_t unknown)
{
    s->entry[s->columns] = entry;
    s->unknown[s->columns++] = unknown;
}

/* Add the columns x_j^(d_j - below) with their entries of the system Jacobian. */
static void add_own(stage *s, const prolonged_levels *l, uint32_t below, const size_t *row_of)
{
    const prolongation *p = l->f->p;
    const sparse_pattern *whole = l->jacobian->pattern;
    for (size_t j = 0; j < p->n; j++) {
        if (p->d[j] < below) continue;
        for (sparse_index k = whole->start[j]; k < whole->start[j + 1]; k++) {
            size_t i = (size_t)whole->row[k];
            if (p->c[i] >= below) put(s, row_of[p->first_row[i] + p->c[i] - below], (size_t)k);
        }
        end_column(s, p->first[j] + p->d[j] - below, j);
    }
}

static void add_lower(stage *s, const prolonged_levels *l, const size_t *row_of)
{
    const sparse_pattern *lower = l->lower->pattern;
    for (size_t e = 0; e < lower->columns; e++) {
        size_t before = s->e.count;
        for (sparse_index k = lower->start[e]; k < lower->start[e + 1]; k++)
            if (row_of[lower->row[k]] != NO_ROW)
                put(s, row_of[lower->row[k]], l->jacobian->pattern->nonzeros + (size_t)k);
        if (s->e.count > before) end_column(s, e, LEVEL_NOWHERE);
    }
}

static void fill_stage(arena *a, prolonged_levels *l, size_t level, uint32_t below)
{
    const prolongation *p = l->f->p;
    prolonged_level *at = &l->level[level];
    size_t *row_of = arena_array(a, p->rows, sizeof *row_of);
    size_t rows = choose_rows(a, p, below, at, row_of);
    stage s = begin_stage(a, l);
    add_own(&s, l, below, row_of);
    if (l->lower) add_lower(&s, l, row_of);
    l->stage[level] = (constraint_level){
        .rows = rows,
        .columns = s.columns,
        .column = s.entry,
        .pattern = sparse_entries_build_from(a, &s.e, rows, s.columns, &at->taken),
        .last_row = at->equation,
        .last_column = s.unknown};
    arena_return(a, row_of, p->rows, sizeof *row_of);
    compile_rows(a, l, level, rows);
}

/* Where y and yp of the residual form stand in z. */
static const level_pair *find_pairs(arena *a, const prolonged_form *f)
{
    level_pair *pair = arena_array(a, f->problem.n, sizeof *pair);
    for (size_t j = 0; j < f->p->n; j++) {
        for (size_t k = f->first[j]; k < f->first[j + 1]; k++) {
            pair[k].value = f->entry[k];
            pair[k].derivative = f->top[j] > 0 ? f->entry[k] + 1 : PAIR_NOWHERE;
            pair[k].chained = k + 1 < f->first[j + 1];
        }
    }
    return pair;
}

static const size_t *every_entry(arena *a, size_t size)
{
    size_t *entry = arena_array(a, size, sizeof *entry);
    for (size_t j = 0; j < size; j++) entry[j] = j;
    return entry;
}

/* Whether the form integrates the last level, and y holds all of z but the highest derivatives. */
static bool integrates_last_level(const prolonged_form *f)
{
    for (size_t j = 0; j < f->p->n; j++)
        if (f->top[j] != f->p->d[j] || f->level[j] != f->p->c[j]) return false;
    return true;
}

static void describe_whole(arena *a, prolonged_levels *l)
{
    const prolonged_form *f = l->f;
    const prolongation *p = f->p;
    if (!integrates_last_level(f)) return;
    l->whole = (constraint_level){.rows = p->n,
                                  .columns = p->size,
                                  .column = every_entry(a, p->size),
                                  .pattern = f->jacobian->pattern,
                                  .pairs = f->problem.n,
                                  .pair = find_pairs(a, f)};
    l->levels.whole = &l->whole;
}

prolonged_levels *prolonged_levels_staged(arena *a, const prolonged_form *f)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < f->p->n; i++)
        if (f->p->c[i] > deepest) deepest = f->p->c[i];
    prolonged_levels *l = create(a, f, deepest + 1, nominals(a, f, 1, true));
    if (deepest > 0 && integrates_last_level(f)) l->lower = prolonged_lower_create(a, f->p);
    compile_jacobian(a, l, prolonged_system_jacobian(a, f->p));
    l->orders = (prolonged_orders){.row = f->p->c, .column = f->p->d};
    for (uint32_t below = deepest + 1; below-- > 0;) fill_stage(a, l, l->levels.count++, below);
    describe_whole(a, l);
    return l;
}

/* How often each entry of z differentiates its unknown. */
static const uint32_t *orders_of_entries(arena *a, const prolongation *p)
{
    uint32_t *order = arena_array(a, p->size, sizeof *order);
    for (size_t j = 0; j < p->n; j++)
        for (uint32_t k = 0; k <= p->d[j]; k++) order[p->first[j] + k] = k;
    return order;
}

/* All equations as one level, with `more` further rows, which belong to no equation. column: every
 * entry; NULL: they are listed. */
static prolonged_levels *create_array(arena *a, const prolonged_form *f, const double *nominal,
                                      const size_t *column, size_t more, const sym *further)
{
    const prolongation *p = f->p;
    prolonged_levels *l = create(a, f, 1, nominal);
    prolonged_level *at = &l->level[0];
    size_t rows = p->rows + more;
    sym *row = arena_array(a, rows, sizeof *row);
    at->equation = arena_array(a, rows, sizeof *at->equation);
    at->order = arena_array(a, rows, sizeof *at->order);
    for (size_t i = 0; i < p->n; i++) {
        for (uint32_t k = 0; k <= p->c[i]; k++) {
            at->equation[p->first_row[i] + k] = i;
            at->order[p->first_row[i] + k] = k;
        }
    }
    for (size_t r = 0; r < rows; r++) row[r] = r < p->rows ? p->row[r] : further[r - p->rows];
    for (size_t r = p->rows; r < rows; r++) at->equation[r] = NO_ROW;
    l->orders = (prolonged_orders){.row = at->order, .column = orders_of_entries(a, p)};
    at->rows = prolongation_tape(a, p, rows, row);
    compile_jacobian(a, l, prolongation_jacobian(a, p, rows, row));
    arena_return(a, row, rows, sizeof *row);
    l->stage[0] = (constraint_level){.rows = rows,
                                     .columns = p->size,
                                     .column = column ? column : every_entry(a, p->size),
                                     .pattern = l->jacobian->pattern};
    l->levels.count = 1;
    return l;
}

prolonged_levels *prolonged_levels_array(arena *a, const prolonged_form *f, bool paired)
{
    prolonged_levels *l = create_array(a, f, nominals(a, f, DERIVATIVES_CHEAPER, true), NULL, 0,
                                       NULL);
    l->stage[0].pairs = paired ? f->problem.n : 0;
    if (paired) l->stage[0].pair = find_pairs(a, f);
    return l;
}

prolonged_levels *prolonged_levels_merged(arena *a, const prolonged_form *f)
{
    return create_array(a, f, nominals(a, f, DERIVATIVES_CHEAPER, false), NULL, 0, NULL);
}

prolonged_levels *prolonged_levels_keeping(arena *a, const prolonged_form *f, size_t more,
                                           const sym *row)
{
    return create_array(a, f, nominals(a, f, DERIVATIVES_CHEAPER, false), NULL, more, row);
}

prolonged_levels *prolonged_levels_together(arena *a, const prolonged_levels *staged)
{
    const constraint_levels *l = &staged->levels;
    return create_array(a, staged->f, l->nominal, l->whole->column, 0, NULL);
}

dae_status prolonged_levels_solve_hidden(prolonged_levels *l)
{
    const prolonged_form *f = l->f;
    if (f->problem.hidden_directions == 0) return DAE_OK;
    l->hidden = prolonged_hidden_create(f->memory, &l->levels, &f->problem, f->entry);
    return l->hidden ? DAE_OK : DAE_NO_MEMORY;
}

void prolonged_levels_free(prolonged_levels *l)
{
    if (!l) return;
    prolonged_hidden_free(l->hidden);
    free(l->regular);
}

void prolonged_levels_begin_measuring(arena *a, prolonged_levels *l)
{
    size_t rows = l->jacobian->pattern->rows;
    arena_vectors(a, rows, (double **const[]){&l->row_value, &l->row_terms, NULL});
    l->author_nominal = nominals(a, l->f, 1, true);
}

void prolonged_levels_measure(prolonged_levels *l, double t, const double *z, double *violation)
{
    const sparse_pattern *p = l->jacobian->pattern;
    if (levels_value(l, 0, t, z, l->row_value) != DAE_OK || levels_linearize(l, t, z) != DAE_OK)
        return;
    miss_terms(p, l->jacobian_value, z, l->author_nominal, l->row_terms);
    for (size_t i = 0; i < p->rows; i++)
        miss_raise(&violation[l->level[0].order[i]], miss_of_row(l->row_value[i], l->row_terms[i]));
}

const double *prolonged_levels_scaled(prolonged_levels *l)
{
    prolonged_time_unit_scale_jacobian(&l->orders, l->time_unit, l->jacobian->pattern,
                                       l->jacobian_value, l->scaled);
    return l->scaled;
}
