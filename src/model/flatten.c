#include "model/flatten.h"

#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <stdlib.h>
#include <string.h>

void model_emit(model_flattening *f, model_clause *from, const model_value *lhs,
                const model_value *rhs)
{
    model_reader *r = f->r;
    if (f->list.count + lhs->count > MODEL_MOST_ELEMENTS) {
        model_error(r, from->at, "more than %d scalar equations", NULL, MODEL_MOST_ELEMENTS);
        r->exhausted = true;
        return;
    }
    for (size_t i = 0; i < lhs->count; i++) {
        model_scalar_equation e = {.lhs = model_element(lhs, i),
                                   .rhs = model_element(rhs, i),
                                   .from = from,
                                   .other = !model_is_numeric(lhs)};
        list_push(r->a, &f->list, e);
    }
}

/* Leave out an equation because a side has no value. The reason is already reported. */
static void leave_out(model_reader *r, model_span at)
{
    r->unknown_value = at;
    r->dropped++;
}

bool model_sides_fit(model_reader *r, const model_clause *c, const model_value *lhs,
                     const model_value *rhs)
{
    model_type type = lhs->type;
    if (lhs->type.base == TYPE_NONE || rhs->type.base == TYPE_NONE) {
        leave_out(r, c->at);
        return false;
    }
    if (!model_common_type(r, &type, rhs->type))
        return model_error(
            r, c->at, "the sides of this equation differ in type: %s = %s",
            "both sides have one type; a condition is turned into a number by (if c then 1 else 0)",
            model_type_text(r, lhs->type), model_type_text(r, rhs->type));
    if (model_same_size(lhs, rhs)) return true;
    model_error(r, c->at, "the sides of this equation differ in size: %s = %s",
                "an equation of arrays holds for each element: both sides need the same size",
                model_size_text(r, lhs), model_size_text(r, rhs));
    const model_value *array = lhs->rank ? lhs : rhs;
    if (array->rank == 1 && (!lhs->rank || !rhs->rank))
        model_remedy(r, "the same value for all elements is written fill(value, %zu)",
                     array->size[0]);
    return false;
}

static void flatten_sides(model_flattening *f, model_clause *c, model_expression *left,
                          const model_value *lhs, const model_value *rhs);

/* Whether both sides have the same value at all times, so that there is nothing to solve: constants
 * and parameters of a record. If they differ, it is reported. */
static bool is_met(model_reader *r, const model_clause *c, const char *name, const model_value *lhs,
                   const model_value *rhs)
{
    if (lhs->type.base == TYPE_RECORD || !model_same_size(lhs, rhs)) return false;
    for (size_t i = 0; i < lhs->count; i++)
        if (model_varies(r, model_element(lhs, i)) || model_varies(r, model_element(rhs, i)))
            return false;
    for (size_t i = 0; i < lhs->count; i++) {
        double a, b;
        sym left = model_element(lhs, i), right = model_element(rhs, i);
        bool equal = left == right ||
                     (sym_number_of(r->graph, left, &a) && sym_number_of(r->graph, right, &b) &&
                      sym_ask(r->graph, IS_EQUAL, a, b));
        if (equal) continue;
        model_error(r, c->at, "the sides of this equation differ in %s, which does not change",
                    "a constant or parameter of a record gets its value where it is declared",
                    name);
        break;
    }
    return true;
}

/* An equation of records holds for each component. */
static void flatten_record(model_flattening *f, model_clause *c, model_expression *left,
                           const model_value *lhs, const model_value *rhs)
{
    model_reader *r = f->r;
    const model_class *record = lhs->type.declared;
    if (!model_sides_fit(r, c, lhs, rhs)) return;
    for (size_t i = 0; i < record->declaration.count; i++) {
        uint32_t name = record->declaration.item[i]->name;
        const model_value *a = &lhs->member[i], *b = model_component(r, rhs, name);
        if (!is_met(r, c, model_spelled(r, name), a, b)) flatten_sides(f, c, left, a, b);
    }
}

/* Whether Strings are variables to which a when or an algorithm assigns. */
static bool has_memory(const model_reader *r, const model_value *v)
{
    return v->count > 0 && model_declared_of(r, model_element(v, 0), false) != MODEL_NO_VARIABLE;
}

/* The equation left = right. `left` is its left side, or one result of its tuple. */
static void flatten_sides(model_flattening *f, model_clause *c, model_expression *left,
                          const model_value *lhs, const model_value *rhs)
{
    model_reader *r = f->r;
    if (lhs->type.base == TYPE_RECORD) {
        flatten_record(f, c, left, lhs, rhs);
        return;
    }
    if (!model_sides_fit(r, c, lhs, rhs)) return;
    bool varies = model_is_numeric(lhs) || r->mode.when;
    for (size_t i = 0; i < lhs->count && !varies; i++)
        varies = model_varies(r, model_element(lhs, i)) || model_varies(r, model_element(rhs, i));
    if (lhs->type.base == TYPE_STRING && !has_memory(r, lhs) && !has_memory(r, rhs))
        model_error(r, c->at, "this equation between Strings determines none",
                    "a String stands alone on the left side of one equation, outside of if, for "
                    "and when");
    else if (!varies)
        model_error(r, c->at, "this equation between values of type %s has no unknown",
                    "leave it out, or write an assert", model_type_text(r, lhs->type));
    else if (r->mode.when)
        model_flatten_in_when(f, c, left, lhs, rhs);
    else
        model_emit(f, c, lhs, rhs);
}

/* (a, , b) = f(x), or, as printers write it, (a, b) = (1, 2) */
static void flatten_tuple(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    size_t count;
    const model_expression *from = c->right;
    const model_builtin *builtin = from->kind == EXPRESSION_CALL ? from->call->builtin : NULL;
    if (builtin && builtin->apply != model_transport) {
        model_evaluate(r, c->right); /* reported, unless it has one result */
        if (r->reports.list.count) return;
    }
    const model_value *output = model_results(r, c->right, &count);
    if (!output) {
        if (!r->reports.list.count) leave_out(r, c->at);
        return;
    }
    if (c->left->count > count) {
        model_error(r, c->left->at, "%u results on the left, %s has %zu",
                    "leave out the surplus ones", (unsigned)c->left->count,
                    c->right->kind == EXPRESSION_CALL ? "the function" : "the right side", count);
        return;
    }
    for (uint32_t i = 0; i < c->left->count; i++) {
        if (c->left->operand[i]->kind == EXPRESSION_NONE) continue;
        model_value lhs = model_evaluate(r, c->left->operand[i]);
        flatten_sides(f, c, c->left->operand[i], &lhs, &output[i]);
    }
}

/* Whether it is the equation of a variable of type String, which is no unknown. */
static bool gives_text(const model_clause *c)
{
    const model_expression *e = c->left;
    const model_meaning *m = e->kind == EXPRESSION_REFERENCE ? &e->reference->meaning : NULL;
    return m && m->kind == MEANS_SYMBOL && m->symbol->text == c;
}

static void flatten_equation(model_flattening *f, model_clause *c)
{
    if (c->left->kind == EXPRESSION_TUPLE) {
        flatten_tuple(f, c);
    } else if (!gives_text(c)) {
        model_value lhs = model_evaluate(f->r, c->left), rhs = model_evaluate(f->r, c->right);
        flatten_sides(f, c, c->left, &lhs, &rhs);
    }
}

static bool is_refused(const model_builtin *f)
{
    return f->apply == model_refused || f->apply == model_refused_like;
}

/* assert, reinit, terminate, or a function without results. */
static void flatten_call(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    model_expression *call = c->left;
    const char *name = call->call->builtin ? call->call->builtin->name : "";
    if (strcmp(name, "assert") == 0) {
        model_assert(r, call);
    } else if (strcmp(name, "reinit") == 0) {
        model_reinit(r, call);
    } else if (strcmp(name, "terminate") == 0) {
        model_terminate(r, call);
    } else if (call->call->own) {
        size_t count;
        model_call_outputs(r, call, &count);
    } else if (call->call->builtin && is_refused(call->call->builtin)) {
        model_evaluate(r, call);
    } else if (call->call->builtin) {
        model_error(r, call->at, "%s is not an equation",
                    "an equation is written: left side = right side", model_shown(r, call));
    }
}

static void flatten_body(model_reader *r, void *context)
{
    void *const *pair = context;
    const model_clause *c = pair[1];
    (void)r;
    model_flatten_clauses(pair[0], &c->branch.item[0].body);
}

/* if-equations. Branches with equal numbers of equations become equations between if-expressions.
 */

/* A branch that can be taken, and the place of its equations in the list. */
typedef struct taken {
    sym condition; /* SYM_NONE: else */
    const model_branch *branch;
    size_t begin, count;
    size_t assigned; /* where its assignments begin, in a when-clause */
} taken;

typedef LIST(taken) branches;

/* Find the branches that can be taken, given the known conditions. False if a condition has no
 * value. */
static bool find_branches(model_flattening *f, const model_clause *c, branches *list)
{
    model_reader *r = f->r;
    bool known = true;
    for (size_t k = 0; k < c->branch.count; k++) {
        taken t = {.condition = SYM_NONE, .branch = &c->branch.item[k]};
        double number = 1;
        if (t.branch->condition) {
            t.condition = model_condition(r, t.branch->condition);
            known = known && t.condition != SYM_NONE;
        }
        bool decided = !t.branch->condition ||
                       (t.condition != SYM_NONE && sym_is_number(r->graph, t.condition, &number));
        if (decided && number == 0) continue;
        if (decided) t.condition = SYM_NONE;
        list_push(r->a, list, t);
        if (decided) break;
    }
    return known;
}

/* Flatten the branches one after the other into the list, each under its guards. */
static void flatten_branches(model_flattening *f, branches *list)
{
    const model_guard *before = f->r->mode.guard;
    size_t outer = f->branch;
    model_guard *guard = arena_array(f->r->a, list->count, sizeof *guard);
    for (size_t i = 0; i < list->count; i++) {
        taken *t = &list->item[i];
        guard[i] = (model_guard){t->condition, true, i ? &guard[i - 1] : before};
        f->r->mode.guard = t->condition == SYM_NONE ? guard[i].outer : &guard[i];
        t->begin = f->list.count;
        t->assigned = f->branch = f->assigned.count;
        model_flatten_clauses(f, &t->branch->body);
        t->count = f->list.count - t->begin;
        guard[i].holds = false; /* for the branches after */
    }
    f->r->mode.guard = before;
    f->branch = outer;
}

/* What an if in a when-clause assigns. Each branch may assign to other variables. */
static void merge_assigned(model_flattening *f, const branches *list)
{
    sym *condition = arena_array(f->r->a, list->count, sizeof *condition);
    size_t *begin = arena_array(f->r->a, list->count, sizeof *begin);
    for (size_t i = 0; i < list->count; i++) {
        condition[i] = list->item[i].condition;
        begin[i] = list->item[i].assigned;
    }
    model_merge_assigned(f, list->count, condition, begin);
}

static bool is_balanced(model_flattening *f, const model_clause *c, const branches *list)
{
    const taken *first = &list->item[0], *last = &list->item[list->count - 1];
    for (size_t i = 1; i < list->count; i++) {
        const taken *t = &list->item[i];
        if (t->count == first->count) continue;
        return model_error(
            f->r, t->branch->at,
            "unbalanced: this branch of the if has %zu equation%s, the first one %zu",
            "each branch needs the same number of equations", t->count, t->count == 1 ? "" : "s",
            first->count);
    }
    if (last->condition == SYM_NONE || first->count == 0) return true;
    return model_error(f->r, c->at,
                       "unbalanced: this if has %zu equation%s and no else with as many",
                       "each branch needs the same number of equations", first->count,
                       first->count == 1 ? "" : "s");
}

static int by_left_side(const void *a, const void *b)
{
    const model_scalar_equation *x = a, *y = b;
    return (x->lhs > y->lhs) - (x->lhs < y->lhs);
}

/* Order the equations of a branch like those of the first branch, if both have the same left sides.
 * So `if c then x = 1; y = 2; else y = 3; x = 4; end if` pairs x with x. */
static void pair_left_sides(model_reader *r, const model_scalar_equation *first,
                            model_scalar_equation *other, size_t count)
{
    size_t same = 0;
    while (same < count && first[same].lhs == other[same].lhs) same++;
    if (same == count) return;
    model_scalar_equation *a = arena_duplicate(r->a, first, count, sizeof *a),
                          *b = arena_duplicate(r->a, other, count, sizeof *b);
    qsort(a, count, sizeof *a, by_left_side);
    qsort(b, count, sizeof *b, by_left_side);
    for (size_t i = 0; i < count; i++)
        if (a[i].lhs != b[i].lhs || (i > 0 && a[i].lhs == a[i - 1].lhs)) return;
    for (size_t i = 0; i < count; i++) {
        const model_scalar_equation *found = bsearch(&first[i], b, count, sizeof *b, by_left_side);
        other[i] = *found;
    }
}

/* The equations a = p and b = q of two branches become if c then a else b = if c then p else q. */
static void merge(model_flattening *f, const branches *list)
{
    sym_graph *g = f->r->graph;
    const taken *first = &list->item[0];
    if (first->count == 0) return;
    model_scalar_equation *into = f->list.item + first->begin;
    for (size_t i = 1; i < list->count; i++)
        pair_left_sides(f->r, into, f->list.item + list->item[i].begin, first->count);
    for (size_t k = 0; k < first->count; k++) {
        size_t i = list->count - 1;
        const model_scalar_equation *last = f->list.item + list->item[i].begin;
        sym lhs = last[k].lhs, rhs = last[k].rhs;
        while (i-- > 0) {
            const model_scalar_equation *e = f->list.item + list->item[i].begin;
            lhs = sym_if(g, list->item[i].condition, e[k].lhs, lhs);
            rhs = sym_if(g, list->item[i].condition, e[k].rhs, rhs);
        }
        into[k].lhs = lhs;
        into[k].rhs = rhs;
    }
    f->list.count = first->begin + first->count;
}

static void flatten_if(model_flattening *f, model_clause *c)
{
    branches list = {0};
    size_t reports = f->r->reports.list.count, dropped = f->r->dropped;
    bool known = find_branches(f, c, &list);
    size_t begin = f->list.count;
    flatten_branches(f, &list);
    if (list.count == 0) return;
    if (f->r->mode.when) {
        if (known) merge_assigned(f, &list);
        return;
    }
    bool complete = known && f->r->reports.list.count == reports && f->r->dropped == dropped;
    bool alone = list.count == 1 && list.item[0].condition == SYM_NONE;
    if (alone) return;
    if (!complete || !is_balanced(f, c, &list)) {
        f->list.count = begin;
        return;
    }
    merge(f, &list);
}

void model_flatten_clauses(model_flattening *f, const model_clauses *list)
{
    for (size_t i = 0; i < list->count && !f->r->exhausted; i++) {
        model_clause *c = list->item[i];
        switch (c->kind) {
        case CLAUSE_EQUATION: flatten_equation(f, c); break;
        case CLAUSE_CALL: flatten_call(f, c); break;
        case CLAUSE_IF: flatten_if(f, c); break;
        case CLAUSE_FOR:
            if (!model_iterate(f->r, &c->iterator, false, flatten_body, (void *[]){f, c}))
                leave_out(f->r, c->at);
            break;
        case CLAUSE_WHEN: model_flatten_when(f, c); break;
        case CLAUSE_WHILE:
            model_error(f->r, c->at, "while is allowed only in algorithms",
                        "repeat equations with for i in 1:n loop ... end for");
            break;
        default: break;
        }
    }
}

/* Real x = e */
static void flatten_declaration(model_flattening *f, model_symbol *s)
{
    model_reader *r = f->r;
    const model_declaration *d = s->declaration;
    model_value lhs = model_symbol_value(r, s);
    if (!d->binding || lhs.type.base == TYPE_NONE) return;
    if (s->type.base == TYPE_STRING && !s->discrete) return;
    model_value rhs;
    if (!model_binding_value(r, s, &lhs, &rhs)) {
        leave_out(r, d->at);
        return;
    }
    model_clause *c = arena_take(r->a, sizeof *c);
    c->at = d->at;
    c->declared = s->name;
    model_emit(f, c, &lhs, &rhs);
}

/* unknown = cell, so that a discrete variable is one of the author's variables, too. */
static void flatten_discrete(model_flattening *f, const model_symbol *s)
{
    model_reader *r = f->r;
    if (!s->discrete || s->value.type.base == TYPE_NONE || s->type.base == TYPE_STRING) return;
    model_clause *c = arena_take(r->a, sizeof *c);
    c->at = s->declaration->at;
    c->declared = s->name;
    for (size_t i = 0; i < s->value.count; i++) {
        sym value = model_element(&s->value, i);
        uint32_t unknown = r->discrete.item[model_variable_of(r, value, false)].unknown;
        model_scalar_equation e = {
            .lhs = sym_variable(r->graph, unknown, 0), .rhs = value, .from = c};
        list_push(r->a, &f->list, e);
    }
}

/* Write the scalar equations with their places in the text. The equations of each clause are
 * numbered. */
static void write_equations(model_flattening *f, sym_equations *to)
{
    model_reader *r = f->r;
    if (f->list.count == 0) return;
    size_t count = to->count + f->list.count;
    sym_equation *all = arena_array(r->home, count, sizeof *all), *e = all + to->count;
    if (to->count) memcpy(all, to->item, to->count * sizeof *all);
    for (size_t i = 0; i < f->list.count; i++) {
        model_clause *c = f->list.item[i].from;
        if (!c->text) {
            c->text = c->declared ? "" : model_excerpt_in(r->home, r, c->at);
            c->where = model_place(&r->source, c->at);
        }
        e[i] = (sym_equation){.lhs = f->list.item[i].lhs,
                              .rhs = f->list.item[i].rhs,
                              .at = c->where,
                              .text = c->text,
                              .unconnected = c->unconnected,
                              .element = ++c->emitted};
    }
    for (size_t i = 0; i < f->list.count; i++)
        if (f->list.item[i].from->emitted == 1) e[i].element = 0;
    arena_return(r->home, to->item, to->capacity, sizeof *to->item);
    *to = (sym_equations){.item = all, .count = count, .capacity = count};
    f->list.count = 0;
}

/* The sections of the initial equations, or of the others. */
static void flatten_sections(model_flattening *f, bool initial)
{
    const model_class *m = f->r->model;
    f->r->mode.initial = initial;
    f->r->mode.counting = !initial;
    model_flatten_clauses(f, initial ? &m->initial : &m->equation);
    for (size_t i = 0; i < m->algorithm.count; i++)
        if (m->algorithm.item[i].initial == initial)
            model_flatten_algorithm(f, &m->algorithm.item[i]);
    model_take_definitions(f);
    write_equations(f, initial ? &f->r->system->initial : &f->r->system->equation);
}

void model_flatten(model_reader *r)
{
    model_flattening f = {.r = r};
    r->mode = (model_mode){.frame = r->frame, .counting = true};
    for (size_t i = 0; i < r->symbol.count; i++)
        if (r->symbol.item[i]->declaration->variability < VARIABILITY_PARAMETER) {
            flatten_discrete(&f, r->symbol.item[i]);
            flatten_declaration(&f, r->symbol.item[i]);
        }
    flatten_sections(&f, false);
    model_feed_inputs(&f);
    write_equations(&f, &r->system->equation);
    flatten_sections(&f, true);
    model_check_resets(r);
    model_define(&f);
    model_note_held(r);
    model_show_parameters(r);
}
