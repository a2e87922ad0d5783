/* What structural methods refuse, and what stops them. */
#include "integrate/motion.h"
#include "solve/allocations.h"

static void refused(const dae_mechanical_form *form, const char *name, int level, double step,
                    const char *words)
{
    motion s;
    engine *e = motion_engine(&s, form, name, level, (engine_options){.fixed_step = step});
    ck_assert_msg(!e && strstr(message_string(&s.said), words), "%s: %s", words,
                  message_string(&s.said));
    motion_end(&s);
}

START_TEST(refusals)
{
    refused(&zoo_pendulum.form, "central-difference", 3, 0.01,
            "positions: those of a step do not depend");
    refused(&zoo_pendulum.form, "newmark:alpha=0", 2, 0.01,
            "velocities: those of a step do not depend");
    refused(&zoo_top.form, "fox-goodwin:corrected=1", 0, 0.01, "q' = S v");
    for (int level = 0; level <= 3; level++)
        refused(&zoo_pendulum.form, "newmark:alpha=0.75", level, 0, "of order 1");
    refused(&zoo_pendulum.form, "newmark", 3, 0, "positions: errors of its multipliers do not");
    refused(&zoo_pendulum.form, "generalized-alpha:rho_inf=1", 3, 0, "no error control");
    refused(&zoo_pendulum.form, "fox-goodwin", 3, 0, "no error control");
    refused(&zoo_pendulum.form, "newmark:alpha=0.4", 2, 0, "of order 1");
}
END_TEST

static int stops_at_last(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = t > 0.5 ? (double)NAN : -9.81;
    return 0;
}

START_TEST(forces_that_are_no_numbers)
{
    dae_mechanical_form form = zoo_pendulum.form;
    form.force = stops_at_last;
    for (int level = 0; level <= 3; level++) {
        motion s;
        const double q[] = {-1, 0}, v[] = {0, 0};
        engine *e = motion_engine(&s, &form, "generalized-alpha", level,
                                  (engine_options){.fixed_step = 0.01});
        dae_status status = DAE_OK;
        motion_start(&s, 0, q, v);
        while (status == DAE_OK && e->t < 1) status = engine_step(e, 1);
        ck_assert_int_eq(status, DAE_NOT_EVALUABLE);
        ck_assert_uint_eq(e->failure.worst_row, 3); /* the second equation of motion */
        ck_assert_double_eq_tol(e->t, 0.5, 1e-12);
        motion_end(&s);
    }
}
END_TEST

/* --- memory --- */

static const zoo_mechanical *const rows[] = {&zoo_pendulum, &zoo_andrews, &zoo_platform,
                                             &zoo_top,      &zoo_skate,   &zoo_pendulum_torque};

enum { ROWS = sizeof rows / sizeof *rows };

START_TEST(nothing_is_allocated_in_a_step)
{
    count_in_klu();
    for (size_t i = 0; i < ROWS; i++)
        for (int level = 0; level <= 3; level++) {
            motion s;
            engine_options options = {.fixed_step = 1e-5};
            engine *e = motion_begin(&s, rows[i], "generalized-alpha", level, options);
            allocations.made = 0;
            allocations.on = true;
            dae_status status = DAE_OK;
            for (int k = 0; k < 20 && status == DAE_OK; k++) status = engine_step(e, 1);
            allocations.on = false;
            ck_assert_int_eq(status, DAE_OK);
            ck_assert_msg(allocations.made == 0, "%s, level %d: %ld", rows[i]->form.about.name,
                          level, allocations.made);
            motion_end(&s);
        }
}
END_TEST

/* Each allocation of a creation fails in turn: a status, and nothing is left behind. */
START_TEST(memory_that_is_exhausted)
{
    static const zoo_mechanical *const of[] = {&zoo_platform, &zoo_skate, &zoo_top};
    for (int run_of = 0; run_of < 6; run_of++) {
        motion s;
        engine *e = motion_engine(&s, &of[run_of / 2]->form, "newmark", run_of % 2 ? 3 : 0,
                                  (engine_options){.fixed_step = 0.1});
        ck_assert_ptr_nonnull(e);
        dae_status status = DAE_NO_MEMORY;
        long k = 0;
        for (; status != DAE_OK && k < 100; k++) {
            engine *made = NULL;
            allocations.pending = 0;
            allocations.until_failure = k;
            allocations.on = true;
            status = engine_create(&made, &s.problem, s.which, &e->options, &s.said);
            engine_free(made);
            allocations.on = false;
            allocations.until_failure = -1;
            ck_assert(status == DAE_OK || status == DAE_NO_MEMORY);
            ck_assert_int_eq(allocations.pending, 0);
        }
        ck_assert(k > 2 && k < 100);
        motion_end(&s);
    }
}
END_TEST

UNIT_MAIN("integrate/structural_failures", 20, refusals, forces_that_are_no_numbers,
          nothing_is_allocated_in_a_step, memory_that_is_exhausted)
