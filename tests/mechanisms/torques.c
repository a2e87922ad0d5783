/* The torque sweep of the tangent-space paper, Figs 8 to 10: the trapezoid with steps of 0.1 s. */
#include "mechanisms/stiff_pendulum.h"

#include <stdio.h>

enum { SIZES = 5, WAYS = 3, MOST = 4096 };

static const double STEP = 0.1, END = 200;

typedef struct sweep {
    double angle[MOST], force[MOST][2]; /* after each step */
    int steps;
    double most_angle, most_force;
    char message[200];
} sweep;

static void run_sweep(sweep *w, double size, const char *formulation)
{
    run r;
    w->steps = 0;
    w->most_angle = w->most_force = 0;
    pendulum_begin(&r, &size, (way){"newmark", formulation, STEP});
    while (w->steps < MOST && run_step(&r, END)) {
        double *force = w->force[w->steps];
        w->angle[w->steps] = pendulum_angle(&r);
        pendulum_reaction(&r, force);
        w->most_angle = fmax(w->most_angle, fabs(pendulum_angle(&r)));
        w->most_force = fmax(w->most_force, fabs(force[0]));
        w->steps++;
    }
    snprintf(w->message, sizeof w->message, "%.150s", dae_solver_message(r.solver));
    run_finish(&r);
}
static sweep of[3];
void study_torques(study *s)
{
    static const char *const formulation[] = {NULL, "index3", "tangent"};
    (void)s;
    for (int size = 5; size <= 9; size++) {
        for (int k = 0; k < 3; k++) {
            run_sweep(&of[k], size, formulation[k]);
            printf("%d %s %d %g %g %s\n", size, formulation[k], of[k].steps, of[k].most_angle, of[k].most_force, of[k].message);
        }
        for (int k = 0; k < of[1].steps; k += 97) printf("%d: angle %g %g %g force %g %g %g\n", k, of[0].angle[k], of[1].angle[k]-of[0].angle[k], of[2].angle[k]-of[0].angle[k], of[0].force[k][0], of[1].force[k][0]-of[0].force[k][0],of[2].force[k][0]-of[0].force[k][0]);
    }
}
