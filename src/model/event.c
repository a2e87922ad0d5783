/* Constructs for events: when-clauses, reinit() and Boolean variables. They are checked and then
 * refused, because events are not supported yet. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "symbolic/simplify.h"

#include <stdlib.h>

static void check_condition(model_reader *r, model_expression *e)
{
    r->mode.in_condition++;
    model_value v = model_evaluate(r, e);
    r->mode.in_condition--;
    if (v.type.base == TYPE_NONE) return;
    if (v.type.base != TYPE_BOOLEAN || v.rank > 1)
        model_error(r, e->at, "the condition of a when must be Boolean, %s is %s",
                    "a condition compares numbers, as in x > 0", model_shown(r, e),
                    model_type_text(r, v.type));
}

void model_flatten_when(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    const model_clause *outer = f->when;
    if (outer) {
        model_error(r, c->at, "a when inside a when", "join the conditions: when a and b then");
    } else if (f->initial) {
        model_error(r, c->at, "a when is not allowed in an initial equation", "use an if");
    } else {
        model_refuse(r, c->at, "when", "when-equations are not supported yet",
                     MODEL_WITHOUT_EVENTS);
    }
    if (!outer) f->when = c;
    for (size_t k = 0; k < c->branch.count; k++) {
        check_condition(r, c->branch.item[k].condition);
        model_flatten_clauses(f, &c->branch.item[k].body);
    }
    f->when = outer;
}

/* Note the variables on the left side as assigned by this when-clause. */
static void note_assigned(model_flattening *f, const model_clause *c, model_expression *left)
{
    model_reader *r = f->r;
    if (left->kind == EXPRESSION_NONE) return;
    model_value v = model_evaluate(r, left);
    if (v.type.base == TYPE_NONE) return;
    if (left->kind != EXPRESSION_REFERENCE) {
        model_error(r, left->at, "in a when, the left side must be a variable",
                    "solve the equation for its variable");
        return;
    }
    for (size_t i = 0; i < v.count; i++) {
        sym_view leaf = sym_look(r->graph, model_element(&v, i));
        if (leaf.op != SYM_VARIABLE) {
            model_error(r, left->at, "in a when, the left side must be a variable",
                        "solve the equation for its variable");
            return;
        }
        model_defined d = {
            .id = leaf.id, .at = c->at, .name = model_shown(r, left), .when = f->when};
        list_push(r->a, &f->events.assigned, d);
    }
}

void model_flatten_in_when(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    if (c->left->kind == EXPRESSION_TUPLE) {
        for (uint32_t i = 0; i < c->left->count; i++) note_assigned(f, c, c->left->operand[i]);
        return;
    }
    note_assigned(f, c, c->left);
    model_value lhs = model_evaluate(r, c->left), rhs = model_evaluate(r, c->right);
    model_sides_fit(r, c, &lhs, &rhs);
}

void model_flatten_reinit(model_flattening *f, model_expression *call)
{
    model_reader *r = f->r;
    model_arguments a;
    if (!f->when) {
        model_error(r, call->at, "reinit() is allowed only in a when",
                    "a start value is given by x(start = 1, fixed = true)");
        return;
    }
    if (!model_bind_arguments(r, call, &a)) return;
    model_value x = model_evaluate(r, a.expression[0]), v = model_evaluate(r, a.expression[1]);
    if (x.type.base == TYPE_NONE || v.type.base == TYPE_NONE) return;
    if (x.type.base != TYPE_REAL || a.expression[0]->kind != EXPRESSION_REFERENCE) {
        model_report_type(r, a.expression[0], &x, "a Real variable");
    } else if (!model_is_numeric(&v) || !model_same_size(&x, &v)) {
        model_report_type(r, a.expression[1], &v, "a number like the variable");
    }
    model_refuse(r, call->at, "reinit", "reinit() is not supported yet", MODEL_WITHOUT_EVENTS);
    for (size_t i = 0; i < x.count; i++) {
        sym_view leaf = sym_look(r->graph, model_element(&x, i));
        model_defined d = {
            .at = call->at, .name = model_shown(r, a.expression[0]), .when = f->when};
        d.id = leaf.op == SYM_VARIABLE ? leaf.id : UINT32_MAX;
        list_push(r->a, &f->events.reinit, d);
    }
}

static int by_id(const void *a, const void *b)
{
    const model_defined *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->at.begin > y->at.begin) - (x->at.begin < y->at.begin);
}

static void check_assigned(model_reader *r, model_events *events)
{
    size_t count = events->assigned.count;
    if (count) qsort(events->assigned.item, count, sizeof *events->assigned.item, by_id);
    for (size_t i = 1; i < count; i++) {
        const model_defined *before = &events->assigned.item[i - 1], *d = &events->assigned.item[i];
        if (d->id != before->id || d->when == before->when) continue;
        model_error(r, d->at,
                    "%s is over-determined: assigned in more than one when-clause, also in line %u",
                    "join the when-clauses: when ... elsewhen ...", d->name,
                    model_line_number(r, before->at));
    }
}

static void report_loop(model_reader *r, const model_nodes *stack, const model_node *end)
{
    size_t first = stack->count - 1;
    while (stack->item[first] != end) first--;
    const char *path = "";
    for (size_t i = first + 1; i < stack->count && i <= first + 10; i++)
        path = arena_format(r->a, "%s%s%s", path, *path ? ", " : " through ",
                            ((model_defined *)stack->item[i])->name);
    const model_defined *d = (const model_defined *)end;
    model_error(r, d->at, "Boolean loop: %s depends on itself%s", NULL, d->name, path);
    model_remedy(r, "its value before the event is pre(%s)", d->name);
}

static void check_boolean(model_reader *r, model_events *events)
{
    size_t count = events->boolean.count;
    model_defined *all = events->boolean.item, several = {0};
    if (count) qsort(all, count, sizeof *all, by_id);
    model_defined **of = arena_array(r->a, r->stand_ins, sizeof *of); /* NULL: none */
    for (size_t i = 0; i < count; i++) {
        model_defined **own = &of[all[i].id - MODEL_FIRST_STAND_IN];
        *own = *own ? &several : &all[i];
    }
    for (size_t i = 0; i < count; i++) {
        model_defined *d = &all[i];
        const sym *reached;
        size_t nodes = sym_reach(r->graph, 1, &d->value, &reached);
        for (size_t k = 0; k < nodes; k++) {
            sym_view view = sym_look(r->graph, reached[k]);
            bool other = view.op == SYM_VARIABLE && view.id >= MODEL_FIRST_STAND_IN;
            model_defined *need = other ? of[view.id - MODEL_FIRST_STAND_IN] : NULL;
            if (need && need != &several) list_push(r->a, &d->node.uses, &need->node);
        }
    }
    for (size_t i = 0; i < count; i++) model_search(r, &all[i].node, report_loop, NULL);
}

static uint32_t root_of(uint32_t *parent, uint32_t id)
{
    while (parent[id] != id) id = parent[id] = parent[parent[id]];
    return id;
}

/* Join x and y for x = y or x = -y, because either of them may be a state if the other is. */
static void join_alias(const model_reader *r, uint32_t *parent, const sym_equation *e)
{
    sym difference = sym_subtract(r->graph, e->lhs, e->rhs);
    sym_view sum = sym_look(r->graph, difference);
    if (sum.op != SYM_SUM || sum.count != 2) return;
    sym_view a = sym_look(r->graph, sum.argument[0]), b = sym_look(r->graph, sum.argument[1]);
    size_t count = r->system->unknown.count;
    if (a.op != SYM_VARIABLE || b.op != SYM_VARIABLE || a.order || b.order) return;
    if (a.id < count && b.id < count) parent[root_of(parent, a.id)] = root_of(parent, b.id);
}

static void check_reinit(model_reader *r, const model_events *events)
{
    size_t unknowns = r->system->unknown.count, count = r->system->equation.count;
    if (events->reinit.count == 0) return;
    uint32_t *parent = arena_array(r->a, unknowns, sizeof *parent);
    bool *state = arena_array(r->a, unknowns, sizeof *state);
    for (uint32_t i = 0; i < unknowns; i++) parent[i] = i;
    sym *side = arena_array(r->a, 2 * count, sizeof *side);
    for (size_t i = 0; i < count; i++) {
        const sym_equation *e = &r->system->equation.item[i];
        join_alias(r, parent, e);
        side[2 * i] = e->lhs;
        side[2 * i + 1] = e->rhs;
    }
    const sym *reached;
    size_t nodes = sym_reach(r->graph, 2 * count, side, &reached);
    for (size_t i = 0; i < nodes; i++) {
        sym_view view = sym_look(r->graph, reached[i]);
        if (view.op == SYM_VARIABLE && view.order && view.id < unknowns)
            state[root_of(parent, view.id)] = true;
    }
    for (size_t i = 0; i < events->reinit.count; i++) {
        const model_defined *d = &events->reinit.item[i];
        if (d->id < unknowns && state[root_of(parent, d->id)]) continue;
        model_error(r, d->at, "reinit(%s): %s is not a state",
                    "only a variable whose derivative appears can be reinitialised", d->name,
                    d->name);
    }
}

void model_check_events(model_reader *r, model_events *events)
{
    check_assigned(r, events);
    check_boolean(r, events);
    check_reinit(r, events);
}
