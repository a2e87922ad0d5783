#include "base/twofold.h"

static void swap_rows(int count, twofold *a, twofold *b)
{
    for (int j = 0; j < count; j++) {
        twofold other = a[j];
        a[j] = b[j];
        b[j] = other;
    }
}

/* to -= factor from */
static void subtract(int count, twofold factor, const twofold *from, twofold *to)
{
    for (int j = 0; j < count; j++)
        to[j] = twofold_difference(to[j], twofold_product(factor, from[j]));
}

double twofold_solve(int n, int stride, twofold *m, int count, int apart, twofold *b)
{
    double least = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i * stride + k].high) > fabs(m[pivot * stride + k].high)) pivot = i;
        least = fmin(least, fabs(m[pivot * stride + k].high));
        if (least == 0) return 0;
        swap_rows(n - k, &m[k * stride + k], &m[pivot * stride + k]);
        swap_rows(count, &b[k * apart], &b[pivot * apart]);
        twofold inverse = twofold_quotient((twofold){1, 0}, m[k * stride + k]);
        m[k * stride + k] = inverse;
        for (int i = k + 1; i < n; i++) {
            twofold factor = twofold_product(m[i * stride + k], inverse);
            subtract(n - k - 1, factor, &m[k * stride + k + 1], &m[i * stride + k + 1]);
            subtract(count, factor, &b[k * apart], &b[i * apart]);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        twofold *x = &b[k * apart];
        for (int j = k + 1; j < n; j++) subtract(count, m[k * stride + j], &b[j * apart], x);
        for (int c = 0; c < count; c++) x[c] = twofold_product(x[c], m[k * stride + k]);
    }
    return least;
}
