#include "solve/solver.h"

/* This many times the c of a step is large: no solution grows within so short a time. */
static const double LARGE = 100;

/* At most one in this many Jacobians is evaluated to look at ends of runs. */
enum { MOST_LOOKS = 10 };

/* Finds the sign with a large c at the engine's state; 0 where it is not known. The engine's
 * factors are lost. */
static dae_status find_sure(engine *e, int *sign)
{
    problem *p = e->problem;
    double c = LARGE * p->real_c;
    *sign = 0;
    if (!engine_can_lend(e)) return DAE_OK;
    dae_status status = problem_linearize(p, e->t, e->y, e->yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, c, 1);
    if (status == DAE_OK) *sign = problem_sign(p);
    engine_lend(e);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* The first sign is taken as sure, because first steps are short and their c is large. */
dae_status turning_look(dae_solver *s, double t_end)
{
    turning *w = &s->turning;
    engine *e = s->engine;
    if (s->events.cut) { /* the event has changed the equations, and the sign with them */
        w->sign = 0;
        return DAE_OK;
    }
    int sign = w->reported || e->problem->constant ? 0 : problem_sign(e->problem), sure;
    if (sign == 0) return DAE_OK;
    if (w->sign == 0 || w->direction != e->options.direction)
        *w = (turning){.sign = sign,
                       .sure = sign,
                       .direction = e->options.direction,
                       .jacobians = e->problem->counts.jacobians,
                       .t = e->dense.t};
    bool same = sign == w->sign, newer = e->problem->counts.jacobians > w->jacobians;
    if (same && newer) w->t = e->dense.t;
    w->jacobians = e->problem->counts.jacobians;
    /* About the end of a run, the present factors say nothing. It is looked at where that is cheap,
     * compared with the cost of the runs so far. */
    bool dear = w->looks * MOST_LOOKS > w->jacobians;
    if (same && (e->t != t_end || dear)) return DAE_OK;
    w->looks += same;
    w->sign = sign;
    dae_status status = find_sure(e, &sure);
    if (status != DAE_OK || sure != -w->sure) return status;
    w->reported = true;
    message_note(&s->message,
                 "between t = %.6g and %.6g a determinant of the equations has changed its sign: "
                 "solutions meet there or come close to each other, so that what follows may be "
                 "another one than before. A tighter tolerance shows whether it is",
                 w->t, e->t);
    return DAE_OK;
}
