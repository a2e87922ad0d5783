/* What is told of relations and conditions that an author may mean otherwise. */
#include "event/settling.h"

#include "symbolic/cells.h"

/* So many surfaces at the start are looked at from their other sides. */
enum { MOST_LOOKED_AT = 5 };

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

void settling_note_repelling(settling *e, size_t surface)
{
    if (e->s->modes->told_repelling) return;
    e->s->modes->told_repelling = true;
    text named = {0};
    settling_name(e, 1, &surface, &named);
    message_note(
        e->m,
        "at t = %.9g both sides of the surface of the relation %s lead away from it: the "
        "solution from then on is not unique, and the one where the relation has its value "
        "on the surface is taken",
        e->t, text_string(&named));
    text_free(&named);
}

/* Whether the solution leaves the surface of relation k to the side of its mode. */
static bool leaves_to_its_side(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    double rate;
    bool watched = r->surface == k && !r->kink && settling_is_at_surface(s, k);
    return watched && switching_leaves(s, k, &rate) && (rate < 0) == (r->is == SYM_HELD_TRUE);
}

dae_status settling_note_repelling_starts(settling *e)
{
    dae_status status = DAE_OK;
    size_t tried = 0, seen = SIZE_MAX; /* the trials before the last look */
    for (size_t k = 0; k < e->s->relations && tried < MOST_LOOKED_AT && status == DAE_OK; k++) {
        if (seen != tried) {
            switching_look(e->s, e->t, e->z);
            switching_look_at_rates(e->s);
            seen = tried;
        }
        if (e->s->modes->told_repelling || !leaves_to_its_side(e->s, k)) continue;
        bool other = e->s->modes->relation[k].is != SYM_HELD_TRUE;
        settling_ways w = {.clear = 0};
        status = settling_try_side(e, k, other, true, &w);
        if (status == DAE_OK && w.of[other] > w.clear && !w.off) settling_note_repelling(e, k);
        tried++;
    }
    return tried > 0 && status == DAE_OK ? settling_find_modes(e) : status;
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
