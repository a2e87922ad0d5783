/* Instructions of a tape as machine code of x86-64 (Intel, Software Developer's Manual, vol. 2;
 * calls as in the System V ABI), where the machine is one. An instruction becomes loads, operations
 * of scalar SSE2 and a store, which are what a compiler makes of the same expression, so that
 * values are those of the interpreter to the bit. An operation without a machine instruction is a
 * call.
 *
 * The code is a function of the work space and the input, for each step one:
 *
 *     push rbx;  push rbp;  mov rbx, rdi;  mov rbp, rsi;  ...  pop rbp;  pop rbx;  ret
 *
 * in which register r of the tape is [rbx + 8 r], and an input stands behind rbp: where all is
 * machine code, nothing copies inputs into the work space. A last function hands results out. */
#include "base/machine_code.h"
#include "symbolic/tape_code.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef void native_step(double *work, const double *input);
typedef void native_results(const double *work, const double *input, double *output);

struct tape_native {
    machine_code code;
    size_t instructions;     /* outside of groups */
    size_t left;             /* evaluations until it is made; 0: that has been tried */
    bool reads_work;         /* something but machine code takes inputs, from the work space */
    native_step **step;      /* of each step; NULL: it has none */
    native_results *results; /* NULL: there is none */
};

/* Making code costs what some ten evaluations by the interpreter do, and some system calls. */
enum {
    LEAST_EVALUATIONS = 32,    /* before it is made, */
    LEAST_INTERPRETED = 16384, /* and instructions that were evaluated */
    MOST_NATIVE = 1048576      /* instructions: more would not stay in a cache */
};

bool tape_native_eval(const sym_tape *tape, size_t k)
{
    const tape_native *n = tape->native;
    if (!n || !n->step[k]) return false;
    n->step[k](tape->work, tape->work + tape->constants);
    return true;
}

bool tape_native_all(const sym_tape *tape, const double *input, double *output)
{
    const tape_native *n = tape->native;
    if (!n || !n->results || n->reads_work) return false;
    for (size_t k = 0; k < tape->steps; k++) n->step[k](tape->work, input);
    n->results(tape->work, input, output);
    return true;
}

bool tape_native_results(const sym_tape *tape, double *output)
{
    const tape_native *n = tape->native;
    if (!n || !n->results) return false;
    n->results(tape->work, tape->work + tape->constants, output);
    return true;
}

#if defined(__x86_64__) && defined(__ELF__)

enum {
    MOST_BYTES = 56,   /* of an instruction, */
    FRAME_BYTES = 32,  /* of what stands around those of a step, */
    RESULT_BYTES = 16, /* and of a result */
    PREFIX_ONE = 0xf2, /* of operations on one double */
    PREFIX_TWO = 0x66  /* and on two in a row */
};

/* The registers to which addresses are relative, as the byte after an operation writes them. */
typedef enum base_register { RDX = 0x82, RBX, RBP = 0x85, RSI, RDI } base_register;

/* The second byte of an operation on scalar doubles. */
typedef enum sse_operation {
    LOAD = 0x10,
    STORE = 0x11,
    SQRT = 0x51,
    ADD = 0x58,
    MULTIPLY = 0x59,
    SUBTRACT = 0x5c,
    DIVIDE = 0x5e
} sse_operation;

typedef struct emitter {
    const sym_tape *tape;
    unsigned char *at; /* the next byte */
    base_register work, input;
} emitter;

static void put(emitter *e, size_t count, const void *bytes)
{
    memcpy(e->at, bytes, count);
    e->at += count;
}

#define PUT(...) put(e, sizeof((unsigned char[]){__VA_ARGS__}), (unsigned char[]){__VA_ARGS__})

/* operation xmm, [base + 8 number] */
static void address(emitter *e, unsigned char prefix, sse_operation operation, unsigned xmm,
                    base_register base, uint32_t number)
{
    PUT(prefix, 0x0f, (unsigned char)operation, (unsigned char)(base | xmm << 3));
    put(e, sizeof(uint32_t), &(uint32_t){8 * number});
}

static bool is_input(const sym_tape *tape, uint32_t reg)
{
    return reg >= tape->constants && reg < tape->constants + tape->inputs;
}

/* operation xmm, register of the tape */
static void memory(emitter *e, sse_operation operation, unsigned xmm, uint32_t reg)
{
    if (is_input(e->tape, reg))
        address(e, PREFIX_ONE, operation, xmm, e->input, reg - (uint32_t)e->tape->constants);
    else
        address(e, PREFIX_ONE, operation, xmm, e->work, reg);
}

/* operation xmm0, xmm1 */
static void both(emitter *e, sse_operation operation)
{
    PUT(0xf2, 0x0f, (unsigned char)operation, 0xc1);
}

/* mov to rax (0xb8), rsi (0xbe) or rdi (0xbf): a number of 64 bits */
static void move(emitter *e, unsigned char to, uint64_t number)
{
    PUT(0x48, to);
    put(e, sizeof number, &number);
}

static void product(emitter *e, unsigned xmm, uint32_t x, uint32_t y)
{
    memory(e, LOAD, xmm, x);
    memory(e, MULTIPLY, xmm, y);
}

/* The function of one argument that an operation is; NULL: tape_execute() knows. */
static double (*function_of(uint32_t op))(double)
{
    switch (op) {
    case TAPE_CALL + SYM_SIN: return sin;
    case TAPE_CALL + SYM_COS: return cos;
    case TAPE_CALL + SYM_TAN: return tan;
    case TAPE_CALL + SYM_TANH: return tanh;
    case TAPE_CALL + SYM_EXP: return exp;
    case TAPE_CALL + SYM_LOG: return log;
    default: return NULL;
    }
}

static void call(emitter *e, const instruction *in)
{
    double (*function)(double) = function_of(in->op);
    double (*execute)(const sym_tape *, const instruction *) = tape_execute;
    uint64_t at;
    if (function) {
        memory(e, LOAD, 0, in->operand[0]);
        memcpy(&at, &function, sizeof at);
    } else {
        e->tape->native->reads_work = true;
        move(e, 0xbf, (uint64_t)(uintptr_t)e->tape);
        move(e, 0xbe, (uint64_t)(uintptr_t)in);
        memcpy(&at, &execute, sizeof at);
    }
    move(e, 0xb8, at);
    PUT(0xff, 0xd0); /* call rax */
}

/* The value in xmm0. */
static void compute(emitter *e, const instruction *in)
{
    const uint32_t *of = in->operand;
    static const sse_operation simple[] = {ADD, SUBTRACT, MULTIPLY, DIVIDE};
    switch (in->op) {
    case TAPE_ADD:
    case TAPE_SUB:
    case TAPE_MUL:
    case TAPE_DIV:
        memory(e, LOAD, 0, of[0]);
        memory(e, simple[in->op - TAPE_ADD], 0, of[1]);
        break;
    case TAPE_AXPY: product(e, 0, of[1], of[2]), memory(e, ADD, 0, of[0]); break;
    case TAPE_SQRT: memory(e, SQRT, 0, of[0]); break;
    case TAPE_ADD3:
        memory(e, LOAD, 0, of[0]);
        memory(e, ADD, 0, of[1]);
        memory(e, ADD, 0, of[2]);
        break;
    case TAPE_MUL3: product(e, 0, of[0], of[1]), memory(e, MULTIPLY, 0, of[2]); break;
    case TAPE_AXMY:
        product(e, 1, of[1], of[2]);
        memory(e, LOAD, 0, of[0]);
        both(e, SUBTRACT);
        break;
    case TAPE_DOT2: product(e, 0, of[0], of[1]), product(e, 1, of[2], of[3]), both(e, ADD); break;
    case TAPE_AXYZ:
        product(e, 0, of[2], of[3]);
        memory(e, MULTIPLY, 0, of[1]);
        memory(e, ADD, 0, of[0]);
        break;
    case TAPE_AXPY2:
        product(e, 0, of[1], of[2]);
        memory(e, ADD, 0, of[0]);
        product(e, 1, of[3], of[4]), both(e, ADD);
        break;
    default: call(e, in);
    }
}

static void make_step(emitter *e, const tape_step *step)
{
    PUT(0xf3, 0x0f, 0x1e, 0xfa); /* endbr64: a place to call, where the processor asks for it */
    PUT(0x53, 0x55, 0x48, 0x83, 0xec, 8);    /* push rbx; push rbp; sub rsp, 8: aligned for calls */
    PUT(0x48, 0x89, 0xfb, 0x48, 0x89, 0xf5); /* mov rbx, rdi; mov rbp, rsi */
    for (size_t i = 0; i < step->count; i++) {
        compute(e, &step->code[i]);
        memory(e, STORE, 0, step->first + (uint32_t)i);
    }
    PUT(0x48, 0x83, 0xc4, 8, 0x5d, 0x5b, 0xc3); /* add rsp, 8; pop rbp; pop rbx; ret */
}

/* Results that stand in a row are taken by twos. */
static void make_results(emitter *e)
{
    const sym_tape *tape = e->tape;
    e->work = RDI, e->input = RSI;
    PUT(0xf3, 0x0f, 0x1e, 0xfa); /* endbr64 */
    for (size_t i = 0, count; i < tape->outputs; i += count) {
        uint32_t reg = tape->result[i];
        bool input = is_input(tape, reg);
        uint32_t number = input ? reg - (uint32_t)tape->constants : reg;
        bool two = i + 1 < tape->outputs && tape->result[i + 1] == reg + 1 &&
                   is_input(tape, reg + 1) == input;
        unsigned char prefix = two ? PREFIX_TWO : PREFIX_ONE;
        count = two ? 2 : 1;
        address(e, prefix, LOAD, 0, input ? RSI : RDI, number);
        address(e, prefix, STORE, 0, RDX, (uint32_t)i);
    }
    PUT(0xc3); /* ret */
}

static void make(const sym_tape *tape)
{
    tape_native *n = tape->native;
    size_t size = FRAME_BYTES * (2 + tape->steps) + MOST_BYTES * n->instructions +
                  RESULT_BYTES * tape->outputs;
    if (!machine_code_begin(&n->code, size)) return;
    emitter e = {.tape = tape, .at = n->code.bytes + FRAME_BYTES, .work = RBX, .input = RBP};
    unsigned char *here;
    for (size_t k = 0; k < tape->steps; k++) {
        n->reads_work = n->reads_work || tape->step[k].lanes;
        if (tape->step[k].lanes) continue;
        here = e.at;
        make_step(&e, &tape->step[k]);
        memcpy(&n->step[k], &here, sizeof here); /* ISO C has no such cast */
    }
    here = e.at;
    make_results(&e);
    memcpy(&n->results, &here, sizeof here);
    if (machine_code_finish(&n->code)) return;
    for (size_t k = 0; k < tape->steps; k++) n->step[k] = NULL;
    n->results = NULL;
}

static void end(void *native)
{
    machine_code_free(&((tape_native *)native)->code);
}

tape_native *tape_native_create(arena *a, const sym_tape *tape)
{
    size_t instructions = 0;
    for (size_t k = 0; k < tape->steps; k++)
        if (!tape->step[k].lanes) instructions += tape->step[k].count;
    if (instructions == 0 || instructions + tape->outputs > MOST_NATIVE) return NULL;
    if (tape->registers > INT32_MAX / 8) return NULL;
    tape_native *n = arena_take(a, sizeof *n);
    n->instructions = instructions;
    n->left = LEAST_INTERPRETED / instructions;
    if (n->left < LEAST_EVALUATIONS) n->left = LEAST_EVALUATIONS;
    n->step = arena_array(a, tape->steps, sizeof(native_step *));
    arena_at_end(a, end, n);
    return n;
}

void tape_native_count(const sym_tape *tape)
{
    tape_native *n = tape->native;
    if (n && n->left && --n->left == 0) make(tape);
}

#else

tape_native *tape_native_create(arena *a, const sym_tape *tape)
{
    (void)a, (void)tape;
    return NULL;
}

void tape_native_count(const sym_tape *tape)
{
    (void)tape;
}

#endif
