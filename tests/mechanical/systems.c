/* Stiffness and damping of mechanical systems against directional derivatives, their saddle-point
 * systems, null spaces, and a chain of many links through the sparse interface. */
#include "mechanical/system.h"

#include "linalg/saddle_point_parts.h"
#include "mechanical/mechanical_state.h"
#include "nonlinear/differences.h"
#include "zoo/mechanical_chain.h"

#include <stdlib.h>

enum { MOST = ZOO_MECHANICAL_MOST };

/* A point beside the start of a system, with v' and lambda that are anything. */
typedef struct place {
    mechanical *m;
    double t, q[MOST], v[MOST], vp[MOST], lambda[MOST];
    double way[MOST], rate[MOST]; /* a direction of v, and that of q */
    bool by_v;
} place;

static place beside(arena *a, const zoo_mechanical *z, uint64_t seed)
{
    place p = {.m = at_work(a, &z->form), .t = 0.2};
    z->start(p.q, p.v);
    for (size_t j = 0; j < p.m->nq; j++) p.q[j] += 0.2 * scatter(&seed);
    for (size_t j = 0; j < p.m->nv; j++) {
        p.v[j] += scatter(&seed);
        p.vp[j] = scatter(&seed);
        p.way[j] = scatter(&seed);
    }
    for (size_t i = 0; i < p.m->constraints; i++) p.lambda[i] = scatter(&seed);
    ck_assert_int_eq(mechanical_kinematics(p.m, p.t, p.q, p.way, p.rate), DAE_OK);
    return p;
}

static dae_status motion_along(void *self, double s, double *r)
{
    const place *p = self;
    double q[MOST], v[MOST];
    for (size_t j = 0; j < p->m->nq; j++) q[j] = p->q[j] + (p->by_v ? 0 : s * p->rate[j]);
    for (size_t j = 0; j < p->m->nv; j++) v[j] = p->v[j] + (p->by_v ? s * p->way[j] : 0);
    return mechanical_motion(p->m, p->t, q, v, p->vp, p->lambda, NULL, r);
}

static void check_slopes(arena *a, place *p, const char *name)
{
    double slope[MOST], product[MOST];
    for (int by_v = 0; by_v < 2; by_v++) {
        p->by_v = by_v;
        ck_assert_int_eq(derivative_along_find(derivative_along_create(a, p->m->nv), motion_along,
                                               p, 0.1, slope),
                         DAE_OK);
        ck_assert_int_eq(mechanical_linearize(p->m, p->t, p->q, p->v, p->vp, p->lambda), DAE_OK);
        if (by_v)
            sparse_multiply(p->m->damping.pattern, p->m->damping.value, p->way, product);
        else
            sparse_multiply(p->m->stiffness.pattern, p->m->stiffness.value, p->way, product);
        double size = largest(slope, p->m->nv) + 1;
        for (size_t i = 0; i < p->m->nv; i++)
            ck_assert_msg(fabs(slope[i] - product[i]) <= 1e-6 * size, "%s, %s, row %zu: %g, not %g",
                          name, by_v ? "D" : "K", i + 1, product[i], slope[i]);
    }
}

ARENA_TEST(stiffness_and_damping)
{
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        place p = beside(memory_, z, i + 1);
        check_slopes(memory_, &p, z->form.about.name);
        mechanical_free(p.m);
    }
}

/* Each row of [a M + d D + k K, -G'; G, 0] x - right, over the sizes of its terms. */
static void check_solution(const place *p, const double *part, const double *x, const double *right,
                           const char *name)
{
    const mechanical *m = p->m;
    const sparse_pattern *pattern[4] = {m->mass.pattern, m->damping.pattern, m->stiffness.pattern,
                                        m->gradient.pattern};
    const double *value[4] = {m->mass.value, m->damping.value, m->stiffness.value,
                              m->gradient.value};
    double sum[2 * MOST], size[2 * MOST];
    for (size_t i = 0; i < m->nv + m->constraints; i++)
        sum[i] = -right[i], size[i] = fabs(right[i]);
    for (int k = 0; k < 4; k++) {
        for (size_t j = 0; j < m->nv; j++) {
            for (sparse_index e = pattern[k]->start[j]; e < pattern[k]->start[j + 1]; e++) {
                size_t i = (size_t)pattern[k]->row[e] + (k == 3 ? m->nv : 0);
                double term = (k == 3 ? 1 : part[k]) * value[k][e];
                sum[i] += term * x[j];
                size[i] += fabs(term * x[j]);
                if (k < 3) continue;
                sum[j] -= term * x[i];
                size[j] += fabs(term * x[i]);
            }
        }
    }
    for (size_t i = 0; i < m->nv + m->constraints; i++)
        ck_assert_msg(fabs(sum[i]) <= 1e-13 * size[i], "%s, row %zu: %g of %g", name, i + 1, sum[i],
                      size[i]);
}

ARENA_TEST(saddle_points)
{
    static const double parts[3][3] = {{1, 0, 0}, {1, 0.01, 1e-4}, {0.5, 0.3, 2}};
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        place p = beside(memory_, z, i + 1);
        z->start(p.q, p.v); /* where dependent rows are dependent */
        uint64_t seed = i;
        for (int k = 0; k < 3; k++) {
            double right[2 * MOST] = {0}, x[2 * MOST], into[MOST];
            ck_assert_int_eq(mechanical_linearize(p.m, p.t, p.q, p.v, p.vp, p.lambda), DAE_OK);
            for (size_t j = 0; j < p.m->nv; j++) into[j] = scatter(&seed);
            mechanical_gradient_times(p.m, into, right + p.m->nv); /* consistent */
            for (size_t j = 0; j < p.m->nv; j++) right[j] = scatter(&seed);
            memcpy(x, right, sizeof x);
            ck_assert_int_eq(mechanical_factor(p.m, 2, parts[k][0], parts[k][1], parts[k][2]),
                             DAE_OK);
            ck_assert_uint_eq(p.m->dependent, z->dependent);
            mechanical_solve(p.m, 2, x);
            check_solution(&p, parts[k], x, right, z->form.about.name);
        }
        mechanical_free(p.m);
    }
}

/* G N = 0 with orthonormal columns, as many as there are freedoms. */
ARENA_TEST(null_spaces)
{
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        mechanical *m = at_work(memory_, &z->form);
        double q[MOST], v[MOST], basis[MOST * MOST], product[MOST];
        size_t freedoms = 0, nv = m->nv;
        z->start(q, v);
        ck_assert_int_eq(mechanical_evaluate(m, 0, q), DAE_OK);
        ck_assert_int_eq(mechanical_null_space(m, basis, &freedoms), DAE_OK);
        ck_assert_uint_eq(freedoms, nv + z->dependent - m->constraints);
        for (size_t k = 0; k < freedoms; k++) {
            mechanical_gradient_times(m, basis + k * nv, product);
            for (size_t c = 0; c < m->constraints; c++)
                ck_assert_double_eq_tol(product[c], 0, 1e-13);
            for (size_t l = 0; l <= k; l++) {
                double sum = 0;
                for (size_t j = 0; j < nv; j++) sum += basis[k * nv + j] * basis[l * nv + j];
                ck_assert_double_eq_tol(sum, k == l, 1e-14);
            }
        }
        mechanical_free(m);
    }
}

/* A motion through a configuration in which two constraints depend on the third, and only there:
 * accelerations are those of a pendulum before, in, and after it, up to the angle within which the
 * rank counts as lost. */
ARENA_TEST(rank_changes_on_the_way)
{
    const zoo_mechanical *z = &zoo_platform;
    mechanical *m = at_work(memory_, &z->form);
    for (int k = -3; k <= 3; k++) {
        double angle = k == 0 ? 0 : (k < 0 ? -1 : 1) * pow(10, -4 * abs(k)), rate = -1.3;
        double c = cos(angle), s = sin(angle), turn = -9.81 * c;
        double q[3] = {c, s, 0}, v[3] = {-s * rate, c * rate, 0}, vp[3], lambda[3];
        ck_assert_int_eq(mechanical_accelerate(m, 0, q, v, vp, lambda), DAE_OK);
        ck_assert_uint_eq(m->dependent, abs(k) == 1 ? 1 : abs(k) == 3 || k == 0 ? 2 : m->dependent);
        ck_assert_double_eq_tol(vp[0], -c * rate * rate - s * turn, 2e-7);
        ck_assert_double_eq_tol(vp[1], -s * rate * rate + c * turn, 2e-7);
        ck_assert_double_eq_tol(vp[2], 0, 2e-7);
    }
    mechanical_free(m);
}

/* The double four-bar beside the place where its standing bars lie down and two constraints depend
 * on others: as near as 1e-6 rad the accelerations are those of 3 theta'' = 3.5 g sin(theta),
 * though the reactions grow with the inverse of the angle; nearer they are bounded. */
ARENA_TEST(loops_that_lie_down)
{
    const double right = asin(1), rate = 5;
    mechanical *m = at_work(memory_, &zoo_double_four_bar.form);
    for (int k = 2; k <= 9; k++) {
        double angle = right + pow(10, -k), s = sin(angle), c = cos(angle), q[15], v[15], vp[15];
        double lambda[14], turn = 3.5 * 9.81 * s / 3;
        for (int i = 0; i < 5; i++) {
            double half = i < 3 ? 0.5 : 1;
            q[3 * i] = (i < 3 ? i : i - 2.5) + half * s;
            q[3 * i + 1] = half * c;
            q[3 * i + 2] = i < 3 ? right - angle : 0;
            v[3 * i] = half * c * rate;
            v[3 * i + 1] = -half * s * rate;
            v[3 * i + 2] = i < 3 ? -rate : 0;
        }
        ck_assert_int_eq(mechanical_accelerate(m, 0, q, v, vp, lambda), DAE_OK);
        ck_assert_uint_eq(m->dependent, k <= 6 ? 0 : k >= 8 ? 2 : m->dependent);
        for (int i = 0; i < 5; i++)
            ck_assert_double_eq_tol(vp[3 * i + 2], i < 3 ? -turn : 0, k <= 6 ? 1e-7 : 10);
        ck_assert_double_le(fabs(lambda[0]), 1e6);
    }
    mechanical_free(m);
}

/* The length of a quaternion as one more constraint: no velocity changes it, so that its row of G
 * is zero and its multiplier has nothing to do; positions come back to it. */
static int with_length(double t, const double *q, double *phi, void *user)
{
    phi[3] = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6] - 1;
    return zoo_top.form.constraint(t, q, phi, user);
}

static int with_length_q(double t, const double *q, double *dq, void *user)
{
    double three[3 * 7] = {0};
    for (size_t j = 3; j < 7; j++) dq[4 * j + 3] = 2 * q[j];
    int code = zoo_top.form.constraint_q(t, q, three, user);
    for (size_t j = 0; j < 7; j++) memcpy(dq + 4 * j, three + 3 * j, 3 * sizeof *three);
    return code;
}

ARENA_TEST(lengths_of_quaternions)
{
    dae_mechanical_form form = zoo_top.form;
    form.holonomic = 4;
    form.constraint = with_length;
    form.constraint_q = with_length_q;
    mechanical *m = at_work(memory_, &form);
    zoo_motion p;
    double vp[6], lambda[4], phi[4];
    zoo_top.exact(0.7, &p);
    ck_assert_int_eq(mechanical_accelerate(m, 0.7, p.q, p.v, vp, lambda), DAE_OK);
    ck_assert_uint_eq(m->dependent, 1);
    for (size_t j = 0; j < 6; j++) ck_assert_double_eq_tol(vp[j], p.vp[j], 1e-10);
    for (size_t i = 0; i < 3; i++) ck_assert_double_eq_tol(lambda[i], p.lambda[i], 1e-10);
    ck_assert_double_eq(lambda[3], 0);
    p.q[4] += 0.1;
    ck_assert_int_eq(mechanical_project(m, 0.7, p.q, p.v, true), DAE_OK);
    ck_assert_int_eq(mechanical_position(m, 0.7, p.q, phi), DAE_OK);
    ck_assert_double_le(largest(phi, 4), 1e-15);
    mechanical_free(m);
}

/* A pendulum in its angle has no constraints. */
static int swing(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)v, (void)user;
    f[0] = -9.81 * sin(q[0]);
    return 0;
}

ARENA_TEST(systems_without_constraints)
{
    static const double mass = 2;
    const dae_mechanical_form form = {.nq = 1, .constant_mass = &mass, .force = swing};
    mechanical *m = at_work(memory_, &form);
    double q = 0.5, v = 0.3, vp, basis, lambda;
    size_t freedoms;
    ck_assert_int_eq(mechanical_project(m, 0, &q, &v, true), DAE_OK);
    ck_assert_int_eq(mechanical_accelerate(m, 0, &q, &v, &vp, &lambda), DAE_OK);
    ck_assert_double_eq_tol(vp, -9.81 / 2 * sin(0.5), 1e-15);
    ck_assert_int_eq(mechanical_null_space(m, &basis, &freedoms), DAE_OK);
    ck_assert_uint_eq(freedoms, 1);
    ck_assert_double_eq(fabs(basis), 1);
    mechanical_free(m);
}

/* Constant mass and unchanged constraints: one factorisation. */
ARENA_TEST(unchanged_matrices_are_factored_once)
{
    mechanical *m = at_work(memory_, &zoo_pendulum.form);
    double q[2] = {0.6, -0.8}, v[2] = {0.8, 0.6}, vp[2], lambda[1];
    for (int k = 0; k < 5; k++) {
        v[0] = 0.8 * k, v[1] = 0.6 * k;
        ck_assert_int_eq(mechanical_accelerate(m, k, q, v, vp, lambda), DAE_OK);
        ck_assert_double_eq_tol(lambda[0], (-9.81 * 0.8 - k * k) / 2, 1e-12);
    }
    ck_assert_uint_eq(m->factorizations, 1);
    mechanical_free(m);
}

/* What the factorisation in a slot costs, as linear_solver.h has it. */
static double factor_cost(const mechanical *m, size_t slot)
{
    const mechanical_slot *of = &mechanical_look(m)->slot[slot];
    const saddle_point *p = of->all ? of->of_all : of->of_mass;
    ck_assert(p->way == SADDLE_BLOCKS || p->way == SADDLE_SQUARE);
    return linear_solver_factor_cost(p->way == SADDLE_BLOCKS ? p->blocks.solver : p->square.solver);
}

/* Nonzeros of the factors, and what they cost, of a chain at its start. */
static void chain_costs(arena *a, size_t links, double *nonzeros, double *cost)
{
    zoo_chain *c = zoo_chain_create(links);
    ck_assert_ptr_nonnull(c);
    size_t n = 3 * links;
    double *q = arena_array(a, n, sizeof *q), *v = arena_array(a, n, sizeof *v);
    double *vp = arena_array(a, n, sizeof *vp), *lambda = arena_array(a, n, sizeof *lambda);
    double *r = arena_array(a, n, sizeof *r);
    mechanical *m = at_work(a, &c->form);
    zoo_chain_start(c, q, v);
    ck_assert_int_eq(mechanical_accelerate(m, 0, q, v, vp, lambda), DAE_OK);
    ck_assert_int_eq(mechanical_motion(m, 0, q, v, vp, lambda, NULL, r), DAE_OK);
    for (size_t i = 0; i < n; i++) ck_assert_double_le(fabs(r[i]), 1e-14 * 9.81);
    mechanical_gradient_times(m, vp, r); /* at rest */
    for (size_t i = 0; i < 2 * links; i++) ck_assert_double_le(fabs(r[i]), 1e-12 * 9.81);
    nonzeros[0] = (double)saddle_point_nonzeros(mechanical_factors(m, 0));
    cost[0] = factor_cost(m, 0);
    ck_assert_int_eq(mechanical_linearize(m, 0, q, v, vp, lambda), DAE_OK);
    ck_assert_int_eq(mechanical_factor(m, 2, 1, 0, 1e-4), DAE_OK);
    nonzeros[1] = (double)saddle_point_nonzeros(mechanical_factors(m, 2));
    cost[1] = factor_cost(m, 2);
    mechanical_free(m);
    zoo_chain_free(c);
}

/* The growth from 100 to 1000 and to 10,000 links has the exponent 1, but for a tenth. */
ARENA_TEST(chains_cost_as_much_as_they_are_long)
{
    enum { SIZES = 3 };
    static const size_t links[SIZES] = {100, 1000, 10000};
    double nonzeros[SIZES][2], cost[SIZES][2];
    for (int k = 0; k < SIZES; k++) chain_costs(memory_, links[k], nonzeros[k], cost[k]);
    for (int k = 1; k < SIZES; k++) {
        for (int all = 0; all < 2; all++) {
            double of_nonzeros = log10(nonzeros[k][all] / nonzeros[k - 1][all]);
            double of_cost = log10(cost[k][all] / cost[k - 1][all]);
            ck_assert_msg(of_nonzeros <= 1.1, "%zu links, %d: nonzeros N^%.3f", links[k], all,
                          of_nonzeros);
            ck_assert_msg(of_cost <= 1.1, "%zu links, %d: cost N^%.3f", links[k], all, of_cost);
        }
    }
}

UNIT_MAIN("mechanical systems", 60, stiffness_and_damping, saddle_points, null_spaces,
          rank_changes_on_the_way, loops_that_lie_down, lengths_of_quaternions,
          systems_without_constraints, unchanged_matrices_are_factored_once,
          chains_cost_as_much_as_they_are_long)
