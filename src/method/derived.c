#include "method/catalogue.h"

#include "method/conditions.h"

#include <string.h>

#define PROJECTED_PREFIX   "projected-"
#define STATE_SPACE_PREFIX "state-space-"

/* For names that the catalogue does not list. */
static const method_row projected = {
    .name = "projected",
    .aliases = "",
    .family = METHOD_PROJECTED,
    .parameters = "",
    .source = "Ascher & Petzold, SIAM J. Numer. Anal. 28 (1991) 1097",
};
static const method_row state_space = {
    .name = "state-space",
    .aliases = "",
    .family = METHOD_STATE_SPACE,
    .parameters = "",
    .source = "Hairer & Wanner II, Sec. VI.1",
};

const char *derived_prefix(method_family family)
{
    if (family == METHOD_PROJECTED) return PROJECTED_PREFIX;
    return family == METHOD_STATE_SPACE ? STATE_SPACE_PREFIX : NULL;
}

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

const method_row *derived_row(const char *name)
{
    if (begins(name, PROJECTED_PREFIX)) return &projected;
    return begins(name, STATE_SPACE_PREFIX) ? &state_space : NULL;
}

bool method_is_explicit(const method *m)
{
    for (int i = 0; i < m->stages; i++)
        for (int j = i; j < m->stages; j++)
            if (m->a[i][j] != 0) return false;
    return true;
}

bool method_is_regular(const method *given, int skip)
{
    int n = given->stages - skip;
    quad m[METHOD_MOST_STAGES][METHOD_MOST_STAGES], x[METHOD_MOST_STAGES] = {0}, largest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i][j] = given->a[i + skip][j + skip];
            largest = quad_max(largest, quad_abs(m[i][j]));
        }
    if (n == 0) return false;
    return quad_solve(n, METHOD_MOST_STAGES, &m[0][0], x) > method_tolerance(given) * largest;
}

/* Why the method gains nothing or is impossible; NULL: it is useful. */
static const char *obstacle(method_family family, const method *base)
{
    bool is_explicit = method_is_explicit(base);
    if (base->rosenbrock || base->order_levels || base->stages == 0 || base->base ||
        base->family == METHOD_HALF_EXPLICIT)
        return "such methods are made of Runge-Kutta methods of one order";
    if (!is_explicit && method_is_stiffly_accurate(base))
        return family == METHOD_PROJECTED
                   ? "its last stage is the end of the step and meets the constraints there: "
                     "projection gains nothing"
                   : "its last stage is the end of the step and meets the algebraic equations "
                     "there: the state-space form gains nothing";
    if (family == METHOD_PROJECTED && is_explicit)
        return "its stages are explicit and meet no constraint; hem3, hem4 and hedop5 are methods "
               "whose stages do";
    if (family == METHOD_PROJECTED && !method_is_regular(base, 0))
        return "its matrix is singular, and so its stages do not determine algebraic variables of "
               "index 2";
    return NULL;
}

/* Takes all numbers of the base. */
static void take_numbers(method *made)
{
    method numbers = *made->base;
    numbers.row = made->row;
    numbers.family = made->family;
    numbers.base = made->base;
    memcpy(numbers.name, made->name, sizeof made->name);
    *made = numbers;
}

dae_status derived_fill(method *made, message *m)
{
    const char *prefix = derived_prefix(made->family);
    dae_status status = method_create(&made->base, made->name + strlen(prefix), m);
    if (status != DAE_OK) return status;
    const char *wrong = obstacle(made->family, made->base);
    if (wrong)
        return message_fail(m, DAE_USAGE, "method \"%s\": of %s, %s", made->name, made->base->name,
                            wrong);
    const char *name = made->base->name; /* with its parameter, and by no alias */
    if (made->row == derived_row(made->name))
        memcpy(made->name + strlen(prefix), name, strlen(name) + 1);
    else
        memcpy(made->name, made->row->name, strlen(made->row->name) + 1);
    take_numbers(made);
    return DAE_OK;
}
