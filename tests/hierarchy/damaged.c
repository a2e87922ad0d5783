/* Damaged texts of hierarchical models, and large ones: whatever the text, the flattening returns
 * soon, with a flat text or with a message. */
#include "texts.h"

#include <ctype.h>

static const char sample[] = ELECTRICAL
    "package P constant Real g = 9; type E = enumeration(a, b); record R Real x = 1; end R;\n"
    "function f input Real u; input Real k = 1; output Real y; algorithm y := g*u; end f;\n"
    "partial function F input Real u; output Real y; end F; function f2 = f(k = 2); function a\n"
    "input F f; output Real y; algorithm y := f(u = 2); end a; end P;\n"
    "connector In = input Real; connector Plug Pin p[2]; Pin n; end Plug;\n"
    "model Load Plug plug; parameter Boolean b = false; Resistor r[2](R = {4, 5});\n"
    "Capacitor c(C = 0.1) if b; protected parameter P.E e = P.E.a; P.R s(x = P.f(2));\n"
    "equation connect(plug.p, r.p); for k in 1:2 loop connect(r[k].n, plug.n); end for;\n"
    "if e == P.E.a then connect(plug.p[1], c.p); connect(c.n, plug.n); end if; end Load;\n"
    "model Mid extends Load(r(each R = 2), b = true); In u; Real y(start = 1) = u*sum(r.v);\n"
    "initial equation y = 1; algorithm when y > 2 then reinit(y, 1); end when; end Mid;\n"
    "model Main import Q = P; parameter Integer n = size(q, 1); parameter Real q[:] = {1, 2};\n"
    "Resistor e[P.E](R = {if k == P.E.a then 1 else 2 for k in P.E}), w[Boolean]; Real 'g.p' = 1,\n"
    "z[P.E] = {P.a(P.f2), P.a(function P.f(k = 3))}; Mid m[n](c(v(each fixed = false)), u = q); "
    "Constant s[2](each V = 6); Ground g;\n"
    "equation for k in P.E loop connect(e[k].p, g.p); z[k] = e[k].v; end for;\n"
    "connect(w[true].n, e[P.E.b].n); for k in 1:n loop connect(s.p, m[k].plug.p); "
    "connect(m[k].plug.n, g.p); end for;\n"
    "connect(s[:].n, {g.p, g.p}[1:2]); annotation(experiment(StopTime = 2)); end Main;\n";

/* A word or a sign of the text. */
static size_t word_at(const char *bytes, size_t begin, size_t length)
{
    size_t end = begin + 1;
    while (end < length && isalnum((unsigned char)bytes[end - 1]) &&
           isalnum((unsigned char)bytes[end]))
        end++;
    return end;
}

/* Deletes, doubles or replaces a word by another one of the text. */
static void damage(uint64_t *state, char *to, const char *from)
{
    size_t length = strlen(from), begin = scatter_below(state, length);
    while (begin > 0 && isalnum((unsigned char)from[begin - 1])) begin--;
    size_t end = word_at(from, begin, length), other = scatter_below(state, length);
    while (other > 0 && isalnum((unsigned char)from[other - 1])) other--;
    size_t other_end = word_at(from, other, length), kind = scatter_below(state, 3);
    memcpy(to, from, begin);
    to += begin;
    if (kind > 0) memcpy(to, from + other, other_end - other), to += other_end - other;
    if (kind == 1) *to++ = ' ', memcpy(to, from + begin, end - begin), to += end - begin;
    strcpy(to, from + end);
}

START_TEST(damaged_texts_are_answered)
{
    enum { VARIANTS = 20, ROOM = 2 * sizeof sample };
    uint64_t state = 7 + (uint64_t)_i;
    char one[ROOM], two[ROOM];
    for (int k = 0; k < VARIANTS; k++) {
        if (!is_sampled("damaged texts", (size_t)k, 4)) continue;
        damage(&state, one, sample);
        if (k % 2) damage(&state, two, one), memcpy(one, two, ROOM);
        flattened f;
        flatten_text(&f, one);
        ck_assert_msg(f.status == DAE_OK || *message_string(&f.m), "no message:\n%s", one);
        dae_problem *p = dae_problem_parse("m.mo", one, strlen(one));
        ck_assert_msg(dae_problem_status(p) == DAE_OK || *dae_problem_message(p), "%s", one);
        if (f.status != DAE_OK && f.status != DAE_USAGE)
            ck_assert_int_ne(dae_problem_status(p), DAE_OK);
        dae_problem_free(p);
        close_flattened(&f);
    }
}
END_TEST

/* `count` classes, each with `each` of the next one, or extending it. */
static void chain_of_classes(text *t, int count, const char *form, const char *last)
{
    text_format(t, "model C%d %s end C%d;\n", count, last, count);
    for (int k = count - 1; k >= 0; k--) {
        text_format(t, "model C%d ", k);
        text_format(t, form, k + 1);
        text_format(t, " end C%d;\n", k);
    }
}

static const struct {
    const char *form, *what; /* NULL: it can be flattened */
} chains[] = {
    {"C%d c;", "nested too deep"},
    {"extends C%d;", "extends itself, or more than"},
    {"C%d a, b;", "nested too deep"},
    {"C%d a[1000](each c.x = 1);", "no component c"},
    {"extends C%d; extends D;", "extends itself, or more than"},
};

START_TEST(long_chains_of_classes_are_told)
{
    text t = {0};
    flattened f;
    chain_of_classes(&t, 3000, chains[_i].form, "Real x = 1;");
    flatten_text(&f, text_string(&t));
    ck_assert_int_eq(f.status, DAE_MODEL_ERROR);
    ck_assert_msg(strstr(message_string(&f.m), chains[_i].what), "%s", message_string(&f.m));
    close_flattened(&f);
    text_free(&t);
}
END_TEST

/* Parameters that follow from each other, in a long chain and in a loop. */
START_TEST(long_chains_of_parameters_are_told)
{
    text t = {0};
    flattened f;
    text_add(&t, "model C Real x = 1; end C; model M\n C c[p0]; parameter Integer p5000 = 1;\n");
    for (int k = 0; k < 5000; k++) text_format(&t, "parameter Integer p%d = p%d;\n", k, k + 1);
    text_add(&t, "end M;");
    flatten_text(&f, text_string(&t));
    ck_assert_int_eq(f.status, DAE_MODEL_ERROR);
    ck_assert_msg(strstr(message_string(&f.m), "follows from itself, or from too many"), "%s",
                  message_string(&f.m));
    close_flattened(&f);
    text_free(&t);
}
END_TEST

/* The arena takes twice the memory for twice the components, connections and modifiers. */
START_TEST(memory_grows_with_the_components)
{
    size_t size[2];
    for (int k = 0; k < 2; k++) {
        char model[600];
        flattened f;
        (void)snprintf(model, sizeof model,
                       "connector Pin Real v; flow Real i; end Pin;\n"
                       "model Cell Pin a, b; parameter Real R = 1; equation a.v - b.v = R*a.i;\n"
                       "a.i + b.i = 0; end Cell; model M parameter Integer n = %d;\n"
                       "Cell c[n](R = {1.0*i for i in 1:n}); equation\n"
                       "for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for; end M;",
                       k ? 2000 : 1000);
        flatten_text(&f, model);
        ck_assert_msg(f.status == DAE_OK, "%s", message_string(&f.m));
        size[k] = arena_size(&f.flat.memory);
        close_flattened(&f);
    }
    ck_assert_double_le((double)size[1] / (double)size[0], 2.4);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("damaged");
    tcase_set_timeout(tests, 60);
    unit_loop(tests, damaged_texts_are_answered, 0, 3);
    tcase_add_loop_test(tests, long_chains_of_classes_are_told, 0, sizeof chains / sizeof *chains);
    tcase_add_test(tests, long_chains_of_parameters_are_told);
    tcase_add_test(tests, memory_grows_with_the_components);
    return unit_run("hierarchy/damaged", tests);
}
