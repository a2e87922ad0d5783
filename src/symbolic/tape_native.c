/* Instructions of a tape as machine code of x86-64 (Intel, Software Developer's Manual, vol. 2;
 * calls as in the System V ABI), where the machine is one. An instruction becomes loads, operations
 * of scalar SSE2 and a store, which are what a compiler makes of the same expression, so that
 * values are those of the interpreter to the bit. An operation without a machine instruction is a
 * call.
 *
 * The code is a function of the work space, for each step one:
 *
 *     push rbx;  mov rbx, rdi;  ...  pop rbx;  ret
 *
 * in which register r of the tape is [rbx + 8 r]. */
#include "base/machine_code.h"
#include "symbolic/tape_code.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef void native_step(double *work);

struct tape_native {
    machine_code code;
    size_t instructions; /* outside of groups */
    size_t left;         /* evaluations until it is made; 0: that has been tried */
    native_step **step;  /* of each step; NULL: it has none */
};

/* Making code costs what some ten evaluations by the interpreter do, and some system calls. */
enum {
    LEAST_EVALUATIONS = 32,    /* before it is made, */
    LEAST_INTERPRETED = 32768, /* and instructions that were evaluated */
    MOST_NATIVE = 1048576      /* instructions: more would not stay in a cache */
};

bool tape_native_eval(const sym_tape *tape, size_t k)
{
    const tape_native *n = tape->native;
    if (!n || !n->step[k]) return false;
    n->step[k](tape->work);
    return true;
}

#if defined(__x86_64__) && defined(__ELF__)

enum {
    MOST_BYTES = 56, /* of an instruction, */
    FRAME_BYTES = 16 /* and of what stands around those of a step */
};

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
    uint32_t result;   /* register of the instruction that is being made */
} emitter;

static void put(emitter *e, size_t count, const void *bytes)
{
    memcpy(e->at, bytes, count);
    e->at += count;
}

#define PUT(...) put(e, sizeof((unsigned char[]){__VA_ARGS__}), (unsigned char[]){__VA_ARGS__})

/* operation xmm, [rbx + 8 reg] */
static void memory(emitter *e, sse_operation operation, unsigned xmm, uint32_t reg)
{
    PUT(0xf2, 0x0f, (unsigned char)operation, (unsigned char)(0x83 | xmm << 3));
    put(e, sizeof(uint32_t), &(uint32_t){8 * reg});
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
    uint64_t address;
    if (function) {
        memory(e, LOAD, 0, in->operand[0]);
        memcpy(&address, &function, sizeof address);
    } else {
        move(e, 0xbf, (uint64_t)(uintptr_t)e->tape);
        move(e, 0xbe, (uint64_t)(uintptr_t)in);
        memcpy(&address, &execute, sizeof address);
    }
    move(e, 0xb8, address);
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
    PUT(0x53, 0x48, 0x89, 0xfb); /* push rbx; mov rbx, rdi: the stack is aligned for calls */
    for (size_t i = 0; i < step->count; i++) {
        compute(e, &step->code[i]);
        memory(e, STORE, 0, step->first + (uint32_t)i);
    }
    PUT(0x5b, 0xc3); /* pop rbx; ret */
}

static void make(const sym_tape *tape)
{
    tape_native *n = tape->native;
    size_t size = FRAME_BYTES * (1 + tape->steps) + MOST_BYTES * n->instructions;
    if (!machine_code_begin(&n->code, size)) return;
    emitter e = {.tape = tape, .at = n->code.bytes + FRAME_BYTES};
    for (size_t k = 0; k < tape->steps; k++) {
        if (tape->step[k].lanes) continue;
        unsigned char *here = e.at;
        make_step(&e, &tape->step[k]);
        memcpy(&n->step[k], &here, sizeof here); /* ISO C has no such cast */
    }
    if (machine_code_finish(&n->code)) return;
    for (size_t k = 0; k < tape->steps; k++) n->step[k] = NULL;
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
    if (instructions == 0 || instructions > MOST_NATIVE || tape->registers > INT32_MAX / 8)
        return NULL;
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
