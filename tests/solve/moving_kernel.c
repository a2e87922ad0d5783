/* Equations of index 1 whose derivatives are left open in a direction that moves: y and y' together
 * are of index 2 then, whatever y is alone, and methods that take both as unknown keep orders of
 * that index (C. Lubich & M. Roche, Computing 43 (1990) 325; R. Marz, Acta Numerica 1 (1992) 141).
 * Where it rests nothing is lost. */
#include "solve/equations.h"

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

/* The largest error of a run; whether it was noted that the kernel moves. */
static double error_of(kernel kind, const char *name, double step, bool *noted)
{
    double start[2], y[2], at[2], slope[2];
    dae_mass_form form = {.n = 2, .f = right, .mass = mass, .about = {.user = &kind}};
    dae_options options = tolerance_of(1e-6);
    options.method = name;
    options.step = step;
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
    *noted = strstr(dae_solver_notes(solver), "leave open") != NULL;
    dae_solver_free(solver);
    return worst;
}

static const struct row {
    const char *name;
    double moving, other; /* orders */
    bool noted;           /* the estimate is made for more than the order that is left */
} ROWS[] = {{"rodas4", 2, 4, true},
            {"rodasp", 3, 4, true},
            {"rodas5p", 3, 5, true},
            {"esdirk4", 3, 4, false},
            {"radau-iia2", 3, 3, false}};

enum { COUNT = sizeof ROWS / sizeof *ROWS };

START_TEST(a_moving_kernel_costs_the_orders_of_index_2)
{
    const struct row *r = &ROWS[_i];
    for (int kind = MOVING; kind <= RESTING; kind++) {
        bool noted, again;
        double coarse = error_of((kernel)kind, r->name, END / 128, &noted);
        double fine = error_of((kernel)kind, r->name, END / 256, &again);
        double order = log2(coarse / fine), wanted = kind == MOVING ? r->moving : r->other;
        ck_assert_msg(fabs(order - wanted) < 0.35, "%s, %d: order %.2f", r->name, kind, order);
        ck_assert_msg(noted == (kind == MOVING && r->noted) && again == noted, "%s", r->name);
    }
}
END_TEST

/* First steps are of the size that a tolerance asks for, and so is the look aside. */
START_TEST(it_is_noted_with_error_control_too)
{
    bool noted;
    for (int kind = MOVING; kind <= RESTING; kind++) {
        (void)error_of((kernel)kind, "rodas4", 0, &noted);
        ck_assert(noted == (kind == MOVING));
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, a_moving_kernel_costs_the_orders_of_index_2, 0, COUNT);
    tcase_add_test(tests, it_is_noted_with_error_control_too);
    return unit_run("solve/moving_kernel", tests);
}
