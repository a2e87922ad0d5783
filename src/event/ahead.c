/* What follows at once on an event where a rate is 0 but for the rounding of time. */
#include "event/settling.h"

#include <math.h>
#include <string.h>

/* A look ahead reaches so many roundings of the time. A rate that changes by itself within so few
 * of them is one of them. */
static const double AHEAD = 1e4, FEW = 16;

void settling_move(const prolongation *p, double *z, double step)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = p->first[i]; k + 1 < p->first[i + 1]; k++) z[k] += step * z[k + 1];
}

/* The rate of relation k a little later, in the present modes. All is then as it was before. */
static dae_status look_ahead(settling *e, size_t k, double step, double *rate)
{
    switching *s = e->s;
    double *z = e->z;
    *rate = (double)NAN;
    settling_keep(e);
    settling_move(s->f->p, e->z, step);
    dae_status status = e->resolve(e->self, e->t + step, &e->s, &e->z, &e->tried);
    if (status == DAE_OK) {
        switching_look(e->s, e->t + step, e->z);
        switching_look_at_later_rates(e->s);
        *rate = e->s->changes[k];
    }
    settling_restore(e, s, z);
    switching_look_at_rates(e->s);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status settling_look_ahead(settling *e, size_t k, bool *stays)
{
    const switching *s = e->s;
    double rounding = switching_resolution(e->t), now = s->changes[k], later;
    double step = AHEAD * rounding * s->modes->direction;
    bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
    *stays = false;
    /* A rate that an impact leaves is no rounding, nor is that of a root that was not crossed. */
    if (rounding == 0 || e->jumped || !s->modes->relation[k].passed) return DAE_OK;
    dae_status status = look_ahead(e, k, step, &later);
    double bend = (later - now) / step;
    if (status == DAE_OK && fabs(now) <= FEW * rounding * fabs(bend))
        *stays = (later * s->modes->direction < 0) == is;
    e->s->modes->relation[k].lingers = *stays;
    return status;
}

/* Whether relation k, which is 0 after the event, leaves it to the side of its mode. Where the
 * current of one diode ends or begins, those of others in series with it are 0 as well. */
static bool may_linger(const settling *e, size_t k)
{
    const switching *s = e->s;
    const relation_state *r = &s->modes->relation[k];
    double rate;
    return !r->kink && !r->lingers && settling_is_at_surface(s, k) &&
           switching_leaves(s, k, &rate) && (rate < 0) == (r->is == SYM_HELD_TRUE);
}

dae_status settling_note_lingering(settling *e)
{
    double step = AHEAD * switching_resolution(e->t) * e->s->modes->direction;
    dae_status status = DAE_OK;
    bool passed = false;
    for (size_t k = 0; k < e->s->relations; k++) passed |= e->s->modes->relation[k].passed != 0;
    if (step == 0 || e->jumped || !passed) return DAE_OK;
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
    for (size_t k = 0; k < e->s->relations && status == DAE_OK; k++) {
        double now = e->s->changes[k], later;
        if (!may_linger(e, k)) continue;
        status = look_ahead(e, k, step, &later);
        /* a look ahead changes the rate by more than itself */
        if (status == DAE_OK) e->s->modes->relation[k].lingers = !(fabs(later - now) < fabs(now));
    }
    return status;
}
