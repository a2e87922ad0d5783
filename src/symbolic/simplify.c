#include "symbolic/simplify.h"

#include "base/round_off.h"
#include "symbolic/calls.h"
#include "symbolic/graph.h"
#include "symbolic/lists.h"
#include "symbolic/relations.h"
#include "symbolic/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sum inside a sum, or a product inside a product, is opened only up to this many terms.
 * Otherwise cumulative sums, each the one before plus a term, would grow quadratically. */
enum { LONGEST_OPENED = 16 };

typedef struct pair {
    sym argument;
    double factor;
} pair;

/* Terms or factors. A few lie in the list itself, so most lists need no memory. */
typedef struct pairs {
    pair *item;
    size_t count, capacity;
    pair few[2 * LONGEST_OPENED + 2];
} pairs;

static void begin_pairs(pairs *list)
{
    list->item = list->few;
    list->count = 0;
    list->capacity = sizeof list->few / sizeof *list->few;
}

static void add_pair(sym_graph *g, pairs *list, sym argument, double factor)
{
    arena *a = sym_graph_arena(g);
    if (list->count == list->capacity && list->item == list->few) {
        list->capacity *= 2;
        list->item = arena_array(a, list->capacity, sizeof *list->item);
        memcpy(list->item, list->few, sizeof list->few);
    }
    list_push(a, list, ((pair){argument, factor}));
}

static void end_pairs(sym_graph *g, pairs *list)
{
    if (list->item != list->few) list_return(sym_graph_arena(g), list);
}

/* Almost all numbers are plain. A result that is no NaN follows from plain numbers alone. */
static inline double added(sym_graph *g, double x, double y)
{
    double sum = x + y;
    return sum == sum ? sum : sym_calculate(g, TRACED_SUM, x, y);
}

static inline double multiplied(sym_graph *g, double x, double y)
{
    double product = x * y;
    return product == product ? product : sym_calculate(g, TRACED_PRODUCT, x, y);
}

static double size_of(sym_graph *g, double x)
{
    return sym_calculate(g, TRACED_OPERATE + SYM_ABS, x, 0);
}

static inline bool equals(sym_graph *g, double x, double number)
{
    return x == x ? x == number : sym_ask(g, IS_EQUAL, x, number);
}

static int by_argument(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->argument != y->argument) return x->argument < y->argument ? -1 : 1;
    if (sym_is_traced(x->factor) || sym_is_traced(y->factor))
        return memcmp(&x->factor, &y->factor, sizeof x->factor);
    return (x->factor > y->factor) - (x->factor < y->factor);
}

/* In the order of by_argument(): most lists are so short that insertion is the least work. */
static void sort_pairs(pairs *list)
{
    enum { SHORT = 12 };
    if (list->count > SHORT) {
        qsort(list->item, list->count, sizeof(pair), by_argument);
        return;
    }
    for (size_t i = 1; i < list->count; i++) {
        const pair moved = list->item[i];
        size_t k = i;
        for (; k > 0 && by_argument(&list->item[k - 1], &moved) > 0; k--)
            list->item[k] = list->item[k - 1];
        list->item[k] = moved;
    }
}

static sym intern_pairs(sym_graph *g, sym_op op, double value, const pairs *list)
{
    arena *a = sym_graph_arena(g);
    sym small_argument[LONGEST_OPENED];
    double small_factor[LONGEST_OPENED];
    bool small = list->count <= LONGEST_OPENED;
    sym *argument = small ? small_argument : arena_array(a, list->count, sizeof *argument);
    double *factor = small ? small_factor : arena_array(a, list->count, sizeof *factor);
    for (size_t i = 0; i < list->count; i++) {
        argument[i] = list->item[i].argument;
        factor[i] = list->item[i].factor;
    }
    sym node = sym_intern(g, op, value, (uint32_t)list->count, argument, factor);
    if (!small) {
        arena_return(a, argument, list->count, sizeof *argument);
        arena_return(a, factor, list->count, sizeof *factor);
    }
    return node;
}

/* Whether little is left of terms, though more than their own rounding. */
static bool nearly_cancels(const sym_graph *g, double factor, double size)
{
    return fabs(sym_value(g, factor)) <= ROUND_OFF_AMPLIFIED * sym_value(g, size);
}

/* Whether the factor of a single term exceeds its rounding, and no guard has to say so. */
static bool is_plain(double factor)
{
    return isfinite(factor) && factor != 0;
}

/* Combine like terms. Terms that cancel up to rounding are dropped. */
static void collect_terms(sym_graph *g, pairs *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count;) {
        sym argument = list->item[i].argument;
        bool single = i + 1 == list->count || list->item[i + 1].argument != argument;
        if (single && is_plain(list->item[i].factor)) { /* almost all of them */
            list->item[kept++] = list->item[i++];
            continue;
        }
        double factor = 0, size = 0;
        for (; i < list->count && list->item[i].argument == argument; i++) {
            factor = added(g, factor, list->item[i].factor);
            size = added(g, size, size_of(g, list->item[i].factor));
        }
        if (!sym_ask(g, IS_LEFT, factor, size)) continue;
        g->nearly_cancelled += nearly_cancels(g, factor, size);
        list->item[kept++] = (pair){argument, factor};
    }
    list->count = kept;
}

size_t sym_nearly_cancelled(const sym_graph *g)
{
    return g->nearly_cancelled;
}

/* Whether a sum is the time since an instant, or until one. At late times such a span is exact
 * where 0.3 time - 0.3e6 is not. The digits that are lost there show beside a force of 1e4 (y -
 * s(time)). */
static bool is_span(sym_graph *g, const sym_view *view)
{
    return view->op == SYM_SUM && view->count == 1 &&
           sym_view_of(g, view->argument[0]).op == SYM_TIME &&
           equals(g, size_of(g, view->factor[0]), 1) && !equals(g, view->value, 0);
}

static void add_term(sym_graph *g, pairs *list, double *value, sym term, double factor)
{
    sym_view view = sym_view_of(g, term);
    if (view.op == SYM_CONSTANT) {
        *value = added(g, *value, multiplied(g, factor, view.value));
    } else if (view.op == SYM_SUM && view.count <= LONGEST_OPENED && !is_span(g, &view)) {
        *value = added(g, *value, multiplied(g, factor, view.value));
        for (uint32_t i = 0; i < view.count; i++)
            add_pair(g, list, view.argument[i], multiplied(g, factor, view.factor[i]));
    } else {
        add_pair(g, list, term, factor);
    }
}

/* If spans of time meet each other, or time itself, open them so that their like terms combine. */
static void open_spans(sym_graph *g, pairs *list, double *value)
{
    size_t spans = 0, times = 0;
    for (size_t i = 0; i < list->count; i++) {
        sym_view view = sym_view_of(g, list->item[i].argument);
        spans += is_span(g, &view);
        times += view.op == SYM_TIME;
    }
    if (spans == 0 || spans + times == 1) return;
    for (size_t i = 0; i < list->count; i++) {
        pair *p = &list->item[i];
        sym_view view = sym_view_of(g, p->argument);
        if (!is_span(g, &view)) continue;
        *value = added(g, *value, multiplied(g, p->factor, view.value));
        *p = (pair){view.argument[0], multiplied(g, p->factor, view.factor[0])};
    }
    sort_pairs(list);
    collect_terms(g, list);
}

static sym sum_of(sym_graph *g, double value, const pairs *list)
{
    if (list->count == 0) return sym_number(g, value);
    if (list->count == 1 && equals(g, value, 0) && equals(g, list->item[0].factor, 1))
        return list->item[0].argument;
    return intern_pairs(g, SYM_SUM, value, list);
}

sym sym_sum(sym_graph *g, double value, size_t count, const sym *term, const double *factor)
{
    pairs list;
    begin_pairs(&list);
    for (size_t i = 0; i < count; i++) {
        double own = factor ? factor[i] : 1;
        if (!equals(g, own, 0)) add_term(g, &list, &value, term[i], own);
    }
    sort_pairs(&list);
    collect_terms(g, &list);
    open_spans(g, &list, &value);
    sym sum = sum_of(g, value, &list);
    end_pairs(g, &list);
    return sum;
}

static bool is_integer(double x)
{
    return x == floor(x) && fabs(x) < 1e6;
}

/* Whether x^a x^b = x^(a+b) neither moves nor hides a pole or a branch. */
static bool exponents_add(double a, double b)
{
    return is_integer(a) && is_integer(b) && (a > 0) == (b > 0);
}

static void collect_powers(pairs *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        pair next = list->item[i];
        pair *last = kept ? &list->item[kept - 1] : NULL;
        if (last && last->argument == next.argument && exponents_add(last->factor, next.factor))
            last->factor += next.factor;
        else
            list->item[kept++] = next;
    }
    list->count = kept;
}

/* Powers of single factors may be infinite, or vanish, where that of their product is neither:
 * (x/y)^96. So only low powers are distributed over several factors. */
static const double HIGHEST_OPENED = 4;

/* Whether (x^a)^b = x^(ab) for each factor, under the same condition. */
static bool opens_to_power(const sym_view *product, double exponent)
{
    if (product->count > LONGEST_OPENED) return false;
    if (product->count > 1 && fabs(exponent) > HIGHEST_OPENED) return false;
    if (exponent == 1) return true;
    for (uint32_t i = 0; i < product->count; i++)
        if (!is_integer(product->factor[i]) || (product->factor[i] < 0 && exponent < 0))
            return false;
    return is_integer(exponent);
}

/* Multiply a number's power into the numeric factor, unless it is infinite. */
static bool join_number(sym_graph *g, double *value, double base, double exponent)
{
    double power = sym_calculate(g, TRACED_OPERATE + SYM_POWER, base, exponent);
    if (!sym_ask(g, IS_FINITE, power, 0)) return false;
    *value = multiplied(g, *value, power);
    return true;
}

static void add_power(sym_graph *g, pairs *list, double *value, sym base, double exponent)
{
    sym_view view = sym_view_of(g, base);
    if (exponent == 0) return;
    if (view.op == SYM_CONSTANT && join_number(g, value, view.value, exponent)) return;
    if (view.op == SYM_PRODUCT && opens_to_power(&view, exponent)) {
        for (uint32_t i = 0; i < view.count; i++)
            add_pair(g, list, view.argument[i], exponent * view.factor[i]);
    } else if (view.op == SYM_SUM && view.count == 1 && is_integer(exponent) &&
               fabs(exponent) <= HIGHEST_OPENED && equals(g, view.value, 0) &&
               join_number(g, value, view.factor[0], exponent)) {
        add_power(g, list, value, view.argument[0],
                  exponent); /* recursion ends here: the argument is no such sum again */
    } else {
        add_pair(g, list, base, exponent);
    }
}

/* Whether a number has stayed among the powers: its power is infinite (join_number). */
static bool has_infinite(sym_graph *g, const pairs *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (sym_view_of(g, list->item[i].argument).op == SYM_CONSTANT) return true;
    return false;
}

/* The product of a number and powers. */
static sym product_of(sym_graph *g, double value, pairs *list)
{
    if (equals(g, value, 0)) {
        if (!has_infinite(g, list)) return sym_number(g, 0);
        value = 1; /* 0/0 has no value, and neither has 1/0 */
    }
    sort_pairs(list);
    collect_powers(list);
    if (list->count == 0) return sym_number(g, value);
    sym product = list->count == 1 && list->item[0].factor == 1
                      ? list->item[0].argument
                      : intern_pairs(g, SYM_PRODUCT, 0, list);
    return equals(g, value, 1) ? product : sym_sum(g, 0, 1, &product, &value);
}

sym sym_product(sym_graph *g, size_t count, const sym *factor, const double *exponent)
{
    pairs list;
    double value = 1;
    begin_pairs(&list);
    for (size_t i = 0; i < count; i++) {
        double own = exponent ? exponent[i] : 1;
        add_power(g, &list, &value, factor[i], sym_pin(g, own));
    }
    sym product = product_of(g, value, &list);
    end_pairs(g, &list);
    return product;
}

sym sym_add(sym_graph *g, sym a, sym b)
{
    return sym_sum(g, 0, 2, (sym[]){a, b}, NULL);
}

sym sym_subtract(sym_graph *g, sym a, sym b)
{
    return sym_sum(g, 0, 2, (sym[]){a, b}, (double[]){1, -1});
}

sym sym_scale(sym_graph *g, double factor, sym a)
{
    if (factor == 1) return a;
    return sym_sum(g, 0, 1, &a, &factor);
}

sym sym_negate(sym_graph *g, sym a)
{
    return sym_scale(g, -1, a);
}

/* Whether it is the number 1, whatever parameters are. */
static bool is_one(const sym_graph *g, sym a)
{
    sym_view view = sym_view_of(g, a);
    return view.op == SYM_CONSTANT && view.value == 1;
}

sym sym_multiply(sym_graph *g, sym a, sym b)
{
    if (is_one(g, a) || is_one(g, b)) return is_one(g, a) ? b : a; /* as derivatives often are */
    return sym_product(g, 2, (sym[]){a, b}, NULL);
}

sym sym_divide(sym_graph *g, sym a, sym b)
{
    double x, y;
    if (sym_number_of(g, a, &x) && sym_number_of(g, b, &y)) {
        double quotient = sym_calculate(g, TRACED_QUOTIENT, x, y);
        if (sym_ask(g, IS_FINITE, quotient, 0)) return sym_number(g, quotient);
    }
    return sym_product(g, 2, (sym[]){a, b}, (double[]){1, -1});
}

sym sym_power_number(sym_graph *g, sym a, double exponent)
{
    return sym_product(g, 1, &a, &exponent);
}

sym sym_power(sym_graph *g, sym a, sym b)
{
    double exponent;
    if (sym_is_number(g, b, &exponent)) return sym_power_number(g, a, exponent);
    if (sym_is(g, a, 1)) return a;
    return sym_intern(g, SYM_POWER, 0, 2, (sym[]){a, b}, NULL);
}

double sym_operate(sym_op op, double x, double y, double z)
{
    switch (op) {
    case SYM_POWER: return pow(x, y);
    case SYM_ATAN2: return atan2(x, y);
    case SYM_MIN: return y < x ? y : x;
    case SYM_MAX: return y > x ? y : x;
    case SYM_LESS: return x < y;
    case SYM_LESS_EQUAL: return x <= y;
    case SYM_EQUAL: return x == y;
    case SYM_AND: return x != 0 && y != 0;
    case SYM_OR: return x != 0 || y != 0;
    case SYM_NOT: return x == 0;
    case SYM_IF: return x != 0 ? y : z;
#define X(operation, name, formula, derivative) \
    case SYM_##operation:                       \
        return formula;
#include "symbolic/functions.def"
#undef X
    default: return (double)NAN;
    }
}

bool sym_is_function(sym_op op)
{
    return op > SYM_IF && op < SYM_OP_COUNT;
}

sym sym_function(sym_graph *g, sym_op op, sym a)
{
    double x;
    if (sym_number_of(g, a, &x)) {
        double value = sym_calculate(g, TRACED_OPERATE + op, x, 0);
        if (sym_ask(g, IS_FINITE, value, 0)) return sym_number(g, value);
    }
    return sym_intern(g, op, 0, 1, &a, NULL);
}

/* The result of an operation of two arguments without evaluating it; SYM_NONE if it is not
 * known. */
static sym known_binary(sym_graph *g, sym_op op, sym a, sym b)
{
    switch (op) {
    case SYM_MIN:
    case SYM_MAX: return a == b ? a : SYM_NONE;
    case SYM_LESS: return a == b ? sym_number(g, 0) : SYM_NONE;
    case SYM_LESS_EQUAL:
    case SYM_EQUAL: return a == b ? sym_number(g, 1) : SYM_NONE;
    case SYM_AND:
    case SYM_OR: {
        double decides = op == SYM_OR, neutral = op == SYM_AND;
        if (sym_is(g, a, decides) || sym_is(g, b, decides)) return sym_number(g, decides);
        if (sym_is(g, a, neutral) || a == b) return b;
        return sym_is(g, b, neutral) ? a : SYM_NONE;
    }
    default: return SYM_NONE;
    }
}

sym sym_known_value(sym_graph *g, sym_op op, sym a, sym b)
{
    double x, y;
    sym known = known_binary(g, op, a, b);
    if (known != SYM_NONE) return known;
    if (!sym_number_of(g, a, &x) || !sym_number_of(g, b, &y)) return SYM_NONE;
    bool relates = op >= SYM_LESS && op <= SYM_EQUAL;
    sym_question asks = op == SYM_LESS ? IS_LESS : op == SYM_EQUAL ? IS_EQUAL : IS_LESS_EQUAL;
    double value = relates ? sym_ask(g, asks, x, y) : sym_calculate(g, TRACED_OPERATE + op, x, y);
    return sym_ask(g, IS_FINITE, value, 0) ? sym_number(g, value) : SYM_NONE;
}

sym sym_binary(sym_graph *g, sym_op op, sym a, sym b)
{
    sym known = sym_known_value(g, op, a, b);
    return known != SYM_NONE ? known : sym_intern(g, op, 0, 2, (sym[]){a, b}, NULL);
}

sym sym_not(sym_graph *g, sym a)
{
    double x;
    if (sym_is_number(g, a, &x)) return sym_number(g, x == 0);
    sym_view view = sym_view_of(g, a);
    if (view.op == SYM_NOT) return view.argument[0];
    return sym_intern(g, SYM_NOT, 0, 1, &a, NULL);
}

sym sym_if(sym_graph *g, sym condition, sym yes, sym no)
{
    double x;
    if (sym_is_number(g, condition, &x)) return x != 0 ? yes : no;
    if (yes == no) return yes;
    return sym_intern(g, SYM_IF, 0, 3, (sym[]){condition, yes, no}, NULL);
}

sym sym_rebuild(sym_graph *g, sym node, const sym *argument)
{
    sym_view view = sym_view_of(g, node);
    if (sym_is_relation(g, node)) return sym_relation_image(g, node, argument[0], argument[1]);
    switch (view.op) {
    case SYM_CONSTANT:
    case SYM_TIME:
    case SYM_VARIABLE:
    case SYM_CELL: return node;
    case SYM_SUM: return sym_sum(g, view.value, view.count, argument, view.factor);
    case SYM_PRODUCT: return sym_product(g, view.count, argument, view.factor);
    case SYM_POWER: return sym_power(g, argument[0], argument[1]);
    case SYM_INPUT: return sym_input(g, view.id, view.order, argument[0]);
    case SYM_ELEMENT: return sym_element(g, view.id, argument[0]);
    case SYM_INTERVAL: return sym_interval(g, view.id, argument[0]);
    case SYM_CALL: return sym_call(g, view.id, view.order, argument);
    case SYM_NOT: return sym_not(g, argument[0]);
    case SYM_IF: return sym_if(g, argument[0], argument[1], argument[2]);
    default:
        return view.count == 1 ? sym_function(g, view.op, argument[0])
                               : sym_binary(g, view.op, argument[0], argument[1]);
    }
}
