/* A problem of the Test Set in another guise: its variables in other units, or its equations and
 * variables in another order, or with other parameters; made from any row of the table. */
#ifndef TESTS_ZOO_VARIANTS_H
#define TESTS_ZOO_VARIANTS_H

#include "zoo/zoo.h"

typedef enum zoo_change { ZOO_SCALED, ZOO_PERMUTED, ZOO_OTHER, ZOO_CHANGES } zoo_change;

/* "scaled", ... */
const char *zoo_change_name(zoo_change change);

/* The same as a row: the form has a sparse pattern where that of the problem is banded or sparse.
 * Scaled and permuted ones have the problem's reference, those with other parameters none (NAN)
 * until the caller writes into zoo_variant_reference(). To be freed by zoo_variant_free(). NULL
 * where memory is out, or a problem has no other parameters. */
const zoo_ivp *zoo_variant_make(const zoo_ivp *of, zoo_change change);
void zoo_variant_free(const zoo_ivp *ivp);

/* The reference (n) and its digits. */
double *zoo_variant_reference(const zoo_ivp *ivp, double digits);

/* y and y' at t = 0; for zoo_start(). */
void zoo_variant_start(const struct zoo_variant *v, double *y, double *yp);

#endif
