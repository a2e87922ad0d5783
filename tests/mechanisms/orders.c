#include "mechanisms/study.h"
#include <stdio.h>
void study_orders(study *s)
{
    (void)s;
    for (int c = 0; c < 2; c++)
    for (int k = 0; k < 6; k++) {
        run r; double h = 0.05 / (1 << k); double e[3]={0}; zoo_motion m;
        run_row(&r, &zoo_pendulum, (way){c ? "fox-goodwin:corrected=1" : "fox-goodwin", "tangent", h});
        while (run_step(&r, 2)) {
            zoo_pendulum.exact(r.t, &m);
            for (int i = 0; i < 2; i++) { e[0]=fmax(e[0],fabs(r.y[i]-m.q[i])); e[1]=fmax(e[1],fabs(r.y[2+i]-m.v[i])); }
            e[2]=fmax(e[2],fabs(r.y[4]-m.lambda[0]));
        }
        printf("%g: %g %g %g\n", h, e[0], e[1], e[2]);
        run_finish(&r);
    }
    double B[2] = {0.32845811154081538, 0.94451853817860096};
    for (int c = 0; c < 2; c++)
    for (int k = 0; k < 4; k++) {
        run r; double h = 0.05 / (1 << k); double e=0, e0=0;
        run_row(&r, &zoo_double_four_bar, (way){c ? "fox-goodwin:corrected=1" : "fox-goodwin", "tangent", h});
        while (run_step(&r, 10)) {
            double en=0; for (int i=0;i<15;i++) en += (i%3==2 ? 1/24.0: .5)*r.y[15+i]*r.y[15+i];
            for (int i=0;i<5;i++) en += 9.81*r.y[3*i+1];
            if (e0==0) e0=35.835;
            e=fmax(e,fabs(en-e0));
        }
        printf("%d %g: to %g B0 %g %g energy %g %s\n", c, h, r.t, 2*r.y[0]-B[0], 2*r.y[1]-B[1], e, dae_solver_message(r.solver));
        run_finish(&r);
    }
}
