#include "initial/consistent.h"

#include "initial/divided.h"
#include "initial/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status start_fail_without_slope(reduced_start *r, message *m)
{
    const start_system *s = r->s;
    const sparse_pattern *p = s->pattern;
    size_t row = s->rows;
    if (!start_is_of_text(s))
        return DAE_NOT_EVALUABLE; /* a program is asked which function failed */
    if (start_system_value(s, r->t, r->z, r->row_all) != DAE_OK) return DAE_NOT_EVALUABLE;
    dae_status status = start_system_jacobian(s, r->t, r->z, r->value_all);
    if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
    for (size_t j = 0; j < s->size; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if (!isfinite(r->value_all[k]) && (size_t)p->row[k] < row) row = (size_t)p->row[k];
    if (row == s->rows) return DAE_NOT_EVALUABLE;
    message_fail(m, DAE_NOT_EVALUABLE, "%s", "");
    s->form->locate_row(s->self, row, &m->sentence);
    message_more(m, ": error: where the search for a start has come to, this equation has a value, "
                    "but its derivatives have none:\n    ");
    s->form->name_row(s->self, row, &m->sentence);
    if (s->form->report_values) s->form->report_values(s->self, row, r->t, r->z, &m->sentence);
    message_more(m, "\n  remedy: write it so that it has a slope there, or give guesses from which "
                    "another solution is nearer (start = ...)");
    return m->status;
}

dae_status start_try(reduced_start *r, effort most, initial_result *result, message *m)
{
    if (most == STAY) return initial_stay(r, m, result);
    dae_status status = initial_search(r, most == TENTATIVE, result, m);
    if (status == DAE_NOT_EVALUABLE && most == ALL && m->status == DAE_OK)
        status = start_fail_without_slope(r, m);
    bool asks = status == DAE_NO_START && most == ALL && !r->s->brief;
    return asks ? start_contradicts(r->s, r->t, m) : status;
}

dae_status start_fail(message *m, dae_status status)
{
    return message_fail(m, status, "%s",
                        status == DAE_NO_MEMORY ? "memory is exhausted in the search for a start"
                                                : "the start values cannot be evaluated");
}

bool start_is_final(dae_status status)
{
    return status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY;
}

static dae_status search(const start_system *s, double t, effort most, double *z,
                         initial_result *result, message *m)
{
    reduced_start *r = NULL;
    dae_status status = reduced_start_create(&r, s, t, s->rows, false);
    if (status != DAE_OK) return start_fail(m, status);
    *result = (initial_result){.residual = HUGE_VAL};
    if (s->redundancy) text_clear(s->redundancy); /* of the last search alone */
    status = start_try(r, most, result, m);
    if (status == DAE_OK) {
        result->residual = reduced_start_violation(r);
        memcpy(z, r->z, s->size * sizeof *z);
    }
    result->iterations = r->solver->iterations;
    reduced_start_free(r);
    return status == DAE_OK ? DAE_OK : start_fail(m, status);
}

/* Search with held entries fixed. Conditions that become redundant thereby are not noted. */
static bool search_held(const start_system *s, double t, double *z, initial_result *result,
                        message *m)
{
    start_system first = *s;
    message collected = {0};
    first.fixed = s->held;
    if (s->guessed) first.given = s->guessed;
    bool found = search(&first, t, TENTATIVE, z, result, &collected) == DAE_OK;
    if (found && result->free > 0)
        text_add(&m->notes, text_string(&collected.notes));
    else if (s->redundancy)
        text_clear(s->redundancy);
    message_free(&collected);
    return found;
}

/* If not all given values can stay: search with those of states as if they were fixed, as far as
 * that is possible, then from there without, so that notes tell which conditions were missing. If
 * none can be kept, all that are given change as little as possible. */
static dae_status search_states(const start_system *s, double t, double *z, initial_result *result,
                                message *m)
{
    start_system whole = *s;
    whole.leading = s->states;
    start_system then = whole;
    message unheard = {0};
    dae_status status = search(&whole, t, STAY, z, result, &unheard);
    if (start_is_final(status)) {
        message_move(m, &unheard);
        return status;
    }
    message_free(&unheard);
    double *guess = malloc((s->size + 1) * sizeof *guess);
    if (!guess) return message_status(m, DAE_NO_MEMORY);
    status = start_hold(&whole, t, guess);
    if (status == DAE_OK) {
        then.guess = guess;
        then.start = s->start ? s->start : s->guess;
    }
    status = status == DAE_STOPPED || status == DAE_NO_MEMORY ? start_fail(m, status)
                                                              : search(&then, t, ALL, z, result, m);
    free(guess);
    return status;
}

static dae_status search_whole(const start_system *s, double t, double *z, initial_result *result,
                               message *m)
{
    if (s->held && search_held(s, t, z, result, m)) return DAE_OK;
    return s->states ? search_states(s, t, z, result, m) : search(s, t, ALL, z, result, m);
}

/* Where the parts of a system cannot be evaluated by themselves, others may have hindered one, and
 * the pattern may be wrong: what fails by parts is sought as a whole. */
static dae_status search_again(const start_system *s, double t, double *z, initial_result *result,
                               message *m, message *first)
{
    message whole = {0};
    dae_status status = search_whole(s, t, z, result, &whole);
    bool says_more = start_is_final(status);
    message_free(says_more ? first : &whole);
    message_move(m, says_more ? &whole : first);
    return says_more ? status : m->status;
}

dae_status initial_consistent(const start_system *s, double t, double *z, initial_result *result,
                              message *m)
{
    bool divided;
    message first = {0};
    dae_status status = start_search_divided(s, t, z, result, &first, &divided);
    if (divided && !s->form->divide && !start_is_final(status))
        return search_again(s, t, z, result, m, &first);
    message_move(m, &first);
    return divided ? status : search_whole(s, t, z, result, m);
}
