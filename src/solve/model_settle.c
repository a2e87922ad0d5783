/* The state of a model after an event: it meets the present equations, or jumps by impulses. */
#include "base/round_off.h"
#include "base/scatter.h"
#include "event/deep_impulse.h"
#include "solve/model_formed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far beside its flat point a law is met or its rank is looked at, in nominal sizes. */
static const double BESIDE = 1e-3;

static void name_constraint(model_simulation *m, size_t level, size_t row, text *t)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    l->form->name_row(l->self, level, row, t);
}

dae_status model_settle_report(model_simulation *m, double t, dae_status status, message *to)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    size_t level, row;
    projection_failure(m->settles, &level, &row);
    const char *why = status == DAE_SINGULAR        ? "the equations do not determine the variables"
                      : status == DAE_NOT_EVALUABLE ? "an equation has no finite value"
                                                    : "no solution of the equations was found";
    message_fail(to, status == DAE_NO_MEMORY ? status : DAE_EVENT,
                 "after the event at t = %.9g, with the values that the states have there, %s", t,
                 why);
    if (level < l->count) {
        message_more(to, ": ");
        name_constraint(m, level, row, &to->sentence);
    }
    model_simulation_report_hidden(m, &to->sentence);
    return to->status;
}

/* The entries of z that a row of a level depends on, with their values. */
static void list_states(const constraint_levels *l, size_t level, size_t row, const double *z,
                        text *list)
{
    enum { MOST_LISTED = 8 };
    const constraint_level *of = &l->level[level];
    size_t listed = 0;
    for (size_t j = 0; j < of->columns; j++) {
        for (sparse_index k = of->pattern->start[j]; k < of->pattern->start[j + 1]; k++) {
            if ((size_t)of->pattern->row[k] != row || listed++ >= MOST_LISTED) continue;
            text_add(list, listed > 1 ? ", " : " with ");
            l->form->name_entry(l->self, of->column[j], list);
            text_format(list, " = %.6g", z[of->column[j]]);
        }
    }
    if (listed > MOST_LISTED) text_format(list, " and %zu more", listed - MOST_LISTED);
}

/* By how much a row of a level misses 0 at z; NaN where that is not known. */
static double residual_of(const constraint_levels *l, double t, size_t level, size_t row,
                          const double *z)
{
    double found = (double)NAN, *value = malloc((l->level[level].rows + 1) * sizeof *value);
    if (value && l->form->value(l->self, level, t, z, value) == DAE_OK) found = value[row];
    free(value);
    return found;
}

/* The values that reinit() gives miss a constraint, and no impulse makes up for it. */
static dae_status report_reinit(model_simulation *m, double t, impulse_fault fault, size_t level,
                                size_t row, const double *z, message *to)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    message_fail(to, DAE_EVENT,
                 "the values that reinit() gives at the event at t = %.9g do not meet ", t);
    name_constraint(m, level, row, &to->sentence);
    message_more(to, ", which is off by %.3g", fabs(residual_of(l, t, level, row, z)));
    if (l->form->name_entry) list_states(l, level, row, z, &to->sentence);
    message_more(to, "\n  remedy: give values that meet it%s%s",
                 fault == IMPULSE_GIVEN ? ", or reinit() fewer states: the others follow from the "
                                          "constraints and from the balance of momentum"
                                        : ", in all states that it holds",
                 option_is(m->base.solver.options->formulation, "direct")
                     ? "; formulation auto keeps derivatives in step with such values"
                     : "");
    return DAE_EVENT;
}

/* Why the jump that a constraint forces is not determined. */
static dae_status report_jump(model_simulation *m, double t, impulse_fault fault, size_t level,
                              size_t row, message *to)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    message_fail(to, DAE_EVENT,
                 "the event at t = %.9g changes a constraint so that the states before it do not "
                 "meet it, and their jump is not determined: ",
                 t);
    name_constraint(m, fault == IMPULSE_BENT ? l->count - 1 : level, row, &to->sentence);
    message_more(
        to, "%s",
        fault == IMPULSE_DEEP
            ? ". The structure of the equations does not show how impulses balance\n  remedy: let "
              "the input change within a short time, or reinit() the states"
        : fault == IMPULSE_BENT
            ? " is not linear in what jumps or has an impulse\n  remedy: let the input change "
              "within a short time, or reinit() the states"
        : fault == IMPULSE_UNFIT
            ? ". It depends on how the input changes within the instant\n  remedy: let the input "
              "change within a short time, or reinit() the states"
        : fault == IMPULSE_OF_WAY
            ? ". It depends on the way on which the constraints are met\n  remedy: reinit() the "
              "states"
        : fault == IMPULSE_SHARED
            ? ". Several equations hold the derivative of what reinit() has set, and the jump "
              "depends on which of them has the impulse\n  remedy: reinit() further states"
            : ". The system Jacobian is singular");
    return DAE_EVENT;
}

/* The past holds no impulses. */
static dae_status look_at_delays(model_simulation *m, double t, const bool *has, message *to)
{
    const sym_delay *found;
    dae_status status = delays_find_impulse(m->formulation, has, &found);
    if (status != DAE_OK) return message_status(to, status);
    if (!found) return DAE_OK;
    return message_fail(
        to, DAE_EVENT,
        "the event at t = %.9g gives what %s (%s:%u) delays an impulse, which would "
        "come back after the lag\n  remedy: delay what integrates it, or let the "
        "input change within a short time",
        t, found->text, m->system->file, found->at.line);
}

/* The modes before the event and the present ones are exchanged, where the equations stay. */
static void exchange(void *self)
{
    model_simulation *m = self;
    model_modes_swap(&m->earlier[m->earlier_count - 1], m->system->graph);
}

static void (*exchange_of(const model_simulation *m))(void *)
{
    bool stays = m->earlier_count > 0 && m->base.formulation_number == m->number_before;
    return stays ? exchange : NULL;
}

/* The jump that an impulse causes from the states before reinit(), which keeps the values that this
 * gives; !given: from these values. deep: levels below the last but one are missed, or equations
 * are combinations. */
static dae_status apply_impulse(model_simulation *m, double t, bool deep, bool given, double *z,
                                impulse_fault *fault, size_t *row, message *to)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    size_t count = m->system->discrete.action.count;
    size_t *entry = malloc((count + 1) * sizeof *entry);
    double *before = malloc((count + 1) * sizeof *before);
    bool *has = calloc(l->size + 1, sizeof *has);
    dae_status status = DAE_NO_MEMORY;
    if (entry && before && has) {
        count = m->switching && given ? switching_reinitialised(m->switching, entry, before) : 0;
        double *strength = m->switching ? m->switching->strength : NULL;
        bool of_core = m->switching && l->level[l->count - 1].rows == m->formulation->core->n;
        const bool *chosen = of_core ? m->switching->chosen : NULL;
        const impulse_given known = {count,    entry,          before, has,
                                     strength, exchange_of(m), m,      chosen};
        status = (deep ? deep_impulse_apply : impulse_apply)(l, t, &known, z, fault, row);
    }
    if (status == DAE_OK && *fault == IMPULSE_FOUND && m->base.delays)
        status = look_at_delays(m, t, has, to);
    free(entry);
    free(before);
    free(has);
    return status;
}

/* A sliding motion may begin as far from its surface as errors of the state are. */
static bool begins_to_slide(model_simulation *m, double t, double *z)
{
    double missed;
    size_t level, row;
    return m->modes->sliding > 0 && projection_meet_apart(m->settles, t, z) == DAE_OK &&
           projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level, &row) == DAE_OK &&
           !(missed > MODEL_SETTLE_OFF);
}

/* Whether what column j of the prolongation integrates has moved. */
static bool has_moved(const formulation *f, size_t j, const double *before, const double *z)
{
    const double *nominal = f->levels->levels.nominal;
    for (size_t k = f->p->first[j]; k < f->p->first[j] + f->p->d[j]; k++)
        if (fabs(z[k] - before[k]) > MODEL_SETTLE_OFF * fmax(fabs(before[k]), nominal[k]))
            return true;
    return false;
}

/* Whether a variable has moved that the author differentiates, and in which parts of the model.
 * Equations of one mode alone may
 * hold derivatives of others, as of the currents of diodes that are in series with an inductance:
 * what these were in other modes is no state. */
static bool state_has_moved(const model_simulation *m, const double *before, const double *z)
{
    const prolongation *p = m->formulation->p;
    bool any = !m->modes;
    if (m->modes) memset(m->modes->moved, 0, m->modes->parts * sizeof *m->modes->moved);
    for (uint32_t id = 0; m->modes && id < m->modes->unknowns; id++) {
        if (!m->modes->differentiated[id]) continue;
        uint32_t j = p->column_of[id];
        if (j != INCIDENCE_NONE && !has_moved(m->formulation, j, before, z)) continue;
        size_t part = m->modes->part_of[id];
        if (part != SWITCHING_NO_PART) m->modes->moved[part] = true;
        any = true;
    }
    return any;
}

/* Constraints exclude what reinit() gives. An impulse leads from there to what they allow: a search
 * for modes learns from it which relations exclude these, as that of a force by which something
 * sticks. */
static bool lose(model_simulation *m, double t, bool deep, double *z)
{
    impulse_fault fault = IMPULSE_DEEP;
    message unheard = {0};
    double missed;
    size_t level, row;
    if (m->modes->keeps_given) return false;
    bool found = apply_impulse(m, t, deep, false, z, &fault, &row, &unheard) == DAE_OK &&
                 unheard.status == DAE_OK && fault == IMPULSE_FOUND;
    found = found &&
            projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level, &row) == DAE_OK;
    m->modes->lost = found && !(missed > MODEL_SETTLE_OFF);
    message_free(&unheard);
    return m->modes->lost;
}

/* Gives states that miss a constraint the jump that an impulse causes. */
static dae_status jump_by_impulse(model_simulation *m, double t, double *z, size_t level,
                                  size_t row, message *to)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    impulse_fault fault = IMPULSE_DEEP;
    double missed;
    bool deep = level + 2 < l->count || m->formulation->converted > 0;
    size_t constraint = row;
    dae_status status = apply_impulse(m, t, deep, true, z, &fault, &row, to);
    if (to->status != DAE_OK) return to->status;
    if (status == DAE_OK && fault == IMPULSE_FOUND)
        status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level,
                                   &constraint);
    if (status == DAE_OK && fault == IMPULSE_FOUND && !(missed > MODEL_SETTLE_OFF)) return DAE_OK;
    if (begins_to_slide(m, t, z)) return DAE_OK;
    if (status != DAE_OK) return model_settle_report(m, t, status, to);
    bool sets = m->switching && switching_reinitialises(m->switching);
    if (sets && fault != IMPULSE_SHARED && lose(m, t, deep, z)) return DAE_OK;
    if (sets && fault != IMPULSE_SHARED)
        return report_reinit(m, t, fault, level, constraint, z, to);
    if (fault == IMPULSE_FOUND) fault = IMPULSE_DEEP, row = constraint;
    return report_jump(m, t, fault, level, row, to);
}

/* The same; whether states have jumped. */
static dae_status jump(model_simulation *m, double t, double *z, size_t level, size_t row,
                       message *to)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *before = malloc(bytes + 1);
    if (!before) return message_status(to, DAE_NO_MEMORY);
    memcpy(before, z, bytes);
    bool jumped = m->modes && m->modes->jumped;
    if (m->switching) switching_jumped(m->switching);
    dae_status status = jump_by_impulse(m, t, z, level, row, to);
    bool moved = status != DAE_OK || state_has_moved(m, before, z) || jumped;
    if (m->switching) m->modes->jumped = moved;
    if (m->switching) m->modes->moves = m->modes->moves || moved;
    if (status == DAE_OK && m->formulation->converted > 0) /* of which nothing shows it */
        status = model_turned_look(m, t, before, z, to);
    free(before);
    return status;
}

/* The projection for states at events. */
dae_status model_settles_need(model_simulation *m)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    return m->settles ? DAE_OK : projection_create(&m->settles, l, PROJECTION_COORDINATE);
}

void model_settles_state(model_simulation *m, state_visit *s)
{
    bool settles = m->settles;
    STATE(s, settles);
    if (settles && model_settles_need(m) != DAE_OK)
        state_fail(s, DAE_NO_MEMORY);
    else if (settles)
        projection_state(m->settles, s);
}

/* Gives states that hardly miss a constraint the jump of an impulse where one is determined. Others
 * stay: the steps bring them to the constraint. */
static dae_status jump_little(model_simulation *m, double t, double *z, size_t level)
{
    const constraint_levels *l = &m->formulation->levels->levels;
    impulse_fault fault = IMPULSE_DEEP;
    size_t row;
    double missed, *before = malloc(l->size * sizeof *before);
    message unheard = {0};
    if (!before) return DAE_NO_MEMORY;
    memcpy(before, z, l->size * sizeof *z);
    bool deep = level + 2 < l->count || m->formulation->converted > 0;
    dae_status status = apply_impulse(m, t, deep, true, z, &fault, &row, &unheard);
    bool found = status == DAE_OK && unheard.status == DAE_OK && fault == IMPULSE_FOUND;
    if (found)
        status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level, &row);
    found = found && status == DAE_OK && !(missed > ROUND_OFF_ITERATED);
    if (!found) memcpy(z, before, l->size * sizeof *z);
    if (found && m->modes) m->modes->moves = true;
    message_free(&unheard);
    free(before);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* By how much a constraint may be missed without a jump. What reinit() has moved by less than its
 * size misses it by as much less: the jump of a slow impact is one as that of a fast one. */
static double least_of(const model_simulation *m, const double *z)
{
    const switching *s = m->switching;
    const double *nominal = m->formulation->levels->levels.nominal;
    double most = 0;
    for (size_t i = 0; s && i < s->system->discrete.action.count; i++) {
        if (isnan(s->modes->unset[i]) || s->reinit[i] == SIZE_MAX) continue;
        double before = s->modes->unset[i] / s->factor[i], is = z[s->reinit[i]];
        most = fmax(most, fabs(is - before) / fmax(fabs(is), nominal[s->reinit[i]]));
    }
    return most > 0 ? fmin(fmax(MODEL_SETTLE_OFF * most, ROUND_OFF_LONG_SUM), ROUND_OFF_ITERATED)
                    : ROUND_OFF_ITERATED;
}

static bool is_flat(const sym_system *s, uint32_t id)
{
    for (size_t k = 0; k < s->flat.count; k++)
        if (s->flat.item[k].unknown == id) return true;
    return false;
}

void model_leave_flat(const model_simulation *m, double *z)
{
    const prolongation *p = m->formulation->p;
    for (size_t j = 0; j < p->n; j++) {
        uint32_t id = p->unknown[j];
        if (!is_flat(m->system, id)) continue;
        size_t at = p->first[j];
        z[at] += BESIDE * scattered(j) * m->formulation->levels->levels.nominal[at];
    }
}

static bool are_finite(size_t n, const double *z)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(z[i])) return false;
    return true;
}

/* Where a law is flat, as q*abs(q) at q = 0, no correction is determined, and beside it a first one
 * may be huge: it is met from a point further beside. */
static dae_status settle(model_simulation *m, double t, double *z, double *missed, size_t *level,
                         size_t *row)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *before = m->base.flat ? malloc(bytes + 1) : NULL;
    if (before) memcpy(before, z, bytes);
    dae_status status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, missed, level, row);
    bool of_library = status == DAE_STOPPED || status == DAE_NO_MEMORY;
    if (before && !of_library && (status != DAE_OK || !are_finite(m->formulation->p->size, z))) {
        memcpy(z, before, bytes);
        model_leave_flat(m, z);
        status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, missed, level, row);
    }
    free(before);
    return status;
}

/* The same within the bounds of variables, where a solution is. */
static dae_status settle_within(model_simulation *m, double t, double *z, double *missed,
                                size_t *level, size_t *row)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *before = malloc(bytes + 1);
    if (!before) return DAE_NO_MEMORY;
    memcpy(before, z, bytes);
    dae_status status = settle(m, t, z, missed, level, row);
    bool met = status == DAE_OK && are_finite(m->formulation->p->size, z);
    bool of_library = status == DAE_STOPPED || status == DAE_NO_MEMORY;
    if (!of_library && !(met && *missed > MODEL_SETTLE_OFF) &&
        settle_within_bounds(m, t, before, met, z))
        status = DAE_OK, *missed = 0;
    free(before);
    return status;
}

static dae_status settle_anywhere(model_simulation *m, double t, double *z, message *to)
{
    double missed;
    size_t level, row;
    if (m->formulation->choice.kind == FORMULATION_ARRAY) return model_array_settle(m, t, z, to);
    if (m->system->held.count > 0) return model_embedded_settle(m, t, z, to);
    dae_status status = settle_within(m, t, z, &missed, &level, &row);
    if (status != DAE_OK) return model_settle_report(m, t, status, to);
    if (missed > MODEL_SETTLE_OFF)
        return model_settle_continue(m, t, z) ? DAE_OK : jump(m, t, z, level, row, to);
    bool slides = m->modes && m->modes->sliding > 0;
    if (slides || !(missed > least_of(m, z))) return DAE_OK;
    return message_status(to, jump_little(m, t, z, level));
}

dae_status model_events_settle(model_simulation *m, double t, double *z, message *to)
{
    dae_status status = model_settles_need(m);
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *before = malloc(bytes + 1);
    if (!before) status = DAE_NO_MEMORY;
    if (status == DAE_OK) {
        memcpy(before, z, bytes);
        status = settle_anywhere(m, t, z, to);
        if (status == DAE_OK) model_settle_stay(m, t, before, z);
    } else {
        message_status(to, status);
    }
    free(before);
    return status;
}

dae_status model_events_meet(model_simulation *m, double t, double *z)
{
    const simulation *c = &m->base;
    bool levels = m->formulation->choice.kind != FORMULATION_ARRAY && c->constraint_levels > 0;
    double missed;
    size_t level, row;
    if (!levels || !c->project_steps || c->keep_values || !m->settles) return DAE_OK;
    dae_status status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level,
                                          &row);
    if (status == DAE_OK && missed > c->solver.options->rtol)
        status = projection_meet_apart(c->projection, t, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
