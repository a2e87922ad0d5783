/* der() of any expression: by a hidden unknown where pieces jump or a derivative is within. */
#include "solve/models.h"

#include <stdarg.h>
#include <stdio.h>

/* --- drawn at random: der(e), and the same with a variable u = e and der(u) --- */

enum { LONGEST = 4000, DEPTH = 3, EXPRESSIONS = 6 };

static void append(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *to, const char *format, ...)
{
    size_t length = strlen(to);
    va_list rest;
    va_start(rest, format);
    int more = vsnprintf(to + length, LONGEST - length, format, rest);
    va_end(rest);
    ck_assert_int_lt((int)length + more, LONGEST);
}

static void draw(char *to, int depth, uint64_t *state)
{
    static const char *const LEAF[] = {"x", "y", "time"};
    static const char *const WHEN[] = {"if time < %.3f then ", "if x > %.3f then ",
                                       "sign(time - %.3f)*"};
    unsigned kind = (unsigned)scatter_below(state, depth > 0 ? 9 : 3);
    if (kind < 3) {
        append(to, "%s", LEAF[kind]);
        return;
    }
    append(to, "(");
    if (kind == 3) append(to, WHEN[0], scatter_between(state, 0.3, 1.7));
    if (kind == 4) append(to, WHEN[1], scatter_between(state, 0.2, 0.9));
    if (kind == 5) append(to, WHEN[2], scatter_between(state, 0.3, 1.7));
    if (kind == 6) append(to, "floor(1.37*time)*");
    if (kind == 7) append(to, "n*");
    draw(to, depth - 1, state);
    if (kind == 8) append(to, " + ");
    if (kind < 5) append(to, " else ");
    if (kind < 5 || kind == 8) draw(to, depth - 1, state);
    append(to, ")");
}

typedef struct writing {
    bool spelled; /* by a variable */
    int variables;
    char declared[LONGEST], equation[LONGEST];
} writing;

static void differentiate(writing *w, const char *before, const char *e, const char *size,
                          const char *after)
{
    if (w->spelled) {
        append(w->declared, "Real u%d%s = %s;\n", ++w->variables, size, e);
        append(w->equation, "%sder(u%d)%s\n", before, w->variables, after);
    } else {
        append(w->equation, "%sder(%s)%s\n", before, e, after);
    }
}

static const char DECLARED[] =
    "model M Real x(start = 1, fixed = true), y(start = 0.3, fixed = true),\n"
    "  w(start = 0, fixed = true), v(start = 0.5, fixed = true), s[2](each start = 0, each fixed "
    "= true),\n  i, z, o, p[2];\ndiscrete Real n(start = 1, fixed = true);\n";

static void write_model(char *model, bool spelled, char e[][LONGEST])
{
    static writing w;
    static char both[LONGEST];
    w = (writing){.spelled = spelled};
    both[0] = model[0] = '\0';
    append(both, "{%s, %s}", e[4], e[5]);
    differentiate(&w, "der(w) = x + 0.7*", e[0], "", "; der(x) = -x; der(y) = 1 - 0.5*y;");
    differentiate(&w, "i = ", e[1], "", "; when time >= 1.111 then n = 2; end when;");
    static char within[LONGEST];
    within[0] = '\0';
    append(within, "der(v) - %s", e[2]);
    differentiate(&w, "", within, "", " = -v;");
    differentiate(&w, "if time < 0.777 then z = ", e[3], "", "; else z = x; end if;");
    differentiate(&w, "der(s) = ", both, "[2]", ";");
    append(model, "%s%sinitial equation der(v) = 0.3;\nequation\n%so = %s; p = %s; end M;\n",
           DECLARED, w.declared, w.equation, e[0], both);
}

typedef struct ends {
    double start[16], end[16];
} ends;

/* The variables that both models declare stand first, in the order of DECLARED. */
static ends ends_of(const char *model, const char *method)
{
    ends e;
    double y[32];
    dae_options options = tolerance_of(1e-9);
    options.method = method;
    dae_solver *s = solver_of(model, &options);
    for (int k = 0; k < 2; k++) {
        dae_status status = k ? dae_solver_run(s, 2) : dae_solver_start(s, 0, NULL);
        ck_assert_msg(status == DAE_OK, "%s: %s\n%s", method, dae_solver_message(s), model);
        is_ok(s, dae_solver_at(s, 2 * k, y, NULL));
        memcpy(k ? e.end : e.start, y, sizeof e.end);
    }
    dae_solver_free(s);
    return e;
}

enum { W = 2, V, S, I = S + 2, Z, O, P, SHARED = P + 2 };

/* What is integrated changes by the change of the expression, whatever impulses it has. */
static void both_agree(char e[][LONGEST], const char *method)
{
    static char model[2][LONGEST * 2];
    write_model(model[0], false, e);
    write_model(model[1], true, e);
    ends hidden = ends_of(model[0], method), spelled = ends_of(model[1], method);
    for (int k = 0; k < SHARED; k++) {
        double off = fabs(hidden.end[k] - spelled.end[k]);
        ck_assert_msg(off <= 1e-9 * (1 + fabs(spelled.end[k])), "%s, %d: %.3g\n%s", method, k, off,
                      model[0]);
    }
    const double *from = hidden.start, *to = hidden.end;
    double w = 1 - exp(-2) + 0.7 * (to[O] - from[O]);
    ck_assert_msg(fabs(to[W] - w) < 1e-7, "%s\n%s", method, model[0]);
    for (int k = 0; k < 2; k++)
        ck_assert_msg(fabs(to[S + k] - (to[P + k] - from[P + k])) < 1e-7, "%s\n%s", method,
                      model[0]);
}

START_TEST(both_spellings)
{
    static const char *const methods[] = {"auto", "bdf", "mebdf", "radau-iia5", "rodas5p"};
    static char e[EXPRESSIONS][LONGEST];
    uint64_t state = 29;
    for (size_t k = 0; k < 10; k++) {
        for (int i = 0; i < EXPRESSIONS; i++) {
            e[i][0] = '\0';
            draw(e[i], DEPTH, &state);
        }
        both_agree(e, methods[k % 5]);
    }
}
END_TEST

/* --- what is known --- */

static void at_2(const char *model, const char *name, double wanted)
{
    dae_options options = tolerance_of(1e-9);
    double found = end_of(model, &options, 2, name);
    ck_assert_msg(fabs(found - wanted) < 1e-7, "%s = %.17g, not %.17g\n%s", name, found, wanted,
                  model);
}

START_TEST(known_solutions)
{
    at_2("model M Real x(start = 1, fixed = true), k; initial equation der(x) = 0;"
         "equation der(der(x)) = -x; k = der(2*der(der(x)) + 1); end M;",
         "k", 2 * sin(2));
    at_2("model M discrete Real m(start = 1, fixed = true); Real v(start = 3, fixed = true);"
         "equation der(m*v) = 0; when time >= 1 then m = 2; end when; end M;",
         "v", 1.5); /* momentum is kept */
    at_2("model M Real x(start = -1, fixed = true), p(start = 0, fixed = true); equation"
         " der(x) = 1; der(p) = 2*der(sign(x)*(x^2 + 1)); end M;",
         "p", 8);
    at_2("model M Real x(start = 1, fixed = true); discrete Real d(start = 0, fixed = true);"
         "equation der(x) = -x; when time >= 1.5 then d = der(if time > 1 then x^2 else x); end "
         "when; end M;",
         "d", -2 * exp(-3));
}
END_TEST

/* --- what its author sees --- */

START_TEST(it_is_hidden)
{
    static const char MODEL[] = "model M Real q(start = 0, fixed = true), i; equation\n"
                                "i = der(if time > 1 then 2 else 0); der(q) = i; end M;";
    dae_options options = tolerance_of(1e-6);
    double y[3] = {7, 7, 7}, yp[3] = {7, 7, 7}, atols[2] = {1e-6, 1e-6};
    options.atols = atols;
    dae_problem *p = problem_of(MODEL);
    ck_assert_uint_eq(dae_problem_size(p), 2);
    ck_assert_ptr_null(dae_problem_variable(p, 2));
    dae_solver *s = dae_solver_create(p, &options);
    is_ok(s, dae_solver_start(s, 0, (double[]){0.5, 0}));
    is_ok(s, dae_solver_run(s, 1.5));
    is_ok(s, dae_solver_at(s, 1.5, y, yp));
    ck_assert(fabs(y[0] - 2.5) < 1e-9 && y[2] == 7 && yp[2] == 7);
    ck_assert_uint_eq(dae_solver_event(s)->n, 2);
    is_ok(s, dae_solver_at_left(s, 1, y, yp));
    ck_assert(fabs(y[0] - 0.5) < 1e-9 && y[2] == 7 && yp[2] == 7);
    dae_solver_free(s);
    dae_problem_free(p);
    dae_description *d = dae_describe(p = problem_of(MODEL), 0);
    ck_assert(d->equations == 2 && d->unknowns == 2 && d->index == 2);
    ck_assert_msg(strstr(d->hidden_constraint[0], "the derivative of if time > 1 then 2 else 0 ("),
                  "%s", d->hidden_constraint[0]);
    dae_description_free(d);
    dae_problem_free(p);
}
END_TEST

/* Messages name the expression as it is written, and count what is written. */
START_TEST(messages_name_it)
{
    dae_problem *p = problem_of("model M Real x, y; equation x = der(sign(time - 1)); end M;");
    dae_solver *s = dae_solver_create(p, NULL);
    ck_assert_msg(strstr(dae_solver_message(s), "1 equation for 2 unknowns"), "%s",
                  dae_solver_message(s));
    dae_solver_free(s);
    dae_problem_free(p);
    s = solver_of("model M Real x(start = 0, fixed = true), z(start = 0, fixed = true); equation\n"
                  "der(z) = der(x + sign(time - 1))^2; der(x) = 1; end M;",
                  NULL);
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_EVENT);
    ck_assert_msg(strstr(dae_solver_message(s), "der(x + sign(time - 1))"), "%s",
                  dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/differentiated", 60, both_spellings, known_solutions, it_is_hidden,
          messages_name_it)
