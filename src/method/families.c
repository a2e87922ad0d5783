#include "method/catalogue.h"

#include "base/round_off.h"
#include "base/twofold.h"

#include <string.h>

enum { MOST = METHOD_MOST_STAGES };

/* Results of elimination below this are zero. The smallest other coefficient is above 1e-4, and
 * round-off is below 1e-30. */
static const double NOTHING = 0x1p-90;

void method_family_orders(method_family family, int stages, int *order, int *stage_order)
{
    int lost_by_nodes = 2, lost_by_stages = 0;
    if (family == METHOD_GAUSS) lost_by_nodes = 0;
    if (family == METHOD_RADAU_IA || family == METHOD_RADAU_IIA) lost_by_nodes = 1;
    if (family == METHOD_RADAU_IA || family == METHOD_LOBATTO_IIIC ||
        family == METHOD_LOBATTO_IIICS)
        lost_by_stages = 1;
    if (family == METHOD_LOBATTO_IIIB) lost_by_stages = 2;
    *order = 2 * stages - lost_by_nodes;
    *stage_order = stages - lost_by_stages;
}

/* Weights w with sum_j w_j c_j^(k-1) = moment[k-1], k = 1 ... n. */
static void from_moments(int n, const quad *c, const quad *moment, quad *w)
{
    quad m[MOST * MOST];
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) m[k * MOST + j] = k == 0 ? 1 : m[(k - 1) * MOST + j] * c[j];
        w[k] = moment[k];
    }
    quad_solve(n, MOST, m, w);
    for (int j = 0; j < n; j++)
        if (quad_abs(w[j]) < (quad)NOTHING) w[j] = 0;
}

/* The weights over `n` nodes that integrate the powers below n from 0 to x. */
static void integrate(int n, const quad *c, quad x, quad *w)
{
    quad moment[MOST], power = 1;
    for (int k = 0; k < n; k++) moment[k] = (power *= x) / (k + 1);
    from_moments(n, c, moment, w);
}

void method_collocate(method *m, int stages, const quad *node)
{
    m->stages = stages;
    for (int i = 0; i < stages; i++) {
        m->c[i] = node[i];
        integrate(stages, node, node[i], m->a[i]);
    }
    integrate(stages, node, 1, m->b);
}

int method_bad_node(int stages, const quad *node)
{
    for (int i = 0; i < stages; i++) {
        if (node[i] < 0 || node[i] > 1) return i;
        if (i > 0 && !(node[i] - node[i - 1] >= (quad)1e-6)) return i;
    }
    return -1;
}

/* Legendre polynomials on [0, 1] of degrees 0 ... k at x; (n + 1) P_(n+1) = (2n + 1) (2x - 1) P_n -
 * n P_(n-1). */
static void legendre(int k, twofold x, twofold *p)
{
    twofold argument = twofold_sum(twofold_times(x, 2), (twofold){-1, 0});
    p[0] = (twofold){1, 0};
    p[1] = argument;
    for (int n = 1; n < k; n++) {
        twofold next = twofold_times(twofold_product(argument, p[n]), 2 * n + 1);
        next = twofold_difference(next, twofold_times(p[n - 1], n));
        p[n + 1] = twofold_quotient(next, (twofold){n + 1, 0});
    }
}

/* The nodes are the roots of the polynomial P_s + factor P_(s-back): P_s for Gauss, P_s + P_(s-1)
 * and P_s - P_(s-1) for Radau IA and IIA, P_s - P_(s-2) for Lobatto. */
typedef struct node_polynomial {
    int s, back, factor;
} node_polynomial;

static node_polynomial polynomial_of(method_family family, int s)
{
    if (family == METHOD_GAUSS) return (node_polynomial){s, 0, 0};
    if (family == METHOD_RADAU_IA) return (node_polynomial){s, 1, 1};
    if (family == METHOD_RADAU_IIA) return (node_polynomial){s, 1, -1};
    return (node_polynomial){s, 2, -1};
}

/* In doubles, with the derivative: P'_(n+1) = P'_(n-1) + 2 (2n + 1) P_n. */
static double evaluate(node_polynomial p, double x, double *derivative)
{
    double value[MOST + 1] = {1, 2 * x - 1}, slope[MOST + 1] = {0, 2};
    for (int n = 1; n < p.s; n++) {
        value[n + 1] = ((2 * n + 1) * (2 * x - 1) * value[n] - n * value[n - 1]) / (n + 1);
        slope[n + 1] = slope[n - 1] + 2 * (2 * n + 1) * value[n];
    }
    *derivative = slope[p.s] + p.factor * slope[p.s - p.back];
    return value[p.s] + p.factor * value[p.s - p.back];
}

/* Finds the smallest root above the known ones, by Newton's iteration with the known ones divided
 * out (Maehly 1954). From below, the iterates rise until round-off. */
static double next_root(node_polynomial p, int known, const twofold *root)
{
    enum { MOST_ITERATIONS = 100 };
    double x = -0.1;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double slope, value = evaluate(p, x, &slope);
        for (int k = 0; k < known; k++) slope -= value / (x - root[k].high);
        double step = -value / slope;
        if (!(step > ROUND_OFF_NORM)) break;
        x += step;
    }
    return x;
}

/* Finds the digits beyond those of a double. Each step of Newton's iteration doubles their
 * number. */
static twofold refine(node_polynomial p, double rough)
{
    twofold x = {rough, 0}, value[MOST + 1];
    for (int i = 0; i < 2; i++) {
        double slope;
        evaluate(p, x.high, &slope);
        legendre(p.s, x, value);
        twofold off = twofold_sum(value[p.s], twofold_times(value[p.s - p.back], p.factor));
        x = twofold_difference(x, twofold_quotient(off, (twofold){slope, 0}));
    }
    return x;
}

/* The nodes 0 and 1 are known, if the family has them. */
static void find_nodes(method_family family, int s, twofold *c)
{
    node_polynomial p = polynomial_of(family, s);
    bool has_begin = family != METHOD_GAUSS && family != METHOD_RADAU_IIA;
    bool has_end = family != METHOD_GAUSS && family != METHOD_RADAU_IA;
    if (has_begin) c[0] = (twofold){0, 0};
    for (int i = has_begin; i < s - has_end; i++) c[i] = refine(p, next_root(p, i, c));
    if (has_end) c[s - 1] = (twofold){1, 0};
}

static void make_symmetric(int s, twofold *c)
{
    const twofold one = {1, 0};
    for (int i = 0; i <= (s - 1) / 2; i++) {
        twofold twice = twofold_sum(c[i], twofold_difference(one, c[s - 1 - i]));
        c[i] = twofold_times(twice, 0.5);
        c[s - 1 - i] = twofold_difference(one, c[i]);
    }
}

/* Let the nodes be those of a formula exact up to degree 2s - 2. Then the j-th Lagrange polynomial
 * is b_j sum_k w_k P_k(c_j) P_k, k < s, with w_k = 2k + 1 and 1/b_j = sum_k w_k P_k(c_j)^2. The
 * integral of P_k is (P_(k+1) - P_(k-1)) / (2 (2k + 1)). Lobatto's formula is exact up to 2s - 3
 * only, and has w_(s-1) = s - 1. Hairer & Wanner II, Sec. IV.5, the W-transformation. */
static void collocate_at_quadrature(method *m, int s, const twofold *c, double last_weight)
{
    twofold p[MOST][MOST + 1];
    double w[MOST];
    m->stages = s;
    for (int i = 0; i < s; i++) legendre(s, c[i], p[i]);
    for (int k = 0; k < s; k++) w[k] = k < s - 1 ? 2 * k + 1 : last_weight;
    for (int j = 0; j < s; j++) {
        twofold sum = {0, 0}, weighted[MOST];
        for (int k = 0; k < s; k++) {
            weighted[k] = twofold_times(p[j][k], w[k]);
            sum = twofold_sum(sum, twofold_product(p[j][k], weighted[k]));
        }
        twofold b = twofold_quotient((twofold){1, 0}, sum);
        weighted[s - 1] = twofold_quotient(weighted[s - 1], (twofold){2 * s - 1, 0});
        m->c[j] = twofold_quad(c[j]);
        m->b[j] = twofold_quad(b);
        for (int i = 0; i < s; i++) {
            twofold integral = twofold_times(c[i], 2);
            for (int k = 1; k < s; k++) {
                twofold part = twofold_difference(p[i][k + 1], p[i][k - 1]);
                twofold factor = k < s - 1 ? p[j][k] : weighted[k];
                integral = twofold_sum(integral, twofold_product(factor, part));
            }
            m->a[i][j] = twofold_quad(twofold_times(twofold_product(b, integral), 0.5));
        }
    }
}

/* Makes D(s) from C(s) with the same nodes and weights: a_ij becomes b_j (1 - a_ji / b_i).
 * Sanz-Serna & Abia, SIAM J. Numer. Anal. 28 (1991) 1081. */
static void take_conjugate(method *m)
{
    int s = m->stages;
    quad a[MOST][MOST];
    memcpy(a, m->a, sizeof a);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) m->a[i][j] = m->b[j] * (1 - a[j][i] / m->b[i]);
}

/* a_i1 = b_1, the rest by C(s-1). The last row equals b to the last bit. */
static void from_first_column(method *m)
{
    int s = m->stages;
    for (int i = 0; i < s; i++) {
        quad moment[MOST], power = 1;
        for (int k = 0; k < s - 1; k++) {
            moment[k] = (power *= m->c[i]) / (k + 1);
            if (k == 0) moment[k] -= m->b[0];
        }
        m->a[i][0] = m->b[0];
        from_moments(s - 1, m->c + 1, moment, m->a[i] + 1);
    }
    for (int j = 0; j < s; j++) m->a[s - 1][j] = m->b[j];
}

void method_fill_family(method *m, int stages)
{
    bool of_gauss = m->family == METHOD_GAUSS;
    bool of_radau = m->family == METHOD_RADAU_IA || m->family == METHOD_RADAU_IIA;
    twofold c[MOST];
    find_nodes(m->family, stages, c);
    if (!of_radau) make_symmetric(stages, c);
    collocate_at_quadrature(m, stages, c, of_gauss || of_radau ? 2 * stages - 1 : stages - 1);
    if (m->family == METHOD_RADAU_IA || m->family == METHOD_LOBATTO_IIIB) take_conjugate(m);
    if (m->family == METHOD_LOBATTO_IIIC) from_first_column(m);
    if (m->family == METHOD_LOBATTO_IIICS) { /* the last node has no part in the stages */
        for (int i = 0; i < stages; i++) {
            integrate(stages - 1, m->c, m->c[i], m->a[i]);
            m->a[i][stages - 1] = 0;
        }
    }
}
