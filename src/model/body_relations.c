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
    LIST(sym) of; /* left - right of relations */
} surfaces;

static sym difference_of(sym_graph *g, const sym_view *relation)
{
    return sym_subtract(g, relation->argument[0], relation->argument[1]);
}

/* Whether a b = c d. Where numbers follow from parameters, that must stay so. */
static bool are_equal(sym_graph *g, double a, double b, double c, double d)
{
    double one = sym_calculate(g, TRACED_PRODUCT, a, b);
    return sym_ask(g, IS_EQUAL, one, sym_calculate(g, TRACED_PRODUCT, c, d));
}

static sym_view as_sum(const sym_graph *g, const sym *f)
{
    static const double one = 1;
    sym_view view = sym_look(g, *f);
    return view.op == SYM_SUM ? view : (sym_view){.count = 1, .argument = f, .factor = &one};
}

/* Whether one expression is a multiple of the other: they are 0 together. */
static bool is_multiple(sym_graph *g, sym f, sym of)
{
    sym_view a = as_sum(g, &f), b = as_sum(g, &of);
    if (a.count != b.count || a.count == 0) return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (a.argument[i] != b.argument[i]) return false;
    for (uint32_t i = 1; i < a.count; i++)
        if (!are_equal(g, a.factor[i], b.factor[0], b.factor[i], a.factor[0])) return false;
    return are_equal(g, a.value, b.factor[0], b.value, a.factor[0]);
}

static bool is_found(const surfaces *s, sym difference)
{
    for (size_t i = 0; i < s->of.count; i++)
        if (s->of.item[i] == difference) return true;
    for (size_t i = 0; i < s->of.count; i++)
        if (is_multiple(s->r->graph, difference, s->of.item[i])) return true;
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
        list_push(s->r->a, &s->of, difference_of(g, &view));
    }
}

/* A sym_transformation. */
static sym with_mode(void *context, sym old, sym rebuilt)
{
    const surfaces *s = context;
    sym_graph *g = s->r->graph;
    if (!sym_is_body_relation(g, old)) return rebuilt;
    sym_view view = sym_look(g, rebuilt);
    if (view.count < 2) return rebuilt;
    bool found = is_found(s, difference_of(g, &view));
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
