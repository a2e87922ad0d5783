/* Why no consistent start was found. */
#ifndef INITIAL_CONTRADICTION_H
#define INITIAL_CONTRADICTION_H

#include "base/message.h"
#include "initial/reduced_start.h"

/* First try to meet the equations without fixed values, and if need be without initial equations.
 * If that works, lead the fixed values from there to their own by continuation. Success leaves the
 * solution in r->z and returns DAE_OK. Otherwise explain the failure: DAE_CONTRADICTION or
 * DAE_NO_START. `converged`: r->z is a point at which the violations are smallest. */
dae_status initial_explain(reduced_start *r, bool converged, message *m);

/* Report that the point found is no solution although its violations are small in nominal sizes.
 * See terms.h. */
dae_status initial_report_terms(reduced_start *r, double *violation, message *m);

#endif
