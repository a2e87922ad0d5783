/* Mechanisms with redundant constraints: their linearisation is that of the mechanism without
 * these.
 */
#include "analysis/descriptor.h"
#include "solve/models.h"
#include "solve/pendulum.h"

static dae_linearization *linearized(dae_problem *problem, double t, const double *y)
{
    dae_options options = tolerance_of(1e-10);
    dae_solver *solver = dae_solver_create(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, y));
    if (t != 0) is_ok(solver, dae_solver_run(solver, t));
    dae_linearization *l = dae_linearize(solver, NULL);
    dae_solver_free(solver);
    dae_problem_free(problem);
    return l;
}

static void is_same(const char *what, size_t count, const double *is, const double *wanted,
                    double tolerance)
{
    for (size_t k = 0; k < count; k++)
        ck_assert_msg(fabs(is[k] - wanted[k]) <= tolerance, "%s[%zu] = %.15g, not %.15g", what, k,
                      is[k], wanted[k]);
}

/* Matrices, eigenvalues, and the motions of the first `moving` variables are the same. */
static void are_same(const dae_linearization *l, const dae_linearization *other, size_t moving,
                     double tolerance)
{
    ck_assert_msg(l->status == DAE_OK, "%s", l->message);
    ck_assert_msg(other->status == DAE_OK, "%s", other->message);
    size_t s = l->states, m = l->inputs, o = l->outputs;
    ck_assert_uint_eq(s, other->states);
    ck_assert_int_eq(l->index, other->index);
    is_same("a", s * s, l->a, other->a, tolerance);
    is_same("b", s * m, l->b, other->b, tolerance);
    is_same("c", o * s, l->c, other->c, tolerance);
    is_same("d", o * m, l->d, other->d, tolerance);
    for (size_t q = 0; q < s; q++) {
        const dae_mode *mode = &l->mode[q], *as = &other->mode[q];
        is_same("real", 1, &mode->real, &as->real, tolerance);
        is_same("imaginary", 1, &mode->imaginary, &as->imaginary, tolerance);
        is_same("shape", moving, mode->shape_real, as->shape_real, tolerance);
        is_same("shape", moving, mode->shape_imaginary, as->shape_imaginary, tolerance);
        is_same("part", s, mode->participation, as->participation, tolerance);
    }
    ck_assert_double_le(l->cross_check, 1e-6);
}

/* A bar on cranks of length 1, pushed: two hold it, and a third one in the middle changes nothing.
 */
static dae_linearization *bar(const char *third, double t)
{
    char model[1200];
    snprintf(model, sizeof model,
             "model Bar input Real p(start = 0); output Real x(start = 0.6, fixed = true);\n"
             "  Real y(start = -0.8), a(start = 0), u(start = 0, fixed = true), v, w, l1, l2, l3;\n"
             "equation der(x) = u; der(y) = v; der(a) = w;\n"
             "  der(u) = p - (l1*(x - cos(a) + 1) + l2*x + l3*(x + cos(a) - 1));\n"
             "  der(v) = -(l1*(y - sin(a)) + l2*y + l3*(y + sin(a))) - 9.81;\n"
             "  0.3*der(w) = -(l1*((x - cos(a) + 1)*sin(a) - (y - sin(a))*cos(a))\n"
             "    + l3*(-(x + cos(a) - 1)*sin(a) + (y + sin(a))*cos(a)));\n"
             "  (x - cos(a) + 1)^2/2 + (y - sin(a))^2/2 = 1/2; %s;\n"
             "  (x + cos(a) - 1)^2/2 + (y + sin(a))^2/2 = 1/2; end Bar;",
             third);
    return linearized(problem_of(model), t, NULL);
}

START_TEST(a_third_crank_is_left_out)
{
    for (int run = 0; run < 2; run++) {
        double t = run ? 0.3 : 0;
        dae_linearization *l = bar("x^2/2 + y^2/2 = 1/2", t), *two = bar("l2 = 0", t);
        are_same(l, two, 7, run ? 1e-8 : 1e-12);
        ck_assert_ptr_nonnull(strstr(l->notes, "this is the linearisation without "));
        ck_assert_ptr_nonnull(strstr(l->notes, "which follows from the others, and with l"));
        ck_assert_ptr_null(strstr(two->notes, "without"));
        ck_assert_ptr_null(strstr(l->notes, "degrees of freedom"));
        dae_linearization_free(l);
        dae_linearization_free(two);
    }
}
END_TEST

static const char ONCE_HELD[] =
    "model Once Real x(start = 0, fixed = true), y(start = -1), u(start = %d, fixed = true), v, "
    "F;\n"
    "equation der(x) = u; der(y) = v; der(u) = -2*x*F; der(v) = -2*y*F - 9.81;\n"
    "  x^2 + y^2 = 1; end Once;";

/* The same constraint for positions and for velocities. */
static const char ON_TWO_LEVELS[] =
    "model Levels Real x(start = 0, fixed = true), y(start = -1), v, F, N;\n"
    "  Real u(start = %d, fixed = true);\n"
    "equation der(x) = u; der(y) = v; der(u) = -2*x*F - x*N; der(v) = -2*y*F - y*N - 9.81;\n"
    "  x^2 + y^2 = 1; x*u + y*v = 0; end Levels;";

/* At the lowest point with the speed u. */
static dae_linearization *held(const char *format, int u)
{
    char model[400];
    snprintf(model, sizeof model, format, u);
    return linearized(problem_of(model), 0, NULL);
}

START_TEST(constraints_written_twice_count_once)
{
    for (int k = 0; k < 2; k++) {
        dae_linearization *once = held(ONCE_HELD, k ? 0 : 7);
        dae_linearization *l = k ? held(ON_TWO_LEVELS, 0)
                                 : linearized(problem_of(TWICE_HELD), 0, NULL);
        if (k) l->index++; /* the level of velocities determines the multiplier */
        are_same(l, once, 2, 1e-10);
        ck_assert_uint_eq(l->infinite, 4);
        ck_assert_ptr_nonnull(strstr(l->notes, "this is the linearisation without "));
        dae_linearization_free(l);
        dae_linearization_free(once);
    }
}
END_TEST

/* Where it moves, matrices of one instant do not show that one level is the derivative of the
 * other. */
START_TEST(levels_of_a_moving_point_are_refused)
{
    dae_linearization *l = held(ON_TWO_LEVELS, 7);
    ck_assert_int_eq(l->status, DAE_SINGULAR);
    dae_linearization_free(l);
}
END_TEST

/* phi = r^2 - 1, and r^4 - 1 where there is a second one. */
static int rods(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    double square = q[0] * q[0] + q[1] * q[1];
    phi[0] = square - 1;
    phi[1] = square * square - 1;
    return 0;
}

static int rods_q(double t, const double *q, double *G, void *user)
{
    (void)t, (void)user;
    double square = q[0] * q[0] + q[1] * q[1];
    for (int j = 0; j < 2; j++) {
        G[2 * j] = 2 * q[j]; /* by columns */
        G[2 * j + 1] = 4 * square * q[j];
    }
    return 0;
}

START_TEST(a_c_program_may_hold_a_rod_twice)
{
    static const double AT_REST[6] = {0, -1, 0, 0, 0, 0};
    dae_mechanical_form form = {
        .nq = 2, .holonomic = 2, .force = weight, .constraint = rods, .constraint_q = rods_q};
    dae_linearization *l = linearized(dae_problem_mechanical(&form), 0, AT_REST);
    ck_assert_msg(l->status == DAE_OK, "%s", l->message);
    ck_assert_uint_eq(l->states, 2);
    ck_assert_double_eq_tol(l->mode[0].imaginary, sqrt(9.81), 1e-5);
    ck_assert_double_le(fabs(l->mode[0].real), 1e-6);
    dae_linearization_free(l);
}
END_TEST

/* A parallelogram in line may go on as one or turn into an anti-parallelogram. */
static const char IN_LINE[] =
    "model Line Real x(start = 1, fixed = true), y(start = 0), a(start = 0);\n"
    "  Real u(start = 0, fixed = true), v, w, l1, l3;\n"
    "equation der(x) = u; der(y) = v; der(a) = w;\n"
    "  der(u) = -(l1*(x - cos(a) + 1) + l3*(x + cos(a) - 1));\n"
    "  der(v) = -(l1*(y - sin(a)) + l3*(y + sin(a)));\n"
    "  0.3*der(w) = -(l1*((x - cos(a) + 1)*sin(a) - (y - sin(a))*cos(a))\n"
    "    + l3*(-(x + cos(a) - 1)*sin(a) + (y + sin(a))*cos(a)));\n"
    "  (x - cos(a) + 1)^2/2 + (y - sin(a))^2/2 = 1/2;\n"
    "  (x + cos(a) - 1)^2/2 + (y + sin(a))^2/2 = 1/2; end Line;";

START_TEST(what_depends_in_one_configuration_is_no_redundancy)
{
    dae_linearization *l = linearized(problem_of(IN_LINE), 0, NULL);
    ck_assert_int_eq(l->status, DAE_SINGULAR);
    ck_assert_ptr_nonnull(strstr(l->message, "the pencil (E, A)"));
    dae_linearization_free(l);
}
END_TEST

/* x' = -x + z, x = u, 2 x = 2 u or u, w' = -w, where y acts on nothing or on w. */
ARENA_TEST(only_what_follows_is_dropped)
{
    for (int k = 0; k < 3; k++) {
        double E[16] = {1}, A[16] = {-1, 1, 0, 0, -1, 0, 0, 0, -2}, nominal[4] = {1, 1, 1, 1};
        double B[4] = {0, 1, k == 1 ? 1 : 2};
        descriptor d = {.n = 4, .inputs = 1, .E = E, .A = A, .B = B, .rounding = 1e-11};
        d.nominal = nominal;
        E[15] = 1, A[15] = -1, A[14] = k == 2;
        reduction r = {0};
        ck_assert_int_eq(descriptor_deflate(memory_, &d, &r), k == 0);
        if (k > 0) continue;
        ck_assert_uint_eq(r.dropped, 1);
        ck_assert(r.row[0] == 1 || r.row[0] == 2);
        ck_assert_uint_eq(r.open[0], 2);
        ck_assert_uint_eq(r.states, 1);
        ck_assert_uint_eq(r.variable[0], 3);
        ck_assert_double_eq(r.a[0], -1);
        ck_assert_double_eq(r.p[1], 1);     /* z = u ... */
        ck_assert_double_eq(r.p[4 + 1], 1); /* ... + u' */
    }
}

UNIT_MAIN("analysis/redundant", 60, a_third_crank_is_left_out, constraints_written_twice_count_once,
          levels_of_a_moving_point_are_refused, a_c_program_may_hold_a_rod_twice,
          what_depends_in_one_configuration_is_no_redundancy, only_what_follows_is_dropped)
