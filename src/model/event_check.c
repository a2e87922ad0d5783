#include "model/flatten.h"

#include "model/instance.h"
#include "symbolic/simplify.h"

#include <stdlib.h>

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
                    d->name, model_line_number(r, before->at));
        model_remedy(r, "join the when-clauses: when ... elsewhen ...");
    }
}

/* The definition of a variable, NULL if it has none or several. */
static model_defined *definition(const model_events *events, uint32_t id)
{
    size_t low = 0, high = events->boolean.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (events->boolean.item[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    model_defined *d = events->boolean.item + low;
    bool found = low < events->boolean.count && d->id == id;
    return found && (low + 1 == events->boolean.count || d[1].id != id) ? d : NULL;
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
    model_error(r, d->at, "Boolean loop: %s depends on itself%s", d->name, path);
    model_remedy(r, "its value before the event is pre(%s)", d->name);
}

static void check_boolean(model_reader *r, model_events *events)
{
    size_t count = events->boolean.count;
    if (count) qsort(events->boolean.item, count, sizeof *events->boolean.item, by_id);
    for (size_t i = 0; i < count; i++) {
        model_defined *d = &events->boolean.item[i];
        const sym *reached;
        size_t nodes = sym_reach(r->graph, 1, &d->value, &reached);
        for (size_t k = 0; k < nodes; k++) {
            sym_view view = sym_look(r->graph, reached[k]);
            model_defined *need = view.op == SYM_VARIABLE ? definition(events, view.id) : NULL;
            if (need) list_push(r->a, &d->node.uses, &need->node);
        }
    }
    for (size_t i = 0; i < count; i++)
        model_search(r, &events->boolean.item[i].node, report_loop, NULL);
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
        model_error(r, d->at, "reinit(%s): %s is not a state", d->name, d->name);
        model_remedy(r, "only a variable whose derivative appears can start anew");
    }
}

void model_check_events(model_reader *r, model_events *events)
{
    check_assigned(r, events);
    check_boolean(r, events);
    check_reinit(r, events);
}
