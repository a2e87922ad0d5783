#include "symbolic/tape.h"

#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A register machine. Its registers are the constants, then the inputs, then one for each
 * instruction. */
typedef enum tape_op {
    TAPE_ADD,  /* a + b */
    TAPE_SUB,  /* a - b */
    TAPE_MUL,  /* a * b */
    TAPE_DIV,  /* a / b */
    TAPE_AXPY, /* a + b * c */
    TAPE_SQRT, /* sqrt(a) */
    TAPE_CALL  /* TAPE_CALL + sym_op: that operation on a, b, c */
} tape_op;

typedef struct instruction {
    uint32_t op : 8;
    uint32_t mode : 24; /* the slot of a relation's mode, or the number of a cell, list or result */
    uint32_t a, b, c;
} instruction;

static_assert(TAPE_CALL + SYM_OP_COUNT <= 256, "an operation fits into eight bits");

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

struct sym_tape {
    size_t constants, inputs, instructions, outputs;
    const sym_relations *relations; /* of the graph, for their modes */
    const sym_cells *cells;         /* of the graph, */
    const sym_lists *lists;         /* its lists */
    const sym_graph *graph;         /* and its functions, for calls */
    const tape_call *call;
    const tape_result *taken;
    double *work;            /* the registers: constants, inputs, results of the code */
    const instruction *code; /* instructions */
    const uint32_t *result;  /* outputs: the register of each */
    const tape_input *input; /* for each input in the code, in order */
};

/* Powers of one base that have been emitted. */
typedef struct known_power {
    double exponent;
    uint32_t where;
    struct known_power *next;
} known_power;

typedef struct compiler {
    arena *a;
    sym_graph *g;
    sym_slot slot;
    void *context;
    uint32_t inputs;
    const sym *node;
    size_t nodes;
    uint32_t *where;     /* nodes: register; while compiling, constants count from CONSTANT_BASE */
    known_power **power; /* nodes: powers of each */
    LIST(double) constant;
    LIST(instruction) code;
    LIST(tape_input) input;
    LIST(tape_call) call;
    LIST(sym) called; /* for each call: the node by which it was found */
    LIST(tape_result) taken;
} compiler;

/* While compiling, the number of constants is not yet known. Their registers count from here. */
#define CONSTANT_BASE 0x80000000u
#define NO_REGISTER   UINT32_MAX

static uint32_t emit(compiler *c, uint32_t op, uint32_t x, uint32_t y, uint32_t z)
{
    list_push(c->a, &c->code, ((instruction){.op = op & 0xffu, .a = x, .b = y, .c = z}));
    return (uint32_t)(c->inputs + c->code.count - 1);
}

static uint32_t constant(compiler *c, double number)
{
    double value = sym_value(c->g, number);
    size_t recent = c->constant.count > 16 ? c->constant.count - 16 : 0;
    for (size_t i = recent; i < c->constant.count; i++)
        if (c->constant.item[i] == value) return CONSTANT_BASE + (uint32_t)i;
    list_push(c->a, &c->constant, value);
    return CONSTANT_BASE + (uint32_t)(c->constant.count - 1);
}

static uint32_t where(const compiler *c, sym n)
{
    return c->where[sym_place(c->nodes, c->node, n)];
}

/* The sum or product of what has been joined so far (NO_REGISTER: nothing) and the next one. */
static uint32_t join(compiler *c, tape_op op, uint32_t so_far, uint32_t next)
{
    return so_far == NO_REGISTER ? next : emit(c, op, so_far, next, 0);
}

static uint32_t emit_sum(compiler *c, const sym_view *view)
{
    uint32_t sum = NO_REGISTER;
    for (uint32_t i = 0; i < view->count; i++) /* a term with factor 1 first: it costs nothing */
        if (view->factor[i] == 1) sum = join(c, TAPE_ADD, sum, where(c, view->argument[i]));
    if (view->value != 0) sum = join(c, TAPE_ADD, sum, constant(c, view->value));
    for (uint32_t i = 0; i < view->count; i++) {
        double factor = view->factor[i];
        if (factor == 1) continue;
        uint32_t term = where(c, view->argument[i]);
        if (sum == NO_REGISTER)
            sum = emit(c, TAPE_MUL, constant(c, factor), term, 0);
        else if (factor == -1)
            sum = emit(c, TAPE_SUB, sum, term, 0);
        else
            sum = emit(c, TAPE_AXPY, sum, constant(c, factor), term);
    }
    return sum;
}

/* base^exponent for exponent > 0. Whole powers are products of two halves; each power is emitted
 * once. */
static uint32_t emit_power(compiler *c, sym base, double exponent)
{
    uint32_t x = where(c, base);
    if (exponent == 1) return x;
    known_power **list = &c->power[sym_place(c->nodes, c->node, base)];
    for (known_power *p = *list; p; p = p->next)
        if (p->exponent == exponent) return p->where;

    uint32_t result;
    if (exponent == 0.5) {
        result = emit(c, TAPE_SQRT, x, 0, 0);
    } else if (exponent == floor(exponent) && exponent <= 64) {
        double half = floor(exponent / 2);
        result = emit(c, TAPE_MUL, emit_power(c, base, half), emit_power(c, base, exponent - half),
                      0);
    } else {
        result = emit(c, TAPE_CALL + SYM_POWER, x, constant(c, exponent), 0);
    }
    known_power *known = arena_take(c->g->scratch, sizeof *known);
    *known = (known_power){exponent, result, *list};
    *list = known;
    return result;
}

static uint32_t emit_product(compiler *c, const sym_view *view)
{
    uint32_t above = NO_REGISTER, below = NO_REGISTER;
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t *part = view->factor[i] < 0 ? &below : &above;
        *part = join(c, TAPE_MUL, *part, emit_power(c, view->argument[i], fabs(view->factor[i])));
    }
    if (below == NO_REGISTER) return above;
    return emit(c, TAPE_DIV, above == NO_REGISTER ? constant(c, 1) : above, below, 0);
}

/* The number of the call with these arguments. */
static uint32_t call_of(compiler *c, sym n, const sym_view *view, bool *first)
{
    size_t bytes = view->count * sizeof(sym);
    for (uint32_t k = 0; k < c->call.count; k++) {
        sym_view other = sym_look(c->g, c->called.item[k]);
        *first = false;
        if (other.id != view->id || bytes == 0) continue;
        if (memcmp(other.argument, view->argument, bytes) == 0) return k;
    }
    const sym_callee *f = sym_callee_of(c->g, view->id);
    uint32_t *argument = arena_array(c->a, view->count, sizeof *argument);
    for (uint32_t i = 0; i < view->count; i++) argument[i] = where(c, view->argument[i]);
    tape_call call = {.callee = view->id, .argument = argument};
    call.input = arena_array(c->a, f->inputs, sizeof *call.input);
    call.output = arena_array(c->a, f->outputs, sizeof *call.output);
    list_push(c->a, &c->call, call);
    list_push(c->a, &c->called, n);
    *first = true;
    return (uint32_t)(c->call.count - 1);
}

static uint32_t emit_result(compiler *c, sym n, const sym_view *view)
{
    tape_result taken = {.output = view->order};
    taken.call = call_of(c, n, view, &taken.first);
    list_push(c->a, &c->taken, taken);
    uint32_t result = emit(c, TAPE_CALL + SYM_CALL, 0, 0, 0);
    c->code.item[c->code.count - 1].mode = (uint32_t)(c->taken.count - 1) & 0xffffffu;
    return result;
}

static uint32_t emit_node(compiler *c, sym n)
{
    sym_view view = sym_look(c->g, n);
    switch (view.op) {
    case SYM_CONSTANT: return constant(c, view.value);
    case SYM_TIME:
    case SYM_VARIABLE: return (uint32_t)c->slot(c->context, &view);
    case SYM_SUM: return emit_sum(c, &view);
    case SYM_PRODUCT: return emit_product(c, &view);
    case SYM_CALL: return emit_result(c, n, &view);
    default: {
        uint32_t operand[3] = {0, 0, 0};
        for (uint32_t i = 0; i < view.count; i++) operand[i] = where(c, view.argument[i]);
        const tape_input from = {&c->g->inputs, view.id, view.order};
        if (view.op == SYM_INPUT) list_push(c->a, &c->input, from);
        uint32_t result = emit(c, TAPE_CALL + (uint32_t)view.op, operand[0], operand[1],
                               operand[2]);
        bool numbered = view.op == SYM_CELL || sym_chooses(view.op);
        uint32_t slot = numbered ? view.id : c->g->node.item[n].slot;
        c->code.item[c->code.count - 1].mode = slot & 0xffffffu;
        return result;
    }
    }
}

/* The final register, now that the number of constants, which come first, is known. */
static uint32_t place_register(const compiler *c, uint32_t number)
{
    if (number >= CONSTANT_BASE) return number - CONSTANT_BASE;
    return number + (uint32_t)c->constant.count;
}

sym_tape *sym_tape_compile(arena *a, sym_graph *g, size_t count, const sym *outputs, size_t inputs,
                           sym_slot slot, void *context)
{
    compiler c = {.a = a, .g = g, .slot = slot, .context = context, .inputs = (uint32_t)inputs};
    const sym *reached;
    arena_mark here = arena_here(g->scratch);
    c.nodes = sym_reach(g, count, outputs, &reached);
    c.node = arena_duplicate(g->scratch, reached, c.nodes, sizeof *c.node);
    c.where = arena_array(g->scratch, c.nodes, sizeof *c.where);
    c.power = arena_array(g->scratch, c.nodes, sizeof *c.power);
    for (size_t i = 0; i < c.nodes; i++) c.where[i] = emit_node(&c, c.node[i]);

    sym_tape *tape = arena_take(a, sizeof *tape);
    uint32_t *result = arena_array(a, count, sizeof *result);
    for (size_t i = 0; i < c.nodes; i++) c.where[i] = place_register(&c, c.where[i]);
    for (size_t i = 0; i < count; i++) result[i] = where(&c, outputs[i]);
    for (size_t k = 0; k < c.call.count; k++) {
        uint32_t *argument = (uint32_t *)c.call.item[k].argument;
        for (uint32_t i = 0; i < sym_callee_of(g, c.call.item[k].callee)->inputs; i++)
            argument[i] = place_register(&c, argument[i]);
    }
    for (size_t i = 0; i < c.code.count; i++) {
        instruction *in = &c.code.item[i];
        in->a = place_register(&c, in->a);
        in->b = place_register(&c, in->b);
        in->c = place_register(&c, in->c);
    }
    *tape = (sym_tape){.constants = c.constant.count,
                       .inputs = inputs,
                       .instructions = c.code.count,
                       .outputs = count,
                       .relations = &g->relations,
                       .cells = &g->cells,
                       .lists = &g->lists,
                       .graph = g,
                       .call = c.call.item,
                       .taken = c.taken.item,
                       .code = c.code.item,
                       .result = result,
                       .input = c.input.item};
    tape->work = arena_array(a, sym_tape_work(tape), sizeof *tape->work);
    if (tape->constants) memcpy(tape->work, c.constant.item, tape->constants * sizeof *tape->work);
    list_return(a, &c.constant);
    arena_back(g->scratch, here);
    return tape;
}

/* A part of a tape: room[register of the whole] is 1 for what it needs, then the register of the
 * part, counted from 1. */
typedef struct extraction {
    arena *a;
    const sym_tape *whole;
    uint32_t *room;
    LIST(uint32_t) needed; /* registers of the whole */
    bool whole_alone;      /* something that only the whole can evaluate */
} extraction;

static void need(extraction *x, uint32_t number)
{
    const sym_tape *t = x->whole;
    if (x->room[number]) return;
    bool input = number >= t->constants && number < t->constants + t->inputs;
    if (input) x->whole_alone = true; /* those that are given are marked already */
    if (input) return;
    x->room[number] = 1;
    list_push(x->a, &x->needed, number);
}

static void find_needed(extraction *x, size_t count, const size_t *output)
{
    const sym_tape *t = x->whole;
    size_t first = t->constants + t->inputs;
    for (size_t i = 0; i < count; i++) need(x, t->result[output[i]]);
    for (size_t k = 0; k < x->needed.count; k++) {
        if (x->needed.item[k] < first) continue;
        const instruction *in = &t->code[x->needed.item[k] - first];
        if (in->op == TAPE_CALL + SYM_INPUT || in->op == TAPE_CALL + SYM_CALL)
            x->whole_alone = true;
        need(x, in->a);
        need(x, in->b);
        need(x, in->c);
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Constants of the whole come first, so that sorted registers keep their order. */
static sym_tape *extract(extraction *x, size_t count, const size_t *output, size_t inputs,
                         const size_t *input)
{
    const sym_tape *t = x->whole;
    const uint32_t *needed = x->needed.item;
    size_t all = x->needed.count, constants = 0;
    while (constants < all && needed[constants] < t->constants) constants++;
    sym_tape *part = arena_take(x->a, sizeof *part);
    instruction *code = arena_array(x->a, all - constants, sizeof *code);
    uint32_t *result = arena_array(x->a, count, sizeof *result);
    *part = *t;
    part->constants = constants;
    part->inputs = inputs;
    part->instructions = all - constants;
    part->outputs = count;
    part->work = arena_array(x->a, sym_tape_work(part), sizeof *part->work);
    for (size_t k = 0; k < inputs; k++)
        x->room[t->constants + input[k]] = (uint32_t)(constants + k) + 1;
    for (size_t k = 0; k < all; k++)
        x->room[needed[k]] = (uint32_t)(k < constants ? k : inputs + k) + 1;
    for (size_t k = 0; k < constants; k++) part->work[k] = t->work[needed[k]];
    for (size_t k = constants; k < all; k++) {
        instruction in = t->code[needed[k] - t->constants - t->inputs];
        in.a = x->room[in.a] - 1;
        in.b = x->room[in.b] - 1;
        in.c = x->room[in.c] - 1;
        code[k - constants] = in;
    }
    for (size_t i = 0; i < count; i++) result[i] = x->room[t->result[output[i]]] - 1;
    part->code = code;
    part->result = result;
    return part;
}

sym_tape *sym_tape_part(arena *a, const sym_tape *whole, size_t count, const size_t *output,
                        size_t inputs, const size_t *input, uint32_t *room)
{
    extraction x = {.a = a, .whole = whole, .room = room};
    sym_tape *part = NULL;
    for (size_t k = 0; k < inputs; k++) room[whole->constants + input[k]] = 1;
    find_needed(&x, count, output);
    if (x.needed.count) qsort(x.needed.item, x.needed.count, sizeof *x.needed.item, ascending);
    if (!x.whole_alone) part = extract(&x, count, output, inputs, input);
    for (size_t k = 0; k < inputs; k++) room[whole->constants + input[k]] = 0;
    for (size_t k = 0; k < x.needed.count; k++) room[x.needed.item[k]] = 0;
    list_return(a, &x.needed);
    return part;
}

size_t sym_tape_work(const sym_tape *tape)
{
    return tape->constants + tape->inputs + tape->instructions + 1;
}

size_t sym_tape_inputs(const sym_tape *tape)
{
    return tape->inputs;
}

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

void sym_tape_eval(const sym_tape *tape, const double *input, double *output)
{
    double *work = tape->work;
    if (tape->inputs) memcpy(work + tape->constants, input, tape->inputs * sizeof *work);
    double *r = work + tape->constants + tape->inputs; /* the next register to be written */
    const unsigned char *mode = tape->relations->mode.item;
    const double *cell = tape->cells->value.item;
    const sym_list *list = tape->lists->of.item;
    const instruction *in = tape->code;
    const tape_input *from = tape->input;
    for (size_t left = tape->instructions; left > 0; left--, in++, r++) {
        double x = work[in->a], y = work[in->b];
        switch (in->op) {
        case TAPE_ADD: *r = x + y; break;
        case TAPE_SUB: *r = x - y; break;
        case TAPE_MUL: *r = x * y; break;
        case TAPE_DIV: *r = x / y; break;
        case TAPE_AXPY: *r = x + y * work[in->c]; break;
        case TAPE_SQRT: *r = sqrt(x); break;
        case TAPE_CALL + SYM_INPUT: *r = value_of_input(from++, x); break;
        case TAPE_CALL + SYM_CALL: *r = take_result(tape, &tape->taken[in->mode]); break;
        case TAPE_CALL + SYM_CELL: *r = cell[in->mode]; break;
        case TAPE_CALL + SYM_ELEMENT:
        case TAPE_CALL + SYM_INTERVAL:
            *r = sym_choose(&list[in->mode], (sym_op)(in->op - TAPE_CALL), x);
            break;
        case TAPE_CALL + SYM_SIN: *r = sin(x); break;
        case TAPE_CALL + SYM_COS: *r = cos(x); break;
        case TAPE_CALL + SYM_EXP: *r = exp(x); break;
        case TAPE_CALL + SYM_LESS: *r = relation(mode[in->mode], x < y); break;
        case TAPE_CALL + SYM_LESS_EQUAL: *r = relation(mode[in->mode], x <= y); break;
        case TAPE_CALL + SYM_EQUAL: *r = relation(mode[in->mode], x == y); break;
        default: *r = sym_operate((sym_op)(in->op - TAPE_CALL), x, y, work[in->c]);
        }
    }
    for (size_t i = 0; i < tape->outputs; i++) output[i] = work[tape->result[i]];
}
