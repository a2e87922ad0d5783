/* Derivatives by extrapolated differences, against those by hand. */
#include "nonlinear/differences.h"

#include "base/unit.h"

#include <stdbool.h>

typedef struct curves {
    double scale; /* of the curved rows */
    size_t calls;
    double defined; /* up to this |s| */
    dae_status beyond;
} curves;

enum { ROWS = 4 };

/* Different rows are best seen from different distances; one is a line, one does not move. */
static dae_status values(void *self, double s, double *g)
{
    curves *c = self;
    c->calls++;
    g[0] = sin(1 + c->scale * s);
    g[1] = exp(s) * cos(3 * s);
    g[2] = 5 - 7 * s;
    g[3] = 0.3;
    return fabs(s) > c->defined ? c->beyond : DAE_OK;
}

static double worst_error(const curves *c, const double *slope)
{
    double first = fabs(slope[0] / (c->scale * cos(1)) - 1);
    return fmax(fmax(first, fabs(slope[1] - 1)), fmax(fabs(slope[2] + 7), fabs(slope[3])));
}

/* Round-off of a difference at the best distance and its extrapolation, 1e-11, whatever the
 * frequency. */
ARENA_TEST(nearly_to_round_off)
{
    for (double scale = 1e-2; scale < 1e7; scale *= 10) {
        curves c = {.scale = scale, .defined = HUGE_VAL};
        double slope[ROWS];
        derivative_along *a = derivative_along_create(memory_, ROWS);
        ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_OK);
        ck_assert_msg(worst_error(&c, slope) < 2e-11, "error %g at %g", worst_error(&c, slope),
                      scale);
    }
}

ARENA_TEST(later_calls_look_nearer)
{
    curves c = {.scale = 1e3, .defined = HUGE_VAL};
    double slope[ROWS];
    derivative_along *a = derivative_along_create(memory_, ROWS);
    ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_OK);
    size_t first = c.calls;
    ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_OK);
    ck_assert_uint_lt(c.calls - first, first);
    ck_assert_double_lt(worst_error(&c, slope), 2e-11);
}

ARENA_TEST(where_there_is_no_value)
{
    double slope[ROWS];
    curves c = {.scale = 1, .defined = 1e-4, .beyond = DAE_NOT_EVALUABLE};
    derivative_along *a = derivative_along_create(memory_, ROWS);
    ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_OK);
    ck_assert_double_lt(worst_error(&c, slope), 1e-9); /* eps / 1e-4, extrapolated */
    c = (curves){.scale = 1, .defined = 0, .beyond = DAE_NOT_EVALUABLE};
    a = derivative_along_create(memory_, ROWS);
    ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_NOT_EVALUABLE);
    c = (curves){.scale = 1, .defined = 0, .beyond = DAE_STOPPED};
    ck_assert_int_eq(derivative_along_find(a, values, &c, 0.1, slope), DAE_STOPPED);
    ck_assert_uint_eq(c.calls, 1);
}

UNIT_MAIN("nonlinear/derivative_along", 20, nearly_to_round_off, later_calls_look_nearer,
          where_there_is_no_value)
