/* What makes `auto` change the method, verdict by verdict, by steps and eigenvalues that are made.
 */
#include "solve/method_selection.h"

#include "base/unit.h"

/* y' = -rate y */
typedef struct decay {
    double rate;
    unsigned char index;
    bool dynamic;
    double nominal, y;
    problem_form form;
    problem problem;
    method_selection selection;
    method_view view;
    text reasons;
} decay;

static dae_status slope(void *self, double t, const double *y, double *yp)
{
    (void)t;
    yp[0] = -((const decay *)self)->rate * y[0];
    return DAE_OK;
}

static const char *begin(decay *d, double rate, double rtol, unsigned char index)
{
    *d = (decay){.rate = rate, .index = index, .dynamic = index == 1, .nominal = 1, .y = 1};
    d->form = (problem_form){.name = "mass", .yp = index == 1 ? slope : NULL};
    d->problem = (problem){.form = &d->form,
                           .self = d,
                           .n = 1,
                           .nominal = &d->nominal,
                           .dynamic = &d->dynamic,
                           .index = &d->index};
    d->view = (method_view){.problem = &d->problem, .rtol = rtol, .atol = rtol, .y = &d->y};
    ck_assert_int_eq(method_selection_begin(&d->selection, &d->view, &d->reasons), DAE_OK);
    return d->selection.name;
}

static void end(decay *d)
{
    workspace_free(&d->selection.space);
    text_free(&d->reasons);
}

/* One step; the method that goes on after it, NULL where it is the same. */
static const char *step(decay *d, double h, double shown, double work)
{
    d->problem.work += work;
    d->selection.next = NULL;
    method_selection_watch(&d->selection, &d->view, h, shown, &d->reasons);
    return d->selection.next;
}

/* So many steps, after the last of which another method goes on and after none before. */
static const char *changes_after(decay *d, int steps, double h, double shown, double work)
{
    for (int k = 1; k < steps; k++) ck_assert_msg(!step(d, h, shown, work), "after %d steps", k);
    const char *next = step(d, h, shown, work);
    ck_assert_ptr_nonnull(next);
    return next;
}

static void stays(decay *d, int steps, double h, double shown, double work)
{
    for (int k = 1; k <= steps; k++) ck_assert_msg(!step(d, h, shown, work), "after %d steps", k);
}

/* 15 steps at the border of stability, unless six others in a row come between. */
START_TEST(stiff_steps_change_to_an_implicit_method)
{
    decay d;
    ck_assert_str_eq(begin(&d, -1, 1e-4, 1), "dopri5"); /* growing: not damped */
    ck_assert_str_eq(changes_after(&d, 15, 0.1, 2, 1), "radau-iia3");
    end(&d);
    begin(&d, -1, 1e-4, 1);
    stays(&d, 14, 0.1, 2, 1);
    stays(&d, 5, 0.1, 0.5, 1);
    ck_assert_ptr_nonnull(step(&d, 0.1, 2, 1));
    end(&d);
    begin(&d, -1, 1e-4, 1);
    stays(&d, 14, 0.1, 2, 1);
    stays(&d, 6, 0.1, 0.5, 1);
    stays(&d, 14, 0.1, 2, 1);
    ck_assert_ptr_nonnull(step(&d, 0.1, 2, 1));
    end(&d);
}
END_TEST

/* At three looks, one in 20 steps, an explicit method could make the steps, in a run that has
 * lasted; it goes on if it comes as far for its work. */
START_TEST(steps_within_reach_change_to_an_explicit_method)
{
    for (int further = 0; further < 2; further++) {
        decay d;
        ck_assert_str_eq(begin(&d, 1, 1e-4, 1), "radau-iia3");
        ck_assert_str_eq(changes_after(&d, 60, 1, 0, 1e4), "dopri5");
        stays(&d, 59, further ? 1.1 : 0.9, 0, 1e4);
        const char *next = step(&d, further ? 1.1 : 0.9, 0, 1e4);
        ck_assert(further ? next == NULL : next != NULL && strcmp(next, "radau-iia3") == 0);
        ck_assert((strstr(text_string(&d.reasons), "0.9 times as far") != NULL) == !further);
        if (!further) /* looks begin 4 times as late, at 80 */
            ck_assert_str_eq(changes_after(&d, 120, 1, 0, 1e4), "dopri5");
        end(&d);
    }
    decay d;
    begin(&d, 1, 1e-4, 1);
    stays(&d, 400, 1, 0, 100); /* too short a run */
    end(&d);
    begin(&d, 1, 1e-4, 1);
    stays(&d, 400, 6, 0, 1e4); /* h lambda = 6, and 1.5 times 3.3 are borne */
    end(&d);
}
END_TEST

/* Steps with which a method starts anew say nothing: neither while exp(-t) is above the tolerance,
 * nor after longer ones. */
START_TEST(short_steps_behind_a_start_are_no_reason)
{
    decay d;
    begin(&d, 1, 1e-4, 1);
    stays(&d, 400, 0.02, 0, 1e4); /* exp(-8) = 3e-4 */
    ck_assert_str_eq(changes_after(&d, 120, 0.02, 0, 1e4), "dopri5");
    end(&d);
    begin(&d, 1, 1e-4, 1);
    stays(&d, 400, 100, 0, 1e4);
    stays(&d, 100, 1, 0, 1e4); /* the mean is 80, and 1.5 times 3.3 are borne */
    end(&d);
}
END_TEST

/* On index 3 as given the method stays: at loose tolerances a multistep method. */
START_TEST(index_3_keeps_one_method)
{
    decay d;
    ck_assert_str_eq(begin(&d, 0, 1e-4, 3), "mebdf");
    stays(&d, 400, 1, 0, 1e6);
    end(&d);
    ck_assert_str_eq(begin(&d, 0, 1e-6, 3), "radau-iia3");
    end(&d);
    ck_assert_str_eq(begin(&d, 0, 1e-7, 3), "radau-iia5");
    end(&d);
}
END_TEST

/* Higher orders where the tolerance is tight: at once, or in a run that has lasted. */
START_TEST(tight_tolerances_ask_for_orders)
{
    decay d;
    ck_assert_str_eq(begin(&d, 0, 1e-6, 2), "radau-iia3");
    ck_assert_str_eq(changes_after(&d, 6, 1, 0, 9e3), "radau-iia5");
    end(&d);
    ck_assert_str_eq(begin(&d, 0, 1e-4, 2), "radau-iia3");
    stays(&d, 9, 1, 0, 9e3);
    end(&d);
    ck_assert_str_eq(begin(&d, 0, 1e-7, 2), "radau-iia5");
    ck_assert_str_eq(changes_after(&d, 3, 1, 0, 4e5), "radau");
    end(&d);
}
END_TEST

/* Each in turn, the most robust first; all once more when the run has come on. */
START_TEST(after_a_failure_others_go_on)
{
    static const char *const then[] = {"bdf", "mebdf", "radau-iia5"};
    decay d;
    ck_assert_str_eq(begin(&d, 0, 1e-6, 2), "radau-iia3");
    for (int again = 0; again < 2; again++) {
        for (int k = 0; k < 3; k++) {
            ck_assert(method_selection_after_failure(&d.selection, &d.view, &d.reasons));
            ck_assert_str_eq(d.selection.next, then[k]);
        }
        ck_assert(!method_selection_after_failure(&d.selection, &d.view, &d.reasons));
        method_selection_go_back(&d.selection, &d.view, &d.reasons);
        ck_assert_str_eq(d.selection.next, "radau-iia3");
        stays(&d, 25, 1, 0, 1);
    }
    end(&d);
}
END_TEST

UNIT_MAIN("solve/method_verdicts", 30, stiff_steps_change_to_an_implicit_method,
          steps_within_reach_change_to_an_explicit_method, short_steps_behind_a_start_are_no_reason,
          index_3_keeps_one_method, tight_tolerances_ask_for_orders, after_a_failure_others_go_on)
