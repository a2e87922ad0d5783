/* The motion of coordinates over a step if they are not integrals of velocities: q' = S v. */
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
