/* The motion of coordinates over a step if they are not integrals of velocities, q' = S v, and the
 * derivative of the accelerations along it. */
#include "base/round_off.h"
#include "integrate/structural_parts.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 60 };

/* One iteration of to = q + S((q + to) / 2) way. `change` is by how much `to` changes, relative to
 * the sizes of coordinates. */
static dae_status correct(structural *e, double t, const double *q, const double *way, double *to,
                          double *change)
{
    const double *nominal = e->mechanical->form->nominal;
    for (size_t k = 0; k < e->nq; k++) e->middle[k] = q[k] + (to[k] - q[k]) / 2;
    dae_status status = mechanical_kinematics(e->mechanical, t, e->middle, way, e->rate);
    *change = 0;
    for (size_t k = 0; k < e->nq && status == DAE_OK; k++) {
        double next = q[k] + e->rate[k];
        double off = fabs(next - to[k]) / fmax(fabs(next), nominal[k]);
        if (!(off <= *change)) *change = off;
        to[k] = next;
    }
    return status;
}

/* The implicit midpoint rule with velocities held constant. It keeps the norm of quaternions, which
 * nothing but S keeps, to round-off, like all quadratic invariants (Cooper, IMA J. Numer. Anal. 7
 * (1987) 1). Because v turns within h, a step has an error of h^3, as in integrators on Lie groups
 * (Bruls, Cardona & Arnold, Mech. Mach. Theory 48 (2012) 121). This is one of those, with Cayley's
 * map. */
dae_status structural_move(structural *e, double t, double h, const double *q, const double *way,
                           double *to)
{
    double last = HUGE_VAL, change = 0;
    if (!e->mechanical->form->given.kinematics) {
        for (size_t k = 0; k < e->nq; k++) to[k] = q[k] + way[k];
        return DAE_OK;
    }
    memcpy(to, q, e->nq * sizeof *to);
    for (int i = 0; i < MOST_ITERATIONS; i++, last = change) {
        dae_status status = correct(e, t + h / 2, q, way, to, &change);
        if (status != DAE_OK) return status;
        if (change <= ROUND_OFF_VALUE) return DAE_OK;
        if (i > 1 && !(change < last)) break;
    }
    return change <= ROUND_OFF_ITERATED ? DAE_OK : DAE_NEWTON;
}

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
