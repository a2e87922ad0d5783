/* Orders of convergence with constant steps and consistent start values. p is the order, q the
 * stage order, r the largest number of D(r), R the limit of the stability function. All need |R| <=
 * 1: an error of an algebraic variable is multiplied by R in each step.
 *
 * Index 1 (Hairer & Wanner II, Thm VI.1.1): y of order p; z of order p where stiffly accurate,
 * else min(p, q + 1) for -1 <= R < 1 and min(p - 1, q) for R = 1.
 *
 * Index 2 (Hairer, Lubich & Roche, LNM 1409 (1989), Sec. 4; Hairer & Wanner II, Thms VII.4.5 and
 * VII.4.6): the stages leave a defect h^(q+1), hence y has the local error h^(q+1) across the
 * constraint and z one of h^q. Neither is added up for |R| < 1; with R = -1 the sums alternate,
 * which costs z one order where it is had from a difference, and with R = 1 they grow, which costs
 * y one and z two. Along the constraint the local error is h^(min(p, q+1)+1). A stiffly accurate
 * method meets the constraint; what is left of y is of order min(p, 2q, q + r + 1), and z, a stage
 * value, of order q. Where the first stage is the start of the step (Lobatto IIIA: Jay, BIT 33
 * (1993) 137), z of it is the old one and R multiplies its error: order q for R < 1, q - 1 for R =
 * 1.
 *
 * Index 3 (Hairer, Lubich & Roche, Sec. 6; Jay, Appl. Numer. Math. 17 (1995) 97): stiffly accurate
 * methods with regular A and q >= 2: min(p, 2q, q + r + 1), q, q - 1. Implicit Euler with a
 * constant step: 1, 1, 1 after the first steps (Brenan & Engquist, Math. Comp. 51 (1988) 659). */
#include "method/dae_orders.h"

#include "method/conditions.h"
#include "method/trees.h"

#include <math.h>

/* How the algebraic variables of a step are had. */
typedef enum kind {
    NOT_AT_ALL,
    FROM_STAGES,      /* A is regular */
    FROM_LATER_STAGES /* the first stage is the start, the rest regular, the last is the end */
} kind;

/* Whether A without its first `skip` rows and columns is regular. */
static bool is_regular(const method *given, int skip)
{
    int n = given->stages - skip;
    quad m[METHOD_MOST_STAGES][METHOD_MOST_STAGES], x[METHOD_MOST_STAGES] = {0}, largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i][j] = given->a[i + skip][j + skip];
            largest = quad_max(largest, quad_abs(m[i][j]));
        }
    if (n == 0) return false;
    return quad_solve(n, METHOD_MOST_STAGES, &m[0][0], x) > method_tolerance(given) * largest;
}

static kind find_kind(const method *given, const method_properties *p)
{
    if (!(fabs(p->r_infinity) <= 1 + (double)method_tolerance(given))) return NOT_AT_ALL;
    if (is_regular(given, 0)) return FROM_STAGES;
    for (int j = 0; j < given->stages; j++)
        if (given->a[0][j] != 0) return NOT_AT_ALL;
    return p->stiffly_accurate && is_regular(given, 1) ? FROM_LATER_STAGES : NOT_AT_ALL;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* An order of 0 is no convergence. */
static void promise(int *to, int order)
{
    *to = order > 0 ? order : METHOD_NO_ORDER;
}

static void find_index1(method_properties *found, bool grows)
{
    int p = found->order, q = found->stage_order;
    promise(&found->index1[0], p);
    promise(&found->index1[1], found->stiffly_accurate ? p
                               : grows                 ? least(p - 1, q)
                                                       : least(p, q + 1));
}

static int order_on_constraint(const method_properties *found)
{
    int q = found->stage_order;
    return least(found->order, least(2 * q, q + found->d_order + 1));
}

static void find_index2(method_properties *found, kind how, bool grows, bool alternates)
{
    int p = found->order, q = found->stage_order, y, z;
    if (how == FROM_LATER_STAGES) {
        y = order_on_constraint(found);
        z = q - grows;
    } else if (found->stiffly_accurate) {
        y = order_on_constraint(found);
        z = q;
    } else {
        y = least(p, q + !grows);
        z = q - (grows ? 2 : alternates);
    }
    promise(&found->index2[0], y);
    promise(&found->index2[1], z);
}

static void find_index3(const method *given, method_properties *found, kind how)
{
    if (how != FROM_STAGES || !found->stiffly_accurate) return;
    int *to = found->index3, q = found->stage_order;
    if (given->stages == 1) {
        to[0] = to[1] = to[2] = 1;
    } else if (q >= 2) {
        to[0] = order_on_constraint(found);
        to[1] = q;
        to[2] = q - 1;
    }
}

/* Rosenbrock methods on index 1 by the conditions of the trees (Hairer & Wanner II, Sec. VI.4): z
 * errs by what one step leaves, for |R| < 1, and passes it on to y with a factor h. */
static dae_status find_rosenbrock(const method *given, method_properties *found)
{
    tree_orders orders;
    dae_status status = trees_find(given, given->b, true, &orders);
    int p = least(orders.ode, orders.algebraic + 1);
    if (status != DAE_OK || !(fabs(found->r_infinity) < 1)) return status;
    promise(&found->index1[0], p);
    promise(&found->index1[1], p);
    return DAE_OK;
}

dae_status dae_orders_find(const method *given, method_properties *found)
{
    const double round_off = (double)method_tolerance(given) + DBL_EPSILON;
    for (int i = 0; i < 2; i++) found->index1[i] = found->index2[i] = METHOD_NO_ORDER;
    for (int i = 0; i < 3; i++) found->index3[i] = METHOD_NO_ORDER;
    if (given->rosenbrock) return find_rosenbrock(given, found);
    kind how = find_kind(given, found);
    if (how == NOT_AT_ALL || found->order < 1) return DAE_OK;
    bool grows = found->r_infinity > 1 - round_off;
    bool alternates = found->r_infinity < -1 + round_off;
    find_index1(found, grows);
    find_index2(found, how, grows, alternates);
    find_index3(given, found, how);
    return DAE_OK;
}
