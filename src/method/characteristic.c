#include "method/polynomial.h"

#include "method/multistep.h"

#include <math.h>

enum { MOST = METHOD_MOST_STEPS };

/* --- the polynomial --- */

/* Fills `alpha`, all zero, with the BDF of k steps: sum_(m=1)^k nabla^m / m (Hairer, Norsett &
 * Wanner I, (III.1.22)), divided by its leading coefficient, which is returned. */
static quad find_bdf(int k, quad *alpha)
{
    quad difference[MOST + 1] = {0}; /* nabla^m, the newest point at k */
    difference[k] = 1;
    for (int m = 1; m <= k; m++) {
        for (int j = 0; j < k; j++) difference[j] -= difference[j + 1];
        for (int j = 0; j <= k; j++) alpha[j] += difference[j] / m;
    }
    quad leading = alpha[k];
    for (int j = 0; j <= k; j++) alpha[j] /= leading;
    return leading;
}

/* With D = 1 - z b, and with the values of the first two stages inserted, the equation times D^2 is
 *
 *   x^k D^3 + A D^2 + z beta_(k+1) (S_1 D - a S_0) + z (beta_k - b) S_0 D = 0,
 *
 * A = sum_(j<k) alpha_j x^j, S_0 = sum_(j<k) a_j x^j, S_1 = sum_(j<k-1) a_j x^(j+1), a = a_(k-1),
 * with a_j and b of the BDF of k steps: Cash 1983; Hairer & Wanner II, (V.3.18) to (V.3.20). */
static void find_extended(const method_multistep *f, characteristic *found)
{
    quad a[MOST + 1] = {0};
    int k = f->steps - 1;
    quad b = 1 / find_bdf(k, a), own = f->beta[k] - b, beyond = f->beta[k + 1];
    found->steps = k;
    found->powers = 3;
    found->c[0][k] = 1;
    found->c[1][k] = -3 * b;
    found->c[2][k] = 3 * b * b;
    found->c[3][k] = -b * b * b;
    for (int j = 0; j < k; j++) {
        quad second = j > 0 ? a[j - 1] : 0;
        found->c[0][j] = f->alpha[j];
        found->c[1][j] = -2 * b * f->alpha[j] + beyond * (second - a[k - 1] * a[j]) + own * a[j];
        found->c[2][j] = b * (b * f->alpha[j] - beyond * second - own * a[j]);
    }
}

void characteristic_find(const method *given, characteristic *found)
{
    const method_multistep *f = given->multistep;
    *found = (characteristic){.steps = f->steps, .powers = 1};
    if (given->family == METHOD_MEBDF) {
        find_extended(f, found);
        return;
    }
    for (int j = 0; j <= f->steps; j++) {
        found->c[0][j] = f->alpha[j];
        found->c[1][j] = -f->beta[j];
    }
}

void characteristic_at(const characteristic *of, double re, double im, root_problem *p)
{
    const complex_quad z = {(quad)re, (quad)im};
    p->degree = of->steps;
    for (int j = 0; j <= of->steps; j++)
        p->coefficient[j] = complex_value(of->powers, &of->c[0][j], MOST + 1, z);
}

/* --- stability --- */

double characteristic_margin(const characteristic *of, double re, double im)
{
    root_problem p;
    double x[MOST + 1], y[MOST + 1], margin = 1;
    characteristic_at(of, re, im, &p);
    for (int j = 0; j <= of->steps; j++) {
        x[j] = (double)p.coefficient[j].re;
        y[j] = (double)p.coefficient[j].im;
    }
    for (int n = of->steps; n > 0; n--) {
        double high = hypot(x[n], y[n]);
        if (high == 0) return -1; /* a root at infinity */
        margin = fmin(margin, 1 - hypot(x[0], y[0]) / high);
        double top_x = x[n], top_y = y[n], low_x = x[0], low_y = y[0], next_x[MOST], next_y[MOST];
        for (int j = 1; j <= n; j++) { /* conj(p_n) p_j - p_0 conj(p_(n-j)) */
            next_x[j - 1] = top_x * x[j] + top_y * y[j] - low_x * x[n - j] - low_y * y[n - j];
            next_y[j - 1] = top_x * y[j] - top_y * x[j] - low_y * x[n - j] + low_x * y[n - j];
        }
        for (int j = 0; j < n; j++) {
            x[j] = next_x[j] / (high * high);
            y[j] = next_y[j] / (high * high);
        }
    }
    return margin;
}

/* The smallest angle with the negative real axis of a z that belongs to x = exp(i theta). */
static double angle_of_locus(const characteristic *of, double theta)
{
    root_problem p = {.degree = of->powers};
    const complex_quad x = {(quad)cos(theta), (quad)sin(theta)};
    double smallest = 180;
    for (int l = 0; l <= of->powers; l++)
        p.coefficient[l] = complex_value(of->steps, of->c[l], 1, x);
    roots_find(&p);
    for (int i = 0; i < p.count; i++) {
        double angle = atan2(fabs((double)p.root[i].im), -(double)p.root[i].re);
        smallest = fmin(smallest, angle * 180 / acos(-1.0));
    }
    return smallest;
}

/* Refines the minimum between the two neighbours of the smallest value, by the golden section. */
static double refine(const characteristic *of, double left, double right)
{
    enum { SECTIONS = 40 };
    const double golden = (sqrt(5) - 1) / 2;
    for (int i = 0; i < SECTIONS; i++) {
        double span = golden * (right - left), a = right - span, b = left + span;
        if (angle_of_locus(of, a) < angle_of_locus(of, b))
            right = b;
        else
            left = a;
    }
    return angle_of_locus(of, (left + right) / 2);
}

double characteristic_angle(const characteristic *of)
{
    enum { POINTS = 180 };
    const double step = acos(-1.0) / POINTS, nothing = 1e-9;
    double smallest = 90, at = 0;
    if (characteristic_margin(of, -1, 0) <= 0) return 0;
    for (int i = 1; i <= POINTS; i++) {
        double angle = angle_of_locus(of, i * step);
        if (angle < smallest) {
            smallest = angle;
            at = i * step;
        }
    }
    if (at > 0) smallest = fmin(smallest, refine(of, at - step, fmin(at + step, acos(-1.0))));
    return smallest < nothing ? 0 : smallest;
}

/* Re(rho(x) conj(sigma(x))) with x = exp(i theta) is a polynomial of cos(theta) = (1 - u) / (1 +
 * u). Times (1 + u)^k it is a polynomial of u >= 0. `size` takes the sizes of the terms that are
 * added up. T_m = cos(m theta) (1 + u)^m follows from T_(m+1) = 2 (1 - u) T_m - (1 + u)^2
 * T_(m-1). */
static void find_real_part(const method_multistep *f, polynomial *found, quad *size)
{
    int k = f->steps;
    quad t[MOST + 1][MOST + 1] = {{1}, {1, -1}};
    for (int m = 1; m < k; m++)
        for (int i = 0; i <= m + 1; i++) {
            t[m + 1][i] = 2 * t[m][i] - t[m - 1][i];
            if (i > 0) t[m + 1][i] -= 2 * t[m][i - 1] + 2 * t[m - 1][i - 1];
            if (i > 1) t[m + 1][i] -= t[m - 1][i - 2];
        }
    for (int m = 0; m <= k; m++)
        for (int n = m; n < k; n++) /* times 1 + u */
            for (int i = k; i > 0; i--) t[m][i] += t[m][i - 1];
    for (int i = 0; i <= k; i++)
        for (int j = 0; j <= k; j++)
            for (int n = 0; n <= k; n++) {
                quad term = f->alpha[i] * f->beta[j] * t[i > j ? i - j : j - i][n];
                found->coefficient[n] += term;
                size[n] += quad_abs(term);
            }
}

bool characteristic_is_a_stable(const method_multistep *f)
{
    const quad tolerance = (quad)1e-23;
    const double edge = 1e-10;
    polynomial real_part = {.degree = f->steps};
    quad size[MOST + 1] = {0};
    if (!(multistep_radius(f, MULTISTEP_SIGMA) <= 1 + edge)) return false;
    find_real_part(f, &real_part, size);
    for (int i = 0; i <= f->steps; i++)
        if (quad_abs(real_part.coefficient[i]) <= tolerance * size[i]) real_part.coefficient[i] = 0;
    polynomial_trim(&real_part);
    return polynomial_is_nonnegative(&real_part, tolerance);
}
