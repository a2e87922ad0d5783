/* The start of a C program's equations: start values are searched for, or taken as given. */
#include "initial/consistent.h"
#include "initial/reduced_start.h"
#include "method/catalogue.h"
#include "solve/callback_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Refuses formulations and projections that exist only for models or other forms. */
static dae_status refuse_options(const callback_simulation *k)
{
    const dae_options *o = k->base.solver.options;
    message *m = k->base.solver.message;
    if (!option_is(o->formulation, "auto") && !option_is(o->formulation, "direct") &&
        !option_is(o->formulation, "index1"))
        return message_fail(m, DAE_UNSUPPORTED,
                            "formulation %s is one of models and of mechanical systems: the "
                            "equations of a C program are integrated as they are (formulation "
                            "direct), or reduced by differences (index1)",
                            o->formulation);
    if (option_is(o->projection, "embedded") && k->equations->invariants == 0)
        return message_fail(m, DAE_UNSUPPORTED,
                            "projection embedded stabilises the invariants of an ODE, and this "
                            "problem declares none: give them in the invariant form");
    return DAE_OK;
}

/* Prepares the callbacks near a start; y (n) is NAN where it is not known. */
static dae_status set_to_work(callback_simulation *k, double t, const double *y)
{
    message *m = k->base.solver.message;
    const equations *e = k->equations;
    dae_status status = DAE_OK;
    if (callback_simulation_begin_again(k, t, y)) return DAE_OK;
    callback_simulation_clear(k);
    if (simulation_projects_by(&k->base, "embedded")) {
        status = embedded_create(&k->embedded, e);
        if (status == DAE_OK) e = k->embedded.wrapped;
    }
    if (status == DAE_OK) status = callbacks_create(&k->callbacks, e, t, y, m);
    if (status == DAE_OK) status = violation_create(&k->violation, k->equations, t, y);
    if (status == DAE_OK) k->base.problem = callbacks_problem(k->callbacks);
    return message_status(m, status);
}

/* Of a search that found nothing. */
static dae_status take_failure(callback_simulation *k, message *collected)
{
    int code = 0;
    const char *refused = callbacks_refused(k->callbacks, &code);
    if (collected->status != DAE_NO_START || !refused || code <= 0)
        return start_take_failure(&k->base, collected);
    message_free(collected);
    return message_fail(k->base.solver.message, DAE_NO_START,
                        "no consistent initial values found: the callback %s cannot be "
                        "evaluated at the start values (it returned %d)\n  remedy: give start "
                        "values at which it can",
                        refused, code);
}

/* Whether all values are given and meet all equations without derivatives. */
static bool is_met(callback_simulation *k, double t)
{
    violations found = {0};
    memset(k->z, 0, 2 * k->base.n * sizeof *k->z);
    for (size_t j = 0; j < k->base.n; j++)
        if (isnan(k->base.start[j])) return false;
    return violation_raise(&k->violation, t, k->base.start, k->z, &found) == DAE_OK &&
           found.algebraic <= INITIAL_TOLERANCE;
}

/* Values that already meet the equations are kept to the last bit. */

static dae_status search_once(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    callback_start_free(k->search);
    k->search = NULL;
    dae_status status = callback_start_create(&k->search, k->callbacks, k->base.start, NULL);
    if (status != DAE_OK) return message_status(c->solver.message, status);
    /* Receives notes written for models; they do not fit these equations and are dropped. */
    message collected = {0};
    start_system system = *callback_start_system(k->search);
    if (is_met(k, t)) system.held = system.variable;
    if (start_search(c, &system, t, k->z, &collected) != DAE_OK) return take_failure(k, &collected);
    message_free(&collected);
    callback_simulation_take(k);
    return DAE_OK;
}

/* Where an index above 1 is found, the search is repeated so that the derivatives of constraints
 * are met as well. */
static dae_status callback_search(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    dae_status status = search_once(k, t);
    k->index_found = status == DAE_OK && callback_simulation_find_index(k, t);
    return k->index_found ? search_once(k, t) : status;
}

/* Notes which values the start changed and which it chose. The second note is left out where the
 * search did not see all the equations that determine values. */
static dae_status callback_note(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    start_notes notes = {.simulation = c,
                         .n = c->n,
                         .counts = c->problem->dynamic,
                         .found = c->y}; /* the reduction may have undone changes of the search */
    start_note_changes(&notes);
    if (k->left_open || (k->reduced && callback_reduced_index(k->reduced) > 2)) return DAE_OK;
    const start_system *system = callback_start_system(k->search);
    notes.found = k->z;
    return start_note_open(&notes, &system, 1, t);
}

int callback_simulation_index(const equations *e)
{
    int highest = 1;
    for (size_t j = 0; j < e->n; j++)
        if (e->index[j] > highest) highest = e->index[j];
    if (highest > 1) return highest;
    return e->row->differential ? 0 : -1;
}

/* Records the values that the invariants are to keep. */
static dae_status begin_invariants(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    dae_status status = invariant_levels_create(&k->invariants, k->callbacks);
    if (status == DAE_OK) status = invariant_levels_begin(k->invariants, t, c->y);
    if (status != DAE_OK)
        return message_fail(c->solver.message, status, "the invariants at the start: %s",
                            dae_status_meaning(status));
    c->levels = invariant_levels_form(k->invariants);
    c->constraint_levels = 1;
    if (!k->embedded.wrapped) return DAE_OK;
    status = embedded_begin(&k->embedded, c->levels);
    if (status != DAE_OK) return message_fail(c->solver.message, status, "memory is exhausted");
    simulation_reason(c, "their equations draw the state to the invariants");
    return DAE_OK;
}

static dae_status refuse_constraints(const callback_simulation *k, const char *why)
{
    return message_fail(k->base.solver.message, DAE_UNSUPPORTED, "projection %s needs %s",
                        k->base.solver.options->projection, why);
}

/* Makes constraint levels of the constraints among the equations, for a projection that was asked
 * for. */
static dae_status begin_constraints(callback_simulation *k)
{
    simulation *c = &k->base;
    for (size_t j = 0; j < c->n; j++)
        if (c->problem->index[j] > 2)
            return refuse_constraints(
                k, "hidden constraints. From the values of a C program's equations they are found "
                   "up to index 2 only, and the index here is 3: write a model");
    dae_status status = callback_levels_create(&k->constraints, k->violation.callbacks,
                                               simulation_projects_by(c, "least-squares"));
    if (status != DAE_OK) return message_fail(c->solver.message, status, "memory is exhausted");
    c->levels = callback_levels_form(k->constraints);
    if (c->levels) return DAE_OK;
    return refuse_constraints(
        k, "constraints, that is equations without derivatives and algebraic variables, and this "
           "problem has none: declare what solutions keep by themselves in the invariant form");
}

/* Whether equations of an index above 1 are reduced to index 1. They are not where the options ask
 * for the direct formulation or a projection, or name a method that only takes the equations as
 * given. */
static bool is_to_be_reduced(const callback_simulation *k)
{
    const dae_options *o = k->base.solver.options;
    if (!option_is(o->formulation, "index1") && !option_is(o->formulation, "auto")) return false;
    if (!option_is(o->projection, "auto") || k->equations->invariants || k->embedded.wrapped)
        return false;
    const method_row *row = catalogue_find(o->method, strlen(o->method));
    return !row || row->family != METHOD_HALF_EXPLICIT;
}

/* Reduces the equations to index 1 where their index is higher. Finding the index belongs to the
 * start; its calls of the callbacks do not count for the run. */
static dae_status reduce(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    message *m = c->solver.message;
    problem *direct = callbacks_problem(k->callbacks);
    const problem_counts counts = direct->counts;
    if (callback_simulation_is_explicit(k, t, c->y, c->yp) ||
        callback_simulation_is_semi_explicit(k, t, c->y, c->yp)) {
        direct->counts = counts;
        return DAE_OK;
    }
    dae_status status = callback_simulation_reduce(k, t);
    direct->counts = counts;
    if (status != DAE_OK) return message_status(m, status);
    if (!k->reduced && option_is(c->solver.options->formulation, "index1"))
        message_note(m, "formulation index1: no index of 2 or 3 is seen beyond doubt in the "
                        "derivatives of these equations, and they are integrated as given");
    if (!k->reduced) return DAE_OK;
    c->formulation = "index1";
    c->problem = callback_reduced_problem(k->reduced);
    c->solver.stats->index = callback_reduced_index(k->reduced);
    simulation_reason(
        c,
        "their index is %d: with their derivatives along the solution, by differences, "
        "they are reduced to index 1",
        callback_reduced_index(k->reduced));
    return DAE_OK;
}

/* Refuses equations whose index above 1 the author has not declared, or whose index is 3, if their
 * ranks are in doubt. Integrated as given, such equations may be wrong by any amount without a
 * sign: methods lose orders or diverge where kernels move, and errors of index-3 variables are not
 * controlled. */
static dae_status refuse_unreduced(callback_simulation *k)
{
    message *m = k->base.solver.message;
    message_fail(m, DAE_UNSUPPORTED, "%s", "");
    if (callback_simulation_report_beyond(&k->base, &m->sentence)) {
        callback_simulation_report_index(k);
        return m->status;
    }
    message_more(m, "these equations have an index above 1 (");
    callback_simulation_name_index(k, &m->sentence);
    message_more(m, "), and differences at the start do not show how to reduce them to index 1: "
                    "ranks are in doubt there. Integrated as given, they could be wrong without a "
                    "sign\n  remedy: give exact derivatives (jacobian), or sizes "
                    "of the variables (about.nominal), or start elsewhere, or give the equations "
                    "as a model in text; formulation direct integrates them as they are");
    return m->status;
}

static void take_index(callback_simulation *k)
{
    simulation *c = &k->base;
    long *index = &c->solver.stats->index;
    *index = callback_simulation_index(k->equations);
    for (size_t j = 0; j < c->n; j++)
        if (c->problem->index[j] > 1 && c->problem->index[j] > *index)
            *index = c->problem->index[j];
}

/* Newton's iterations tolerate a wrong Jacobian, and a note is enough; but an index, the hidden
 * constraints with it, and what start values become because of these, are those of other equations
 * then. */
static dae_status refuse_misled(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    message told = {0};
    (void)callbacks_check_jacobian(k->callbacks, t, c->y, c->yp, &told);
    size_t length = told.notes.length;
    message_fail(c->solver.message, DAE_USAGE,
                 "an index above 1 was found by derivatives that are wrong: %.*s",
                 (int)(length > 0 ? length - 1 : 0), text_string(&told.notes));
    message_free(&told);
    return c->solver.message->status;
}

/* At the given start, where no other one was found: a wrong Jacobian may be the reason. */
static void check_given(callback_simulation *k, double t)
{
    const simulation *c = &k->base;
    for (size_t j = 0; j < c->n; j++)
        if (isnan(c->start[j])) return;
    memset(k->z, 0, 2 * c->n * sizeof *k->z);
    (void)callbacks_check_jacobian(k->callbacks, t, c->start, k->z, c->solver.message);
}

/* The rest of the start, from consistent (y, y'). */
static dae_status callback_verify_jacobian(simulation *c, double t, dae_status search)
{
    callback_simulation *k = (callback_simulation *)c;
    if (search == DAE_NO_START && k->callbacks) check_given(k, t);
    if (search != DAE_OK) return search;
    if (!k->checked)
        k->misled = !callbacks_check_jacobian(k->callbacks, t, c->y, c->yp, c->solver.message);
    k->checked = true;
    return k->misled && k->index_found ? refuse_misled(k, t) : DAE_OK;
}

static bool is_projected(const callback_simulation *k)
{
    const char *projected = k->base.solver.options->projection;
    return !option_is(projected, "auto") && !option_is(projected, "none") && !k->embedded.wrapped;
}

/* Whether the search for the start may have left algebraic variables open. An index that the author
 * declares may be too low; systems of moderate size are examined whatever it is. */
static bool may_be_open(const callback_simulation *k)
{
    const simulation *c = &k->base;
    const problem *p = callbacks_problem(k->callbacks);
    bool algebraic = false, small = c->n <= CALLBACK_REDUCED_LARGEST;
    for (size_t j = 0; j < c->n; j++) algebraic = algebraic || !p->dynamic[j];
    if (k->reduced || !k->search || !algebraic) return false;
    return c->solver.stats->index > 1 || (small && !is_to_be_reduced(k));
}

/* From (y, y') on. */
static dae_status callback_formulate(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    c->constraint_levels = k->violation.algebraic > 0;
    c->constraint[0] = 0;
    c->formulation = "direct";
    k->left_open = false;
    memset(k->open, 0, c->n * sizeof *k->open);
    take_index(k);
    simulation_reason(c, "equations of a C program in the %s form", k->equations->row->name);
    dae_status status = DAE_OK;
    if (k->equations->invariants)
        status = begin_invariants(k, t);
    else if (is_projected(k))
        status = begin_constraints(k);
    if (status == DAE_OK && is_to_be_reduced(k)) status = reduce(k, t);
    if (status == DAE_OK && k->reduced && k->misled) return refuse_misled(k, t);
    bool tried = c->n <= CALLBACK_REDUCED_LARGEST && is_to_be_reduced(k);
    bool doubtful = k->index_found || c->solver.stats->index > 2;
    if (status == DAE_OK && tried && !k->reduced && doubtful) return refuse_unreduced(k);
    if (status == DAE_OK && tried && !k->reduced)
        status = callback_simulation_refuse_singular(k, t);
    if (status == DAE_OK && may_be_open(k)) status = callback_simulation_find_open(k, t, !tried);
    if (!k->reduced) simulation_reason(c, "integrated as given");
    if (k->index_found && !k->reduced) callback_simulation_report_index(k);
    return status;
}

static dae_status callback_choose_projection(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    (void)t;
    dae_status status = simulation_create_projection(c, is_projected(k), is_projected(k));
    if (k->reduced && c->solver.options->step == 0) c->project_steps = true;
    if (status == DAE_OK && k->embedded.wrapped) c->solver.stats->projection = "embedded";
    return status;
}

static dae_status callback_take(simulation *c, double t)
{
    callback_simulation *k = (callback_simulation *)c;
    dae_status status = refuse_options(k);
    if (status != DAE_OK) return status;
    return set_to_work(k, t, k->base.start);
}

static bool callback_is_differentiated(const simulation *c, size_t j)
{
    return c->problem->dynamic[j];
}

static dae_status callback_accept(simulation *c, double t, const double *y, const double *yp,
                                  double *miss, text *where)
{
    callback_simulation *k = (callback_simulation *)c;
    violations found = {0};
    memcpy(c->y, y, c->n * sizeof *y);
    for (size_t j = 0; j < c->n; j++) c->yp[j] = c->problem->dynamic[j] ? yp[j] : 0;
    dae_status status = violation_raise(&k->violation, t, c->y, c->yp, &found);
    if (status != DAE_OK) return message_status(c->solver.message, status);
    *miss = found.equation;
    c->problem->form->name_equation(c->problem->self, found.row, where);
    k->index_found = callback_simulation_find_index(k, t);
    return DAE_OK;
}

/* Checks at z (y, and room for y'). Some functions are invariant only where all invariants have
 * their values of the start, so the state is brought there before the rates are checked. */
static dae_status look(callback_simulation *k, projection *bring, double t, double *z)
{
    const simulation *c = &k->base;
    double allowed = simulation_allows_off(c);
    invariant_fault fault;
    dae_status status = invariant_levels_check(k->invariants, t, z, allowed, false, &fault);
    if (status == DAE_OK && !fault.wrong) {
        status = projection_meet(bring, t, z);
        if (status == DAE_OK)
            status = invariant_levels_check(k->invariants, t, z, allowed, true, &fault);
        else if (status != DAE_STOPPED && status != DAE_NO_MEMORY)
            return DAE_OK;
    }
    if (status != DAE_OK || !fault.wrong) return status;
    bool by_yp = k->equations->form.invariant.c == NULL;
    return start_refuse_invariant(c, t, &fault, "invariant", by_yp ? "c_with_yp" : "c", "c_y");
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

/* Checks the invariants, if states are drawn to them. */
static dae_status verify(callback_simulation *k, double t, const double *y, bool beside)
{
    if (!k->invariants || !(k->base.projection || k->embedded.wrapped)) return DAE_OK;
    problem *direct = callbacks_problem(k->callbacks);
    const problem_counts counts = direct->counts;
    dae_status status = look_around(k, t, y, beside);
    direct->counts = counts;
    if (status == DAE_OK || status == DAE_USAGE) return status;
    return message_fail(k->base.solver.message, status, "the invariants at t = %.9g: %s", t,
                        dae_status_meaning(status));
}

static dae_status callback_verify_invariants(simulation *c, double t)
{
    return verify((callback_simulation *)c, t, c->y, true);
}

dae_status callback_simulation_verify_end(simulation *c, double t)
{
    return verify((callback_simulation *)c, t, c->value, false);
}

const start_stages callback_simulation_stages = {
    .take = callback_take,
    .search = callback_search,
    .accept = callback_accept,
    .is_differentiated = callback_is_differentiated,
    .verify_derivatives = callback_verify_jacobian,
    .formulate = callback_formulate,
    .project = callback_choose_projection,
    .verify_invariants = callback_verify_invariants,
    .note = callback_note,
};
