/* Checks the invariants that a C program declares before states are drawn to them. */
#include "solve/callback_simulation.h"
#include "solve/start_stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The second point of the check. At the start itself many terms are 0. REACH is its distance from
 * the start, relative to the sizes of the variables. LATER is its delay, relative to the time in
 * which the fastest variable changes by its size. */

static dae_status refuse(const callback_simulation *k, double t, const invariant_fault *f)
{
    message *m = k->base.solver.message;
    bool by_yp = k->equations->form.invariant.c == NULL;
    message_replace(m, DAE_USAGE, "the invariant form is wrong: ");
    invariant_fault_report(f, t, by_yp ? "c_with_yp" : "c", "c_y",
                           f->changes ? NULL : k->equations->variable[f->column], &m->sentence);
    return DAE_USAGE;
}

static bool is_drawn_to_invariants(const callback_simulation *k)
{
    return k->invariants && (k->base.projection || k->embedded);
}

/* Checks at z (y, and room for y'). Some functions are invariant only where all invariants have
 * their values of the start, so the state is brought there before the rates are checked. */
static dae_status look(callback_simulation *k, projection *bring, double t, double *z)
{
    invariant_fault fault;
    double allowed = simulation_allows_off(&k->base);
    dae_status status = invariant_levels_check(k->invariants, t, z, allowed, false, &fault);
    if (status == DAE_OK && fault.wrong) return refuse(k, t, &fault);
    if (status != DAE_OK) return status;
    status = projection_meet(bring, t, z);
    if (status != DAE_OK) return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
    status = invariant_levels_check(k->invariants, t, z, allowed, true, &fault);
    return status == DAE_OK && fault.wrong ? refuse(k, t, &fault) : status;
}

/* In which the fastest variable goes as far as its size. */
static double unit_of_time(const callback_simulation *k)
{
    const simulation *c = &k->base;
    double rate = 0;
    for (size_t j = 0; j < c->n; j++)
        rate = fmax(rate, fabs(c->yp[j]) / fmax(fabs(c->y[j]), c->nominal[j]));
    return rate > 0 && isfinite(rate) ? 1 / rate : 1;
}

/* Checks at y (n), and beside it where y is the start. */
static dae_status look_around(callback_simulation *k, double t, const double *y, bool beside)
{
    size_t n = k->base.n;
    projection *bring = NULL;
    double *z = calloc(2 * n, sizeof *z);
    dae_status status = z ? projection_create(&bring, k->base.levels, PROJECTION_COORDINATE)
                          : DAE_NO_MEMORY;
    if (status == DAE_OK) {
        memcpy(z, y, n * sizeof *y);
        status = look(k, bring, t, z);
    }
    if (status == DAE_OK && beside) {
        start_go_beside(n, y, k->base.nominal, z);
        status = look(k, bring, start_time_beside(t, unit_of_time(k)), z);
    }
    projection_free(bring);
    free(z);
    return status;
}

static dae_status verify(callback_simulation *k, double t, const double *y, bool beside)
{
    problem *direct = callbacks_problem(k->callbacks);
    const problem_counts counts = direct->counts;
    dae_status status = look_around(k, t, y, beside);
    direct->counts = counts;
    if (status == DAE_OK || status == DAE_USAGE) return status;
    return message_fail(k->base.solver.message, status, "the invariants at t = %.9g: %s", t,
                        dae_status_meaning(status));
}

dae_status callback_simulation_verify(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    return is_drawn_to_invariants(k) ? verify(k, t, c->y, true) : DAE_OK;
}

dae_status callback_simulation_verify_end(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    return is_drawn_to_invariants(k) ? verify(k, t, c->value, false) : DAE_OK;
}
