/* How strongly Baumgarte's equations draw to the constraints where their author leaves it open.
 *
 * An omega of 1 / h is what steps of length h bear, but it costs methods whose stages are of lower
 * order q than p their order: what a stage misses of the constraints, h^(q+1), comes back with
 * powers of h omega, h^(q+1) (h omega)^(p-q) a step (order reduction, as of stiff equations: Hairer
 * & Wanner II, Sec. IV.15). So omega belongs to the motion, a few times the rate at which it turns
 * the gradients of the constraints, for without that nothing is missed; and the step is its bound.
 * It does not depend on steps that are short enough. */
#include "formulation/mechanical_multipliers.h"

#include <math.h>
#include <string.h>

/* Times that rate; and h omega at most, well inside the region of stability of Euler's explicit
 * method, where a damped oscillator is stable up to 2 xi. */
static const double QUICK = 4, MOST_PER_STEP = 0.5;

/* The rate is known when gradients have turned so far; omega changes when it is off by a factor. */
static const double KNOWN = 2, OFF = 2;

/* How much the last step counts. */
static const double SHARE = 0.25;

void baumgarte_begin(multipliers *c, double t)
{
    c->pace = (baumgarte_pace){.automatic = c->base.parameter[BAUMGARTE_OMEGA] == 0};
    c->pace.begun = c->pace.t = t;
}

/* some, other (constraints): squares of the lengths of the rows of G, and of the velocities in
 * them. */
static void measure_rows(multipliers *c, const double *v)
{
    const mechanical *m = c->base.mechanical;
    const sparse_pattern *p = mechanical_gradient_pattern(m);
    const double *value = mechanical_gradient(m), *nominal = m->form->nominal + c->nq;
    sparse_row_squares(p, value, nominal, c->some);
    memset(c->other, 0, m->constraints * sizeof *c->other);
    for (size_t j = 0; j < p->columns; j++) {
        double along = v[j] / nominal[j];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            c->other[p->row[k]] += value[k] != 0 ? along * along : 0;
    }
}

/* Raise what is the largest so far. */
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

/* |G_q v v| / (|G| |v|), both the largest so far. 0: not known. */
static double rate_of(const baumgarte_pace *p)
{
    double rate = p->moved > 0 ? p->turned / p->moved : 0;
    return isfinite(rate) && rate * fabs(p->t - p->begun) >= KNOWN ? rate : 0;
}

/* Run back, the constraints draw to them with the other sign. */
const formulation_parameter *baumgarte_observe(mechanical_formulation *base, double t,
                                               const double *y)
{
    multipliers *c = (multipliers *)base;
    baumgarte_pace *p = &c->pace;
    double *omega = &base->parameter[BAUMGARTE_OMEGA], step = t - p->t;
    if (!p->automatic || step == 0 || follow(c, t, y) != DAE_OK) return NULL;
    p->t = t;
    p->step = p->step > 0 ? p->step * pow(fabs(step) / p->step, SHARE) : fabs(step);
    double most = fmin(base->parameter[BAUMGARTE_XI], MOST_PER_STEP) / p->step;
    double wanted = copysign(fmin(QUICK * rate_of(p), most), step);
    double ratio = wanted != 0 ? *omega / wanted : 1;
    if (ratio < OFF && ratio > 1 / OFF) return NULL;
    *omega = wanted;
    multipliers_weigh_pull(c);
    return &base->ops->parameter[BAUMGARTE_OMEGA];
}

void baumgarte_state(mechanical_formulation *base, state_visit *s)
{
    multipliers *c = (multipliers *)base;
    STATE(s, c->pace);
    if (s->way == STATE_RESTORE) multipliers_weigh_pull(c);
}
