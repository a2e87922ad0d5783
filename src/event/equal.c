/* Roots that the equations hold at 0.
 *
 * A relation may compare what a constraint holds equal, as r > L where x^2 + y^2 = L^2. Its value
 * is then rounding, or an error of the polynomial of the step, and its sign tells nothing. It has
 * no event as long as it is 0 but for rounding wherever the constraints are met. */
#include "event/changes.h"

#include "event/switching.h"

#include <math.h>

bool switching_at_zero(const switching *s, size_t k)
{
    return s->relation[k].op != SYM_LESS;
}

void switching_equal(const switching *s, double *by)
{
    for (size_t i = 0; i < switching_root_count(s); i++) by[i] = 0;
    for (size_t j = 0; j < s->roots; j++) by[j] = s->modes->relation[s->of_root[j]].equal;
}

dae_status equal_look(events *v, engine *e, double t)
{
    bool any = false;
    for (size_t k = 0; k < v->count; k++)
        any = any || (v->equal[k] > 0 && fabs(v->at_end[k]) > v->equal[k]);
    if (!any) return DAE_OK;
    const event_source_ops *ops = v->source->ops;
    events_take_state(v, e, t);
    dae_status status = ops->met_roots(v->source->self, t, v->y, v->yp, v->value);
    for (size_t k = 0; k < v->count; k++) {
        bool met = status == DAE_OK && fabs(v->value[k]) <= v->equal[k];
        if (fabs(v->at_end[k]) > v->equal[k] && !met) v->equal[k] = 0;
    }
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
