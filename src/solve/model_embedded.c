/* Models whose structure misleads and that no combinations of equations convert: embedded in larger
 * systems (structure/embedding.h), one equation after the other, until the structure of the result
 * does not mislead. */
#include "formulation/prolonged_levels.h"
#include "solve/model_simulation.h"
#include "structure/embedding.h"

#include <string.h>

/* The most equations that are embedded. */
enum { MOST_EMBEDDED = 20 };

/* One equation after the other. */
typedef struct embedding_search {
    model_simulation *m;
    double t;
    sym_system *found; /* NULL: none */
    structure *own;
} embedding_search;

static void grow(arena *a, size_t before, size_t more, double **array)
{
    double *longer = arena_array(a, before + more, sizeof *longer);
    memcpy(longer, *array, before * sizeof *longer);
    *array = longer;
}

/* Room for the values of new unknowns. */
static void make_room(model_simulation *m, size_t before, size_t more)
{
    double **const array[] = {&m->base.value, &m->base.value_yp, &m->searched.value,
                              &m->searched.value_yp};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        grow(&m->memory, before, more, array[k]);
    double *nominal = (double *)m->base.nominal, *least = (double *)m->base.least;
    grow(&m->memory, before, more, &nominal);
    grow(&m->memory, before, more, &least);
    for (size_t k = before; k < before + more; k++) nominal[k] = least[k] = 1;
    m->base.nominal = nominal;
    m->base.least = least;
}

/* How far from the start the equations are looked at, where no factor is 0 by chance; and by how
 * much one that others imply may be missed there, relative to its terms. */
static const double BESIDE[] = {1e-2, 1e-3}, MISSED = 1e-5;

/* The system Jacobian without what is only rounding, at a solution beside the start. */
static dae_status look(model_simulation *m, double t, double *jacobian)
{
    for (size_t k = 0; k < sizeof BESIDE / sizeof *BESIDE; k++) {
        double moved;
        if (model_simulation_go_beside(m, t, BESIDE[k], &moved, m->z_out) &&
            solve_jacobian_beyond_rounding(m->formulation, moved, m->z_out, SOLVE_FOUND,
                                           jacobian) == DAE_OK)
            return DAE_OK;
    }
    return solve_jacobian_beyond_rounding(m->formulation, t, m->z, SOLVE_FOUND, jacobian);
}

/* Whether the equations of the author hold where the present ones do, also beside the start. */
static bool implies(model_simulation *m, double t)
{
    double moved, missed = 0, *constraint = m->base.constraint;
    if (!model_simulation_go_beside(m, t, BESIDE[0], &moved, m->z_out)) return true;
    author_lift(m->formulation->author, moved, m->z_out, m->base.value, NULL);
    author_measure(m->formulation->author, moved, &missed, constraint);
    memset(constraint, 0, m->base.constraint_levels * sizeof *constraint);
    return missed <= MISSED;
}

/* At m->z, in the present formulation. */
static void embed_one(void *argument)
{
    embedding_search *s = argument;
    model_simulation *m = s->m;
    const formulation *f = m->formulation;
    const sparse_pattern *pattern = f->levels->jacobian->pattern;
    double *jacobian = arena_array(m->home, pattern->nonzeros + (size_t)1, sizeof *jacobian);
    const embedding_point at = {
        .pattern = pattern, .jacobian = jacobian, .z = m->z, .time_unit = f->start->time_unit};
    message unheard = {0};
    s->found = NULL;
    if (look(m, s->t, jacobian) != DAE_OK) return;
    sym_system *larger = structure_embed(m->system, f->core, f->p, &at);
    if (larger) s->own = structure_analyze(larger, &unheard);
    if (larger && s->own && s->own->s->freedom < m->own->s->freedom) s->found = larger;
    message_free(&unheard);
    if (!s->found) return;
    size_t before = m->system->unknown.count + sym_relation_count(m->system->graph) + 1;
    make_room(m, before, larger->unknown.count - m->system->unknown.count);
}

/* The start of the present equations, and whether their structure misleads there. */
static bool starts(model_simulation *m, double t, bool project, bool *regular, message *told)
{
    const formulation_choice choice = {
        .kind = FORMULATION_INDEX1, .replace = EXPLICIT_LITTLE_FILL, .project = project};
    local_rank rank;
    bool misleads = true;
    message_free(told);
    if (model_simulation_formulate_as(m, &choice) != DAE_OK ||
        model_simulation_find_start(m, t, told) != DAE_OK ||
        model_simulation_look_at_rank(m, t, &rank, &misleads) != DAE_OK)
        return false;
    *regular = rank.full;
    return true;
}

static bool embed(model_simulation *m, double t, bool project, size_t *count, message *told)
{
    embedding_search s = {.m = m, .t = t};
    bool regular = false;
    for (*count = 0; *count < MOST_EMBEDDED; ++*count) {
        if (!starts(m, t, project, &regular, told)) return false;
        if (regular) return *count > 0 && implies(m, t);
        if (arena_protect(m->home, embed_one, &s) != DAE_OK || !s.found) return false;
        m->system = s.found;
        m->own = s.own;
    }
    return false;
}

dae_status model_simulation_embed(model_simulation *m, double t, size_t *count)
{
    sym_system *given = m->system;
    const structure *own = m->own;
    message told = {0};
    bool changes = m->switching || m->base.delays || m->invariants;
    bool found = !changes && embed(m, t, m->formulation->choice.project, count, &told);
    if (!found) *count = 0;
    if (found || told.status == DAE_STOPPED)
        message_move(m->base.solver.message, &told);
    else
        message_free(&told);
    if (found) {
        author_lift(m->formulation->author, t, m->z, m->searched.value, m->searched.value_yp);
        return m->base.solver.message->status;
    }
    m->system = given;
    m->own = own;
    return m->base.solver.message->status == DAE_STOPPED ? DAE_STOPPED : DAE_OK;
}
