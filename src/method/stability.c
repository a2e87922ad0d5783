#include "method/properties.h"

#include "linalg/lapack.h"
#include "method/conditions.h"

#include <math.h>

/* Numbers, each with the sum of the sizes of its terms. */
typedef struct series {
    quad value[METHOD_MOST_ORDER + 3], size[METHOD_MOST_ORDER + 3];
} series;

static void clean(quad *value, quad size, quad tolerance)
{
    if (quad_abs(*value) <= tolerance * size) *value = 0;
}

/* The coefficients of R(z) = 1 + sum_k z^k b' A^(k-1) e. */
static void expand(const method *given, int count, series *taylor)
{
    int n = given->stages;
    stage_vector v = stage_ones(n);
    *taylor = (series){.value = {1}, .size = {1}};
    for (int k = 1; k < count; k++, v = stage_apply(n, given->a, &v))
        for (int i = 0; i < n; i++) {
            taylor->value[k] += given->b[i] * v.value[i];
            taylor->size[k] += quad_abs(given->b[i]) * v.size[i];
        }
}

/* The traces of A, A^2, ..., by the rows of these. */
static void find_traces(const method *given, series *trace)
{
    int n = given->stages;
    stage_matrix transposed;
    *trace = (series){{0}, {0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) transposed[i][j] = given->a[j][i];
    for (int i = 0; i < n; i++) {
        stage_vector row = {{0}, {0}};
        row.value[i] = row.size[i] = 1;
        for (int k = 1; k <= n; k++) {
            row = stage_apply(n, (const quad(*)[METHOD_MOST_STAGES])transposed, &row);
            trace->value[k] += row.value[i];
            trace->size[k] += row.size[i];
        }
    }
}

/* det(I - z A) by Newton's identities. */
static void find_denominator(const method *given, stability_function *found)
{
    series trace;
    polynomial *q = &found->denominator;
    find_traces(given, &trace);
    q->degree = given->stages;
    q->coefficient[0] = 1;
    for (int k = 1; k <= q->degree; k++) {
        quad value = 0, size = 0;
        for (int j = 1; j <= k; j++) {
            value -= q->coefficient[k - j] * trace.value[j] / k;
            size += quad_abs(q->coefficient[k - j]) * trace.size[j] / k;
        }
        clean(&value, size, found->tolerance);
        q->coefficient[k] = value;
    }
    polynomial_trim(q);
}

/* The numerator: R Q, which vanishes beyond z^stages. */
static void find_numerator(int stages, const series *taylor, stability_function *found)
{
    polynomial *p = &found->numerator;
    const polynomial *q = &found->denominator;
    p->degree = stages;
    for (int k = 0; k <= stages; k++) {
        quad value = 0, size = 0;
        for (int j = 0; j <= k && j <= q->degree; j++) {
            value += q->coefficient[j] * taylor->value[k - j];
            size += quad_abs(q->coefficient[j]) * taylor->size[k - j];
        }
        clean(&value, size, found->tolerance);
        p->coefficient[k] = value;
    }
    polynomial_trim(p);
}

/* The order of R. A rational function of these degrees approximates exp at most to order 2 s. */
static void find_order(const method *given, const series *taylor, stability_function *found)
{
    quad exact = 1;
    for (int k = 1; k <= 2 * given->stages + 1 && found->error_constant == 0; k++) {
        exact /= k;
        quad off = exact - taylor->value[k];
        if (quad_abs(off) <= found->tolerance * (exact + taylor->size[k])) continue;
        found->order = k - 1;
        found->error_constant = (double)off;
    }
}

/* The poles are the reciprocals of the eigenvalues of A. Those at infinity have no angle. */
static double find_pole_angle(const method *given, int poles)
{
    enum { SIZE = METHOD_MOST_STAGES, WORK = 40 * METHOD_MOST_STAGES };
    double a[SIZE * SIZE], re[SIZE], im[SIZE], work[WORK], unused = 0, smallest = 180;
    int n = given->stages, one = 1, room = WORK, info = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i + n * j] = (double)given->a[i][j];
    dgeev_("N", "N", &n, a, &n, re, im, &unused, &one, &unused, &one, work, &room, &info, 1, 1);
    if (info != 0) return 0;
    for (; poles > 0; poles--) { /* the largest eigenvalues */
        int at = 0;
        for (int i = 1; i < n; i++)
            if (hypot(re[i], im[i]) > hypot(re[at], im[at])) at = i;
        smallest = fmin(smallest, atan2(fabs(im[at]), -re[at]) * 180 / acos(-1.0));
        re[at] = im[at] = 0;
    }
    return smallest;
}

void stability_find(const method *given, stability_function *found)
{
    series taylor;
    *found = (stability_function){.tolerance = method_tolerance(given)};
    expand(given, 2 * given->stages + 2, &taylor);
    find_denominator(given, found);
    find_numerator(given->stages, &taylor, found);
    find_order(given, &taylor, found);
    found->pole_degrees = find_pole_angle(given, found->denominator.degree);
}

double stability_at_infinity(const stability_function *r)
{
    int n = r->denominator.degree;
    if (r->numerator.degree > n) return HUGE_VAL;
    return (double)(r->numerator.coefficient[n] / r->denominator.coefficient[n]) + 0.0; /* no -0 */
}

double stability_limit(const method *given)
{
    quad m[METHOD_MOST_STAGES][METHOD_MOST_STAGES], x[METHOD_MOST_STAGES];
    int skip = method_begins_at_start(given), n = given->stages - skip;
    if (n == 0) return HUGE_VAL;
    for (int i = 0; i < n; i++) {
        x[i] = skip ? -given->a[i + 1][0] : 1;
        for (int j = 0; j < n; j++) m[i][j] = given->a[i + skip][j + skip];
    }
    if (quad_solve(n, METHOD_MOST_STAGES, &m[0][0], x) == 0) return HUGE_VAL;
    quad limit = skip ? x[n - 1] : 1, size = 1;
    for (int i = 0; i < n && !skip; i++) {
        limit -= given->b[i] * x[i];
        size += quad_abs(given->b[i] * x[i]);
    }
    clean(&limit, size, method_tolerance(given));
    return (double)limit;
}

/* |Q|^2 - |P|^2 on the ray z = -x (cos + i sin), x >= 0, as a polynomial in x. On the imaginary
 * axis it is the E-polynomial (Hairer & Wanner II, (IV.3.8)). */
static polynomial find_margin(const stability_function *r, quad cosine)
{
    const polynomial *p = &r->numerator, *q = &r->denominator;
    int n = p->degree > q->degree ? p->degree : q->degree;
    polynomial margin = {.degree = 2 * n};
    quad size[POLYNOMIAL_MOST_DEGREE + 1] = {0}, multiple[METHOD_MOST_STAGES + 1];
    for (int k = 0; k <= n; k++) /* cosines of the multiples of the angle */
        multiple[k] = k == 0 ? 1 : k == 1 ? cosine : 2 * cosine * multiple[k - 1] - multiple[k - 2];
    for (int j = 0; j <= n; j++)
        for (int k = 0; k <= n; k++) {
            quad of_q = q->coefficient[j] * q->coefficient[k];
            quad of_p = p->coefficient[j] * p->coefficient[k];
            quad factor = multiple[j > k ? j - k : k - j] * ((j + k) % 2 ? -1 : 1);
            margin.coefficient[j + k] += factor * (of_q - of_p);
            size[j + k] += quad_abs(of_q) + quad_abs(of_p);
        }
    for (int k = 0; k <= 2 * n; k++) clean(&margin.coefficient[k], size[k], r->tolerance);
    polynomial_trim(&margin);
    return margin;
}

static bool is_bounded(const stability_function *r, quad cosine)
{
    polynomial margin = find_margin(r, cosine);
    return polynomial_is_nonnegative(&margin, r->tolerance);
}

/* If a sector has no pole, |R| <= 1 on its edges implies |R| <= 1 inside, by the maximum principle.
 * So the angles with |R| <= 1 up to the first pole form an interval, which is bisected. */
double stability_angle(const stability_function *r)
{
    enum { HALVINGS = 60 };
    const double degree = acos(-1.0) / 180;
    quad good = 1, bad = r->pole_degrees < 90 ? (quad)cos(r->pole_degrees * degree) : 0;
    if (r->pole_degrees >= 90 && is_bounded(r, 0)) return 90;
    if (bad >= good || !is_bounded(r, good)) return 0;
    for (int i = 0; i < HALVINGS; i++) {
        quad middle = (good + bad) / 2;
        if (is_bounded(r, middle))
            good = middle;
        else
            bad = middle;
    }
    return fmin(acos((double)good) / degree, nextafter(90, 0)); /* bisection found less than 90 */
}

stability_point stability_value(const stability_function *r, double re, double im)
{
    const polynomial *p = &r->numerator, *q = &r->denominator;
    const complex_quad z = {(quad)re, (quad)im};
    complex_quad num = complex_value(p->degree, p->coefficient, 1, z);
    complex_quad den = complex_value(q->degree, q->coefficient, 1, z);
    return (stability_point){(double)num.re, (double)num.im, (double)den.re, (double)den.im};
}
