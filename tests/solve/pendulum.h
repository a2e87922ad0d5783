/* A point mass on a rod of length 1 in Cartesian coordinates, as functions of a C program. */
#ifndef TESTS_SOLVE_PENDULUM_H
#define TESTS_SOLVE_PENDULUM_H

static const double PENDULUM_WEIGHT = 9.81;

static inline int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = -PENDULUM_WEIGHT;
    return 0;
}

static inline int rod(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    return 0;
}

static inline int rod_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

#endif
