/* If F_y' is singular its kernel is open: no equation determines the part of y' that lies in it.
 *
 * A linear multistep method still carries that part, and multiplies its errors by the roots of
 * sigma in each step. Those of Milne's method are multiplied by -3.7, so that after some fifty
 * steps they have swamped the other parts of the same derivatives. The equations do not see that
 * part as long as the kernel stands still (otherwise the method is refused, see stages.h). So in
 * each step it is taken anew from the polynomial through the values. For a variable whose
 * derivative does not occur, multistep.c does this in any case. */
#include "integrate/multistep_parts.h"

#include "method/multistep.h"
#include "stepping/instant.h"

#include <math.h>

/* alpha times the step. The error is of the order of 1 / alpha^2. */
static const double FAR = 1e8;

/* Overwrites the corrector's matrix. */
static dae_status factor(multistep *e, double alpha)
{
    e->corrector.factored = 0;
    return problem_factor(e->base.problem, 0, alpha, 1);
}

dae_status multistep_look_for_open(multistep *e)
{
    problem *p = e->base.problem;
    e->solves_open = false;
    if (e->formula.one_leg || problem_highest_index(p) > 1 || p->hidden_directions > 0 ||
        !(multistep_radius(e->method->multistep, MULTISTEP_SIGMA) > 1))
        return DAE_OK;
    double alpha = FAR / e->base.stepping.step;
    dae_status status = problem_linearize(p, e->base.t, e->base.y, e->base.yp);
    if (status == DAE_OK) status = factor(e, alpha);
    if (status != DAE_OK) return status == DAE_STOPPED ? status : DAE_OK; /* a step will show it */
    open_yp_find(p, 0, alpha, e->x, e->xp);
    e->solves_open = open_yp_is_any(p, e->x, true);
    return DAE_OK;
}

dae_status multistep_solve_open(multistep *e, double h)
{
    size_t n = e->base.problem->n;
    double alpha = FAR / fabs(h), *open = e->x;
    if (!e->solves_open) return DAE_OK;
    dae_status status = factor(e, alpha);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < n; k++) open[k] = e->xp[k] - e->base.yp[k];
    open_yp_keep(e->base.problem, 0, alpha, open, e->change);
    for (size_t k = 0; k < n; k++) e->base.yp[k] += open[k];
    return DAE_OK;
}
