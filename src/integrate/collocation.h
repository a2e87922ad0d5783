/* The engine of collocation methods with a regular matrix A: Radau IIA and its relatives.
 *
 * On F(t, y, y') = 0 the stages solve F(t + c_i h, Y_i, Y_i') = 0 with Z_i = Y_i - y and
 * Y_i' = sum_j (A^-1)_ij Z_j / h. Simplified Newton iteration on all stages at once, decoupled by
 * the eigenvectors of A^-1 into one system n x n for each eigenvalue (Butcher 1976; Bickart 1977),
 * real or complex. Error estimate, Newton tolerance and predictive step control as in RADAU5:
 * Hairer & Wanner, Solving ODEs II, 2nd ed., Sec. IV.8; there for M y' = f, here in the residual
 * form. */
#ifndef INTEGRATE_COLLOCATION_H
#define INTEGRATE_COLLOCATION_H

#include "integrate/engine.h"
#include "method/collocation_rows.h"

/* An engine for this row; problem and row are borrowed and must outlive it. DAE_NO_MEMORY, or what
 * the problem says to the reservation of its factorisations. */
dae_status collocation_create(engine **created, problem *p, const collocation_row *row,
                              const engine_options *options);

#endif
