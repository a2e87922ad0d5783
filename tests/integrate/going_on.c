/* What a step goes on from: which methods take something from y' at its beginning. */
#include "integrate/linear.h"

#include <stdio.h>

/* y after a step after others, with y' changed by this between. */
static double step_from(const char *name, double by)
{
    enum { STEPS = 12 };
    example e;
    message m = {0};
    engine *g = NULL;
    double y = 1, yp = -2;
    begin(&e, 1, 1, decay, decay_slope);
    const engine_options options = {.fixed_step = 0.125, .direction = 1};
    ck_assert_int_eq(method_create(&e.which, name, &m), DAE_OK);
    ck_assert_int_eq(engine_create(&g, &e.problem, e.which, &options, &m), DAE_OK);
    engine_start(g, 0, &y, &yp);
    for (int k = 0; k < STEPS; k++) ck_assert_int_eq(engine_step(g, 10), DAE_OK);
    y = g->y[0], yp = g->yp[0] + by;
    engine_replace(g, &y, &yp);
    ck_assert_int_eq(engine_step(g, 10), DAE_OK);
    y = g->y[0];
    message_free(&m);
    dispose(&e, g);
    return y;
}

START_TEST(slope)
{
    int taking = 0, left = 0, rows = 0;
    for (; method_row_at((size_t)rows); rows++) {
        const char *name = method_row_at((size_t)rows)->name;
        message m = {0};
        method *which;
        ck_assert_int_eq(method_create(&which, name, &m), DAE_OK);
        bool takes = method_goes_on_from_yp(which);
        if (which->structural) { /* they advance mechanical systems alone */
            method_free(which);
            left++;
            continue;
        }
        double moved = fabs(step_from(name, 0.01) - step_from(name, 0));
        printf("%-24s %s: %.1e\n", name, takes ? "takes y'" : "y alone", moved);
        ck_assert(takes ? moved > 1e-6 : moved < 1e-13);
        taking += takes;
        method_free(which);
    }
    printf("left out: %d structural methods, which advance mechanical systems alone\n", left);
    ck_assert_int_gt(taking, 0);
    ck_assert_int_lt(taking, rows - left);
    ck_assert_int_le(left, 6);
}
END_TEST

UNIT_MAIN("integrate/going_on", 60, slope)
