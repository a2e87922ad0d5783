/* The levels of constraints of mechanical systems against each other along arbitrary motions, and
 * accelerations and reactions against exact solutions and references. */
#include "mechanical/system.h"

#include "nonlinear/slope_along.h"

enum { MOST = ZOO_MECHANICAL_MOST };

/* A motion through a point: v = v0 + s a, q' = S v. */
typedef struct way {
    mechanical *m;
    double t, q[MOST], v[MOST], a[MOST];
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
    double c[MOST], slope[MOST], size = 1 + largest(w->v, w->m->nv);
    w->level = 0;
    ck_assert_int_eq(mechanical_velocity(w->m, w->t, w->q, w->v, c), DAE_OK);
    if (holonomic > 0)
        ck_assert_int_eq(
            slope_along_find(slope_along_create(a, holonomic), level_along, w, 0.1 / size, slope),
            DAE_OK);
    compare(name, "phi'", holonomic, slope, c, 1e-10 * size);
    double gamma[MOST], above[MOST];
    w->level = 1;
    size *= size + largest(w->a, w->m->nv);
    ck_assert_int_eq(mechanical_gamma(w->m, w->t, w->q, w->v, gamma), DAE_OK);
    ck_assert_int_eq(mechanical_evaluate(w->m, w->t, w->q), DAE_OK);
    mechanical_gradient_times(w->m, w->a, above);
    for (size_t i = 0; i < constraints; i++) above[i] += gamma[i];
    ck_assert_int_eq(slope_along_find(slope_along_create(a, constraints), level_along, w,
                                      0.1 / (1 + largest(w->v, w->m->nv)), slope),
                     DAE_OK);
    compare(name, "the level of velocities, derived,", constraints, slope, above, 1e-10 * size);
}

ARENA_TEST(each_level_is_the_derivative_of_the_one_below)
{
    arena *a = memory_;
    uint64_t seed = 3;
    const zoo_mechanical *z;
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        for (int given = 0; given < 2; given++) {
            dae_mechanical_form form = z->form;
            if (given && !form.gamma) continue;
            if (!given) form.gamma = NULL;
            way w = {.m = at_work(a, &form), .t = 0.3};
            z->start(w.q, w.v);
            for (size_t j = 0; j < w.m->nq; j++) w.q[j] += 0.3 * scatter(&seed);
            for (size_t j = 0; j < w.m->nv; j++) w.v[j] += scatter(&seed);
            for (size_t j = 0; j < w.m->nv; j++) w.a[j] = scatter(&seed);
            check_levels(a, z, &w);
            mechanical_free(w.m);
        }
    }
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

UNIT_MAIN("mechanical levels", 60, each_level_is_the_derivative_of_the_one_below,
          known_motions_meet_all_levels)
