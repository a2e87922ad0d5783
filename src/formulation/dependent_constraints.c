#include "formulation/dependent_constraints.h"

#include "linalg/rows.h"
#include "linalg/saddle_point.h"

#include <math.h>
#include <string.h>

/* A row of G depends on others where not more of it is left beside them than this part; what is
 * left out comes back at more. Off the manifold as much may be left of a row that depends on others
 * on it as the constraints are missed there, times the curvatures. */
static const double DEPENDENT = SADDLE_POINT_DEPENDENT, BACK = 1.5, CURVATURE = 100;

/* Where a step fails, or is so short beside the longest one since the last choice, a row of which
 * less is left than the part `singular` of the most that ever was is left out as well, and `MORE`
 * than it. */
static const double SHORT = 0.01, MORE = 1.1;

/* Constraints that are missed more than that come back in any case. */
static const double FAR = 1e-4;

/* Rows chosen as well as that need not be compared with a new choice. */
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
    d->length = arena_array(a, rows, sizeof *d->length);
    d->level = arena_array(a, rows, sizeof *d->level);
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

/* The lengths of G's rows in units of the velocities' sizes; 1 of a row of zeros. */
static void find_lengths(dependent_constraints *d)
{
    const sparse_pattern *p = mechanical_gradient_pattern(d->m);
    sparse_row_squares(p, mechanical_gradient(d->m), sizes(d), d->length);
    for (size_t i = 0; i < p->rows; i++) d->length[i] = d->length[i] > 0 ? sqrt(d->length[i]) : 1;
}

/* d->rows from G as evaluated last. None of them is taken. */
static void spread(dependent_constraints *d)
{
    const sparse_pattern *p = mechanical_gradient_pattern(d->m);
    const double *g = mechanical_gradient(d->m);
    memset(d->rows, 0, p->rows * p->columns * sizeof *d->rows);
    memset(d->taken, 0, p->rows * sizeof *d->taken);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k];
            d->rows[i * p->columns + j] = g[k] * sizes(d)[j] / d->length[i];
        }
}

/* M and G at a point, and what may be left there of a row that depends on others. */
static dae_status evaluate(dependent_constraints *d, double t, const double *q, double *tolerance)
{
    const bool *out = d->m->out;
    d->m->out = NULL;
    dae_status status = mechanical_position(d->m, t, q, d->level);
    if (status == DAE_OK) status = mechanical_evaluate(d->m, t, q);
    d->m->out = out;
    if (status != DAE_OK) return status;
    find_lengths(d);
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

/* d->taken by a new choice. Returns how much was left of the last row that was taken. */
static double take_anew(dependent_constraints *d, double tolerance)
{
    for (size_t i = 0; i < d->m->constraints; i++) d->allowed[i] = i < d->m->holonomic;
    double of_positions = take(d, d->allowed, tolerance);
    return fmin(of_positions, take(d, NULL, tolerance));
}

/* Of no row at all nothing is known. */
static void note_best(dependent_constraints *d, double kept)
{
    if (kept < HUGE_VAL) d->best = fmax(d->best, kept);
}

/* How much is left of those that are not taken. */
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

/* What is left of the last of the rows that are not left out. */
static double take_kept(dependent_constraints *d)
{
    spread(d);
    for (size_t i = 0; i < d->m->constraints; i++) d->allowed[i] = !d->out[i];
    double kept = take(d, d->allowed, 0);
    note_best(d, kept);
    return kept;
}

/* Whether the rank is about to fall: then what is left least of in a new choice is left out. */
static bool let_go(dependent_constraints *d, double tolerance)
{
    spread(d);
    double least = take_anew(d, tolerance);
    if (!(least < d->singular * d->best)) return false;
    d->tolerance = MORE * least;
    d->suspect = true;
    return true;
}

/* Steps that end with this are far shorter than others before: they may not come near to a singular
 * configuration without becoming shorter still. */
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

bool dependent_constraints_loosen(dependent_constraints *d, double t, const double *q)
{
    double tolerance;
    if (evaluate(d, t, q, &tolerance) != DAE_OK) return false;
    return let_go(d, tolerance);
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
    if (!d->minimal) status = min_norm_create(&d->minimal, mechanical_gradient_pattern(d->m), true);
    if (status == DAE_OK)
        status = min_norm_factor(d->minimal, mechanical_gradient(d->m), sizes(d), tolerance);
    if (status != DAE_OK) return status;
    mechanical_gradient_transposed(d->m, lambda, d->force);
    min_norm_solve_transposed(d->minimal, d->force, lambda);
    return DAE_OK;
}
