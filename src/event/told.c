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

void settling_note_pierced(settling *e)
{
    switching_modes *m = e->s->modes;
    for (size_t k = 0; k < m->relations && !m->told_pierced; k++) {
        if (!m->relation[k].pierced || m->relation[k].crossed) continue;
        text named = {0};
        m->told_pierced = true;
        settling_name(e, 1, &k, &named);
        message_note(e->m,
                     "at t = %.9g an impulse leads through the surface of the relation %s and "
                     "back: the relation has its value before and after, and no event; what the "
                     "impulse makes jump can be watched instead",
                     e->t, text_string(&named));
        text_free(&named);
    }
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
