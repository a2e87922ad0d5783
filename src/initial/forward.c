#include "initial/contradiction.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "initial/consistent.h"
#include "initial/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Start values that meet the equations. */

enum { MOST_ITERATIONS = 12 };

typedef struct staying {
    reduced_start *r, *rest; /* rest: the system with these values held */
    start_system held;
    bool *fixed;
} staying;

/* States without a start value, which other given values are not to move. */
static bool has_other_states(const start_system *s)
{
    for (size_t j = 0; j < s->size; j++)
        if (s->variable[j] && s->differentiated && s->differentiated[j] && !s->given[j] &&
            !s->fixed[j])
            return true;
    return false;
}

static bool begin(staying *y, bool all)
{
    reduced_start *r = y->r;
    const start_system *s = r->s;
    const bool *given = s->leading && !all && has_other_states(s) ? s->leading : s->given;
    bool any = false;
    y->fixed = malloc((s->size + 1) * sizeof *y->fixed);
    if (!y->fixed) return false;
    for (size_t j = 0; j < s->size; j++) {
        bool state = all && s->differentiated && s->differentiated[j];
        y->fixed[j] = s->fixed[j] || (s->variable[j] && (given[j] || state));
        any = any || (y->fixed[j] && !s->fixed[j] && (!all || !s->given[j]));
    }
    y->held = *s;
    y->held.fixed = y->fixed;
    if (!any || reduced_start_create(&y->rest, &y->held, r->t, s->rows, false) != DAE_OK)
        return false;
    y->rest->exact_time = true;
    return true;
}

/* Terms that are 0 have no round-off. So a row is also met if its miss is at most the round-off of
 * nominal sizes, unless that is a large part of its terms. */
static bool is_met(reduced_start *rest)
{
    bool exact = reduced_start_violation(rest) <= ROUND_OFF_VALUE;
    return (exact && terms_are_met_as_they_are(rest)) || reduced_start_is_round_off(rest);
}

/* If sizes of derivatives are not given, some rows may look dependent on others. Then other weights
 * are tried, with which fewer rows look dependent. */
static bool is_met_otherwise(reduced_start *rest)
{
    for (int by = 0; by < START_WEIGHTS && reduced_start_hides_rows(rest); by++) {
        reduced_start_weigh(rest, by);
        if (reduced_start_solve(rest, MOST_ITERATIONS) == DAE_OK && is_met(rest)) return true;
    }
    return false;
}

/* Where more rows than unknowns are met, the iteration may end at a least violation that is none of
 * a solution, as that of a product of rows is beside its other root. So small systems are solved by
 * short steps, and from other guesses as well of what is not held; but not for rows in which all is
 * held. */
static bool is_met_aside(reduced_start *rest)
{
    enum { MOST_COLUMNS = 50, TRIES = 8 };
    size_t columns = rest->system.columns;
    if (rest->system.rows <= columns || columns > MOST_COLUMNS) return false;
    if (reduced_start_misses_for_good(rest, ROUND_OFF_VALUE)) return false;
    if (start_meets_closely(rest, is_met)) return true;
    for (size_t k = 0; k < TRIES; k++) {
        reduced_start_go_to(rest, rest->s->guess);
        for (size_t c = 0; c < columns; c++)
            rest->z[rest->entry[c]] += ldexp(scattered(k * columns + c), (int)(k % 4) - 1) *
                                       rest->nominal[c];
        if (reduced_start_solve(rest, MOST_ITERATIONS) == DAE_OK && is_met(rest)) return true;
    }
    return false;
}

static bool stays(staying *y)
{
    reduced_start *r = y->r, *rest = y->rest;
    dae_status status = start_solve_watched(rest, MOST_ITERATIONS);
    if (status == DAE_NEWTON) return is_met_aside(rest);
    if (status != DAE_OK) return false;
    for (size_t j = 0; j < r->s->size; j++)
        r->beside[j] = r->s->variable[j] ? r->s->guess[j] : rest->z[j];
    r->near = true;
    if (is_met(rest)) return start_follow_flow(rest, is_met);
    return is_met_otherwise(rest) || is_met_aside(rest);
}

/* The others change as little as possible. */
static void keep_others(reduced_start *rest)
{
    if (min_norm_rank(rest->solver->linear) == rest->system.columns) return;
    memcpy(rest->saved_z, rest->z, rest->s->size * sizeof *rest->z);
    reduced_start_keep_guesses(rest);
    if (!is_met(rest)) reduced_start_go_to(rest, rest->saved_z);
}

static bool try_to_stay(reduced_start *r, bool all)
{
    staying y = {.r = r};
    bool found = begin(&y, all) && stays(&y);
    if (found && !all) keep_others(y.rest);
    if (y.rest && y.rest->missing) r->missing = true;
    if (found) memcpy(r->z, y.rest->z, r->s->size * sizeof *r->z);
    reduced_start_free(y.rest);
    free(y.fixed);
    return found;
}

bool start_stays(reduced_start *r)
{
    return try_to_stay(r, true) || try_to_stay(r, false);
}

bool start_stays_at_once(reduced_start *r)
{
    return try_to_stay(r, true);
}

/* The given values alone, where that is all there is to hold: all states are given. */
static bool begin_given(staying *y)
{
    free(y->fixed);
    *y = (staying){.r = y->r};
    return begin(y, false);
}

bool start_stays_together(reduced_start *r, start_verdict *v)
{
    staying y = {.r = r};
    bool all = begin(&y, true), held = all || begin_given(&y);
    dae_status status = held ? start_solve_watched(y.rest, MOST_ITERATIONS) : DAE_NO_START;
    bool found = status == DAE_OK && is_met(y.rest) ? start_follow_flow(y.rest, is_met)
                                                    : status == DAE_OK && is_met_aside(y.rest);
    if (found && !all) keep_others(y.rest);
    if (found) memcpy(r->z, y.rest->z, r->s->size * sizeof *r->z);
    if (held && !found) start_verdict_find(y.rest, INITIAL_ROUND_OFF, v);
    for (size_t k = 0; k < v->parts && !held; k++) v->bad[k] = true;
    reduced_start_free(y.rest);
    free(y.fixed);
    return found;
}

/* A row that is linear in its entry needs one iteration. The others show the remaining round-off.
 */
enum { ITERATIONS = 3 };

typedef struct forwarding {
    reduced_start *r;
    double *z;
    bool *known;                /* size: entries */
    size_t *unknown;            /* rows: number of its unknown entries ... */
    size_t *sum;                /* ... and sum of their indices: the index, if it is one */
    size_t *row;                /* rows: those solved in this round, each for its entry */
    size_t *place;              /* rows: the nonzero of each solved row */
    double *before;             /* rows: earlier value of the entry */
    double *change;             /* rows: relative change of the entry in the last iteration */
    bool *used;                 /* rows */
    size_t count;               /* of rows solved in this round */
    int brackets;               /* rounds in which roots that are far may still be enclosed */
    double *low, *high, *first; /* rows: ends of the bracket; the row's value at the guess */
} forwarding;

static void count_unknown(forwarding *f)
{
    const start_system *s = f->r->s;
    const sparse_pattern *p = s->pattern;
    for (size_t j = 0; j < s->size; j++) {
        f->known[j] = s->fixed[j] || (s->given[j] && s->differentiated && s->differentiated[j]);
        for (sparse_index k = p->start[j]; k < p->start[j + 1] && !f->known[j]; k++) {
            f->unknown[p->row[k]]++;
            f->sum[p->row[k]] += j;
        }
    }
}

/* Choose the rows with one unknown entry, at most one row for each entry. */
static void choose_rows(forwarding *f)
{
    const sparse_pattern *p = f->r->s->pattern;
    f->count = 0;
    for (size_t i = 0; i < f->r->s->rows; i++) {
        size_t j = f->sum[i];
        if (f->used[i] || f->unknown[i] != 1 || f->known[j]) continue;
        sparse_index k = p->start[j];
        while ((size_t)p->row[k] != i) k++;
        f->known[j] = f->used[i] = true;
        f->place[f->count] = (size_t)k;
        f->before[f->count] = f->z[j];
        f->row[f->count++] = i;
    }
}

/* One Newton iteration for each of these rows separately, and its relative change. Other rows may
 * have no value here. */
static bool iterate(forwarding *f)
{
    reduced_start *r = f->r;
    const start_system *s = r->s;
    for (size_t i = 0; i < s->rows; i++) r->row_all[i] = (double)NAN;
    dae_status status = start_system_value(s, r->t, f->z, r->row_all);
    if (status == DAE_STOPPED) return false;
    status = start_system_jacobian(s, r->t, f->z, r->value_all);
    for (size_t k = 0; status == DAE_OK && k < f->count; k++) {
        size_t i = f->row[k], j = f->sum[i];
        double step = r->row_all[i] / r->value_all[f->place[k]];
        f->change[k] = fabs(step) / fmax(fabs(f->z[j] - step), s->nominal[j]);
        if (isfinite(step)) f->z[j] -= step;
    }
    return status == DAE_OK;
}

/* A row that is not linear may have several solutions, so its entry stays unknown. */
static void leave_open(forwarding *f)
{
    size_t kept = 0;
    for (size_t k = 0; k < f->count; k++) {
        size_t j = f->sum[f->row[k]];
        if (f->change[k] <= ROUND_OFF_AMPLIFIED && isfinite(f->z[j])) {
            f->row[kept++] = f->row[k];
            continue;
        }
        f->z[j] = f->before[k];
        f->known[j] = false;
    }
    f->count = kept;
}

/* Roots that are so far that Newton's iteration does not reach them, as that of sinh(x) = 1e100
 * from 0: the guess is left in steps that double, to both sides, until the row changes its sign
 * there; then the bracket is halved. The row has no other unknown. */
enum { DOUBLINGS = 60, HALVINGS = 120, MOST_BRACKETS = 20 };

/* The first step, in sizes of the guess; and the part of the row's value that is left at a root,
 * and not at a pole. */
static const double FIRST_STEP = 0.0625, LEFT = 1e-6;

static bool is_open(const forwarding *f, size_t k)
{
    return !(f->change[k] <= ROUND_OFF_AMPLIFIED && isfinite(f->z[f->sum[f->row[k]]]));
}

/* Evaluates the rows; those without a value become NaN. */
static bool look(forwarding *f)
{
    reduced_start *r = f->r;
    for (size_t i = 0; i < r->s->rows; i++) r->row_all[i] = (double)NAN;
    return start_system_value(r->s, r->t, f->z, r->row_all) != DAE_STOPPED;
}

static bool changes_sign(const forwarding *f, size_t k)
{
    return f->r->row_all[f->row[k]] * (f->first[k] > 0 ? 1 : -1) < 0;
}

static double step_of(const forwarding *f, size_t k, int doubling)
{
    double size = fmax(fabs(f->before[k]), f->r->s->nominal[f->sum[f->row[k]]]);
    return ldexp(FIRST_STEP * size, doubling);
}

/* One more step to a side, of rows without a bracket. */
static bool widen(forwarding *f, int doubling, double side)
{
    for (size_t k = 0; k < f->count; k++)
        if (is_open(f, k) && isnan(f->low[k]))
            f->z[f->sum[f->row[k]]] = f->before[k] + side * step_of(f, k, doubling);
    if (!look(f)) return false;
    for (size_t k = 0; k < f->count; k++) {
        if (!is_open(f, k) || !isnan(f->low[k]) || !changes_sign(f, k)) continue;
        double nearer = doubling > 0 ? step_of(f, k, doubling - 1) : 0;
        f->low[k] = f->before[k] + side * nearer;
        f->high[k] = f->before[k] + side * step_of(f, k, doubling);
    }
    return true;
}

/* low: on the side of the guess. */
static bool halve(forwarding *f)
{
    for (size_t k = 0; k < f->count; k++)
        if (is_open(f, k) && !isnan(f->low[k]))
            f->z[f->sum[f->row[k]]] = f->low[k] + 0.5 * (f->high[k] - f->low[k]);
    if (!look(f)) return false;
    for (size_t k = 0; k < f->count; k++)
        if (is_open(f, k) && !isnan(f->low[k]))
            *(changes_sign(f, k) ? &f->high[k] : &f->low[k]) = f->z[f->sum[f->row[k]]];
    return true;
}

static bool enclose(forwarding *f)
{
    bool any = false, looked = true;
    for (size_t k = 0; k < f->count; k++) {
        any = any || is_open(f, k);
        f->low[k] = (double)NAN;
        if (is_open(f, k)) f->z[f->sum[f->row[k]]] = f->before[k];
        if (is_open(f, k)) f->change[k] = HUGE_VAL;
    }
    if (!any || f->brackets-- <= 0) return true;
    if (!look(f)) return false;
    for (size_t k = 0; k < f->count; k++) f->first[k] = f->r->row_all[f->row[k]];
    for (int d = 0; d < DOUBLINGS && looked; d++) looked = widen(f, d, 1) && widen(f, d, -1);
    for (int h = 0; h < HALVINGS && looked; h++) looked = halve(f);
    for (size_t k = 0; k < f->count && looked; k++) {
        double left = fabs(f->r->row_all[f->row[k]]);
        if (!isnan(f->low[k]) && left <= LEFT * fabs(f->first[k])) f->change[k] = 0;
    }
    return looked;
}

static bool solve_rows(forwarding *f)
{
    for (int k = 0; k < ITERATIONS; k++)
        if (!iterate(f)) return false;
    if (!enclose(f)) return false;
    leave_open(f);
    return true;
}

static void take_known(forwarding *f)
{
    const sparse_pattern *p = f->r->s->pattern;
    for (size_t k = 0; k < f->count; k++) {
        size_t j = f->sum[f->row[k]];
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            if ((size_t)p->row[e] == f->row[k]) continue; /* used: its sum still names the entry */
            f->unknown[p->row[e]]--;
            f->sum[p->row[e]] -= j;
        }
    }
}

dae_status start_forward(reduced_start *r, bool far, double *z)
{
    const start_system *s = r->s;
    size_t rows = s->pattern->rows;
    forwarding f = {.r = r, .z = z, .brackets = far ? MOST_BRACKETS : 0};
    f.known = calloc(s->size + 1, sizeof *f.known);
    f.unknown = calloc(4 * rows + 1, sizeof *f.unknown);
    f.before = calloc(5 * rows + 1, sizeof *f.before);
    f.used = calloc(rows + 1, sizeof *f.used);
    bool ready = f.known && f.unknown && f.before && f.used, any = false;
    if (ready) {
        f.sum = f.unknown + rows, f.row = f.sum + rows, f.place = f.row + rows;
        f.change = f.before + rows;
        f.low = f.change + rows, f.high = f.low + rows, f.first = f.high + rows;
        memcpy(z, s->guess, s->size * sizeof *z);
        count_unknown(&f);
        choose_rows(&f);
    }
    while (ready && f.count > 0 && solve_rows(&f)) {
        any = any || f.count > 0;
        take_known(&f);
        choose_rows(&f);
    }
    free(f.known);
    free(f.unknown);
    free(f.before);
    free(f.used);
    return !ready ? DAE_NO_MEMORY : any ? DAE_OK : DAE_NO_START;
}
