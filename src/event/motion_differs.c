/* Whether two solutions at an event go on differently.
 *
 * Several modes may meet the equations at one instant and be the same solution: where two frictions
 * stick on one shaft, their forces differ, or the sign of a velocity that is 0. What counts is what
 * follows: the variables that are differentiated, and their rates. */
#include "event/search_parts.h"

#include <math.h>

size_t search_motion_room(const settling *e)
{
    return 2 * e->s->modes->unknowns;
}

/* An unknown, or its rate, in the present solution; NAN where that does not hold it. */
static double motion_of(const settling *e, uint32_t id, size_t order)
{
    const prolongation *p = e->s->f->p;
    uint32_t j = p->column_of[id];
    bool known = j != INCIDENCE_NONE && p->first[j] + order < p->first[j + 1];
    return known ? e->z[p->first[j] + order] : (double)NAN;
}

void search_take_motion(const settling *e, double *motion)
{
    for (uint32_t id = 0; id < e->s->modes->unknowns; id++)
        for (size_t order = 0; order < 2; order++) motion[2 * id + order] = motion_of(e, id, order);
}

/* What differs is more than the tolerance of a number of this size. What only one of both knows
 * follows from others there, or is a number: it is taken for 0. */
static bool differ(const switching_modes *m, double a, double b, double size)
{
    if (isnan(a)) a = 0;
    if (isnan(b)) b = 0;
    double most = fmax(fmax(fabs(a), fabs(b)), size);
    return !(fabs(a - b) <= m->rtol * most + m->atol * size);
}

bool search_motion_differs(const settling *e, const double *motion)
{
    const switching *s = e->s;
    const switching_modes *m = s->modes;
    double pace = fmax(s->moves, e->t != 0 ? 1 / fabs(e->t) : 0);
    for (uint32_t id = 0; id < m->unknowns; id++) {
        double size = s->system->unknown.item[id].nominal;
        if (!m->differentiated[id] && !m->by_author[id]) continue;
        for (size_t order = 0; order < 2; order++) {
            double is = motion_of(e, id, order);
            if (differ(m, is, motion[2 * id + order], order == 0 ? size : pace * size)) return true;
        }
    }
    return false;
}
