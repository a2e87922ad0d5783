/* A pattern that leaves out an entry: whichever it is, the start names the variable and the
 * equation; a pattern that holds more than occurs is not remarked on. */
#include "solve/models.h"

#include <stdio.h>

enum { N = 12, MOST = N * N };

typedef struct entries {
    size_t start[N + 1], row[MOST];
} entries;

/* y_i' = -(1 + i) y_i + 1e-3 y_(i+5) y_i + sin(y_(i-1)), in numbers of very different size; in the
 * residual form the y' of the next variable occurs as well. */
static bool occurs(size_t i, size_t j)
{
    return i == j || j == (i + 5) % N || (i > 0 && j == i - 1);
}

static bool yp_occurs(size_t i, size_t j)
{
    return i == j || j == i + 1;
}

static int right_side(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    for (size_t i = 0; i < N; i++) {
        f[i] = -(1 + (double)i) * y[i] + 1e-3 * y[(i + 5) % N] * y[i];
        if (i > 0) f[i] += sin(y[i - 1]);
    }
    return 0;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    right_side(t, y, r, user);
    for (size_t i = 0; i < N; i++) r[i] = yp[i] + (i + 1 < N ? 0.1 * yp[i + 1] : 0) - r[i];
    return 0;
}

/* All entries that occur but one; where there is none to leave out, one more besides. */
static dae_pattern pattern_without(entries *p, bool (*occurs_here)(size_t, size_t), size_t row,
                                   size_t column)
{
    size_t count = 0;
    for (size_t j = 0; j < N; j++) {
        p->start[j] = count;
        for (size_t i = 0; i < N; i++) {
            bool more = row == N && i == (j + 3) % N;
            if ((occurs_here(i, j) || more) && !(i == row && j == column)) p->row[count++] = i;
        }
    }
    p->start[N] = count;
    return (dae_pattern){.layout = DAE_SPARSE, .start = p->start, .row = p->row};
}

static void check(dae_problem *problem, const char *said)
{
    double start[N];
    for (size_t j = 0; j < N; j++) start[j] = 1 + 0.1 * (double)j;
    dae_solver *s = dae_solver_create(problem, NULL);
    dae_problem_free(problem);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    const char *notes = dae_solver_notes(s);
    if (said)
        ck_assert_msg(strstr(notes, said) != NULL, "\"%s\" is not in \"%s\"", said, notes);
    else
        ck_assert_str_eq(notes, "");
    dae_solver_free(s);
}

static void name(char *said, size_t size, const char *by, size_t i, size_t j)
{
    snprintf(said, size, "the Jacobian by %s leaves out y%zu%s, which occurs in equation %zu:", by,
             j + 1, strcmp(by, "y") == 0 ? "" : "'", i + 1);
}

START_TEST(each_entry_by_y)
{
    entries own;
    char said[100];
    for (size_t k = 0; k < N * N; k++) {
        size_t i = k / N, j = k % N;
        if (!occurs(i, j)) continue;
        name(said, sizeof said, "y", i, j);
        dae_pattern p = pattern_without(&own, occurs, i, j);
        check(dae_problem_mass(&(dae_mass_form){.n = N, .f = right_side, .f_pattern = p}), said);
        check(dae_problem_residual(
                  &(dae_residual_form){.n = N, .residual = residual, .y_pattern = p}),
              said);
    }
}
END_TEST

START_TEST(each_entry_by_yp)
{
    entries own;
    char said[100];
    for (size_t k = 0; k < N * N; k++) {
        size_t i = k / N, j = k % N;
        if (!yp_occurs(i, j) || i == j) continue;
        name(said, sizeof said, "y'", i, j);
        dae_pattern p = pattern_without(&own, yp_occurs, i, j);
        check(dae_problem_residual(
                  &(dae_residual_form){.n = N, .residual = residual, .yp_pattern = p}),
              said);
    }
}
END_TEST

START_TEST(what_does_not_occur_may_stand_there)
{
    entries by_y, by_yp;
    dae_pattern y = pattern_without(&by_y, occurs, N, N);
    dae_pattern yp = pattern_without(&by_yp, yp_occurs, N, N);
    check(dae_problem_mass(&(dae_mass_form){.n = N, .f = right_side, .f_pattern = y}), NULL);
    check(dae_problem_residual(
              &(dae_residual_form){.n = N, .residual = residual, .y_pattern = y, .yp_pattern = yp}),
          NULL);
}
END_TEST

UNIT_MAIN("solve/left_out", 30, each_entry_by_y, each_entry_by_yp,
          what_does_not_occur_may_stand_there)
