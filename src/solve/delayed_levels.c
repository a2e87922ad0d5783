#include "solve/delayed_levels.h"

#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

typedef enum source_kind { OF_RELATION, OF_CELL, OF_DELAY, OF_UNKNOWN } source_kind;

/* Something that an expression depends on. */
typedef struct source {
    source_kind kind;
    uint32_t id; /* of an unknown: its column */
    int by;      /* the expression has the order of the source, and so much more */
} source;

struct delayed_levels {
    const sym_system *system;
    const uint32_t *d; /* columns: the highest derivatives */
    size_t columns, blocks;
    size_t *first, *first_given; /* blocks + delays + 1: into source; blocks + 1: into given */
    uint32_t *given;             /* columns: those that a block gives */
    LIST(source) source;
    uint32_t *column, *order; /* the author's variables: the derivative that it is, or is a multiple
                                 of, below the highest one; INCIDENCE_NONE: it is none */
    int *level;               /* columns: of the highest derivatives */
};

static void add(delayed_levels *l, arena *a, source_kind kind, uint32_t id, int by)
{
    list_push(a, &l->source, ((source){kind, id, by}));
}

/* What an expression that is differentiated so often depends on. Between events a relation has one
 * value, whatever its sides are. */
static void find_sources(delayed_levels *l, const formulation *f, sym root, uint32_t times)
{
    sym_graph *g = f->p->g;
    arena *a = f->system->memory;
    const sym *reached;
    size_t count = sym_reach(g, 1, &root, &reached);
    bool *needed = arena_array(a, count, sizeof *needed);
    needed[sym_place(count, reached, root)] = true;
    for (size_t i = count; i-- > 0;) {
        if (!needed[i]) continue;
        sym_view view = sym_look(g, reached[i]);
        size_t relation = sym_relation_number(g, reached[i]);
        int by = -(int)times - (int)view.order;
        if (relation != SIZE_MAX) {
            add(l, a, OF_RELATION, (uint32_t)relation, -(int)times);
            continue;
        }
        uint32_t column = view.op == SYM_VARIABLE ? f->p->column_of[view.id] : INCIDENCE_NONE;
        if (view.op == SYM_CELL) add(l, a, OF_CELL, view.id, -(int)times);
        if (view.op == SYM_INPUT) add(l, a, OF_DELAY, view.id, by);
        if (column != INCIDENCE_NONE) add(l, a, OF_UNKNOWN, column, (int)l->d[column] + by);
        for (uint32_t k = 0; k < view.count; k++)
            needed[sym_place(count, reached, view.argument[k])] = true;
    }
}

static void find_rows(delayed_levels *l, const formulation *f, const blocks *b)
{
    size_t given = 0;
    for (size_t i = 0; i < b->count; i++) {
        l->first[i] = l->source.count;
        l->first_given[i] = given;
        for (size_t k = b->start[i]; k < b->start[i + 1]; k++) {
            uint32_t row = b->row[k];
            l->given[given++] = f->reduced->match[row];
            find_sources(l, f, f->core->residual[row], f->reduced->c[row]);
        }
    }
    l->first_given[b->count] = given;
}

/* The derivatives that variables of the author are, whose jumps are seen by their values. */
static void find_names(delayed_levels *l, const formulation *f)
{
    for (size_t v = 0; v < f->system->unknown.count; v++) {
        sym_view view = sym_look(f->p->g, f->core->value[v]);
        if (view.op == SYM_SUM && view.count == 1) view = sym_look(f->p->g, view.argument[0]);
        uint32_t column = view.op == SYM_VARIABLE ? f->p->column_of[view.id] : INCIDENCE_NONE;
        bool is_state = column != INCIDENCE_NONE && view.order < l->d[column];
        l->column[v] = is_state ? column : INCIDENCE_NONE;
        l->order[v] = view.order;
    }
}

delayed_levels *delayed_levels_create(const formulation *f)
{
    const sym_system *system = f->system;
    arena *a = system->memory;
    size_t delays = system->delay.count, unknowns = system->unknown.count, n = f->core->n;
    if (f->choice.kind == FORMULATION_ARRAY || !f->reduced->regular) return NULL;
    const blocks *b = structure_blocks(a, f->in, f->reduced);
    delayed_levels *l = arena_take(a, sizeof *l);
    *l = (delayed_levels){.system = system, .d = f->reduced->d, .columns = n, .blocks = b->count};
    l->first = arena_array(a, b->count + delays + 1, sizeof *l->first);
    l->first_given = arena_array(a, b->count + 1, sizeof *l->first_given);
    l->given = arena_array(a, n, sizeof *l->given);
    l->level = arena_array(a, n, sizeof *l->level);
    l->column = arena_array(a, unknowns, sizeof *l->column);
    l->order = arena_array(a, unknowns, sizeof *l->order);
    sym *value = arena_array(a, delays, sizeof *value);
    for (size_t k = 0; k < delays; k++) value[k] = system->delay.item[k].value;
    structure_to_core(system, f->core, delays, value);
    find_rows(l, f, b);
    for (size_t k = 0; k < delays; k++) {
        l->first[b->count + k] = l->source.count;
        find_sources(l, f, value[k], 0);
    }
    l->first[b->count + delays] = l->source.count;
    find_names(l, f);
    return l;
}

static bool has_switched(const delayed_change *c, uint32_t relation)
{
    return c->graph && sym_relation_mode(c->graph, relation) != (sym_mode)c->mode_before[relation];
}

static bool has_changed(const delayed_change *c, uint32_t cell)
{
    if (!c->graph) return false;
    double is = sym_cell_value(c->graph, cell), was = c->cell_before[cell];
    return is != was && !(isnan(is) && isnan(was));
}

static int level_of(const delayed_levels *l, const delayed_change *c, const source *s)
{
    switch (s->kind) {
    case OF_RELATION: return has_switched(c, s->id) ? 0 : DELAYED_SMOOTH;
    case OF_CELL: return has_changed(c, s->id) ? 0 : DELAYED_SMOOTH;
    case OF_DELAY: return c->arriving[s->id];
    case OF_UNKNOWN: break;
    }
    return l->level[s->id];
}

/* The lowest level of the sources that expression i has, blocks first. */
static int lowest(const delayed_levels *l, const delayed_change *c, size_t i)
{
    int found = DELAYED_SMOOTH;
    for (size_t k = l->first[i]; k < l->first[i + 1]; k++) {
        const source *s = &l->source.item[k];
        int level = level_of(l, c, s);
        if (level < DELAYED_SMOOTH && level + s->by < found) found = level + s->by;
    }
    return found;
}

/* A state that jumps. */
static void take_moved(delayed_levels *l, const delayed_change *c)
{
    for (size_t v = 0; v < c->variables; v++) {
        uint32_t column = l->column[v];
        if (column == INCIDENCE_NONE || !c->moved[v]) continue;
        int level = (int)l->order[v] - (int)l->d[column];
        if (level < l->level[column]) l->level[column] = level;
    }
}

/* One pass through all blocks. Returns whether a level has fallen. */
static bool pass(delayed_levels *l, const delayed_change *c)
{
    bool any = false;
    for (size_t i = 0; i < l->blocks; i++) {
        int level = lowest(l, c, i);
        for (size_t k = l->first_given[i]; k < l->first_given[i + 1]; k++) {
            if (!(level < l->level[l->given[k]])) continue;
            l->level[l->given[k]] = level;
            any = true;
        }
    }
    return any;
}

void delayed_levels_find(delayed_levels *l, const delayed_change *c, unsigned char *level)
{
    for (size_t j = 0; j < l->columns; j++) l->level[j] = DELAYED_SMOOTH;
    take_moved(l, c);
    while (pass(l, c)) continue;
    for (size_t k = 0; k < l->system->delay.count; k++) {
        int found = lowest(l, c, l->blocks + k);
        level[k] = (unsigned char)(found < 0 ? 0 : found > DELAYED_SMOOTH ? DELAYED_SMOOTH : found);
    }
}
