/* Radau IIA with 1, 3, 5 and 7 stages: order conditions, stability, the transformation, the error
 * estimator and the dense output, each from its definition (Hairer & Wanner II, Sec. IV.5 and
 * IV.8). Coefficients are correct to the rounding of a double; what is computed from them here sums
 * at most 7 x 7 products of size below 100. */
#include "method/collocation_rows.h"

#include "base/unit.h"

#include <complex.h>
#include <string.h>

enum { MOST = COLLOCATION_MOST_STAGES };

static const int STAGES[] = {1, 3, 5, 7};

static collocation_row row_of(int stages)
{
    collocation_row row;
    ck_assert_int_eq(collocation_radau_iia(&row, stages), DAE_OK);
    ck_assert_int_eq(row.stages, stages);
    ck_assert_int_eq(row.order, 2 * stages - 1);
    return row;
}

static const double complex IMAGINARY = (double complex)I;

static double raised(double x, int k)
{
    double power = 1;
    while (k-- > 0) power *= x;
    return power;
}

START_TEST(order_conditions)
{
    collocation_row row = row_of(STAGES[_i]);
    int s = row.stages;
    for (int k = 1; k <= 2 * s - 1; k++) { /* B(2s-1) */
        double sum = 0;
        for (int i = 0; i < s; i++) sum += row.b[i] * raised(row.c[i], k - 1);
        ck_assert_double_eq_tol(sum, 1.0 / k, 20 * DBL_EPSILON);
    }
    double beyond = 0;
    for (int i = 0; i < s; i++) beyond += row.b[i] * raised(row.c[i], 2 * s - 1);
    ck_assert(fabs(beyond - 1 / (2.0 * s)) > 1e-10); /* and no further */
    for (int k = 1; k <= s; k++) {                   /* C(s) */
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++) sum += row.a[i][j] * raised(row.c[j], k - 1);
            ck_assert_double_eq_tol(sum, raised(row.c[i], k) / k, 20 * DBL_EPSILON);
        }
    }
    for (int k = 1; k <= s - 1; k++) { /* D(s-1) */
        for (int j = 0; j < s; j++) {
            double sum = 0;
            for (int i = 0; i < s; i++) sum += row.b[i] * raised(row.c[i], k - 1) * row.a[i][j];
            ck_assert_double_eq_tol(sum, row.b[j] * (1 - raised(row.c[j], k)) / k,
                                    20 * DBL_EPSILON);
        }
    }
}
END_TEST

START_TEST(stiffly_accurate)
{
    collocation_row row = row_of(STAGES[_i]);
    int s = row.stages;
    ck_assert(row.c[s - 1] == 1);
    for (int i = 0; i < s; i++) {
        ck_assert_double_eq_tol(row.a[s - 1][i], row.b[i], 4 * DBL_EPSILON);
        ck_assert(row.b[i] > 0);
        ck_assert(row.c[i] > (i > 0 ? row.c[i - 1] : 0));
    }
}
END_TEST

START_TEST(printed_coefficients) /* Hairer & Wanner II, Table IV.5.6 */
{
    collocation_row row = row_of(3);
    double r = sqrt(6);
    const double a[3][3] = {
        {(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
        {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
        {(16 - r) / 36, (16 + r) / 36, 1 / 9.0},
    };
    ck_assert_double_eq_tol(row.c[0], (4 - r) / 10, 2 * DBL_EPSILON);
    ck_assert_double_eq_tol(row.c[1], (4 + r) / 10, 2 * DBL_EPSILON);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) ck_assert_double_eq_tol(row.a[i][j], a[i][j], 4 * DBL_EPSILON);
}
END_TEST

/* x of (I - z A) x = right, by elimination with pivoting. */
static void solve_stages(const collocation_row *row, double complex z, const double complex *right,
                         double complex *x)
{
    int s = row->stages;
    double complex m[MOST][MOST];
    for (int i = 0; i < s; i++) {
        x[i] = right[i];
        for (int j = 0; j < s; j++) m[i][j] = (i == j) - z * row->a[i][j];
    }
    for (int k = 0; k < s; k++) {
        int pivot = k;
        for (int i = k + 1; i < s; i++)
            if (cabs(m[i][k]) > cabs(m[pivot][k])) pivot = i;
        for (int j = 0; j < s; j++) {
            double complex other = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = other;
        }
        double complex other = x[k];
        x[k] = x[pivot];
        x[pivot] = other;
        for (int i = k + 1; i < s; i++) {
            double complex factor = m[i][k] / m[k][k];
            for (int j = k; j < s; j++) m[i][j] -= factor * m[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = s - 1; k >= 0; k--) {
        for (int j = k + 1; j < s; j++) x[k] -= m[k][j] * x[j];
        x[k] /= m[k][k];
    }
}

/* R(z) = 1 + z b' (I - z A)^-1 1 */
static double complex stability(const collocation_row *row, double complex z)
{
    double complex ones[MOST], x[MOST], sum = 1;
    for (int i = 0; i < row->stages; i++) ones[i] = 1;
    solve_stages(row, z, ones, x);
    for (int i = 0; i < row->stages; i++) sum += z * row->b[i] * x[i];
    return sum;
}

START_TEST(stability_function)
{
    collocation_row row = row_of(STAGES[_i]);
    /* the poles, the eigenvalues of A^-1, lie to the right, so |R| <= 1 on the axis is A-stability
     */
    for (int k = 0; k < row.blocks; k++) ck_assert(row.block[k].re > 0.9);
    for (double y = 1e-3; y < 1e6; y *= 1.05)
        ck_assert_msg(cabs(stability(&row, y * IMAGINARY)) <= 1 + 1e-13, "at %g i", y);
    /* R(z) of degrees s-1 over s vanishes like 1/z; b' A^-1 1 = 1 up to rounding, times |z| = 1e6
     */
    for (double z = 10; z < 1e7; z *= 10) {
        ck_assert(cabs(stability(&row, -z)) < 100 / z);
        ck_assert(cabs(stability(&row, z * IMAGINARY)) < 100 / z);
    }
    /* the Pade approximation to exp: error of order 2s */
    double small = 0.3, error = cabs(stability(&row, small) - exp(small));
    ck_assert(error < raised(small, 2 * row.stages) * 2 + 4 * DBL_EPSILON);
}
END_TEST

START_TEST(transformation)
{
    collocation_row row = row_of(STAGES[_i]);
    int s = row.stages, size = 0;
    for (int k = 0; k < row.blocks; k++) size += row.block[k].is_complex ? 2 : 1;
    ck_assert_int_eq(size, s);
    ck_assert(!row.block[0].is_complex);
    double norm = 0;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) norm = fmax(norm, fabs(row.inverse[i][j]));
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {
            double product = 0, rebuilt = 0, identity = 0;
            for (int k = 0; k < s; k++) product += row.a[i][k] * row.inverse[k][j];
            ck_assert_double_eq_tol(product, i == j, 20 * DBL_EPSILON * norm);
            for (int k = 0; k < row.blocks; k++) { /* T diag(lambda) T^-1, and T T^-1 */
                const collocation_block *b = &row.block[k];
                double complex from = b->from_re[i] + IMAGINARY * b->from_im[i];
                double complex into = b->into_re[j] + IMAGINARY * b->into_im[j];
                double times = b->is_complex ? 2 : 1;
                rebuilt += times * creal((b->re + IMAGINARY * b->im) * from * into);
                identity += times * creal(from * into);
            }
            /* eigenvalues and vectors carry the condition of the eigenvectors, some hundreds */
            ck_assert_double_eq_tol(identity, i == j, 2000 * DBL_EPSILON);
            ck_assert_double_eq_tol(rebuilt, row.inverse[i][j], 2000 * DBL_EPSILON * norm);
        }
    }
}
END_TEST

/* The embedded formula y1^ = y0 + h (f0/lambda + sum b^_i f_i), whose weights follow from the
 * conditions for x^(k-1), k = 1 ... s, with the node 0 of weight 1/lambda: the quadrature is exact
 * for degrees below s and for no more, so that the estimate is of order s. */
START_TEST(error_estimator)
{
    collocation_row row = row_of(STAGES[_i]);
    int s = row.stages;
    double gamma = 1 / row.block[0].re;
    ck_assert(row.has_error);
    ck_assert_int_eq(row.error_order, s);
    /* y' = k x^(k-1), y = x^k, with z_i = c_i^k: the estimate gamma f0 + sum e_i z_i */
    for (int k = 1; k <= s + 1; k++) {
        double estimate = k == 1 ? gamma : 0;
        for (int i = 0; i < s; i++) estimate += row.error[i] * raised(row.c[i], k);
        if (k <= s)
            ck_assert_double_eq_tol(estimate, 0, 500 * DBL_EPSILON);
        else
            ck_assert(fabs(estimate) > 1e-8);
    }
}
END_TEST

START_TEST(dense_output_polynomial)
{
    collocation_row row = row_of(STAGES[_i]);
    int s = row.stages;
    double largest = 0;
    for (int m = 0; m < s; m++)
        for (int i = 0; i < s; i++) largest = fmax(largest, fabs(row.polynomial[m][i]));
    for (int power = 1; power <= s; power++) { /* reproduces x^power */
        for (int m = 0; m < s; m++) {
            double coefficient = 0;
            for (int i = 0; i < s; i++)
                coefficient += row.polynomial[m][i] * raised(row.c[i], power);
            ck_assert_double_eq_tol(coefficient, m + 1 == power, 8 * s * DBL_EPSILON * largest);
        }
    }
    double finest = 0; /* max |x (x - c_1) ... (x - c_s)|, found on another grid */
    for (int k = 0; k <= 7777; k++) {
        double x = k / 7777.0, product = x;
        for (int i = 0; i < s; i++) product *= x - row.c[i];
        finest = fmax(finest, fabs(product));
    }
    ck_assert_double_eq_tol(row.largest_node_product, finest, 1e-4 * finest);
}
END_TEST

START_TEST(other_numbers_of_stages)
{
    collocation_row row;
    const int wrong[] = {-1, 0, 2, 4, 6, 8, 9};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_eq(collocation_radau_iia(&row, wrong[i]), DAE_USAGE);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    const TTest *const each[] = {order_conditions, stiffly_accurate, stability_function,
                                 transformation,   error_estimator,  dense_output_polynomial};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        tcase_add_loop_test(tests, each[i], 0, 4);
    tcase_add_test(tests, printed_coefficients);
    tcase_add_test(tests, other_numbers_of_stages);
    return unit_run("method/collocation_rows", tests);
}
