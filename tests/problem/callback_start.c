/* Consistent starts of C programs' equations: hidden constraints of index 2 are met with and
 * without the author's derivatives, and what is consistent stays as it is. */
#include "problem/callbacks.h"

#include "base/unit.h"
#include "initial/consistent.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

typedef struct outcome {
    dae_status status;
    size_t rows;
    double z[2 * MOST];
    initial_result result;
    char sentence[1000], notes[1000];
} outcome;

static outcome find(arena *a, equations_kind kind, const void *form, double t, const double *start)
{
    outcome o = {0};
    message m = {0};
    const equations *e = NULL;
    callbacks *c = NULL;
    callback_start *s = NULL;
    ck_assert_int_eq(equations_create(&e, a, kind, form, &m), DAE_OK);
    ck_assert_int_eq(callbacks_create(&c, e, t, start, &m), DAE_OK);
    ck_assert_int_eq(callback_start_create(&s, c, start, NULL), DAE_OK);
    const start_system *system = callback_start_system(s);
    o.rows = system->rows;
    o.status = initial_consistent(system, t, o.z, &o.result, &m);
    snprintf(o.notes, sizeof o.notes, "%s", text_string(&m.notes));
    snprintf(o.sentence, sizeof o.sentence, "%s", message_string(&m));
    callback_start_free(s);
    callbacks_free(c);
    message_free(&m);
    return o;
}

static void is_found(const outcome *o)
{
    ck_assert_msg(o->status == DAE_OK, "%s", o->sentence);
}

/* x' = -x + z, 0 = z^2 - x: of index 1 while z is not 0. */
static int decay(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -x[0] + z[0];
    return 0;
}

static int root(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = z[0] * z[0] - x[0];
    return 0;
}

ARENA_TEST(index_one)
{
    const dae_semi_explicit_form form = {.nx = 1, .nz = 1, .f = decay, .g = root};
    const double start[] = {4, (double)NAN};
    outcome o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, 0, start);
    is_found(&o);
    ck_assert_uint_eq(o.rows, 2); /* nothing is differentiated */
    ck_assert(o.z[0] == 4);
    ck_assert_double_eq_tol(fabs(o.z[1]), 2, 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(o.z[2], o.z[1] - 4, 8 * DBL_EPSILON);
    ck_assert(o.z[3] == 0); /* the derivative of z occurs nowhere */
    ck_assert_str_eq(o.notes, "");
    o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, 0, NULL); /* from x = z = 0, which is one */
    is_found(&o);
    ck_assert_msg(strstr(o.notes, "1 start condition is missing"), "%s", o.notes);
}

/* x' = (x2 + z x1, -x1 + z x2), 0 = |x|^2 - (1 + t)^2: of index 2, since 2 x x' = 2 (1 + t) gives
 * z = 1 / (1 + t). */
static int spiral(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = x[1] + z[0] * x[0];
    f[1] = -x[0] + z[0] * x[1];
    return 0;
}

static int circle(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z, (void)user;
    g[0] = x[0] * x[0] + x[1] * x[1] - (1 + t) * (1 + t);
    return 0;
}

static int spiral_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    j[0] = z[0], j[3] = 1, j[6] = x[0];
    j[1] = -1, j[4] = z[0], j[7] = x[1];
    j[2] = 2 * x[0], j[5] = 2 * x[1];
    return 0;
}

static int spiral_by_time(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)x, (void)z, (void)user;
    dt[0] = dt[1] = 0;
    dt[2] = -2 * (1 + t);
    return 0;
}

static int spiral_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    spiral(t, y, y + 2, r, user);
    r[0] = yp[0] - r[0], r[1] = yp[1] - r[1];
    return circle(t, y, y + 2, r + 2, user);
}

static void is_on_the_spiral(const outcome *o, double t)
{
    const double *z = o->z;
    is_found(o);
    ck_assert_uint_eq(o->rows, 4); /* the circle is differentiated */
    ck_assert_double_eq_tol(z[0] * z[0] + z[1] * z[1], (1 + t) * (1 + t), 1e-14);
    ck_assert_double_eq_tol(z[2], 1 / (1 + t), 1e-10);
    ck_assert_double_eq_tol(z[3], z[1] + z[2] * z[0], 1e-14);
    ck_assert_double_eq_tol(z[4], -z[0] + z[2] * z[1], 1e-14);
    ck_assert(z[5] == 0);
}

ARENA_TEST(index_two)
{
    const double t = 0.5, on[] = {0.9, 1.2, (double)NAN}, off[] = {1, 1.4, (double)NAN};
    for (int given = 0; given < 4; given++) {
        dae_semi_explicit_form form = {.nx = 2, .nz = 1, .f = spiral, .g = circle};
        if (given & 1) form.jacobian = spiral_jacobian;
        if (given & 2) form.time_derivative = spiral_by_time;
        outcome o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, t, on);
        is_on_the_spiral(&o, t);
        ck_assert(o.z[0] == 0.9 && o.z[1] == 1.2);
        ck_assert_str_eq(o.notes, "");
        o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, t, off); /* to the nearest point */
        is_on_the_spiral(&o, t);
        ck_assert_double_eq_tol(o.z[0] / o.z[1], 1 / 1.4, 2e-8); /* it approaches to 1e-8 */
    }
}

/* Fully implicit, with nothing said of zeros; that no y' occurs in the third row, and which
 * variables it has, is found. */
ARENA_TEST(index_two_as_a_residual)
{
    const unsigned char index[] = {1, 1, 2};
    const double t = 0.5, on[] = {0.9, 1.2, (double)NAN};
    const dae_residual_form form = {.n = 3, .residual = spiral_residual, .about.index = index};
    outcome o = find(memory_, EQUATIONS_RESIDUAL, &form, t, on);
    is_on_the_spiral(&o, t);
    ck_assert(o.z[0] == 0.9 && o.z[1] == 1.2);
}

/* What satisfies the equations to round-off comes back bit for bit. */
ARENA_TEST(consistent_values_stay)
{
    const double t = 0.5, start[] = {0.9, 1.2, 1 / 1.5};
    for (int given = 0; given < 4; given++) {
        dae_semi_explicit_form form = {.nx = 2, .nz = 1, .f = spiral, .g = circle};
        if (given & 1) form.jacobian = spiral_jacobian;
        if (given & 2) form.time_derivative = spiral_by_time;
        outcome o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, t, start);
        is_on_the_spiral(&o, t);
        ck_assert_mem_eq(o.z, start, sizeof start);
    }
    const dae_semi_explicit_form first = {.nx = 1, .nz = 1, .f = decay, .g = root};
    const double thirds[] = {0.1 / 3 * (0.1 / 3), 0.1 / 3};
    outcome o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &first, 0, thirds);
    is_found(&o);
    ck_assert_mem_eq(o.z, thirds, sizeof thirds);
}

/* The pendulum of Gear, Gupta & Leimkuhler: p' = v - G^T m, v' = (0, -1) - G^T l, 0 = p^2 - 1, 0 =
 * p v, of index 2 in l and m, differentiated rows by y alone. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2] + y[0] * y[5];
    r[1] = yp[1] - y[3] + y[1] * y[5];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + 1 + y[1] * y[4];
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    r[5] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

ARENA_TEST(a_pendulum_finds_its_multipliers)
{
    const unsigned char index[] = {1, 1, 1, 1, 2, 2};
    const double start[] = {0.6, -0.8, 0.8, 0.6, (double)NAN, (double)NAN};
    const dae_residual_form form = {.n = 6, .residual = pendulum, .about.index = index};
    outcome o = find(memory_, EQUATIONS_RESIDUAL, &form, 0, start);
    is_found(&o);
    ck_assert_uint_eq(o.rows, 8);
    ck_assert_mem_eq(o.z, start, 4 * sizeof *start);
    ck_assert_double_eq_tol(o.z[4], 1 + 0.8, 1e-10); /* l = v^2 - y2 */
    ck_assert_double_eq_tol(o.z[5], 0, 1e-10);
}

static int no_root(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = z[0] * z[0] + x[0] * x[0] + 1;
    return 0;
}

ARENA_TEST(equations_without_a_solution)
{
    const char *const names[] = {"balance", "closing"};
    const dae_semi_explicit_form form = {
        .nx = 1, .nz = 1, .f = decay, .g = no_root, .about.equation = names};
    const double start[] = {1, 1};
    outcome o = find(memory_, EQUATIONS_SEMI_EXPLICIT, &form, 0, start);
    ck_assert_int_eq(o.status, DAE_NO_START);
    ck_assert_msg(strstr(o.sentence, "closing: off by") != NULL, "%s", o.sentence);
}

static int stops(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)z, (void)user;
    g[0] = x[0];
    return -1;
}

ARENA_TEST(a_callback_that_stops)
{
    const dae_semi_explicit_form form = {.nx = 1, .nz = 1, .f = decay, .g = stops};
    const equations *e = NULL;
    callbacks *c = NULL;
    callback_start *s = NULL;
    message m = {0};
    const double z[4] = {1, 1};
    double r[3];
    int code = 0;
    ck_assert_int_eq(equations_create(&e, memory_, EQUATIONS_SEMI_EXPLICIT, &form, &m), DAE_OK);
    ck_assert_int_eq(callbacks_create(&c, e, 0, NULL, &m), DAE_OK);
    ck_assert_int_eq(callback_start_create(&s, c, NULL, NULL), DAE_OK);
    const start_system *system = callback_start_system(s);
    ck_assert_int_eq(system->form->value(system->self, 0, z, r), DAE_STOPPED);
    ck_assert_str_eq(callbacks_refused(c, &code), "g");
    ck_assert_int_eq(code, -1);
    callback_start_free(s);
    callbacks_free(c);
}

UNIT_MAIN("problem/callback_start", 20, index_one, index_two, index_two_as_a_residual,
          consistent_values_stay, a_pendulum_finds_its_multipliers, equations_without_a_solution,
          a_callback_that_stops)
