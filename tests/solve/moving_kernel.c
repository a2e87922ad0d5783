/* Equations of index 1 whose derivatives are left open in a direction that moves: y and y' together
 * are of index 2 then, whatever y is alone, and methods that take both as unknown keep orders of
 * that index (C. Lubich & M. Roche, Computing 43 (1990) 325; R. Marz, Acta Numerica 1 (1992) 141).
 * Where it rests nothing is lost. */
#include "solve/equations.h"

#include <stdio.h>
#include <string.h>

/* M(t) of two unknowns. MOVING: (c s; 0 0) with the cosine and sine of t, whose kernel turns;
 * REGULAR: the rotation of t, which has none; RESTING: (p -p; 0 0), the kernel of which is (1, 1),
 * with p = 2 + sin t. */
typedef enum kernel { MOVING, REGULAR, RESTING } kernel;

static const double END = 3;

static void exact(double t, double *y, double *yp)
{
    y[0] = 2 + sin(t), y[1] = cos(2 * t);
    yp[0] = cos(t), yp[1] = -2 * sin(2 * t);
}

static int mass(double t, const double *y, double *m, void *user)
{
    (void)y;
    kernel kind = *(const kernel *)user;
    double c = cos(t), s = sin(t), p = 2 + s;
    m[0] = kind == RESTING ? p : c;
    m[2] = kind == RESTING ? -p : s;
    m[1] = kind == REGULAR ? -s : 0;
    m[3] = kind == REGULAR ? c : 0;
    return 0;
}

static double force(const double *y)
{
    return sin(y[1]) - 0.3 * y[0] * y[0];
}

/* M y' less what the solution makes of both sides; the second equation holds what M leaves open. */
static int right(double t, const double *y, double *f, void *user)
{
    double c = cos(t), s = sin(t), m[4], at[2], slope[2];
    exact(t, at, slope);
    mass(t, y, m, user);
    double d0 = y[0] - at[0], d1 = y[1] - at[1];
    f[0] = m[0] * slope[0] + m[2] * slope[1] + force(y) - force(at);
    f[1] = m[1] * slope[0] + m[3] * slope[1];
    f[1] += *(const kernel *)user == RESTING ? d0 + 2 * d1 : c * d1 - s * d0;
    return 0;
}

/* The largest error of a run; its notes (400 bytes). */
static double error_of(kernel kind, const char *name, double step, char *noted)
{
    double start[2], y[2], at[2], slope[2];
    dae_mass_form form = {.n = 2, .f = right, .mass = mass, .about = {.user = &kind}};
    dae_options options = tolerance_of(1e-6);
    options.method = name;
    options.step = step;
    options.formulation = "direct";
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    exact(0, start, slope);
    is_ok(solver, dae_solver_start(solver, 0, start));
    double worst = 0, t = 0;
    while (t < END) {
        is_ok(solver, dae_solver_step(solver, END));
        t = dae_solver_time(solver);
        is_ok(solver, dae_solver_at(solver, t, y, NULL));
        exact(t, at, slope);
        worst = fmax(worst, fmax(fabs(y[0] - at[0]), fabs(y[1] - at[1])));
    }
    snprintf(noted, 400, "%s", dae_solver_notes(solver));
    dae_solver_free(solver);
    return worst;
}

static const struct row {
    const char *name;
    double moving, other; /* orders */
    const char *noted;    /* NULL: nothing is lost */
} ROWS[] = {{"rodas4", 2, 4, "rodas4 is of order 2 in place of 4"},
            {"rodasp", 3, 4, "rodasp is of order 2 in place of 4"}, /* here M is of t alone */
            {"rodas5p", 3, 5, "rodas5p is of order 3 in place of 5"},
            {"esdirk4", 3, 4, "esdirk4 is of order 3 in place of 4"},
            {"kvaerno4", 4, 4, NULL},
            {"kvaerno5", 3, 5, "kvaerno5 is of order 3 in place of 5"},
            {"sdirk-hw16", 2, 4, "sdirk-hw16 is of order 2 in place of 4"},
            {"implicit-midpoint", 2, 2, NULL},
            {"trapezoidal", 2, 2, NULL},
            {"lobatto-iiia3", 4, 4, NULL},
            {"lobatto-iiic3", 4, 4, NULL},
            {"two-step", 2, 2, NULL},
            {"one-leg-two-step", 2, 2, NULL},
            {"dcbdf1", 2, 2, NULL},
            {"bdf3", 3, 3, NULL},
            {"radau-iia2", 3, 3, NULL}};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

START_TEST(a_moving_kernel_costs_the_orders_of_index_2)
{
    const struct row *r = &ROWS[_i];
    for (int kind = MOVING; kind <= RESTING; kind++) {
        char noted[400], again[400];
        double coarse = error_of((kernel)kind, r->name, END / 256, noted);
        double fine = error_of((kernel)kind, r->name, END / 512, again);
        double order = log2(coarse / fine), wanted = kind == MOVING ? r->moving : r->other;
        ck_assert_msg(fabs(order - wanted) < 0.35, "%s, %d: order %.2f", r->name, kind, order);
        ck_assert_str_eq(noted, again);
        if (kind == MOVING && r->noted)
            ck_assert_msg(strstr(noted, r->noted) != NULL, "%s: %s", r->name, noted);
        else
            ck_assert_msg(!strstr(noted, "leave open"), "%s, %d: %s", r->name, kind, noted);
    }
}
END_TEST

/* The status of a run, with its sentence. */
static dae_status status_of(kernel kind, const char *name, char *sentence, size_t size)
{
    double start[2], slope[2];
    dae_mass_form form = {.n = 2, .f = right, .mass = mass, .about = {.user = &kind}};
    dae_options options = tolerance_of(1e-6);
    options.method = name;
    options.step = END / 512;
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    exact(0, start, slope);
    dae_status status = dae_solver_start(solver, 0, start);
    if (status == DAE_OK) status = dae_solver_run(solver, END);
    snprintf(sentence, size, "%s", dae_solver_message(solver));
    dae_solver_free(solver);
    return status;
}

/* Errors of y' in the kernel grow by the roots of sigma, and go into y where it moves. They are
 * taken from y where it rests, and where there is none the method is as on any ODE. */
START_TEST(what_diverges_is_refused)
{
    static const char *const names[] = {
        "adams-moulton2", "adams-moulton5",   "milne",
        "dcbdf2",         "dcbdf5-unblocked", "blocked-adams-moulton3"};
    char sentence[600];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        ck_assert_int_eq(status_of(MOVING, names[k], sentence, sizeof sentence), DAE_UNSUPPORTED);
        ck_assert_msg(strstr(sentence, "leave open change") && strstr(sentence, "sigma"), "%s",
                      sentence);
        for (int kind = REGULAR; kind <= RESTING; kind++) {
            char unused[400];
            double coarse = error_of((kernel)kind, names[k], END / 256, unused);
            double fine = error_of((kernel)kind, names[k], END / 512, unused);
            ck_assert_msg(fine < coarse / 6, "%s, %d: %.1e after %.1e", names[k], kind, fine,
                          coarse);
        }
    }
}
END_TEST

/* Values between the points say nothing of what is open, whether that moves or not. */
START_TEST(one_leg_methods_with_roots_outside_are_refused_where_something_is_open)
{
    char sentence[600];
    const char *name = "one-leg-adams-moulton2";
    ck_assert_int_eq(status_of(MOVING, name, sentence, sizeof sentence), DAE_UNSUPPORTED);
    ck_assert_int_eq(status_of(RESTING, name, sentence, sizeof sentence), DAE_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(sentence, "do not lessen the errors"));
    ck_assert_int_eq(status_of(REGULAR, name, sentence, sizeof sentence), DAE_OK);
}
END_TEST

/* First steps are of the size that a tolerance asks for, and so is the look aside. */
START_TEST(it_is_noted_with_error_control_too)
{
    char noted[400];
    for (int kind = MOVING; kind <= RESTING; kind++) {
        (void)error_of((kernel)kind, "rodas4", 0, noted);
        ck_assert((strstr(noted, "less accurate than the tolerance") != NULL) == (kind == MOVING));
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    unit_loop(tests, a_moving_kernel_costs_the_orders_of_index_2, 0, COUNT);
    tcase_add_test(tests, what_diverges_is_refused);
    tcase_add_test(tests, one_leg_methods_with_roots_outside_are_refused_where_something_is_open);
    tcase_add_test(tests, it_is_noted_with_error_control_too);
    return unit_run("solve/moving_kernel", tests);
}
