/* Relations that bend: pulses of exp(-x^2) or x^4 between points of a step.
 *
 * Along the polynomial of a step a relation that is a polynomial of low degree of the unknowns is
 * one itself, and few points tell all of it. Of others they do not: where all values at points are
 * alike there may be a pulse between them. Interval arithmetic bounds these. */
#include "event/switching.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

/* Up to this power an unknown bends no more than the points of a step show. */
static const double SHOWN_POWER = 3;

/* Relations of more nodes are left to points. */
enum { MOST_NODES = 400 };

static bool is_flat_function(sym_op op)
{
    return op == SYM_SIGN || op == SYM_FLOOR || op == SYM_CEIL;
}

/* Whether points may not show the course of a node between them. */
static bool bends(const sym_graph *g, sym node)
{
    sym_view v = sym_look(g, node);
    if (v.op == SYM_POWER || v.op == SYM_ATAN2 || v.op == SYM_MIN || v.op == SYM_MAX) return true;
    for (uint32_t i = 0; v.op == SYM_PRODUCT && i < v.count; i++) {
        double power = sym_value(g, v.factor[i]);
        if (power != floor(power) || power < 0 || power > SHOWN_POWER) return true;
    }
    return sym_is_function(v.op) && !is_flat_function(v.op);
}

/* Whether points may not show the course of f, and bounds may: what is given from outside, or a
 * function without a formula, has none.
 */
static bool is_bent(sym_graph *g, sym f)
{
    const sym *reached;
    size_t count = sym_reach(g, 1, &f, &reached);
    bool any = false;
    for (size_t k = 0; k < count; k++) {
        sym_op op = sym_look(g, reached[k]).op;
        if (op == SYM_INPUT || op == SYM_CALL) return false;
        any = any || bends(g, reached[k]);
    }
    return any && count <= MOST_NODES;
}

void switching_find_bent(switching *s, arena *a, sym_graph *g)
{
    size_t most = 0;
    s->bent = arena_array(a, s->roots + 1, sizeof *s->bent);
    for (size_t j = 0; j < s->roots; j++) {
        sym_view view = sym_look(g, sym_relation_node(g, s->of_root[j]));
        sym difference = sym_subtract(g, view.argument[0], view.argument[1]);
        structure_to_core(s->system, s->f->core, 1, &difference);
        if (!is_bent(g, difference)) continue;
        sym slope = sym_time_derivative(g, difference);
        if (!switching_knows(s, g, slope)) slope = sym_number(g, (double)NAN);
        s->bent[j] = arena_take(a, sizeof *s->bent[j]);
        enclosure_make(s->bent[j], a, g, difference, slope);
        if (s->bent[j]->nodes > most) most = s->bent[j]->nodes;
    }
    s->bounds = arena_array(a, most + 1, sizeof *s->bounds);
}

typedef struct box {
    const prolongation *p;
    const double *low, *high; /* z */
} box;

static range in_box(const void *context, const sym_view *leaf)
{
    const box *b = context;
    size_t at = prolongation_slot((void *)b->p, leaf) - 1;
    return (range){b->low[at], b->high[at]};
}

bool switching_bends(const switching *s, size_t root)
{
    return root < s->roots && s->bent[root] && !switching_slides(s, s->of_root[root]);
}

void switching_enclose(switching *s, size_t root, range time, const double *low, const double *high,
                       range *value, range *slope)
{
    const enclosure *c = s->bent[root];
    const box b = {s->f->p, low, high};
    enclosure_evaluate(c, time, in_box, &b, s->bounds);
    *value = s->bounds[c->value];
    *slope = s->bounds[c->slope];
}
