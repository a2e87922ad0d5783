#include "base/scatter.h"
#include "initial/consistent.h"
#include "problem/time_unit.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_simulation.h"
#include "structure/dependence.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks whether the structure of a model's equations misleads: the rank of the system Jacobian at
 * a point and around it. */

/* The rank of the last linearised system Jacobian, in seconds, and where it seems singular also in
 * the unit of time. Units do not change a rank, but they change how well it can be found. */
static dae_status rank_of(prolonged_levels *l, local_rank *found)
{
    dae_status status = structure_local_rank(l->jacobian->pattern, l->jacobian_value, found);
    if (status != DAE_OK || found->full || l->time_unit == 1) return status;
    return structure_local_rank(l->jacobian->pattern, prolonged_levels_scaled(l), found);
}

bool model_simulation_start_near(model_simulation *m, double t, const double *guess, bool keeps,
                                 double *z)
{
    start_system near = m->formulation->start->start;
    bool *none = calloc(near.size + 1, sizeof *none);
    message discarded = {0};
    initial_result result;
    near.guess = guess;
    near.fixed = none;
    near.given = keeps ? near.variable : none;
    near.rows = near.equations;
    bool found = none && initial_consistent(&near, t, z, &result, &discarded) == DAE_OK;
    message_free(&discarded);
    free(none);
    return found;
}

/* Whether the system Jacobian is singular at another solution near z, about `size` of all values
 * and of the unit of time away. Even where it is regular beside z, it may be singular on the branch
 * of solutions that z belongs to. */
static bool singular_on_branch(model_simulation *m, double t, double size)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    const start_system *start = &m->formulation->start->start;
    double *guess = m->z_before,
           moved = t + size * time_unit_beside(m->formulation->start->time_unit, t);
    for (size_t j = 0; j < start->size; j++)
        guess[j] = m->z[j] + size * scattered(j) * fmax(fabs(m->z[j]), start->nominal[j]);
    local_rank rank = {.full = true};
    return model_simulation_start_near(m, moved, guess, false, m->z_out) &&
           l->form->linearize(l->self, moved, m->z_out) == DAE_OK &&
           rank_of(levels, &rank) == DAE_OK && !rank.full;
}

dae_status model_simulation_look_at_rank(model_simulation *m, double t, local_rank *here,
                                         bool *misleads)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    *misleads = false;
    dae_status status = l->form->linearize(l->self, t, m->z);
    if (status == DAE_OK) status = rank_of(levels, here);
    if (status != DAE_OK || here->full) return status;
    local_rank beside = {0};
    for (double size = 1e-2; size > 1e-9; size *= 0.03) {
        for (size_t j = 0; j < l->size; j++)
            m->z_out[j] = m->z[j] + size * scattered(j) * fmax(fabs(m->z[j]), l->nominal[j]);
        status = l->form->linearize(l->self, t, m->z_out);
        if (status == DAE_NOT_EVALUABLE) continue;
        if (status == DAE_OK) status = rank_of(levels, &beside);
        if (status != DAE_OK) return status;
        *misleads = !beside.full ||
                    (singular_on_branch(m, t, 1e-2) && singular_on_branch(m, t, 1e-3));
        return DAE_OK;
    }
    return DAE_OK;
}

/* Linearises at z and t changed in their last digits, into `value` (of the Jacobian). */
static dae_status look_beside(model_simulation *m, double t, size_t probe, double *value)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    static const double DIGITS = 2 * DBL_EPSILON;
    size_t next = probe * (l->size + 1);
    double unit = m->formulation->start->time_unit;
    for (size_t j = 0; j < l->size; j++)
        m->z_out[j] = m->z[j] + DIGITS * scattered(next + j) * fmax(fabs(m->z[j]), l->nominal[j]);
    double moved = t + DIGITS * scattered(next + l->size) * fmax(fabs(t), unit);
    dae_status status = l->form->linearize(l->self, moved, m->z_out);
    size_t bytes = levels->jacobian->pattern->nonzeros * sizeof *value;
    if (status == DAE_OK) memcpy(value, levels->jacobian_value, bytes);
    return status;
}

/* The rank with entries set to 0 that may be all rounding. In a row that vanishes at an instant,
 * such an entry would seem to determine something. here, beside, most: as many as entries of the
 * Jacobian. */
static dae_status look_beyond_rounding(model_simulation *m, double t, double *here, double *beside,
                                       double *most, local_rank *found)
{
    enum { PROBES = 4 };
    static const double MARGIN = 10;
    const prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    const sparse_pattern *p = levels->jacobian->pattern;
    dae_status status = l->form->linearize(l->self, t, m->z);
    if (status != DAE_OK) return status;
    memcpy(here, levels->jacobian_value, p->nonzeros * sizeof *here);
    for (size_t probe = 0; probe < PROBES; probe++) {
        status = look_beside(m, t, probe, beside);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < p->nonzeros; k++) most[k] = fmax(most[k], fabs(beside[k] - here[k]));
    }
    for (size_t k = 0; k < p->nonzeros; k++)
        if (fabs(here[k]) <= MARGIN * most[k]) here[k] = 0;
    return structure_local_rank(p, here, found);
}

bool model_simulation_is_regular_beyond_rounding(model_simulation *m, double t)
{
    size_t entries = m->formulation->levels->jacobian->pattern->nonzeros + 1;
    double *room = calloc(3 * entries, sizeof *room);
    local_rank rank = {0};
    bool regular = model_simulation_is_regular(m, t) && room &&
                   look_beyond_rounding(m, t, room, room + entries, room + 2 * entries, &rank) ==
                       DAE_OK &&
                   rank.full;
    free(room);
    return regular;
}

bool model_simulation_is_regular(model_simulation *m, double t)
{
    local_rank rank = {0};
    bool misleads = true;
    return model_simulation_look_at_rank(m, t, &rank, &misleads) == DAE_OK && rank.full;
}

/* Finds equations of a model that depend on each other whatever the values. */

typedef struct search {
    model_simulation *m;
    double t;
    const double *value;
    bool contradicts; /* only contradictions are of interest */
    text remedy;
} search;

static void look(void *argument)
{
    search *s = argument;
    model_simulation *m = s->m;
    const dependence *d = structure_dependence(m->system, m->own->s,
                                               m->formulation->start->time_unit, s->t, s->value);
    if (d->count == 0 || (s->contradicts && !structure_contradicts(d))) return;
    mechanism_simulation_report_remedy(&m->base, &s->remedy);
    structure_report_dependence(d, text_string(&s->remedy), m->base.solver.message);
}

dae_status model_simulation_depends(model_simulation *m, double t, const double *value,
                                    bool contradicts)
{
    message *reported = m->base.solver.message;
    search s = {.m = m, .t = t, .value = value, .contradicts = contradicts};
    message_status(reported, arena_protect(m->home, look, &s));
    text_free(&s.remedy);
    return reported->status;
}
