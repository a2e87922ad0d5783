/* What structural methods refuse, and what stops them. */
#include "integrate/motion.h"

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
    refused(&zoo_top.form, "newmark", 3, 0.01, "q' = S v");
    refused(&zoo_skate.form, "newmark", 0, 0.01, "constraints on positions");
    refused(&zoo_pendulum.form, "newmark:alpha=0.75", 3, 0, "give a fixed step");
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
        ck_assert_uint_eq(e->trouble.worst_row, 3); /* the second equation of motion */
        ck_assert_double_eq_tol(e->t, 0.5, 1e-12);
        motion_end(&s);
    }
}
END_TEST

UNIT_MAIN("integrate/structural_failures", 20, refusals, forces_that_are_no_numbers)
