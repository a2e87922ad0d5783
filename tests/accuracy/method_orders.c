/* The order of every row of the catalogue on problems of index 0, 1, 2 and 3, with constant steps,
 * without reduction or projection, held against what theory promises (method_theory.h) by one rule
 * for all (method_runs.h). A problem is not for each order (its `least` and `most`: errors are too
 * large for low ones, or below round-off for high ones); one that leaves no window is passed over.
 * Two must remain.
 *
 * The slope is at least the order less 0.2 on each problem, and at most the order plus 0.2 on one
 * of them; where round-off ends the window of a multistep method while its steps are coarse, a
 * slope that is too low or too high says nothing. What does not converge is refused with a
 * sentence, or fails, or has an error that does not fall.
 *
 * Rows go through the problems in turn, each from another one on, and stop where their orders have
 * been seen on two; `make study` and `make check-method` go through all of them.
 *
 * Where multipliers enter nonlinearly, the square of the error of a stage's multiplier, which is of
 * order u, remains in the positions and velocities: no more than 2 u. */
#include "accuracy/method_runs.h"
#include "accuracy/method_theory.h"
#include "base/unit.h"
#include "method/method.h"
#include "method/properties.h"
#include "zoo/zoo.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBLEMS = 2, /* that a slope has to be seen on */
    THEORIES = sizeof theories / sizeof *theories
};

/* Of a slope below its order on any problem, or above it on all of them. */
static const double SLACK = 0.2;

static const int *promised(const theory *row, int index)
{
    const int *const orders[] = {row->ode, row->index1, row->index2, row->index3};
    return orders[index];
}

static int order_of(const theory *row, const zoo_order *problem, int class)
{
    const int *orders = promised(row, problem->index);
    if (!problem->squared || orders[2] <= 0 || 2 * orders[2] > orders[class]) return orders[class];
    return 2 * orders[2];
}

/* How a pair of row and index fares over its problems. */
typedef struct tally {
    int slopes[CLASSES], stays[CLASSES]; /* problems on which one was seen, or no convergence */
    int fine[CLASSES];                   /* of the slopes, those with steps that are fine */
    double least_excess[CLASSES];        /* of a slope over its order */
    int wrong, passed_over, left_out;
} tally;

static void complain(tally *t, const char *what)
{
    printf(" <-- %s", what);
    t->wrong++;
}

static void judge_slope(const theory *row, const zoo_order *problem, const measured *m, int class,
                        tally *t)
{
    int order = order_of(row, problem, class);
    double slope;
    bool fine;
    printf("  %c ", letters[class]);
    if (order == STAYS) {
        bool falling = falls(m, class);
        printf(falling ? "falls" : "stays");
        t->stays[class] += !falling;
    } else if (order == OPEN) {
        printf("%s", falls(m, class) ? "falls" : "stays");
    } else if (!slope_of(problem, m, class, &slope, &fine)) {
        printf("%d: no window", order);
        t->passed_over++;
    } else if (slope < order - SLACK && changes_sign(problem, m, class, order)) {
        printf("%d: changes sign", order);
        t->passed_over++;
    } else if (!fine && slope < order - SLACK) {
        printf("%d: %.2f before round-off", order, slope);
        t->passed_over++;
    } else {
        printf("%d: %.2f", order, slope);
        if (slope < order - SLACK) complain(t, "too low");
        t->fine[class] += fine;
        t->least_excess[class] = t->slopes[class]++ ? fmin(t->least_excess[class], slope - order)
                                                    : slope - order;
    }
}

/* What need not converge: refused, failed, or which errors fall. */
static void judge_failure(const zoo_order *problem, const measured *m, tally *t)
{
    bool stays = false;
    if (m->failed) {
        printf("  %s: %.90s", dae_status_word(m->status), m->message);
        if (!m->message[0]) complain(t, "without a sentence");
        t->stays[0]++;
        return;
    }
    for (int k = 0; k < m->classes; k++) {
        double slope;
        bool fine, falling = falls(m, k);
        stays = stays || !falling;
        if (falling && slope_of(problem, m, k, &slope, &fine))
            printf("  %c falls: %.2f", letters[k], slope);
        else
            printf("  %c %s", letters[k], falling ? "falls" : "stays");
    }
    t->stays[0] += stays;
}

static void judge(const theory *row, const zoo_order *problem, tally *t)
{
    const int *orders = promised(row, problem->index);
    measured m = measure(row->name, problem,
                         orders[0] > 0 ? step_counts[RUNS - 1] : 2 * problem->fine);
    printf("%-22s%-15s index %d:", row->name, problem->name, problem->index);
    if (orders[0] < 0) {
        judge_failure(problem, &m, t);
    } else if (m.failed && m.classes == 2 && orders[1] == STAYS) {
        printf("  %s: %.90s", dae_status_word(m.status), m.message);
        t->stays[1]++;
    } else if (m.failed) {
        printf("  passed over: %.90s", m.message);
        t->passed_over++;
    } else {
        for (int k = 0; k < m.classes; k++) judge_slope(row, problem, &m, k, t);
    }
    printf("\n");
}

/* Whether the errors of a method of this order stand out from round-off without being large; one
 * that promises nothing is to be seen anywhere. */
static bool fits(const zoo_order *problem, int order)
{
    return order < 0 ? problem->least == 1 : problem->least <= order && order <= problem->most;
}

/* What of a class was to be seen on enough problems, or on one, and was not; NULL: all was. */
static const char *missing(const theory *row, int index, int class, const tally *t)
{
    int order = promised(row, index)[class];
    if (order == FAILS || order == STAYS)
        return t->stays[class] > 0 ? NULL : "converges on all problems";
    if (order > 0 && t->slopes[class] < PROBLEMS) return "slopes on fewer than two problems";
    if (order > 0 && t->fine[class] > 0 && t->least_excess[class] > SLACK)
        return "above the order on all problems";
    return NULL;
}

static void judge_class(const theory *row, int index, int class, tally *t)
{
    const char *wrong = missing(row, index, class, t);
    if (!wrong) return;
    printf("%-22s index %d: %c: %s", row->name, index, letters[class], wrong);
    complain(t, "wrong");
    printf("\n");
}

static bool all_is_seen(const theory *row, int index, int classes, const tally *t)
{
    for (int k = 0; k < classes; k++)
        if (missing(row, index, k, t)) return false;
    return true;
}

/* In `make check` each row is judged on two of the four indices, and on two problems of each. */
static bool is_thinned(void)
{
    return grid_of_run() != GRID_FULL && !getenv("METHOD");
}

static tally judge_row(const theory *row, int index)
{
    tally t = {.wrong = 0};
    int classes = promised(row, index)[0] == FAILS || index == 0 ? 1 : index == 3 ? 3 : 2;
    int seen = 0;
    bool thinned = is_thinned();
    for (size_t p = 0; p < zoo_order_count; p++) {
        const zoo_order *problem = zoo_orders[(p + (size_t)(row - theories)) % zoo_order_count];
        if (problem->index != index || !fits(problem, promised(row, index)[0])) continue;
        if (thinned && seen >= PROBLEMS && all_is_seen(row, index, classes, &t)) {
            t.left_out++;
            continue;
        }
        judge(row, problem, &t);
        seen++;
    }
    for (int k = 0; k < classes; k++) judge_class(row, index, k, &t);
    fflush(stdout);
    return t;
}

/* All rows, or the one that the environment names: `make check-method NAME=...`. */
static bool is_wanted(const char *name)
{
    const char *only = getenv("METHOD");
    return !only || strcmp(only, name) == 0;
}

static void judge_index(int index)
{
    int rows = 0, wrong = 0, slopes = 0, passed_over = 0, left_out = 0, not_run = 0;
    bool thinned = is_thinned();
    for (size_t k = 0; k < THEORIES; k++) {
        if (!is_wanted(theories[k].name)) continue;
        if (thinned && (k + (size_t)index) % 2) {
            not_run++;
            continue;
        }
        tally t = judge_row(&theories[k], index);
        rows++, wrong += t.wrong, passed_over += t.passed_over, left_out += t.left_out;
        for (int class = 0; class < CLASSES; class ++) slopes += t.slopes[class];
    }
    printf("index %d: %d rows of one order, %d slopes, %d passed over, %d left out (seen on two "
           "problems before), %d rows left out (judged on other indices), %d wrong\n",
           index, rows, slopes, passed_over, left_out, not_run, wrong);
    fflush(stdout);
    ck_assert_msg(wrong == 0, "index %d: %d are not as theory has it", index, wrong);
}

START_TEST(differential_equations)
{
    judge_index(0);
}
END_TEST

START_TEST(index_1)
{
    judge_index(1);
}
END_TEST

START_TEST(index_2)
{
    judge_index(2);
}
END_TEST

START_TEST(index_3)
{
    judge_index(3);
}
END_TEST

/* Those that change it on the way have not, and structural methods, which advance none of these
 * problems, are in integrate/structural.c. */
static bool has_one_order(const char *name)
{
    message m = {.status = DAE_OK};
    method *found;
    ck_assert_int_eq(method_create(&found, name, &m), DAE_OK);
    bool one = found->order_levels == 0 && !found->structural &&
               !(found->multistep && found->multistep->variable);
    method_free(found);
    return one;
}

/* No row of one order is without its theory. */
START_TEST(all_rows)
{
    for (size_t i = 0; method_row_at(i); i++) {
        bool found = !has_one_order(method_row_at(i)->name);
        for (size_t k = 0; k < THEORIES; k++)
            found = found || strcmp(method_row_at(i)->name, theories[k].name) == 0;
        ck_assert_msg(found || !is_wanted(method_row_at(i)->name),
                      "%s: which orders has it? A row of tests/accuracy/method_theory.h says so",
                      method_row_at(i)->name);
    }
}
END_TEST

/* What the library computes of a row, which knows nothing of these tables. */
static int compare(const theory *row, int index, const int *computed, int classes)
{
    int wrong = 0;
    for (int k = 0; k < classes; k++) {
        int order = promised(row, index)[k];
        if (order == OPEN) continue;
        if (order < 1) order = METHOD_NO_ORDER;
        if (order == computed[k]) continue;
        fprintf(stderr, "%s, index %d: %c is of order %d, the library says %d\n", row->name, index,
                letters[k], order, computed[k]);
        wrong++;
    }
    return wrong;
}

START_TEST(what_the_library_promises)
{
    int wrong = 0;
    for (size_t k = 0; k < THEORIES; k++) {
        message m = {.status = DAE_OK};
        method *found;
        method_properties p;
        if (!is_wanted(theories[k].name)) continue;
        ck_assert_int_eq(method_create(&found, theories[k].name, &m), DAE_OK);
        ck_assert_int_eq(method_properties_find(found, &p), DAE_OK);
        wrong += compare(&theories[k], 0, &p.order, 1) + compare(&theories[k], 1, p.index1, 2) +
                 compare(&theories[k], 2, p.index2, 2) + compare(&theories[k], 3, p.index3, 3);
        method_free(found);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

UNIT_MAIN("accuracy/method_orders", 600, differential_equations, index_1, index_2, index_3,
          all_rows, what_the_library_promises)
