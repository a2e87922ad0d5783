/* Makes the formulations of a model, with their levels, projections and blocks. */
#include "formulation/prolonged_levels.h"
#include "solve/model_simulation.h"
#include "symbolic/derive.h"

typedef struct building {
    model_simulation *m;
    formulation_choice choice;
} building;

static void build_formulation(void *argument)
{
    building *b = argument;
    model_simulation *m = b->m;
    formulation_choice choice = b->choice;
    choice.keeps = !option_is(m->base.solver.options->projection, "auto");
    choice.invariant = model_invariants_rows(m->invariants, &choice.invariants);
    m->formulation = formulation_create(m->system, m->own, &choice);
    m->base.formulation = m->formulation->name;
    m->base.problem = &m->formulation->form->problem;
    const start_system *start = &m->formulation->start->start;
    arena *a = m->home;
    arena_vectors(
        a, start->size + 1,
        (double **[]){&m->z, &m->z_out, &m->z_before, &m->z_marked, &m->z_low, &m->z_high, NULL});
    m->open = NULL;
    arena_vectors(a, m->base.problem->n + 1, (double **[]){&m->base.y, &m->base.yp, NULL});
    if (m->formulation->core->divisors > 0 && !m->base.beside)
        m->base.beside = arena_array(a, 8 * (m->base.n + 1), sizeof(double));
    m->pivots = model_pivots_find(m->formulation, a);
    m->switching = switching_create(m->formulation, m->modes, m->system == m->whole.system);
    m->chosen = b->choice;
    m->chosen.convert = NULL;
    if (m->base.delays) {
        m->delayed = delays_fit(m->base.delays, m->formulation);
        delays_look_through(m->base.delays, m->delayed);
    }
    m->base.combined = m->formulation->converted > 0;
    m->base.rows_meet = true;
    if (m->invariants) model_invariants_fit(m->invariants, m->formulation);
    m->base.constraint_levels = m->formulation->constraint_levels + (m->invariants != NULL);
    m->base.drifts = m->invariants && !m->formulation->keeps;
    m->base.constraint = arena_array(a, m->base.constraint_levels + 1, sizeof(double));
    sym_forget(m->system->graph); /* what the relations asked for */
}

dae_status model_simulation_formulate_as(model_simulation *m, const formulation_choice *choice)
{
    building b = {.m = m, .choice = *choice};
    formulation_free(m->formulation);
    projection_free(m->settles);
    model_array_free(m->array);
    m->formulation = NULL;
    m->settles = NULL;
    m->array = NULL;
    m->base.beside = NULL;
    return message_status(m->base.solver.message, arena_protect(m->home, build_formulation, &b));
}

dae_status model_simulation_formulate(model_simulation *m)
{
    building b = {.m = m, .choice = m->chosen};
    return arena_protect(m->home, build_formulation, &b);
}

bool model_simulation_convert(model_simulation *m, double t, const double *value,
                              const double *value_yp)
{
    const conversion_point point = {
        .t = t, .time_unit = m->time_unit, .value = value, .yp = value_yp};
    building b = {.m = m, .choice = m->converted_by};
    b.choice.convert = &point;
    return arena_protect(m->home, build_formulation, &b) == DAE_OK && m->formulation->converted > 0;
}

/* Chooses where the levels are met. At each output, all are met. After each step, those below the
 * last are met, if there are any, for states; for an array, all are met. */
dae_status model_simulation_choose_projection(model_simulation *m)
{
    const formulation *f = m->formulation;
    m->base.levels = &f->met->levels;
    bool at_steps = f->choice.kind == FORMULATION_ARRAY || f->levels->levels.count > 1 || f->keeps;
    return simulation_create_projection(&m->base, f->choice.project, at_steps);
}

/* Finds the varying blocks of equations that are integrated as the author wrote them or reduced to
 * index 1, without combinations. */
static void find_blocks(void *argument)
{
    model_simulation *m = argument;
    const formulation *f = m->formulation;
    bool reduces = f->choice.kind == FORMULATION_INDEX1;
    bool direct = f->choice.kind == FORMULATION_DIRECT && f->reduced->index <= 1;
    bool known = (reduces || direct) && f->converted == 0;
    m->base.determinants = 0;
    m->blocks = known ? model_blocks_find(f, false, &m->base.determinants) : NULL;
    size_t held;
    m->held_blocks = known && m->switching ? model_blocks_find(f, true, &held) : NULL;
    prolongation_forget_entries(f->p);
    sym_forget(m->system->graph);
}

dae_status model_simulation_find_blocks(model_simulation *m)
{
    return arena_protect(m->home, find_blocks, m);
}

bool model_simulation_finish_formed(model_simulation *m)
{
    return model_simulation_find_blocks(m) == DAE_OK &&
           model_simulation_choose_projection(m) == DAE_OK;
}

void model_simulation_report_way(model_simulation *m)
{
    bool direct = option_is(m->base.solver.options->formulation, "direct") &&
                  m->wish != MECHANISM_YES;
    if (m->misleads.length) return; /* the reason was given already */
    simulation_reason(
        &m->base, "structural index %zu: %s", m->own->s->index,
        direct ? "integrated as given"
        : m->own->s->index > 1
            ? "reduced to index 1 by differentiation and by taking explicit variables out"
            : "nothing to reduce");
}
