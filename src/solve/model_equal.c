/* Which relations the equations hold at 0.
 *
 * A relation that is 0 at one state may be so because the solution is there, or because it is 0
 * wherever the equations are met, as r > L where x^2 + y^2 = L^2. States around the present one
 * tell: each is moved by a part of its size, is brought back to the constraints and solved for. */
#include "base/round_off.h"
#include "base/scatter.h"
#include "solve/model_formed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* States and the time move by this part of their sizes: what is 0 with some of its derivatives is
 * then more than rounding. So do all unknowns, to show what rounding of them makes of a relation:
 * of a product whose factors are both 0 less of it shows nothing. */
static const double BESIDE = 1e-3;

/* How many states around the present one are looked at: to both sides, and later. */
enum { LOOKS = 3 };

/* Marks the relations that are 0, but for much more than rounding. Returns whether there are any.
 */
static bool mark(switching *s, double t, const double *z)
{
    bool any = false;
    switching_look(s, t, z);
    for (size_t k = 0; k < s->relations; k++) {
        double near = ROUND_OFF_AMPLIFIED * (s->size[k] + s->largest[k]);
        bool of_state = s->relation[k].kind == RELATION_STATE && !switching_slides(s, k);
        s->modes->relation[k].equal = of_state && fabs(s->value[k]) <= near ? near : 0;
        any = any || s->modes->relation[k].equal > 0;
    }
    return any;
}

/* Lets those go that are not 0 at the last look, up to this part of what they may be. Returns
 * whether any stay. */
static bool keep(switching *s, double part)
{
    bool any = false;
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        if (!(fabs(s->value[k]) <= part * r->equal)) r->equal = 0;
        any = any || r->equal > 0;
    }
    return any;
}

static void unmark(switching *s)
{
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].equal = 0;
}

/* The size of entry i of z. Nothing but its value tells that of what is no state. */
static double size_of(const model_simulation *m, const double *z, size_t i, bool is_state)
{
    return is_state ? fmax(fabs(z[i]), m->formulation->levels->levels.nominal[i]) : fabs(z[i]);
}

/* What is rounding of the marked relations: by changes of all unknowns, twice to one side and the
 * other. Returns whether any are no more than that. */
static bool take_rounding(model_simulation *m, double t, const double *from, double *z)
{
    const prolongation *p = m->formulation->p;
    switching *s = m->switching;
    double *most = z + p->size;
    memset(most, 0, s->relations * sizeof *most);
    for (int look = 0; look < 4; look++) {
        double part = look % 2 ? -BESIDE : BESIDE;
        for (size_t j = 0; j < p->n; j++)
            for (size_t i = p->first[j]; i < p->first[j + 1]; i++)
                z[i] = from[i] + part * scattered(2 * i + (size_t)look / 2) *
                                     size_of(m, from, i, i + 1 < p->first[j + 1]);
        switching_look(s, t, z);
        for (size_t k = 0; k < s->relations; k++)
            most[k] = fmax(most[k], fabs(s->value[k]) / BESIDE);
    }
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        r->equal = fmin(r->equal, ROUND_OFF_ITERATED * most[k]);
    }
    switching_look(s, t, from);
    return keep(s, 1);
}

/* Moves the states of z; returns the time that belongs to them. */
static double move(const model_simulation *m, int look, double t, double *z)
{
    const prolongation *p = m->formulation->p;
    double fastest = 1 / fmax(fabs(t), 1);
    for (size_t j = 0; j < p->n; j++) {
        for (size_t i = p->first[j]; i + 1 < p->first[j + 1]; i++) {
            double part = BESIDE * scattered(i), size = size_of(m, z, i, true);
            fastest = fmax(fastest, fabs(z[i + 1]) / size);
            z[i] += (look == 0 ? -part : part) * size;
        }
    }
    return look + 1 < LOOKS ? t : t + m->modes->direction * BESIDE / fastest;
}

/* Looks at another state. Returns whether relations are 0 there as well. */
static bool look_beside(model_simulation *m, int look, double t, const double *from, double *z)
{
    memcpy(z, from, m->formulation->p->size * sizeof *z);
    t = move(m, look, t, z);
    if (projection_meet_apart(m->settles, t, z) != DAE_OK) return false;
    switching_look(m->switching, t, z);
    return keep(m->switching, ROUND_OFF_LONG_SUM / ROUND_OFF_ITERATED); /* constraints are met */
}

dae_status model_equal_find(model_simulation *m, double t, const double *z)
{
    switching *s = m->switching;
    unmark(s);
    if (m->base.delays || !mark(s, t, z)) return DAE_OK; /* the past does not move */
    double *beside = malloc((m->formulation->p->size + s->relations + 1) * sizeof *beside);
    dae_status status = beside ? model_settles_need(m) : DAE_NO_MEMORY;
    bool any = status == DAE_OK && take_rounding(m, t, z, beside);
    for (int i = 0; i < LOOKS && any; i++) any = look_beside(m, i, t, z, beside);
    if (!any) unmark(s);
    switching_look(s, t, z);
    free(beside);
    return status;
}
