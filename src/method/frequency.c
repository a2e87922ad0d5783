#include "method/catalogue.h"

#include "method/polynomial.h"
#include "method/properties.h"
#include "method/structural.h"

#include <math.h>

/* The state of following the principal root. */
typedef struct track {
    const method_structural *structural;
    bool has_roots; /* a multistep or structural method */
    stability_function r;
    characteristic of;
    root_problem roots;
    int principal;
    double omega, radius, modulus, phase;
} track;

/* The principal root is the one nearest to its last position. */
static complex_quad follow(track *t, double omega, complex_quad before)
{
    if (t->structural)
        structural_polynomial(t->structural, omega, 0, &t->roots);
    else
        characteristic_at(&t->of, 0, omega, &t->roots);
    roots_find(&t->roots);
    double nearest = HUGE_VAL;
    for (int i = 0; i < t->roots.count; i++) {
        complex_quad apart = complex_difference(t->roots.root[i], before);
        if (complex_modulus(apart) >= nearest) continue;
        nearest = complex_modulus(apart);
        t->principal = i;
    }
    t->radius = t->roots.count < t->roots.degree ? HUGE_VAL : roots_radius(&t->roots);
    return t->roots.root[t->principal];
}

static void move(track *t, double omega)
{
    const double pi = acos(-1.0);
    double now;
    if (t->has_roots) {
        complex_quad before = t->roots.root[t->principal], x = follow(t, omega, before);
        t->modulus = complex_modulus(x);
        now = atan2((double)x.im, (double)x.re);
    } else {
        stability_point at = stability_value(&t->r, 0, omega);
        t->modulus = t->radius = hypot(at.num_re, at.num_im) / hypot(at.den_re, at.den_im);
        now = atan2(at.num_im, at.num_re) - atan2(at.den_im, at.den_re);
    }
    t->omega = omega;
    t->phase = now + 2 * pi * round((t->phase - now) / (2 * pi)); /* without jumps */
}

/* Advances in steps so small that no other root takes the place of the principal one. */
static void advance(track *t, double omega)
{
    for (;;) {
        double next = t->omega + 0.02 * fmax(1, t->omega);
        if (!(next < omega)) break;
        move(t, next);
    }
    move(t, omega);
}

void method_frequencies(const method *given, double first, double last, int count,
                        method_frequency *at)
{
    track t = {.structural = given->structural, .has_roots = given->structural || given->multistep};
    if (t.structural) {
        t.roots.root[0] = (complex_quad){1, (quad)1e-9}; /* of the two that start at 1 */
    } else if (t.has_roots) {
        characteristic_find(given, &t.of);
        t.roots.root[0].re = 1;
    } else {
        stability_find(given, &t.r);
    }
    for (int i = 0; i < count; i++) {
        double omega = i == count - 1 ? last : first * pow(last / first, (double)i / (count - 1));
        advance(&t, omega);
        at[i] = (method_frequency){omega, t.radius, t.modulus, t.phase / omega - 1};
    }
}
