#include "formulation/crossings.h"

#include <string.h>

crossings *crossings_create(arena *a, const sym_system *system, const explicit_core *core,
                            const prolongation *p)
{
    crossings *c = arena_take(a, sizeof *c);
    c->count = sym_relation_count(p->g);
    sym *side = arena_array(a, 2 * c->count, sizeof *side);
    for (size_t k = 0; k < c->count; k++) {
        sym_view relation = sym_look(p->g, sym_relation_node(p->g, k));
        memcpy(side + 2 * k, relation.argument, 2 * sizeof *side);
    }
    structure_to_core(system, core, 2 * c->count, side);
    c->tape = sym_tape_compile(a, p->g, 2 * c->count, side, prolongation_inputs(p),
                               prolongation_slot, (void *)p);
    c->work = arena_array(a, sym_tape_work(c->tape), sizeof *c->work);
    c->input = arena_array(a, prolongation_inputs(p), sizeof *c->input);
    c->side = arena_array(a, 2 * c->count, sizeof *c->side);
    sym_tape_prepare(c->tape, c->work);
    return c;
}

void crossings_value(crossings *c, double t, const double *z, double *value)
{
    c->input[0] = t;
    memcpy(c->input + 1, z, (sym_tape_inputs(c->tape) - 1) * sizeof *z);
    sym_tape_eval(c->tape, c->input, c->side, c->work);
    for (size_t k = 0; k < c->count; k++) value[k] = c->side[2 * k] - c->side[2 * k + 1];
}
