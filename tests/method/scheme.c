/* What the engine takes from each row of the catalogue: blocks of stages and their transformation,
 * the embedded formula with the additional node, dense output, each from its definition. What is
 * computed here sums at most 16 products of size below 1000 of coefficients correct to the rounding
 * of a double. */
#include "method/scheme.h"

#include "base/unit.h"
#include "method/conditions.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static const double complex IMAGINARY = (double complex)I;

typedef struct taken {
    method *which;
    scheme *scheme;
} taken;

static taken take(const char *name)
{
    message m = {0};
    taken t = {.scheme = calloc(1, sizeof(scheme))};
    ck_assert_msg(method_create(&t.which, name, &m) == DAE_OK, "%s", message_string(&m));
    ck_assert_msg(scheme_make(t.scheme, t.which) == DAE_OK, "%s", name);
    message_free(&m);
    return t;
}

static void drop(taken t)
{
    free(t.scheme);
    method_free(t.which);
}

static void with_every_row(void (*check)(const scheme *s, const char *name))
{
    size_t rows = 0;
    for (; method_row_at(rows); rows++) {
        const method_row *row = method_row_at(rows);
        if (row->family == METHOD_ROSENBROCK || row->family == METHOD_STRUCTURAL) continue;
        taken t = take(row->name);
        check(t.scheme, row->name);
        drop(t);
    }
    ck_assert_uint_gt(rows, 20);
}

static void blocks_are_solvable_in_order(const scheme *s, const char *name)
{
    int next = 0;
    for (int k = 0; k < s->blocks; k++) {
        const scheme_block *b = &s->block[k];
        ck_assert_msg(b->first == next, "%s", name);
        next += b->stages;
        for (int i = b->first; i < next; i++)
            for (int j = next; j < s->stages; j++) ck_assert_msg(s->a[i][j] == 0, "%s", name);
        ck_assert_msg(b->is_implicit == (b->stages > 1 || s->a[b->first][b->first] != 0), "%s",
                      name);
    }
    ck_assert_int_eq(next, s->stages);
}

START_TEST(blocks)
{
    with_every_row(blocks_are_solvable_in_order);
    taken radau = take("radau-iia3"), lobatto = take("lobatto-iiia4"),
          star = take("lobatto-iiicstar3");
    ck_assert_int_eq(radau.scheme->blocks, 1);
    ck_assert_int_eq(radau.scheme->slots, 2);
    ck_assert(!radau.scheme->needs_yp && !radau.scheme->carries_yp);
    ck_assert_int_eq(lobatto.scheme->blocks, 2);
    ck_assert(!lobatto.scheme->needs_yp && lobatto.scheme->carries_yp);
    ck_assert_int_eq(star.scheme->blocks, 3);
    ck_assert(star.scheme->needs_yp && star.scheme->is_implicit);
    drop(radau), drop(lobatto), drop(star);
}
END_TEST

/* The orders that a row says, or its family has, are those of its trees. */
static void orders_are_true(const scheme *s, const char *name)
{
    const method *m = s->method;
    tree_orders order;
    if (m->multistep) return;
    ck_assert_int_eq(trees_find(m, m->b, false, &order), DAE_OK);
    ck_assert_msg(order.ode == s->order, "%s", name);
    ck_assert_msg(method_holds(m, METHOD_C) == s->stage_order, "%s", name);
    if (s->estimate != SCHEME_EMBEDDED) return;
    ck_assert_int_eq(trees_find(m, m->b_hat[0], false, &order), DAE_OK);
    tree_orders other = order; /* (h^6)^2 over h^4 of dop853 */
    if (s->errors == 2) ck_assert_int_eq(trees_find(m, m->b_hat[1], false, &other), DAE_OK);
    ck_assert_msg(2 * order.ode - other.ode == s->estimate_order, "%s", name);
}

START_TEST(orders)
{
    with_every_row(orders_are_true);
}
END_TEST

static double norm_of(const scheme_block *b)
{
    double norm = 0;
    for (int i = 0; i < b->stages; i++)
        for (int j = 0; j < b->stages; j++) norm = fmax(norm, fabs(b->inverse[i][j]));
    return norm;
}

/* A A^-1 = 1, T T^-1 = 1, T diag(lambda) T^-1 = A^-1; eigenvalues and vectors carry the condition
 * of the eigenvectors, some hundreds. */
static void check_block(const scheme *s, const scheme_block *b, const char *name)
{
    double norm = norm_of(b);
    for (int i = 0; i < b->stages; i++) {
        for (int j = 0; j < b->stages; j++) {
            double product = 0, rebuilt = 0, identity = 0;
            for (int k = 0; k < b->stages; k++)
                product += s->a[b->first + i][b->first + k] * b->inverse[k][j];
            ck_assert_double_eq_tol(product, i == j, 20 * DBL_EPSILON * fmax(1, norm));
            for (int k = 0; k < b->parts; k++) {
                const scheme_part *p = &b->part[k];
                double complex from = b->from[i][p->row], into = b->into[p->row][j];
                if (p->is_complex) from -= IMAGINARY * b->from[i][p->row + 1];
                if (p->is_complex) into += IMAGINARY * b->into[p->row + 1][j];
                rebuilt += creal((p->re + IMAGINARY * p->im) * from * into);
                identity += creal(from * into);
            }
            ck_assert_msg(fabs(identity - (i == j)) < 2000 * DBL_EPSILON, "%s", name);
            ck_assert_msg(fabs(rebuilt - b->inverse[i][j]) < 2000 * DBL_EPSILON * norm, "%s", name);
        }
    }
}

static void check_transformation(const scheme *s, const char *name)
{
    for (int k = 0; k < s->blocks; k++) {
        const scheme_block *b = &s->block[k];
        int size = 0;
        for (int i = 0; i < b->parts; i++) {
            size += b->part[i].is_complex ? 2 : 1;
            ck_assert(b->part[i].slot >= 0 && b->part[i].slot < s->slots);
            ck_assert(s->slot_is_complex[b->part[i].slot] == b->part[i].is_complex);
        }
        ck_assert_int_eq(size, b->is_implicit ? b->stages : 0);
        if (b->is_implicit) check_block(s, b, name);
    }
}

START_TEST(transformation)
{
    with_every_row(check_transformation);
}
END_TEST

/* The embedded formula y1^ = y0 + h (f0/lambda + sum b^_i f_i), whose weights follow from the
 * conditions for x^(k-1), k = 1 ... s, with the node 0 of weight 1/lambda: the quadrature is exact
 * for degrees below s and for no more, so that the estimate is of order s. */
START_TEST(estimate_by_an_extra_node)
{
    static const char *const name[] = {"implicit-euler", "radau-iia3", "radau-iia5", "radau-iia7"};
    taken t = take(name[_i]);
    const scheme *s = t.scheme;
    double gamma = 1 / s->block[0].part[0].re;
    ck_assert_int_eq(s->estimate, SCHEME_EXTRA_NODE);
    ck_assert_int_eq(s->estimate_order, s->stages);
    /* y' = k x^(k-1), y = x^k, with z_i = c_i^k: the estimate gamma f0 + sum e_i z_i */
    for (int k = 1; k <= s->stages + 1; k++) {
        double estimate = k == 1 ? gamma : 0;
        for (int i = 0; i < s->stages; i++) estimate += s->error[0][i] * pow(s->c[i], k);
        if (k <= s->stages)
            ck_assert_double_eq_tol(estimate, 0, 500 * DBL_EPSILON);
        else
            ck_assert(fabs(estimate) > 1e-8);
    }
    drop(t);
}
END_TEST

/* y' = i y: the error of one step of y radians against its estimate, in doubles by the stages. */
static void one_oscillation(const scheme *s, double y, double *error, double *estimate)
{
    double complex slope[METHOD_MOST_STAGES] = {0}, end = 1, off = 0;
    for (int sweep = 0; sweep < 200; sweep++) { /* fixed point: |y A| < 1 for y <= 1/2 */
        for (int i = 0; i < s->stages; i++) {
            double complex stage = 1;
            for (int j = 0; j < s->stages; j++) stage += y * s->a[i][j] * slope[j];
            slope[i] = IMAGINARY * stage;
        }
    }
    for (int i = 0; i < s->stages; i++) {
        end += y * s->b[i] * slope[i];
        off += y * s->error[0][i] * slope[i];
    }
    *error = cabs(end - (cos(y) + IMAGINARY * sin(y)));
    *estimate = cabs(off);
}

static void check_estimate(const scheme *s, const char *name)
{
    double error, estimate, enlarged = 0;
    const method *m = s->method;
    if (s->estimate != SCHEME_EMBEDDED || s->errors == 2) return;
    for (int i = 0; i < s->stages; i++)
        if (m->b[i] != m->b_hat[0][i])
            enlarged = s->error[0][i] / (double)(m->b[i] - m->b_hat[0][i]);
    if (enlarged > 1) printf("%s: the estimate is enlarged by %.1f\n", name, enlarged);
    for (double y = 0.3; y < 0.55; y += 0.1) {
        one_oscillation(s, y, &error, &estimate);
        ck_assert_msg(estimate > 0.95 * error, "%s: %g, estimated %g", name, error, estimate);
    }
}

/* Nowhere between are errors of undamped oscillations larger than their estimates. */
START_TEST(estimates_are_no_smaller_than_errors)
{
    with_every_row(check_estimate);
}
END_TEST

static double weight(const scheme *s, int stage, double x)
{
    double sum = 0;
    for (int k = s->degree - 1; k >= 0; k--) sum = (sum + s->interpolant[k][stage]) * x;
    return sum;
}

/* It ends where the step ends, whatever the method. */
static void check_end(const scheme *s, const char *name)
{
    for (int i = 0; i < s->stages && s->degree > 0; i++)
        ck_assert_msg(fabs(weight(s, i, 1) - s->b[i]) < 1e-11, "%s: stage %d", name, i);
}

/* Of a collocation method it is the polynomial whose derivatives at the nodes are the stages'. */
static void check_collocation(const scheme *s, const char *name)
{
    if (s->method->family > METHOD_LOBATTO_IIIA || s->method->family < METHOD_GAUSS ||
        s->method->family == METHOD_RADAU_IA)
        return;
    ck_assert_msg(s->degree == s->stages, "%s", name);
    for (int j = 0; j < s->stages; j++)
        for (int i = 0; i < s->stages; i++) /* the integral of the Lagrange polynomial: a_ji */
            ck_assert_msg(fabs(weight(s, i, s->c[j]) - s->a[j][i]) < 1e-11, "%s", name);
    double finest = 0; /* max |x (x - c_1) ... (x - c_s)|, found on another grid */
    for (int k = 0; k <= 7777; k++) {
        double x = k / 7777.0, product = x;
        for (int i = 0; i < s->stages; i++) product *= x - s->c[i];
        finest = fmax(finest, fabs(product));
    }
    ck_assert_double_eq_tol(s->largest_node_product, finest, 1e-4 * finest);
}

START_TEST(dense_output)
{
    with_every_row(check_end);
    with_every_row(check_collocation);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, blocks);
    tcase_add_test(tests, transformation);
    tcase_add_test(tests, orders);
    tcase_add_loop_test(tests, estimate_by_an_extra_node, 0, 4);
    tcase_add_test(tests, estimates_are_no_smaller_than_errors);
    tcase_add_test(tests, dense_output);
    return unit_run("method/scheme", tests);
}
