/* Nonholonomic systems against their exact solutions: a skate on an incline, which does not slide
 * down it, and a disc that rolls on a circle. Every formulation; the energy and what else does not
 * change along the motion. */
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

enum { MOST = 16, TIMES = 101 };

static const double STOP = 10;

/* Errors of single steps, each below the tolerance, may have grown to this much of it; forces that
 * meet constraints leave a part of theirs. */
static const double GROWTH = 100, FORCED = 1e-3, ROUND_OFF = 1e-13;

/* What does not change, of q and v. */
typedef struct kept {
    double value[3];
    size_t count;
} kept;

static const double slope = 4.905;

/* Energy and turning. */
static kept of_skate(const double *q, const double *v)
{
    double motion = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return (kept){{motion / 2 - slope * q[0], v[2]}, 2};
}

/* Energy, heading's rate and roll; m = 2, J = 1/8 and 1/4. */
static kept of_disc(const double *q, const double *v)
{
    (void)q;
    double motion = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 16 + v[3] * v[3] / 8;
    return (kept){{motion, v[2], v[3]}, 3};
}

/* The largest errors so far. */
typedef struct followed {
    const zoo_mechanical *system;
    double tolerance;
    kept (*invariants)(const double *q, const double *v);
    kept first;
    double q, v, lambda, changed, furthest, least;
} followed;

static double apart(size_t n, const double *a, const double *b)
{
    double far = 0;
    for (size_t j = 0; j < n; j++) {
        double off = fabs(a[j] - b[j]) / fmax(fabs(b[j]), 1);
        if (!(off <= far)) far = off;
    }
    return far;
}

/* Also to what is not a number. */
static void raise(double *worst, double found)
{
    if (!(found <= *worst)) *worst = found;
}

static int follow(double t, const double *y, const double *yp, void *user)
{
    followed *f = user;
    const dae_mechanical_form *form = &f->system->form;
    const double *v = y + form->nq;
    zoo_motion m;
    (void)yp;
    f->system->exact(t, &m);
    kept now = f->invariants(y, v);
    if (t == 0) f->first = now;
    raise(&f->q, apart(form->nq, y, m.q));
    raise(&f->v, apart(form->nq, v, m.v));
    raise(&f->lambda, apart(form->nonholonomic, v + form->nq, m.lambda));
    raise(&f->changed, apart(now.count, now.value, f->first.value));
    f->furthest = fmax(f->furthest, y[0]);
    f->least = fmin(f->least, y[0]);
    return 0;
}

/* How far its errors may be, and which level of constraints projections hold. */
static void check_motion(const zoo_mechanical *z, const followed *f, dae_solver *s,
                         const char *name, const char *formulation)
{
    const dae_stats *stats = dae_solver_stats(s);
    bool forced = strcmp(formulation, "penalty") == 0 || strcmp(formulation, "augmented") == 0;
    double most = forced ? FORCED : GROWTH * f->tolerance;
    ck_assert_msg(f->q <= most && f->v <= most && f->changed <= 2 * most,
                  "%s, %s, %s: q %g, v %g, invariants %g", z->form.about.name, name, formulation,
                  f->q, f->v, f->changed);
    ck_assert_msg(forced || f->lambda <= 100 * most, "%s, %s, %s: lambda %g", z->form.about.name,
                  name, formulation, f->lambda);
    ck_assert_uint_eq(stats->constraint_levels, 2);
    for (int k = 0; k < 2 && strcmp(stats->projection, "none") != 0; k++)
        ck_assert_msg(stats->max_constraint[k] < ROUND_OFF, "%s, %s, %s: level %d: %g",
                      z->form.about.name, name, formulation, k, stats->max_constraint[k]);
}

static void run(followed *f, const char *name, const char *formulation)
{
    const zoo_mechanical *z = f->system;
    const dae_times times = {.first = 0, .last = STOP, .count = TIMES};
    double start[MOST];
    dae_options o = dae_options_default();
    o.method = name;
    o.formulation = formulation;
    o.rtol = o.atol = f->tolerance;
    for (int j = 0; j < MOST; j++) start[j] = (double)NAN;
    z->start(start, start + z->form.nq);
    dae_problem *p = dae_problem_mechanical(&z->form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    dae_status status = dae_solver_start(s, 0, start);
    if (status == DAE_OK) dae_solver_output(s, &times, follow, f);
    if (status == DAE_OK) status = dae_solver_run(s, STOP);
    ck_assert_msg(status == DAE_OK, "%s, %s, %s: %s", z->form.about.name, name, formulation,
                  dae_solver_message(s));
    check_motion(z, f, s, name, formulation);
    dae_solver_free(s);
}

/* The skate stays within G sin(30 degrees) / (2 omega^2) below its start. */
static void run_both(const char *name, const char *formulation, double tolerance)
{
    followed skate = {.system = &zoo_skate, .tolerance = tolerance, .invariants = of_skate};
    followed disc = {.system = &zoo_rolling_disc, .tolerance = tolerance, .invariants = of_disc};
    run(&skate, name, formulation);
    ck_assert_double_le(skate.furthest, slope / 8 + 1e-3);
    ck_assert_double_ge(skate.least, -1e-3);
    run(&disc, name, formulation);
}

START_TEST(every_formulation)
{
    const mechanical_formulation_ops *row;
    for (size_t i = 0; (row = mechanical_formulation_at(i)) != NULL; i++) {
        if (!is_sampled(row->name, i, 2)) continue;
        run_both("radau-iia3", row->name, 1e-8);
        run_both("bdf", row->name, 1e-8);
        if (row->index == 0) run_both("dop853", row->name, 1e-8);
    }
    run_both("auto", "auto", 1e-8);
}
END_TEST

/* Methods of order 2: their errors are those of longer steps. */
START_TEST(every_structural_method)
{
    static const char *const name[] = {
        "generalized-alpha", "hht", "newmark", "fox-goodwin", "linear-acceleration",
        "central-difference"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        if (!is_sampled(name[k], k, 3)) continue;
        run_both(name[k], "tangent", 1e-5);
        run_both(name[k], "index2", 1e-5);
        run_both(name[k], "index1", 1e-5);
    }
    run_both("fox-goodwin:corrected=1", "tangent", 1e-5);
}
END_TEST

UNIT_MAIN("solve/nonholonomic", 60, every_formulation, every_structural_method)
