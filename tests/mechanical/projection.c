/* Projection onto the constraints of mechanical systems: both levels met to round-off, by the least
 * change in the norm that was asked for. */
#include "mechanical/system.h"

enum { MOST = ZOO_MECHANICAL_MOST };

/* |c_i| over the sizes of its terms is round-off: at (q, v) of the zoo all are of size 1. */
static void check_met(mechanical *m, double t, const double *q, const double *v, const char *name)
{
    double c[MOST], size = 1 + largest(q, m->nq);
    ck_assert_int_eq(mechanical_position(m, t, q, c), DAE_OK);
    ck_assert_msg(largest(c, m->holonomic) <= 1e-14 * size, "%s: phi is %g", name,
                  largest(c, m->holonomic));
    size *= 1 + largest(v, m->nv);
    ck_assert_int_eq(mechanical_velocity(m, t, q, v, c), DAE_OK);
    ck_assert_msg(largest(c, m->constraints) <= 1e-14 * size, "%s: velocities miss by %g", name,
                  largest(c, m->constraints));
}

/* The change of v, times the norm's matrix, is a reaction: orthogonal to the null space of G. */
static void check_least(mechanical *m, double t, const double *q, const double *before,
                        const double *after, bool by_mass, const char *name)
{
    double basis[MOST * MOST], change[MOST], force[MOST];
    size_t freedoms = 0;
    for (size_t j = 0; j < m->nv; j++) force[j] = change[j] = after[j] - before[j];
    ck_assert_int_eq(mechanical_evaluate(m, t, q), DAE_OK);
    if (by_mass) mechanical_mass_times(m, change, force);
    ck_assert_int_eq(mechanical_null_space(m, basis, &freedoms), DAE_OK);
    for (size_t k = 0; k < freedoms; k++) {
        double sum = 0;
        for (size_t j = 0; j < m->nv; j++) sum += basis[k * m->nv + j] * force[j];
        ck_assert_msg(fabs(sum) <= 1e-12 * (1 + largest(force, m->nv)), "%s: %g of %g", name, sum,
                      largest(force, m->nv));
    }
}

ARENA_TEST(levels_are_met_by_least_changes)
{
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        const char *name = z->form.about.name;
        uint64_t seed = i;
        for (int by_mass = 0; by_mass < 2; by_mass++) {
            mechanical *m = at_work(memory_, &z->form);
            double q[MOST], v[MOST], before[MOST], q2[MOST], v2[MOST];
            z->start(q, v);
            for (size_t j = 0; j < m->nq; j++) q[j] += 0.02 * scatter(&seed);
            for (size_t j = 0; j < m->nv; j++) before[j] = v[j] += 0.1 * scatter(&seed);
            dae_status status = mechanical_project(m, 0, q, v, by_mass);
            ck_assert_msg(status == DAE_OK, "%s, %d: %s", name, by_mass,
                          dae_status_meaning(status));
            check_met(m, 0, q, v, name);
            check_least(m, 0, q, before, v, by_mass, name);
            memcpy(q2, q, sizeof q);
            memcpy(v2, v, sizeof v);
            ck_assert_int_eq(mechanical_project(m, 0, q2, v2, by_mass), DAE_OK);
            for (size_t j = 0; j < m->nq; j++) ck_assert_double_eq_tol(q2[j], q[j], 1e-14);
            for (size_t j = 0; j < m->nv; j++)
                ck_assert_double_eq_tol(v2[j], v[j], 1e-14 * (1 + largest(v, m->nv)));
            mechanical_free(m);
        }
    }
}

/* Squares of changes over nominal sizes. */
static double moved(const mechanical *m, const double *q, const double *v, const double *q0,
                    const double *v0)
{
    const double *nominal = m->form->nominal;
    double sum = 0;
    for (size_t j = 0; j < m->nq; j++) sum += pow((q[j] - q0[j]) / nominal[j], 2);
    for (size_t j = 0; j < m->nv; j++) sum += pow((v[j] - v0[j]) / nominal[m->nq + j], 2);
    return sum;
}

/* Less is changed than where positions are met first, but for what is of second order; of a
 * pendulum that turns fast, much less. */
ARENA_TEST(levels_are_met_at_once)
{
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        const char *name = z->form.about.name;
        mechanical *m = at_work(memory_, &z->form);
        double q[MOST], v[MOST], q0[MOST], v0[MOST], q1[MOST], v1[MOST];
        uint64_t seed = i;
        z->start(q, v);
        for (size_t j = 0; j < m->nq; j++) q1[j] = q0[j] = q[j] += 1e-4 * scatter(&seed);
        for (size_t j = 0; j < m->nv; j++) v1[j] = v0[j] = v[j] += 1e-4 * scatter(&seed);
        dae_status status = mechanical_project_together(m, 0, q, v);
        ck_assert_msg(status == DAE_OK, "%s: %s", name, dae_status_meaning(status));
        check_met(m, 0, q, v, name);
        ck_assert_int_eq(mechanical_project(m, 0, q1, v1, false), DAE_OK);
        double at_once = moved(m, q, v, q0, v0), in_turn = moved(m, q1, v1, q0, v0);
        ck_assert_msg(at_once <= 1.01 * in_turn, "%s: %g, not %g", name, at_once, in_turn);
        mechanical_free(m);
    }
    mechanical *m = at_work(memory_, &zoo_pendulum.form);
    double q[2] = {0, -1 - 1e-4}, v[2] = {100, 0.01}, q1[2] = {0, -1 - 1e-4}, v1[2] = {100, 0.01};
    const double q0[2] = {0, -1 - 1e-4}, v0[2] = {100, 0.01};
    ck_assert_int_eq(mechanical_project_together(m, 0, q, v), DAE_OK);
    ck_assert_int_eq(mechanical_project(m, 0, q1, v1, false), DAE_OK);
    check_met(m, 0, q, v, "pendulum");
    ck_assert_double_lt(moved(m, q, v, q0, v0), 0.5 * moved(m, q1, v1, q0, v0));
    mechanical_free(m);
}

/* The nearest point of a circle is on its radius: from far away, and from near its centre. */
ARENA_TEST(far_configurations)
{
    mechanical *m = at_work(memory_, &zoo_pendulum.form);
    static const double from[3][2] = {{3, 4}, {300, 400}, {3e-3, 4e-3}};
    for (int k = 0; k < 3; k++) {
        double q[2] = {from[k][0], from[k][1]}, v[2] = {5, 0};
        ck_assert_int_eq(mechanical_project(m, 0, q, v, k % 2), DAE_OK);
        ck_assert_double_eq_tol(q[0], 0.6, 1e-15);
        ck_assert_double_eq_tol(q[1], 0.8, 1e-15);
        ck_assert_double_eq_tol(v[0], 5 * 0.8 * 0.8, 1e-14);
        ck_assert_double_eq_tol(v[1], -5 * 0.8 * 0.6, 1e-14);
    }
    mechanical_free(m);
}

static int first_coordinate(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)v, (void)user;
    c[0] = q[0];
    return 0;
}

/* What does not depend on velocities is met by positions, and velocities turn with them: up to
 * second order by one correction with the factors of the point, to round-off where they are
 * projected again. What the circle does not reach is left. */
ARENA_TEST(positions_move_where_velocities_cannot)
{
    dae_mechanical_form form = zoo_pendulum.form;
    form.invariants = 1;
    form.invariant = first_coordinate;
    mechanical *m = at_work(memory_, &form);
    const double moved_by = 1e-5, kept = 0.6 + moved_by, beyond = 1.1;
    for (int frozen = 0; frozen < 2; frozen++) {
        double q[2] = {0.6, -0.8}, v[2] = {4, 3}, met = frozen ? 100 * moved_by * moved_by : 1e-14;
        ck_assert_int_eq(mechanical_evaluate(m, 0, q), DAE_OK);
        ck_assert_int_eq(mechanical_factor(m, 0, 1, 0, 0), DAE_OK);
        mechanical_norm norm = frozen ? MECHANICAL_FROZEN : MECHANICAL_NOMINAL;
        ck_assert_int_eq(mechanical_keep(m, 0, q, v, &kept, norm, frozen), DAE_OK);
        ck_assert_uint_eq(m->unkept, 0);
        ck_assert_double_eq_tol(q[0], kept, met);
        ck_assert_double_eq_tol(q[0] * q[0] + q[1] * q[1], 1, met);
        ck_assert_double_eq_tol(q[0] * v[0] + q[1] * v[1], 0, met);
        ck_assert_double_eq_tol(v[0] * v[0] + v[1] * v[1], 25, 100 * moved_by);
    }
    double q[2] = {0.6, -0.8}, v[2] = {4, 3};
    ck_assert_int_eq(mechanical_keep(m, 0, q, v, &beyond, MECHANICAL_NOMINAL, 0), DAE_OK);
    ck_assert_uint_eq(m->unkept, 1);
    ck_assert(q[0] == 0.6 && q[1] == -0.8 && v[0] == 4 && v[1] == 3);
    mechanical_free(m);
}

/* The norm decides: of a bar's ends the heavier moves less, or the one of the larger unit more. */
static int bar(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[1] - q[0] - 1;
    return 0;
}

static int bar_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)q, (void)user;
    dq[0] = -1;
    dq[1] = 1;
    return 0;
}

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

ARENA_TEST(norms)
{
    static const double masses[2] = {3, 1}, nominal[5] = {1, 2, 1, 2, 1};
    const dae_mechanical_form form = {.nq = 2,
                                      .holonomic = 1,
                                      .constant_mass = masses,
                                      .mass_pattern.layout = DAE_BANDED,
                                      .force = no_force,
                                      .constraint = bar,
                                      .constraint_q = bar_q,
                                      .about.nominal = nominal};
    mechanical *m = at_work(memory_, &form);
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        double q[2] = {0, 2}, v[2] = {0, 1}, first = by_mass ? 0.25 : 0.2;
        ck_assert_int_eq(mechanical_project(m, 0, q, v, by_mass), DAE_OK);
        ck_assert_double_eq_tol(q[0], first, 1e-15);
        ck_assert_double_eq_tol(q[1], 1 + first, 1e-15);
        ck_assert_double_eq_tol(v[0], first, 1e-15);
        ck_assert_double_eq_tol(v[1], first, 1e-15);
    }
    mechanical_free(m);
}

static int circle(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    return 0;
}

/* Counted. */
static int circle_q(double t, const double *q, double *dq, void *user)
{
    (void)t;
    ++*(size_t *)user;
    dq[0] = 2 * q[0], dq[1] = 2 * q[1];
    return 0;
}

/* Gradients, and so factors, at the beginning and at the end are enough near the constraints; far
 * from them they are renewed. */
ARENA_TEST(factors_are_kept_where_that_is_fast)
{
    size_t gradients = 0;
    const dae_mechanical_form f = {.nq = 2,
                                   .holonomic = 1,
                                   .force = no_force,
                                   .constraint = circle,
                                   .constraint_q = circle_q,
                                   .about.user = &gradients};
    mechanical *m = at_work(memory_, &f);
    for (int far = 0; far < 2; far++) {
        double off = far ? 3 : 1e-6, q[2] = {0.6 * (1 + off), 0.8 * (1 + off)}, v[2] = {-0.8, 0.6};
        gradients = 0;
        ck_assert_int_eq(mechanical_project(m, 0, q, v, false), DAE_OK);
        ck_assert_double_eq_tol(hypot(q[0], q[1]), 1, 1e-15);
        if (far)
            ck_assert_uint_gt(gradients, 3);
        else
            ck_assert_uint_eq(gradients, 2);
    }
    mechanical_free(m);
}

/* A platform whose cranks lie in one line but for 1e-8, which turns: what of its constraints tells
 * the cranks apart counts as nothing, and is not met. */
ARENA_TEST(velocities_do_not_meet_what_counts_as_dependent)
{
    mechanical *m = at_work(memory_, &zoo_platform.form);
    double q[3] = {1, 1e-8, 0}, v[3] = {0.1, 1, 1}, c[3];
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        ck_assert_int_eq(mechanical_project(m, 0, q, v, by_mass), DAE_OK);
        ck_assert_double_eq_tol(v[0], -1e-8, 1e-12);
        ck_assert_double_eq_tol(v[2], 1, 1e-7);
        ck_assert_int_eq(mechanical_velocity(m, 0, q, v, c), DAE_OK);
        ck_assert(largest(c, 3) > 1e-8 && largest(c, 3) < 1e-7);
    }
    mechanical_free(m);
}

UNIT_MAIN("mechanical projection", 20, velocities_do_not_meet_what_counts_as_dependent,
          levels_are_met_by_least_changes, levels_are_met_at_once, far_configurations, norms,
          factors_are_kept_where_that_is_fast, positions_move_where_velocities_cannot)
