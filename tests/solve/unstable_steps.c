/* Fixed steps that are unstable are told from solutions that grow: where a variable has grown, the
 * steps in which it did are made again with shorter ones (solve/judge.h). */
#include "solve/equations.h"

#include "method/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which equations: y1' = p y1, with 0 = y2 - y1 where there are two; y'' = -p^2 y; E. N. Lorenz, J.
 * Atmos. Sci. 20 (1963) 130; y' = y^2; and of two that lean on each other, y1' - y2' = p (y1 - y2)
 * with y1 + 2 y2 = 0; and y' = p (y - cos t). */
typedef enum kind { LINEAR, INDEX_1, TURNING, CHAOTIC, BURSTING, OBLIQUE, FORCED } kind;

typedef struct equations {
    kind kind;
    double p;
} equations;

static size_t unknowns(kind k)
{
    return k == CHAOTIC ? 3 : k == LINEAR || k == BURSTING || k == FORCED ? 1 : 2;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const equations *e = user;
    switch (e->kind) {
    case FORCED: r[0] = yp[0] - e->p * (y[0] - cos(t)); break;
    case LINEAR: r[0] = yp[0] - e->p * y[0]; break;
    case INDEX_1: r[0] = yp[0] - e->p * y[0], r[1] = y[1] - y[0]; break;
    case TURNING: r[0] = yp[0] - e->p * y[1], r[1] = yp[1] + e->p * y[0]; break;
    case CHAOTIC:
        r[0] = yp[0] - 10 * (y[1] - y[0]);
        r[1] = yp[1] - y[0] * (28 - y[2]) + y[1];
        r[2] = yp[2] - y[0] * y[1] + 8.0 / 3 * y[2];
        break;
    case BURSTING: r[0] = yp[0] - y[0] * y[0]; break;
    default: r[0] = yp[0] - yp[1] - e->p * (y[0] - y[1]), r[1] = y[0] + 2 * y[1];
    }
    return 0;
}

/* Of LINEAR: differences would depend on nominal sizes. */
static int jacobian(double t, const double *y, const double *yp, double *dy, double *dyp,
                    void *user)
{
    (void)t, (void)y, (void)yp;
    dy[0] = -((const equations *)user)->p;
    dyp[0] = 1;
    return 0;
}

/* A run from y1 = 1, consistent: its status, and y at the end (NULL: not wanted). */
static dae_status run_of(const equations *of, const char *name, double step, double end,
                         double nominal, double *y, char *sentence, size_t size)
{
    const double nominals[] = {nominal, nominal, nominal};
    double start[] = {1, of->kind == INDEX_1 ? 1 : of->kind == OBLIQUE ? -0.5 : 0, 0};
    dae_residual_form form = {.n = unknowns(of->kind),
                              .residual = residual,
                              .jacobian = of->kind == LINEAR ? jacobian : NULL,
                              .about = {.user = (void *)of, .nominal = nominals}};
    dae_options options = tolerance_of(1e-6);
    options.method = name;
    options.step = step;
    dae_solver *solver = solver_for(dae_problem_residual(&form), &options);
    const double slope[] = {of->p, 0, 0};
    dae_status status = of->kind == LINEAR ? dae_solver_start_with(solver, 0, start, slope)
                                           : dae_solver_start(solver, 0, start);
    if (status == DAE_OK) status = dae_solver_run(solver, end);
    if (status == DAE_OK && y) is_ok(solver, dae_solver_at(solver, end, y, NULL));
    snprintf(sentence, size, "%s", dae_solver_message(solver));
    dae_solver_free(solver);
    return status;
}

/* What does not grow, by steps that do: beyond the limit of stability on the negative real axis
 * (Hairer & Wanner II, Sec. IV.2 and V.1), on the imaginary one, far beyond either; and Milne's
 * method, which grows with exp(-p t / 3) however short the step (Hairer, Norsett & Wanner I, Sec.
 * III.9). `shorter`: a step that is stable; 0: none is. */
static const struct unstable {
    equations of;
    const char *method;
    double step, end, shorter;
} UNSTABLE[] = {
    {{LINEAR, -1}, "euler", 2.2, 100, 1.9},
    {{LINEAR, -1}, "rk4", 2.9, 80, 2.7},
    {{LINEAR, -1}, "rk4", 20, 100, 2.7},
    {{LINEAR, -1000}, "rk4", 1, 5, 2.7e-3},
    {{LINEAR, -1}, "dopri5", 3.5, 100, 3.2},
    {{LINEAR, -1}, "adams-bashforth4", 0.35, 100, 0.25},
    {{LINEAR, -1}, "adams-moulton4", 2, 400, 1.7},
    {{LINEAR, -1}, "milne", 0.1, 120, 0},
    {{INDEX_1, -1}, "milne", 0.1, 120, 0},
    {{OBLIQUE, -1}, "milne", 0.1, 120, 0},
    {{INDEX_1, -1}, "state-space-rk4", 2.9, 80, 2.7},
    {{INDEX_1, -1}, "hem4", 8, 80, 4},
    {{TURNING, 1}, "euler", 0.1, 100, 0},
    {{TURNING, 1}, "rk4", 2.9, 100, 2.7},
    {{TURNING, 1}, "bdf4", 0.7, 200, 0.1},
};

enum { UNSTABLE_COUNT = sizeof UNSTABLE / sizeof *UNSTABLE };

START_TEST(unstable_steps_end_with_a_failure)
{
    const struct unstable *u = &UNSTABLE[_i];
    char sentence[600];
    dae_status status = run_of(&u->of, u->method, u->step, u->end, 1, NULL, sentence,
                               sizeof sentence);
    ck_assert_msg(status == DAE_UNSTABLE, "%s: %s %s", u->method, dae_status_word(status),
                  sentence);
    ck_assert_msg(strstr(sentence, "y1") || strstr(sentence, "y2"), "%s", sentence);
    ck_assert_msg(strstr(sentence, u->method) && strstr(sentence, "is unstable"), "%s", sentence);
    if (u->shorter == 0) return;
    status = run_of(&u->of, u->method, u->shorter, u->end, 1, NULL, sentence, sizeof sentence);
    ck_assert_msg(status == DAE_OK, "%s", sentence);
}
END_TEST

/* By every method that advances them, but those whose steps are beyond their own limit. */
static void check_growing(const equations *of, double step, double end)
{
    size_t advanced = 0;
    const size_t fewest = 40 / unit_one_in(5);
    for (size_t i = 0; method_row_at(i); i++) {
        char sentence[600];
        const char *name = method_row_at(i)->name;
        if (!is_sampled(name, i, 4)) continue;
        if (of->kind == CHAOTIC && strcmp(name, "milne") == 0) continue; /* unstable as ever */
        dae_status status = run_of(of, name, step, end, 1, NULL, sentence, sizeof sentence);
        if (status == DAE_UNSUPPORTED || status == DAE_INDEX || status == DAE_USAGE) continue;
        ck_assert_msg(status == DAE_OK, "%s with %g: %s", name, step, sentence);
        advanced++;
    }
    ck_assert_uint_gt(advanced, fewest);
}

/* Steps up to half the time of a growth by e, by methods of order 1 as well. */
START_TEST(solutions_that_grow_pass)
{
    static const kind kinds[] = {LINEAR, INDEX_1, OBLIQUE};
    static const double steps[] = {0.03, 0.2, 0.5};
    const equations of = {kinds[_i % 3], 1};
    check_growing(&of, steps[_i / 3], 40);
}
END_TEST

START_TEST(chaotic_solutions_pass)
{
    check_growing(&(equations){CHAOTIC, 0}, 0.002, 8);
}
END_TEST

/* y = 1 / (1 - t). */
START_TEST(a_solution_that_grows_without_bound_passes)
{
    check_growing(&(equations){BURSTING, 0}, 1e-4, 0.99);
}
END_TEST

/* With a nominal size that is never exceeded nothing is looked into. */
START_TEST(looking_into_growth_changes_nothing)
{
    static const char *const names[] = {"rk4",    "adams-bashforth4", "adams-moulton3",   "bdf3",
                                        "gauss2", "radau-iia3",       "esdirk4",          "rodas4",
                                        "milne",  "two-step",         "sdirk-hw16",       "hem4",
                                        "dcbdf2", "lobatto-iiia3",    "one-leg-two-step", "bdf",
                                        "mebdf"};
    const equations of = {LINEAR, 1};
    char sentence[600];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double looked[3], passed[3];
        ck_assert_int_eq(run_of(&of, names[k], 0.125, 40, 1, looked, sentence, 600), DAE_OK);
        ck_assert_int_eq(run_of(&of, names[k], 0.125, 40, 1e30, passed, sentence, 600), DAE_OK);
        /* the nominal size is that of Newton's norm as well: round-off */
        ck_assert_msg(fabs(looked[0] - passed[0]) <= 1e-12 * fabs(passed[0]), "%s: %.17g, %.17g",
                      names[k], looked[0], passed[0]);
    }
}
END_TEST

/* Drawn steps of 1 to 50 times the time of a stiff decay, by every method that advances it: none
 * arrives with what has grown, though two unstable runs may come out alike. */
START_TEST(drawn_stiff_decays_do_not_grow_unseen)
{
    uint64_t state = 33;
    size_t reported = 0, arrived = 0;
    for (size_t i = 0; method_row_at(i); i++) {
        const char *name = method_row_at(i)->name;
        for (int k = 0; k < 24; k++) {
            double p = pow(10, 2 + 2 * scatter(&state)), z = pow(10, 0.85 * (1 + scatter(&state)));
            double step = z / p, end = step * (20 + (double)scatter_below(&state, 100)), y[1];
            const equations of = {FORCED, -p};
            char sentence[600];
            dae_status status = run_of(&of, name, step, end, 1, y, sentence, sizeof sentence);
            if (status == DAE_UNSUPPORTED || status == DAE_INDEX || status == DAE_USAGE) break;
            reported += status == DAE_UNSTABLE;
            arrived += status == DAE_OK;
            ck_assert_msg(status != DAE_OK || fabs(y[0]) < 100, "%s, p %.17g, step %.17g: %g", name,
                          p, step, y[0]);
        }
    }
    ck_assert_uint_gt(reported, 400);
    ck_assert_uint_gt(arrived, 400);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, unstable_steps_end_with_a_failure, 0, UNSTABLE_COUNT);
    unit_loop(tests, solutions_that_grow_pass, 0, 9);
    tcase_add_test(tests, drawn_stiff_decays_do_not_grow_unseen);
    tcase_add_test(tests, chaotic_solutions_pass);
    tcase_add_test(tests, a_solution_that_grows_without_bound_passes);
    tcase_add_test(tests, looking_into_growth_changes_nothing);
    return unit_run("solve/unstable_steps", tests);
}
