/* Small problems M y' = f(t, y) with a diagonal M of ones and zeros, behind the seam of the problem
 * forms; factored by elimination. */
#ifndef TESTS_INTEGRATE_EXAMPLE_H
#define TESTS_INTEGRATE_EXAMPLE_H

#include "base/unit.h"
#include "integrate/engines.h"
#include "method/method.h"

#include <string.h>

enum { MOST = 3, SLOTS = 4 };

typedef struct example {
    problem problem;
    double mass[MOST];
    void (*right)(double t, const double *y, double *f);
    void (*slope)(double t, const double *y, double *j); /* rows contiguous */
    double jacobian[MOST * MOST];
    double complex matrix[SLOTS][MOST * MOST];
    bool is_complex[SLOTS];
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

static inline dae_status example_linearize(void *self, double t, const double *y, const double *yp)
{
    example *e = self;
    (void)yp;
    e->slope(t, y, e->jacobian);
    return DAE_OK;
}

static inline dae_status example_reserve(void *self, size_t slots, const bool *is_complex)
{
    example *e = self;
    ck_assert_uint_le(slots, SLOTS);
    memcpy(e->is_complex, is_complex, slots * sizeof *is_complex);
    return DAE_OK;
}

static inline dae_status example_factor(void *self, size_t slot, double complex alpha,
                                        double complex beta)
{
    example *e = self;
    size_t n = e->problem.n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            e->matrix[slot][i * n + j] = (i == j ? alpha * e->mass[i] : 0) -
                                         beta * e->jacobian[i * n + j];
    return DAE_OK;
}

/* Elimination with pivoting, once more for each right side. */
static inline void example_solve(void *self, size_t slot, void *b)
{
    example *e = self;
    size_t n = e->problem.n;
    double complex m[MOST * MOST], x[MOST];
    memcpy(m, e->matrix[slot], sizeof m);
    for (size_t i = 0; i < n; i++)
        x[i] = e->is_complex[slot] ? ((double complex *)b)[i] : ((double *)b)[i];
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (cabs(m[i * n + k]) > cabs(m[pivot * n + k])) pivot = i;
        for (size_t j = 0; j < n && pivot != k; j++) {
            double complex other = m[k * n + j];
            m[k * n + j] = m[pivot * n + j];
            m[pivot * n + j] = other;
        }
        double complex other = x[k];
        x[k] = x[pivot];
        x[pivot] = other;
        for (size_t i = k + 1; i < n; i++) {
            double complex factor = m[i * n + k] / m[k * n + k];
            for (size_t j = k; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) x[k] -= m[k * n + j] * x[j];
        x[k] /= m[k * n + k];
        if (e->is_complex[slot])
            ((double complex *)b)[k] = x[k];
        else
            ((double *)b)[k] = creal(x[k]);
    }
}

static inline void example_multiply(void *self, const double *v, double *r)
{
    const example *e = self;
    for (size_t i = 0; i < e->problem.n; i++) r[i] = e->mass[i] * v[i];
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
                                          .reserve = example_reserve,
                                          .factor = example_factor,
                                          .solve = example_solve,
                                          .multiply = example_multiply,
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
