#include "symbolic/tape.h"

#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/tape_code.h"
#include "symbolic/traced.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const sym *node; /* ascending */
    size_t nodes;
    uint32_t *place;     /* of each number from node[0] on: where it stands in `node`; NULL: that is
                            searched for */
    uint32_t *where;     /* nodes: register of the draft */
    known_power **power; /* nodes: powers of each */
    LIST(double) constant;
    LIST(instruction) code;
    LIST(tape_input) input;
    LIST(tape_call) call;
    LIST(sym) called; /* for each call: the node by which it was found */
    LIST(tape_result) taken;
} compiler;

#define NO_REGISTER UINT32_MAX

static uint32_t emit(compiler *c, uint32_t op, uint32_t x, uint32_t y, uint32_t z)
{
    list_push(c->g->scratch, &c->code, ((instruction){.op = op & 0xffu, .operand = {x, y, z}}));
    return (uint32_t)(c->inputs + c->code.count - 1);
}

static uint32_t constant(compiler *c, double number)
{
    double value = sym_value(c->g, number);
    size_t recent = c->constant.count > 16 ? c->constant.count - 16 : 0;
    for (size_t i = recent; i < c->constant.count; i++)
        if (c->constant.item[i] == value) return TAPE_CONSTANTS + (uint32_t)i;
    list_push(c->g->scratch, &c->constant, value);
    return TAPE_CONSTANTS + (uint32_t)(c->constant.count - 1);
}

/* Places of nodes are listed where they are at least one in so many numbers. */
enum { DENSE = 8 };

static void list_places(compiler *c)
{
    size_t numbers = c->nodes > 0 ? c->node[c->nodes - 1] - c->node[0] + (size_t)1 : 0;
    if (numbers > DENSE * c->nodes) return;
    c->place = arena_array(c->g->scratch, numbers, sizeof *c->place);
    for (size_t i = 0; i < c->nodes; i++) c->place[c->node[i] - c->node[0]] = (uint32_t)i;
}

static size_t place_of(const compiler *c, sym n)
{
    return c->place ? c->place[n - c->node[0]] : sym_place(c->nodes, c->node, n);
}

static uint32_t where(const compiler *c, sym n)
{
    return c->where[place_of(c, n)];
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
    known_power **list = &c->power[place_of(c, base)];
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

static uint32_t number_of_input(compiler *c, const sym_view *view)
{
    list_push(c->a, &c->input, ((tape_input){&c->g->inputs, view->id, view->order}));
    return (uint32_t)(c->input.count - 1);
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
        uint32_t result = emit(c, TAPE_CALL + (uint32_t)view.op, operand[0], operand[1],
                               operand[2]);
        bool numbered = view.op == SYM_CELL || sym_chooses(view.op);
        uint32_t slot = numbered ? view.id : sym_mode_slot(c->g, n);
        if (view.op == SYM_INPUT) slot = number_of_input(c, &view);
        c->code.item[c->code.count - 1].mode = slot & 0xffffffu;
        return result;
    }
    }
}

/* The registers that are asked for: outputs, then arguments of calls. */
static uint32_t *asked_for(const compiler *c, size_t count, const sym *outputs, size_t *results)
{
    *results = count;
    for (size_t k = 0; k < c->call.count; k++)
        *results += sym_callee_of(c->g, c->call.item[k].callee)->inputs;
    uint32_t *result = arena_array(c->a, *results, sizeof *result), *next = result + count;
    for (size_t i = 0; i < count; i++) result[i] = where(c, outputs[i]);
    for (size_t k = 0; k < c->call.count; k++) {
        uint32_t inputs = sym_callee_of(c->g, c->call.item[k].callee)->inputs;
        if (inputs) memcpy(next, c->call.item[k].argument, inputs * sizeof *next);
        c->call.item[k].argument = next;
        next += inputs;
    }
    return result;
}

sym_tape *sym_tape_compile(arena *a, sym_graph *g, size_t count, const sym *outputs, size_t inputs,
                           sym_slot slot, void *context)
{
    compiler c = {.a = a, .g = g, .slot = slot, .context = context, .inputs = (uint32_t)inputs};
    const sym *reached;
    arena_mark here = arena_here(g->scratch);
    c.nodes = sym_reach(g, count, outputs, &reached);
    c.node = arena_duplicate(g->scratch, reached, c.nodes, sizeof *c.node);
    list_places(&c);
    c.where = arena_array(g->scratch, c.nodes, sizeof *c.where);
    c.power = arena_array(g->scratch, c.nodes, sizeof *c.power);
    for (size_t i = 0; i < c.nodes; i++) c.where[i] = emit_node(&c, c.node[i]);

    tape_draft draft = {.inputs = inputs,
                        .constants = c.constant.count,
                        .constant = c.constant.item,
                        .instructions = c.code.count,
                        .code = c.code.item};
    draft.result = asked_for(&c, count, outputs, &draft.results);
    sym_tape *tape = arena_take(a, sizeof *tape);
    *tape = (sym_tape){.outputs = count,
                       .relations = &g->relations,
                       .cells = &g->cells,
                       .lists = &g->lists,
                       .graph = g,
                       .call = c.call.item,
                       .taken = c.taken.item,
                       .input = c.input.item,
                       .result = draft.result};
    tape_fuse(g->scratch, &draft);
    tape_lay_out(a, g->scratch, &draft, tape);
    arena_back(g->scratch, here);
    return tape;
}

/* Registers that have no place count, too. */
size_t sym_tape_work(const sym_tape *tape)
{
    return tape->registers + 1;
}

size_t sym_tape_inputs(const sym_tape *tape)
{
    return tape->inputs;
}
