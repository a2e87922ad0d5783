/* The simplifying assumptions B, C and D (Hairer & Wanner II, Sec. IV.5): their residuals, and how
 * far they reach in the families that they define. */
#ifndef TESTS_METHOD_ASSUMPTIONS_H
#define TESTS_METHOD_ASSUMPTIONS_H

#include "method/method.h"

/* Orders of the simplifying assumptions of a family with s stages. */
static inline void assumptions(method_family family, int s, int *b, int *c, int *d)
{
    *b = *c = *d = 0;
    if (family == METHOD_GAUSS) *b = 2 * s, *c = s, *d = s;
    if (family == METHOD_RADAU_IA) *b = 2 * s - 1, *c = s - 1, *d = s;
    if (family == METHOD_RADAU_IIA) *b = 2 * s - 1, *c = s, *d = s - 1;
    if (family == METHOD_LOBATTO_IIIA) *b = 2 * s - 2, *c = s, *d = s - 2;
    if (family == METHOD_LOBATTO_IIIB) *b = 2 * s - 2, *c = s - 2, *d = s;
    if (family == METHOD_LOBATTO_IIIC) *b = 2 * s - 2, *c = s - 1, *d = s - 1;
    if (family == METHOD_LOBATTO_IIICS) *b = 2 * s - 2, *c = s - 1, *d = s - 1;
    if (family == METHOD_COLLOCATION) *b = s, *c = s;
}

static inline quad of_b(const method *m, int k)
{
    quad sum = -(quad)1 / k;
    for (int i = 0; i < m->stages; i++) sum += m->b[i] * quad_power(m->c[i], k - 1);
    return quad_abs(sum);
}

static inline quad of_c(const method *m, int k)
{
    quad worst = 0;
    for (int i = 0; i < m->stages; i++) {
        quad sum = -quad_power(m->c[i], k) / k;
        for (int j = 0; j < m->stages; j++) sum += m->a[i][j] * quad_power(m->c[j], k - 1);
        worst = quad_max(worst, quad_abs(sum));
    }
    return worst;
}

static inline quad of_d(const method *m, int k)
{
    quad worst = 0;
    for (int j = 0; j < m->stages; j++) {
        quad sum = -m->b[j] * (1 - quad_power(m->c[j], k)) / k;
        for (int i = 0; i < m->stages; i++)
            sum += m->b[i] * quad_power(m->c[i], k - 1) * m->a[i][j];
        worst = quad_max(worst, quad_abs(sum));
    }
    return worst;
}

#endif
