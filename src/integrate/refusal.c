/* The sentences about what a Runge-Kutta method cannot do. */
#include "integrate/refusal.h"

#include "integrate/runge_kutta_parts.h"
#include "method/catalogue.h"
#include "method/properties.h"

enum { MOST_NAMES = 5 };

/* The variables whose derivatives do not occur: "z1, z2". */
static size_t name_algebraic(const problem *p, text *t)
{
    size_t found = 0;
    for (size_t k = 0; k < p->n; k++) {
        if (p->dynamic[k]) continue;
        found++;
        if (found > MOST_NAMES) continue;
        if (found > 1) text_add(t, ", ");
        p->form->name_variable(p->self, k, t);
    }
    if (found > MOST_NAMES) text_format(t, " and %zu more", found - MOST_NAMES);
    return found;
}

dae_status refusal_of_algebraic(const problem *p, const char *name, const char *kind,
                                const char *why, message *m)
{
    text names = {0};
    size_t found = name_algebraic(p, &names);
    if (found > 0)
        message_fail(m, DAE_UNSUPPORTED,
                     "%s cannot advance the algebraic variable%s %s: %s %s; try radau-iia3, "
                     "esdirk4 or rodasp",
                     name, found == 1 ? "" : "s", text_string(&names), kind, why);
    text_free(&names);
    return found > 0 ? DAE_UNSUPPORTED : DAE_OK;
}

static int highest_index(const problem *p)
{
    int highest = 1;
    for (size_t k = 0; p->index && k < p->n; k++)
        if (p->index[k] > highest) highest = p->index[k];
    return highest;
}

void refusal_note_uncontrolled(const method *which, const char *treats, int index, message *m)
{
    message_note(m,
                 "the error test of %s %s what has index %d: it can be less accurate than the "
                 "tolerance says",
                 which->name, treats, index);
}

dae_status refusal_of_index(const problem *p, const char *name, int most, const char *remedy,
                            message *m)
{
    size_t j = 0;
    while (p->index && j < p->n && p->index[j] <= most) j++;
    if (!p->index || j == p->n) return DAE_OK;
    message_fail(m, DAE_INDEX, "%s advances variables of index 1%s, and ", name,
                 most == 1 ? "" : " and 2");
    p->form->name_variable(p->self, j, &m->sentence);
    message_more(m, " has index %d; %s", p->index[j], remedy);
    return m->status;
}

/* Notes what the embedded estimate of an adaptive run does not control on equations of higher
 * index. */
static void note_uncontrolled(const runge_kutta *e, const method *which, int index, message *m)
{
    const scheme *s = e->stages.scheme;
    bool counted = index == 2 && s->stiffly_accurate;
    if (s->estimate != SCHEME_EMBEDDED) return;
    refusal_note_uncontrolled(which, counted ? "counts with the step" : "leaves out", index, m);
}

dae_status refusal_note_index(const problem *p, const method *which, message *m)
{
    int index = highest_index(p);
    bool converges;
    if (index < 2) return DAE_OK;
    dae_status status = method_converges(which, index, &converges);
    if (status == DAE_OK && !converges)
        message_note(m,
                     "%s promises nothing on equations of index %d: some variables need not "
                     "converge however small the step",
                     which->name, index);
    return status;
}

/* Refuses equations of an index on which some variables need not converge. With fixed steps, which
 * are an experiment, there is only a note. */
static dae_status refuse_index(const runge_kutta *e, const method *which, message *m)
{
    const problem *p = e->base.problem;
    int index = highest_index(p);
    bool converges;
    if (e->base.options.fixed_step > 0) return refusal_note_index(p, which, m);
    if (index < 2 && p->hidden_directions > 0) note_uncontrolled(e, which, 2, m);
    if (index < 2) return DAE_OK;
    dae_status status = method_converges(which, index, &converges);
    if (status != DAE_OK) return status;
    if (converges) {
        note_uncontrolled(e, which, index, m);
        return DAE_OK;
    }
    return message_fail(m, DAE_INDEX,
                        "%s promises nothing on equations of index %d, however small the step; "
                        "try radau-iia3, or have a model reduced to index 1 (formulation auto)",
                        which->name, index);
}

dae_status refusal_of_control(const char *name, const char *other, message *m)
{
    return message_fail(m, DAE_USAGE,
                        "%s has no error estimate, and so cannot choose its steps: give a fixed "
                        "step (option step), or take a method that has one, such as %s",
                        name, other);
}

dae_status runge_kutta_refuse(const runge_kutta *e, const method *which, message *m)
{
    if (e->solves_end && instant_refuse_index(e->base.problem, which, m) != DAE_OK)
        return DAE_INDEX;
    if (e->stages.scheme->needs_yp && !e->solves_end &&
        refusal_of_algebraic(e->base.problem, which->name, method_family_sentence(which->family),
                             REFUSAL_OF_SLOPES, m) != DAE_OK) {
        message_more(m, ", or %s%s, which solves for them at each stage",
                     derived_prefix(METHOD_STATE_SPACE), which->name);
        return DAE_UNSUPPORTED;
    }
    if (e->base.options.fixed_step > 0 || method_is_adaptive(which))
        return refuse_index(e, which, m);
    return refusal_of_control(which->name, "radau-iia3", m);
}

dae_status refusal_of_singular(problem *p, size_t slot, double t, const double *y, const double *yp,
                               const char *name, const char *kind, message *m)
{
    dae_status status = problem_linearize(p, t, y, yp);
    if (status == DAE_OK) status = problem_factor(p, slot, 1, 0);
    if (status != DAE_SINGULAR) return status == DAE_STOPPED ? status : DAE_OK;
    return message_fail(m, DAE_UNSUPPORTED,
                        "%s cannot advance these equations: at the start their Jacobian by the "
                        "derivatives is singular, and %s compute all derivatives from values; try "
                        "radau-iia3, esdirk4 or rodasp",
                        name, kind);
}

/* Examines whether the equations have the form that solving for the end of a step needs. */
static dae_status examine_rows(runge_kutta *e, message *m)
{
    dae_status status = problem_linearize(e->base.problem, e->base.t, e->base.y, e->base.yp);
    if (status == DAE_OK) status = instant_look(&e->instant);
    if (status == DAE_OK)
        status = instant_factor(&e->instant, INSTANT_SHORT * e->base.stepping.step);
    e->instant.delta = 0;
    e->linearized = false;
    const scheme *s = e->stages.scheme; /* implicit ones solve for y' at ends of steps alone */
    return instant_refuse_rows(&e->instant, &e->base, s->method, !s->is_implicit, status, m);
}

dae_status runge_kutta_examine(engine *base, message *m)
{
    runge_kutta *e = (runge_kutta *)base;
    const stages *s = &e->stages;
    const method *which = s->scheme->method;
    if (e->solves_end) return examine_rows(e, m);
    if (!s->scheme->needs_yp || s->yp_slot == PROBLEM_NOWHERE) return DAE_OK;
    return refusal_of_singular(base->problem, s->yp_slot, base->t, base->y, base->yp, which->name,
                               method_family_sentence(which->family), m);
}

dae_status instant_refuse_index(const problem *p, const method *which, message *m)
{
    if (which->family == METHOD_STATE_SPACE)
        return refusal_of_index(p, which->name, 1, "try hem4, hedop5 or radau-iia3", m);
    return refusal_of_index(p, which->name, 2,
                            "give the first derivatives of the constraints on positions in their "
                            "place, which lowers it to 2, or try radau-iia3",
                            m);
}

static dae_status refuse_position(const instant *s, const method *which, message *m)
{
    const problem *p = s->problem;
    size_t i = 0;
    while (!s->position[i]) i++;
    message_fail(m, DAE_INDEX, "%s advances equations of index 1, and in ", which->name);
    p->form->name_equation(p->self, i, &m->sentence);
    message_more(m, " no algebraic variable occurs, which makes the index 2 at least; try hem4, "
                    "hedop5 or radau-iia3");
    return m->status;
}

static dae_status refuse_vanishing(const instant *s, size_t row, const method *which, message *m)
{
    const problem *p = s->problem;
    message_fail(m, DAE_UNSUPPORTED, "%s cannot advance these equations from their start: in ",
                 which->name);
    p->form->name_equation(p->self, row, &m->sentence);
    message_more(m, " the factors of derivatives are 0 there, so that they do not follow; try "
                    "radau-iia3, or start a little later");
    return m->status;
}

dae_status instant_refuse_rows(instant *s, const engine *e, const method *which, bool at_start,
                               dae_status factored, message *m)
{
    const problem *p = s->problem;
    size_t second = 0, vanishing = instant_find_vanishing(s, e->t, e->y, e->yp);
    if (vanishing != PROBLEM_NOWHERE && at_start) return refuse_vanishing(s, vanishing, which, m);
    for (size_t j = 0; j < p->n; j++) second += !p->dynamic[j] && p->index && p->index[j] == 2;
    if (factored == DAE_OK && s->looked && s->algebraic == 0 && !s->solves_algebraic)
        factored = problem_factor(s->problem, s->slot, 1, 0); /* which no delta blurs */
    if (factored == DAE_STOPPED || factored == DAE_NO_MEMORY) return factored;
    bool some = s->looked && s->algebraic > 0; /* else an equation without one says no index */
    if (some && s->positions > 0 && which->family == METHOD_STATE_SPACE)
        return refuse_position(s, which, m);
    if (s->looked && second != s->positions && p->hidden_directions == 0 && second > 0)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s cannot advance these equations: there are %zu algebraic variables "
                            "of index 2, and %zu equations that hold differential variables alone; "
                            "write each constraint with these, or try radau-iia3",
                            which->name, second, s->positions);
    if (factored != DAE_SINGULAR) return DAE_OK; /* what else there is, a step will tell */
    return message_fail(m, DAE_UNSUPPORTED,
                        "%s cannot advance these equations: at the start derivatives and algebraic "
                        "variables do not follow from the other variables, for the Jacobian by "
                        "them is singular; try radau-iia3",
                        which->name);
}
