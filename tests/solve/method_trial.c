/* The method trial between a Radau method and a multistep one, by steps whose length and work are
 * made: which of them goes on, by how much further it comes for its work. */
#include "solve/method_trial.h"

#include "base/unit.h"

/* Of one unknown of an index; a step of a multistep method is taken to cost 5.5 (500 + 500). */
static const double OF_MULTISTEP = 5500, OF_RADAU = 5 * OF_MULTISTEP;

static problem problem_of_index(unsigned char *index)
{
    return (problem){.n = 1, .index = index, .costs.residual = 500, .solve_cost = {500}};
}

/* At most so many steps: after how many the other one is to go on, 0: it is not. */
static int go(method_trial *r, problem *p, int steps, double h, double work)
{
    for (int k = 1; k <= steps; k++) {
        p->work += work;
        if (method_trial_watch(r, p, h)) return k;
    }
    return 0;
}

/* A Radau method of rate 1 gives way to a multistep one that comes `further` in the first half of
 * the steps that are judged, and `later` in the second: whether that goes on. */
static bool multistep_stays(unsigned char index, double further, double later)
{
    problem p = problem_of_index(&index);
    method_trial r = {.at_work = METHOD_TRIAL_ONE_STEP};
    method_trial_begin(&r, &p);
    ck_assert_int_gt(go(&r, &p, 1000, 5, OF_RADAU), 1);
    ck_assert(r.at_work == METHOD_TRIAL_MULTISTEP && r.on_trial);
    bool gone = go(&r, &p, 50, further, OF_MULTISTEP) || go(&r, &p, 50, later, OF_MULTISTEP);
    ck_assert(gone == (r.at_work == METHOD_TRIAL_ONE_STEP) && !r.on_trial);
    return !gone;
}

/* 1.5 times as far at equal tolerances, 1.8 on a higher index. */
START_TEST(a_multistep_method_has_to_come_further)
{
    ck_assert(!multistep_stays(1, 1.4, 1.4));
    ck_assert(multistep_stays(1, 1.6, 1.6));
    ck_assert(!multistep_stays(2, 1.7, 1.7));
    ck_assert(multistep_stays(2, 1.9, 1.9));
}
END_TEST

/* 1.8 on average, but 1.25 times as far in the second half as in the first. */
START_TEST(steps_that_grow_by_themselves_do_not_count)
{
    ck_assert(multistep_stays(1, 1.8, 1.8));
    ck_assert(!multistep_stays(1, 1.6, 2));
}
END_TEST

/* One that is tried against a multistep method need not come as far. */
START_TEST(a_radau_method_may_come_less_far)
{
    for (int k = 0; k < 2; k++) {
        unsigned char index = 1;
        problem p = problem_of_index(&index);
        method_trial r = {.at_work = METHOD_TRIAL_MULTISTEP};
        method_trial_begin(&r, &p);
        ck_assert_int_eq(go(&r, &p, 1000, 1, OF_MULTISTEP), 60);
        ck_assert(r.at_work == METHOD_TRIAL_ONE_STEP && r.on_trial);
        ck_assert_int_eq(go(&r, &p, 100, k ? 5 * 0.7 : 5 * 0.6, OF_RADAU) > 0, !k);
    }
}
END_TEST

/* A trial is made only where steps are dear beside those of a multistep method. */
START_TEST(cheap_steps_are_not_tried)
{
    unsigned char index = 1;
    problem p = problem_of_index(&index);
    method_trial r = {.at_work = METHOD_TRIAL_ONE_STEP};
    method_trial_begin(&r, &p);
    ck_assert_int_eq(go(&r, &p, 10000, 1, 2.4 * OF_MULTISTEP), 0);
    ck_assert_int_gt(go(&r, &p, 20, 1, 2.6 * OF_MULTISTEP), 0);
}
END_TEST

UNIT_MAIN("solve/method_trial", 30, a_multistep_method_has_to_come_further,
          steps_that_grow_by_themselves_do_not_count, a_radau_method_may_come_less_far,
          cheap_steps_are_not_tried)
