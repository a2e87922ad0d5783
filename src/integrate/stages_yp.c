/* y' from y where dF/dy' is regular: what explicit stages need. */
#include "integrate/stages.h"

#include <math.h>

typedef struct yp_work {
    stages *s;
    double t;
    const double *y;
    double *yp;
} yp_work;

static dae_status renew(const yp_work *w)
{
    stages *s = w->s;
    dae_status status = problem_linearize(s->problem, w->t, w->y, w->yp);
    if (status == DAE_OK) status = problem_factor(s->problem, s->yp_slot, 1, 0);
    s->yp_factored = status == DAE_OK;
    s->factored_step = 0;
    return status;
}

/* Sizes are relative to y' itself, because the weights of y do not reflect its scale. */
static dae_status correct(void *self, double *size)
{
    const yp_work *w = self;
    stages *s = w->s;
    double largest = 0, change = 0;
    dae_status status = problem_residual(s->problem, w->t, w->y, w->yp, s->scaled);
    if (status != DAE_OK) return status;
    problem_solve(s->problem, s->yp_slot, s->scaled);
    for (size_t k = 0; k < s->n; k++) {
        w->yp[k] -= s->scaled[k];
        change = fmax(change, fabs(s->scaled[k]));
        largest = fmax(largest, fabs(w->yp[k]));
    }
    *size = change == 0 ? 0 : change / (largest > 0 ? largest : 1);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

static dae_status iterate(const yp_work *w)
{
    stages *s = w->s;
    dae_status status = DAE_OK;
    if (!s->yp_factored || !s->problem->constant_mass) status = renew(w);
    if (status != DAE_OK) return status;
    newton iteration = {.exactly = true, .rtol = 1};
    double size;
    if (s->problem->constant_mass) return correct((void *)w, &size); /* F is linear in y' */
    return newton_solve(&iteration, correct, (void *)w);
}

dae_status stages_find_yp(stages *s, double t, const double *y, double *yp)
{
    problem *p = s->problem;
    const yp_work w = {.s = s, .t = t, .y = y, .yp = yp};
    dae_status status = p->form->yp ? problem_yp(p, t, y, yp) : iterate(&w);
    if (status != DAE_NEWTON) return status;
    step_failure *failure = &s->engine->failure;
    failure->cause = status;
    failure->worst_row = p->bad_row;
    failure->worst = 0;
    return status;
}
