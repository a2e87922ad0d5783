/* How modified extended BDF starts with fixed steps: by a method of Radau IIA with the same step.
 */
#include "base/round_off.h"
#include "integrate/mebdf_parts.h"

#include <math.h>

/* k points have to lie at the spacing h. A shorter step at the end makes them useless. */
bool mebdf_is_to_start(const mebdf *e, double h)
{
    return e->starter.engine && (e->points < e->most ||
                                 fabs(h) < (1 - ROUND_OFF_AMPLIFIED) * e->base.options.fixed_step);
}

static void add_point(mebdf *e, double h)
{
    size_t n = e->past.n;
    int order = e->points < e->most ? e->points : e->most;
    history_evaluate(&e->past, order, 1, e->predicted, NULL);
    for (size_t k = 0; k < n; k++) e->guess[k] = e->base.y[k] - e->predicted[k];
    history_advance(&e->past, order, e->guess);
    e->past.t = e->base.t + h;
    e->points++;
}

dae_status mebdf_begin(mebdf *e, double h)
{
    engine *base = &e->base;
    const engine *s = e->starter.engine;
    bool whole = fabs(h) >= (1 - ROUND_OFF_AMPLIFIED) * base->options.fixed_step;
    dae_status status = starter_step(&e->starter, base, &e->corrector, mebdf_time_after(e, h));
    if (status != DAE_OK) return status;
    if (e->points == 1) {
        history_start(&e->past, base->t, h, base->y, base->yp);
        e->past.known = 0; /* the derivative is not a point */
    }
    for (size_t k = 0; k < e->past.n; k++) base->y[k] = s->y[k], base->yp[k] = s->yp[k];
    if (whole)
        add_point(e, h);
    else
        e->points = 1;
    base->t += h;
    base->counts.steps++;
    return DAE_OK;
}
