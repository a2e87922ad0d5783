/* The search for modes at an event. */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

/* The most searches for modes in one round of an event. */
enum { MOST_SEARCHES = 2 * SWITCHING_MOST_VISITED };

/* Of so many relations that contradict each other, all modes are tried. */
enum { MOST_TOGETHER = 12 };

void settling_hold(switching *s, size_t k, bool is)
{
    relation_state *r = &s->modes->relation[k];
    r->is = is ? SYM_HELD_TRUE : SYM_HELD_FALSE;
    sym_hold_relation(s->system->graph, k, (sym_mode)r->is);
}

/* The left - right before the event of a relation that was crossed, or whose other one was: with
 * this error it is 0 behind the event. Negative: there is none. */
static double located(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    size_t other = s->relation[k].other;
    if (!r->crossed && other != SIZE_MAX) r = &s->modes->relation[other];
    return r->crossed ? fabs(r->left) : -1;
}

/* The root that has just been crossed is 0 up to the error with which it was located. */
bool settling_is_at_surface(const switching *s, size_t k)
{
    static const double CROSSED = 10;
    double left = located(s, k);
    double allowed = ROUND_OFF_ITERATED * (s->size[k] + s->nominal[k]);
    if (left >= 0) allowed = fmax(allowed, CROSSED * left);
    return fabs(s->value[k]) <= allowed;
}

bool settling_contradicts(const switching *s, size_t k, bool at_zero)
{
    const relation_state *r = &s->modes->relation[k];
    double left = located(s, k);
    if (switching_slides(s, k) || switching_holds(s, k) == (r->is == SYM_HELD_TRUE)) return false;
    if (r->crossed && s->modes->keeps) return false;
    if (s->relation[k].kind != RELATION_STATE) return true;
    if (s->value[k] == 0 && left < 0) return at_zero;
    return !settling_is_at_surface(s, k);
}

/* Gives relations the modes of their values: all of them, or the first one. Returns whether one has
 * changed. */
static bool turn(switching *s, bool first)
{
    bool any = false;
    for (size_t k = 0; k < s->relations && !(first && any); k++) {
        if (!settling_contradicts(s, k, true)) continue;
        settling_hold(s, k, s->modes->relation[k].is != SYM_HELD_TRUE);
        any = true;
    }
    return any;
}

/* Goes back to the values with which the search began; modes and cells stay. An impulse in modes
 * that turn out to be wrong has moved states. */
static void go_back(settling *e)
{
    if (e->s != e->from_s) switching_adopt(e->from_s, e->s->system->graph);
    e->s = e->from_s;
    e->z = e->from_z;
    memcpy(e->z, e->s->before, e->s->f->p->size * sizeof *e->z);
}

/* The continuous equations in the present modes, and definitions at their solution. Returns whether
 * these have stayed. */
static dae_status solve(settling *e, bool *stays)
{
    switching_define(e->s, e->t, e->z);
    message_free(&e->tried);
    go_back(e);
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status != DAE_OK) return status;
    *stays = !switching_define(e->s, e->t, e->z);
    switching_look(e->s, e->t, e->z);
    return DAE_OK;
}

static void keep_modes(const switching *s, size_t at)
{
    for (size_t k = 0; k < s->relations; k++)
        s->visited[at * s->relations + k] = s->modes->relation[k].is;
}

static void take_modes(switching *s, size_t from)
{
    for (size_t k = 0; k < s->relations; k++)
        settling_hold(s, k, s->visited[from * s->relations + k] == SYM_HELD_TRUE);
}

static bool was_visited(const switching *s, size_t visits)
{
    for (size_t i = 0; i < visits; i++) {
        size_t k = 0;
        while (k < s->relations && s->visited[i * s->relations + k] == s->modes->relation[k].is)
            k++;
        if (k == s->relations) return true;
    }
    return false;
}

/* The relations whose modes the search has changed: at most MOST_TOGETHER, or none. */
static size_t disputed(const switching *s, size_t visits, size_t *which)
{
    size_t count = 0;
    for (size_t k = 0; k < s->relations; k++) {
        bool turned = s->relation[k].kind == RELATION_STATE &&
                      fabs(s->value[k]) <= switching_band(s, k);
        for (size_t i = 1; i < visits; i++)
            turned = turned || s->visited[i * s->relations + k] != s->visited[k];
        if (!turned) continue;
        if (count == MOST_TOGETHER) return 0;
        which[count++] = k;
    }
    return count;
}

/* Whether the modes are those of the solution in them. */
static dae_status holds_together(settling *e, bool *found)
{
    bool stays = false;
    dae_status status = DAE_OK;
    *found = false;
    for (int i = 0; i < MOST_TOGETHER && !stays && status == DAE_OK; i++) status = solve(e, &stays);
    if (status != DAE_OK) return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
    *found = stays;
    for (size_t k = 0; k < e->s->relations && *found; k++)
        *found = !settling_contradicts(e->s, k, false);
    return DAE_OK;
}

void settling_name(const settling *e, size_t count, const size_t *which, text *t)
{
    for (size_t i = 0; i < count; i++) {
        if (i) text_add(t, i + 1 < count ? ", " : " and ");
        prolonged_print(e->s->f->names, sym_relation_node(e->s->system->graph, which[i]), t);
    }
}

static dae_status report_no_mode(settling *e, size_t count, const size_t *which)
{
    text named = {0};
    settling_name(e, count, which, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g no values of the relations are those of a solution: %s", e->t,
                    count ? text_string(&named) : "too many of them contradict each other");
    text_free(&named);
    return DAE_EVENT;
}

/* Gives relations the modes with which the search began; the bits say which of some have the other
 * one. */
static void begin_again(settling *e, size_t count, const size_t *which, size_t bits)
{
    go_back(e);
    take_modes(e->s, 0);
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            settling_hold(e->s, which[i], e->s->modes->relation[which[i]].is != SYM_HELD_TRUE);
}

/* Tries all modes of the disputed relations, those with the fewest changes first. */
static dae_status try_all(settling *e, size_t visits)
{
    size_t which[MOST_TOGETHER], count = disputed(e->from_s, visits, which), solutions = 0,
                                 chosen = 0;
    for (size_t changes = 0; changes <= count && count > 0; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << count; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            begin_again(e, count, which, bits);
            bool found;
            dae_status status = holds_together(e, &found);
            if (status != DAE_OK) return status;
            if (found && solutions++ == 0) chosen = bits;
        }
    }
    bool state = false;
    for (size_t i = 0; i < count; i++)
        state = state || e->from_s->relation[which[i]].kind == RELATION_STATE;
    if (solutions == 0 && !state && e->tried.status != DAE_OK) {
        message_move(e->m, &e->tried);
        return e->m->status;
    }
    if (solutions == 0) return report_no_mode(e, count, which);
    begin_again(e, count, which, chosen);
    bool found;
    dae_status status = holds_together(e, &found);
    if (status != DAE_OK || solutions == 1 || e->s->modes->told_several) return status;
    e->s->modes->told_several = true;
    text named = {0};
    settling_name(e, count, which, &named);
    message_note(e->m,
                 "at t = %.9g the relations %s have several solutions: the one with the fewest "
                 "changes is taken",
                 e->t, text_string(&named));
    text_free(&named);
    return DAE_OK;
}

/* Finds modes and values that belong together. Relations take the modes of their values, all at
 * once; where this goes in a circle, the first one alone, which ends where the relations are those
 * of a linear complementarity problem with a P-matrix (Murty, Linear Algebra Appl. 5 (1972) 65);
 * then all modes are tried. */
dae_status settling_find_modes(settling *e)
{
    bool one = false;
    size_t visits = 0;
    e->from_s = e->s;
    e->from_z = e->z;
    memcpy(e->s->before, e->z, e->s->f->p->size * sizeof *e->z);
    keep_modes(e->from_s, visits++);
    for (int i = 0; i < MOST_SEARCHES; i++) {
        bool stays = false;
        dae_status status = solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK) break;
        bool turned = turn(e->s, one);
        if (stays && !turned) return DAE_OK;
        if (!turned) continue;
        one = one || was_visited(e->from_s, visits);
        if (visits == SWITCHING_MOST_VISITED) break;
        keep_modes(e->from_s, visits++);
    }
    return try_all(e, visits);
}
