/* The published numbers of Rosenbrock methods against what they were made to satisfy: the order
 * conditions of ODEs and of DAEs of index 1, for the method, its embedded one and its dense output.
 * Digits end at 1e-16, so a condition holds up to 1e-14 of the sum of its terms. */
#include "method/catalogue.h"

#include "base/unit.h"

#include <stdlib.h>

static const double EXACT = 1e-14;

enum { MOST_TREES = 2000, MOST_ORDER = 5 };

/* A tree of the DAE y' = f(y, z), 0 = g(y, z). Meagre vertices stand for derivatives of f, fat ones
 * for derivatives of g; the order counts the meagre ones (Roche, Numer. Math. 52 (1988) 45; Hairer
 * & Wanner II, Sec. VI.4). Trees without fat vertices are those of y' = f(y). */
typedef struct tree {
    bool fat, pure; /* its root; no fat vertex at all */
    int order;
    quad density;                  /* gamma(t) */
    quad phi[METHOD_MOST_STAGES];  /* Phi_i(t) */
    quad size[METHOD_MOST_STAGES]; /* the same of the terms' absolute values */
} tree;

typedef struct forest {
    const method *method;
    quad inverse[METHOD_MOST_STAGES][METHOD_MOST_STAGES]; /* of (alpha_ij + gamma_ij) */
    size_t count;
    tree tree[MOST_TREES];
} forest;

/* y = m x, and with absolute values. */
static void times(int s, const quad *m, const quad *x, const quad *size, quad *y, quad *y_size)
{
    for (int i = 0; i < s; i++) {
        y[i] = y_size[i] = 0;
        for (int j = 0; j < s; j++) {
            y[i] += m[i * METHOD_MOST_STAGES + j] * x[j];
            y_size[i] += quad_abs(m[i * METHOD_MOST_STAGES + j]) * size[j];
        }
    }
}

/* A root with these children. One child of a meagre root enters through alpha + gamma, several
 * through alpha; those of a fat root through alpha, and then the inverse of alpha + gamma. A fat
 * root with one child would be its child again. */
static void plant(forest *f, bool fat, int children, const size_t *child)
{
    const method *m = f->method;
    int s = m->stages;
    ck_assert_uint_lt(f->count, MOST_TREES);
    tree t = {.fat = fat, .pure = !fat, .order = !fat, .density = 1};
    quad part[METHOD_MOST_STAGES], size[METHOD_MOST_STAGES];
    for (int i = 0; i < s; i++) t.phi[i] = t.size[i] = 1;
    for (int k = 0; k < children; k++) {
        const tree *own = &f->tree[child[k]];
        times(s, children == 1 ? m->a[0] : m->rosenbrock->alpha[0], own->phi, own->size, part,
              size);
        for (int i = 0; i < s; i++) t.phi[i] *= part[i], t.size[i] *= size[i];
        t.order += own->order;
        t.density *= own->density;
        t.pure = t.pure && own->pure;
    }
    if (fat) {
        memcpy(part, t.phi, sizeof part);
        memcpy(size, t.size, sizeof size);
        times(s, f->inverse[0], part, size, t.phi, t.size);
    } else {
        t.density *= t.order;
    }
    f->tree[f->count++] = t;
}

/* All multisets of children with orders that sum to `left`, in ascending places from `first`. */
static void choose(forest *f, bool fat, int left, size_t first, size_t limit, int children,
                   size_t *child)
{
    if (left == 0 && (!fat || children > 1)) plant(f, fat, children, child);
    for (size_t k = first; left > 0 && k < limit; k++) {
        if (f->tree[k].order > left) continue;
        child[children] = k;
        choose(f, fat, left - f->tree[k].order, k, limit, children + 1, child);
    }
}

static void grow(forest *f, const method *m)
{
    size_t child[MOST_ORDER + 1];
    f->method = m;
    f->count = 0;
    for (int k = 0; k < m->stages; k++) {
        quad a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], unit[METHOD_MOST_STAGES] = {0};
        memcpy(a, m->a, sizeof a);
        unit[k] = 1;
        ck_assert(quad_solve(m->stages, METHOD_MOST_STAGES, a[0], unit) > 0);
        for (int i = 0; i < m->stages; i++) f->inverse[i][k] = unit[i];
    }
    for (int order = 1; order <= MOST_ORDER; order++) {
        choose(f, false, order - 1, 0, f->count, 0, child);
        choose(f, true, order, 0, f->count, 0, child);
    }
}

/* Weights, and the sums of the absolute values of what they were made of. */
typedef struct weights {
    quad value[METHOD_MOST_STAGES], size[METHOD_MOST_STAGES];
} weights;

/* How far sum_i weight_i Phi_i(t) is from x^order / gamma(t), relative to its terms. */
static double defect(const tree *t, int s, const weights *w, quad x)
{
    quad sum = -quad_power(x, t->order) / t->density, size = quad_abs(sum);
    for (int i = 0; i < s; i++) {
        sum += w->value[i] * t->phi[i];
        size += w->size[i] * t->size[i];
    }
    return (double)(quad_abs(sum) / size);
}

typedef enum kind { PURE, DIFFERENTIAL, ALGEBRAIC } kind; /* trees of ODEs; of y; of z */

/* The order to which the conditions of one kind hold. */
static int order_of(const forest *f, kind which, const weights *w, quad x)
{
    int order = MOST_ORDER;
    for (size_t k = 0; k < f->count; k++) {
        const tree *t = &f->tree[k];
        bool counts = which == PURE ? t->pure : t->fat == (which == ALGEBRAIC);
        if (counts && t->order <= order && defect(t, f->method->stages, w, x) > EXACT)
            order = t->order - 1;
    }
    return order;
}

/* Orders: of the method on ODEs, of the embedded one; of the conditions of index 1 for y, and for
 * z. Those of z to order p - 1 are enough for order p in z, since z has no memory (Hairer & Wanner
 * II, Theorem VI.4.4). Then of the dense output. */
typedef struct promise {
    const char *name;
    int order, embedded, differential, algebraic, dense;
} promise;

static const promise PROMISE[] = {
    {"rodas4", 4, 3, 4, 4, 3},
    {"rodasp", 4, 3, 4, 4, 3},
    {"rodas5p", 5, 4, 5, 4, 4},
};

enum { METHODS = sizeof PROMISE / sizeof *PROMISE };

static void take(method *m, method_row *row, const char *name)
{
    *row = (method_row){.name = name, .family = METHOD_ROSENBROCK};
    *m = (method){.row = row};
    ck_assert_int_eq(method_fill_rosenbrock(m), DAE_OK);
    ck_assert(m->decimals);
    ck_assert_int_eq(m->estimators, 1);
}

static weights of(const method *m, const quad *b)
{
    weights w;
    for (int i = 0; i < m->stages; i++) w.value[i] = b[i], w.size[i] = quad_abs(b[i]);
    return w;
}

START_TEST(order_conditions)
{
    const promise *p = &PROMISE[_i];
    method m;
    method_row row;
    forest *f = malloc(sizeof *f);
    take(&m, &row, p->name);
    grow(f, &m);
    weights b = of(&m, m.b), b_hat = of(&m, m.b_hat[0]);
    ck_assert_int_eq(order_of(f, PURE, &b, 1), p->order);
    ck_assert_int_eq(order_of(f, PURE, &b_hat, 1), p->embedded);
    ck_assert_int_eq(order_of(f, DIFFERENTIAL, &b, 1), p->differential);
    ck_assert_int_eq(order_of(f, ALGEBRAIC, &b, 1), p->algebraic);
    ck_assert_int_eq(order_of(f, DIFFERENTIAL, &b_hat, 1), p->embedded);
    ck_assert_int_ge(order_of(f, ALGEBRAIC, &b_hat, 1), p->embedded - 1);
    free(m.rosenbrock);
    free(f);
}
END_TEST

/* b_i(x): what the published polynomial makes of U = h Gamma K. */
static void weights_within(const method *m, quad x, weights *w)
{
    const method_rosenbrock *r = m->rosenbrock;
    for (int j = 0; j < m->stages; j++) {
        w->value[j] = x * m->b[j];
        w->size[j] = quad_abs(w->value[j]);
        for (int i = j; i < m->stages; i++) {
            for (int k = 0; k < r->dense_rows; k++) {
                quad part = x * (1 - x) * quad_power(x, k) * r->dense[k][i] * r->gamma_matrix[i][j];
                w->value[j] += part;
                w->size[j] += quad_abs(part);
            }
        }
    }
}

START_TEST(dense_output)
{
    const promise *p = &PROMISE[_i];
    method m;
    method_row row;
    forest *f = malloc(sizeof *f);
    weights w;
    take(&m, &row, p->name);
    grow(f, &m);
    for (quad x = (quad)0.125; x < 1; x += (quad)0.125) {
        weights_within(&m, x, &w);
        ck_assert_int_eq(order_of(f, PURE, &w, x), p->dense);
        ck_assert_int_eq(order_of(f, DIFFERENTIAL, &w, x), p->dense);
        ck_assert_int_ge(order_of(f, ALGEBRAIC, &w, x), p->dense - 1);
    }
    free(m.rosenbrock);
    free(f);
}
END_TEST

static void close_to(quad found, quad wanted, quad size)
{
    ck_assert_double_le((double)quad_abs(found - wanted), EXACT * (double)size);
}

/* The published sums are the sums; the last stage is the end of the step, a_si = b_i, and the one
 * before it that of the embedded method, so that both are stiffly accurate and R(infinity) = 0. */
START_TEST(sums_and_ends)
{
    method m;
    method_row row;
    take(&m, &row, PROMISE[_i].name);
    const method_rosenbrock *r = m.rosenbrock;
    int s = m.stages;
    for (int i = 0; i < s; i++) {
        quad alpha = 0, alpha_size = 0, gamma = 0, gamma_size = 0;
        for (int j = 0; j <= i; j++) {
            alpha += r->alpha[i][j], alpha_size += quad_abs(r->alpha[i][j]);
            gamma += r->gamma_matrix[i][j], gamma_size += quad_abs(r->gamma_matrix[i][j]);
        }
        close_to(alpha, r->alpha_sum[i], alpha_size);
        close_to(gamma, r->gamma_sum[i], gamma_size);
        close_to(m.a[s - 1][i], m.b[i], quad_abs(m.b[i]) + 1);
        close_to(m.a[s - 2][i], m.b_hat[0][i], quad_abs(m.b[i]) + 1);
    }
    quad a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], x[METHOD_MOST_STAGES], end = 1, size = 1;
    memcpy(a, m.a, sizeof a);
    for (int i = 0; i < s; i++) x[i] = 1;
    quad_solve(s, METHOD_MOST_STAGES, a[0], x); /* R(infinity) = 1 - b A^-1 1 */
    for (int i = 0; i < s; i++) end -= m.b[i] * x[i], size += quad_abs(m.b[i] * x[i]);
    close_to(end, 0, size);
    free(m.rosenbrock);
}
END_TEST

/* The conditions see a slip in any number: 1e-6 of it lowers the order. */
START_TEST(slips_are_seen)
{
    const promise *p = &PROMISE[_i];
    method m;
    method_row row;
    forest *f = malloc(sizeof *f);
    take(&m, &row, p->name);
    weights b = of(&m, m.b);
    for (int i = 0; i < m.stages; i++) {
        for (int j = 0; j <= i; j++) {
            quad kept = m.a[i][j];
            m.a[i][j] += (quad)1e-6;
            grow(f, &m);
            int order = order_of(f, DIFFERENTIAL, &b, 1), end = order_of(f, ALGEBRAIC, &b, 1);
            ck_assert_msg(order < p->order || end < p->algebraic, "%s: %d, %d", p->name, i + 1,
                          j + 1);
            m.a[i][j] = kept;
        }
    }
    free(m.rosenbrock);
    free(f);
}
END_TEST

START_TEST(unknown_names)
{
    method_row row = {.name = "rodas6", .family = METHOD_ROSENBROCK};
    method m = {.row = &row};
    ck_assert_int_eq(method_fill_rosenbrock(&m), DAE_USAGE);
    ck_assert(m.rosenbrock == NULL);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, order_conditions, 0, METHODS);
    tcase_add_loop_test(tests, dense_output, 0, METHODS);
    tcase_add_loop_test(tests, sums_and_ends, 0, METHODS);
    tcase_add_loop_test(tests, slips_are_seen, 0, METHODS);
    tcase_add_test(tests, unknown_names);
    return unit_run("method/rosenbrock_rows", tests);
}
