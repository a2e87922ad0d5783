#include "method/families.h"

#include <math.h>

enum { MOST = METHOD_MOST_STAGES };

/* Results of elimination this small are zero: the smallest coefficient that is not is above 1e-4,
 * and round-off below 1e-30. */
static const double NOTHING = 0x1p-90;

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

/* The Legendre polynomial of degree k on [0, 1]. */
static quad legendre(int k, quad x)
{
    quad before = 0, value = 1;
    for (int n = 0; n < k; n++) {
        quad after = ((2 * n + 1) * (2 * x - 1) * value - n * before) / (n + 1);
        before = value;
        value = after;
    }
    return value;
}

/* The same in doubles, where only a sign is asked: quadruple precision takes a hundred times as
 * long. */
static double legendre_roughly(int k, double x)
{
    double before = 0, value = 1;
    for (int n = 0; n < k; n++) {
        double after = ((2 * n + 1) * (2 * x - 1) * value - n * before) / (n + 1);
        before = value;
        value = after;
    }
    return value;
}

/* The polynomial whose roots are the nodes is P_s + factor P_(s-back): P_s of Gauss, P_s + P_(s-1)
 * and P_s - P_(s-1) of Radau IA and IIA, P_s - P_(s-2) of Lobatto. */
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

static quad node_value(node_polynomial p, quad x)
{
    return legendre(p.s, x) + p.factor * legendre(p.s - p.back, x);
}

static bool is_positive(node_polynomial p, double x)
{
    return legendre_roughly(p.s, x) + p.factor * legendre_roughly(p.s - p.back, x) > 0;
}

/* By bisection, and the last digits by secants. */
static quad node_between(node_polynomial p, double low, double high)
{
    bool rises = is_positive(p, high);
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (is_positive(p, middle) == rises)
            high = middle;
        else
            low = middle;
    }
    quad last = (quad)low, now = (quad)high + (quad)1e-12, before = node_value(p, last),
         value = node_value(p, now);
    for (int i = 0; i < 6 && value != before; i++) {
        quad next = now - value * (now - last) / (value - before);
        last = now;
        before = value;
        now = next;
        value = node_value(p, now);
    }
    return now;
}

/* Nodes inside (0, 1) are found between the points (1 - cos(pi k / n)) / 2 of a grid, where they
 * lie about n / s points apart (n is odd, so that 1/2 is no point of it); 0 and 1 are known, and
 * the grid stays off them, where round-off decides the sign. Returns how many there are. */
static int find_nodes(method_family family, int s, quad *c)
{
    const double pi = 3.141592653589793;
    node_polynomial p = polynomial_of(family, s);
    int n = 8 * s + 9, found = 0;
    if (family != METHOD_GAUSS && family != METHOD_RADAU_IIA) c[found++] = 0;
    for (int k = 0; k < n; k++) {
        double low = fmax(1e-4, (1 - cos(pi * k / n)) / 2);
        double high = fmin(1 - 1e-4, (1 - cos(pi * (k + 1) / n)) / 2);
        if (is_positive(p, low) != is_positive(p, high)) c[found++] = node_between(p, low, high);
    }
    if (family != METHOD_GAUSS && family != METHOD_RADAU_IA) c[found++] = 1;
    return found;
}

static void make_symmetric(int s, quad *c)
{
    for (int i = 0; i <= (s - 1) / 2; i++) {
        c[i] = (c[i] + 1 - c[s - 1 - i]) / 2;
        c[s - 1 - i] = 1 - c[i];
    }
}

/* D(s), column by column, for w_i = b_i a_ij. */
static void from_d(method *m)
{
    int s = m->stages;
    for (int j = 0; j < s; j++) {
        quad moment[MOST], w[MOST], power = 1;
        for (int k = 0; k < s; k++) {
            power *= m->c[j];
            moment[k] = m->b[j] * (1 - power) / (k + 1);
        }
        from_moments(s, m->c, moment, w);
        for (int i = 0; i < s; i++) m->a[i][j] = w[i] / m->b[i];
    }
}

/* a_i1 = b_1, the rest by C(s-1); the last row is b, to the last bit. */
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
    quad c[MOST];
    m->stages = find_nodes(m->family, stages, c);
    if (m->family != METHOD_RADAU_IA && m->family != METHOD_RADAU_IIA) make_symmetric(stages, c);
    method_collocate(m, stages, c);
    if (m->family == METHOD_RADAU_IA || m->family == METHOD_LOBATTO_IIIB) from_d(m);
    if (m->family == METHOD_LOBATTO_IIIC) from_first_column(m);
    if (m->family == METHOD_LOBATTO_IIICS) { /* the last node has no part in the stages */
        for (int i = 0; i < stages; i++) {
            integrate(stages - 1, c, c[i], m->a[i]);
            m->a[i][stages - 1] = 0;
        }
    }
}
