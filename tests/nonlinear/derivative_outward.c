/* Derivatives of curves that vary in lengths nobody knows. */
#include "nonlinear/differences.h"

#include "base/unit.h"

#include <math.h>

enum { ROWS = 5 };

typedef struct curves {
    double length, defined; /* that they vary in; up to this |s| */
    double side;            /* 0, or the sign of the s at which they are defined */
} curves;

static dae_status values(void *self, double s, double *g)
{
    const curves *c = self;
    double x = s / c->length;
    g[0] = sin(1 + x);
    g[1] = exp(0.1 * sin(x)) * cos(3 * x);
    g[2] = 5 - 7 * x;
    g[3] = 0.3;
    g[4] = sin(x);
    return fabs(s) > c->defined || s * c->side < 0 ? DAE_NOT_EVALUABLE : DAE_OK;
}

/* To one side the errors of 1e-16 / s and s^4 leave less. */
static void expect(arena *a, double length, double defined, double side)
{
    static const double slopes[ROWS] = {0.54030230586813972, 0.1, -7, 0, 1}, noise[ROWS];
    derivative_outward *s = derivative_outward_create(a, ROWS);
    const derivative_range range = {.rows = ROWS, .least = 0x1p-60, .most = 0x1p40, .noise = noise};
    curves c = {length, defined, side};
    ck_assert_int_eq(derivative_outward_find(s, values, &c, &range), DAE_OK);
    for (size_t i = 0; i < ROWS; i++) {
        double error = fabs(s->derivative[i] * length - slopes[i]);
        ck_assert_msg(
            error <= (side != 0 ? 1e-7 : 1e-8) && error <= s->error[i] * length * (1 + 1e-12),
            "row %zu, length %g: %g, said to be %g", i, length, error, s->error[i] * length);
        ck_assert(derivative_outward_settled(s, i));
    }
    /* sin is known to all digits however close to 0: it is at longer distances as well */
    ck_assert_double_gt(s->distance[4], 1e-3 * length);
}

ARENA_TEST(whatever_they_vary_in)
{
    for (double length = 1e-12; length < 1e10; length *= 7.3) {
        for (int side = -1; side <= 1; side++) {
            expect(memory_, length, HUGE_VAL, side);
            expect(memory_, length, length, side);
        }
    }
}

/* Where all distances are longer than that nothing is said to be known. */
ARENA_TEST(too_far_off_nothing_is_known)
{
    static const double noise[ROWS];
    derivative_outward *s = derivative_outward_create(memory_, ROWS);
    const derivative_range range = {.rows = ROWS, .least = 1e-3, .most = 1e3, .noise = noise};
    curves c = {1e-9, HUGE_VAL, 0};
    ck_assert_int_eq(derivative_outward_find(s, values, &c, &range), DAE_OK);
    ck_assert(!derivative_outward_settled(s, 0) && !derivative_outward_settled(s, 1));
    ck_assert(derivative_outward_settled(s, 2) && derivative_outward_settled(s, 3));
    c.defined = 0;
    ck_assert_int_eq(derivative_outward_find(s, values, &c, &range), DAE_NOT_EVALUABLE);
}

UNIT_MAIN("slopes from near", 20, whatever_they_vary_in, too_far_off_nothing_is_known)
