#include "formulation/author.h"

#include "formulation/prolonged_time.h"
#include "problem/levels.h"
#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* One walk serves all, because definitions may share long chains. */
void author_find_known(arena *a, const prolongation *p, const uint32_t *held, size_t count,
                       const sym *value, bool *found)
{
    const sym *node;
    size_t nodes = sym_reach(p->g, count, value, &node);
    size_t all = nodes ? (size_t)node[nodes - 1] + 1 : 1;
    bool *known = arena_array(a, all, sizeof *known);
    for (size_t k = 0; k < nodes; k++) { /* arguments come before the nodes that use them */
        sym_view view = sym_look(p->g, node[k]);
        bool good = view.op != SYM_VARIABLE || view.order <= held[p->column_of[view.id]];
        for (uint32_t i = 0; good && i < view.count; i++) good = known[view.argument[i]];
        known[node[k]] = good;
    }
    for (size_t i = 0; i < count; i++) found[i] = known[value[i]];
    arena_return(a, known, all, sizeof *known);
}

/* The author's derivatives as expressions in z; those that z does not give become 0 and unknown. */
static void compile_lift(author *w, arena *a, const explicit_core *core, const prolongation *p,
                         const uint32_t *held)
{
    const prolongation *o = w->written;
    sym *value = arena_array(a, o->size, sizeof *value);
    for (size_t j = 0; j < o->n; j++)
        for (uint32_t k = 0; k <= o->d[j]; k++)
            value[o->first[j] + k] = sym_variable(o->g, o->unknown[j], k);
    structure_to_core(w->system, core, o->size, value);
    w->known = arena_array(a, o->size, sizeof *w->known);
    author_find_known(a, p, held, o->size, value, w->known);
    for (size_t i = 0; i < o->size; i++)
        if (!w->known[i]) value[i] = sym_number(o->g, 0);
    w->lift = prolongation_tape(a, p, o->size, value);
    arena_return(a, value, o->size, sizeof *value);
    w->lift_input = arena_array(a, prolongation_inputs(p), sizeof(double));
}

bool author_is_constraint(const author *w, size_t equation)
{
    const prolongation *o = w->written;
    return sym_highest_order(o->g, o->row[o->first_row[equation]]) == 0;
}

static bool computable(const author *w, sym f)
{
    const prolongation *o = w->written;
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(o->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(o->g, leaf[k].node);
        if (!w->known[prolongation_slot((void *)o, &view) - 1]) return false;
    }
    return true;
}

/* Whether a prolongation has all derivatives that occur in an expression. */
static bool occurs(const prolongation *o, sym f)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(o->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].order > o->d[o->column_of[leaf[k].id]]) return false;
    return true;
}

/* Choose the rows to measure: equations as written, and each constraint with its derivatives. */
static void choose_rows(author *w, arena *a, const explicit_core *written, bool hidden)
{
    const prolongation *o = w->written;
    size_t most = o->rows + w->system->implied.count;
    w->row = arena_array(a, most, sizeof *w->row);
    w->level_of = arena_array(a, most, sizeof *w->level_of);
    w->is_equation = arena_array(a, most, sizeof *w->is_equation);
    w->equation = arena_array(a, most, sizeof *w->equation);
    for (size_t i = 0; i < o->n; i++) {
        bool constraint = author_is_constraint(w, i);
        for (uint32_t k = 0; k <= (hidden ? o->c[i] : 0); k++) {
            size_t row = o->first_row[i] + k;
            bool level = k > 0 || constraint;
            if (!computable(w, o->row[row])) continue;
            w->row[w->measured] = o->row[row];
            w->is_equation[w->measured] = k == 0;
            w->equation[w->measured] = written->equation[i];
            w->level_of[w->measured++] = level ? k : SIZE_MAX;
            if (level && k >= w->levels) w->levels = k + 1;
        }
    }
}

/* Equations that others imply, where all that occurs in them is known. */
static void add_implied(author *w)
{
    const prolongation *o = w->written;
    for (size_t i = 0; i < w->system->implied.count; i++) {
        const sym_equation *e = &w->system->implied.item[i];
        sym row = sym_subtract(o->g, e->lhs, e->rhs);
        if (!occurs(o, row) || !computable(w, row)) continue;
        w->row[w->measured] = row;
        w->is_equation[w->measured] = true;
        w->equation[w->measured] = w->system->equation.count + i;
        w->level_of[w->measured++] = SIZE_MAX;
        w->implied++;
    }
}

static void compile_rows(author *w, arena *a)
{
    const prolongation *o = w->written;
    w->rows = prolongation_tape(a, o, w->measured, w->row);
    w->jacobian = prolongation_jacobian(a, o, w->measured, w->row);
    w->jacobian_value = arena_array(a, w->jacobian->pattern->nonzeros, sizeof(double));
    w->input = arena_array(a, prolongation_inputs(o), sizeof(double));
    w->row_value = arena_array(a, w->measured, sizeof(double));
    w->sum = arena_array(a, w->measured, sizeof(double));
}

static void compile_assertions(author *w, arena *a)
{
    size_t count = w->system->assertion.count, all = count;
    const sym_assertion *x = w->system->assertion.item;
    for (size_t i = 0; i < count; i++) all += sym_said_values(x[i].said, NULL);
    sym *value = arena_array(a, all, sizeof *value);
    for (size_t i = 0; i < count; i++) value[i] = x[i].condition;
    for (size_t i = 0, said = count; i < count; i++)
        said += sym_said_values(x[i].said, value + said);
    w->assertions = prolongation_tape(a, w->written, all, value);
    w->assertion_value = arena_array(a, all, sizeof(double));
}

/* Each relation once, whatever assertions it stands in. */
static void compile_margins(author *w, arena *a)
{
    size_t count = w->system->assertion.count, nodes;
    sym_graph *g = w->system->graph;
    const sym *node;
    sym *condition = arena_array(a, count, sizeof *condition);
    for (size_t i = 0; i < count; i++) condition[i] = w->system->assertion.item[i].condition;
    nodes = sym_keep_reached(g, count, condition, &node);
    sym *margin = arena_array(a, nodes, sizeof *margin);
    for (size_t i = 0; i < nodes; i++) {
        sym_view v = sym_look(g, node[i]);
        if (v.op != SYM_LESS && v.op != SYM_LESS_EQUAL) continue;
        margin[w->margins++] = sym_subtract(g, v.argument[0], v.argument[1]);
    }
    w->margin = prolongation_tape(a, w->written, w->margins, margin);
    w->margin_at = arena_array(a, AUTHOR_MARGINS * w->margins, sizeof *w->margin_at);
}

static void take_sizes(author *w)
{
    const prolongation *o = w->written;
    for (size_t j = 0; j < o->n; j++)
        for (size_t s = o->first[j]; s < o->first[j + 1]; s++)
            w->size[s] = w->system->unknown.item[o->unknown[j]].nominal;
}

author *author_create(arena *a, const sym_system *system, const explicit_core *core,
                      const explicit_core *written, const prolongation *p, const uint32_t *held,
                      const signature *own, bool hidden)
{
    author *w = arena_take(a, sizeof *w);
    w->system = system;
    w->core = core;
    prolongation *as_written = structure_prolong(a, system->graph, written, own->c, own->d);
    prolongation_share(as_written, p);
    w->written = as_written;
    compile_lift(w, a, core, p, held);
    choose_rows(w, a, written, hidden);
    add_implied(w);
    compile_rows(w, a);
    compile_assertions(w, a);
    if (w->system->assertion.count > 0) compile_margins(w, a);
    w->size = arena_array(a, w->written->size, sizeof *w->size);
    take_sizes(w);
    return w;
}

void author_visit(author *w, bool tapes, sym_visit *visit, void *context)
{
    prolongation_visit(w->written, tapes, visit, context);
    for (size_t i = 0; i < w->measured; i++) visit(context, &w->row[i]);
}

void author_use_time_unit(author *w, const prolonged_names *names, double unit)
{
    take_sizes(w);
    prolonged_time_unit_scale(w->written, names, fmax(1, unit), w->size);
}

bool author_lift_from(author *w, arena *a, const explicit_core *core, const prolongation *p,
                      const uint32_t *held)
{
    const author before = *w;
    compile_lift(w, a, core, p, held);
    for (size_t i = 0; i < w->written->size; i++) {
        if (!before.known[i] || w->known[i]) continue;
        *w = before;
        return false;
    }
    return true;
}

void author_lift(author *w, double t, const double *z, double *y, double *yp)
{
    const prolongation *o = w->written;
    w->lift_input[0] = t;
    memcpy(w->lift_input + 1, z, (sym_tape_inputs(w->lift) - 1) * sizeof *z);
    w->input[0] = t;
    sym_tape_eval(w->lift, w->lift_input, w->input + 1);
    double sum = 0;
    for (size_t j = 0; j < o->n; j++) {
        double value = w->input[1 + o->first[j]];
        y[o->unknown[j]] = value;
        sum += value; /* finite, if all are */
    }
    w->is_finite = isfinite(sum);
    for (size_t j = 0; yp && j < o->n; j++) {
        size_t at = o->first[j];
        bool known = o->d[j] > 0 && w->known[at + 1];
        yp[o->unknown[j]] = known ? w->input[2 + at] : (double)NAN;
    }
}

/* Takes over what was lifted last to `at`; NaN: what is not known there, and discrete variables, in
 * whose place equations have cells. */
static void take_lifted(author *w, const author *at)
{
    const prolongation *o = w->written, *from = at->written;
    for (size_t j = 0; j < o->n; j++) {
        uint32_t id = o->unknown[j], column = from->column_of[id];
        bool discrete = w->system->unknown.item[id].discrete;
        for (uint32_t k = 0; k <= o->d[j]; k++) {
            bool has = !discrete && column != INCIDENCE_NONE && k <= from->d[column];
            size_t slot = has ? from->first[column] + k : 0;
            w->input[1 + o->first[j] + k] = has && at->known[slot] ? at->input[1 + slot]
                                                                   : (double)NAN;
        }
    }
}

/* The rows and the sums of their terms where the input is. */
static void evaluate_rows(author *w, double t)
{
    w->input[0] = t;
    sym_tape_eval(w->rows, w->input, w->row_value);
    sym_matrix_eval(w->jacobian, w->input, w->jacobian_value);
    miss_terms(w->jacobian->pattern, w->jacobian_value, w->input + 1, w->size, w->sum);
}

double author_miss(author *w, const author *at, double t)
{
    double worst = 0;
    take_lifted(w, at);
    evaluate_rows(w, t);
    for (size_t i = 0; i < w->measured; i++) {
        double violation = w->is_equation[i] ? miss_of_row(w->row_value[i], w->sum[i]) : 0;
        if (isfinite(w->row_value[i]) && isfinite(violation)) worst = fmax(worst, violation);
    }
    return worst;
}

void author_measure(author *w, double t, double *residual, double *constraint)
{
    evaluate_rows(w, t);
    for (size_t i = 0; i < w->measured; i++) {
        double violation = miss_of_row(w->row_value[i], w->sum[i]);
        if (w->is_equation[i]) miss_raise(residual, violation);
        if (w->level_of[i] != SIZE_MAX) miss_raise(&constraint[w->level_of[i]], violation);
    }
}

void author_name_missed(const author *w, text *t)
{
    size_t worst = w->measured, equations = w->system->equation.count;
    double most = 0;
    for (size_t i = 0; i < w->measured; i++) {
        double missed = w->is_equation[i] ? miss_of_row(w->row_value[i], w->sum[i]) : 0;
        if (missed > most) worst = i, most = missed;
    }
    if (worst == w->measured) return;
    size_t e = w->equation[worst];
    sym_equation_name(
        w->system,
        e < equations ? &w->system->equation.item[e] : &w->system->implied.item[e - equations], t);
    text_format(t, ", left - right = %.3g", w->row_value[worst]);
}

static bool finite(const author *w, uint32_t id)
{
    const prolongation *o = w->written;
    return isfinite(w->input[1 + o->first[o->column_of[id]]]);
}

/* Whether an equation defines this explicit variable, and all other variables in it are finite. */
static bool gives_it_away(const author *w, uint32_t id)
{
    if (w->core->given_by[id] == INCIDENCE_NONE) return false;
    const sym_equation *e = &w->system->equation.item[w->core->given_by[id]];
    const sym *reached;
    size_t count = sym_reach(w->system->graph, 2, (sym[]){e->lhs, e->rhs}, &reached);
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(w->system->graph, reached[k]);
        if (view.op == SYM_VARIABLE && view.id != id && !finite(w, view.id)) return false;
    }
    return true;
}

long author_missing_value(const author *w)
{
    long found = -1;
    if (w->is_finite) return found;
    for (uint32_t id = 0; id < w->system->unknown.count; id++) {
        if (finite(w, id)) continue;
        if (found < 0) found = id;
        if (gives_it_away(w, id)) return id;
    }
    return found;
}

long author_breakdown(author *w, sym_breakdown *found)
{
    const prolongation *o = w->written;
    for (size_t i = 0; i < o->size; i++)
        if (!w->known[i]) w->input[1 + i] = (double)NAN;
    for (size_t i = 0; i < o->n; i++)
        if (sym_find_breakdown(o->g, o->row[o->first_row[i]], prolongation_inputs(o),
                               prolongation_slot, (void *)o, w->input, found))
            return (long)i;
    return -1;
}

long author_failed_assertion(author *w, double t, size_t from)
{
    if (w->system->assertion.count == 0) return -1;
    w->input[0] = t;
    if (from == 0) sym_tape_eval(w->assertions, w->input, w->assertion_value);
    for (size_t i = from; i < w->system->assertion.count; i++)
        if (w->assertion_value[i] == 0) return (long)i;
    return -1;
}

void author_margins(author *w, double t, double *value)
{
    w->input[0] = t;
    sym_tape_eval(w->margin, w->input, value);
}

void author_say_assertion(const author *w, size_t i, text *t)
{
    const sym_assertion *x = w->system->assertion.item;
    size_t first = w->system->assertion.count;
    for (size_t k = 0; k < i; k++) first += sym_said_values(x[k].said, NULL);
    if (x[i].said)
        sym_say(x[i].said, w->assertion_value + first, t);
    else
        text_add(t, x[i].message);
}
