/* The state of an engine is all that its future depends on: saved in the middle of a run and
 * restored into another solver, it goes on bit for bit as the one that was saved. By every method
 * of the catalogue, with error control and in fixed steps, on an ODE, equations of index 1, 2 and
 * 3, mechanical formulations and a sparse system. */
#include "solve/models.h"
#include "solve/solver.h"

#include <stdio.h>
#include <stdlib.h>

enum { BEFORE = 23, BEHIND = 31, OTHERS = 9 };

static const char STIFF[] =
    "model Stiff Real x(start = 2, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(x) = v; der(v) = 20*(1 - x^2)*v - x; end Stiff;";

/* Of index 1 and nonlinear. */
static const char BESIDE[] =
    "model Beside Real x(start = 1, fixed = true), z(start = 0.7);\n"
    "equation der(x) = -x + sin(time)*z; z + z^3 = x + cos(time); end Beside;";

static const struct kind {
    const char *model, *formulation;
} kinds[] = {
    {STIFF, NULL},           {BESIDE, NULL},        {PENDULUM, NULL},
    {PENDULUM, "ggl"},       {PENDULUM, "index3"},  {PENDULUM, "index2"},
    {PENDULUM, "baumgarte"}, {PENDULUM, "tangent"}, {PENDULUM, "nullspace-qr"},
    {CIRCLING, "direct"},    {LADDER, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static dae_solver *begin(const struct kind *k, const char *name, double step)
{
    dae_options options = tolerance_of(1e-5);
    options.method = name;
    options.step = step;
    if (k->formulation) options.formulation = k->formulation;
    dae_problem *p = problem_of(k->model);
    dae_solver *s = dae_solver_create(p, &options);
    dae_problem_free(p);
    if (s && dae_solver_start(s, 0, NULL) == DAE_OK && s->engine) return s;
    dae_solver_free(s);
    return NULL;
}

/* So many steps of the engine alone; how many were made. */
static int go(engine *e, int steps)
{
    int made = 0;
    while (made < steps && e->t < 1e3 && engine_step(e, 1e3) == DAE_OK) made++;
    return made;
}

static dae_status visit(engine *e, state_way way, unsigned char *room, size_t *size)
{
    state_visit s = {.way = way, .at = room};
    engine_state(e, &s);
    *size = s.size;
    return s.status;
}

static void same(const engine *one, const engine *other, const char *what)
{
    size_t n = one->problem->n;
    ck_assert_msg(one->t == other->t, "%s: at %.17g and %.17g", what, one->t, other->t);
    ck_assert_msg(memcmp(one->y, other->y, n * sizeof *one->y) == 0, "%s: y", what);
    ck_assert_msg(memcmp(one->yp, other->yp, n * sizeof *one->yp) == 0, "%s: y'", what);
    ck_assert_msg(memcmp(&one->counts, &other->counts, sizeof one->counts) == 0, "%s: counts",
                  what);
    const problem_counts *a = &one->problem->counts, *b = &other->problem->counts;
    ck_assert_msg(memcmp(a, b, sizeof *a) == 0,
                  "%s: residuals %zu, %zu; Jacobians %zu, %zu; factors %zu, %zu", what,
                  a->residuals, b->residuals, a->jacobians, b->jacobians, a->factorizations,
                  b->factorizations);
}

static void same_within(engine *one, engine *other, const char *what)
{
    double a[400], b[400], t = one->t - 0.3 * one->dense.h;
    ck_assert_uint_le(one->problem->n, 400);
    dense_output_evaluate(engine_polynomial(one), t, a, NULL);
    dense_output_evaluate(engine_polynomial(other), t, b, NULL);
    ck_assert_msg(memcmp(a, b, one->problem->n * sizeof *a) == 0, "%s: within the step", what);
}

/* False where the method does not suit the problem, or makes no steps there. */
static bool goes_on_alike(const struct kind *k, const char *name, double step, bool used)
{
    char what[120];
    snprintf(what, sizeof what, "%s, %s, %.30s, step %g%s", name,
             k->formulation ? k->formulation : "auto", k->model, step, used ? ", used" : "");
    dae_solver *first = begin(k, name, step);
    if (!first) return false;
    dae_solver *second = begin(k, name, step);
    ck_assert_msg(second, "%s", what);
    engine *one = first->engine, *other = second->engine;
    bool goes = go(one, BEFORE) == BEFORE;
    size_t size, saved, restored;
    if (goes && used) go(other, OTHERS);
    ck_assert_int_eq(visit(one, STATE_COUNT, NULL, &size), DAE_OK);
    unsigned char *room = malloc(size);
    ck_assert_ptr_nonnull(room);
    if (goes) {
        ck_assert_msg(visit(one, STATE_SAVE, room, &saved) == DAE_OK, "%s", what);
        ck_assert_msg(visit(other, STATE_RESTORE, room, &restored) == DAE_OK, "%s", what);
        ck_assert_msg(saved == restored, "%s: %zu bytes, %zu", what, saved, restored);
        same(one, other, what);
        same_within(one, other, what);
        int made = go(one, BEHIND);
        ck_assert_int_eq(made, go(other, BEHIND));
        same(one, other, what);
        if (made > 0) same_within(one, other, what);
        goes = made > 0;
    }
    free(room);
    dae_solver_free(first);
    dae_solver_free(second);
    return goes;
}

START_TEST(an_engine_goes_on_as_the_one_that_was_saved)
{
    const char *name = method_row_at((size_t)_i)->name;
    if (!is_sampled(name, (size_t)_i, 6)) return;
    size_t runs = 0;
    for (size_t i = 0; i < KINDS; i++)
        for (int way = 0; way < 3; way++) /* the fixed steps with one that has been used */
            runs += goes_on_alike(&kinds[i], name, way == 2 ? 1e-3 : 0, way > 0);
    ck_assert_msg(runs > 0, "%s: no problem here suits it", name);
}
END_TEST

/* What of a step is still to be made: its polynomial, where no row and no point that is looked at
 * is within. For few unknowns it takes longer than a step of BDF. */
START_TEST(steps_that_nobody_looks_into_make_no_polynomial)
{
    enum { STEPS = 200, LOOKED_INTO = 40 };
    dae_options options = tolerance_of(1e-6);
    options.method = "bdf";
    dae_solver *s = solver_of(OSCILLATOR, &options);
    int made = 0;
    is_ok(s, dae_solver_start(s, 0, NULL));
    for (int k = 0; k < STEPS; k++) {
        is_ok(s, dae_solver_step(s, 1e3));
        made += !s->engine->interpolates;
    }
    ck_assert_int_lt(made, LOOKED_INTO);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    int count = 0;
    while (method_row_at((size_t)count)) count++;
    tcase_add_loop_test(tests, an_engine_goes_on_as_the_one_that_was_saved, 0, count);
    tcase_add_test(tests, steps_that_nobody_looks_into_make_no_polynomial);
    return unit_run("solve/engine_state", tests);
}
