#include "base/quad.h"

#include <math.h>

quad quad_sqrt(quad x)
{
    if (!(x > 0)) return 0;
    quad root = (quad)sqrt((double)x);
    for (int i = 0; i < 3; i++) root = (root + x / root) / 2; /* each doubles the digits */
    return root;
}

quad quad_power(quad x, int k)
{
    quad power = 1;
    for (int i = 0; i < (k < 0 ? -k : k); i++) power *= x;
    return k < 0 ? 1 / power : power;
}

static void swap(quad *a, quad *b)
{
    quad other = *a;
    *a = *b;
    *b = other;
}

quad quad_solve(int n, int stride, quad *m, quad *b)
{
    quad least = 0;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (quad_abs(m[i * stride + k]) > quad_abs(m[pivot * stride + k])) pivot = i;
        quad size = quad_abs(m[pivot * stride + k]);
        if (size == 0) return 0;
        least = k == 0 || size < least ? size : least;
        for (int j = 0; j < n; j++) swap(&m[k * stride + j], &m[pivot * stride + j]);
        swap(&b[k], &b[pivot]);
        for (int i = k + 1; i < n; i++) {
            quad factor = m[i * stride + k] / m[k * stride + k];
            for (int j = k; j < n; j++) m[i * stride + j] -= factor * m[k * stride + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= m[k * stride + j] * b[j];
        b[k] /= m[k * stride + k];
    }
    return least;
}
