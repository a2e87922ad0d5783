/* The derivative of the accelerations along the motion. */
#include "integrate/structural_parts.h"

#include <math.h>
#include <string.h>

/* The distance of the differences, as a part of the time in which something changes by its own
 * size. At this distance, differences of order 4 lose about as much to round-off as to
 * truncation. */
static const double DISTANCE = 1e-3;

static double shortest(double time, size_t n, const double *x, const double *speed,
                       const double *nominal)
{
    for (size_t k = 0; k < n; k++) {
        double size = fmax(fabs(x[k]), nominal[k]);
        if (fabs(speed[k]) * time > size) time = size / fabs(speed[k]);
    }
    return time;
}

dae_status structural_jerk(structural *e, double t, const double *q, const double *v,
                           const double *vp, double *trial, double *jerk)
{
    static const double at[] = {-2, -1, 1, 2},
                        weight[] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    size_t nq = e->nq, nv = e->nv;
    const double *nominal = e->mechanical->form->nominal;
    double *there_q = trial, *there_v = trial + nq, *there_vp = there_v + nv, *way = there_vp + nv;
    dae_status status = mechanical_kinematics(e->mechanical, t, q, v, e->rate);
    double step = status == DAE_OK ? shortest(1, nq, q, e->rate, nominal) : 1;
    step = DISTANCE * shortest(step, nv, v, vp, nominal + nq);
    memset(jerk, 0, nv * sizeof *jerk);
    for (int i = 0; i < 4 && status == DAE_OK; i++) {
        double move = at[i] * step;
        for (size_t k = 0; k < nv; k++) {
            way[k] = move * (v[k] + move / 2 * vp[k]);
            there_v[k] = v[k] + move * vp[k];
        }
        status = structural_move(e, t, move, q, way, there_q);
        if (status == DAE_OK)
            status = mechanical_accelerate(e->mechanical, t + move, there_q, there_v, there_vp,
                                           way + nv);
        for (size_t k = 0; k < nv && status == DAE_OK; k++)
            jerk[k] += weight[i] / step * there_vp[k];
    }
    return status;
}
