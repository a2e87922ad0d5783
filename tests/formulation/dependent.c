/* Which constraints are left out because they depend on others. */
#include "formulation/dependent_constraints.h"

#include "mechanical/system.h"

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

/* x = 0 and x + y = 0, and y' = 0 once more. */
static int lines(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0];
    phi[1] = q[0] + q[1];
    return 0;
}

static int lines_q(double t, const double *q, double *dq, void *user)
{
    static const double row[] = {1, 1, 0, 1}; /* by columns */
    (void)t, (void)q, (void)user;
    memcpy(dq, row, sizeof row);
    return 0;
}

static int at_rest(double t, const double *q, double *a, void *user)
{
    (void)t, (void)q, (void)user;
    a[0] = 0;
    a[1] = 1;
    return 0;
}

/* Of x' = 0, x' + y' = 0 and y' = 0 more is left of the last, beside the first, than of the second;
 * but with the second a constraint on positions would be lost. */
ARENA_TEST(constraints_on_positions_stay)
{
    static const dae_mechanical_form form = {.nq = 2,
                                             .holonomic = 2,
                                             .nonholonomic = 1,
                                             .force = no_force,
                                             .constraint = lines,
                                             .constraint_q = lines_q,
                                             .velocity_constraint = at_rest,
                                             .about.name = "lines"};
    const double q[2] = {0, 0};
    mechanical *m = at_work(memory_, &form);
    dependent_constraints *d = dependent_constraints_create(memory_, m, 0.1);
    ck_assert_int_eq(dependent_constraints_choose(d, 0, q), DAE_OK);
    ck_assert_uint_eq(d->count, 1);
    ck_assert(!d->out[0] && !d->out[1] && d->out[2]);
    mechanical_free(m);
}

/* A rod, and (1 + x) times the same: dependent on the circle, and nowhere beside it. */
static int rod_twice(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    phi[1] = (1 + q[0]) * phi[0];
    return 0;
}

static int rod_twice_q(double t, const double *q, double *dq, void *user)
{
    double phi[2];
    rod_twice(t, q, phi, user);
    dq[0] = 2 * q[0];
    dq[1] = (1 + q[0]) * dq[0] + phi[0];
    dq[2] = 2 * q[1];
    dq[3] = (1 + q[0]) * dq[2];
    return 0;
}

/* What rows have left where the constraints are missed is what they are missed by. */
ARENA_TEST(off_the_manifold_the_choice_stays)
{
    static const dae_mechanical_form form = {.nq = 2,
                                             .holonomic = 2,
                                             .force = no_force,
                                             .constraint = rod_twice,
                                             .constraint_q = rod_twice_q,
                                             .about.name = "a rod twice"};
    mechanical *m = at_work(memory_, &form);
    dependent_constraints *d = dependent_constraints_create(memory_, m, 0.1);
    for (int k = 0; k < 4; k++) {
        double missed = k == 0 ? 0 : pow(10, -3 - 2 * k), q[2] = {0.6 + missed, -0.8};
        if (k == 0) ck_assert_int_eq(dependent_constraints_choose(d, 0, q), DAE_OK);
        ck_assert_uint_eq(d->count, 1);
        ck_assert_double_gt(dependent_constraints_quality(d, k, q), 0.5);
    }
    mechanical_free(m);
}

UNIT_MAIN("dependent constraints", 60, constraints_on_positions_stay,
          off_the_manifold_the_choice_stays)
