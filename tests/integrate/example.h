/* Small problems M y' = f(t, y) with a diagonal M of ones and zeros, behind the seam of the problem
 * forms. */
#ifndef TESTS_INTEGRATE_EXAMPLE_H
#define TESTS_INTEGRATE_EXAMPLE_H

#include "base/unit.h"
#include "integrate/engines.h"
#include "method/method.h"

#include <string.h>

enum { MOST = 3 };

/* All entries of a matrix, or those on the diagonal, by columns. */
typedef struct example_pattern {
    sparse_index start[MOST + 1], row[MOST * MOST];
    sparse_pattern pattern;
} example_pattern;

static inline const sparse_pattern *example_pattern_of(example_pattern *p, size_t n, bool full)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            if (full || i == j) p->row[count++] = (sparse_index)i;
        p->start[j + 1] = (sparse_index)count;
    }
    p->pattern = (sparse_pattern){
        .rows = n, .columns = n, .nonzeros = count, .start = p->start, .row = p->row};
    return &p->pattern;
}

typedef struct example {
    problem problem;
    double mass[MOST];
    void (*right)(double t, const double *y, double *f);
    void (*slope)(double t, const double *y, double *j); /* rows contiguous */
    double jacobian[MOST * MOST];
    example_pattern diagonal, full;
    double by_y[MOST * MOST]; /* -jacobian, by columns */
    method *which;
    unsigned char index[MOST];
    bool dynamic[MOST];
    double until; /* beyond this time there are no values */
} example;

static inline dae_status example_residual(void *self, double t, const double *y, const double *yp,
                                          double *r)
{
    const example *e = self;
    e->right(t, y, r);
    for (size_t i = 0; i < e->problem.n; i++)
        r[i] = t > e->until ? (double)NAN : e->mass[i] * yp[i] - r[i];
    return DAE_OK;
}

/* dF/dy from e->jacobian */
static inline void example_take_jacobian(example *e)
{
    size_t n = e->problem.n;
    for (size_t k = 0; k < n * n; k++) e->by_y[k] = -e->jacobian[k % n * n + k / n];
}

static inline dae_status example_linearize(void *self, double t, const double *y, const double *yp)
{
    example *e = self;
    (void)yp;
    e->slope(t, y, e->jacobian);
    example_take_jacobian(e);
    return DAE_OK;
}

static inline void example_name(void *self, size_t j, text *t)
{
    (void)self;
    text_format(t, "y%zu", j + 1);
}

static inline bool example_occurs(const void *self, size_t i, size_t j)
{
    const example *e = self;
    return e->jacobian[i * e->problem.n + j] != 0 || (i == j && e->mass[i] != 0);
}

static inline void example_mark_rows(const void *self, size_t j, bool *row)
{
    for (size_t i = 0; i < ((const example *)self)->problem.n; i++)
        row[i] = row[i] || example_occurs(self, i, j);
}

static const problem_form example_form = {.name = "mass",
                                          .residual = example_residual,
                                          .linearize = example_linearize,
                                          .name_variable = example_name,
                                          .name_equation = example_name,
                                          .occurs = example_occurs,
                                          .mark_rows = example_mark_rows};

/* The first `dynamic` unknowns are differentiated. */
static inline void begin(example *e, size_t n, size_t dynamic,
                         void (*right)(double, const double *, double *),
                         void (*slope)(double, const double *, double *))
{
    static const double nominal[MOST] = {1, 1, 1};
    *e = (example){.right = right, .slope = slope, .until = HUGE_VAL};
    for (size_t i = 0; i < n; i++) {
        e->dynamic[i] = i < dynamic;
        e->mass[i] = i < dynamic;
        e->index[i] = 1;
    }
    e->problem = (problem){.form = &example_form,
                           .self = e,
                           .n = n,
                           .by_yp = {example_pattern_of(&e->diagonal, n, false), e->mass, NULL},
                           .by_y = {example_pattern_of(&e->full, n, true), e->by_y, NULL},
                           .nominal = nominal,
                           .dynamic = e->dynamic,
                           .index = e->index};
}

/* An engine for it with that method, which stays with the example until dispose(). */
static inline engine *engine_for(example *e, const char *name, engine_options options)
{
    engine *created = NULL;
    message m = {0};
    if (options.direction == 0) options.direction = 1;
    if (options.rtol == 0) options.rtol = options.atol = 1e-6;
    ck_assert_int_eq(method_create(&e->which, name, &m), DAE_OK);
    ck_assert_int_eq(engine_create(&created, &e->problem, e->which, &options, &m), DAE_OK);
    message_free(&m);
    return created;
}

static inline void dispose(example *e, engine *g)
{
    engine_free(g);
    problem_factors_free(&e->problem);
    method_free(e->which);
}

/* y' = y^2, solved by 1 / (1 - t) */
static inline void square(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[0] * y[0];
}

static inline void square_slope(double t, const double *y, double *j)
{
    (void)t;
    j[0] = 2 * y[0];
}

#endif
