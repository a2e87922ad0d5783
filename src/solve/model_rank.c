#include "base/scatter.h"
#include "initial/consistent.h"
#include "problem/time_unit.h"
#include "solve/mechanism_simulation.h"
#include "solve/model_simulation.h"
#include "structure/dependence.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks whether the structure of a model's equations misleads: the rank of the system Jacobian at
 * a point and around it. */

/* The rank of the last linearised system Jacobian, in seconds, and where it seems singular also in
 * the unit of time. Units do not change a rank, but they change how well it can be found. */
static dae_status rank_of(prolonged_levels *l, local_rank *found)
{
    dae_status status = structure_local_rank(l->jacobian->pattern, l->jacobian_value, found);
    if (status != DAE_OK || found->full || l->time_unit == 1) return status;
    return structure_local_rank(l->jacobian->pattern, prolonged_levels_scaled(l), found);
}

bool model_simulation_start_near(model_simulation *m, double t, const double *guess, bool keeps,
                                 double *z)
{
    start_system near = m->formulation->start->start;
    bool *none = calloc(near.size + 1, sizeof *none);
    message discarded = {0};
    initial_result result;
    near.guess = guess;
    near.fixed = none;
    near.given = keeps ? near.variable : none;
    near.rows = near.equations;
    bool found = none && initial_consistent(&near, t, z, &result, &discarded) == DAE_OK;
    message_free(&discarded);
    free(none);
    return found;
}

/* The last digits of values. */
static const double DIGITS = 2 * DBL_EPSILON;

/* Whether the rank at z is full without such entries. *found, which is full, becomes what it is
 * otherwise; it stays where that cannot be looked at. */
static bool is_full_beyond_rounding(model_simulation *m, double t, const double *z, double digits,
                                    local_rank *found)
{
    const sparse_pattern *p = m->formulation->levels->jacobian->pattern;
    double *value = calloc(p->nonzeros + (size_t)1, sizeof *value);
    local_rank rank = *found;
    bool looked = value &&
                  solve_jacobian_beyond_rounding(m->formulation, t, z, digits, value) == DAE_OK &&
                  structure_local_rank(p, value, &rank) == DAE_OK;
    free(value);
    if (looked && !rank.full) *found = rank;
    return looked && rank.full;
}

/* Whether z is within some `size` of a guess, which is that far from a solution. */
static bool is_near(const start_system *s, const double *guess, double size, const double *z)
{
    static const double FAR = 30;
    for (size_t j = 0; j < s->size; j++)
        if (s->variable[j] &&
            !(fabs(z[j] - guess[j]) <= FAR * size * fmax(fabs(guess[j]), s->nominal[j])))
            return false;
    return true;
}

/* Finds a solution near the guess. Where the values of what is differentiated are held first, as a
 * search does it, the others may go far to meet what these miss; so they are also moved together.
 */
static bool find_near(model_simulation *m, double t, const double *guess, double size, double *z)
{
    start_system near = m->formulation->start->start;
    if (model_simulation_start_near(m, t, guess, false, z) && is_near(&near, guess, size, z))
        return true;
    size_t rank;
    bool *none = calloc(near.size + 1, sizeof *none);
    near.guess = guess;
    near.held = near.given = none;
    near.rows = near.equations;
    bool found = none && initial_near(&near, t, z, &rank) == DAE_OK;
    free(none);
    return found && is_near(&near, guess, size, z);
}

bool model_simulation_go_beside(model_simulation *m, double t, double size, double *moved,
                                double *z)
{
    const start_system *start = &m->formulation->start->start;
    double *guess = m->z_before;
    *moved = t + size * time_unit_beside(m->formulation->start->time_unit, t);
    for (size_t j = 0; j < start->size; j++)
        guess[j] = m->z[j] + size * scattered(j) * fmax(fabs(m->z[j]), start->nominal[j]);
    return find_near(m, *moved, guess, size, z);
}

/* Whether a solution is another one than that at the start: an isolated root, which may be
 * multiple, is found again from wherever it is sought, and tells nothing. */
static bool is_another(const model_simulation *m, double size, const double *z)
{
    static const double MOVED = 0.03;
    const start_system *s = &m->formulation->start->start;
    for (size_t j = 0; j < s->size; j++)
        if (s->variable[j] && fabs(z[j] - m->z[j]) > MOVED * size * fmax(fabs(z[j]), s->nominal[j]))
            return true;
    return false;
}

/* Whether the system Jacobian has less than a rank at another solution near z. Even where it is
 * regular beside z, it may be singular on the branch of solutions that z belongs to. */
static bool less_on_branch(model_simulation *m, double t, double size, size_t least)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    double moved;
    local_rank rank = {.full = true};
    if (!model_simulation_go_beside(m, t, size, &moved, m->z_out) ||
        !is_another(m, size, m->z_out) || l->form->linearize(l->self, moved, m->z_out) != DAE_OK ||
        rank_of(levels, &rank) != DAE_OK)
        return false;
    if (rank.full) is_full_beyond_rounding(m, moved, m->z_out, SOLVE_FOUND, &rank);
    return !rank.full && rank.rank < least;
}

/* The rank of the last linearised system Jacobian by all that is more than round-off. */
static bool is_full_to_rounding(const prolonged_levels *l)
{
    local_rank sharp = {0};
    const sparse_pattern *p = l->jacobian->pattern;
    return structure_local_rank_of_exact(p, l->jacobian_value, &sharp) == DAE_OK && sharp.full;
}

/* The system Jacobian beside the start. sharp: its rank is full to rounding. */
static dae_status look_beside(model_simulation *m, double t, local_rank *beside, bool *sharp)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    dae_status status = DAE_NOT_EVALUABLE;
    for (double size = 1e-2; size > 1e-9 && status == DAE_NOT_EVALUABLE; size *= 0.03) {
        for (size_t j = 0; j < l->size; j++)
            m->z_out[j] = m->z[j] + size * scattered(j) * fmax(fabs(m->z[j]), l->nominal[j]);
        status = l->form->linearize(l->self, t, m->z_out);
    }
    if (status == DAE_OK) status = rank_of(levels, beside);
    if (status == DAE_OK) *sharp = beside->full || is_full_to_rounding(levels);
    return status;
}

/* Whether a start has run away from its guesses. Where the system Jacobian is singular on solutions
 * alone, a search off them may take derivatives to any size. Around such values no rank tells
 * anything, as what was 1 is lost in rounding. */
static bool has_run_away(const model_simulation *m)
{
    static const double AWAY = 1e12;
    const start_system *s = &m->formulation->start->start;
    for (size_t j = 0; j < s->size; j++)
        if (!(fabs(m->z[j]) <= AWAY * fmax(fabs(s->guess[j]), s->nominal[j]))) return true;
    return false;
}

/* Entries at a solution have its errors, so that small remainders of rows tell nothing there. But
 * where they are as small wherever one looks, and more than rounding, the matrix is badly
 * conditioned and regular. */
dae_status model_simulation_look_at_rank(model_simulation *m, double t, local_rank *here,
                                         bool *misleads)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    *misleads = false;
    dae_status status = l->form->linearize(l->self, t, m->z);
    if (status == DAE_OK) status = rank_of(levels, here);
    if (status != DAE_OK) return status;
    if (here->full) is_full_beyond_rounding(m, t, m->z, DIGITS, here);
    if (here->full) return status;
    bool sharp_here = is_full_to_rounding(levels), sharp = false;
    local_rank beside = {0};
    status = look_beside(m, t, &beside, &sharp);
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    *misleads = !sharp || has_run_away(m) ||
                (less_on_branch(m, t, 1e-2, beside.rank) &&
                 less_on_branch(m, t, 1e-3, beside.rank));
    here->full = !*misleads && sharp_here && !beside.full && beside.known &&
                 here->rank >= beside.rank;
    return DAE_OK;
}

bool model_simulation_is_flat(model_simulation *m, double t)
{
    prolonged_levels *levels = m->formulation->levels;
    const constraint_levels *l = &levels->levels;
    local_rank beside = {0}, guessed = {0};
    bool sharp = false;
    if (look_beside(m, t, &beside, &sharp) != DAE_OK || sharp) return false;
    memcpy(m->z_out, m->formulation->start->start.guess, l->size * sizeof *m->z_out);
    return l->form->linearize(l->self, t, m->z_out) == DAE_OK &&
           rank_of(levels, &guessed) == DAE_OK && guessed.full;
}

bool model_simulation_is_regular_beyond_rounding(model_simulation *m, double t)
{
    local_rank rank = {0};
    return model_simulation_is_regular(m, t) && is_full_beyond_rounding(m, t, m->z, DIGITS, &rank);
}

bool model_simulation_is_regular_as_found(model_simulation *m, double t)
{
    local_rank rank = {0};
    return model_simulation_is_regular(m, t) &&
           is_full_beyond_rounding(m, t, m->z, SOLVE_FOUND, &rank);
}

bool model_simulation_is_regular(model_simulation *m, double t)
{
    local_rank rank = {0};
    bool misleads = true;
    return model_simulation_look_at_rank(m, t, &rank, &misleads) == DAE_OK && rank.full;
}

/* Finds equations of a model that depend on each other whatever the values. */

typedef struct search {
    model_simulation *m;
    double t;
    const double *value;
    bool contradicts; /* only contradictions are of interest */
    text remedy;
} search;

static void look(void *argument)
{
    search *s = argument;
    model_simulation *m = s->m;
    const dependence *d = structure_dependence(m->system, m->own->s,
                                               m->formulation->start->time_unit, s->t, s->value);
    if (d->count == 0 || (s->contradicts && !structure_contradicts(d))) return;
    mechanism_simulation_report_remedy(&m->base, &s->remedy);
    structure_report_dependence(d, text_string(&s->remedy), m->base.solver.message);
}

dae_status model_simulation_depends(model_simulation *m, double t, const double *value,
                                    bool contradicts)
{
    message *reported = m->base.solver.message;
    search s = {.m = m, .t = t, .value = value, .contradicts = contradicts};
    message_status(reported, arena_protect(m->home, look, &s));
    text_free(&s.remedy);
    return reported->status;
}
