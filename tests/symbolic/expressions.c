/* Facts about expressions: what simplifies to what, derivatives against differences, and that no
 * depth exhausts the stack. */
#include "base/scatter.h"
#include "base/unit.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/node.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"

#include <math.h>

static arena memory;
static sym_graph *g;

static void begin(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
}

/* Each test builds in an arena; exhausted memory ends it. */
#define GRAPH_TEST(name)                                                \
    static void name##_body(void *unused);                              \
    START_TEST(name)                                                    \
    {                                                                   \
        ck_assert_int_eq(arena_protect(&memory, begin, NULL), 0);       \
        ck_assert_int_eq(arena_protect(&memory, name##_body, NULL), 0); \
        arena_free(&memory);                                            \
    }                                                                   \
    END_TEST                                                            \
    static void name##_body(void *unused)

static sym x(void)
{
    return sym_variable(g, 0, 0);
}

static sym y(void)
{
    return sym_variable(g, 1, 0);
}

static sym root(sym f)
{
    return sym_power_number(g, f, 0.5);
}

static size_t slot(void *unused, const sym_view *leaf)
{
    (void)unused;
    if (leaf->op == SYM_TIME) return 0;
    return 1 + 2 * leaf->order + leaf->id; /* time, x, y, x', y' */
}

static double value(sym f, double t, double vx, double vy, double dx, double dy)
{
    double result, input[5] = {t, vx, vy, dx, dy};
    sym_tape *tape = sym_tape_compile(&memory, g, 1, &f, 5, slot, NULL);
    sym_tape_eval(tape, input, &result);
    return result;
}

GRAPH_TEST(like_terms_cancel)
{
    (void)unused;
    sym dx = sym_variable(g, 0, 1);
    sym a = sym_add(g, y(), dx), b = sym_add(g, dx, y());
    ck_assert_uint_eq(a, b);
    ck_assert(sym_is(g, sym_subtract(g, a, b), 0));
    sym c = sym_scale(g, 1e-6, sym_subtract(g, x(), y()));
    sym d = sym_scale(g, 1e-6, sym_subtract(g, y(), x()));
    ck_assert(sym_is(g, sym_add(g, c, d), 0));
    ck_assert(sym_is(g, sym_multiply(g, sym_number(g, 0), x()), 0));
    /* 0.1 + 0.2 - 0.3 is 5.6e-17 in doubles, and 0 to its author */
    sym e = sym_sum(g, 0, 3, (sym[]){x(), x(), x()}, (double[]){0.1, 0.2, -0.3});
    ck_assert(sym_is(g, e, 0));
}

/* Of nested expressions each holds the names of those within it; equal ones are one. */
GRAPH_TEST(names_within_expressions)
{
    (void)unused;
    sym inner = sym_add(g, sym_function(g, SYM_SIN, x()), y());
    sym outer = sym_multiply(g, x(), sym_function(g, SYM_COS, inner));
    sym name[] = {sym_variable(g, 2, 0), sym_variable(g, 3, 0), sym_variable(g, 4, 0),
                  sym_variable(g, 5, 0)};
    sym root[] = {outer, inner, x(), inner};
    sym_abbreviate(g, 4, root, name);
    ck_assert_uint_eq(root[0], sym_multiply(g, x(), sym_function(g, SYM_COS, name[1])));
    ck_assert_uint_eq(root[1], inner);
    ck_assert_uint_eq(root[2], x());
    ck_assert_uint_eq(root[3], name[1]);
}

/* The time since an instant is exact late in time, and stays so. */
GRAPH_TEST(spans_of_time)
{
    (void)unused;
    sym time = sym_time(g), instant = sym_number(g, 1e6), since = sym_subtract(g, time, instant);
    double t = 1e6 + 0x1p-20, span = 0x1p-20;
    ck_assert_double_eq(value(sym_scale(g, 0.3, since), t, 0, 0, 0, 0), 0.3 * span);
    ck_assert_double_eq(value(sym_add(g, sym_scale(g, 0.3, since), x()), t, span, 0, 0, 0),
                        0.3 * span + span);
    ck_assert(sym_add(g, since, since) == sym_scale(g, 2, since));
    ck_assert(sym_is(g, sym_subtract(g, time, since), 1e6));
    sym until = sym_subtract(g, instant, time);
    ck_assert(sym_is(g, sym_add(g, since, until), 0));
    ck_assert(sym_is(g, sym_time_derivative(g, sym_scale(g, 0.3, since)), 0.3));
}

GRAPH_TEST(poles_are_kept)
{
    (void)unused;
    ck_assert(isnan(value(sym_divide(g, x(), x()), 0, 0, 0, 0, 0)));
    ck_assert(isinf(value(sym_divide(g, sym_number(g, 1), x()), 0, 0, 0, 0, 0)));
    ck_assert(isnan(value(sym_power_number(g, root(x()), 2), 0, -1, 0, 0, 0)));
    ck_assert(!sym_is_number(g, sym_divide(g, sym_number(g, 1), sym_number(g, 0)), NULL));
    ck_assert_double_eq(value(sym_power_number(g, x(), 0), 0, 0, 0, 0, 0), 1);
}

GRAPH_TEST(powers)
{
    (void)unused;
    for (int n = -9; n <= 40; n++) {
        double got = value(sym_power_number(g, x(), n), 0, 1.25, 0, 0, 0);
        ck_assert_double_eq_tol(got / pow(1.25, n), 1, 1e-14);
    }
    ck_assert_uint_eq(sym_multiply(g, x(), sym_power_number(g, x(), 2)),
                      sym_power_number(g, x(), 3));
}

/* Every function once, and the operations of two arguments; all defined near (0.4, 0.3), where
 * acosh is not of x. */
static sym everything(void)
{
    sym f = sym_power(g, x(), y());
#define X(operation, name, formula, derivative)  \
    f = sym_add(g, sym_multiply(g, f, y()),      \
                sym_function(g, SYM_##operation, \
                             SYM_##operation == SYM_ACOSH ? sym_power_number(g, x(), -1) : x()));
#include "symbolic/functions.def"
#undef X
    f = sym_add(g, f, sym_binary(g, SYM_ATAN2, x(), y()));
    f = sym_divide(g, f, sym_add(g, root(y()), sym_time(g)));
    sym smaller = sym_binary(g, SYM_MIN, sym_power_number(g, x(), 3), y());
    sym larger = sym_binary(g, SYM_MAX, sym_power_number(g, x(), 3), y());
    sym chosen = sym_if(g, sym_binary(g, SYM_LESS, x(), y()), root(sym_negate(g, x())),
                        sym_multiply(g, x(), y()));
    return sym_sum(g, 1, 4, (sym[]){f, smaller, larger, chosen}, (double[]){1, 2, 3, 0.5});
}

static double partial(const sym_partials *list, sym leaf, const double *at)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].leaf == leaf)
            return value(list->item[i].value, at[0], at[1], at[2], at[3], at[4]);
    return 0;
}

GRAPH_TEST(derivatives_match_differences)
{
    (void)unused;
    sym f = everything();
    double at[5] = {0.7, 0.4, 0.3, 1.7, -0.6}, rate = 0;
    sym_partials list = {0};
    sym_gradient(g, f, &list);
    ck_assert_uint_eq(list.count, 3);
    sym leaf[3] = {sym_time(g), x(), y()};
    double speed[3] = {1, at[3], at[4]};
    for (int i = 0; i < 3; i++) {
        double h = 1e-4, side[4]; /* fourth-order differences: error near 1e-13 */
        for (int k = 0; k < 4; k++) {
            double moved[5] = {at[0], at[1], at[2], at[3], at[4]};
            moved[i] += (k < 2 ? k - 2 : k - 1) * h;
            side[k] = value(f, moved[0], moved[1], moved[2], moved[3], moved[4]);
        }
        double difference = (side[0] - 8 * side[1] + 8 * side[2] - side[3]) / (12 * h);
        double exact = partial(&list, leaf[i], at);
        ck_assert_double_eq_tol(exact, difference, 1e-9 * (1 + fabs(exact)));
        rate += exact * speed[i];
    }
    double total = value(sym_time_derivative(g, f), at[0], at[1], at[2], at[3], at[4]);
    ck_assert_double_eq_tol(total, rate, 1e-12 * (1 + fabs(rate)));
}

GRAPH_TEST(depth_does_not_matter)
{
    (void)unused;
    sym f = x();
    for (int i = 0; i < 200000; i++) f = sym_function(g, i % 2 ? SYM_SIN : SYM_COS, f);
    sym_partials list = {0};
    sym_gradient(g, f, &list);
    ck_assert_uint_eq(list.count, 1);
    ck_assert(isfinite(value(sym_time_derivative(g, f), 0, 0.5, 0, 1, 0)));
}

static void name(void *unused, text *t, uint32_t id, uint32_t order)
{
    (void)unused;
    text_format(t, order ? "der(%c)" : "%c", "xy"[id]);
}

GRAPH_TEST(printed_as_written)
{
    (void)unused;
    text t = {0};
    sym square_x = sym_power_number(g, x(), 2), square_y = sym_power_number(g, y(), 2);
    sym f = sym_subtract(g, sym_add(g, square_x, square_y), sym_number(g, 1));
    sym_print(g, sym_time_derivative(g, f), name, NULL, &t);
    ck_assert_str_eq(text_string(&t), "2*x*der(x) + 2*y*der(y)");
    text_clear(&t);
    sym_print(g, sym_divide(g, sym_add(g, x(), y()), sym_multiply(g, x(), root(y()))), name, NULL,
              &t);
    ck_assert_str_eq(text_string(&t), "(x + y)/(x*sqrt(y))");
    text_clear(&t);
    sym_print(g, sym_subtract(g, sym_subtract(g, sym_number(g, 0), x()), y()), name, NULL, &t);
    ck_assert_str_eq(text_string(&t), "-x - y");
    text_clear(&t);
    sym_print(g, sym_subtract(g, sym_multiply(g, sym_number(g, -2), x()), sym_number(g, 3)), name,
              NULL, &t);
    ck_assert_str_eq(text_string(&t), "-2*x - 3");
    text_free(&t);
}

static sym keep(void *unused, sym leaf)
{
    (void)unused;
    return leaf;
}

static sym double_x(void *unused, sym leaf)
{
    (void)unused;
    return leaf == x() ? sym_scale(g, 2, leaf) : leaf;
}

GRAPH_TEST(substitution)
{
    (void)unused;
    sym f = everything(), same = f;
    const sym_leaf *leaves;
    ck_assert_uint_eq(sym_leaves(g, f, &leaves), 2);
    sym_substitute(g, 1, &same, keep, NULL);
    ck_assert_uint_eq(same, f);
    sym_substitute(g, 1, &f, double_x, NULL);
    ck_assert_double_eq_tol(value(f, 0.7, 0.2, 0.3, 0, 0), value(same, 0.7, 0.4, 0.3, 0, 0), 1e-12);
}

static bool is_xy(void *count, const sym_view *leaf)
{
    return leaf->op == SYM_VARIABLE && leaf->id < *(const uint32_t *)count;
}

/* In x alone, and in x and y together. */
static void is_affine(sym f, bool in_x, bool in_both)
{
    uint32_t one = 1, two = 2;
    ck_assert_int_eq(sym_is_affine(g, 1, &f, is_xy, &one), in_x);
    ck_assert_int_eq(sym_is_affine(g, 1, &f, is_xy, &two), in_both);
}

GRAPH_TEST(degree_one)
{
    (void)unused;
    sym t = sym_time(g), three = sym_number(g, 3), both = sym_add(g, x(), sym_scale(g, 2, y()));
    is_affine(three, true, true);
    is_affine(sym_add(g, sym_divide(g, both, root(t)), t), true, true);
    is_affine(sym_multiply(g, x(), y()), true, false);
    is_affine(sym_multiply(g, x(), sym_function(g, SYM_SIN, y())), true, false);
    is_affine(sym_divide(g, three, x()), false, false);
    is_affine(sym_power_number(g, both, 2), false, false);
    is_affine(sym_add(g, x(), sym_function(g, SYM_SIN, y())), true, false);
    is_affine(sym_if(g, sym_binary(g, SYM_LESS, t, three), x(), y()), true, true);
    is_affine(sym_if(g, sym_binary(g, SYM_LESS, y(), three), x(), t), true, false);
    is_affine(sym_if(g, sym_binary(g, SYM_LESS, x(), three), three, t), false, false);
    is_affine(sym_binary(g, SYM_MAX, x(), three), false, false);
}

/* f = slope x + rest, where f is linear in x everywhere. */
static void is_split(sym f, bool linear)
{
    sym slope, rest;
    ck_assert_int_eq(sym_split_linear(g, f, x(), &slope, &rest), linear);
    if (!linear) return;
    sym sum = sym_add(g, sym_multiply(g, slope, x()), rest);
    for (int k = 0; k < 20; k++) {
        double at_t = 6 * scattered(3 * k), at_x = 5 * scattered(3 * k + 1),
               at_y = 2 + scattered(k);
        double f_there = value(f, at_t, at_x, at_y, 0, 0);
        ck_assert_double_eq_tol(value(sum, at_t, at_x, at_y, 0, 0), f_there, 1e-12);
    }
}

GRAPH_TEST(linear_parts)
{
    (void)unused;
    sym t = sym_time(g), three = sym_number(g, 3), twice = sym_scale(g, 2, x());
    is_split(sym_add(g, sym_multiply(g, x(), sym_function(g, SYM_SIN, y())), root(y())), true);
    is_split(sym_if(g, sym_binary(g, SYM_LESS, t, three), twice, sym_add(g, x(), y())), true);
    is_split(sym_multiply(g, x(), x()), false);
    is_split(sym_add(g, twice, sym_function(g, SYM_FLOOR, x())), false);
    is_split(sym_if(g, sym_binary(g, SYM_LESS, x(), three), twice, sym_add(g, twice, three)),
             false);
    is_split(y(), false);
}

GRAPH_TEST(jumps)
{
    (void)unused;
    sym t = sym_time(g), three = sym_number(g, 3), late = sym_binary(g, SYM_LESS, three, t);
    sym after = sym_subtract(g, t, three), zero = sym_number(g, 0);
    sym sign = sym_function(g, SYM_SIGN, after), size = sym_function(g, SYM_ABS, after);
    ck_assert(!sym_may_jump(g, sym_multiply(g, x(), t)));
    ck_assert(!sym_may_jump(g, sym_binary(g, SYM_MAX, size, y())));
    ck_assert(!sym_may_jump(g, sym_if(g, late, sym_scale(g, 2, t), sym_add(g, t, three))));
    ck_assert(!sym_may_jump(g, sym_if(g, late, sym_multiply(g, x(), root(after)), zero)));
    ck_assert(!sym_may_jump(g, sym_multiply(g, sign, root(size))));
    ck_assert(!sym_may_jump(g, sym_if(g, late, sym_function(g, SYM_SIN, after), zero)));
    ck_assert(sym_may_jump(g, sign));
    ck_assert(sym_may_jump(g, sym_add(g, x(), sym_multiply(g, sign, t))));
    ck_assert(sym_may_jump(g, sym_if(g, late, x(), y())));
    ck_assert(sym_may_jump(g, sym_if(g, late, sym_divide(g, x(), after), zero)));
    ck_assert(sym_may_jump(g, sym_function(g, SYM_SIN, sym_if(g, late, t, zero))));
    ck_assert(sym_may_jump(g, sym_function(g, SYM_FLOOR, t)));
}

static void is_within(sym f, double bound)
{
    double most = 0;
    ck_assert_double_le_tol(fabs(sym_bound(g, f) - bound), 0, 1e-14 * bound);
    for (int k = 0; k < 400; k++) {
        double at = value(f, cos(k), 10 * sin(5 * k), 3 * sin(3 * k), 0, 0);
        most = fmax(most, fabs(at));
    }
    ck_assert_double_le(most, bound);
}

GRAPH_TEST(bounds)
{
    (void)unused;
    sym t = sym_time(g), three = sym_number(g, 3), wave = sym_function(g, SYM_SIN, x());
    sym flat = sym_function(g, SYM_TANH, y()), less = sym_binary(g, SYM_LESS, x(), y());
    is_within(sym_number(g, -7), 7);
    is_within(sym_subtract(g, sym_scale(g, -2, wave), three), 5);
    is_within(sym_multiply(g, wave, sym_add(g, flat, three)), 4);
    is_within(sym_binary(g, SYM_MIN, wave, three), 3);
    is_within(sym_binary(g, SYM_MAX, wave, sym_number(g, -3)), 3);
    is_within(sym_if(g, less, sym_scale(g, 6, wave), t), 6);
    is_within(sym_function(g, SYM_ABS, sym_scale(g, -5, flat)), 5);
    is_within(sym_function(g, SYM_ATAN, x()), acos(-1));
    is_within(sym_multiply(g, wave, t), 1);
    ck_assert(isinf(sym_bound(g, x())));
    ck_assert(isinf(sym_bound(g, sym_multiply(g, wave, y()))));
    ck_assert(isinf(sym_bound(g, sym_divide(g, three, wave))));
    ck_assert(isinf(sym_bound(g, sym_function(g, SYM_EXP, wave))));
    ck_assert(isinf(sym_bound(g, sym_binary(g, SYM_MAX, wave, y()))));
}

static size_t by_x(void *unused, size_t row, const sym_view *leaf)
{
    (void)unused, (void)row;
    return leaf->op == SYM_VARIABLE && leaf->id == 0 ? 0 : SIZE_MAX;
}

/* u_k(t) = sin(k + 2 t) or, by another source, twice that. */
static double wave(void *self, uint32_t id, uint32_t order, double t)
{
    static double (*const function[])(double) = {sin, cos};
    double value = function[order % 2](id + 2 * t) * pow(2, order);
    return *(const double *)self * (order % 4 > 1 ? -value : value);
}

/* An input is what its source says, in each evaluation; it is differentiated by the time and over
 * the argument at which it is asked for. */
GRAPH_TEST(inputs)
{
    (void)unused;
    double size = 1, twice = 2;
    sym u = sym_input(g, 3, 0, sym_time(g)), late = sym_input(g, 3, 0, sym_scale(g, 0.5, x()));
    sym f = sym_add(g, sym_multiply(g, x(), u), sym_power_number(g, late, 2));
    ck_assert_uint_eq(u, sym_input(g, 3, 0, sym_time(g)));
    ck_assert_uint_ne(u, sym_input(g, 2, 0, sym_time(g)));
    ck_assert(isnan(value(f, 0.4, 2, 0, 5, 0)));
    for (int k = 0; k < 2; k++) {
        double *part = k ? &twice : &size, a = *part;
        sym_give_inputs(g, (sym_inputs){wave, part});
        double of_time = a * sin(3.8), of_x = a * sin(5);
        ck_assert_double_eq_tol(value(f, 0.4, 2, 0, 5, 0), 2 * of_time + of_x * of_x, 1e-14);
        double slope = 5 * of_time + 2 * a * 2 * cos(3.8) + 2 * of_x * a * cos(5) * 5;
        ck_assert_double_eq_tol(value(sym_time_derivative(g, f), 0.4, 2, 0, 5, 0), slope, 1e-13);
        sym by = sym_jacobian_entries(&memory, g, 1, &f, by_x, NULL).item[0].value;
        ck_assert_double_eq_tol(value(by, 0.4, 2, 0, 5, 0), of_time + 2 * of_x * a * cos(5), 1e-13);
    }
    sym image = sym_rebuild(g, u, (sym[]){y()});
    ck_assert_double_eq_tol(value(image, 0, 0, 0.4, 0, 0), 2 * sin(3.8), 1e-14);
    text t = {0};
    sym_print(g, sym_time_derivative(g, u), NULL, NULL, &t);
    ck_assert_str_eq(text_string(&t), "input4'(time)");
    text_free(&t);
}

/* A part of a tape gives some outputs to the bit, over the inputs that they contain; without one of
 * these, or with a function of the time that is not known yet, there is none. */
GRAPH_TEST(parts_of_tapes)
{
    (void)unused;
    sym shared = sym_power_number(g, sym_add(g, x(), sym_number(g, 2.5)), 3);
    sym dx = sym_variable(g, 0, 1), t = sym_time(g);
    sym f[] = {sym_multiply(g, shared, root(y())), sym_add(g, shared, sym_scale(g, 0.3, t)),
               sym_multiply(g, dx, sym_number(g, 7)), sym_number(g, 4), sym_input(g, 3, 0, t)};
    enum { COUNT = sizeof f / sizeof *f };
    sym_tape *whole = sym_tape_compile(&memory, g, COUNT, f, 5, slot, NULL);
    uint32_t *room = arena_array(&memory, sym_tape_work(whole), sizeof *room);
    double input[5] = {0.7, 1.9, 3.1, -0.4, 8}, all[COUNT], own[2];
    const size_t outputs[][2] = {{3, 1}, {2, 3}, {0, 1}, {0, 2}, {4, 1}};
    const size_t taken[][3] = {{0, 1, 4}, {0, 3, 4}, {0, 2, 1}, {0, 1, 2}, {0, 1, 2}};
    sym_tape_eval(whole, input, all);
    for (size_t k = 0; k < 5; k++) {
        sym_tape *part = sym_tape_part(&memory, whole, 2, outputs[k], 3, taken[k], room);
        for (size_t i = 0; i < sym_tape_work(whole); i++) ck_assert_uint_eq(room[i], 0);
        ck_assert((part != NULL) == (k < 3)); /* the fourth lacks x' */
        if (!part) continue;
        ck_assert_uint_lt(sym_tape_work(part), sym_tape_work(whole));
        double few[3] = {input[taken[k][0]], input[taken[k][1]], input[taken[k][2]]};
        sym_tape_eval(part, few, own);
        for (size_t i = 0; i < 2; i++) ck_assert_double_eq(own[i], all[outputs[k][i]]);
    }
}

UNIT_MAIN("symbolic/expressions", 120, bounds, degree_one, linear_parts, jumps, like_terms_cancel,
          spans_of_time, poles_are_kept, powers, derivatives_match_differences,
          depth_does_not_matter, printed_as_written, substitution, names_within_expressions, inputs,
          parts_of_tapes)
