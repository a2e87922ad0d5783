/* The choice of omega in Baumgarte's equations where the author sets it to auto.
 *
 * Steps of length h allow omega up to about 1 / h. But so large an omega reduces the order of
 * methods of order p whose stages have a lower order q. A stage violates the constraints by
 * h^(q+1), which adds an error of h^(q+1) (h omega)^(p-q) per step (order reduction, as for stiff
 * equations: Hairer & Wanner II, Sec. IV.15). So omega follows the motion: it is a few times the
 * rate at which the motion turns the gradients of the constraints, because constraints with
 * constant gradients are not violated. The step only limits omega; sufficiently short steps do not
 * affect it. */
#include "formulation/mechanical_multipliers.h"

#include <math.h>
#include <string.h>

/* QUICK: omega in units of that rate. MOST_PER_STEP: the limit of h omega, well inside the region
 * of stability of Euler's explicit method, where a damped oscillator is stable up to h omega = 2
 * xi. */
static const double QUICK = 4, MOST_PER_STEP = 0.5;

/* KNOWN: the rate counts as known when rate times elapsed time exceeds this. OFF: omega changes
 * when it is wrong by this factor. */
static const double KNOWN = 2, OFF = 2;

/* The weight of the last step in the typical step. */
static const double SHARE = 0.25;

void baumgarte_begin(multipliers *c, double t)
{
    c->pace = (baumgarte_pace){.automatic = c->base.parameter[BAUMGARTE_OMEGA] == 0};
    c->pace.begun = t;
}

/* c->some, c->other (constraints): squared lengths of the rows of G, and of the velocities that
 * occur in them. */
static void measure_rows(multipliers *c, const double *v)
{
    const mechanical *m = c->base.mechanical;
    const sparse_pattern *p = m->gradient.pattern;
    const double *value = m->gradient.value, *nominal = m->form->nominal + c->nq;
    sparse_row_squares(p, value, nominal, c->some);
    memset(c->other, 0, m->constraints * sizeof *c->other);
    for (size_t j = 0; j < p->columns; j++) {
        double along = v[j] / nominal[j];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            c->other[p->row[k]] += value[k] != 0 ? along * along : 0;
    }
}

/* Update the largest values so far. */
static dae_status follow(multipliers *c, double t, const double *y)
{
    mechanical *m = c->base.mechanical;
    baumgarte_pace *p = &c->pace;
    dae_status status = mechanical_gamma(m, t, y, y + c->nq, c->turned);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, y);
    if (status != DAE_OK) return status;
    measure_rows(c, y + c->nq);
    for (size_t i = 0; i < m->constraints; i++) {
        if (c->some[i] > 0) p->turned = fmax(p->turned, fabs(c->turned[i]) / sqrt(c->some[i]));
        p->moved = fmax(p->moved, sqrt(c->other[i]));
    }
    return DAE_OK;
}

/* |G_q v v| / (|G| |v|) from the largest values so far. 0: not known. */
static double rate_of(const baumgarte_pace *p, double t)
{
    double rate = p->moved > 0 ? p->turned / p->moved : 0;
    return isfinite(rate) && rate * fabs(t - p->begun) >= KNOWN ? rate : 0;
}

const formulation_parameter *baumgarte_observe(mechanical_formulation *base, double t,
                                               const double *y)
{
    multipliers *c = (multipliers *)base;
    baumgarte_pace *p = &c->pace;
    double *omega = &base->parameter[BAUMGARTE_OMEGA], step = t - base->observed;
    if (step == 0) return NULL;
    if (!p->automatic) {
        if (!formulation_turn(base, BAUMGARTE_OMEGA, t)) return NULL;
        multipliers_weigh_pull(c);
        return &base->ops->parameter[BAUMGARTE_OMEGA];
    }
    if (follow(c, t, y) != DAE_OK) return NULL;
    base->observed = t;
    p->step = p->step > 0 ? p->step * pow(fabs(step) / p->step, SHARE) : fabs(step);
    double most = fmin(base->parameter[BAUMGARTE_XI], MOST_PER_STEP) / p->step;
    double wanted = copysign(fmin(QUICK * rate_of(p, t), most), step);
    double ratio = wanted != 0 ? *omega / wanted : 1;
    if (ratio < OFF && ratio > 1 / OFF) return NULL;
    *omega = wanted;
    multipliers_weigh_pull(c);
    return &base->ops->parameter[BAUMGARTE_OMEGA];
}
