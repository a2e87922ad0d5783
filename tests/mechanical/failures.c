/* What the author's functions answer: refusals, stops and values that are no numbers are passed on
 * with the name of the function and the equation; configurations that do not exist, and inertia
 * that nothing holds. */
#include "mechanical/system.h"

enum { MOST = ZOO_MECHANICAL_MOST };

/* Which function fails, how, and in which entry. */
typedef enum function {
    NONE,
    KINEMATICS,
    MASS,
    FORCE,
    FORCE_Q,
    FORCE_V,
    CONSTRAINT,
    CONSTRAINT_Q,
    CONSTRAINT_T,
    VELOCITY_CONSTRAINT,
    VELOCITY_RIGHT,
    GAMMA,
    FUNCTIONS
} function;

static const char *const names[FUNCTIONS] = {
    "none",           "kinematics", "mass",         "force",        "force_q",
    "force_v",        "constraint", "constraint_q", "constraint_t", "velocity_constraint",
    "velocity_right", "gamma"};

typedef struct author {
    function fails;
    int code; /* 0: a value that is no number instead */
    size_t entry;
} author;

/* x, y, theta of a blade on a circle that grows: x x + y y = (1 + t)^2, x' sin - y' cos = t. */
static int answer(void *user, function f, double *value)
{
    const author *a = user;
    if (a->fails != f) return 0;
    if (a->code == 0) value[a->entry] = (double)NAN;
    return a->code;
}

static int kinematics(double t, const double *q, double *s, void *user)
{
    (void)t, (void)q;
    s[0] = s[4] = s[8] = 1;
    return answer(user, KINEMATICS, s);
}

static int mass(double t, const double *q, double *m, void *user)
{
    (void)t, (void)q;
    m[0] = m[4] = m[8] = 2;
    return answer(user, MASS, m);
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)v;
    f[0] = f[1] = f[2] = q[0];
    return answer(user, FORCE, f);
}

static int force_q(double t, const double *q, const double *v, double *dq, void *user)
{
    (void)t, (void)q, (void)v;
    dq[0] = dq[1] = dq[2] = 1;
    return answer(user, FORCE_Q, dq);
}

static int force_v(double t, const double *q, const double *v, double *dv, void *user)
{
    (void)t, (void)q, (void)v;
    return answer(user, FORCE_V, dv);
}

static int constraint(double t, const double *q, double *phi, void *user)
{
    phi[0] = q[0] * q[0] + q[1] * q[1] - (1 + t) * (1 + t);
    return answer(user, CONSTRAINT, phi);
}

static int constraint_q(double t, const double *q, double *dq, void *user)
{
    (void)t;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return answer(user, CONSTRAINT_Q, dq);
}

static int constraint_t(double t, const double *q, double *dt, void *user)
{
    (void)q;
    dt[0] = -2 * (1 + t);
    return answer(user, CONSTRAINT_T, dt);
}

static int blade(double t, const double *q, double *a, void *user)
{
    (void)t;
    a[0] = sin(q[2]);
    a[1] = -cos(q[2]);
    return answer(user, VELOCITY_CONSTRAINT, a);
}

static int blade_right(double t, const double *q, double *b, void *user)
{
    (void)q;
    b[0] = t;
    return answer(user, VELOCITY_RIGHT, b);
}

static int gamma_of(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t;
    gamma[0] = 2 * (v[0] * v[0] + v[1] * v[1] - 1);
    gamma[1] = v[2] * (cos(q[2]) * v[0] + sin(q[2]) * v[1]) - 1;
    return answer(user, GAMMA, gamma);
}

static dae_mechanical_form form_of(author *who)
{
    return (dae_mechanical_form){.nq = 3,
                                 .holonomic = 1,
                                 .nonholonomic = 1,
                                 .kinematics = kinematics,
                                 .mass = mass,
                                 .force = force,
                                 .force_q = force_q,
                                 .force_v = force_v,
                                 .constraint = constraint,
                                 .constraint_q = constraint_q,
                                 .constraint_t = constraint_t,
                                 .velocity_constraint = blade,
                                 .velocity_right = blade_right,
                                 .gamma = gamma_of,
                                 .about.user = who};
}

/* All that calls any of the functions; the first failure. */
static dae_status call_all(mechanical *m)
{
    double q[3] = {0.6, 0.8, 0.3}, v[3] = {1, 1, 1}, vp[3] = {1, 1, 1}, lambda[2] = {1, 1}, c[2];
    dae_status status = mechanical_velocity(m, 0, q, v, c);
    if (status == DAE_OK) status = mechanical_accelerate(m, 0, q, v, vp, lambda);
    if (status == DAE_OK) status = mechanical_linearize(m, 0, q, v, vp, lambda);
    if (status == DAE_OK) status = mechanical_project(m, 0, q, v, true);
    return status;
}

/* An entry of each function's value, and the equation that it belongs to: kinematic ones 0 to 2, of
 * motion 3 to 5, constraints 6 and 7. */
static const struct {
    size_t entry, equation;
} places[FUNCTIONS] = {
    [KINEMATICS] = {4, 1},     [MASS] = {8, 5},         [FORCE] = {1, 4},
    [FORCE_Q] = {5, 5},        [FORCE_V] = {3, 3},      [CONSTRAINT] = {0, 6},
    [CONSTRAINT_Q] = {1, 6},   [CONSTRAINT_T] = {0, 6}, [VELOCITY_CONSTRAINT] = {2, 7},
    [VELOCITY_RIGHT] = {0, 7}, [GAMMA] = {1, 7}};

ARENA_TEST(values_that_are_no_numbers_are_named)
{
    for (function f = NONE; f < FUNCTIONS; f++) {
        author who = {f, 0, places[f].entry};
        dae_mechanical_form form = form_of(&who);
        mechanical *m = at_work(memory_, &form);
        int code = 7;
        ck_assert_int_eq(call_all(m), f == NONE ? DAE_OK : DAE_NOT_EVALUABLE);
        if (f != NONE) {
            ck_assert_str_eq(m->bad_value, names[f]);
            ck_assert_msg(m->bad_row == places[f].equation, "%s: %zu", names[f], m->bad_row);
        }
        ck_assert_ptr_null(mechanical_refused(m, &code));
        mechanical_free(m);
    }
}

ARENA_TEST(refusals_and_stops_are_passed_on)
{
    for (int code = -3; code <= 3; code += 6) {
        for (function f = NONE + 1; f < FUNCTIONS; f++) {
            author who = {.fails = f, .code = code};
            dae_mechanical_form form = form_of(&who);
            mechanical *m = at_work(memory_, &form);
            int reported = 0;
            ck_assert_int_eq(call_all(m), code > 0 ? DAE_NOT_EVALUABLE : DAE_STOPPED);
            ck_assert_str_eq(mechanical_refused(m, &reported), names[f]);
            ck_assert_int_eq(reported, code);
            ck_assert(m->bad_row == PROBLEM_NOWHERE);
            mechanical_free(m);
        }
    }
}

/* Two bars of length 1 between points that are 3 apart. */
static int too_far(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    phi[1] = (q[0] - 3) * (q[0] - 3) + q[1] * q[1] - 1;
    phi[2] = q[2];
    return 0;
}

static int too_far_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * (q[0] - 3);
    dq[3] = dq[4] = 2 * q[1];
    dq[8] = 1;
    return 0;
}

static int still(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[1] = f[2] = 0;
    return 0;
}

ARENA_TEST(configurations_that_do_not_exist)
{
    static const dae_mechanical_form form = {
        .nq = 3, .holonomic = 3, .force = still, .constraint = too_far, .constraint_q = too_far_q};
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        mechanical *m = at_work(memory_, &form);
        double q[3] = {1, 1, 0.3}, v[3] = {0};
        ck_assert_int_eq(mechanical_project(m, 0, q, v, by_mass), DAE_NO_START);
        ck_assert_uint_ge(m->bad_row, 6);
        ck_assert_uint_le(m->bad_row, 7);
        mechanical_free(m);
    }
}

/* Velocities that contradict each other: the same row with two right sides. */
static int rows_twice(double t, const double *q, double *a, void *user)
{
    (void)t, (void)q, (void)user;
    a[0] = a[1] = 1;
    return 0;
}

static int two_sides(double t, const double *q, double *b, void *user)
{
    (void)t, (void)q, (void)user;
    b[0] = 0;
    b[1] = 1;
    return 0;
}

ARENA_TEST(velocities_that_contradict_each_other)
{
    static const dae_mechanical_form form = {.nq = 3,
                                             .nonholonomic = 2,
                                             .force = still,
                                             .velocity_constraint = rows_twice,
                                             .velocity_right = two_sides};
    mechanical *m = at_work(memory_, &form);
    double q[3] = {0}, v[3] = {0};
    ck_assert_int_eq(mechanical_project(m, 0, q, v, false), DAE_NO_START);
    ck_assert_uint_ge(m->bad_row, 6);
    mechanical_free(m);
}

/* The third coordinate has no inertia, and no constraint holds it. */
ARENA_TEST(inertia_that_nothing_holds)
{
    static const double light[3] = {1, 1, 0};
    author who = {.fails = NONE};
    dae_mechanical_form form = form_of(&who);
    form.kinematics = NULL;
    form.mass = NULL;
    form.nonholonomic = 0;
    form.velocity_constraint = form.velocity_right = NULL;
    form.gamma = NULL;
    form.constant_mass = light;
    form.mass_pattern.layout = DAE_BANDED;
    mechanical *m = at_work(memory_, &form);
    double q[3] = {0.6, 0.8, 0.3}, v[3] = {1, 1, 1}, vp[3], lambda[1];
    ck_assert_int_eq(mechanical_accelerate(m, 0, q, v, vp, lambda), DAE_SINGULAR);
    ck_assert_uint_eq(m->bad_row, 3 + 2);
    mechanical_free(m);
}

UNIT_MAIN("mechanical failures", 20, values_that_are_no_numbers_are_named,
          refusals_and_stops_are_passed_on, configurations_that_do_not_exist,
          velocities_that_contradict_each_other, inertia_that_nothing_holds)
