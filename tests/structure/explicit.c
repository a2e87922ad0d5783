/* Which variables are taken out of the equations, and that nothing else changes: along any curve
 * the remaining residuals are those of the equations as written. */
#include "structure/explicit.h"

#include "model/reading.h"
#include "structure/signature.h"
#include "symbolic/derive.h"

#include <stdio.h>

typedef struct core {
    reading r;
    explicit_core *core;
    explicit_extent extent;
} core;

static void find(void *argument)
{
    core *c = argument;
    c->core = structure_explicit(c->r.system, c->extent);
}

static void begin_to(core *c, const char *model, explicit_extent extent)
{
    *c = (core){.extent = extent};
    read_right(&c->r, model);
    ck_assert_int_eq(arena_protect(&c->r.memory, find, c), DAE_OK);
}

static void begin(core *c, const char *model)
{
    begin_to(c, model, EXPLICIT_LITTLE_FILL);
}

static bool stays(const core *c, const char *name)
{
    const sym_unknown *first = c->r.system->unknown.item;
    return c->core->column_of[unknown_called(&c->r, name) - first] != INCIDENCE_NONE;
}

START_TEST(velocities_are_derivatives)
{
    core c;
    begin(&c, "model M Real x, y, u, v, l; equation der(x) = u; der(y) = v; der(u) = -x*l;"
              " der(v) = -y*l - 9.81; x^2 + y^2 = 1; end M;");
    ck_assert_uint_eq(c.core->n, 3);
    ck_assert(stays(&c, "x") && stays(&c, "y") && stays(&c, "l"));
    ck_assert(!stays(&c, "u") && !stays(&c, "v"));
    ck_assert_uint_eq(c.core->given_by[2], 0);
    ck_assert_uint_eq(c.core->given_by[3], 1);
    close_reading(&c.r);
}
END_TEST

START_TEST(definitions_cost_nothing)
{
    core c;
    begin(&c, "model M Real x, a, b; equation der(x) = a; a = -2*b; b = x^2; end M;");
    ck_assert_uint_eq(c.core->n, 1);
    ck_assert(stays(&c, "x"));
    close_reading(&c.r);
}
END_TEST

/* 0 = if c then a - y else ... is y = if c then a else ...: across the change of pieces the first
 * jumps. Conditions on y, and pieces that are not linear in it, leave it as it is. */
START_TEST(pieces_are_solved)
{
    static const char *const solved[] = {"0 = if time > 0.5 then y - 2 else y + 1;",
                                         "(if time > 1 then 2*x - 3*y elseif x > 1 then y + x "
                                         "else y - 1) = 0;"};
    static const char *const kept[] = {"0 = if time > 0.5 then y - 2 else y^3 + 1;",
                                       "0 = if y > 0.5 then y - 2 else y + 1;",
                                       "0 = if time > 0.5 then y - 2 else x*y + 1;",
                                       "0 = if time > 0.5 then y - 2 else y + noEvent(floor(y));"};
    char model[200];
    for (size_t k = 0; k < 6; k++) {
        core c;
        snprintf(model, sizeof model, "model M Real x, y; equation der(x) = -x; %s end M;",
                 k < 2 ? solved[k] : kept[k - 2]);
        begin(&c, model);
        ck_assert_msg(stays(&c, "y") == (k >= 2), "%s", model);
        close_reading(&c.r);
    }
}
END_TEST

START_TEST(circles_are_not_definitions)
{
    core c;
    begin(&c, "model M Real a, b; equation a = sin(b) + time; b = cos(a); end M;");
    ck_assert_uint_eq(c.core->n, 1);
    close_reading(&c.r);
    begin(&c, "model M Real a; equation a = cos(a); end M;");
    ck_assert_uint_eq(c.core->n, 1);
    close_reading(&c.r);
}
END_TEST

START_TEST(wanted_states_stay)
{
    core c;
    begin(&c, "model M Real x; Real y(stateSelect = StateSelect.always); equation der(x) = -x;"
              " y = 2*x; end M;");
    ck_assert(stays(&c, "y"));
    close_reading(&c.r);
    /* a constraint among differentiated variables goes, one that holds an algebraic one does not */
    begin(&c, "model M Real x, y, z; equation der(x) + der(y) = -x; y = 2*x; z = x; end M;");
    ck_assert(stays(&c, "x") && !stays(&c, "y") && !stays(&c, "z"));
    close_reading(&c.r);
    begin(&c, "model M Real x, y, z; equation der(x) = z; der(y) = -x; y = 2*z; end M;");
    ck_assert(stays(&c, "y"));
    close_reading(&c.r);
}
END_TEST

START_TEST(nothing_replaced)
{
    core c = {.extent = EXPLICIT_NONE};
    read_right(&c.r, "model M Real x, v; equation der(x) = v; der(v) = -x; end M;");
    ck_assert_int_eq(arena_protect(&c.r.memory, find, &c), DAE_OK);
    ck_assert_uint_eq(c.core->n, 2);
    ck_assert_uint_eq(c.core->unknown[1], 1);
    close_reading(&c.r);
}
END_TEST

/* A variable that occurs in many equations with many variables in its definition: kept. */
START_TEST(fill_is_bounded)
{
    core c;
    begin(&c, "model M Real s, x[20]; equation s = sum(x);"
              " for i in 1:20 loop der(x[i]) = s - x[i]; end for; end M;");
    ck_assert(stays(&c, "s"));
    ck_assert_uint_eq(c.core->n, 21);
    close_reading(&c.r);
}
END_TEST

static size_t variables_in(const core *c)
{
    size_t all = 0;
    for (size_t i = 0; i < c->core->n; i++) {
        const sym_leaf *leaf;
        all += sym_leaves(c->r.system->graph, c->core->residual[i], &leaf);
    }
    return all;
}

/* Small definitions of which each needs the next, in a chain or a ring, and each is used elsewhere
 * as well: none fills anything by itself, all of them together half a matrix of 400 columns. */
START_TEST(chains_do_not_multiply)
{
    static const char *const last[] = {"time", "sin(x[1]) + y[400]"};
    for (int ring = 0; ring < 2; ring++) {
        core c;
        char model[400];
        snprintf(model, sizeof model,
                 "model M Real x[400], y[400]; equation for i in 1:400 loop der(y[i]) = x[i]; end "
                 "for; for i in 1:399 loop x[i] = sin(x[i+1]) + y[i]; end for; x[400] = %s; end M;",
                 last[ring]);
        begin(&c, model);
        ck_assert_uint_le(c.core->n, 440); /* most are taken out all the same */
        ck_assert_uint_le(variables_in(&c), 15 * 440);
        close_reading(&c.r);
    }
}
END_TEST

/* Along a chain whose links are used once a definition may hold any number. */
START_TEST(chains_used_once_are_taken_out)
{
    core c;
    begin(&c, "model M Real x[50], y[50]; equation for i in 1:50 loop der(y[i]) = -y[i]; end for;"
              " for i in 1:49 loop x[i] = sin(x[i+1]) + y[i]; end for; x[50] = time; end M;");
    ck_assert_uint_eq(c.core->n, 50);
    close_reading(&c.r);
}
END_TEST

/* u = a + b is in two equations and stays, where none is to be filled in; v = a - b is in one
 * other, and w holds one variable. */
START_TEST(none_is_filled)
{
    static const char *const model =
        "model M Real a, b, p, u, v, w, y; equation u = a + b; v = a - b; w = 2*p; u*cos(p) = 2;"
        " u*sin(p) = w; y = v; der(p) = y - w; end M;";
    core c;
    begin_to(&c, model, EXPLICIT_NO_FILL);
    ck_assert(stays(&c, "u") && !stays(&c, "v") && !stays(&c, "w") && !stays(&c, "y"));
    ck_assert_uint_eq(c.core->n, 4);
    close_reading(&c.r);
    begin(&c, model);
    ck_assert(!stays(&c, "u") && !stays(&c, "v") && !stays(&c, "w") && !stays(&c, "y"));
    close_reading(&c.r);
}
END_TEST

/* What balances flows is solved for one of them: two that are opposite, and in a sum one that is in
 * one other equation. Not for a state, what has a start value, what is far larger than what gives
 * it, or beside an equation that changes its variables with a mode. */
START_TEST(balances_are_solved)
{
    static const char *const model =
        "model M Real x, y, a, b, c, d, e, f, k, l, m, n, p, q, s(start = 1); equation der(x) = a;"
        " a + b = 0; der(y) = c - x; b + c + d = 0; d^3 + d = x; sin(e) + e = y; e + f = x;"
        " cos(f) + s = y; s + k = 0; k*y = l; 1e9*x - 2*m = y; sin(m) = n + time;"
        " p + q = 0; p = if x > 0 then y else 0; end M;";
    core c;
    begin(&c, model);
    ck_assert(stays(&c, "b") && stays(&c, "m") && stays(&c, "q"));
    size_t before = c.core->n;
    close_reading(&c.r);
    begin_to(&c, model, EXPLICIT_SOLVED);
    ck_assert_uint_lt(c.core->n, before);
    ck_assert(!stays(&c, "b") && !stays(&c, "c") && stays(&c, "d")); /* b = -a, c = a - d */
    ck_assert(stays(&c, "x") && stays(&c, "y") && stays(&c, "s") && !stays(&c, "k"));
    ck_assert(stays(&c, "e") != stays(&c, "f"));
    ck_assert(stays(&c, "m") && stays(&c, "q"));
    close_reading(&c.r);
}
END_TEST

/* A definition that names a sum is as large as the sum. */
START_TEST(names_of_sums_fill)
{
    core c;
    begin_to(&c,
             "model M Real a, b, p, u, v; equation u = a + b; v = u; v*cos(p) = 2;"
             " v*sin(p) = 1; der(p) = a - b; end M;",
             EXPLICIT_NO_FILL);
    ck_assert(stays(&c, "v") && !stays(&c, "u"));
    close_reading(&c.r);
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const tests[] = {velocities_are_derivatives,
                                  definitions_cost_nothing,
                                  pieces_are_solved,
                                  circles_are_not_definitions,
                                  wanted_states_stay,
                                  nothing_replaced,
                                  fill_is_bounded,
                                  chains_do_not_multiply,
                                  chains_used_once_are_taken_out,
                                  none_is_filled,
                                  balances_are_solved,
                                  names_of_sums_fill};
    return unit_main("structure/explicit", 20, 11, tests);
}
