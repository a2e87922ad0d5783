#include "stepping/stepping.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>

/* The largest effect of several changes counts, because in a single one effects may cancel. */
enum { SAMPLES = 4 };

static double rounded(double value, size_t i)
{
    return value * (1 + DBL_EPSILON * scattered(i));
}

static dae_status sample(engine *e, double h, size_t which)
{
    stepping *w = &e->stepping;
    problem *p = e->problem;
    const unsigned char *depth = problem_depth(p);
    size_t from = which * (2 * p->n + 1);
    for (size_t k = 0; k < p->n; k++) {
        w->y[k] = rounded(e->y[k], from + 2 * k);
        w->yp[k] = rounded(e->yp[k], from + 2 * k + 1);
    }
    dae_status status = problem_residual(p, rounded(e->t, from + 2 * p->n), w->y, w->yp,
                                         w->previous);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < p->n; k++) w->previous[k] -= w->correction[k];
    problem_solve(p, p->real_slot, w->previous);
    for (size_t k = 0; k < p->n; k++) {
        double counts = depth ? pow(problem_depth_factor(p, h), depth[k] - 1) : 1;
        double size = counts * fabs(w->previous[k]);
        if (isfinite(size)) w->noise[k] = fmax(w->noise[k], size);
    }
    return DAE_OK;
}

dae_status noise_measure(engine *e, double h)
{
    problem *p = e->problem;
    if (!p->has_real_slot) return DAE_UNSUPPORTED;
    dae_status status = problem_linearize(p, e->t, e->y, e->yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, 1 / h, 1);
    if (status == DAE_OK) status = problem_residual(p, e->t, e->y, e->yp, e->stepping.correction);
    for (size_t i = 0; status == DAE_OK && i < SAMPLES; i++) status = sample(e, h, i);
    return status;
}
