/* Whether a point that meets all rows within the tolerance of a start is one of a solution.
 *
 * Where terms grow without bound, what they leave becomes small beside them, and so does the part
 * of a row that depends on no other one: a + x b, b + x c and c + a + x b are 0 together where a, b
 * and c are, but with a = x, b = -1 and c = 1/x, too, but for 1/x. Newton's correction tells: there
 * it is as large as x itself, at whatever distance, and more than round-off makes of it. */
#include "initial/search.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A correction by this part of the size of an entry is a large one. */
static const double LARGE = 0.1;

/* An entry beyond so many nominal sizes is far out: of the part of a row that depends on no other,
 * round-off of the Jacobian then makes anything. */
static const double FAR_OUT = 1e3;

/* What Newton's correction by the last decomposition says of a point: it changes an entry by a
 * large part of its size, and by more than round-off of the rows, r->noise, makes of it; or
 * round-off makes so much of it, or may do so far out. */
static start_verity judge(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    start_verity is = START_SOLVED;
    min_norm_solve(solver->linear, solver->residual, solver->step);
    gauss_newton_spread(solver, r->noise, r->spread);
    for (size_t j = 0; j < r->system.columns; j++) {
        double size = LARGE * fmax(fabs(r->x[j]), r->nominal[j]), step = fabs(solver->step[j]);
        if (step > size && step > r->spread[j]) return START_MISSED;
        bool out = fabs(r->x[j]) > FAR_OUT * r->nominal[j];
        if (out || fmax(step, r->spread[j]) > size) is = START_DOUBTFUL;
    }
    return is;
}

/* Whether fewer rows are independent where the search has ended than beside the guesses, or at
 * values of nominal size. */
static bool loses_rank(reduced_start *r, double dependent)
{
    static const double BESIDE = 0.1;
    size_t columns = r->system.columns, here = terms_rank_below(r, dependent);
    bool loses = false;
    memcpy(r->saved_x, r->x, columns * sizeof *r->x);
    for (int guessed = 1; guessed >= 0 && !loses; guessed--) {
        for (size_t j = 0; j < columns; j++) {
            double aside = BESIDE * fmax(fabs(r->guess[j]), r->nominal[j]);
            r->x[j] = guessed ? r->guess[j] + aside * scattered(j) : r->nominal[j] * scattered(j);
        }
        size_t there = terms_rank_below(r, dependent);
        loses = here < there && there != SIZE_MAX;
    }
    memcpy(r->x, r->saved_x, columns * sizeof *r->x);
    return loses;
}

/* The same where rows count as dependent, or would without what has told them apart. */
static start_verity judge_dependent(reduced_start *r, double usual)
{
    gauss_newton *solver = r->solver;
    size_t bytes = r->system.columns * sizeof *r->weight;
    double told = solver->dependent, *weight = malloc(bytes + 1);
    if (!weight) return START_SOLVED;
    memcpy(weight, r->weight, bytes);
    (void)terms_are_round_off(r); /* r->noise */
    bool known = terms_rank_below(r, DBL_EPSILON) != SIZE_MAX;
    start_verity is = known ? judge(r) : START_SOLVED;
    if (is == START_DOUBTFUL && !loses_rank(r, usual)) is = START_SOLVED;
    memcpy(r->weight, weight, bytes);
    solver->dependent = is == START_SOLVED ? told : usual;
    (void)gauss_newton_look(solver, r->x, r->weight); /* as it has been before */
    free(weight);
    return is;
}

/* Solve from the current point with other weights. Returns whether fewer rows are hidden and all
 * are met as well as before. */
static bool is_sharper(reduced_start *r, start_weights by, double before)
{
    enum { FEW_ITERATIONS = 20 };
    size_t rank = min_norm_rank(r->solver->linear);
    reduced_start_weigh(r, by);
    return reduced_start_solve(r, FEW_ITERATIONS) == DAE_OK &&
           min_norm_rank(r->solver->linear) > rank &&
           reduced_start_violation(r) <= fmax(before, ROUND_OFF_SOLVED);
}

/* Rows that only seem to depend on others, because of cheap entries, are met just to the tolerance
 * of a start. Stiff equations, or values much larger than their nominal sizes, amplify that miss.
 * So the system is solved again from there, with weights that hide fewer rows. These weights then
 * stay. */
static void sharpen(reduced_start *r)
{
    size_t bytes = r->system.columns * sizeof *r->x;
    for (int by = 0; by < START_WEIGHTS && reduced_start_hides_rows(r); by++) {
        double before = reduced_start_violation(r);
        memcpy(r->saved_weight, r->weight, bytes);
        memcpy(r->saved_x, r->x, bytes);
        if (is_sharper(r, by, before)) continue;
        memcpy(r->weight, r->saved_weight, bytes);
        memcpy(r->x, r->saved_x, bytes);
        for (size_t j = 0; j < r->system.columns; j++) r->z[r->entry[j]] = r->x[j];
        if (gauss_newton_look(r->solver, r->x, r->weight) != DAE_OK) break;
    }
}

/* Whether the correction by the last decomposition changes an entry by a large part of its size. */
static bool moves_much(reduced_start *r)
{
    const double *step = r->solver->step;
    min_norm_solve(r->solver->linear, r->solver->residual, r->solver->step);
    for (size_t j = 0; j < r->system.columns; j++)
        if (fabs(step[j]) > LARGE * fmax(fabs(r->x[j]), r->nominal[j])) return true;
    return false;
}

start_verity start_verify_rows(reduced_start *r)
{
    double usual = r->solver->dependent;
    if (!terms_are_met(r)) return START_MISSED;
    sharpen(r);
    terms_tell_apart(r);
    bool asks = reduced_start_hides_rows(r) || r->solver->dependent < usual || moves_much(r);
    return asks ? judge_dependent(r, usual) : START_SOLVED;
}

bool start_is_solution(reduced_start *r)
{
    return start_verify_rows(r) == START_SOLVED;
}

bool start_is_no_doubt(reduced_start *r)
{
    if (gauss_newton_look(r->solver, r->x, r->weight) != DAE_OK) return true;
    bool asks = reduced_start_hides_rows(r) || moves_much(r);
    return !asks || judge_dependent(r, r->solver->dependent) == START_SOLVED;
}
