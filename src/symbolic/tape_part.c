#include "symbolic/tape_code.h"

#include <stdlib.h>

/* A register of the whole that a part needs. */
typedef struct needed {
    uint32_t turn, number; /* of evaluation; 0: a constant. The register */
} needed;

/* room[register of the whole] is 1 for what the part needs, then its register in the draft, counted
 * from 1. */
typedef struct extraction {
    arena *a;
    const sym_tape *whole;
    uint32_t *room;
    LIST(needed) needed;
    bool whole_alone; /* something that only the whole can evaluate */
} extraction;

static const tape_range *range_of(const sym_tape *t, uint32_t number)
{
    size_t low = 0, high = t->ranges;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->range[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &t->range[low];
}

static uint32_t lane_of(const tape_lanes *lanes, uint32_t k)
{
    return lanes->list ? lanes->list[k] : lanes->first + k * lanes->stride;
}

/* The instruction that fills a register. */
static instruction look(const sym_tape *t, uint32_t number)
{
    const tape_range *range = range_of(t, number);
    uint32_t k = number - range->first;
    const tape_group *g = range->group;
    if (!g) return range->code[k];
    instruction in = {.op = g->op & 0xffu, .mode = lane_of(&g->mode, k) & 0xffffffu};
    for (size_t o = 0; o < g->operands; o++) in.operand[o] = lane_of(&g->operand[o], k);
    return in;
}

static void need(extraction *x, uint32_t number)
{
    const sym_tape *t = x->whole;
    if (x->room[number]) return;
    bool input = number >= t->constants && number < t->constants + t->inputs;
    if (input) x->whole_alone = true; /* those that are given are marked already */
    if (input) return;
    x->room[number] = 1;
    uint32_t turn = number < t->constants ? 0 : 1 + range_of(t, number)->turn;
    list_push(x->a, &x->needed, ((needed){turn, number}));
}

static void find_needed(extraction *x, size_t count, const size_t *output)
{
    for (size_t i = 0; i < count; i++) need(x, x->whole->result[output[i]]);
    for (size_t k = 0; k < x->needed.count; k++) {
        if (x->needed.item[k].turn == 0) continue;
        instruction in = look(x->whole, x->needed.item[k].number);
        if (in.op == TAPE_CALL + SYM_INPUT || in.op == TAPE_CALL + SYM_CALL) x->whole_alone = true;
        for (size_t o = 0; o < tape_operands(in.op); o++) need(x, in.operand[o]);
    }
}

static int in_turn(const void *a, const void *b)
{
    const needed *x = a, *y = b;
    if (x->turn != y->turn) return x->turn < y->turn ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static sym_tape *extract(extraction *x, size_t count, const size_t *output, size_t inputs,
                         const size_t *input)
{
    const sym_tape *t = x->whole;
    const needed *item = x->needed.item;
    arena *scratch = arena_part(x->a);
    arena_mark here = arena_here(scratch);
    size_t all = x->needed.count, constants = 0;
    while (constants < all && item[constants].turn == 0) constants++;
    for (size_t k = 0; k < inputs; k++) x->room[t->constants + input[k]] = (uint32_t)k + 1;
    for (size_t k = 0; k < all; k++)
        x->room[item[k].number] = 1 + (k < constants ? TAPE_CONSTANTS + (uint32_t)k
                                                     : (uint32_t)(inputs + k - constants));

    double *constant = arena_array(scratch, constants, sizeof *constant);
    instruction *code = arena_array(scratch, all - constants, sizeof *code);
    for (size_t k = 0; k < constants; k++) constant[k] = t->work[item[k].number];
    for (size_t k = constants; k < all; k++) {
        instruction in = look(t, item[k].number);
        for (size_t o = 0; o < tape_operands(in.op); o++)
            in.operand[o] = x->room[in.operand[o]] - 1;
        code[k - constants] = in;
    }
    uint32_t *result = arena_array(x->a, count, sizeof *result);
    for (size_t i = 0; i < count; i++) result[i] = x->room[t->result[output[i]]] - 1;
    tape_draft draft = {inputs, constants, all - constants, count, constant, code, result};
    sym_tape *part = arena_take(x->a, sizeof *part);
    *part = *t;
    part->outputs = count;
    part->result = result;
    tape_lay_out(x->a, scratch, &draft, part);
    arena_back(scratch, here);
    return part;
}

sym_tape *sym_tape_part(arena *a, const sym_tape *whole, size_t count, const size_t *output,
                        size_t inputs, const size_t *input, uint32_t *room)
{
    extraction x = {.a = a, .whole = whole, .room = room};
    sym_tape *part = NULL;
    for (size_t k = 0; k < inputs; k++) room[whole->constants + input[k]] = 1;
    find_needed(&x, count, output);
    if (x.needed.count) qsort(x.needed.item, x.needed.count, sizeof *x.needed.item, in_turn);
    if (!x.whole_alone) part = extract(&x, count, output, inputs, input);
    for (size_t k = 0; k < inputs; k++) room[whole->constants + input[k]] = 0;
    for (size_t k = 0; k < x.needed.count; k++) room[x.needed.item[k].number] = 0;
    list_return(a, &x.needed);
    return part;
}
