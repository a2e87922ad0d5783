/* Jacobians by coloured differences: as near to the derivatives as theory promises, in as many
 * evaluations as there are colours, and where a function has no value on one side. */
#include "nonlinear/differences.h"

#include "linalg/matrices.h"

#include <string.h>

enum { N = 30 };

typedef struct counted {
    size_t calls;
    dae_status answer; /* where there is no value */
    double limit;      /* there is none beyond 1 + limit, nor before 1 - below */
    double below;
} counted;

/* f_i = x_(i-1) x_i + exp(x_i) - 3 x_(i+1)^2 */
static dae_status chain(void *self, const double *x, double *f)
{
    ((counted *)self)->calls++;
    for (size_t i = 0; i < N; i++)
        f[i] = (i ? x[i - 1] * x[i] : 0) + exp(x[i]) - (i + 1 < N ? 3 * x[i + 1] * x[i + 1] : 0);
    return DAE_OK;
}

static double chain_slope(const double *x, size_t i, size_t j)
{
    if (j + 1 == i) return x[i];
    if (j == i) return (i ? x[i - 1] : 0) + exp(x[i]);
    return j == i + 1 ? -6 * x[j] : 0;
}

static sparse_pattern *three_diagonals(arena *a)
{
    size_t row[3 * N], column[3 * N], where[3 * N], entries = 0;
    for (size_t j = 0; j < N; j++)
        for (size_t i = j ? j - 1 : 0; i < N && i <= j + 1; i++)
            row[entries] = i, column[entries++] = j;
    return sparse_build(a, N, N, entries, row, column, where);
}

/* Forward differences with increments h: error h |f''| / 2 + 2 eps |f| / h; here |f''| <= 6, |f| <=
 * 8, and increments are 2^-26 max(|x|, 1), with |x| < 2. */
ARENA_TEST(near_the_derivatives)
{
    const double bound = 2 * (0x1p-25 * 6 / 2 + 2 * DBL_EPSILON * 20 / 0x1p-26);
    uint64_t state = 4;
    const sparse_pattern *p = three_diagonals(memory_);
    differences *d = differences_create(memory_, p);
    double *value = arena_array(memory_, p->nonzeros, sizeof *value), x[N], kept[N], here[N],
           nominal[N];
    for (size_t j = 0; j < N; j++) x[j] = kept[j] = 2 * scatter(&state), nominal[j] = 1;
    counted c = {0};
    const vector_function f = {chain, &c};
    chain(&c, x, here);
    c.calls = 0;
    ck_assert_int_eq(differences_jacobian(d, f, x, nominal, here, DIFFERENCES_FINE, value), DAE_OK);
    ck_assert_uint_eq(c.calls, 3);
    ck_assert_mem_eq(x, kept, sizeof x);
    for (size_t j = 0; j < N; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            ck_assert_double_eq_tol(value[k], chain_slope(x, (size_t)p->row[k], j), bound);
}

static dae_status wave(void *self, const double *x, double *f)
{
    (void)self;
    f[0] = sin(1e9 * x[0]);
    return DAE_OK;
}

/* What is small by nature moves by little: at nominal 1 the increment would be 15 waves. */
ARENA_TEST(increments_by_nominal_values)
{
    differences *d = differences_create(memory_, full_pattern(memory_, 1, 1));
    const double x = 1e-12, nominal = 1e-9, here = sin(1e9 * x);
    double value;
    const vector_function f = {wave, NULL};
    ck_assert_int_eq(differences_jacobian(d, f, &x, &nominal, &here, DIFFERENCES_FINE, &value),
                     DAE_OK);
    ck_assert_double_eq_tol(value / (1e9 * cos(1e9 * x)), 1, 1e-7);
}

/* f = x^2, (2 x, where there is a value) */
static dae_status limited(void *self, const double *x, double *f)
{
    counted *c = self;
    c->calls++;
    bool outside = x[0] > 1 + c->limit || x[0] < 1 - c->below;
    f[0] = x[0] * x[0];
    f[1] = outside ? (double)NAN : 2 * x[0];
    return outside ? c->answer : DAE_OK;
}

static dae_status at_the_limit(arena *a, counted *c, differences **d, double *value)
{
    *d = differences_create(a, full_pattern(a, 2, 1));
    const double x = 1, nominal = 1, here[2] = {1, 2};
    const vector_function f = {limited, c};
    return differences_jacobian(*d, f, &x, &nominal, here, DIFFERENCES_FINE, value);
}

ARENA_TEST(where_there_is_a_value_on_one_side)
{
    static const dae_status answers[] = {DAE_OK, DAE_NOT_EVALUABLE}; /* by NaN, by status */
    for (size_t k = 0; k < 2; k++) {
        static const counted cases[] = {{.below = 1}, {.limit = 1e-9, .below = 1e-9}};
        for (size_t i = 0; i < 2; i++) {
            counted c = cases[i];
            c.answer = answers[k];
            differences *d;
            double value[2];
            ck_assert_int_eq(at_the_limit(memory_, &c, &d, value), DAE_OK);
            ck_assert_uint_eq(c.calls,
                              i == 0 ? 2 : 3); /* backwards; and with a smaller increment */
            ck_assert_double_eq_tol(value[0], 2, 1e-5);
            ck_assert_double_eq_tol(value[1], 2, 1e-5);
        }
    }
}

ARENA_TEST(where_there_is_none)
{
    counted c = {.answer = DAE_OK};
    differences *d;
    double value[2];
    ck_assert_int_eq(at_the_limit(memory_, &c, &d, value), DAE_NOT_EVALUABLE);
    ck_assert_uint_eq(d->bad_row, 1);
    ck_assert_uint_eq(d->bad_column, 0);
    c = (counted){.answer = DAE_STOPPED};
    ck_assert_int_eq(at_the_limit(memory_, &c, &d, value), DAE_STOPPED);
    ck_assert_uint_eq(c.calls, 1); /* who asks to stop is not asked again */
}

UNIT_MAIN("nonlinear/differences", 20, near_the_derivatives, increments_by_nominal_values,
          where_there_is_a_value_on_one_side, where_there_is_none)
