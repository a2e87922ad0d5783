/* Relations and their modes: a relation that is held has the value that it is held at on either
 * side of its expression, in what is made of it and in derivatives; a free one follows its sides.
 */
#include "symbolic/relations.h"

#include "base/unit.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"

static arena memory;
static sym_graph *g;

static void begin(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
}

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

static sym number(double value)
{
    return sym_number(g, value);
}

static size_t slot(void *unused, const sym_view *leaf)
{
    (void)unused;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->id; /* time, x, y */
}

static size_t derivative_slot(void *unused, const sym_view *leaf)
{
    (void)unused;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->id + 2 * leaf->order; /* time, x, y, x', y' */
}

static const sym_tape *compile(sym f)
{
    return sym_tape_compile(&memory, g, 1, &f, 3, slot, NULL);
}

static double at(const sym_tape *c, double vx, double vy)
{
    double result, input[3] = {0, vx, vy};
    sym_tape_eval(c, input, &result);
    return result;
}

/* x < 1 ? 2 x : 5 y, whose relation is number 0 */
static sym two_branches(void)
{
    sym less = sym_relation(g, SYM_LESS, x(), number(1));
    sym f = sym_if(g, less, sym_scale(g, 2, x()), sym_scale(g, 5, y()));
    sym_number_relations(g, 1, &f);
    return f;
}

GRAPH_TEST(held_has_its_value_on_either_side)
{
    (void)unused;
    static const sym_op OP[] = {SYM_LESS, SYM_LESS_EQUAL, SYM_EQUAL};
    for (size_t k = 0; k < 3; k++) {
        sym f = sym_relation(g, OP[k], x(), y());
        sym_number_relations(g, 1, &f);
        const sym_tape *c = compile(f);
        for (double vx = -1; vx <= 1; vx++) {
            sym_hold_relation(g, k, SYM_HELD_TRUE);
            ck_assert(at(c, vx, 0) == 1);
            sym_hold_relation(g, k, SYM_HELD_FALSE);
            ck_assert(at(c, vx, 0) == 0);
            sym_hold_relation(g, k, SYM_FREE);
            ck_assert(at(c, vx, 0) == sym_operate(OP[k], vx, 0, 0));
        }
    }
    ck_assert_uint_eq(sym_relation_count(g), 3);
}

/* By each variable and by time: the slope of the branch that is held. */
GRAPH_TEST(derivatives_follow_the_mode)
{
    (void)unused;
    sym f = two_branches();
    sym_partials by = {0};
    sym_gradient(g, f, &by);
    ck_assert_uint_eq(by.count, 2);
    const sym_tape *by_x = compile(by.item[0].value), *by_y = compile(by.item[1].value),
                   *value = compile(f);
    for (double vx = 0; vx <= 2; vx += 2) { /* on either side of 1 */
        sym_hold_relation(g, 0, SYM_HELD_TRUE);
        ck_assert(at(value, vx, 7) == 2 * vx && at(by_x, vx, 7) == 2 && at(by_y, vx, 7) == 0);
        sym_hold_relation(g, 0, SYM_HELD_FALSE);
        ck_assert(at(value, vx, 7) == 35 && at(by_x, vx, 7) == 0 && at(by_y, vx, 7) == 5);
        sym_hold_relation(g, 0, SYM_FREE);
        ck_assert(at(value, vx, 7) == (vx < 1 ? 2 * vx : 35));
    }
}

GRAPH_TEST(logic_follows_the_relations)
{
    (void)unused;
    sym a = sym_relation(g, SYM_LESS, x(), number(0));
    sym b = sym_relation(g, SYM_LESS, y(), number(0));
    sym all[] = {sym_binary(g, SYM_AND, a, b), sym_binary(g, SYM_OR, a, b), sym_not(g, a)};
    sym_number_relations(g, 3, all);
    const sym_tape *c[3];
    for (int i = 0; i < 3; i++) c[i] = compile(all[i]);
    for (int mode = 0; mode < 4; mode++) {
        bool one = mode & 1, other = mode & 2;
        sym_hold_relation(g, 0, one ? SYM_HELD_TRUE : SYM_HELD_FALSE);
        sym_hold_relation(g, 1, other ? SYM_HELD_TRUE : SYM_HELD_FALSE);
        for (double v = -1; v <= 1; v += 2) {
            ck_assert(at(c[0], v, v) == (one && other));
            ck_assert(at(c[1], v, v) == (one || other));
            ck_assert(at(c[2], v, v) == !one);
        }
    }
}

static sym replace(void *by, sym leaf)
{
    return sym_look(g, leaf).id == 0 ? *(sym *)by : leaf;
}

/* What a substitution makes of a relation has its mode. */
GRAPH_TEST(a_substituted_relation_is_held_too)
{
    (void)unused;
    sym f = two_branches(), by = sym_add(g, sym_scale(g, 3, y()), number(4));
    sym_substitute(g, 1, &f, replace, &by);
    ck_assert_uint_eq(sym_relation_count(g), 1);
    const sym_tape *c = compile(f); /* 3 y + 4 < 1 ? 6 y + 8 : 5 y */
    ck_assert(at(c, 0, 0) == 0 && at(c, 0, -2) == -4);
    sym_hold_relation(g, 0, SYM_HELD_TRUE);
    ck_assert(at(c, 0, 0) == 8 && at(c, 0, -2) == -4);
    sym_hold_relation(g, 0, SYM_HELD_FALSE);
    ck_assert(at(c, 0, 0) == 0 && at(c, 0, -2) == -10);
}

/* Where x is y, x < 1 is y < 1: one node, and either holds both. */
GRAPH_TEST(relations_that_become_equal_are_one)
{
    (void)unused;
    sym one = sym_relation(g, SYM_LESS, x(), number(1));
    sym other = sym_relation(g, SYM_LESS, y(), number(1));
    sym f[] = {sym_if(g, one, x(), number(0)), sym_if(g, other, y(), number(0))}, by = y();
    sym_number_relations(g, 2, f);
    const sym_tape *before = compile(f[0]);
    sym_substitute(g, 2, f, replace, &by);
    ck_assert_uint_eq(f[0], f[1]);
    const sym_tape *c = compile(f[0]);
    for (size_t k = 0; k < 2; k++) {
        sym_hold_relation(g, k, SYM_HELD_TRUE);
        ck_assert(at(c, 0, 3) == 3 && at(before, 3, 3) == 3);
        sym_hold_relation(g, k, SYM_FREE);
        ck_assert(at(c, 0, 3) == 0 && at(before, 3, 3) == 0);
        ck_assert_int_eq(sym_relation_mode(g, 1 - k), SYM_FREE);
    }
}

/* The derivative of max(x, 1) chooses by 1 - x too: that choice is not the author's to hold. */
GRAPH_TEST(a_literal_relation_is_always_free)
{
    (void)unused;
    sym held = sym_relation(g, SYM_LESS, x(), number(1));
    sym f = sym_binary(g, SYM_MAX, x(), number(1));
    sym both = sym_add(g, f, sym_if(g, held, y(), number(0)));
    sym_number_relations(g, 1, &both);
    sym_partials by = {0};
    sym_gradient(g, f, &by);
    const sym_tape *c = compile(by.item[0].value);
    ck_assert_uint_eq(sym_relation_count(g), 1);
    sym_hold_relation(g, 0, SYM_HELD_TRUE);
    ck_assert(at(c, 2, 0) == 1 && at(c, 0, 0) == 0);
    sym literal = sym_binary(g, SYM_LESS, x(), number(1));
    ck_assert(!sym_is_relation(g, literal) && sym_is_relation(g, held));
    ck_assert(at(compile(literal), 2, 0) == 0);
}

/* Where abs, min and max are watched, their derivatives by time are those of the branch whose mode
 * holds, on either side. */
GRAPH_TEST(time_derivatives_of_bends_follow_the_mode)
{
    (void)unused;
    sym small[] = {sym_relation(g, SYM_LESS, x(), number(0)), sym_relation(g, SYM_LESS, x(), y())};
    sym f[] = {sym_function(g, SYM_ABS, x()), sym_binary(g, SYM_MIN, x(), y()),
               sym_binary(g, SYM_MAX, x(), y())};
    sym_number_relations(g, 2, small);
    static const double SLOPE[2][3] = {{3, 5, 3}, {-3, 3, 5}}; /* with x' = 3, y' = 5 */
    for (int i = 0; i < 3; i++) {
        sym slope = sym_time_derivative(g, f[i]);
        const sym_tape *c = sym_tape_compile(&memory, g, 1, &slope, 5, derivative_slot, NULL);
        for (int held = 0; held < 2; held++) {
            sym_hold_relation(g, 0, held ? SYM_HELD_TRUE : SYM_HELD_FALSE);
            sym_hold_relation(g, 1, held ? SYM_HELD_TRUE : SYM_HELD_FALSE);
            for (double vx = -1; vx <= 1; vx++) {
                double result, input[] = {0, vx, 0, 3, 5};
                sym_tape_eval(c, input, &result);
                ck_assert(result == SLOPE[held][i]);
            }
        }
    }
}

/* Numbers, and a node compared with itself, leave nothing to hold. */
GRAPH_TEST(relations_of_numbers_are_numbers)
{
    (void)unused;
    ck_assert(sym_is(g, sym_relation(g, SYM_LESS, number(1), number(2)), 1));
    ck_assert(sym_is(g, sym_relation(g, SYM_LESS, x(), x()), 0));
    sym f = two_branches(), by = number(3);
    sym_substitute(g, 1, &f, replace, &by);
    sym_hold_relation(g, 0, SYM_HELD_TRUE);
    ck_assert(at(compile(f), 0, 2) == 10);
}

UNIT_MAIN("symbolic/relations", 60, held_has_its_value_on_either_side, derivatives_follow_the_mode,
          logic_follows_the_relations, a_substituted_relation_is_held_too,
          relations_that_become_equal_are_one, a_literal_relation_is_always_free,
          time_derivatives_of_bends_follow_the_mode, relations_of_numbers_are_numbers)
