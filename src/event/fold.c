/* Folds: instants at which a relation of algebraic variables is 0, and each of its modes leads back
 * to the other one, as in the loop of a Schmitt trigger: vo = max(-10, min(10, 1e5*(vo/2 - u)))
 * leaves vo = 10 at u = 5 to a branch on which time would have to fall. No motion along the surface
 * holds the solution there: the equations only bend. It goes on in other modes, with the same
 * states and other algebraic variables: the jump of a relaxation oscillation (Andronov, Vitt &
 * Khaikin, Theory of Oscillators, 1966, Ch. 10). */
#include "event/settling.h"

#include <math.h>

/* Of so many relations the modes are tried, and so many modes of them, those with the fewest
 * changes first. */
enum { MOST_RELATIONS = 12, MOST_TRIED = 200 };

/* A relation whose rate the equations do not tell, and which has come back at once from the mode to
 * which the event before has led; SIZE_MAX: there is none. */
static size_t find(const settling *e)
{
    const switching *s = e->s;
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        bool back = r->crossed && r->again && s->relation[k].kind == RELATION_STATE;
        bool untold = !isfinite(s->changes[k]) && settling_is_at_surface(s, k);
        if (back && untold && !switching_slides(s, k)) return k;
    }
    return SIZE_MAX;
}

/* Whether the solution leaves the surface of relation k in one of its modes. All is then as it was
 * before. */
static dae_status leaves(settling *e, size_t k, bool is, bool *on)
{
    switching *s = e->s;
    double *z = e->z;
    bool found = false, done = false;
    *on = false;
    settling_keep(e);
    settling_begin_search(e);
    settling_hold(s, k, is);
    dae_status status = settling_try_modes(e, &found);
    if (status == DAE_OK && found) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        status = settling_goes_on(e, k, on, &done);
        *on = *on || !done;
    }
    settling_restore(e, s, z);
    return status;
}

/* Relation k and others of the state, and their modes. */
typedef struct modes {
    size_t which[MOST_RELATIONS], count;
    bool is[MOST_RELATIONS];
} modes;

static void find_modes(const switching *s, size_t first, modes *m)
{
    m->count = 0;
    for (int others = 0; others <= 1; others++) {
        for (size_t k = 0; k < s->relations && m->count < MOST_RELATIONS; k++) {
            const relation_state *r = &s->modes->relation[k];
            bool state = s->relation[k].kind == RELATION_STATE;
            if (!state || (k != first) != others || r->part != s->modes->relation[first].part)
                continue;
            m->is[m->count] = s->modes->relation[k].is == SYM_HELD_TRUE;
            m->which[m->count++] = k;
        }
    }
}

static void hold(const settling *e, const modes *m, size_t bits)
{
    for (size_t i = 0; i < m->count; i++)
        settling_hold(e->s, m->which[i], m->is[i] != (bits >> i & 1));
}

/* Whether these modes have a solution away from the surface, with the same states. */
static dae_status try_one(settling *e, const modes *m, size_t bits, bool *found)
{
    size_t k = m->which[0];
    settling_search_again(e);
    hold(e, m, bits);
    dae_status status = settling_try_modes(e, found);
    if (status != DAE_OK || !*found) return status;
    *found = !e->s->modes->jumped && !settling_is_at_surface(e->s, k) &&
             fabs(e->s->value[k]) > switching_band(e->s, k);
    return DAE_OK;
}

static dae_status try_each(settling *e, const modes *m, bool *found)
{
    size_t tried = 0;
    *found = false;
    for (size_t changes = 1; changes <= m->count; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << m->count; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            if (tried++ == MOST_TRIED) return DAE_OK;
            dae_status status = try_one(e, m, bits, found);
            if (status != DAE_OK || *found) return status;
        }
    }
    return DAE_OK;
}

static void note_jump(settling *e, size_t k)
{
    if (e->s->modes->told_fold) return;
    e->s->modes->told_fold = true;
    text named = {0};
    settling_name(e, 1, &k, &named);
    message_note(
        e->m,
        "at t = %.9g both modes of the relation %s lead back to its surface: the algebraic "
        "variables jump to the nearest modes that have a solution away from it",
        e->t, text_string(&named));
    text_free(&named);
}

/* Goes on in modes that have a solution with the same states away from the surface of relation k,
 * with the fewest changes; *found: there are any. Otherwise the modes are as before, and values are
 * to be found. */
static dae_status jump(settling *e, size_t k, bool *found)
{
    modes m;
    find_modes(e->s, k, &m);
    settling_begin_search(e);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = try_each(e, &m, found);
    settling_hear(e, &aside);
    if (status == DAE_OK && *found) {
        note_jump(e, k);
        return settling_run_rounds(e);
    }
    settling_search_again(e);
    hold(e, &m, 0);
    return status;
}

dae_status settling_leave_fold(settling *e)
{
    bool on = false, found = false;
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
    size_t k = e->s->modes->sliding > 0 ? SIZE_MAX : find(e);
    if (k == SIZE_MAX) return DAE_OK;
    dae_status status = leaves(e, k, false, &on);
    if (status == DAE_OK && !on) status = leaves(e, k, true, &on);
    if (status != DAE_OK || on) return status;
    status = jump(e, k, &found);
    return status == DAE_OK && !found ? settling_find_modes(e) : status;
}

static dae_status report_chatter(settling *e, size_t k)
{
    text named = {0};
    settling_name(e, 1, &k, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g the solution comes back to the surface of the relation %s on both "
                    "sides, at once: it chatters, and a sliding motion along the surface is not "
                    "determined\n  remedy: %s",
                    e->t, text_string(&named), settling_remedy(e, 1, &k));
    text_free(&named);
    return DAE_EVENT;
}

dae_status settling_leave_chatter(settling *e, size_t k)
{
    bool found = false;
    message unheard = message_take_failure(e->m);
    settling_set_slides(e->s->modes, e->s->modes->relation[k].surface, false);
    settling_search_again(e);
    dae_status status = jump(e, k, &found);
    message_free(&unheard);
    if (status != DAE_OK || found) return status;
    /* the motion is what has failed */
    settling_set_slides(e->s->modes, e->s->modes->relation[k].surface, true);
    settling_search_again(e);
    return settling_find_modes(e) == DAE_STOPPED ? DAE_STOPPED : report_chatter(e, k);
}
