/* The search for modes at an event. */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most searches for modes in one round of an event. */
enum { MOST_SEARCHES = 2 * SWITCHING_MOST_VISITED };

/* Of so many relations that contradict each other, all modes are tried. */
enum { MOST_TOGETHER = 12 };

/* Of so many relations one or two are turned to find a solution in which no state jumps. */
enum { MOST_TURNED = 12 };

/* The most modes that are tried where relations take part that nothing has turned. */
enum { MOST_TRIED = 200 };

/* So many solutions are sought at one event at most. Searches that find one take less than a tenth
 * of that. */
enum { MOST_ATTEMPTS = 3000 };

static bool tires(const settling *e)
{
    return e->s->modes->attempts - e->begun >= MOST_ATTEMPTS;
}

void settling_hold(switching *s, size_t k, bool is)
{
    relation_state *r = &s->modes->relation[k];
    r->is = is ? SYM_HELD_TRUE : SYM_HELD_FALSE;
    sym_hold_relation(s->system->graph, k, (sym_mode)r->is);
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

/* The continuous equations in the present modes, and definitions at their solution. Returns whether
 * these have stayed. */
static dae_status solve(settling *e, bool *stays)
{
    switching_define(e->s, e->t, e->z);
    message_free(&e->tried);
    settling_search_again(e);
    e->s->modes->jumped = false;
    e->s->modes->attempts++;
    for (size_t k = 0; k < e->s->relations; k++) e->s->modes->relation[k].against = false;
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status != DAE_OK) return status;
    if (e->s->modes->jumped) switching_look_at_impulses(e->s, e->t, e->z);
    *stays = !switching_define(e->s, e->t, e->z);
    switching_look(e->s, e->t, e->z);
    return DAE_OK;
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

/* How good a solution is: a state jumps in it, or none does; and of the relations that were crossed
 * all stay as before, some go on to the other mode, or all do. */
enum { JUMPS = 1, CALM = 4, GOES_ON = 1, ALL_GO_ON = 2, GOOD = CALM + GOES_ON };

/* Of the relations that contradict each other, all modes are tried. The best solution is one in
 * which no state jumps, and relations have crossed 0 that did so in the step: they are 0 up to
 * errors, so that the modes before the event may be a solution, too. Some of several need not:
 * where a bridge of diodes blocks, no potential is determined unless the current of one of them is
 * 0 while it conducts. */
typedef struct trial {
    size_t which[MOST_TOGETHER], count;
    bool all;                  /* relations of the state take part that were not turned */
    size_t solutions, as_good; /* all, and those as good as the best one */
    int best;                  /* how good that is; 0: there is none */
    size_t chosen;             /* its bits */
    size_t tried;
    bool complete; /* it holds all relations of the state, and all their modes have been tried */
} trial;

/* The relations whose modes the search has changed, and those at 0; none if there are more than
 * MOST_TOGETHER. For `all` also others of the state, as far as there is room. */
static void find_disputed(const switching *s, size_t visits, trial *t)
{
    t->count = 0;
    for (int pass = 0; pass <= (int)t->all; pass++) {
        for (size_t k = 0; k < s->relations; k++) {
            bool of_state = s->relation[k].kind == RELATION_STATE;
            bool turned = of_state && fabs(s->value[k]) <= switching_band(s, k);
            for (size_t i = 1; i < visits; i++)
                turned = turned || s->visited[i * s->relations + k] != s->visited[k];
            bool other = of_state && !turned && !s->modes->relation[k].kink &&
                         !s->modes->relation[k].crossed;
            if (pass == 0 ? !turned : !other) continue;
            if (t->count == MOST_TOGETHER) {
                if (pass == 0) t->count = 0;
                return;
            }
            t->which[t->count++] = k;
        }
    }
    t->complete = t->all;
}

dae_status settling_try_modes(settling *e, bool *found)
{
    bool stays = false;
    dae_status status = DAE_OK;
    *found = false;
    for (int i = 0; i < MOST_TOGETHER && !stays && status == DAE_OK; i++) {
        status = solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) break;
        if (!(status == DAE_OK ? turn_timed(e->s) : turn_timed_unsolved(e))) continue;
        status = DAE_OK;
        stays = false;
    }
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

/* That there is none is known where all modes have been tried. */
static dae_status report_no_mode(settling *e, const trial *t, bool complete)
{
    text named = {0}, none = {0};
    settling_name(e, t->count, t->which, &named);
    if (complete)
        text_add(&none, "no values of the relations are those of a solution");
    else
        text_format(&none,
                    "in %zu attempts no values of the relations were found that are those "
                    "of a solution",
                    e->s->modes->attempts - e->begun);
    message_replace(
        e->m, DAE_EVENT,
        "at t = %.9g %s: %s\n  remedy: "
        "where a relation takes back what has turned it, give it a hysteresis or let it "
        "read pre() of that; where an ideal switch cuts a part off or closes a loop, "
        "give it a small conductance or resistance",
        e->t, text_string(&none),
        t->count ? text_string(&named) : "too many of them contradict each other");
    text_free(&named);
    text_free(&none);
    return DAE_EVENT;
}

/* Gives relations modes that were kept; the bits say which of some have the other one. */
static void begin_again(settling *e, size_t from, size_t count, const size_t *which, size_t bits)
{
    settling_search_again(e);
    take_modes(e->s, from);
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            settling_hold(e->s, which[i], e->s->modes->relation[which[i]].is != SYM_HELD_TRUE);
}

/* Whether relations have such modes still. Those of time follow numbers that change with others. */
static bool has_begun_so(const settling *e, size_t from, size_t count, const size_t *which,
                         size_t bits)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char began = e->from_s->visited[from * e->s->relations + which[i]];
        if ((e->s->modes->relation[which[i]].is != began) != (bits >> i & 1)) return false;
    }
    return true;
}

/* Whether relations that were crossed have the modes to which they were: some, or all of them. */
static int goes_on(const switching *s)
{
    size_t crossed = 0, on = 0;
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        crossed += r->crossed;
        on += r->crossed && r->is == r->to;
    }
    return on == crossed ? ALL_GO_ON : on > 0 ? GOES_ON : 0;
}

static dae_status try_one(settling *e, trial *t, size_t bits)
{
    bool found;
    begin_again(e, 0, t->count, t->which, bits);
    dae_status status = settling_try_modes(e, &found);
    found = found && has_begun_so(e, 0, t->count, t->which, bits);
    if (status != DAE_OK || !found) return status;
    int good = (e->s->modes->jumped ? JUMPS : CALM) + goes_on(e->s);
    if (t->solutions++ == 0 || good > t->best) t->best = good, t->as_good = 0, t->chosen = bits;
    t->as_good += good == t->best;
    return DAE_OK;
}

/* Tries all modes of the disputed relations, those with the fewest changes first. */
static dae_status try_each(settling *e, trial *t)
{
    for (size_t changes = 0; changes <= t->count && t->count > 0; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << t->count; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            bool enough = t->all && (t->best >= GOOD || t->tried++ == MOST_TRIED);
            if (enough || tires(e)) {
                t->complete = false;
                return DAE_OK;
            }
            dae_status status = try_one(e, t, bits);
            if (status != DAE_OK) return status;
        }
    }
    return DAE_OK;
}

static bool leads_across(const switching *s)
{
    for (size_t k = 0; k < s->relations; k++)
        if (s->modes->relation[k].against) return true;
    return false;
}

/* Goes on from the states behind an impulse in modes that its solution contradicts: *found if
 * relations then find modes in which no state jumps any more. */
static dae_status go_on_behind(settling *e, bool *found)
{
    *found = false;
    settling_begin_search(e);
    for (int i = 0; i < MOST_TOGETHER && turn(e->s, false) && !*found; i++) {
        dae_status status = settling_try_modes(e, found);
        if (status != DAE_OK) return status;
        *found = *found && !e->s->modes->jumped;
    }
    return DAE_OK;
}

/* Where no modes have a solution, an impulse may go through a switch that opens at once, as where a
 * diode shares the charge of two capacitors. */
static dae_status try_impulses(settling *e, const trial *t, bool *found)
{
    switching *s = e->from_s;
    double *z = e->from_z, *before = malloc((s->f->p->size + 1) * sizeof *before);
    dae_status status = before ? DAE_OK : DAE_NO_MEMORY;
    *found = false;
    if (before) memcpy(before, s->before, s->f->p->size * sizeof *before);
    for (size_t bits = 0; bits < (size_t)1 << t->count && bits < MOST_TRIED; bits++) {
        if (status != DAE_OK || *found || tires(e)) break;
        bool stays;
        begin_again(e, 0, t->count, t->which, bits);
        status = solve(e, &stays);
        if (status == DAE_OK && e->s->modes->jumped && !leads_across(e->s))
            status = go_on_behind(e, found);
        if (status != DAE_STOPPED && status != DAE_NO_MEMORY) status = DAE_OK;
        if (*found) break;
        if (e->s != s) switching_adopt(s, e->s->system->graph);
        e->s = e->from_s = s;
        e->z = e->from_z = z;
        memcpy(s->before, before, s->f->p->size * sizeof *before);
    }
    free(before);
    return status;
}

static dae_status report_none(settling *e, const trial *t, bool complete)
{
    bool state = false;
    for (size_t i = 0; i < t->count; i++)
        state = state || e->from_s->relation[t->which[i]].kind == RELATION_STATE;
    bool reinitialised = switching_reinitialises(e->s); /* which no mode makes up for */
    if (e->tried.status == DAE_OK || (state && !reinitialised))
        return report_no_mode(e, t, complete);
    message_move(e->m, &e->tried);
    return e->m->status;
}

static dae_status try_all(settling *e, size_t visits)
{
    trial t = {.all = false}, wider = {.all = true};
    find_disputed(e->from_s, visits, &t);
    find_disputed(e->from_s, visits, &wider);
    dae_status status = try_each(e, &t);
    if (status == DAE_OK && t.best < GOOD) {
        bool found = false;
        status = try_each(e, &wider);
        if (status == DAE_OK && t.best + wider.best == 0) status = try_impulses(e, &wider, &found);
        if (found) return status;
        if (wider.best > t.best) t = wider;
    }
    if (status != DAE_OK) return status;
    if (t.solutions == 0) return report_none(e, t.count > 0 ? &t : &wider, wider.complete);
    begin_again(e, 0, t.count, t.which, t.chosen);
    bool found, several = t.as_good > 1 && !t.all;
    status = settling_try_modes(e, &found);
    if (status != DAE_OK || !several || e->s->modes->told_several) return status;
    e->s->modes->told_several = true;
    text named = {0};
    settling_name(e, t.count, t.which, &named);
    message_note(e->m,
                 "at t = %.9g the relations %s have several solutions: the one with the fewest "
                 "changes is taken",
                 e->t, text_string(&named));
    text_free(&named);
    return DAE_OK;
}

/* Whether the modes of a solution with some relations turned are a solution in which no state
 * jumps.
 */
static dae_status is_calm(settling *e, size_t count, const size_t *which, bool *calm)
{
    begin_again(e, SWITCHING_MOST_VISITED, count, which, ((size_t)1 << count) - 1);
    dae_status status = settling_try_modes(e, calm);
    *calm = *calm && !e->s->modes->jumped;
    return status;
}

/* Relations of the state that were not crossed, at most MOST_TURNED of them. */
static size_t find_turnable(const switching *s, size_t *which)
{
    size_t count = 0;
    for (size_t k = 0; k < s->relations && count < MOST_TURNED; k++)
        if (s->relation[k].kind == RELATION_STATE && !s->modes->relation[k].kink &&
            !s->modes->relation[k].crossed)
            which[count++] = k;
    return count;
}

/* A solution has been found in which states jump. What a switch interrupts goes on through a diode,
 * where that lets the states be as they are: one or two relations are turned to look for this. */
static dae_status calm_down(settling *e)
{
    size_t which[MOST_TURNED], count = find_turnable(e->from_s, which);
    bool calm = false;
    if (e->from_s != e->s) switching_adopt(e->from_s, e->s->system->graph);
    keep_modes(e->from_s, SWITCHING_MOST_VISITED);
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
    begin_again(e, SWITCHING_MOST_VISITED, 0, NULL, 0);
    return settling_try_modes(e, &calm);
}

/* Finds modes and values that belong together. Relations take the modes of their values, all at
 * once; where this goes in a circle, the first one alone, which ends where the relations are those
 * of a linear complementarity problem with a P-matrix (Murty, Linear Algebra Appl. 5 (1972) 65);
 * then all modes are tried. */
dae_status settling_find_modes(settling *e)
{
    bool one = false;
    size_t visits = 0;
    e->begun = e->s->modes->attempts;
    settling_begin_search(e);
    keep_modes(e->from_s, visits++);
    for (int i = 0; i < MOST_SEARCHES; i++) {
        bool stays = false;
        dae_status status = solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK && visits < SWITCHING_MOST_VISITED && turn_timed_unsolved(e)) {
            keep_modes(e->from_s, visits++);
            continue;
        }
        if (status != DAE_OK) break;
        bool turned = turn(e->s, one);
        if (stays && !turned)
            return e->s->modes->jumped && !e->s->modes->starting ? calm_down(e) : DAE_OK;
        if (!turned) continue;
        one = one || was_visited(e->from_s, visits);
        if (visits == SWITCHING_MOST_VISITED) break;
        keep_modes(e->from_s, visits++);
    }
    return try_all(e, visits);
}

dae_status settling_find_with_risen(settling *e)
{
    bool stays;
    begin_again(e, 0, 0, NULL, 0);
    dae_status status = solve(e, &stays);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        r->kept = r->awaited && settling_contradicts(e->s, k, true);
        if (r->kept) settling_hold(e->s, k, r->is != SYM_HELD_TRUE);
    }
    status = settling_find_modes(e);
    for (size_t k = 0; k < e->s->relations; k++) e->s->modes->relation[k].kept = false;
    return status;
}
