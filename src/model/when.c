/* when-clauses of equations, and reinit() (Modelica 3.6, Sec. 8.3.5 and 8.3.6).
 *
 * A when-clause is an if of assignments, whose conditions are that a condition has become true. A
 * variable to which it does not assign then keeps its value. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "symbolic/simplify.h"

bool model_may_use_when(model_reader *r, const model_clause *c)
{
    if (r->mode.when)
        return model_error(r, c->at, "a when inside a when",
                           "join the conditions: when a and b then");
    if (r->mode.initial)
        return model_error(r, c->at, "a when is not allowed in an initial equation", "use an if");
    if (r->mode.guard)
        return model_refuse(r, c->at, "when inside an if",
                            "a when under a condition that changes with time is not supported yet",
                            "join the conditions: when a and b then");
    return true;
}

void model_flatten_when(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    if (!model_may_use_when(r, c)) return;
    size_t count = c->branch.count;
    sym *condition = arena_array(r->a, count, sizeof *condition);
    size_t *begin = arena_array(r->a, count, sizeof *begin);
    model_guard *guard = arena_array(r->a, count, sizeof *guard);
    for (size_t k = 0; k < count; k++) {
        condition[k] = model_when_condition(r, c->branch.item[k].condition);
        if (condition[k] == SYM_NONE) condition[k] = sym_number(r->graph, 0); /* reported */
        guard[k] = (model_guard){condition[k], true, k ? &guard[k - 1] : NULL};
        begin[k] = f->branch = f->assigned.count;
        r->mode.when = c;
        r->mode.guard = &guard[k];
        r->mode.no_event++; /* all is discrete in it (Sec. 3.8.4) */
        model_flatten_clauses(f, &c->branch.item[k].body);
        r->mode.no_event--;
        r->mode.when = NULL;
        r->mode.guard = NULL;
        guard[k].holds = false; /* for the branches after */
    }
    f->branch = begin[0];
    model_merge_assigned(f, count, condition, begin);
}

/* Assign a value to a discrete variable in the present branch. */
static void assign(model_flattening *f, uint32_t variable, sym value, model_span at)
{
    model_reader *r = f->r;
    model_discrete *d = &r->discrete.item[variable];
    bool again = d->latest >= f->branch && d->latest < f->assigned.count &&
                 f->assigned.item[d->latest].variable == variable;
    if (again) {
        model_error(r, at, "%s is over-determined: assigned twice here, also in line %u",
                    "leave out one of the equations",
                    r->system->discrete.variable.item[variable].name,
                    model_line_number(r, f->assigned.item[d->latest].at));
        return;
    }
    model_assignment x = {variable, value, at, d->latest};
    d->latest = f->assigned.count;
    list_push(r->a, &f->assigned, x);
}

void model_flatten_in_when(model_flattening *f, const model_clause *c, model_expression *left,
                           const model_value *lhs, const model_value *rhs)
{
    model_reader *r = f->r;
    for (size_t i = 0; i < lhs->count; i++) {
        uint32_t variable = model_declared_of(r, model_element(lhs, i), false);
        if (left->kind != EXPRESSION_REFERENCE || variable == MODEL_NO_VARIABLE) {
            model_error(r, left->at, "in a when, the left side must be a variable",
                        "solve the equation for its variable");
            return;
        }
        assign(f, variable, model_element(rhs, i), c->at);
    }
}

/* The value that the assignments from `begin` to `end` give to each variable of `all`, if
 * `condition` holds; else the value that it has so far. */
static void merge_branch(model_flattening *f, sym condition, size_t begin, size_t end,
                         model_assignment *all, size_t count)
{
    model_reader *r = f->r;
    for (size_t i = begin; i < end; i++) r->discrete.item[f->assigned.item[i].variable].latest = i;
    for (size_t i = 0; i < count; i++) {
        size_t latest = r->discrete.item[all[i].variable].latest;
        bool assigns = latest >= begin && latest < end;
        sym value = assigns ? f->assigned.item[latest].value
                            : model_before_leaf(r, all[i].variable);
        all[i].value = condition == SYM_NONE ? value
                                             : sym_if(r->graph, condition, value, all[i].value);
    }
}

void model_merge_assigned(model_flattening *f, size_t count, const sym *condition,
                          const size_t *begin)
{
    model_reader *r = f->r;
    size_t first = begin[0], end = f->assigned.count, variables = 0;
    model_assignment *all = arena_array(r->a, end - first, sizeof *all);
    for (size_t i = first; i < end; i++) {
        const model_assignment *x = &f->assigned.item[i];
        bool seen = x->earlier >= first && x->earlier < i &&
                    f->assigned.item[x->earlier].variable == x->variable;
        if (seen) continue;
        all[variables] = *x;
        all[variables++].value = model_before_leaf(r, x->variable);
    }
    for (size_t k = count; k-- > 0;)
        merge_branch(f, condition[k], begin[k], k + 1 < count ? begin[k + 1] : end, all, variables);
    f->assigned.count = first;
    for (size_t i = 0; i < variables; i++) {
        r->discrete.item[all[i].variable].latest = all[i].earlier;
        assign(f, all[i].variable, all[i].value, all[i].at);
    }
}

void model_reinit(model_reader *r, model_expression *call)
{
    model_arguments a;
    if (!r->mode.when) {
        model_error(r, call->at, "reinit() is allowed only in a when",
                    "a start value is given by x(start = 1, fixed = true)");
        return;
    }
    if (!model_bind_arguments(r, call, &a)) return;
    model_expression *named = model_named_element(r, a.expression[0]);
    if (named) a.expression[0] = named;
    model_value x = model_evaluate(r, a.expression[0]), v = model_evaluate(r, a.expression[1]);
    if (x.type.base == TYPE_NONE || v.type.base == TYPE_NONE) return;
    if (x.type.base != TYPE_REAL || a.expression[0]->kind != EXPRESSION_REFERENCE) {
        model_report_type(r, a.expression[0], &x, "a Real variable");
        return;
    }
    if (!model_is_numeric(&v) || !model_same_size(&x, &v)) {
        model_report_type(r, a.expression[1], &v, "a number like the variable");
        model_remedy(r, "the variable is %s %s", model_type_text(r, x.type),
                     model_size_text(r, &x));
        return;
    }
    for (size_t i = 0; i < x.count; i++) {
        sym_view leaf = sym_look(r->graph, model_element(&x, i));
        bool unknown = leaf.op == SYM_VARIABLE && leaf.order == 0;
        model_reset d = {.id = unknown ? leaf.id : UINT32_MAX,
                         .at = call->at,
                         .name = model_shown(r, a.expression[0])};
        list_push(r->a, &r->reset, d);
        sym_action action = {.kind = SYM_REINIT,
                             .unknown = d.id,
                             .value = model_element(&v, i),
                             .at = model_place(&r->source, call->at)};
        if (unknown) model_act(r, action);
    }
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

void model_check_resets(model_reader *r)
{
    size_t unknowns = r->system->unknown.count, count = r->system->equation.count;
    if (r->reset.count == 0) return;
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
    for (size_t i = 0; i < r->reset.count; i++) {
        const model_reset *d = &r->reset.item[i];
        if (d->id < unknowns && state[root_of(parent, d->id)]) continue;
        model_error(r, d->at, "reinit(%s): %s is not a state",
                    "only a variable whose derivative appears can be reinitialised", d->name,
                    d->name);
    }
}
