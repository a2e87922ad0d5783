/* Where a search for modes goes in a circle, all modes of some relations are tried. */
#include "event/search_parts.h"

#include "base/round_off.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most modes that are tried where relations take part that nothing has turned. */
enum { MOST_TRIED = 200 };

/* So many solutions are sought at one event at most. Searches that find one take less than a tenth
 * of that. */
enum { MOST_ATTEMPTS = 3000 };

/* A relation is led across 0 where a little later it has moved by so many roundings. */
static const double CLEARLY = 16;

static bool tires(const settling *e)
{
    return e->s->modes->attempts - e->begun >= MOST_ATTEMPTS;
}

/* How good a solution is: it ends at once, a state jumps in it, or none does; and of the relations
 * that were crossed all stay as before, some go on to the other mode, or all do. Of two that are
 * alike in that, one out of which no relation that stands at 0 is led at once is better. */
enum { GRADE = 2, STAYS = 1 };
enum { ENDS = GRADE, JUMPS = 2 * GRADE, CALM = 5 * GRADE };
enum { GOES_ON = GRADE, ALL_GO_ON = 2 * GRADE, GOOD = CALM + GOES_ON };

/* Of the relations that contradict each other, all modes are tried. The best solution is one in
 * which no state jumps, and relations have crossed 0 that did so in the step: they are 0 up to
 * errors, so that the modes before the event may be a solution, too. Some of several need not:
 * where a bridge of diodes blocks, no potential is determined unless the current of one of them is
 * 0 while it conducts. */
typedef struct trial {
    size_t which[SEARCH_MOST_TOGETHER], count;
    bool all;         /* relations of the state take part that were not turned */
    bool lenient;     /* errors of the state exclude no mode */
    size_t solutions; /* all */
    double *motion;   /* of the best one (search_motion_room()), borrowed; and whether */
    bool several;     /* one as good as the best one goes on differently */
    int best;         /* how good that is; 0: there is none */
    size_t chosen;    /* its bits */
    size_t tried;
    bool complete; /* it holds all relations of the state, and all their modes have been tried */
} trial;

/* The relations whose modes the search has changed, those at 0, and those that were crossed, by the
 * error with which they were located; none if there are more than SEARCH_MOST_TOGETHER. For `all`
 * also others of the state, as far as there is room. Those of time are left out unless `timed`:
 * they have the modes of their values in each trial (settling_try_modes()). */
static void find_disputed(const settling *e, size_t visits, bool timed, trial *t)
{
    const switching *s = e->from_s;
    t->count = 0;
    for (int pass = 0; pass <= (int)t->all; pass++) {
        for (size_t k = 0; k < s->relations; k++) {
            bool of_state = s->relation[k].kind == RELATION_STATE;
            bool crossed = s->modes->relation[k].crossed;
            bool turned = of_state && (crossed || fabs(s->value[k]) <= switching_band(s, k));
            for (size_t i = 1; i < visits; i++)
                turned = turned || s->visited[i * s->relations + k] != s->visited[k];
            turned = turned && (timed || s->relation[k].kind != RELATION_TIME);
            bool other = of_state && !turned && !s->modes->relation[k].kink;
            if ((pass == 0 ? !turned : !other) || !settling_seeks(e, k)) continue;
            if (t->count == SEARCH_MOST_TOGETHER) {
                if (pass == 0) t->count = 0;
                return;
            }
            t->which[t->count++] = k;
        }
    }
    t->complete = t->all;
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
static int goes_on(const settling *e)
{
    size_t crossed = 0, on = 0;
    for (size_t k = 0; k < e->s->relations; k++) {
        const relation_state *r = &e->s->modes->relation[k];
        if (!settling_seeks(e, k)) continue;
        crossed += r->crossed;
        on += r->crossed && r->is == r->to;
    }
    return on == crossed ? ALL_GO_ON : on > 0 ? GOES_ON : 0;
}

/* Whether the end of a solution may show in relation k: it was crossed and keeps the mode of
 * before; or, of a solution with a jump, it is 0. */
static bool may_end(const settling *e, size_t k, bool jumps)
{
    const relation_state *r = &e->s->modes->relation[k];
    return jumps ? settling_is_at_surface(e->s, k) : r->crossed && r->is != r->to;
}

/* Whether it may show there that a relation is led out of a solution. */
static bool may_leave(const settling *e, size_t k, bool jumps)
{
    const switching *s = e->s;
    bool watched = settling_seeks(e, k) && s->relation[k].kind == RELATION_STATE &&
                   !s->modes->relation[k].kink && !switching_slides(s, k);
    return watched && (may_end(e, k, jumps) || settling_is_at_surface(s, k));
}

/* Whether a relation is led to the side that its mode excludes, by what it is a little later: rates
 * of what equations select are not known. */
static bool is_led_out(const settling *e, size_t k, double now)
{
    const switching *s = e->s;
    double way = s->value[k] - now, rounding = ROUND_OFF_LONG_SUM * s->size[k];
    bool out = (way < 0) != (s->modes->relation[k].is == SYM_HELD_TRUE);
    return out && fabs(way) > CLEARLY * rounding;
}

/* Whether the solution ends where it begins, as such a relation is led across 0 at once: bodies
 * that approach do not pass through each other. *led: another one that stands at 0 is led there.
 * All is then as it was before. */
static dae_status find_end(settling *e, bool jumps, bool *ends, bool *led)
{
    switching *s = e->s;
    double step = settling_way_ahead(e), *z = e->z;
    size_t size = s->f->p->size, relations = s->relations, count = 0;
    double *kept = malloc((size + relations + 1) * sizeof *kept), *now = kept + size;
    size_t *which = malloc((relations + 1) * sizeof *which);
    dae_status status = kept && which ? DAE_OK : DAE_NO_MEMORY;
    *ends = *led = false;
    for (size_t k = 0; k < relations && status == DAE_OK; k++) {
        if (!may_leave(e, k, jumps)) continue;
        now[count] = s->value[k];
        which[count++] = k;
    }
    if (count > 0 && step != 0) {
        memcpy(kept, z, size * sizeof *z);
        settling_move(s->f->p, z, step);
        s->modes->attempts++;
        status = e->resolve(e->self, e->t + step, &e->s, &e->z, &e->tried);
        bool same = status == DAE_OK && e->s == s;
        if (same) switching_look(s, e->t + step, z);
        for (size_t i = 0; i < count && same; i++) {
            if (!is_led_out(e, which[i], now[i])) continue;
            *(may_end(e, which[i], jumps) ? ends : led) = true;
        }
        if (e->s != s) switching_adopt(s, e->s->system->graph);
        e->s = s;
        e->z = z;
        memcpy(z, kept, size * sizeof *z);
        switching_look(s, e->t, z);
    }
    free(kept);
    free(which);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

static dae_status try_one(settling *e, trial *t, size_t bits)
{
    bool found;
    search_begin_again(e, 0, t->count, t->which, bits);
    dae_status status = settling_try_modes(e, &found);
    found = found && has_begun_so(e, 0, t->count, t->which, bits);
    if (status != DAE_OK || !found) return status;
    bool jumps = search_has_jumped(e), ends = false, led = false;
    if (t->lenient && jumps) return DAE_OK;
    int good = (jumps ? JUMPS : CALM) + goes_on(e);
    bool same = good / GRADE == t->best / GRADE;
    bool rivals = same && !t->several && search_motion_differs(e, t->motion);
    if (good + STAYS > t->best || rivals) status = find_end(e, jumps, &ends, &led);
    if (status != DAE_OK) return status;
    good = ends ? ENDS : good + (led ? 0 : STAYS);
    if (rivals && good == t->best) t->several = true;
    if (t->solutions++ > 0 && good <= t->best) return DAE_OK;
    t->best = good, t->several = false, t->chosen = bits;
    search_take_motion(e, t->motion);
    return DAE_OK;
}

/* Whether none of all modes can be much better. */
static bool serves(const trial *t)
{
    return t->best >= GOOD && t->best % GRADE == STAYS;
}

/* Tries all modes of the disputed relations, those with the fewest changes first. */
static dae_status try_each(settling *e, trial *t)
{
    for (size_t changes = 0; changes <= t->count && t->count > 0; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << t->count; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            bool enough = t->all && (serves(t) || t->tried++ == MOST_TRIED);
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

static bool leads_across(const settling *e)
{
    for (size_t k = 0; k < e->s->relations; k++)
        if (e->s->modes->relation[k].against && settling_seeks(e, k)) return true;
    return false;
}

/* Whether a relation has risen unseen: before the event it was 0 in a mode that 0 excludes, as that
 * of a force whose fall below 0 has opened a contact; now it is clearly on the side of that mode.
 * What waits for it to rise would not be done. */
static bool has_risen_unseen(const settling *e)
{
    const switching *s = e->s;
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        bool open = s->relation[k].kind == RELATION_STATE && r->awaited && !r->crossed;
        bool excluded = r->left == 0 && switching_at_zero(s, k) != (r->is == SYM_HELD_TRUE);
        if (open && excluded && settling_seeks(e, k) && !settling_is_at_surface(s, k)) return true;
    }
    return false;
}

/* Goes on from the states after an impulse in modes that its solution contradicts: *found if
 * relations then find modes in which no state jumps any more. */
static dae_status go_on_behind(settling *e, bool *found)
{
    *found = false;
    settling_begin_search(e);
    for (int i = 0; i < SEARCH_MOST_TOGETHER && search_turn(e, NULL) && !*found; i++) {
        dae_status status = settling_try_modes(e, found);
        if (status != DAE_OK) return status;
        *found = *found && !search_has_jumped(e);
        bool ends = false, led;
        if (*found) status = find_end(e, true, &ends, &led);
        if (status != DAE_OK) return status;
        *found = *found && !ends && !has_risen_unseen(e);
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
        search_begin_again(e, 0, t->count, t->which, bits);
        status = search_solve(e, &stays);
        if (status == DAE_OK && search_has_jumped(e) && !s->modes->lost && !leads_across(e))
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

static dae_status report_open(settling *e)
{
    return message_replace(
        e->m, DAE_EVENT,
        "at t = %.9g %s (%s:%u) has no value, or several: its definition contains what the "
        "equations give by %s\n  remedy: let the definition read pre() of that",
        e->t, e->open->name, e->s->system->file, e->open->at.line, e->open->name);
}

/* Finds which equation excludes what reinit() gives, in the modes with which the search began. */
static void find_excluding(settling *e)
{
    bool stays;
    e->s->modes->keeps_given = true;
    search_begin_again(e, 0, 0, NULL, 0);
    (void)search_solve_once(e, &stays);
    e->s->modes->keeps_given = false;
}

static dae_status report_none(settling *e, const trial *t, bool complete)
{
    if (e->tried.status == DAE_OK && switching_reinitialises(e->s)) find_excluding(e);
    if (e->open && e->tried.status == DAE_OK) return report_open(e);
    bool state = false;
    for (size_t i = 0; i < t->count; i++)
        state = state || e->from_s->relation[t->which[i]].kind == RELATION_STATE;
    bool reinitialised = switching_reinitialises(e->s); /* which no mode makes up for */
    if (e->tried.status == DAE_OK || (state && !reinitialised))
        return report_no_mode(e, t, complete);
    message_move(e->m, &e->tried);
    return e->m->status;
}

/* A current that is the difference of states may be below 0 by their errors where its diode begins
 * to conduct, while the voltage that the diode would have is above 0. Between events such values
 * turn no relation. So modes in which no state jumps count as a solution if all that excludes them
 * are such errors. */
static dae_status try_leniently(settling *e, trial *t)
{
    if (e->s->modes->starting) return DAE_OK;
    t->lenient = e->s->modes->lenient = true;
    dae_status status = try_each(e, t);
    e->s->modes->lenient = false;
    return status;
}

/* Tries the modes of the disputed relations, without or with those of time. *found: an impulse has
 * been made. */
static dae_status try_among(settling *e, size_t visits, bool timed, trial *t, bool *found)
{
    trial wider = {.all = true, .motion = t->motion + search_motion_room(e)};
    *t = (trial){.motion = t->motion};
    *found = false;
    find_disputed(e, visits, timed, t);
    find_disputed(e, visits, timed, &wider);
    dae_status status = try_each(e, t);
    if (status == DAE_OK && t->best == 0) status = try_leniently(e, t);
    if (status == DAE_OK && !serves(t)) {
        status = try_each(e, &wider);
        bool none = t->best <= ENDS && wider.best <= ENDS;
        if (status == DAE_OK && none) status = try_impulses(e, &wider, found);
        bool complete = wider.complete;
        if (wider.best > t->best || t->count == 0) *t = wider;
        t->complete = complete;
    }
    return status;
}

/* Whether a relation of time has changed its mode in the search. */
static bool disputes_time(const switching *s, size_t visits)
{
    for (size_t k = 0; k < s->relations; k++)
        for (size_t i = 1; i < visits && s->relation[k].kind == RELATION_TIME; i++)
            if (s->visited[i * s->relations + k] != s->visited[k]) return true;
    return false;
}

/* Relations of time have the modes of their values in each trial. Where that leads to no solution,
 * theirs are tried as well: such a relation may depend on its own mode. */
static dae_status all_modes(settling *e, size_t visits, double *motion)
{
    trial t = {.motion = motion};
    bool made;
    dae_status status = try_among(e, visits, false, &t, &made);
    if (status == DAE_OK && !made && t.solutions == 0 && disputes_time(e->from_s, visits))
        status = try_among(e, visits, true, &t, &made);
    if (status != DAE_OK || made) return status;
    if (t.solutions == 0) return report_none(e, &t, t.complete);
    search_begin_again(e, 0, t.count, t.which, t.chosen);
    bool found, several = t.several && !t.all;
    e->s->modes->lenient = t.lenient;
    e->leniently = e->leniently || t.lenient;
    status = settling_try_modes(e, &found);
    e->s->modes->lenient = false;
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

dae_status search_all(settling *e, size_t visits)
{
    double *motion = malloc((2 * search_motion_room(e) + 1) * sizeof *motion);
    dae_status status = motion ? all_modes(e, visits, motion) : DAE_NO_MEMORY;
    free(motion);
    return status;
}
