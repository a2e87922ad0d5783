/* Finds rows of the catalogue by their names. */
#ifndef METHOD_CATALOGUE_H
#define METHOD_CATALOGUE_H

#include "method/method.h"
#include "method/tableau.h"

/* The row of that name or alias (`length` bytes of `name`); NULL if there is none. */
const method_row *catalogue_find(const char *name, size_t length);

/* Puts the name or alias nearest to `name` into `nearest` of `size` bytes; "" if none is near. */
void catalogue_nearest(const char *name, char *nearest, size_t size);

/* What the name of a method contains: a row, and its parameters or nodes. */

typedef struct request {
    const method_row *row;
    char name[METHOD_NAME_SIZE]; /* with the values of its parameters, without blanks */
    definitions names;           /* the parameters */
    int nodes;                   /* number of nodes of collocation(...) */
    quad node[METHOD_MOST_STAGES];
} request;

/* DAE_USAGE with a sentence that names what is wrong, and what is nearest to an unknown name. */
dae_status request_read(request *r, const char *name, message *m);

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

/* Fills stages, a, b, c for m->family, one of the above. Gauss and Radau methods have 1 to 9
 * stages, Lobatto methods 2 to 9. With more stages elimination leaves residuals above 1e-29. */
void method_fill_family(method *m, int stages);

/* The order of a method of such a family, and the largest q with C(q). */
void method_family_orders(method_family family, int stages, int *order, int *stage_order);

/* Checks nodes: returns the index of the first one that is not in [0,1] or is less than 1e-6 above
 * the one before it (the coefficients would be rounding errors); -1 if all are good. */
int method_bad_node(int stages, const quad *node);

/* Methods made from another Runge-Kutta method by a different treatment of algebraic variables.
 * Their names have "projected-" or "state-space-" before the name of the other one.
 *
 * Projected (U. M. Ascher & L. R. Petzold, SIAM J. Numer. Anal. 28 (1991) 1097; Hairer & Wanner II,
 * Sec. VII.4): the end y_1 of a step is moved along f_z onto the constraints of index 2, and z_1
 * solves their derivative there. State space (Sec. VI.1): z of each stage and of the end solves the
 * algebraic equations there, as if y' = f(y, z(y)) were integrated. */

/* The prefix that a family's names have before the name of their base: "projected-". NULL for a
 * family whose methods are not made from others. */
const char *derived_prefix(method_family family);

/* The row for a name that begins with such a prefix and has no row of its own; NULL: there is no
 * such prefix. */
const method_row *derived_row(const char *name);

/* Fills `made`, whose name and family are set, from its base, which it will own. DAE_USAGE with the
 * sentence in `m` if the base is unknown or gains nothing; DAE_NO_MEMORY. */
dae_status derived_fill(method *made, message *m);

/* Whether no stage depends on itself or a later one. */
bool method_is_explicit(const method *m);

/* Whether A is regular without its first `skip` rows and columns. */
bool method_is_regular(const method *m, int skip);

/* Rosenbrock methods: the published numbers (rosenbrock.def) and what they mean. */

/* Fills m, whose row gives the name: stages, a = (alpha_ij + gamma_ij), b, c = (alpha_i), the
 * embedded weights, and m->rosenbrock, which is allocated with malloc() and belongs to m. DAE_USAGE
 * for a name that is not in the table; DAE_NO_MEMORY. Steinebach 1995 and 2023; Hairer & Wanner,
 * Solving ODEs II, Sec. IV.7. */
dae_status method_fill_rosenbrock(method *m);

/* A method on the undamped oscillation y' = i omega y. */

/* At frequency times step omega h: the factor of a step is R(i omega h). For a multistep method,
 * and for a structural method on q'' = -omega^2 q, it is a root of the characteristic polynomial.
 * The principal root is the one that starts at 1 for omega h = 0, as exp(i omega h) does. */
typedef struct method_frequency {
    double omega;   /* times h */
    double radius;  /* the largest modulus of all roots */
    double modulus; /* of the principal root */
    double phase;   /* its argument over omega h, less 1: the part by which the phase is off */
} method_frequency;

/* Fills at[0], ..., at[count - 1] for omega h from `first` to `last`, both above 0, spaced
 * geometrically. */
void method_frequencies(const method *given, double first, double last, int count,
                        method_frequency *at);

#endif
