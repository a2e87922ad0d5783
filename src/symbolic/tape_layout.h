/* How a draft of a tape is laid out: groups (tape_groups.c), then their order, registers and steps
 * (tape_layout.c). */
#ifndef SYMBOLIC_TAPE_LAYOUT_H
#define SYMBOLIC_TAPE_LAYOUT_H

#include "symbolic/tape_code.h"

#define DRAFT_NONE UINT32_MAX

typedef struct draft_group {
    uint32_t start, count; /* its members */
    uint32_t depth, stage, turn;
    uint32_t family;                 /* a group of the same family; itself: this is the first */
    uint32_t aligned[TAPE_OPERANDS]; /* of an operand: the group whose lanes it takes one by one;
                                        DRAFT_NONE */
    uint32_t first;                  /* register, */
    uint32_t buffer;                 /* or else where its results stand */
    bool placed;
} draft_group;

/* What is put in order: an instruction, or a group. */
typedef struct draft_item {
    uint32_t stage, family; /* 0: instructions; 1 + the first group */
    uint32_t depth, op, number;
} draft_item;

typedef struct draft_class {
    uint64_t likeness;
    uint32_t depth, op, count, group;
} draft_class;

typedef struct layout {
    arena *a, *s;
    const tape_draft *d;
    sym_tape *t;
    size_t n;           /* instructions */
    uint64_t *likeness; /* n, as is what follows */
    uint32_t *depth;    /* longest way to a constant or an input */
    uint32_t *class;
    uint32_t *group; /* DRAFT_NONE: it is in none */
    uint32_t *lane;
    uint32_t *stage;  /* of one that is in no group */
    uint32_t *number; /* its register */
    LIST(draft_class) classes;
    LIST(draft_group) groups;
    LIST(double) constant;
    uint32_t *member; /* of the groups */
    size_t items;
    draft_item *item;
    LIST(tape_step) step;
    LIST(tape_range) range;
    uint32_t *constant_of; /* of a constant of the draft; DRAFT_NONE */
    size_t buffers;
    uint32_t *same_of; /* of a constant of the tape: 1 + its buffer; 0: it has none */
    LIST(uint32_t) same;
} layout;

/* The number of the instruction whose result a register of the draft is; DRAFT_NONE. */
static inline uint32_t draft_source(const layout *l, uint32_t reg)
{
    return reg < TAPE_CONSTANTS && reg >= l->d->inputs ? reg - (uint32_t)l->d->inputs : DRAFT_NONE;
}

/* Operand o of a lane: a register of the draft. */
static inline uint32_t draft_operand(const layout *l, const draft_group *g, uint32_t lane, size_t o)
{
    return l->d->code[l->member[g->start + lane]].operand[o];
}

static inline uint32_t draft_operation(const layout *l, const draft_group *g)
{
    return l->d->code[l->member[g->start]].op;
}

/* The first group of a group's family. */
uint32_t draft_family(const layout *l, uint32_t group);

/* Form the groups, and find stages and what is aligned. */
void draft_find_groups(layout *l);

#endif
