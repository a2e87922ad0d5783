/* Relations whose sides the equations hold equal take the values that they have at 0.
 *
 * Rounding decides r > L where x^2 + y^2 = L^2. At 0 it is false, and has its event where the
 * constraint ends and r leaves L. Where the equations would be other ones with that value, as those
 * of a string that is taut if r >= L, the relation keeps the value by which the constraint holds.
 * They are so where the equations are those of its mode alone, as with ideal switches. */
#include "event/settling.h"

#include "symbolic/cells.h"

/* Whether relation k has another value than at 0. */
static bool differs(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    return r->equal > 0 && !r->kink && (r->is == SYM_HELD_TRUE) != switching_at_zero(s, k);
}

/* Gives relation k, or all (k: their number), the values at 0. */
static void take_values(switching *s, size_t k)
{
    for (size_t i = 0; i < s->relations; i++)
        if ((i == k || k == s->relations) && differs(s, i) && !s->replaced[i])
            settling_hold(s, i, switching_at_zero(s, i));
}

/* Whether a number that equations contain is another one than before a trial. */
static bool changes_numbers(const switching *s)
{
    const sym_graph *g = s->system->graph;
    for (uint32_t i = 0; i < s->modes->cells; i++)
        if (s->seen[i] && sym_cell_value(g, i) != s->kept_cell[i]) return true;
    return false;
}

/* Whether no equation depends on the modes that a trial has changed. */
static bool keeps_equations(const settling *e, const switching *s)
{
    if (e->s != s || changes_numbers(s)) return false;
    for (size_t k = 0; k < s->relations; k++)
        if (s->modes->relation[k].is != s->kept_is[k] && differs(s, k)) return false;
    return true;
}

/* Tries the values at 0; all is as it was before where they do not serve. */
static dae_status try_values(settling *e, size_t k, bool *serve)
{
    switching *s = e->s;
    double *z = e->z;
    settling_aside aside;
    settling_keep(e);
    take_values(s, k);
    settling_hush(e, &aside);
    s->modes->quiet = true;
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    *serve = status == DAE_OK && keeps_equations(e, s);
    if (!*serve) settling_restore(e, s, z);
    if (status != DAE_STOPPED && status != DAE_NO_MEMORY)
        status = *serve ? settling_run_rounds(e) : settling_find_modes(e);
    e->s->modes->quiet = false;
    return status;
}

static void note_kept(settling *e, size_t k)
{
    text named = {0};
    if (e->s->modes->told_equal) return;
    e->s->modes->told_equal = true;
    settling_name(e, 1, &k, &named);
    message_note(
        e->m,
        "at t = %.9g the equations hold both sides of the relation %s equal, and depend on "
        "it: it keeps the value that it had, %s, and has no events while they do",
        e->t, text_string(&named), e->s->modes->relation[k].is == SYM_HELD_TRUE ? "true" : "false");
    text_free(&named);
}

/* What was crossed at the event and stands at 0 keeps its mode in the trials, too: 0 is not its
 * value, but that of the surface on which the event was found. */
static void mark_crossed(switching_modes *m, bool as)
{
    for (size_t k = 0; k < m->relations; k++) {
        relation_state *r = &m->relation[k];
        r->crossed = as && r->last_event > 0 && r->last_event == m->events;
    }
}

dae_status switching_settle_equal(switching *s, double t, double *z, switching_resolve resolve,
                                  void *self, message *m, switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    bool serve = false;
    size_t tried = 0;
    for (size_t k = 0; k < s->relations; k++) {
        bool other = differs(s, k);
        tried += other && !s->replaced[k];
        if (other && s->replaced[k]) note_kept(&e, k);
    }
    if (tried == 0) return DAE_OK;
    size_t rounds = result->rounds;
    mark_crossed(s->modes, true);
    dae_status status = try_values(&e, s->relations, &serve);
    for (size_t k = 0; k < s->relations && status == DAE_OK; k++) {
        if (!differs(e.s, k) || e.s->replaced[k]) continue;
        if (tried > 1) status = try_values(&e, k, &serve); /* one has been tried alone */
        if (status == DAE_OK && !serve) note_kept(&e, k);
    }
    mark_crossed(s->modes, false);
    message_free(&e.tried);
    result->rounds = rounds;
    result->s = e.s;
    result->z = e.z;
    return status;
}
