/* Jumps along constraints that are not linear: exact ones, the limits of fast motions, and those
 * that fast motions do not determine. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 2000 };

/* Runs to `stop`, and takes the values beside t = 1 and at the stop. NULL: not wanted. */
static dae_status run_to(const char *model, double stop, double *left, double *right, double *end,
                         char *said)
{
    dae_options o = tolerance_of(1e-10);
    o.keep_trajectory = true;
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_status status = dae_solver_run(s, stop);
    if (said) snprintf(said, TEXT, "%s", dae_solver_message(s));
    ck_assert_msg(status == DAE_OK || said, "%s\n%s", dae_solver_message(s), model);
    if (status == DAE_OK && left) is_ok(s, dae_solver_at_left(s, 1, left, NULL));
    if (status == DAE_OK && right) is_ok(s, dae_solver_at(s, 1, right, NULL));
    if (status == DAE_OK && end) is_ok(s, dae_solver_at(s, stop, end, NULL));
    dae_solver_free(s);
    return status;
}

static void same(const char *name, double is, double wanted, double size, const char *model)
{
    ck_assert_msg(fabs(is - wanted) <= 1e-7 * (1 + size), "%s is %.12g, not %.12g\n%s", name, is,
                  wanted, model);
}

/* --- two masses in the plane: their distance jumps, and its rate --- */

/* Neither the centre nor the direction jumps, nor the momentum about it; c dx of a damper is what
 * it takes from each. */
static void follow_dumbbell(uint64_t *state)
{
    char model[TEXT];
    double m[2], c = scatter_between(state, 0, 1), a[12], b[12];
    for (int i = 0; i < 2; i++) m[i] = scatter_between(state, 0.5, 2);
    double before = scatter_between(state, 0.5, 2), behind = scatter_between(state, 0.2, 2),
           rate = scatter_between(state, -1, 1);
    snprintf(model, sizeof model,
             "model M Real x(start = %.17g), y(start = %.17g, fixed = true), u, v(start = %.17g,"
             "fixed = true), X(start = 0, fixed = true), Y(start = 0, fixed = true), U(start = "
             "%.17g, fixed = true), V(start = 0, fixed = true), f;\n"
             "equation der(x) = u; der(y) = v; der(X) = U; der(Y) = V;\n"
             "%.17g*der(u) = f*(x - X) - %.17g*u; %.17g*der(v) = f*(y - Y) - 1 - %.17g*v;\n"
             "%.17g*der(U) = -f*(x - X) - %.17g*U; %.17g*der(V) = -f*(y - Y) - 2 - %.17g*V;\n"
             "sqrt((x - X)^2 + (y - Y)^2) = if time < 1 then %.17g else %.17g + (%.17g)*(time - "
             "1); end M;",
             before, scatter_between(state, -0.2, 0.2), scatter_between(state, -1, 1),
             scatter_between(state, -1, 1), m[0], c, m[0], c, m[1], c, m[1], c, before, behind,
             rate);
    run_to(model, 1.25, a, b, NULL, NULL);
    double whole = m[0] + m[1], e[2] = {(a[0] - a[4]) / before, (a[1] - a[5]) / before};
    double part = m[1] / whole * (behind - before);
    for (int i = 0; i < 2; i++) {
        same("x", b[i], a[i] + part * e[i], 1, model);
        same("X", b[4 + i], a[4 + i] + (part - behind + before) * e[i], 1, model);
        double lost = -c * (b[i] - a[i] + b[4 + i] - a[4 + i]);
        same("momentum", m[0] * (b[2 + i] - a[2 + i]) + m[1] * (b[6 + i] - a[6 + i]), lost, 1,
             model);
    }
    double turned[2] = {-e[1], e[0]}, spin[2] = {0, 0}, along = 0;
    for (int i = 0; i < 2; i++) {
        spin[0] += before * turned[i] * (a[2 + i] - a[6 + i]);
        spin[1] += behind * turned[i] * (b[2 + i] - b[6 + i]);
        along += e[i] * (b[2 + i] - b[6 + i]);
    }
    same("rate", along, rate, 1, model);
    same("spin", spin[1], spin[0], 1, model);
}

START_TEST(dumbbells)
{
    uint64_t state = 7;
    for (size_t k = 0; k < 30 / unit_one_in(4); k++) follow_dumbbell(&state);
}
END_TEST

/* --- what is exact otherwise --- */

/* r^2 w is kept; and what a force does along its way is the change of energy. */
START_TEST(products_of_jumps_and_impulses)
{
    static const char POLAR[] =
        "model M Real r, p(start = 0, fixed = true), s, w(start = 1, fixed = true), f;\n"
        "Real k(start = 0, fixed = true), e, h(start = 0, fixed = true);\n"
        "equation der(r) = s; der(p) = w; der(s) = r*w^2 - f; der(w) = -2*s*w/r; der(k) = -f*s;\n"
        "e = s^2/2 + r^2*w^2/2 - k; der(h) = r^3*s; r = if time < 1 then 1 else 1.5 - time + 1; "
        "end M;";
    double a[10], b[10];
    run_to(POLAR, 1.25, a, b, NULL, NULL);
    same("r^2 w", b[0] * b[0] * b[3], 1, 1, POLAR);
    same("s", b[2], -1, 1, POLAR);
    same("p", b[1], a[1], 1, POLAR);
    same("e", b[6], a[6], 1, POLAR);
    same("h", b[7] - a[7], (pow(1.5, 4) - 1) / 4, 1, POLAR);
}
END_TEST

/* A mass that shrinks: the impulse of order 1 takes part in its rate, which fast motions do not
 * change: (m v)' = -f x while m' = -0.4 m. */
static const char SHRINKS[] =
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f,\n"
    "m(start = 1, fixed = true); equation der(m) = -0.4*m; der(x) = u; der(y) = v;\n"
    "der(m*u) = -f*x; der(m*v) = -f*y - m; x^2 + y^2 = %s; end M;";

/* --- limits of fast motions --- */

/* An input that changes from 1 to 1.5 within eps, by two polynomials. */
static void write_fast(char *to, const char *model, double eps, bool other)
{
    char input[500], s[60];
    snprintf(s, sizeof s, "((time - 1)/%g)", eps);
    if (other)
        snprintf(input, sizeof input, "(%s^4*(35 + %s*(-84 + %s*(70 - 20*%s))))", s, s, s, s);
    else
        snprintf(input, sizeof input, "(%s^3*(10 + %s*(-15 + 6*%s)))", s, s, s);
    char all[700];
    snprintf(all, sizeof all, "(if time < 1 then 1 elseif time < 1 + %g then 1 + 0.5*%s else 1.5)",
             eps, input);
    snprintf(to, TEXT, model, all);
}

static const char *const FIT[] = {
    SHRINKS,
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f;\n"
    "equation der(x) = u; der(y) = v; der(u) = -f*x - u; der(v) = -f*y - 1; x^2 + y^2 = %s; end M;",
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f,\n"
    "q(start = 0, fixed = true), k(start = 0, fixed = true); equation der(x) = u; der(y) = v;\n"
    "der(u) = -f*x - q; der(v) = -f*y - 1; der(q) = cos(q)^3 + x; der(k) = x*u*exp(y) + k^3;\n"
    "sqrt(x^2 + y^2) = %s; end M;",
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v, z(start = 0.4), w(start = "
    "0.5,\n"
    "fixed = true), f, g; equation der(x) = u; der(y) = v; der(z) = w; der(u) = -f*x + g*2;\n"
    "der(v) = -f*y - 1 + g; der(w) = -f*z - 2*g; x^2 + y^2 + z^2 = %s; 2*x + y - 2*z = 0; end M;",
    /* coefficients that jump: of the constraint, of its force, and of both */
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f;\n"
    "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 1; (x^2 + y^2)/%s = 1; end M;",
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f,\n"
    "c = %s; equation der(x) = u; der(y) = v; der(u) = -c*f*x; der(v) = -c*f*y - 1;\n"
    "x^2 + y^2 = c; end M;",
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f,\n"
    "c = %s; equation der(x) = u; der(y) = v; der(u) = -x*f/c; der(v) = -y*f/c - 1;\n"
    "2*c*c*(x^2 + y^2) = 1 + c^3; end M;"};

START_TEST(the_jump_is_the_limit)
{
    static const char JUMP[] = "(if time < 1 then 1 else 1.5)";
    double jump[10] = {0}, fast[10] = {0};
    char model[TEXT];
    snprintf(model, sizeof model, FIT[_i], JUMP);
    run_to(model, 1.2, NULL, NULL, jump, NULL);
    write_fast(model, FIT[_i], 1e-4, _i % 2);
    run_to(model, 1.2, NULL, NULL, fast, NULL);
    for (int k = 0; k < 6; k++)
        ck_assert_msg(fabs(fast[k] - jump[k]) < 1e-4, "%d: %.9g, not %.9g\n%s", k, fast[k], jump[k],
                      model);
}
END_TEST

/* --- what fast motions do not determine --- */

static const char *const UNFIT[] = {
    /* of a circle that is moved; its centre is a variable of its own */
    "model M Real x(start = 2), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f,\n"
    "a; equation a + a^3/10 = %s; der(x) = u; der(y) = v; der(u) = -f*(x - a); der(v) = -f*y - 1;\n"
    "(x - a)^2 + y^2 = 1; end M;",
    /* of an ellipse that grows: its normals turn along the way */
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f;\n"
    "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -4*f*y - 1; x^2 + 4*y^2 = %s; end M;",
    /* of a force that is not linear in a velocity with an impulse */
    "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true), f;\n"
    "equation der(x) = u; der(y) = v; der(u) = -f*x - u^2; der(v) = -f*y - 1; x^2 + y^2 = %s;\n"
    "end M;"};

static double velocity(const char *model, double eps, bool other)
{
    char text[TEXT];
    double y[10];
    write_fast(text, model, eps, other);
    run_to(text, 1 + 1.5 * eps, NULL, NULL, y, NULL);
    return y[3];
}

/* Shorter changes leave larger velocities, and another course of the input other ones. */
START_TEST(fast_motions_differ)
{
    char model[TEXT], said[TEXT];
    double one = velocity(UNFIT[_i], 1e-3, false), shorter = velocity(UNFIT[_i], 2e-4, false),
           other = velocity(UNFIT[_i], 1e-3, true);
    ck_assert_double_gt(fabs(shorter), 3 * fabs(one));
    ck_assert_double_gt(fabs(other - one), 0.05 * fabs(one));
    snprintf(model, sizeof model, UNFIT[_i], "(if time < 1 then 1 else 1.5)");
    ck_assert_int_eq(run_to(model, 2, NULL, NULL, NULL, said), DAE_EVENT);
    ck_assert_msg(strstr(said, "within the instant") && strstr(said, "remedy"), "%s", said);
}
END_TEST

/* A circle is not fit for being moved, by a coefficient as little as by an input. */
START_TEST(coefficients_that_jump)
{
    char said[TEXT];
    static const char MOVED[] =
        "model M Real x(start = 1), y(start = 0.1, fixed = true), u, v(start = 0.3, fixed = true);"
        "Real f, a = if time < 1 then 0 else 0.3; equation der(x) = u; der(y) = v;"
        "der(u) = -f*(x - a); der(v) = -f*y - 1; (x - a)^2 + y^2 = 1; end M;";
    ck_assert_int_eq(run_to(MOVED, 2, NULL, NULL, NULL, said), DAE_EVENT);
    ck_assert_msg(strstr(said, "is not determined") && strstr(said, "remedy"), "%s", said);
}
END_TEST

/* --- positions that are given --- */

/* x gets its value and keeps its rate. On a sphere, whose other coordinates have one mass, neither
 * their direction jumps nor the momentum about the axis of x. */
static void place_on_sphere(uint64_t *state, bool stops)
{
    char model[TEXT];
    double to = scatter_between(state, -0.7, 0.7), a[8], b[8];
    snprintf(model, sizeof model,
             "model M Real x(start = %.17g, fixed = true), y(start = %.17g, fixed = true), z(start "
             "= 0.3),\nu(start = %.17g, fixed = true), v(start = %.17g, fixed = true), w, f;\n"
             "equation der(x) = u; der(y) = v; der(z) = w; der(u) = -f*x - 1; der(v) = -f*y;\n"
             "der(w) = -f*z; x^2 + y^2 + z^2 = 1; when time >= 1 then reinit(x, %.17g); %s end "
             "when; end M;",
             scatter_between(state, -0.5, 0.5), scatter_between(state, -0.5, 0.5),
             scatter_between(state, -0.5, 0.5), scatter_between(state, -0.5, 0.5), to,
             stops ? "reinit(u, 0);" : "");
    run_to(model, 1.2, a, b, NULL, NULL);
    double before = hypot(a[1], a[2]), behind = sqrt(1 - to * to), u = stops ? 0 : a[3];
    same("x", b[0], to, 0, model);
    same("u", b[3], u, 0, model);
    for (int i = 0; i < 2; i++) same("y, z", b[1 + i], a[1 + i] * behind / before, 0, model);
    same("spin", b[1] * b[5] - b[2] * b[4], a[1] * a[5] - a[2] * a[4], 0, model);
    same("rate", b[0] * b[3] + b[1] * b[4] + b[2] * b[5], 0, 0, model);
}

START_TEST(positions_that_are_given)
{
    uint64_t state = 3;
    for (int k = 0; k < 8; k++) place_on_sphere(&state, k % 2);
}
END_TEST

/* The value is beyond the rod; the masses of y and z are not the same; y keeps no rate of its own.
 */
START_TEST(positions_that_are_refused)
{
    static const char *const SET[] = {"reinit(x, 1.25)", "reinit(x, 0.2)",
                                      "reinit(x, 0.2); reinit(v, 0)"};
    char model[TEXT], said[TEXT];
    snprintf(model, sizeof model,
             "model M Real x(start = 0.6, fixed = true), y(start = -0.7, fixed = true), z(start = "
             "0.3),\nu(start = 0.2, fixed = true), v(start = 0.1, fixed = true), w, f;\n"
             "equation der(x) = u; der(y) = v; der(z) = w; der(u) = -f*x; der(v) = -f*y;\n"
             "%d*der(w) = -f*z; x^2 + y^2 + z^2 = 1; when time >= 1 then %s; end when; end M;",
             1 + 2 * (_i == 1), SET[_i]);
    ck_assert_int_eq(run_to(model, 2, NULL, NULL, NULL, said), DAE_EVENT);
    ck_assert_msg(strstr(said, "do not meet x^2 + y^2 + z^2 = 1") && strstr(said, "remedy"), "%s",
                  said);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, dumbbells);
    tcase_add_test(tests, products_of_jumps_and_impulses);
    unit_loop(tests, the_jump_is_the_limit, 0, sizeof FIT / sizeof *FIT);
    unit_loop(tests, fast_motions_differ, 0, sizeof UNFIT / sizeof *UNFIT);
    tcase_add_test(tests, coefficients_that_jump);
    tcase_add_test(tests, positions_that_are_given);
    unit_loop(tests, positions_that_are_refused, 0, 3);
    return unit_run("solve/bent_impulses", tests);
}
