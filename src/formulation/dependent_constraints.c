#include "formulation/dependent_constraints.h"

#include "linalg/rows.h"
#include "linalg/saddle_point.h"

#include <math.h>
#include <string.h>

/* The rest of a row of G is what remains of its unit vector once the rows taken before are
 * projected out. A row depends on others if its rest is at most DEPENDENT; it is taken back when
 * the rest exceeds BACK times the tolerance. On the manifold a dependent row has no rest. Off the
 * manifold its rest can be as large as the violation of the constraints times the curvatures. */
static const double DEPENDENT = SADDLE_POINT_DEPENDENT, BACK = 1.5, CURVATURE = 100;

/* SHORT: a step below this fraction of the longest step since the last choice is short. Where a
 * step fails or is short, a row is also left out if its rest is below `singular` times the largest
 * rest so far. The tolerance is then MORE times this rest. */
static const double SHORT = 0.01, MORE = 1.1;

/* Constraints with a larger violation than this are taken back in any case. */
static const double FAR = 1e-4;

/* If the last kept row has a larger rest than this, no comparison with a new choice is needed. */
static const double GOOD = 0.1;

dependent_constraints *dependent_constraints_create(arena *a, mechanical *m, double singular)
{
    dependent_constraints *d = arena_take(a, sizeof *d);
    size_t rows = m->constraints;
    d->m = m;
    d->tolerance = DEPENDENT;
    d->singular = singular;
    d->out = arena_array(a, rows, sizeof *d->out);
    d->taken = arena_array(a, rows, sizeof *d->taken);
    d->allowed = arena_array(a, rows, sizeof *d->allowed);
    d->rows = arena_array(a, rows * m->nv, sizeof *d->rows);
    d->force = arena_array(a, m->nv, sizeof *d->force);
    arena_vectors(a, rows, (double **const[]){&d->length, &d->level, NULL});
    return d;
}

void dependent_constraints_free(dependent_constraints *d)
{
    if (d) min_norm_free(d->minimal);
}

static const double *sizes(const dependent_constraints *d)
{
    return d->m->form->nominal + d->m->nq;
}

/* Set d->rows from the last evaluation of G, and mark all rows as not taken. */
static void spread(dependent_constraints *d)
{
    const sparse_pattern *p = d->m->gradient.pattern;
    const double *g = d->m->gradient.value;
    memset(d->rows, 0, p->rows * p->columns * sizeof *d->rows);
    memset(d->taken, 0, p->rows * sizeof *d->taken);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k];
            d->rows[i * p->columns + j] = g[k] * sizes(d)[j] / d->length[i];
        }
}

/* Evaluate M and G at a point, and the largest rest that a dependent row can have there. */
static dae_status evaluate(dependent_constraints *d, double t, const double *q, double *tolerance)
{
    const bool *out = d->m->out;
    d->m->out = NULL;
    dae_status status = mechanical_position(d->m, t, q, d->level);
    if (status == DAE_OK) status = mechanical_evaluate(d->m, t, q);
    d->m->out = out;
    if (status != DAE_OK) return status;
    const sparse_pattern *p = d->m->gradient.pattern;
    /* of G's rows, in units of the velocities' sizes; 1 for a row of zeros */
    sparse_row_squares(p, d->m->gradient.value, sizes(d), d->length);
    for (size_t i = 0; i < p->rows; i++) d->length[i] = d->length[i] > 0 ? sqrt(d->length[i]) : 1;
    d->missed = 0;
    for (size_t i = 0; i < d->m->holonomic; i++)
        d->missed = fmax(d->missed, fabs(d->level[i]) / d->length[i]);
    *tolerance = fmax(d->tolerance, CURVATURE * d->missed);
    return DAE_OK;
}

static double take(dependent_constraints *d, const bool *allowed, double tolerance)
{
    return independent_rows_take(d->m->constraints, d->m->nv, d->rows, allowed, tolerance,
                                 d->taken);
}

/* d->taken by a new choice. Returns the rest of the last row that was taken. */
static double take_anew(dependent_constraints *d, double tolerance)
{
    for (size_t i = 0; i < d->m->constraints; i++) d->allowed[i] = i < d->m->holonomic;
    double of_positions = take(d, d->allowed, tolerance);
    return fmin(of_positions, take(d, NULL, tolerance));
}

/* HUGE_VAL: no row was taken, so nothing is known. */
static void note_best(dependent_constraints *d, double kept)
{
    if (kept < HUGE_VAL) d->best = fmax(d->best, kept);
}

/* The largest rest of the rows that are not taken. */
static double left_out(const dependent_constraints *d)
{
    return independent_rows_left(d->m->constraints, d->m->nv, d->rows, d->taken);
}

dae_status dependent_constraints_choose(dependent_constraints *d, double t, const double *q)
{
    double tolerance;
    dae_status status = evaluate(d, t, q, &tolerance);
    if (status != DAE_OK) return status;
    spread(d);
    note_best(d, take_anew(d, tolerance));
    d->away = left_out(d) > fmax(DEPENDENT, CURVATURE * d->missed);
    d->count = 0;
    for (size_t i = 0; i < d->m->constraints; i++) {
        d->out[i] = !d->taken[i];
        d->count += d->out[i];
    }
    d->suspect = false;
    d->longest = 0;
    d->t = t;
    return DAE_OK;
}

dae_status dependent_constraints_renew(mechanical_formulation *c, double t,
                                       const mechanical_point *p)
{
    c->mechanical->out = NULL;
    dae_status status = mechanical_project(c->mechanical, t, p->q, p->v, true);
    if (status == DAE_OK) status = dependent_constraints_choose(c->dependent, t, p->q);
    c->away = c->dependent->away;
    return status;
}

/* Take the rows that are not left out. Returns the rest of the last one. */
static double take_kept(dependent_constraints *d)
{
    spread(d);
    for (size_t i = 0; i < d->m->constraints; i++) d->allowed[i] = !d->out[i];
    double kept = take(d, d->allowed, 0);
    note_best(d, kept);
    return kept;
}

/* Whether the rank is about to fall. If so, the tolerance is raised so that the row with the
 * smallest rest is left out. */
static bool let_go(dependent_constraints *d, double tolerance)
{
    spread(d);
    double least = take_anew(d, tolerance);
    if (!(least < d->singular * d->best)) return false;
    d->tolerance = MORE * least;
    d->suspect = true;
    return true;
}

/* Whether the step that ends at t is far shorter than earlier ones. Steps near a singular
 * configuration may have to become ever shorter. */
static bool has_short_steps(dependent_constraints *d, double t)
{
    double step = fabs(t - d->t);
    d->t = t;
    d->longest = fmax(d->longest, step);
    return step < SHORT * d->longest;
}

double dependent_constraints_quality(dependent_constraints *d, double t, const double *q)
{
    double tolerance;
    bool is_short = has_short_steps(d, t);
    if (d->count == 0 && !is_short && !d->suspect) return 1;
    if (evaluate(d, t, q, &tolerance) != DAE_OK) return 1;
    double kept = take_kept(d);
    bool lost = d->away && d->missed > FAR, back = lost || left_out(d) > BACK * tolerance;
    if (back) d->tolerance = DEPENDENT;
    if (lost) d->best = kept;
    if (back || kept <= tolerance) return 0;
    if (is_short && let_go(d, tolerance)) return 0;
    if (kept > GOOD) return 1;
    spread(d);
    double fresh = take_anew(d, tolerance);
    return kept < fresh ? kept / fresh : 1;
}

double dependent_constraints_judge(mechanical_formulation *c, double t, const double *y)
{
    if (!c->dependent) return 1;
    double found = dependent_constraints_quality(c->dependent, t, y);
    bool counts = (c->ops->holds_multipliers && !c->engine_moves) || c->away;
    return counts || c->dependent->suspect ? found : 1;
}

bool dependent_constraints_loosen(mechanical_formulation *c, double t, const double *y)
{
    double tolerance;
    if (!c->dependent || evaluate(c->dependent, t, y, &tolerance) != DAE_OK) return false;
    return let_go(c->dependent, tolerance);
}

double dependent_constraints_least(dependent_constraints *d, double t, const double *q)
{
    double tolerance;
    if (evaluate(d, t, q, &tolerance) != DAE_OK) return 1;
    spread(d);
    return fmin(1, take_anew(d, tolerance));
}

dae_status dependent_constraints_shorten(dependent_constraints *d, double t, const double *q,
                                         double *lambda)
{
    double tolerance;
    if (d->count == 0) return DAE_OK;
    dae_status status = evaluate(d, t, q, &tolerance);
    if (status != DAE_OK) return status;
    if (!d->minimal) status = min_norm_create(&d->minimal, d->m->gradient.pattern, MIN_NORM_RANK);
    if (status == DAE_OK)
        status = min_norm_factor(d->minimal, d->m->gradient.value, sizes(d), tolerance);
    if (status != DAE_OK) return status;
    mechanical_gradient_transposed(d->m, lambda, d->force);
    min_norm_solve_transposed(d->minimal, d->force, lambda);
    return DAE_OK;
}

void dependent_constraints_state(dependent_constraints *d, state_visit *s)
{
    bool leaves_out = d->m->out == d->out;
    STATE(s, leaves_out);
    d->m->out = leaves_out ? d->out : NULL;
    state_bytes(s, d->out, d->m->constraints * sizeof *d->out);
    STATE_MEMBERS(s, dependent_constraints, d, tolerance, taken);
}
