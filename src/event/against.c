/* Relations whose other side an impulse leads to.
 *
 * An ideal diode that conducts takes part in the impulse of a current. Where this leads backward
 * through it, the diode blocks within the instant, whatever the current is after it. So a mode is
 * none of a solution if what its relation compares has an impulse to the other side (for the laws
 * of impacts J. J. Moreau, in Nonsmooth Mechanics and Applications (1988), 1). A relation on which
 * no equation depends has the same value before and after, and no event: that is told. */
#include "event/switching.h"

#include "base/round_off.h"
#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/specialize.h"

#include <math.h>
#include <string.h>

/* The largest impulse counts as this many nominal sizes, beside which finite values hardly matter.
 * What changes by less than this part of what so large changes of all variables make of it has no
 * impulse. */
static const double MANY = 1e6, CLEAR = 1e-9;

/* Marks the relations and cells that an expression depends on. Returns whether a cell is new. */
static bool mark(const switching *s, sym_graph *g, sym f, bool *cell)
{
    const sym *node;
    size_t nodes = sym_keep_reached(g, 1, &f, &node);
    bool any = false;
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_look(g, node[k]);
        uint32_t slot = sym_mode_slot(g, node[k]);
        if (v.op == SYM_CELL && !cell[v.id]) any = cell[v.id] = true;
        if (sym_is_relation(g, node[k]) && slot > 0) s->modes->relation[slot - 1].decides = true;
    }
    return any;
}

void switching_find_replaced(switching *s, arena *a, sym_graph *g)
{
    const sym_system *system = s->system;
    size_t count = 2 * system->equation.count;
    sym *side = arena_array(a, count + 1, sizeof *side);
    const sym *node;
    s->replaced = arena_array(a, s->relations + 1, sizeof *s->replaced);
    for (size_t i = 0; i < system->equation.count; i++) {
        side[2 * i] = system->equation.item[i].lhs;
        side[2 * i + 1] = system->equation.item[i].rhs;
    }
    for (size_t k = 0; k < s->relations; k++) s->replaced[k] = s->modes->relation[k].selects;
    size_t nodes = sym_reach(g, count, side, &node);
    for (size_t i = 0; i < nodes; i++) {
        size_t k = sym_relation_number(g, node[i]);
        if (k < s->relations) s->replaced[k] = false;
    }
}

void switching_find_deciding(switching *s, arena *a, sym_graph *g)
{
    const sym_discrete_part *d = &s->system->discrete;
    sym_selectors of_equations = sym_find_selectors(s->system);
    bool *cell = arena_array(a, sym_cell_count(g) + 1, sizeof *cell), again = true;
    memset(cell, 0, sym_cell_count(g) * sizeof *cell);
    for (size_t i = 0; i < of_equations.cells; i++) cell[of_equations.cell[i]] = true;
    for (size_t i = 0; i < of_equations.relations; i++) {
        relation_state *r = &s->modes->relation[of_equations.relation[i]];
        r->selects = r->decides = true;
    }
    while (again) {
        again = false;
        for (size_t i = 0; i < d->variable.count; i++)
            if (cell[d->variable.item[i].cell])
                again = mark(s, g, d->variable.item[i].definition, cell) || again;
    }
}

void switching_jumped(switching *s)
{
    s->modes->jumped = true;
    for (size_t p = 0; p < s->modes->parts; p++) s->modes->moved[p] = true;
    memset(s->strength, 0, s->f->p->size * sizeof *s->strength);
}

/* The values of relations at z with `times` the impulses. */
static void look_beyond(switching *s, double t, const double *z, double times)
{
    for (size_t i = 0; i < s->f->p->size; i++) s->beyond[i] = z[i] + times * s->strength[i];
    switching_look(s, t, s->beyond);
}

/* The values of definitions where relation k has this mode, into s->defined. */
static void define_with(switching *s, size_t k, sym_mode mode)
{
    sym_hold_relation(s->system->graph, k, mode);
    sym_tape_eval(s->definition, s->input, s->defined);
}

/* Whether relation k decides in the present modes: a thyristor that has not been fired blocks on
 * both sides of 0. */
static bool matters(switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    size_t bytes = s->system->discrete.variable.count * sizeof *s->defined;
    if (r->selects || !r->decides) return r->decides;
    define_with(s, k, r->is == SYM_HELD_TRUE ? SYM_HELD_FALSE : SYM_HELD_TRUE);
    memcpy(s->redefined, s->defined, bytes);
    define_with(s, k, (sym_mode)r->is);
    return memcmp(s->redefined, s->defined, bytes) != 0;
}

void switching_look_at_impulses(switching *s, double t, const double *z)
{
    double most = 0, *value = s->beyond + s->f->p->size;
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].pierced = false;
    for (size_t i = 0; i < s->f->p->size; i++)
        most = fmax(most, fabs(s->strength[i]) / s->f->levels->levels.nominal[i]);
    if (!(most > 0)) return;
    look_beyond(s, t, z, -MANY / most);
    memcpy(value, s->value, s->relations * sizeof *value);
    look_beyond(s, t, z, MANY / most);
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        double by = s->value[k] - value[k];
        bool watched = s->relation[k].kind == RELATION_STATE && !r->kink && !switching_slides(s, k);
        if (!watched || !(fabs(by) > CLEAR * MANY * s->nominal[k])) continue;
        bool against = (by < 0) != (r->is == SYM_HELD_TRUE);
        r->against = against && matters(s, k);
        r->pierced = against && !r->decides;
    }
}
