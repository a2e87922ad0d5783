/* What is special to the semi-explicit, the linear and the invariant form, by hand. */
#include "problem/callbacks.h"
#include "problem/invariants.h"

#include "base/unit.h"

#include <string.h>

static const equations *equations_of(arena *a, equations_kind kind, const void *form)
{
    const equations *e = NULL;
    message m = {0};
    dae_status status = equations_create(&e, a, kind, form, &m);
    ck_assert_msg(status == DAE_OK, "%s", message_string(&m));
    return e;
}

static callbacks *made(arena *a, equations_kind kind, const void *form)
{
    callbacks *c = NULL;
    message m = {0};
    ck_assert_int_eq(callbacks_create(&c, equations_of(a, kind, form), 0, NULL, &m), DAE_OK);
    ck_assert_uint_eq(m.notes.length, 0);
    return c;
}

/* x1' = x2, x2' = -z x1 + t, 0 = x1^2 + z - 1 */
static int f_of(double t, const double *x, const double *z, double *f, void *user)
{
    (void)user;
    f[0] = x[1];
    f[1] = -z[0] * x[0] + t;
    return 0;
}

static int g_of(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = x[0] * x[0] + z[0] - 1;
    return z[0] > 100 ? 1 : 0;
}

static int jacobian_of(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    j[3] = 1;                   /* f1 by x2 */
    j[1] = -z[0], j[7] = -x[0]; /* f2 by x1 and z1 */
    j[2] = 2 * x[0], j[8] = 1;  /* g1 by x1 and z1 */
    return 0;
}

static void name_of(const problem *p, bool variable, size_t i, const char *expected)
{
    text t = {0};
    if (variable)
        p->form->name_variable(p->self, i, &t);
    else
        p->form->name_equation(p->self, i, &t);
    ck_assert_str_eq(text_string(&t), expected);
    text_free(&t);
}

ARENA_TEST(semi_explicit)
{
    for (int given = 0; given < 2; given++) {
        dae_semi_explicit_form form = {.nx = 2, .nz = 1, .f = f_of, .g = g_of};
        if (given) form.jacobian = jacobian_of;
        callbacks *c = made(memory_, EQUATIONS_SEMI_EXPLICIT, &form);
        problem *p = callbacks_problem(c);
        const double y[] = {0.5, 2, 3}, yp[] = {1, 4, 99}, b[] = {0.5, -1, 0.25};
        double r[3], x[3] = {0.5, -1, 0.25}, sum[3], bound = given ? 1e-14 : 1e-6;
        ck_assert_int_eq(problem_residual(p, 7, y, yp, r), DAE_OK);
        ck_assert(r[0] == 1 - 2 && r[1] == 4 + 1.5 - 7 && r[2] == -(0.25 + 3 - 1));
        const bool dynamic[] = {true, true, false};
        ck_assert_mem_eq(p->dynamic, dynamic, sizeof dynamic);
        ck_assert(p->constant_mass && !p->constant);
        ck_assert(p->form->yp == NULL); /* M is singular */
        name_of(p, true, 2, "z1");
        name_of(p, false, 2, "equation 3");
        ck_assert(p->form->occurs(p->self, 2, 0) && !p->form->occurs(p->self, 2, 1));
        const bool kinds[] = {false};
        ck_assert_int_eq(problem_reserve(p, 1, kinds), DAE_OK);
        ck_assert_int_eq(problem_linearize(p, 7, y, yp), DAE_OK);
        ck_assert_int_eq(problem_factor(p, 0, 2, 3), DAE_OK);
        problem_solve(p, 0, x); /* 2 M - 3 d(f, g)/dy */
        sum[0] = 2 * x[0] - 3 * x[1];
        sum[1] = 2 * x[1] + 3 * 3 * x[0] + 3 * 0.5 * x[2];
        sum[2] = -3 * (2 * 0.5 * x[0] + x[2]);
        for (size_t i = 0; i < 3; i++) ck_assert_double_eq_tol(sum[i], b[i], bound);
        const double far[] = {0, 0, 101};
        int code;
        ck_assert_int_eq(problem_residual(p, 0, far, yp, r), DAE_NOT_EVALUABLE);
        ck_assert_str_eq(callbacks_refused(c, &code), "g");
        callbacks_free(c);
    }
}

static int b_of(double t, double *b, void *user)
{
    (void)user;
    b[0] = t * t, b[1] = 1;
    return 0;
}

static int b_t_of(double t, double *b, void *user)
{
    (void)user;
    b[0] = 2 * t, b[1] = 0;
    return 0;
}

/* E = [2 1; 1 1] or [1 0; 0 0], A = [1 2; 3 4], by columns. */
ARENA_TEST(linear)
{
    const double regular[] = {2, 1, 1, 1}, singular[] = {1, 0, 0, 0}, a[] = {1, 3, 2, 4};
    const double y[] = {1, -1}, yp[] = {3, 5};
    double r[2];
    dae_linear_form form = {.n = 2, .e = regular, .a = a, .b = b_of, .b_t = b_t_of};
    callbacks *c = made(memory_, EQUATIONS_LINEAR, &form);
    problem *p = callbacks_problem(c);
    ck_assert(p->constant_mass && p->constant);
    ck_assert_int_eq(problem_residual(p, 3, y, yp, r), DAE_OK);
    ck_assert(r[0] == 11 - (-1) - 9 && r[1] == 8 - (-1) - 1);
    ck_assert_int_eq(p->form->time_derivative(p->self, 3, y, yp, r), DAE_OK);
    ck_assert(r[0] == -6 && r[1] == 0);
    double slope[2]; /* E y' = (8, 0) */
    ck_assert_int_eq(p->form->yp(p->self, 3, y, slope), DAE_OK);
    ck_assert_double_eq_tol(slope[0], 8, 1e-14);
    ck_assert_double_eq_tol(slope[1], -8, 1e-14);
    callbacks_free(c);
    form = (dae_linear_form){.n = 2, .e = singular, .a = a};
    c = made(memory_, EQUATIONS_LINEAR, &form);
    p = callbacks_problem(c);
    ck_assert(p->form->yp == NULL && p->dynamic[0] && !p->dynamic[1]);
    ck_assert_int_eq(problem_residual(p, 3, y, yp, r), DAE_OK);
    ck_assert(r[0] == 3 - (-1) && r[1] == -(-1));
    ck_assert_int_eq(p->form->time_derivative(p->self, 3, y, yp, r), DAE_OK);
    ck_assert(r[0] == 0 && r[1] == 0);
    callbacks_free(c);
}

/* y' = (y2 y3, -y1 y3 / 2, -y1 y2 / 3), and any two functions as invariants: c1 = y1^2 + 2 y2^2 +
 * t, c2 = y1 y3. */
static int turn(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1] * y[2], f[1] = -0.5 * y[0] * y[2], f[2] = -y[0] * y[1] / 3;
    return 0;
}

static int c_of(double t, const double *y, double *c, void *user)
{
    const double *limit = user;
    c[0] = y[0] * y[0] + 2 * y[1] * y[1] + t, c[1] = y[0] * y[2];
    return y[0] > *limit ? -5 : 0;
}

static int c_y_of(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    dy[0] = 2 * y[0], dy[1] = y[2];
    dy[2] = 4 * y[1];
    dy[5] = y[0];
    return 0;
}

ARENA_TEST(invariant)
{
    for (int given = 0; given < 2; given++) {
        const double y[] = {1, 2, -3}, kept[] = {0.5, 1, 2}, zero[3] = {0};
        double limit = 10, r[3], slope[3], z[6], value[6], c2[2], bound = given ? DBL_MIN : 1e-6;
        dae_invariant_form form = {.n = 3, .f = turn, .invariants = 2, .c = c_of};
        form.about.user = &limit;
        if (given) form.c_y = c_y_of;
        callbacks *c = made(memory_, EQUATIONS_INVARIANT, &form);
        problem *p = callbacks_problem(c);
        ck_assert_int_eq(p->form->yp(p->self, 0, y, slope), DAE_OK);
        ck_assert(slope[0] == -6 && slope[1] == 1.5 && slope[2] == -2 / 3.0);
        ck_assert_int_eq(problem_residual(p, 0, y, slope, r), DAE_OK);
        ck_assert_mem_eq(r, zero, sizeof r);
        invariant_levels *l = NULL;
        ck_assert_int_eq(invariant_levels_create(&l, c), DAE_OK);
        const constraint_levels *levels = invariant_levels_form(l);
        ck_assert_int_eq(invariant_levels_begin(l, 1, kept), DAE_OK);
        memcpy(z, y, sizeof y);
        memcpy(z + 3, slope, sizeof slope);
        ck_assert_int_eq(levels->form->value(levels->self, 0, 2, z, c2), DAE_OK);
        ck_assert(c2[0] == 9 + 2 - (0.25 + 2 + 1) && c2[1] == -3 - 1);
        ck_assert_int_eq(levels->form->linearize(levels->self, 2, z), DAE_OK);
        levels->form->jacobian(levels->self, 0, value);
        const double expected[] = {2, -3, 8, 0, 0, 1};
        for (size_t k = 0; k < 6; k++) ck_assert_double_eq_tol(value[k], expected[k], bound);
        limit = 0;
        ck_assert_int_eq(levels->form->value(levels->self, 0, 2, z, c2), DAE_STOPPED);
        invariant_levels_free(l);
        callbacks_free(c);
    }
}

UNIT_MAIN("problem/forms", 20, semi_explicit, linear, invariant)
