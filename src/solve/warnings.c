/* Warnings: assertions that are noted, and end no run. */
#include "solve/solver.h"

/* Notes the first new warning of a step that did not end at an event, with its instant. */
static dae_status warn_once(dae_solver *s)
{
    simulation *c = s->simulation;
    const dense_output *step = engine_polynomial(s->engine);
    double end = s->engine->t, bad = end, good = step->t;
    bool within = solve_warns_within(s, &good, &bad);
    dae_status status = DAE_OK;
    if (!within) status = solve_evaluate(s, end, NULL);
    if (status != DAE_OK || (!within && !c->ops->warns(c, end))) return status;
    for (int i = 0; i < SOLVE_BISECTIONS && status == DAE_OK; i++) {
        double middle = good + 0.5 * (bad - good);
        if (middle == good || middle == bad) break;
        status = solve_evaluate(s, middle, step);
        if (status == DAE_OK && c->ops->warns(c, middle))
            bad = middle;
        else
            good = middle;
    }
    if (status == DAE_OK) status = solve_evaluate(s, bad, bad == end ? NULL : step);
    return status == DAE_OK ? solve_check(s, bad) : status;
}

dae_status solve_warn_within(dae_solver *s)
{
    const simulation *c = s->simulation;
    if (!c->ops->warns) return DAE_OK;
    dae_status status = DAE_OK;
    size_t before = c->warnings + 1;
    while (status == DAE_OK && c->warnings > 0 && c->warnings < before) {
        before = c->warnings;
        status = warn_once(s);
    }
    return status;
}

dae_status solve_warn_behind(dae_solver *s)
{
    simulation *c = s->simulation;
    double t = s->engine->t;
    if (c->warnings == 0 || !c->ops->warns) return DAE_OK;
    dae_status status = solve_evaluate(s, t, NULL);
    return status == DAE_OK && c->ops->warns(c, t) ? solve_check(s, t) : status;
}
