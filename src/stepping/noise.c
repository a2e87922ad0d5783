#include "stepping/stepping.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>

/* The largest effect of several changes counts, because in a single one effects may cancel; of more
 * where the noise is to be borne. */
enum { SAMPLES = 4, MORE_SAMPLES = 16 };

/* How far beside the present state, in sizes of variables and of the run, noise that is there
 * everywhere is as large, up to this factor; and up to which part of a variable its value is still
 * recognised. Next to a fold, a pole or a kink it is smaller by far. */
static const double BESIDE = 1e-2, ALIKE = 30, RECOGNISED = 1e-3;

/* Noise of this part of the tolerance of a step may hinder it. */
static const double HINDERS = 1. / 300;

static double rounded(double value, size_t i)
{
    return value * (1 + DBL_EPSILON * scattered(i));
}

/* Where it is measured: at the engine's present state, or beside it. */
typedef struct place {
    double t;
    const double *y, *yp;
    double *noise; /* n: becomes the larger of itself and what is found */
} place;

static dae_status sample(engine *e, const place *at, double h, size_t which)
{
    stepping *w = &e->stepping;
    problem *p = e->problem;
    const unsigned char *depth = problem_depth(p);
    size_t from = which * (2 * p->n + 1);
    for (size_t k = 0; k < p->n; k++) {
        w->y[k] = rounded(at->y[k], from + 2 * k);
        w->yp[k] = rounded(at->yp[k], from + 2 * k + 1);
    }
    dae_status status = problem_residual(p, rounded(at->t, from + 2 * p->n), w->y, w->yp,
                                         w->previous);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < p->n; k++) w->previous[k] -= w->correction[k];
    problem_solve(p, p->real_slot, w->previous);
    for (size_t k = 0; k < p->n; k++) {
        double counts = depth ? pow(problem_depth_factor(p, h), depth[k] - 1) : 1;
        double size = counts * fabs(w->previous[k]);
        if (isfinite(size)) at->noise[k] = fmax(at->noise[k], size);
    }
    return DAE_OK;
}

static dae_status measure(engine *e, const place *at, double h, size_t samples)
{
    problem *p = e->problem;
    if (!p->has_real_slot) return DAE_UNSUPPORTED;
    dae_status status = problem_linearize(p, at->t, at->y, at->yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, 1 / h, 1);
    if (status == DAE_OK)
        status = problem_residual(p, at->t, at->y, at->yp, e->stepping.correction);
    for (size_t i = 0; status == DAE_OK && i < samples; i++) status = sample(e, at, h, i);
    return status;
}

dae_status noise_measure(engine *e, double h)
{
    return measure(e, &(place){e->t, e->y, e->yp, e->stepping.noise}, h, SAMPLES);
}

/* Whether what hinders a step is no more than it is at the other point. */
static bool is_alike(const engine *e)
{
    const stepping *w = &e->stepping;
    bool any = false;
    for (size_t k = 0; k < e->problem->n; k++) {
        double size = fmax(fmax(fabs(e->y[k]), w->largest[k]), e->problem->nominal[k]);
        if (!(w->noise[k] * w->effect_weight[k] > HINDERS)) continue;
        if (w->noise[k] > RECOGNISED * size || w->noise[k] > ALIKE * w->noise_beside[k])
            return false;
        any = true;
    }
    return any;
}

bool noise_is_everywhere(engine *e, double h, double later)
{
    stepping *w = &e->stepping;
    const problem *p = e->problem;
    const place here = {e->t, e->y, e->yp, w->noise},
                beside = {e->t + BESIDE * later, w->trial, w->trial_yp, w->noise_beside};
    for (size_t k = 0; k < p->n; k++) {
        double size = fmax(fabs(e->y[k]), p->nominal[k]);
        w->trial[k] = e->y[k] + BESIDE * size * scattered(2 * k);
        w->trial_yp[k] = e->yp[k] + BESIDE * fabs(e->yp[k]) * scattered(2 * k + 1);
        w->noise_beside[k] = 0;
    }
    bool alike = measure(e, &beside, h, SAMPLES) == DAE_OK && is_alike(e);
    /* in any case: the matrices are to be those of the present state, as engines expect */
    return measure(e, &here, h, alike ? MORE_SAMPLES : 0) == DAE_OK && alike;
}
