/* Relations whose two sides a solution makes equal.
 *
 * Equal sides decide a relation: y > x is false where y = x, and y >= x is true. A solution in the
 * other mode is one all the same if the equations hold there in both modes, as those of an ideal
 * diode where current and voltage are 0: rounding may have chosen the mode. It is none if they are
 * missed with the value at 0, as y = if y > x then x else 2*x is, which no y meets: that relation
 * is then one whose value its mode excludes. */
#include "event/search_parts.h"

#include "symbolic/cells.h"

#include <stdlib.h>

/* Equations that are missed by more than this part of their terms are not met. */
static const double MISSED = 1e-6;

/* The solution that is looked at. */
typedef struct look {
    switching *s;
    double t;
    const double *z;           /* lifted to the author's variables */
    const bool *open;          /* relations */
    double *cell, *whole_cell; /* cells: what they are, in the equations of all modes as well */
    unsigned char *mode;       /* relations: the same of modes in these */
} look;

/* Gives relations of the equations of all modes, and cells, what they are in the present ones. */
static void hold_whole(const look *x)
{
    const sym_graph *g = x->s->system->graph;
    sym_graph *whole = x->s->modes->written->system->graph;
    for (size_t k = 0; k < x->s->relations; k++)
        sym_hold_relation(whole, k, sym_relation_mode(g, k));
    for (uint32_t i = 0; i < x->s->modes->cells; i++) sym_set_cell(whole, i, sym_cell_value(g, i));
}

static void keep(const look *x)
{
    const sym_graph *g = x->s->system->graph, *whole = x->s->modes->written->system->graph;
    for (uint32_t i = 0; i < x->s->modes->cells; i++) {
        x->cell[i] = sym_cell_value(g, i);
        x->whole_cell[i] = sym_cell_value(whole, i);
    }
    for (size_t k = 0; k < x->s->relations; k++)
        x->mode[k] = (unsigned char)sym_relation_mode(whole, k);
}

static void restore(const look *x)
{
    sym_graph *g = x->s->system->graph, *whole = x->s->modes->written->system->graph;
    for (size_t k = 0; k < x->s->relations; k++) sym_hold_relation(whole, k, (sym_mode)x->mode[k]);
    for (size_t k = 0; k < x->s->relations; k++)
        sym_hold_relation(g, k, (sym_mode)x->s->modes->relation[k].is);
    for (uint32_t i = 0; i < x->s->modes->cells; i++) {
        sym_set_cell(whole, i, x->whole_cell[i]);
        sym_set_cell(g, i, x->cell[i]);
    }
}

/* Whether the equations as written are missed where relation k, or all that are open (k: their
 * number), or none (SIZE_MAX) have the values at 0, and discrete variables those that follow. The
 * author's variables keep their values, explicit ones as well. */
static bool misses(const look *x, size_t k)
{
    switching *s = x->s;
    for (size_t i = 0; i < s->relations; i++)
        if (x->open[i] && (i == k || k == s->relations))
            sym_hold_relation(s->system->graph, i,
                              switching_at_zero(s, i) ? SYM_HELD_TRUE : SYM_HELD_FALSE);
    switching_define(s, x->t, x->z);
    hold_whole(x);
    double missed = author_miss(s->modes->written, s->f->author, x->t);
    restore(x);
    return missed > MISSED;
}

/* Those with which the equations are missed by themselves, or else all together. */
static void exclude(const look *x)
{
    relation_state *r = x->s->modes->relation;
    bool any = false;
    for (size_t k = 0; k < x->s->relations; k++) {
        r[k].decided = x->open[k] && misses(x, k);
        any = any || r[k].decided;
    }
    for (size_t k = 0; k < x->s->relations && !any; k++) r[k].decided = x->open[k];
}

dae_status switching_decide(switching *s, double t, const double *z, const bool *open)
{
    size_t cells = s->modes->cells + 1;
    look x = {.s = s,
              .t = t,
              .z = z,
              .open = open,
              .cell = malloc(cells * sizeof *x.cell),
              .whole_cell = malloc(cells * sizeof *x.whole_cell),
              .mode = malloc(s->relations + 1)};
    double *value = malloc((s->system->unknown.count + 1) * sizeof *value);
    bool room = value && x.cell && x.whole_cell && x.mode;
    if (room) author_lift(s->f->author, t, z, value, NULL);
    if (room) keep(&x);
    if (room && misses(&x, s->relations) && !misses(&x, SIZE_MAX)) exclude(&x);
    free(value);
    free(x.cell);
    free(x.whole_cell);
    free(x.mode);
    return room ? DAE_OK : DAE_NO_MEMORY;
}

bool switching_is_decidable(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    bool decides = s->relation[k].kind == RELATION_STATE && r->decides && !r->kink;
    bool keeps = r->memory > 0 || s->relation[k].whole != SIZE_MAX; /* a mode, or a whole part */
    if (!decides || keeps || s->factored[k] || switching_slides(s, k)) return false;
    return (r->is == SYM_HELD_TRUE) != switching_at_zero(s, k) && settling_is_rounding(s, k);
}

/* One that has been crossed is at 0 for an instant, and keeps the mode to which that leads: not at
 * the start, which nothing leads to. */
static bool is_open(const settling *e, size_t k)
{
    const relation_state *r = &e->s->modes->relation[k];
    bool led = (r->crossed && !e->s->modes->starting) || r->off || r->kept > 0;
    return !led && settling_seeks(e, k) && switching_is_decidable(e->s, k);
}

dae_status search_look_at_decided(settling *e)
{
    size_t first = 0, relations = e->s->relations;
    while (first < relations && !is_open(e, first)) first++;
    if (first == relations) return DAE_OK;
    bool *open = malloc(relations * sizeof *open);
    if (!open) return DAE_NO_MEMORY;
    for (size_t k = 0; k < relations; k++) open[k] = is_open(e, k);
    dae_status status = switching_decide(e->s, e->t, e->z, open);
    free(open);
    return status;
}
