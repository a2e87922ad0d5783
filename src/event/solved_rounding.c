/* What rounding makes of relations in a solution of the equations.
 *
 * The voltage of a diode that blocks beside a current of 1 A follows from conductances of 1e-5: the
 * rounding of the current, 1e-16 A, makes 1e-11 V of it. So where a relation has by very little the
 * value that its mode excludes, the equations are solved again from values that are rounded
 * otherwise, and what that changes tells how near to 0 the relation is. */
#include "event/search_parts.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many solutions are compared. */
enum { PROBES = 2 };

/* Whether relation k contradicts its mode by no more than what rounding may make of it. */
static bool is_doubtful(const settling *e, size_t k)
{
    const switching *s = e->s;
    bool of_state = s->relation[k].kind == RELATION_STATE && settling_seeks(e, k);
    double most = ROUND_OFF_AMPLIFIED * (s->size[k] + s->nominal[k]);
    return of_state && fabs(s->value[k]) <= most && settling_contradicts(s, k, false);
}

/* Rounds all that the equations are solved for, and leaves states as they are. */
static void round_solved(const prolongation *p, size_t probe, double *z)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t last = p->first[i + 1] - 1;
        z[last] *= 1 + ROUND_OFF_VALUE * scattered(probe * p->size + last);
    }
}

static dae_status probe(settling *e, size_t number, const double *value)
{
    message unheard = {0};
    round_solved(e->s->f->p, number, e->z);
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &unheard);
    message_free(&unheard);
    if (status != DAE_OK) return status;
    switching_look(e->s, e->t, e->z);
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        r->rounded = fmax(r->rounded, fabs(e->s->value[k] - value[k]));
    }
    return DAE_OK;
}

dae_status search_look_at_rounding(settling *e)
{
    switching *s = e->s;
    size_t size = s->f->p->size, k = 0;
    while (k < s->relations && !is_doubtful(e, k)) k++;
    if (k == s->relations || s->modes->jumped) return DAE_OK;
    double *z = e->z, *kept = malloc((size + s->relations) * sizeof *kept), *value = kept + size;
    if (!kept) return DAE_NO_MEMORY;
    memcpy(kept, z, size * sizeof *z);
    memcpy(value, s->value, s->relations * sizeof *value);
    dae_status status = DAE_OK;
    for (size_t i = 0; i < PROBES && status == DAE_OK; i++) status = probe(e, i, value);
    e->s = s;
    e->z = z;
    memcpy(z, kept, size * sizeof *z);
    switching_look(s, e->t, z);
    free(kept);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
