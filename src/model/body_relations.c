/* Relations in the bodies of when-clauses.
 *
 * A body is evaluated at events alone, so that its relations need none of their own (Modelica 3.6,
 * Sec. 8.5). But where h < 0.5 has just triggered the clause, h is 0.5 up to rounding, and its body
 * must not ask again: when {h < 0.5, h > 1} then pump = h < 0.5 switches the pump on. A relation of
 * which the instants are found, because something else switches at its surface, has its mode in a
 * body as well. */
#include "model/discrete.h"
#include "symbolic/derive.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

typedef struct surfaces {
    model_reader *r;
    LIST(sym) of; /* left - right of relations, divided by the factor of their first term */
} surfaces;

static sym surface_of(surfaces *s, const sym_view *relation)
{
    sym_graph *g = s->r->graph;
    sym difference = sym_subtract(g, relation->argument[0], relation->argument[1]);
    sym_view view = sym_look(g, difference);
    if (view.op != SYM_SUM || view.count == 0) return difference;
    double *factor = arena_array(s->r->a, view.count, sizeof *factor);
    double first = sym_value(g, view.factor[0]);
    for (uint32_t i = 0; i < view.count; i++) factor[i] = sym_value(g, view.factor[i]) / first;
    return sym_sum(g, sym_value(g, view.value) / first, view.count, view.argument, factor);
}

static bool is_found(const surfaces *s, sym surface)
{
    for (size_t i = 0; i < s->of.count; i++)
        if (s->of.item[i] == surface) return true;
    return false;
}

/* Adds the surfaces of the relations that these expressions hold. */
static void find(surfaces *s, size_t count, const sym *root)
{
    const sym *node;
    sym_graph *g = s->r->graph;
    size_t nodes = sym_keep_reached(g, count, root, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        if (!sym_is_relation(g, node[k])) continue;
        sym surface = surface_of(s, &view);
        if (!is_found(s, surface)) list_push(s->r->a, &s->of, surface);
    }
}

/* A sym_transformation. */
static sym with_mode(void *context, sym old, sym rebuilt)
{
    surfaces *s = context;
    sym_graph *g = s->r->graph;
    if (!sym_is_body_relation(g, old)) return rebuilt;
    sym_view view = sym_look(g, rebuilt);
    if (view.count < 2) return rebuilt;
    bool found = is_found(s, surface_of(s, &view));
    return (found ? sym_relation : sym_binary)(g, view.op, view.argument[0], view.argument[1]);
}

static bool holds_any(const model_reader *r, size_t count, const sym *root)
{
    const sym *node;
    size_t nodes = sym_reach(r->graph, count, root, &node);
    for (size_t k = 0; k < nodes; k++)
        if (sym_is_body_relation(r->graph, node[k])) return true;
    return false;
}

void model_settle_body_relations(model_reader *r)
{
    sym_system *system = r->system;
    sym_discrete_part *d = &system->discrete;
    surfaces s = {.r = r};
    sym *root;
    size_t roots = sym_discrete_roots(r->a, d, &root);
    if (!holds_any(r, roots, root)) return;
    find(&s, roots, root);
    for (size_t i = 0; i < system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i];
        find(&s, 2, (sym[]){e->lhs, e->rhs});
    }
    for (size_t i = 0; i < d->variable.count; i++)
        sym_transform(r->graph, 1, &d->variable.item[i].definition, with_mode, &s);
    for (size_t i = 0; i < d->action.count; i++) {
        sym_transform(r->graph, 1, &d->action.item[i].condition, with_mode, &s);
        sym_transform(r->graph, 1, &d->action.item[i].value, with_mode, &s);
    }
}
