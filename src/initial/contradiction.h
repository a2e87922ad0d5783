/* Why no consistent start was found. */
#ifndef INITIAL_CONTRADICTION_H
#define INITIAL_CONTRADICTION_H

#include "base/message.h"
#include "initial/reduced_start.h"

/* Without what the author fixed, and without initial equations, can the equations be met? Then try
 * to lead the fixed values from there to where they are to be; success leaves the solution in r->z
 * and returns DAE_OK. Otherwise explain the failure: DAE_CONTRADICTION or DAE_NO_START. `converged`
 * says that r->z is a point in which the violations cannot be made smaller. */
dae_status initial_explain(reduced_start *r, bool converged, message *m);

/* Say that the point found is no solution, though its violations are small in nominal sizes: see
 * terms.h. */
dae_status initial_report_terms(reduced_start *r, double *violation, message *m);

#endif
