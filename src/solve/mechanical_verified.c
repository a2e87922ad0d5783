/* Checks the derivatives of constraints that a mechanical form gives before they are used. */
#include "solve/mechanical_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Another state for the checks, because at the start itself many terms are 0. REACH is its distance
 * in parts of the sizes, LATER its delay in units of time. */

static dae_status refuse(const mechanical_simulation *k, double t, const mechanical_fault *f)
{
    message *m = k->base.solver.message;
    bool of_one = f->column != PROBLEM_NOWHERE;
    message_replace(m, DAE_USAGE,
                    "the mechanical form is wrong: %s%s%s is %.6g in %s at t = %.9g, and "
                    "differences of %s give %.6g",
                    f->member, of_one ? " by " : "", of_one ? k->form->variable[f->column] : "",
                    f->given, k->equation[f->row], t, f->of, f->found);
    return DAE_USAGE;
}

/* Checks at some states z (q, v) and their times. gamma is checked last, because it follows from
 * the others. */
static dae_status look(const mechanical_simulation *k, const double *t, double *const *z,
                       int states, double unit)
{
    dae_status status = DAE_OK;
    for (int i = 0; status == DAE_OK && i < 2 * states; i++) {
        const double *q = z[i % states], *v = i < states ? NULL : q + k->form->nq;
        mechanical_fault fault;
        status = mechanical_verify(k->system, t[i % states], q, v, unit,
                                   simulation_allows_off(&k->base), &fault);
        if (status == DAE_OK && fault.member) return refuse(k, t[i % states], &fault);
    }
    return status;
}

/* Makes coordinates and velocities near the start. Where no start was found, they are near what was
 * given for it. */
static void go_beside(const mechanical_simulation *k, bool found, double *z)
{
    const mechanical_form *f = k->form;
    for (size_t j = 0; !found && j < f->nq + f->nv; j++)
        z[j] = isnan(k->base.start[j]) ? 0 : k->base.start[j];
    start_go_beside(f->nq + f->nv, found ? k->base.value : z, f->nominal, z);
}

/* The unit of time; a second where none is found. */
static double unit_at(const mechanical_simulation *k, double t, const double *z, bool with_yp)
{
    double unit = 1;
    const double *vp = with_yp ? k->point.vp : NULL;
    dae_status status = mechanical_time_unit(k->system, t, z, z + k->form->nq, vp, &unit);
    return status == DAE_OK ? unit : 1;
}

static dae_status report(const mechanical_simulation *k, dae_status status, const char *where,
                         double t)
{
    if (status == DAE_OK || status == DAE_USAGE) return status;
    return message_fail(k->base.solver.message, status, "at the %s, t = %.9g: %s", where, t,
                        dae_status_meaning(status));
}

/* Checks at the start and beside it. If there is a start, the point beside it is on the constraints
 * too: there each constraint has its own gradient, whatever multiple of it the author writes
 * elsewhere. */
dae_status mechanical_simulation_verify(simulation *c, double t, dae_status search)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    const mechanical_form *f = k->form;
    bool found = search == DAE_OK, hopeless = search == DAE_NO_MEMORY || search == DAE_STOPPED;
    if (f->constraints == 0 || hopeless) return search;
    double *beside = malloc((f->nq + f->nv) * sizeof *beside);
    if (!beside) return report(k, DAE_NO_MEMORY, "start", t);
    go_beside(k, found, beside);
    double *const states[] = {beside, k->base.value};
    double unit = unit_at(k, t, found ? k->base.value : beside, found);
    const double times[] = {start_time_beside(t, unit), t};
    dae_status status = DAE_OK;
    if (found) status = mechanical_project(k->system, times[0], beside, beside + f->nq, false);
    /* The projection may have failed because of wrong gradients. */
    if (status != DAE_OK) go_beside(k, found, beside);
    if (status != DAE_STOPPED && status != DAE_NO_MEMORY)
        status = look(k, times, states, 1 + found, unit);
    free(beside);
    return status == DAE_OK ? search : report(k, status, "start", t);
}

static dae_status look_at_invariants(const mechanical_simulation *k, double t, const double *q,
                                     const double *v)
{
    invariant_fault fault;
    dae_status status = mechanical_verify_invariants(k->system, t, q, v,
                                                     simulation_allows_off(&k->base), &fault);
    if (status != DAE_OK || !fault.wrong) return status;
    return start_refuse_invariant(&k->base, t, &fault, "mechanical", "invariant",
                                  "invariant_gradient");
}

/* Some functions are invariant only where all invariants have their values of the start, so the
 * state is brought there first. */
static dae_status look_beside(mechanical_simulation *k, double t, double *beside)
{
    const mechanical_form *f = k->form;
    double unit = unit_at(k, t, k->base.value, true), *q = beside, *v = beside + f->nq;
    size_t before = k->system->unkept;
    go_beside(k, true, beside);
    dae_status status = mechanical_project(k->system, start_time_beside(t, unit), q, v, false);
    if (status == DAE_OK)
        status = mechanical_keep(k->system, start_time_beside(t, unit), q, v, k->kept,
                                 MECHANICAL_NOMINAL, 0);
    bool met = status == DAE_OK && k->system->unkept == before;
    k->system->unkept = before;
    if (met) return look_at_invariants(k, start_time_beside(t, unit), q, v);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

static bool keeps_invariants(const mechanical_simulation *k)
{
    bool kept = k->way != MECHANICAL_NOTHING && k->way != MECHANICAL_SETTLED;
    return kept && k->system->invariants > 0;
}

dae_status mechanical_simulation_verify_invariants(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    const mechanical_form *f = k->form;
    if (!keeps_invariants(k)) return DAE_OK;
    double *beside = malloc((f->nq + f->nv) * sizeof *beside);
    if (!beside) return report(k, DAE_NO_MEMORY, "start", t);
    dae_status status = look_beside(k, t, beside);
    free(beside);
    if (status == DAE_OK) status = look_at_invariants(k, t, k->point.q, k->point.v);
    return report(k, status, "start", t);
}

/* Checks again at the end of a run, because what was 0 or right at the start may differ there. */
dae_status mechanical_simulation_verify_end(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    double *const state[] = {c->value};
    dae_status status = DAE_OK;
    if (k->form->constraints > 0) status = look(k, &t, state, 1, unit_at(k, t, c->value, true));
    if (status == DAE_OK && keeps_invariants(k))
        status = look_at_invariants(k, t, c->value, c->value + k->form->nq);
    return report(k, status, "end", t);
}
