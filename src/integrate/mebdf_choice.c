/* Order and step of modified extended BDF. */
#include "integrate/mebdf_parts.h"

#include <math.h>
#include <stdlib.h>

double tune(const char *name, double value);
double tune(const char *name, double value)
{
    const char *s = getenv(name);
    return s ? atof(s) : value;
}

double mebdf_size(mebdf *e, int steps, const double *x)
{
    const problem *p = e->base.problem;
    int leave = (int)tune("LEAVE", 3);
    for (size_t k = 0; k < p->n; k++) {
        bool left_out = p->index && p->index[k] > leave && !p->dynamic[k];
        e->error[k] = left_out ? 0 : e->formula[steps].error * x[k];
    }
    return corrector_norm(&e->corrector, e->error, e->stepping.weight, e->past.h);
}

/* How much longer a step with an error of that size can be. */
static double factor_for(int steps, double size, double safety)
{
    return pow(fmax(size, 1e-20), -1.0 / (steps + 1)) / safety;
}

static const double *row(const mebdf *e, int j)
{
    return e->past.difference + (size_t)j * e->past.n;
}

static double best(mebdf *e, double size, int *steps)
{
    int k = e->steps;
    double factor = factor_for(k, size, tune("SAFE", 1.5));
    *steps = k;
    if (k > 1) {
        double lower = factor_for(k - 1, mebdf_size(e, k - 1, row(e, k)), tune("SAFEL", 1.6));
        if (lower > factor) factor = lower, *steps = k - 1;

    }
    if (k < e->most && e->past.known >= k + 2) {
        double higher = factor_for(k + 1, mebdf_size(e, k + 1, row(e, k + 2)), tune("SAFEU", 1.7));
        if (higher > factor) factor = higher, *steps = k + 1;
    }
    return factor;
}

static void change(mebdf *e, int steps, double h)
{
    if (e->steps != steps || h != fabs(e->past.h)) {
        e->steady = 0;
        e->has_guess = false;
    }
    e->steps = steps;
    e->stepping.step = h;
}

void mebdf_choose(mebdf *e, double size)
{
    int steps;
    if (e->steady < e->steps + (int)tune("WAIT", 2)) return;
    double factor = best(e, size, &steps);
    if (steps < e->steps && tune("LOWER", 1) && factor > 0.9 && factor < tune("GROW", 1.05)) { change(e, steps, fabs(e->past.h)); return; }
    if (factor < tune("GROW", 1.05) && factor > 0.9) return;
    change(e, steps, fabs(e->past.h) * fmin(8, factor));
}

void mebdf_retreat(mebdf *e, double size)
{
    int k = e->steps, steps = k;
    double factor = factor_for(k, size, tune("SAFE", 1.5));
    e->unsteady++;
    if (k > 1) {
        const double *newest = row(e, k);
        for (size_t i = 0; i < e->past.n; i++) e->guess[i] = newest[i] + e->first_change[i];
        double lower = factor_for(k - 1, mebdf_size(e, k - 1, e->guess), tune("SAFEL", 1.6));
        if (lower > factor || e->unsteady > (int)tune("BAD", 3)) factor = lower, steps--;
    }
    if (e->failures > 1) factor = fmin(factor, 0.5);
    change(e, steps, fabs(e->past.h) * fmax(0.1, fmin(factor, 0.9)));
}
