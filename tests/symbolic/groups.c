/* Instructions that are built alike are evaluated in groups of lanes. Each value is that of the
 * same expression by itself, to the bit, whatever it shares with others and in whatever order they
 * stand: families of equations over neighbours, sums over all, values that follow from the one
 * before, relations in modes, held numbers, elements of lists, functions from outside. */
#include "base/unit.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"
#include "symbolic/tape_code.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 + 2 * 256, FAMILIES = 3 };

static arena memory;
static sym_graph *g;
static uint64_t draw; /* the state of the random numbers */

static size_t slot(void *unused, const sym_view *leaf)
{
    (void)unused;
    return leaf->op == SYM_TIME ? 0 : 1 + 2 * (size_t)leaf->id + leaf->order;
}

static size_t below(size_t count)
{
    return scatter_below(&draw, count);
}

/* What the equations of one model have to build from. */
typedef struct ground {
    size_t n;      /* variables */
    sym shared[3]; /* expressions that all may use */
    sym last;      /* of the equation before */
    uint32_t list;
    size_t numbers; /* how the numbers of a family go: all the same, even, or at random */
} ground;

/* The same draws for each member of a family: what differs is the member's number i. */
static sym leaf(const ground *t, size_t i)
{
    size_t shift = below(3);
    switch (below(9)) {
    case 0: return sym_number(g, 0.25 + (double)below(3));
    case 1: return sym_number(g, t->numbers == 1 ? 1.5 * (double)i : 1 + sin(3.0 * (double)i));
    case 2: return t->shared[below(3)];
    case 3: return sym_variable(g, (uint32_t)((i + shift) % t->n), 1);
    case 4: return sym_variable(g, (uint32_t)(i * 7 % t->n), 0);
    case 5: return sym_time(g);
    default: return sym_variable(g, (uint32_t)((i + shift) % t->n), 0);
    }
}

static sym tree(const ground *t, size_t i, int depth)
{
    if (depth == 0) return leaf(t, i);
    size_t kind = below(14);
    sym a = tree(t, i, depth - 1), b = tree(t, i, depth - 1);
    switch (kind) {
    case 0: return sym_multiply(g, a, b);
    case 1: return sym_divide(g, a, sym_add(g, sym_number(g, 9), sym_multiply(g, b, b)));
    case 2: return sym_function(g, SYM_SIN, a);
    case 3: return sym_function(g, SYM_ATAN, sym_subtract(g, a, b));
    case 4: return sym_power_number(g, sym_add(g, sym_number(g, 2), sym_multiply(g, a, a)), 0.5);
    case 5: return sym_power_number(g, a, (double)(2 + below(5)));
    case 6: return sym_binary(g, below(2) ? SYM_MIN : SYM_MAX, a, b);
    case 7: return sym_if(g, sym_relation(g, SYM_LESS, a, b), a, sym_scale(g, 0.3, b));
    case 8: return sym_element(g, t->list, sym_binary(g, SYM_MIN, sym_number(g, 3), a));
    case 9: return sym_input(g, 4, 0, a);
    case 10: return sym_multiply(g, sym_cell(g, (uint32_t)(i % sym_cell_count(g))), a);
    case 11: return sym_binary(g, SYM_ATAN2, a, b);
    default: return sym_sum(g, below(2) ? 0.5 : 0, 2, (sym[]){a, b}, (double[]){1, -2.5});
    }
}

static double outside(void *unused, uint32_t id, uint32_t order, double argument)
{
    (void)unused;
    return cos(argument) + id + order;
}

static void prepare(ground *t)
{
    g = sym_graph_create(&memory);
    sym_give_inputs(g, (sym_inputs){outside, NULL});
    t->n = 3 + below(150);
    t->list = sym_new_list(g, 4, (double[]){0.1, 4, 2, -7});
    for (int k = 0; k < 9; k++)
        sym_set_cell(g, sym_look(g, sym_new_cell(g, "c")).id, 1.0 / (k + 3));
    for (size_t i = 0; i < t->n; i++) sym_variable(g, (uint32_t)i, 0);
    for (size_t k = 0; k < 3; k++) t->shared[k] = sym_time(g);
    for (size_t k = 0; k < 3; k++) t->shared[k] = tree(t, k, 3);
}

/* Some families of equations, a sum over all of them, and a row in which each follows from the one
 * before; in mixed order. */
static size_t draw_model(ground *t, sym *f)
{
    size_t count = 0;
    for (size_t family = 0; family < FAMILIES; family++) {
        int depth = 1 + (int)below(4);
        t->numbers = below(3);
        bool follows = below(4) == 0;
        uint64_t member = draw;
        sym last = sym_number(g, 0.5);
        for (size_t i = 0; i < t->n; i++) {
            draw = member;
            sym one = tree(t, i, depth);
            if (follows) one = sym_add(g, one, sym_function(g, SYM_SIN, last));
            f[count++] = last = one;
        }
        if (below(2)) t->shared[below(3)] = sym_sum(g, 0, t->n, f + count - t->n, NULL);
    }
    f[count++] = t->shared[0];
    if (below(2))
        for (size_t i = count; i > 1; i--) {
            size_t k = below(i);
            sym one = f[k];
            f[k] = f[i - 1];
            f[i - 1] = one;
        }
    return count;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* The outputs of a tape beside those of tapes of one output each. */
static void compare_with_single(size_t count, const sym *f, size_t inputs, const double *input,
                                const double *all)
{
    for (size_t k = 0; k < count; k++) {
        double one;
        sym_tape *tape = sym_tape_compile(&memory, g, 1, &f[k], inputs, slot, NULL);
        sym_tape_eval(tape, input, &one);
        ck_assert_msg(same_bits(one, all[k]), "output %zu is %.17g, by itself %.17g", k, all[k],
                      one);
    }
}

/* Every third output, by a part of the tape, unless this needs the whole. */
static void compare_with_part(const sym_tape *whole, size_t count, size_t inputs,
                              const double *input, const double *all)
{
    size_t output[FAMILIES * 256], own = 0, taken[MOST];
    double few[FAMILIES * 256];
    for (size_t k = 0; k < count; k += 3) output[own++] = k;
    for (size_t k = 0; k < inputs; k++) taken[k] = k;
    uint32_t *room = arena_array(&memory, sym_tape_work(whole), sizeof *room);
    sym_tape *part = sym_tape_part(&memory, whole, own, output, inputs, taken, room);
    for (size_t i = 0; i < sym_tape_work(whole); i++) ck_assert_uint_eq(room[i], 0);
    if (!part) return;
    sym_tape_eval(part, input, few);
    for (size_t k = 0; k < own; k++)
        ck_assert_msg(same_bits(few[k], all[output[k]]), "output %zu is %.17g in a part, %.17g",
                      output[k], few[k], all[output[k]]);
}

static size_t grouped(const sym_tape *tape)
{
    size_t lanes = 0;
    for (size_t k = 0; k < tape->steps; k++) lanes += tape->step[k].lanes * tape->step[k].count;
    return lanes;
}

static size_t all_instructions, all_grouped;

static void one_model(void *unused)
{
    (void)unused;
    ground t = {.numbers = 0};
    prepare(&t);
    sym *f = arena_array(&memory, FAMILIES * t.n + 1, sizeof *f);
    size_t count = draw_model(&t, f), inputs = 1 + 2 * t.n;
    for (size_t k = 0; k < count; k++) sym_number_relations(g, 1, &f[k]);
    sym_tape *tape = sym_tape_compile(&memory, g, count, f, inputs, slot, NULL);
    double input[MOST], *all = arena_array(&memory, count, sizeof *all);
    for (int turn = 0; turn < 3; turn++) {
        for (int k = 0; k < 40 + (1 << 15) / (int)tape->registers && turn == 2; k++)
            sym_tape_eval(tape, input, all); /* often enough for machine code */
        for (size_t k = 0; k < inputs; k++) input[k] = scatter_between(&draw, -2, 2);
        for (size_t k = 0; k < sym_relation_count(g) && turn >= 1; k++)
            sym_hold_relation(g, k, (sym_mode)below(3));
        sym_tape_eval(tape, input, all);
        compare_with_single(count, f, inputs, input, all);
        compare_with_part(tape, count, inputs, input, all);
    }
    all_instructions += tape->registers - tape->constants - tape->inputs;
    all_grouped += grouped(tape);
}

START_TEST(drawn_families)
{
    for (uint64_t seed = 1; seed <= 60 / unit_one_in(4); seed++) {
        draw = seed;
        ck_assert_int_eq(arena_protect(&memory, one_model, NULL), 0);
        arena_free(&memory);
    }
    ck_assert_uint_gt(all_grouped, all_instructions / 2); /* else nothing is shown */
}
END_TEST

/* One equation for each of n elements: all of it is in groups but for the two ends, and its results
 * alone have places. */
static void one_line(void *unused)
{
    (void)unused;
    enum { N = 1000 };
    g = sym_graph_create(&memory);
    sym f[N];
    for (uint32_t i = 0; i < N; i++) sym_variable(g, i, 0);
    for (uint32_t i = 0; i < N; i++) {
        sym x = sym_variable(g, i, 0), left = sym_variable(g, i ? i - 1 : 0, 0);
        sym flow = sym_multiply(g, sym_number(g, 1 + 0.5 * i), sym_subtract(g, left, x));
        f[i] = sym_subtract(g, sym_multiply(g, flow, flow), sym_function(g, SYM_EXP, x));
    }
    sym_tape *tape = sym_tape_compile(&memory, g, N, f, 1 + 2 * N, slot, NULL);
    size_t instructions = tape->registers - tape->constants - tape->inputs;
    ck_assert_uint_ge(grouped(tape) + 20, instructions);
    ck_assert_uint_le(tape->placed, tape->constants + tape->inputs + N + 20);
}

START_TEST(a_line_is_a_few_groups)
{
    ck_assert_int_eq(arena_protect(&memory, one_line, NULL), 0);
    arena_free(&memory);
}
END_TEST

UNIT_MAIN("symbolic/groups", 120, drawn_families, a_line_is_a_few_groups)
