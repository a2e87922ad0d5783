/* What errors of variables make of a relation.
 *
 * An error of delta, in the nominal size of each variable, changes left - right by at most
 *     delta effect[0] + delta^2 effect[1] + ...
 * The first term is sum |df/dx_i| n_i. It is 0 where two factors of a product, or the terms of a
 * difference of squares, are 0 together: there the later terms decide. They are those of a majorant
 * series: series with coefficients that are not negative and bound those of f at the point, which
 * are added, multiplied and inserted into one another as f is made (Hairer, Norsett & Wanner I,
 * Sec. I.8). Where f has one sign for all values, as a square, errors do not change its sign. */
#include "event/switching.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

enum { LENGTH = SWITCHING_EFFECTS + 1 };

/* Higher derivatives of functions other than powers are left out: their expressions grow. */
enum { OF_FUNCTIONS = 3 };

typedef struct series {
    sym c[LENGTH];
} series;

typedef struct effects {
    const switching *s;
    sym_graph *g;
    const sym *node; /* count: those of f, ascending */
    series *of;      /* count */
    size_t count;
} effects;

static sym size_of(sym_graph *g, sym f)
{
    return sym_function(g, SYM_ABS, f);
}

static series constant(sym_graph *g, sym value)
{
    series u = {.c = {value}};
    for (int k = 1; k < LENGTH; k++) u.c[k] = sym_number(g, 0);
    return u;
}

/* *sum += factor u, from the term with number `from` on. */
static void add(sym_graph *g, series *sum, sym factor, const series *u, int from)
{
    for (int k = from; k < LENGTH; k++)
        sum->c[k] = sym_add(g, sum->c[k], sym_multiply(g, factor, u->c[k]));
}

static series product(sym_graph *g, const series *u, const series *v)
{
    series w = constant(g, sym_number(g, 0));
    for (int k = 0; k < LENGTH; k++)
        for (int i = 0; i <= k; i++)
            w.c[k] = sym_add(g, w.c[k], sym_multiply(g, u->c[i], v->c[k - i]));
    return w;
}

/* What stands for the argument of a function while that is differentiated. */
static sym place_of_argument(sym_graph *g)
{
    return sym_variable(g, 0, 0);
}

/* The series of h(a), where u is that of a: that of Taylor, with so many derivatives of h. */
static series insert(sym_graph *g, sym h, int derivatives, sym a, const series *u)
{
    series power = *u, sum = constant(g, sym_number(g, 0));
    double factorial = 1;
    power.c[0] = sym_number(g, 0);
    const series way = power;
    for (int k = 0; k <= derivatives; k++) {
        sym at = h;
        sym_substitute_leaf(g, 1, &at, place_of_argument(g), a);
        if (k == 0)
            sum.c[0] = size_of(g, at);
        else
            add(g, &sum, sym_scale(g, 1 / factorial, size_of(g, at)), &power, k);
        sym_partials partial = {0};
        sym_gradient(g, h, &partial);
        h = partial.count ? partial.item[0].value : sym_number(g, 0);
        if (k > 0) power = product(g, &power, &way);
        factorial *= k + 1;
    }
    return sum;
}

/* The sum of |df/dx_i| n_i. */
static sym first_order(const switching *s, sym_graph *g, sym f)
{
    sym_partials partial = {0};
    sym sum = sym_number(g, 0);
    sym_gradient(g, f, &partial);
    for (size_t i = 0; i < partial.count; i++) {
        sym_leaf leaf;
        if (!sym_as_leaf(g, partial.item[i].leaf, &leaf)) continue;
        bool named = leaf.id < s->system->unknown.count;
        double nominal = named ? s->system->unknown.item[leaf.id].nominal : 1;
        sum = sym_add(g, sum, sym_scale(g, nominal, size_of(g, partial.item[i].value)));
    }
    return sum;
}

static const series *argument(const effects *e, const sym_view *view, uint32_t i)
{
    return &e->of[sym_place(e->count, e->node, view->argument[i])];
}

static series of_product(effects *e, const sym_view *view)
{
    sym_graph *g = e->g;
    series all = constant(g, sym_number(g, 1));
    for (uint32_t i = 0; i < view->count; i++) {
        const series *u = argument(e, view, i);
        sym power = sym_power_number(g, place_of_argument(g), view->factor[i]);
        series factor = *u;
        if (view->factor[i] != 1)
            factor = insert(g, power, SWITCHING_EFFECTS, view->argument[i], u);
        all = product(g, &all, &factor);
    }
    return all;
}

/* Of the branches of if, min and max, from argument `first` on, each term is the larger one. */
static series of_branches(effects *e, sym f, const sym_view *view, uint32_t first)
{
    series u = *argument(e, view, first);
    u.c[0] = size_of(e->g, f);
    for (int k = 1; k < LENGTH; k++)
        u.c[k] = sym_binary(e->g, SYM_MAX, u.c[k], argument(e, view, first + 1)->c[k]);
    return u;
}

static series of_sum(effects *e, sym f, const sym_view *view)
{
    series u = constant(e->g, size_of(e->g, f));
    for (uint32_t i = 0; i < view->count; i++) {
        sym factor = size_of(e->g, sym_number(e->g, view->factor[i]));
        add(e->g, &u, factor, argument(e, view, i), 1);
    }
    return u;
}

static series of_node(effects *e, sym f)
{
    sym_view view = sym_look(e->g, f);
    series u = constant(e->g, size_of(e->g, f));
    switch (view.op) {
    case SYM_SUM: return of_sum(e, f, &view);
    case SYM_PRODUCT: return of_product(e, &view);
    case SYM_IF: return of_branches(e, f, &view, 1);
    case SYM_MIN:
    case SYM_MAX: return of_branches(e, f, &view, 0);
    case SYM_ABS: u = *argument(e, &view, 0); return u;
    default: break;
    }
    if (sym_is_function(view.op))
        return insert(e->g, sym_function(e->g, view.op, place_of_argument(e->g)), OF_FUNCTIONS,
                      view.argument[0], argument(e, &view, 0));
    u.c[1] = first_order(e->s, e->g, f);
    return u;
}

static double sign_of_factor(const sym_view *view, const sym_graph *g, uint32_t i, double sign)
{
    bool odd = fabs(fmod(sym_value(g, view->factor[i]), 2)) == 1;
    return odd ? sign : 1;
}

/* The sign that an expression has wherever it is not 0; 0: it may have both. */
static double only_sign(void *graph, sym node, const sym_view *view, const double *sign)
{
    const sym_graph *g = graph;
    double all = view->op == SYM_PRODUCT, value = 0;
    (void)node;
    if (view->op == SYM_ABS || view->op == SYM_EXP || view->op == SYM_COSH) return 1;
    if (view->op == SYM_CONSTANT || view->op == SYM_SUM) value = sym_value(g, view->value);
    if (value != 0) all = copysign(1, value);
    for (uint32_t i = 0; view->op == SYM_PRODUCT && i < view->count; i++)
        all *= sign_of_factor(view, g, i, sign[i]);
    for (uint32_t i = 0; view->op == SYM_SUM && i < view->count; i++) {
        double one = sign[i] * copysign(1, sym_value(g, view->factor[i]));
        if (one == 0 || one * all < 0) return 0;
        all = one;
    }
    return all;
}

void switching_effects(const switching *s, sym_graph *g, sym f, sym *effect)
{
    effects e = {.s = s, .g = g};
    e.count = sym_keep_reached(g, 1, &f, &e.node);
    e.of = arena_array(sym_graph_arena(g), e.count, sizeof *e.of);
    for (size_t i = 0; i < e.count; i++) e.of[i] = of_node(&e, e.node[i]);
    memcpy(effect, e.of[e.count - 1].c + 1, SWITCHING_EFFECTS * sizeof *effect);
    bool turns = sym_fold(g, f, only_sign, g) == 0;
    for (int i = 1; i < SWITCHING_EFFECTS && !turns; i++) effect[i] = sym_number(g, 0);
    effect[0] = first_order(s, g, f);
}
