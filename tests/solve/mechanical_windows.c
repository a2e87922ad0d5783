/* Mechanical systems whose functions have values only during the run, or a little longer, such as
 * those with a table over time: they run as if the functions had values at all times. */
#include "base/scatter.h"
#include "base/unit.h"

#include <daedal/daedal.h>
#include <math.h>

enum { LAST = 3 };

/* A pendulum whose support moves as a sin(w t). */
typedef struct driven {
    double a, w;
    double before, after; /* functions have values so long before 0 and after LAST */
    double first, last;   /* times seen */
} driven;

static int answer(driven *d, double t)
{
    d->first = fmin(d->first, t);
    d->last = fmax(d->last, t);
    return t < -d->before || t > LAST + d->after;
}

static int falls(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v;
    f[0] = 0;
    f[1] = -9.81;
    return answer(user, t);
}

static int constraint(double t, const double *q, double *phi, void *user)
{
    const driven *d = user;
    double x = q[0] - d->a * sin(d->w * t);
    phi[0] = x * x + q[1] * q[1] - 1;
    return answer(user, t);
}

static int constraint_q(double t, const double *q, double *dq, void *user)
{
    const driven *d = user;
    dq[0] = 2 * (q[0] - d->a * sin(d->w * t));
    dq[1] = 2 * q[1];
    return answer(user, t);
}

static int constraint_t(double t, const double *q, double *dt, void *user)
{
    const driven *d = user;
    dt[0] = -2 * (q[0] - d->a * sin(d->w * t)) * d->a * d->w * cos(d->w * t);
    return answer(user, t);
}

/* From 0 to LAST, or back from there, where the start is at the support. */
static void move(driven *d, const char *formulation, bool back, double *y)
{
    double from = back ? LAST : 0, to = back ? 0 : LAST;
    dae_mechanical_form f = {.nq = 2,
                             .holonomic = 1,
                             .force = falls,
                             .constraint = constraint,
                             .constraint_q = constraint_q,
                             .constraint_t = d->a != 0 ? constraint_t : NULL,
                             .about.user = d};
    dae_options o = dae_options_default();
    o.formulation = formulation;
    o.rtol = o.atol = 1e-8;
    dae_problem *p = dae_problem_mechanical(&f);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    const double start[5] = {d->a * sin(d->w * from), -1, 0.3, 0, (double)NAN};
    ck_assert_msg(dae_solver_start(s, from, start) == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_msg(dae_solver_run(s, to) == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_int_eq(dae_solver_at(s, to, y, NULL), DAE_OK);
    dae_solver_free(s);
}

/* Free functions are called up to a unit of time before and after, which is at most 4 s. */
START_TEST(no_values_are_needed_outside_of_the_run)
{
    static const char *const formulations[] = {"auto", "ggl", "index1", "nullspace-qr",
                                               "augmented"};
    uint64_t state = 3;
    for (int k = 0; k < 20; k++) {
        double free[5], bound[5];
        driven d = {.a = k % 4 ? 0.1 : 0, .w = scatter_between(&state, 1, 4)};
        d.before = d.after = HUGE_VAL;
        move(&d, formulations[k % 5], k & 1, free);
        ck_assert_msg(d.first > -5 && d.last < LAST + 5, "from %g to %g", d.first, d.last);
        d.before = k & 2 ? 0 : scatter_between(&state, 0, 0.1);
        d.after = k & 4 ? 0 : scatter_between(&state, 0, 0.1);
        move(&d, formulations[k % 5], k & 1, bound);
        for (int j = 0; j < 5; j++)
            ck_assert_msg(fabs(bound[j] - free[j]) < 1e-5, "%s, w = %g: %.9g, not %.9g",
                          formulations[k % 5], d.w, bound[j], free[j]);
    }
}
END_TEST

UNIT_MAIN("solve/mechanical_windows", 30, no_values_are_needed_outside_of_the_run)
