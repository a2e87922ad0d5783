/* Notes on the relations in a model's equations, whose instants of switching are not located. */
#include "solve/model_simulation.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"

/* Whether equation i, or a derivative of it that is differentiated again, may jump. The variable
 * that it gives then has an impulse, which no derivative of its branches contains. */
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

static model_pieces pieces_of(const sym_system *system)
{
    sym_graph *g = system->graph;
    model_pieces found = PIECES_BEND;
    for (size_t i = 0; i < system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i];
        sym f = sym_subtract(g, e->lhs, e->rhs);
        if (!sym_has_pieces(g, f)) continue;
        if (sym_may_jump(g, f)) return PIECES_JUMP;
        if (sym_holds_time(g, 1, &f)) found = PIECES_BEND_IN_TIME;
    }
    return found;
}

void model_simulation_find_jumps(model_simulation *m)
{
    const sym_system *system = m->system;
    bool direct = option_is(m->base.solver.options->formulation, "direct");
    m->impulse = INCIDENCE_NONE;
    if (system->switches.count == 0) return;
    m->pieces = pieces_of(system);
    if (!m->own || direct) return;
    for (size_t i = 0; i < system->equation.count && m->impulse == INCIDENCE_NONE; i++)
        if (loses_impulse(system, m->own, i)) m->impulse = (uint32_t)i;
}

static void report_impulse(const model_simulation *m, text *t)
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

/* Appends how a run treats the relations. A pulse between two examined points leaves no trace,
 * whether it is made of jumps or of bends, as in max(0, sin(time)). */
static void report_pieces(const model_simulation *m, text *t)
{
    if (m->pieces == PIECES_BEND) {
        text_add(t, "; nothing jumps there, for the branches meet");
        return;
    }
    if (m->base.solver.options->step > 0) {
        text_add(t, "; fixed steps are not made shorter there");
        return;
    }
    text_format(t,
                ": the step control finds the %s that it meets, but it can miss a pulse that is "
                "shorter than a hundredth of the run; option max_step below the shortest pulse "
                "makes sure that it does not",
                m->pieces == PIECES_JUMP ? "jumps" : "bends");
}

void model_simulation_note_switches(model_simulation *m)
{
    const sym_system *system = m->system;
    size_t count = system->switches.count;
    if (count == 0) return;
    m->base.switches = true;
    text more = {0};
    report_pieces(m, &more);
    if (m->own && m->impulse != INCIDENCE_NONE) report_impulse(m, &more);
    message_note(m->base.solver.message,
                 "%zu relation%s switch%s without the instant being located (the first in %s:%u)%s",
                 count, count == 1 ? "" : "s", count == 1 ? "es" : "", system->file,
                 system->switches.item[0].line, text_string(&more));
    text_free(&more);
}
