/* Groups are classes of instructions that are built alike, seen from both ends: by what they are
 * computed from, and by what takes their results. The first makes the members of a class
 * independent of each other, because a result is built from less than what it is taken by; the
 * second makes lanes of an operand stand in the order in which they are taken. The steps follow
 * from stages: what takes results of another step lane by lane can belong to the same one, and all
 * else is at least one stage after what it takes. */
#include "symbolic/tape_layout.h"

enum {
    LEAST_LANES = TAPE_LANES, /* of a group: with fewer, machine code is as fast */
    NOBODY = 7,               /* the likeness of what takes a result without being in a group, */
    CONSTANT,                 /* and of what an instruction takes */
    INPUT
};

uint32_t draft_family(const layout *l, uint32_t group)
{
    draft_group *g = l->groups.item;
    while (g[group].family != group) group = g[group].family = g[g[group].family].family;
    return group;
}

/* Whether it must be evaluated by itself, in its order: it asks for something outside. */
static bool is_alone(const instruction *in)
{
    return in->op == TAPE_CALL + SYM_INPUT || in->op == TAPE_CALL + SYM_CALL;
}

static void see_operands(layout *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const instruction *in = &l->d->code[i];
        uint64_t likeness = hash_mix(in->op, is_alone(in) ? i : 0);
        for (size_t o = 0; o < tape_operands(in->op); o++) {
            uint32_t from = draft_source(l, in->operand[o]);
            if (from == DRAFT_NONE) {
                likeness = hash_mix(likeness, in->operand[o] >= TAPE_CONSTANTS ? CONSTANT : INPUT);
                continue;
            }
            likeness = hash_mix(likeness, l->likeness[from]);
            if (l->depth[i] <= l->depth[from]) l->depth[i] = l->depth[from] + 1;
        }
        l->likeness[i] = likeness;
    }
}

static void classify(layout *l)
{
    hash_table table = {0};
    l->classes.count = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        const draft_class key = {l->likeness[i], l->depth[i], l->d->code[i].op, 0, DRAFT_NONE};
        uint32_t found;
        for (size_t at = hash_start(&table, key.likeness);
             (found = hash_next(&table, key.likeness, &at)) != HASH_NONE;) {
            const draft_class *c = &l->classes.item[found];
            if (c->likeness == key.likeness && c->depth == key.depth && c->op == key.op) break;
        }
        if (found == HASH_NONE) {
            found = (uint32_t)l->classes.count;
            list_push(l->s, &l->classes, key);
            hash_add(l->s, &table, key.likeness, found);
        }
        l->class[i] = found;
        l->classes.item[found].count++;
    }
}

/* Instructions after others come first here, so that what takes a result is known. */
static void see_takers(layout *l)
{
    uint64_t *taken = arena_array(l->s, l->n, sizeof *taken);
    for (size_t k = 0; k < l->d->results; k++) {
        uint32_t from = draft_source(l, l->d->result[k]);
        if (from != DRAFT_NONE) taken[from] += hash_mix(NOBODY, 0);
    }
    for (size_t i = l->n; i-- > 0;) {
        const instruction *in = &l->d->code[i];
        bool alone = l->classes.item[l->class[i]].count < LEAST_LANES;
        l->likeness[i] = hash_mix(l->likeness[i], taken[i]);
        for (size_t o = 0; o < tape_operands(in->op); o++) {
            uint32_t from = draft_source(l, in->operand[o]);
            if (from != DRAFT_NONE) taken[from] += hash_mix(alone ? NOBODY : l->likeness[i], o);
        }
    }
}

static void form_groups(layout *l)
{
    uint32_t members = 0;
    for (size_t k = 0; k < l->classes.count; k++) {
        draft_class *c = &l->classes.item[k];
        if (c->count < LEAST_LANES) continue;
        c->group = (uint32_t)l->groups.count;
        draft_group g = {.start = members, .depth = c->depth, .family = c->group};
        members += c->count;
        list_push(l->s, &l->groups, g);
    }
    l->member = arena_array(l->s, members, sizeof *l->member);
    for (uint32_t i = 0; i < l->n; i++) {
        l->group[i] = l->classes.item[l->class[i]].group;
        if (l->group[i] == DRAFT_NONE) continue;
        draft_group *g = &l->groups.item[l->group[i]];
        l->lane[i] = g->count++;
        l->member[g->start + l->lane[i]] = i;
    }
}

/* The group whose lanes are those of operand o. */
static uint32_t aligned_with(const layout *l, const draft_group *g, size_t o)
{
    uint32_t from = draft_source(l, draft_operand(l, g, 0, o));
    uint32_t other = from == DRAFT_NONE ? DRAFT_NONE : l->group[from];
    if (other == DRAFT_NONE || l->groups.item[other].count != g->count) return DRAFT_NONE;
    for (uint32_t k = 0; k < g->count; k++) {
        from = draft_source(l, draft_operand(l, g, k, o));
        if (from == DRAFT_NONE || l->group[from] != other || l->lane[from] != k) return DRAFT_NONE;
    }
    return other;
}

static void join_families(layout *l)
{
    for (uint32_t k = 0; k < l->groups.count; k++) {
        draft_group *g = &l->groups.item[k];
        for (size_t o = 0; o < TAPE_OPERANDS; o++) g->aligned[o] = DRAFT_NONE;
        for (size_t o = 0; o < tape_operands(draft_operation(l, g)); o++) {
            g->aligned[o] = aligned_with(l, g, o);
            if (g->aligned[o] == DRAFT_NONE) continue;
            l->groups.item[draft_family(l, g->aligned[o])].family = draft_family(l, k);
        }
    }
}

/* The least stage of an instruction by its operand o. */
static uint32_t stage_behind(const layout *l, uint32_t i, size_t o)
{
    uint32_t from = draft_source(l, l->d->code[i].operand[o]);
    if (from == DRAFT_NONE) return 0;
    bool grouped = l->group[i] != DRAFT_NONE;
    if (l->group[from] == DRAFT_NONE) return l->stage[from] + (grouped ? 1 : 0);
    bool with = grouped && l->groups.item[l->group[i]].aligned[o] == l->group[from];
    return l->groups.item[l->group[from]].stage + (with ? 0 : 1);
}

/* What an instruction takes is less deep. */
static void find_stages(layout *l)
{
    uint32_t deepest = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->depth[i] > deepest) deepest = l->depth[i];
    size_t *behind = arena_array(l->s, (size_t)deepest + 2, sizeof *behind);
    uint32_t *order = arena_array(l->s, l->n, sizeof *order);
    for (size_t i = 0; i < l->n; i++) behind[l->depth[i] + 1]++;
    for (uint32_t k = 0; k <= deepest; k++) behind[k + 1] += behind[k];
    for (uint32_t i = 0; i < l->n; i++) order[behind[l->depth[i]]++] = i;
    for (size_t k = 0; k < l->n; k++) {
        uint32_t i = order[k];
        uint32_t *stage = l->group[i] == DRAFT_NONE ? &l->stage[i]
                                                    : &l->groups.item[l->group[i]].stage;
        for (size_t o = 0; o < tape_operands(l->d->code[i].op); o++) {
            uint32_t least = stage_behind(l, i, o);
            if (*stage < least) *stage = least;
        }
    }
}

void draft_find_groups(layout *l)
{
    see_operands(l);
    if (l->n < LEAST_LANES) {
        for (size_t i = 0; i < l->n; i++) l->group[i] = DRAFT_NONE;
        return;
    }
    classify(l);
    see_takers(l);
    classify(l);
    form_groups(l);
    join_families(l);
    find_stages(l);
}
