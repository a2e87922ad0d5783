/* Rows of multistep methods with constant steps, and equations of index 2, for the tests of their
 * engine. */
#ifndef TESTS_INTEGRATE_MULTISTEP_ROWS_H
#define TESTS_INTEGRATE_MULTISTEP_ROWS_H

#include "integrate/nonlinear.h"
#include "method/properties.h"

/* Rows of constant steps; NULL beyond the last. */
static inline const char *multistep_at(size_t *i)
{
    for (const method_row *row = method_row_at(*i); row; row = method_row_at(++*i)) {
        method *found;
        message m = {0};
        ck_assert_int_eq(method_create(&found, row->name, &m), DAE_OK);
        bool wanted = found->multistep && !found->multistep->variable;
        method_free(found);
        if (wanted) return ++*i, row->name;
    }
    return NULL;
}

static inline method_properties properties_of(const char *name)
{
    method *which;
    message m = {0};
    method_properties known;
    ck_assert_int_eq(method_create(&which, name, &m), DAE_OK);
    ck_assert_int_eq(method_properties_find(which, &known), DAE_OK);
    method_free(which);
    return known;
}

/* The highest index up to 2 on which algebraic variables converge; 0 for none. */
static inline int highest_index(const char *name)
{
    method_properties known = properties_of(name);
    return known.index2[1] != METHOD_NO_ORDER ? 2 : known.index1[1] != METHOD_NO_ORDER;
}

/* 0 = y_1^2 + y_2^2 - 1, of index 2; z enters along (y_1, y_2). */
static inline void circle(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -y[1] + y[0] * y[2] + y[1] * y[1];
    f[1] = y[0] + y[1] * y[2];
    f[2] = y[0] * y[0] + y[1] * y[1] - 1;
}

static inline void circle_slope(double t, const double *y, double *j)
{
    (void)t;
    const double entries[9] = {y[2], 2 * y[1] - 1, y[0], 1, y[2], y[1], 2 * y[0], 2 * y[1], 0};
    memcpy(j, entries, sizeof entries);
}

static const double on_circle[] = {0.6, 0.8, -0.6 * 0.64};

#endif
