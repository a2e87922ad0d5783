/* The state of a C program's equations after an event. */
#include "base/round_off.h"
#include "event/kernel_impulse.h"
#include "initial/consistent.h"
#include "linalg/linear_solver_rows.h"
#include "solve/callback_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status callback_state_at(simulation *c, double t, const double *y, const double *yp,
                                    double *own, double *own_yp)
{
    (void)t;
    memcpy(own, y, c->n * sizeof *own);
    for (size_t j = 0; j < c->n; j++) own_yp[j] = c->problem->dynamic[j] ? yp[j] : (double)NAN;
    return DAE_OK;
}

/* Whether y' follows from y alone, so that there is nothing to search for. */
static bool is_explicit(const callback_simulation *k)
{
    return k->base.problem->form->yp && !k->reduced && !k->constraints;
}

static dae_status settle_explicit(callback_simulation *k, double t, const double *own, double *y,
                                  double *yp)
{
    simulation *c = &k->base;
    memcpy(y, own, c->n * sizeof *y);
    dae_status status = k->invariants ? invariant_levels_begin(k->invariants, t, y) : DAE_OK;
    return status == DAE_OK ? problem_yp(c->problem, t, y, yp) : status;
}

/* The linearised equations for y' and algebraic variables at one time. */
typedef struct here {
    arena memory;
    problem *problem;
    const sparse_pattern *pattern; /* columns of dF/dy' and, of algebraic variables, of dF/dy */
    uint32_t *from;                /* in which each nonzero is that one */
    double *value, *row, *column;  /* the matrix and its scales */
    double *change;                /* n */
    linear_solver *solver;
} here;

static void take_matrix(void *argument)
{
    here *w = argument;
    const problem *p = w->problem;
    const sparse_pattern *mass = p->by_yp.pattern, *jacobian = p->by_y.pattern;
    sparse_entries e = sparse_entries_take(&w->memory, mass->nonzeros + jacobian->nonzeros);
    for (size_t j = 0; j < p->n; j++)
        sparse_entries_add_column(&e, p->dynamic[j] ? mass : jacobian, j, j);
    w->pattern = sparse_entries_build_from(&w->memory, &e, p->n, p->n, &w->from);
    w->value = arena_array(&w->memory, w->pattern->nonzeros, sizeof *w->value);
    arena_vectors(&w->memory, p->n, (double **[]){&w->row, &w->column, &w->change, NULL});
}

/* Factors the matrix at (t, y, y'). DAE_SINGULAR where it is not clearly regular, in any units:
 * then the index may be above 1. */
static dae_status factor_here(here *w, double t, const double *y, const double *yp)
{
    problem *p = w->problem;
    const sparse_pattern *s = w->pattern;
    dae_status status = problem_linearize(p, t, y, yp);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < p->n; j++)
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++)
            w->value[k] = (p->dynamic[j] ? p->by_yp.value : p->by_y.value)[w->from[k]];
    status = equilibrate(s, w->value, w->row, w->column);
    for (size_t j = 0; j < p->n; j++)
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++)
            w->value[k] *= w->row[s->row[k]] * w->column[j];
    if (status == DAE_OK && !w->solver) status = linear_solver_create(&w->solver, s, false);
    if (status == DAE_OK) status = linear_solver_factor(w->solver, w->value);
    if (status != DAE_OK) return status;
    p->counts.factorizations++;
    bool regular = linear_solver_rcond(w->solver) > CALLBACK_REGULAR / (double)p->n;
    return regular ? DAE_OK : DAE_SINGULAR;
}

/* The next correction, by the matrix that was factored last. Returns its size, relative to the
 * values and, of y', to the fastest of them. */
static dae_status find_correction(here *w, double t, const double *y, const double *yp,
                                  double *size)
{
    problem *p = w->problem;
    double rate = 0;
    dae_status status = problem_residual(p, t, y, yp, w->change);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < p->n; i++) w->change[i] *= w->row[i];
    linear_solver_solve(w->solver, w->change);
    for (size_t j = 0; j < p->n; j++) {
        w->change[j] *= w->column[j];
        if (p->dynamic[j])
            rate = fmax(rate, fabs(yp[j] - w->change[j]) / fmax(fabs(y[j]), p->nominal[j]));
    }
    *size = 0;
    for (size_t j = 0; j < p->n; j++) {
        double own = fmax(fabs(y[j]), p->nominal[j]) * (p->dynamic[j] ? rate : 1);
        if (w->change[j] != 0) *size = fmax(*size, fabs(w->change[j]) / own);
    }
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* Solves from (y, y'); differential variables stay as they are. A matrix serves as long as
 * corrections fall fast: where the unknowns are linear, there is one. */
static dae_status solve_here(here *w, double t, double *y, double *yp)
{
    enum { MOST_CORRECTIONS = 20 };
    static const double SLOW = 0.01;
    double last = 0, size;
    bool fresh = true;
    dae_status status = factor_here(w, t, y, yp);
    for (int i = 0; status == DAE_OK && i < MOST_CORRECTIONS; i++) {
        status = find_correction(w, t, y, yp, &size);
        if (status != DAE_OK) return status;
        if (!fresh && size > ROUND_OFF_ITERATED && size > SLOW * last) {
            status = factor_here(w, t, y, yp);
            fresh = true;
            continue;
        }
        for (size_t j = 0; j < w->problem->n; j++)
            (w->problem->dynamic[j] ? yp : y)[j] -= w->change[j];
        if (size <= ROUND_OFF_ITERATED) return DAE_OK;
        last = size;
        fresh = false;
    }
    return status == DAE_OK ? DAE_NEWTON : status;
}

/* The same for equations of a higher index, together with derivatives of constraints, from (y, y')
 * of the simulation. They determine as much as after the event before; where they are too many to
 * find that, the index that the author declares is all that a start knows, too. */
static dae_status solve_hidden(callback_simulation *k, double t)
{
    simulation *c = &k->base;
    callback_start *search = NULL;
    size_t rank = 0, before = k->rank;
    dae_status status = callback_start_create(&search, k->callbacks, c->y, c->yp);
    if (status == DAE_OK) status = initial_near(callback_start_system(search), t, k->z, &rank);
    callback_start_free(search);
    if (status != DAE_OK) return status;
    k->rank = rank;
    if (rank > 0 && rank != before) return DAE_NEWTON;
    callback_simulation_take(k);
    return DAE_OK;
}

/* Whether the equations are integrated as given, with the index that the author declares, and the
 * search for a start determines all algebraic variables. */
static bool is_plain(const callback_simulation *k)
{
    return !k->reduced && !k->constraints && !k->embedded.wrapped && !k->index_found &&
           !k->left_open;
}

/* Where the same entries occur as before and y' and the algebraic variables still follow from the
 * others, the equations are those that the engine has: it goes on with them. DAE_NEWTON or another
 * status where that is not seen. */
static dae_status settle_as_before(callback_simulation *k, double t, const double *own, double *y,
                                   double *yp)
{
    simulation *c = &k->base;
    here w = {.problem = c->problem};
    if (!is_plain(k) || !callbacks_stay(k->callbacks, t, own)) return DAE_NEWTON;
    memcpy(c->y, own, c->n * sizeof *c->y);
    for (size_t j = 0; j < c->n; j++) c->yp[j] = c->problem->dynamic[j] ? yp[j] : 0;
    dae_status status = DAE_OK;
    if (problem_highest_index(c->problem) > 1) {
        status = solve_hidden(k, t);
    } else {
        status = arena_protect(&w.memory, take_matrix, &w);
        if (status == DAE_OK) status = solve_here(&w, t, c->y, c->yp);
    }
    if (status == DAE_OK && k->invariants) status = invariant_levels_begin(k->invariants, t, c->y);
    linear_solver_free(w.solver);
    arena_free(&w.memory);
    if (status != DAE_OK) return status;
    memcpy(y, c->y, c->n * sizeof *y);
    memcpy(yp, c->yp, c->n * sizeof *yp);
    return DAE_OK;
}

/* Algebraic variables of equations as given beside a state within a step. */
static dae_status callback_solve(simulation *c, double t, double *own, double *own_yp)
{
    callback_simulation *k = (callback_simulation *)c;
    here w = {.problem = c->problem};
    const bool *dynamic = c->problem->dynamic;
    if (is_explicit(k) || !is_plain(k) || problem_highest_index(c->problem) > 1) return DAE_OK;
    for (size_t j = 0; j < c->n; j++)
        if (!dynamic[j]) own_yp[j] = 0;
    dae_status status = arena_protect(&w.memory, take_matrix, &w);
    if (status == DAE_OK) status = solve_here(&w, t, own, own_yp);
    for (size_t j = 0; j < c->n; j++)
        if (!dynamic[j]) own_yp[j] = (double)NAN;
    linear_solver_free(w.solver);
    arena_free(&w.memory);
    return status;
}

static problem *called(problem *p)
{
    return p->author ? (problem *)p->author : p;
}

static void add_counts(problem_counts *to, const problem_counts *more)
{
    to->residuals += more->residuals;
    to->jacobians += more->jacobians;
    to->factorizations += more->factorizations;
    to->reorderings += more->reorderings;
}

/* What has been counted so far stays in the counts of the run. */
static void keep_counts(problem *to, problem *from)
{
    add_counts(&to->counts, &from->counts);
    if (called(to) != to && called(from) != from)
        add_counts(&called(to)->counts, &called(from)->counts);
}

/* What a start makes; the next one makes all of it anew. */
static void give_up(callback_simulation *k)
{
    k->base.projection = NULL;
    k->base.problem = NULL;
    k->base.levels = NULL;
    k->callbacks = NULL;
    k->search = NULL;
    k->invariants = NULL;
    k->constraints = NULL;
    k->reduced = NULL;
    k->embedded = (embedded){0};
    k->violation = (violation){0};
}

void callback_simulation_forget_passed(callback_simulation *k)
{
    if (k->passed) callback_simulation_clear(k->passed);
    free(k->passed);
    k->passed = NULL;
}

/* The equations may have another mode: which entries occur, the index and its reduction are found
 * anew, as at a start. The old ones are kept: the engine has them until it is replaced, and they
 * come back where nothing is found. */
static dae_status settle_anew(callback_simulation *k, double t, const double *own)
{
    callback_simulation_forget_passed(k);
    callback_simulation *old = malloc(sizeof *old);
    if (!old) return DAE_NO_MEMORY;
    *old = *k;
    give_up(k);
    dae_status status = simulation_start_behind(&k->base, t, own);
    if (status == DAE_OK) {
        keep_counts(k->base.problem, old->base.problem);
        k->checked = true;
        k->passed = old;
        callback_simulation_note_open(k, t);
        return DAE_OK;
    }
    callback_simulation_clear(k);
    *k = *old;
    free(old);
    return status;
}

static dae_status settle(callback_simulation *k, double t, const double *own, double *y, double *yp,
                         event_outcome *outcome)
{
    if (is_explicit(k)) return settle_explicit(k, t, own, y, yp);
    dae_status status = settle_as_before(k, t, own, y, yp);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    status = settle_anew(k, t, own);
    outcome->replaced = status == DAE_OK;
    return status;
}

/* Goes back to the equations before the event. */
static void take_back(callback_simulation *k, event_outcome *outcome)
{
    callback_simulation *old = k->passed;
    if (!outcome->replaced) return;
    outcome->replaced = false;
    callback_simulation_clear(k);
    *k = *old;
    free(old);
}

/* Whether a state that the callback has moved misses constraints, by more than round-off: also the
 * jump of a slow impact, which is less than a tolerance, is one by impulses. */
static bool has_moved(const callback_simulation *k, const double *own, const double *before,
                      const double *found)
{
    const bool *dynamic = callbacks_problem(k->callbacks)->dynamic;
    const double *nominal = k->base.nominal;
    bool set = false, moved = false;
    for (size_t j = 0; j < k->base.n; j++) set = set || (dynamic[j] && own[j] != before[j]);
    for (size_t j = 0; j < k->base.n && !moved; j++) {
        double least = ROUND_OFF_ITERATED * fmax(fabs(own[j]), nominal[j]);
        bool far = author_events_moved(&k->base, j, own[j], found[j]);
        moved = dynamic[j] && (far || (set && fabs(found[j] - own[j]) > least));
    }
    return moved;
}

/* What an event leaves beside constraints is moved by impulses, where these determine the jump.
 * Else the nearest state counts that meets them. */
static dae_status callback_settle(simulation *c, double t, double *own, double *y, double *yp,
                                  event_outcome *outcome)
{
    callback_simulation *k = (callback_simulation *)c;
    dae_status status = settle(k, t, own, y, yp, outcome);
    const double *found = outcome->replaced ? c->y : y, *found_yp = outcome->replaced ? c->yp : yp;
    if (status != DAE_OK || !has_moved(k, own, outcome->before, found)) return status;
    problem *p = callbacks_problem(k->callbacks);
    if (p->n != c->n || kernel_impulse(p, t, found_yp, own, NULL) != DAE_OK) return DAE_OK;
    take_back(k, outcome);
    return settle(k, t, own, y, yp, outcome);
}

static bool callback_stays(const simulation *c, size_t j)
{
    (void)c, (void)j;
    return true;
}

const author_events_way callback_simulation_events = {callback_state_at, callback_settle, false,
                                                      callback_stays, callback_solve};
