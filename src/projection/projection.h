/* Projection: brings a state back to the constraints, as a step of its own after any method.
 *
 * Coordinate projection meets each level by the shortest change of its own entries, relative to
 * max(|z_j|, nominal_j), while lower entries are held (Hairer & Wanner II, Sec. VII.2; Ascher &
 * Petzold (1998), Sec. 10.3). Projection along f_z uses the direction in which multipliers act
 * (Hairer & Wanner II, VI.7, eq. (7.3)), or the algebraic directions of equations of index 1
 * (algebraic.h). Both iterate a simplified Newton method with the Jacobian of the starting point,
 * which is renewed if convergence is slow. Post-stabilisation does not iterate. It makes one
 * correction of all levels at once, or two with the same factors: z - F(z) c(z) (Ascher, Chin &
 * Reich, Numer. Math. 67 (1994) 131; Ascher & Petzold (1998), Sec. 10.2).
 *
 * After each of them, a square last level, which gives highest derivatives and algebraic variables,
 * is met to round-off. */
#ifndef PROJECTION_PROJECTION_H
#define PROJECTION_PROJECTION_H

#include "base/state.h"
#include "problem/levels.h"

typedef struct projection projection;

typedef enum projection_way {
    PROJECTION_COORDINATE,
    PROJECTION_FZ,   /* requires constraint_levels_nested() or constraint_levels_paired() */
    PROJECTION_POST, /* as PROJECTION_FZ if that is possible, else the shortest change */
    PROJECTION_POST2
} projection_way;

/* A projection onto these levels (borrowed). DAE_NO_MEMORY, DAE_SINGULAR. */
dae_status projection_create(projection **created, const constraint_levels *levels,
                             projection_way way);

/* States between the ends of steps come from polynomials that are within `accuracy` of the
 * solution, in all that is integrated and in algebraic variables, relative to max(|z_j|,
 * nominal_j). Without this call, their accuracy is not known. */
void projection_expect(projection *p, double accuracy);

/* The step (not 0) in which or at whose end the following states lie. `follows`: its polynomial
 * says nothing of algebraic variables, in spite of the expected accuracy. */
void projection_after_step(projection *p, double h, bool follows);

/* Bring a state that has been advanced back to the levels: all are met, or corrected once or twice.
 * z (levels->size) is changed in place. On failure it is as before: DAE_CONSTRAINT if the iteration
 * does not converge, DAE_NOT_EVALUABLE, DAE_SINGULAR; projection_failure() then tells where. */
dae_status projection_meet(projection *p, double t, double *z);

/* The same for a state that is only looked at. It has no effect on states met later, and does not
 * depend on states looked at before. */
dae_status projection_meet_apart(projection *p, double t, double *z);

/* The same for the end of a step at which the method has not solved the equations, so that
 * derivatives may be less exact than values. Derivatives are taken from the values, and values move
 * by no more than the constraints require. At other points this would be wrong: a remainder of an
 * iteration in a stiff direction would count as a motion along it. */
dae_status projection_meet_end(projection *p, double t, double *z);

/* The same for a state whose constrained entries have been through projection_meet(). With
 * post-stabilisation they stay as they are, and only the last level is met. It has no effect on
 * later states either. */
dae_status projection_complete(projection *p, double t, double *z);

/* Meet the last level alone, from values of the states that stay as they are, as after an event.
 * *missed is then how far the first of the other levels is missed (problem/levels.h) that is missed
 * by more than `off`, or else the worst of them: that of row *row of level *level. It has no effect
 * on later states. */
dae_status projection_settle(projection *p, double t, double *z, double off, double *missed,
                             size_t *level, size_t *row);

/* How independent the weakest constraint of the first level is, at the last state that was met: the
 * part of its gradient that is left after its components along the others are removed. 1 if
 * constraints are perpendicular to each other, 0 if one depends on others. Along f_z this is not
 * evaluated, and the result is 1. Sizes of the variables are the present ones, which costs nothing,
 * or the nominal ones, which takes another factorisation: where variables have grown, gradients
 * look alike. */
double projection_weakest(projection *p, bool by_nominal);

/* The level and the row with the largest residual at the last failure. The level is the number of
 * levels if the Jacobian had no value. */
void projection_failure(const projection *p, size_t *level, size_t *row);

/* z before the last attempt to meet the levels. */
const double *projection_failure_point(const projection *p);

void projection_free(projection *p); /* NULL is fine */

/* What its next corrections depend on. Saving forgets the order of pivots of sparse factors, as
 * restoring does. */
void projection_state(projection *p, state_visit *s);

#endif
