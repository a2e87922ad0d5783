/* What a tape consists of. For this room only; others evaluate it by tape.h.
 *
 * A tape is a register machine. Its registers are the constants, then the inputs, then one for each
 * instruction. Instructions that are built alike stand together as a group of lanes: lane k takes
 * its k-th operands. Groups that take each other's results lane by lane form a step, which is
 * evaluated TAPE_LANES lanes at a time. Results that no other step needs have a number, but no
 * place in the work space: they live in a buffer of so many lanes.
 *
 * Every instruction is the same operation on the same numbers as in the order in which it was
 * compiled, so that results do not depend on what stands in groups, is fused or is machine code, to
 * the bit. */
#ifndef SYMBOLIC_TAPE_CODE_H
#define SYMBOLIC_TAPE_CODE_H

#include "symbolic/graph.h"
#include "symbolic/tape.h"

enum {
    TAPE_LANES = SYM_TAPE_LANES, /* that are evaluated at once */
    TAPE_OPERANDS = 5            /* the most that an operation has */
};

/* From TAPE_ADD3 on, two instructions fused into one (tape_fuse.c), rounded as both. */
typedef enum tape_op {
    TAPE_ADD,      /* a + b */
    TAPE_SUB,      /* a - b */
    TAPE_MUL,      /* a * b */
    TAPE_DIV,      /* a / b */
    TAPE_AXPY,     /* a + b * c */
    TAPE_SQRT,     /* sqrt(a) */
    TAPE_ADD3,     /* (a + b) + c */
    TAPE_MUL3,     /* (a * b) * c */
    TAPE_AXMY,     /* a - b * c */
    TAPE_DOT2,     /* a * b + c * d */
    TAPE_AXYZ,     /* a + b * (c * d) */
    TAPE_AXPY2,    /* (a + b * c) + d * e */
    TAPE_CALL,     /* TAPE_CALL + sym_op: that operation on a, b, c */
    TAPE_END = 255 /* after the last instruction of a step */
} tape_op;

typedef struct instruction {
    uint32_t op : 8;
    uint32_t mode : 24; /* the slot of a relation's mode, or the number of a cell, list, input or
                           result */
    uint32_t operand[TAPE_OPERANDS]; /* registers; 0 where the operation has fewer */
} instruction;

/* How many of its operands an operation has. */
static inline size_t tape_operands(uint32_t op)
{
    enum { NO_OPERAND = 8 }; /* where 0 says that there is one */
    static const unsigned char many[TAPE_CALL + SYM_OP_COUNT] = {
        [TAPE_ADD] = 2,
        [TAPE_SUB] = 2,
        [TAPE_MUL] = 2,
        [TAPE_DIV] = 2,
        [TAPE_AXPY] = 3,
        [TAPE_SQRT] = 1,
        [TAPE_ADD3] = 3,
        [TAPE_MUL3] = 3,
        [TAPE_AXMY] = 3,
        [TAPE_DOT2] = 4,
        [TAPE_AXYZ] = 4,
        [TAPE_AXPY2] = 5,
        [TAPE_CALL + SYM_CELL] = NO_OPERAND,
        [TAPE_CALL + SYM_CALL] = NO_OPERAND,
        [TAPE_CALL + SYM_IF] = 3,
        [TAPE_CALL + SYM_POWER] = 2,
        [TAPE_CALL + SYM_ATAN2] = 2,
        [TAPE_CALL + SYM_MIN] = 2,
        [TAPE_CALL + SYM_MAX] = 2,
        [TAPE_CALL + SYM_LESS] = 2,
        [TAPE_CALL + SYM_LESS_EQUAL] = 2,
        [TAPE_CALL + SYM_EQUAL] = 2,
        [TAPE_CALL + SYM_AND] = 2,
        [TAPE_CALL + SYM_OR] = 2,
    };
    return op >= sizeof many || many[op] == 0 ? 1 : many[op] % NO_OPERAND;
}

/* Where the lanes of an operand stand. */
typedef enum tape_kind {
    TAPE_IN_ROW,   /* one after the other, from `first` */
    TAPE_BUFFERED, /* results of another group of the step, in its buffer */
    TAPE_SAME,     /* a constant, in all lanes of its own buffer */
    TAPE_FIXED,    /* in `first`, all the same; copied to a buffer once for a step */
    TAPE_APART,    /* `stride` apart from `first`; collected in a buffer */
    TAPE_LISTED    /* in a list of registers; collected in a buffer */
} tape_kind;

typedef struct tape_lanes {
    tape_kind kind;
    uint32_t first, stride;
    uint32_t buffer;
    const uint32_t *list;
} tape_lanes;

/* Instructions that are built alike. */
typedef struct tape_group {
    uint32_t op, operands;
    tape_lanes operand[TAPE_OPERANDS];
    tape_lanes mode; /* numbers as those of an instruction, not registers */
    uint32_t first;  /* register of the first lane */
    uint32_t buffer; /* of the results; TAPE_NO_BUFFER: they have places */
} tape_group;

#define TAPE_NO_BUFFER UINT32_MAX

/* A piece of a tape: instructions one by one, or groups. */
typedef struct tape_step {
    size_t lanes;            /* of each group; 0: instructions */
    size_t count;            /* of instructions or groups */
    uint32_t first;          /* register of the first instruction */
    const instruction *code; /* TAPE_END after them */
    const tape_group *group;
} tape_step;

/* Registers of a group, or of the instructions of a step, in ascending order. */
typedef struct tape_range {
    uint32_t first;
    uint32_t turn;           /* its number in the order of evaluation */
    const instruction *code; /* NULL: a group */
    const tape_group *group;
} tape_range;

/* An instruction that asks for an input's value. */
typedef struct tape_input {
    const sym_inputs *source;
    uint32_t id, order;
} tape_input;

/* A call, for all of its outputs. */
typedef struct tape_call {
    uint32_t callee;
    const uint32_t *argument; /* registers */
    double *input, *output;
} tape_call;

/* An instruction that takes an output of a call; the first of them calls. */
typedef struct tape_result {
    uint32_t call, output;
    bool first;
} tape_result;

typedef struct tape_native tape_native;

struct sym_tape {
    size_t constants, inputs, outputs;
    size_t registers;               /* constants, inputs and instructions, */
    size_t placed;                  /* the first of which have a place in `work` */
    const sym_relations *relations; /* of the graph, for their modes */
    const sym_cells *cells;         /* of the graph, */
    const sym_lists *lists;         /* its lists */
    const sym_graph *graph;         /* and its functions, for calls */
    const tape_call *call;
    const tape_result *taken;
    const tape_input *input;
    double *work; /* placed */
    size_t buffers;
    double *buffer;     /* of TAPE_LANES numbers each; one more, of zeros */
    const double *same; /* buffers of constants */
    size_t steps;
    const tape_step *step;
    tape_native *native; /* its instructions in machine code; NULL: they stay as they are */
    size_t ranges;
    const tape_range *range;
    const uint32_t *result; /* outputs: the register of each */
};

/* Instructions in an order in which they can be evaluated. Registers of inputs count from 0, those
 * of instructions from `inputs`, and those of constants from TAPE_CONSTANTS. */
typedef struct tape_draft {
    size_t inputs, constants, instructions, results;
    const double *constant;
    instruction *code;
    uint32_t *result; /* registers that are asked for, such as outputs and arguments of calls */
} tape_draft;

#define TAPE_CONSTANTS 0x80000000u

/* One instruction of a step: an operation from TAPE_CALL on. */
double tape_execute(const sym_tape *tape, const instruction *in);

/* Machine code in place of the interpreter, once a tape has been evaluated so often that making it
 * pays (tape_native.c). NULL: there is none for this machine, or nothing to make it of. In `a`,
 * under its protection. */
tape_native *tape_native_create(arena *a, const sym_tape *tape);

/* Evaluates step k by machine code; false: there is none yet. */
bool tape_native_eval(const sym_tape *tape, size_t k);

/* The whole tape by machine code, which takes inputs where they are; false: something takes them
 * from the work space, or there is none yet. */
bool tape_native_all(const sym_tape *tape, const double *input, double *output);

/* Hands out what stands in the work space; false: there is no machine code yet. */
bool tape_native_results(const sym_tape *tape, double *output);

/* Counts an evaluation; makes the machine code when it is time. */
void tape_native_count(const sym_tape *tape);

/* Fuse instructions with what they alone take. Overwrites code and results; `scratch` as below. */
void tape_fuse(arena *scratch, tape_draft *draft);

/* Lay out a draft: the registers, steps and work space of a tape. Its results become registers of
 * the tape. In `a`, under its protection; `scratch` is a part of an arena. */
void tape_lay_out(arena *a, arena *scratch, const tape_draft *draft, sym_tape *tape);

#endif
