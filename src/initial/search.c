#include "initial/search.h"

#include "base/round_off.h"
#include "initial/contradiction.h"
#include "initial/reduced_start.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Sizes, relative to nominal values, by which guesses are moved if Newton's iteration fails from
 * them. The reason is that the default guess 0 is often a point where the Jacobian is singular.
 * Guesses that the author gave move only by the fraction SHAKE_OF_GIVEN of that. */
static const double SHAKE[] = {0, 1e-3, 0.1, 1}, SHAKE_OF_GIVEN = 1e-2;

/* Guesses of 0 move upwards first, because roots, powers and logarithms are defined only there. */
enum { SHAKES = sizeof SHAKE / sizeof *SHAKE };

/* Many, because each iteration reduces the argument of an exponential only by about 1. */
enum { MOST_ITERATIONS = 300 };

/* Where more rows than unknowns are met, they are so near the guesses that were held for them. */
enum { BRIEFLY = 20 };

/* Solve from a point whose entries are moved by `shake`, in a way that the seed chooses. A negative
 * shake moves only entries that are 0, upwards. */
static dae_status attempt_aside(reduced_start *r, const double *from, double shake,
                                scatter_seed seed, double *worst)
{
    const start_system *s = r->s;
    if (shake != 0 && start_scatter(r, seed) != DAE_OK) return DAE_NO_MEMORY;
    memcpy(r->z, from, s->size * sizeof *r->z);
    for (size_t j = 0; j < s->size && shake != 0; j++) {
        double part = shake * (s->given[j] ? SHAKE_OF_GIVEN : 1) * s->nominal[j];
        if (!s->fixed[j] && shake >= 0) r->z[j] += part * r->aside[j];
        if (!s->fixed[j] && shake < 0 && from[j] == 0) r->z[j] = -part * (1 + 0.5 * r->aside[j]);
    }
    dae_status status = reduced_start_solve(r, r->briefly ? BRIEFLY : MOST_ITERATIONS);
    *worst = reduced_start_violation(r);
    return status;
}

static dae_status attempt(reduced_start *r, const double *from, double *worst)
{
    return attempt_aside(r, from, 0, SCATTER_ALIKE, worst);
}

static dae_status note_conditions(reduced_start *r, message *m, initial_result *result)
{
    bool noted = !r->s->of_parts && min_norm_knows_rank(r->solver->linear);
    return noted ? conditions_note(r, m, result) : DAE_OK;
}

/* Tells of rows that look dependent on others and are missed by more than round-off: what they say
 * beside the others is not known. */
static void note_hidden_miss(reduced_start *r, message *m)
{
    double missed = reduced_start_violation(r);
    if (!reduced_start_hides_rows(r) || !(missed > ROUND_OFF_ITERATED) || terms_are_round_off(r))
        return;
    message_note(m,
                 "some equations hardly differ from what others say at the start that was found, "
                 "and are missed by %.2g of their terms there: it may be off by much more. Start "
                 "values nearer to a solution may help",
                 missed);
}

static dae_status finish(reduced_start *r, message *m, initial_result *result)
{
    dae_status status = gauss_newton_look(r->solver, r->x, r->weight);
    if (status != DAE_OK) return status;
    start_come_to_guesses(r);
    note_hidden_miss(r, m);
    return note_conditions(r, m, result);
}

/* Whether a search that has ended so has met all rows. An iteration that rounding keeps from coming
 * to rest has, too, once it is at a point where no row is missed by more than that of its terms. */
static bool has_met(reduced_start *r, double worst, dae_status *status)
{
    if (*status == DAE_NEWTON && worst <= ROUND_OFF_SUM && terms_are_round_off(r)) *status = DAE_OK;
    return *status == DAE_OK && reduced_start_counts_as_met(r, worst);
}

static bool meets_aside(reduced_start *r, double shake, scatter_seed seed, dae_status *status)
{
    double worst;
    *status = attempt_aside(r, r->s->guess, shake, seed, &worst);
    return has_met(r, worst, status);
}

static bool meets(reduced_start *r, const double *from, dae_status *status)
{
    double worst;
    *status = attempt(r, from, &worst);
    return has_met(r, worst, status);
}

/* How far a given value has moved. */
static double way_of(const reduced_start *r, size_t entry)
{
    const start_system *s = r->s;
    bool counts = s->leading ? s->leading[entry] : s->given[entry];
    return counts ? fabs(r->z[entry] - s->guess[entry]) / s->nominal[entry] : 0;
}

/* How far given values have moved, all together: to compare solutions. */
static double way(const reduced_start *r)
{
    double sum = 0;
    for (size_t j = 0; j < r->s->size; j++) sum = hypot(sum, way_of(r, j));
    return sum;
}

/* The same of the one that has moved farthest. It decides what is tried, so that this does not
 * depend on how many values a system has. */
static double farthest(const reduced_start *r)
{
    double most = 0;
    for (size_t j = 0; j < r->s->size; j++) most = fmax(most, way_of(r, j));
    return most;
}

/* Beyond this way of given values, nearer solutions are sought. */
static const double FAR = 0.1;

/* Solve the equations without conditions, with the given values that lead held: into `z`
 * (s->size). */
static bool meets_equations(const reduced_start *r, double *z)
{
    const start_system *s = r->s;
    start_system first = *s;
    reduced_start *q = NULL;
    bool *fixed = malloc((s->size + 1) * sizeof *fixed);
    for (size_t j = 0; fixed && j < s->size; j++)
        fixed[j] = s->fixed[j] || (s->variable[j] && (s->leading ? s->leading[j] : s->given[j]));
    first.fixed = fixed;
    bool met = fixed && reduced_start_create(&q, &first, r->t, s->equations, false) == DAE_OK &&
               reduced_start_solve(q, MOST_ITERATIONS) == DAE_OK &&
               reduced_start_violation(q) <= INITIAL_TOLERANCE;
    if (met) memcpy(z, q->z, s->size * sizeof *z);
    reduced_start_free(q);
    free(fixed);
    return met;
}

/* Whether conditions lead to a solution from where the equations are met at the guesses of states.
 * Guesses of other variables may fit to another branch of the solutions. */
static bool meets_from_equations(reduced_start *r, dae_status *status)
{
    if (r->s->equations == r->s->rows) return false;
    double *z = malloc((r->s->size + 1) * sizeof *z);
    bool met = z && meets_equations(r, z) && meets(r, z, status);
    free(z);
    return met;
}

static bool holds(const reduced_start *r, const double *z)
{
    const start_system *s = r->s;
    return !s->form->holds || s->form->holds(s->self, r->t, z);
}

/* Takes roots of single rows that are nearer, if the other rows can be met there, and assertions
 * hold as far as they do now. */
static void come_to_nearest(reduced_start *r)
{
    size_t size = r->s->size;
    double before = way(r), *z = malloc((2 * size + 1) * sizeof *z);
    dae_status status;
    if (!z) return;
    memcpy(z + size, r->z, size * sizeof *z);
    bool nearer = start_nearest(r, z + size, z) && meets(r, z, &status) && way(r) < before &&
                  (holds(r, r->z) || !holds(r, z + size));
    if (!nearer) reduced_start_go_to(r, z + size);
    free(z);
}

/* If given values have moved far, the cause may be derivatives without a guess, or a Jacobian that
 * is nearly singular at the guesses, as that of cos(x) = a at x = 0. So solutions are sought from
 * derivatives that fit the guesses, from where the equations are met, by short steps, and from
 * points near the guesses. One of them is taken if it is much nearer. The solutions of linear rows
 * are all reached from any of them. Where the rows determine all and no correction has left
 * Newton's flow, short steps, steps from points next to the guesses, and those from other
 * derivatives in which the rows are linear would follow the same one. */
static void come_nearer(reduced_start *r)
{
    static const double FAR_AWAY = 1, MUCH = 0.5, LONGEST_FIRST = 0.3;
    double before = way(r), moved = farthest(r);
    bool linear = false;
    dae_status status;
    if (moved <= FAR || (initial_is_linear(r, &linear) == DAE_OK && linear)) return;
    memcpy(r->saved_z, r->z, r->s->size * sizeof *r->z);
    bool another = r->near && !(r->along_flow && start_flow_is_same(r));
    bool nearer = another && meets(r, r->beside, &status) && way(r) < MUCH * before;
    if (!nearer) nearer = meets_from_equations(r, &status) && way(r) < MUCH * before;
    r->solver->longest_first = LONGEST_FIRST;
    for (size_t k = 0; k < SHAKES && moved > FAR_AWAY && !r->along_flow && !nearer; k++)
        nearer = meets_aside(r, SHAKE[k], SCATTER_ALIKE, &status) && way(r) < MUCH * before;
    r->solver->longest_first = 0;
    if (nearer && reduced_start_hides_rows(r)) nearer = start_is_solution(r);
    if (!nearer) reduced_start_go_to(r, r->saved_z);
    if (farthest(r) > FAR) come_to_nearest(r);
}

static bool look_at_guess(reduced_start *r)
{
    memcpy(r->x, r->guess, r->system.columns * sizeof *r->x);
    return gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK;
}

/* Solve from the guesses with other weights. Cheap entries can make rows look dependent, and such
 * rows stay violated. `whatever`: try other weights even if no rows look dependent. On success
 * these weights stay. */
static bool meets_otherwise(reduced_start *r, bool whatever, dae_status *status)
{
    size_t bytes = r->system.columns * sizeof *r->weight;
    memcpy(r->saved_weight, r->weight, bytes);
    for (int by = 0; by < START_WEIGHTS && (whatever || reduced_start_hides_rows(r)); by++) {
        if (by == WEIGHTS_BY_LOGARITHMS && !look_at_guess(r)) break;
        reduced_start_weigh(r, by);
        if (meets(r, r->s->guess, status)) return true;
    }
    memcpy(r->weight, r->saved_weight, bytes);
    return false;
}

/* Solve from the guesses by corrections that keep guesses in their order. */
static bool meets_in_order(reduced_start *r, dae_status *status)
{
    gauss_newton_prefer(r->solver, &r->order);
    bool met = meets(r, r->s->guess, status);
    bool ordered = r->solver->ordered != NULL;
    gauss_newton_prefer(r->solver, NULL);
    return met && (!ordered || gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK);
}

/* Solve from points near the guesses. */
static bool meets_beside(reduced_start *r, scatter_seed by, dae_status *status)
{
    bool met = false;
    if (by == SCATTER_EACH && start_scatter_is_each(r)) return false;
    for (size_t k = 1; k < SHAKES && !met; k++) met = meets_aside(r, -SHAKE[k], by, status);
    for (size_t k = 1; k < SHAKES && !met; k++) met = meets_aside(r, SHAKE[k], by, status);
    return met;
}

/* Whether a search that ended so may go on at other points. */
static bool may_go_on(dae_status status)
{
    return status != DAE_STOPPED && status != DAE_NO_MEMORY;
}

/* Solve from the guesses with other weights, and from points beside them, which linear rows do not
 * need. */
static bool meets_elsewhere(reduced_start *r, dae_status *status)
{
    size_t bytes = r->system.columns * sizeof *r->weight;
    double *weight = malloc(bytes + 1);
    bool met = false;
    r->along_flow = false;
    if (!weight) return false;
    memcpy(weight, r->weight, bytes);
    bool linear = look_at_guess(r) && initial_rest_is_linear(r, &linear) == DAE_OK && linear;
    int most = START_WEIGHTS * (linear ? 1 : SHAKES);
    for (int k = 0; k < most && !met && look_at_guess(r); k++) {
        reduced_start_weigh(r, (start_weights)(k % START_WEIGHTS));
        met = meets_aside(r, SHAKE[k / START_WEIGHTS], SCATTER_ALIKE, status) &&
              start_is_solution(r);
        if (!may_go_on(*status)) break;
    }
    if (!met) memcpy(r->weight, weight, bytes);
    free(weight);
    return met;
}

/* Whether the search has ended at a solution, or ends at one elsewhere. A point of which round-off
 * tells nothing is one if there is no other. */
static bool is_or_leads_to_solution(reduced_start *r, dae_status *status)
{
    start_verity is = start_verify_rows(r);
    if (is == START_SOLVED) return true;
    double *found = malloc((r->s->size + 1) * sizeof *found);
    if (!found) return is == START_DOUBTFUL;
    memcpy(found, r->z, r->s->size * sizeof *found);
    bool met = meets_elsewhere(r, status);
    if (!met) reduced_start_go_to(r, found);
    free(found);
    r->doubtful = !met && is == START_DOUBTFUL && may_go_on(*status);
    if (r->doubtful) *status = gauss_newton_look(r->solver, r->x, r->weight);
    return met || (r->doubtful && *status == DAE_OK);
}

/* Where round-off hides whether the point found is a solution, one far from the guesses is sought
 * that is. */
static dae_status clear_doubt(reduced_start *r, bool tentative, message *m)
{
    if (!r->doubtful) return DAE_OK;
    if (tentative) return DAE_NO_START;
    bool found = initial_find_afar(r, m);
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    if (!found)
        message_note(m, "round-off hides whether the equations hold at the start that was found: "
                        "they leave large terms there, and determine it badly. Start values nearer "
                        "to another solution, or fewer large terms, may help");
    return DAE_OK;
}

/* Whether one correction from the guesses, where the system was looked at last, meets all rows. */
static bool meets_at_once(reduced_start *r)
{
    min_norm_solve(r->solver->linear, r->solver->residual, r->solver->step);
    for (size_t j = 0; j < r->system.columns; j++)
        r->z[r->entry[j]] = r->x[j] = r->guess[j] + r->solver->step[j];
    return reduced_start_counts_as_met(r, reduced_start_violation(r));
}

/* Whether rows that depend on each other contradict each other wherever they are looked at, because
 * they are linear: one correction from the guesses tells, with whatever weights rows do not look
 * dependent. Small systems do not ask, because the rest of their search costs little. */
static bool contradict_everywhere(reduced_start *r)
{
    const min_norm *linear = r->solver->linear;
    bool is_linear = false;
    if (!look_at_guess(r) || min_norm_knows_null_space(linear)) return false;
    if (!min_norm_knows_rank(linear) || min_norm_rank(linear) == r->system.rows) return false;
    if (initial_is_linear(r, &is_linear) != DAE_OK || !is_linear) return false;
    bool met = meets_at_once(r);
    memcpy(r->saved_weight, r->weight, r->system.columns * sizeof *r->weight);
    for (int by = 0; by < START_WEIGHTS && !met && reduced_start_hides_rows(r); by++) {
        if (!look_at_guess(r)) break;
        reduced_start_weigh(r, by);
        met = look_at_guess(r) && meets_at_once(r);
    }
    memcpy(r->weight, r->saved_weight, r->system.columns * sizeof *r->weight);
    return !met;
}

static bool is_met(reduced_start *r)
{
    return reduced_start_counts_as_met(r, reduced_start_violation(r));
}

/* Whether a value that the author gave is free. */
static bool may_move_given(const reduced_start *r)
{
    for (size_t c = 0; c < r->system.columns; c++)
        if (r->s->given[r->entry[c]]) return true;
    return false;
}

/* Whether the rows determine all columns, so that a flow is that of the rows alone. */
static bool determines_all(const reduced_start *r)
{
    const min_norm *linear = r->solver->linear;
    return min_norm_knows_rank(linear) && min_norm_rank(linear) == r->system.columns;
}

/* Solve from the guesses. Where no given value can move, the solution is that of Newton's flow. */
static bool meets_at_guesses(reduced_start *r, bool moves, dae_status *status)
{
    r->solver->watched = true;
    bool met = meets_in_order(r, status) || (moves && meets(r, r->s->guess, status));
    r->solver->watched = false;
    r->along_flow = met && !r->solver->strayed && determines_all(r);
    return met && (may_move_given(r) || start_follow_flow(r, is_met));
}

/* Solve from the guesses and from points near them. Returns whether all rows are met. *hopeless: no
 * other point leads to a solution either, because the rows are linear. Nearby points help if the
 * Jacobian is singular. They are not tried if another search with more free entries follows and
 * this system has more rows than unknowns, as a failure then has other reasons; nor does such a
 * system try the rest, unless weights hide rows. */
static bool meet(reduced_start *r, bool tentative, bool *hopeless, dae_status *status)
{
    bool moves = !tentative || r->system.rows <= r->system.columns;
    r->briefly = !moves;
    *hopeless = contradict_everywhere(r);
    if (*hopeless) return false;
    bool met = meets_at_guesses(r, moves, status) || meets_otherwise(r, false, status);
    *hopeless = !met && !moves && !reduced_start_hides_rows(r);
    if (*hopeless) return false;
    *hopeless = !met && !min_norm_knows_null_space(r->solver->linear) && may_go_on(*status) &&
                initial_misses_linear(r, hopeless) == DAE_OK && *hopeless;
    if (*hopeless) return false;
    for (scatter_seed by = 0; by < SCATTER_SEEDS && !met && moves; by++)
        met = meets_beside(r, by, status);
    if (met) met = is_or_leads_to_solution(r, status);
    if (met) come_nearer(r);
    return met || (r->near && meets(r, r->beside, status) && start_is_solution(r));
}

/* Solve from values that follow from known ones (contradiction.h). They replace guesses: in a chain
 * of explicit variables, a guess that is far off can leave the variables after it without a value.
 */
static bool meets_forward(reduced_start *r, dae_status *status)
{
    dae_status found = start_forward(r, false, r->saved_z);
    if (found == DAE_NO_MEMORY) *status = found;
    return found == DAE_OK && meets(r, r->saved_z, status);
}

/* Where a slope has no value, as those of sqrt(x^2 + y^2) at 0, the others may lead to a solution:
 * what is so steep often enters nothing that it depends on. */
static bool meets_flat(reduced_start *r, dae_status *status)
{
    r->slopes = SLOPES_FLAT;
    bool met = meets(r, r->s->guess, status) && terms_are_met(r);
    r->slopes = met ? SLOPES_BESIDE : SLOPES_AS_THEY_ARE; /* where it ends, they tell the rank */
    return met && gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK;
}

/* If the guesses lead to no solution: reach the fixed values by continuation, or explain why that
 * fails. hopeless: rows are linear and contradict each other, so that one correction leads to where
 * violations are least. */
static dae_status lead_or_explain(reduced_start *r, bool hopeless, message *m)
{
    double worst; /* at a minimum of violations, where the iteration converges */
    hopeless = hopeless && look_at_guess(r);
    bool converged = !hopeless && attempt(r, r->s->guess, &worst) == DAE_OK &&
                     !reduced_start_counts_as_met(r, worst);
    if (hopeless) (void)meets_at_once(r);
    if (r->s->nearest) memcpy(r->s->nearest, r->z, r->s->size * sizeof *r->z);
    dae_status status = initial_explain(r, converged, hopeless, m);
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    return status;
}

/* Keep the start values if the other values can be solved for. Notes of missing and redundant
 * conditions refer to the whole system. */
static bool stay(reduced_start *r, bool at_once)
{
    if (!(at_once ? start_stays_at_once(r) : start_stays(r))) return false;
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    return start_is_no_doubt(r);
}

static dae_status note_stay(reduced_start *r, message *m, initial_result *result)
{
    dae_status status = gauss_newton_look(r->solver, r->x, r->weight);
    return status == DAE_OK ? note_conditions(r, m, result) : status;
}

dae_status initial_stay(reduced_start *r, message *m, initial_result *result)
{
    return stay(r, true) ? note_stay(r, m, result) : DAE_NO_START;
}

/* Whether rows that are not met from the guesses are linear, so that no others lead to a solution.
 */
static bool is_hopeless(reduced_start *r, dae_status *status)
{
    bool linear = false;
    if (meets(r, r->s->guess, status) || meets_otherwise(r, false, status)) return false;
    if (!may_go_on(*status)) return false;
    return initial_misses_linear(r, &linear) == DAE_OK && linear;
}

dae_status initial_search(reduced_start *r, bool tentative, initial_result *result, message *m)
{
    dae_status status = DAE_OK;
    bool stays = stay(r, false), hindered = !stays && r->missing;
    if (!stays && r->s->brief && is_hopeless(r, &status)) return DAE_NO_START;
    bool hopeless = false, met = stays || meet(r, tentative, &hopeless, &status);
    if (!met && !hopeless)
        met = (meets_forward(r, &status) && start_is_solution(r)) ||
              (status != DAE_NO_MEMORY && r->missing && meets_flat(r, &status)) ||
              (!tentative && status != DAE_NO_MEMORY && meets_otherwise(r, true, &status) &&
               start_is_solution(r));
    if (!met)
        status = status == DAE_NO_MEMORY ? status
                 : tentative             ? DAE_NO_START
                                         : lead_or_explain(r, hopeless, m);
    if (status == DAE_OK && !stays && !terms_were_met(r) && !terms_are_met(r))
        status = tentative ? DAE_NO_START : initial_report_terms(r, m);
    if (status == DAE_OK && !stays) status = clear_doubt(r, tentative, m);
    /* a callback may have lacked a value only temporarily */
    if (hindered && status == DAE_OK) stays = stay(r, false);
    if (status != DAE_OK) return status;
    return stays ? note_stay(r, m, result) : finish(r, m, result);
}

void start_verdict_find(reduced_start *r, double allowed, start_verdict *v)
{
    const sparse_pattern *p = r->s->pattern;
    for (size_t c = 0; c < r->system.columns; c++)
        if (gauss_newton_failed(r->solver, c)) v->bad[v->part_of_entry[r->entry[c]]] = true;
    bool valued = !isnan(reduced_start_violation(r));
    for (size_t i = 0; i < r->system.rows; i++)
        if (valued ? !(r->violation[i] <= allowed) : !isfinite(r->row_all[i]))
            v->bad[v->part_of_row[i]] = true;
    for (size_t c = 0; c < r->system.columns && valued; c++)
        for (sparse_index k = p->start[r->entry[c]]; k < p->start[r->entry[c] + 1]; k++)
            if (!isfinite(r->value_all[k])) v->bad[v->part_of_entry[r->entry[c]]] = true;
}

/* Marks the parts of which a given value has moved far. */
static bool has_gone_far(const reduced_start *r, start_verdict *v)
{
    bool far = false;
    for (size_t j = 0; j < r->s->size; j++) {
        if (way_of(r, j) <= FAR) continue;
        v->bad[v->part_of_entry[j]] = true;
        far = true;
    }
    return far;
}

bool initial_search_together(reduced_start *r, start_verdict *v)
{
    double worst;
    r->briefly = r->system.rows > r->system.columns;
    bool met = attempt(r, r->s->guess, &worst) == DAE_OK && worst <= INITIAL_TOLERANCE;
    r->briefly = false;
    if (!met) start_verdict_find(r, INITIAL_TOLERANCE, v);
    return met && !reduced_start_hides_rows(r) && !has_gone_far(r, v) && terms_miss_nothing(r) &&
           gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK && start_come_to_guesses(r);
}
