/* A tape evaluates what it was compiled from: drafts of random instructions give the values, to the
 * bit, that a loop over the instructions gives, with numbers that are infinite or none among them.
 * So fused operations round as the two that they stand for, in lanes, by the interpreter and by
 * machine code. */
#include "base/scatter.h"
#include "base/unit.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"
#include "symbolic/tape_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 60, MOST_INPUTS = 12, CONSTANTS = 4, MOST_COPIES = 150 };

static arena memory;
static sym_graph *g;
static uint64_t draw;

static size_t below(size_t count)
{
    return scatter_below(&draw, count);
}

static const uint32_t operations[] = {TAPE_ADD,
                                      TAPE_SUB,
                                      TAPE_MUL,
                                      TAPE_AXPY,
                                      TAPE_ADD,
                                      TAPE_MUL,
                                      TAPE_AXPY,
                                      TAPE_AXPY,
                                      TAPE_DIV,
                                      TAPE_SQRT,
                                      TAPE_CALL + SYM_SIN,
                                      TAPE_CALL + SYM_COS,
                                      TAPE_CALL + SYM_TAN,
                                      TAPE_CALL + SYM_TANH,
                                      TAPE_CALL + SYM_EXP,
                                      TAPE_CALL + SYM_LOG,
                                      TAPE_CALL + SYM_ATAN,
                                      TAPE_CALL + SYM_MAX};

static const double constants[CONSTANTS] = {2.5, -1, 0x1.23456789abcdep-3, 1e300};

/* Instructions of one pattern, of which each takes with preference what has just been computed. */
static size_t draw_pattern(instruction *code, size_t inputs)
{
    size_t count = 1 + below(MOST_INSTRUCTIONS);
    for (size_t i = 0; i < count; i++) {
        code[i] = (instruction){.op = operations[below(sizeof operations / sizeof *operations)]};
        if (below(4) > 0 && code[i].op >= TAPE_CALL) code[i].op = TAPE_MUL;
        for (size_t o = 0; o < tape_operands(code[i].op); o++) {
            size_t recent = i < 2 ? i : 2, kind = below(4);
            uint32_t chosen = kind == 0   ? TAPE_CONSTANTS + (uint32_t)below(CONSTANTS)
                              : kind == 1 ? (uint32_t)below(inputs)
                              : recent    ? (uint32_t)(inputs + i - 1 - below(recent))
                                          : 0;
            code[i].operand[o] = chosen;
        }
    }
    return count;
}

/* Copies of a pattern, each of which has inputs of its own. */
static tape_draft copies_of(const instruction *pattern, size_t count, size_t inputs, size_t copies)
{
    tape_draft d = {copies * inputs, CONSTANTS, copies * count, 0, constants, NULL, NULL};
    d.code = arena_array(&memory, d.instructions, sizeof *d.code);
    d.result = arena_array(&memory, d.instructions, sizeof *d.result);
    for (size_t c = 0; c < copies; c++)
        for (size_t i = 0; i < count; i++) {
            instruction *in = &d.code[c * count + i];
            *in = pattern[i];
            for (size_t o = 0; o < tape_operands(in->op); o++) {
                if (in->operand[o] >= TAPE_CONSTANTS) continue;
                bool is_input = in->operand[o] < inputs;
                in->operand[o] += (uint32_t)(is_input ? c * inputs : d.inputs - inputs + c * count);
            }
        }
    for (size_t i = 0; i < count; i++) { /* the last one, and some in between */
        if (i + 1 < count && below(8) > 0) continue;
        for (size_t c = 0; c < copies; c++)
            d.result[d.results++] = (uint32_t)(d.inputs + c * count + i);
    }
    return d;
}

static double plain_value(const instruction *in, const double *x)
{
    switch (in->op) {
    case TAPE_ADD: return x[0] + x[1];
    case TAPE_SUB: return x[0] - x[1];
    case TAPE_MUL: return x[0] * x[1];
    case TAPE_DIV: return x[0] / x[1];
    case TAPE_AXPY: return x[0] + x[1] * x[2];
    case TAPE_SQRT: return sqrt(x[0]);
    default: return sym_operate((sym_op)(in->op - TAPE_CALL), x[0], x[1], x[2]);
    }
}

static void evaluate_plainly(const tape_draft *d, const double *input, double *output)
{
    double *value = arena_array(&memory, d->instructions, sizeof *value);
    for (size_t i = 0; i < d->instructions; i++) {
        double x[TAPE_OPERANDS] = {0};
        for (size_t o = 0; o < tape_operands(d->code[i].op); o++) {
            uint32_t from = d->code[i].operand[o];
            x[o] = from >= TAPE_CONSTANTS ? d->constant[from - TAPE_CONSTANTS]
                   : from < d->inputs     ? input[from]
                                          : value[from - d->inputs];
        }
        value[i] = plain_value(&d->code[i], x);
    }
    for (size_t k = 0; k < d->results; k++) output[k] = value[d->result[k] - d->inputs];
}

static sym_tape *compile(tape_draft *d)
{
    arena *scratch = arena_part(&memory);
    sym_tape *tape = arena_take(&memory, sizeof *tape);
    *tape = (sym_tape){.outputs = d->results, .result = d->result, .graph = g};
    tape->relations = &g->relations, tape->cells = &g->cells, tape->lists = &g->lists;
    tape_fuse(scratch, d);
    tape_lay_out(&memory, scratch, d, tape);
    return tape;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void fill(double *input, size_t count)
{
    static const double odd[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, 0, -0.0, 1e-310};
    bool with_odd = below(2) == 0;
    for (size_t k = 0; k < count; k++)
        input[k] = with_odd && below(5) == 0 ? odd[below(6)] : scatter_between(&draw, -2, 2);
}

/* Often enough for machine code, where there is any; whether all that it can do is done by it. */
static bool warm(const sym_tape *tape, const double *input, double *output)
{
    for (int k = 0; k < 1 << 15; k += 1 + (int)(tape->registers / 1000) * 100)
        sym_tape_eval(tape, input, output);
    for (size_t k = 0; k < 40; k++) sym_tape_eval(tape, input, output);
    for (size_t k = 0; k < tape->steps; k++)
        if (!tape->step[k].lanes && !tape_native_eval(tape, k)) return false;
    return true;
}

static size_t fused, in_lanes, all;

static void look_at(const sym_tape *tape)
{
    for (size_t k = 0; k < tape->steps; k++)
        for (size_t i = 0; i < tape->step[k].count; i++) {
            const tape_step *s = &tape->step[k];
            uint32_t op = s->lanes ? s->group[i].op : s->code[i].op;
            bool is_fused = op >= TAPE_ADD3 && op < TAPE_CALL;
            size_t lanes = s->lanes ? s->lanes : 1;
            all += lanes;
            fused += is_fused ? lanes : 0;
            in_lanes += is_fused ? s->lanes : 0;
        }
}

static void one_draft(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    instruction pattern[MOST_INSTRUCTIONS];
    size_t inputs = 1 + below(MOST_INPUTS), count = draw_pattern(pattern, inputs);
    size_t copies = below(2) ? 1 : 2 + below(MOST_COPIES - 1);
    tape_draft d = copies_of(pattern, count, inputs, copies);
    double *input = arena_array(&memory, d.inputs, sizeof *input);
    double *plain[2], *got = arena_array(&memory, d.results, sizeof *got);
    uint64_t at = draw;
    for (int turn = 0; turn < 2; turn++) {
        plain[turn] = arena_array(&memory, d.results, sizeof *got);
        fill(input, d.inputs);
        evaluate_plainly(&d, input, plain[turn]);
    }
    const sym_tape *tape = compile(&d);
    look_at(tape);
    for (int again = 0; again < 2; again++) { /* the second time by machine code */
        draw = at;
        for (int turn = 0; turn < 2; turn++) {
            fill(input, d.inputs);
            sym_tape_eval(tape, input, got);
            for (size_t k = 0; k < d.results; k++)
                ck_assert_msg(same_bits(got[k], plain[turn][k]), "%zu of %zu: %.17g, not %.17g", k,
                              d.results, got[k], plain[turn][k]);
        }
        bool native = warm(tape, input, got);
#if defined(__x86_64__) && defined(__ELF__)
        ck_assert(native);
#endif
        (void)native;
    }
}

START_TEST(drafts)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        draw = seed;
        ck_assert_int_eq(arena_protect(&memory, one_draft, NULL), 0);
        arena_free(&memory);
    }
    ck_assert_uint_gt(fused, all / 20); /* else nothing is shown */
    ck_assert_uint_gt(in_lanes, fused / 10);
}
END_TEST

static size_t slot_of(void *context, const sym_view *leaf)
{
    (void)context;
    return leaf->id;
}

/* Sums and products with outputs in a row, outputs that are inputs or constants, and one twice: all
 * by machine code, which takes inputs from where they are and leaves the work space as it was; with
 * an operation that only the interpreter knows, it does not. */
static void one_tape(void *unused)
{
    (void)unused;
    enum { INPUTS = 5, OUTPUTS = 9 };
    for (int turn = 0; turn < 2; turn++) {
        sym out[OUTPUTS], x[INPUTS];
        double input[INPUTS], got[OUTPUTS], outside[INPUTS];
        g = sym_graph_create(&memory);
        for (uint32_t k = 0; k < INPUTS; k++) x[k] = sym_variable(g, k, 0);
        for (uint32_t k = 0; k < 4; k++) out[k] = sym_multiply(g, x[k], x[k + 1]);
        out[4] = x[1], out[5] = x[2], out[6] = sym_number(g, 7), out[7] = out[3];
        out[8] = turn ? sym_binary(g, SYM_MAX, x[0], x[1]) : sym_add(g, x[0], x[4]);
        const sym_tape *tape = sym_tape_compile(&memory, g, OUTPUTS, out, INPUTS, slot_of, NULL);
        for (uint32_t k = 0; k < INPUTS; k++) input[k] = k + 1;
        bool native = warm(tape, input, got);
        for (uint32_t k = 0; k < INPUTS; k++) input[k] = outside[k] = 10 - 2.5 * k;
        bool all_native = tape_native_all(tape, outside, got);
#if defined(__x86_64__) && defined(__ELF__)
        ck_assert(native);
        ck_assert(all_native == (turn == 0));
        if (turn == 0) ck_assert(tape->work[tape->constants] == 1);
#endif
        if (!all_native) sym_tape_eval(tape, input, got);
        (void)native;
        for (size_t k = 0; k < 4; k++) ck_assert(got[k] == input[k] * input[k + 1]);
        ck_assert(got[4] == input[1] && got[5] == input[2] && got[6] == 7 && got[7] == got[3]);
        ck_assert(got[8] == (turn ? input[0] : input[0] + input[4]));
    }
}

START_TEST(inputs_stay_where_they_are)
{
    ck_assert_int_eq(arena_protect(&memory, one_tape, NULL), 0);
    arena_free(&memory);
}
END_TEST

/* Two instructions, the second of which takes the first one's result: what they become. */
typedef struct pair {
    tape_op first, second;
    size_t at;
    tape_op fused;
} pair;

static const pair pairs[] = {
    {TAPE_AXPY, TAPE_AXPY, 0, TAPE_AXPY2}, {TAPE_MUL, TAPE_AXPY, 0, TAPE_DOT2},
    {TAPE_MUL, TAPE_AXPY, 2, TAPE_AXYZ},   {TAPE_MUL, TAPE_ADD, 0, TAPE_AXPY},
    {TAPE_MUL, TAPE_ADD, 1, TAPE_AXPY},    {TAPE_ADD, TAPE_ADD, 0, TAPE_ADD3},
    {TAPE_MUL, TAPE_SUB, 1, TAPE_AXMY},    {TAPE_MUL, TAPE_MUL, 0, TAPE_MUL3},
};

/* outputs: 1: the second result; 2: the first one, too, so that it has to be there. */
static const sym_tape *tape_of_pair(const pair *p, size_t outputs, double *plain,
                                    const double *input)
{
    instruction *code = arena_array(&memory, 2, sizeof *code);
    code[0] = (instruction){.op = p->first, .operand = {0, 1, 2}};
    code[1] = (instruction){.op = p->second, .operand = {3, 4, 5}};
    code[1].operand[p->at] = 6;
    uint32_t *result = arena_array(&memory, 2, sizeof *result);
    result[0] = 7, result[1] = 6;
    tape_draft d = {6, 0, 2, outputs, NULL, code, result};
    evaluate_plainly(&d, input, plain);
    return compile(&d);
}

static void each_pair(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (size_t outputs = 1; outputs <= 2; outputs++) {
            double input[6], plain[2], got[2];
            draw = k + 1;
            for (size_t i = 0; i < 6; i++) input[i] = scatter_between(&draw, -2, 2);
            const sym_tape *tape = tape_of_pair(&pairs[k], outputs, plain, input);
            ck_assert_uint_eq(tape->steps, 1);
            ck_assert_uint_eq(tape->step[0].count, outputs);
            uint32_t last = tape->step[0].code[outputs - 1].op;
            ck_assert_uint_eq(last, outputs == 1 ? pairs[k].fused : pairs[k].second);
            sym_tape_eval(tape, input, got);
            for (size_t i = 0; i < outputs; i++) ck_assert(same_bits(got[i], plain[i]));
        }
}

START_TEST(what_becomes_of_two)
{
    ck_assert_int_eq(arena_protect(&memory, each_pair, NULL), 0);
    arena_free(&memory);
}
END_TEST

static size_t mappings(void)
{
    size_t lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) return 0;
    for (int c; (c = getc(maps)) != EOF;) lines += c == '\n';
    fclose(maps);
    return lines;
}

static void many_tapes(void *unused)
{
    (void)unused;
    g = sym_graph_create(&memory);
    double input[6] = {1, 2, 3, 4, 5, 6}, plain[2], got[2];
    for (size_t k = 0; k < 50; k++) warm(tape_of_pair(&pairs[0], 2, plain, input), input, got);
}

/* Machine code goes with the arena of its tape. */
START_TEST(machine_code_is_freed)
{
    size_t before = mappings();
    ck_assert_int_eq(arena_protect(&memory, many_tapes, NULL), 0);
    arena_free(&memory);
    ck_assert_uint_le(mappings(), before + 5);
}
END_TEST

UNIT_MAIN("symbolic/fused", 120, drafts, inputs_stay_where_they_are, what_becomes_of_two,
          machine_code_is_freed)
