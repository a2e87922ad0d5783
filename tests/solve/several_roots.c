/* Root functions of C programs that jump with a mode, and several that change at one instant. */
#include "solve/equations.h"

#include <math.h>

static const char *const METHODS[] = {"auto", "dop853", "radau-iia5", "rodas5p", "bdf", "mebdf"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS, STAGES = 4 };

/* A threshold that a mode raises; the event may say that nothing has changed. */
typedef struct stages {
    int mode;
    bool changed;
    double t[STAGES + 1];
} stages;

static const double THRESHOLD[] = {0.5, 1, 1.5, 2.5, 9};

static int threshold_raised(dae_event *e, void *user)
{
    stages *s = user;
    s->t[s->mode < STAGES ? s->mode : STAGES] = e->t;
    s->mode += s->mode < STAGES;
    e->changed = s->changed;
    return 0;
}

static int grows(double t, const double *y, double *f, void *user)
{
    (void)t, (void)y, (void)user;
    f[0] = 1;
    return 0;
}

static int above(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp;
    g[0] = y[0] - THRESHOLD[((stages *)user)->mode];
    return 0;
}

/* x' = 1, 0 = z - x + threshold: the root is the algebraic variable. */
static int follows(double t, const double *y, double *f, void *user)
{
    (void)t;
    f[0] = 1;
    f[1] = y[1] - y[0] + THRESHOLD[((stages *)user)->mode];
    return 0;
}

static int of_follower(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[1];
    return 0;
}

static const double X_ALONE[] = {1, 0, 0, 0};

static dae_problem *stages_of(stages *s, bool algebraic)
{
    dae_mass_form form = {.n = algebraic ? 2 : 1,
                          .f = algebraic ? follows : grows,
                          .constant_mass = algebraic ? X_ALONE : NULL,
                          .about = {.roots = 1,
                                    .root = algebraic ? of_follower : above,
                                    .event = threshold_raised,
                                    .user = s}};
    return dae_problem_mass(&form);
}

static void passes_all(const char *method, bool algebraic, bool changed)
{
    stages w = {.changed = changed};
    dae_options options = tolerance_of(1e-8);
    options.method = method;
    dae_solver *s = solver_for(stages_of(&w, algebraic), &options);
    const double start[] = {0, -0.5};
    is_ok(s, dae_solver_start(s, 0, start));
    is_ok(s, dae_solver_run(s, 3));
    ck_assert_msg(w.mode == STAGES && w.t[STAGES] == 0, "%s: %d of 4 events", method, w.mode);
    ck_assert_uint_eq(dae_solver_stats(s)->events, STAGES);
    for (int i = 0; i < STAGES; i++)
        ck_assert_msg(fabs(w.t[i] - THRESHOLD[i]) < 1e-6, "%s: %.17g", method, w.t[i]);
    dae_solver_free(s);
}

/* After the event the root lies on the other side, by the mode alone: its next change counts. */
START_TEST(a_root_jumps_with_the_mode)
{
    passes_all(METHODS[_i], false, true);
    passes_all(METHODS[_i], false, false);
    if (strcmp(METHODS[_i], "dop853") != 0) passes_all(METHODS[_i], true, true);
}
END_TEST

/* --- roots at one instant --- */

typedef struct pair {
    double part, level, apart;
    int seen[2];
} pair;

static int swing(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < 4; i += 2) f[i] = y[i + 1], f[i + 1] = -y[i];
    return 0;
}

static int levels(double t, const double *y, const double *yp, double *g, void *user)
{
    const pair *p = user;
    (void)t, (void)yp;
    g[0] = y[0] - p->level;
    g[1] = y[2] - p->part * p->level * (1 + p->apart);
    return 0;
}

static int count_both(dae_event *e, void *user)
{
    pair *p = user;
    for (int i = 0; i < 2; i++) p->seen[i] += e->crossed[i] != 0;
    e->changed = true;
    return 0;
}

static double drawn(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Two oscillators, of which one is a multiple of the other, reach their levels at the same time but
 * for round-off. Each level is passed once, in one event or in two. */
START_TEST(roots_at_one_instant_are_all_seen)
{
    uint64_t seed = 7;
    for (int k = 0; k < 60; k++) {
        static const double APART[] = {0, 1e-16, 4e-16, 1e-15, 1e-14, 1e-13};
        pair p = {.part = 0.5 + 2 * drawn(&seed),
                  .level = 0.3 + 0.6 * drawn(&seed),
                  .apart = APART[k % 6]};
        const double start[] = {0, 1, 0, p.part};
        dae_mass_form form = {
            .n = 4,
            .f = swing,
            .about = {.roots = 2, .root = levels, .event = count_both, .user = &p}};
        dae_options options = tolerance_of(1e-6);
        options.method = METHODS[_i];
        dae_solver *s = solver_for(dae_problem_mass(&form), &options);
        is_ok(s, dae_solver_start(s, 0, start));
        is_ok(s, dae_solver_run(s, 1.5));
        ck_assert_msg(p.seen[0] == 1 && p.seen[1] == 1, "%s, case %d: %d and %d", METHODS[_i], k,
                      p.seen[0], p.seen[1]);
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, a_root_jumps_with_the_mode, 0, METHODS_COUNT);
    unit_loop(tests, roots_at_one_instant_are_all_seen, 0, METHODS_COUNT);
    return unit_run("solve/several_roots", tests);
}
