/* Gauss-Newton: quadratic convergence, least change, damping where plain Newton diverges, failures
 * by their names. Examples of Deuflhard, Newton Methods for Nonlinear Problems (2004), and of the
 * collection of More, Garbow & Hillstrom, ACM TOMS 7 (1981). */
#include "nonlinear/gauss_newton.h"

#include "base/scatter.h"
#include "linalg/matrices.h"

#include <string.h>

enum { MOST = 4, MOST_POINTS = 200 };

/* A system with a full Jacobian that notes where it is linearised. */
typedef struct example {
    nonlinear_system system;
    dae_status (*value)(const double *x, double *r);
    void (*jacobian)(const double *x, double *j); /* rows contiguous */
    double row_scale;
    size_t values, points;
    double point[MOST_POINTS][MOST];
} example;

static dae_status value_of(void *self, const double *x, double *r)
{
    example *e = self;
    e->values++;
    dae_status status = e->value(x, r);
    for (size_t i = 0; i < e->system.rows; i++) r[i] *= e->row_scale;
    for (size_t i = 0; status == DAE_OK && i < e->system.rows; i++)
        if (!isfinite(r[i])) return DAE_NOT_EVALUABLE;
    return status;
}

static dae_status jacobian_of(void *self, const double *x, double *value)
{
    example *e = self;
    double j[MOST * MOST];
    size_t rows = e->system.rows, columns = e->system.columns;
    e->jacobian(x, j);
    for (size_t k = 0; k < rows * columns; k++)
        value[k] = e->row_scale * j[k % rows * columns + k / rows];
    if (e->points < MOST_POINTS) memcpy(e->point[e->points++], x, columns * sizeof *x);
    return DAE_OK;
}

static void begin(example *e, arena *a, size_t rows, size_t columns,
                  dae_status (*value)(const double *, double *),
                  void (*jacobian)(const double *, double *))
{
    *e = (example){.value = value, .jacobian = jacobian, .row_scale = 1};
    e->system = (nonlinear_system){.rows = rows,
                                   .columns = columns,
                                   .pattern = full_pattern(a, rows, columns),
                                   .value = value_of,
                                   .jacobian = jacobian_of,
                                   .self = e};
}

static const double ONES[MOST] = {1, 1, 1, 1};

static dae_status solve(example *e, double *x, size_t most)
{
    gauss_newton *gn = NULL;
    ck_assert_int_eq(gauss_newton_create(&gn, &e->system), DAE_OK);
    dae_status status = gauss_newton_solve(gn, x, ONES, ONES, most);
    gauss_newton_free(gn);
    return status;
}

static dae_status root_of_two(const double *x, double *r)
{
    r[0] = x[0] * x[0] - 2;
    return DAE_OK;
}

static void root_of_two_slope(const double *x, double *j)
{
    j[0] = 2 * x[0];
}

ARENA_TEST(quadratic_convergence)
{
    example e;
    double x = 1.5;
    begin(&e, memory_, 1, 1, root_of_two, root_of_two_slope);
    ck_assert_int_eq(solve(&e, &x, 20), DAE_OK);
    ck_assert_double_eq_tol(x, sqrt(2), 2 * DBL_EPSILON);
    ck_assert_uint_le(e.points, 7);
    for (size_t k = 1; k < e.points; k++) { /* Newton's error is e^2 / (2 x), exactly */
        double before = e.point[k - 1][0] - sqrt(2), now = e.point[k][0] - sqrt(2);
        ck_assert_double_eq_tol(now, before * before / (2 * e.point[k - 1][0]), 4 * DBL_EPSILON);
    }
}

static dae_status powell(const double *x, double *r)
{
    r[0] = 1e4 * x[0] * x[1] - 1;
    r[1] = exp(-x[0]) + exp(-x[1]) - 1.0001;
    return DAE_OK;
}

static void powell_slope(const double *x, double *j)
{
    j[0] = 1e4 * x[1], j[1] = 1e4 * x[0];
    j[2] = -exp(-x[0]), j[3] = -exp(-x[1]);
}

ARENA_TEST(powell_badly_scaled)
{
    example e;
    double x[2] = {0, 1}, r[2];
    begin(&e, memory_, 2, 2, powell, powell_slope);
    ck_assert_int_eq(solve(&e, x, 100), DAE_OK);
    ck_assert_double_eq_tol(x[0], 1.0981593296998175e-5, 1e-18);
    ck_assert_double_eq_tol(x[1], 9.1061467398665240, 1e-12);
    powell(x, r);
    ck_assert_double_eq_tol(r[0], 0, 1e-13);
    ck_assert_double_eq_tol(r[1], 0, 1e-15);
}

/* Invariance: equations in other units make no difference but for rounding (powers of 2: none). */
ARENA_TEST(units_of_equations_do_not_matter)
{
    double x[2] = {0, 1}, y[2] = {0, 1};
    example e;
    begin(&e, memory_, 2, 2, powell, powell_slope);
    ck_assert_int_eq(solve(&e, x, 100), DAE_OK);
    size_t values = e.values;
    begin(&e, memory_, 2, 2, powell, powell_slope);
    e.row_scale = 0x1p-80;
    ck_assert_int_eq(solve(&e, y, 100), DAE_OK);
    ck_assert_uint_eq(e.values, values);
    ck_assert(x[0] == y[0] && x[1] == y[1]);
}

static dae_status arctangent(const double *x, double *r)
{
    r[0] = atan(x[0]);
    return DAE_OK;
}

static void arctangent_slope(const double *x, double *j)
{
    j[0] = 1 / (1 + x[0] * x[0]);
}

/* Undamped, |x| grows without bound from |x| > 1.3918. */
ARENA_TEST(damping_of_the_arctangent)
{
    const double starts[] = {1.2, 1.5, -3, 10, 100, -1000};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        example e;
        double x = starts[k];
        begin(&e, memory_, 1, 1, arctangent, arctangent_slope);
        ck_assert_int_eq(solve(&e, &x, 100), DAE_OK);
        ck_assert_double_eq_tol(x, 0, 1e-15);
        ck_assert_uint_le(e.values, 3 * e.points); /* fractions are foreseen, most of them well */
        for (size_t i = 1; i < e.points; i++) /* the level function falls from point to point */
            ck_assert(fabs(e.point[i][0]) <= fabs(e.point[i - 1][0]));
    }
}

static dae_status exponential(const double *x, double *r)
{
    r[0] = exp(x[0]) - 1e-3;
    return DAE_OK;
}

static void exponential_slope(const double *x, double *j)
{
    j[0] = exp(x[0]);
}

/* From the left of the root, -6.9, the plain step is 1e-3 e^-x, which goes too far; from the right
 * it is -1. */
ARENA_TEST(damping_of_the_exponential)
{
    const double starts[] = {20, 0, -8, -9, -10, -20};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        example e;
        double x = starts[k];
        begin(&e, memory_, 1, 1, exponential, exponential_slope);
        ck_assert_int_eq(solve(&e, &x, 100), DAE_OK);
        ck_assert_double_eq_tol(x, log(1e-3), 1e-14);
    }
}

static dae_status logarithm(const double *x, double *r)
{
    r[0] = log(x[0]);
    return x[0] == -17 ? DAE_STOPPED : DAE_OK;
}

static void logarithm_slope(const double *x, double *j)
{
    j[0] = 1 / x[0];
}

/* The full step from 5 leads to -3, where there is no logarithm. */
ARENA_TEST(stays_where_there_are_values)
{
    example e;
    double x = 5;
    begin(&e, memory_, 1, 1, logarithm, logarithm_slope);
    ck_assert_int_eq(solve(&e, &x, 50), DAE_OK);
    ck_assert_double_eq_tol(x, 1, 1e-15);
    x = -1;
    ck_assert_int_eq(solve(&e, &x, 50), DAE_NOT_EVALUABLE);
    x = -17;
    ck_assert_int_eq(solve(&e, &x, 50),
                     DAE_STOPPED); /* what is no matter of the step is passed on */
}

static dae_status no_root(const double *x, double *r)
{
    r[0] = x[0] * x[0] + 1;
    return DAE_OK;
}

ARENA_TEST(no_solution)
{
    example e;
    double x = 0.3;
    begin(&e, memory_, 1, 1, no_root, root_of_two_slope);
    ck_assert_int_eq(solve(&e, &x, 100), DAE_NEWTON);
    ck_assert_double_lt(fabs(x), 0.5); /* the best point met is no worse than the start */
    begin(&e, memory_, 1, 1, root_of_two, root_of_two_slope);
    x = 1e6;
    ck_assert_int_eq(solve(&e, &x, 3), DAE_NEWTON); /* each step halves: three are not enough */
    ck_assert_uint_eq(e.points, 3);
}

static dae_status circle(const double *x, double *r)
{
    r[0] = x[0] * x[0] + x[1] * x[1] - 1;
    return DAE_OK;
}

static void circle_slope(const double *x, double *j)
{
    j[0] = 2 * x[0], j[1] = 2 * x[1];
}

ARENA_TEST(shortest_way_to_the_circle)
{
    example e;
    double x[2] = {2, 1};
    begin(&e, memory_, 1, 2, circle, circle_slope);
    ck_assert_int_eq(solve(&e, x, 20), DAE_OK); /* gradients all point along the radius */
    ck_assert_double_eq_tol(x[0], 2 / sqrt(5), 4 * DBL_EPSILON);
    ck_assert_double_eq_tol(x[1], 1 / sqrt(5), 4 * DBL_EPSILON);
}

static dae_status ellipse(const double *x, double *r)
{
    r[0] = x[0] * x[0] / 9 + x[1] * x[1] - 1;
    return DAE_OK;
}

static void ellipse_slope(const double *x, double *j)
{
    j[0] = 2 * x[0] / 9, j[1] = 2 * x[1];
}

/* The nearest point to `from` in the norm of the weights is where (x - from) / weight^2 is along
 * the gradient. */
ARENA_TEST(nearest_point_of_the_ellipse)
{
    const double weights[][2] = {{1, 1}, {1, 5}, {5, 1}}, from[2] = {2, 0.9};
    for (size_t k = 0; k < 3; k++) {
        example e;
        gauss_newton *gn = NULL;
        double x[2] = {from[0], from[1]}, slope[2], r;
        const double *w = weights[k];
        begin(&e, memory_, 1, 2, ellipse, ellipse_slope);
        ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
        ck_assert_int_eq(gauss_newton_solve(gn, x, w, ONES, 30), DAE_OK);
        gauss_newton_approach(gn, x, from, w, ONES, 60);
        gauss_newton_free(gn);
        ellipse(x, &r);
        ellipse_slope(x, slope);
        double u = (x[0] - from[0]) / (w[0] * w[0]), v = (x[1] - from[1]) / (w[1] * w[1]);
        ck_assert_double_eq_tol(r, 0, 4 * DBL_EPSILON);
        ck_assert_double_eq_tol(u * slope[1] - v * slope[0], 0, 1e-7); /* ends at 1e-8 */
        ck_assert(u * slope[0] + v * slope[1] < 0);
    }
}

/* x matters, and y only where x leaves it open: then x is kept to the last bit, or comes to where
 * it was to be; beyond the end of the ellipse no way leads on. */
ARENA_TEST(in_an_order_of_precedence)
{
    const unsigned char level[2] = {1, 0};
    const gauss_newton_order order = {2, level, ONES};
    const double from[2] = {2, 0.9}, beyond[2] = {5, 0.9};
    example e;
    gauss_newton *gn = NULL;
    double x[2] = {from[0], from[1]}, r;
    begin(&e, memory_, 1, 2, ellipse, ellipse_slope);
    ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
    gauss_newton_prefer(gn, &order);
    ck_assert_int_eq(gauss_newton_solve(gn, x, ONES, ONES, 30), DAE_OK);
    ck_assert(x[0] == 2);
    ck_assert_double_eq_tol(x[1], sqrt(5) / 3, 4 * DBL_EPSILON);
    gauss_newton_prefer(gn, NULL);
    ck_assert_int_eq(gauss_newton_solve(gn, (x[0] = 1, x[1] = 2, x), ONES, ONES, 30), DAE_OK);
    ck_assert(fabs(x[0] - 2) > 0.1);
    gauss_newton_prefer(gn, &order);
    ck_assert_int_eq(gauss_newton_approach(gn, x, from, ONES, ONES, 60), APPROACH_NEAREST);
    ck_assert_double_eq_tol(x[0], 2, 4 * DBL_EPSILON);
    ck_assert_int_eq(gauss_newton_approach(gn, x, beyond, ONES, ONES, 60), APPROACH_STUCK);
    ellipse(x, &r);
    ck_assert_double_eq_tol(r, 0, 4 * DBL_EPSILON);
    gauss_newton_free(gn);
}

/* One sweep does not arrive from afar: it ends at a solution that is nearer. */
ARENA_TEST(one_sweep_comes_nearer)
{
    example e;
    gauss_newton *gn = NULL;
    double x[2] = {0, 1};
    const double from[2] = {2, -1.5};
    begin(&e, memory_, 1, 2, ellipse, ellipse_slope);
    ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
    double r, before = hypot(x[0] - from[0], x[1] - from[1]);
    gauss_newton_approach(gn, x, from, ONES, ONES, 1);
    ellipse(x, &r);
    ck_assert_double_eq_tol(r, 0, 4 * DBL_EPSILON);
    ck_assert_double_lt(hypot(x[0] - from[0], x[1] - from[1]), before);
    gauss_newton_free(gn);
}

/* Equations of one unknown each, of drawn kinds: the first of `count` is the `first`. */
typedef struct lonely {
    nonlinear_system system;
    int kind[MOST];
    double given[MOST];
    size_t first;
} lonely;

static double lonely_residual(int kind, double given, double x)
{
    switch (kind) {
    case 0: return atan(x - given); /* from afar, plain Newton diverges */
    case 1: return log(x) - given;
    case 2: return exp(x) - exp(given);
    case 3: return x * x * x + x - given;
    default: return x * x + 1; /* without a root */
    }
}

static double lonely_slope(int kind, double given, double x)
{
    switch (kind) {
    case 0: return 1 / (1 + (x - given) * (x - given));
    case 1: return 1 / x;
    case 2: return exp(x);
    case 3: return 3 * x * x + 1;
    default: return 2 * x;
    }
}

static dae_status lonely_value(void *self, const double *x, double *r)
{
    const lonely *e = self;
    bool finite = true;
    for (size_t k = 0; k < e->system.rows; k++) {
        r[k] = lonely_residual(e->kind[e->first + k], e->given[e->first + k], x[k]);
        finite = finite && isfinite(r[k]);
    }
    return finite ? DAE_OK : DAE_NOT_EVALUABLE;
}

static dae_status lonely_jacobian(void *self, const double *x, double *value)
{
    const lonely *e = self;
    for (size_t k = 0; k < e->system.rows; k++)
        value[k] = lonely_slope(e->kind[e->first + k], e->given[e->first + k], x[k]);
    return DAE_OK;
}

static dae_status solve_lonely(lonely *e, arena *a, size_t first, size_t count, double *x,
                               bool *failed)
{
    gauss_newton *gn = NULL;
    e->first = first;
    e->system = (nonlinear_system){.rows = count,
                                   .columns = count,
                                   .pattern = sparse_diagonal(a, count),
                                   .value = lonely_value,
                                   .jacobian = lonely_jacobian,
                                   .rows_apart = true,
                                   .self = e};
    ck_assert_int_eq(gauss_newton_create(&gn, &e->system), DAE_OK);
    dae_status status = gauss_newton_solve(gn, x + first, ONES, ONES, 60);
    for (size_t k = 0; k < count; k++) failed[first + k] = gauss_newton_failed(gn, k);
    gauss_newton_free(gn);
    return status;
}

/* A system of parts takes the iterates of its parts, to the bit, whatever becomes of the others. */
ARENA_TEST(parts_that_nothing_links)
{
    for (size_t draw = 0; draw < 200; draw++) {
        lonely e;
        double x[MOST], alone[MOST];
        bool failed[MOST], failed_alone[MOST], any = false;
        for (size_t k = 0; k < MOST; k++) {
            double u = scattered(3 * (MOST * draw + k));
            e.kind[k] = (int)(2.5 * (u + 1)) % 5;
            e.given[k] = 3 * scattered(3 * (MOST * draw + k) + 1);
            x[k] = alone[k] = 4 + 3.9 * scattered(3 * (MOST * draw + k) + 2);
        }
        dae_status status = solve_lonely(&e, memory_, 0, MOST, x, failed);
        for (size_t k = 0; k < MOST; k++) {
            bool fails = solve_lonely(&e, memory_, k, 1, alone, failed_alone) != DAE_OK;
            ck_assert(fails == failed[k] && fails == failed_alone[k]);
            ck_assert_double_eq(x[k], alone[k]);
            ck_assert(fails || e.kind[k] == 4 ||
                      fabs(lonely_residual(e.kind[k], e.given[k], x[k])) < 1e-12);
            any = any || fails;
        }
        ck_assert(any == (status != DAE_OK));
    }
}

/* x_i^2 + x_{i-1} - 2 x_i + x_{i+1} = 1 in a ring of four: at 0 the rows contradict each other, and
 * the Laplacian leaves what they miss. */
static dae_status resting(const double *x, double *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = x[i] * x[i] + 0.28 * (x[(i + 3) % 4] - 2 * x[i] + x[(i + 1) % 4]) - 1.97;
    return DAE_OK;
}

static void resting_slope(const double *x, double *j)
{
    memset(j, 0, 16 * sizeof *j);
    for (int i = 0; i < 4; i++) {
        j[5 * i] = 2 * x[i] - 0.56;
        j[4 * i + (i + 1) % 4] = j[4 * i + (i + 3) % 4] = 0.28;
    }
}

/* No correction meets anything: x rests, and round-off does not decide where it goes from there;
 * also in an order of precedence. */
ARENA_TEST(rests_where_no_correction_helps)
{
    static const unsigned char LEVEL[MOST] = {1, 1, 1, 1};
    const gauss_newton_order order = {.levels = 2, .level = LEVEL, .scale = ONES};
    for (int ordered = 0; ordered < 2; ordered++) {
        example e;
        gauss_newton *gn = NULL;
        double x[MOST] = {0};
        begin(&e, memory_, 4, 4, resting, resting_slope);
        ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
        gauss_newton_prefer(gn, ordered ? &order : NULL);
        ck_assert_int_eq(gauss_newton_solve(gn, x, ONES, ONES, 50), DAE_OK);
        for (int i = 0; i < 4; i++) ck_assert(x[i] == 0);
        gauss_newton_free(gn);
    }
}

/* Where the rows determine all unknowns, an order has nothing to decide: the iterates are the same
 * to the bit. */
ARENA_TEST(an_order_without_a_choice)
{
    static const unsigned char LEVEL[MOST] = {0, 1, 0, 1};
    const gauss_newton_order order = {.levels = 2, .level = LEVEL, .scale = ONES};
    double x[2][MOST] = {{1, 2, 3, 5}, {1, 2, 3, 5}};
    for (int ordered = 0; ordered < 2; ordered++) {
        example e;
        gauss_newton *gn = NULL;
        begin(&e, memory_, 4, 4, resting, resting_slope);
        ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
        gauss_newton_prefer(gn, ordered ? &order : NULL);
        ck_assert_int_eq(gauss_newton_solve(gn, x[ordered], ONES, ONES, 50), DAE_OK);
        ck_assert(!gn->ordered);
        gauss_newton_free(gn);
    }
    ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(fabs(x[0][i]), sqrt(1.97), 1e-12);
}

/* Two rows that say the same, and one that is far off: the least-squares point of unit rows. */
static dae_status overdetermined(const double *x, double *r)
{
    r[0] = x[0] - 1, r[1] = x[0] - 1, r[2] = x[0] - 4;
    return DAE_OK;
}

static void overdetermined_slope(const double *x, double *j)
{
    (void)x;
    j[0] = j[1] = j[2] = 1;
}

ARENA_TEST(more_rows_than_unknowns)
{
    example e;
    gauss_newton *gn = NULL;
    double x = 10;
    begin(&e, memory_, 3, 1, overdetermined, overdetermined_slope);
    ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
    ck_assert_int_eq(gauss_newton_solve(gn, &x, ONES, ONES, 20), DAE_OK);
    ck_assert_double_eq_tol(x, 2, 8 * DBL_EPSILON);
    ck_assert_int_eq(gauss_newton_look(gn, &x, ONES), DAE_OK);
    ck_assert_double_eq_tol(gn->residual[2], -2, 16 * DBL_EPSILON); /* which the caller looks at */
    gauss_newton_free(gn);
}

static dae_status sine(const double *x, double *r)
{
    r[0] = sin(x[0]);
    return DAE_OK;
}

static void sine_slope(const double *x, double *j)
{
    j[0] = cos(x[0]);
}

/* Beside the top of sin x long corrections lead to roots far away. What is watched notes that, and
 * the way along Newton's flow leads to the root at 0. */
ARENA_TEST(the_flow_leads_past_no_root)
{
    size_t left = 0;
    for (int k = 1; k < 156; k++) {
        example e;
        gauss_newton *gn = NULL;
        double x = 0.01 * k, y = x;
        begin(&e, memory_, 1, 1, sine, sine_slope);
        ck_assert_int_eq(gauss_newton_create(&gn, &e.system), DAE_OK);
        gn->watched = true;
        ck_assert_int_eq(gauss_newton_solve(gn, &x, ONES, ONES, 50), DAE_OK);
        ck_assert(fabs(x) < 1e-12 || gn->strayed);
        left += fabs(x) > 1;
        gn->closely = true;
        gn->longest_first = 0.3;
        ck_assert_int_eq(gauss_newton_solve(gn, &y, ONES, ONES, 100), DAE_OK);
        ck_assert_double_le(fabs(y), 1e-12);
        gauss_newton_free(gn);
    }
    ck_assert_uint_gt(left, 10);
}

UNIT_MAIN("nonlinear/gauss_newton", 20, the_flow_leads_past_no_root, quadratic_convergence,
          powell_badly_scaled, units_of_equations_do_not_matter, damping_of_the_arctangent,
          damping_of_the_exponential, stays_where_there_are_values, no_solution,
          shortest_way_to_the_circle, nearest_point_of_the_ellipse, in_an_order_of_precedence,
          one_sweep_comes_nearer, parts_that_nothing_links, rests_where_no_correction_helps,
          an_order_without_a_choice, more_rows_than_unknowns)
