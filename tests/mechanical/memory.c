/* Exhausted memory in work on mechanical systems: each allocation fails once, nothing is left
 * after and what was asked for fails with the status for it; once all has been used, nothing is
 * allocated.
 */
#include "mechanical/system.h"

#include "solve/allocations.h"
#include "zoo/mechanical_chain.h"

#include <stdlib.h>

static int something(double t, const double *q, const double *v, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = v[0] * v[0] + q[0];
    return 0;
}

/* A value to be kept besides. */
static dae_mechanical_form with_invariant(const dae_mechanical_form *given)
{
    dae_mechanical_form form = *given;
    form.invariants = 1;
    form.invariant = something;
    return form;
}

/* All that takes memory. */
static dae_status use(mechanical *m, double *const x[6], bool with_null_space)
{
    size_t freedoms;
    dae_status status = DAE_OK;
    double kept = 1;
    for (int by_mass = 0; status == DAE_OK && by_mass < 2; by_mass++) {
        for (size_t j = 0; j < m->nq; j++) x[0][j] += 1e-5; /* that there is something to do */
        for (size_t j = 0; j < m->nv; j++) x[1][j] += 1e-5 * (double)(j + 1);
        status = mechanical_project(m, 0, x[0], x[1], by_mass);
    }
    for (size_t j = 0; j < m->nq; j++) x[0][j] += 1e-5;
    if (status == DAE_OK) status = mechanical_project_together(m, 0, x[0], x[1]);
    for (size_t j = 0; j < m->nv; j++) x[1][j] *= 1.00001;
    if (status == DAE_OK) status = mechanical_keep(m, 0, x[0], x[1], &kept, MECHANICAL_MASS, 1);
    if (status == DAE_OK) status = mechanical_accelerate(m, 0, x[0], x[1], x[2], x[3]);
    if (status == DAE_OK) status = mechanical_linearize(m, 0, x[0], x[1], x[2], x[3]);
    if (status == DAE_OK) status = mechanical_factor(m, 2, 1, 0.01, 1e-4);
    if (status == DAE_OK) mechanical_solve(m, 2, x[4]);
    if (status == DAE_OK && with_null_space) status = mechanical_null_space(m, x[5], &freedoms);
    return status;
}

static dae_status work(const dae_mechanical_form *given, double *const x[6])
{
    arena a = {0};
    message reported = {0};
    const mechanical_form *form = NULL;
    mechanical *m = NULL;
    dae_status status = mechanical_form_create(&form, &a, given, &reported);
    if (status == DAE_OK) status = mechanical_create(&m, form, &reported);
    if (status == DAE_OK) status = use(m, x, given->nq < 100);
    mechanical_free(m);
    message_free(&reported);
    arena_free(&a);
    return status;
}

static void each_fails(const dae_mechanical_form *form, const double *q, const double *v)
{
    size_t nq = form->nq, nv = form->nv ? form->nv : nq, size = nq + nv + form->holonomic;
    double *x[6];
    long k = 0, failures = 0, runs = 0;
    bool reached = true;
    for (int i = 0; i < 6; i++) x[i] = calloc(i == 5 && nq < 100 ? nv * nv : size, sizeof(double));
    count_in_klu();
    for (; reached; k = next_failure(k), runs++) {
        memcpy(x[0], q, nq * sizeof *q);
        memcpy(x[1], v, nv * sizeof *v);
        allocations.made = allocations.pending = 0;
        allocations.until_failure = k;
        allocations.on = true;
        dae_status status = work(form, x);
        reached = allocations.until_failure < 0;
        allocations.on = false;
        allocations.until_failure = -1;
        ck_assert_msg(status == DAE_OK || (reached && status == DAE_NO_MEMORY),
                      "%s, allocation %ld: %s", form->about.name, k, dae_status_word(status));
        ck_assert_msg(allocations.pending == 0, "%s, allocation %ld: %ld blocks are left",
                      form->about.name, k, allocations.pending);
        failures += status == DAE_NO_MEMORY;
    }
    ck_assert_int_gt(failures, 5);
    report_left_out("allocations", k - runs, k, "late ones between others");
    for (int i = 0; i < 6; i++) free(x[i]);
}

START_TEST(memory_that_is_exhausted)
{
    const zoo_mechanical *z;
    double q[ZOO_MECHANICAL_MOST], v[ZOO_MECHANICAL_MOST];
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        z->start(q, v);
        const dae_mechanical_form form = with_invariant(&z->form);
        each_fails(&form, q, v);
    }
}
END_TEST

START_TEST(memory_that_is_exhausted_by_large_systems)
{
    enum { LINKS = 200 };
    double q[3 * LINKS], v[3 * LINKS];
    zoo_chain *c = zoo_chain_create(LINKS);
    zoo_chain_start(c, q, v);
    const dae_mechanical_form form = with_invariant(&c->form);
    each_fails(&form, q, v);
    zoo_chain_free(c);
}
END_TEST

ARENA_TEST(nothing_is_allocated_on_the_way)
{
    const zoo_mechanical *z;
    double room[6][ZOO_MECHANICAL_MOST * ZOO_MECHANICAL_MOST], *x[6];
    for (int i = 0; i < 6; i++) x[i] = room[i];
    count_in_klu();
    for (size_t i = 0; (z = zoo_mechanical_at(i)); i++) {
        const dae_mechanical_form form = with_invariant(&z->form);
        mechanical *m = at_work(memory_, &form);
        memset(room, 0, sizeof room);
        z->start(x[0], x[1]);
        for (int k = 0; k < 3; k++) {
            allocations.made = 0;
            allocations.on = k > 0;
            dae_status status = use(m, x, true);
            allocations.on = false;
            ck_assert_int_eq(status, DAE_OK);
            ck_assert_msg(allocations.made == 0, "%s: %ld", z->form.about.name, allocations.made);
        }
        mechanical_free(m);
    }
}

UNIT_MAIN("mechanical memory", 120, memory_that_is_exhausted,
          memory_that_is_exhausted_by_large_systems, nothing_is_allocated_on_the_way)
