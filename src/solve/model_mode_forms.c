/* The equations of one mode whose structure misleads: combinations of them, or a larger system in
 * which they are embedded. Factors of combinations do not hold for all modes where branches of the
 * equations that are combined switch, and neither does what replaces an equation. */
#include "solve/model_formed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What combinations of the present modes are formed from. */
static bool take_from(model_simulation *m, double t, const double *value, const double *yp,
                      model_modes *modes)
{
    size_t n = m->base.n;
    double *from = modes->from = malloc((1 + 2 * n) * sizeof *from);
    if (!from) return false;
    from[0] = t;
    memcpy(from + 1, value, n * sizeof *from);
    memcpy(from + 1 + n, yp, n * sizeof *from);
    modes->time_unit = m->formulation->start->time_unit;
    return true;
}

static bool make(model_simulation *m, const model_modes *modes)
{
    model_formed_free_present(m);
    return model_formed_make(m, modes);
}

/* --- at an event --- */

static bool combine(model_simulation *m, const model_simulation *last, double t, const double *z,
                    model_modes *modes, message *told)
{
    if (take_from(m, t, m->base.value, m->base.value_yp, modes) && make(m, modes)) {
        model_modes_carry(m, last, t, z);
        m->converts = true;
        if (model_modes_serve(m, t, told)) {
            memcpy(m->z, m->z_out, m->formulation->p->size * sizeof *m->z);
            model_pivots_begin(m, t);
            return true;
        }
    }
    free(modes->from);
    modes->from = NULL;
    return false;
}

static bool embed(model_simulation *m, const model_simulation *last, double t, const double *z,
                  model_modes *modes, message *told)
{
    model_simulation from = *last;
    size_t size = last->formulation->p->size, unknowns = m->modes->unknowns;
    double *before = malloc((size + unknowns) * sizeof *before + 1);
    if (!before || !make(m, modes)) {
        free(before);
        return false;
    }
    memcpy(before, z, size * sizeof *before);
    from.z_out = before;
    bool known = model_settle_before(&from, t, before, before + size);
    model_modes_carry(m, last, t, z);
    bool found = known && model_simulation_embed_again(m, t, &from) &&
                 model_settle_goes_on(m, t, before + size, m->z);
    free(before);
    if (!found) return false;
    switching_adopt(m->switching, last->system->graph);
    model_events_count_roots(m);
    memcpy(m->z_out, m->z, m->formulation->p->size * sizeof *m->z);
    modes->embeds = true;
    return model_modes_serve(m, t, told);
}

bool model_modes_combine(model_simulation *m, const model_simulation *last, double t,
                         const double *z, model_modes *modes, message *told)
{
    if (m->modes->sliding > 0) return false;
    return combine(m, last, t, z, modes, told) || embed(m, last, t, z, modes, told);
}

/* --- at the start --- */

/* Combinations of the equations of the present modes; *modes->from: what they are formed from. */
static bool start_combined(model_simulation *m, double t, model_modes *modes, message *told)
{
    const double *value = m->searched.value, *value_yp = m->searched.value_yp;
    if (!take_from(m, t, value, value_yp, modes) || !make(m, modes)) return false;
    message_free(told);
    if (model_simulation_find_start(m, t, told) != DAE_OK ||
        !model_simulation_is_regular_beyond_rounding(m, t))
        return false;
    m->converts = true;
    model_pivots_begin(m, t);
    return true;
}

static bool start_embedded(model_simulation *m, double t, model_modes *modes, message *told)
{
    size_t count = 0;
    free(modes->from);
    modes->from = NULL;
    message_free(told);
    bool found = make(m, modes) && model_simulation_find_start(m, t, told) == DAE_OK;
    message_free(told); /* the start in the larger system tells its own */
    return found && model_simulation_embed(m, t, &count) == DAE_OK && count > 0;
}

bool model_modes_start_combined(model_simulation *m, double t, message *told)
{
    model_modes modes;
    message_free(told);
    if (model_modes_note(m, &modes) != DAE_OK) return false;
    bool found = make(m, &modes) && model_simulation_find_start(m, t, told) == DAE_OK;
    if (found)
        author_lift(m->formulation->author, t, m->z, m->searched.value, m->searched.value_yp);
    if (found) found = start_combined(m, t, &modes, told) || start_embedded(m, t, &modes, told);
    model_modes_free(&modes);
    return found;
}
