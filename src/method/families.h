/* The families whose numbers follow from their defining conditions. With nodes c and weights b of a
 * quadrature formula of Gauss, Radau or Lobatto (Hairer & Wanner, Solving ODEs II, 2nd ed.,
 * Sec. IV.5):
 *
 *   C(q)  sum_j a_ij c_j^(k-1) = c_i^k / k,                   k = 1 ... q, each i
 *   D(r)  sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k,     k = 1 ... r, each j
 *
 *   Gauss, Radau IIA, Lobatto IIIA   C(s): collocation
 *   Radau IA, Lobatto IIIB           D(s)
 *   Lobatto IIIC                     a_i1 = b_1 and C(s-1)
 *   Lobatto IIIC*                    a_is = 0 and C(s-1) */
#ifndef METHOD_FAMILIES_H
#define METHOD_FAMILIES_H

#include "method/method.h"

/* Fills stages, a, b, c for m->family, one of the above. Gauss and Radau methods have 1 to 9
 * stages, Lobatto methods 2 to 9. With more stages elimination leaves residuals above 1e-29. */
void method_fill_family(method *m, int stages);

/* The order of a method of such a family, and the largest q with C(q). */
void method_family_orders(method_family family, int stages, int *order, int *stage_order);

/* Checks nodes: returns the index of the first one that is not in [0,1] or is less than 1e-6 above
 * the one before it (the coefficients would be rounding errors); -1 if all are good. */
int method_bad_node(int stages, const quad *node);

#endif
