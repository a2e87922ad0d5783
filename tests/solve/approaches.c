/* Solutions of C programs that come close to each other, drawn at random: x^2 = u^2 + e, with u
 * from 1 through 0, and equilibria, at tolerances that can be far too loose for e. A step may go
 * over from x > 0 to x < 0. A run that has done so says so, and one that has not does not. */
#include "solve/equations.h"

static const char *const METHODS[] = {"auto",       "bdf",     "mebdf",    "radau",
                                      "radau-iia5", "rodas5p", "kvaerno5", "esdirk4"};
enum { COUNT = sizeof METHODS / sizeof *METHODS, KINDS = 4, DRAWS = 40 };

typedef struct approach {
    int kind; /* 0: x^2 = u^2 + e; 1: the same, with what follows x; 2: x y = e, x - y = 2 u;
                 3: (x + p)^2 = u^2 + e, in an equation with u' */
    double e, rate;
} approach;

static size_t size_of(int kind)
{
    return kind == 0 ? 2 : 3;
}

static int right_side(double t, const double *y, double *f, void *user)
{
    const approach *a = user;
    double u = y[0], x = y[1];
    f[0] = a->kind == 2 ? -1 - u : -1 - 0.1 * a->rate * sin(t);
    f[1] = a->kind == 2 ? x * y[2] - a->e : x * x - u * u - a->e;
    if (a->kind == 1) f[2] = x - a->rate * y[2];
    if (a->kind == 2) f[2] = x - y[2] - 2 * u;
    if (a->kind == 3) f[2] = x - a->rate * u - y[2];
    return 0;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const approach *a = user;
    right_side(t, y, r, user);
    r[0] -= yp[0];
    if (a->kind == 1) r[2] -= yp[2];
    if (a->kind == 3) r[1] += 0.1 * (r[0] + r[2]);
    return 0;
}

static const double FIRST[] = {1, 0, 0}, FIRST_TWO[] = {1, 0, 0, 0, 0, 0, 0, 0, 1};

static dae_problem *make(approach *a, bool mass)
{
    size_t n = size_of(a->kind);
    const dae_about about = {.user = a};
    const double *m = n == 2 ? (const double[]){1, 0, 0, 0} : NULL;
    double three[9] = {0};
    three[0] = FIRST[0];
    if (n == 3) m = a->kind == 1 ? FIRST_TWO : three;
    const dae_mass_form f = {.n = n, .f = right_side, .constant_mass = m, .about = about};
    const dae_residual_form r = {.n = n, .residual = residual, .about = about};
    return mass ? dae_problem_mass(&f) : dae_problem_residual(&r);
}

typedef struct counts {
    int over, kept, stopped;
} counts;

static void one(approach *a, bool mass, double rtol, const char *method, counts *of)
{
    dae_options options = dae_options_default();
    double root = sqrt(1 + a->e), y[3] = {1, a->kind == 2 ? 1 + root : root, 1};
    if (a->kind == 2) y[2] = a->e / y[1];
    if (a->kind == 3) y[2] = y[1] - a->rate;
    options.rtol = options.atol = rtol;
    options.method = method;
    dae_solver *solver = solver_for(make(a, mass), &options);
    is_ok(solver, dae_solver_start(solver, 0, y));
    dae_status status = dae_solver_run(solver, 1.5);
    if (status == DAE_OK) {
        is_ok(solver, dae_solver_at(solver, 1.5, y, NULL));
        bool over = y[1] < -0.1,
             reported = strstr(dae_solver_notes(solver), "solutions meet") != NULL;
        ck_assert_msg(over == reported, "kind %d, e %g, %g, %s, %s: x = %g at the end, notes: %s",
                      a->kind, a->e, rtol, mass ? "mass" : "residual", method, y[1],
                      dae_solver_notes(solver));
        of->over += over;
        of->kept += !over;
    } else {
        of->stopped++;
    }
    dae_solver_free(solver);
}

START_TEST(what_goes_over_says_so)
{
    uint64_t state = 15;
    counts of = {0};
    for (int k = 0; k < DRAWS; k++) {
        approach a = {.kind = k % KINDS};
        a.e = pow(10, scatter_between(&state, -13, -1));
        a.rate = scatter_between(&state, 0, 2);
        double rtol = pow(10, -3 - (double)scatter_below(&state, 4));
        for (int m = 0; m < COUNT; m++) one(&a, scatter(&state) < 0, rtol, METHODS[m], &of);
    }
    printf("of %d runs %d went over, %d did not, %d stopped\n", DRAWS * COUNT, of.over, of.kept,
           of.stopped);
    ck_assert_int_gt(of.over, DRAWS * COUNT / 5);
    ck_assert_int_gt(of.kept, DRAWS * COUNT / 5);
}
END_TEST

static int waves(double t, const double *y, double *f, void *user)
{
    const approach *a = user;
    f[0] = -sin(t);
    f[1] = y[1] * y[1] - y[0] * y[0] - a->e;
    return 0;
}

/* However often solutions come close to each other. */
START_TEST(it_is_said_once)
{
    approach a = {.e = 1e-12};
    const dae_mass_form form = {
        .n = 2, .f = waves, .constant_mass = (const double[]){1, 0, 0, 0}, .about.user = &a};
    dae_options options = dae_options_default();
    options.rtol = options.atol = 1e-3;
    options.method = "bdf";
    const double start[2] = {1, sqrt(1 + a.e)};
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 20)); /* u passes 0 six times */
    const char *first = strstr(dae_solver_notes(solver), "solutions meet");
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(strstr(first + 1, "solutions meet"));
    dae_solver_free(solver);
}
END_TEST

/* At ends of runs no more is looked at than is cheap: many short ones show it later. */
START_TEST(many_short_runs_say_so_as_well)
{
    approach a = {.kind = 0, .e = 1e-9};
    dae_options options = dae_options_default();
    double y[2] = {1, sqrt(1 + 1e-9)};
    options.rtol = options.atol = 1e-3;
    options.method = "bdf";
    dae_solver *solver = solver_for(make(&a, false), &options);
    is_ok(solver, dae_solver_start(solver, 0, y));
    for (int k = 1; k <= 200; k++) is_ok(solver, dae_solver_run(solver, 0.01 * k));
    is_ok(solver, dae_solver_at(solver, 2, y, NULL));
    ck_assert_double_lt(y[1], -0.1);
    ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "solutions meet"));
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/approaches", 60, what_goes_over_says_so, many_short_runs_say_so_as_well,
          it_is_said_once)
