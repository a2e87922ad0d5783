/* A problem of the Test Set for IVP Solvers, solved once by a method of the catalogue, and what
 * that took, for instructions.py: digits, steps, rejected steps, calls of functions and of
 * Jacobians, factorisations.
 *
 *   once PROBLEM METHOD RTOL */
#include "zoo/run.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_STEPS = 1000000 };

int main(int count, char **argument)
{
    const zoo_ivp *ivp = count == 4 ? zoo_ivp_named(argument[1]) : NULL;
    if (!ivp) {
        fprintf(stderr, "usage: once PROBLEM METHOD RTOL\n");
        return 2;
    }
    zoo_outcome o;
    zoo_solve(ivp, argument[2], atof(argument[3]), MAX_STEPS, &o);
    printf("%s,%.3f,%zu,%zu,%zu,%zu,%zu\n", dae_status_word(o.status), o.digits, o.steps,
           o.rejected, o.residual_calls, o.jacobian_calls, o.factorizations);
    return o.status != DAE_OK;
}
