#include "formulation/prolonged_start.h"

#include "formulation/author.h"

#include "formulation/prolonged_time.h"
#include "linalg/rows.h"
#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

static dae_status start_value(void *self, double t, const double *z, double *r)
{
    prolonged_start *s = self;
    s->input[0] = t;
    memcpy(s->input + 1, z, s->start.size * sizeof *z);
    sym_tape_eval(s->rows, s->input, r);
    return vector_is_finite(s->start.rows, r) ? DAE_OK : DAE_NOT_EVALUABLE;
}

static dae_status start_jacobian(void *self, double t, const double *z, double *value)
{
    prolonged_start *s = self;
    s->input[0] = t;
    memcpy(s->input + 1, z, s->start.size * sizeof *z);
    sym_matrix_eval(s->jacobian, s->input, value);
    return DAE_OK;
}

static void start_name_entry(void *self, size_t entry, text *t)
{
    prolonged_start *s = self;
    if (entry >= s->p->size) {
        text_add(t, s->system->unknown.item[s->extra[entry - s->p->size]].name);
        return;
    }
    if (s->lender[entry]) { /* its author knows the value by this name */
        text_add(t, s->system->unknown.item[s->lender[entry] - 1].name);
        return;
    }
    prolonged_name_entry(s->names, s->p, entry, t);
}

const sym_equation *prolonged_start_equation(const prolonged_start *s, size_t row, size_t *order)
{
    const prolongation *p = s->p;
    *order = 0;
    if (row >= p->rows + s->extras) return &s->system->initial.item[row - p->rows - s->extras];
    if (row >= p->rows)
        return &s->system->equation.item[s->core->given_by[s->extra[row - p->rows]]];
    size_t i = prolongation_group(p->first_row, p->n, row);
    *order = row - p->first_row[i];
    return &s->system->equation.item[s->core->equation[i]];
}

static bool start_holds(void *self, double t, const double *z)
{
    const prolonged_start *s = self;
    if (!s->lifted) return true;
    author_lift(s->author, t, z, s->lifted, NULL);
    long failed = author_failed_assertion(s->author, t, 0);
    while (failed >= 0 && s->system->assertion.item[failed].warning)
        failed = author_failed_assertion(s->author, t, (size_t)failed + 1);
    return failed < 0;
}

static void start_name_row(void *self, size_t row, text *t)
{
    prolonged_start *s = self;
    size_t order;
    const sym_equation *e = prolonged_start_equation(s, row, &order);
    if (row >= s->start.equations) text_add(t, "the initial equation ");
    sym_derivative_name(s->system, e, order, t);
}

static void start_locate_row(void *self, size_t row, text *t)
{
    prolonged_start *s = self;
    size_t order;
    const sym_equation *e = prolonged_start_equation(s, row, &order);
    text_format(t, "%s:%u:%u", s->system->file, e->at.line, e->at.column);
}

static const start_form prolonged_start_form = {
    .rows_apart = true,
    .value = start_value,
    .jacobian = start_jacobian,
    .name_row = start_name_row,
    .locate_row = start_locate_row,
    .name_entry = start_name_entry,
    .report_values = prolonged_start_report_values,
    .report_beside = prolonged_start_report_beside,
    .holds = start_holds,
    .divide = prolonged_division_create,
    .part = prolonged_division_part,
    .part_value = prolonged_division_value,
    .part_jacobian = prolonged_division_jacobian,
};

static size_t start_slot(void *self, const sym_view *leaf)
{
    const prolonged_start *s = self;
    if (leaf->op == SYM_TIME) return 0;
    if (leaf->order == 0 && s->extra_slot[leaf->id]) return s->extra_slot[leaf->id];
    return prolongation_slot((void *)s->p, leaf);
}

static size_t start_column(void *self, size_t row, const sym_view *leaf)
{
    (void)row;
    return start_slot(self, leaf) - 1;
}

typedef struct start_values {
    double *guess, *nominal, *preference;
    bool *given, *fixed, *states, *variable, *differentiated, *taken;
} start_values;

/* How strongly an entry is preferred as a state. A variable that the author fixed, selected or gave
 * a start value is preferred to others, a variable to its derivative, and a differentiated variable
 * to one that is not. */
static double preference_of(const sym_unknown *u, bool differentiated, uint32_t order)
{
    static const double by_select[] = {1e-6, 1e-3, 1, 1e3, 1e6};
    double preference = by_select[u->select] * (u->fixed ? 100 : u->start_given ? 10 : 1);
    return preference * (differentiated ? 1 : 1e-12) * pow(1e-2, order);
}

static void take_start(start_values *v, size_t entry, const sym_unknown *u, double preference,
                       bool differentiated)
{
    v->guess[entry] = u->start;
    v->given[entry] = u->start_given || u->fixed;
    v->fixed[entry] = u->fixed;
    v->variable[entry] = true;
    v->differentiated[entry] = differentiated;
    v->nominal[entry] = u->nominal;
    v->preference[entry] = preference;
}

/* If an explicit variable is another name of an entry of z, the entry takes its start value, unless
 * it has one of its own. Returns whether the explicit variable needs no entry of its own. */
static bool lend_start(prolonged_start *s, start_values *v, uint32_t id)
{
    sym_view value = sym_look(s->p->g, s->core->value[id]);
    const sym_unknown *u = &s->system->unknown.item[id];
    if (value.op != SYM_VARIABLE) return false;
    size_t entry = prolongation_slot((void *)s->p, &value) - 1;
    if (v->given[entry]) return !u->start_given && !u->fixed;
    bool differentiated = value.order < s->p->d[s->p->column_of[value.id]];
    take_start(v, entry, u, preference_of(u, differentiated, value.order), differentiated);
    s->lender[entry] = 1 + id;
    return true;
}

/* The unknowns that their author differentiates: others have derivatives here where constraints are
 * differentiated, and their start values are guesses all the same. */
static bool *by_author(const sym_system *system)
{
    bool *differentiated = arena_array(system->memory, system->unknown.count,
                                       sizeof *differentiated);
    for (size_t i = 0; i < 2 * system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i / 2];
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(system->graph, i % 2 ? e->rhs : e->lhs, &leaf);
        for (size_t k = 0; k < leaves; k++)
            if (leaf[k].order > 0) differentiated[leaf[k].id] = true;
    }
    return differentiated;
}

static void gather_starts(prolonged_start *s, start_values *v)
{
    const prolongation *p = s->p;
    const sym_system *system = s->system;
    const bool *differentiated = by_author(system);
    for (size_t j = 0; j < p->n; j++) {
        const sym_unknown *u = &system->unknown.item[p->unknown[j]];
        for (uint32_t k = 0; k <= p->d[j]; k++) {
            v->nominal[p->first[j] + k] = u->nominal;
            v->preference[p->first[j] + k] = 1e-9;
        }
        take_start(v, p->first[j], u, preference_of(u, p->d[j] > 0, 0),
                   differentiated[p->unknown[j]]);
    }
    for (uint32_t id = 0; id < system->unknown.count; id++) {
        const sym_unknown *u = &system->unknown.item[id];
        if (s->core->column_of[id] != INCIDENCE_NONE || lend_start(s, v, id)) continue;
        if (!u->start_given && !u->fixed) continue;
        size_t entry = p->size + s->extras;
        s->extra[s->extras++] = id;
        s->extra_slot[id] = 1 + entry;
        take_start(v, entry, u, preference_of(u, false, 0), differentiated[id]);
    }
    arena_return(system->memory, differentiated, system->unknown.count, sizeof *differentiated);
}

/* Marks the given values of states; NULL: there is none that is free. */
static const bool *find_states(const prolonged_start *s, start_values *v)
{
    bool free = false;
    for (size_t k = 0; k < s->p->size + s->extras; k++) {
        v->states[k] = v->given[k] && (v->differentiated[k] || v->fixed[k]);
        free = free || (v->states[k] && !v->fixed[k]);
    }
    return free ? v->states : NULL;
}

static void publish(prolonged_start *s, start_values *v)
{
    s->start = (start_system){
        .form = &prolonged_start_form,
        .self = s,
        .size = s->p->size + s->extras,
        .equations = s->p->rows + s->extras,
        .rows = s->p->rows + s->extras + s->system->initial.count,
        .guess = v->guess,
        .given = v->given,
        .fixed = v->fixed,
        .states = find_states(s, v),
        .variable = v->variable,
        .differentiated = v->differentiated,
        .taken = v->taken,
        .nominal = v->nominal,
        .preference = v->preference,
    };
}

/* The definitions of the extra entries. Nested definitions refer to one another: if each were
 * written out in the remaining unknowns, differentiating a chain of n definitions would cost n^2.
 */
static void define_extras(prolonged_start *s, arena *a, sym *row)
{
    sym_graph *g = s->p->g;
    sym *name = arena_array(a, s->extras, sizeof *name);
    for (size_t k = 0; k < s->extras; k++) {
        name[k] = sym_variable(g, s->extra[k], 0);
        row[k] = s->core->value[s->extra[k]];
    }
    sym_abbreviate(g, s->extras, row, name);
    for (size_t k = 0; k < s->extras; k++) row[k] = sym_subtract(g, name[k], row[k]);
}

/* At the start, what is delayed has its value there. */
static void undelay(const prolonged_start *s, size_t rows, sym *row)
{
    size_t count = s->system->delay.count;
    if (count == 0) return;
    sym *value = arena_array(s->system->memory, count, sizeof *value);
    for (size_t k = 0; k < count; k++) value[k] = s->system->delay.item[k].start;
    structure_to_core(s->system, s->core, count, value);
    sym_system_undelay(s->system, value, rows, row);
}

static void compile(prolonged_start *s, arena *a, const sym *initial)
{
    const prolongation *p = s->p;
    size_t rows = s->start.rows, inputs = 1 + s->start.size, next = p->rows;
    sym *row = arena_array(a, rows, sizeof *row);
    memcpy(row, p->row, p->rows * sizeof *row);
    define_extras(s, a, row + next);
    next += s->extras;
    for (size_t k = 0; k < s->system->initial.count; k++) row[next++] = initial[k];
    undelay(s, rows, row);
    if (s->extras == 0) {
        s->rows = prolongation_tape(a, p, rows, row);
        s->jacobian = prolongation_jacobian(a, p, rows, row);
    } else {
        s->rows = sym_tape_compile(a, p->g, rows, row, inputs, start_slot, s);
        sym_entries entries = sym_jacobian_entries(a, p->g, rows, row, start_column, s);
        s->jacobian = sym_matrix_compile(a, p->g, rows, s->start.size, &entries, inputs, start_slot,
                                         s);
        list_return(a, &entries);
    }
    arena_return(a, row, rows, sizeof *row);
    s->start.pattern = s->jacobian->pattern;
    s->input = arena_array(a, inputs, sizeof(double));
}

/* At the guess and at time 0, because the start is not known yet. Derivatives have the sizes that
 * the unit of their part gives, whatever else the model contains. */
static void find_time_unit(prolonged_start *s, arena *a, double *size)
{
    const sparse_pattern *pattern = s->jacobian->pattern;
    double *value = arena_array(a, pattern->nonzeros + (size_t)1, sizeof *value),
           *unit = arena_array(a, s->p->n, sizeof *unit);
    start_jacobian(s, 0, s->start.guess, value);
    s->time_unit = prolonged_time_unit_find(a, s->system, s->p, pattern, value, unit);
    prolonged_time_unit_scale_each(s->p, s->names, unit, size);
    arena_return(a, unit, s->p->n, sizeof *unit);
    arena_return(a, value, pattern->nonzeros + (size_t)1, sizeof *value);
}

prolonged_start *prolonged_start_create(arena *a, const sym_system *system,
                                        const explicit_core *core, const prolonged_names *names,
                                        const prolongation *p, const sym *initial, double time_unit)
{
    prolonged_start *s = arena_take(a, sizeof *s);
    *s = (prolonged_start){
        .system = system, .core = core, .names = names, .p = p, .time_unit = time_unit};
    size_t largest = p->size + system->unknown.count;
    s->extra = arena_array(a, system->unknown.count, sizeof *s->extra);
    s->extra_slot = arena_array(a, system->unknown.count, sizeof *s->extra_slot);
    s->lender = arena_array(a, p->size, sizeof *s->lender);
    start_values v = {
        .given = arena_array(a, largest, sizeof(bool)),
        .states = arena_array(a, largest, sizeof(bool)),
        .fixed = arena_array(a, largest, sizeof(bool)),
        .variable = arena_array(a, largest, sizeof(bool)),
        .differentiated = arena_array(a, largest, sizeof(bool)),
        .taken = arena_array(a, largest, sizeof(bool)),
    };
    arena_vectors(a, largest, (double **const[]){&v.guess, &v.nominal, &v.preference, NULL});
    gather_starts(s, &v);
    publish(s, &v);
    compile(s, a, initial);
    if (time_unit == 0)
        find_time_unit(s, a, v.nominal);
    else
        prolonged_time_unit_scale(p, names, time_unit, v.nominal);
    return s;
}
