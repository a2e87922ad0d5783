/* A point on a rod, and a flywheel beside it that is driven, for the tests of what stops a
 * mechanical system. */
#ifndef TESTS_SOLVE_ROD_H
#define TESTS_SOLVE_ROD_H

#include <daedal/daedal.h>
#include <math.h>

/* After the times given the flywheel has no inertia; the weight has no value, and `answer` is what
 * the force returns. The square of the rod's length falls at some rate. */
typedef struct rod {
    double square, rate, inertia_until, weight_until;
    int answer;
} rod;

static const double EVER = 1e9;

static inline int rod_mass(double t, const double *q, double *m, void *user)
{
    (void)q;
    m[0] = m[4] = 1;
    m[8] = t > ((const rod *)user)->inertia_until ? 0 : 1;
    return 0;
}

static inline int rod_force(double t, const double *q, const double *v, double *f, void *user)
{
    const rod *r = user;
    bool weighs = t <= r->weight_until;
    (void)q, (void)v;
    f[0] = 0;
    f[1] = weighs ? -9.81 : (double)NAN;
    f[2] = -1;
    return weighs ? 0 : r->answer;
}

static inline int rod_length(double t, const double *q, double *phi, void *user)
{
    const rod *r = user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - (r->square - r->rate * t);
    return 0;
}

static inline int rod_length_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

static inline int rod_length_t(double t, const double *q, double *dt, void *user)
{
    const rod *r = user;
    (void)t, (void)q;
    dt[0] = r->rate;
    return 0;
}

/* `r` is borrowed; `options` NULL: those by default. */
static inline dae_solver *solver_of_rod(rod *r, const dae_options *options)
{
    static const char *const unknowns[] = {"x", "y", "flywheel", "vx", "vy", "spin", "tension"};
    static const char *const rows[] = {
        "x'", "y'", "flywheel'", "horizontal", "vertical", "about the axle", "the rod's length"};
    const dae_mechanical_form form = {
        .nq = 3,
        .holonomic = 1,
        .mass = rod_mass,
        .force = rod_force,
        .constraint = rod_length,
        .constraint_q = rod_length_q,
        .constraint_t = rod_length_t,
        .about = {.name = "rod", .variable = unknowns, .equation = rows, .user = r},
    };
    dae_problem *p = dae_problem_mechanical(&form);
    dae_solver *s = dae_solver_create(p, options);
    dae_problem_free(p);
    return s;
}

#endif
