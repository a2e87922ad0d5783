/* Functions that jump (floor, ceil, integer, div, mod, rem, sign) or bend (abs, min, max) as their
 * arguments change (Modelica 3.6, Sec. 3.7.2 and 3.8.4). */
#include "base/round_off.h"
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

bool model_makes_events(model_reader *r, sym x)
{
    return r->placed && r->mode.counting && !r->mode.no_event &&
           model_has_trait(r, x, TRAIT_CHANGES) && !model_is_iterated(r, x);
}

/* Whether all numbers of a sum are whole multiples of 1/times, but for rounding. Those that follow
 * from parameters may change. */
static bool are_multiples(const sym_view *view, double times)
{
    for (uint32_t i = 0; i <= view->count; i++) {
        double number = i < view->count ? view->factor[i] : view->value, part = times * number;
        if (sym_is_traced(number) || !(fabs(part - rint(part)) <= ROUND_OFF_VALUE * fabs(part)))
            return false;
    }
    return true;
}

sym model_without_fractions(sym_graph *g, sym x, double *times)
{
    enum { LARGEST_DENOMINATOR = 1000 };
    sym_view view = sym_look(g, x);
    *times = 1;
    if (view.op != SYM_SUM || view.count > MODEL_MOST_FRACTIONS) return x;
    while (*times <= LARGEST_DENOMINATOR && !are_multiples(&view, *times)) ++*times;
    if (*times > LARGEST_DENOMINATOR) *times = 1;
    if (*times == 1) return x;
    double factor[MODEL_MOST_FRACTIONS];
    for (uint32_t i = 0; i < view.count; i++) factor[i] = rint(*times * sym_pin(g, view.factor[i]));
    return sym_sum(g, rint(*times * view.value), view.count, view.argument, factor);
}

/* A quotient x/y that is rounded, y = 1 or any other. A sum x is not divided term by term for it:
 * 5/6 + 1/6 is less than 1. */
typedef struct ratio {
    sym x, y, value; /* value: x/y */
} ratio;

/* How a whole part is written: the function that its author writes, and what it is itself. */
typedef struct whole_name {
    const char *function, *down, *up; /* mod(x, y), floor(x/y), floor(-x/y) */
} whole_name;

/* An expression as it is written, in brackets where it is a part of another one. */
static const char *part_shown(model_reader *r, const model_expression *e)
{
    const char *shown = model_shown(r, e);
    return strpbrk(shown, "+-*/^ <>=") ? arena_format(r->a, "(%s)", shown) : shown;
}

static whole_name name_of(model_reader *r, const model_arguments *a)
{
    const char *x = part_shown(r, a->expression[0]), *over = "", *y = "";
    if (a->count > 1) over = "/", y = part_shown(r, a->expression[1]);
    return (whole_name){model_shown(r, a->call), arena_format(r->a, "floor(%s%s%s)", x, over, y),
                        arena_format(r->a, "floor(-%s%s%s)", x, over, y)};
}

/* Those of a number, as in subscripts of a loop, are not asked for: it makes no event. */
static const whole_name NAMELESS = {0};

static whole_name name_in(model_reader *r, const model_arguments *a, sym x)
{
    double number;
    return sym_number_of(r->graph, x, &number) ? NAMELESS : name_of(r, a);
}

static ratio ratio_of(sym_graph *g, sym x, sym y)
{
    double number, times;
    x = model_without_fractions(g, x, &times);
    if (times != 1) y = sym_scale(g, times, y);
    if (sym_number_of(g, y, &number) && sym_ask(g, IS_LESS, number, 0))
        return ratio_of(g, sym_negate(g, x), sym_negate(g, y));
    return (ratio){x, y, sym_divide(g, x, y)};
}

static ratio negated(sym_graph *g, ratio q)
{
    return (ratio){sym_negate(g, q.x), q.y, sym_negate(g, q.value)};
}

/* What x/y is multiplied by where it is compared: y, or its square where its sign is not known. */
static sym step_of(sym_graph *g, ratio q)
{
    double number;
    return sym_number_of(g, q.y, &number) ? q.y : sym_multiply(g, q.y, q.y);
}

/* Both sides of x/y < c, times that positive number. */
static void compare(sym_graph *g, ratio q, sym c, sym *x, sym *bound)
{
    double number;
    *x = sym_number_of(g, q.y, &number) ? q.x : sym_multiply(g, q.x, q.y);
    *bound = sym_multiply(g, c, step_of(g, q));
}

/* floor(x/y) of what is no event. Rounding of the quotient is made up for. */
static sym rounded_down(sym_graph *g, ratio q)
{
    sym is = sym_function(g, SYM_FLOOR, q.value), one = sym_number(g, 1), x, low, high;
    if (sym_is(g, q.y, 1)) return is;
    compare(g, q, is, &x, &low);
    compare(g, q, sym_add(g, is, one), &x, &high);
    sym below = sym_binary(g, SYM_LESS, x, low), above = sym_binary(g, SYM_LESS_EQUAL, high, x);
    return sym_if(g, below, sym_subtract(g, is, one), sym_if(g, above, sym_add(g, is, one), is));
}

/* floor(x/y), with pre for its value before. Where the relations say that x/y has left the whole
 * part before, it is another one, whatever rounding there is in it at that instant. */
static sym next_whole(sym_graph *g, ratio q, sym pre, sym below, sym above)
{
    sym is = rounded_down(g, q), one = sym_number(g, 1);
    sym less = sym_binary(g, SYM_MIN, is, sym_subtract(g, pre, one));
    sym more = sym_binary(g, SYM_MAX, is, sym_add(g, pre, one));
    return sym_if(g, below, less, sym_if(g, above, more, pre));
}

/* floor(x/y) is a discrete variable c. Between events c <= x/y < c + 1. */
static sym whole_part(model_reader *r, ratio q, const char *function, const char *as, model_span at)
{
    sym_graph *g = r->graph;
    sym x, low, high;
    if (!model_makes_events(r, q.value)) return rounded_down(g, q);
    for (size_t i = 0; i < r->whole.count; i++)
        if (r->whole_of.item[i] == q.value) return model_value_leaf(r, r->whole.item[i]);
    uint32_t k = model_new_discrete(r, as, model_place(&r->source, at),
                                    (model_type){.base = TYPE_INTEGER});
    r->system->discrete.variable.item[k].name = arena_copy(r->home, function, strlen(function));
    sym c = model_value_leaf(r, k), pre = sym_cell(g, r->system->discrete.variable.item[k].pre);
    compare(g, q, pre, &x, &low);
    compare(g, q, sym_add(g, pre, sym_number(g, 1)), &x, &high);
    sym below = sym_relation(g, SYM_LESS, x, low), above = sym_relation(g, SYM_LESS_EQUAL, high, x);
    r->system->discrete.variable.item[k].is_whole = true;
    r->system->discrete.variable.item[k].step = step_of(g, q);
    r->system->discrete.variable.item[k].definition = next_whole(g, q, pre, below, above);
    list_push(r->a, &r->whole, k);
    list_push(r->a, &r->whole_of, q.value);
    return c;
}

sym model_periods(model_reader *r, sym x, double period, const char *as, model_span at)
{
    return whole_part(r, ratio_of(r->graph, x, sym_number(r->graph, period)), as, as, at);
}

/* ceil(x/y) = -floor(-x/y) */
static sym rounded_up(model_reader *r, ratio q, const whole_name *name, model_span at)
{
    sym_graph *g = r->graph;
    if (!model_makes_events(r, q.value) && sym_is(g, q.y, 1)) return sym_function(g, SYM_CEIL, q.x);
    return sym_negate(g, whole_part(r, negated(g, q), name->function, name->up, at));
}

/* Has an expression of whole parts printed as its author writes it. */
static sym written(model_reader *r, sym f, const model_expression *as)
{
    sym_op op = sym_look(r->graph, f).op;
    if (op != SYM_CONSTANT && op != SYM_VARIABLE && op != SYM_CELL)
        sym_write_as(r->graph, f, model_shown(r, as));
    return f;
}

/* The elements of an argument rounded down or up. */
model_value model_whole_part(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    if (!model_are_numbers(r, a, false)) return model_none();
    const model_value *x = &a->value[0];
    model_type type = {.base = x->type.base == TYPE_INTEGER ? TYPE_INTEGER : f->base};
    whole_name name = NAMELESS;
    for (size_t i = 0; i < x->count && !name.function; i++)
        name = name_in(r, a, model_element(x, i));
    model_value v;
    sym *element = model_new_array(r, a->call->at, type, x->rank, x->size, &v);
    for (size_t i = 0; element && i < v.count; i++) {
        ratio of = ratio_of(r->graph, model_element(x, i), sym_number(r->graph, 1));
        element[i] = f->op == SYM_FLOOR
                         ? whole_part(r, of, name.function, name.function, a->call->at)
                         : written(r, rounded_up(r, of, &name, a->call->at), a->call);
    }
    return v;
}

/* x/y rounded towards zero. One of both whole parts is 0, or they are the same. A relation x/y < 0
 * beside them would be another one of 0, which rounding may decide otherwise. */
static sym quotient(model_reader *r, ratio q, const whole_name *name, model_span at)
{
    sym_graph *g = r->graph;
    sym zero = sym_number(g, 0);
    sym down = whole_part(r, q, name->function, name->down, at), up = rounded_up(r, q, name, at);
    if (!model_makes_events(r, q.value))
        return sym_if(g, sym_binary(g, SYM_LESS, q.value, zero), up, down);
    return sym_add(g, sym_binary(g, SYM_MAX, down, zero), sym_binary(g, SYM_MIN, up, zero));
}

model_value model_div_mod_rem(model_reader *r, const model_arguments *a)
{
    sym_graph *g = r->graph;
    if (!model_are_numbers(r, a, true)) return model_none();
    sym x = a->value[0].one, y = a->value[1].one;
    if (sym_is(g, y, 0))
        return model_fail(r, a->expression[1]->at, "division by %s, which is 0 in %s",
                          "its value follows from constants and parameters: change one of them",
                          model_shown(r, a->expression[1]), model_shown(r, a->call));
    bool whole = a->value[0].type.base == TYPE_INTEGER && a->value[1].type.base == TYPE_INTEGER;
    model_base base = whole ? TYPE_INTEGER : TYPE_REAL;
    sym_op op = a->call->call->builtin->op;
    ratio q = ratio_of(g, x, y);
    whole_name name = name_in(r, a, q.value);
    sym times = op == SYM_FLOOR ? whole_part(r, q, name.function, name.down, a->call->at)
                                : quotient(r, q, &name, a->call->at);
    if (op != SYM_SUM) times = sym_subtract(g, x, sym_multiply(g, times, y));
    return model_scalar(base, written(r, times, a->call));
}

/* sign(x) jumps at 0, and abs(x) bends there. */
static sym sign_or_size(model_reader *r, sym_op op, sym x)
{
    sym_graph *g = r->graph;
    if (!model_makes_events(r, x)) return sym_function(g, op, x);
    sym zero = sym_number(g, 0), below = sym_relation(g, SYM_LESS, x, zero);
    if (op == SYM_ABS) {
        if (!r->mode.in_condition) model_watch(r, below, true);
        return sym_function(g, op, x);
    }
    sym above = sym_relation(g, SYM_LESS, zero, x);
    return sym_if(g, below, sym_number(g, -1), sym_if(g, above, sym_number(g, 1), zero));
}

model_value model_abs_sign(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    model_value v = model_map(r, a, f->op == SYM_SIGN ? TYPE_INTEGER : a->value[0].type.base,
                              sign_or_size);
    for (size_t i = 0; v.type.base != TYPE_NONE && i < v.count; i++)
        model_note_switch(r, a->call, model_element(&v, i));
    return v;
}

sym model_min_max(model_reader *r, sym_op op, sym a, sym b)
{
    if (!r->mode.in_condition && (model_makes_events(r, a) || model_makes_events(r, b)))
        model_watch(r, sym_relation(r->graph, SYM_LESS, a, b), true);
    return sym_binary(r->graph, op, a, b);
}
