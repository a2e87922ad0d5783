/* What the equations are: index, freedom, blocks, states and hidden constraints of known models. */
#include "solve/models.h"
#include "zoo/mechanical.h"

#include <stdio.h>

typedef struct wanted {
    long structural_index, index, freedom;
    size_t equations, blocks, largest_block, hidden;
} wanted;

static dae_description *described(const char *model, const wanted *w)
{
    dae_problem *problem = problem_of(model);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_ptr_nonnull(d);
    dae_problem_free(problem);
    ck_assert_msg(d->status == DAE_OK, "%s", d->message);
    ck_assert_int_eq(d->structural_index, w->structural_index);
    ck_assert_int_eq(d->index, w->index);
    ck_assert_int_eq(d->degrees_of_freedom, w->freedom);
    ck_assert_uint_eq(d->equations, w->equations);
    ck_assert_uint_eq(d->unknowns, w->equations);
    ck_assert_uint_eq(d->blocks, w->blocks);
    size_t largest = 0, sum = 0;
    for (size_t k = 0; k < d->blocks; k++) {
        sum += d->block[k];
        largest = d->block[k] > largest ? d->block[k] : largest;
    }
    ck_assert_uint_eq(sum, w->equations);
    ck_assert_uint_eq(largest, w->largest_block);
    ck_assert_uint_eq(d->hidden_constraints, w->hidden);
    ck_assert_ptr_null(d->singular);
    return d;
}

static bool has(const char *const *list, size_t count, const char *part)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(list[i], part)) return true;
    return false;
}

START_TEST(ordinary)
{
    dae_description *d = described(OSCILLATOR, &(wanted){0, 0, 2, 2, 2, 1, 0});
    ck_assert_uint_eq(d->states, 2);
    ck_assert(has(d->state, 2, "x") && has(d->state, 2, "v"));
    ck_assert_str_eq(d->name, "Oscillator");
    ck_assert_double_eq_tol(d->rank_margin, 1, 1e-12);
    ck_assert_ptr_null(d->misleads);
    dae_description_free(d);
    dae_description_free(NULL);
}
END_TEST

START_TEST(pendulum)
{
    dae_description *d = described(PENDULUM, &(wanted){3, 3, 2, 5, 1, 5, 2});
    ck_assert_uint_eq(d->states, 2);
    ck_assert(has(d->state, 2, "x") && has(d->state, 2, "u")); /* which their author fixed */
    ck_assert(has(d->hidden_constraint, 2, "2*x*u + 2*y*v = 0"));
    ck_assert_str_eq(d->form, "mechanical");
    ck_assert_uint_eq(d->coordinates, 2);
    ck_assert_uint_eq(d->holonomic, 1);
    ck_assert_uint_eq(d->nonholonomic, 0);
    ck_assert_uint_eq(d->multipliers, 1);
    ck_assert(d->rank_margin > 0);
    dae_description_free(d);
}
END_TEST

/* dae[0] + dae[1] says 2 a + b - sin(time) ... without derivatives: index 2 by the numbers. */
START_TEST(misleads)
{
    dae_problem *problem = problem_of(CAPACITORS);
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_OK);
    ck_assert_ptr_nonnull(d->misleads);
    ck_assert_int_eq(d->index, 1);
    ck_assert_int_eq(d->degrees_of_freedom, 1);
    ck_assert(d->rank_margin == 0);
    ck_assert_uint_eq(d->hidden_constraints, 1);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

/* x_i + x_(i+1) = t around a ring of even length: one equation follows from the others, by a factor
 * that is no number. Of a large system the rank is not determined, and none is told. */
START_TEST(ranks_that_are_reported)
{
    for (size_t n = 20; n <= 400; n *= 20) {
        char model[300], rank[60];
        snprintf(
            model, sizeof model,
            "model S Real x[%zu], y(start = 0, fixed = true); equation der(y) = x[1]; for i in "
            "1:%zu loop x[i] + x[i+1] = time; end for; (1 + y^2)*(x[%zu] + x[1] - time) = 0; end "
            "S;",
            n, n - 1, n);
        dae_problem *problem = problem_of(model);
        dae_description *d = dae_describe(problem, 0);
        if (n > 100)
            snprintf(rank, sizeof rank, "of %zu equations is singular", n + 1);
        else
            snprintf(rank, sizeof rank, "only rank %zu of %zu", n, n + 1);
        ck_assert_msg(d->misleads && strstr(d->misleads, rank), "%s", d->misleads);
        dae_description_free(d);
        dae_problem_free(problem);
    }
}
END_TEST

/* The same by numbers. */
START_TEST(dependent)
{
    dae_problem *problem = problem_of(
        "model S Real x[4], y(start = 0, fixed = true); equation der(y) = x[1]; for i in 1:3 loop "
        "x[i] + x[i+1] = time; end for; x[4] + x[1] = time; end S;");
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_STRUCTURE);
    ck_assert_int_eq(d->index, -1);
    ck_assert_ptr_nonnull(d->singular);
    ck_assert_msg(strstr(d->singular, "one of them follows from the others") != NULL, "%s",
                  d->singular);
    ck_assert_msg(strstr(d->singular, "left undetermined: x[1], x[2], x[3], x[4], y") != NULL, "%s",
                  d->singular);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

START_TEST(singular)
{
    dae_problem *problem = problem_of("model M Real x, y, z; equation x = 1; x = 2; der(y) = z;"
                                      " end M;");
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_STRUCTURE);
    ck_assert_int_eq(d->structural_index, -1);
    ck_assert_int_eq(d->index, -1);
    ck_assert_ptr_nonnull(d->singular);
    ck_assert(strstr(d->singular, "over-determined: 2 equations for 1 unknown (x)") != NULL);
    ck_assert(strstr(d->singular, "under-determined: y, z") != NULL);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

static int energy(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * q[1];
    return 0;
}

static int turning(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)q, (void)user;
    gamma[0] = 2 * (v[0] * v[0] + v[1] * v[1]);
    return 0;
}

/* Of C programs: what their forms hold, and what is found in place of what they lack. */
START_TEST(mechanical)
{
    dae_mechanical_form form = zoo_pendulum.form;
    for (size_t invariants = 0; invariants < 2; invariants++) {
        form.invariants = invariants;
        form.invariant = invariants ? energy : NULL;
        form.gamma = invariants ? NULL : turning;
        dae_problem *problem = dae_problem_mechanical(&form);
        dae_description *d = dae_describe(problem, 0);
        ck_assert_int_eq(d->status, DAE_OK);
        ck_assert_str_eq(d->form, "mechanical");
        ck_assert_uint_eq(d->coordinates, 2);
        ck_assert_uint_eq(d->holonomic, 1);
        ck_assert_uint_eq(d->nonholonomic, 0);
        ck_assert_uint_eq(d->multipliers, 1);
        ck_assert_uint_eq(d->invariants, invariants);
        ck_assert_int_eq(strstr(d->notes, "1 invariant, which") != NULL, invariants);
        ck_assert_int_eq(strstr(d->notes, "to about 13 digits") != NULL, invariants);
        dae_description_free(d);
        dae_problem_free(problem);
    }
}
END_TEST

UNIT_MAIN("analysis/describe", 20, ordinary, pendulum, misleads, ranks_that_are_reported, dependent,
          singular, mechanical)
