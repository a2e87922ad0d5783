/* The conditions that make each row what it is, in quadruple precision: sum a_ij = c_i, B, C and D
 * of the computed families (Hairer & Wanner II, Sec. IV.5), the order conditions of all trees up to
 * order 5 and of the trees b' A^k c^m beyond (Hairer, Norsett & Wanner I, Secs. II.2, II.5), those
 * of embedded weights and of dense output; and that a row with one number changed fails them. */
#include "accuracy/method_theory.h"
#include "method/assumptions.h"
#include "method/rows.h"

enum { MOST = METHOD_MOST_STAGES };

/* Coefficients are rounded once or follow from conditions whose matrices have norms of inverses
 * below 1e4; published decimals have 30 digits. */
static const double EXACT = 1e-29, AS_PUBLISHED = 1e-14, CHANGE = 1e-6;

enum { ROWS = sizeof theories / sizeof *theories };

/* Radau IA with one stage and Lobatto IIIB with two are not what c says. */
static bool nodes_are_sums(const method *m)
{
    return strcmp(m->row->name, "radau-ia1") != 0 && strcmp(m->row->name, "lobatto-iiib2") != 0;
}

static quad of_nodes(const method *m)
{
    quad worst = 0;
    for (int i = 0; i < m->stages + m->extra; i++) {
        quad sum = -m->c[i];
        for (int j = 0; j < m->stages + m->extra; j++) sum += m->a[i][j];
        worst = quad_max(worst, quad_abs(sum));
    }
    return worst;
}

/* The elementary weights of subtrees: a vector over the stages is c times or A times others. */
typedef enum subtree { ONE, C, C2, C3, C4, AC, AC2, AC3, AAC, A_CAC, AAC2, AAAC, SUBTREES } subtree;

typedef struct weights {
    int stages;
    quad of[SUBTREES][MOST];
} weights;

static void times_a(const method *m, int n, const quad *v, quad *product)
{
    for (int i = 0; i < n; i++) {
        product[i] = 0;
        for (int j = 0; j < n; j++) product[i] += m->a[i][j] * v[j];
    }
}

static weights find_weights(const method *m)
{
    int n = m->stages + m->extra;
    weights w = {.stages = n};
    quad c_ac[MOST];
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= 4; k++) w.of[ONE + k][i] = quad_power(m->c[i], k);
    times_a(m, n, w.of[C], w.of[AC]);
    times_a(m, n, w.of[C2], w.of[AC2]);
    times_a(m, n, w.of[C3], w.of[AC3]);
    times_a(m, n, w.of[AC], w.of[AAC]);
    times_a(m, n, w.of[AC2], w.of[AAC2]);
    times_a(m, n, w.of[AAC], w.of[AAAC]);
    for (int i = 0; i < n; i++) c_ac[i] = m->c[i] * w.of[AC][i];
    times_a(m, n, c_ac, w.of[A_CAC]);
    return w;
}

/* Hairer, Norsett & Wanner I, Table II.2.2: sum b_i (product)_i = 1 / density. */
static const struct {
    int order, density;
    subtree product[2];
} tree[] = {{1, 1, {ONE, ONE}},   {2, 2, {C, ONE}},    {3, 3, {C2, ONE}},     {3, 6, {AC, ONE}},
            {4, 4, {C3, ONE}},    {4, 8, {C, AC}},     {4, 12, {AC2, ONE}},   {4, 24, {AAC, ONE}},
            {5, 5, {C4, ONE}},    {5, 10, {C2, AC}},   {5, 20, {AC, AC}},     {5, 15, {C, AC2}},
            {5, 30, {C, AAC}},    {5, 20, {AC3, ONE}}, {5, 40, {A_CAC, ONE}}, {5, 60, {AAC2, ONE}},
            {5, 120, {AAAC, ONE}}};

/* The worst residual of the conditions of order `from` to `to` for weights b that lead to the time
 * x of the step. */
static quad of_trees(const method *m, const quad *b, quad x, int from, int to)
{
    weights w = find_weights(m);
    quad worst = 0;
    for (size_t t = 0; t < sizeof tree / sizeof *tree; t++) {
        if (tree[t].order < from || tree[t].order > to) continue;
        quad sum = -quad_power(x, tree[t].order) / tree[t].density;
        for (int i = 0; i < w.stages; i++)
            sum += b[i] * w.of[tree[t].product[0]][i] * w.of[tree[t].product[1]][i];
        worst = quad_max(worst, quad_abs(sum));
    }
    return worst;
}

/* The same of b' A^k c^m = 1 / ((m+1) ... (m+k+1)), of all orders k + m + 1. */
static quad of_long_trees(const method *m, const quad *b, quad x, int from, int to)
{
    quad worst = 0;
    int n = m->stages + m->extra;
    for (int power = 0; power < to; power++) {
        quad v[MOST] = {0}, next[MOST] = {0}, density = 1;
        for (int i = 0; i < n; i++) v[i] = quad_power(m->c[i], power);
        for (int order = power + 1; order <= to; order++) {
            density *= order;
            quad sum = -quad_power(x, order) / density;
            for (int i = 0; i < n; i++) sum += b[i] * v[i];
            if (order >= from) worst = quad_max(worst, quad_abs(sum));
            times_a(m, n, v, next);
            memcpy(v, next, sizeof v);
        }
    }
    return worst;
}

static quad of_order(const method *m, const quad *b, quad x, int from, int to)
{
    return quad_max(of_trees(m, b, x, from, to), of_long_trees(m, b, x, from, to));
}

/* The worst residual of all that makes the row. */
static quad of_row(const method *m, int order)
{
    int b, c, d;
    quad worst = nodes_are_sums(m) ? of_nodes(m) : 0;
    assumptions(m->family, m->stages, &b, &c, &d);
    for (int k = 1; k <= b; k++) worst = quad_max(worst, of_b(m, k));
    for (int k = 1; k <= c; k++) worst = quad_max(worst, of_c(m, k));
    for (int k = 1; k <= d; k++) worst = quad_max(worst, of_d(m, k));
    return quad_max(worst, of_order(m, m->b, 1, 1, order));
}

static double tolerance(const method *m)
{
    return m->decimals ? AS_PUBLISHED : EXACT;
}

START_TEST(conditions)
{
    method *m = create(theories[_i].name);
    double residual = (double)of_row(m, theories[_i].ode[0]);
    ck_assert_msg(residual < tolerance(m), "%s: %g", m->name, residual);
    /* and no order more: some condition of the next is not met */
    double beyond = (double)of_order(m, m->b, 1, 1, theories[_i].ode[0] + 1);
    ck_assert_msg(beyond > 1e-9, "%s: %g", m->name, beyond);
    method_free(m);
}
END_TEST

START_TEST(embedded_weights)
{
    method *m = create(theories[_i].name);
    ck_assert_int_eq(m->estimators,
                     (theories[_i].embedded[0] > 0) + (theories[_i].embedded[1] > 0));
    for (int e = 0; e < m->estimators; e++) {
        int order = theories[_i].embedded[e];
        double residual = (double)of_order(m, m->b_hat[e], 1, 1, order);
        ck_assert_msg(residual < tolerance(m), "%s: %g", m->name, residual);
        double beyond = (double)of_order(m, m->b_hat[e], 1, 1, order + 1);
        ck_assert_msg(beyond > 1e-9, "%s: %g", m->name, beyond);
        for (int i = 0; i < m->stages; i++) {
            m->b_hat[e][i] += (quad)CHANGE;
            ck_assert((double)of_order(m, m->b_hat[e], 1, 1, order) > CHANGE / 2);
            m->b_hat[e][i] -= (quad)CHANGE;
        }
    }
    method_free(m);
}
END_TEST

static bool is_explicit_row(const method *m, int i)
{
    for (int j = i; j < m->stages + m->extra; j++)
        if (m->a[i][j] != 0) return false;
    return true;
}

START_TEST(structure)
{
    method *m = create(theories[_i].name);
    quad gamma = m->a[m->stages - 1][m->stages - 1];
    for (int i = 0; i < m->stages + m->extra; i++) {
        if (m->family == METHOD_EXPLICIT) ck_assert(is_explicit_row(m, i));
        if (m->family != METHOD_SDIRK && m->family != METHOD_ESDIRK) continue;
        if (m->family == METHOD_ESDIRK && i == 0)
            ck_assert(is_explicit_row(m, 0));
        else
            ck_assert(m->a[i][i] == gamma);
        for (int j = i + 1; j < m->stages; j++) ck_assert(m->a[i][j] == 0);
    }
    int last = m->stages - 1;
    for (int i = 0; i < m->stages; i++) { /* what engines look for is exact */
        if (m->family == METHOD_LOBATTO_IIIA) ck_assert(m->a[0][i] == 0);
        if (m->family == METHOD_LOBATTO_IIIB) ck_assert(m->a[i][last] == 0);
        if (m->family == METHOD_LOBATTO_IIICS) ck_assert(m->a[0][i] == 0 && m->a[i][last] == 0);
        if (method_is_stiffly_accurate(m)) ck_assert(m->a[last][i] == m->b[i]);
    }
    method_free(m);
}
END_TEST

static void dense_weights(const method *m, quad x, quad *b)
{
    for (int i = 0; i < m->stages + m->extra; i++) {
        b[i] = 0;
        for (int k = m->dense_degree - 1; k >= 0; k--) b[i] = (b[i] + m->dense[k][i]) * x;
    }
}

START_TEST(dense_output)
{
    method *m = create(theories[_i].name);
    ck_assert_int_eq(m->dense_degree > 0, theories[_i].dense > 0);
    quad b[MOST] = {0};
    dense_weights(m, 1, b);
    for (int i = 0; m->dense_degree && i < m->stages + m->extra; i++)
        ck_assert((double)quad_abs(b[i] - m->b[i]) < tolerance(m));
    for (int step = 1; m->dense_degree && step < 10; step++) {
        quad x = (quad)step / 10;
        dense_weights(m, x, b);
        double residual = (double)of_order(m, b, x, 1, theories[_i].dense);
        ck_assert_msg(residual < tolerance(m), "%s at %g: %g", m->name, step / 10.0, residual);
        double beyond = (double)of_order(m, b, x, 1, theories[_i].dense + 1);
        ck_assert_msg(beyond > 1e-9, "%s at %g: %g", m->name, step / 10.0, beyond);
        b[0] += (quad)CHANGE;
        ck_assert((double)of_order(m, b, x, 1, theories[_i].dense) > CHANGE / 2);
    }
    method_free(m);
}
END_TEST

static void must_fail(method *m, quad *number, int order)
{
    quad kept = *number;
    *number += (quad)CHANGE;
    ck_assert_msg((double)of_row(m, order) > 1e-9, "%s", m->name);
    *number = kept;
}

START_TEST(changed_rows)
{
    if (!is_sampled(theories[_i].name, (size_t)_i, 4)) return;
    method *m = create(theories[_i].name);
    for (int i = 0; i < m->stages; i++) {
        must_fail(m, &m->b[i], theories[_i].ode[0]);
        must_fail(m, &m->c[i], theories[_i].ode[0]);
        for (int j = 0; j < m->stages; j++) must_fail(m, &m->a[i][j], theories[_i].ode[0]);
    }
    method_free(m);
}
END_TEST

/* R(infinity) of a stiffly accurate method with an explicit first stage: -e_s' A^-1 a_1 over the
 * other stages. Zero where the paper says L-stable; it fixes two nodes of kvaerno5, and the free
 * numbers of esdirk5 are quotients of 13 digits. */
START_TEST(stiff_limit)
{
    static const char *const name[] = {"kvaerno3", "kvaerno5", "esdirk3", "esdirk4", "esdirk5"};
    method *m = create(name[_i]);
    int n = m->stages - 1;
    quad a[MOST * MOST], x[MOST];
    for (int i = 0; i < n; i++) {
        x[i] = m->a[i + 1][0];
        for (int j = 0; j < n; j++) a[i * MOST + j] = m->a[i + 1][j + 1];
    }
    ck_assert(quad_solve(n, MOST, a, x) > 0);
    ck_assert_msg((double)quad_abs(x[n - 1]) < 1e-22, "%s: %g", m->name, (double)x[n - 1]);
    method_free(m);
}
END_TEST

/* Rosenbrock and multistep methods have tests of their own: rosenbrock_rows.c, multistep.c. */
static bool is_runge_kutta(const char *name)
{
    message reported = {0};
    method *m = NULL;
    bool is = method_create(&m, name, &reported) != DAE_OK || !(m->rosenbrock || m->multistep);
    message_free(&reported);
    method_free(m);
    return is;
}

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    const TTest *const each[] = {conditions, embedded_weights, structure, dense_output,
                                 changed_rows};
    tcase_set_timeout(tests, 20);
    for (int row = 0; row < (int)ROWS; row++)
        for (size_t i = 0; i < sizeof each / sizeof *each && is_runge_kutta(theories[row].name);
             i++)
            tcase_add_loop_test(tests, each[i], row, row + 1);
    tcase_add_loop_test(tests, stiff_limit, 0, 5);
    return unit_run("method/conditions", tests);
}
