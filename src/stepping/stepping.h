/* From attempts to an accepted step, for all engines: how long a step may be, what follows a
 * failure, when to give up. */
#ifndef INTEGRATE_STEPPING_H
#define INTEGRATE_STEPPING_H

#include "stepping/engine.h"

/* Sets the tolerances for an estimate of order q of a method of order p; see
 * control_tolerance(). */
void stepping_hold(engine *e, int estimate_order, int order, double least_exponent);

/* The same for a method that is based on differences of many points. */
void stepping_hold_differences(engine *e, int estimate_order, int order);

/* Begins. The first step is the user's, or one over which y changes by a small part of itself. */
void stepping_start(engine *e);

/* To be called after a step h to an end, whose error allows a step `factor` times as long. If one
 * end follows another, methods that choose their step seldom get no chance to do so. Without this
 * call the step would never grow beyond the shortest one that led to an end. */
void stepping_pass_end(engine *e, double h, double factor);

/* To be called if the error test of a step h fails with this size. Notes which variable makes the
 * step shorter and whether shorter steps help, for the case that the step becomes too short. */
void stepping_blame_error(engine *e, double h, double size, const double *error);

/* Whether errors stay however short the step is, after an attempt that was not accepted, and
 * algebraic variables of index 1 may be to blame. */
bool stepping_may_mend(const engine *e);

/* To be called then. `end` (n) is the end of the attempt, and `missed` (n) what Newton's iteration
 * would subtract at its start. If the start does not meet the algebraic equations, by an amount
 * that was small for the variables' sizes a step before, algebraic variables of index 1 are set to
 * their values at the end. If it meets them, it stays: errors are as large over all steps that are
 * long beside a transient. */
void stepping_mend_start(engine *e, const double *end, const double *missed);

/* For a method that looks back, after each accepted step: round_off_look_back(). */
void stepping_look_back(engine *e, double second, double third);

/* To be called when the error of an attempt is known, 1 being the limit: decides whether the
 * attempt is accepted, and chooses the next step. `keeps`: a step that would grow by no more than
 * KEEP_STEP or keep_growth keeps its length, and so its factorisation. `error`: n, in which the
 * worst variable is found. */
bool stepping_decide(engine *e, double h, double size, const double *error, double effort,
                     bool keeps, bool last);

void stepping_state(engine *e, state_visit *to);

/* Solves for algebraic variables anew, where steps that begin with them fail.
 *
 * The end of a step meets the equations up to the tolerance. With an exponential, that can be far
 * outside the region in which a simplified iteration converges, and no shorter step helps. So the
 * variables are solved for at the start of the step itself, by a damped Newton iteration with the
 * matrix F_y' / delta + F_y of each iterate. Over a short delta differential variables hardly move,
 * and all others move to where the equations hold (P. Deuflhard, Newton Methods for Nonlinear
 * Problems (2004), Sec. 3.3: natural monotonicity). */

/* Solves for e->y and e->yp at e->t. `delta` (not 0) is short compared with the step that failed.
 * Returns false and changes nothing on an index above 1, without a reserved real factorisation, if
 * the iteration fails, or if nothing moves. It also returns false if differential variables would
 * change by more than their tolerance, or if others would change by far more although their present
 * values meet the equations. The factors of that slot are lost. */
bool algebraic_start_solve(engine *e, double delta);

/* The round-off of the equations at the present state, as a change of the variables.
 *
 * A voltage that is the difference of two voltages of 300 V is known to 1e-13 V at best, whatever
 * its own size. If a tolerance asks for more, no step passes the error test and no iteration
 * converges. The noise is measured: the residual is evaluated once more with each argument changed
 * by less than its own rounding, and the linear system with the matrix of a step is solved for the
 * difference. */

/* Measures at the engine's present state with the matrix of a step h, and raises
 * e->stepping.noise (n). In variables of higher index it is scaled as in the norms of such a step.
 * DAE_UNSUPPORTED if no real factorisation is reserved; or a status of the problem. The factors of
 * that slot are lost. */
dae_status noise_measure(engine *e, double h);

/* After that: whether the noise that hinders a step is the same beside the present state and a part
 * of `later` from now, and leaves the values of variables recognisable. Then it is that of
 * equations that are badly conditioned, whatever the step, and not that of a point before which the
 * solution ends; it has been measured once more, with more samples. */
bool noise_is_everywhere(engine *e, double h, double later);

#endif
