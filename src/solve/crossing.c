#include "solve/crossing.h"

#include <math.h>

/* A determinant that is this small beside the largest so far may be round-off. */
static const double ROUND_OFF = 1e-9;

/* Through 0 it has become smaller by this after HALVINGS; through a pole it has grown. */
enum { HALVINGS = 40 };
static const double FALLEN = 1e-3;

static void carve(crossing *x, size_t n)
{
    x->before = workspace_doubles(&x->space, x->count);
    x->most = workspace_doubles(&x->space, x->count);
    x->now = workspace_doubles(&x->space, x->count);
    x->y = workspace_doubles(&x->space, n);
    x->yp = workspace_doubles(&x->space, n);
}

static void keep(crossing *x, size_t k)
{
    double size = fabs(x->now[k]);
    if (!isfinite(size)) return;
    x->most[k] = fmax(x->most[k], size);
    if (size > ROUND_OFF * x->most[k]) x->before[k] = x->now[k];
}

dae_status crossing_begin(crossing *x, course *c, const engine *e)
{
    crossing_free(x);
    *x = (crossing){.count = c->row->determinants ? c->determinants : 0};
    if (x->count == 0) return DAE_OK;
    carve(x, e->problem->n);
    dae_status status = workspace_allocate(&x->space);
    if (status != DAE_OK) {
        x->count = 0;
        return status;
    }
    carve(x, e->problem->n);
    c->row->determinants(c, e->t, e->y, e->yp, x->now);
    for (size_t k = 0; k < x->count; k++) keep(x, k);
    return DAE_OK;
}

/* Between the ends of the last step, on its polynomial: where block k becomes singular. */
static bool find_zero(crossing *x, course *c, engine *e, size_t k, double *t)
{
    const dense_output *step = engine_polynomial(e);
    double low = step->t, high = step->t + step->h, first = x->before[k], last = x->now[k];
    double here = last;
    for (int i = 0; i < HALVINGS; i++) {
        *t = low + 0.5 * (high - low);
        dense_output_evaluate(step, *t, x->y, x->yp);
        c->row->determinants(c, *t, x->y, x->yp, x->now);
        here = x->now[k];
        if (here * first > 0)
            low = *t;
        else
            high = *t;
    }
    return fabs(here) < FALLEN * fmax(fabs(first), fabs(last));
}

bool crossing_look(crossing *x, course *c, engine *e, size_t *which, double *t)
{
    if (x->count == 0 || x->told) return false;
    c->row->determinants(c, e->t, e->y, e->yp, x->now);
    for (size_t k = 0; k < x->count && !x->told; k++) {
        bool turned = x->now[k] * x->before[k] < 0 && fabs(x->now[k]) > ROUND_OFF * x->most[k];
        if (!turned) {
            keep(x, k);
            continue;
        }
        *which = k;
        x->told = find_zero(x, c, e, k, t);
        c->row->determinants(c, e->t, e->y, e->yp, x->now);
        keep(x, k);
    }
    return x->told;
}

void crossing_free(crossing *x)
{
    workspace_free(&x->space);
    *x = (crossing){.count = 0};
}
