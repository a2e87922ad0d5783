#include "solve/model_homotopy.h"

#include "base/round_off.h"
#include "initial/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first step of the path, which has no direction yet; and the shortest one. */
static const double FIRST_STEP = 1e-2, SHORTEST_STEP = 1e-7;

/* A step is good where the solution is off the prediction by less than the part GOOD of its change,
 * or changes by less than the part CLOSE of its size. Otherwise it may be on another branch, and
 * the step is made shorter. Where the solution is off by very little, the next one is longer. */
static const double GOOD = 0.5, CLOSE = 0.1, VERY_GOOD = 0.1, LONGER = 3, SHORTER = 0.25;

struct model_homotopy {
    message message; /* of `led` */
    dae_stats stats;
    text reasons;
    model_simulation *led; /* of the equations with a cell `lead` */
    double *start;         /* unknowns: the guesses of the author, while others replace them */
    bool replaced;
    double reached; /* the lead to which the path has been followed; < 0: it has no beginning */
    size_t steps;
};

/* A point of the path, and the one before it. */
typedef struct path {
    model_simulation *led;
    start_system near;
    double *last, *earlier, *next, *guess; /* near.size each */
    bool *held;                            /* near.size */
    double t, lead, step, step_before;
} path;

model_homotopy *model_homotopy_create(const dae_problem *source, const model_simulation *as)
{
    model_homotopy *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    const simulation_solver seen = {&h->message, as->base.solver.options, &h->stats, &h->reasons,
                                    as->base.solver.describes};
    h->led = (model_simulation *)model_simulation_create_led(source, &seen);
    h->start = calloc(as->system->unknown.count + 1, sizeof *h->start);
    if (h->led && h->start) return h;
    model_homotopy_free(h);
    return NULL;
}

void model_homotopy_free(model_homotopy *h)
{
    if (!h) return;
    if (h->led) h->led->base.ops->free(&h->led->base);
    message_free(&h->message);
    text_free(&h->reasons);
    free(h->start);
    free(h);
}

static void set_lead(const path *p, double lead)
{
    const sym_system *system = p->led->system;
    sym_set_cell(system->graph, system->homotopy.lead, lead);
}

static double size_of(const path *p, size_t j)
{
    return fmax(fmax(fabs(p->next[j]), fabs(p->last[j])), p->near.nominal[j]);
}

/* How far the solution is off the prediction, in parts of its change; 1 for a first step, and
 * HUGE_VAL for one that is not good. */
static double off(const path *p)
{
    double change = 0, miss = 0;
    for (size_t j = 0; j < p->near.size; j++) {
        change = fmax(change, fabs(p->next[j] - p->last[j]) / size_of(p, j));
        miss = fmax(miss, fabs(p->next[j] - p->guess[j]) / size_of(p, j));
    }
    if (miss <= ROUND_OFF_SOLVED) return 0;
    return miss <= GOOD * change || change <= CLOSE ? miss / change : HUGE_VAL;
}

static dae_status step_to(path *p, double lead)
{
    size_t rank;
    double part = p->step_before > 0 ? (lead - p->lead) / p->step_before : 0;
    for (size_t j = 0; j < p->near.size; j++)
        p->guess[j] = p->held[j] ? p->last[j] : p->last[j] + part * (p->last[j] - p->earlier[j]);
    set_lead(p, lead);
    dae_status status = initial_near(&p->near, p->t, p->next, &rank);
    if (status == DAE_OK && p->led->switching && switching_define(p->led->switching, p->t, p->next))
        status = initial_near(&p->near, p->t, p->next, &rank);
    return status;
}

/* One step; DAE_NEWTON where none leads on. */
static dae_status advance(path *p)
{
    for (; p->step >= SHORTEST_STEP; p->step *= SHORTER) {
        double lead = fmin(1, p->lead + p->step);
        dae_status status = step_to(p, lead);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        double missed = status == DAE_OK ? off(p) : HUGE_VAL;
        if (!isfinite(missed)) continue;
        size_t bytes = p->near.size * sizeof *p->last;
        memcpy(p->earlier, p->last, bytes);
        memcpy(p->last, p->next, bytes);
        p->step_before = lead - p->lead;
        p->lead = lead;
        if (missed <= VERY_GOOD) p->step *= LONGER;
        return DAE_OK;
    }
    return DAE_NEWTON;
}

/* Entries that the simplified start has left at their values because no condition moves them. Where
 * there are initial equations, they may be there by chance. */
static void find_held(path *p, const start_system *s)
{
    bool free_start = p->led->system->initial.count == 0;
    for (size_t j = 0; j < s->size; j++) {
        bool state = s->given[j] && s->differentiated && s->differentiated[j];
        p->held[j] = s->fixed[j] || (free_start && state && p->last[j] == s->guess[j]);
    }
}

static bool open_path(path *p)
{
    const start_system *s = &p->led->formulation->start->start;
    double *room = calloc(4 * s->size + 1, sizeof *room);
    p->held = calloc(s->size + 1, sizeof *p->held);
    p->last = room;
    if (!room || !p->held) return false;
    p->earlier = room + s->size, p->next = p->earlier + s->size, p->guess = p->next + s->size;
    memcpy(p->last, p->led->z, s->size * sizeof *p->last);
    find_held(p, s);
    p->near = *s;
    p->near.guess = p->guess;
    p->near.held = p->held;
    p->step = FIRST_STEP;
    return true;
}

static dae_status follow(model_homotopy *h, double t)
{
    model_simulation *led = h->led;
    start_watch watch = {.ask = led->base.watch, .user = led->base.watch_user};
    path p = {.led = led, .t = t};
    dae_status status = open_path(&p) ? DAE_OK : DAE_NO_MEMORY;
    p.near.watch = &watch;
    while (status == DAE_OK && p.lead < 1) {
        status = advance(&p);
        h->steps += status == DAE_OK;
    }
    h->reached = p.lead;
    if (status == DAE_OK) memcpy(led->z, p.last, p.near.size * sizeof *led->z);
    free(p.last);
    free(p.held);
    return status;
}

/* The start of the simplified equations. */
static dae_status begin(model_simulation *m, double t)
{
    model_simulation *led = m->homotopy->led;
    size_t shown = m->base.n - m->base.hidden;
    for (size_t i = 0; i < led->base.n; i++)
        led->base.start[i] = i < shown ? m->base.start[i] : (double)NAN;
    led->base.watch = m->base.watch;
    led->base.watch_user = m->base.watch_user;
    dae_status status = led->base.ops->start->take(&led->base, t);
    const path p = {.led = led};
    if (status != DAE_OK || !led->own) return status == DAE_OK ? DAE_NO_START : status;
    set_lead(&p, 0);
    for (int whole = 0; whole < 2; whole++) {
        message unheard = {0};
        const formulation_choice choice = {.kind = FORMULATION_INDEX1,
                                           .replace = whole ? EXPLICIT_NONE : EXPLICIT_SOLVED};
        status = model_simulation_formulate_as(led, &choice);
        if (status == DAE_OK) status = model_simulation_find_start(led, t, &unheard);
        message_free(&unheard);
        if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) break;
    }
    return status;
}

static void replace_guesses(model_simulation *m, double t)
{
    model_homotopy *h = m->homotopy;
    author_lift(h->led->formulation->author, t, h->led->z, h->led->base.value, NULL);
    for (size_t i = 0; i < m->base.n - m->base.hidden; i++) {
        sym_unknown *u = &m->system->unknown.item[i];
        h->start[i] = u->start;
        if (!u->fixed && isfinite(h->led->base.value[i])) u->start = h->led->base.value[i];
    }
    h->replaced = true;
}

dae_status model_homotopy_lead(model_simulation *m, double t)
{
    model_homotopy *h = m->homotopy;
    if (!h) return DAE_OK;
    h->reached = -1;
    h->steps = 0;
    dae_status status = h->message.status == DAE_OK ? begin(m, t) : h->message.status;
    if (status == DAE_OK) status = follow(h, t);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    if (status == DAE_OK) replace_guesses(m, t);
    if (status == DAE_OK)
        simulation_reason(&m->base,
                          "the start is the one that homotopy() leads to from the simplified "
                          "values, in %zu steps",
                          h->steps);
    else if (h->reached < 0)
        simulation_reason(&m->base, "the simplified values of homotopy() have no start: the start "
                                    "of the actual ones was sought from the guesses");
    else
        simulation_reason(&m->base,
                          "homotopy() leads from the simplified values to %.3g of the way: the "
                          "start of the actual ones was sought from the guesses",
                          h->reached);
    return DAE_OK;
}

void model_homotopy_blame(const model_simulation *m, message *failed)
{
    const model_homotopy *h = m->homotopy;
    if (!h || h->replaced || failed->status != DAE_NO_START) return;
    if (h->reached < 0)
        message_more(failed, "\n  homotopy(): the equations with the simplified values have no "
                             "start that was found, either");
    else
        message_more(failed,
                     "\n  homotopy(): from the start with the simplified values, which was found, "
                     "a path leads only to %.3g of the way to the actual ones",
                     h->reached);
}

void model_homotopy_forget(model_simulation *m)
{
    model_homotopy *h = m->homotopy;
    if (!h || !h->replaced) return;
    for (size_t i = 0; i < m->base.n - m->base.hidden; i++)
        m->system->unknown.item[i].start = h->start[i];
    h->replaced = false;
}
