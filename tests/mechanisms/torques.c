/* The torque sweep of the tangent-space paper, Figs 8 to 10: the trapezoid with steps of 0.1 s. */
#include "mechanisms/stiff_pendulum.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 5, LAST = 9, WAYS = 3, MOST = 2048 };

static const double STEP = 0.1, END = 200;

static const char *const formulation[WAYS] = {NULL, "index3", "tangent"};
static const char *const label[WAYS] = {"angle alone", "classical", "tangent"};

typedef struct sweep {
    double angle[MOST], force[MOST]; /* after each step; the force is the horizontal one */
    int steps;
    double most_angle, most_force;
} sweep;

static void run_sweep(sweep *w, double size, int k)
{
    run r;
    double force[2];
    *w = (sweep){0};
    pendulum_begin(&r, &size, (way){"newmark", formulation[k], STEP});
    while (w->steps < MOST && run_step(&r, END)) {
        double angle = pendulum_angle(&r);
        pendulum_reaction(&r, force);
        w->angle[w->steps] = angle;
        w->force[w->steps++] = force[0];
        w->most_angle = fmax(w->most_angle, fabs(angle));
        w->most_force = fmax(w->most_force, fabs(force[0]));
    }
    printf("  T0 = %g N m  %-11s angle %8.5f  R_x %9.3e  to %5.1f s\n", size, label[k],
           w->most_angle, w->most_force, r.t);
    if (r.status != DAE_OK) printf("%s\n", dae_solver_message(r.solver));
    run_finish(&r);
}

static double most_apart(int count, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void draw(figure *f, double size, const char *what, const sweep *of, bool force)
{
    char title[60];
    snprintf(title, sizeof title, "T0 = %g N m", size);
    figure_panel(f, title, "time [s]", what, "set key outside top center horizontal");
    for (int k = WAYS - 1; k >= 0; k--) {
        figure_curve(f, label[k]);
        for (int i = 0; i < of[k].steps; i++)
            figure_point(f, STEP * (i + 1), force ? of[k].force[i] : of[k].angle[i]);
    }
}

/* The angle is right to the end; the reaction of the classical way is lost the earlier the larger
 * the motion, and with 9 N m all is: the steps fail, or the angle grows beyond sense. */
static void judge(study *s, int size, const sweep *of)
{
    const sweep *alone = &of[0], *classical = &of[1], *tangent = &of[2];
    int all = (int)lround(END / STEP);
    study_fact(s, alone->steps == all && tangent->steps == all,
               "the angle alone and the tangent come to the end");
    double angle = most_apart(all, alone->angle, tangent->angle);
    double force = most_apart(all, alone->force, tangent->force);
    study_fact(s, angle <= 1e-3 && force <= 5e-3,
               "they agree: angles within 1e-3 rad (%.1e), reactions within 5e-3 N (%.1e)", angle,
               force);
    bool right = fabs(classical->most_angle - alone->most_angle) <= 2e-3;
    if (size <= 8)
        study_fact(s, classical->steps == all && right, "the classical way's angle is right");
    else
        study_fact(s, classical->steps < all || classical->most_angle > 100,
                   "the classical way fails: to %.1f s, angle %.3g", STEP * classical->steps,
                   classical->most_angle);
    if (size == 5)
        study_near(s, classical->most_force, alone->most_force, 0.02, "and the largest reaction");
    else
        study_fact(s, classical->most_force > 3 * alone->most_force,
                   "but the reaction is %.3g times what it should be",
                   classical->most_force / alone->most_force);
}

/* Short steps of order 4 against 113-bit values, in two formulations: T0 = 5 N m. */
static void compare(study *s)
{
    static const double reference[][4] = {
        {1, 0.05080927239395409, 0.0009210738530546576, 9.810446338198622},
        {10, 0.4549731041864268, -0.08907894691871555, 9.75648582742917},
        {50, -0.5097690539812426, -0.010365785530580743, 9.806991922132466},
        {100, -0.29436148589570227, 0.11954808414995798, 9.769836736383716}};
    run r;
    double size = 5, error = 0;
    pendulum_begin(&r, &size, (way){"fox-goodwin:corrected=1", "tangent", 0.01});
    for (int k = 0; k < 4; k++) {
        double force[2];
        while (run_step(&r, reference[k][0])) continue;
        pendulum_reaction(&r, force);
        error = fmax(error, fabs(pendulum_angle(&r) - reference[k][1]));
        error = fmax(error, fabs(force[0] - reference[k][2]));
        error = fmax(error, fabs(force[1] - reference[k][3]));
    }
    study_fact(s, r.status == DAE_OK && error < 1e-6,
               "T0 = 5 N m, corrected Fox-Goodwin, h = 0.01 s: angle and reaction are those of the "
               "reference to %.1e",
               error);
    run_finish(&r);
}

void study_torques(study *s)
{
    sweep *of = calloc(WAYS, sizeof *of);
    figure *angles = figure_begin(s, "torques-angle", 3, 2);
    figure *forces = figure_begin(s, "torques-reaction", 3, 2);
    printf("\nLarger torques, trapezoid, h = 0.1 s: the largest angle and horizontal reaction\n");
    for (int size = FIRST; of && size <= LAST; size++) {
        for (int k = 0; k < WAYS; k++) run_sweep(&of[k], size, k);
        draw(angles, size, "angle [rad]", of, false);
        draw(forces, size, "R_x [N]", of, true);
        judge(s, size, of);
    }
    figure_end(angles);
    figure_end(forces);
    free(of);
    compare(s);
}
