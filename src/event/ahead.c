/* What follows at once on an event where a rate is 0 but for the rounding of time. */
#include "event/settling.h"

#include "base/round_off.h"

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

/* Within this time of an event its instant is not known. */
static double instant(const settling *e)
{
    return FEW * fmax(switching_resolution(e->t), e->blur);
}

double settling_way_ahead(const settling *e)
{
    return fmax(AHEAD * switching_resolution(e->t), 4 * instant(e)) * e->s->modes->direction;
}

/* The same for a relation that stood at 0 before the event. Its rate was nothing, and may be the
 * rounding of a balance of forces, at whatever time; or, where it hovers about 0, what the errors
 * of the state make of that. */
static double way_from_rest(const settling *e, const relation_state *r)
{
    const switching_modes *m = e->s->modes;
    double error = r->hovers ? m->rtol + m->atol : AHEAD * ROUND_OFF_VALUE;
    double way = error / fmax(e->s->moves, 1 / fabs(e->t));
    return fmax(fabs(settling_way_ahead(e)), way) * m->direction;
}

static double way_of(const settling *e, size_t k)
{
    const relation_state *r = &e->s->modes->relation[k];
    return r->stood ? way_from_rest(e, r) : settling_way_ahead(e);
}

/* What a relation is a little later. */
typedef struct seen_ahead {
    double value, rate; /* NaN: not known */
} seen_ahead;

/* Relation k a little later, in the present modes. All is then as it was before. */
static dae_status look_ahead(settling *e, size_t k, double step, seen_ahead *l)
{
    switching *s = e->s;
    double *z = e->z;
    *l = (seen_ahead){(double)NAN, (double)NAN};
    settling_keep(e);
    settling_move(s->f->p, e->z, step);
    dae_status status = e->resolve(e->self, e->t + step, &e->s, &e->z, &e->tried);
    if (status == DAE_OK) {
        switching_look(e->s, e->t + step, e->z);
        switching_look_at_later_rates(e->s);
        *l = (seen_ahead){e->s->value[k], e->s->changes[k]};
    }
    settling_restore(e, s, z);
    switching_look_at_later_rates(e->s);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* The error of the instant at which relation k has been crossed. Of an algebraic variable it is
 * that of the polynomial of a step, and its rate is that of a look ahead. */
static dae_status find_blur(settling *e, size_t k)
{
    const switching *s = e->s;
    double rounding = ROUND_OFF_LONG_SUM * s->size[k], value = s->value[k], rate = s->changes[k];
    double step = settling_way_ahead(e);
    seen_ahead l;
    if (fabs(value) <= rounding || step == 0) return DAE_OK;
    if (isnan(rate)) {
        dae_status status = look_ahead(e, k, step, &l);
        if (status != DAE_OK) return status;
        rate = (l.value - value) / step;
        rounding /= fabs(step);
    } else {
        rounding = switching_clear_rate(s, k);
    }
    if (fabs(rate) > rounding) e->blur = fmax(e->blur, fabs(value / rate));
    return DAE_OK;
}

dae_status settling_look_before(settling *e)
{
    const switching *s = e->s;
    dae_status status = DAE_OK;
    switching_look_at_later_rates(e->s);
    e->blur = 0;
    for (size_t k = 0; k < s->relations && status == DAE_OK; k++) {
        relation_state *r = &s->modes->relation[k];
        double rounding = switching_rounded(s, k);
        bool state = s->relation[k].kind == RELATION_STATE && !switching_slides(s, k);
        bool within = state && !r->crossed && fabs(s->value[k]) <= switching_band(s, k);
        r->hovers = within && !r->kink && switching_holds(s, k) != (r->is == SYM_HELD_TRUE);
        r->stood = r->hovers || (state && !r->crossed && fabs(s->value[k]) <= rounding);
        r->off = r->stood && (r->is == SYM_HELD_TRUE) != switching_at_zero(s, k);
        if (state && r->crossed) status = find_blur(e, k);
    }
    return status;
}

/* Whether the rate `now` of a relation is no more than rounding, by what it is a little later. One
 * from rest may be anything that ends within that time. */
static bool is_rounding(const settling *e, const relation_state *r, double now, double later)
{
    double part = r->stood ? 1 : instant(e) / fabs(settling_way_ahead(e));
    return fabs(now) <= part * fabs(later - now);
}

dae_status settling_look_ahead(settling *e, size_t k, bool *stays)
{
    const relation_state *r = &e->s->modes->relation[k];
    double now = e->s->changes[k], step = way_of(e, k);
    bool is = r->is == SYM_HELD_TRUE;
    seen_ahead l;
    *stays = false;
    /* A rate that an impact leaves is no rounding, nor is that of a root that was not at 0. */
    if (step == 0 || e->jumped || !(r->passed || r->stood)) return DAE_OK;
    dae_status status = look_ahead(e, k, step, &l);
    if (status == DAE_OK && is_rounding(e, r, now, l.rate))
        *stays = (l.rate * e->s->modes->direction < 0) == is;
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
    dae_status status = DAE_OK;
    bool passed = false;
    for (size_t k = 0; k < e->s->relations; k++) passed = passed || e->s->modes->relation[k].passed;
    if (settling_way_ahead(e) == 0 || e->jumped || !passed) return DAE_OK;
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
    for (size_t k = 0; k < e->s->relations && status == DAE_OK; k++) {
        double now = e->s->changes[k];
        seen_ahead l;
        if (!may_linger(e, k)) continue;
        status = look_ahead(e, k, way_of(e, k), &l);
        /* a look ahead changes the rate by more than itself */
        if (status == DAE_OK) e->s->modes->relation[k].lingers = !(fabs(l.rate - now) < fabs(now));
    }
    return status;
}
