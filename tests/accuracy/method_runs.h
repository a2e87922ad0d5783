/* Errors of one method on one problem over many lengths of step, and their slope.
 *
 * One rule for all. The error of a class of variables (y; z; of index 3 positions, velocities,
 * multipliers) is the largest of any of them at the end. Steps are refined until each class has its
 * window: errors between 1e-3 and round-off, enough of them and the finest step fine for the
 * problem, or its error close to round-off. The finest error and all whose steps are at most twice
 * as long make the slope, that of the straight line through their logarithms. One that is too low
 * because the error changes its sign there says nothing. Round-off of
 * variables of index 2 and 3 grows with 1/h and 1/h^2 (Hairer & Wanner II, Sec. VII.4). */
#ifndef TESTS_ACCURACY_METHOD_RUNS_H
#define TESTS_ACCURACY_METHOD_RUNS_H

#include "base/unit.h"
#include "method/method.h"
#include "zoo/zoo.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const int step_counts[] = {3,    4,    5,    6,    7,    8,    10,    12,    14,    16,
                                  20,   24,   28,   32,   40,   48,   56,    64,    80,    96,
                                  112,  128,  160,  192,  224,  256,  320,   384,   448,   512,
                                  640,  768,  896,  1024, 1280, 1536, 1792,  2048,  2560,  3072,
                                  3584, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 14336, 16384};

enum {
    RUNS = sizeof step_counts / sizeof *step_counts,
    CLASSES = 3,
    FEWEST = 3,  /* errors that make a slope */
    ENOUGH = 10, /* after which fine steps are not refined any more */
};

static const double LARGEST = 1e-3;
static const double SURE = 1e4; /* an error so far above round-off grows by a change of its sign */
static const char letters[] = "yzu";

/* What the runs of one method on one problem have given. */
typedef struct measured {
    int steps;        /* that the method looks back */
    double round_off; /* errors below would say nothing */
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

static double floor_of(const zoo_order *problem, const measured *m, int class, double h)
{
    return m->round_off / (problem->index > 1 ? pow(h, class) : 1);
}

static bool is_fine(const zoo_order *problem, const measured *m, int run)
{
    return m->h[run] * m->steps < 1.001 * problem->t_end / problem->fine;
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
        if (error > LARGEST || error < floor_of(problem, m, class, m->h[r])) continue;
        bool grown = count > 0 && error > m->error[class][r - 1];
        if (grown && error > SURE * floor_of(problem, m, class, m->h[r])) count = -ENOUGH;
        if (count > FEWEST && grown) {
            while (*finest > 0 && m->error[class][*finest] < 30 * m->error[class][r - 1]) --*finest;
            return true;
        }
        *finest = r, count++;
        bool fine = count >= ENOUGH && is_fine(problem, m, r);
        if (fine || (count >= FEWEST && error < 5 * m->round_off)) return true;
    }
    return false;
}

/* Whether each class has its window, or is below the floor. */
static bool is_measured(const zoo_order *problem, const measured *m)
{
    for (int k = 0; k < m->classes; k++) {
        int finest, last = m->runs - 1;
        if (window(problem, m, k, &finest)) continue;
        if (m->error[k][last] > floor_of(problem, m, k, m->h[last])) return false;
    }
    return true;
}

/* What multistep methods ask for: the solution is resolved over all their steps, and round-off of
 * the values enters with sum |alpha_j| over that of a one-step method, which is 2. */
static void look_at(const char *name, const zoo_order *problem, measured *m)
{
    message ignored = {.status = DAE_OK};
    method *found;
    quad alphas = 0, betas = 0;
    m->steps = 1;
    m->round_off = problem->round_off;
    if (method_create(&found, name, &ignored) != DAE_OK) return;
    for (int j = 0; found->multistep && j <= found->multistep->steps; j++) {
        alphas += quad_abs(found->multistep->alpha[j]);
        betas += found->multistep->beta[j];
    }
    if (found->multistep) m->steps = found->multistep->steps;
    if (found->multistep) m->round_off *= (double)(alphas / betas / 2);
    method_free(found);
}

/* Coarse steps may fail, fine ones not. */
static measured measure(const char *name, const zoo_order *problem, int most)
{
    enum {
        SHARE = 5
    }; /* of fewer steps most would be those with which a multistep method starts */
    measured m = {.classes = strchr(problem->classes, 'u')   ? 3
                             : strchr(problem->classes, 'z') ? 2
                                                             : 1};
    look_at(name, problem, &m);
    for (int k = 0; k < RUNS && step_counts[k] <= most; k++) {
        if (m.steps > 1 && step_counts[k] < SHARE * m.steps) continue;
        run_once(name, problem, step_counts[k], &m);
        if (m.status == DAE_UNSUPPORTED || m.status == DAE_INDEX || m.status == DAE_USAGE) break;
        if (!m.failed && is_measured(problem, &m)) break;
    }
    return m;
}

/* Of log(error) over log(h), from the run `finest` on; false where there are too few errors. */
static bool jacobian_from(const zoo_order *problem, const measured *m, int class, int finest,
                          double *slope)
{
    int count = 0;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int r = finest; r >= 0 && m->h[r] <= 2.001 * m->h[finest]; r--) {
        double error = m->error[class][r];
        if (error > LARGEST || error < floor_of(problem, m, class, m->h[r])) break;
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

/* The same of the window. `fine`: not false because a multistep method has come to round-off before
 * its steps were fine for the problem. */
static bool slope_of(const zoo_order *problem, const measured *m, int class, double *slope,
                     bool *fine)
{
    int finest;
    window(problem, m, class, &finest);
    *fine = m->steps == 1 || (finest >= 0 && is_fine(problem, m, finest));
    return finest >= 0 && jacobian_from(problem, m, class, finest, slope);
}

/* Whether the error changes its sign in the window: with steps twice as long it falls far too
 * fast. */
static bool changes_sign(const zoo_order *problem, const measured *m, int class, int order)
{
    int finest, coarser;
    double slope;
    window(problem, m, class, &finest);
    for (coarser = finest; coarser > 0 && m->h[coarser] < 1.99 * m->h[finest];) coarser--;
    return jacobian_from(problem, m, class, coarser, &slope) && slope > order + 1;
}

/* Whether the error of steps a quarter as long is less than half. */
static inline bool falls(const measured *m, int class)
{
    int last = m->runs - 1, coarse = last;
    while (coarse > 0 && m->h[coarse] < 3.9 * m->h[last]) coarse--;
    return coarse < last && m->error[class][last] < 0.5 * m->error[class][coarse];
}

#endif
