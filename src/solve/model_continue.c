/* The state of a model after an event that leaves its differentiated variables as they were.
 *
 * Equations are differentiated as often as their structure asks for, which may be more often than
 * needed. Rates then count among what constraints hold, and an event may change these. So a state
 * is sought first in which the variables that the author differentiates are what they were. Only
 * where there is none, an impulse moves them. */
#include "base/round_off.h"
#include "formulation/prolonged_levels.h"
#include "initial/consistent.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for a search: of the start system's size, and of the author's unknowns. */
typedef struct continuing {
    double *guess, *found, *before;
    bool *held, *none;
} continuing;

static bool take_room(const model_simulation *m, continuing *c)
{
    size_t size = m->formulation->start->start.size;
    c->guess = calloc(2 * size + m->room + 1, sizeof *c->guess);
    c->held = calloc(2 * size + 1, sizeof *c->held);
    if (!c->guess || !c->held) return false;
    c->found = c->guess + size;
    c->before = c->found + size;
    c->none = c->held + size;
    return true;
}

static void lift(model_simulation *m, double t, const double *z)
{
    author_lift(m->formulation->author, t, z, m->base.value, NULL);
}

/* An explicit variable at a state z from before an event has another value by the equations after
 * it, if these give it otherwise. */
bool model_settle_before(model_simulation *m, double t, const double *z, double *before)
{
    const prolongation *p = m->formulation->p;
    const switching_modes *modes = m->modes;
    bool known = true;
    lift(m, t, z);
    memcpy(before, modes->before, modes->unknowns * sizeof *before);
    for (uint32_t id = 0; modes->moves && id < modes->unknowns; id++) {
        bool explicit = p->column_of[id] == INCIDENCE_NONE;
        known = known && !(explicit && modes->by_author[id]);
        if (!explicit) before[id] = m->base.value[id];
    }
    return known;
}

/* By how much of its size the variable that the author differentiates and that has changed most
 * does, and which one that is. */
static double find_moved(const model_simulation *m, const double *before, uint32_t *which)
{
    double most = 0;
    *which = 0;
    for (uint32_t id = 0; id < m->modes->unknowns; id++) {
        if (!m->modes->by_author[id]) continue;
        double size = fmax(fabs(before[id]), m->base.nominal[id]);
        double by = fabs(m->base.value[id] - before[id]) / size;
        if (!(by <= most)) most = by, *which = id;
    }
    return most;
}

bool model_settle_goes_on(model_simulation *m, double t, const double *before, const double *z)
{
    uint32_t which;
    lift(m, t, z);
    return find_moved(m, before, &which) <= MODEL_SETTLE_OFF;
}

/* The variables that the author differentiates are held, explicit ones among them; or all. */
static void hold(const model_simulation *m, bool all, continuing *c)
{
    const prolonged_start *start = m->formulation->start;
    const prolongation *p = m->formulation->p;
    const bool *differentiated = m->modes->by_author;
    for (size_t j = 0; j < p->n; j++) {
        uint32_t id = p->unknown[j];
        c->held[p->first[j]] = id < m->modes->unknowns && (all || differentiated[id]);
    }
    for (size_t k = 0; k < start->extras; k++)
        c->held[p->size + k] = all || differentiated[start->extra[k]];
}

/* Whether rows of what is held alone are met. */
static bool held_rows_are_met(const start_system *s, double t, const double *z, const bool *held)
{
    const sparse_pattern *w = s->pattern;
    double *row = calloc(2 * w->rows + w->nonzeros + 1, sizeof *row);
    if (!row) return false;
    double *terms = row + w->rows, *value = terms + w->rows;
    bool met = start_system_value(s, t, z, row) == DAE_OK &&
               start_system_jacobian(s, t, z, value) == DAE_OK;
    for (size_t j = 0; met && j < s->size; j++)
        for (sparse_index k = w->start[j]; k < w->start[j + 1]; k++) {
            double term = fabs(value[k]) * fmax(fabs(z[j]), s->nominal[j]);
            terms[w->row[k]] += held[j] ? term : HUGE_VAL;
        }
    for (size_t i = 0; met && i < s->equations; i++)
        met = fabs(row[i]) <= MODEL_SETTLE_OFF * terms[i];
    free(row);
    return met;
}

/* From a state z, with what is held. */
static bool solve(model_simulation *m, double t, const double *z, bool all, continuing *c)
{
    const prolonged_start *start = m->formulation->start;
    start_system near = start->start;
    size_t rank, size = m->formulation->p->size;
    memcpy(c->guess, z, size * sizeof *z);
    for (size_t k = 0; k < start->extras; k++) c->guess[size + k] = m->base.value[start->extra[k]];
    hold(m, all, c);
    near.guess = c->guess;
    near.held = c->held;
    near.given = c->none;
    near.rows = near.equations;
    return (!all || held_rows_are_met(&near, t, c->guess, c->held)) &&
           initial_near_within(&near, t, MODEL_SETTLE_OFF, c->found, &rank) == DAE_OK;
}

static bool search(model_simulation *m, double t, const double *z, bool all, continuing *c)
{
    return model_settle_before(m, t, z, c->before) && solve(m, t, z, all, c) &&
           model_settle_goes_on(m, t, c->before, c->found);
}

bool model_settle_keep(model_simulation *m, double t, const double *guess, double *z)
{
    continuing c = {0};
    bool found = m->modes && take_room(m, &c);
    if (found) {
        lift(m, t, guess);
        found = solve(m, t, guess, true, &c);
    }
    if (found) memcpy(z, c.found, m->formulation->p->size * sizeof *z);
    free(c.guess);
    free(c.held);
    return found;
}

/* Whether a variable that the author does not differentiate has moved. */
static bool has_moved(const model_simulation *m, const double *before, const double *z)
{
    const prolongation *p = m->formulation->p;
    const double *nominal = m->formulation->levels->levels.nominal;
    for (size_t j = 0; j < p->n; j++) {
        size_t k = p->first[j];
        if (p->unknown[j] >= m->modes->unknowns || m->modes->by_author[p->unknown[j]]) continue;
        if (fabs(z[k] - before[k]) > MODEL_SETTLE_OFF * fmax(fabs(before[k]), nominal[k]))
            return true;
    }
    return false;
}

static bool seek(model_simulation *m, double t, bool all, double *z)
{
    continuing c = {0};
    double missed;
    size_t level, row, bytes = m->formulation->p->size * sizeof *z;
    if (!m->modes || m->modes->sliding > 0 || m->base.followed) return false;
    bool found = take_room(m, &c) && search(m, t, z, all, &c);
    if (found)
        found = projection_settle(m->settles, t, c.found, MODEL_SETTLE_OFF, &missed, &level,
                                  &row) == DAE_OK &&
                !(missed > MODEL_SETTLE_OFF) && model_settle_goes_on(m, t, c.before, c.found) &&
                !(all && has_moved(m, z, c.found));
    if (found) memcpy(z, c.found, bytes);
    free(c.guess);
    free(c.held);
    return found;
}

bool model_settle_continue(model_simulation *m, double t, double *z)
{
    return seek(m, t, false, z);
}

/* Whether what the author differentiates has the same values in two states: least squares may have
 * moved it so little that it goes on, but to another side of a relation. */
static bool has_same_states(model_simulation *m, double t, const double *z, const double *found)
{
    size_t bytes = m->modes->unknowns * sizeof(double);
    uint32_t which;
    double *value = malloc(bytes + 1);
    if (!value) return false;
    lift(m, t, z);
    memcpy(value, m->base.value, bytes);
    lift(m, t, found);
    bool same = find_moved(m, value, &which) <= ROUND_OFF_ITERATED;
    free(value);
    return same;
}

void model_settle_stay(model_simulation *m, double t, const double *before, double *z)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    if (!m->modes || m->base.followed || !has_moved(m, before, z)) return;
    double *stays = malloc(bytes + 1);
    if (!stays) return;
    memcpy(stays, before, bytes);
    bool misled = m->misleads.length > 0 || m->converts || m->formulation->converted > 0;
    if (seek(m, t, true, stays) && (misled || has_same_states(m, t, z, stays)))
        memcpy(z, stays, bytes);
    lift(m, t, z);
    free(stays);
}

static dae_status report(model_simulation *m, double t, uint32_t moved, double by, message *to)
{
    message_fail(to, DAE_EVENT, "after the event at t = %.9g ", t);
    if (by > MODEL_SETTLE_OFF)
        message_more(to, "the equations that were found ask for a jump of %s",
                     m->system->unknown.item[moved].name);
    else
        message_more(to, "no solution was found that goes on with the states");
    message_more(to,
                 ". The structure of the equations misleads, so that no jump is determined\n  "
                 "remedy: let what switches change within a short time, or reinit() the states to "
                 "values that the equations allow");
    return DAE_EVENT;
}

dae_status model_embedded_settle(model_simulation *m, double t, double *z, message *to)
{
    double missed, by = 0;
    size_t level, row, bytes = m->formulation->p->size * sizeof *z, unknowns = m->modes->unknowns;
    uint32_t moved = 0;
    double *before = malloc(bytes + unknowns * sizeof *before + 1);
    if (!before) return message_status(to, DAE_NO_MEMORY);
    double *value = before + m->formulation->p->size;
    memcpy(before, z, bytes);
    model_settle_before(m, t, z, value);
    dae_status status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level,
                                          &row);
    bool settled = status == DAE_OK && !(missed > MODEL_SETTLE_OFF);
    if (settled) {
        lift(m, t, z);
        by = find_moved(m, value, &moved);
        settled = by <= MODEL_SETTLE_OFF;
    }
    if (!settled && status != DAE_STOPPED && status != DAE_NO_MEMORY) {
        memcpy(z, before, bytes);
        settled = model_settle_continue(m, t, z);
    }
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY)
        message_status(to, status);
    else if (!settled || !model_embedded_implies(m, t, z))
        report(m, t, moved, by, to);
    free(before);
    return to->status;
}
