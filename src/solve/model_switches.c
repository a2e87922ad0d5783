/* What is told of relations in a model's equations, whose instants are not located. */
#include "solve/model_course.h"
#include "symbolic/derive.h"
#include "symbolic/jumps.h"
#include "symbolic/simplify.h"

/* Whether equation i, or a derivative of it that is differentiated once more, may jump: an impulse
 * of what it gives, which no derivative of its branches holds. */
static bool loses_impulse(const sym_system *system, const structure *own, size_t i)
{
    const sym_equation *e = &system->equation.item[i];
    if (own->s->c[i] == 0) return false;
    sym f = sym_subtract(system->graph, e->lhs, e->rhs);
    if (!sym_has_pieces(system->graph, f)) return false;
    for (uint32_t k = 0; k < own->s->c[i]; k++) {
        if (sym_may_jump(system->graph, f)) return true;
        f = sym_time_derivative(system->graph, f);
    }
    return false;
}

void model_course_find_impulse(model_course *m)
{
    const sym_system *system = m->system;
    bool direct = option_is(m->base.solver.options->formulation, "direct");
    m->impulse = INCIDENCE_NONE;
    if (!m->own || direct || system->switches.count == 0) return;
    for (size_t i = 0; i < system->equation.count && m->impulse == INCIDENCE_NONE; i++)
        if (loses_impulse(system, m->own, i)) m->impulse = (uint32_t)i;
}

static void tell_impulse(const model_course *m, text *t)
{
    const char *of = m->own->s->c[m->impulse] > 1 ? "it, or its derivative," : "it";
    text_add(t, ". But ");
    sym_equation_name(m->system, &m->system->equation.item[m->impulse], t);
    text_format(t,
                " is differentiated: where %s jumps, the impulse of the derivative is lost, and "
                "what follows from it is wrong from there on. Then put a steep smooth function in "
                "place of the jump, as (1 + tanh((time - 1)/1e-3))/2 for a jump from 0 to 1 at 1, "
                "as long as events are not located",
                of);
}

void model_course_note_switches(model_course *m)
{
    const sym_system *system = m->system;
    size_t count = system->switches.count;
    if (count == 0) return;
    m->base.switches = true;
    text impulse = {0};
    if (m->own && m->impulse != INCIDENCE_NONE) tell_impulse(m, &impulse);
    message_note(m->base.solver.message,
                 "%zu relation%s switch%s without the instant being located (the first in "
                 "%s:%u); the step control copes with the jump%s",
                 count, count == 1 ? "" : "s", count == 1 ? "es" : "", system->file,
                 system->switches.item[0].line, text_string(&impulse));
    text_free(&impulse);
}
