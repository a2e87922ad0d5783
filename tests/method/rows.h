/* Rows of the catalogue for tests. */
#ifndef TESTS_METHOD_ROWS_H
#define TESTS_METHOD_ROWS_H

#include "base/unit.h"
#include "method/method.h"

#include <string.h>

static inline method *create(const char *name)
{
    message m = {0};
    method *made = NULL;
    ck_assert_msg(method_create(&made, name, &m) == DAE_OK, "%s: %s", name, message_string(&m));
    message_free(&m);
    return made;
}

static inline bool same_formulas(const method_multistep *a, const method_multistep *b)
{
    if (a->steps != b->steps || a->one_leg != b->one_leg || a->variable != b->variable)
        return false;
    for (int j = 0; j <= a->steps; j++)
        if ((double)a->alpha[j] != (double)b->alpha[j] ||
            (double)a->beta[j] != (double)b->beta[j] || (double)a->gamma[j] != (double)b->gamma[j])
            return false;
    return true;
}

static inline bool same_structure(const method_structural *a, const method_structural *b)
{
    const quad of_a[] = {a->alpha_m, a->alpha_f, a->beta, a->gamma, a->delta};
    const quad of_b[] = {b->alpha_m, b->alpha_f, b->beta, b->gamma, b->delta};
    for (int k = 0; k < 5; k++)
        if ((double)of_a[k] != (double)of_b[k]) return false;
    return true;
}

/* Of variable order or not, the same numbers, names and texts apart. */
static inline bool same_numbers(const method *a, const method *b)
{
    if (a->multistep && b->multistep) return same_formulas(a->multistep, b->multistep);
    if (a->multistep || b->multistep) return false;
    if (a->structural && b->structural) return same_structure(a->structural, b->structural);
    if (a->structural || b->structural) return false;
    if ((a->base || b->base) && a->family != b->family) return false;
    if (a->stages != b->stages || a->order_levels != b->order_levels) return false;
    for (int i = 0; i < a->stages; i++) {
        if ((double)a->b[i] != (double)b->b[i] || (double)a->c[i] != (double)b->c[i]) return false;
        for (int j = 0; j < a->stages; j++)
            if ((double)a->a[i][j] != (double)b->a[i][j] ||
                (double)a->constraint[i][j] != (double)b->constraint[i][j])
                return false;
    }
    return true;
}

#endif
