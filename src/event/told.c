/* What is told of relations and conditions that an author may mean otherwise. */
#include "event/settling.h"

#include "symbolic/cells.h"

/* Conditions of when-clauses that are true at the start have not risen there. */
static void find_waiting(switching *s)
{
    const sym_discrete_part *d = &s->system->discrete;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        s->modes->waiting[i] = v->waits && sym_cell_value(s->system->graph, v->cell) != 0;
    }
}

/* Equality of numbers that change between events holds at instants alone, or its end is no root of
 * their difference: Modelica 3.6, Sec. 3.5, has it in functions only. */
static void tell_equalities(switching *s, message *m)
{
    text name = {0};
    for (size_t k = 0; k < s->relations; k++) {
        if (!s->relation[k].equates) continue;
        text_clear(&name);
        switching_name_number(s, k, &name);
        message_note(
            m,
            "%s compares numbers that change between events: it is decided at events alone, "
            "and may be wrong between them; relations with < and <= are followed",
            text_string(&name));
    }
    text_free(&name);
}

void settling_look_at_start(switching *s, message *m)
{
    find_waiting(s);
    tell_equalities(s, m);
}

void switching_tell_waiting(const switching *s, message *m)
{
    const sym_discrete_part *d = &s->system->discrete;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        if (!s->modes->waiting[i]) continue;
        message_note(
            m,
            "the condition of when %s (%s:%u) is true at the start and does not become true "
            "after it, so that it never acts; when {initial(), %s} acts at the start, too",
            v->name, s->system->file, v->at.line, v->name);
    }
}
