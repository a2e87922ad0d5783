#include "method/roots.h"

#include <math.h>
#include <stdbool.h>

double complex_modulus(complex_quad x)
{
    return hypot((double)x.re, (double)x.im);
}

static bool is_zero(complex_quad x)
{
    return x.re == 0 && x.im == 0;
}

/* On a circle whose radius is the geometric mean of the roots' moduli, off the real axis. */
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

/* The step of Newton at root i of what is left of the polynomial when the other roots are taken
 * out; false where its value is round-off. */
static bool find_step(const root_problem *p, int zeros, int i, complex_quad *step)
{
    complex_quad x = p->root[i], value = {0, 0}, slope = {0, 0}, others = {0, 0};
    double size = 0, modulus = complex_modulus(x);
    for (int k = p->count; k >= zeros; k--) {
        slope = complex_times(slope, x);
        slope.re += value.re;
        slope.im += value.im;
        value = complex_times(value, x);
        value.re += p->coefficient[k].re;
        value.im += p->coefficient[k].im;
        size = size * modulus + complex_modulus(p->coefficient[k]);
    }
    if (complex_modulus(value) <= 4 * (double)QUAD_EPSILON * size) return false;
    for (int j = zeros; j < p->count; j++) {
        complex_quad apart = {x.re - p->root[j].re, x.im - p->root[j].im};
        if (j == i || is_zero(apart)) continue;
        complex_quad term = complex_over((complex_quad){1, 0}, apart);
        others.re += term.re;
        others.im += term.im;
    }
    complex_quad taken = complex_times(value, others);
    slope.re -= taken.re;
    slope.im -= taken.im;
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
            p->root[i].re -= step.re;
            p->root[i].im -= step.im;
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
