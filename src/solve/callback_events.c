/* The state of a C program's equations behind an event. */
#include "solve/callback_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status callback_state_at(simulation *c, double t, const double *y, const double *yp,
                                    double *own, double *own_yp)
{
    (void)t;
    memcpy(own, y, c->n * sizeof *own);
    for (size_t j = 0; j < c->n; j++) own_yp[j] = c->problem->dynamic[j] ? yp[j] : (double)NAN;
    return DAE_OK;
}

/* Whether y' follows from y alone, so that there is nothing to search for. */
static bool is_explicit(const callback_simulation *k)
{
    return k->base.problem->form->yp && !k->reduced && !k->constraints;
}

static dae_status settle_explicit(callback_simulation *k, double t, const double *own, double *y,
                                  double *yp)
{
    simulation *c = &k->base;
    memcpy(y, own, c->n * sizeof *y);
    dae_status status = k->invariants ? invariant_levels_begin(k->invariants, t, y) : DAE_OK;
    return status == DAE_OK ? problem_yp(c->problem, t, y, yp) : status;
}

static problem *called(problem *p)
{
    return p->author ? (problem *)p->author : p;
}

static void add_counts(problem_counts *to, const problem_counts *more)
{
    to->residuals += more->residuals;
    to->jacobians += more->jacobians;
    to->factorizations += more->factorizations;
    to->reorderings += more->reorderings;
}

/* What has been counted so far stays in the counts of the run. */
static void keep_counts(problem *to, problem *from)
{
    add_counts(&to->counts, &from->counts);
    if (called(to) != to && called(from) != from)
        add_counts(&called(to)->counts, &called(from)->counts);
}

/* What a start makes; the next one makes all of it anew. */
static void give_up(callback_simulation *k)
{
    k->base.projection = NULL;
    k->base.problem = NULL;
    k->base.levels = NULL;
    k->callbacks = NULL;
    k->search = NULL;
    k->invariants = NULL;
    k->constraints = NULL;
    k->reduced = NULL;
    k->embedded = (embedded){0};
    k->violation = (violation){0};
}

void callback_simulation_forget_passed(callback_simulation *k)
{
    if (k->passed) callback_simulation_clear(k->passed);
    free(k->passed);
    k->passed = NULL;
}

/* The equations may have another mode: which entries occur, the index and its reduction are found
 * anew, as at a start. The old ones are kept: the engine has them until it is replaced, and they
 * come back where nothing is found. */
static dae_status settle_anew(callback_simulation *k, double t, const double *own)
{
    callback_simulation_forget_passed(k);
    callback_simulation *old = malloc(sizeof *old);
    if (!old) return DAE_NO_MEMORY;
    *old = *k;
    give_up(k);
    dae_status status = simulation_start_behind(&k->base, t, own);
    if (status == DAE_OK) {
        keep_counts(k->base.problem, old->base.problem);
        k->checked = true;
        k->passed = old;
        return DAE_OK;
    }
    callback_simulation_clear(k);
    *k = *old;
    free(old);
    return status;
}

static dae_status callback_settle(simulation *c, double t, const double *own, double *y, double *yp,
                                  event_outcome *outcome)
{
    callback_simulation *k = (callback_simulation *)c;
    if (is_explicit(k)) return settle_explicit(k, t, own, y, yp);
    dae_status status = settle_anew(k, t, own);
    outcome->replaced = status == DAE_OK;
    return status;
}

const author_events_way callback_simulation_events = {callback_state_at, callback_settle};
