/* Solved for what F_y' determines, equations F(t, y, y') = 0 of index 1 are
 *
 *   y1' = psi(t, y, z), y2' = z, 0 = phi(t, y),
 *
 * with z a part of y' that F leaves open: Hessenberg's form of index 2, of which y are the
 * differential variables (C. W. Gear, SIAM J. Sci. Stat. Comput. 9 (1988) 39). A method that takes
 * stages from F = 0 alone does not see in which way F is written, and so has the order of y on
 * index 2 (L. R. Petzold, SIAM J. Numer. Anal. 23 (1986) 837; K. Burrage & L. R. Petzold, SIAM J.
 * Numer. Anal. 27 (1990) 447; by the trees of these equations: A. Kvaerno, Math. Comp. 54 (1990)
 * 583). Where the kernel stands still, psi is linear in z with constant factors, y1 less these
 * times y2 are the differential variables of a semi-explicit form, and nothing is lost.
 *
 * A linear multistep method carries all of y', of which the part in the kernel errs by the roots of
 * sigma: they have to be in the unit disc (R. Marz, Acta Numerica 1 (1992) 141). There is no
 * multiplier that a blocker could act on.
 *
 * A Rosenbrock method linearises F, and with M(t, y) that of M y' = f. Up to order 3 that adds
 * nothing to the conditions of index 2: a factor S(t, y, y') before the equations acts by its
 * change times what the stages miss of them, h times h^2 in the constraint and so h^3 in the normal
 * direction, where errors do not add up. From order 4 on it does, and no more than 3 is promised.
 */
#include "method/moving_kernel.h"

#include "method/conditions.h"
#include "method/multistep.h"

#include <math.h>

enum { MOST = METHOD_MOST_STAGES };

/* A limit that is 1 may be off by so much. */
#define ROUND_OFF 1e-12

/* A vector over the stages, with the sum of the sizes of what was added up to each component. */
typedef struct vector {
    quad value[MOST], size[MOST];
} vector;

static vector apply(int n, quad (*m)[MOST], const vector *x)
{
    vector v;
    for (int i = 0; i < n; i++) {
        v.value[i] = v.size[i] = 0;
        for (int j = 0; j < n; j++) {
            v.value[i] += m[i][j] * x->value[j];
            v.size[i] += quad_abs(m[i][j]) * x->size[j];
        }
    }
    return v;
}

static vector times(int n, const vector *x, const vector *y)
{
    vector v;
    for (int i = 0; i < n; i++) {
        v.value[i] = x->value[i] * y->value[i];
        v.size[i] = x->size[i] * y->size[i];
    }
    return v;
}

static bool gives(const method *given, const vector *phi, quad wanted)
{
    quad sum = -wanted, size = wanted;
    for (int i = 0; i < given->stages; i++) {
        sum += given->b[i] * phi->value[i];
        size += quad_abs(given->b[i]) * phi->size[i];
    }
    return quad_abs(sum) <= method_tolerance(given) * size;
}

/* The conditions of order 3 in y on index 2 beside those on ODEs, with a_i = sum_j alpha_ij, w the
 * inverse of alpha + gamma and e = alpha w^2 a^2, the change of z in the stages that g_yy makes
 * (Hairer & Wanner II, Sec. VII.5, with alpha before several branches and alpha + gamma before one:
 * C. Lubich & M. Roche, Computing 43 (1990) 325): of y itself b w a^2 = 1, b a e = 2/3, b e^2 =
 * 4/3; and of z, which the next step linearises at, b w^2 a^2 = 2. */
static bool rosenbrock_holds_3(const method *given)
{
    const method_rosenbrock *r = given->rosenbrock;
    int n = given->stages;
    quad alpha[MOST][MOST], copy[MOST][MOST], inverse[MOST][MOST];
    vector one, a, square, once, twice, e, mixed;
    for (int i = 0; i < n; i++) {
        one.value[i] = one.size[i] = 1;
        for (int j = 0; j < n; j++) copy[i][j] = given->a[i][j], alpha[i][j] = r->alpha[i][j];
    }
    if (!(quad_invert(n, MOST, &copy[0][0], &inverse[0][0]) > 0)) return false;
    a = apply(n, alpha, &one);
    square = times(n, &a, &a);
    once = apply(n, inverse, &square);
    twice = apply(n, inverse, &once);
    e = apply(n, alpha, &twice);
    mixed = times(n, &a, &e);
    square = times(n, &e, &e);
    return gives(given, &once, 1) && gives(given, &twice, 2) && gives(given, &mixed, (quad)2 / 3) &&
           gives(given, &square, (quad)4 / 3);
}

static int of_rosenbrock(const method *given, const method_properties *found)
{
    if (found->index1[0] == METHOD_NO_ORDER) return METHOD_NO_ORDER;
    if (found->order < 3) return found->order;
    return rosenbrock_holds_3(given) ? 3 : 2;
}

static int of_multistep(const method *given, const method_properties *found)
{
    if (found->index1[0] == METHOD_NO_ORDER) return METHOD_NO_ORDER;
    if (given->family == METHOD_MEBDF || given->multistep->one_leg) return found->index2[0];
    bool grows = multistep_radius(given->multistep, MULTISTEP_SIGMA) > 1 + ROUND_OFF;
    return grows ? METHOD_NO_ORDER : found->order;
}

void moving_kernel_find(const method *given, method_properties *found)
{
    if (given->base || given->family == METHOD_HALF_EXPLICIT) /* they find y' from y */
        found->moving_kernel = METHOD_NO_ORDER;
    else if (given->rosenbrock)
        found->moving_kernel = of_rosenbrock(given, found);
    else if (given->multistep)
        found->moving_kernel = of_multistep(given, found);
    else
        found->moving_kernel = found->index2[0];
}
