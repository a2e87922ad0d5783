#include "mechanisms/study.h"

#include <stdio.h>

static void explore(way by, double end)
{
    run r;
    run_row(&r, &zoo_double_pendulum, by);
    double most=0, last=0, w=0, maxpos=0; int k=0;
    while (run_step(&r, end)) {
        most = fmax(most, fabs(r.y[13]-32.373));
        if (r.t > end - 0.5) last = fmax(last, fabs(r.y[13]-32.373));
        w = fmax(w, r.frequency);
        if (k++ < 8 || k % 500 == 0) printf("   %g: th %g %g R %g %g w %g\n", r.t, r.y[2], r.y[5], r.y[12], r.y[13], r.frequency);
    }
    (void)maxpos;
    printf("%s %s %g: to %g most %g last %g w %g %.120s\n", by.method, by.formulation, by.h, r.t, most, last, w, dae_solver_message(r.solver));
    run_finish(&r);
}
void study_double_pendulum(study *s)
{
    (void)s;
    explore((way){"newmark","index3",1e-3}, 2);
    explore((way){"newmark:alpha=0.5000005,beta=0.2500006","index3",1e-3}, 10);
    explore((way){"newmark:alpha=0.5001,beta=0.2507","index3",1e-3}, 10);
    explore((way){"newmark:alpha=0.75,beta=0.390625","index3",1e-3}, 10);
    explore((way){"newmark","tangent",1e-3}, 10);
    explore((way){"fox-goodwin","tangent",5e-4}, 10);
    explore((way){"fox-goodwin","tangent",1.5e-3}, 10);
    explore((way){"fox-goodwin","tangent",1.6e-3}, 10);
    explore((way){"fox-goodwin","tangent",5e-3}, 10);
}
