/* Balls in a row that touch, hit by another one: all impacts are at one instant. */
#include "solve/models.h"

#include <stdio.h>

enum { BALLS = 6 };

static const char HEAD[] =
    "model Row parameter Integer n = 6; Real x[n](start = {if i == 1 then 0 else 1 for i in 1:n},"
    " each fixed = true), v[n](start = {if i == 1 then 1 else 0 for i in 1:n}, each fixed = true);"
    " equation for i in 1:n loop der(x[i]) = v[i]; der(v[i]) = 0; end for;\n";

/* Pairs that approach each other exchange 0.9 of their difference, in any order, until there are no
 * more: the velocities after it do not depend on the order. */
static void exchange(double *v)
{
    for (int i = 0; i + 1 < BALLS; i++) {
        if (!(v[i] > v[i + 1])) continue;
        double part = 0.9 * (v[i] - v[i + 1]);
        v[i] -= part;
        v[i + 1] += part;
        i = -1;
    }
}

START_TEST(a_row_is_hit)
{
    char model[4096];
    size_t length = (size_t)snprintf(model, sizeof model, "%s", HEAD);
    for (int i = 1; i < BALLS; i++)
        length += (size_t)snprintf(
            model + length, sizeof model - length,
            "when x[%d] > x[%d] and v[%d] > v[%d] then"
            " reinit(v[%d], pre(v[%d]) - 0.9*(pre(v[%d]) - pre(v[%d])));"
            " reinit(v[%d], pre(v[%d]) + 0.9*(pre(v[%d]) - pre(v[%d]))); end when;\n",
            i, i + 1, i, i + 1, i, i, i, i + 1, i + 1, i + 1, i, i + 1);
    snprintf(model + length, sizeof model - length, "end Row;");
    double v[BALLS] = {1}, y[2 * BALLS];
    exchange(v);
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(model, &o);
    is_ok(s, dae_solver_run(s, 2));
    is_ok(s, dae_solver_at(s, 2, y, NULL));
    for (int i = 0; i < BALLS; i++)
        ck_assert_msg(fabs(y[BALLS + i] - v[i]) < 1e-9, "v[%d] = %.12g, not %.12g", i + 1,
                      y[BALLS + i], v[i]);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, a_row_is_hit);
    return unit_run("solve/touching", tests);
}
