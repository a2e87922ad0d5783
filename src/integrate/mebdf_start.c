/* How modified extended BDF starts with fixed steps: by a method of Radau IIA with the same step.
 */
#include "integrate/mebdf_parts.h"
#include "integrate/runge_kutta.h"

#include <math.h>

int mebdf_index(const mebdf *e)
{
    const problem *p = e->base.problem;
    int index = p->softs > 0 ? 2 : 1;
    for (size_t k = 0; p->index && k < p->n; k++)
        if (p->index[k] > index) index = p->index[k];
    return index;
}

/* Of s stages: y of order 2s - 1, algebraic variables of index 2 of order s, multipliers of index 3
 * of order s - 1 (Hairer & Wanner II, Table VII.4.1). Its first factorisation is a real one, and
 * serves the corrector as well. */
static const char *name_starter(const mebdf *e)
{
    int index = mebdf_index(e), order = e->most + 1;
    int wanted = index == 1 ? (order + 2) / 2 : order + index - 2;
    return wanted <= 3 ? "radau-iia3" : wanted <= 5 ? "radau-iia5" : "radau-iia7";
}

dae_status mebdf_create_starter(mebdf *e, message *m)
{
    dae_status status = method_create(&e->starting_method, name_starter(e), m);
    if (status != DAE_OK) return status;
    return runge_kutta_create(&e->starter, e->base.problem, e->starting_method, &e->base.options,
                              m);
}

/* k points are to lie at the spacing h; a shorter step at the end makes them useless. */
bool mebdf_is_to_start(const mebdf *e, double h)
{
    return e->starter && (e->points < e->most || fabs(h) < (1 - 1e-9) * e->base.options.fixed_step);
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
    engine *s = e->starter, *base = &e->base;
    bool whole = fabs(h) >= (1 - 1e-9) * base->options.fixed_step;
    size_t iterations = s->counts.newton_iterations;
    s->options.direction = base->options.direction;
    s->options.dense = base->options.dense;
    engine_start(s, base->t, base->y, base->yp);
    dae_status status = engine_step(s, mebdf_time_after(e, h));
    base->counts.newton_iterations += s->counts.newton_iterations - iterations;
    corrector_restart(&e->corrector); /* the factors of the one are not those of the other */
    base->trouble = s->trouble;
    if (status != DAE_OK) return status;
    if (e->points == 1) {
        history_start(&e->past, base->t, h, base->y, base->yp);
        e->past.known = 0; /* the slope is no point */
    }
    for (size_t k = 0; k < e->past.n; k++) base->y[k] = s->y[k], base->yp[k] = s->yp[k];
    if (whole)
        add_point(e, h);
    else
        e->points = 1;
    base->dense = s->dense;
    base->t += h;
    base->counts.steps++;
    return DAE_OK;
}
