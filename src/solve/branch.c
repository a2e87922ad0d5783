#include "solve/branch.h"

#include <float.h>
#include <math.h>

/* A change counts as a jump only if it is at least LEAST_CHANGE tolerances. It must also be FASTER
 * times as fast as over the last step, or LARGE times the size of the variable. */
static const double LEAST_CHANGE = 1000, FASTER = 2, LARGE = 0.5;

/* A derivative is suspect where it changes by this part of its size. */
static const double TURN = 0.1;

/* Relative tolerances below this one count as this one. */
static const double TIGHTEST = 1e-9;

/* The shortest steps that can be shortened: in units of round-off of the time, and as a part of the
 * run's length, of which the round-off is taken at least. */
static const double LEAST_UNITS = 16, LEAST_PART = 1e-3;

/* The fastest variable of interest changes by its size within this part of the run. */
static const double SMALL_PART = 1e-3;

/* The same for derivatives, where the equations are nonlinear in them. */
static void suspect_turn(branch *b, const engine *e, const double *yp0)
{
    double worst = TURN;
    for (size_t k = 0; k < e->problem->n; k++) {
        double size = fmax(fabs(e->yp[k]), fabs(yp0[k])), change = fabs(e->yp[k] - yp0[k]);
        if (!e->problem->dynamic[k] || !(change > worst * size)) continue;
        worst = change / size;
        b->turns = true;
        b->suspect = k;
        b->before = yp0[k];
        b->after = e->yp[k];
        b->large = change >= LARGE * size;
    }
}

void branch_suspect(branch *b, const engine *e, const double *y0, const double *yp0)
{
    const engine_options *o = &e->options;
    double h = fabs(e->dense.h), looser = fmax(1, TIGHTEST / o->rtol), worst = LEAST_CHANGE;
    b->suspect = PROBLEM_NOWHERE;
    b->large = b->turns = false;
    if (!b->smooth) return;
    for (size_t k = 0; k < e->problem->n; k++) {
        double size = fmax(fabs(e->y[k]), fabs(y0[k])), change = fabs(e->y[k] - y0[k]);
        double part = change / (looser * engine_tolerance(o, k, size));
        if (!(part > worst)) continue;
        if (change < FASTER * b->rate[k] * h && change < LARGE * size) continue;
        worst = part;
        b->suspect = k;
        b->before = y0[k];
        b->after = e->y[k];
        b->large = change >= LARGE * size && !e->problem->dynamic[k];
    }
    if (b->bent && b->suspect == PROBLEM_NOWHERE) suspect_turn(b, e, yp0);
}

void branch_keep(branch *b, const engine *e, const double *y0)
{
    double h = fabs(e->dense.h);
    for (size_t k = 0; b->smooth && k < e->problem->n; k++) b->rate[k] = fabs(e->y[k] - y0[k]) / h;
}

size_t branch_fastest(const branch *b, const engine *e, double whole)
{
    size_t fastest = PROBLEM_NOWHERE;
    double most = 1 / (SMALL_PART * whole);
    for (size_t k = 0; b->smooth && k < e->problem->n; k++) {
        double part = b->rate[k] / fmax(fabs(e->y[k]), e->problem->nominal[k]);
        if (e->problem->dynamic[k] || !(part > most)) continue;
        most = part;
        fastest = k;
    }
    return fastest;
}

bool branch_can_shorten(const engine *e, double part, double whole)
{
    double unit = DBL_EPSILON * fmax(fabs(e->t), LEAST_PART * whole);
    return part * fabs(e->dense.h) > LEAST_UNITS * unit;
}
