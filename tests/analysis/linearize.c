/* Linearisations: exact matrices, eigenvalues and transfer functions of known systems, in text and
 * as functions of a C program. */
#include "solve/models.h"
#include "solve/pendulum.h"

#include <complex.h>
#include <stdio.h>

enum { MOST = 16 };

static dae_linearization *linearized(dae_problem *problem, double t, const dae_ports *ports)
{
    dae_options options = tolerance_of(1e-10);
    dae_solver *solver = dae_solver_create(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    if (t != 0) is_ok(solver, dae_solver_run(solver, t));
    dae_linearization *l = dae_linearize(solver, ports);
    dae_solver_free(solver); /* it needs not outlive it */
    dae_problem_free(problem);
    ck_assert_ptr_nonnull(l);
    return l;
}

static dae_linearization *of_model(const char *model, double t)
{
    dae_linearization *l = linearized(problem_of(model), t, NULL);
    ck_assert_msg(l->status == DAE_OK, "%s", l->message);
    ck_assert_uint_eq(l->states + l->infinite, l->n);
    return l;
}

static void is_matrix(const char *name, size_t rows, size_t columns, const double *is,
                      const double *wanted)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            ck_assert_msg(fabs(is[i * columns + j] - wanted[i * columns + j]) <= 1e-13,
                          "%s[%zu,%zu] = %.15g, not %g", name, i + 1, j + 1, is[i * columns + j],
                          wanted[i * columns + j]);
}

/* One of the eigenvalues. */
static const dae_mode *has_eigenvalue(const dae_linearization *l, double real, double imaginary,
                                      double tolerance)
{
    for (size_t q = 0; q < l->states; q++) {
        const dae_mode *m = &l->mode[q];
        if (hypot(m->real - real, m->imaginary - imaginary) <= tolerance) return m;
    }
    for (size_t q = 0; q < l->states; q++)
        fprintf(stderr, "%.15g %+.15gi\n", l->mode[q].real, l->mode[q].imaginary);
    ck_abort_msg("no eigenvalue %g %+gi", real, imaginary);
}

/* --- transfer functions --- */

/* x = M^-1 b, in place, by Gauss's elimination with partial pivoting. */
static void solve(size_t n, double complex *M, double complex *b)
{
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k; i < n; i++)
            if (cabs(M[i * n + k]) > cabs(M[p * n + k])) p = i;
        for (size_t j = 0; j < n; j++) {
            double complex kept = M[k * n + j];
            M[k * n + j] = M[p * n + j];
            M[p * n + j] = kept;
        }
        double complex kept = b[k];
        b[k] = b[p];
        b[p] = kept;
        for (size_t i = k + 1; i < n; i++) {
            double complex factor = M[i * n + k] / M[k * n + k];
            for (size_t j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) b[k] -= M[k * n + j] * b[j];
        b[k] /= M[k * n + k];
    }
}

/* C (s E - A)^-1 B of the first input and output; E NULL: the identity. */
static double complex transfer(size_t n, const double *E, const double *A, const double *B,
                               size_t inputs, const double *C, double complex s)
{
    double complex M[MOST * MOST], x[MOST], sum = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = B[i * inputs];
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = s * (E ? E[i * n + j] : i == j) - A[i * n + j];
    }
    solve(n, M, x);
    for (size_t j = 0; j < n; j++) sum += C[j] * x[j];
    return sum;
}

/* Both forms are the same function of s: this one. */
static void is_transfer(const dae_linearization *l, double complex (*wanted)(double complex s))
{
    const double complex i = (double complex)I; /* clang's is a float */
    const double complex AT[] = {0.3 * i, 1.7 * i, 2 + 3 * i, 0.01, -0.7 + 40 * i};
    for (size_t k = 0; k < sizeof AT / sizeof *AT; k++) {
        double complex s = AT[k], is = wanted(s), power = 1;
        double complex given = transfer(l->n, l->E, l->A, l->B, l->inputs, l->C, s);
        double complex reduced = transfer(l->states, NULL, l->a, l->b, l->inputs, l->c, s);
        for (size_t q = 0; q <= l->derivatives; q++, power *= s)
            reduced += l->d[q * l->outputs * l->inputs] * power;
        ck_assert_msg(cabs(given - is) <= 1e-11 * cabs(is), "E, A: %g at %zu", cabs(given - is), k);
        ck_assert_msg(cabs(reduced - is) <= 1e-11 * cabs(is), "a: %g at %zu", cabs(reduced - is),
                      k);
    }
}

/* --- known systems --- */

static const char RLC[] =
    "model RLC parameter Real R = 2, L = 0.5, C = 0.1; input Real u;\n"
    "  output Real uc(start = 0, fixed = true); Real i(start = 0, fixed = true), ur, ul;\n"
    "equation ur = R*i; L*der(i) = ul; C*der(uc) = i; u = ur + ul + uc; end RLC;";

/* 1/(LC s^2 + RC s + 1) */
static double complex of_rlc(double complex s)
{
    return 1 / (0.05 * s * s + 0.2 * s + 1);
}

START_TEST(a_circuit_has_its_matrices)
{
    dae_linearization *l = of_model(RLC, 0);
    static const char *const NAMES[] = {"u", "uc", "i", "ur", "ul"};
    for (size_t j = 0; j < 5; j++) ck_assert_str_eq(l->variable[j], NAMES[j]);
    is_matrix("E", 5, 5, l->E, (double[]){0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0.1, 0,
                                          0, 0, 0, 0, 0, 0, 0, 0,   0, 0, 0, 0});
    is_matrix("A", 5, 5, l->A, (double[]){0, 0, 2,  -1, 0, 0, 0, 0,  0, 1, 0, 0, 1,
                                          0, 0, -1, 1,  0, 1, 1, -1, 0, 0, 0, 0});
    is_matrix("B", 5, 1, l->B, (double[]){0, 0, 0, 0, 1});
    is_matrix("C", 1, 5, l->C, (double[]){0, 1, 0, 0, 0});
    ck_assert_int_eq(l->index, 1);
    ck_assert_uint_eq(l->states, 2);
    ck_assert_str_eq(l->state[0], "uc");
    ck_assert_str_eq(l->state[1], "i");
    is_matrix("a", 2, 2, l->a, (double[]){0, 10, -2, -4});
    is_matrix("b", 2, 1, l->b, (double[]){0, 2});
    is_matrix("c", 1, 2, l->c, (double[]){1, 0});
    is_matrix("d", 1, 1, l->d, (double[]){0});
    ck_assert(l->structural && !l->shifted && l->derivatives == 0);
    is_transfer(l, of_rlc);
    const dae_mode *m = has_eigenvalue(l, -2, 4, 1e-13);
    ck_assert_double_eq_tol(m->frequency, sqrt(20), 1e-13);
    ck_assert_double_eq_tol(m->damping, 2 / sqrt(20), 1e-13);
    ck_assert_double_eq_tol(m->time_constant, 0.5, 1e-13);
    ck_assert_double_eq_tol(m->participation[0], 0.5, 1e-13);
    /* the largest is uc = 1, and i = C lambda uc */
    ck_assert_double_eq_tol(m->shape_real[1], 1, 1e-13);
    ck_assert_double_eq_tol(m->shape_real[2], -0.2, 1e-13);
    ck_assert_double_eq_tol(m->shape_imaginary[2], 0.4, 1e-13);
    ck_assert_double_le(l->cross_check, 1e-12);
    dae_linearization_free(l);
}
END_TEST

/* Two masses of 1 and 3 with a spring and a damper between, the first pushed. */
static const char MASSES[] =
    "model Masses parameter Real m1 = 1, m2 = 3, k = 50, d = 2; input Real F; output Real x2;\n"
    "  Real x1, v1, v2, f; equation der(x1) = v1; der(x2) = v2; m1*der(v1) = F - f;\n"
    "  m2*der(v2) = f; f = k*(x1 - x2) + d*(v1 - v2); end Masses;";

static double complex of_masses(double complex s)
{
    double complex spring = 2 * s + 50;
    return spring / (s * s * (3 * s * s + 4 * spring));
}

START_TEST(two_masses_have_their_transfer_function)
{
    dae_linearization *l = of_model(MASSES, 0);
    ck_assert_uint_eq(l->states, 4);
    is_transfer(l, of_masses);
    /* s^2 + 4/3 (2 s + 50) = 0, and the motion of both as one */
    double real = -4.0 / 3, imaginary = sqrt(200.0 / 3 - real * real);
    const dae_mode *m = has_eigenvalue(l, real, imaginary, 1e-7);
    /* they move against each other, x1 = -3 x2: variables are F, x2, x1, ... */
    ck_assert_double_eq_tol(m->shape_real[2], -3 * m->shape_real[1], 1e-9);
    ck_assert_double_eq_tol(m->shape_imaginary[2], -3 * m->shape_imaginary[1], 1e-9);
    has_eigenvalue(l, 0, 0, 1e-6);
    dae_linearization_free(l);
}
END_TEST

/* Index 2: capacitors in parallel to a source with a resistor; the current has the derivative of
 * the voltage, and the charge after R2 starts from a part of it. */
static const char PARALLEL[] =
    "model Parallel input Real u; output Real i; Real c(start = 0), w(start = 0), j;\n"
    "equation c = u; i = 2*der(c) + j; j = (c - w)/5; 3*der(w) = j; end Parallel;";

static double complex of_parallel(double complex s)
{
    return 2 * s + 3 * s / (15 * s + 1);
}

/* States that are parts of the input: w is what is left of u after the part that jumps with it. */
static const char DIVIDER[] =
    "model Divider input Real u; output Real w; Real v(start = 0), i, r;\n"
    "equation u = v + w; i = 2*der(v); r = w/4; i = 3*der(w) + r; end Divider;";

/* 2 s (u - w) = 3 s w + w/4 */
static double complex of_divider(double complex s)
{
    return 2 * s / (5 * s + 0.25);
}

/* The same, the constraint hidden in a multiple of another equation: the structure misleads. */
static const char MIXED_DIVIDER[] =
    "model Mixed input Real u; output Real w; Real v(start = 0), i, r;\n"
    "equation i = 2*der(v); 2*i = 4*der(v) + u - v - w; r = w/4; i = 3*der(w) + r; end Mixed;";

START_TEST(circuits_of_index_2_differentiate_their_inputs)
{
    dae_linearization *l = of_model(PARALLEL, 0);
    ck_assert_int_eq(l->index, 2);
    ck_assert_uint_eq(l->states, 1);
    ck_assert_uint_eq(l->derivatives, 1);
    ck_assert_double_eq_tol(l->d[1], 2, 1e-13);
    ck_assert_ptr_nonnull(strstr(l->notes, "no state-space form"));
    is_transfer(l, of_parallel);
    has_eigenvalue(l, -1.0 / 15, 0, 1e-13);
    dae_linearization_free(l);
    for (int mixed = 0; mixed < 2; mixed++) {
        l = of_model(mixed ? MIXED_DIVIDER : DIVIDER, 0);
        ck_assert(l->shifted && l->derivatives == 0 && l->structural == !mixed);
        ck_assert_int_eq(l->index, 2);
        is_transfer(l, of_divider);
        has_eigenvalue(l, -0.05, 0, 1e-13);
        dae_linearization_free(l);
    }
}
END_TEST

/* --- pendulums: index 3 in redundant coordinates --- */

static const char HANGING[] =
    "model Hanging parameter Real L = 2.5, g = 9.81;\n"
    "  Real x(start = 0, fixed = true), y(start = -2.5), u(start = 0, fixed = true), v, T;\n"
    "equation der(x) = u; der(y) = v; der(u) = -T*x; der(v) = -T*y - g; x^2 + y^2 = L^2;\n"
    "end Hanging;";

static int pendulum_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + 2 * y[0] * y[4];
    r[3] = yp[3] + 2 * y[1] * y[4] + PENDULUM_WEIGHT;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

static const double AT_REST[] = {0, -1, 0, 0, 0.5 * 9.81};

static dae_linearization *at_rest(dae_problem *problem, const double *y)
{
    dae_options options = tolerance_of(1e-8);
    dae_solver *solver = dae_solver_create(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, y));
    dae_linearization *l = dae_linearize(solver, NULL);
    dae_solver_free(solver);
    dae_problem_free(problem);
    ck_assert_msg(l->status == DAE_OK, "%s", l->message);
    return l;
}

/* +-i sqrt(g/L), whatever the form. */
static void swings(dae_linearization *l, double wanted, double tolerance)
{
    ck_assert_uint_eq(l->states, 2);
    ck_assert_uint_eq(l->infinite, 3);
    ck_assert_int_eq(l->index, 3);
    const dae_mode *m = has_eigenvalue(l, 0, wanted, tolerance);
    ck_assert_double_eq_tol(m->frequency, wanted, tolerance);
    ck_assert_double_le(fabs(m->damping), tolerance);
    ck_assert_double_le(hypot(m->shape_real[1], m->shape_imaginary[1]), 1e-6); /* not upwards */
    dae_linearization_free(l);
}

START_TEST(pendulums_swing_in_each_form)
{
    swings(of_model(HANGING, 0), sqrt(9.81 / 2.5), 1e-13);
    swings(of_model(HANGING, 0.7), sqrt(9.81 / 2.5), 1e-13);
    dae_mechanical_form form = {
        .nq = 2, .holonomic = 1, .force = weight, .constraint = rod, .constraint_q = rod_q};
    swings(at_rest(dae_problem_mechanical(&form), AT_REST), sqrt(9.81), 1e-6);
    dae_residual_form residual = {.n = 5, .residual = pendulum_residual};
    swings(at_rest(dae_problem_residual(&residual), AT_REST), sqrt(9.81), 1e-6);
}
END_TEST

/* A mass of 2 on a spring of 50 with a damper of 4, and nothing that holds it. */
static int spring(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -50 * q[0] - 4 * v[0];
    return 0;
}

/* Its speed is that of another body of mass 3: v_1 = v_0. Three masses' worth of inertia. */
static int equal_speeds(double t, const double *q, double *a, void *user)
{
    (void)t, (void)q, (void)user;
    a[0] = 1;
    a[1] = -1;
    return 0;
}

static int spring_of_two(double t, const double *q, const double *v, double *f, void *user)
{
    f[1] = 0;
    return spring(t, q, v, f, user);
}

/* 2 s^2 + 4 s + 50 = 0; and 5 s^2 + 4 s + 50 = 0 where the bodies have one speed. Positions of the
 * second one are free. */
START_TEST(mechanical_systems_of_each_kind_have_their_eigenvalues)
{
    static const double MASS[] = {2}, MASSES_OF_TWO[] = {2, 0, 0, 3}, REST[5] = {0};
    dae_mechanical_form one = {.nq = 1, .constant_mass = MASS, .force = spring};
    dae_linearization *l = at_rest(dae_problem_mechanical(&one), REST);
    ck_assert_uint_eq(l->states, 2);
    has_eigenvalue(l, -1, sqrt(24), 1e-6);
    dae_linearization_free(l);
    dae_mechanical_form two = {.nq = 2,
                               .nonholonomic = 1,
                               .constant_mass = MASSES_OF_TWO,
                               .force = spring_of_two,
                               .velocity_constraint = equal_speeds};
    l = at_rest(dae_problem_mechanical(&two), REST);
    ck_assert_uint_eq(l->states, 3);
    ck_assert_int_eq(l->index, 2);
    has_eigenvalue(l, -0.4, sqrt(10 - 0.16), 1e-6);
    has_eigenvalue(l, 0, 0, 1e-6);
    dae_linearization_free(l);
}
END_TEST

/* x' = -3 x + z, 0 = x - 2 z: one eigenvalue of -2.5 */
static int slope(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -3 * x[0] + z[0];
    return 0;
}

static int law(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = x[0] - 2 * z[0];
    return 0;
}

static int both(double t, const double *y, double *f, void *user)
{
    slope(t, y, y + 1, f, user);
    return law(t, y, y + 1, f + 1, user);
}

static int alone(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -2.5 * y[0];
    return 0;
}

START_TEST(forms_of_c_programs_have_the_same_eigenvalue)
{
    static const double E[] = {1, 0, 0, 0}, A[] = {-3, 1, 1, -2}, Y[] = {1, 0.5};
    dae_semi_explicit_form split = {.nx = 1, .nz = 1, .f = slope, .g = law};
    dae_mass_form mass = {.n = 2, .f = both, .constant_mass = E};
    dae_linear_form linear = {.n = 2, .e = E, .a = A};
    dae_invariant_form ode = {.n = 1, .f = alone};
    dae_problem *problem[] = {dae_problem_semi_explicit(&split), dae_problem_mass(&mass),
                              dae_problem_linear(&linear), dae_problem_invariant(&ode)};
    for (size_t k = 0; k < 4; k++) {
        dae_linearization *l = at_rest(problem[k], Y);
        ck_assert_uint_eq(l->states, 1);
        ck_assert_int_eq(l->index, k < 3);
        has_eigenvalue(l, -2.5, 0, k == 2 ? 1e-14 : 1e-6);
        dae_linearization_free(l);
    }
}
END_TEST

/* --- modes, kinks, events --- */

static const char SWITCHED[] =
    "model Switched Real x(start = 0, fixed = true), y(start = 1, fixed = true);\n"
    "equation der(x) = 1; der(y) = if x < 1 then -y else -5*y; end Switched;";

static const char KINK[] =
    "model Kink Real x(start = 0, fixed = true), y(start = 1, fixed = true);\n"
    "equation der(x) = -2*y - abs(x); der(y) = x - y; end Kink;";

static const char SLIDING[] =
    "model Sliding Real x(start = 0.5, fixed = true), y(start = 1, fixed = true);\n"
    "equation der(x) = -(if x > 0 then 1 else -1); der(y) = -3*y + x; end Sliding;";

START_TEST(at_an_event_the_mode_behind_it_is_linearised)
{
    dae_linearization *l = of_model(SWITCHED, 0.5);
    has_eigenvalue(l, -1, 0, 1e-13);
    ck_assert_ptr_null(strstr(l->notes, "event"));
    dae_linearization_free(l);
    l = of_model(SWITCHED, 1);
    has_eigenvalue(l, -5, 0, 1e-13);
    ck_assert_ptr_nonnull(strstr(l->notes, "event at t = 1"));
    dae_linearization_free(l);
}
END_TEST

START_TEST(kinks_and_sliding_are_said)
{
    dae_linearization *l = of_model(KINK, 0);
    ck_assert_ptr_nonnull(strstr(l->notes, "abs(x) is at its kink"));
    dae_linearization_free(l);
    l = of_model(KINK, 0.4);
    ck_assert_ptr_null(strstr(l->notes, "kink"));
    dae_linearization_free(l);
    l = of_model(SLIDING, 1);
    ck_assert_ptr_nonnull(strstr(l->notes, "slides along"));
    has_eigenvalue(l, -3, 0, 1e-12);
    dae_linearization_free(l);
}
END_TEST

/* --- refusals --- */

static void is_refused(const char *model, const dae_ports *ports, dae_status status,
                       const char *words)
{
    dae_linearization *l = linearized(problem_of(model), 0, ports);
    ck_assert_msg(l->status == status, "%s: %s", dae_status_word(l->status), l->message);
    ck_assert_msg(strstr(l->message, words), "%s", l->message);
    dae_linearization_free(l);
}

START_TEST(what_has_no_linearisation_is_refused)
{
    static const size_t NINE[] = {9}, ZERO[] = {0};
    is_refused(RLC, &(dae_ports){.input = NINE, .inputs = 1}, DAE_USAGE, "variable 9");
    is_refused(RLC, &(dae_ports){.output = NINE, .outputs = 1}, DAE_USAGE, "variable 9");
    is_refused(OSCILLATOR, &(dae_ports){.input = ZERO, .inputs = 1}, DAE_USAGE, "x is no input");
    is_refused("model Root Real x(start = 0, fixed = true), y; equation der(x) = 1;\n"
               "y = sqrt(x); end Root;",
               NULL, DAE_NOT_EVALUABLE, "sqrt");
    dae_linearization *l = dae_linearize(NULL, NULL);
    ck_assert_int_eq(l->status, DAE_USAGE);
    dae_linearization_free(l);
    dae_linearization_free(NULL);
    dae_solver *solver = solver_of(RLC, NULL);
    l = dae_linearize(solver, NULL);
    ck_assert_int_eq(l->status, DAE_USAGE);
    dae_linearization_free(l);
    dae_solver_free(solver);
}
END_TEST

/* Variables of the author's choice, and a parameter that the start finds is no state. */
static const char FOUND[] =
    "model Found parameter Real p(fixed = false); Real w, x(start = 1, fixed = true);\n"
    "initial equation der(x) = -3; equation w = sin(time); der(x) = -p*x + w; end Found;";

START_TEST(ports_are_chosen)
{
    dae_problem *problem = problem_of(FOUND);
    size_t w = dae_problem_find(problem, "w"), x = dae_problem_find(problem, "x");
    dae_linearization *l = linearized(
        problem, 0, &(dae_ports){.input = &w, .inputs = 1, .output = &x, .outputs = 1});
    ck_assert_msg(l->status == DAE_OK, "%s", l->message);
    ck_assert_uint_eq(l->states, 1);
    is_matrix("a", 1, 1, l->a, (double[]){-3});
    is_matrix("b", 1, 1, l->b, (double[]){1});
    is_matrix("c", 1, 1, l->c, (double[]){1});
    dae_linearization_free(l);
}
END_TEST

/* The run goes on as if nothing had happened. */
START_TEST(the_solver_stays_as_it_was)
{
    double y[2][5];
    for (int looked = 0; looked < 2; looked++) {
        dae_solver *solver = solver_of(PENDULUM, NULL);
        is_ok(solver, dae_solver_run(solver, 0.5));
        if (looked) dae_linearization_free(dae_linearize(solver, NULL));
        is_ok(solver, dae_solver_run(solver, 1));
        is_ok(solver, dae_solver_at(solver, 1, y[looked], NULL));
        dae_solver_free(solver);
    }
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
}
END_TEST

UNIT_MAIN("analysis/linearize", 60, a_circuit_has_its_matrices,
          two_masses_have_their_transfer_function, circuits_of_index_2_differentiate_their_inputs,
          pendulums_swing_in_each_form, mechanical_systems_of_each_kind_have_their_eigenvalues,
          forms_of_c_programs_have_the_same_eigenvalue,
          at_an_event_the_mode_behind_it_is_linearised, kinks_and_sliding_are_said,
          what_has_no_linearisation_is_refused, ports_are_chosen, the_solver_stays_as_it_was)
