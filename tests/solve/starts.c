/* More than one start of one solver. */
#include "solve/equations.h"

static const double RTOL = 1e-8, ALLOWED = 1e-6;

/* y1' = - y2, m y2' = y1 - y2: for m = 1 a damped oscillation, for m = 0 a decay. */
static int oscillating_f(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -y[1], f[1] = y[0] - y[1];
    return 0;
}

static int oscillating_mass(double t, const double *y, double *m, void *user)
{
    (void)t, (void)y;
    m[0] = 1, m[3] = *(const double *)user;
    return 0;
}

/* From (1, y2) on to t = 1. */
static size_t runs_from(dae_solver *solver, double y2, double slope, double exact)
{
    const double start[2] = {1, y2}, slopes[2] = {-y2, slope};
    double y[2];
    is_ok(solver, dae_solver_start_with(solver, 0, start, slopes));
    is_ok(solver, dae_solver_run(solver, 1));
    is_ok(solver, dae_solver_at(solver, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], exact, ALLOWED);
    return dae_solver_stats(solver)->steps;
}

/* A start looks at the equations again, of which the author may have changed the parameters: which
 * unknowns are algebraic. Where they are as they were the run is the same. */
START_TEST(starts_of_one_solver)
{
    double m = 1, rate = sqrt(0.75);
    double turning = exp(-0.5) * (cos(rate) + sin(rate) / (2 * rate)), decaying = exp(-1);
    const dae_mass_form form = {
        .n = 2, .f = oscillating_f, .mass = oscillating_mass, .about.user = &m};
    dae_options options = tolerance_of(RTOL);
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    size_t steps = runs_from(solver, 0, 1, turning);
    ck_assert_uint_eq(runs_from(solver, 0, 1, turning), steps);
    m = 0;
    runs_from(solver, 1, (double)NAN, decaying);
    m = 1;
    ck_assert_uint_eq(runs_from(solver, 0, 1, turning), steps);
    dae_solver_free(solver);
}
END_TEST

/* y_k' = -k y_k + y_(k-1), counted. */
static int cascade(double t, const double *y, double *f, void *user)
{
    (void)t;
    ++*(size_t *)user;
    for (int k = 0; k < 12; k++) f[k] = -(k + 1) * y[k] + (k > 0 ? y[k - 1] : 0);
    return 0;
}

/* Where nothing occurs in other equations than before, what was found of them serves again. */
START_TEST(starts_alike_cost_less_than_the_first)
{
    size_t calls = 0, first = 0;
    const dae_mass_form form = {.n = 12, .f = cascade, .about.user = &calls};
    double y[12];
    dae_solver *solver = solver_for(dae_problem_mass(&form), NULL);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 12; j++) y[j] = 1 + 0.1 * j + 0.01 * k;
        calls = 0;
        is_ok(solver, dae_solver_start(solver, 0, y));
        if (k == 0)
            first = calls;
        else
            ck_assert_msg(calls < first, "start %d: %zu calls, the first %zu", k + 1, calls, first);
        is_ok(solver, dae_solver_run(solver, 0.1));
    }
    dae_solver_free(solver);
}
END_TEST

/* x' = -z, 0 = z + z^3 - x - x^3, so that x and z may be any one number. Three calls from the one
 * numbered `from` have no value. */
typedef struct hindered {
    long calls, from;
} hindered;

static int has_no_value(void *user)
{
    hindered *h = user;
    h->calls++;
    return h->calls > h->from && h->calls <= h->from + 3;
}

static int hindered_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)x;
    f[0] = -z[0];
    return has_no_value(user);
}

static int hindered_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t;
    g[0] = z[0] + z[0] * z[0] * z[0] - x[0] - x[0] * x[0] * x[0];
    return has_no_value(user);
}

static int hindered_slopes(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    j[1] = -1 - 3 * x[0] * x[0];
    j[2] = -1;
    j[3] = 1 + 3 * z[0] * z[0];
    return 0;
}

/* Values that meet the equations stay, wherever in the search for others a value is missing. */
START_TEST(a_consistent_start_stays)
{
    uint64_t state = 5;
    for (long from = 0; from < 40; from++) {
        hindered h = {.from = from};
        const dae_semi_explicit_form form = {.nx = 1,
                                             .nz = 1,
                                             .f = hindered_f,
                                             .g = hindered_g,
                                             .jacobian = hindered_slopes,
                                             .about.user = &h};
        dae_options options = tolerance_of(RTOL);
        double at = 2 * scatter(&state);
        const double start[2] = {at, at};
        double y[2];
        dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), &options);
        is_ok(solver, dae_solver_start(solver, 0, start));
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        ck_assert_msg(y[0] == at && fabs(y[1] - at) < 1e-14, "from call %ld: %g, %g, not %g", from,
                      y[0], y[1], at);
        dae_solver_free(solver);
    }
}
END_TEST

/* x1' = - x2, x2' = x1, 0 = z1 - x1 - x2, 0 = z2 - x1 x2. */
static int seen_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)z, (void)user;
    f[0] = -x[1], f[1] = x[0];
    return 0;
}

static int seen_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = z[0] - x[0] - x[1], g[1] = z[1] - x[0] * x[1];
    return 0;
}

static void finds_start(const double *start, const double *wanted)
{
    const dae_semi_explicit_form form = {.nx = 2, .nz = 2, .f = seen_f, .g = seen_g};
    dae_options options = tolerance_of(RTOL);
    dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), &options);
    double y[4];
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    for (size_t j = 0; j < 4; j++)
        ck_assert_msg(fabs(y[j] - wanted[j]) < 1e-12, "%zu: %g, not %g", j, y[j], wanted[j]);
    dae_solver_free(solver);
}

/* What is not given is found from what is; algebraic values are guesses after differential ones,
 * and in front of what is missing. */
START_TEST(given_values_come_before_missing_ones)
{
    const double none = (double)NAN, wanted[4] = {2, 3, 5, 6};
    finds_start((const double[]){2, 3, none, none}, wanted);
    finds_start((const double[]){2, 3, -7, 8}, wanted);
    finds_start((const double[]){2, none, 5, none}, wanted);
    finds_start((const double[]){none, 3, none, 6}, wanted);
    finds_start((const double[]){2, none, 5, 6}, wanted);
    finds_start((const double[]){2, none, none, none}, (const double[]){2, 0, 2, 0});
}
END_TEST

/* Three cranks on two beams in a row, one more link than needed: the constraints depend on each
 * other on all of their branch, at which is looked without the initial equations. At t = 1 by the
 * motion of one pendulum. */
static const char PARALLEL[] =
    "model Parallel Real p[3, 2](start = {{sin(0.8), -cos(0.8)}, {1 + sin(0.8), -cos(0.8)},\n"
    "  {2 + sin(0.8), -cos(0.8)}}), v[3, 2](each start = 0.5*sin(0.8)), l[3], k[3];\n"
    "initial equation p[1, 1] = sin(0.8); v[1, 1] = 0.5*cos(0.8);\n"
    "equation der(p) = v;\n"
    "for i in 1:2 loop\n"
    "  der(v[1, i]) = -l[1]*p[1, i] - k[1]*(p[1, i] - p[2, i]) - k[3]*(p[1, i] - p[3, i])\n"
    "    - (if i == 2 then 9.81 else 0);\n"
    "  der(v[2, i]) = -l[2]*(p[2, i] - (if i == 1 then 1 else 0)) + k[1]*(p[1, i] - p[2, i])\n"
    "    - k[2]*(p[2, i] - p[3, i]) - (if i == 2 then 9.81 else 0);\n"
    "  der(v[3, i]) = -l[3]*(p[3, i] - (if i == 1 then 2 else 0)) + k[2]*(p[2, i] - p[3, i])\n"
    "    + k[3]*(p[1, i] - p[3, i]) - (if i == 2 then 9.81 else 0);\n"
    "end for;\n"
    "for j in 1:3 loop (p[j, 1] - (j - 1))^2 + p[j, 2]^2 = 1; end for;\n"
    "(p[1, 1] - p[2, 1])^2 + (p[1, 2] - p[2, 2])^2 = 1;\n"
    "(p[2, 1] - p[3, 1])^2 + (p[2, 2] - p[3, 2])^2 = 1;\n"
    "(p[1, 1] - p[3, 1])^2 + (p[1, 2] - p[3, 2])^2 = 4; end Parallel;";

static const char PENDULUM_ALONE[] =
    "model Alone Real a(start = 0.8, fixed = true), w(start = 0.5, fixed = true);\n"
    "equation der(a) = w; der(w) = -9.81*sin(a); end Alone;";

START_TEST(initial_equations_beside_dependent_constraints)
{
    dae_options options = tolerance_of(1e-8);
    double angle = end_of(PENDULUM_ALONE, &options, 1, "a");
    double x = end_of(PARALLEL, &options, 1, "p[3,1]");
    ck_assert_double_eq_tol(x, 2 + sin(angle), 1e-6);
}
END_TEST

/* Before t = 1 the equations have x = y, after it each its own rate. */
static const char PARTED[] =
    "model Parted Real x(start = 1), y(start = 1); equation der(x) + der(y) = -2*x;\n"
    "  der(x) + noEvent(if time < 1 then 1 else 3)*der(y) = -2*y; end Parted;";

/* Equations of index 1 where the structure misleads, and of index 0 where it does not. */
START_TEST(each_start_finds_whether_the_structure_misleads)
{
    dae_solver *solver = solver_for(problem_of(PARTED), NULL);
    const dae_stats *stats = dae_solver_stats(solver);
    for (int k = 0; k < 4; k++) {
        is_ok(solver, dae_solver_start(solver, k % 2 ? 2 : 0, NULL));
        ck_assert_int_eq(stats->index, k % 2 ? 0 : 1);
        ck_assert(k % 2 ? stats->rank_margin > 0.1 : stats->rank_margin == 0);
    }
    dae_solver_free(solver);
}
END_TEST

/* A bridge of ideal diodes without a ground: which of its equations depend on each other. Where
 * they do so in one mode alone, it is named. */
static const char FLOATING[] =
    "model Floating Real s[4], u[4], i[4], p, n, a, b, is, il(start = 0, fixed = true);\n"
    "Boolean off[4]; equation for k in 1:4 loop off[k] = s[k] < 0;\n"
    "  u[k] = if off[k] then s[k] else 0; i[k] = if off[k] then 0 else s[k]; end for;\n"
    "a - b = 10*sin(6*time + 0.3); u[1] = a - p; u[2] = b - p; u[3] = n - a; u[4] = n - b;\n"
    "is = i[1] - i[3]; i[2] - i[4] = -is; i[1] + i[2] = il; i[3] + i[4] = il;\n"
    "der(il) = p - n - il; end Floating;";

static void depends(const char *model, const char *says, const char * not )
{
    dae_solver *solver = solver_for(problem_of(model), NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, NULL), DAE_STRUCTURE);
    const char *said = dae_solver_message(solver);
    ck_assert_msg(strstr(said, says) && !strstr(said, not ), "%s", said);
    dae_solver_free(solver);
}

START_TEST(the_mode_in_which_equations_depend)
{
    depends(FLOATING, "whatever the values\n", "while");
    depends("model M Real x(start = 1, fixed = true), y, z; Boolean b = x > 0.5; equation\n"
            "der(x) = -x; y + z = x; 2*y + (if b then 2 else 3)*z = 2*x; end M;",
            "whatever the values, while b is true\n", "x > 0.5");
    depends("model M Real x(start = 1, fixed = true), y, z; equation der(x) = -x;\n"
            "y + z = x; 2*y + 2*z = 2*x; end M;",
            "whatever the values\n", "while");
}
END_TEST

/* So do many equations: a chain that contradicts itself at its ends, a grid of resistors without a
 * ground; the same ones with a sign changed, or with a ground, have one solution. */
START_TEST(many_equations_that_depend)
{
    static const char CHAIN[] =
        "model M parameter Integer n = 2000; Real x[n]; equation\n"
        "for k in 1:n - 1 loop (2 + sin(k))*(x[k] - x[k + 1]) = (2 + sin(k))*time; end for;\n"
        "x[1] %c x[n] = 1 + time; end M;";
    static const char GRID[] =
        "model M parameter Integer n = 30; Real v[n, n], q(start = 0, fixed = true);\n"
        "Real a[n - 1, n], b[n, n - 1]; equation der(q) = v[1, 1] - v[n, n];\n"
        "for i in 1:n - 1 loop for j in 1:n loop\n"
        "  (1 + i + 2*j)*a[i, j] = v[i, j] - v[i + 1, j];\n"
        "  (1 + 2*i + j)*b[j, i] = v[j, i] - v[j, i + 1]; end for; end for;\n"
        "for i in 1:n loop for j in 1:n loop\n"
        "  (if i < n then a[min(i, n - 1), j] else 0) - (if i > 1 then a[max(i - 1, 1), j] else "
        "0)\n"
        "  + (if j < n then b[i, min(j, n - 1)] else 0)\n"
        "  - (if j > 1 then b[i, max(j - 1, 1)] else 0)\n"
        "  + (if i == 1 and j == 1 then %s else 0) = if i == n and j == n then cos(q) elseif\n"
        "  i == 1 and j == 1 then -cos(q) else 0; end for; end for; end M;";
    char text[2000];
    dae_options o = dae_options_default();
    snprintf(text, sizeof text, CHAIN, '-');
    depends(text, "so that they contradict each other", "follows from");
    snprintf(text, sizeof text, CHAIN, '+');
    double all = end_of(text, &o, 1, "x[1]");
    ck_assert_double_eq_tol(all, (2 + 1999) / 2., 1e-9); /* x1 - xn = 1999, x1 + xn = 2 */
    snprintf(text, sizeof text, GRID, "0");
    depends(text, "says 0 = 0, so that one of them follows from the others", "contradict");
    snprintf(text, sizeof text, GRID, "v[1, 1]");
    ck_assert_double_eq_tol(end_of(text, &o, 0.1, "v[1,1]"), 0, 1e-9);
}
END_TEST

/* The slopes of a norm have no value at 0, where two windings begin; nothing that it depends on
 * depends on it: the currents are those of the windings by themselves. */
START_TEST(a_norm_begins_at_zero)
{
    static const char WINDINGS[] =
        "model Windings Real p(start = 0, fixed = true), q(start = 0, fixed = true), i, j%s;\n"
        "equation der(p) = 100 - 0.6*i; der(q) = -0.6*j; p = 0.1*i + 0.09*j;\n"
        "  q = 0.09*i + 0.1*j; %s end Windings;";
    char alone[500], with[500];
    dae_options o = tolerance_of(1e-8);
    snprintf(alone, sizeof alone, WINDINGS, "", "");
    snprintf(with, sizeof with, WINDINGS, ", s, h(start = 0, fixed = true)",
             "s = sqrt(i^2 + j^2); 60*der(h) = s - h;");
    double i = end_of(alone, &o, 1, "i"), j = end_of(alone, &o, 1, "j");
    ck_assert_double_eq_tol(end_of(with, &o, 1, "i"), i, 1e-5);
    ck_assert_double_eq_tol(end_of(with, &o, 1, "s"), hypot(i, j), 1e-5);
    ck_assert_double_eq(end_of(with, &o, 0, "s"), 0);
}
END_TEST

/* An initial equation gives a parameter by a discrete variable. */
START_TEST(a_parameter_by_a_discrete_variable)
{
    dae_options o = tolerance_of(1e-9);
    ck_assert_double_eq_tol(
        end_of("model M parameter Real k(fixed = false); Integer n(start = 0);\n"
               "  Real x(start = 1, fixed = true), y = k;\n"
               "initial equation pre(n) = 2; k = 3 + n*2;\n"
               "equation der(x) = -k*x; when time > 0.5 then n = pre(n) + 1; end when; end M;",
               &o, 0.4, "y"),
        7, 1e-12);
}
END_TEST

/* What a start finds of a parameter is no guess of the next one: p^3 = p - 6 t has one root at
 * t = 1, p = -2, and at t = 0 that next to the author's 0.6 is 1, next to -2 it is -1. */
START_TEST(a_found_parameter_is_forgotten)
{
    static const double TIMES[] = {0, 1, 0}, WANTED[] = {1, -2, 1};
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of("model M parameter Real p(fixed = false, start = 0.6);\n"
                              "  Real h(start = p); initial equation p^3 = p - 6*time;\n"
                              "equation der(h) = 0; end M;",
                              &o);
    for (int k = 0; k < 3; k++) {
        double y[2];
        is_ok(s, dae_solver_start(s, TIMES[k], NULL));
        is_ok(s, dae_solver_at(s, TIMES[k], y, NULL));
        for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(y[i], WANTED[k], 1e-9);
    }
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/starts", 30, a_found_parameter_is_forgotten, a_norm_begins_at_zero,
          a_parameter_by_a_discrete_variable, the_mode_in_which_equations_depend,
          many_equations_that_depend, initial_equations_beside_dependent_constraints,
          starts_of_one_solver, starts_alike_cost_less_than_the_first, a_consistent_start_stays,
          given_values_come_before_missing_ones, each_start_finds_whether_the_structure_misleads)
