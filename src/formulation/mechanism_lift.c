#include "formulation/mechanism_lift.h"

#include "structure/incidence.h"

/* Variables that were taken out are given by expressions. Equations of motion and constraints
 * remain. */
static void make_core(mechanism_lift *l)
{
    const mechanical_names *names = l->found->names;
    const sym_system *system = names->system;
    arena *a = system->memory;
    size_t unknowns = system->unknown.count, n = l->found->coordinates + l->found->constraints;
    explicit_core *core = &l->core;
    uint32_t *unknown = core->unknown = arena_array(a, n, sizeof *core->unknown);
    core->equation = arena_array(a, n, sizeof *core->equation);
    core->residual = arena_array(a, n, sizeof *core->residual);
    core->column_of = arena_array(a, unknowns, sizeof *core->column_of);
    core->value = names->value;
    core->given_by = names->given_by;
    for (uint32_t v = 0; v < unknowns; v++) {
        core->column_of[v] = INCIDENCE_NONE;
        if (names->highest[v] == MECHANICAL_ABSENT) continue;
        core->column_of[v] = (uint32_t)core->n;
        unknown[core->n++] = v;
    }
    for (uint32_t i = 0, row = 0; i < system->equation.count; i++) {
        if (names->residual[i] == SYM_NONE) continue;
        core->equation[row] = i;
        core->residual[row++] = names->residual[i];
    }
}

mechanism_lift *mechanism_lift_create(const mechanism *found)
{
    const sym_system *system = found->names->system;
    arena *a = system->memory;
    mechanism_lift *l = arena_take(a, sizeof *l);
    l->found = found;
    make_core(l);
    uint32_t *c = arena_array(a, l->core.n, sizeof *c), *d = arena_array(a, l->core.n, sizeof *d);
    for (size_t j = 0; j < l->core.n; j++) d[j] = found->names->highest[l->core.unknown[j]];
    l->p = structure_prolong(a, system->graph, &l->core, c, d);
    l->z = arena_array(a, l->p->size + 1, sizeof *l->z);
    return l;
}

void mechanism_lift_point(mechanism_lift *l, const mechanical_point *point)
{
    const mechanism *found = l->found;
    const prolongation *p = l->p;
    for (size_t j = 0; j < found->coordinates; j++) {
        double *at = l->z + p->first[p->column_of[found->coordinate[j]]];
        at[0] = point->q[j];
        at[1] = point->v[j];
        at[2] = point->vp[j];
    }
    for (size_t k = 0; k < found->constraints; k++)
        l->z[p->first[p->column_of[found->multiplier[k]]]] = point->lambda[k];
}
