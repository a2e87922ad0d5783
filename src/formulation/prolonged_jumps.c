#include "formulation/prolonged_levels.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* An entry under construction. */
typedef struct jump_entry {
    size_t column;
    sym value;
    bool known; /* it holds no derivative that z does not hold */
} jump_entry;

typedef LIST(jump_entry) jump_entries;

typedef struct jump_matrix {
    sym_matrix *matrix;
    double *value;
    bool *known;      /* nonzeros */
    sym_tape *missed; /* n; NULL: nothing is */
    double *miss;     /* n */
} jump_matrix;

struct prolonged_jumps {
    size_t count;
    jump_matrix *of; /* count; the first one is empty */
};

/* The binomial coefficient of any whole number, as in Leibniz' rule for the q-th derivative, or for
 * q < 0 the -q-th integral, of a product. */
static double binomial(double q, uint32_t l)
{
    double value = 1;
    for (uint32_t i = 0; i < l; i++) value *= (q - i) / (i + 1);
    return value;
}

/* Whether z holds all derivatives that occur. */
static bool is_held(const prolongation *p, sym f)
{
    const sym_leaf *leaf;
    size_t count = sym_leaves(p->g, f, &leaf);
    for (size_t i = 0; i < count; i++) {
        size_t j = p->column_of[leaf[i].id];
        if (leaf[i].order > p->d[j]) return false;
    }
    return true;
}

static void add_entry(arena *a, const prolongation *p, jump_entries *row, size_t column, sym value)
{
    size_t k = 0;
    while (k < row->count && row->item[k].column != column) k++;
    if (k == row->count) list_push(a, row, ((jump_entry){column, sym_number(p->g, 0), true}));
    jump_entry *e = &row->item[k];
    e->known = e->known && is_held(p, value);
    if (e->known) e->value = sym_add(p->g, e->value, value);
}

/* The entries of df_i / dx_j^(k) = f in the b-th integral of f_i^(c_i): by the jumps of x_j^(d_j -
 * b'), b' >= b. */
static void add_partial(arena *a, const prolonged_levels *l, size_t i, uint32_t b, sym_partial f,
                        jump_entries *row)
{
    const prolongation *p = l->f->p;
    sym_view leaf = sym_look(p->g, f.leaf);
    if (leaf.op != SYM_VARIABLE) return;
    size_t j = p->column_of[leaf.id], count = l->jumps->count;
    double order = (double)p->c[i] - b;
    uint32_t lowest = b + p->d[j] - p->c[i] - leaf.order;
    sym value = f.value;
    for (uint32_t k = 0; lowest + k < count && !sym_is(p->g, value, 0); k++) {
        double times = binomial(order, k);
        if (times == 0) break;
        add_entry(a, p, row, j * count + lowest + k, sym_scale(p->g, times, value));
        value = sym_time_derivative(p->g, value);
    }
}

/* By how much the q-th derivative of a part is missed, or for q < 0 its integral: equations hold
 * from the event on, and so do their derivatives as they stand; integrals hold from before on,
 * except where they are those of derivatives. SYM_NONE: it is not known. */
static sym missed_by(const prolonged_levels *l, uint32_t number, long q)
{
    sym_graph *g = l->f->p->g;
    const explicit_core *core = l->f->core;
    const core_part *part = &core->part[number];
    sym sum = q >= 0 ? part->residual : sym_number(g, 0);
    for (long i = 0; i < q; i++) sum = sym_time_derivative(g, sum);
    if (q >= 0) return sum;
    if (!part->known) return SYM_NONE;
    if ((long)part->deepest + q < 0) return sum;
    sym_partials partials = {0};
    sym_gradient(g, part->made, &partials);
    for (size_t k = 0; k < partials.count; k++) {
        sym_view leaf = sym_look(g, partials.item[k].leaf);
        if (leaf.op != SYM_VARIABLE || leaf.id < core->first_part) continue;
        uint32_t of = leaf.id - core->first_part;
        long least = -(long)core->part[of].deepest;
        sym value = partials.item[k].value;
        for (uint32_t m = 0; leaf.order + q - m >= least && !sym_is(g, value, 0); m++) {
            sym missed = missed_by(l, of, leaf.order + q - m);
            if (missed == SYM_NONE) return SYM_NONE;
            sym term = sym_multiply(g, value, missed);
            sum = sym_add(g, sum, sym_scale(g, binomial((double)q, m), term));
            value = sym_time_derivative(g, value);
        }
    }
    return sum;
}

static void compile_missed(arena *a, prolonged_levels *l, uint32_t b, jump_matrix *to)
{
    const prolongation *p = l->f->p;
    to->miss = arena_array(a, p->n, sizeof *to->miss);
    if (!l->f->core->part_of) return;
    sym *missed = arena_array(a, p->n, sizeof *missed);
    for (size_t i = 0; i < p->n; i++) {
        long q = (long)p->c[i] - b;
        missed[i] = q < 0 ? missed_by(l, l->f->core->part_of[i], q) : sym_number(p->g, 0);
        if (missed[i] == SYM_NONE || !is_held(p, missed[i]))
            missed[i] = sym_number(p->g, (double)NAN);
    }
    to->missed = prolongation_tape(a, p, p->n, missed);
}

static void compile(arena *a, prolonged_levels *l, uint32_t b, jump_matrix *to)
{
    const prolongation *p = l->f->p;
    sym_entries entries = {0};
    sym_partials partials = {0};
    LIST(bool) known = {0};
    for (size_t i = 0; i < p->n; i++) {
        jump_entries row = {0};
        sym_gradient(p->g, p->row[p->first_row[i]], &partials);
        for (size_t k = 0; k < partials.count; k++) add_partial(a, l, i, b, partials.item[k], &row);
        for (size_t k = 0; k < row.count; k++) {
            const jump_entry *e = &row.item[k];
            sym value = e->known ? e->value : sym_number(p->g, 1);
            list_push(a, &entries, ((sym_entry){i, e->column, value}));
            list_push(a, &known, e->known);
        }
    }
    to->matrix = prolongation_matrix(a, p, p->n, p->n * l->jumps->count, &entries);
    const sparse_pattern *pattern = to->matrix->pattern;
    to->value = arena_array(a, pattern->nonzeros, sizeof *to->value);
    to->known = arena_array(a, pattern->nonzeros, sizeof *to->known);
    for (size_t e = 0; e < entries.count; e++) {
        sparse_index k = pattern->start[entries.item[e].column];
        while ((size_t)pattern->row[k] != entries.item[e].row) k++;
        to->known[k] = known.item[e];
    }
}

/* How often combinations differentiate what they are made of; at least once where that is not
 * known, so that their integrals are asked for. */
static uint32_t find_deepest(const explicit_core *core)
{
    uint32_t deepest = 0;
    for (size_t i = 0; core->part_of && i < core->n; i++) {
        const core_part *part = &core->part[core->part_of[i]];
        uint32_t depth = part->deepest == 0 && !part->known ? 1 : part->deepest;
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

static void form(void *argument)
{
    prolonged_levels *l = argument;
    arena *a = sym_graph_arena(l->f->p->g);
    prolonged_jumps *jumps = arena_take(a, sizeof *jumps);
    l->jumps = jumps;
    jumps->count = l->levels.count + find_deepest(l->f->core);
    jumps->of = arena_array(a, jumps->count, sizeof *jumps->of);
    for (uint32_t b = 1; b < jumps->count; b++) {
        compile(a, l, b, &jumps->of[b]);
        compile_missed(a, l, b, &jumps->of[b]);
    }
}

dae_status prolonged_jumps_balance(prolonged_levels *l, size_t b, double t, const double *z,
                                   jump_balance *found)
{
    if (!l->jumps && arena_protect(sym_graph_arena(l->f->p->g), form, l) != DAE_OK) {
        l->jumps = NULL;
        return DAE_NO_MEMORY;
    }
    jump_matrix *m = &l->jumps->of[b];
    l->input[0] = t;
    memcpy(l->input + 1, z, l->levels.size * sizeof *z);
    sym_matrix_eval(m->matrix, l->input, m->value);
    for (size_t k = 0; k < m->matrix->pattern->nonzeros; k++)
        if (!m->known[k]) m->value[k] = (double)NAN;
    if (m->missed) sym_tape_eval(m->missed, l->input, m->miss);
    *found = (jump_balance){l->jumps->count, m->matrix->pattern, m->value, m->miss};
    return DAE_OK;
}
