/* What follows from the numbers of single methods is what the literature says of them, and changes
 * with the numbers. */
#include "method/methods.h"

#include "method/properties.h"

#include <string.h>

static method_properties properties(const char *name)
{
    method *m = create(name);
    method_properties found = properties_of(m);
    method_free(m);
    return found;
}

/* --- single methods --- */

/* What is not named is false, 0, or not promised. */
static const struct single {
    const char *name, *source;
    int order, embedded_order, stage_order;
    double r_infinity; /* HUGE_VAL: unbounded */
    bool stiffly_accurate, estimator_stiffly_accurate, a_stable, algebraically_stable;
    int index1[2], index2[2];
} singles[] = {
    {.name = "euler", .source = "Euler 1768", .order = 1, .stage_order = 1, .r_infinity = HUGE_VAL},
    {.name = "heun3", .source = "Heun 1900", .order = 3, .stage_order = 1, .r_infinity = HUGE_VAL},
    {.name = "ralston4",
     .source = "Ralston 1962",
     .order = 4,
     .stage_order = 1,
     .r_infinity = HUGE_VAL},
    {.name = "dopri5",
     .source = "Dormand & Prince 1980; the last stage is the first of the next step",
     .order = 5,
     .embedded_order = 4,
     .stage_order = 1,
     .r_infinity = HUGE_VAL,
     .stiffly_accurate = true},
    {.name = "dop853",
     .source = "Hairer, Norsett & Wanner I, Sec. II.10",
     .order = 8,
     .embedded_order = 5,
     .stage_order = 1,
     .r_infinity = HUGE_VAL},
    {.name = "gauss2",
     .source = "its embedded weights are of order 1",
     .order = 4,
     .embedded_order = 1,
     .stage_order = 2,
     .r_infinity = 1,
     .a_stable = true,
     .algebraically_stable = true,
     .index1 = {4, 2},
     .index2 = {2, 0}},
    {.name = "gauss3",
     .source = "its embedded weights are of order 2",
     .order = 6,
     .embedded_order = 2,
     .stage_order = 3,
     .r_infinity = -1,
     .a_stable = true,
     .algebraically_stable = true,
     .index1 = {6, 4},
     .index2 = {4, 2}},
    {.name = "sdirk-hw16",
     .source = "Hairer & Wanner II, (IV.6.16), Table VII.4.1",
     .order = 4,
     .embedded_order = 3,
     .stage_order = 1,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {4, 4},
     .index2 = {2, 1}},
    {.name = "sdirk-hw18",
     .source = "Hairer & Wanner II, (IV.6.18), Sec. IV.12",
     .order = 4,
     .stage_order = 1,
     .r_infinity = -0.63041,
     .a_stable = true,
     .algebraically_stable = true,
     .index1 = {4, 2},
     .index2 = {2, 1}},
    {.name = "kvaerno3",
     .source = "Kvaerno 2004",
     .order = 3,
     .embedded_order = 2,
     .stage_order = 2,
     .stiffly_accurate = true,
     .estimator_stiffly_accurate = true,
     .a_stable = true,
     .index1 = {3, 3},
     .index2 = {3, 2}},
    {.name = "kvaerno4",
     .source = "Kvaerno 2004; y of index 2 as observed",
     .order = 4,
     .embedded_order = 3,
     .stage_order = 2,
     .r_infinity = 0.71752,
     .stiffly_accurate = true,
     .estimator_stiffly_accurate = true,
     .a_stable = true,
     .index1 = {4, 4},
     .index2 = {4, 2}},
    {.name = "kvaerno5",
     .source = "Kvaerno 2004",
     .order = 5,
     .embedded_order = 4,
     .stage_order = 2,
     .stiffly_accurate = true,
     .estimator_stiffly_accurate = true,
     .a_stable = true,
     .index1 = {5, 5},
     .index2 = {3, 2}},
    {.name = "esdirk3",
     .source = "Kennedy & Carpenter 2001",
     .order = 3,
     .embedded_order = 2,
     .stage_order = 2,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {3, 3},
     .index2 = {3, 2}},
    {.name = "esdirk4",
     .source = "Kennedy & Carpenter 2001",
     .order = 4,
     .embedded_order = 3,
     .stage_order = 2,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {4, 4},
     .index2 = {3, 2}},
    {.name = "esdirk5",
     .source = "Kennedy & Carpenter 2001",
     .order = 5,
     .embedded_order = 4,
     .stage_order = 2,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {5, 5},
     .index2 = {3, 2}},
    {.name = "lobatto-iiia3-shifted:rho_inf=0.25",
     .source = "R(infinity) = (1-c)/c",
     .order = 3,
     .stage_order = 3,
     .r_infinity = 0.25,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {3, 3},
     .index2 = {3, 3}},
    {.name = "lobatto-iiia3-shifted:rho_inf=0.8",
     .source = "R(infinity) = (1-c)/c",
     .order = 3,
     .stage_order = 3,
     .r_infinity = 0.8,
     .stiffly_accurate = true,
     .a_stable = true,
     .index1 = {3, 3},
     .index2 = {3, 3}},
    {.name = "collocation(0,1/2)",
     .source = "a first stage that is not the end of the step before",
     .order = 2,
     .stage_order = 2,
     .r_infinity = HUGE_VAL},
};

START_TEST(single_methods_are_what_is_published)
{
    for (size_t k = 0; k < sizeof singles / sizeof *singles; k++) {
        const struct single *e = &singles[k];
        method_properties p = properties(e->name);
        ck_assert_msg(p.order == e->order, "%s: order %d", e->name, p.order);
        ck_assert_msg(p.embedded_order == (e->embedded_order ? e->embedded_order : NONE), "%s: %d",
                      e->name, p.embedded_order);
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
        check_orders(e->name, 3, p.index3, (int[]){NONE, NONE, NONE});
    }
}
END_TEST

START_TEST(a_collocation_method_is_that_of_its_nodes)
{
    method_properties made = properties("collocation(1/3,1)"), known = properties("radau-iia2");
    ck_assert_int_eq(made.order, 3);
    ck_assert(made.l_stable && made.algebraically_stable && made.stiffly_accurate);
    check_orders("index 1", 2, made.index1, known.index1);
    check_orders("index 2", 2, made.index2, known.index2);
    check_orders("index 3", 3, made.index3, known.index3);
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
        const int *said = m->row->orders;
        bool one = m->estimators < 2; /* of two, what the row says is not the order of the first */
        ck_assert_msg(said[0] == 0 || said[0] == p.order, "%s", m->name);
        ck_assert_msg(said[0] == 0 || !one || said[1] == p.embedded_order, "%s", m->name);
        method_free(m);
    }
}
END_TEST

/* What engines ask before a run, by less than all properties. */
static void check_convergence(const char *name)
{
    method *m = create(name);
    method_properties p = properties_of(m);
    bool two = p.index2[0] != NONE && p.index2[1] != NONE, converges;
    bool three = p.index3[0] != NONE && p.index3[1] != NONE && p.index3[2] != NONE;
    ck_assert_int_eq(method_converges(m, 2, &converges), DAE_OK);
    ck_assert_msg(converges == two, "%s on index 2", name);
    ck_assert_int_eq(method_converges(m, 3, &converges), DAE_OK);
    ck_assert_msg(converges == three, "%s on index 3", name);
    bool by_stages = !m->multistep && !m->structural && !m->rosenbrock && !m->base;
    if (by_stages && p.index1[0] != NONE && m->family != METHOD_HALF_EXPLICIT)
        ck_assert_msg(fabs(stability_limit(m) - p.r_infinity) < 1e-12, "%s", name);
    method_free(m);
}

START_TEST(convergence_is_what_the_orders_say)
{
    for (size_t i = 0; method_row_at(i); i++) check_convergence(method_row_at(i)->name);
    check_convergence("collocation(0,1/2)"); /* |R| grows without bound */
    check_convergence("lobatto-iiia3-shifted:rho_inf=0.8");
    check_convergence("projected-gauss2");
    check_convergence("state-space-gauss2");
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
        if (m->multistep || m->structural) { /* multistep.c, structural.c */
            method_free(m);
            continue;
        }
        if (element && before.order > 1) { /* order 1 asks for nothing but sum b = 1 */
            *element += (quad)1e-6;
            method_properties after = properties_of(m);
            ck_assert_msg(after.order < before.order, "%s keeps order %d", m->name, after.order);
            ck_assert_msg(m->rosenbrock || after.stage_order == 0, "%s", m->name);
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

UNIT_MAIN("method/properties", 60, single_methods_are_what_is_published,
          a_collocation_method_is_that_of_its_nodes, coinciding_nodes_leave_an_stability_open,
          an_l_stable_sdirk_is_far_from_algebraically_stable,
          every_row_of_the_catalogue_has_an_order, convergence_is_what_the_orders_say,
          a_wrong_digit_costs_the_order, a_wrong_digit_costs_stability_that_has_no_margin,
          rosenbrock_trees_give_the_orders_of_ros3p, the_limit_of_a_stability_is_a_stable)
