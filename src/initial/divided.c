/* The start of a system of several parts. */
#include "initial/divided.h"

#include "initial/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Holds what can be held in parts in which not all states can be. */
static void hold_in_parts(divided *d)
{
    stage g = {.system = *d->s, .found = WITH_STATES};
    g.system.leading = d->leading;
    for (size_t k = 0; k < d->parts.count && d->status == DAE_OK; k++) {
        start_view *v = NULL;
        if (d->found[k] != NOT_YET || !divided_has_free_states(d, k)) continue;
        dae_status status = start_view_create(&v, &d->parts, &g.system, &k, 1);
        double *z = malloc((d->s->size + 1) * sizeof *z);
        if (status == DAE_OK && !z) status = DAE_NO_MEMORY;
        if (status == DAE_OK) status = start_hold(&v->system, d->t, z);
        if (status == DAE_OK) {
            start_view_put(v, z, d->z);
            d->found[k] = WITH_STATES;
        } else if (start_is_final(status)) {
            d->status = status;
        }
        free(z);
        start_view_free(v);
    }
}

/* What was found with states held is the guess of the last search. */
static void go_on_from_states(divided *d)
{
    const start_system *s = d->s;
    for (size_t k = 0; k < d->parts.count; k++) {
        if (d->found[k] != WITH_STATES) continue;
        d->found[k] = NOT_YET;
        for (size_t i = d->parts.first_entry[k]; i < d->parts.first_entry[k + 1]; i++) {
            size_t j = d->parts.entry[i];
            d->guess[j] = d->z[j];
            d->fixed[j] = s->fixed[j];
        }
    }
}

static void run_stages(divided *d)
{
    const start_system *s = d->s;
    stage held = {.system = *s, .most = TENTATIVE, .found = WITH_HELD},
          stay = {.system = *s, .most = STAY, .found = AS_GIVEN},
          states = {.system = *s, .most = TENTATIVE, .found = WITH_STATES},
          last = {.system = *s, .most = ALL, .found = AS_GIVEN};
    if (s->nearest) memcpy(s->nearest, s->guess, s->size * sizeof *s->nearest);
    stay.system.leading = states.system.leading = last.system.leading = d->leading;
    held.system.fixed = s->held;
    if (s->guessed) held.system.given = s->guessed;
    if (s->held) divided_run_stage(d, &held);
    states.system.fixed = s->states;
    if (s->states) {
        divided_run_stage(d, &stay);
        divided_run_stage(d, &states);
        hold_in_parts(d);
        go_on_from_states(d);
    }
    last.system.guess = d->guess;
    divided_run_stage(d, &last);
}

/* Notes missing and redundant conditions of the whole, as search() and search_held() do. */
static dae_status note_whole(divided *d, initial_result *result)
{
    start_system whole = *d->s;
    reduced_start *r = NULL;
    message collected = {0};
    bool held = false;
    for (size_t k = 0; k < d->parts.count; k++) held = held || d->found[k] == WITH_HELD;
    whole.fixed = d->fixed;
    whole.guess = d->guess;
    whole.start = d->s->start ? d->s->start : d->s->guess;
    dae_status status = reduced_start_create(&r, &whole, d->t, whole.rows, false);
    if (status == DAE_OK) {
        reduced_start_go_to(r, d->z);
        r->slopes = SLOPES_BESIDE;
        status = gauss_newton_look(r->solver, r->x, r->weight);
        if (status == DAE_NOT_EVALUABLE) status = start_fail_without_slope(r, d->m);
    }
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear))
        status = conditions_note(r, &collected, result);
    if (status == DAE_OK) result->residual = reduced_start_violation(r);
    if (status == DAE_OK && !d->s->form->divide &&
        !reduced_start_counts_as_met(r, result->residual))
        status = DAE_NO_START; /* rows contain what the pattern does not show */
    if (held && result->free == 0) {
        text_clear(&collected.notes);
        if (d->s->redundancy) text_clear(d->s->redundancy);
    }
    message_move(d->m, &collected);
    reduced_start_free(r);
    return status;
}

static dae_status report_divided(divided *d, initial_result *result)
{
    dae_status status = d->status;
    if (status == DAE_OK && d->failures > 0) {
        message_move(d->m, &d->failure);
        return d->m->status;
    }
    if (status == DAE_OK) status = note_whole(d, result);
    return status == DAE_OK ? DAE_OK : start_fail(d->m, status);
}

static dae_status search_divided(divided *d, double *z, initial_result *result)
{
    *result = (initial_result){.residual = HUGE_VAL};
    if (d->s->redundancy) text_clear(d->s->redundancy);
    if (arena_protect(&d->parts.memory, divided_build, d) != DAE_OK)
        d->status = DAE_NO_MEMORY;
    else
        run_stages(d);
    dae_status status = report_divided(d, result);
    result->iterations = d->iterations;
    if (status == DAE_OK) memcpy(z, d->z, d->s->size * sizeof *z);
    message_free(&d->failure);
    return status;
}

/* Whether parts can be sought while the others are at their guesses: by themselves, or because the
 * whole has values there. */
static bool has_values_apart(const start_system *s, double t)
{
    if (s->form->divide) return true;
    double *row = malloc((s->pattern->rows + s->pattern->nonzeros + 1) * sizeof *row);
    bool has = row && start_system_value(s, t, s->guess, row) == DAE_OK &&
               start_system_jacobian(s, t, s->guess, row + s->pattern->rows) == DAE_OK;
    free(row);
    return has;
}

dae_status start_search_divided(const start_system *s, double t, double *z, initial_result *result,
                                message *m, bool *many)
{
    divided d = {.s = s, .t = t, .m = m};
    dae_status status = start_parts_find(&d.parts, s, LINKED_BY_ALL);
    *many = status != DAE_OK || (d.parts.count > 1 && has_values_apart(s, t));
    if (status != DAE_OK)
        status = start_fail(m, status);
    else if (*many)
        status = search_divided(&d, z, result);
    start_parts_free(&d.parts);
    return status;
}

/* Whether all entries of a part are fixed. */
static bool is_settled(const start_parts *p, const bool *fixed, size_t part)
{
    for (size_t i = p->first_entry[part]; i < p->first_entry[part + 1]; i++)
        if (!fixed[p->entry[i]]) return false;
    return true;
}

dae_status start_contradicts(const start_system *s, double t, message *m)
{
    message unheard = {0};
    start_system alone = *s;
    alone.nearest = NULL;
    divided d = {.s = &alone, .t = t, .m = &unheard};
    const stage g = {.system = alone, .most = ALL, .found = AS_GIVEN};
    dae_status status = start_parts_find(&d.parts, &alone, LINKED_BY_FREE);
    bool many = status == DAE_OK && d.parts.count > 1;
    if (many) status = arena_protect(&d.parts.memory, divided_build, &d);
    for (size_t k = 0; many && status == DAE_OK && k < d.parts.count && d.failures == 0; k++) {
        if (is_settled(&d.parts, s->fixed, k)) divided_search_alone(&d, &g, k);
        status = d.status;
    }
    if (status == DAE_OK) status = DAE_NO_START;
    if (d.failure.status == DAE_CONTRADICTION)
        status = message_replace(m, DAE_CONTRADICTION, "%s", message_string(&d.failure));
    message_free(&unheard);
    message_free(&d.failure);
    start_parts_free(&d.parts);
    return status;
}
