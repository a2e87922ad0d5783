/* Calls of functions without a formula: values, derivatives that are given, and differences. The
 * functions are f(x, y) = x^2 y, its derivative f'(x, y) v, and that along a solution. */
#include "symbolic/calls.h"

#include "base/unit.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"

static int evaluations;

static void call_f(void *self, const double *x, double *z)
{
    (void)self;
    evaluations++;
    z[0] = x[0] * x[0] * x[1];
    z[1] = x[0] + x[1];
}

/* x, y, vx, vy */
static void call_rate(void *self, const double *x, double *z)
{
    (void)self;
    z[0] = 2 * x[0] * x[1] * x[2] + x[0] * x[0] * x[3];
    z[1] = x[2] + x[3];
}

/* x, y, vx, vy, ax, ay */
static void call_second(void *self, const double *x, double *z)
{
    (void)self;
    z[0] = 2 * x[0] * x[1] * x[4] + x[0] * x[0] * x[5] + 2 * x[1] * x[2] * x[2] +
           4 * x[0] * x[2] * x[3];
    z[1] = x[4] + x[5];
}

/* A cubic polynomial, without values below 0. */
static void call_half(void *self, const double *x, double *z)
{
    (void)self;
    z[0] = x[0] < 0 ? (double)NAN : x[0] * x[0] * x[0] + 2 * x[0];
}

static uint32_t callee(sym_graph *g, uint32_t inputs, uint32_t outputs,
                       void (*call)(void *, const double *, double *))
{
    static const bool smooth[] = {true, true, true, true, true, true};
    static const double nominal[] = {1, 1, 1, 1, 1, 1};
    const sym_callee c = {.name = "f",
                          .inputs = inputs,
                          .outputs = outputs,
                          .smooth_input = smooth,
                          .smooth_output = smooth,
                          .nominal = nominal,
                          .code = {.call = call}};
    return sym_new_callee(g, &c);
}

/* Variable k has the input 1 + k, its derivative 11 + k. */
static size_t slot(void *context, const sym_view *leaf)
{
    (void)context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->id + 10 * (size_t)leaf->order;
}

static double value_of(arena *a, sym_graph *g, sym f)
{
    double input[41] = {0}, z;
    for (int i = 1; i < 41; i++) input[i] = 0.3 + 0.17 * i * (i % 3);
    sym_tape_eval(sym_tape_compile(a, g, 1, &f, 41, slot, NULL), input, &z);
    return z;
}

/* The partial derivative of f by variable k. */
static sym partial_by(sym_graph *g, sym f, uint32_t k)
{
    sym_partials list = {0};
    sym_gradient(g, f, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.item[i].leaf == sym_variable(g, k, 0)) return list.item[i].value;
    return sym_number(g, 0);
}

/* f with its derivatives as a model gives them. */
static void make(sym_graph *g, uint32_t *f)
{
    static const uint32_t rate_of[] = {2, 3, UINT32_MAX, UINT32_MAX};
    sym leaf[8], z[2], of[6];
    f[0] = callee(g, 2, 2, call_f);
    f[1] = callee(g, 4, 2, call_rate);
    f[2] = callee(g, 6, 2, call_second);
    sym_open_rate(g, f[0], leaf);
    for (uint32_t k = 0; k < 2; k++) z[k] = sym_call(g, f[1], k, leaf);
    sym_give_rate(g, f[0], z, NULL);
    sym_open_rate(g, f[1], leaf);
    for (int i = 0; i < 4; i++) of[i] = leaf[i];
    of[4] = leaf[6], of[5] = leaf[7];
    for (uint32_t k = 0; k < 2; k++) z[k] = sym_call(g, f[2], k, of);
    sym_give_rate(g, f[1], z, rate_of);
}

/* All derivatives up to the second one, by time and by variables, are those of the formula. */
ARENA_TEST(given)
{
    sym_graph *g = sym_graph_create(memory_);
    uint32_t f[3];
    make(g, f);
    sym x = sym_variable(g, 0, 0), y = sym_variable(g, 1, 0), argument[4] = {x, y};
    sym call = sym_call(g, f[0], 0, argument),
        formula = sym_multiply(g, sym_power_number(g, x, 2), y);
    sym by[2][3] = {{call, sym_time_derivative(g, call)},
                    {formula, sym_time_derivative(g, formula)}};
    for (int i = 0; i < 2; i++) by[i][2] = sym_time_derivative(g, by[i][1]);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(value_of(memory_, g, by[0][k]), value_of(memory_, g, by[1][k]),
                                1e-13);
        for (uint32_t v = 0; v < 2; v++)
            ck_assert_double_eq_tol(value_of(memory_, g, partial_by(g, by[0][k], v)),
                                    value_of(memory_, g, partial_by(g, by[1][k], v)),
                                    k < 2 ? 1e-13 : 1e-6); /* third derivatives: differences */
    }
    ck_assert_ptr_null(sym_call_unsteady(g, by[0][2]));
}

/* Other directions than that of the solution: f'(x, y) v by x and v, which are not x' = v. */
ARENA_TEST(directions)
{
    sym_graph *g = sym_graph_create(memory_);
    uint32_t f[3];
    make(g, f);
    sym leaf[4];
    for (uint32_t k = 0; k < 4; k++) leaf[k] = sym_variable(g, k, 0);
    sym call = sym_call(g, f[1], 0, leaf);
    sym formula = sym_add(
        g, sym_product(g, 4, (sym[]){sym_number(g, 2), leaf[0], leaf[1], leaf[2]}, NULL),
        sym_product(g, 2, (sym[]){leaf[0], leaf[3]}, (double[]){2, 1}));
    for (uint32_t k = 0; k < 4; k++)
        ck_assert_double_eq_tol(value_of(memory_, g, partial_by(g, call, k)),
                                value_of(memory_, g, partial_by(g, formula, k)), 1e-13);
    ck_assert_double_eq_tol(value_of(memory_, g, sym_time_derivative(g, call)),
                            value_of(memory_, g, sym_time_derivative(g, formula)), 1e-12);
}

/* Differences: exact for these polynomials but for rounding, also at an end of where f has values;
 * a difference of a difference is told. */
ARENA_TEST(differences)
{
    sym_graph *g = sym_graph_create(memory_);
    uint32_t f = callee(g, 2, 2, call_f), half = callee(g, 1, 1, call_half);
    sym x = sym_variable(g, 0, 0), y = sym_variable(g, 1, 0);
    sym call = sym_call(g, f, 0, (sym[]){x, y}), rate = sym_time_derivative(g, call);
    sym formula = sym_multiply(g, sym_power_number(g, x, 2), y);
    ck_assert_double_eq_tol(value_of(memory_, g, rate),
                            value_of(memory_, g, sym_time_derivative(g, formula)), 1e-11);
    ck_assert_double_eq_tol(value_of(memory_, g, partial_by(g, partial_by(g, call, 0), 1)),
                            value_of(memory_, g, partial_by(g, partial_by(g, formula, 0), 1)),
                            1e-6);
    ck_assert_ptr_null(sym_call_unsteady(g, rate));
    ck_assert_ptr_eq(sym_call_unsteady(g, sym_time_derivative(g, rate)), sym_callee_of(g, f));
    sym slope = partial_by(g, sym_call(g, half, 0, &x), 0);
    sym_substitute_leaf(g, 1, &slope, x, sym_number(g, 0));
    ck_assert_double_eq_tol(value_of(memory_, g, slope), 2, 1e-11);
    ck_assert_ptr_null(sym_call_unsteady(g, formula));
}

/* One call for all outputs of an evaluation; none for numbers. */
ARENA_TEST(once)
{
    sym_graph *g = sym_graph_create(memory_);
    uint32_t f = callee(g, 2, 2, call_f);
    sym argument[2] = {sym_variable(g, 0, 0), sym_variable(g, 1, 0)};
    sym z[2] = {sym_call(g, f, 0, argument), sym_call(g, f, 1, argument)};
    sym_tape *tape = sym_tape_compile(memory_, g, 2, z, 3, slot, NULL);
    double value[2];
    evaluations = 0;
    sym_tape_eval(tape, (double[]){0, 3, 5}, value);
    ck_assert_int_eq(evaluations, 1);
    ck_assert_double_eq(value[0], 45);
    ck_assert_double_eq(value[1], 8);
    sym number = sym_call(g, f, 0, (sym[]){sym_number(g, 3), sym_number(g, 5)});
    ck_assert(sym_is(g, number, 45));
}

/* A copy of a graph calls the same functions, and has the same derivatives. */
ARENA_TEST(copied)
{
    sym_graph *g = sym_graph_create(memory_);
    uint32_t f[3];
    make(g, f);
    sym call = sym_call(g, f[0], 0, (sym[]){sym_variable(g, 0, 0), sym_variable(g, 1, 0)});
    sym_graph *copy = sym_graph_copy(memory_, g, false, NULL);
    sym rate = sym_time_derivative(copy, sym_time_derivative(copy, call));
    ck_assert_double_eq(value_of(memory_, copy, rate),
                        value_of(memory_, g, sym_time_derivative(g, sym_time_derivative(g, call))));
}

UNIT_MAIN("symbolic/calls", 10, given, directions, differences, once, copied)
