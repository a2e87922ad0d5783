/* The index of each variable, found where the author says nothing of it, is that which the authors
 * of the test problems say. */
#include "base/unit.h"
#include "solve/solver.h"
#include "zoo/variants.h"

#include <stdbool.h>
#include <string.h>

static void forget_jacobian(zoo_form *form)
{
    switch (form->kind) {
    case ZOO_RESIDUAL: form->as.residual.jacobian = NULL; break;
    case ZOO_MASS: form->as.mass.f_y = NULL; break;
    default: form->as.semi_explicit.jacobian = NULL;
    }
}

static void compare(const char *guise, const char *name, const zoo_form *given, const double *y,
                    const double *yp)
{
    zoo_form form = *given;
    const unsigned char *index = zoo_index(given);
    zoo_about(&form)->index = NULL;
    dae_problem *posed = zoo_problem(&form);
    dae_options options = dae_options_default();
    options.formulation = "direct";
    dae_solver *solver = dae_solver_create(posed, &options);
    ck_assert_msg(dae_solver_start_with(solver, 0, y, yp) == DAE_OK, "%s %s: %s", guise, name,
                  dae_solver_message(solver));
    for (size_t j = 0; j < zoo_size(&form); j++) {
        int found = solver->simulation->problem->index[j], known = index ? index[j] : 1;
        ck_assert_msg(found == known, "%s %s: y%zu has index %d, found %d", guise, name, j + 1,
                      known, found);
    }
    dae_solver_free(solver);
    dae_problem_free(posed);
}

START_TEST(order_problems)
{
    for (size_t k = 0; k < zoo_order_count; k++) {
        double y[ZOO_MOST], yp[ZOO_MOST];
        zoo_exact(zoo_orders[k], 0, y, yp);
        compare("given", zoo_orders[k]->name, zoo_orders[k]->form, y, yp);
    }
}
END_TEST

START_TEST(test_set)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        double y[ZOO_MOST], yp[ZOO_MOST];
        zoo_ivps[k]->start(y, yp);
        compare("given", zoo_ivps[k]->name, zoo_ivps[k]->form, y, yp);
    }
}
END_TEST

/* With Jacobians by differences as well; but in the adder charges cancel, which differences meet
 * to half of the digits. */
START_TEST(by_differences)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        double y[ZOO_MOST], yp[ZOO_MOST];
        zoo_form form = *zoo_ivps[k]->form;
        if (strstr(zoo_ivps[k]->name, "adder")) continue;
        forget_jacobian(&form);
        zoo_ivps[k]->start(y, yp);
        compare("by differences", zoo_ivps[k]->name, &form, y, yp);
    }
}
END_TEST

/* What units the author has chosen, in which order he writes, and other parameters change nothing.
 */
START_TEST(variants)
{
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        for (zoo_change change = 0; change < ZOO_CHANGES; change++) {
            double y[ZOO_MOST], yp[ZOO_MOST];
            const zoo_ivp *variant = zoo_variant_make(zoo_ivps[k], change);
            if (!variant) continue;
            zoo_start(variant, y, yp);
            compare(zoo_change_name(change), variant->name, variant->form, y, yp);
            zoo_variant_free(variant);
        }
    }
}
END_TEST

UNIT_MAIN("solve/found_index", 60, order_problems, test_set, by_differences, variants)
