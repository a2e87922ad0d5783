#include "symbolic/tape_layout.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SORTED = 10000 }; /* with more, results would be far from where they are taken */

/* One pass of radix sort: items by a key, in their order where it is the same. room: as many. */
static void pass(layout *l, uint32_t (*key)(const draft_item *), draft_item *room)
{
    uint32_t most = 0;
    arena_mark here = arena_here(l->s);
    for (size_t k = 0; k < l->items; k++)
        if (key(&l->item[k]) > most) most = key(&l->item[k]);
    if (most == 0) return;
    uint32_t *behind = arena_array(l->s, (size_t)most + 2, sizeof *behind);
    for (size_t k = 0; k < l->items; k++) behind[key(&l->item[k]) + 1]++;
    for (uint32_t k = 0; k <= most; k++) behind[k + 1] += behind[k];
    for (size_t k = 0; k < l->items; k++) room[behind[key(&l->item[k])]++] = l->item[k];
    memcpy(l->item, room, l->items * sizeof *room);
    arena_back(l->s, here);
}

static uint32_t stage_of(const draft_item *x)
{
    return x->stage;
}

static uint32_t family_of(const draft_item *x)
{
    return x->family;
}

static uint32_t depth_of(const draft_item *x)
{
    return x->depth;
}

static uint32_t operation_of(const draft_item *x)
{
    return x->op;
}

/* By stages, families, depths, operations and numbers, by which they come. */
static void sort_items(layout *l)
{
    draft_item *room = arena_array(l->s, l->items, sizeof *room);
    pass(l, operation_of, room);
    pass(l, depth_of, room);
    pass(l, family_of, room);
    pass(l, stage_of, room);
}

static bool same_step(const draft_item *x, const draft_item *y)
{
    return x->stage == y->stage && x->family == y->family;
}

/* Instructions one by one come by their depths and then by their operations, so that many of one
 * operation follow each other. Where there are calls, they stay in their order. */
static bool sorts_singles(const layout *l, size_t singles)
{
    bool sorts = singles <= MOST_SORTED;
    for (size_t i = 0; i < l->n && sorts; i++) sorts = l->d->code[i].op != TAPE_CALL + SYM_CALL;
    return sorts;
}

/* Items in the order of their evaluation, and the number of each group's step. */
static void put_in_order(layout *l)
{
    size_t singles = 0;
    for (size_t i = 0; i < l->n; i++) singles += l->group[i] == DRAFT_NONE;
    bool sorts = sorts_singles(l, singles);
    l->item = arena_array(l->s, singles + l->groups.count, sizeof *l->item);
    for (uint32_t i = 0; i < l->n; i++)
        if (l->group[i] == DRAFT_NONE)
            l->item[l->items++] = (draft_item){.stage = l->stage[i],
                                               .depth = sorts ? l->depth[i] : 0,
                                               .op = sorts ? l->d->code[i].op : 0,
                                               .number = i};
    for (uint32_t k = 0; k < l->groups.count; k++) {
        const draft_group *g = &l->groups.item[k];
        l->item[l->items++] = (draft_item){g->stage, 1 + draft_family(l, k), g->depth, 0, k};
    }
    if (l->groups.count || sorts) sort_items(l);
    uint32_t turn = 0;
    for (size_t k = 0; k < l->items; k++) {
        if (k > 0 && !same_step(&l->item[k - 1], &l->item[k])) turn++;
        if (l->item[k].family) l->groups.item[l->item[k].number].turn = turn;
    }
}

/* Results that something outside of their step takes, or not lane by lane, have places. */
static void find_placed(layout *l)
{
    for (size_t k = 0; k < l->d->results; k++) {
        uint32_t from = draft_source(l, l->d->result[k]);
        if (from != DRAFT_NONE && l->group[from] != DRAFT_NONE)
            l->groups.item[l->group[from]].placed = true;
    }
    for (uint32_t i = 0; i < l->n; i++) {
        const instruction *in = &l->d->code[i];
        const draft_group *g = l->group[i] == DRAFT_NONE ? NULL : &l->groups.item[l->group[i]];
        for (size_t o = 0; o < tape_operands(in->op); o++) {
            uint32_t from = draft_source(l, in->operand[o]);
            if (from == DRAFT_NONE || l->group[from] == DRAFT_NONE) continue;
            draft_group *other = &l->groups.item[l->group[from]];
            bool within = g && g->turn == other->turn && g->aligned[o] == l->group[from];
            if (!within) other->placed = true;
        }
    }
}

static uint32_t add_constant(layout *l, double value)
{
    list_push(l->s, &l->constant, value);
    return (uint32_t)l->constant.count - 1;
}

/* A constant of the draft among those of the tape. */
static uint32_t constant_of(layout *l, uint32_t reg)
{
    uint32_t *known = &l->constant_of[reg - TAPE_CONSTANTS];
    if (*known == DRAFT_NONE) *known = add_constant(l, l->d->constant[reg - TAPE_CONSTANTS]);
    return *known;
}

/* The constants that an operand takes, in a row unless they are all the same; false: it takes
 * something else. */
static bool place_constants(layout *l, const draft_group *g, size_t o, tape_lanes *lanes)
{
    bool same = true;
    uint64_t first = 0;
    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t reg = draft_operand(l, g, k, o);
        if (reg < TAPE_CONSTANTS) return false;
        uint64_t bits = hash_bits(l->d->constant[reg - TAPE_CONSTANTS]);
        if (k == 0) first = bits;
        if (bits != first) same = false;
    }
    uint32_t reg = draft_operand(l, g, 0, o);
    if (same) *lanes = (tape_lanes){.kind = TAPE_FIXED, .first = constant_of(l, reg)};
    if (same) return true;
    *lanes = (tape_lanes){TAPE_IN_ROW, (uint32_t)l->constant.count, 1, 0, NULL};
    for (uint32_t k = 0; k < g->count; k++)
        add_constant(l, l->d->constant[draft_operand(l, g, k, o) - TAPE_CONSTANTS]);
    return true;
}

/* All constants, so that the registers after them can be numbered. lanes: of each group,
 * TAPE_OPERANDS. */
static void collect_constants(layout *l, tape_lanes *lanes)
{
    for (size_t k = 0; k < l->d->constants; k++) l->constant_of[k] = DRAFT_NONE;
    for (uint32_t k = 0; k < l->groups.count; k++) {
        const draft_group *g = &l->groups.item[k];
        for (size_t o = 0; o < tape_operands(draft_operation(l, g)); o++) {
            tape_lanes *operand = &lanes[TAPE_OPERANDS * k + o];
            if (place_constants(l, g, o, operand)) continue;
            operand->kind = TAPE_LISTED;
            for (uint32_t lane = 0; lane < g->count; lane++) /* where likeness deceived */
                if (draft_operand(l, g, lane, o) >= TAPE_CONSTANTS)
                    constant_of(l, draft_operand(l, g, lane, o));
        }
    }
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->group[i] != DRAFT_NONE) continue;
        for (size_t o = 0; o < tape_operands(l->d->code[i].op); o++)
            if (l->d->code[i].operand[o] >= TAPE_CONSTANTS)
                constant_of(l, l->d->code[i].operand[o]);
    }
    for (size_t k = 0; k < l->d->results; k++)
        if (l->d->result[k] >= TAPE_CONSTANTS) constant_of(l, l->d->result[k]);
}

/* Those with places come first. */
static void number_registers(layout *l)
{
    uint32_t next = (uint32_t)(l->constant.count + l->d->inputs);
    for (int placed = 1; placed >= 0; placed--) {
        for (size_t k = 0; k < l->items; k++) {
            const draft_item *item = &l->item[k];
            if (item->family == 0) {
                if (placed) l->number[item->number] = next++;
                continue;
            }
            draft_group *g = &l->groups.item[item->number];
            if (g->placed != (placed == 1)) continue;
            g->first = next;
            next += g->count;
        }
        if (placed) l->t->placed = next;
    }
    l->t->registers = next;
}

static uint32_t register_of(layout *l, uint32_t reg)
{
    if (reg >= TAPE_CONSTANTS) return constant_of(l, reg);
    uint32_t from = draft_source(l, reg);
    if (from == DRAFT_NONE) return (uint32_t)l->constant.count + reg;
    if (l->group[from] == DRAFT_NONE) return l->number[from];
    return l->groups.item[l->group[from]].first + l->lane[from];
}

/* Numbers of lanes in the shortest way. A list is kept in the tape's arena. */
static void shorten(layout *l, size_t count, const uint32_t *number, tape_lanes *lanes)
{
    uint32_t stride = count > 1 ? number[1] - number[0] : 0;
    bool even = true;
    for (size_t k = 1; k < count && even; k++) even = number[k] - number[k - 1] == stride;
    tape_kind kind = stride == 0 ? TAPE_FIXED : stride == 1 ? TAPE_IN_ROW : TAPE_APART;
    *lanes = (tape_lanes){.kind = even ? kind : TAPE_LISTED, .first = number[0], .stride = stride};
    if (!even) lanes->list = arena_duplicate(l->a, number, count, sizeof *number);
}

/* The buffer of a constant in all lanes. */
static uint32_t same_buffer(layout *l, uint32_t constant)
{
    if (!l->same_of) l->same_of = arena_array(l->s, l->constant.count, sizeof *l->same_of);
    if (l->same_of[constant] == 0) {
        list_push(l->s, &l->same, constant);
        l->same_of[constant] = (uint32_t)l->same.count;
    }
    return l->same_of[constant] - 1;
}

/* lanes: what is known of the operands. used: buffers of the step so far. */
static tape_group make_group(layout *l, draft_group *g, const tape_lanes *lanes, uint32_t *used,
                             uint32_t *number)
{
    tape_group made = {.op = draft_operation(l, g), .first = g->first, .buffer = TAPE_NO_BUFFER};
    made.operands = (uint32_t)tape_operands(made.op);
    for (size_t o = 0; o < made.operands; o++) {
        tape_lanes *operand = &made.operand[o];
        const draft_group *other = g->aligned[o] == DRAFT_NONE ? NULL
                                                               : &l->groups.item[g->aligned[o]];
        *operand = lanes[o];
        if (other && !other->placed) {
            *operand = (tape_lanes){TAPE_BUFFERED, other->first, 1, other->buffer, NULL};
            continue;
        }
        if (operand->kind == TAPE_LISTED) {
            for (uint32_t k = 0; k < g->count; k++)
                number[k] = register_of(l, draft_operand(l, g, k, o));
            shorten(l, g->count, number, operand);
        }
        if (operand->kind == TAPE_FIXED && operand->first < l->constant.count) {
            operand->kind = TAPE_SAME;
            operand->buffer = same_buffer(l, operand->first);
        } else if (operand->kind != TAPE_IN_ROW) {
            operand->buffer = (*used)++;
        }
    }
    for (uint32_t k = 0; k < g->count; k++) number[k] = l->d->code[l->member[g->start + k]].mode;
    shorten(l, g->count, number, &made.mode);
    if (!g->placed) made.buffer = (*used)++;
    return made;
}

/* The groups of a step: `count` items. */
static tape_step make_groups(layout *l, const draft_item *item, size_t count, tape_lanes *lanes)
{
    tape_group *group = arena_array(l->a, count, sizeof *group);
    const draft_group *first = &l->groups.item[item->number];
    tape_step step = {.lanes = first->count, .count = count, .group = group};
    uint32_t used = 0, *number = arena_array(l->s, first->count, sizeof *number);
    for (size_t k = 0; k < count; k++) {
        draft_group *g = &l->groups.item[item[k].number];
        group[k] = make_group(l, g, &lanes[TAPE_OPERANDS * (size_t)item[k].number], &used, number);
        g->buffer = group[k].buffer;
        list_push(l->s, &l->range,
                  ((tape_range){g->first, (uint32_t)l->range.count, NULL, &group[k]}));
    }
    if (l->buffers < used) l->buffers = used;
    return step;
}

static tape_step make_code(layout *l, const draft_item *item, size_t count)
{
    instruction *code = arena_array(l->a, count + 1, sizeof *code);
    code[count].op = TAPE_END;
    for (size_t k = 0; k < count; k++) {
        code[k] = l->d->code[item[k].number];
        for (size_t o = 0; o < tape_operands(code[k].op); o++)
            code[k].operand[o] = register_of(l, code[k].operand[o]);
    }
    uint32_t first = l->number[item->number];
    list_push(l->s, &l->range, ((tape_range){first, (uint32_t)l->range.count, code, NULL}));
    return (tape_step){.count = count, .first = first, .code = code};
}

static int by_register(const void *a, const void *b)
{
    const tape_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static void make_steps(layout *l, tape_lanes *lanes)
{
    for (size_t k = 0, count; k < l->items; k += count) {
        for (count = 1; k + count < l->items; count++)
            if (!same_step(&l->item[k], &l->item[k + count])) break;
        tape_step step = l->item[k].family ? make_groups(l, &l->item[k], count, lanes)
                                           : make_code(l, &l->item[k], count);
        list_push(l->s, &l->step, step);
    }
    if (l->range.count) qsort(l->range.item, l->range.count, sizeof *l->range.item, by_register);
}

static void fill_same(layout *l)
{
    double *same = arena_array(l->a, l->same.count * TAPE_LANES, sizeof *same);
    l->t->same = same;
    for (size_t i = 0; i < l->same.count; i++)
        for (size_t k = 0; k < TAPE_LANES; k++) *same++ = l->constant.item[l->same.item[i]];
}

static void finish(layout *l)
{
    sym_tape *t = l->t;
    t->constants = l->constant.count;
    t->inputs = l->d->inputs;
    t->steps = l->step.count;
    t->step = arena_duplicate(l->a, l->step.item, t->steps, sizeof *t->step);
    t->ranges = l->range.count;
    t->range = arena_duplicate(l->a, l->range.item, t->ranges, sizeof *t->range);
    t->work = arena_array(l->a, t->placed + 1, sizeof *t->work);
    t->buffers = l->buffers;
    if (l->groups.count)
        t->buffer = arena_array(l->a, (t->buffers + 1) * TAPE_LANES, sizeof *t->buffer);
    if (l->same.count) fill_same(l);
    if (t->constants) memcpy(t->work, l->constant.item, t->constants * sizeof *t->work);
    for (size_t k = 0; k < l->d->results; k++) l->d->result[k] = register_of(l, l->d->result[k]);
    t->native = tape_native_create(l->a, t);
}

void tape_lay_out(arena *a, arena *scratch, const tape_draft *draft, sym_tape *tape)
{
    arena_mark here = arena_here(scratch);
    layout l = {.a = a, .s = scratch, .d = draft, .t = tape, .n = draft->instructions};
    uint32_t **const array[] = {&l.depth, &l.class, &l.group, &l.lane, &l.stage, &l.number};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = arena_array(scratch, l.n, sizeof **array[k]);
    l.likeness = arena_array(scratch, l.n, sizeof *l.likeness);
    l.constant_of = arena_array(scratch, draft->constants, sizeof *l.constant_of);
    draft_find_groups(&l);
    put_in_order(&l);
    find_placed(&l);
    tape_lanes *lanes = arena_array(scratch, TAPE_OPERANDS * l.groups.count, sizeof *lanes);
    collect_constants(&l, lanes);
    number_registers(&l);
    make_steps(&l, lanes);
    finish(&l);
    arena_back(scratch, here);
}
