/* The definitions of discrete variables (Modelica 3.6, Sec. 8.4 and App. B): each has one equation,
 * which is solved for it. */
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/flatten.h"

static bool is_declared_cell(const model_reader *r, const sym_view *leaf)
{
    return leaf->op == SYM_CELL && r->cell.item[leaf->id].variable < r->discrete.count;
}

/* Report an equation between discrete values that is solved for none of them. Returns whether it is
 * one. */
static bool is_unsolved(model_reader *r, const model_scalar_equation *e)
{
    bool discrete = e->other || model_any_leaf(r, e->lhs, is_declared_cell) ||
                    model_any_leaf(r, e->rhs, is_declared_cell);
    if (!discrete) return false;
    model_error(r, e->from->at, "this equation of discrete variables is not solved for one of them",
                "write the variable alone on one side: b = x > 0");
    return true;
}

static bool has_unknown(model_reader *r, const model_scalar_equation *e)
{
    return model_has_trait(r, e->lhs, TRAIT_UNKNOWN) || model_has_trait(r, e->rhs, TRAIT_UNKNOWN);
}

/* Whether an equation defines a discrete variable; then it is kept for model_define(). */
static bool take_definition(model_flattening *f, const model_scalar_equation *e)
{
    model_reader *r = f->r;
    if (!e->defines && has_unknown(r, e)) return e->other;
    bool solved = model_declared_of(r, e->lhs, false) != MODEL_NO_VARIABLE ||
                  model_declared_of(r, e->rhs, false) != MODEL_NO_VARIABLE;
    if (solved) list_push(r->a, &f->definition, *e);
    return solved || is_unsolved(r, e);
}

static bool is_stand_in(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->id >= MODEL_FIRST_STAND_IN;
}

/* Report a value of an Integer that may be no whole number. Of what is refused nothing more is
 * said.
 */
static void check_whole(model_reader *r, uint32_t variable, sym value, model_span at)
{
    const sym_discrete *v = &r->system->discrete.variable.item[variable];
    if (v->type != SYM_INTEGER_TYPE) return;
    if (model_has_trait(r, value, TRAIT_WHOLE)) {
        model_pin_whole(r, value);
        return;
    }
    if (model_any_leaf(r, value, is_stand_in)) return;
    model_error(r, at, "%s is Integer, but its value is Real",
                "declare it as Real, or round: integer(x)", v->name);
}

/* Note v = value or pre(v) = value, an initial equation. False if `leaf` is no such side. */
static bool begins(model_reader *r, sym leaf, sym value, model_span at)
{
    uint32_t now = model_declared_of(r, leaf, false), before = model_declared_of(r, leaf, true);
    uint32_t variable = now != MODEL_NO_VARIABLE ? now : before;
    if (variable == MODEL_NO_VARIABLE) return false;
    check_whole(r, variable, value, at);
    list_push(r->home, &r->system->discrete.initially,
              ((sym_initially){.discrete = variable,
                               .before = before != MODEL_NO_VARIABLE,
                               .value = value,
                               .at = model_place(&r->source, at)}));
    return true;
}

/* A parameter that the start determines. */
static bool is_found(const model_reader *r, const sym_view *leaf)
{
    return leaf->op == SYM_VARIABLE && leaf->id < r->system->unknown.count &&
           r->system->unknown.item[leaf->id].parameter;
}

/* Whether an initial equation belongs to a discrete variable. */
static bool take_initial(model_reader *r, const model_scalar_equation *e)
{
    model_span at = e->from->at;
    sym_view left = sym_look(r->system->graph, e->lhs);
    if (begins(r, e->lhs, e->rhs, at)) return true;
    if (has_unknown(r, e)) return e->other;
    if (is_found(r, &left)) return false; /* k = d gives the parameter k */
    if (begins(r, e->rhs, e->lhs, at)) return true;
    bool finds = model_any_leaf(r, e->lhs, is_found) || model_any_leaf(r, e->rhs, is_found);
    return !finds && is_unsolved(r, e);
}

void model_take_definitions(model_flattening *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->list.count; i++) {
        const model_scalar_equation e = f->list.item[i];
        if (!(f->r->mode.initial ? take_initial(f->r, &e) : take_definition(f, &e)))
            f->list.item[kept++] = e;
    }
    f->list.count = kept;
}

/* Where each declared variable is defined; an empty span: not yet. */
typedef struct defining {
    model_reader *r;
    model_span *by;
    bool *in_when;
} defining;

static bool is_call(sym_op op)
{
    return op == SYM_CALL;
}

static void define(defining *d, uint32_t variable, sym value, model_span at, bool in_when)
{
    model_reader *r = d->r;
    sym_discrete *v = &r->system->discrete.variable.item[variable];
    model_span *by = &d->by[variable];
    if (by->end && in_when && d->in_when[variable]) {
        model_error(
            r, at, "%s is over-determined: assigned in more than one when-clause, also in line %u",
            "join the when-clauses: when ... elsewhen ...", v->name, model_line_number(r, *by));
        return;
    }
    if (by->end) {
        model_error(r, at, "%s is over-determined: it also has the equation in line %u",
                    "leave out one of them", v->name, model_line_number(r, *by));
        return;
    }
    *by = at;
    d->in_when[variable] = in_when;
    v->definition = value;
    check_whole(r, variable, value, at);
    if (!model_has_trait(r, value, TRAIT_CHANGES)) return;
    model_error(r, at, "%s changes at events alone, but this value changes between them",
                "a value changes at events alone in a when", v->name);
    bool calls = sym_any(r->graph, 1, &value, is_call);
    if (v->type != SYM_REAL_TYPE)
        model_remedy(r, calls
                            ? "let the external function return a Real, and compare that: f(x) > 1"
                            : "leave out noEvent() around its relations");
}

/* v = w between two discrete variables defines the one that has no other definition. */
static void define_equal(defining *d, model_scalar_equations *list)
{
    model_reader *r = d->r;
    while (list->count) {
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++) {
            const model_scalar_equation e = list->item[i];
            uint32_t a = model_declared_of(r, e.lhs, false), b = model_declared_of(r, e.rhs, false);
            bool any = d->by[a].end || d->by[b].end;
            if (!any)
                list->item[kept++] = e;
            else if (d->by[a].end)
                define(d, b, e.lhs, e.from->at, false);
            else
                define(d, a, e.rhs, e.from->at, false);
        }
        bool stuck = kept == list->count;
        list->count = kept;
        if (!stuck) continue;
        const model_scalar_equation e = list->item[--list->count];
        define(d, model_declared_of(r, e.lhs, false), e.rhs, e.from->at, false);
    }
}

/* Take the definitions by equations. Those that leave a choice come last. */
static void define_by_equations(defining *d, const model_flattening *f)
{
    model_reader *r = d->r;
    model_scalar_equations equal = {0};
    for (size_t i = 0; i < f->definition.count; i++) {
        const model_scalar_equation *e = &f->definition.item[i];
        uint32_t a = model_declared_of(r, e->lhs, false), b = model_declared_of(r, e->rhs, false);
        if (!e->defines && a != MODEL_NO_VARIABLE && b != MODEL_NO_VARIABLE)
            list_push(r->a, &equal, *e);
        else if (a != MODEL_NO_VARIABLE)
            define(d, a, e->rhs, e->from->at, e->defines && r->discrete.item[a].symbol->in_when);
        else
            define(d, b, e->lhs, e->from->at, false);
    }
    define_equal(d, &equal);
}

/* Report variables without a definition. One to which an algorithm assigns keeps its value, as does
 * an input. */
static void check_defined(const defining *d)
{
    model_reader *r = d->r;
    if (r->reports.list.count || r->dropped) return; /* the definition may have been left out */
    for (uint32_t k = 0; k < r->discrete.count; k++) {
        const model_symbol *s = r->discrete.item[k].symbol;
        const char *name = r->system->discrete.variable.item[k].name;
        if (d->by[k].end || r->discrete.item[k].kept) continue;
        if (s->declaration->direction == DIRECTION_INPUT) {
            list_push(r->a, &r->held, name);
            continue;
        }
        model_error(r, s->declaration->at, "the discrete variable %s gets no value", NULL, name);
        if (s->in_when)
            model_remedy(r, "a when assigns to other elements of %s: assign to all of them",
                         s->name);
        else if (s->type.base == TYPE_REAL)
            model_remedy(r, "assign to it in a when, or declare it without 'discrete'");
        else if (s->type.base == TYPE_INTEGER)
            model_remedy(r, "write one equation for it with a whole value: %s = integer(...)",
                         name);
        else
            model_remedy(r, "write one equation for it: %s = ...", name);
    }
}

/* The definition of a discrete variable, in the search for loops. */
typedef struct definition {
    model_node node; /* uses: the definitions of the variables in its value */
    uint32_t variable;
    model_span at;
} definition;

/* A loop passes through a variable that the author declared. Report it from there. */
static void report_loop(model_reader *r, const model_nodes *stack, const model_node *end)
{
    enum { SHOWN = 10 };
    size_t first = stack->count - 1;
    while (stack->item[first] != end) first--;
    size_t count = stack->count - first, from = 0;
    const sym_discrete *all = r->system->discrete.variable.item;
    const definition *d = (const definition *)stack->item[first];
    while (d->variable >= r->discrete.count && from + 1 < count)
        d = (const definition *)stack->item[first + ++from];
    const sym_discrete *v = &all[d->variable];
    const char *path = "", *before = arena_format(r->a, "pre(%s)", v->name);
    for (size_t i = 1; i < count && i <= SHOWN; i++) {
        const definition *other = (const definition *)stack->item[first + (from + i) % count];
        if (all[other->variable].is_condition) continue;
        path = arena_format(r->a, "%s%s%s", path, *path ? ", " : " through ",
                            all[other->variable].name);
        if (other != d && other->variable < r->discrete.count)
            before = arena_format(r->a, "%s or pre(%s)", before, all[other->variable].name);
    }
    model_error(r, d->at, "%s loop: %s depends on itself%s", NULL,
                v->type == SYM_BOOLEAN_TYPE ? "Boolean" : "discrete", v->name, path);
    model_remedy(r, "the value before the event is written %s", before);
}

static void check_loops(const defining *d)
{
    model_reader *r = d->r;
    size_t count = r->system->discrete.variable.count;
    definition *all = arena_array(r->a, count, sizeof *all);
    for (uint32_t k = 0; k < count; k++) {
        const sym *reached;
        all[k].variable = k;
        all[k].at = k < r->discrete.count ? d->by[k] : r->model->at;
        size_t nodes = sym_reach(r->graph, 1, &r->system->discrete.variable.item[k].definition,
                                 &reached);
        for (size_t i = 0; i < nodes; i++) {
            uint32_t needed = model_variable_of(r, reached[i], false);
            if (needed != MODEL_NO_VARIABLE) list_push(r->a, &all[k].node.uses, &all[needed].node);
        }
    }
    for (size_t k = 0; k < count; k++) model_search(r, &all[k].node, report_loop, NULL);
}

void model_define(model_flattening *f)
{
    model_reader *r = f->r;
    size_t count = r->discrete.count, errors = r->reports.errors;
    defining d = {.r = r,
                  .by = arena_array(r->a, count, sizeof *d.by),
                  .in_when = arena_array(r->a, count, sizeof *d.in_when)};
    for (size_t i = 0; i < f->assigned.count; i++) {
        const model_assignment *x = &f->assigned.item[i];
        define(&d, x->variable, x->value, x->at, true);
    }
    define_by_equations(&d, f);
    check_defined(&d);
    if (r->reports.errors == errors) check_loops(&d);
}
