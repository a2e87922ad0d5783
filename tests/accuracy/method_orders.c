/* The order of every row of the catalogue on problems of index 0, 1, 2 and 3, with constant steps,
 * without reduction or projection, held against what theory promises.
 *
 * One rule for all. The error of a class of variables (y; z; of index 3 positions, velocities,
 * multipliers) is the largest of any of them at the ends of all steps in the second half of the
 * interval. Steps are refined until each class has enough errors between 1e-3 and its floor; of
 * these the finest and all that are no coarser than half of it count, and the slope is that of the
 * straight line through their logarithms. The floor is 1e-12, and for variables of index 2 and 3,
 * whose round-off grows with 1/h and 1/h^2 (Hairer & Wanner II, Sec. VII.4), 1e-12 / h and 1e-12 /
 * h^2. A problem on which a method has no such window, being too easy or too hard for it, is passed
 * over; two must remain.
 *
 * The slope is at least the order less 0.2 on each problem, and at most the order plus 0.2 on one
 * of them. What does not converge is refused with a sentence, or fails, or has an error that does
 * not fall.
 *
 * Where multipliers enter nonlinearly, the square of the error of a stage's multiplier, which is of
 * order u, remains in the positions and velocities: no more than 2 u. */
#include "accuracy/method_theory.h"
#include "base/unit.h"
#include "method/method.h"
#include "method/properties.h"
#include "zoo/zoo.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int step_counts[] = {3,    4,    5,    6,    7,    8,    10,    12,    14,    16,
                                  20,   24,   28,   32,   40,   48,   56,    64,    80,    96,
                                  112,  128,  160,  192,  224,  256,  320,   384,   448,   512,
                                  640,  768,  896,  1024, 1280, 1536, 1792,  2048,  2560,  3072,
                                  3584, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384};

enum {
    RUNS = sizeof step_counts / sizeof *step_counts,
    CLASSES = 3,
    FEWEST = 3,   /* errors that make a slope */
    ENOUGH = 10,  /* errors in the window after which steps are not refined any more, */
    PROBLEMS = 2, /* that a slope has to be seen on */
    THEORIES = sizeof theories / sizeof *theories
};

static const double LARGEST = 1e-3, SLACK = 0.2;
static const char letters[] = "yzu";

/* What the runs of one method on one problem have given. */
typedef struct measured {
    int classes, runs;
    double h[RUNS], error[CLASSES][RUNS]; /* of the runs that went through */
    bool failed;                          /* the finest one */
    dae_status status;                    /* of the last that did not go through */
    char message[400];
} measured;

static void add_errors(const zoo_order *problem, dae_solver *solver, measured *m)
{
    double y[ZOO_MOST], exact[ZOO_MOST], unused[ZOO_MOST];
    if (dae_solver_at(solver, problem->t_end, y, NULL) != DAE_OK) y[0] = HUGE_VAL;
    zoo_exact(problem, problem->t_end, exact, unused);
    for (size_t i = 0; problem->classes[i]; i++) {
        double *worst = &m->error[strchr(letters, problem->classes[i]) - letters][m->runs];
        double error = fabs(y[i] - exact[i]) / fmax(1, fabs(exact[i]));
        *worst = isfinite(error) ? fmax(*worst, error) : HUGE_VAL;
    }
}

static dae_status advance(const zoo_order *problem, dae_solver *solver, measured *m)
{
    double y[ZOO_MOST], yp[ZOO_MOST];
    zoo_exact(problem, 0, y, yp);
    dae_status status = dae_solver_start_with(solver, 0, y, yp);
    if (status == DAE_OK) status = dae_solver_run(solver, problem->t_end);
    if (status == DAE_OK) add_errors(problem, solver, m);
    return status;
}

/* One run, added to the others if it goes through. */
static void run_once(const char *name, const zoo_order *problem, int steps, measured *m)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.formulation = "direct";
    options.projection = "none";
    options.step = problem->t_end / steps;
    dae_problem *handle = zoo_problem(problem->form);
    dae_solver *solver = dae_solver_create(handle, &options);
    dae_problem_free(handle);
    for (int k = 0; k < CLASSES; k++) m->error[k][m->runs] = 0;
    m->h[m->runs] = options.step;
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK) status = advance(problem, solver, m);
    m->failed = status != DAE_OK;
    if (m->failed) {
        m->status = status;
        snprintf(m->message, sizeof m->message, "%s", dae_solver_message(solver));
    } else {
        m->runs++;
    }
    dae_solver_free(solver);
}

static double floor_of(const zoo_order *problem, int class, double h)
{
    return problem->round_off / (problem->index > 1 ? pow(h, class) : 1);
}

/* The finest step of the window of a class: the first with enough errors before it that is fine
 * enough, or whose error is so small that round-off would follow, or, before an error that has
 * grown, the last that is 30 times as large as the smallest. False where there is none yet, and the
 * finest is the last one in the window. */
static bool window(const zoo_order *problem, const measured *m, int class, int *finest)
{
    int count = 0;
    *finest = -1;
    for (int r = 0; r < m->runs; r++) {
        double error = m->error[class][r];
        if (error > LARGEST) count = 0;
        if (error > LARGEST || error < floor_of(problem, class, m->h[r])) continue;
        if (count > FEWEST && error > m->error[class][r - 1]) {
            while (*finest > 0 && m->error[class][*finest] < 30 * m->error[class][r - 1]) --*finest;
            return true;
        }
        *finest = r, count++;
        bool fine = count >= ENOUGH && m->h[r] < 1.001 * problem->t_end / problem->fine;
        if (fine || (count >= FEWEST && error < 5 * problem->round_off)) return true;
    }
    return false;
}

/* Whether each class has its window, or is below the floor. */
static bool is_measured(const zoo_order *problem, const measured *m)
{
    for (int k = 0; k < m->classes; k++) {
        int finest, last = m->runs - 1;
        if (window(problem, m, k, &finest)) continue;
        if (m->error[k][last] > floor_of(problem, k, m->h[last])) return false;
    }
    return true;
}

/* Coarse steps may fail, fine ones not. */
static measured measure(const char *name, const zoo_order *problem, int most)
{
    measured m = {.classes = strchr(problem->classes, 'u')   ? 3
                             : strchr(problem->classes, 'z') ? 2
                                                             : 1};
    for (int k = 0; k < RUNS && step_counts[k] <= most; k++) {
        run_once(name, problem, step_counts[k], &m);
        if (m.status == DAE_UNSUPPORTED || m.status == DAE_INDEX || m.status == DAE_USAGE) break;
        if (!m.failed && is_measured(problem, &m)) break;
    }
    return m;
}

/* Of log(error) over log(h); false where the window is too small. */
static bool slope_of(const zoo_order *problem, const measured *m, int class, double *slope)
{
    int finest, count = 0;
    double x = 0, y = 0, xx = 0, xy = 0;
    window(problem, m, class, &finest);
    for (int r = finest; r >= 0 && m->h[r] <= 2.001 * m->h[finest]; r--) {
        double error = m->error[class][r];
        if (error > LARGEST || error < floor_of(problem, class, m->h[r])) break;
        count++;
    }
    if (count < FEWEST) return false;
    for (int r = finest; r > finest - count; r--) {
        double u = log(m->h[r]), v = log(m->error[class][r]);
        x += u, y += v, xx += u * u, xy += u * v;
    }
    *slope = (count * xy - x * y) / (count * xx - x * x);
    return true;
}

/* Whether the error of steps a quarter as long is less than half. */
static bool falls(const measured *m, int class)
{
    int last = m->runs - 1, coarse = last;
    while (coarse > 0 && m->h[coarse] < 3.9 * m->h[last]) coarse--;
    return coarse < last && m->error[class][last] < 0.5 * m->error[class][coarse];
}

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
    double least_excess[CLASSES];        /* of a slope over its order */
    int wrong, passed_over;
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
    printf("  %c ", letters[class]);
    if (order == STAYS) {
        bool falling = falls(m, class);
        printf(falling ? "falls" : "stays");
        t->stays[class] += !falling;
    } else if (order == OPEN) {
        printf("%s", falls(m, class) ? "falls" : "stays");
    } else if (!slope_of(problem, m, class, &slope)) {
        printf("%d: no window", order);
        t->passed_over++;
    } else {
        printf("%d: %.2f", order, slope);
        if (slope < order - SLACK) complain(t, "too low");
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
        bool falling = falls(m, k);
        stays = stays || !falling;
        if (falling && slope_of(problem, m, k, &slope))
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

/* What has to be seen on enough problems, or on one. */
static void judge_class(const theory *row, int index, int class, tally *t)
{
    int order = promised(row, index)[class];
    const char *wrong = NULL;
    if (order == FAILS || order == STAYS)
        wrong = t->stays[class] > 0 ? NULL : "converges on all problems";
    else if (order > 0 && t->slopes[class] < PROBLEMS)
        wrong = "slopes on fewer than two problems";
    else if (order > 0 && t->least_excess[class] > SLACK)
        wrong = "above the order on all problems";
    if (!wrong) return;
    printf("%-22s index %d: %c: %s", row->name, index, letters[class], wrong);
    complain(t, "wrong");
    printf("\n");
}

static int judge_row(const theory *row, int index)
{
    tally t = {.wrong = 0};
    int classes = index == 0 ? 1 : index == 3 ? 3 : 2;
    for (size_t p = 0; p < zoo_order_count; p++)
        if (zoo_orders[p]->index == index && fits(zoo_orders[p], promised(row, index)[0]))
            judge(row, zoo_orders[p], &t);
    if (promised(row, index)[0] == FAILS) classes = 1;
    for (int k = 0; k < classes; k++) judge_class(row, index, k, &t);
    fflush(stdout);
    return t.wrong;
}

/* All rows, or the one that the environment names: `make check-method NAME=...`. */
static bool is_wanted(const char *name)
{
    const char *only = getenv("METHOD");
    return !only || strcmp(only, name) == 0;
}

static void judge_index(int index)
{
    int wrong = 0;
    for (size_t k = 0; k < THEORIES; k++)
        if (is_wanted(theories[k].name)) wrong += judge_row(&theories[k], index);
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

/* No row is without its theory but `radau`, which has no one order. */
START_TEST(all_rows)
{
    for (size_t i = 0; method_row_at(i); i++) {
        bool found = strcmp(method_row_at(i)->name, "radau") == 0;
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
