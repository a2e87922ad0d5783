#include "integrate/starter.h"

#include "integrate/runge_kutta.h"

/* A method of s stages has order 2s - 1 in y, order s in algebraic variables of index 2, and order
 * s - 1 in multipliers of index 3 (Hairer & Wanner II, Table VII.4.1). */
const char *starter_name(const problem *p, int order)
{
    int index = problem_highest_index(p);
    int wanted = index == 1 ? (order + 2) / 2 : order + index - 2;
    return wanted <= 3 ? "radau-iia3" : wanted <= 5 ? "radau-iia5" : "radau-iia7";
}

dae_status starter_create(starter *s, const engine *owner, const char *name, message *m)
{
    dae_status status = method_create(&s->method, name, m);
    if (status != DAE_OK) return status;
    return runge_kutta_create(&s->engine, owner->problem, s->method, &owner->options, m);
}

dae_status starter_step(starter *s, engine *owner, corrector *q, double t)
{
    engine *e = s->engine;
    size_t iterations = e->counts.newton_iterations;
    e->options.direction = owner->options.direction;
    engine_start(e, owner->t, owner->y, owner->yp);
    dae_status status = engine_step(e, t);
    owner->counts.newton_iterations += e->counts.newton_iterations - iterations;
    corrector_restart(q);
    if (status == DAE_OK)
        owner->dense = e->dense;
    else
        owner->failure = e->failure;
    return status;
}

void starter_free(starter *s)
{
    engine_free(s->engine);
    method_free(s->method);
}

void starter_state(starter *s, engine *owner, double *own, state_visit *to)
{
    bool shares = s->engine && owner->dense.coefficient == s->engine->dense.coefficient;
    STATE(to, shares);
    if (s->engine) engine_part_state(s->engine, to);
    owner->dense.coefficient = shares ? s->engine->dense.coefficient : own;
}
