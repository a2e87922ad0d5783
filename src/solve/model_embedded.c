/* Models whose structure misleads and that no combinations of equations convert: embedded in larger
 * systems (structure/embedding.h), one equation of each part after the other, until the structure
 * of the result does not mislead. */
#include "formulation/prolonged_levels.h"
#include "solve/model_simulation.h"
#include "structure/embedding.h"
#include "symbolic/relations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most equations of a part that are embedded one after the other. There is room for as many new
 * unknowns for each of so many equations, and for one more for each equation. */
enum { MOST_EMBEDDED = 20, MOST_DEEP = 200 };

/* One equation after the other. */
typedef struct embedding_search {
    model_simulation *m;
    double t, time_unit;
    bool converts;                /* parts are converted (conversion.h), and only others embedded */
    const model_simulation *last; /* its state at t goes on; NULL: a start is sought */
    double *value, *value_yp;     /* m->room each: that state, or what the search has found */
    sym_system *found;            /* NULL: none */
    structure *own;
} embedding_search;

size_t model_simulation_room(const sym_system *system)
{
    size_t n = system->unknown.count, deep = n < MOST_DEEP ? n : MOST_DEEP;
    return 2 * n + sym_relation_count(system->graph) + MOST_EMBEDDED * deep + 1;
}

/* How far from the start the equations are looked at, where no factor is 0 by chance; and by how
 * much one that others imply may be missed there, relative to its terms. */
static const double BESIDE[] = {1e-2, 1e-3}, MISSED = 1e-5;

/* The system Jacobian without what is only rounding, at a solution beside the start. */
static bool look_beside(model_simulation *m, double t, double size, double *jacobian)
{
    double moved;
    return model_simulation_go_beside(m, t, size, &moved, m->z_out) &&
           solve_jacobian_beyond_rounding(m->formulation, moved, m->z_out, SOLVE_FOUND, jacobian) ==
               DAE_OK;
}

/* Whether the equations that were replaced hold where the present ones do, also beside the start.
 */
static bool implies(model_simulation *m, double t)
{
    double moved;
    return !model_simulation_go_beside(m, t, BESIDE[0], &moved, m->z_out) ||
           model_embedded_implies(m, moved, m->z_out);
}

/* Takes a larger system, if there is one and it has fewer degrees of freedom. */
static void take_larger(embedding_search *s, sym_system *larger)
{
    model_simulation *m = s->m;
    message unheard = {0};
    if (!larger) return;
    size_t shares = sym_relation_count(m->system->graph);
    s->own = structure_analyze(larger, &unheard);
    message_free(&unheard);
    bool less = s->own && s->own->s->freedom < m->own->s->freedom;
    if (less && larger->unknown.count + shares + 1 <= m->room) s->found = larger;
}

/* At m->z, in the present formulation. Of two solutions beside a start, one may be on another
 * branch, where the structure does not mislead; a run goes on with what it has. At m->z itself a
 * factor may be 0 by chance, so that counts only where there is no other. */
static void embed_each(void *argument)
{
    embedding_search *s = argument;
    model_simulation *m = s->m;
    const formulation *f = m->formulation;
    const sparse_pattern *pattern = f->levels->jacobian->pattern;
    double *jacobian = arena_array(m->home, pattern->nonzeros + (size_t)1, sizeof *jacobian);
    const embedding_point at = {.pattern = pattern,
                                .jacobian = jacobian,
                                .match = f->reduced->match,
                                .t = s->t,
                                .z = m->z,
                                .time_unit = f->start->time_unit};
    const size_t points = sizeof BESIDE / sizeof *BESIDE;
    bool looked = false;
    s->found = NULL;
    for (size_t k = 0; k < points && !s->found && !(looked && s->last); k++) {
        if (!look_beside(m, s->t, BESIDE[k], jacobian)) continue;
        take_larger(s, structure_embed(m->system, f->core, f->p, &at));
        looked = true;
    }
    if (looked || solve_jacobian_beyond_rounding(f, s->t, m->z, SOLVE_FOUND, jacobian) != DAE_OK)
        return;
    take_larger(s, structure_embed(m->system, f->core, f->p, &at));
}

/* New unknowns have the values at which they came in. */
static void take_new_unknowns(const embedding_search *s)
{
    const model_simulation *m = s->m;
    for (size_t i = m->written.system->unknown.count; i < m->system->unknown.count; i++) {
        s->value[i] = m->system->unknown.item[i].start;
        s->value_yp[i] = 0;
    }
}

/* The state that goes on, in the present formulation: all variables keep their values where that is
 * possible, as the equations may have other solutions as well. */
static bool carry(const embedding_search *s)
{
    model_simulation *m = s->m;
    model_simulation_guess(m, s->last, s->last->z_out, s->value, s->value_yp, m->z_before);
    return model_settle_keep(m, s->t, m->z_before, m->z) ||
           model_simulation_start_near(m, s->t, m->z_before, true, m->z);
}

/* Formulates the present equations, with combinations for those parts for which there are some. */
static bool formulate(const embedding_search *s, bool project)
{
    model_simulation *m = s->m;
    const conversion_point point = {
        .t = s->t, .time_unit = s->time_unit, .value = s->value, .yp = s->value_yp};
    formulation_choice choice = {.kind = FORMULATION_INDEX1, .project = project};
    if (s->converts) {
        choice.convert = &point;
        if (model_simulation_formulate_as(m, &choice) != DAE_OK) return false;
        if (m->formulation->converted > 0) return true;
        choice.convert = NULL;
    }
    choice.replace = EXPLICIT_LITTLE_FILL;
    return model_simulation_formulate_as(m, &choice) == DAE_OK;
}

/* The state or the start in the present equations, and whether their structure misleads there. */
static bool begins(const embedding_search *s, bool project, bool *regular, message *told)
{
    model_simulation *m = s->m;
    local_rank rank;
    bool misleads = true;
    message_free(told);
    take_new_unknowns(s);
    if (!formulate(s, project)) return false;
    bool found = s->last ? carry(s) : model_simulation_find_start(m, s->t, told) == DAE_OK;
    if (!found || model_simulation_look_at_rank(m, s->t, &rank, &misleads) != DAE_OK) return false;
    *regular = rank.full && (!s->last || model_simulation_is_regular_as_found(m, s->t));
    return true;
}

static bool embed(embedding_search *s, bool project, size_t *count, message *told)
{
    model_simulation *m = s->m;
    bool regular = false;
    size_t given = m->system->implied.count;
    for (int round = 0; round < MOST_EMBEDDED; round++) {
        if (!begins(s, project, &regular, told)) return false;
        *count = m->system->implied.count - given;
        if (regular) return *count > 0 && model_embedded_implies(m, s->t, m->z) && implies(m, s->t);
        if (arena_protect(m->home, embed_each, s) != DAE_OK || !s->found) return false;
        m->system = s->found;
        m->own = s->own;
    }
    return false;
}

/* Embeds with combinations for the parts that have some; else without these. */
static bool embed_either(embedding_search *s, bool combined, bool project, size_t *count,
                         message *told)
{
    model_simulation *m = s->m;
    sym_system *given = m->system;
    const structure *own = m->own;
    for (int without = combined ? 0 : 1; without < 2; without++) {
        s->converts = !without;
        m->system = given;
        m->own = own;
        if (embed(s, project, count, told)) return true;
        if (told->status == DAE_STOPPED) return false;
    }
    return false;
}

/* Whether some parts of a formulation are combined, and others are not. */
static bool combines_some(const formulation *f)
{
    return f->converted > 0 && f->core->partly;
}

/* Whether the equations are those of several modes: only those of one are embedded. */
static bool changes(const model_simulation *m)
{
    const sym_selectors *s = &m->whole.selectors;
    bool whole = m->written.system == m->whole.system;
    return m->switching && (m->modes->sliding > 0 || (whole && s->relations + s->cells > 0));
}

bool model_simulation_embed_again(model_simulation *m, double t, const model_simulation *last)
{
    size_t count, bytes = m->room * sizeof(double);
    double *value = malloc(2 * bytes);
    const formulation *f = last->formulation;
    embedding_search s = {.m = m,
                          .t = t,
                          .time_unit = f->start->time_unit,
                          .last = last,
                          .value = value,
                          .value_yp = value + m->room};
    message told = {0};
    if (!value || changes(m)) {
        free(value);
        return false;
    }
    memcpy(s.value, m->base.value, bytes);
    memcpy(s.value_yp, m->base.value_yp, bytes);
    m->system = m->written.system;
    m->own = m->written.own;
    bool combined = combines_some(f) || (f->converted > 0 && last->system->implied.count > 0);
    bool found = embed_either(&s, combined, f->choice.project, &count, &told);
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
    const formulation *f = m->formulation;
    message told = {0};
    embedding_search s = {.m = m,
                          .t = t,
                          .time_unit = f->start->time_unit,
                          .value = m->searched.value,
                          .value_yp = m->searched.value_yp};
    bool found = !changes(m) && embed_either(&s, combines_some(f), f->choice.project, count, &told);
    if (!found) *count = 0;
    m->base.combined = found;
    if (found || told.status == DAE_STOPPED)
        message_move(m->base.solver.message, &told);
    else
        message_free(&told);
    if (found) {
        author_lift(m->formulation->author, t, m->z, m->searched.value, m->searched.value_yp);
        model_pivots_begin(m, t);
        return m->base.solver.message->status;
    }
    m->system = given;
    m->own = own;
    return m->base.solver.message->status == DAE_STOPPED ? DAE_STOPPED : DAE_OK;
}

/* --- at events --- */

/* The `order`-th derivative of an unknown in a formulation, or `unknown`. */
static double derivative_of(const model_simulation *m, const double *z, const double *value,
                            const double *value_yp, uint32_t id, uint32_t order, double unknown)
{
    const prolongation *p = m->formulation->p;
    uint32_t column = p->column_of[id];
    if (column != INCIDENCE_NONE && order <= p->d[column]) return z[p->first[column] + order];
    double found = order == 0 ? value[id] : order == 1 ? value_yp[id] : (double)NAN;
    return isfinite(found) ? found : unknown;
}

void model_embedded_carry(const model_simulation *m, const model_simulation *last, const double *z,
                          double *value, double *value_yp)
{
    const sym_system *system = m->system;
    size_t first = system->unknown.count - system->held.count;
    for (size_t i = 0; i < system->held.count; i++) {
        const sym_held *h = &system->held.item[i];
        double *to = &value[first + i], *rate = &value_yp[first + i];
        *to = derivative_of(last, z, value, value_yp, h->of, h->order,
                            system->unknown.item[first + i].start);
        *rate = derivative_of(last, z, value, value_yp, h->of, h->order + 1, 0);
    }
}

bool model_embedded_implies(model_simulation *m, double t, const double *z)
{
    const author *w = m->formulation->author;
    double missed = 0, all = 0, *constraint = m->base.constraint;
    size_t bytes = m->base.constraint_levels * sizeof *constraint;
    double *kept = malloc(bytes + 1);
    if (!kept) return false;
    memcpy(kept, constraint, bytes);
    author_lift(m->formulation->author, t, z, m->base.value, NULL);
    author_measure(m->formulation->author, t, &all, constraint);
    for (size_t i = w->measured - w->implied; i < w->measured; i++)
        miss_raise(&missed, miss_of_row(w->row_value[i], w->sum[i]));
    memcpy(constraint, kept, bytes);
    free(kept);
    return missed <= MISSED;
}
