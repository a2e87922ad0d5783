#include "method/polynomial.h"

#include <math.h>

void polynomial_trim(polynomial *p)
{
    while (p->degree > 0 && p->coefficient[p->degree] == 0) p->degree--;
}

static quad polynomial_value(const polynomial *p, quad x)
{
    quad value = 0;
    for (int k = p->degree; k >= 0; k--) value = value * x + p->coefficient[k];
    return value;
}

static quad size_of_terms(const polynomial *p, quad x)
{
    quad size = 0;
    for (int k = p->degree; k >= 0; k--) size = size * x + quad_abs(p->coefficient[k]);
    return size;
}

static polynomial derivative(const polynomial *p)
{
    polynomial d = {.degree = p->degree > 0 ? p->degree - 1 : 0};
    for (int k = 1; k <= p->degree; k++) d.coefficient[k - 1] = k * p->coefficient[k];
    return d;
}

/* The point where p, monotonic from a to b, changes its sign: to the last bit. */
static quad bisect(const polynomial *p, quad a, quad b)
{
    bool rises = polynomial_value(p, b) > 0;
    for (;;) {
        quad middle = a + (b - a) / 2;
        if (middle <= a || middle >= b || b - a <= QUAD_EPSILON * b) return middle;
        if ((polynomial_value(p, middle) > 0) == rises)
            b = middle;
        else
            a = middle;
    }
}

/* The points between 0 and `end` where p changes its sign, ascending. Between two sign changes of
 * its derivative p is monotonic. */
static int sign_changes(const polynomial *p, quad end, quad *at)
{
    if (p->degree == 0) return 0;
    quad turn[POLYNOMIAL_MOST_DEGREE + 2];
    polynomial slope = derivative(p);
    int count = 0, turns = sign_changes(&slope, end, turn + 1);
    turn[0] = 0;
    turn[turns + 1] = end;
    for (int i = 0; i <= turns; i++) {
        quad left = polynomial_value(p, turn[i]), right = polynomial_value(p, turn[i + 1]);
        if ((left < 0 && right > 0) || (left > 0 && right < 0))
            at[count++] = bisect(p, turn[i], turn[i + 1]);
    }
    return count;
}

/* p(x) = x^k q(x^2); q has half the degree. */
static polynomial simplify(const polynomial *p)
{
    int first = 0, odd = 0;
    while (first < p->degree && p->coefficient[first] == 0) first++;
    for (int k = first + 1; k <= p->degree; k += 2) odd += p->coefficient[k] != 0;
    int stride = odd ? 1 : 2;
    polynomial q = {.degree = (p->degree - first) / stride};
    for (int k = 0; k <= q.degree; k++) q.coefficient[k] = p->coefficient[first + stride * k];
    return q;
}

bool polynomial_is_nonnegative(const polynomial *p, quad tolerance)
{
    polynomial q = simplify(p), slope = derivative(&q);
    quad highest = q.coefficient[q.degree], bound = 0, turn[POLYNOMIAL_MOST_DEGREE + 1];
    bool any_negative = false;
    if (highest < 0) return false;
    for (int k = 0; k < q.degree; k++) {
        any_negative = any_negative || q.coefficient[k] < 0;
        bound = quad_max(bound, quad_abs(q.coefficient[k]) / highest);
    }
    if (!any_negative) return true;
    if (q.coefficient[0] < 0) return false;
    /* beyond Cauchy's bound there is no zero of p, nor of a derivative (Gauss-Lucas) */
    int turns = sign_changes(&slope, 1 + bound, turn);
    for (int i = 0; i < turns; i++)
        if (polynomial_value(&q, turn[i]) < -tolerance * size_of_terms(&q, turn[i])) return false;
    return true;
}

/* The roots of a polynomial of low degree with complex coefficients, in quadruple precision, so
 * that even a double root has the precision of a double. */

double complex_modulus(complex_quad x)
{
    return hypot((double)x.re, (double)x.im);
}

complex_quad complex_value(int degree, const quad *coefficient, int stride, complex_quad z)
{
    complex_quad value = {0, 0};
    for (int k = degree; k >= 0; k--) {
        value = complex_times(value, z);
        value.re += coefficient[k * stride];
    }
    return value;
}

static bool is_zero(complex_quad x)
{
    return x.re == 0 && x.im == 0;
}

/* First guesses: on a circle whose radius is the geometric mean of the roots' moduli, off the real
 * axis. */
static void guess(root_problem *p, int zeros)
{
    int n = p->count - zeros;
    double low = complex_modulus(p->coefficient[zeros]);
    double radius = pow(low / complex_modulus(p->coefficient[p->count]), 1.0 / n);
    for (int i = 0; i < n; i++) {
        double angle = 2 * acos(-1.0) * i / n + 0.7;
        p->root[zeros + i] = (complex_quad){(quad)(radius * cos(angle)),
                                            (quad)(radius * sin(angle))};
    }
}

/* Newton's step at root i for the polynomial with the other roots divided out. False if its value
 * is round-off. */
static bool find_step(const root_problem *p, int zeros, int i, complex_quad *step)
{
    complex_quad x = p->root[i], value = {0, 0}, slope = {0, 0}, others = {0, 0};
    double size = 0, modulus = complex_modulus(x);
    for (int k = p->count; k >= zeros; k--) {
        slope = complex_sum(complex_times(slope, x), value);
        value = complex_sum(complex_times(value, x), p->coefficient[k]);
        size = size * modulus + complex_modulus(p->coefficient[k]);
    }
    if (complex_modulus(value) <= 4 * (double)QUAD_EPSILON * size) return false;
    for (int j = zeros; j < p->count; j++) {
        complex_quad apart = complex_difference(x, p->root[j]);
        if (j == i || is_zero(apart)) continue;
        others = complex_sum(others, complex_over((complex_quad){1, 0}, apart));
    }
    slope = complex_difference(slope, complex_times(value, others));
    if (is_zero(slope)) slope.re = value.re + value.im; /* go somewhere else */
    *step = complex_over(value, slope);
    return true;
}

void roots_find(root_problem *p)
{
    enum { MOST_ROUNDS = 200 };
    int zeros = 0, degree = p->degree;
    while (degree > 0 && is_zero(p->coefficient[degree])) degree--;
    while (zeros < degree && is_zero(p->coefficient[zeros]))
        p->root[zeros++] = (complex_quad){0, 0};
    bool guessed = p->count == degree && zeros == 0;
    p->count = degree;
    if (!guessed && zeros < degree) guess(p, zeros);
    bool moved = zeros < degree;
    for (int round = 0; round < MOST_ROUNDS && moved; round++) {
        moved = false;
        for (int i = zeros; i < degree; i++) {
            complex_quad step;
            if (!find_step(p, zeros, i, &step)) continue;
            p->root[i] = complex_difference(p->root[i], step);
            double size = complex_modulus(step);
            moved = moved || size > 2 * (double)QUAD_EPSILON * complex_modulus(p->root[i]);
        }
    }
}

double roots_radius(const root_problem *p)
{
    double radius = 0;
    for (int i = 0; i < p->count; i++) radius = fmax(radius, complex_modulus(p->root[i]));
    return radius;
}
