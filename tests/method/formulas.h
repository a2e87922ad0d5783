/* Multistep rows and formulas, for tests. */
#ifndef TESTS_METHOD_FORMULAS_H
#define TESTS_METHOD_FORMULAS_H

#include "method/methods.h"
#include "method/multistep.h"
#include "method/tableau.h"

static inline method_properties properties(const char *name)
{
    method *m = create(name);
    method_properties found = properties_of(m);
    method_free(m);
    return found;
}

static inline method_multistep formula(const char *lines)
{
    method_multistep f = {0};
    definitions names = {0};
    ck_assert_ptr_null(formula_read(&f, lines, &names));
    return f;
}

static inline void every_formula(void (*check)(method *m))
{
    int rows = 0;
    for (size_t i = 0; method_row_at(i); i++) {
        if (!method_row_at(i)->formula) continue;
        method *m = create(method_row_at(i)->name);
        check(m);
        method_free(m);
        rows++;
    }
    ck_assert_int_ge(rows, 30);
}

#endif
