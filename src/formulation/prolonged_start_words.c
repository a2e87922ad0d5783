#include "formulation/prolonged_start.h"

#include "structure/signature.h"
#include "symbolic/derive.h"

#include <math.h>
#include <string.h>

/* The most values of a row, and the most related equations, that a message lists. */
enum { MOST_VALUES = 4, MOST_BESIDE = 6 };

typedef struct report {
    prolonged_start *s;
    size_t count;
    const size_t *row;
    double t;
    const double *z;
    text *reported;
} report;

/* Whether a variable is fixed. Messages report fixed variables elsewhere. */
static bool is_fixed(const prolonged_start *s, const sym_view *leaf)
{
    size_t extra = s->extra_slot[leaf->id];
    if (leaf->order > 0 || (!extra && s->core->column_of[leaf->id] == INCIDENCE_NONE)) return false;
    return s->start.fixed[extra ? extra - 1 : prolongation_slot((void *)s->p, leaf) - 1];
}

/* Value of a variable at z; NaN if it does not follow from z. */
static double value_at(report *w, const sym_view *leaf)
{
    prolonged_start *s = w->s;
    sym_graph *g = s->p->g;
    bool own = s->core->column_of[leaf->id] != INCIDENCE_NONE;
    if (leaf->order == 0 && s->extra_slot[leaf->id]) return w->z[s->extra_slot[leaf->id] - 1];
    if (own && leaf->order <= s->p->d[s->p->column_of[leaf->id]])
        return w->z[prolongation_slot((void *)s->p, leaf) - 1];
    if (own || leaf->order > 0) return (double)NAN;
    sym value = s->core->value[leaf->id];
    const sym_leaf *part;
    size_t parts = sym_leaves(g, value, &part);
    for (size_t k = 0; k < parts; k++)
        if (part[k].order > s->p->d[s->p->column_of[part[k].id]]) return (double)NAN;
    arena *a = s->system->memory;
    double *input = arena_array(a, prolongation_inputs(s->p), sizeof *input), found;
    input[0] = w->t;
    memcpy(input + 1, w->z, s->p->size * sizeof *input);
    sym_tape_eval(prolongation_tape(a, s->p, 1, &value), input, &found);
    return found;
}

/* The variables of an equation as written. */
static size_t leaves_of(const prolonged_start *s, const sym_equation *e, sym **leaf)
{
    const sym_leaf *first, *found;
    size_t left = sym_leaves(s->p->g, e->lhs, &first), count = left;
    size_t right = sym_leaves(s->p->g, e->rhs, &found);
    *leaf = arena_array(s->system->memory, left + right, sizeof **leaf);
    for (size_t i = 0; i < left; i++) (*leaf)[i] = first[i].node;
    for (size_t k = 0; k < right; k++) {
        bool known = false;
        for (size_t i = 0; i < left; i++) known = known || first[i].node == found[k].node;
        if (!known) (*leaf)[count++] = found[k].node;
    }
    return count;
}

static void report_values(void *argument)
{
    report *w = argument;
    prolonged_start *s = w->s;
    size_t order, named = 0;
    const sym_equation *e = prolonged_start_equation(s, *w->row, &order);
    sym *leaf;
    size_t count = leaves_of(s, e, &leaf);
    if (order > 0 || count > MOST_VALUES) return;
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(s->p->g, leaf[k]);
        double value = is_fixed(s, &view) ? (double)NAN : value_at(w, &view);
        if (!isfinite(value)) continue;
        text_add(w->reported, named++ ? ", " : ", with ");
        prolonged_name(s->names, view.id, view.order, w->reported);
        text_format(w->reported, " = %.6g", value);
    }
}

void prolonged_start_report_values(void *self, size_t row, double t, const double *z,
                                   text *reported)
{
    prolonged_start *s = self;
    report w = {.s = s, .row = &row, .t = t, .z = z, .reported = reported};
    arena_protect(s->system->memory, report_values, &w); /* on exhausted memory they are omitted */
}

/* Numbers of equations without duplicates. */
typedef struct equations_beside {
    uint32_t item[MOST_BESIDE];
    size_t count;
} equations_beside;

static void add(equations_beside *list, size_t equation)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->item[k] == equation) return;
    if (list->count < MOST_BESIDE) list->item[list->count++] = (uint32_t)equation;
}

/* Add the equations that define variables taken out of the system: first the variables of the given
 * rows, then those of the definitions found. */
static void add_definitions(const report *w, equations_beside *list)
{
    const prolonged_start *s = w->s;
    for (size_t i = 0; i < w->count + list->count; i++) {
        size_t order;
        const sym_equation *e = i < w->count ? prolonged_start_equation(s, w->row[i], &order)
                                             : &s->system->equation.item[list->item[i - w->count]];
        sym *leaf;
        size_t count = leaves_of(s, e, &leaf);
        for (size_t k = 0; k < count; k++) {
            uint32_t id = sym_look(s->p->g, leaf[k]).id, by = s->core->given_by[id];
            bool taken_out = by != INCIDENCE_NONE && !s->extra_slot[id];
            if (taken_out && e != &s->system->equation.item[by]) add(list, by);
        }
    }
}

static bool share_entry(const prolonged_start *s, size_t row, size_t other)
{
    const sparse_pattern *p = s->start.pattern;
    for (size_t j = 0; j < p->columns; j++) {
        bool in_row = false, in_other = false;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            in_row = in_row || (size_t)p->row[k] == row;
            in_other = in_other || (size_t)p->row[k] == other;
        }
        if (in_row && in_other) return true;
    }
    return false;
}

/* Add equations as written that contain no derivatives and share a variable with the row. */
static void add_neighbours(const report *w, equations_beside *list)
{
    const prolonged_start *s = w->s;
    for (size_t i = 0; i < s->p->n && list->count < MOST_BESIDE; i++) {
        size_t row = s->p->first_row[i], order = 0;
        sym *leaf;
        size_t count = leaves_of(s, prolonged_start_equation(s, row, &order), &leaf);
        for (size_t k = 0; k < count; k++)
            if (sym_look(s->p->g, leaf[k]).order > 0) order = 1;
        if (order == 0 && row != *w->row && share_entry(s, *w->row, row))
            add(list, s->core->equation[i]);
    }
}

static void report_beside(void *argument)
{
    report *w = argument;
    const sym_system *system = w->s->system;
    equations_beside list = {0};
    add_definitions(w, &list);
    if (w->count == 1) add_neighbours(w, &list);
    for (size_t k = 0; k < list.count; k++) {
        text_add(w->reported, "\n    ");
        sym_equation_name(system, &system->equation.item[list.item[k]], w->reported);
    }
    for (size_t i = 0; i < w->count; i++) {
        size_t order;
        sym_name_left_out(system, prolonged_start_equation(w->s, w->row[i], &order), w->reported);
    }
    for (size_t k = 0; k < list.count; k++)
        sym_name_left_out(system, &system->equation.item[list.item[k]], w->reported);
}

void prolonged_start_report_beside(void *self, size_t count, const size_t *row, text *reported)
{
    prolonged_start *s = self;
    report w = {.s = s, .count = count, .row = row, .reported = reported};
    arena_protect(s->system->memory, report_beside, &w);
}
