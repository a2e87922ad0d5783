#include "method/properties.h"

#include "base/round_off.h"
#include "method/conditions.h"
#include "method/multistep.h"
#include "method/structural.h"
#include "method/tabulated.h"

#include <math.h>

static bool nodes_coincide(const method *given)
{
    for (int i = 0; i < given->stages; i++)
        for (int j = 0; j < i; j++)
            if (method_is_near(given, given->c[i], given->c[j])) return true;
    return false;
}

dae_status method_order(const method *given, int *order)
{
    tree_orders found;
    if (given->multistep || given->structural) {
        *order = given->multistep ? multistep_order(given->multistep)
                                  : structural_order(given->structural, true);
        return DAE_OK;
    }
    dae_status status = trees_find(given, given->b, false, &found);
    *order = found.ode;
    return status;
}

static void find_stability(const method *given, method_properties *found)
{
    stability_function r;
    stability_find(given, &r);
    found->error_constant = r.error_constant;
    found->r_infinity = stability_at_infinity(&r);
    found->alpha_degrees = stability_angle(&r);
    found->a_stable = found->alpha_degrees >= 90;
    found->l_stable = found->a_stable && found->r_infinity == 0;
    found->algebraically_stable = algebraic_is_stable(given);
    if (!given->rosenbrock && !nodes_coincide(given))
        found->an_stable = found->algebraically_stable;
}

/* For mebdf the roots of sigma are not those at infinity: there, all three of its equations are
 * solved by values alone, and every root is 0. */
static void find_multistep_stability(const method *given, method_properties *found)
{
    const method_multistep *f = given->multistep;
    bool extended = given->family == METHOD_MEBDF;
    characteristic of;
    characteristic_find(given, &of);
    found->zero_stable = multistep_is_zero_stable(f);
    found->r_infinity = extended ? 0 : multistep_radius(f, MULTISTEP_SIGMA);
    found->a_stable = !extended && found->zero_stable && characteristic_is_a_stable(f);
    found->l_stable = found->a_stable && found->r_infinity == 0;
    found->alpha_degrees = found->a_stable      ? 90
                           : found->zero_stable ? fmin(characteristic_angle(&of), nextafter(90, 0))
                                                : 0;
}

static void find_multistep(const method *given, method_properties *found)
{
    const method_multistep *f = given->multistep;
    bool two_errors = f->one_leg || given->family == METHOD_MEBDF;
    found->order = multistep_order(f);
    found->stiffly_accurate = method_is_stiffly_accurate(given);
    if (!two_errors) found->error_constant = multistep_error_constant(f);
    if (given->family != METHOD_MEBDF) found->barrier = multistep_barrier(f);
    find_multistep_stability(given, found);
}

/* A constraint leaves factors for the multipliers. Factors of modulus 1 keep the multipliers from
 * converging, larger ones the motion as well (Arnold & Bruls 2007, Sec. 3; Lunk & Simeon, ZAMM 86
 * (2006) 772). With a constraint on accelerations the multipliers follow from the motion. */
static void find_constrained(const method_structural *s, method_properties *found)
{
    int *const orders[] = {found->index1, found->index2, found->index3};
    int order = structural_order(s, false);
    for (int level = 1; level <= 3; level++) {
        double radius = structural_radius_at_infinity(s, level);
        int last = level == 3 ? 2 : 1;
        for (int k = 0; k < last; k++)
            orders[level - 1][k] = radius <= 1 + ROUND_OFF_ITERATED ? order : METHOD_NO_ORDER;
        bool keeps = level > 1 && radius > 1 - ROUND_OFF_ITERATED;
        orders[level - 1][last] = keeps ? METHOD_NO_ORDER : orders[level - 1][0];
    }
}

static void find_structural(const method_structural *s, method_properties *found)
{
    found->second_order = true;
    found->order = structural_order(s, true);
    found->stiffly_accurate = true;
    found->r_infinity = structural_radius_at_infinity(s, 3);
    found->zero_stable = 2 * s->alpha_m < 1;
    found->a_stable = isinf(structural_limit(s, 0));
    found->l_stable = found->a_stable && found->r_infinity == 0;
    found->alpha_degrees = found->a_stable ? 90 : 0;
    find_constrained(s, found);
}

dae_status method_properties_find(const method *given, method_properties *found)
{
    if (tabulated_read(given->name, TABULATED_PROPERTIES, found, sizeof *found)) return DAE_OK;
    return method_properties_compute(given, found);
}

dae_status method_properties_compute(const method *given, method_properties *found)
{
    tree_orders embedded = {.ode = METHOD_NO_ORDER};
    *found = (method_properties){.stage_order = METHOD_NO_ORDER,
                                 .d_order = METHOD_NO_ORDER,
                                 .embedded_order = METHOD_NO_ORDER,
                                 .error_constant = HUGE_VAL,
                                 .zero_stable = true,
                                 .an_stable = -1,
                                 .barrier = METHOD_NO_ORDER};
    if (given->multistep) {
        find_multistep(given, found);
        return dae_orders_find(given, found);
    }
    if (given->structural) {
        find_structural(given->structural, found);
        found->moving_kernel = METHOD_NO_ORDER;
        return DAE_OK;
    }
    dae_status status = method_order(given, &found->order);
    if (status == DAE_OK && given->estimators)
        status = trees_find(given, given->b_hat[0], false, &embedded);
    if (status != DAE_OK) return status;
    found->embedded_order = embedded.ode;
    found->stage_order = method_least(method_holds(given, METHOD_C), method_holds(given, METHOD_B));
    found->d_order = method_holds(given, METHOD_D);
    found->stiffly_accurate = method_is_stiffly_accurate(given);
    for (int i = 0; given->estimators && i < given->stages; i++)
        if (method_stage_gives(given, i, given->b_hat[0])) found->estimator_stiffly_accurate = true;
    find_stability(given, found);
    return dae_orders_find(given, found);
}

/* For a Runge-Kutta method, finds only what the orders on index 2 and 3 follow from, with the q of
 * B(q) as the order. Both are positive if the weights sum to 1, and no more is needed. */
static void find_few(const method *given, method_properties *found)
{
    found->order = method_holds(given, METHOD_B);
    found->stage_order = method_least(method_holds(given, METHOD_C), found->order);
    found->stiffly_accurate = method_is_stiffly_accurate(given);
    found->r_infinity = stability_limit(given);
}

dae_status method_converges(const method *given, int index, bool *converges)
{
    method_properties found = {0};
    bool known = tabulated_read(given->name, TABULATED_PROPERTIES, &found, sizeof found);
    bool few = !known && !given->multistep && !given->structural && !given->rosenbrock &&
               given->family != METHOD_HALF_EXPLICIT;
    if (few) find_few(given, &found);
    dae_status status = few ? dae_orders_find(given, &found)
                            : method_properties_find(given, &found);
    const int *orders = index == 2 ? found.index2 : found.index3;
    *converges = status == DAE_OK;
    for (int i = 0; i < (index == 2 ? 2 : 3); i++)
        *converges = *converges && orders[i] != METHOD_NO_ORDER;
    return status;
}

size_t method_forms(const method_properties *found, const char **form)
{
    size_t count = 0;
    if (found->second_order) {
        form[count++] = "mechanical";
        return count;
    }
    bool algebraic = found->index1[0] != METHOD_NO_ORDER;
    form[count++] = "residual";
    form[count++] = "mass";
    if (algebraic) form[count++] = "semi_explicit";
    if (algebraic) form[count++] = "linear";
    form[count++] = "invariant";
    return count;
}

/* Stability on nonlinear problems. */

/* Rotates rows and columns p and q so that m_pq vanishes (Jacobi 1846). */
static void rotate(int n, stage_matrix m, int p, int q)
{
    quad ratio = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    quad root = quad_sqrt(1 + ratio * ratio);
    quad tangent = (ratio < 0 ? -1 : 1) / (quad_abs(ratio) + root);
    quad cosine = 1 / quad_sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (int k = 0; k < n; k++) {
        quad left = m[k][p], right = m[k][q];
        m[k][p] = cosine * left - sine * right;
        m[k][q] = sine * left + cosine * right;
    }
    for (int k = 0; k < n; k++) {
        quad upper = m[p][k], lower = m[q][k];
        m[p][k] = cosine * upper - sine * lower;
        m[q][k] = sine * upper + cosine * lower;
    }
}

quad algebraic_least_eigenvalue(const method *given, quad *size)
{
    enum { SWEEPS = 20 };
    int n = given->stages;
    const quad *b = given->b;
    stage_matrix m = {{0}};
    *size = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            quad left = b[i] * given->a[i][j], right = b[j] * given->a[j][i];
            m[i][j] = left + right - b[i] * b[j];
            *size = quad_max(*size, quad_abs(left) + quad_abs(right) + quad_abs(b[i] * b[j]));
        }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (quad_abs(m[p][q]) > QUAD_EPSILON * QUAD_EPSILON * *size) rotate(n, m, p, q);
    quad least = m[0][0];
    for (int i = 1; i < n; i++)
        if (m[i][i] < least) least = m[i][i];
    return least;
}

bool algebraic_is_stable(const method *given)
{
    quad size, bound = method_tolerance(given);
    if (given->rosenbrock) return false;
    for (int i = 0; i < given->stages; i++)
        if (given->b[i] < -bound) return false;
    return algebraic_least_eigenvalue(given, &size) >= -bound * size;
}
