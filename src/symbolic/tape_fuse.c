/* Fusing: an instruction takes over the one whose result nothing else takes. One instruction in
 * place of two saves an interpreter's choice of what comes next, a store and a load (Ertl & Gregg,
 * J. Instruction-Level Parallelism 5 (2003) 1-25, on superinstructions). Each form rounds as the
 * two instructions did, in the same order. */
#include "symbolic/tape_code.h"

enum { NOTHING = -1 };

/* An outer operation takes the inner one's result as its operand `at`: what both are. The fused
 * operation's operands are those of the two, as `order` says: from 0 on those of the inner one,
 * from OUTER on those of the outer one. */
typedef struct fused_form {
    tape_op outer, inner;
    size_t at;
    tape_op fused;
    int order[TAPE_OPERANDS];
} fused_form;

#define OUTER      8
#define O(operand) (OUTER + (operand))

static const fused_form forms[] = {
    {TAPE_AXPY, TAPE_AXPY, 0, TAPE_AXPY2, {0, 1, 2, O(1), O(2)}},
    {TAPE_AXPY, TAPE_MUL, 0, TAPE_DOT2, {0, 1, O(1), O(2), NOTHING}},
    {TAPE_AXPY, TAPE_MUL, 2, TAPE_AXYZ, {O(0), O(1), 0, 1, NOTHING}},
    {TAPE_ADD, TAPE_MUL, 1, TAPE_AXPY, {O(0), 0, 1, NOTHING, NOTHING}},
    {TAPE_ADD, TAPE_MUL, 0, TAPE_AXPY, {O(1), 0, 1, NOTHING, NOTHING}},
    {TAPE_ADD, TAPE_ADD, 0, TAPE_ADD3, {0, 1, O(1), NOTHING, NOTHING}},
    {TAPE_SUB, TAPE_MUL, 1, TAPE_AXMY, {O(0), 0, 1, NOTHING, NOTHING}},
    {TAPE_MUL, TAPE_MUL, 0, TAPE_MUL3, {0, 1, O(1), NOTHING, NOTHING}},
};

#undef O

typedef struct fusing {
    tape_draft *d;
    uint32_t *uses;   /* of each instruction's result */
    uint32_t *number; /* of each instruction among those that are left; UINT32_MAX: it is fused */
} fusing;

/* The instruction whose result a register is; UINT32_MAX. */
static uint32_t source(const fusing *f, uint32_t reg)
{
    size_t inputs = f->d->inputs;
    return reg < TAPE_CONSTANTS && reg >= inputs ? reg - (uint32_t)inputs : UINT32_MAX;
}

static void count_uses(fusing *f)
{
    const tape_draft *d = f->d;
    for (size_t k = 0; k < d->results; k++) {
        uint32_t from = source(f, d->result[k]);
        if (from != UINT32_MAX) f->uses[from]++;
    }
    for (size_t i = 0; i < d->instructions; i++)
        for (size_t o = 0; o < tape_operands(d->code[i].op); o++) {
            uint32_t from = source(f, d->code[i].operand[o]);
            if (from != UINT32_MAX) f->uses[from]++;
        }
}

static bool fuse_as(fusing *f, instruction *in, const fused_form *form)
{
    uint32_t from = source(f, in->operand[form->at]);
    if (from == UINT32_MAX || f->uses[from] != 1) return false;
    const instruction inner = f->d->code[from], outer = *in;
    if (inner.op != form->inner) return false;
    in->op = (uint32_t)form->fused & 0xffu;
    for (size_t o = 0; o < TAPE_OPERANDS; o++) {
        int place = form->order[o];
        in->operand[o] = place == NOTHING ? 0
                         : place < OUTER  ? inner.operand[place]
                                          : outer.operand[place - OUTER];
    }
    f->number[from] = UINT32_MAX;
    return true;
}

static bool is_outer(uint32_t op)
{
    return op == TAPE_AXPY || op == TAPE_ADD || op == TAPE_SUB || op == TAPE_MUL;
}

/* As often as it goes: a sum and a product may become a fused operation, and this another one. */
static void fuse_one(fusing *f, instruction *in)
{
    size_t k = 0, count = sizeof forms / sizeof *forms;
    while (k < count && is_outer(in->op))
        k = in->op == forms[k].outer && fuse_as(f, in, &forms[k]) ? 0 : k + 1;
}

/* Those that are left, with the numbers that they then have. */
static void close_up(fusing *f)
{
    tape_draft *d = f->d;
    uint32_t left = 0;
    for (size_t i = 0; i < d->instructions; i++) {
        if (f->number[i] == UINT32_MAX) continue;
        instruction in = d->code[i];
        for (size_t o = 0; o < tape_operands(in.op); o++) {
            uint32_t from = source(f, in.operand[o]);
            if (from != UINT32_MAX) in.operand[o] = (uint32_t)d->inputs + f->number[from];
        }
        f->number[i] = left;
        d->code[left++] = in;
    }
    for (size_t k = 0; k < d->results; k++) {
        uint32_t from = source(f, d->result[k]);
        if (from != UINT32_MAX) d->result[k] = (uint32_t)d->inputs + f->number[from];
    }
    d->instructions = left;
}

void tape_fuse(arena *scratch, tape_draft *draft)
{
    arena_mark here = arena_here(scratch);
    fusing f = {.d = draft};
    f.uses = arena_array(scratch, draft->instructions, sizeof *f.uses);
    f.number = arena_array(scratch, draft->instructions, sizeof *f.number);
    count_uses(&f);
    for (size_t i = 0; i < draft->instructions; i++) fuse_one(&f, &draft->code[i]);
    close_up(&f);
    arena_back(scratch, here);
}
