/* Projection: bring a state back to the constraints, a step of its own after any method.
 *
 * Coordinate projection meets each level by the shortest change of its own entries, relative to
 * max(|z_j|, nominal_j), with the lower ones held (Hairer & Wanner II, Sec. VII.2; Ascher & Petzold
 * (1998), Sec. 10.3). Projection along f_z takes the direction in which multipliers act (Hairer &
 * Wanner II, VI.7, eq. (7.3)), or algebraic directions of equations of index 1 (algebraic.h).
 * Both iterate a simplified Newton with the Jacobian of the starting point, renewed where it
 * converges slowly. Post-stabilisation makes one correction of all levels at once, or two with the
 * same factors, and iterates nothing: z - F(z) c(z) (Ascher, Chin & Reich, Numer. Math. 67 (1994)
 * 131; Ascher & Petzold (1998), Sec. 10.2).
 *
 * In each of them a last level that is square, which gives highest derivatives and algebraic
 * variables, is met to round-off afterwards. */
#ifndef PROJECTION_PROJECTION_H
#define PROJECTION_PROJECTION_H

#include "base/state.h"
#include "problem/levels.h"

typedef struct projection projection;

typedef enum projection_way {
    PROJECTION_COORDINATE,
    PROJECTION_FZ,   /* only where constraint_levels_nested() or constraint_levels_paired() */
    PROJECTION_POST, /* as PROJECTION_FZ where that can be, else the shortest */
    PROJECTION_POST2
} projection_way;

/* A projection onto these levels (borrowed). DAE_NO_MEMORY, DAE_SINGULAR. */
dae_status projection_create(projection **created, const constraint_levels *levels,
                             projection_way way);

/* States between the ends of steps come from polynomials that are within this of the solution, in
 * all that is integrated and in algebraic variables, relative to max(|z_j|, nominal_j). Without
 * that nothing is known of them. */
void projection_expect(projection *p, double accuracy);

/* The step, not 0, that the states which follow are the end of or lie within; whether its
 * polynomial knows nothing of algebraic variables, in spite of what is expected. */
void projection_after_step(projection *p, double h, bool follows);

/* Bring a state that has been advanced back to the levels: met by all of them, or corrected once or
 * twice. z (levels->size) is changed in place; on failure it is as it was: DAE_CONSTRAINT where the
 * iteration does not converge, DAE_NOT_EVALUABLE, DAE_SINGULAR. projection_failure() then tells
 * where. */
dae_status projection_meet(projection *p, double t, double *z);

/* The same for a state that is only looked at: it leaves no trace in what is met later, and is met
 * alike whatever was looked at before. */
dae_status projection_meet_apart(projection *p, double t, double *z);

/* The same for the end of a step at which the method has not solved the equations, and whose
 * derivatives may be less exact than its values: they are taken from the values, so that these move
 * by no more than the constraints ask for. Elsewhere that would take what an iteration has left in
 * a stiff direction for a motion along it. */
dae_status projection_meet_end(projection *p, double t, double *z);

/* The same for a state whose constrained entries have been through projection_meet(): where that
 * only corrects them, they stay as they are, and the last level is met. It leaves no trace either.
 */
dae_status projection_complete(projection *p, double t, double *z);

/* How much is left of the weakest constraint of the first level, at the last state that was met,
 * when what it has in common with others is taken out: 1 where constraints are perpendicular to
 * each other, 0 where one depends on others, and where that is not looked at, along f_z, 1.
 * Relative to the present sizes of the variables, which is known anyway, or to their nominal ones,
 * which takes another factorisation: variables that have grown make gradients look alike. */
double projection_weakest(projection *p, bool by_nominal);

/* The level and the row with the largest residual of the last failure; the number of levels where
 * the Jacobian had no value. */
void projection_failure(const projection *p, size_t *level, size_t *row);

/* z before it was met last. */
const double *projection_failure_point(const projection *p);

void projection_free(projection *p); /* NULL is fine */

/* What its next corrections depend on. Saving forgets the order of pivots of sparse factors, as
 * restoring does. */
void projection_state(projection *p, state_visit *s);

#endif
