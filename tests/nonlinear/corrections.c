/* The loop of corrections on equations of one unknown whose solutions are known. */
#include "nonlinear/corrections.h"

#include "base/unit.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* f(x) = 0 by the slope of f where it was taken last; sizes are lengths of corrections, or |f|. */
typedef struct scalar {
    double (*f)(double x);
    double (*slope)(double x);
    double x, base, step, whole, by;
    bool by_miss, rounds;
    int renewed, looked, moved;
} scalar;

static dae_status renew(void *self)
{
    scalar *s = self;
    s->by = s->slope(s->x);
    s->renewed++;
    return DAE_OK;
}

static dae_status find(void *self, double *size)
{
    scalar *s = self;
    double off = s->f(s->x);
    s->step = -off / s->by;
    s->looked++;
    *size = fabs(s->by_miss ? off : s->step);
    return DAE_OK;
}

static dae_status move(void *self, double part, double size)
{
    scalar *s = self;
    (void)size;
    s->x += part * s->step;
    s->moved++;
    return DAE_OK;
}

/* As the rules ask of what is damped: from the point at the last whole move, by its step. */
static dae_status move_damped(void *self, double part, double size)
{
    scalar *s = self;
    (void)size;
    if (part == 1) s->base = s->x, s->whole = s->step;
    s->x = s->base + part * s->whole;
    s->moved++;
    return DAE_OK;
}

static bool is_round_off(void *self, double size)
{
    scalar *s = self;
    (void)size;
    return s->rounds;
}

static const correction_ops plain = {.renew = renew, .find = find, .move = move},
                            damped = {.renew = renew, .find = find, .move = move_damped},
                            rounded = {renew, find, move, is_round_off, NULL};

static double square(double x)
{
    return x * x - 2;
}

static double twice(double x)
{
    return 2 * x;
}

static double arc(double x)
{
    return atan(x);
}

static double arc_slope(double x)
{
    return 1 / (1 + x * x);
}

static double none(double x)
{
    return x * x + 1;
}

static double no_number(double x)
{
    return sqrt(-1 - x * x);
}

static const correction_rules NEWTON = {.most = 30, .fresh = 30, .round_off = 4 * DBL_EPSILON};

static double strays(void *self, double part)
{
    scalar *s = self;
    return fabs(s->step - (1 - part) * s->whole);
}

/* sin x = 0 from near its top: whole corrections lead far away, and where they are halved, to any
 * root. The flow leads to the root at 0. */
START_TEST(the_flow_leads_past_no_root)
{
    const correction_ops ops = {
        .renew = renew, .find = find, .move = move_damped, .strays = strays};
    const correction_rules rules = {.most = 100, .fresh = 100, .near = 1e-6, .close = 0.25};
    for (int k = 1; k < 150; k++) {
        scalar s = {.f = sin, .slope = cos, .x = 0.01 * k};
        ck_assert_int_eq(corrections_run(&ops, &s, &rules, NULL), DAE_OK);
        ck_assert_double_le(fabs(s.x), 1e-6);
    }
}
END_TEST

START_TEST(fresh_matrices_converge_quadratically)
{
    scalar s = {.f = square, .slope = twice, .x = 1.5};
    correction_course course;
    ck_assert_int_eq(corrections_run(&plain, &s, &NEWTON, &course), DAE_OK);
    ck_assert_double_eq_tol(s.x, sqrt(2), 4e-16);
    ck_assert_int_le(course.count, 5);
    ck_assert_int_eq(course.count, s.looked);
    ck_assert_int_eq(s.renewed, course.count);
    ck_assert_double_le(course.size, NEWTON.round_off);
    ck_assert_double_lt(course.slowest, 0.1);
}
END_TEST

/* With one matrix errors fall by the same part each time, 1 - sqrt(2)/1.5 or so; where that is more
 * than `slow` it is made anew. */
START_TEST(matrices_serve_while_corrections_fall_fast)
{
    correction_rules rules = {.most = 40, .fresh = 1, .round_off = 4 * DBL_EPSILON};
    scalar once = {.f = square, .slope = twice, .x = 1.5}, renewed = once, far = once;
    correction_course course;
    ck_assert_int_eq(corrections_run(&plain, &once, &rules, &course), DAE_OK);
    ck_assert_int_eq(once.renewed, 1);
    ck_assert_double_eq_tol(once.x, sqrt(2), 1e-15);
    ck_assert_double_eq_tol(course.slowest, 0.0572, 0.03);
    rules.slow = 0.01;
    ck_assert_int_eq(corrections_run(&plain, &renewed, &rules, NULL), DAE_OK);
    ck_assert_int_gt(renewed.renewed, 1);
    ck_assert_int_lt(renewed.looked, once.looked);
    rules.slow = 0;
    rules.far = 0.08; /* the first one is 1/12 */
    ck_assert_int_eq(corrections_run(&plain, &far, &rules, NULL), DAE_OK);
    ck_assert_int_eq(far.renewed, 2);
    rules.far = 0.09;
    far = (scalar){.f = square, .slope = twice, .x = 1.5};
    ck_assert_int_eq(corrections_run(&plain, &far, &rules, NULL), DAE_OK);
    ck_assert_int_eq(far.renewed, 1);
}
END_TEST

/* From 3 corrections of atan x = 0 get longer; from 1.3 they fall, at first by little. */
START_TEST(what_diverges_is_given_up_and_damped)
{
    correction_rules rules = NEWTON;
    scalar s = {.f = arc, .slope = arc_slope, .x = 3},
           near = {.f = arc, .slope = arc_slope, .x = 1.3};
    rules.diverges = 2;
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), DAE_NEWTON);
    ck_assert_int_le(s.looked, 4);
    rules.diverges = 0;
    ck_assert_int_eq(corrections_run(&plain, &near, &rules, NULL), DAE_OK);
    ck_assert_double_eq_tol(near.x, 0, 1e-15);
    near = (scalar){.f = arc, .slope = arc_slope, .x = 1.3};
    rules.must_fall = true;
    rules.falls = 0.5;
    ck_assert_int_eq(corrections_run(&plain, &near, &rules, NULL), DAE_NEWTON);
    const correction_rules far = {.most = 30, .fresh = 30, .near = 1e-7};
    s = (scalar){.f = arc, .slope = arc_slope, .x = 3};
    ck_assert_int_eq(corrections_run(&damped, &s, &far, NULL), DAE_OK);
    ck_assert_double_eq_tol(s.x, 0, 1e-7);
    ck_assert_int_gt(s.looked, s.renewed);
}
END_TEST

START_TEST(the_first_is_compared_with_what_is_given)
{
    correction_rules rules = NEWTON;
    rules.falls = 0.5;
    rules.must_fall = true;
    for (int k = 0; k < 2; k++) {
        scalar s = {.f = square, .slope = twice, .x = 1.5};
        rules.first = k ? 0.2 : 0.1; /* the first one is 1/12 */
        ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), k ? DAE_OK : DAE_NEWTON);
        if (!k) ck_assert_int_eq(s.looked, 1);
    }
}
END_TEST

START_TEST(as_many_as_are_asked_for)
{
    correction_rules rules = NEWTON;
    scalar s = {.f = square, .slope = twice, .x = 1.5};
    rules.most = 1;
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), DAE_NEWTON);
    s = (scalar){.f = square, .slope = twice, .x = 1.5};
    rules.enough = true;
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), DAE_OK);
    ck_assert_double_eq_tol(s.x, 17. / 12, 1e-15);
}
END_TEST

/* By what is missed: a point that misses little enough stays as it is. */
START_TEST(what_is_met_does_not_move)
{
    const correction_rules rules = {.most = 30, .fresh = 30, .by_miss = true, .round_off = 0.3};
    scalar s = {.f = square, .slope = twice, .x = 1.5, .by_miss = true};
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), DAE_OK);
    ck_assert(s.x == 1.5 && s.moved == 0 && s.looked == 1);
    s = (scalar){.f = square, .slope = twice, .x = 2, .by_miss = true};
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, NULL), DAE_OK);
    ck_assert(s.x == 1.5 && s.moved == 1 && s.looked == 2);
}
END_TEST

/* Of x^2 + 1 = 0 corrections never end; they are the last where they count as round-off. */
START_TEST(corrections_that_stay)
{
    correction_rules rules = NEWTON;
    scalar s = {.f = none, .slope = twice, .x = 0.7};
    ck_assert_int_eq(corrections_run(&rounded, &s, &rules, NULL), DAE_NEWTON);
    ck_assert_int_eq(s.looked, rules.most);
    s = (scalar){.f = none, .slope = twice, .x = 0.7, .rounds = true};
    correction_course course;
    ck_assert_int_eq(corrections_run(&rounded, &s, &rules, &course), DAE_OK);
    ck_assert_int_eq(course.count, 2);
    ck_assert(course.slowest == 0);
    s = (scalar){.f = none, .slope = twice, .x = 0.7};
    rules.nearly = 10;
    rules.falls = 0.5;
    ck_assert_int_eq(corrections_run(&plain, &s, &rules, &course), DAE_OK);
    ck_assert_int_eq(course.count, 2);
    s = (scalar){.f = no_number, .slope = twice, .x = 0.7};
    ck_assert_int_eq(corrections_run(&plain, &s, &NEWTON, NULL), DAE_SINGULAR);
    ck_assert(s.x == 0.7);
}
END_TEST

UNIT_MAIN("nonlinear/corrections", 10, the_flow_leads_past_no_root,
          fresh_matrices_converge_quadratically, matrices_serve_while_corrections_fall_fast,
          what_diverges_is_given_up_and_damped, the_first_is_compared_with_what_is_given,
          as_many_as_are_asked_for, what_is_met_does_not_move, corrections_that_stay)
