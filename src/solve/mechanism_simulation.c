#include "solve/mechanism_simulation.h"

#include "base/round_off.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mechanism_simulation *of(const simulation *c)
{
    return ((const model_simulation *)c)->mechanism;
}

static author *author_of(const simulation *c)
{
    return ((const model_simulation *)c)->formulation->author;
}

dae_status mechanism_simulation_take(model_simulation *m, double t, const mechanical_point *at)
{
    mechanism_simulation *k = m->mechanism;
    mechanical_point point = *at;
    dae_status status = mechanism_reactions_of_author(k->reactions, t, at->q, at->lambda,
                                                      k->lambda);
    point.lambda = k->lambda;
    if (status == DAE_OK) mechanism_lift_point(k->lift, &point);
    return status;
}

dae_status mechanism_simulation_lift(model_simulation *m, author *to, double t,
                                     const mechanical_point *at, double *value_yp)
{
    dae_status status = mechanism_simulation_take(m, t, at);
    if (status == DAE_OK) author_lift(to, t, m->mechanism->lift->z, m->base.value, value_yp);
    return status;
}

/* From the point that the inner simulation has evaluated last. */
static dae_status lift(simulation *c, double t)
{
    const mechanical_point *at = &((mechanical_simulation *)c->followed)->point;
    return mechanism_simulation_lift((model_simulation *)c, author_of(c), t, at, c->value_yp);
}

static dae_status evaluate_in_modes(simulation *c, double t, const double *y, const double *yp,
                                    simulation_place where)
{
    simulation *inner = c->followed;
    inner->segment_formulation = c->segment_formulation;
    dae_status status = inner->ops->evaluate(inner, t, y, yp, where);
    return status == DAE_OK ? lift(c, t) : status;
}

/* A segment before an event is evaluated in the modes of then. */
static dae_status mechanism_evaluate(simulation *c, double t, const double *y, const double *yp,
                                     simulation_place where)
{
    model_simulation *m = (model_simulation *)c;
    bool earlier = c->segment_modes != c->mode_number;
    if (earlier) model_modes_exchange(m, m->system->graph, c->segment_modes);
    dae_status status = evaluate_in_modes(c, t, y, yp, where);
    if (status == DAE_OK && c->asked)
        status = model_simulation_rate(m, m, t, m->mechanism->lift->z);
    if (earlier) model_modes_exchange(m, m->system->graph, c->segment_modes);
    return status;
}

static bool mechanism_step_holds(simulation *c, double t, const double *y, const double *yp)
{
    if (!of(c)->ends_may_fail) return true;
    c->segment_formulation = c->formulation_number;
    dae_status status = evaluate_in_modes(c, t, y, yp, SIMULATION_STEP_END);
    return status == DAE_OK && model_simulation_missing(c) < 0 && model_simulation_holds(c, t);
}

static dae_status mechanism_renew(simulation *c, double t, const double *y, const double *yp,
                                  bool *renewed)
{
    simulation *inner = c->followed;
    dae_status status = inner->ops->renew(inner, t, y, yp, renewed);
    c->formulation_number = inner->formulation_number;
    return status;
}

static dae_status mechanism_measure(simulation *c, double t)
{
    author_measure(author_of(c), t, &c->solver.stats->max_residual, c->constraint);
    return DAE_OK;
}

static void mechanism_name_missed(const simulation *c, text *t)
{
    author_name_missed(author_of(c), t);
}

/* The tolerance of each mu: the smallest among those of the multipliers that contribute to it. */
static double reaction_tolerance(const mechanism_simulation *k, const double *atols, size_t row)
{
    static const double COUNTS = 1e-8;
    size_t m = k->form->m;
    double largest = 0, least = HUGE_VAL;
    for (size_t l = 0; l < m; l++) largest = fmax(largest, k->share[l * m + row]);
    for (size_t l = 0; l < m; l++) {
        double share = k->share[l * m + row];
        if (share > COUNTS * largest) least = fmin(least, share * atols[k->found->multiplier[l]]);
    }
    return least < HUGE_VAL ? least : atols[k->found->multiplier[row]];
}

double *mechanism_simulation_atols(const mechanism_simulation *k, const double *atols)
{
    size_t n = k->form->n;
    for (size_t j = 0; j < n; j++) {
        uint32_t q = k->found->coordinate[j], v = k->found->velocity[j];
        k->atols[j] = atols[q];
        k->atols[n + j] = (v == INCIDENCE_NONE ? atols[q] : atols[v]) / k->form->velocity_factor[j];
    }
    for (size_t l = 0; l < k->form->m; l++) k->atols[2 * n + l] = reaction_tolerance(k, atols, l);
    return k->atols;
}

static void mechanism_tolerances(const simulation *c, const double *atols, double *inner)
{
    const mechanism_simulation *k = of(c);
    c->followed->ops->tolerances(c->followed, mechanism_simulation_atols(k, atols), inner);
}

/* Reactions are sums of the author's multipliers, so no single variable corresponds to them. */
static size_t mechanism_author_of(const simulation *c, size_t j)
{
    const mechanism_simulation *k = of(c);
    size_t n = k->form->n, at = c->followed->ops->author_of(c->followed, j);
    if (at == PROBLEM_NOWHERE || at >= 2 * n) return PROBLEM_NOWHERE;
    uint32_t id = at < n ? k->found->coordinate[at] : k->found->velocity[at - n];
    return id == INCIDENCE_NONE ? PROBLEM_NOWHERE : id;
}

/* A velocity variable may be any function of t, q and q' that is linear in q'; then its values
 * differ from those of q'. */
static bool mechanism_has_other_values(const simulation *c, size_t variable)
{
    const mechanism *found = of(c)->found;
    const mechanical_names *names = found->names;
    for (size_t j = 0; j < found->coordinates; j++) {
        if (found->velocity[j] != variable) continue;
        sym_view v = sym_look(names->system->graph, names->value[variable]);
        return v.op != SYM_VARIABLE || v.id != found->coordinate[j] || v.order != 1;
    }
    return false;
}

/* Reports an equation that gives a variable, at the point that was tried last, or else an equation
 * of motion or a constraint. Accelerations and reactions do not exist yet; zeros stand for them. */
static void mechanism_report_missing(simulation *c, size_t row, text *t)
{
    mechanism_simulation *k = of(c);
    const mechanism_form *f = k->form;
    const mechanical *m = ((mechanical_simulation *)c->followed)->formulation->mechanical;
    memset(k->given, 0, (2 * f->n + f->m) * sizeof *k->given);
    mechanical_point point = {
        .q = f->input + 1, .v = f->input + 1 + f->n, .vp = k->given, .lambda = k->given + f->n};
    mechanism_lift_point(k->lift, &point);
    author_lift(author_of(c), f->input[0], k->lift->z, c->value, NULL);
    if (m->bad_row >= 2 * f->n + f->m)
        c->followed->ops->report_missing(c->followed, row, t);
    else if (!model_simulation_blame((model_simulation *)c, t))
        text_add(t, f->form.about.equation[m->bad_row]);
}

/* The author's side of it, and the system that is followed. */
static void mechanism_state(simulation *c, state_visit *s)
{
    model_simulation *m = (model_simulation *)c;
    state_doubles(s, m->z, m->formulation->p->size);
    state_doubles(s, m->mechanism->lambda, m->mechanism->form->m);
    if (m->base.events) model_events_state(m, s);
    simulation_state(m->base.followed, s);
}

static const simulation_ops mechanism_row = {
    .start = &model_simulation_stages,
    .evaluate = mechanism_evaluate,
    .project = mechanical_simulation_project,
    .step_holds = mechanism_step_holds,
    .renew = mechanism_renew,
    .loosen = mechanical_simulation_loosen,
    .carry = mechanical_simulation_carry,
    .missing = model_simulation_missing,
    .holds = model_simulation_holds,
    .margins = model_simulation_margins,
    .take_margins = model_simulation_take_margins,
    .warns = model_simulation_warns,
    .check = model_simulation_check,
    .measure = mechanism_measure,
    .tolerances = mechanism_tolerances,
    .author_of = mechanism_author_of,
    .has_other_values = mechanism_has_other_values,
    .name_missed = mechanism_name_missed,
    .report_missing = mechanism_report_missing,
    .blame = model_simulation_blame_values,
    .report_point = mechanical_simulation_report_point,
    .report_remedy = mechanical_simulation_report_remedy,
    .state = mechanism_state,
    .free = model_simulation_free,
};

bool mechanism_simulation_keeps_fixed(model_simulation *m, double t)
{
    static const double ROUNDING = 10 * ROUND_OFF_AMPLIFIED;
    simulation *c = &m->base, *inner = c->followed;
    inner->segment_formulation = inner->formulation_number;
    dae_status status = inner->ops->evaluate(inner, t, inner->y, inner->yp, SIMULATION_START);
    if (status != DAE_OK || lift(c, t) != DAE_OK) return false;
    for (size_t i = 0; i < c->n; i++) {
        const sym_unknown *u = &m->system->unknown.item[i];
        double size = fmax(fabs(u->start), u->nominal);
        if (u->fixed && !(fabs(c->value[i] - u->start) <= ROUNDING * size)) return false;
    }
    return true;
}

void mechanism_simulation_follow(model_simulation *m)
{
    simulation *c = &m->base, *inner = c->followed;
    projection_free(c->projection);
    c->projection = NULL;
    c->ops = &mechanism_row;
    c->smooth = false; /* where constraints depend on each other, reactions may jump */
    c->problem = inner->problem;
    c->solves_yp = inner->solves_yp;
    c->formulation = inner->formulation;
    c->y = inner->y;
    c->yp = inner->yp;
    c->formulation_number = c->segment_formulation = inner->formulation_number;
    c->project_steps = inner->project_steps;
    c->keep_values = inner->keep_values;
    c->rows_meet = true;
    c->constraint_levels = m->formulation->author->levels;
    inner->solver.message = c->solver.message;
    inner->solver.reasons = c->solver.reasons;
    simulation_reason(c, "structural index %zu, and the form of a mechanism", m->own->s->index);
    simulation_reason(c, "%s", text_string(&m->mechanism->reasons));
    text_add(&c->solver.message->notes, text_string(&m->mechanism->collected.notes));
}
