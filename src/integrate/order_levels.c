/* The order levels of a method of variable order: which one is in use, and when it changes. */
#include "integrate/runge_kutta_parts.h"

#include <math.h>

/* A higher order is tried after this many steps, if Newton's iteration converges this fast. A lower
 * order is taken if it converges this slowly, or fails this often in one step. FAST and SLOW are
 * RADAU's VITU and VITD. The lowest order only serves to pass a difficult place. */
enum {
    STEPS_BEFORE_RISE = 10,
    STEPS_AT_LOWEST = 3,
    FAILURES_BEFORE_FALL = 2,
    FAILURES_TO_LOWEST = 5
};
static const double FAST = 0.002, SLOW = 0.8;

/* On index 3 the first correction mainly removes the error of predicted multipliers, which is far
 * larger than that of positions. So the second correction makes the convergence look fast. The
 * error that then remains in positions enters the estimate of a later step, multiplied by lambda
 * squared, however short that step is. */
static const double RATE_ON_INDEX_3 = 0.1;

dae_status runge_kutta_make_order_level(runge_kutta *e, int order_level)
{
    scheme *s = &e->scheme[order_level];
    if (s->method) return DAE_OK;
    dae_status status = scheme_make(
        s, e->which->order_levels > 0 ? e->which->order_level[order_level] : e->which);
    if (status != DAE_OK) s->method = NULL;
    return status;
}

/* More stages make longer steps, so that a failure loses more. Therefore they are allowed more
 * iterations, as in RADAU (Hairer & Wanner, J. Comput. Appl. Math. 111 (1999) 93). Three stages get
 * this many more, where RADAU gives them none. Measured on the problems of tests/zoo: up to a sixth
 * less work for three stages. */
enum { MORE_OF_THREE = 3 };

static int more_iterations(const scheme *s)
{
    int coupled = 0;
    for (int k = 0; k < s->blocks; k++)
        if (s->block[k].is_implicit && s->block[k].stages > coupled) coupled = s->block[k].stages;
    return coupled > 3 ? 5 * (coupled - 3) / 2 : coupled == 3 ? MORE_OF_THREE : 0;
}

void runge_kutta_take_order_level(runge_kutta *e, int order_level)
{
    if (runge_kutta_make_order_level(e, order_level) != DAE_OK) return; /* the level stays */
    e->order_level = e->base.order_level = order_level;
    e->stages.scheme = &e->scheme[order_level];
    e->stages.factored_step = 0;
    e->reuse = (reuse){0};
    e->since_change = 0;
    const scheme *s = e->stages.scheme;
    if (s->estimate == SCHEME_NO_ESTIMATE) {
        e->stages.newton.rtol = e->base.options.rtol;
        return;
    }
    /* on a higher index the method's order is not that on ODEs: no tolerance below rtol itself */
    double least = problem_highest_index(e->base.problem) > 1 ? 1 : 0;
    if (s->is_implicit && s->estimate == SCHEME_EMBEDDED)
        least = fmax(least, control_least_exponent(s->estimate_order, s->order, s->stage_order));
    /* at its lowest level a variable order would ask for the square of rtol, but the values from
     * which it continues are not that accurate */
    int order = e->order_levels > 1 && s->order <= s->estimate_order ? s->estimate_order + 1
                                                                     : s->order;
    stepping_hold(&e->base, s->estimate_order, order, least);
    newton_hold(&e->stages.newton, e->base.stepping.rtol, NEWTON_OF_STAGES);
    e->instant.newton = e->stages.newton;
    e->instant.newton.count = NULL;
    e->stages.newton.more = more_iterations(s);
    e->stages.newton.least = problem_highest_index(e->base.problem) > 2 ? RATE_ON_INDEX_3 : 0;
}

/* A variable order rises if Newton's iteration converges fast and falls if it converges slowly. In
 * between it would be hard to tell which order allows the longer step. */
void runge_kutta_choose_order_level(runge_kutta *e)
{
    if (e->order_levels == 1 || e->base.options.fixed_step > 0) return;
    double rate = fmin(e->stages.worst_rate,
                       e->reuse.best_rate); /* an old Jacobian's tells nothing */
    double mean = e->last_rate > 0 ? sqrt(rate * e->last_rate) : rate;
    int wait = e->order_level == 0 ? STEPS_AT_LOWEST : STEPS_BEFORE_RISE;
    bool tells = !e->unguessed;
    e->unguessed = false;
    e->last_rate = tells ? rate : 0;
    e->since_change++;
    e->failures = 0;
    if (!tells) return;
    if (mean >= SLOW && e->order_level > 1)
        runge_kutta_take_order_level(e, e->order_level - 1);
    else if ((mean <= FAST || e->order_level == 0) && e->order_level + 1 < e->order_levels &&
             e->since_change > wait)
        runge_kutta_take_order_level(e, e->order_level + 1);
}

void runge_kutta_fall_after_failure(runge_kutta *e)
{
    if (e->order_levels == 1 || e->base.options.fixed_step > 0) return;
    e->last_rate = 0;
    e->failures++;
    int patience = e->order_level == 1 ? FAILURES_TO_LOWEST : FAILURES_BEFORE_FALL;
    if (e->order_level == 0 || e->failures < patience) return;
    runge_kutta_take_order_level(e, e->order_level - 1);
    e->failures = 0;
}
