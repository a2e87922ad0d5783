#include "integrate/refusal.h"

dae_status instant_refuse_index(const problem *p, const method *which, message *m)
{
    bool state_space = which->family == METHOD_STATE_SPACE;
    size_t j = 0;
    while (p->index && j < p->n && p->index[j] <= (state_space ? 1 : 2)) j++;
    if (!p->index || j == p->n) return DAE_OK;
    message_fail(m, DAE_INDEX, "%s advances equations of index 1%s, and ", which->name,
                 state_space ? "" : " and 2");
    p->form->name_variable(p->self, j, &m->sentence);
    message_more(m, " has index %d; ", p->index[j]);
    if (state_space)
        message_more(m, "try hem4, hedop5 or radau-iia3");
    else
        message_more(m, "give the first derivatives of the constraints on positions in their "
                        "place, which lowers it to 2, or try radau-iia3");
    return m->status;
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

dae_status instant_refuse_vanishing(instant *s, const engine *e, const method *which, message *m)
{
    const problem *p = s->problem;
    size_t row = instant_find_vanishing(s, e->t, e->y, e->yp);
    if (row == PROBLEM_NOWHERE) return DAE_OK;
    message_fail(m, DAE_UNSUPPORTED, "%s cannot advance these equations from their start: in ",
                 which->name);
    p->form->name_equation(p->self, row, &m->sentence);
    message_more(m, " the factors of derivatives are 0 there, so that they do not follow; try "
                    "radau-iia3, or start a little later");
    return m->status;
}

dae_status instant_refuse_rows(const instant *s, const method *which, dae_status factored,
                               message *m)
{
    const problem *p = s->problem;
    size_t second = 0;
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
