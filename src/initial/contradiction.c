#include "initial/contradiction.h"

#include "base/message.h"
#include "base/scatter.h"
#include "initial/reduced_start.h"
#include "initial/search.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Search for a start far from the guesses, if none is found near them. */

/* Distances of trial points, in sizes of guesses. Each is tried twice: with undamped iterations
 * first, and without. Start values of states stay at the first of two equal distances. */
static const double DISTANCE[] = {0, 1, 1, 3, 3, 10, 10, 30};

enum {
    DISTANCES = 2 * sizeof DISTANCE / sizeof *DISTANCE,
    TRIALS = DISTANCES + 8,
    UNDAMPED = 30,
    MOST_ITERATIONS = 300
};

/* Make undamped Newton corrections while the rows have values. */
static void go_undamped(reduced_start *r)
{
    gauss_newton *solver = r->solver;
    size_t columns = r->system.columns;
    for (size_t j = 0; j < columns; j++) r->x[j] = r->z[r->entry[j]];
    double *good = solver->trial; /* gauss_newton_look() does not use it */
    memcpy(good, r->x, columns * sizeof *good);
    for (int i = 0; i < UNDAMPED; i++) {
        if (gauss_newton_look(solver, r->x, r->weight) != DAE_OK) break;
        memcpy(good, r->x, columns * sizeof *good);
        min_norm_solve(solver->linear, solver->residual, solver->step);
        for (size_t j = 0; j < columns; j++) r->x[j] += solver->step[j];
    }
    for (size_t j = 0; j < columns; j++) r->z[r->entry[j]] = good[j];
}

static bool is_given_state(const start_system *s, size_t j)
{
    return s->given[j] && s->differentiated && s->differentiated[j];
}

/* A trial point at some distance from the guess. */
static double beside_guess(const start_system *s, size_t j, size_t trial)
{
    double size = fmax(fabs(s->guess[j]), s->nominal[j]);
    return s->guess[j] + DISTANCE[trial / 2] * size * scattered(trial * s->size + j);
}

/* A trial point that does not know the guess, which may be wrong altogether: most quantities are
 * positive and of their nominal size. */
static double of_nominal_size(const start_system *s, size_t j, size_t trial)
{
    static const double LEAST = 0.2, MOST = 3;
    double part = 0.5 * (1 + scattered(trial * s->size + j));
    return s->nominal[j] * (LEAST + (MOST - LEAST) * part);
}

static bool meets_from(reduced_start *r, size_t trial, bool refused)
{
    const start_system *s = r->s;
    bool holds = refused || (trial < DISTANCES && trial / 2 % 2 == 1);
    for (size_t j = 0; j < s->size; j++)
        r->z[j] = s->fixed[j] || (holds && is_given_state(s, j)) ? s->guess[j]
                  : trial < DISTANCES                            ? beside_guess(s, j, trial)
                                                                 : of_nominal_size(s, j, trial);
    if (trial % 2 == 0) go_undamped(r);
    return reduced_start_solve(r, MOST_ITERATIONS) == DAE_OK &&
           reduced_start_counts_as_met(r, reduced_start_violation(r)) && start_is_solution(r);
}

/* A root of a row with one unknown may be farther than any guess. */
static bool meets_from_roots(reduced_start *r)
{
    return start_forward(r, true, r->z) == DAE_OK &&
           reduced_start_solve(r, MOST_ITERATIONS) == DAE_OK &&
           reduced_start_counts_as_met(r, reduced_start_violation(r)) && start_is_solution(r);
}

static void note_distance(const reduced_start *r, message *m)
{
    static const double FAR = 0.1;
    const start_system *s = r->s;
    size_t most = s->size;
    double longest = FAR;
    for (size_t j = 0; j < s->size; j++) {
        double size = fmax(fabs(s->guess[j]), s->nominal[j]);
        double way = s->given[j] && !s->fixed[j] ? fabs(r->z[j] - s->guess[j]) / size : 0;
        if (way > longest) most = j, longest = way;
    }
    if (most == s->size) return;
    text name = {0};
    s->form->name_entry(s->self, most, &name);
    message_note(m,
                 "no solution was found near the start values; the run begins at one far from "
                 "them, %s = %.6g instead of %.6g",
                 text_string(&name), r->z[most], s->guess[most]);
    text_free(&name);
}

bool initial_find_afar(reduced_start *r, message *m)
{
    bool found = false;
    memcpy(r->saved_z, r->z, r->s->size * sizeof *r->z);
    reduced_start_go_to(r, r->s->guess);
    bool refused = isnan(reduced_start_violation(r)); /* given states have no value: they stay */
    for (size_t trial = 0; trial < TRIALS && !found; trial++) found = meets_from(r, trial, refused);
    if (!found) found = meets_from_roots(r);
    if (found)
        note_distance(r, m);
    else
        memcpy(r->z, r->saved_z, r->s->size * sizeof *r->z);
    return found;
}

/* The most equations and variables that a message names. */
enum { MOST_NAMED = 6 };

/* Lead the fixed values from the relaxed solution to their own in steps that halve on failure. */
static bool continue_to_fixed(reduced_start *r, const double *relaxed)
{
    const start_system *s = r->s;
    double *good = r->saved_z, done = 0, step = 1;
    memcpy(good, relaxed, s->size * sizeof *good);
    while (done < 1 && step > 1e-3) {
        double target = fmin(1, done + step);
        for (size_t j = 0; j < s->size; j++) {
            double left = (1 - target) * (s->guess[j] - relaxed[j]); /* 0 at the end, to the bit */
            r->z[j] = s->fixed[j] ? s->guess[j] - left : good[j];
        }
        dae_status status = reduced_start_solve(r, 30);
        double worst = status == DAE_OK ? reduced_start_violation(r) : HUGE_VAL;
        if (!(worst <= INITIAL_TOLERANCE)) {
            step /= 4;
            continue;
        }
        memcpy(good, r->z, s->size * sizeof *good);
        done = target;
        step *= 2;
    }
    return done >= 1;
}

static void name_entry(const start_system *s, size_t entry, double value, message *m)
{
    s->form->name_entry(s->self, entry, &m->sentence);
    message_more(m, " = %.6g", start_shown_value(s, entry, value));
}

/* Mark the rows that contain only the author's variables and no unnamed derivatives. Such a row
 * explains a contradiction more simply than a row that follows from it. */
static void mark_plain_rows(const start_system *s, size_t rows, bool *plain)
{
    for (size_t i = 0; i < rows; i++) plain[i] = true;
    for (size_t j = 0; j < s->size; j++)
        for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            if (!s->variable[j] && (size_t)s->pattern->row[k] < rows)
                plain[s->pattern->row[k]] = false;
}

/* If such plain rows are violated, ignore the other rows. False without memory. */
static bool keep_plain_rows(reduced_start *r)
{
    size_t rows = r->system.rows;
    bool any = false, *plain = malloc((rows + 1) * sizeof *plain);
    if (!plain) return false;
    mark_plain_rows(r->s, rows, plain);
    for (size_t i = 0; i < rows; i++) any |= plain[i] && r->violation[i] > INITIAL_TOLERANCE;
    for (size_t i = 0; i < rows && any; i++)
        if (!plain[i]) r->violation[i] = 0;
    free(plain);
    return true;
}

/* Rows whose violation is not small against the worst, worst first. */
static size_t worst_rows(const reduced_start *r, size_t *list)
{
    const double *violation = r->violation;
    size_t count = 0, rows = r->system.rows;
    double worst = 0;
    for (size_t i = 0; i < rows; i++) worst = fmax(worst, violation[i]);
    while (count < MOST_NAMED) {
        size_t best = rows;
        for (size_t i = 0; i < rows; i++) {
            bool taken = false;
            for (size_t k = 0; k < count; k++) taken = taken || list[k] == i;
            if (!taken && violation[i] >= 1e-3 * worst && violation[i] > 0 &&
                (best == rows || violation[i] > violation[best]))
                best = i;
        }
        if (best == rows) break;
        list[count++] = best;
    }
    return count;
}

/* Fixed entries that occur in one of the rows. */
static size_t fixed_in_rows(const start_system *s, const size_t *row, size_t rows, size_t *list)
{
    size_t count = 0;
    for (size_t j = 0; j < s->size && count < MOST_NAMED; j++) {
        bool met = false;
        for (sparse_index k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            for (size_t i = 0; i < rows; i++)
                if ((size_t)s->pattern->row[k] == row[i]) met = true;
        if (s->fixed[j] && met) list[count++] = j;
    }
    return count;
}

static void list_rows(reduced_start *r, const size_t *row, size_t rows, message *m)
{
    const start_system *s = r->s;
    for (size_t i = 0; i < rows; i++) {
        message_more(m, "\n    ");
        s->form->name_row(s->self, row[i], &m->sentence);
        message_more(m, ": off by %.3g", r->row_all[row[i]]);
        if (s->form->report_values)
            s->form->report_values(s->self, row[i], r->t, r->z, &m->sentence);
    }
}

/* Report the other equations of a contradiction: rows that are met, and equations that are not
 * rows. */
static void report_other_side(const start_system *s, const size_t *row, size_t rows, message *m)
{
    text list = {0};
    if (s->form->report_beside) s->form->report_beside(s->self, rows, row, &list);
    if (list.length) message_more(m, "\n  together with:%s", text_string(&list));
    text_free(&list);
}

/* The rank at z, in its sizes; SIZE_MAX where it is not known. */
static size_t rank_at(reduced_start *r, const double *z)
{
    for (size_t j = 0; j < r->system.columns; j++) {
        r->x[j] = z[r->entry[j]];
        r->weight[j] = fmax(r->nominal[j], fabs(r->x[j]));
    }
    bool known = gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK &&
                 min_norm_knows_rank(r->solver->linear);
    return known ? min_norm_rank(r->solver->linear) : SIZE_MAX;
}

/* The number of fixed values and initial equations in excess of the degrees of freedom. It follows
 * from ranks at a solution of `relaxed`, which has nothing fixed; 1 if the ranks are not known. */
static size_t find_excess(const reduced_start *r, reduced_start *relaxed)
{
    reduced_start *probe = NULL;
    size_t left_out = r->system.rows - relaxed->system.rows, own = SIZE_MAX, rank = SIZE_MAX;
    if (reduced_start_create(&probe, r->s, r->t, r->system.rows, false) != DAE_OK) return 1;
    memcpy(probe->z, relaxed->z, r->s->size * sizeof *probe->z); /* fixed entries, too */
    rank = rank_at(probe, relaxed->z);
    reduced_start_free(probe);
    if (rank != SIZE_MAX) own = rank_at(relaxed, relaxed->z);
    bool known = own != SIZE_MAX && left_out + own > rank;
    return known ? left_out + own - rank : 1;
}

static bool is_any_fixed(const start_system *s)
{
    for (size_t j = 0; j < s->size; j++)
        if (s->fixed[j]) return true;
    return false;
}

static void advise(const start_system *s, bool of_values, bool proved, size_t excess, message *m)
{
    char some[24] = "one";
    bool fixed = is_any_fixed(s);
    if (excess > 1) snprintf(some, sizeof some, "%zu", excess);
    message_more(m, "\n  remedy: ");
    if (!proved)
        message_more(m, "give guesses nearer to a solution (start = ...)%s, or ",
                     of_values ? "" : " or typical sizes (nominal = ...)");
    if (of_values)
        message_more(m,
                     "start from values that satisfy the equations, or leave %s of them free "
                     "(fixed = false)",
                     some);
    else
        message_more(m, "take out %s of the initial equations%s", some,
                     fixed ? " or fixed start values" : "");
}

/* proved: see initial_is_proved(); excess: see find_excess(). */
static dae_status report_contradiction(reduced_start *r, const double *relaxed, bool proved,
                                       size_t excess, message *m)
{
    const start_system *s = r->s;
    size_t row[MOST_NAMED], entry[MOST_NAMED];
    size_t rows = worst_rows(r, row);
    size_t entries = fixed_in_rows(s, row, rows, entry);
    bool initial_equation = false;
    for (size_t i = 0; i < rows; i++) initial_equation |= row[i] >= s->equations;
    if (entries == 0 &&
        !initial_equation) { /* related only through other equations: name all fixed values */
        for (size_t j = 0; j < s->size && entries < MOST_NAMED; j++)
            if (s->fixed[j]) entry[entries++] = j;
    }
    message_fail(m, DAE_CONTRADICTION, "%s", "");
    if (rows) s->form->locate_row(s->self, row[0], &m->sentence);
    message_more(m, proved ? ": error: the initial values are inconsistent"
                           : ": error: from these start values no consistent ones were found");
    for (size_t i = 0; i < entries; i++) {
        message_more(m, i == 0 ? ": with " : ", ");
        name_entry(s, entry[i], s->guess[entry[i]], m);
    }
    message_more(m, "%s%s", entries ? " fixed at the start" : "",
                 !proved   ? "; at the nearest values these are missed:"
                 : entries ? ", these cannot hold together:"
                           : ": these cannot hold together:");
    list_rows(r, row, rows, m);
    report_other_side(s, row, rows, m);
    if (entries && relaxed) {
        message_more(m, "\n  nearest consistent values: ");
        for (size_t i = 0; i < entries; i++) {
            if (i) message_more(m, ", ");
            name_entry(s, entry[i], relaxed[entry[i]], m);
        }
    }
    advise(s, entries && relaxed, proved, excess < entries || !relaxed ? excess : 1, m);
    return m->status;
}

/* List rows without a finite value, also into `row`. If there are none, the Jacobian is not finite.
 */
static size_t list_rows_without_value(const reduced_start *r, size_t *row, message *m)
{
    size_t named = 0;
    for (size_t i = 0; i < r->system.rows && named < MOST_NAMED; i++) {
        if (isfinite(r->row_all[i])) continue;
        if (named == 0) message_more(m, "an equation has no finite value near the start values:");
        message_more(m, "\n    ");
        r->s->form->name_row(r->s->self, i, &m->sentence);
        row[named++] = i;
    }
    if (named == 0)
        message_more(m, "the Jacobian of the equations has no finite value near the start values");
    return named;
}

/* Name the variables near these rows whose start values would help most. */
static void report_guesses(const reduced_start *r, const size_t *row, size_t rows, message *m)
{
    size_t entry[MOST_NAMED];
    size_t count = initial_guesses_wanted(r, row, rows, entry, MOST_NAMED);
    for (size_t k = 0; k < count; k++) {
        message_more(m, k == 0 ? ", first of " : k + 1 < count ? ", " : " or ");
        r->s->form->name_entry(r->s->self, entry[k], &m->sentence);
    }
    if (count)
        message_more(m, ", which %s none and %s nonlinearly", count == 1 ? "has" : "have",
                     count == 1 ? "enters" : "enter");
}

static dae_status report_no_start(reduced_start *r, message *m)
{
    size_t row[MOST_NAMED], rows;
    double worst = reduced_start_violation(r);
    message_fail(m, DAE_NO_START, "no consistent initial values found: ");
    if (isnan(worst)) {
        rows = list_rows_without_value(r, row, m);
    } else {
        message_more(m,
                     "Newton's iteration does not converge after %zu iteration%s; the worst "
                     "equations are",
                     r->solver->iterations, r->solver->iterations == 1 ? "" : "s");
        rows = worst_rows(r, row);
        list_rows(r, row, rows, m);
    }
    message_more(m, "\n  remedy: give start values nearer to a solution (start = ...)");
    report_guesses(r, row, rows, m);
    message_more(m, ", or check that one exists");
    return m->status;
}

dae_status initial_report_terms(reduced_start *r, message *m)
{
    size_t row[MOST_NAMED];
    reduced_start_violation(r);
    message_fail(m, DAE_NO_START,
                 "no consistent initial values found: the equations are met in nominal sizes, but "
                 "not in the sizes of their own terms; the worst equations are");
    list_rows(r, row, worst_rows(r, row), m);
    message_more(m,
                 "\n  remedy: give each variable that is far from the size of 1 its typical size "
                 "(nominal = ...), or start values nearer to a solution");
    return m->status;
}

/* Solve the first `rows` rows with nothing fixed, as near to the start values as possible.
 * *solution stays NULL if there is no solution. */
static dae_status relax(const reduced_start *r, size_t rows, reduced_start **solution)
{
    reduced_start *relaxed = NULL;
    dae_status status = reduced_start_create(&relaxed, r->s, r->t, rows, true);
    if (status != DAE_OK) return status;
    if (reduced_start_solve(relaxed, 100) == DAE_OK &&
        reduced_start_violation(relaxed) <= INITIAL_TOLERANCE) {
        gauss_newton_approach(relaxed->solver, relaxed->x, relaxed->guess, relaxed->weight,
                              relaxed->nominal, 50);
        for (size_t j = 0; j < relaxed->system.columns; j++)
            relaxed->z[relaxed->entry[j]] = relaxed->x[j];
        *solution = relaxed;
    } else {
        reduced_start_free(relaxed);
    }
    return DAE_OK;
}

/* Find the violations that explain a contradiction. At a least-squares point they are the remaining
 * ones. Otherwise they are those that the fixed values cause at a point that is consistent without
 * them. */
static bool find_violations(reduced_start *r, const double *relaxed, bool converged)
{
    const start_system *s = r->s;
    if (!converged)
        for (size_t j = 0; j < s->size; j++) r->z[j] = s->fixed[j] ? s->guess[j] : relaxed[j];
    double worst = reduced_start_violation(r);
    return !isnan(worst) && (converged || keep_plain_rows(r));
}

/* Explain why no start was found. relaxed: a solution with nothing fixed, or NULL. */
static dae_status report(reduced_start *r, reduced_start *relaxed, bool with_initial,
                         bool converged, bool proved, message *m)
{
    size_t excess = relaxed && proved ? find_excess(r, relaxed) : 1;
    if (relaxed && find_violations(r, relaxed->z, converged))
        return report_contradiction(r, with_initial ? relaxed->z : NULL, proved, excess, m);
    return report_no_start(r, m);
}

dae_status initial_explain(reduced_start *r, bool converged, bool hopeless, message *m)
{
    const start_system *s = r->s;
    reduced_start *relaxed = NULL;
    bool proved = false, found = false;
    dae_status status = DAE_OK;
    if (!hopeless || is_any_fixed(s)) status = relax(r, s->rows, &relaxed);
    bool with_initial = relaxed != NULL;
    if (status == DAE_OK && !relaxed && s->rows > s->equations)
        status = relax(r, s->equations, &relaxed);
    if (status == DAE_OK && relaxed && !converged && !hopeless)
        found = continue_to_fixed(r, relaxed->z) && start_is_solution(r);
    if (status == DAE_OK && !found) status = initial_is_proved(r, &proved);
    if (status == DAE_OK && !found && !proved) found = initial_find_afar(r, m);
    if (status != DAE_OK)
        status = message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    else if (!found)
        status = report(r, relaxed, with_initial, converged, proved, m);
    reduced_start_free(relaxed);
    return status;
}
