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
    quad power = 1, square = x;
    for (int rest = k < 0 ? -k : k; rest > 0; rest /= 2) {
        if (rest % 2) power *= square;
        if (rest > 1) square *= square;
    }
    return k < 0 ? 1 / power : power;
}

static void swap(quad *a, quad *b)
{
    quad other = *a;
    *a = *b;
    *b = other;
}

/* Solve m x = b for `count` right sides, the columns of b, whose rows are `apart` from each other.
 */
static quad solve(int n, int stride, quad *m, int count, int apart, quad *b)
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
        for (int c = 0; c < count; c++) swap(&b[k * apart + c], &b[pivot * apart + c]);
        for (int i = k + 1; i < n; i++) {
            quad factor = m[i * stride + k] / m[k * stride + k];
            for (int j = k; j < n; j++) m[i * stride + j] -= factor * m[k * stride + j];
            for (int c = 0; c < count; c++) b[i * apart + c] -= factor * b[k * apart + c];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int c = 0; c < count; c++) {
            quad *x = &b[k * apart + c];
            for (int j = k + 1; j < n; j++) *x -= m[k * stride + j] * b[j * apart + c];
            *x /= m[k * stride + k];
        }
    }
    return least;
}

quad quad_solve(int n, int stride, quad *m, quad *b)
{
    return solve(n, stride, m, 1, 1, b);
}

quad quad_invert(int n, int stride, quad *m, quad *inverse)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i * stride + j] = i == j;
    return solve(n, stride, m, n, stride, inverse);
}
