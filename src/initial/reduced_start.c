#include "initial/reduced_start.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "linalg/linear_solver_rows.h"
#include "linalg/rows.h"
#include "problem/levels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry without a given start value is cheaper to change by this factor, and a derivative that
 * the author did not name by the factor once more. */
static const double CHEAPER = 1e3;

static void put(reduced_start *r, const double *x)
{
    for (size_t j = 0; j < r->system.columns; j++) r->z[r->entry[j]] = x[j];
}

/* Pass on a form's status, and note whether it has no value. */
static dae_status heed(reduced_start *r, dae_status status)
{
    if (status == DAE_NOT_EVALUABLE) r->missing = true;
    return status;
}

static dae_status reduced_value(void *self, const double *x, double *residual)
{
    reduced_start *r = self;
    put(r, x);
    dae_status status = heed(r, start_system_value(r->s, r->t, r->z, r->row_all));
    if (r->system.rows) memcpy(residual, r->row_all, r->system.rows * sizeof *residual);
    return status;
}

/* Slopes that are not finite become those a little above the point, or else below it. */
static void look_beside(reduced_start *r, double *value)
{
    static const double BESIDE[] = {0x1p-26, -0x1p-26};
    const start_system *s = r->s;
    for (int k = 0; k < 2; k++) {
        for (size_t j = 0; j < s->size; j++)
            r->z_beside[j] = r->z[j] + BESIDE[k] * fmax(fabs(r->z[j]), s->nominal[j]);
        if (start_system_jacobian(s, r->t, r->z_beside, r->value_beside) == DAE_STOPPED) return;
        for (size_t i = 0; i < r->system.pattern->nonzeros; i++)
            if (!isfinite(value[i])) value[i] = r->value_beside[r->nonzero[i]];
    }
}

static dae_status reduced_jacobian(void *self, const double *x, double *value)
{
    reduced_start *r = self;
    size_t nonzeros = r->system.pattern->nonzeros;
    put(r, x);
    dae_status status = start_system_jacobian(r->s, r->t, r->z, r->value_all);
    if (status != DAE_OK) return heed(r, status);
    for (size_t k = 0; k < nonzeros; k++) value[k] = r->value_all[r->nonzero[k]];
    if (vector_is_finite(nonzeros, value)) return DAE_OK;
    if (r->slopes == SLOPES_AS_THEY_ARE) return heed(r, DAE_NOT_EVALUABLE);
    if (r->slopes == SLOPES_BESIDE) look_beside(r, value);
    for (size_t k = 0; k < nonzeros; k++)
        if (!isfinite(value[k])) value[k] = 0;
    return DAE_OK;
}

/* The round-off of all values in the rows, including fixed ones, and of the time. The time counts
 * as exact with r->exact_time: a start that is to stay unchanged was made for exactly this time. */
static dae_status reduced_noise(void *self, const double *x, double *noise)
{
    reduced_start *r = self;
    const start_system *s = r->s;
    const sparse_pattern *p = s->pattern;
    size_t rows = r->system.rows;
    put(r, x);
    dae_status status = heed(r, start_system_value(s, r->t, r->z, r->row_all));
    if (status != DAE_OK) return status;
    memcpy(noise, r->row_all, rows * sizeof *noise);
    double later = r->exact_time ? r->t : r->t + DBL_EPSILON * r->t;
    status = start_system_value(s, later, r->z, r->row_all);
    for (size_t i = 0; i < rows; i++)
        noise[i] = status == DAE_OK ? fabs(noise[i] - r->row_all[i]) : 0;
    status = start_system_jacobian(s, r->t, r->z, r->value_all);
    for (size_t j = 0; status == DAE_OK && j < s->size; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if ((size_t)p->row[k] < rows && isfinite(r->value_all[k]))
                noise[p->row[k]] += ROUND_OFF_VALUE * fabs(r->value_all[k] * r->z[j]);
    return status;
}

/* The order in which guesses are kept: given values that lead, and what is fixed; states without a
 * start value; other given values; the rest. */
enum { REST, GUESSES, OTHER_STATES, LEADING, LEVELS };

static unsigned char level_of(const start_system *s, size_t entry)
{
    bool leading = s->leading ? s->leading[entry] : s->given[entry];
    if (s->fixed[entry] || leading) return LEADING;
    if (s->variable[entry] && s->differentiated && s->differentiated[entry]) return OTHER_STATES;
    return s->given[entry] ? GUESSES : REST;
}

static void build(void *self)
{
    reduced_start *r = self;
    const start_system *s = r->s;
    const sparse_pattern *p = s->pattern;
    arena *a = &r->memory;
    size_t columns = 0;
    sparse_entries e = sparse_entries_take(a, p->nonzeros);
    r->entry = arena_array(a, s->size, sizeof *r->entry);
    for (size_t j = 0; j < s->size; j++) {
        if (s->fixed[j] && !r->all_free) continue;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if ((size_t)p->row[k] < r->system.rows)
                sparse_entries_add_from(&e, (size_t)p->row[k], columns, (size_t)k);
        r->entry[columns++] = j;
    }
    r->system.columns = columns;
    r->system.pattern = sparse_entries_build_from(a, &e, r->system.rows, columns, &r->nonzero);
    r->dust = arena_array(a, s->size, sizeof *r->dust);
    r->row_all = arena_array(a, p->rows, sizeof(double));
    r->value_all = arena_array(a, p->nonzeros, sizeof(double));
    r->value_beside = arena_array(a, p->nonzeros, sizeof(double));
    start_terms *t = &r->terms;
    arena_vectors(a, s->size,
                  (double **const[]){&r->z, &r->z_beside, &r->beside, &r->saved_z, &t->kept,
                                     &t->best, &r->aside, NULL});
    arena_vectors(a, r->system.rows,
                  (double **const[]){&r->violation, &r->noise, &r->left, &r->probe, &r->most,
                                     &t->row, &t->size, &t->round_off, &t->derivatives, &t->stays,
                                     NULL});
    arena_vectors(a, columns,
                  (double **const[]){&r->x, &r->guess, &r->weight, &r->nominal, &r->saved_x,
                                     &r->saved_weight, &r->spread, &t->weight, NULL});
    if (s->size) memcpy(r->z, s->guess, s->size * sizeof *r->z);
    r->level = arena_array(a, columns, sizeof *r->level);
    r->order = (gauss_newton_order){.levels = LEVELS, .level = r->level, .scale = r->nominal};
    for (size_t j = 0; j < columns; j++) {
        size_t i = r->entry[j];
        r->level[j] = level_of(s, i);
        r->guess[j] = s->guess[i];
        r->nominal[j] = s->nominal[i];
        r->weight[j] = s->nominal[i] * (s->given[i] ? 1 : CHEAPER) * (s->variable[i] ? 1 : CHEAPER);
    }
}

dae_status reduced_start_create(reduced_start **created, const start_system *s, double t,
                                size_t rows, bool all_free)
{
    reduced_start *r = calloc(1, sizeof *r);
    if (!r) return DAE_NO_MEMORY;
    r->s = s;
    r->t = t;
    r->all_free = all_free;
    r->system = (nonlinear_system){.rows = rows,
                                   .value = reduced_value,
                                   .jacobian = reduced_jacobian,
                                   .noise = reduced_noise,
                                   .self = r,
                                   .rows_apart = s->form->rows_apart};
    dae_status status = arena_protect(&r->memory, build, r);
    if (status == DAE_OK) status = gauss_newton_create(&r->solver, &r->system);
    if (status != DAE_OK) {
        reduced_start_free(r);
        return status;
    }
    *created = r;
    return DAE_OK;
}

void reduced_start_go_to(reduced_start *r, const double *z)
{
    memcpy(r->z, z, r->s->size * sizeof *z);
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = z[r->entry[j]];
}

dae_status reduced_start_solve(reduced_start *r, size_t most_iterations)
{
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    dae_status status = gauss_newton_solve(r->solver, r->x, r->weight, r->nominal, most_iterations);
    put(r, r->x);
    return status;
}

/* Other given values count as those that lead; or no longer. Returns whether there are any. */
static bool let_guesses_lead(reduced_start *r, bool lead)
{
    bool any = false;
    for (size_t j = 0; j < r->system.columns; j++) {
        unsigned char own = level_of(r->s, r->entry[j]);
        r->level[j] = own == GUESSES && lead ? LEADING : own;
        any = any || own == GUESSES;
    }
    return any;
}

static approach_end approach(reduced_start *r)
{
    enum { MOST_SWEEPS = 50 };
    gauss_newton_prefer(r->solver, &r->order);
    approach_end end = gauss_newton_approach(r->solver, r->x, r->guess, r->weight, r->nominal,
                                             MOST_SWEEPS);
    gauss_newton_prefer(r->solver, NULL);
    return end;
}

/* Where there is no nearest one, as where x^2 + y^2 = 1 has solutions, the way of x to 2 ends at 1
 * and y has no derivative there: then all given values count alike. */
bool reduced_start_keep_guesses(reduced_start *r)
{
    size_t bytes = r->system.columns * sizeof *r->x;
    memcpy(r->saved_x, r->x, bytes);
    approach_end end = approach(r);
    if (end == APPROACH_STUCK && let_guesses_lead(r, true)) {
        memcpy(r->x, r->saved_x, bytes);
        end = approach(r);
        let_guesses_lead(r, false);
    }
    put(r, r->x);
    return end == APPROACH_NEAREST;
}

/* Weights with which the rows and columns of the scaled Jacobian have similar sizes: D. Ruiz, A
 * scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034. */
static void balance(reduced_start *r)
{
    enum { SWEEPS = 6 };
    const sparse_pattern *p = r->system.pattern;
    const double *value = r->solver->value;
    double *row = r->row_all, *scale = r->solver->noise; /* of rows */
    for (size_t i = 0; i < r->system.rows; i++) scale[i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        memset(row, 0, r->system.rows * sizeof *row);
        for (size_t j = 0; j < r->system.columns; j++) {
            double largest = 0;
            for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
                double entry = fabs(value[k]) * r->weight[j] * scale[p->row[k]];
                row[p->row[k]] = fmax(row[p->row[k]], entry);
                largest = fmax(largest, entry);
            }
            if (largest > 0 && isfinite(largest)) r->weight[j] /= sqrt(largest);
        }
        for (size_t i = 0; i < r->system.rows; i++)
            if (row[i] > 0 && isfinite(row[i])) scale[i] /= sqrt(row[i]);
    }
}

/* Weights from the Jacobian only. Their ratios matter, but they are scaled to the earlier size on
 * average, because columns without entries keep their weights. */
static void balance_by_logarithms(reduced_start *r)
{
    const sparse_pattern *p = r->system.pattern;
    double *column = r->solver->trial, sum = 0;
    size_t columns = r->system.columns, count = 0;
    if (equilibrate(p, r->solver->value, r->solver->noise, column) != DAE_OK) return;
    for (size_t j = 0; j < columns; j++) {
        bool any = false;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            any |= r->solver->value[k] != 0;
        if (!any) column[j] = 0;
        if (any) sum += log2(r->weight[j] / column[j]), count++;
    }
    double level = count > 0 ? exp2(sum / (double)count) : 1;
    for (size_t j = 0; j < columns; j++)
        if (column[j] > 0) r->weight[j] = level * column[j];
}

void reduced_start_weigh(reduced_start *r, start_weights by)
{
    for (size_t j = 0; j < r->system.columns; j++) {
        r->weight[j] = r->nominal[j];
        if (by != WEIGHTS_ALIKE) r->weight[j] = fmax(r->weight[j], fabs(r->x[j]));
    }
    if (by == WEIGHTS_BALANCED) balance(r);
    if (by == WEIGHTS_BY_LOGARITHMS) balance_by_logarithms(r);
}

double reduced_start_violation(reduced_start *r)
{
    const start_system *s = r->s;
    const sparse_pattern *p = s->pattern;
    double worst = 0, *violation = r->violation;
    if (start_system_value(s, r->t, r->z, r->row_all) != DAE_OK ||
        start_system_jacobian(s, r->t, r->z, r->value_all) != DAE_OK)
        return (double)NAN;
    memset(violation, 0, r->system.rows * sizeof *violation);
    for (size_t j = 0; j < s->size;
         j++) { /* of the rows that count, without infinite derivatives */
        double size = fmax(fabs(r->z[j]), s->nominal[j]);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if ((size_t)p->row[k] < r->system.rows && isfinite(r->value_all[k]))
                violation[p->row[k]] += fabs(r->value_all[k]) * size;
    }
    for (size_t i = 0; i < r->system.rows; i++) {
        violation[i] = miss_of_row(r->row_all[i], violation[i]);
        if (violation[i] > worst) worst = violation[i];
    }
    return worst;
}

/* Replace value by the remainder value + A x after the best change x of the unknowns, where A is
 * the solver's Jacobian. */
static void leave(reduced_start *r, double *value)
{
    double *x = r->solver->trial;
    min_norm_solve(r->solver->linear, value, x);
    sparse_add_product(r->system.pattern, r->solver->value, x, value);
}

/* Whether the remainder of the rows after the best change of the unknowns is as small as that of
 * noise. */
static bool leaves_round_off(reduced_start *r, double margin)
{
    enum { PROBES = 4 };
    size_t rows = r->system.rows;
    memcpy(r->left, r->solver->residual, rows * sizeof *r->left);
    leave(r, r->left);
    memset(r->most, 0, rows * sizeof *r->most);
    for (size_t k = 0; k < PROBES; k++) {
        for (size_t i = 0; i < rows; i++)
            r->probe[i] = scattered(k * rows + i) < 0 ? -r->noise[i] : r->noise[i];
        leave(r, r->probe);
        for (size_t i = 0; i < rows; i++) r->most[i] = fmax(r->most[i], fabs(r->probe[i]));
    }
    for (size_t i = 0; i < rows; i++)
        if (!(fabs(r->left[i]) <= margin * (r->most[i] + r->noise[i]))) return false;
    return true;
}

/* The estimate of round-off is one of its largest parts. */
static const double MARGIN = 8;

bool reduced_start_is_round_off(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    size_t rows = r->system.rows, columns = r->system.columns;
    if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK ||
        reduced_noise(r, r->x, r->noise) != DAE_OK || !leaves_round_off(r, MARGIN))
        return false;
    gauss_newton_spread(solver, r->noise, r->spread);
    for (size_t j = 0; j < columns; j++)
        if (!(r->spread[j] <= INITIAL_ROUND_OFF * fmax(fabs(r->x[j]), r->nominal[j]))) return false;
    miss_add_terms(r->system.pattern, solver->value, r->spread, NULL, r->noise);
    for (size_t i = 0; i < rows; i++)
        if (!(fabs(solver->residual[i]) <= MARGIN * r->noise[i])) return false;
    return true;
}

bool reduced_start_misses_for_good(reduced_start *r, double allowed)
{
    const size_t *part = r->solver->row_part;
    size_t rows = r->system.rows;
    if (!r->s->form->rows_apart || isnan(reduced_start_violation(r))) return false;
    memcpy(r->left, r->row_all, rows * sizeof *r->left);
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    if (reduced_noise(r, r->x, r->noise) != DAE_OK) return false;
    for (size_t i = 0; i < rows; i++)
        if (part[i] == SPARSE_NO_PART && r->violation[i] > allowed &&
            fabs(r->left[i]) > MARGIN * r->noise[i])
            return true;
    return false;
}

bool reduced_start_counts_as_met(reduced_start *r, double worst)
{
    return worst <= INITIAL_TOLERANCE ||
           (worst <= INITIAL_ROUND_OFF && reduced_start_is_round_off(r));
}

void reduced_start_free(reduced_start *r)
{
    if (!r) return;
    gauss_newton_free(r->solver);
    arena_free(&r->memory);
    free(r);
}

bool reduced_start_hides_rows(const reduced_start *r)
{
    size_t columns = r->system.columns, rows = r->system.rows;
    const min_norm *linear = r->solver->linear;
    return min_norm_knows_rank(linear) && min_norm_rank(linear) < (rows < columns ? rows : columns);
}

double start_shown_value(const start_system *s, size_t entry, double value)
{
    return fabs(value) <= ROUND_OFF_ITERATED * s->nominal[entry] ? 0 : value;
}
