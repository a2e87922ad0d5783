/* Blocks of a model's system Jacobian, and whether they stay regular: determinants() of
 * simulation_ops. */
#include "solve/model_simulation.h"

#include "linalg/lapack.h"
#include "structure/signature.h"
#include "structure/structure.h"
#include "symbolic/derive.h"
#include "symbolic/relations.h"

#include <math.h>
#include <string.h>

/* A determinant that has fallen to this part of its largest value may have passed 0, or be about to
 * do so. */
static const double LITTLE = 1e-3;

/* The blocks that have entries other than numbers, and do not switch, or only between steps. */
typedef struct varying_block {
    size_t size;    /* rows */
    size_t *column; /* size: columns of the core's unknowns */
    size_t begin;   /* where it begins in `dense` */
    bool nonlinear; /* entries depend on its own unknowns */
} varying_block;

struct model_blocks {
    size_t count;
    varying_block *item;
    size_t entries;
    size_t *place; /* entries: place in `dense`, in which blocks follow each other, row by row */
    sym_tape *tape;
    double *value, *dense, *input; /* entries; of all blocks; time and z */
    double *found, *largest;       /* count: determinants, and the largest since modes began */
    size_t dense_size;
};

/* The place of a row of the Jacobian, and of its column: the block, and the place in it. */
typedef struct seat {
    uint32_t block, at;
} seat;

typedef struct building {
    model_blocks *b;
    bool held; /* wanted are nonlinear blocks whose branches are held within steps */
    const prolongation *p;
    arena *memory;
    seat *row, *column; /* p->n each */
    sym *kept;          /* entries of blocks that vary */
} building;

static void seat_all(building *w, const blocks *all, const uint32_t *match)
{
    for (size_t k = 0; k < all->count; k++) {
        for (size_t i = all->start[k]; i < all->start[k + 1]; i++) {
            seat here = {(uint32_t)k, (uint32_t)(i - all->start[k])};
            w->row[all->row[i]] = w->column[match[all->row[i]]] = here;
        }
    }
}

static bool is_inside(const building *w, const sym_entry *e)
{
    return w->row[e->row].block == w->column[e->column].block;
}

/* Whether branches change within steps: pieces other than those that relations choose, which keep
 * their values between events. */
static bool changes_within(sym_graph *g, sym root)
{
    const sym *reached;
    size_t nodes = sym_reach(g, 1, &root, &reached);
    for (size_t k = 0; k < nodes; k++) {
        sym_op op = sym_look(g, reached[k]).op;
        bool compares = op == SYM_LESS || op == SYM_LESS_EQUAL || op == SYM_EQUAL;
        bool bends = op == SYM_MIN || op == SYM_MAX || op == SYM_ABS || op == SYM_SIGN ||
                     op == SYM_FLOOR || op == SYM_CEIL || op == SYM_INTERVAL;
        if (bends || (compares && !sym_is_relation(g, reached[k]))) return true;
    }
    return false;
}

/* What the entries of a block are. */
typedef struct entry_kinds {
    bool varies, switches, changes;
} entry_kinds;

/* Chooses the blocks to examine; number[k] is the number of block k among them, or INCIDENCE_NONE.
 */
static void choose(building *w, const blocks *all, const uint32_t *match,
                   const sym_entries *entries, uint32_t *number)
{
    model_blocks *b = w->b;
    entry_kinds *is = arena_array(w->memory, all->count, sizeof *is);
    for (size_t e = 0; e < entries->count; e++) {
        const sym_entry *x = &entries->item[e];
        entry_kinds *of = &is[w->row[x->row].block];
        if (!is_inside(w, x)) continue;
        bool switches = sym_has_pieces(w->p->g, x->value);
        of->varies = of->varies || !sym_is_number(w->p->g, x->value, NULL);
        of->switches = of->switches || switches;
        of->changes = of->changes || (switches && changes_within(w->p->g, x->value));
    }
    for (size_t k = 0; k < all->count; k++) {
        size_t size = all->start[k + 1] - all->start[k];
        number[k] = INCIDENCE_NONE;
        bool wanted = is[k].varies && is[k].switches == w->held && !is[k].changes;
        if (!wanted || size > SIMULATION_BLOCK) continue;
        varying_block *x = &b->item[b->count];
        number[k] = (uint32_t)b->count++;
        x->size = size;
        x->column = arena_array(w->memory, size, sizeof *x->column);
        x->begin = b->dense_size;
        b->dense_size += size * size;
        for (size_t i = 0; i < size; i++) x->column[i] = match[all->row[all->start[k] + i]];
    }
    arena_return(w->memory, is, all->count, sizeof *is);
}

/* Whether an expression depends on an unknown of a block, differentiated however often. */
static bool depends_on(const building *w, sym value, uint32_t block)
{
    const prolongation *p = w->p;
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(p->g, value, &leaf);
    for (size_t l = 0; l < leaves; l++) {
        uint32_t j = p->column_of[leaf[l].id];
        if (j != INCIDENCE_NONE && w->column[j].block == block) return true;
    }
    return false;
}

static void take_entries(building *w, const sym_entries *entries, const uint32_t *number)
{
    model_blocks *b = w->b;
    w->kept = arena_array(w->memory, entries->count, sizeof *w->kept);
    b->place = arena_array(w->memory, entries->count, sizeof *b->place);
    for (size_t e = 0; e < entries->count; e++) {
        const sym_entry *x = &entries->item[e];
        uint32_t k = number[w->row[x->row].block];
        if (!is_inside(w, x) || k == INCIDENCE_NONE) continue;
        varying_block *in = &b->item[k];
        b->place[b->entries] = in->begin + w->row[x->row].at * in->size + w->column[x->column].at;
        w->kept[b->entries++] = x->value;
        if (!in->nonlinear) in->nonlinear = depends_on(w, x->value, w->row[x->row].block);
    }
}

static void compile(building *w)
{
    model_blocks *b = w->b;
    const prolongation *p = w->p;
    arena *a = w->memory;
    b->tape = prolongation_tape(a, p, b->entries, w->kept);
    b->value = arena_array(a, b->entries, sizeof *b->value);
    b->dense = arena_array(a, b->dense_size, sizeof *b->dense);
    b->input = arena_array(a, prolongation_inputs(p), sizeof *b->input);
    arena_vectors(a, b->count, (double **[]){&b->found, &b->largest, NULL});
}

model_blocks *model_blocks_find(const formulation *f, bool held, size_t *count)
{
    arena *a = f->system->memory;
    const prolongation *p = f->p;
    const blocks *all = structure_blocks(a, f->in, f->reduced);
    const sym_entries *entries = structure_system_entries(p);
    uint32_t *number = arena_array(a, all->count, sizeof *number);
    model_blocks *b = arena_take(a, sizeof *b);
    b->item = arena_array(a, all->count, sizeof *b->item);
    building w = {.b = b, .held = held, .p = p, .memory = a};
    w.row = arena_array(a, p->n, sizeof *w.row);
    w.column = arena_array(a, p->n, sizeof *w.column);
    seat_all(&w, all, f->reduced->match);
    choose(&w, all, f->reduced->match, entries, number);
    take_entries(&w, entries, number);
    if (b->count > 0) compile(&w);
    arena_return(a, w.kept, entries->count, sizeof *w.kept);
    arena_return(a, w.row, p->n, sizeof *w.row);
    arena_return(a, w.column, p->n, sizeof *w.column);
    arena_return(a, number, all->count, sizeof *number);
    arena_return(a, all->row, p->n, sizeof *all->row);
    arena_return(a, all->start, p->n + 1, sizeof *all->start);
    *count = b->count;
    return b;
}

/* The determinant: the product of the pivots. a (n x n) is overwritten; its transpose has the same
 * one. */
static double determinant(size_t n, double *a)
{
    int size = (int)n, pivot[SIMULATION_BLOCK], info;
    double product = 1;
    dgetf2_(&size, &size, a, &size, pivot, &info);
    for (int k = 0; k < size; k++) product *= (pivot[k] == k + 1 ? 1 : -1) * a[k * size + k];
    return product;
}

static void gather(const model_simulation *m, const model_blocks *b, double t, const double *y,
                   const double *yp)
{
    const formulation *f = m->formulation;
    b->input[0] = t;
    memcpy(b->input + 1, m->z, f->p->size * sizeof *m->z);
    prolonged_form_gather(f->form, y, yp, b->input + 1);
}

static void fill(const model_blocks *b)
{
    sym_tape_eval(b->tape, b->input, b->value);
    memset(b->dense, 0, b->dense_size * sizeof *b->dense);
    for (size_t k = 0; k < b->entries; k++) b->dense[b->place[k]] = b->value[k];
}

static void evaluate(model_simulation *m, const model_blocks *b, double t, const double *y,
                     const double *yp, double *found)
{
    gather(m, b, t, y, yp);
    fill(b);
    for (size_t k = 0; k < b->count; k++)
        found[k] = determinant(b->item[k].size, b->dense + b->item[k].begin);
}

void model_blocks_evaluate(simulation *c, double t, const double *y, const double *yp,
                           double *found)
{
    model_simulation *m = (model_simulation *)c;
    evaluate(m, m->blocks, t, y, yp, found);
}

bool model_blocks_turn(simulation *c, const engine_point *at, turning_question question)
{
    model_simulation *m = (model_simulation *)c;
    const model_blocks *b = m->held_blocks;
    if (!b || b->count == 0) return false;
    if (question == TURNING_BEGINS) memset(b->largest, 0, b->count * sizeof *b->largest);
    if (question == TURNING_BEGINS) return false;
    evaluate(m, b, at->t, at->y, at->yp, b->found);
    for (size_t k = 0; k < b->count; k++) {
        if (!b->item[k].nonlinear) continue;
        double left = b->largest[k] < 0 ? -b->found[k] : b->found[k];
        if (question == TURNING_ASKS && left < LITTLE * fabs(b->largest[k])) return true;
        if (question == TURNING_KEEPS && fabs(b->found[k]) > fabs(b->largest[k]))
            b->largest[k] = b->found[k];
    }
    return false;
}

void model_blocks_state(model_blocks *b, state_visit *s)
{
    state_doubles(s, b->largest, b->count);
}

bool model_blocks_nonlinear(const simulation *c, size_t which)
{
    return ((const model_simulation *)c)->blocks->item[which].nonlinear;
}

size_t model_blocks_variables(simulation *c, const engine_point *at, size_t which, double *value)
{
    const model_simulation *m = (const model_simulation *)c;
    const varying_block *b = &m->blocks->item[which];
    gather(m, m->blocks, at->t, at->y, at->yp);
    for (size_t i = 0; i < b->size; i++)
        value[i] = m->blocks->input[1 + m->formulation->p->first[b->column[i]]];
    return b->size;
}

double model_blocks_moved(simulation *c, const engine_point *at, size_t which, const double *by)
{
    const model_simulation *m = (const model_simulation *)c;
    const model_blocks *all = m->blocks;
    const varying_block *b = &all->item[which];
    gather(m, all, at->t, at->y, at->yp);
    for (size_t i = 0; i < b->size; i++)
        all->input[1 + m->formulation->p->first[b->column[i]]] += by[i];
    fill(all);
    return determinant(b->size, all->dense + b->begin);
}

void model_blocks_name(const simulation *c, size_t which, text *t)
{
    enum { MOST_NAMED = 6 };
    const model_simulation *m = (const model_simulation *)c;
    const varying_block *b = &m->blocks->item[which];
    const formulation *f = m->formulation;
    for (size_t i = 0; i < b->size && i < MOST_NAMED; i++) {
        if (i > 0) text_add(t, ", ");
        prolonged_name(f->names, f->p->unknown[b->column[i]], f->p->d[b->column[i]], t);
    }
    if (b->size > MOST_NAMED) text_format(t, " and %zu more", b->size - MOST_NAMED);
}
