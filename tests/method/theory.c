/* The families of implicit Runge-Kutta methods are what their theory says. */
#include "method/methods.h"
#include "method/properties.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 7 };

/* --- the families: Hairer & Wanner II, Table IV.5.13, Thm VI.1.1, Table VII.4.1; Jay 1993, 1995
 * --- */

typedef struct expected {
    int order, stage_order, d_order;
    double r_infinity; /* HUGE_VAL: unbounded */
    bool a_stable, algebraically_stable;
    int index1[2], index2[2], index3[3];
} expected;

static expected gauss(int s)
{
    bool odd = s % 2 == 1;
    return (expected){2 * s,
                      s,
                      s,
                      odd ? -1 : 1,
                      true,
                      true,
                      {2 * s, odd ? s + 1 : s},
                      {odd ? s + 1 : s, odd ? s - 1 : s - 2},
                      {NONE, NONE, NONE}};
}

static expected radau_ia(int s)
{
    return (expected){2 * s - 1,         s - 1, s, 0, true, true, {2 * s - 1, s}, {s, s - 1},
                      {NONE, NONE, NONE}};
}

/* Index 3 for one stage: Brenan & Engquist 1988. */
static expected radau_iia(int s)
{
    int p = 2 * s - 1;
    expected e = {p, s, s - 1, 0, true, true, {p, p}, {p, s}, {p, s, s - 1}};
    if (s == 1) e.index3[2] = 1;
    return e;
}

static expected lobatto_iiia(int s)
{
    int p = 2 * s - 2;
    return (expected){p,
                      s,
                      s - 2,
                      s % 2 ? 1 : -1,
                      true,
                      false,
                      {p, p},
                      {p, s % 2 ? s - 1 : s},
                      {NONE, NONE, NONE}};
}

static expected lobatto_iiib(int s)
{
    return (expected){2 * s - 2,      s - 2,        s,
                      s % 2 ? 1 : -1, true,         false,
                      {NONE, NONE},   {NONE, NONE}, {NONE, NONE, NONE}};
}

static expected lobatto_iiic(int s)
{
    int p = 2 * s - 2;
    expected e = {p, s - 1, s - 1, 0, true, true, {p, p}, {p, s - 1}, {NONE, NONE, NONE}};
    if (s == 3) memcpy(e.index3, (int[]){4, 2, 1}, sizeof e.index3);
    if (s == 4) memcpy(e.index3, (int[]){6, 3, 2}, sizeof e.index3);
    return e;
}

static expected lobatto_iiicstar(int s)
{
    return (expected){2 * s - 2, s - 1,        s - 1,        HUGE_VAL,          false,
                      false,     {NONE, NONE}, {NONE, NONE}, {NONE, NONE, NONE}};
}

/* Padé: the degrees of numerator and denominator of R (Hairer & Wanner II, Table IV.5.13). */
static const struct family {
    const char *name;
    expected (*of)(int stages);
    int above, below; /* less than the stages */
    int stages[MOST];
} families[] = {
    {"gauss", gauss, 0, 0, {1, 2, 3, 4, 5}},
    {"radau-ia", radau_ia, 1, 0, {1, 2, 3, 5, 7}},
    {"radau-iia", radau_iia, 1, 0, {1, 2, 3, 5, 7}},
    {"lobatto-iiia", lobatto_iiia, 1, 1, {2, 3, 4}},
    {"lobatto-iiib", lobatto_iiib, 1, 1, {2, 3, 4}},
    {"lobatto-iiic", lobatto_iiic, 2, 0, {2, 3, 4}},
    {"lobatto-iiicstar", lobatto_iiicstar, 0, 2, {2, 3, 4}},
};

typedef void visitor(const struct family *f, int stages, const method *m);

static void each(visitor *visit)
{
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        for (int i = 0; i < MOST && families[k].stages[i]; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s%d", families[k].name, families[k].stages[i]);
            method *m = create(name);
            visit(&families[k], families[k].stages[i], m);
            method_free(m);
        }
}

static void check_family(const struct family *f, int stages, const method *m)
{
    expected e = f->of(stages);
    method_properties p = properties_of(m);
    check_orders(m->name, 1, &p.order, &e.order);
    ck_assert_int_eq(p.stage_order, e.stage_order);
    ck_assert_int_eq(p.d_order, e.d_order);
    if (isfinite(e.r_infinity))
        ck_assert_double_eq_tol(p.r_infinity, e.r_infinity, DBL_EPSILON);
    else
        ck_assert(isinf(p.r_infinity));
    ck_assert_msg(p.a_stable == e.a_stable, "%s", m->name);
    ck_assert(p.l_stable == (e.a_stable && e.r_infinity == 0));
    ck_assert_double_eq(p.alpha_degrees, e.a_stable ? 90 : 0);
    ck_assert_msg(p.algebraically_stable == e.algebraically_stable, "%s", m->name);
    ck_assert_int_eq(p.an_stable, e.algebraically_stable); /* their nodes are distinct */
    check_orders(m->name, 2, p.index1, e.index1);
    check_orders(m->name, 2, p.index2, e.index2);
    check_orders(m->name, 3, p.index3, e.index3);
}

START_TEST(families_are_what_their_theory_says)
{
    each(check_family);
}
END_TEST

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* The numerator of the Padé approximation of degrees (k, j) (Hairer & Wanner II, Sec. IV.3). */
static double complex pade(int k, int j, double complex z)
{
    double complex sum = 0;
    for (int i = 0; i <= k; i++)
        sum += factorial(k) * factorial(k + j - i) / (factorial(k - i) * factorial(k + j)) /
               factorial(i) * cpow(z, i);
    return sum;
}

static double complex stability(const method *m, double complex z)
{
    const double complex i = (double complex)I;
    stability_function r;
    stability_find(m, &r);
    stability_point at = stability_value(&r, creal(z), cimag(z));
    return (at.num_re + i * at.num_im) / (at.den_re + i * at.den_im);
}

/* R is a Padé approximation, with the error constant of Hairer & Wanner II, Sec. IV.3. */
static void check_pade(const struct family *f, int stages, const method *m)
{
    int k = stages - f->above, j = stages - f->below;
    uint64_t state = 7;
    for (int i = 0; i < 50; i++) {
        double x = scatter(&state), y = scatter(&state);
        double complex z = 4 * x + 4 * y * (double complex)I;
        double complex wanted = pade(k, j, z) / pade(j, k, -z);
        ck_assert_msg(cabs(stability(m, z) / wanted - 1) < 1e-11, "%s", m->name);
    }
    double constant = (j % 2 ? -1 : 1) * factorial(j) * factorial(k) /
                      (factorial(j + k) * factorial(j + k + 1));
    ck_assert_double_eq_tol(properties_of(m).error_constant / constant, 1, 1e-13);
}

START_TEST(stability_functions_are_the_pade_approximations)
{
    each(check_pade);
}
END_TEST

UNIT_MAIN("method/theory", 60, families_are_what_their_theory_says,
          stability_functions_are_the_pade_approximations)
