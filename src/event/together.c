/* Discrete Real variables that are defined by what the equations give by them.
 *
 * With a = d + b, the definition d = 2 a + pre(d) is one more equation of d and a at the event. To
 * solve the equations and the definitions in turn is a fixed-point iteration d = G(d), which ends
 * for a chain of definitions, and in a circle only where G contracts. Newton's method ends for what
 * is regular: G' by differences, as each value of G is a solution of the equations. */
#include "event/search_parts.h"

#include "base/round_off.h"
#include "linalg/lapack.h"
#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most variables that are solved for, and corrections of them. */
enum { MOST_REALS = 20, MOST_CORRECTIONS = 20 };

/* The change of a variable by which G' is found, in its size. */
static const double CHANGE = 0x1p-20;

typedef struct reals {
    settling *e;
    size_t count;
    size_t variable[MOST_REALS]; /* which discrete variables */
    double value[MOST_REALS];    /* d */
    double given[MOST_REALS];    /* G(d) */
    double size[MOST_REALS];
    const double *others; /* discrete variables: the values of those that do not change */
} reals;

static const sym_discrete *variable(const settling *e, size_t i)
{
    return &e->s->system->discrete.variable.item[i];
}

static double cell(const settling *e, size_t i)
{
    return sym_cell_value(e->s->system->graph, variable(e, i)->cell);
}

/* The variables that differ from those before. False: there is none, or one that is no Real. */
static bool find_changed(reals *r)
{
    const settling *e = r->e;
    size_t count = e->s->system->discrete.variable.count;
    for (size_t i = 0; i < count; i++) {
        if (cell(e, i) == r->others[i]) continue;
        if (variable(e, i)->type != SYM_REAL_TYPE || variable(e, i)->is_condition ||
            r->count == MOST_REALS)
            return false;
        r->variable[r->count++] = i;
    }
    return r->count > 0;
}

static void set(const reals *r, const double *value)
{
    const settling *e = r->e;
    size_t count = e->s->system->discrete.variable.count;
    for (size_t i = 0, k = 0; i < count; i++) {
        bool ours = k < r->count && r->variable[k] == i;
        sym_set_cell(e->s->system->graph, variable(e, i)->cell, ours ? value[k++] : r->others[i]);
    }
}

/* G at these values. *alone: no other variable has changed. */
static dae_status evaluate(reals *r, const double *value, double *given, bool *alone)
{
    bool stays;
    set(r, value);
    dae_status status = search_solve_once(r->e, &stays);
    *alone = status == DAE_OK;
    if (status != DAE_OK) return status;
    size_t count = r->e->s->system->discrete.variable.count;
    for (size_t i = 0, k = 0; i < count; i++) {
        if (k < r->count && r->variable[k] == i) {
            given[k++] = cell(r->e, i);
            *alone = *alone && isfinite(given[k - 1]);
        } else
            *alone = *alone && cell(r->e, i) == r->others[i];
    }
    return DAE_OK;
}

static bool is_settled(const reals *r)
{
    for (size_t k = 0; k < r->count; k++)
        if (!(fabs(r->given[k] - r->value[k]) <= ROUND_OFF_ITERATED * r->size[k])) return false;
    return true;
}

/* d becomes a better one: (G' - 1) dd = d - G(d). *alone: it has; false also where G' - 1 is
 * singular. */
static dae_status correct(reals *r, bool *alone)
{
    double slope[MOST_REALS * MOST_REALS], beside[MOST_REALS], miss[MOST_REALS];
    int n = (int)r->count, one = 1, pivot[MOST_REALS], info;
    for (size_t j = 0; j < r->count; j++) {
        double kept = r->value[j], change = CHANGE * (r->size[j] > 0 ? r->size[j] : 1);
        r->value[j] = kept + change;
        change = r->value[j] - kept;
        dae_status status = evaluate(r, r->value, beside, alone);
        r->value[j] = kept;
        if (status != DAE_OK || !*alone) return status;
        for (size_t k = 0; k < r->count; k++)
            slope[j * r->count + k] = (beside[k] - r->given[k]) / change - (k == j);
    }
    for (size_t k = 0; k < r->count; k++) miss[k] = r->value[k] - r->given[k];
    dgetrf_(&n, &n, slope, &n, pivot, &info);
    *alone = info == 0;
    if (info != 0) return DAE_OK;
    dgetrs_("N", &n, &one, slope, &n, pivot, miss, &n, &info, 1);
    for (size_t k = 0; k < r->count; k++) {
        r->value[k] += miss[k];
        r->size[k] = fmax(r->size[k], fabs(r->value[k]));
    }
    return evaluate(r, r->value, r->given, alone);
}

/* From the values before the event, as those of the iteration may be far from any solution. */
static dae_status begin(reals *r, bool *alone)
{
    for (size_t k = 0; k < r->count; k++)
        r->value[k] = sym_cell_value(r->e->s->system->graph, variable(r->e, r->variable[k])->pre);
    dae_status status = evaluate(r, r->value, r->given, alone);
    for (size_t k = 0; status == DAE_OK && k < r->count; k++)
        r->size[k] = fmax(fabs(r->value[k]), fabs(r->given[k]));
    return status;
}

/* The variables keep the values with which the equations were solved. */
static dae_status solve(reals *r, bool *stays)
{
    bool alone;
    dae_status begun = begin(r, &alone);
    if (begun != DAE_OK) return begun;
    for (int i = 0; i < MOST_CORRECTIONS && alone; i++) {
        dae_status status = correct(r, &alone);
        if (status != DAE_OK) return status;
        if (!alone || !is_settled(r)) continue;
        set(r, r->value);
        *stays = true;
        return DAE_OK;
    }
    return DAE_OK;
}

dae_status search_settle_reals(settling *e, const double *before, bool *stays)
{
    reals r = {.e = e, .others = before};
    bool changed = !*stays && find_changed(&r);
    e->unsettled = changed ? e->unsettled + 1 : 0;
    if (e->unsettled <= r.count) return DAE_OK;
    e->unsettled = 0;
    dae_status status = solve(&r, stays);
    e->open = *stays ? NULL : variable(e, r.variable[0]);
    return status;
}
