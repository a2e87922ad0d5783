/* Methods and what follows from their numbers, for tests. */
#ifndef TESTS_METHOD_METHODS_H
#define TESTS_METHOD_METHODS_H

#include "method/properties.h"

#include "base/unit.h"

enum { NONE = METHOD_NO_ORDER };

static inline method *create(const char *name)
{
    method *made = NULL;
    message m = {0};
    dae_status status = method_create(&made, name, &m);
    ck_assert_msg(status == DAE_OK, "%s: %s", name, message_string(&m));
    return made;
}

/* What follows from its numbers, which a test may have changed: not what the build has tabulated of
 * its name. */
static inline method_properties properties_of(const method *m)
{
    method_properties found;
    ck_assert_int_eq(method_properties_compute(m, &found), DAE_OK);
    return found;
}

/* An order of 0, an error that stays as the steps shrink, is no convergence. */
static inline void check_orders(const char *name, int count, const int *found, const int *wanted)
{
    for (int k = 0; k < count; k++)
        ck_assert_msg(found[k] == (wanted[k] > 0 ? wanted[k] : NONE), "%s: %d instead of %d", name,
                      found[k], wanted[k]);
}

#endif
