/* The levels of constraints of mechanical systems against each other along arbitrary motions, and
 * accelerations and reactions against exact solutions and references. */
#include "mechanical/system.h"

#include "nonlinear/differences.h"

#include <float.h>

enum { MOST = ZOO_MECHANICAL_MOST };

/* A motion through a point: v = v0 + s a, q' = S v. */
typedef struct way {
    mechanical *m;
    double t, q[MOST], v[MOST], a[MOST];
    double speed; /* of what depends on time alone */
    int level;
} way;

/* One step of the classical Runge-Kutta method: all derivatives up to the fourth are right. */
static void go(const way *w, double s, double *q, double *v)
{
    static const double PART[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
    double slope[MOST] = {0}, at[MOST], sum[MOST] = {0};
    size_t nq = w->m->nq, nv = w->m->nv;
    for (int k = 0; k < 4; k++) {
        for (size_t j = 0; j < nq; j++) at[j] = w->q[j] + PART[k] * s * slope[j];
        for (size_t j = 0; j < nv; j++) v[j] = w->v[j] + PART[k] * s * w->a[j];
        ck_assert_int_eq(mechanical_kinematics(w->m, w->t + PART[k] * s, at, v, slope), DAE_OK);
        for (size_t j = 0; j < nq; j++) sum[j] += WEIGHT[k] / 6 * slope[j];
    }
    for (size_t j = 0; j < nq; j++) q[j] = w->q[j] + s * sum[j];
}

static dae_status level_along(void *self, double s, double *c)
{
    const way *w = self;
    double q[MOST], v[MOST];
    go(w, s, q, v);
    return w->level == 0 ? mechanical_position(w->m, w->t + s, q, c)
                         : mechanical_velocity(w->m, w->t + s, q, v, c);
}

static void compare(const char *name, const char *what, size_t n, const double *is,
                    const double *should, double size)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabs(is[i] - should[i]) <= size, "%s: %s %zu is %.17g, not %.17g (%.1e)",
                      name, what, i + 1, is[i], should[i], fabs(is[i] - should[i]) / size);
}

/* The derivative of each level is the one above it. */
static void check_levels(arena *a, const zoo_mechanical *z, way *w)
{
    const char *name = z->form.about.name;
    size_t holonomic = w->m->holonomic, constraints = w->m->constraints;
    double c[MOST], slope[MOST], size = w->speed + largest(w->v, w->m->nv);
    w->level = 0;
    ck_assert_int_eq(mechanical_velocity(w->m, w->t, w->q, w->v, c), DAE_OK);
    if (holonomic > 0)
        ck_assert_int_eq(derivative_along_find(derivative_along_create(a, holonomic), level_along,
                                               w, 0.1 / size, slope),
                         DAE_OK);
    compare(name, "phi'", holonomic, slope, c, 1e-10 * size);
    double gamma[MOST], above[MOST];
    w->level = 1;
    size *= size + largest(w->a, w->m->nv);
    ck_assert_int_eq(mechanical_gamma(w->m, w->t, w->q, w->v, gamma), DAE_OK);
    ck_assert_int_eq(mechanical_evaluate(w->m, w->t, w->q), DAE_OK);
    mechanical_gradient_times(w->m, w->a, above);
    for (size_t i = 0; i < constraints; i++) above[i] += gamma[i];
    ck_assert_int_eq(derivative_along_find(derivative_along_create(a, constraints), level_along, w,
                                           0.1 / (w->speed + largest(w->v, w->m->nv)), slope),
                     DAE_OK);
    compare(name, "the level of velocities, derived,", constraints, slope, above, 1e-10 * size);
}

static void check_form(arena *a, const zoo_mechanical *z, const dae_mechanical_form *form,
                       double speed, uint64_t seed)
{
    way w = {.m = at_work(a, form), .t = 0.3, .speed = speed};
    z->start(w.q, w.v);
    for (size_t j = 0; j < w.m->nq; j++) w.q[j] += 0.3 * scatter(&seed);
    for (size_t j = 0; j < w.m->nv; j++) w.v[j] += scatter(&seed);
    for (size_t j = 0; j < w.m->nv; j++) w.a[j] = scatter(&seed);
    check_levels(a, z, &w);
    mechanical_free(w.m);
}

ARENA_TEST(each_level_is_the_derivative_of_the_one_below)
{
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        dae_mechanical_form form = z->form;
        check_form(memory_, z, &form, 1, i);
        if (!form.gamma) continue;
        form.gamma = NULL;
        check_form(memory_, z, &form, 1, i);
    }
}

/* All that may depend on time does, and quickly: S, phi, A and b. */
static const double FAST = 40;

static int turning(double t, const double *q, double *s, void *user)
{
    (void)user;
    s[0] = 1 + 0.3 * sin(FAST * t);
    s[1] = q[0];
    s[2] = -cos(FAST * t);
    s[3] = 2;
    return 0;
}

static int ellipse(double t, const double *q, double *phi, void *user)
{
    (void)user;
    phi[0] = q[0] * q[0] + 2 * q[1] * q[1] * cos(FAST * t) - 1;
    return 0;
}

static int ellipse_q(double t, const double *q, double *dq, void *user)
{
    (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 4 * q[1] * cos(FAST * t);
    return 0;
}

static int ellipse_t(double t, const double *q, double *dt, void *user)
{
    (void)user;
    dt[0] = -2 * FAST * q[1] * q[1] * sin(FAST * t);
    return 0;
}

static int direction(double t, const double *q, double *a, void *user)
{
    (void)user;
    a[0] = sin(FAST * t + q[0]);
    a[1] = q[1] + 2;
    return 0;
}

static int speed(double t, const double *q, double *b, void *user)
{
    (void)user;
    b[0] = q[0] * cos(FAST * t);
    return 0;
}

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = 0;
    return 0;
}

static void at_rest(double *q, double *v)
{
    q[0] = 0.7;
    q[1] = 0.4;
    v[0] = v[1] = 0;
}

ARENA_TEST(levels_that_depend_on_time)
{
    static const zoo_mechanical z = {.form = {.nq = 2,
                                              .holonomic = 1,
                                              .nonholonomic = 1,
                                              .kinematics = turning,
                                              .force = no_force,
                                              .constraint = ellipse,
                                              .constraint_q = ellipse_q,
                                              .constraint_t = ellipse_t,
                                              .velocity_constraint = direction,
                                              .velocity_right = speed,
                                              .about.name = "a made one"},
                                     .start = at_rest};
    for (uint64_t seed = 1; seed < 10; seed++) check_form(memory_, &z, &z.form, FAST, seed);
}

/* On a path that winds: q_2 = sin(k q_1) / k, for wave numbers k that take many distances. */
static int wave(double t, const double *q, double *phi, void *user)
{
    const double *k = user;
    (void)t;
    phi[0] = q[1] - sin(*k * q[0]) / *k;
    return 0;
}

static int wave_q(double t, const double *q, double *dq, void *user)
{
    const double *k = user;
    (void)t;
    dq[0] = -cos(*k * q[0]);
    dq[1] = 1;
    return 0;
}

/* gamma = k sin(k q_1) v_1^2. Differences at a distance d have a relative error of round-off of
 * about eps / (k d) beside it: d is to be as large a part of 1 / k as the wave allows, or nearly
 * so.
 */
ARENA_TEST(distances_are_as_long_as_the_constraints_allow)
{
    enum { NUMBERS = 400 };
    const double v[2] = {1, 0.5};
    double squares = 0;
    for (int i = 0; i < NUMBERS; i++) {
        double k = exp2(7.0 * i / NUMBERS), q[2] = {(1 + 0.25 * (i % 5)) / k, 0}, gamma = 0;
        const dae_mechanical_form form = {.nq = 2,
                                          .holonomic = 1,
                                          .force = no_force,
                                          .constraint = wave,
                                          .constraint_q = wave_q,
                                          .about = {.name = "a wave", .user = &k}};
        mechanical *m = at_work(memory_, &form);
        ck_assert_int_eq(mechanical_gamma(m, 0, q, v, &gamma), DAE_OK);
        squares += pow(gamma / (k * sin(k * q[0])) - 1, 2);
        mechanical_free(m);
    }
    ck_assert_double_le(sqrt(squares / NUMBERS), 100 * DBL_EPSILON);
}

/* phi = q_1 - sin(1.3 t), of which nothing else is known than phi_t. */
static int driven(double t, const double *q, double *phi, void *user)
{
    (void)user;
    phi[0] = q[0] - sin(1.3 * t);
    return 0;
}

static int driven_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)q, (void)user;
    dq[0] = 1;
    return 0;
}

static int driven_t(double t, const double *q, double *dt, void *user)
{
    (void)q, (void)user;
    dt[0] = -1.3 * cos(1.3 * t);
    return 0;
}

/* gamma = 1.69 sin(1.3 t). The angle 1.3 t is rounded, by about eps t. Differences at distances of
 * about 1 are off by little more; at distances that go on shrinking they would be off by far more.
 */
ARENA_TEST(late_times_are_rounded_ones)
{
    static const double LATE[] = {0, 64.3, 12345.6, 1e6, 1.7e9};
    const double v[1] = {0.5};
    const dae_mechanical_form form = {.nq = 1,
                                      .holonomic = 1,
                                      .force = no_force,
                                      .constraint = driven,
                                      .constraint_q = driven_q,
                                      .constraint_t = driven_t,
                                      .about = {.name = "a driven point"}};
    mechanical *m = at_work(memory_, &form);
    for (size_t i = 0; i < sizeof LATE / sizeof *LATE; i++)
        for (int k = 0; k < 50; k++) {
            double t = LATE[i] + 0.137 * k, q[1] = {sin(1.3 * t)}, gamma = 0;
            ck_assert_int_eq(mechanical_gamma(m, t, q, v, &gamma), DAE_OK);
            compare("a driven point", "gamma", 1, &gamma, (double[]){1.69 * q[0]},
                    1e-11 + 100 * DBL_EPSILON * t);
        }
    mechanical_free(m);
}

/* Where lambda is NAN it is not known. */
static void compare_known(const char *name, size_t n, const double *is, const double *should,
                          double size)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(should[i])) compare(name, "lambda", 1, is + i, should + i, size);
}

/* The known motion meets all levels and the equations of motion; accelerations are its own. */
ARENA_TEST(known_motions_meet_all_levels)
{
    const zoo_mechanical *z;
    for (size_t k = 0; (z = zoo_mechanical_at(k)); k++) {
        const char *name = z->form.about.name;
        mechanical *m = at_work(memory_, &z->form);
        zoo_motion p;
        double t, zero[MOST] = {0}, r[MOST], vp[MOST], lambda[MOST], motion[MOST];
        for (size_t i = 0; known_point(z, i, &t, &p); i++) {
            double speed = 1 + largest(p.q, m->nq) + largest(p.v, m->nv);
            ck_assert_int_eq(mechanical_position(m, t, p.q, r), DAE_OK);
            compare(name, "phi", m->holonomic, r, zero, 1e-14 * speed);
            ck_assert_int_eq(mechanical_velocity(m, t, p.q, p.v, r), DAE_OK);
            compare(name, "the level of velocities", m->constraints, r, zero, 1e-14 * speed);
            ck_assert_int_eq(mechanical_accelerate(m, t, p.q, p.v, vp, lambda), DAE_OK);
            ck_assert_uint_eq(m->dependent, z->dependent);
            double size = 1 + largest(vp, m->nv) + largest(lambda, m->constraints);
            compare_known(name, m->constraints, lambda, p.lambda, 1e-11 * size);
            if (z->exact) compare(name, "v'", m->nv, vp, p.vp, 1e-12 * size);
            ck_assert_int_eq(mechanical_motion(m, t, p.q, p.v, vp, lambda, NULL, motion), DAE_OK);
            compare(name, "the residual of motion", m->nv, motion, zero, 1e-13 * size);
        }
        mechanical_free(m);
    }
}

/* Andrews' mechanism in its angles and as bodies: the accelerations of the bodies' angles agree,
 * each being the sum of those of one or two of the seven. */
ARENA_TEST(two_forms_of_one_mechanism)
{
    static const int first[7] = {0, 0, 2, 3, 4, 5, 6}, second[7] = {-1, 1, -1, 4, -1, 6, -1};
    mechanical *angles = at_work(memory_, &zoo_andrews.form);
    mechanical *bodies = at_work(memory_, &zoo_andrews_bodies.form);
    zoo_motion one, other;
    double t, by_angles[7], by_bodies[21], lambda[20];
    for (size_t i = 0; known_point(&zoo_andrews, i, &t, &one); i++) {
        ck_assert(known_point(&zoo_andrews_bodies, i, &t, &other));
        ck_assert_int_eq(mechanical_accelerate(angles, t, one.q, one.v, by_angles, lambda), DAE_OK);
        ck_assert_int_eq(mechanical_accelerate(bodies, t, other.q, other.v, by_bodies, lambda),
                         DAE_OK);
        for (int k = 0; k < 7; k++) {
            double sum = by_angles[first[k]] + (second[k] < 0 ? 0 : by_angles[second[k]]);
            compare("Andrews", "angle's acceleration", 1, by_bodies + 3 * k + 2, &sum,
                    1e-10 * largest(by_angles, 7));
        }
    }
    mechanical_free(angles);
    mechanical_free(bodies);
}

UNIT_MAIN("mechanical levels", 60, each_level_is_the_derivative_of_the_one_below,
          levels_that_depend_on_time, late_times_are_rounded_ones,
          distances_are_as_long_as_the_constraints_allow, known_motions_meet_all_levels,
          two_forms_of_one_mechanism)
