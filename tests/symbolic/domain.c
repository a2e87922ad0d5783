/* Limits of domains: where an operation may have no value though its arguments have one. */
#include "symbolic/domain.h"

#include "base/unit.h"
#include "symbolic/simplify.h"

static arena memory;
static sym_graph *g;

static sym x(void)
{
    return sym_variable(g, 0, 0);
}

static sym y(void)
{
    return sym_variable(g, 1, 0);
}

static size_t limits_of(sym f, const sym_domain_limit **limits)
{
    return sym_domain_limits(g, 1, &f, 0, NULL, limits);
}

static void whole_powers(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    const sym_domain_limit *limit;
    ck_assert_uint_eq(limits_of(sym_multiply(g, x(), sym_power_number(g, y(), 3)), &limit), 0);
    ck_assert_uint_eq(limits_of(sym_divide(g, x(), y()), &limit), 1);
    ck_assert(limit[0].argument == y() && limit[0].exponent == -1 && sym_is_divisor(limit));
}

/* 1/sqrt(y) divides, and yet has no values beyond the zero of y. */
static void roots_are_no_divisors(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    const sym_domain_limit *limit;
    for (int sign = -1; sign <= 1; sign += 2) {
        ck_assert_uint_eq(limits_of(sym_power_number(g, y(), sign * 0.5), &limit), 1);
        ck_assert(limit[0].argument == y() && limit[0].exponent == sign * 0.5);
        ck_assert(!sym_is_divisor(limit));
    }
}

static void functions(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    static const sym_op PARTIAL[] = {SYM_LOG, SYM_TAN, SYM_ASIN}, TOTAL[] = {SYM_SIN, SYM_COS};
    const sym_domain_limit *limit;
    for (size_t k = 0; k < 3; k++) {
        ck_assert_uint_eq(limits_of(sym_function(g, PARTIAL[k], x()), &limit), 1);
        ck_assert(limit[0].op == PARTIAL[k] && limit[0].argument == x());
        ck_assert(!sym_is_divisor(limit));
    }
    for (size_t k = 0; k < 2; k++)
        ck_assert_uint_eq(limits_of(sym_function(g, TOTAL[k], x()), &limit), 0);
    ck_assert_uint_eq(limits_of(sym_binary(g, SYM_POWER, x(), y()), &limit), 1);
    ck_assert(limit[0].op == SYM_POWER && limit[0].argument == x());
}

static void known_nodes(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    sym known = sym_divide(g, sym_number(g, 1), x()), other = sym_function(g, SYM_LOG, y());
    sym both[] = {sym_add(g, known, other), sym_multiply(g, sym_function(g, SYM_SIN, x()), known)};
    const sym_domain_limit *limit;
    ck_assert_uint_eq(sym_domain_limits(g, 2, both, 2, both, &limit), 0);
    ck_assert_uint_eq(sym_domain_limits(g, 1, both, 1, &known, &limit), 1);
    ck_assert(limit[0].op == SYM_LOG && limit[0].argument == y());
    ck_assert_uint_eq(sym_domain_limits(g, 1, both, 0, NULL, &limit), 2);
}

static void run(void (*body)(void *))
{
    ck_assert_int_eq(arena_protect(&memory, body, NULL), 0);
    arena_free(&memory);
}

START_TEST(divisors_are_whole_powers)
{
    run(whole_powers);
}
END_TEST

START_TEST(roots_are_limits_and_no_divisors)
{
    run(roots_are_no_divisors);
}
END_TEST

START_TEST(functions_but_sine_and_cosine_are_limits)
{
    run(functions);
}
END_TEST

START_TEST(nodes_that_are_known_are_left_out)
{
    run(known_nodes);
}
END_TEST

UNIT_MAIN("symbolic/domain", 60, divisors_are_whole_powers, roots_are_limits_and_no_divisors,
          functions_but_sine_and_cosine_are_limits, nodes_that_are_known_are_left_out)
