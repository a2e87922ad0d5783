#include "symbolic/domain.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

typedef LIST(sym_domain_limit) limit_list;

bool sym_is_divisor(const sym_domain_limit *limit)
{
    return limit->exponent < 0 && limit->exponent == floor(limit->exponent);
}

static void add(arena *a, limit_list *list, const sym_view *view)
{
    bool function = sym_is_function(view->op) && view->op != SYM_SIN && view->op != SYM_COS;
    if (function || view->op == SYM_POWER)
        list_push(a, list, ((sym_domain_limit){view->op, view->argument[0], 1}));
    for (uint32_t i = 0; view->op == SYM_PRODUCT && i < view->count; i++) {
        sym_domain_limit limit = {view->op, view->argument[i], view->factor[i]};
        if (limit.exponent < 0 || limit.exponent != floor(limit.exponent))
            list_push(a, list, limit);
    }
}

size_t sym_domain_limits(sym_graph *g, size_t count, const sym *roots, size_t known_count,
                         const sym *known, const sym_domain_limit **limits)
{
    arena *a = sym_graph_arena(g);
    const sym *node, *seen;
    limit_list list = {0};
    arena_mark here = arena_here(g->scratch);
    size_t before = sym_reach(g, known_count, known, &seen);
    seen = arena_duplicate(g->scratch, seen, before, sizeof *seen);
    size_t nodes = sym_reach(g, count, roots, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_view_of(g, node[k]);
        if (before == 0 || seen[sym_place(before, seen, node[k])] != node[k]) add(a, &list, &view);
    }
    arena_back(g->scratch, here);
    *limits = list.item;
    return list.count;
}

/* Bounds. */

static double bound_of_sum(const sym_graph *g, const sym_view *view, const double *bound)
{
    double sum = fabs(sym_value(g, view->value));
    for (uint32_t i = 0; i < view->count; i++)
        sum += fabs(sym_value(g, view->factor[i])) * bound[i];
    return sum;
}

/* A divisor may come near 0, so a quotient has no bound. */
static double bound_of_product(const sym_view *view, const double *bound)
{
    double product = 1;
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->factor[i] < 0) return HUGE_VAL;
        product *= pow(bound[i], view->factor[i]);
    }
    return isnan(product) ? HUGE_VAL : product;
}

/* The bound of a node by those of its arguments. */
static double bound_of(void *graph, sym node, const sym_view *view, const double *bound)
{
    (void)node;
    switch (view->op) {
    case SYM_CONSTANT: return fabs(sym_value(graph, view->value));
    case SYM_SUM: return bound_of_sum(graph, view, bound);
    case SYM_PRODUCT: return bound_of_product(view, bound);
    case SYM_MIN:
    case SYM_MAX: return fmax(bound[0], bound[1]);
    case SYM_IF: return fmax(bound[1], bound[2]);
    case SYM_ABS: return bound[0];
    case SYM_ATAN:
    case SYM_ATAN2: return 2 * atan2(1, 0);
    case SYM_TIME:
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL:
    case SYM_AND:
    case SYM_OR:
    case SYM_NOT:
    case SYM_SIN:
    case SYM_COS:
    case SYM_TANH:
    case SYM_SIGN: return 1;
    default: return HUGE_VAL;
    }
}

double sym_bound(sym_graph *g, sym f)
{
    return sym_fold(g, f, bound_of, g);
}

/* Parts without a finite value. */

typedef struct evaluation {
    sym_graph *g;
    sym root;
    size_t inputs;
    sym_slot slot;
    void *context;
    const double *input;
    const sym *node; /* all parts, ascending ... */
    double *value;   /* ... and their values */
    size_t count;
    double *given; /* room for the arguments of any call */
} evaluation;

static void evaluate(void *argument)
{
    evaluation *e = argument;
    e->count = sym_keep_reached(e->g, 1, &e->root, &e->node);
    arena *a = sym_graph_arena(e->g);
    e->value = arena_array(a, e->count, sizeof *e->value);
    sym_tape *tape = sym_tape_compile(a, e->g, e->count, e->node, e->inputs, e->slot, e->context);
    sym_tape_eval(tape, e->input, e->value);
    uint32_t most = 0;
    for (size_t k = 0; k < e->count; k++) {
        sym_view view = sym_view_of(e->g, e->node[k]);
        if (view.op == SYM_CALL && view.count > most) most = view.count;
    }
    e->given = arena_array(a, most + 1, sizeof *e->given);
}

static double value_of(const evaluation *e, sym node)
{
    return e->value[sym_place(e->count, e->node, node)];
}

/* An argument without a finite value; a leaf only if there is no other. Of `if`, only the branch
 * that is taken counts. */
static sym broken_argument(const evaluation *e, const sym_view *view)
{
    uint32_t first = 0, last = view->count;
    if (view->op == SYM_IF) {
        first = value_of(e, view->argument[0]) != 0 ? 1 : 2;
        last = first + 1;
    }
    sym leaf = SYM_NONE;
    for (uint32_t i = first; i < last; i++) {
        if (isfinite(value_of(e, view->argument[i]))) continue;
        if (sym_view_of(e->g, view->argument[i]).count > 0) return view->argument[i];
        leaf = view->argument[i];
    }
    return leaf;
}

static void blame(const evaluation *e, const sym_view *view, sym_breakdown *b)
{
    for (uint32_t i = 0; i < view->count; i++) {
        double value = value_of(e, view->argument[i]);
        double exponent = view->op == SYM_PRODUCT ? view->factor[i] : 1;
        bool broken = view->op == SYM_PRODUCT ? !isfinite(pow(value, exponent)) : view->count == 1;
        if (!broken) continue;
        b->argument = view->argument[i];
        b->value = value;
        b->exponent = exponent;
        return;
    }
}

/* What a call without a formula returned for which values. */
static void blame_call(const evaluation *e, const sym_view *view, sym_breakdown *b)
{
    b->argument = SYM_NONE;
    b->result = value_of(e, b->part);
    for (uint32_t i = 0; i < view->count; i++) e->given[i] = value_of(e, view->argument[i]);
    b->given = e->given;
}

static bool descend(const evaluation *e, sym_breakdown *found)
{
    sym part = e->root;
    if (isfinite(value_of(e, part))) return false;
    for (;;) {
        sym_view view = sym_view_of(e->g, part);
        sym next = broken_argument(e, &view);
        if (next == SYM_NONE) {
            *found = (sym_breakdown){.part = part, .argument = SYM_NONE};
            blame(e, &view, found);
            if (view.op == SYM_CALL) blame_call(e, &view, found);
            return view.count > 0;
        }
        part = next;
    }
}

bool sym_find_breakdown(sym_graph *g, sym root, size_t inputs, sym_slot slot, void *context,
                        const double *input, sym_breakdown *found)
{
    evaluation e = {
        .g = g, .root = root, .inputs = inputs, .slot = slot, .context = context, .input = input};
    return arena_protect(sym_graph_arena(g), evaluate, &e) == DAE_OK && descend(&e, found);
}

bool sym_is_ended_root(const sym_graph *g, const sym_breakdown *b)
{
    bool root = b->argument != SYM_NONE && sym_view_of(g, b->part).op == SYM_PRODUCT;
    return root && b->value < 0 && b->exponent > 0 && b->exponent < 1;
}

static const char *word_of(const sym_breakdown *b, sym_op op)
{
    bool product = op == SYM_PRODUCT;
    if (op == SYM_LOG || op == SYM_LOG10) return "the logarithm of ";
    if (product && b->value == 0) return "a division by ";
    if (product && b->value < 0 && fabs(b->exponent) == 0.5) return "the root of ";
    if (product) return "a power of ";
    return NULL;
}

/* "f(x, n), which returned nan for 1.2, 3" */
static void report_call(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                        text *t)
{
    enum { MOST_VALUES = 8 };
    uint32_t count = sym_view_of(g, b->part).count;
    sym_print(g, b->part, name, context, t);
    text_add(t, ", which returned ");
    text_number(t, b->result);
    for (uint32_t i = 0; i < count && i < MOST_VALUES; i++)
        text_format(t, "%s%.6g", i ? ", " : " for ", b->given[i]);
    if (count > MOST_VALUES) text_format(t, ", ... (%u values)", count);
}

void sym_report_breakdown(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                          text *t)
{
    sym_op op = sym_view_of(g, b->part).op;
    if (op == SYM_CALL) {
        report_call(g, b, name, context, t);
        return;
    }
    const char *word = b->argument == SYM_NONE ? NULL : word_of(b, op);
    if (word) {
        text_add(t, word);
    } else {
        sym_print(g, b->part, name, context, t);
        text_add(t, b->argument == SYM_NONE ? ", which overflows" : ", where ");
    }
    if (b->argument == SYM_NONE) return;
    sym_print(g, b->argument, name, context, t);
    text_format(t, "%s is %.6g", word ? ", which" : "", b->value);
}

/* Jumps. */

/* A multiple: factor times a node, or factor times a sum whose first factor is 1. */
typedef struct multiple {
    double factor;
    sym_view of;
    sym node;
} multiple;

static multiple as_multiple(const sym_graph *g, sym node)
{
    multiple m = {1, sym_view_of(g, node), node};
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
           op == SYM_ASINH || op == SYM_TANH || op == SYM_ABS;
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
        sym_view v = sym_view_of(g, reached[k]);
        if (v.op < SYM_LESS || v.op > SYM_EQUAL) continue;
        if (!vanishes_with(g, f, sym_subtract(g, v.argument[0], v.argument[1]))) return false;
        any = true;
    }
    return any;
}

static bool is_step(sym_op op)
{
    return op == SYM_SIGN || op == SYM_FLOOR || op == SYM_CEIL || op == SYM_INTERVAL;
}

static bool jumps(sym_graph *g, const sym_view *v)
{
    if (v->op == SYM_IF)
        return !meets(g, v->argument[0], sym_subtract(g, v->argument[1], v->argument[2]));
    return is_step(v->op) || v->op == SYM_CELL;
}

/* Whether the jump is a sign(x), or an if, in a product with a factor that vanishes where it jumps.
 */
static bool is_smoothed(sym_graph *g, const sym_view *product, sym jumping)
{
    sym_view v = sym_view_of(g, jumping);
    bool branches = v.op == SYM_IF && !sym_any(g, 1, &jumping, is_step);
    if (product->op != SYM_PRODUCT || (v.op != SYM_SIGN && !branches)) return false;
    for (uint32_t i = 0; i < product->count; i++) {
        sym factor = product->argument[i];
        if (factor == jumping || product->factor[i] <= 0) continue;
        if (branches ? meets(g, jumping, factor) : vanishes_with(g, factor, v.argument[0]))
            return true;
    }
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

/* Whether a node is a step between numbers. */
static double steps(void *graph, sym node, const sym_view *v, const double *argument)
{
    (void)node;
    double step = 0;
    for (uint32_t i = 0; i < v->count; i++) step = argument[i] != 0 ? 1 : step;
    if (v->op >= SYM_LESS && v->op <= SYM_NOT) return 0;
    if (v->op != SYM_IF || step != 0) return v->op == SYM_SIGN ? 1 : step;
    sym between = sym_subtract(graph, v->argument[1], v->argument[2]);
    return sym_number_of(graph, between, &step) && step != 0;
}

bool sym_steps(sym_graph *g, sym root)
{
    return sym_may_jump(g, root) && sym_fold(g, root, steps, g) != 0;
}

/* Whether f has a root: it bends without limit where it vanishes, and has no value beyond. */
static double has_root(void *graph, sym node, const sym_view *v, const double *root)
{
    (void)node;
    if (v->op == SYM_POWER) return true;
    for (uint32_t i = 0; i < v->count; i++) {
        double exponent = v->op == SYM_PRODUCT ? sym_value(graph, v->factor[i]) : 1;
        if (root[i] || exponent != floor(exponent)) return true;
    }
    return false;
}

/* Whether an `if` is smoothed by a factor that has a root. */
static bool is_smoothed_by_root(sym_graph *g, const sym_view *product, sym jumping)
{
    if (sym_view_of(g, jumping).op != SYM_IF || !is_smoothed(g, product, jumping)) return false;
    for (uint32_t i = 0; i < product->count; i++)
        if (product->argument[i] != jumping &&
            (sym_value(g, product->factor[i]) != floor(sym_value(g, product->factor[i])) ||
             sym_fold(g, product->argument[i], has_root, g) != 0))
            return true;
    return false;
}

/* The images of the nodes of an expression, whose relations become literal where `literal`. */
static sym image_of(sym_graph *g, sym root, bool literal)
{
    const sym *node;
    LIST(sym) argument = {0};
    size_t count = sym_keep_reached(g, 1, &root, &node);
    sym *image = arena_array(g->home, count, sizeof *image);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_view_of(g, node[k]);
        argument.count = 0;
        for (uint32_t i = 0; i < v.count; i++) {
            sym of = image[sym_place(count, node, v.argument[i])];
            bool frees = !literal && v.op == SYM_PRODUCT &&
                         is_smoothed_by_root(g, &v, v.argument[i]);
            list_push(g->home, &argument, frees ? image_of(g, of, true) : of);
        }
        bool relation = literal && sym_is_relation(g, node[k]);
        image[k] = relation ? sym_binary(g, v.op, argument.item[0], argument.item[1])
                            : sym_rebuild(g, node[k], argument.item);
    }
    return image[count - 1];
}

void sym_free_smoothed(sym_graph *g, size_t count, sym *roots)
{
    for (size_t i = 0; i < count; i++)
        if (sym_has_pieces(g, roots[i])) roots[i] = image_of(g, roots[i], false);
}
