/* How well a mechanism reproduces the model's own equations and multipliers. */
#include "solve/mechanical_simulation.h"
#include "solve/mechanism_simulation.h"

#include <stdlib.h>
#include <string.h>

typedef struct looking {
    model_simulation *m;
    author *from;
    double *level; /* from->levels + 1 */
    double missed; /* the worst violation of the author's equations so far */
} looking;

/* Evaluates the author's variables at a point, into c->value, and the author's multipliers. Raises
 * l->missed to the worst violation of the author's equations there. */
static dae_status look(void *self, double t, const mechanical_point *p, double *multiplier)
{
    looking *l = self;
    mechanism_simulation *k = l->m->mechanism;
    const double *value = l->m->base.value;
    dae_status status = mechanism_simulation_lift(l->m, l->from, t, p, NULL);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < k->form->m; i++) multiplier[i] = value[k->found->multiplier[i]];
    author_measure(l->from, t, &l->missed, l->level);
    return DAE_OK;
}

static void find(looking *l, double t, double *room, mechanism_spread *found)
{
    mechanism_simulation *k = l->m->mechanism;
    const simulation *c = &l->m->base;
    const dae_options *o = c->solver.options;
    const mechanical_simulation *inner = (const mechanical_simulation *)k->inner;
    size_t n = k->form->n, worst;
    double *own = room, *atol = own + c->n, *multiplier = atol + 2 * n + k->form->m;
    for (size_t i = 0; i < c->n; i++) own[i] = o->atols ? o->atols[i] : o->atol * c->nominal[i];
    memcpy(atol, mechanism_simulation_atols(k, own), 2 * n * sizeof *atol);
    for (size_t i = 0; i < k->form->m; i++) atol[2 * n + i] = own[k->found->multiplier[i]];
    const mechanical_spreading given = {.system = inner->system,
                                        .t = t,
                                        .from = &inner->point,
                                        .nominal = k->form->nominal,
                                        .atol = atol,
                                        .rtol = o->rtol,
                                        .multipliers = k->form->m,
                                        .look = look,
                                        .self = l};
    look(l, t, &inner->point, multiplier);
    if (k->form->m > 0) { /* beside the start as well: a reaction that is 0 there need not be */
        found->spread = mechanical_spread(&given, &worst);
        found->multiplier = k->found->multiplier[worst];
    }
    found->missed = l->missed;
}

mechanism_spread mechanism_simulation_spread(model_simulation *m, author *from, double t)
{
    looking l = {.m = m, .from = from};
    mechanism_spread found = {0};
    size_t n = m->mechanism->form->n, rows = m->mechanism->form->m;
    double *room = calloc(m->base.n + 2 * n + 2 * rows + 1, sizeof *room);
    l.level = calloc(from->levels + 1, sizeof *l.level);
    if (room && l.level) find(&l, t, room, &found);
    free(l.level);
    free(room);
    return found;
}
