#include "symbolic/domain.h"

#include "symbolic/simplify.h"

/* A multiple: factor times a node, or factor times a sum whose first factor is 1. */
typedef struct multiple {
    double factor;
    sym_view of;
    sym node;
} multiple;

static multiple as_multiple(const sym_graph *g, sym node)
{
    multiple m = {1, sym_look(g, node), node};
    if (m.of.op != SYM_SUM || m.of.count == 0) return m;
    m.factor = m.of.factor[0];
    if (m.of.count == 1 && m.of.value == 0) m.node = m.of.argument[0];
    return m;
}

/* Whether one expression is a number times the other. */
static bool is_multiple(const sym_graph *g, sym one, sym other)
{
    multiple a = as_multiple(g, one), b = as_multiple(g, other);
    if (a.node == b.node) return true;
    if (a.of.op != SYM_SUM || b.of.op != SYM_SUM || a.of.count != b.of.count) return false;
    if (a.of.value * b.factor != b.of.value * a.factor) return false;
    for (uint32_t i = 0; i < a.of.count; i++) {
        if (a.of.argument[i] != b.of.argument[i]) return false;
        if (a.of.factor[i] * b.factor != b.of.factor[i] * a.factor) return false;
    }
    return true;
}

static bool holds_at_zero(sym_op op)
{
    return op == SYM_SIN || op == SYM_TAN || op == SYM_ASIN || op == SYM_ATAN || op == SYM_SINH ||
           op == SYM_TANH || op == SYM_ABS;
}

typedef struct vanishing {
    const sym_graph *g;
    sym with;
} vanishing;

/* Whether a node vanishes, as a multiple or because its arguments do. */
static double vanishes(void *context, sym node, const sym_view *v, const double *zero)
{
    const vanishing *with = context;
    bool all = v->count > 0, any = false;
    if (v->op == SYM_CONSTANT) return false;
    if (is_multiple(with->g, node, with->with)) return true;
    for (uint32_t i = 0; i < v->count; i++) {
        all = all && zero[i];
        if (v->op == SYM_PRODUCT && zero[i] && v->factor[i] < 0) return false;
        any = any || zero[i];
    }
    if (v->op == SYM_PRODUCT) return any;
    if (v->op == SYM_SUM) return all && v->value == 0;
    return all && (v->op == SYM_MIN || v->op == SYM_MAX || holds_at_zero(v->op));
}

/* Whether f is visibly zero wherever r is. */
static bool vanishes_with(sym_graph *g, sym f, sym r)
{
    vanishing with = {g, r};
    return sym_is(g, f, 0) || sym_fold(g, f, vanishes, &with) != 0;
}

/* Whether f vanishes wherever one of the relations of a condition switches. */
static bool meets(sym_graph *g, sym condition, sym f)
{
    const sym *reached;
    bool any = false;
    size_t count = sym_keep_reached(g, 1, &condition, &reached);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(g, reached[k]);
        if (v.op < SYM_LESS || v.op > SYM_EQUAL) continue;
        if (!vanishes_with(g, f, sym_subtract(g, v.argument[0], v.argument[1]))) return false;
        any = true;
    }
    return any;
}

static bool jumps(sym_graph *g, const sym_view *v)
{
    if (v->op == SYM_IF)
        return !meets(g, v->argument[0], sym_subtract(g, v->argument[1], v->argument[2]));
    return v->op == SYM_SIGN || v->op == SYM_FLOOR || v->op == SYM_CEIL;
}

/* Whether the jump is a sign(x) in a product with a factor that vanishes at x = 0. */
static bool is_smoothed(sym_graph *g, const sym_view *product, sym jumping)
{
    sym_view v = sym_look(g, jumping);
    if (product->op != SYM_PRODUCT || v.op != SYM_SIGN) return false;
    for (uint32_t i = 0; i < product->count; i++)
        if (product->argument[i] != jumping && product->factor[i] > 0 &&
            vanishes_with(g, product->argument[i], v.argument[0]))
            return true;
    return false;
}

static double may_jump(void *graph, sym node, const sym_view *v, const double *jump)
{
    (void)node;
    if (jumps(graph, v)) return true;
    if (v->op >= SYM_LESS && v->op <= SYM_NOT) return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (jump[i] && !is_smoothed(graph, v, v->argument[i])) return true;
    return false;
}

bool sym_may_jump(sym_graph *g, sym root)
{
    return sym_fold(g, root, may_jump, g) != 0;
}
