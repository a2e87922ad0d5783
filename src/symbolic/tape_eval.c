#include "symbolic/simplify.h"
#include "symbolic/tape_code.h"

#include <math.h>
#include <string.h>

/* The value of a relation: a free one follows from its two sides, a held one from its mode. */
static inline double relation(unsigned char mode, bool holds)
{
    return mode == SYM_FREE ? holds : mode;
}

static double value_of_input(const tape_input *from, double argument)
{
    const sym_inputs *source = from->source;
    if (!source->value) return (double)NAN;
    return source->value(source->self, from->id, from->order, argument);
}

static double take_result(const sym_tape *tape, const tape_result *taken)
{
    const tape_call *call = &tape->call[taken->call];
    uint32_t inputs = sym_callee_of(tape->graph, call->callee)->inputs;
    if (taken->first) {
        for (uint32_t i = 0; i < inputs; i++) call->input[i] = tape->work[call->argument[i]];
        sym_call_values(tape->graph, call->callee, call->input, call->output);
    }
    return call->output[taken->output];
}

double tape_execute(const sym_tape *tape, const instruction *in)
{
    const unsigned char *mode = tape->relations->mode.item;
    const double *work = tape->work;
    double x = work[in->operand[0]], y = work[in->operand[1]], z = work[in->operand[2]];
    switch (in->op) {
    case TAPE_CALL + SYM_INPUT: return value_of_input(&tape->input[in->mode], x);
    case TAPE_CALL + SYM_CALL: return take_result(tape, &tape->taken[in->mode]);
    case TAPE_CALL + SYM_CELL: return tape->cells->value.item[in->mode];
    case TAPE_CALL + SYM_ELEMENT:
    case TAPE_CALL + SYM_INTERVAL:
        return sym_choose(&tape->lists->of.item[in->mode], (sym_op)(in->op - TAPE_CALL), x);
    case TAPE_CALL + SYM_LESS: return relation(mode[in->mode], x < y);
    case TAPE_CALL + SYM_LESS_EQUAL: return relation(mode[in->mode], x <= y);
    case TAPE_CALL + SYM_EQUAL: return relation(mode[in->mode], x == y);
    default: return sym_operate((sym_op)(in->op - TAPE_CALL), x, y, z);
    }
}

/* Instructions of one operation that follow each other are chosen once. */
#define EACH(operation, value)           \
    case operation:                      \
        do {                             \
            *r++ = value;                \
            in++;                        \
        } while (in->op == (operation)); \
        break
#define A work[in->operand[0]]
#define B work[in->operand[1]]
#define C work[in->operand[2]]
#define D work[in->operand[3]]
#define E work[in->operand[4]]

static void evaluate_code(const sym_tape *tape, const tape_step *step)
{
    double *work = tape->work, *r = work + step->first; /* the next register to be written */
    const instruction *in = step->code;
    for (;;) {
        switch (in->op) {
            EACH(TAPE_ADD, A + B);
            EACH(TAPE_SUB, A - B);
            EACH(TAPE_MUL, A * B);
            EACH(TAPE_DIV, A / B);
            EACH(TAPE_AXPY, A + B * C);
            EACH(TAPE_SQRT, sqrt(A));
            EACH(TAPE_ADD3, A + B + C);
            EACH(TAPE_MUL3, A * B * C);
            EACH(TAPE_AXMY, A - B * C);
            EACH(TAPE_DOT2, A * B + C * D);
            EACH(TAPE_AXYZ, A + B * (C * D));
            EACH(TAPE_AXPY2, A + B * C + D * E);
        case TAPE_END: return;
        default: *r++ = tape_execute(tape, in); in++;
        }
    }
}
#undef EACH
#undef A
#undef B
#undef C
#undef D
#undef E

static double *buffer(const sym_tape *tape, uint32_t number)
{
    return tape->buffer + (size_t)number * TAPE_LANES;
}

/* Operands that are the same in all lanes. */
static void spread(const sym_tape *tape, const tape_lanes *lanes)
{
    double *to = buffer(tape, lanes->buffer), value = tape->work[lanes->first];
    for (size_t k = 0; k < TAPE_LANES; k++) to[k] = value;
}

/* Where an operand's lanes from `first` on stand, count of them. */
static const double *fetch(const sym_tape *tape, const tape_lanes *lanes, size_t first,
                           size_t count)
{
    const double *work = tape->work;
    if (lanes->kind == TAPE_IN_ROW) return work + lanes->first + first;
    if (lanes->kind == TAPE_SAME) return tape->same + (size_t)lanes->buffer * TAPE_LANES;
    double *to = buffer(tape, lanes->buffer);
    if (lanes->kind == TAPE_APART) {
        uint32_t from = lanes->first + (uint32_t)first * lanes->stride; /* modulo 2^32 */
        for (size_t k = 0; k < count; k++, from += lanes->stride) to[k] = work[from];
    } else if (lanes->kind == TAPE_LISTED) {
        const uint32_t *from = lanes->list + first;
        for (size_t k = 0; k < count; k++) to[k] = work[from[k]];
    }
    return to;
}

static uint32_t mode_of(const tape_lanes *lanes, size_t lane)
{
    return lanes->list ? lanes->list[lane] : lanes->first + (uint32_t)lane * lanes->stride;
}

/* Loops of a known length become vector instructions. */
#define EACH(value)                                               \
    do {                                                          \
        if (count == TAPE_LANES)                                  \
            for (size_t k = 0; k < TAPE_LANES; k++) r[k] = value; \
        else                                                      \
            for (size_t k = 0; k < count; k++) r[k] = value;      \
    } while (0)

/* One operation on so many lanes of its operands; those that do not count are any. */
static void operate(const sym_tape *tape, const tape_group *g, size_t first, size_t count,
                    double *restrict r, const double *const *of)
{
    const double *x = of[0], *y = of[1], *z = of[2], *u = of[3], *v = of[4];
    const unsigned char *mode = tape->relations->mode.item;
    const double *cell = tape->cells->value.item;
    const sym_list *list = tape->lists->of.item;
    const tape_lanes *m = &g->mode;
    switch (g->op) {
    case TAPE_ADD: EACH(x[k] + y[k]); break;
    case TAPE_SUB: EACH(x[k] - y[k]); break;
    case TAPE_MUL: EACH(x[k] * y[k]); break;
    case TAPE_DIV: EACH(x[k] / y[k]); break;
    case TAPE_AXPY: EACH(x[k] + y[k] * z[k]); break;
    case TAPE_SQRT: EACH(sqrt(x[k])); break;
    case TAPE_ADD3: EACH(x[k] + y[k] + z[k]); break;
    case TAPE_MUL3: EACH(x[k] * y[k] * z[k]); break;
    case TAPE_AXMY: EACH(x[k] - y[k] * z[k]); break;
    case TAPE_DOT2: EACH(x[k] * y[k] + z[k] * u[k]); break;
    case TAPE_AXYZ: EACH(x[k] + y[k] * (z[k] * u[k])); break;
    case TAPE_AXPY2: EACH(x[k] + y[k] * z[k] + u[k] * v[k]); break;
    case TAPE_CALL + SYM_SIN: EACH(sin(x[k])); break;
    case TAPE_CALL + SYM_COS: EACH(cos(x[k])); break;
    case TAPE_CALL + SYM_EXP: EACH(exp(x[k])); break;
    case TAPE_CALL + SYM_CELL: EACH(cell[mode_of(m, first + k)]); break;
    case TAPE_CALL + SYM_ELEMENT:
    case TAPE_CALL + SYM_INTERVAL:
        EACH(sym_choose(&list[mode_of(m, first + k)], (sym_op)(g->op - TAPE_CALL), x[k]));
        break;
    case TAPE_CALL + SYM_LESS: EACH(relation(mode[mode_of(m, first + k)], x[k] < y[k])); break;
    case TAPE_CALL + SYM_LESS_EQUAL:
        EACH(relation(mode[mode_of(m, first + k)], x[k] <= y[k]));
        break;
    case TAPE_CALL + SYM_EQUAL: EACH(relation(mode[mode_of(m, first + k)], x[k] == y[k])); break;
    default: EACH(sym_operate((sym_op)(g->op - TAPE_CALL), x[k], y[k], z[k]));
    }
}

static void evaluate_groups(const sym_tape *tape, const tape_step *step)
{
    for (size_t i = 0; i < step->count; i++)
        for (size_t o = 0; o < step->group[i].operands; o++)
            if (step->group[i].operand[o].kind == TAPE_FIXED)
                spread(tape, &step->group[i].operand[o]);
    for (size_t first = 0; first < step->lanes; first += TAPE_LANES) {
        size_t count = step->lanes - first < TAPE_LANES ? step->lanes - first : TAPE_LANES;
        for (size_t i = 0; i < step->count; i++) {
            const tape_group *g = &step->group[i];
            const double *none = tape->buffer + tape->buffers * TAPE_LANES;
            const double *of[TAPE_OPERANDS] = {none, none, none, none, none};
            for (size_t o = 0; o < g->operands; o++)
                of[o] = fetch(tape, &g->operand[o], first, count);
            double *r = g->buffer == TAPE_NO_BUFFER ? tape->work + g->first + first
                                                    : buffer(tape, g->buffer);
            operate(tape, g, first, count, r, of);
        }
    }
}

void sym_tape_eval(const sym_tape *tape, const double *input, double *output)
{
    tape_native_count(tape);
    if (tape_native_all(tape, input, output)) return;
    if (tape->inputs)
        memcpy(tape->work + tape->constants, input, tape->inputs * sizeof *tape->work);
    for (size_t k = 0; k < tape->steps; k++) {
        if (tape->step[k].lanes)
            evaluate_groups(tape, &tape->step[k]);
        else if (!tape_native_eval(tape, k))
            evaluate_code(tape, &tape->step[k]);
    }
    if (tape_native_results(tape, output)) return;
    for (size_t i = 0; i < tape->outputs; i++) output[i] = tape->work[tape->result[i]];
}
