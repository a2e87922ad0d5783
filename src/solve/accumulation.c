/* Events that follow each other ever faster. */
#include "base/round_off.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* Events accumulate where so many gaps in a row shrink, by such ratios that all that follow end
 * within this part of the time since the start. */
enum { MANY_SHRINKING = 8 };
static const double VERY_NEAR = 1e-7;

/* So few suffice where two gaps are no more than this part of the two before: soon rounding would
 * hide what follows. */
enum { FEW_SHRINKING = 3 };
static const double FAST = 0.01;

/* Another event belongs to it within so many times that time. */
static const double SOON = 4;

/* So many events in a row may come to rest there. */
enum { CHANCES = 4 };

/* So many events in a row, with no more than this part of the time between them, lead nowhere. Each
 * time after so many of them, all may come to rest: steps to within the tolerances may lead a state
 * across 0 again and again where nothing is left of it. */
enum { MANY_AT_ONCE = 100, SOME_AT_ONCE = 8 };
static const double MEETING = 1e-12;

/* So many of them in a row that leave all modes as they were lead nowhere: the solution goes on
 * across a surface behind which no mode has a solution, by a rounding of time at each event. */
enum { MANY_FUTILE = 10 };

/* So few do if so many solutions have been sought in vain. */
enum { SOME_FUTILE = 3, MANY_ATTEMPTS = 300 };

/* What helps where modes lead to each other at one instant, and no state moves. */
#define REMEDY_OF_MODES                                                                            \
    "remedy: where an ideal switch or diode closes a loop of sources, or cuts a current off, "     \
    "there are none: give it a small resistance or conductance; a contact that opens at the "      \
    "instant at which it closes needs one unknown, a distance or a force, by which it decides in " \
    "both modes, as Daedal.Translational.RigidGap has; elsewhere give the relation a hysteresis, " \
    "or let a discrete variable keep what the event has changed"

/* After a surface no mode that was tried has a solution. */
static dae_status report_futile(dae_solver *s)
{
    const char *name = s->event.name;
    return message_fail(
        &s->message, DAE_EVENT,
        "stopped at t = %.9g: event follows event without progress%s%s; no modes in which the "
        "solution goes on were found in %zu attempts\n  " REMEDY_OF_MODES,
        s->event.t, *name ? ": " : "", name, s->attempts);
}

/* The same where the events do not leave all modes as they were. */
static dae_status report_modes(dae_solver *s)
{
    const char *name = s->event.name;
    return message_fail(&s->message, DAE_EVENT,
                        "stopped at t = %.9g: event follows event without progress%s%s; no modes "
                        "in which the solution goes on were found\n  " REMEDY_OF_MODES,
                        s->event.t, *name ? ": " : "", name);
}

static dae_status report_crowd(dae_solver *s)
{
    const char *name = s->event.name;
    return message_fail(&s->message, DAE_EVENT,
                        "stopped at t = %.9g: event follows event without progress%s%s\n  remedy: "
                        "give the relation a hysteresis, or let a discrete variable keep what the "
                        "event has changed",
                        s->event.t, *name ? ": " : "", name);
}

/* Whether the event before the last one is at the same time but for rounding. */
static bool meets(const dae_solver *s, double gap)
{
    double t = s->event.t;
    return gap <= MEETING * fmax(fabs(t), fabs(t - s->t_start));
}

/* The time that is left, by the last gaps, so many of them together and as many before; infinite:
 * they do not shrink. */
static double find_rest(const double *gap, int together, int *shrinking)
{
    double now = 0, before = 0;
    for (int k = 0; k < together; k++) now += gap[k], before += gap[together + k];
    *shrinking = now < before && isfinite(before) ? *shrinking + 1 : 0;
    int enough = now <= FAST * before ? FEW_SHRINKING : MANY_SHRINKING;
    return *shrinking >= enough ? now * now / (before - now) : HUGE_VAL;
}

/* The time in which events accumulate; 0: they do not. By gaps in pairs, because on the way to a
 * rest those of two kinds may follow each other, and in fours: on the two sides of a spiral they
 * may differ. */
static double find_accumulation(dae_solver *s, double gap)
{
    double span = fabs(s->event.t - s->t_start), last[EVENT_GAPS + 1] = {gap};
    memcpy(last + 1, s->event_gap, sizeof s->event_gap);
    double rest = find_rest(last, 2, &s->shrinking[0]);
    double of_four = find_rest(last, 4, &s->shrinking[1]);
    s->recurrence = 0;
    for (int k = 0; k < (s->shrinking[0] == 0 ? EVENT_GAPS + 1 : 4); k++) s->recurrence += last[k];
    s->recurrence += ROUND_OFF_AMPLIFIED * s->recurrence;
    if (s->shrinking[0] == 0) rest = of_four;
    s->nears = rest <= span ? rest : 0; /* gaps of a cycle shrink by rounding alone */
    if (rest <= VERY_NEAR * span) return rest;
    return gap <= SOON * s->accumulates || meets(s, gap) ? s->accumulates : 0;
}

/* Counts events that meet, or whose gaps shrink. `before`: the time of the event before this one.
 */
void solve_count_gaps(dae_solver *s, double before)
{
    double t = s->event.t, gap = s->stats.events > 0 ? fabs(t - before) : HUGE_VAL;
    s->crowded = meets(s, gap) ? s->crowded + 1 : 0;
    s->accumulates = find_accumulation(s, gap);
    if (s->events.again) s->accumulates = fmax(s->accumulates, gap + ROUND_OFF_VALUE * fabs(t));
    memmove(s->event_gap + 1, s->event_gap, (EVENT_GAPS - 1) * sizeof gap);
    s->event_gap[0] = gap;
}

double solve_accumulates(const dae_solver *s)
{
    bool some = s->crowded > 0 && s->crowded % SOME_AT_ONCE == 0;
    return some ? fmax(s->accumulates, ROUND_OFF_VALUE * fabs(s->event.t)) : s->accumulates;
}

dae_status solve_report_accumulation(dae_solver *s, double rest, const char *name)
{
    double t = s->event.t;
    return message_fail(
        &s->message, DAE_EVENT,
        "stopped at t = %.9g: events accumulate at t = %.9g%s%s, and beyond that "
        "time the equations say nothing\n  remedy: a state that comes to rest needs "
        "an equation for its rest, which a condition turns on when it is slow enough; where it has "
        "one, as RigidStop below v_small, turn that on earlier",
        t, t + s->engine->options.direction * rest, *name ? ": " : "", name);
}

void solve_note_early_rest(dae_solver *s, double t, double rest)
{
    if (!(rest > s->options.rtol * fabs(t - s->t_start)) || s->told_early) return;
    s->told_early = true;
    message_note(&s->message,
                 "at t = %.9g events follow each other within errors of the state, and the "
                 "solution is taken to rest from there on: by their gaps it comes to rest at "
                 "t = %.9g. A tighter tolerance brings both closer together",
                 t, t + s->engine->options.direction * rest);
}

/* Fails where events accumulate at a time (Zeno of Elea's arrow): beyond it the equations say
 * nothing, unless all is at rest there. */
dae_status solve_look_for_accumulation(dae_solver *s, const event_outcome *outcome)
{
    s->futile = outcome->futile && s->crowded > 0 ? s->futile + 1 : 0;
    s->attempts = s->futile > 0 ? s->attempts + outcome->attempts : 0;
    if (!outcome->recurs) s->shrinking[0] = s->shrinking[1] = 0, s->accumulates = s->nears = 0;
    bool vain = s->futile >= SOME_FUTILE && s->attempts >= MANY_ATTEMPTS;
    if (vain || s->futile >= MANY_FUTILE) return report_futile(s);
    if (s->crowded >= MANY_AT_ONCE) return report_crowd(s);
    if (outcome->rests) s->shrinking[0] = s->shrinking[1] = 0, s->accumulates = 0;
    bool more = outcome->accumulates > 0 && outcome->recurs && !outcome->rests;
    s->accumulated = more ? s->accumulated + 1 : 0;
    bool last = outcome->blurred || (s->events.again && !outcome->rests);
    if (s->accumulated < CHANCES && !last) return DAE_OK;
    /* nothing is thrown to and fro, and no gap is told from rounding: nothing comes to rest */
    if (s->crowded > 0 && !outcome->moved && !last) return report_modes(s);
    /* where events that only leave a band lie between, the last gaps alone say too much */
    double rest = last ? fmax(outcome->accumulates, outcome->nears) : outcome->accumulates;
    if (s->events.thrown) rest = 0;
    return solve_report_accumulation(s, rest, s->event.name);
}
