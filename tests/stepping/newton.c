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

UNIT_MAIN("stepping/newton", 5, it_ends_where_the_rest_is_small, more_iterations_bear_a_slower_rate,
          growing_corrections_fail)
