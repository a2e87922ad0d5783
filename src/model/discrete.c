/* Discrete variables, their cells, and which expressions change at events alone. */
#include "model/discrete.h"
#include "symbolic/lists.h"

#include "model/evaluator.h"
#include "symbolic/calls.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

static sym_discrete_type type_of(model_type type)
{
    switch (type.base) {
    case TYPE_INTEGER: return SYM_INTEGER_TYPE;
    case TYPE_BOOLEAN: return SYM_BOOLEAN_TYPE;
    case TYPE_ENUMERATION: return SYM_ENUMERATION_TYPE;
    default: return SYM_REAL_TYPE;
    }
}

/* The leaf of a new cell for a discrete variable, or for something else. */
static sym open_cell(model_reader *r, const char *name, uint32_t variable, bool before)
{
    list_push(r->a, &r->cell, ((model_cell){variable, before}));
    return sym_new_cell(r->graph, name);
}

uint32_t model_new_cell(model_reader *r, const char *name)
{
    return sym_look(r->graph, open_cell(r, name, MODEL_NO_VARIABLE, false)).id;
}

uint32_t model_new_discrete(model_reader *r, const char *name, place at, model_type type)
{
    uint32_t number = (uint32_t)r->system->discrete.variable.count;
    sym value = open_cell(r, name, number, false);
    sym before = open_cell(r, arena_format(r->a, "pre(%s)", name), number, true);
    sym_discrete d = {.name = arena_copy(r->home, name, strlen(name)),
                      .at = at,
                      .type = type_of(type),
                      .cell = sym_look(r->graph, value).id,
                      .pre = sym_look(r->graph, before).id,
                      .definition = before,
                      .start = type.base == TYPE_ENUMERATION}; /* the first literal */
    list_push(r->home, &r->system->discrete.variable, d);
    return number;
}

sym model_value_leaf(const model_reader *r, uint32_t variable)
{
    return sym_cell(r->graph, r->system->discrete.variable.item[variable].cell);
}

sym model_before_leaf(const model_reader *r, uint32_t variable)
{
    return sym_cell(r->graph, r->system->discrete.variable.item[variable].pre);
}

uint32_t model_variable_of(const model_reader *r, sym node, bool before)
{
    sym_view view = sym_look(r->graph, node);
    if (view.op != SYM_CELL || r->cell.item[view.id].before != before) return MODEL_NO_VARIABLE;
    return r->cell.item[view.id].variable;
}

uint32_t model_declared_of(const model_reader *r, sym node, bool before)
{
    uint32_t variable = model_variable_of(r, node, before);
    return variable < r->discrete.count ? variable : MODEL_NO_VARIABLE;
}

/* Traits. Arguments have smaller numbers than the nodes that are built from them, so that the
 * traits of all nodes are found in ascending order, each once. */

/* For now: a number that follows from parameters may change (model_pin_whole()). NaN stands for an
 * element that is not there (subscript.c), which has no value of any type. */
static bool is_whole_number(const model_reader *r, double x)
{
    x = sym_value(r->graph, x);
    return x == floor(x) || isnan(x);
}

static unsigned leaf_traits(const model_reader *r, const sym_view *view)
{
    const sym_discrete *d;
    switch (view->op) {
    case SYM_TIME: return TRAIT_CHANGES;
    case SYM_VARIABLE:
        return view->id < r->system->unknown.count && r->system->unknown.item[view->id].parameter
                   ? TRAIT_FOUND
                   : TRAIT_CHANGES | TRAIT_UNKNOWN;
    case SYM_CELL:
        if (r->cell.item[view->id].variable == MODEL_NO_VARIABLE) return TRAIT_WHOLE;
        d = &r->system->discrete.variable.item[r->cell.item[view->id].variable];
        return (d->type == SYM_REAL_TYPE ? 0 : TRAIT_WHOLE) |
               (d->is_condition ? TRAIT_CONDITION : 0);
    default: return is_whole_number(r, view->value) ? TRAIT_WHOLE : 0;
    }
}

/* Whether a sum or product of whole numbers is one. */
static bool is_whole_combination(const model_reader *r, const sym_view *view)
{
    bool whole = view->op == SYM_PRODUCT || is_whole_number(r, view->value);
    for (uint32_t i = 0; i < view->count && whole; i++)
        whole = is_whole_number(r, view->factor[i]) &&
                (view->op == SYM_SUM || sym_value(r->graph, view->factor[i]) >= 0);
    return whole;
}

static bool is_whole_list(const model_reader *r, const sym_list *l)
{
    size_t k = 0;
    while (k < l->count && is_whole_number(r, l->value[k])) k++;
    return k == l->count;
}

static bool is_whole(const model_reader *r, const sym_view *view, unsigned all)
{
    switch (view->op) {
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL:
    case SYM_AND:
    case SYM_OR:
    case SYM_NOT:
    case SYM_FLOOR:
    case SYM_CEIL:
    case SYM_SIGN:
    case SYM_INTERVAL: return true;
    case SYM_CALL: return !sym_callee_of(r->graph, view->id)->smooth_output[view->order];
    case SYM_SUM:
    case SYM_PRODUCT: return (all & TRAIT_WHOLE) && is_whole_combination(r, view);
    case SYM_MIN:
    case SYM_MAX:
    case SYM_ABS: return all & TRAIT_WHOLE;
    case SYM_ELEMENT: return is_whole_list(r, sym_list_of(r->graph, view->id));
    default: return false;
    }
}

/* The traits of a node by those of its arguments. What an if-expression has in the event at which
 * the condition of a when-clause becomes true does not change between events. */
static unsigned traits(const model_reader *r, sym node)
{
    const unsigned char *of = r->trait.item;
    sym_view view = sym_look(r->graph, node);
    if (view.count == 0) return leaf_traits(r, &view);
    unsigned any = 0, all = UINT32_MAX;
    for (uint32_t i = 0; i < view.count; i++) {
        any |= of[view.argument[i]];
        all &= of[view.argument[i]];
    }
    unsigned found = any & (TRAIT_CHANGES | TRAIT_UNKNOWN | TRAIT_FOUND);
    if (view.op >= SYM_LESS && view.op <= SYM_EQUAL) found &= ~(unsigned)TRAIT_UNKNOWN;
    if (view.op == SYM_INPUT) found |= TRAIT_CHANGES | TRAIT_UNKNOWN;
    if (sym_is_relation(r->graph, node)) found = 0;
    if (view.op == SYM_AND || view.op == SYM_OR || view.op == SYM_NOT)
        found |= all & TRAIT_CONDITION;
    if (is_whole(r, &view, all)) found |= TRAIT_WHOLE;
    if (view.op != SYM_IF) return found;
    unsigned yes = of[view.argument[1]], no = of[view.argument[2]];
    if (of[view.argument[0]] & TRAIT_CONDITION)
        found = (found & ~(unsigned)TRAIT_CHANGES) | (no & TRAIT_CHANGES);
    return found | (yes & no & TRAIT_WHOLE);
}

bool model_has_trait(model_reader *r, sym node, model_trait trait)
{
    while (r->trait.count <= node) {
        sym next = (sym)r->trait.count;
        unsigned found = traits(r, next);
        list_push(r->a, &r->trait, (unsigned char)found);
    }
    return r->trait.item[node] & trait;
}

void model_pin_whole(model_reader *r, sym root)
{
    LIST(sym) open = {0};
    list_push(r->a, &open, root);
    while (open.count) {
        sym node = open.item[--open.count];
        sym_view view = sym_look(r->graph, node);
        bool relates = view.op >= SYM_LESS && view.op <= SYM_EQUAL;
        if (relates || model_has_trait(r, node, TRAIT_PINNED)) continue;
        r->trait.item[node] |= TRAIT_PINNED;
        if (view.op == SYM_CONSTANT || view.op == SYM_SUM) sym_pin(r->graph, view.value);
        for (uint32_t i = 0; i < view.count; i++) {
            if (view.factor) sym_pin(r->graph, view.factor[i]);
            list_push(r->a, &open, view.argument[i]);
        }
    }
}

void model_watch(model_reader *r, sym relation, bool kink)
{
    if (!sym_is_relation(r->graph, relation)) return;
    if (model_has_trait(r, relation, TRAIT_WATCHED)) return;
    r->trait.item[relation] |= TRAIT_WATCHED;
    list_push(r->home, &r->system->discrete.watched, ((sym_watched){relation, kink}));
}
