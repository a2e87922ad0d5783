#include "initial/consistent.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "problem/levels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 300, FEW_ITERATIONS = 12, POLISHING = 3 };

/* Limits for the part of its terms that a row misses. Beyond NEXT_TO_NOTHING, more iterations are
 * made. Beyond LITTLE, other solutions are sought. Results of both are taken if they miss less by
 * the factor MUCH_LESS. Beyond GOOD_PART the point is no solution. */
static const double NEXT_TO_NOTHING = 1e-12, LITTLE = 1e-6, MUCH_LESS = 0.1, GOOD_PART = 0.03;

/* A row is met if its miss is below ROUND_OFF_NORM in nominal sizes of variables, or below MARGIN
 * times its round-off, including the effect of round-off on the unknowns. The reason is that terms
 * within an equation may cancel. */
static const double MARGIN = 64;

/* A miss below this part of the round-off of derivatives, 1e-20 of their nominal sizes, is nothing:
 * so slow a change is none in any run, though it may be all that a row has, as der(h) = 0. */
static const double DUST = 1e-5;

/* The largest part of its terms that a row misses at z. seen: among rows whose miss exceeds
 * round-off, including that of terms that may cancel. beyond_derivatives: among rows whose miss
 * exceeds the round-off of their derivatives. all: among all rows. */
typedef struct parts {
    double seen, beyond_derivatives, all;
} parts;

static bool is_much_less(double now, double before)
{
    return now < before && now <= MUCH_LESS * before;
}

static bool is_less(parts now, parts least)
{
    return is_much_less(now.seen, least.seen) ||
           (now.seen <= least.seen && is_much_less(now.all, least.all));
}

/* Estimate the round-off of each row: of its own terms in r->noise; including the effect of all
 * rows' round-off on the unknowns in r->terms.round_off. */
static bool find_round_off(reduced_start *r)
{
    double *round_off = r->terms.round_off;
    gauss_newton *solver = r->solver;
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] = r->z[r->entry[j]];
    if (r->system.noise(r, r->x, r->noise) != DAE_OK ||
        gauss_newton_look(solver, r->x, r->weight) != DAE_OK)
        return false;
    gauss_newton_spread(solver, r->noise, r->spread);
    memcpy(round_off, r->noise, r->system.rows * sizeof *round_off);
    miss_add_terms(r->system.pattern, solver->value, r->spread, NULL, round_off);
    for (size_t i = 0; i < r->system.rows; i++) {
        r->noise[i] *= MARGIN;
        round_off[i] *= MARGIN;
    }
    return true;
}

/* NaN if rows have no value. */
static parts missed(reduced_start *r)
{
    start_terms *t = &r->terms;
    const sparse_pattern *p = r->s->pattern;
    size_t rows = r->system.rows;
    const parts none = {(double)NAN, (double)NAN, (double)NAN};
    parts part = {0};
    if (isnan(reduced_start_violation(r))) return none;
    memcpy(t->row, r->row_all, rows * sizeof *t->row);
    if (!find_round_off(r)) return none;
    memset(t->size, 0, rows * sizeof *t->size);
    memset(t->derivatives, 0, rows * sizeof *t->derivatives);
    for (size_t j = 0; j < r->s->size; j++) {
        double *noise = r->s->variable[j] ? t->round_off : t->derivatives;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if ((size_t)p->row[k] >= rows || !isfinite(r->value_all[k])) continue;
            t->size[p->row[k]] += fabs(r->value_all[k] * r->z[j]);
            noise[p->row[k]] += ROUND_OFF_NORM * fabs(r->value_all[k]) * r->s->nominal[j];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        double off = fabs(t->row[i]);
        if (off <= r->noise[i] || off <= DUST * t->derivatives[i]) continue;
        double own = t->size[i] > 0 ? off / t->size[i] : HUGE_VAL;
        part.all = fmax(part.all, own);
        if (off > t->round_off[i]) part.seen = fmax(part.seen, own);
        if (off > t->derivatives[i]) part.beyond_derivatives = fmax(part.beyond_derivatives, own);
    }
    return part;
}

/* An undamped Newton iteration. The damping and the end of the usual iteration are based on nominal
 * sizes. */
static bool go_on(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK) return false;
    min_norm_solve(solver->linear, solver->residual, solver->step);
    for (size_t j = 0; j < r->system.columns; j++) r->x[j] += solver->step[j];
    for (size_t j = 0; j < r->system.columns; j++) r->z[r->entry[j]] = r->x[j];
    return true;
}

static bool are_small(const reduced_start *r)
{
    for (size_t i = 0; i < r->system.rows; i++)
        if (!(r->violation[i] <= INITIAL_TOLERANCE)) return false;
    return true;
}

/* Iterate from z and keep the point that misses least. */
static parts refine(reduced_start *r, parts least, int most)
{
    start_terms *t = &r->terms;
    for (int k = 0; k < most && least.all > 0; k++) {
        parts now = missed(r);
        if (is_less(now, least) && are_small(r)) {
            least = now;
            memcpy(t->best, r->z, r->s->size * sizeof *t->best);
            memcpy(t->weight, r->weight, r->system.columns * sizeof *t->weight);
        }
        if (!go_on(r)) break;
    }
    return least;
}

/* Search with other weights, from the guesses and from the point found. */
static parts seek(reduced_start *r, parts least)
{
    r->along_flow = false;
    for (int trial = 2 * START_WEIGHTS; trial-- > 0 && least.seen > LITTLE;) {
        reduced_start_go_to(r, trial % 2 ? r->s->guess : r->terms.kept);
        if (gauss_newton_look(r->solver, r->x, r->weight) != DAE_OK) continue;
        reduced_start_weigh(r, (start_weights)(trial / 2));
        if (reduced_start_solve(r, MOST_ITERATIONS) != DAE_OK) continue;
        if (trial / 2 == WEIGHTS_BY_LOGARITHMS) reduced_start_weigh(r, WEIGHTS_BY_LOGARITHMS);
        least = refine(r, least, FEW_ITERATIONS);
    }
    return least;
}

/* Whether, in iterations from the best point, a row always misses more than a part of its terms by
 * the same amount. By contrast, the miss of a double root at 0 decreases, and the round-off of
 * terms that cancel changes with the point. */
static bool is_missed(reduced_start *r, double part)
{
    const start_terms *t = &r->terms;
    static const double SAME = 0.1;
    size_t rows = r->system.rows, left = 0;
    double *first = t->stays;
    reduced_start_go_to(r, t->best);
    missed(r);
    for (size_t i = 0; i < rows; i++) {
        double nothing = fmax(t->round_off[i], DUST * t->derivatives[i]);
        bool good = fabs(t->row[i]) > fmax(part * t->size[i], nothing);
        first[i] = good ? t->row[i] : 0;
    }
    for (size_t k = 0; k < FEW_ITERATIONS && go_on(r); k++) {
        for (size_t j = 0; j < r->system.columns; j++)
            r->z[r->entry[j]] *= 1 + ROUND_OFF_VALUE * scattered(k * r->system.columns + j);
        missed(r);
        for (size_t i = 0; i < rows; i++)
            if (!(fabs(t->row[i] - first[i]) <= SAME * fabs(first[i]))) first[i] = 0;
    }
    for (size_t i = 0; i < rows; i++) left += first[i] != 0;
    reduced_start_go_to(r, t->best);
    return left > 0;
}

/* The present point and its weights, as the best that there is. */
static void remember(reduced_start *r)
{
    start_terms *t = &r->terms;
    t->met = false;
    memcpy(t->kept, r->z, r->s->size * sizeof *t->kept);
    memcpy(t->best, r->z, r->s->size * sizeof *t->best);
    memcpy(t->weight, r->weight, r->system.columns * sizeof *t->weight);
}

double terms_missed(reduced_start *r)
{
    return fmax(missed(r).seen, NEXT_TO_NOTHING);
}

bool terms_are_round_off(reduced_start *r)
{
    return missed(r).all <= 0;
}

bool terms_miss_nothing(reduced_start *r)
{
    return missed(r).seen <= NEXT_TO_NOTHING;
}

bool terms_are_met_as_they_are(reduced_start *r)
{
    return missed(r).beyond_derivatives <= LITTLE;
}

bool terms_are_met(reduced_start *r)
{
    start_terms *t = &r->terms;
    parts part = missed(r);
    remember(r);
    t->met = part.all <= NEXT_TO_NOTHING;
    if (t->met) return true; /* and is looked at there */
    if (part.seen > NEXT_TO_NOTHING)
        part = refine(r, part, FEW_ITERATIONS);
    else if (part.all > NEXT_TO_NOTHING) /* the round-off of unknowns hides what may be mended */
        part = refine(r, part, POLISHING);
    if (part.seen > LITTLE && is_missed(r, LITTLE)) part = seek(r, part);
    reduced_start_go_to(r, t->best);
    memcpy(r->weight, t->weight, r->system.columns * sizeof *t->weight);
    bool met = !(part.seen > GOOD_PART && is_missed(r, GOOD_PART));
    if (gauss_newton_look(r->solver, r->x, r->weight) != DAE_OK) met = false;
    return met;
}

bool terms_were_met(const reduced_start *r)
{
    const start_terms *t = &r->terms;
    return t->met && memcmp(t->kept, r->z, r->s->size * sizeof *t->kept) == 0 &&
           memcmp(t->weight, r->weight, r->system.columns * sizeof *t->weight) == 0;
}

size_t terms_rank_below(reduced_start *r, double dependent)
{
    gauss_newton *solver = r->solver;
    solver->dependent = dependent;
    if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK) return SIZE_MAX;
    reduced_start_weigh(r, WEIGHTS_BY_LOGARITHMS);
    if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK) return SIZE_MAX;
    return min_norm_rank(solver->linear);
}

bool terms_find_sharp_rank(reduced_start *r)
{
    static const double BESIDE = 1e-2;
    gauss_newton *solver = r->solver;
    size_t columns = r->system.columns, bytes = columns * sizeof *r->weight;
    size_t rank = min_norm_rank(solver->linear);
    double *kept = malloc(2 * bytes + 1), *weight = kept + columns, usual = solver->dependent;
    if (!kept) return false;
    memcpy(kept, r->x, bytes);
    memcpy(weight, r->weight, bytes);
    for (size_t j = 0; j < columns; j++)
        r->x[j] += BESIDE * scattered(j) * fmax(fabs(r->x[j]), r->nominal[j]);
    size_t beside = terms_rank_below(r, usual),
           sharp_beside = terms_rank_below(r, ROUND_OFF_ELIMINATED);
    memcpy(r->x, kept, bytes);
    memcpy(r->weight, weight, bytes);
    size_t here = terms_rank_below(r, usual), sharp = terms_rank_below(r, ROUND_OFF_ELIMINATED);
    bool found = here == beside && sharp == sharp_beside && sharp > rank && sharp != SIZE_MAX;
    if (!found) {
        solver->dependent = usual;
        memcpy(r->weight, weight, bytes);
        (void)gauss_newton_look(solver, r->x, r->weight); /* as it has been before */
    }
    free(kept);
    return found;
}

/* What a row misses within its round-off may still be much in unknowns that it hardly tells apart.
 */
static void polish(reduced_start *r)
{
    remember(r);
    for (int k = 0; k < POLISHING; k++)
        if (!go_on(r)) break;
    if (!(missed(r).all <= 0)) reduced_start_go_to(r, r->terms.kept);
    (void)gauss_newton_look(r->solver, r->x, r->weight); /* it has a value, as before */
}

void terms_tell_apart(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    start_terms *t = &r->terms;
    size_t bytes = r->system.columns * sizeof *r->weight, rank = min_norm_rank(solver->linear);
    if (!reduced_start_hides_rows(r)) return;
    parts before = missed(r);
    if (!(before.all > 0)) {
        if (terms_find_sharp_rank(r)) polish(r);
        return;
    }
    remember(r);
    memcpy(r->saved_weight, r->weight, bytes);
    double dependent = solver->dependent;
    solver->dependent = ROUND_OFF_SOLVED;
    reduced_start_weigh(r, WEIGHTS_BY_LOGARITHMS);
    reduced_start_solve(r, MOST_ITERATIONS); /* what it is worth is seen by the rows */
    parts now = refine(r, before, FEW_ITERATIONS);
    bool told = is_much_less(now.all, before.all);
    reduced_start_go_to(r, t->best);
    memcpy(r->weight, told ? t->weight : r->saved_weight, bytes);
    told = told && gauss_newton_look(solver, r->x, r->weight) == DAE_OK &&
           min_norm_rank(solver->linear) > rank;
    if (told) return;
    reduced_start_go_to(r, t->kept);
    memcpy(r->weight, r->saved_weight, bytes);
    solver->dependent = dependent;
    (void)gauss_newton_look(solver, r->x, r->weight); /* as it has been before */
}
