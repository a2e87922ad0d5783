/* Roots between two points, by inverse interpolation. */
#include "event/bracket.h"

#include "base/unit.h"

#include <math.h>

static const double RESOLUTION = 0x1p-50;

typedef double (*function)(double x, double at);

static double line(double x, double at)
{
    return at - x;
}

static double seventh(double x, double at)
{
    return pow(at - x, 7);
}

static double steep(double x, double at)
{
    return (at - x) * (1 + pow(x / 1e-3, 7));
}

static double cluster(double x, double at)
{
    return (at - x) * (x - at - 1e-3) * (x - at + 1e-3);
}

static double sudden(double x, double at)
{
    return x < at ? 1 : -1e-6;
}

static double touched(double x, double at)
{
    return fmax(at - x, 0); /* 0 counts as after */
}

/* Evaluations until the ends are one point; the root lies between them. */
static int find(function f, double at, double *root)
{
    bracket b;
    double x;
    int count = 0;
    bracket_begin(&b, (bracket_end){0, f(0, at), false}, (bracket_end){1, f(1, at), true},
                  RESOLUTION);
    for (; bracket_next(&b, &x); count++) {
        ck_assert_int_lt(count, 200);
        double value = f(x, at);
        ck_assert(x > bracket_before(&b)->x && x < bracket_behind(&b)->x);
        bracket_take(&b, (bracket_end){x, value, !(value > 0)});
    }
    double low = bracket_before(&b)->x, high = bracket_behind(&b)->x;
    ck_assert(high - low <= RESOLUTION && f(low, at) > 0 && !(f(high, at) > 0));
    *root = high;
    return count;
}

START_TEST(roots_are_found)
{
    static const struct {
        function f;
        int most;      /* evaluations */
        double within; /* of the root */
    } row[] = {{line, 3, 1e-15},    {seventh, 70, 1e-15}, {steep, 30, 1e-15},
               {cluster, 30, 2e-3}, {sudden, 60, 1e-15},  {touched, 80, 1e-15}};
    for (double at = 0.0123; at < 1; at += 0.0517) {
        double root;
        int count = find(row[_i].f, at, &root);
        ck_assert_msg(count <= row[_i].most, "%d: %d evaluations for %g", _i, count, at);
        ck_assert_double_eq_tol(root, at, row[_i].within);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, roots_are_found, 0, 6);
    return unit_run("event/bracket", tests);
}
