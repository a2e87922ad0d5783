/* Parts of a model that nothing links at the start. */
#include "solve/start_modes.h"

#include <string.h>

/* Of an unknown that stands for a discrete variable, its equation says so, in each part. */
static bool is_equation_outside(const model_simulation *m, size_t part, const sym_system *system,
                                size_t i)
{
    return m->modes->start.equation[i] != part &&
           !sym_is_of_discrete(system, &system->equation.item[i]);
}

static bool is_unknown_outside(const model_simulation *m, size_t part, const sym_system *system,
                               uint32_t id)
{
    return m->modes->start.unknown[id] != part && !system->unknown.item[id].discrete;
}

/* Whether other parts have as many equations as unknowns. */
static bool are_as_many(const model_simulation *m, size_t part)
{
    const sym_system *system = m->whole.system;
    size_t rows = 0, columns = 0;
    for (size_t i = 0; i < system->equation.count; i++)
        rows += is_equation_outside(m, part, system, i);
    for (uint32_t id = 0; id < system->unknown.count; id++)
        columns += is_unknown_outside(m, part, system, id);
    return rows == columns;
}

bool start_parts_are_apart(const model_simulation *m)
{
    const sym_system *s = m->whole.system;
    const switching_start_parts *parts = &m->modes->start;
    bool more = s->delay.count + s->invariant.count + s->flat.count + s->root.count +
                    s->implied.count + s->homotopy.count >
                0;
    if (more || parts->count < 2) return false;
    for (size_t k = 0; k < parts->count; k++)
        if (!are_as_many(m, k)) return false;
    return true;
}

void start_part_alone(const model_simulation *m, size_t part, sym_system *system)
{
    const switching_start_parts *parts = &m->modes->start;
    uint32_t id = 0;
    for (size_t i = 0; i < system->equation.count; i++) {
        sym_equation *e = &system->equation.item[i];
        if (!is_equation_outside(m, part, system, i)) continue;
        while (!is_unknown_outside(m, part, system, id)) id++;
        e->lhs = sym_variable(system->graph, id, 0);
        e->rhs = sym_number(system->graph, system->unknown.item[id].start);
        e->selected = false;
        id++;
    }
    for (id = 0; id < system->unknown.count; id++)
        if (parts->unknown[id] != part) system->unknown.item[id].fixed = false;
    size_t kept = 0;
    for (size_t i = 0; i < system->initial.count; i++)
        if (parts->initial[i] == part) system->initial.item[kept++] = system->initial.item[i];
    system->initial.count = kept;
}
