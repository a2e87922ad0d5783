#include "analysis/redundancy.h"

#include "base/scatter.h"
#include "solve/mechanical_simulation.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>

/* The states beside the point, and how far away they are, in sizes of coordinates and velocities:
 * where constraints depend on each other in a single configuration, they do not there. */
enum { STATES = 3 };
static const double BESIDE = 0.1;

typedef struct look {
    const mechanical_simulation *of;
    mechanical *m;
    double t;
    double *state, *vp, *lambda; /* nq + nv, nv, constraints */
} look;

/* The number of dependent constraints at the point (0) or at a state near it; the number of
 * constraints where they do not permit that state, which then tells nothing. */
static size_t dependent_at(look *l, size_t number)
{
    mechanical *m = l->m;
    const mechanical_point *p = &l->of->point;
    double *q = l->state, *v = q + m->nq;
    size_t n = m->nq + m->nv;
    for (size_t j = 0; j < n; j++) {
        double from = j < m->nq ? p->q[j] : p->v[j - m->nq];
        double size = fmax(fabs(from), l->of->base.nominal[j]);
        l->state[j] = from + (number > 0 ? BESIDE * scattered(number * n + j) * size : 0);
    }
    bool there = number == 0 || mechanical_project(m, l->t, q, v, false) == DAE_OK;
    there = there && mechanical_accelerate(m, l->t, q, v, l->vp, l->lambda) == DAE_OK;
    return there ? m->dependent : m->constraints;
}

/* The least number at the point and beside it. */
static size_t count(look *l)
{
    size_t least = dependent_at(l, 0);
    for (size_t k = 1; k <= STATES && least != MECHANICAL_UNCOUNTED; k++) {
        size_t beside = dependent_at(l, k);
        if (beside < least) least = beside;
    }
    return least == MECHANICAL_UNCOUNTED ? 0 : least;
}

dae_status redundancy_find(const dae_solver *s, message *m, redundancy *found)
{
    const model_simulation *model = model_simulation_of(s->simulation);
    look l = {.t = s->engine->t};
    *found = (redundancy){0};
    if (!model || !model->base.followed) return DAE_OK;
    l.of = (const mechanical_simulation *)model->base.followed;
    dae_status status = mechanical_create(&l.m, l.of->form, m);
    if (status != DAE_OK) return status;
    size_t nv = l.m->nv, n = l.m->nq + nv, constraints = l.m->constraints;
    l.state = calloc(n + nv + constraints + 1, sizeof *l.state);
    if (l.state) {
        l.vp = l.state + n;
        l.lambda = l.vp + nv;
        found->constraints = count(&l);
        found->freedom = nv + found->constraints - constraints;
    } else
        status = message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    free(l.state);
    mechanical_free(l.m);
    return status;
}
