/* Orders of convergence with constant steps and consistent start values. p is the order, q the
 * stage order, r the largest number with D(r), R the limit of the stability function at infinity.
 * All orders need |R| <= 1, because each step multiplies an error of an algebraic variable by R.
 *
 * Index 1 (Hairer & Wanner II, Thm VI.1.1): y has order p. z has order p if the method is stiffly
 * accurate; otherwise min(p, q + 1) for -1 <= R < 1 and min(p - 1, q) for R = 1.
 *
 * Index 2 (Hairer, Lubich & Roche, LNM 1409 (1989), Sec. 4; Hairer & Wanner II, Thms VII.4.5 and
 * VII.4.6): the stages leave a defect h^(q+1). Hence y has the local error h^(q+1) across the
 * constraint, and z one of h^q. For |R| < 1 neither adds up. For R = -1 the sums alternate, which
 * costs z one order if it comes from a difference. For R = 1 they grow, which costs y one order and
 * z two. Along the constraint the local error is h^(min(p, q+1)+1). A stiffly accurate method meets
 * the constraint. Then the remaining error of y has order min(p, 2q, q + r + 1), and z, a stage
 * value, has order q. If the first stage is the start of the step (Lobatto IIIA: Jay, BIT 33 (1993)
 * 137), its z is the old one, and R multiplies its error: order q for R < 1, q - 1 for R = 1. In
 * that case D(1) is more than is needed: it suffices that the errors of z in the stages cancel.
 *
 * Index 3, with multipliers that enter linearly (Hairer, Lubich & Roche, Sec. 6; Jay, Appl. Numer.
 * Math. 17 (1995) 97): stiffly accurate methods with regular A and q >= 2 have the orders min(p,
 * 2q, q + r), q, q - 1. If multipliers enter nonlinearly, positions have no more than 2q - 2.
 * Implicit Euler with a constant step has 1, 1, 1 after the first steps (Brenan & Engquist, Math.
 * Comp. 51 (1988) 659). Nothing is promised for methods whose first stage is the start of the step,
 * because multipliers pass their errors on. */
#include "method/properties.h"

#include "base/round_off.h"
#include "method/catalogue.h"
#include "method/conditions.h"
#include "method/half_explicit.h"
#include "method/multistep.h"

#include <math.h>
#include <string.h>

enum { MOST = METHOD_MOST_STAGES };

/* Solved for what F_y' determines, equations F(t, y, y') = 0 of index 1 are
 *
 *   y1' = psi(t, y, z), y2' = z, 0 = phi(t, y),
 *
 * where z is a part of y' that F leaves open. This is Hessenberg's form of index 2, with y as the
 * differential variables (C. W. Gear, SIAM J. Sci. Stat. Comput. 9 (1988) 39). A method whose
 * stages solve F = 0 alone does not see how F is written, so it has the order of y on index 2 (L.
 * R. Petzold, SIAM J. Numer. Anal. 23 (1986) 837; K. Burrage & L. R. Petzold, SIAM J. Numer. Anal.
 * 27 (1990) 447; by the trees of these equations: A. Kvaerno, Math. Comp. 54 (1990) 583). If the
 * kernel stands still, psi is linear in z with constant factors. Then y1 less these factors times
 * y2 are the differential variables of a semi-explicit form, and nothing is lost.
 *
 * A linear multistep method carries all of y'. The errors of the part in the kernel are multiplied
 * by the roots of sigma, which have to be in the unit disc (R. Marz, Acta Numerica 1 (1992) 141).
 * There is no multiplier on which a blocker could act.
 *
 * A Rosenbrock method linearises F, and with it M(t, y) of M y' = f. Up to order 3 this adds
 * nothing to the conditions of index 2. A factor S(t, y, y') in front of the equations acts by its
 * change times the residual of the stages: h times h^2 in the constraint. That is h^3 in the normal
 * direction, where errors do not add up. From order 4 on it adds conditions, and no more than 3 is
 * promised. */

/* The conditions of order 3 in y on index 2, beside those on ODEs. a_i = sum_j alpha_ij, w is the
 * inverse of alpha + gamma, and e = alpha w^2 a^2 is the change of z in the stages that g_yy causes
 * (Hairer & Wanner II, Sec. VII.5, with alpha before several branches and alpha + gamma before one:
 * C. Lubich & M. Roche, Computing 43 (1990) 325). For y itself they are b w a^2 = 1, b a e = 2/3, b
 * e^2 = 4/3; for z, at which the next step linearises, b w^2 a^2 = 2. */
static bool rosenbrock_holds_3(const method *given)
{
    const quad(*alpha)[MOST] = (const quad(*)[MOST])given->rosenbrock->alpha;
    int n = given->stages;
    stage_matrix copy, inverse;
    stage_vector one = stage_ones(n);
    memcpy(copy, given->a, sizeof copy);
    if (!(quad_invert(n, MOST, &copy[0][0], &inverse[0][0]) > 0)) return false;
    const quad(*w)[MOST] = (const quad(*)[MOST])inverse;
    stage_vector a = stage_apply(n, alpha, &one), square = stage_times(n, &a, &a);
    stage_vector once = stage_apply(n, w, &square), twice = stage_apply(n, w, &once);
    stage_vector e = stage_apply(n, alpha, &twice), mixed = stage_times(n, &a, &e);
    square = stage_times(n, &e, &e);
    return stage_sum_is(given, given->b, &once, 1) && stage_sum_is(given, given->b, &twice, 2) &&
           stage_sum_is(given, given->b, &mixed, (quad)2 / 3) &&
           stage_sum_is(given, given->b, &square, (quad)4 / 3);
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
    bool grows = multistep_radius(given->multistep, MULTISTEP_SIGMA) > 1 + ROUND_OFF_ITERATED;
    return grows ? METHOD_NO_ORDER : found->order;
}

/* Fills found->moving_kernel from its other members. */
static void moving_kernel_find(const method *given, method_properties *found)
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

/* How a step finds its algebraic variables. */
typedef enum kind {
    NOT_AT_ALL,
    FROM_STAGES,      /* A is regular */
    FROM_LATER_STAGES /* the first stage is the start, the rest is regular, the last is the end */
} kind;

static kind find_kind(const method *given, const method_properties *p)
{
    if (!(fabs(p->r_infinity) < 1 + ROUND_OFF_ITERATED)) return NOT_AT_ALL;
    if (method_is_regular(given, 0)) return FROM_STAGES;
    bool later = method_begins_at_start(given) && p->stiffly_accurate;
    return later && method_is_regular(given, 1) ? FROM_LATER_STAGES : NOT_AT_ALL;
}

/* An order of 0 means no convergence. */
static void promise(int *to, int order)
{
    *to = order > 0 ? order : METHOD_NO_ORDER;
}

static void find_index1(method_properties *found)
{
    int p = found->order, q = found->stage_order;
    bool grows = found->r_infinity > 1 - ROUND_OFF_ITERATED;
    promise(&found->index1[0], p);
    promise(&found->index1[1], found->stiffly_accurate ? p
                               : grows                 ? method_least(p - 1, q)
                                                       : method_least(p, q + 1));
}

/* Whether sum_i b_i c_i e_i = 0 for the errors e_i of z in the stages of a step, divided by h^q.
 * They solve A e = A c^q - c^(q+1) / (q+1), the defect of the stages. e_1 = e_s, because steps
 * settle to that. */
static bool stage_errors_cancel(const method *given, int q)
{
    int n = given->stages - 1;
    quad m[MOST][MOST], again[MOST][MOST], carried[MOST], made[MOST], sum = 0, size = 0;
    for (int i = 0; i < n; i++) {
        const quad *row = given->a[i + 1];
        carried[i] = -row[0];
        made[i] = -quad_power(given->c[i + 1], q + 1) / (q + 1);
        for (int j = 0; j < n; j++) {
            m[i][j] = again[i][j] = row[j + 1];
            made[i] += row[j + 1] * quad_power(given->c[j + 1], q);
        }
    }
    quad_solve(n, MOST, &m[0][0], carried);
    quad_solve(n, MOST, &again[0][0], made);
    quad end = made[n - 1] / (1 - carried[n - 1]);
    for (int i = 0; i < n; i++) {
        quad weight = given->b[i + 1] * given->c[i + 1];
        sum += weight * (carried[i] * end + made[i]);
        size += quad_abs(weight) * (quad_abs(carried[i] * end) + quad_abs(made[i]));
    }
    return quad_abs(sum) <= method_tolerance(given) * size;
}

static void find_index2(const method *given, method_properties *found, kind how)
{
    int p = found->order, q = found->stage_order, r = found->d_order;
    bool grows = found->r_infinity > 1 - ROUND_OFF_ITERATED,
         alternates = found->r_infinity < ROUND_OFF_ITERATED - 1;
    if (how == FROM_LATER_STAGES && r == 0 && !grows) r = stage_errors_cancel(given, q);
    if (found->stiffly_accurate) {
        promise(&found->index2[0], method_least(p, method_least(2 * q, q + r + 1)));
        promise(&found->index2[1], q - (how == FROM_LATER_STAGES && grows));
    } else {
        promise(&found->index2[0], method_least(p, q + !grows));
        promise(&found->index2[1], q - (grows ? 2 : alternates));
    }
}

static void find_index3(const method *given, method_properties *found, kind how)
{
    int p = found->order, q = found->stage_order, *to = found->index3;
    if (!found->stiffly_accurate || how != FROM_STAGES) return;
    if (given->stages == 1) {
        to[0] = to[1] = to[2] = 1;
    } else if (q >= 2) {
        to[0] = method_least(p, method_least(2 * q, q + found->d_order));
        to[1] = q;
        to[2] = q - 1;
    }
}

/* Rosenbrock methods on index 1, by the conditions of the trees (Hairer & Wanner II, Sec. VI.4).
 * For |R| < 1 the error of z is that of one step, and y takes it over with a factor h. */
static dae_status find_rosenbrock(const method *given, method_properties *found)
{
    tree_orders orders;
    dae_status status = trees_find(given, given->b, true, &orders);
    int p = method_least(orders.ode, orders.algebraic + 1);
    if (status != DAE_OK || !(fabs(found->r_infinity) < 1)) return status;
    promise(&found->index1[0], p);
    promise(&found->index1[1], p);
    return DAE_OK;
}

/* If the equations hold at the new point, index 1 keeps the order (Hairer & Wanner II, Sec. VI.2),
 * because the blocker acts on variables of index 2 only. On index 2 the order of z is what sigma -
 * tau leaves (Sec. VII.3; Arevalo, Fuhrer & Soderlind, BIT 36 (1996) 1). */
static void find_linear_multistep(const method *given, method_properties *found)
{
    const method_multistep *f = given->multistep;
    int p = found->order, z = f->blocked ? method_least(p, multistep_blocker_order(f)) : p;
    if (!found->stiffly_accurate) return;
    found->index1[0] = found->index1[1] = p;
    if (multistep_radius(f, MULTISTEP_SIGMA_LESS_TAU) < 1 - ROUND_OFF_ITERATED) {
        found->index2[0] = p;
        found->index2[1] = z;
    }
    if (found->r_infinity == 0)
        for (int i = 0; i < 3; i++) found->index3[i] = p;
}

/* A one-leg method solves its equations at sum beta_j y_(n+j). y follows from that by division by
 * sigma. */
static void find_multistep(const method *given, method_properties *found)
{
    if (!found->zero_stable || found->order < 1) return;
    if (given->family == METHOD_MEBDF) {
        found->index1[0] = found->index1[1] = found->index2[0] = found->order;
        found->index2[1] = found->order - 1;
    } else if (given->multistep->one_leg) {
        bool damps = found->r_infinity < 1 - ROUND_OFF_ITERATED;
        for (int i = 0; i < 2 && damps; i++) found->index1[i] = found->index2[i] = found->order;
    } else {
        find_linear_multistep(given, found);
    }
}

/* On index 1 z follows from y. On index 2 the orders of half-explicit methods come from the
 * conditions of their trees. */
static dae_status find_half_explicit(const method *given, method_properties *found)
{
    int order[2];
    dae_status status = half_explicit_orders(given, found->order, order);
    for (int i = 0; status == DAE_OK && i < 2; i++) {
        promise(&found->index1[i], found->order);
        promise(&found->index2[i], order[i]);
    }
    return status;
}

/* On index 1 z follows from y, whose order is that on y' = f(y, z(y)). On index 2 a projected
 * method has min(p, 2q, q + r + 1) in y, and z follows from y (Hairer & Wanner II, Thm VII.4.9;
 * Ascher & Petzold 1991). */
static dae_status find_derived(const method *given, method_properties *found)
{
    int p = found->order, q = found->stage_order, r = found->d_order;
    for (int i = 0; i < 2; i++) {
        promise(&found->index1[i], p);
        if (given->family == METHOD_PROJECTED)
            promise(&found->index2[i], method_least(p, method_least(2 * q, q + r + 1)));
    }
    return DAE_OK;
}

static dae_status find_orders(const method *given, method_properties *found)
{
    if (given->rosenbrock) return find_rosenbrock(given, found);
    if (given->multistep) {
        find_multistep(given, found);
        return DAE_OK;
    }
    if (given->family == METHOD_HALF_EXPLICIT) return find_half_explicit(given, found);
    if (given->base) return find_derived(given, found);
    kind how = find_kind(given, found);
    if (how == NOT_AT_ALL || found->order < 1) return DAE_OK;
    find_index1(found);
    find_index2(given, found, how);
    find_index3(given, found, how);
    return DAE_OK;
}

dae_status dae_orders_find(const method *given, method_properties *found)
{
    for (int i = 0; i < 2; i++) found->index1[i] = found->index2[i] = METHOD_NO_ORDER;
    for (int i = 0; i < 3; i++) found->index3[i] = METHOD_NO_ORDER;
    dae_status status = find_orders(given, found);
    moving_kernel_find(given, found);
    return status;
}
