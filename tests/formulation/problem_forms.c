/* Problem handles of C programs: asked as those of models are, and wrong in as full sentences. */
#include "formulation/from_model.h"
#include "formulation/problem_handle.h"

#include "base/unit.h"

#include <daedal/daedal.h>
#include <string.h>

static int f_of(double t, const double *y, double *f, void *user)
{
    (void)t;
    f[0] = f[1] = f[2] = y[0];
    ++*(int *)user;
    return 0;
}

static int calls;

static dae_problem *named(void)
{
    static const char *const names[] = {"height", "speed", "force"};
    const dae_mass_form form = {
        .n = 3, .f = f_of, .about = {.name = "fall", .variable = names, .user = &calls}};
    dae_problem *p = dae_problem_mass(&form);
    ck_assert_ptr_nonnull(p);
    ck_assert_msg(dae_problem_status(p) == DAE_OK, "%s", dae_problem_message(p));
    return p;
}

START_TEST(a_handle_answers)
{
    calls = 0;
    dae_problem *p = named();
    ck_assert_uint_eq(dae_problem_size(p), 3);
    ck_assert_str_eq(dae_problem_variable(p, 1), "speed");
    ck_assert_ptr_null(dae_problem_variable(p, 3));
    ck_assert_str_eq(dae_problem_unit(p, 2), "");
    ck_assert_ptr_null(dae_problem_unit(p, 3));
    ck_assert_uint_eq(dae_problem_find(p, "force"), 2);
    ck_assert_uint_eq(dae_problem_find(p, "'force'"), 2);
    ck_assert_uint_eq(dae_problem_find(p, "time"), (size_t)-1);
    ck_assert_str_eq(dae_problem_nearest(p, "heigth"), "height");
    const dae_experiment e = dae_problem_experiment(p);
    ck_assert(!e.has_start && !e.has_stop && !e.has_tolerance && !e.has_interval);
    ck_assert_str_eq(dae_problem_message(p), "");
    ck_assert_str_eq(dae_problem_notes(p), "");
    ck_assert_int_eq(calls, 0); /* no callback is called yet */
    dae_problem_free(p);
}
END_TEST

START_TEST(start_values_are_set)
{
    dae_problem *p = named();
    for (size_t j = 0; j < 3; j++) ck_assert(isnan(p->start[j]));
    ck_assert_int_eq(dae_problem_set(p, "speed", " -1.5e-3 "), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, "'height'", "+2"), DAE_OK);
    ck_assert(p->start[0] == 2 && p->start[1] == -1.5e-3);
    ck_assert(isnan(p->start[2]));
    dae_problem_free(p);
}
END_TEST

static void is_reported(dae_problem *p, dae_status status, const char *part)
{
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(dae_problem_status(p), status);
    ck_assert_msg(strstr(dae_problem_message(p), part) != NULL, "no \"%s\" in: %s", part,
                  dae_problem_message(p));
    ck_assert_uint_eq(dae_problem_size(p), 0);
    ck_assert_ptr_null(dae_problem_variable(p, 0));
    ck_assert_uint_eq(dae_problem_find(p, "y1"), (size_t)-1);
    dae_problem_free(p);
}

START_TEST(wrong_settings_are_reported)
{
    static const char *const wrong[][3] = {
        {"sped", "1", "no variable is called sped; nearest: speed"},
        {"speed", "fast", "speed=fast: expected a number"},
        {"speed", "", "expected a number"},
        {"speed", "1e999", "expected a number"},
        {"speed", "--1", "expected a number"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        dae_problem *p = named();
        ck_assert_int_eq(dae_problem_set(p, wrong[k][0], wrong[k][1]), DAE_USAGE);
        is_reported(p, DAE_USAGE, wrong[k][2]);
    }
}
END_TEST

START_TEST(wrong_forms_are_reported)
{
    const double one = 1;
    is_reported(dae_problem_residual(&(dae_residual_form){.n = 2}), DAE_USAGE,
                "the residual form is wrong: residual is missing");
    is_reported(dae_problem_mass(&(dae_mass_form){.f = f_of}), DAE_USAGE,
                "the mass form is wrong: n = 0");
    is_reported(dae_problem_semi_explicit(&(dae_semi_explicit_form){.nx = 1}), DAE_USAGE,
                "the semi_explicit form is wrong: f is missing");
    is_reported(dae_problem_linear(&(dae_linear_form){.n = 1, .e = &one}), DAE_USAGE,
                "the linear form is wrong: a is missing");
    is_reported(dae_problem_invariant(&(dae_invariant_form){.n = 3, .f = f_of, .invariants = 1}),
                DAE_USAGE, "the invariant form is wrong: c is missing");
}
END_TEST

/* What needs a model's text says so. */
START_TEST(a_form_is_no_model)
{
    dae_problem *p = named();
    arena a = {0};
    message m = {0};
    sym_system *system = NULL;
    structure *own;
    ck_assert_int_eq(model_problem_load(p, false, &a, &m, &system, &own), DAE_UNSUPPORTED);
    ck_assert_ptr_null(system);
    message_free(&m);
    arena_free(&a);
    dae_problem_free(p);
    p = dae_problem_parse("m", "model M Real x; equation x = 1; end M;", 38);
    ck_assert_ptr_null(p->equations);
    ck_assert_ptr_null(p->start);
    dae_problem_free(p);
}
END_TEST

UNIT_MAIN("formulation/problem_forms", 20, a_handle_answers, start_values_are_set,
          wrong_settings_are_reported, wrong_forms_are_reported, a_form_is_no_model)
