#include "solve/mechanical_simulation.h"

#include "formulation/dependent_constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The simulation of the mechanical system that `c` follows: itself, or that of a model. */
static mechanical_simulation *followed(const simulation *c)
{
    return (mechanical_simulation *)(c->followed ? c->followed : c);
}

dae_status mechanical_simulation_accelerate(mechanical_simulation *k, double t)
{
    const mechanical_point *p = &k->point;
    bool frozen = k->way == MECHANICAL_POST;
    return (frozen ? mechanical_accelerate_nearby : mechanical_accelerate)(k->system, t, p->q, p->v,
                                                                           p->vp, p->lambda);
}

/* Sets k->change to the change that meets the linearised constraints, from k->level, with the
 * present factors. */
static void correction(mechanical_simulation *k, size_t constraints)
{
    const mechanical_form *f = k->form;
    memset(k->change, 0, (f->nv + f->constraints) * sizeof *k->change);
    for (size_t i = 0; i < constraints; i++) k->change[f->nv + i] = -k->level[i];
    mechanical_solve(k->system, 0, k->change);
}

/* Post-stabilisation (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131): corrects positions and
 * velocities with one factorisation, made at the uncorrected end of the step. Accelerations then
 * use the same factors. */
static dae_status correct(mechanical_simulation *k, double t)
{
    const mechanical_form *f = k->form;
    const mechanical_point *p = &k->point;
    dae_status status = mechanical_evaluate(k->system, t, p->q);
    if (status == DAE_OK) status = mechanical_factor(k->system, 0, 1, 0, 0);
    for (int i = 0; status == DAE_OK && i < k->corrections; i++) {
        status = mechanical_position(k->system, t, p->q, k->level);
        if (status != DAE_OK) return status;
        correction(k, f->holonomic);
        status = mechanical_kinematics(k->system, t, p->q, k->change, k->step);
        for (size_t j = 0; j < f->nq; j++) p->q[j] += k->step[j];
        if (status == DAE_OK) status = mechanical_velocity(k->system, t, p->q, p->v, k->level);
        if (status != DAE_OK) return status;
        correction(k, f->constraints);
        for (size_t j = 0; j < f->nv; j++) p->v[j] += k->change[j];
    }
    return status;
}

static dae_status project(mechanical_simulation *k, double t)
{
    if (k->way == MECHANICAL_POST) return correct(k, t);
    double *q = k->point.q, *v = k->point.v;
    dae_status status = k->way == MECHANICAL_AT_ONCE
                            ? mechanical_project_together(k->system, t, q, v)
                            : mechanical_project(k->system, t, q, v, k->way == MECHANICAL_BY_MASS);
    return status == DAE_NO_START ? DAE_CONSTRAINT : status;
}

/* Brings k->point back to the constraints on positions and velocities, and to the invariants. */
static dae_status bring_back(mechanical_simulation *k, double t)
{
    bool post = k->way == MECHANICAL_POST;
    mechanical_norm norm = post                           ? MECHANICAL_FROZEN
                           : k->way == MECHANICAL_BY_MASS ? MECHANICAL_MASS
                                                          : MECHANICAL_NOMINAL;
    size_t before = k->system->unkept;
    dae_status status = project(k, t);
    if (status == DAE_OK && k->way != MECHANICAL_NOTHING)
        status = mechanical_keep(k->system, t, k->point.q, k->point.v, k->kept, norm,
                                 post ? k->corrections : 0);
    if (before == 0 && k->system->unkept > 0)
        simulation_reason(&k->base,
                          "at t = %.4g, and wherever this happens again, no velocities nearby keep "
                          "the invariants: they stay as they are",
                          t);
    return status;
}

/* Computes k->point from the engine's variables; `wanted`: brought back to the constraints. */
static dae_status lift(mechanical_simulation *k, double t, const double *y, const double *yp,
                       bool wanted)
{
    bool away = k->formulation->away && k->base.segment_formulation == k->base.formulation_number;
    bool back = wanted && !away;
    k->formulation->at = k->base.segment_formulation;
    dae_status status = k->formulation->ops->lift(k->formulation, t, y, yp, &k->point);
    if (status == DAE_OK && back && k->way != MECHANICAL_SETTLED) status = bring_back(k, t);
    bool left = k->way != MECHANICAL_NOTHING && !away;
    bool of_formulation = k->formulation->ops->holds_multipliers ||
                          k->formulation->ops->lifts_forces;
    bool known = of_formulation && !left && !back;
    if (status != DAE_OK || known) return status;
    return mechanical_simulation_accelerate(k, t);
}

/* Whether each step of the method ends on all levels without projection. */
static bool is_tangent(const mechanical_simulation *k)
{
    return k->structural && k->structural->level == 0;
}

/* Fills y' of the author's variables: q' = S v, and v'. */
static dae_status fill_yp(mechanical_simulation *k, double t)
{
    simulation *c = &k->base;
    size_t nq = k->form->nq, nv = k->form->nv;
    memcpy(c->value_yp + nq, k->point.vp, nv * sizeof *c->value_yp);
    for (size_t j = nq + nv; j < c->n; j++) c->value_yp[j] = (double)NAN;
    return mechanical_kinematics(k->system, t, c->value, k->point.v, c->value_yp);
}

static dae_status mechanical_simulation_evaluate(simulation *c, double t, const double *y,
                                                 const double *yp, simulation_place where)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    bool passed = c->segment_modes != c->mode_number; /* the functions have other modes than then */
    bool left = (where == SIMULATION_WITHIN && !passed) ||
                (where == SIMULATION_STEP_END && c->keep_values);
    bool back = left && (k->way != MECHANICAL_NOTHING || is_tangent(k));
    dae_status status = lift(k, t, y, yp, back);
    return status == DAE_OK ? fill_yp(k, t) : status;
}

dae_status mechanical_simulation_project(simulation *c, double t, const double *y, const double *yp)
{
    mechanical_simulation *k = followed(c);
    k->base.segment_formulation = k->base.formulation_number;
    dae_status status = lift(k, t, y, yp, true);
    if (status == DAE_OK)
        status = k->formulation->ops->lower(k->formulation, t, &k->point, c->y, c->yp);
    if (status == DAE_OK) simulation_keep_values(c, y);
    return status;
}

/* Whether the formulation has found a new value of a parameter. */
static bool observe(mechanical_simulation *k, double t, const double *y)
{
    mechanical_formulation *own = k->formulation;
    const mechanical_formulation_ops *row = own->ops;
    const formulation_parameter *p = row->observe ? row->observe(own, t, y) : NULL;
    if (p)
        simulation_reason(&k->base, "%s with %s = %.3g %s from t = %.4g on", row->name, p->name,
                          own->parameter[p - row->parameter], p->unit, t);
    return p != NULL;
}

/* Where a parameter has a new value, the state is first brought back to the constraints. Otherwise
 * accelerations would jump by the parameter's effect on missed constraints. */
static dae_status mechanical_simulation_renew(simulation *c, double t, const double *y,
                                              const double *yp, bool *renewed)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    mechanical_formulation *own = k->formulation;
    bool found = observe(k, t, y), degraded = !is_tangent(k) && own->ops->quality &&
                                              own->ops->quality(own, t, y) < k->renew_below;
    *renewed = found || degraded;
    if (!*renewed) return DAE_OK;
    c->segment_formulation = c->formulation_number;
    dae_status status = lift(k, t, y, yp, found);
    if (status == DAE_OK && degraded) {
        status = own->ops->renew(own, t, &k->point);
        k->system->bad_row = own->mechanical->bad_row;
    }
    if (status == DAE_NO_START) status = DAE_CONSTRAINT;
    if (status == DAE_OK) status = own->ops->lower(own, t, &k->point, c->y, c->yp);
    c->formulation_number = own->renewals;
    if (own->away && !k->reported_away)
        simulation_reason(c,
                          "near t = %.6g constraints come to depend on others: they are left out "
                          "near such configurations, and their multipliers are 0 there",
                          t);
    k->reported_away = k->reported_away || own->away;
    return status;
}

bool mechanical_simulation_loosen(simulation *c, double t, const double *y)
{
    const mechanical_simulation *k = followed(c);
    const mechanical_formulation_ops *row = k->formulation->ops;
    return !is_tangent(k) && row->loosen && row->loosen(k->formulation, t, y);
}

/* A new value of a parameter is no new formulation, so there is nothing to carry. */
dae_status mechanical_simulation_carry(simulation *c, double t, double *y)
{
    mechanical_simulation *k = followed(c);
    mechanical_formulation *own = k->formulation;
    if (!own->ops->renew) return DAE_NOT_EVALUABLE;
    own->at = own->renewals - 1;
    dae_status status = own->ops->lift(own, t, y, c->yp, &k->point);
    return status == DAE_OK ? own->ops->lower(own, t, &k->point, y, c->yp) : status;
}

static void mechanical_simulation_tolerances(const simulation *c, const double *atols,
                                             double *inner)
{
    const mechanical_formulation *own = ((const mechanical_simulation *)c)->formulation;
    double least = HUGE_VAL;
    if (own->ops->tolerances) {
        own->ops->tolerances(own, atols, inner);
        return;
    }
    for (size_t j = 0; j < c->n; j++) least = fmin(least, atols[j]);
    for (size_t j = 0; j < own->n; j++)
        inner[j] = own->author[j] == PROBLEM_NOWHERE ? least : atols[own->author[j]];
}

static size_t mechanical_simulation_author_of(const simulation *c, size_t j)
{
    return ((const mechanical_simulation *)c)->formulation->author[j];
}

/* Whether the formulation's unknowns are coordinates near a point. */
static bool is_local(const mechanical_formulation *c)
{
    return c && c->ops->renew && !c->ops->holds_multipliers && !c->ops->drifts;
}

void mechanical_simulation_report(const mechanical_simulation *k, const mechanical *m,
                                  dae_status status, text *t)
{
    const mechanical_form *f = k->form;
    int code = 0;
    const char *refused = mechanical_refused(m, &code);
    bool known = m->bad_row < f->n, of_constraint = known && m->bad_row >= f->nq + f->nv;
    bool nameless = status == DAE_NOT_EVALUABLE && !refused && !m->bad_value;
    if (status == DAE_SINGULAR || (nameless && known && !of_constraint))
        text_format(t,
                    "the inertia is singular on the constraints, so that they and the forces do "
                    "not determine the derivative of %s",
                    known ? f->variable[m->bad_row] : "a velocity");
    else if (status == DAE_NO_START || status == DAE_CONSTRAINT)
        text_format(t,
                    "from that state no configuration was found that meets the constraints, worst "
                    "in %s: near it they may become dependent, as at a dead centre, or contradict "
                    "each other",
                    known ? k->equation[m->bad_row] : "one of them");
    else if (status == DAE_NOT_EVALUABLE && refused)
        text_format(t, "the callback %s cannot be evaluated there (it returned %d)", refused, code);
    else if (status == DAE_NOT_EVALUABLE && m->bad_value)
        text_format(t, "%s has no finite value there, in %s", m->bad_value,
                    known ? k->equation[m->bad_row] : "the equations");
    else if (status == DAE_NOT_EVALUABLE && is_local(k->formulation))
        text_format(t,
                    "the constraints do not determine all coordinates by those that are "
                    "integrated%s%s",
                    of_constraint ? ", worst in " : "",
                    of_constraint ? k->equation[m->bad_row] : "");
    else if (status == DAE_NOT_EVALUABLE)
        text_add(t, "values there are too large for the run to continue");
    else
        text_add(t, dae_status_meaning(status));
}

static void mechanical_simulation_report_missing(simulation *c, size_t row, text *t)
{
    const mechanical_simulation *k = (const mechanical_simulation *)c;
    const mechanical *m = k->formulation->mechanical;
    int code;
    if (row == PROBLEM_NOWHERE || m->bad_value || mechanical_refused(m, &code)) {
        mechanical_simulation_report(k, m, DAE_NOT_EVALUABLE, t);
        return;
    }
    text_add(t, "there is no finite value in ");
    c->problem->form->name_equation(c->problem->self, row, t);
}

/* Of the system, the formulation's or the simulation's own, whose callback refused: it is not known
 * which of them failed last. */
void mechanical_simulation_report_point(simulation *c, dae_status status, text *t)
{
    mechanical_simulation *k = followed(c);
    int code;
    k->no_configuration = status == DAE_NO_START || status == DAE_CONSTRAINT;
    const mechanical *own = k->formulation ? k->formulation->mechanical : NULL;
    bool inside = own && (own->bad_value || mechanical_refused(own, &code));
    mechanical_simulation_report(k, inside ? own : k->system, status, t);
}

/* Small systems need no remedy: any formulation leaves out their dependent constraints. */
bool mechanical_simulation_report_remedy(simulation *c, text *t)
{
    const mechanical_simulation *k = followed(c);
    size_t size = k->form->nv + k->form->constraints;
    if (k->no_configuration)
        text_add(t,
                 "\n  remedy: where the mechanism can pass there, another tolerance, whose steps "
                 "end elsewhere");
    bool has_multipliers = k->formulation && !k->structural &&
                           k->formulation->ops->holds_multipliers;
    if (has_multipliers && size > DEPENDENT_CONSTRAINTS_SMALL && size <= DEPENDENT_CONSTRAINTS_MOST)
        text_add(t, "\n  remedy: where constraints come to depend on each other on the way, "
                    "formulation elimination goes on");
    return false;
}

void mechanical_simulation_clear(mechanical_simulation *k)
{
    mechanical_simulation_forget_passed(k);
    callbacks_free(k->callbacks);
    mechanical_formulation_free(k->formulation);
    k->callbacks = NULL;
    k->formulation = NULL;
    k->reported_away = k->no_configuration = false;
    k->base.problem = NULL;
    k->base.formulation_number = k->base.segment_formulation = 0;
}

static void mechanical_simulation_free(simulation *c)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    mechanical_simulation_clear(k);
    mechanical_free(k->system);
    author_events_free(k->events);
    arena_free(&k->memory);
    free(c->y);
    free(c->yp);
    free(k);
}

static void mechanical_state_of(simulation *c, state_visit *s)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    state_doubles(s, k->point.vp, k->form->nv);
    state_doubles(s, k->kept, k->form->given.invariants);
    STATE(s, k->worst);
    STATE(s, c->ends);
    STATE(s, k->reported_away);
    STATE(s, k->system->unkept);
    if (k->formulation) mechanical_formulation_state(k->formulation, s);
}

/* Restoring does not form equations of another number of freedoms. */
static bool mechanical_formed(simulation *c, state_visit *s)
{
    const mechanical_simulation *k = (const mechanical_simulation *)c;
    size_t own = k->formulation ? k->formulation->n : 0, n = own;
    STATE(s, n);
    if (s->status == DAE_OK && n != own) state_fail(s, DAE_UNSUPPORTED);
    return false;
}

static const simulation_ops mechanical_row = {
    .start = &mechanical_simulation_stages,
    .evaluate = mechanical_simulation_evaluate,
    .project = mechanical_simulation_project,
    .renew = mechanical_simulation_renew,
    .loosen = mechanical_simulation_loosen,
    .carry = mechanical_simulation_carry,
    .missing = simulation_missing,
    .measure = mechanical_simulation_measure,
    .tolerances = mechanical_simulation_tolerances,
    .author_of = mechanical_simulation_author_of,
    .report_missing = mechanical_simulation_report_missing,
    .report_point = mechanical_simulation_report_point,
    .report_remedy = mechanical_simulation_report_remedy,
    .verify = mechanical_simulation_verify_end,
    .formed = mechanical_formed,
    .state = mechanical_state_of,
    .free = mechanical_simulation_free,
};

static void take_arrays(void *argument)
{
    mechanical_simulation *k = argument;
    simulation *c = &k->base;
    arena *a = &k->memory;
    const mechanical_form *f = k->form;
    double *nominal = arena_array(a, f->n, sizeof *nominal); /* the author's, of tolerances */
    memcpy(nominal, f->nominal, f->n * sizeof *nominal);
    c->nominal = nominal;
    arena_vectors(a, f->n, (double **[]){&c->value, &c->value_yp, &c->given, &c->start, NULL});
    arena_vectors(a, f->constraints, (double **[]){&k->level, &k->size, NULL});
    arena_vectors(a, f->nv, (double **[]){&k->motion, &k->terms, &k->point.vp, NULL});
    c->constraint = arena_array(a, 4, sizeof(double));
    k->kept = arena_array(a, f->given.invariants, sizeof(double));
    k->equation = mechanical_equation_names(a, f);
    k->position = arena_array(a, f->position.pattern->nonzeros, sizeof(double));
    k->change = arena_array(a, f->nv + f->constraints, sizeof(double));
    k->step = arena_array(a, f->nq, sizeof(double));
    k->point.q = c->value;
    k->point.v = c->value + f->nq;
    k->point.lambda = k->point.v + f->nv;
    k->search = mechanical_simulation_make_search(k);
    k->events = author_events_create(a, c, &f->given.about, &mechanical_simulation_events, f->n,
                                     f->user);
    c->events = k->events ? &k->events->source : NULL;
}

simulation *mechanical_simulation_create(const dae_mechanical_form *form, const double *given,
                                         const simulation_solver *solver)
{
    mechanical_simulation *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->base = (simulation){
        .ops = &mechanical_row, .solver = *solver, .formulation = "none", .solves_yp = true};
    k->renew_below = 0.5;
    dae_status status = mechanical_form_create(&k->form, &k->memory, form, solver->message);
    if (status == DAE_OK) status = arena_protect(&k->memory, take_arrays, k);
    if (status == DAE_OK) status = mechanical_create(&k->system, k->form, solver->message);
    if (status != DAE_OK) {
        message_fail(solver->message, status, "memory is exhausted");
        return &k->base;
    }
    memcpy(k->base.given, given, k->form->n * sizeof *given);
    k->base.n = k->form->n;
    k->base.reported = &k->form->reported->known;
    k->base.stop = k->form->stop;
    k->base.variable = k->form->variable;
    return &k->base;
}

const mechanical_form *mechanical_simulation_form(const simulation *c)
{
    return c && c->ops == &mechanical_row ? ((const mechanical_simulation *)c)->form : NULL;
}
