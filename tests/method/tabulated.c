/* What the build tabulates is what a run would compute: for each row of the catalogue, to the bit.
 */
#include "method/tabulated.h"

#include "method/catalogue.h"
#include "method/methods.h"
#include "method/scheme.h"

#include <string.h>

static method *compute(const char *name)
{
    method *made = NULL;
    message m = {0};
    ck_assert_int_eq(method_compute(&made, name, &m), DAE_OK);
    return made;
}

/* The numbers of a method, without its pointers. */
static void check_numbers(const method *m, const method *computed)
{
    method known = *m, wanted = *computed;
    ck_assert_ptr_eq(known.row, wanted.row);
    ck_assert_int_eq(known.rosenbrock != NULL, wanted.rosenbrock != NULL);
    ck_assert_int_eq(known.multistep != NULL, wanted.multistep != NULL);
    ck_assert_int_eq(known.structural != NULL, wanted.structural != NULL);
    ck_assert_int_eq(known.base != NULL, wanted.base != NULL);
    ck_assert_int_eq(known.order_levels, wanted.order_levels);
#define SAME(member) \
    ck_assert_msg(memcmp(&known.member, &wanted.member, sizeof known.member) == 0, "%s", known.name)
    SAME(name), SAME(family), SAME(decimals), SAME(stages), SAME(extra), SAME(estimators);
    SAME(a), SAME(b), SAME(c), SAME(b_hat), SAME(dense_degree), SAME(dense), SAME(constraint);
#undef SAME
#define SAME(part) \
    if (known.part) ck_assert_mem_eq(known.part, wanted.part, sizeof *known.part)
    SAME(rosenbrock);
    SAME(multistep);
    SAME(structural);
#undef SAME
}

static void check_properties(const method *m, const method *computed)
{
    method_properties known, wanted;
    ck_assert_int_eq(method_properties_find(m, &known), DAE_OK);
    ck_assert_int_eq(method_properties_compute(computed, &wanted), DAE_OK);
#define SAME(member) \
    ck_assert_msg(memcmp(&known.member, &wanted.member, sizeof known.member) == 0, "%s", m->name)
    SAME(order), SAME(stage_order), SAME(d_order), SAME(embedded_order), SAME(stiffly_accurate);
    SAME(estimator_stiffly_accurate), SAME(r_infinity), SAME(alpha_degrees), SAME(a_stable);
    SAME(l_stable), SAME(algebraically_stable), SAME(an_stable), SAME(error_constant);
    SAME(zero_stable), SAME(barrier), SAME(index1), SAME(index2), SAME(index3);
    SAME(moving_kernel), SAME(second_order);
#undef SAME
}

static void check_scheme(const method *m, const method *computed)
{
    static scheme known, wanted;
    if (m->stages == 0 || m->rosenbrock) return;
    dae_status status = scheme_compute(&wanted, computed);
    ck_assert_int_eq(scheme_make(&known, m), status);
    if (status != DAE_OK) return;
    ck_assert_ptr_eq(known.method, m);
#define SAME(member) \
    ck_assert_msg(memcmp(&known.member, &wanted.member, sizeof known.member) == 0, "%s", m->name)
    SAME(stages), SAME(extra), SAME(a), SAME(b), SAME(c), SAME(blocks), SAME(slots);
    SAME(slot_is_complex), SAME(order), SAME(stage_order), SAME(is_implicit);
    SAME(stiffly_accurate), SAME(carries_yp), SAME(needs_yp), SAME(estimate);
    SAME(estimate_order), SAME(filters), SAME(embedded_meets), SAME(error), SAME(errors);
    SAME(degree), SAME(interpolant), SAME(largest_node_product);
#undef SAME
    for (int k = 0; k < known.blocks; k++) {
        const scheme_block *b = &known.block[k], *other = &wanted.block[k];
        ck_assert_int_eq(b->first, other->first);
        ck_assert_int_eq(b->stages, other->stages);
        ck_assert_int_eq(b->parts, other->parts);
        ck_assert_mem_eq(b->inverse, other->inverse, sizeof b->inverse);
        ck_assert_mem_eq(b->into, other->into, sizeof b->into);
        ck_assert_mem_eq(b->from, other->from, sizeof b->from);
        for (int i = 0; i < b->parts; i++) {
            ck_assert_double_eq(b->part[i].re, other->part[i].re);
            ck_assert_double_eq(b->part[i].im, other->part[i].im);
            ck_assert_int_eq(b->part[i].slot, other->part[i].slot);
            ck_assert_int_eq(b->part[i].row, other->part[i].row);
        }
    }
}

START_TEST(each_row_is_tabulated_as_it_is_computed)
{
    const method_row *row;
    size_t numbers = 0, schemes = 0, rows = 0;
    for (; (row = method_row_at(rows)) != NULL; rows++) {
        static union {
            method numbers;
            method_properties properties;
            scheme scheme;
        } any;
        method *m = create(row->name), *computed = compute(row->name);
        ck_assert(tabulated_read(m->name, TABULATED_PROPERTIES, &any, sizeof any.properties));
        schemes += tabulated_read(m->name, TABULATED_SCHEME, &any, sizeof any.scheme);
        bool own = tabulated_read(m->name, TABULATED_METHOD, &any, sizeof any.numbers);
        ck_assert_int_eq(own, !m->base && m->order_levels == 0);
        numbers += own;
        check_numbers(m, computed);
        check_properties(m, computed);
        check_scheme(m, computed);
        method_free(m);
        method_free(computed);
    }
    ck_assert_uint_gt(numbers, rows / 2);
    ck_assert_uint_gt(schemes, rows / 2);
}
END_TEST

/* With another parameter, or nodes, a method is none of the tables. */
START_TEST(other_parameters_are_not_tabulated)
{
    static const char *const names[] = {"rk2:alpha=0.6", "collocation(0,0.6,1)",
                                        "generalized-alpha:rho_inf=0.6"};
    method_properties any;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        method *m = create(names[i]), *computed = compute(names[i]);
        ck_assert(!tabulated_read(m->name, TABULATED_PROPERTIES, &any, sizeof any));
        check_numbers(m, computed);
        check_properties(m, computed);
        check_scheme(m, computed);
        method_free(m);
        method_free(computed);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, each_row_is_tabulated_as_it_is_computed);
    tcase_add_test(tests, other_parameters_are_not_tabulated);
    return unit_run("method/tabulated", tests);
}
