/* The search for modes at an event. */
#include "event/search_parts.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

/* The most searches for modes in one round of an event. */
enum { MOST_SEARCHES = 2 * SWITCHING_MOST_VISITED };

/* Of so many relations one or two are turned to find a solution in which no state jumps. */
enum { MOST_TURNED = 12 };

void settling_hold(switching *s, size_t k, bool is)
{
    relation_state *r = &s->modes->relation[k];
    r->is = is ? SYM_HELD_TRUE : SYM_HELD_FALSE;
    sym_hold_relation(s->system->graph, k, (sym_mode)r->is);
}

bool search_turn(settling *e, const bool *singly)
{
    switching *s = e->s;
    switching_modes *m = s->modes;
    bool any = false;
    memset(m->turned, 0, m->parts * sizeof *m->turned);
    for (size_t k = 0; k < s->relations; k++) {
        size_t part = m->relation[k].part;
        bool of_part = part != SWITCHING_NO_PART;
        if (of_part && singly && singly[part] && m->turned[part]) continue;
        if (!settling_seeks(e, k) || !settling_contradicts(s, k, true)) continue;
        settling_hold(s, k, m->relation[k].is != SYM_HELD_TRUE);
        if (of_part) m->turned[part] = true;
        any = true;
    }
    return any;
}

/* The same for relations of time, which do not wait for a solution, by the last switching_look().
 */
static bool turn_timed(switching *s)
{
    bool any = false;
    for (size_t k = 0; k < s->relations; k++) {
        if (s->relation[k].kind != RELATION_TIME || !settling_contradicts(s, k, true)) continue;
        settling_hold(s, k, s->modes->relation[k].is != SYM_HELD_TRUE);
        any = true;
    }
    return any;
}

void settling_begin_search(settling *e)
{
    e->from_s = e->s;
    e->from_z = e->z;
    e->unsettled = 0;
    e->open = NULL;
    memcpy(e->s->before, e->z, e->s->f->p->size * sizeof *e->z);
}

/* An impulse in modes that turn out to be wrong has moved states. */
void settling_search_again(settling *e)
{
    if (e->s != e->from_s) switching_adopt(e->from_s, e->s->system->graph);
    e->s = e->from_s;
    e->z = e->from_z;
    memcpy(e->z, e->s->before, e->s->f->p->size * sizeof *e->z);
}

dae_status search_solve_once(settling *e, bool *stays)
{
    message_free(&e->tried);
    settling_search_again(e);
    e->s->modes->jumped = e->s->modes->lost = false;
    memset(e->s->modes->moved, 0, e->s->modes->parts * sizeof *e->s->modes->moved);
    e->s->modes->attempts++;
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        r->against = r->decided = false;
        r->rounded = 0;
    }
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status != DAE_OK) return status;
    if (e->s->modes->jumped) switching_look_at_impulses(e->s, e->t, e->z);
    *stays = !switching_define(e->s, e->t, e->z);
    switching_look(e->s, e->t, e->z);
    status = search_look_at_rounding(e);
    return status == DAE_OK && *stays ? search_look_at_decided(e) : status;
}

dae_status search_solve(settling *e, bool *stays)
{
    switching_define(e->s, e->t, e->z);
    const sym_graph *g = e->s->system->graph;
    const sym_discrete_part *d = &e->s->system->discrete;
    double *before = e->s->modes->solved_with;
    for (size_t i = 0; i < d->variable.count; i++)
        before[i] = sym_cell_value(g, d->variable.item[i].cell);
    dae_status status = search_solve_once(e, stays);
    return status == DAE_OK ? search_settle_reals(e, before, stays) : status;
}

/* The same where the equations have no solution: by the numbers that definitions have there. All
 * other relations have the values that they had. */
static bool turn_timed_unsolved(settling *e)
{
    settling_search_again(e);
    switching *s = e->s;
    double *value = s->beyond + s->f->p->size;
    memcpy(value, s->value, s->relations * sizeof *value);
    switching_look(s, e->t, e->z);
    bool any = turn_timed(s);
    for (size_t k = 0; k < s->relations; k++)
        if (s->relation[k].kind != RELATION_TIME) s->value[k] = value[k];
    return any;
}

void search_keep_modes(const switching *s, size_t at)
{
    for (size_t k = 0; k < s->relations; k++)
        s->visited[at * s->relations + k] = s->modes->relation[k].is;
}

static void take_modes(switching *s, size_t from)
{
    for (size_t k = 0; k < s->relations; k++)
        settling_hold(s, k, s->visited[from * s->relations + k] == SYM_HELD_TRUE);
}

/* Parts that have been turned to modes that they have had go on with one relation after the other.
 */
static void mark_circles(const switching *s, size_t visits)
{
    switching_modes *m = s->modes;
    for (size_t i = 0; i < visits; i++) {
        const unsigned char *was = s->visited + i * s->relations;
        bool all = false;
        memset(m->differs, 0, m->parts * sizeof *m->differs);
        for (size_t k = 0; k < s->relations; k++) {
            if (was[k] == m->relation[k].is) continue;
            if (m->relation[k].part == SWITCHING_NO_PART)
                all = true;
            else
                m->differs[m->relation[k].part] = true;
        }
        for (size_t p = 0; p < m->parts && !all; p++)
            m->singly[p] = m->singly[p] || (m->turned[p] && !m->differs[p]);
    }
}

dae_status settling_try_modes(settling *e, bool *found)
{
    bool stays = false;
    dae_status status = DAE_OK;
    *found = false;
    for (int i = 0; i < SEARCH_MOST_TOGETHER && !stays && status == DAE_OK; i++) {
        status = search_solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) break;
        if (!(status == DAE_OK ? turn_timed(e->s) : turn_timed_unsolved(e))) continue;
        status = DAE_OK;
        stays = false;
    }
    if (status != DAE_OK) return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
    *found = stays && !e->s->modes->lost;
    for (size_t k = 0; k < e->s->relations && *found; k++)
        *found = !settling_seeks(e, k) || !settling_contradicts(e->s, k, false);
    return DAE_OK;
}

void settling_name(const settling *e, size_t count, const size_t *which, text *t)
{
    for (size_t i = 0; i < count; i++) {
        if (i) text_add(t, i + 1 < count ? ", " : " and ");
        prolonged_print(e->s->f->names, sym_relation_node(e->s->system->graph, which[i]), t);
    }
}

const char *settling_remedy(const settling *e, size_t count, const size_t *which)
{
    const switching *s = e->s;
    for (size_t i = 0; i < count; i++)
        if (s->size[which[i]] < s->modes->atol * s->nominal[which[i]])
            return "what it compares is below the absolute tolerance: give its variables a nominal "
                   "size, or set a smaller atol";
    return count > 1 ? "give one of them a hysteresis, or smooth it"
                     : "give the relation a hysteresis, or smooth it";
}

void search_begin_again(settling *e, size_t from, size_t count, const size_t *which, size_t bits)
{
    settling_search_again(e);
    take_modes(e->s, from);
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            settling_hold(e->s, which[i], e->s->modes->relation[which[i]].is != SYM_HELD_TRUE);
}

bool search_has_jumped(const settling *e)
{
    const switching_modes *m = e->s->modes;
    return m->jumped && (e->part == SETTLING_ALL || m->moved[e->part - 1]);
}

/* Whether the modes of a solution with some relations turned are a solution in which no state
 * jumps.
 */
static dae_status is_calm(settling *e, size_t count, const size_t *which, bool *calm)
{
    search_begin_again(e, SWITCHING_MOST_VISITED, count, which, ((size_t)1 << count) - 1);
    dae_status status = settling_try_modes(e, calm);
    *calm = *calm && !search_has_jumped(e);
    return status;
}

/* Relations of the state that were not crossed, at most MOST_TURNED of them. */
static size_t find_turnable(const settling *e, size_t *which)
{
    const switching *s = e->from_s;
    size_t count = 0;
    for (size_t k = 0; k < s->relations && count < MOST_TURNED; k++)
        if (s->relation[k].kind == RELATION_STATE && !s->modes->relation[k].kink &&
            !s->modes->relation[k].crossed && settling_seeks(e, k))
            which[count++] = k;
    return count;
}

/* A solution has been found in which states jump. What a switch interrupts goes on through a diode,
 * where that lets the states be as they are: one or two relations are turned to look for this. */
static dae_status calm_down(settling *e)
{
    size_t which[MOST_TURNED], count = find_turnable(e, which);
    bool calm = false;
    if (e->from_s != e->s) switching_adopt(e->from_s, e->s->system->graph);
    search_keep_modes(e->from_s, SWITCHING_MOST_VISITED);
    for (size_t i = 0; i < count; i++) {
        dae_status status = is_calm(e, 1, which + i, &calm);
        if (status != DAE_OK || calm) return status;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            dae_status status = is_calm(e, 2, (size_t[]){which[i], which[j]}, &calm);
            if (status != DAE_OK || calm) return status;
        }
    }
    search_begin_again(e, SWITCHING_MOST_VISITED, 0, NULL, 0);
    return settling_try_modes(e, &calm);
}

/* The same in each part in which they do. */
static dae_status calm_parts_down(settling *e)
{
    const switching_modes *m = e->s->modes;
    if (e->part != SETTLING_ALL || m->parts < 2) return calm_down(e);
    dae_status status = DAE_OK;
    for (e->part = 1; e->part <= m->parts && status == DAE_OK; e->part++)
        if (search_has_jumped(e)) status = calm_down(e);
    e->part = SETTLING_ALL;
    return status;
}

/* Relations take the modes of their values, all at once; where this goes in a circle, the first one
 * of a part alone, which ends where the relations are those of a linear complementarity problem
 * with a P-matrix (Murty, Linear Algebra Appl. 5 (1972) 65). */
dae_status search_by_values(settling *e, size_t *visits, bool *found)
{
    switching_modes *m = e->s->modes;
    *found = false;
    *visits = 0;
    memset(m->singly, 0, m->parts * sizeof *m->singly);
    search_keep_modes(e->from_s, (*visits)++);
    for (int i = 0; i < MOST_SEARCHES; i++) {
        bool stays = false;
        dae_status status = search_solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK && *visits < SWITCHING_MOST_VISITED && turn_timed_unsolved(e)) {
            search_keep_modes(e->from_s, (*visits)++);
            continue;
        }
        if (status != DAE_OK) break;
        bool jumped = search_has_jumped(e), turned = search_turn(e, m->singly);
        *found = stays && !turned && !m->lost;
        if (*found) return jumped && !m->starting ? calm_parts_down(e) : DAE_OK;
        if (!turned && m->lost) break;
        if (!turned) continue;
        mark_circles(e->from_s, *visits);
        if (*visits == SWITCHING_MOST_VISITED) break;
        search_keep_modes(e->from_s, (*visits)++);
    }
    return DAE_OK;
}

/* Finds modes and values that belong together: by values, then by trying all modes. */
dae_status settling_find_modes(settling *e)
{
    bool found;
    size_t visits;
    e->begun = e->s->modes->attempts;
    settling_begin_search(e);
    dae_status status = search_by_values(e, &visits, &found);
    return status != DAE_OK || found ? status : search_in_parts(e, visits);
}

dae_status settling_find_with_risen(settling *e)
{
    bool stays;
    search_begin_again(e, 0, 0, NULL, 0);
    dae_status status = search_solve(e, &stays);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        if (!r->awaited || !settling_contradicts(e->s, k, true)) continue;
        settling_hold(e->s, k, r->is != SYM_HELD_TRUE);
        r->kept = (unsigned char)(r->is + 1);
    }
    if (e->s->modes->jumped) settling_search_again(e); /* by an impulse of modes that end */
    status = settling_find_modes(e);
    for (size_t k = 0; k < e->s->relations; k++) e->s->modes->relation[k].kept = 0;
    return status;
}
