
#include "base/round_off.h"
#include "initial/consistent.h"
#include "solve/start_stages.h"

#include <math.h>
#include <stdlib.h>

/* Appends "y1 = 2 (given 1)" to a list, or "y1 = 2 (given 2, 1e-10 more)" where the digits are
 * equal. */
static void list_value(const start_notes *s, size_t j, text *list)
{
    static const double SHOWN = 1e-5;
    double more = s->found[j] - s->given[j];
    if (list->length) text_add(list, ", ");
    text_format(list, "%s = %.6g", s->simulation->variable[j], s->found[j]);
    if (isnan(s->given[j])) return;
    text_format(list, " (given %.6g", s->given[j]);
    if (fabs(more) < SHOWN * fabs(s->given[j]))
        text_format(list, ", %.1g %s", fabs(more), more > 0 ? "more" : "less");
    text_add(list, ")");
}

void start_note_changes(const start_notes *s)
{
    text list = {0};
    for (size_t j = 0; j < s->n; j++) {
        if (s->counts && !s->counts[j]) continue;
        double given = s->given[j], size = fmax(fabs(given), s->simulation->nominal[j]);
        if (!isnan(given) && fabs(s->found[j] - given) > ROUND_OFF_ITERATED * size)
            list_value(s, j, &list);
    }
    if (list.length)
        message_note(s->simulation->solver.message,
                     "start values changed, by as little as meets the equations: %s",
                     text_string(&list));
    text_free(&list);
}

/* Appends the variables from `first` to before `end` that one system leaves open. */
static dae_status list_open(const start_notes *s, const start_system *system, size_t first,
                            size_t end, double t, text *list)
{
    size_t found = 0, *chosen = calloc(system->size + 1, sizeof *chosen);
    bool known = false, any = false;
    for (size_t j = first; j < end; j++) any = any || isnan(s->given[j]);
    dae_status status = chosen ? DAE_OK : DAE_NO_MEMORY;
    if (any && chosen) status = initial_states(system, t, s->found + first, chosen, &found, &known);
    for (size_t i = 0; status == DAE_OK && i < found; i++) {
        size_t j = first + chosen[i];
        if (j < end && isnan(s->given[j])) list_value(s, j, list);
    }
    free(chosen);
    /* Other failures only lose a note. */
    return status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t)
{
    text list = {0};
    dae_status status = DAE_OK;
    for (size_t k = 0, first = 0; status == DAE_OK && k < count; k++) {
        size_t end = k + 1 == count ? s->n : first + system[k]->size;
        status = list_open(s, system[k], first, end, t, &list);
        first = end;
    }
    if (list.length)
        message_note(
            s->simulation->solver.message,
            "the equations and their first derivatives leave open, and so chosen: %s; give "
            "start values",
            text_string(&list));
    text_free(&list);
    if (status == DAE_OK) return DAE_OK;
    return message_fail(s->simulation->solver.message, status, "memory is exhausted");
}
