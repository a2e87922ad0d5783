/* Models whose structure misleads and that no combinations of equations convert: embedded in larger
 * systems (structure/embedding.h), one equation after the other, until the structure of the result
 * does not mislead. */
#include "formulation/prolonged_levels.h"
#include "solve/model_simulation.h"
#include "structure/embedding.h"
#include "symbolic/discrete.h"
#include "symbolic/relations.h"

#include <stdlib.h>
#include <string.h>

/* The most equations that are embedded. */
enum { MOST_EMBEDDED = 20 };

/* One equation after the other. */
typedef struct embedding_search {
    model_simulation *m;
    double t;
    const model_simulation *last; /* its state at t goes on, ... */
    double *value, *value_yp; /* ... which is this one (m->room each); NULL: a start is sought */
    sym_system *found;        /* NULL: none */
    structure *own;
} embedding_search;

size_t model_simulation_room(const sym_system *system)
{
    size_t n = system->unknown.count, embedded = n < EMBEDDING_LARGEST ? n : EMBEDDING_LARGEST;
    return n + sym_relation_count(system->graph) + MOST_EMBEDDED * embedded + 1;
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

/* Whether the equations that were replaced hold where the present ones do, also beside the start.
 */
static bool implies(model_simulation *m, double t)
{
    const author *w = m->formulation->author;
    double moved, missed = 0, all = 0, *constraint = m->base.constraint;
    if (!model_simulation_go_beside(m, t, BESIDE[0], &moved, m->z_out)) return true;
    author_lift(m->formulation->author, moved, m->z_out, m->base.value, NULL);
    author_measure(m->formulation->author, moved, &all, constraint);
    for (size_t i = w->measured - w->implied; i < w->measured; i++)
        miss_raise(&missed, miss_of_row(w->row_value[i], w->sum[i]));
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
    const embedding_point at = {.pattern = pattern,
                                .jacobian = jacobian,
                                .t = s->t,
                                .z = m->z,
                                .time_unit = f->start->time_unit};
    message unheard = {0};
    s->found = NULL;
    if (look(m, s->t, jacobian) != DAE_OK) return;
    sym_system *larger = structure_embed(m->system, f->core, f->p, &at);
    if (larger) s->own = structure_analyze(larger, &unheard);
    if (larger && s->own && s->own->s->freedom < m->own->s->freedom) s->found = larger;
    message_free(&unheard);
    size_t shares = sym_relation_count(m->system->graph);
    if (s->found && larger->unknown.count + shares + 1 > m->room) s->found = NULL;
}

/* The state that goes on, in the present formulation. New unknowns have the values at which they
 * came in. */
static bool carry(const embedding_search *s)
{
    model_simulation *m = s->m;
    for (size_t i = m->whole.system->unknown.count; i < m->system->unknown.count; i++) {
        s->value[i] = m->system->unknown.item[i].start;
        s->value_yp[i] = 0;
    }
    model_simulation_guess(m, s->last, s->last->z_out, s->value, s->value_yp, m->z_before);
    return model_simulation_start_near(m, s->t, m->z_before, true, m->z);
}

/* The state or the start in the present equations, and whether their structure misleads there. */
static bool begins(const embedding_search *s, bool project, bool *regular, message *told)
{
    model_simulation *m = s->m;
    const formulation_choice choice = {
        .kind = FORMULATION_INDEX1, .replace = EXPLICIT_LITTLE_FILL, .project = project};
    local_rank rank;
    bool misleads = true;
    message_free(told);
    if (model_simulation_formulate_as(m, &choice) != DAE_OK) return false;
    bool found = s->last ? carry(s) : model_simulation_find_start(m, s->t, told) == DAE_OK;
    if (!found || model_simulation_look_at_rank(m, s->t, &rank, &misleads) != DAE_OK) return false;
    *regular = rank.full;
    return true;
}

static bool embed(embedding_search *s, bool project, size_t *count, message *told)
{
    model_simulation *m = s->m;
    bool regular = false;
    for (*count = 0; *count < MOST_EMBEDDED; ++*count) {
        if (!begins(s, project, &regular, told)) return false;
        if (regular) return *count > 0 && implies(m, s->t);
        if (arena_protect(m->home, embed_one, s) != DAE_OK || !s->found) return false;
        m->system = s->found;
        m->own = s->own;
    }
    return false;
}

/* Whether equations change, or are more than those that are embedded. */
static bool changes(const model_simulation *m)
{
    const sym_system *system = m->whole.system;
    bool switches = sym_relation_count(system->graph) > 0 || sym_has_discrete(&system->discrete);
    return switches || m->invariants;
}

bool model_simulation_embed_again(model_simulation *m, double t, const model_simulation *last)
{
    size_t count, bytes = m->room * sizeof(double);
    double *value = malloc(2 * bytes);
    embedding_search s = {
        .m = m, .t = t, .last = last, .value = value, .value_yp = value + m->room};
    message told = {0};
    if (!value || changes(m)) {
        free(value);
        return false;
    }
    memcpy(s.value, m->base.value, bytes);
    memcpy(s.value_yp, m->base.value_yp, bytes);
    m->system = m->whole.system;
    m->own = m->whole.own;
    bool found = embed(&s, last->formulation->choice.project, &count, &told);
    m->base.combined = true;
    if (found) memcpy(m->base.value, s.value, bytes);
    message_free(&told);
    free(value);
    return found;
}

dae_status model_simulation_embed(model_simulation *m, double t, size_t *count)
{
    sym_system *given = m->system;
    const structure *own = m->own;
    message told = {0};
    embedding_search s = {.m = m, .t = t};
    bool found = !changes(m) && embed(&s, m->formulation->choice.project, count, &told);
    if (!found) *count = 0;
    m->base.combined = found;
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
