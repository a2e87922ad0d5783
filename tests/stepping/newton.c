/* When Newton's iteration has converged, and when it will not: corrections that shrink by a known
 * rate. */
#include "stepping/newton.h"

#include "base/unit.h"

#include <math.h>

typedef struct sequence {
    double next, rate;
} sequence;

static dae_status correct(void *self, double *size)
{
    sequence *s = self;
    *size = s->next;
    s->next *= s->rate;
    return DAE_OK;
}

/* What is left after k corrections is the k-th times rate / (1 - rate). */
START_TEST(it_ends_where_the_rest_is_small)
{
    for (double rate = 0.01; rate < 0.3; rate *= 2) {
        newton w = {.rtol = 1e-6, .tolerance = 1e-3};
        sequence s = {.next = 1, .rate = rate};
        ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_OK);
        double last = pow(rate, w.iterations - 1), share = rate / (1 - rate);
        ck_assert_double_le(last * share, 1e-3);
        ck_assert_double_gt(last / rate * share, 1e-3);
        ck_assert_double_eq_tol(w.rate, rate, 1e-12);
    }
}
END_TEST

/* 0.5^(k - 1) is below 1e-3 from k = 11 on: more than 7 corrections, and less than 7 + 7. That it
 * fails is seen after the third. */
START_TEST(more_iterations_bear_a_slower_rate)
{
    newton w = {.rtol = 1e-6, .tolerance = 1e-3};
    sequence s = {.next = 1, .rate = 0.5};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_NEWTON);
    ck_assert_int_eq(w.iterations, 3);
    ck_assert(w.suggested > 0 && w.suggested < 1);
    w.more = 7;
    s = (sequence){.next = 1, .rate = 0.5};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_OK);
    ck_assert_int_eq(w.iterations, 11);
}
END_TEST

START_TEST(growing_corrections_fail)
{
    newton w = {.rtol = 1e-6, .tolerance = 1e-3, .more = 10};
    sequence s = {.next = 1, .rate = 2};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_NEWTON);
    ck_assert_int_eq(w.iterations, 2);
}
END_TEST

/* After the third of 7 corrections, r^2, what is left at the end is estimated as r^(7 - 1 - 3)
 * times it over 1 - r (Hairer & Wanner II, (IV.8.11)), too much for a tolerance of 1e-3 from r =
 * 0.24. */
START_TEST(a_rate_is_enough_or_not)
{
    for (double rate = 0.2; rate < 0.3; rate += 0.01) {
        newton w = {.rtol = 1e-6, .tolerance = 1e-3};
        sequence s = {.next = 1, .rate = rate};
        dae_status status = newton_solve(&w, correct, &s);
        ck_assert_int_eq(status, pow(rate, 5) / (1 - rate) < 1e-3 ? DAE_OK : DAE_NEWTON);
    }
}
END_TEST

/* Corrections that hardly shrink are accepted where they are as small as round-off, 1e-12 of the
 * variables, and nowhere else; those that do not at all also below a hundredth of the tolerance. */
START_TEST(round_off_ends_it)
{
    newton w = {.rtol = 1e-10, .tolerance = 1e-3};
    sequence s = {.next = 5e-3, .rate = 0.9};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_OK);
    ck_assert_int_eq(w.iterations, 2);
    w.rtol = 1e-9;
    s = (sequence){.next = 5e-3, .rate = 0.9};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_NEWTON);
    s = (sequence){.next = 5e-3, .rate = 1};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_OK);
    ck_assert_int_eq(w.iterations, 3);
    s = (sequence){.next = 5e-2, .rate = 1};
    ck_assert_int_eq(newton_solve(&w, correct, &s), DAE_NEWTON);
}
END_TEST

UNIT_MAIN("stepping/newton", 5, it_ends_where_the_rest_is_small, more_iterations_bear_a_slower_rate,
          growing_corrections_fail, a_rate_is_enough_or_not, round_off_ends_it)
