/* Units found from the entries of two matrices alone. */
#include "problem/pencil.h"

#include "base/unit.h"

#include <math.h>

enum { N = 4 };

typedef struct example {
    arena memory;
    double value[2][2 * N];
    pencil_values b, a;
    pencil_scales scales;
} example;

static const double equation[N] = {1e-6, 1, 3e8, 20}, variable[N] = {1e5, 1e-9, 1, 7}, rate = 1e12;

/* B has the diagonal, A that and the entries beside it. */
static void make(void *argument)
{
    example *x = argument;
    size_t row[2 * N], column[2 * N], where[2 * N];
    for (size_t k = 0; k < 2 * N; k++) {
        column[k] = k % N;
        row[k] = (column[k] + k / N) % N;
    }
    for (int which = 0; which < 2; which++) {
        size_t entries = which == 0 ? N : 2 * N;
        sparse_pattern *p = sparse_build(&x->memory, N, N, entries, row, column, where);
        for (size_t k = 0; k < entries; k++)
            x->value[which][where[k]] = (k % 3 ? 1 : -1) * (which ? rate : 1) * equation[row[k]] /
                                        variable[column[k]];
        *(which ? &x->a : &x->b) = (pencil_values){p, x->value[which]};
    }
    x->scales = pencil_scales_find(&x->memory, x->b, x->a);
}

/* To the factors' rounding to powers of 2. */
static void check_entries(pencil_values m, const pencil_scales *s, double factor, double size)
{
    for (size_t j = 0; j < N; j++) {
        for (sparse_index k = m.pattern->start[j]; k < m.pattern->start[j + 1]; k++) {
            double scaled = factor * s->row[m.pattern->row[k]] * fabs(m.value[k]) * s->column[j];
            ck_assert_double_ge(scaled, size / 2.1);
            ck_assert_double_le(scaled, size * 2.1);
        }
    }
}

START_TEST(units)
{
    example x = {.b = {0}};
    ck_assert_int_eq(arena_protect(&x.memory, make, &x), DAE_OK);
    ck_assert_double_eq_tol(x.scales.alpha / rate, 1, 1e-3);
    check_entries(x.b, &x.scales, x.scales.alpha, 1);
    check_entries(x.a, &x.scales, 1, 1);
    arena_free(&x.memory);
}
END_TEST

/* y' = z, z' = u, 0 = y: the matrix of alpha has entries alpha, 1 and 1, which columns in units of
 * 1, alpha and alpha^2 make alike. */
static void make_chain(void *argument)
{
    example *x = argument;
    const size_t of_b[] = {0, 1}, row[] = {0, 1, 2}, column[] = {1, 2, 0};
    size_t where[3];
    for (size_t k = 0; k < 3; k++) x->value[0][k] = x->value[1][k] = 1;
    x->b = (pencil_values){sparse_build(&x->memory, 3, 3, 2, of_b, of_b, where), x->value[0]};
    x->a = (pencil_values){sparse_build(&x->memory, 3, 3, 3, row, column, where), x->value[1]};
    x->scales = pencil_scales_find(&x->memory, x->b, x->a);
}

START_TEST(of_a_chain)
{
    example x = {.b = {0}};
    ck_assert_int_eq(arena_protect(&x.memory, make_chain, &x), DAE_OK);
    for (int power = 0; power <= 60; power += 20) {
        pencil_scales_at(&x.scales, ldexp(1, power));
        const double *unit = x.scales.column;
        ck_assert_double_eq(unit[1] / unit[0], ldexp(1, power));
        ck_assert_double_eq(unit[2] / unit[1], ldexp(1, power));
    }
    arena_free(&x.memory);
}
END_TEST

UNIT_MAIN("problem/pencil_scales", 30, units, of_a_chain)
