/* The method trial between a Radau method and a multistep one, by steps whose length and work are
 * made: which of them goes on, by how much further it comes for its work. */
#include "solve/method_selection.h"

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
    double part;
    for (int k = 1; k <= steps; k++) {
        p->work += work;
        method_trial_step(r, p, h);
        trial_outcome outcome = method_trial_judge(r, p, &part);
        if (outcome == TRIAL_FAILED) return k;
        if (outcome == TRIAL_PASSED || !method_trial_wants_other(r, p)) continue;
        method_trial_start(r, p, TRIAL_OF_OTHER, false);
        return k;
    }
    return 0;
}

static method_trial begun(const problem *p, method_arm implicit)
{
    method_trial r = {.implicit = implicit};
    method_trial_begin(&r, p);
    ck_assert_int_eq(r.arm, implicit);
    return r;
}

/* A Radau method of rate 1 gives way to a multistep one that comes `further` in the first half of
 * the steps that are judged, and `later` in the second: whether that goes on. */
static bool multistep_stays(unsigned char index, double further, double later)
{
    problem p = problem_of_index(&index);
    method_trial r = begun(&p, ARM_ONE_STEP);
    ck_assert_int_gt(go(&r, &p, 1000, 5, OF_RADAU), 1);
    ck_assert(r.arm == ARM_MULTISTEP && r.on_trial);
    bool gone = go(&r, &p, 50, further, OF_MULTISTEP) || go(&r, &p, 50, later, OF_MULTISTEP);
    ck_assert(gone == (r.arm == ARM_ONE_STEP) && !r.on_trial);
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
        method_trial r = begun(&p, ARM_MULTISTEP);
        ck_assert_int_eq(go(&r, &p, 1000, 1, OF_MULTISTEP), 60);
        ck_assert(r.arm == ARM_ONE_STEP && r.on_trial);
        ck_assert_int_eq(go(&r, &p, 100, k ? 5 * 0.7 : 5 * 0.6, OF_RADAU) > 0, !k);
        ck_assert_uint_eq(r.patience[TRIAL_OF_OTHER], k ? 2 * 1500 : 4 * 1500);
    }
}
END_TEST

/* A trial is made only where steps are dear beside those of a multistep method. */
START_TEST(cheap_steps_are_not_tried)
{
    unsigned char index = 1;
    problem p = problem_of_index(&index);
    method_trial r = begun(&p, ARM_ONE_STEP);
    ck_assert_int_eq(go(&r, &p, 10000, 1, 2.4 * OF_MULTISTEP), 0);
    ck_assert_int_gt(go(&r, &p, 20, 1, 2.6 * OF_MULTISTEP), 0);
}
END_TEST

/* From the explicit arm to an implicit one and back: what comes less far for its work gives way,
 * the arm before goes on, and the next trial waits four times as long. */
START_TEST(an_arm_that_comes_less_far_gives_way)
{
    for (int k = 0; k < 4; k++) {
        unsigned char index = 1;
        double part = 0, rate = k < 2 ? 0.9 : 1.1;
        trial_kind kind = k % 2 ? TRIAL_OF_EXPLICIT : TRIAL_OF_IMPLICIT;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_ONE_STEP);
        if (kind == TRIAL_OF_IMPLICIT) method_trial_change(&r, &p, ARM_EXPLICIT);
        method_arm before = r.arm;
        size_t patience = r.patience[kind];
        for (int i = 0; i < 20; i++) p.work += 2, method_trial_step(&r, &p, 2);
        method_trial_start(&r, &p, kind, false);
        ck_assert(r.arm != before && r.on_trial);
        for (int i = 0; i < 60; i++) {
            ck_assert_int_eq(method_trial_judge(&r, &p, &part), TRIAL_RUNS);
            p.work += 3, method_trial_step(&r, &p, i < 40 ? 300 : 3 * rate); /* the last 20 count */
        }
        ck_assert_int_eq(method_trial_judge(&r, &p, &part), k < 2 ? TRIAL_FAILED : TRIAL_PASSED);
        ck_assert_double_eq_tol(part, rate, 1e-12);
        ck_assert((r.arm == before) == (k < 2));
        ck_assert_uint_eq(r.patience[kind], k < 2 ? 4 * patience : patience);
    }
}
END_TEST

/* A Radau method that came 1, then 15 for its work: before a multistep method its last 6 steps
 * count, before an explicit one its last 20. */
START_TEST(the_last_steps_before_a_trial_count)
{
    for (int k = 0; k < 2; k++) {
        unsigned char index = 1;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_ONE_STEP);
        for (int i = 0; i < 40; i++) p.work += 1, method_trial_step(&r, &p, i < 34 ? 1 : 15);
        method_trial_start(&r, &p, k ? TRIAL_OF_EXPLICIT : TRIAL_OF_OTHER, false);
        ck_assert_double_eq_tol(r.rate, k ? (14.0 * 1 + 6 * 15) / 20 : 15, 1e-12);
    }
}
END_TEST

/* A piece of so many steps of length h between two announced events. */
static trial_outcome pass_piece(method_trial *r, problem *p, int steps, double h, double work,
                                double *part)
{
    r->steps = 0;
    for (int k = 0; k < steps; k++) {
        p->work += work;
        method_trial_step(r, p, h);
        ck_assert_int_eq(method_trial_judge(r, p, part), TRIAL_RUNS);
        ck_assert(!method_trial_wants_other(r, p));
    }
    return method_trial_end_piece(r, p, part);
}

/* With announced events a multistep method begins, and after twenty pieces a Radau method has two,
 * all of whose steps count: it stays if it comes further. */
START_TEST(pieces_between_announced_events_are_compared)
{
    for (int k = 0; k < 2; k++) {
        unsigned char index = 1;
        double part = 0, rate = k ? 1.1 : 0.9;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_ONE_STEP);
        ck_assert(method_trial_announce(&r, &p) && r.arm == ARM_MULTISTEP);
        ck_assert(!method_trial_announce(&r, &p));
        for (int piece = 0; piece < 20; piece++) {
            ck_assert(!method_trial_wants_piece(&r));
            ck_assert_int_eq(pass_piece(&r, &p, 100, 1, 1, &part), TRIAL_RUNS);
        }
        ck_assert(method_trial_wants_piece(&r));
        method_trial_start(&r, &p, TRIAL_OF_OTHER, false);
        ck_assert(r.arm == ARM_ONE_STEP && r.on_trial);
        ck_assert_int_eq(pass_piece(&r, &p, 50, 0.1, 1, &part), TRIAL_RUNS);
        ck_assert_int_eq(pass_piece(&r, &p, 50, 2 * rate - 0.1, 1, &part),
                         k ? TRIAL_PASSED : TRIAL_FAILED);
        ck_assert_double_eq_tol(part, rate, 1e-12);
        ck_assert(r.arm == (k ? ARM_ONE_STEP : ARM_MULTISTEP) && !r.on_trial);
        ck_assert_uint_eq(r.piece_patience, k ? 40 : 80);
    }
}
END_TEST

/* A multistep method that has hardly found its order at the end of a piece is soon compared. */
START_TEST(short_pieces_are_tried_with_a_radau_method)
{
    for (int steps = 29; steps <= 30; steps++) {
        unsigned char index = 1;
        double part = 0;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_ONE_STEP);
        ck_assert(method_trial_announce(&r, &p));
        ck_assert_int_eq(pass_piece(&r, &p, steps, 1, 1, &part), TRIAL_RUNS);
        ck_assert(method_trial_wants_piece(&r) == (steps < 30));
    }
}
END_TEST

/* What a step costs besides its engine counts between the implicit arms: ten short steps that come
 * as far for the engines' work as one long one do not for all of it. */
START_TEST(short_steps_pay_more_often_for_what_is_done_besides)
{
    for (int k = 0; k < 2; k++) {
        unsigned char index = 1;
        double part = 0;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_ONE_STEP);
        r.besides = k ? 10 : 0;
        ck_assert(method_trial_announce(&r, &p));
        for (int piece = 0; piece < 20; piece++) pass_piece(&r, &p, 100, 1, 1, &part);
        method_trial_start(&r, &p, TRIAL_OF_OTHER, false);
        pass_piece(&r, &p, 10, 10, 10, &part);
        ck_assert_int_eq(pass_piece(&r, &p, 10, 10, 10, &part), TRIAL_PASSED);
        ck_assert_double_eq_tol(part, k ? (10 / (10.0 + 10)) / (1 / (1.0 + 10)) : 1, 1e-12);
    }
}
END_TEST

/* From an event of the state, too, a method begins anew: two that follow each other soon show it,
 * and after two more the other arm has two pieces. Where they come no more, steps are compared
 * again. */
START_TEST(pieces_between_events_of_the_state_are_compared)
{
    for (int k = 0; k < 2; k++) {
        unsigned char index = 1;
        double part = 0, rate = k ? 1.1 : 0.9;
        problem p = problem_of_index(&index);
        method_trial r = begun(&p, ARM_MULTISTEP);
        for (int piece = 0; piece < 2; piece++) {
            for (int i = 0; i < 100; i++) p.work += 1, method_trial_step(&r, &p, 1);
            ck_assert(!r.by_pieces && !method_trial_restart(&r, &p));
        }
        ck_assert(r.by_pieces && r.arm == ARM_MULTISTEP);
        for (int piece = 0; piece < 2; piece++) {
            ck_assert(!method_trial_wants_piece(&r));
            ck_assert_int_eq(pass_piece(&r, &p, 100, 1, 1, &part), TRIAL_RUNS);
            ck_assert(method_trial_restart(&r, &p));
        }
        ck_assert(method_trial_wants_piece(&r));
        method_trial_start(&r, &p, TRIAL_OF_OTHER, false);
        ck_assert_int_eq(pass_piece(&r, &p, 50, 0.1, 1, &part), TRIAL_RUNS);
        ck_assert_int_eq(pass_piece(&r, &p, 50, 2 * rate - 0.1, 1, &part),
                         k ? TRIAL_PASSED : TRIAL_FAILED);
        ck_assert_double_eq_tol(part, rate, 1e-12);
        r.steps = 0;
        for (int i = 0; i <= 600; i++) {
            ck_assert(r.by_pieces);
            p.work += 1, method_trial_step(&r, &p, 1);
        }
        ck_assert(!r.by_pieces);
    }
}
END_TEST

/* Events of the state between those that are announced shorten the time until the other arm is
 * tried, also where an explicit method is at work between. */
START_TEST(the_other_arm_waits_for_all_events)
{
    unsigned char index = 1;
    double part = 0;
    problem p = problem_of_index(&index);
    method_trial r = begun(&p, ARM_ONE_STEP);
    ck_assert(method_trial_announce(&r, &p));
    for (int piece = 0; piece < 5; piece++) {
        for (int k = 0; k < 3; k++) ck_assert(!method_trial_restart(&r, &p));
        ck_assert(!method_trial_wants_piece(&r));
        ck_assert_int_eq(pass_piece(&r, &p, 100, 1, 1, &part), TRIAL_RUNS);
        method_trial_change(&r, &p, ARM_EXPLICIT);
        method_trial_change(&r, &p, ARM_MULTISTEP);
    }
    ck_assert(method_trial_wants_piece(&r));
}
END_TEST

/* Where the explicit arm crept, the implicit one has time to find its way. */
START_TEST(behind_creeping_steps_a_trial_is_longer)
{
    unsigned char index = 1;
    double part;
    problem p = problem_of_index(&index);
    method_trial r = begun(&p, ARM_MULTISTEP);
    method_trial_change(&r, &p, ARM_EXPLICIT);
    for (int i = 0; i < 20; i++) p.work += 1, method_trial_step(&r, &p, 1);
    method_trial_start(&r, &p, TRIAL_OF_IMPLICIT, true);
    ck_assert_int_eq(r.arm, ARM_MULTISTEP);
    for (int i = 0; i < 300; i++) {
        ck_assert_int_eq(method_trial_judge(&r, &p, &part), TRIAL_RUNS);
        p.work += 1, method_trial_step(&r, &p, 0.5);
    }
    ck_assert_int_eq(method_trial_judge(&r, &p, &part), TRIAL_FAILED);
    ck_assert_int_eq(r.arm, ARM_EXPLICIT);
}
END_TEST

/* A solver that is started again: after two runs of one arm the other has a whole run, then the one
 * that came further for its work. */
START_TEST(runs_in_a_row_compare_the_arms)
{
    for (int better = 0; better < 2; better++) {
        static const method_arm expected[] = {ARM_ONE_STEP, ARM_ONE_STEP, ARM_MULTISTEP};
        unsigned char index = 1;
        problem p = problem_of_index(&index);
        method_trial r = {0};
        for (int run = 0; run < 3; run++) {
            method_trial_begin(&r, &p);
            ck_assert_int_eq(r.arm, expected[run]);
            double h = r.arm == ARM_MULTISTEP && better ? 2 : r.arm == ARM_MULTISTEP ? 0.5 : 1;
            for (int i = 0; i < 5; i++) p.work += 1, method_trial_step(&r, &p, h);
        }
        method_trial_begin(&r, &p);
        ck_assert_int_eq(r.arm, better ? ARM_MULTISTEP : ARM_ONE_STEP);
    }
}
END_TEST

UNIT_MAIN("solve/method_trial", 30, a_multistep_method_has_to_come_further,
          steps_that_grow_by_themselves_do_not_count, a_radau_method_may_come_less_far,
          cheap_steps_are_not_tried, an_arm_that_comes_less_far_gives_way,
          the_last_steps_before_a_trial_count, behind_creeping_steps_a_trial_is_longer,
          pieces_between_announced_events_are_compared,
          short_steps_pay_more_often_for_what_is_done_besides,
          pieces_between_events_of_the_state_are_compared, the_other_arm_waits_for_all_events,
          short_pieces_are_tried_with_a_radau_method, runs_in_a_row_compare_the_arms)
