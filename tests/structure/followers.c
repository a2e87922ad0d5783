/* Which unknowns nothing depends on, and that their equations are those that are taken aside. */
#include "structure/followers.h"

#include "model/reading.h"

#include <string.h>

typedef struct aside {
    reading r;
    const sym_system *leading;
} aside;

static void find(void *argument)
{
    aside *a = argument;
    a->leading = structure_without_followers(a->r.system);
}

/* The numbers of the equations, from 1, that are taken aside, as digits. */
static void taken_aside(const char *model, const char *expected)
{
    aside a = {0};
    char found[20] = "";
    read_right(&a.r, model);
    ck_assert_int_eq(arena_protect(&a.r.memory, find, &a), DAE_OK);
    const sym_system *from = a.r.system, *to = a.leading;
    ck_assert_uint_eq(to->equation.count, from->equation.count);
    for (size_t i = 0; i < from->equation.count; i++) {
        bool same = from->equation.item[i].lhs == to->equation.item[i].lhs &&
                    from->equation.item[i].rhs == to->equation.item[i].rhs;
        double number;
        if (same) continue;
        ck_assert(sym_is_number(to->graph, to->equation.item[i].rhs, &number) && number == 0);
        found[strlen(found)] = (char)('1' + i);
    }
    ck_assert_str_eq(found, expected);
    ck_assert(*found || to == from);
    close_reading(&a.r);
}

/* E and, once that is aside, p; the filter f although its equation holds it, too. */
START_TEST(integrals_and_what_serves_them_alone)
{
    taken_aside("model M Real v, i, p, E, f; equation der(v) = i; i = -v; p = v*i; der(E) = p;"
                " der(f) = v^2 - f; end M;",
                "345");
}
END_TEST

/* v, too, once w is aside. A multiple that varies may vanish, and then the equation says something
 * else; so does one that is not linear. */
START_TEST(only_by_a_constant_multiple)
{
    taken_aside("model M Real v, w; equation der(v) = -v; v*w = 1; end M;", "");
    taken_aside("model M Real v, w; equation der(v) = -v; w^3 = v; end M;", "");
    taken_aside("model M Real v, w; equation der(v) = -v; 2*w = v; end M;", "12");
}
END_TEST

/* w = der(v) is known one differentiation later than v, so it has a part in the index; der(w) =
 * der(v) is known as soon as der(v) is. */
START_TEST(a_derivative_raises_the_index)
{
    taken_aside("model M Real v, w; equation v = sin(time); w = der(v); end M;", "");
    taken_aside("model M Real v, w; equation v = sin(time); der(w) = der(v); end M;", "12");
}
END_TEST

/* What conditions of the start speak of, what is fixed by a value, or what has one equation but for
 * two, is not aside. */
START_TEST(others_stay)
{
    taken_aside("model M Real v, w; initial equation w = 1; equation der(v) = -v; w = 2*v + 1;"
                " end M;",
                "");
    taken_aside("model M Real v, w(start = 1, fixed = true); equation der(v) = -v; w = 2*v;"
                " end M;",
                "");
    taken_aside("model M Real v, w; equation der(v) = w; w = -v; end M;", "");
}
END_TEST

int unit_followers(void)
{
    const TTest *const tests[] = {integrals_and_what_serves_them_alone, only_by_a_constant_multiple,
                                  a_derivative_raises_the_index, others_stay};
    return unit_main("structure/followers", 20, 4, tests);
}
