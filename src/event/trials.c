/* What an event and its trials keep, and how they go back. */
#include "event/settling.h"

#include "symbolic/cells.h"

#include <string.h>

static void keep_cells(const switching *s, double *to)
{
    size_t cells = s->modes->cells;
    if (cells) memcpy(to, sym_cell_values(s->system->graph), cells * sizeof *to);
}

void settling_keep(settling *e)
{
    switching *s = e->s;
    memcpy(s->kept, e->z, s->f->p->size * sizeof *e->z);
    keep_cells(s, s->kept_cell);
    for (size_t k = 0; k < s->relations; k++) s->kept_is[k] = s->modes->relation[k].is;
}

void settling_restore(settling *e, switching *s, double *z)
{
    if (e->s != s) switching_adopt(s, e->s->system->graph);
    e->s = s;
    e->z = z;
    memcpy(z, s->kept, s->f->p->size * sizeof *z);
    for (uint32_t i = 0; i < s->modes->cells; i++)
        sym_set_cell(s->system->graph, i, s->kept_cell[i]);
    for (size_t k = 0; k < s->relations; k++) settling_hold(s, k, s->kept_is[k] == SYM_HELD_TRUE);
    switching_look(s, e->t, z);
}

void settling_hush(settling *e, settling_aside *a)
{
    *a = (settling_aside){.heard = e->m, .told_several = e->s->modes->told_several};
    e->m = &a->unheard;
}

void settling_hear(settling *e, settling_aside *a)
{
    e->m = a->heard;
    e->s->modes->told_several = a->told_several;
    message_free(&a->unheard);
}

void settling_keep_cells(switching *s)
{
    keep_cells(s, s->modes->was_cell);
}

bool settling_has_switched(const settling *e)
{
    const sym_graph *g = e->s->system->graph;
    for (uint32_t i = 0; i < e->s->modes->cells; i++)
        if (e->s->seen[i] && sym_cell_value(g, i) != e->s->modes->was_cell[i]) return true;
    return false;
}

bool settling_takes_back(const settling *e, const switching *s, size_t surface)
{
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &e->s->modes->relation[k];
        bool left = r->surface == surface || s->modes->relation[r->surface].leaves;
        bool other = surface != SIZE_MAX && r->part != s->modes->relation[surface].part;
        if (left || other || !r->crossed || switching_slides(s, k)) continue;
        if (r->is != s->kept_is[k]) return true;
    }
    return false;
}
