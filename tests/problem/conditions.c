/* The condition of the iteration matrix F_y'/h + F_y as h falls. Unscaled it grows like h^-index;
 * with the columns scaled by powers of h by index, and rows by their largest entries as the linear
 * solver does, it stays (Petzold & Lotstedt 1986; Ascher & Petzold 1998, Sec. 10.1.4). Slopes of
 * log(condition) over log(h), fitted between h = 1e-2 and 1e-5. */
#include "problem/callbacks.h"

#include "base/unit.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 5 };

typedef struct pencil_case {
    size_t n, differential; /* the first variables are differential, E = diag(1, ..., 0, ...) */
    unsigned char index[MOST];
    double a[MOST * MOST]; /* E y' = A y, by columns */
} pencil_case;

static const pencil_case CASES[] = {
    /* index 1: x' = -x + z, 0 = x + 2 z */
    {.n = 2, .differential = 1, .index = {1, 1}, .a = {-1, 1, 1, 2}},
    /* index 2: x1' = x2 + z, x2' = -x1 + 2 z, 0 = x1 + x2 */
    {.n = 3, .differential = 2, .index = {1, 1, 2}, .a = {0, -1, 1, 1, 0, 1, 1, 2, 0}},
    /* index 3: q' = v, v' = -q + G' u, 0 = G q, G = (1, 2) */
    {.n = 5, .differential = 4, .index = {1, 1, 2, 2, 3}, .a = {0, 0, -1, 0, 1, 0, 0, 0, -1,
                                                                2, 1, 0,  0, 0, 0, 0, 1, 0,
                                                                0, 0, 0,  0, 1, 2, 0}},
};

/* 1-norm */
static double norm(size_t n, const double *m)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(m[j * n + i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static double condition(size_t n, const double *m, const double *inverse, const double *row,
                        const double *column)
{
    double scaled[MOST * MOST], back[MOST * MOST];
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            scaled[j * n + i] = row[i] * m[j * n + i] * column[j];
            back[j * n + i] = inverse[j * n + i] / (column[i] * row[j]);
        }
    }
    return norm(n, scaled) * norm(n, back);
}

/* The matrix of the case, and its inverse as the seam solves with it. */
static void assemble(const pencil_case *c, problem *p, double h, double *m, double *inverse)
{
    size_t n = c->n;
    for (size_t k = 0; k < n * n; k++) m[k] = -c->a[k];
    for (size_t i = 0; i < c->differential; i++) m[i * n + i] += 1 / h;
    ck_assert_int_eq(problem_factor(p, 0, 1 / h, 1), DAE_OK);
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t j = 0; j < n; j++) {
        inverse[j * n + j] = 1;
        problem_solve(p, 0, inverse + j * n);
    }
}

static void conditions_at(const pencil_case *c, problem *p, double h, double *plain, double *scaled)
{
    size_t n = c->n;
    double m[MOST * MOST], inverse[MOST * MOST], ones[MOST] = {0}, row[MOST] = {0},
                                                 column[MOST] = {0};
    assemble(c, p, h, m, inverse);
    for (size_t j = 0; j < n; j++) ones[j] = column[j] = 1;
    *plain = condition(n, m, inverse, ones, ones);
    ck_assert(problem_column_scales(p, 1 / h, 1, column) == (c->index[n - 1] > 1));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) row[i] = fmax(row[i], fabs(m[j * n + i] * column[j]));
    for (size_t i = 0; i < n; i++) row[i] = 1 / row[i];
    *scaled = condition(n, m, inverse, row, column);
}

START_TEST(growth_with_short_steps)
{
    const pencil_case *c = &CASES[_i];
    double e[MOST * MOST] = {0}, y[MOST] = {0}, plain[2], scaled[2];
    for (size_t i = 0; i < c->differential; i++) e[i * c->n + i] = 1;
    const dae_linear_form form = {.n = c->n, .e = e, .a = c->a, .about = {.index = c->index}};
    arena a = {0};
    message m = {0};
    const equations *equations_;
    callbacks *instance;
    const bool is_complex = false;
    ck_assert_int_eq(equations_create(&equations_, &a, EQUATIONS_LINEAR, &form, &m), DAE_OK);
    ck_assert_int_eq(callbacks_create(&instance, equations_, 0, NULL, &m), DAE_OK);
    problem *p = callbacks_problem(instance);
    ck_assert_int_eq(problem_reserve(p, 1, &is_complex), DAE_OK);
    ck_assert_int_eq(problem_linearize(p, 0, y, y), DAE_OK);
    conditions_at(c, p, 1e-2, &plain[0], &scaled[0]);
    conditions_at(c, p, 1e-5, &plain[1], &scaled[1]);
    double slope = log10(plain[1] / plain[0]) / 3, flat = log10(scaled[1] / scaled[0]) / 3;
    printf("condition on index %d: h^-%.2f, scaled h^-%.2f\n", _i + 1, slope, flat);
    ck_assert_double_eq_tol(slope, _i + 1, 0.1);
    ck_assert_double_lt(flat, 0.1);
    callbacks_free(instance);
    message_free(&m);
    arena_free(&a);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, growth_with_short_steps, 0, 3);
    return unit_run("problem/conditions", tests);
}
