/* What follows from a method's numbers is what the literature says of it, and what changes with
 * them. */
#include "method/properties.h"

#include "base/unit.h"
#include "method/algebraic.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

enum { NONE = METHOD_NO_ORDER, MOST = 7 };

static method *create(const char *name)
{
    method *made = NULL;
    message m = {0};
    dae_status status = method_create(&made, name, &m);
    ck_assert_msg(status == DAE_OK, "%s: %s", name, message_string(&m));
    return made;
}

static method_properties properties_of(const method *m)
{
    method_properties found;
    ck_assert_int_eq(method_properties_find(m, &found), DAE_OK);
    return found;
}

static method_properties properties(const char *name)
{
    method *m = create(name);
    method_properties found = properties_of(m);
    method_free(m);
    return found;
}

/* --- the families: Hairer & Wanner II, Tables IV.5.13, VI.1.1, VII.4.1; Jay 1993 --- */

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

/* An order of 0, an error that stays as the steps shrink, is no convergence. */
static void check_orders(const char *name, int count, const int *found, const int *wanted)
{
    for (int k = 0; k < count; k++)
        ck_assert_msg(found[k] == (wanted[k] > 0 ? wanted[k] : NONE), "%s: %d instead of %d", name,
                      found[k], wanted[k]);
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

/* The numerator of the Padé approximation of degrees (k, j) (Hairer & Wanner II, (IV.3.30)). */
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
    double num[2], den[2];
    method_stability(m, creal(z), cimag(z), &num[0], &num[1], &den[0], &den[1]);
    return CMPLX(num[0], num[1]) / CMPLX(den[0], den[1]);
}

/* R is a Padé approximation, and its error constant that of (IV.3.32). */
static void check_pade(const struct family *f, int stages, const method *m)
{
    int k = stages - f->above, j = stages - f->below;
    uint64_t state = 7;
    for (int i = 0; i < 50; i++) {
        double x = scatter(&state), y = scatter(&state);
        double complex z = CMPLX(4 * x, 4 * y);
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

/* --- single methods --- */

static const struct single {
    const char *name;
    int order, embedded_order, stage_order;
    bool stiffly_accurate, estimator_stiffly_accurate;
    double r_infinity;
    bool a_stable, algebraically_stable;
    int index1[2], index2[2];
    const char *source;
} singles[] = {
    {"euler", 1, NONE, 1, false, false, HUGE_VAL, false, false, {NONE, NONE}, {NONE, NONE}, ""},
    {"heun3",
     3,
     NONE,
     1,
     false,
     false,
     HUGE_VAL,
     false,
     false,
     {NONE, NONE},
     {NONE, NONE},
     "Heun 1900"},
    {"ralston4",
     4,
     NONE,
     1,
     false,
     false,
     HUGE_VAL,
     false,
     false,
     {NONE, NONE},
     {NONE, NONE},
     "Ralston 1962"},
    {"dopri5",
     5,
     4,
     1,
     true,
     false,
     HUGE_VAL,
     false,
     false,
     {NONE, NONE},
     {NONE, NONE},
     "Dormand & Prince 1980: its last stage is the first of the next step"},
    {"dop853",
     8,
     5,
     1,
     false,
     false,
     HUGE_VAL,
     false,
     false,
     {NONE, NONE},
     {NONE, NONE},
     "Hairer, Norsett & Wanner I, Sec. II.10"},
    {"gauss2",
     4,
     1,
     2,
     false,
     false,
     1,
     true,
     true,
     {4, 2},
     {2, NONE},
     "NOTES: weights of order 1"},
    {"gauss3", 6, 2, 3, false, false, -1, true, true, {6, 4}, {4, 2}, "NOTES: weights of order 2"},
    {"sdirk-hw16",
     4,
     3,
     1,
     true,
     false,
     0,
     true,
     false,
     {4, 4},
     {2, 1},
     "Hairer & Wanner II, (IV.6.16), Table VII.4.1"},
    {"sdirk-hw18",
     4,
     NONE,
     1,
     false,
     false,
     -0.63041,
     true,
     true,
     {4, 2},
     {2, 1},
     "Hairer & Wanner II, (IV.6.18), Exercise IV.12.2"},
    {"kvaerno3", 3, 2, 2, true, true, 0, true, false, {3, 3}, {3, 2}, "Kvaerno 2004"},
    {"kvaerno5", 5, 4, 2, true, true, 0, true, false, {5, 5}, {3, 2}, "Kvaerno 2004"},
    {"esdirk3", 3, 2, 2, true, false, 0, true, false, {3, 3}, {3, 2}, "Kennedy & Carpenter 2001"},
    {"esdirk4", 4, 3, 2, true, false, 0, true, false, {4, 4}, {3, 2}, "Kennedy & Carpenter 2001"},
    {"esdirk5", 5, 4, 2, true, false, 0, true, false, {5, 5}, {3, 2}, "Kennedy & Carpenter 2001"},
    {"lobatto-iiia3-shifted:rho_inf=0.25",
     3,
     NONE,
     3,
     true,
     false,
     0.25,
     true,
     false,
     {3, 3},
     {3, 3},
     "R(infinity) = (1-c)/c: NOTES"},
    {"lobatto-iiia3-shifted:rho_inf=0.8",
     3,
     NONE,
     3,
     true,
     false,
     0.8,
     true,
     false,
     {3, 3},
     {3, 3},
     "R(infinity) = (1-c)/c: NOTES"},
    {"collocation(1/3,1)", 3, NONE, 2, true, false, 0, true, true, {3, 3}, {3, 2}, "Radau IIA"},
    {"collocation(0,1/2)",
     2,
     NONE,
     2,
     false,
     false,
     HUGE_VAL,
     false,
     false,
     {NONE, NONE},
     {NONE, NONE},
     "an explicit first stage that is not the end of the step before"},
};

START_TEST(single_methods_are_what_is_published)
{
    for (size_t k = 0; k < sizeof singles / sizeof *singles; k++) {
        const struct single *e = &singles[k];
        method_properties p = properties(e->name);
        ck_assert_msg(p.order == e->order, "%s: order %d", e->name, p.order);
        ck_assert_msg(p.embedded_order == e->embedded_order, "%s: %d", e->name, p.embedded_order);
        ck_assert_msg(p.stage_order == e->stage_order, "%s: %d", e->name, p.stage_order);
        ck_assert_msg(p.stiffly_accurate == e->stiffly_accurate, "%s", e->name);
        ck_assert_msg(p.estimator_stiffly_accurate == e->estimator_stiffly_accurate, "%s", e->name);
        if (isfinite(e->r_infinity))
            ck_assert_double_eq_tol(p.r_infinity, e->r_infinity, 5e-6);
        else
            ck_assert_msg(isinf(p.r_infinity), "%s", e->name);
        ck_assert_msg(p.a_stable == e->a_stable, "%s: %.6f", e->name, p.alpha_degrees);
        ck_assert_msg(p.l_stable == (e->a_stable && e->r_infinity == 0), "%s", e->name);
        ck_assert_msg(p.algebraically_stable == e->algebraically_stable, "%s", e->name);
        check_orders(e->name, 2, p.index1, e->index1);
        check_orders(e->name, 2, p.index2, e->index2);
        check_orders(e->name, 3, p.index3,
                     strchr(e->name, '1') && strstr(e->name, "1/3,1") ? (int[]){3, 2, 1}
                                                                      : (int[]){NONE, NONE, NONE});
    }
}
END_TEST

START_TEST(coinciding_nodes_leave_an_stability_open)
{
    ck_assert_int_eq(properties("rk4").an_stable, -1);      /* 1/2 twice */
    ck_assert_int_eq(properties("kvaerno3").an_stable, -1); /* 1 twice */
    ck_assert_int_eq(properties("trapezoidal").an_stable, 0);
}
END_TEST

START_TEST(an_l_stable_sdirk_is_far_from_algebraically_stable)
{
    quad size;
    method *m = create("sdirk-hw16");
    ck_assert_double_eq_tol((double)algebraic_least_eigenvalue(m, &size), -112, 0.5);
    method_free(m);
}
END_TEST

START_TEST(every_row_of_the_catalogue_has_an_order)
{
    for (size_t i = 0; method_row_at(i); i++) {
        method *m = create(method_row_at(i)->name);
        method_properties p = properties_of(m);
        ck_assert_msg(p.order >= 1 && p.stage_order <= p.order, "%s", m->name);
        ck_assert_msg(p.embedded_order < p.order, "%s", m->name);
        ck_assert_msg((m->estimators > 0) == (p.embedded_order != NONE), "%s", m->name);
        method_free(m);
    }
}
END_TEST

/* --- perturbed copies --- */

static quad *first_used(method *m)
{
    for (int i = 0; i < m->stages; i++)
        for (int j = 0; j < m->stages; j++)
            if (m->b[i] != 0 && m->a[i][j] != 0) return &m->a[i][j];
    return NULL;
}

START_TEST(a_wrong_digit_costs_the_order)
{
    for (size_t i = 0; method_row_at(i); i++) {
        method *m = create(method_row_at(i)->name);
        method_properties before = properties_of(m);
        quad *element = first_used(m);
        if (element && before.order > 1) { /* order 1 asks for nothing but sum b = 1 */
            *element += (quad)1e-6;
            method_properties after = properties_of(m);
            ck_assert_msg(after.order < before.order, "%s keeps order %d", m->name, after.order);
            ck_assert_msg(after.stage_order == 0, "%s", m->name);
            *element -= (quad)1e-6;
        }
        m->b[0] += (quad)1e-6;
        ck_assert_msg(properties_of(m).order == 0, "%s", m->name);
        method_free(m);
    }
}
END_TEST

START_TEST(a_wrong_digit_costs_stability_that_has_no_margin)
{
    const char *const names[] = {"implicit-midpoint", "gauss2", "gauss3", "gauss4", "gauss5"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        method *m = create(names[k]);
        m->b[0] += (quad)1e-6;
        method_properties p = properties_of(m);
        ck_assert_msg(!p.a_stable && !p.algebraically_stable, "%s", names[k]);
        m->b[0] -= (quad)1e-6;
        m->a[0][0] -= (quad)1e-6; /* b_1 (2 a_11 - b_1) < 0 */
        ck_assert_msg(!properties_of(m).algebraically_stable, "%s", names[k]);
        method_free(m);
    }
    method *m = create("radau-iia3");
    m->b[1] += (quad)1e-6;
    method_properties p = properties_of(m);
    ck_assert(!p.stiffly_accurate && !p.l_stable && fabs(p.r_infinity) > 1e-9);
    method_free(m);
}
END_TEST

/* --- Rosenbrock methods --- */

static method rosenbrock(method_rosenbrock *r, int stages)
{
    method m = {.family = METHOD_ROSENBROCK, .stages = stages, .rosenbrock = r};
    for (int i = 0; i < stages; i++)
        for (int j = 0; j < stages; j++) m.a[i][j] = r->alpha[i][j] + r->gamma_matrix[i][j];
    return m;
}

/* ROS3P: of order 3 on ODEs and on DAEs of index 1, A-stable with R(infinity) = 1 - sqrt(3), an
 * embedded formula of order 2. Lang & Verwer, BIT 41 (2001) 731. */
static method ros3p(method_rosenbrock *r)
{
    quad g = (quad)1 / 2 + quad_sqrt(3) / 6;
    *r = (method_rosenbrock){.gamma = g, .alpha = {{0}, {1}, {1}}};
    for (int i = 0; i < 3; i++) r->gamma_matrix[i][i] = g;
    r->gamma_matrix[1][0] = -1;
    r->gamma_matrix[2][0] = -g;
    r->gamma_matrix[2][1] = (quad)1 / 2 - 2 * g;
    method m = rosenbrock(r, 3);
    m.b[0] = (quad)2 / 3;
    m.b[2] = (quad)1 / 3;
    m.estimators = 1;
    for (int i = 0; i < 3; i++) m.b_hat[0][i] = (quad)1 / 3;
    return m;
}

START_TEST(rosenbrock_trees_give_the_orders_of_ros3p)
{
    method_rosenbrock r;
    method m = ros3p(&r);
    method_properties p = properties_of(&m);
    ck_assert_int_eq(p.order, 3);
    ck_assert_int_eq(p.embedded_order, 2);
    ck_assert(p.a_stable && !p.l_stable && !p.stiffly_accurate);
    ck_assert_double_eq_tol(p.r_infinity, 1 - sqrt(3), DBL_EPSILON);
    check_orders("ros3p", 2, p.index1, (int[]){3, 3});
    check_orders("ros3p", 2, p.index2, (int[]){NONE, NONE});
    r.alpha[2][0] += (quad)1e-6; /* alpha + gamma stays: only trees with several branches see it */
    r.gamma_matrix[2][0] -= (quad)1e-6;
    m.family = METHOD_ROSENBROCK;
    ck_assert_int_eq(properties_of(&m).order, 2);
}
END_TEST

/* ROS2 with gamma = 1 + 1/sqrt(2): L-stable, of order 2 (Verwer, Spee, Blom & Hundsdorfer, SIAM J.
 * Sci. Comput. 20 (1999) 1456). With gamma = 1/4, the limit of A-stability, R(infinity) = -1. */
START_TEST(the_limit_of_a_stability_is_a_stable)
{
    for (int k = 0; k < 3; k++) {
        quad g = k == 0 ? 1 + 1 / quad_sqrt(2) : (quad)1 / 4 - (k == 2 ? (quad)1e-6 : 0);
        method_rosenbrock r = {.gamma = g, .alpha = {{0}, {1}}, .gamma_matrix = {{g}, {-2 * g, g}}};
        method m = rosenbrock(&r, 2);
        m.b[0] = m.b[1] = (quad)1 / 2;
        method_properties p = properties_of(&m);
        ck_assert_int_eq(p.order, 2);
        ck_assert(p.a_stable == (k < 2) && p.l_stable == (k == 0));
        if (k == 1) ck_assert_double_eq_tol(fabs(p.r_infinity), 1, DBL_EPSILON);
    }
}
END_TEST

UNIT_MAIN("method/properties", 60, families_are_what_their_theory_says,
          stability_functions_are_the_pade_approximations, single_methods_are_what_is_published,
          coinciding_nodes_leave_an_stability_open,
          an_l_stable_sdirk_is_far_from_algebraically_stable,
          every_row_of_the_catalogue_has_an_order, a_wrong_digit_costs_the_order,
          a_wrong_digit_costs_stability_that_has_no_margin,
          rosenbrock_trees_give_the_orders_of_ros3p, the_limit_of_a_stability_is_a_stable)
