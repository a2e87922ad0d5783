/* What hierarchical models become: lines of the flat text, and what is refused. */
#include "texts.h"

#define FUNCTIONS                                                                                  \
    "package P constant Integer k[2, 3] = {{1, 2, 3}, {4, 5, 6}};\n"                               \
    "function gcd input Integer a, b; output Integer g; protected Integer x = a, y = b, r;\n"      \
    "algorithm while y <> 0 loop r := mod(x, y); x := y; y := r; end while; g := x; end gcd;\n"    \
    "function odd input Integer n; input Real s = 2.5; output Boolean is; algorithm\n"             \
    "for i in 1:n loop is := not (if i > 1 then is else false); end for; if s > 3 then\n"          \
    "is := false; return; end if; end odd; function first input Integer v[:]; output Integer m;\n" \
    "algorithm m := v[1]; end first; function endless input Integer n; output Integer m;\n"        \
    "algorithm while true loop m := n; end while; end endless; model C Real y = time; end C; end " \
    "P;\n"

/* A text, and a line of its flat text. */
typedef struct fact {
    const char *text, *line;
} fact;

#define CLASS_C                                                                     \
    "model C parameter Real R = 1, q[2] = {1, 2}; final parameter Integer n = 2;\n" \
    "Real x(start = 3, fixed = true), v[n]; equation der(x) = -R*x; v = q*x; end C;\n"
#define HANDED                                                                                 \
    "partial function F input Real u; output Real y; end F; function p extends F; input Real " \
    "a = 1; algorithm y := a*u; end p; function p3 = p(a = 3); function g input F f; output "  \
    "Real y; algorithm y := f(u = 2); end g;\n"
#define SIGNALS                                                 \
    "connector In = input Real; connector Out = output Real;\n" \
    "block Gain In u; Out y; parameter Real k = 1; equation y = k*u; end Gain;\n"
#define LITERALS CLASS_C "model M type E = enumeration(a, b); type B = Boolean;\n"
#define PIN      "connector Pin Real v; flow Real i; end Pin;\n"

#define ALIASES                                                                                \
    "package P function f = sin; function g = f; function ln = Modelica.Math.log;\n"           \
    "type E = enumeration(a, b); partial function F input Real u; output Real y; end F;\n"     \
    "function q input F k; output Real y; algorithm y := k(1); end q;\n"                       \
    "function h input Real u; final input Real k = 2; output Real y; algorithm y := k*u; end " \
    "h;\n"                                                                                     \
    "model C Real y = g(time) + ln(2), z = q(f) + h(1); E e = E(2); end C; end P;\n"           \
    "model M P.C c; end M;"

static const fact facts[] = {
    /* other names of functions of the language; literals by their numbers */
    {ALIASES, "  Real 'c.y' = sin(time) + Modelica.Math.log(2);"},
    {ALIASES, "  Real 'c.z' = 'P.q'(sin) + 'P.h'(1);"},
    {ALIASES, "  'P.E' 'c.e' = 'P.E'(2);"},
    {ALIASES, "    final input Real k = 2;"},
    /* names and values */
    {CLASS_C "model M C c; end M;", "  Real 'c.x'(start = 3, fixed = true);"},
    {CLASS_C "model M C c(R = 2*k, x(start = k)); parameter Real k = 4; end M;",
     "  parameter Real 'c.R' = 2 * k;"},
    {CLASS_C "model M C c(x(start = k)); parameter Real k = 4; end M;",
     "  Real 'c.x'(start = k, fixed = true);"},
    {CLASS_C "model M C c(x.start = 5); end M;", "  Real 'c.x'(start = 5, fixed = true);"},
    {CLASS_C "model M C c; end M;", "  der('c.x') = -'c.R' * 'c.x';"},
    {CLASS_C "model M C 'my c'; end M;", "  'my c.v' = 'my c.q' * 'my c.x';"},
    {"model C Real 'a''; equation 'a'' = 1; end C; model M C c; end M;", NULL},
    {"model C Real 'a.b'; equation 'a.b' = time; end C; model M C c; end M;", "  'c.a.b' = time;"},
    /* different variables with one flat name */
    {"model C Real b = 1; end C; model M C a; Real 'a.b' = time; end M;",
     "  Real '\\'a.b\\'' = time;"},
    {"model C Real b = 1; end C; model M C a; Real 'a.b' = time; end M;", "  Real 'a.b' = 1;"},
    {"model C Real b = 1; end C; model M C a[2]; Real 'a[2].b', y; equation 'a[2].b' = a[2].b;\n"
     "y = time; end M;",
     "  '\\'a[2].b\\'' = 'a[2].b';"},
    {"model B Real c = 1; end B; model C B b; Real 'b.c' = time; end C; model M C a; end M;",
     "  Real 'a.\\'b.c\\'' = time;"},
    {"model C Real y = 2.50*(time - (1 - time))^2; end C; model M C c; end M;",
     "  Real 'c.y' = 2.50 * (time - (1 - time)) ^ 2;"},
    {"model C Real y = if time < 1 then -2*time else (if time > 2 then 1 else 2); end C;\n"
     "model M C c; end M;",
     "  Real 'c.y' = if time < 1 then -2 * time else (if time > 2 then 1 else 2);"},
    {"model C Boolean b = not (time < 1 and time > 0) or time > 3; end C; model M C c; end M;",
     "  Boolean 'c.b' = not (time < 1 and time > 0) or time > 3;"},
    {"model C Real y = 1 \"a \\\"text\\\"\"; end C; model M C c; end M;",
     "  Real 'c.y' = 1 \"a \\\"text\\\"\";"},
    {"model C Real A[2, 2] = [1, time; 0, 1], s = sum(A[:, end]); end C; model M C c; end M;",
     "  Real 'c.s' = sum('c.A'[:, end]);"},
    /* the course of an input */
    {"model C Real w; end C; model M input Real u annotation(__daedal(outside = \"continued\"));\n"
     "C c(w = u); end M;",
     "  input Real u annotation(__daedal(outside = \"continued\"));"},
    {"model B input Real u; annotation(__daedal(interpolation = \"steps\")); end B;\n"
     "model M extends B; end M;",
     "  input Real u annotation(__daedal(interpolation = \"steps\"));"},
    /* connectors of one signal, beside nothing else of a hierarchy */
    {"model M connector S = input Real; S u; Real y = u; end M;", "  input Real u;"},
    {"model M connector S = output Real; S y; equation y = time; end M;", "  output Real y;"},
    {"model M type L = flow Real; L y = time; end M;", "  Real y = time;"},
    {"model M connector S = input Real annotation(__daedal(outside = \"continued\"));\n"
     "connector T = S; T u; Real y = u; annotation(__daedal(outside = \"held\")); end M;",
     "  input Real u annotation(__daedal(outside = \"continued\"));"},
    {"model M connector S = input Real annotation(__daedal(outside = \"continued\"));\n"
     "S u annotation(__daedal(outside = \"held\")); Real y = u; end M;",
     "  input Real u annotation(__daedal(outside = \"held\"));"},
    {"model N Real x = time; annotation(experiment(StopTime = 7)); end N;\n"
     "model M = N annotation(experiment(StopTime = 3));",
     "  annotation(experiment(StopTime = 3));"},
    /* the invariants of components and bases */
    {"model B Real x, v; equation der(x) = v; der(v) = -x; annotation(__daedal(invariant = x^2 + "
     "v^2));\n"
     "end B; model C extends B; end C; model M C c[2]; B b; end M;",
     "  annotation(__daedal(invariant = 'c[1].x' ^ 2 + 'c[1].v' ^ 2, invariant = 'c[2].x' ^ 2 + "
     "'c[2].v' ^ 2, invariant = 'b.x' ^ 2 + 'b.v' ^ 2));"},
    /* an assert of a component names it */
    {"model C Real x; equation x = time; assert(x < 1, \"too \" + \"far\"); end C; model M C c[2]; "
     "end M;",
     "  assert('c[2].x' < 1, \"too \" + \"far\" + \" (in c[2])\");"},
    {"model C Real x = time; equation when x > 1 then assert(false, \"too far\"); end when; end "
     "C;\n"
     "model M C c; equation assert(c.x < 2, \"farther\"); end M;",
     "    assert(false, \"too far (in c)\");"},
    {"model C Real x = time; end C; model M C c; equation assert(c.x < 2, \"farther\"); end M;",
     "  assert('c.x' < 2, \"farther\");"},
    {"model C Real x = time; equation assert(level = AssertionLevel.warning, condition = x < 1, "
     "message = if x > 2 then \"a\" else \"b\"); end C; model M C c; end M;",
     "  assert(level = AssertionLevel.warning, condition = 'c.x' < 1, message = (if 'c.x' > 2 then "
     "\"a\" else \"b\") + \" (in c)\");"},
    /* inherited twice alike, and by two imports of one class */
    {CLASS_C "model A extends C(R = 2); end A; model B extends C(R = 2); end B;\n"
             "model D extends A; extends B; end D; model M D d; end M;",
     "  parameter Real 'd.R' = 2;"},
    {"package P model A Real x = 2; end A; end P; model M import P.*; import P.A; A a; end M;",
     "  Real 'a.x' = 2;"},
    /* functions that decide sizes and conditions */
    {FUNCTIONS "model M import P.*; C c[gcd(12, n)]; parameter Integer n = 18; end M;",
     "  Real 'c[6].y' = time;"},
    {FUNCTIONS "model M import P.*; C c if odd(3); end M;", "  Real 'c.y' = time;"},
    {FUNCTIONS "model M import P.*; C c if not odd(3, s = 4), d; end M;", "  Real 'c.y' = time;"},
    {FUNCTIONS "model M import P.*; C c[sum(k) - product({2, 5}) - max(i*i for i in 1:3)]; end M;",
     "  Real 'c[2].y' = time;"},
    {FUNCTIONS "model M import P.*; C c[min({k[2, 1], 5})]; end M;", "  Real 'c[4].y' = time;"},
    /* final, each, arrays of components */
    {CLASS_C "model M C c[2](R = {5, 6}); end M;", "  parameter Real 'c[2].R' = 6;"},
    {CLASS_C "model M C c[2](R = p); parameter Real p[2] = {5, 6}; end M;",
     "  parameter Real 'c[2].R' = p[2];"},
    {CLASS_C "model M C c[2](R = 3*p); parameter Real p[2] = {5, 6}; end M;",
     "  parameter Real 'c[2].R' = (3 * p)[2];"},
    {CLASS_C "model M C c[2](each final R = 7); end M;", "  final parameter Real 'c[2].R' = 7;"},
    {CLASS_C "model D C c(final R = k); parameter Real k = 2; end D; model M D d(k = 3); end M;",
     "  final parameter Real 'd.c.R' = 'd.k';"},
    {CLASS_C "model D = C(R = 8, x.start = 3); model M D c[2]; end M;",
     "  parameter Real 'c[2].R' = 8;"},
    {CLASS_C "model D = C(R = 8); model M D c[2](R = {5, 6}); end M;",
     "  parameter Real 'c[2].R' = 6;"},
    {CLASS_C "model E C c[2]; end E; model D = E(c(R = {8, 9})); model M D d[2]; end M;",
     "  parameter Real 'd[2].c[2].R' = 9;"},
    {CLASS_C "model M C c[2](each R = 7); end M;", "  parameter Real 'c[2].R' = 7;"},
    {CLASS_C "model M C c[2](R = fill(7, 2)); end M;", "  parameter Real 'c[2].R' = 7;"},
    {CLASS_C "model M C c[3](R = {k^2 for k in {1, 4, -2}}); end M;",
     "  parameter Real 'c[3].R' = (-2) ^ 2;"},
    {CLASS_C "model M C c[2](x(start = {5, 6})); end M;",
     "  Real 'c[2].x'(start = 6, fixed = true);"},
    {CLASS_C "model M C c[2](q = {{1, 2}, {3, 4}}); end M;",
     "  parameter Real 'c[2].q'[2] = {3, 4};"},
    {CLASS_C "model M C c[2](q = [1, 2; 3, 4]); end M;", "  parameter Real 'c[2].q'[2] = {3, 4};"},
    {CLASS_C "model M C c[2](each v(each nominal = 9)); end M;",
     "  Real 'c[2].v'['c[2].n'](each nominal = 9);"},
    {CLASS_C "model M C c[2, 3]; Real s = sum(c[2, :].x); end M;",
     "  Real s = sum({'c[2,1].x', 'c[2,2].x', 'c[2,3].x'});"},
    {CLASS_C "model D C c[2]; end D; model M D d[2](c(R = {{1, 2}, {3, 4}})); end M;",
     "  parameter Real 'd[2].c[1].R' = 3;"},
    {CLASS_C "model M C c[2]; Real s = c[end].x; Integer n = size(c, 1); end M;",
     "  Real s = 'c[2].x';"},
    {CLASS_C "model M C c[2]; Integer n = size(c, 1); end M;", "  Integer n = 2;"},
    {CLASS_C "model M C c[2]; Real s = sum(c[i].x*i for i in 1:2); end M;",
     "  Real s = sum({'c[1].x' * 1, 'c[2].x' * 2});"},
    {CLASS_C
     "model M C c[2]; Real w[2]; equation for i in 1:2 loop w[3 - i] = c[i].x; end for; end M;",
     "  w[3 - 2] = 'c[2].x';"},
    {CLASS_C "model M C c; Real w[2]; equation for i in 1:2 loop w[i] = i*c.x; end for; end M;",
     "  for i in 1:2 loop"},
    {CLASS_C
     "model M parameter Integer n = 2*size(p, 1) - 1; parameter Real p[:] = {1, 2}; C c[n];\n"
     "end M;",
     "  final parameter Integer n = 2 * size(p, 1) - 1;"},
    /* arrays of components by the literals of an enumeration, and by Boolean */
    {LITERALS "C c[E](R = {if e == E.b then 7 else 8 for e in E}); end M;",
     "  parameter Real 'c[2].R' = if 'M.E'.b == 'M.E'.b then 7 else 8;"},
    {LITERALS "C c[E], d[Boolean]; Real y = c[E.b].x + d[true].x; end M;",
     "  Real y = 'c[2].x' + 'd[2].x';"},
    {LITERALS "C c[E]; Real y = sum(c[E.a:E.b].x); end M;",
     "  Real y = sum({'c[1].x', 'c[2].x'});"},
    {LITERALS "C c[E]; Real y[E]; equation for e in E loop y[e] = c[e].x; end for; end M;",
     "  y['M.E'.b] = 'c[2].x';"},
    {LITERALS
     "C c[Boolean]; Real y[Boolean]; equation for b in Boolean loop y[b] = c[b].x; end for; "
     "end M;",
     "  y[true] = 'c[2].x';"},
    {LITERALS "C c; Real y[E]; equation for e in E loop y[e] = c.x; end for; end M;",
     "  for e in 'M.E' loop"},
    {LITERALS "C c[n[E.b]]; parameter Integer n[E] = {1, 2}; end M;",
     "  final parameter Integer n['M.E'] = {1, 2};"},
    {LITERALS "C c; Real y = sum({c.x*i for i in {0.5, 1.5}}), z[B] = {1, 2}; end M;",
     "  Real z[Boolean] = {1, 2};"},
    {LITERALS "C c[2]; Real y[2]; equation for i in {0.5, 1.5} loop y[integer(i + 1)] = "
              "i*c[integer(i + 1)].x; end for; end M;",
     "  y[integer(1.5 + 1)] = 1.5 * 'c[2].x';"},
    /* conditional components */
    {CLASS_C "model M parameter Boolean b = false; C c if b; C d if not b; end M;",
     "  final parameter Boolean b = false;"},
    /* inheritance */
    {CLASS_C "model D extends C(R = 5); end D; model M extends D(R = 6); end M;",
     "  parameter Real R = 6;"},
    {CLASS_C "model D = C(R = 5); model M D d; end M;", "  parameter Real 'd.R' = 5;"},
    {CLASS_C
     "model A extends C; end A; model B extends C; end B; model M extends A; extends B; end M;",
     "  der(x) = -R * x;"},
    {"type V = Real[2](unit = \"V\"); model C V u[3]; equation u = zeros(3, 2); end C;\n"
     "model M C c; end M;",
     "  Real 'c.u'[3, 2](unit = \"V\");"},
    /* classes beside the model */
    {"package P constant Real g = 9; function f input Real u; output Real y; algorithm y := g*u;\n"
     "end f; model C Real y = f(time); end C; end P; model M P.C c; end M;",
     "  Real 'c.y' = 'P.f'(time);"},
    {"package P constant Real g = 9; function f input Real u; output Real y; algorithm y := g*u;\n"
     "end f; model C Real y = f(time); end C; end P; model M P.C c; end M;",
     "    y := 'P.g' * u;"},
    /* functions as arguments, and short definitions of functions */
    {HANDED
     "model C parameter Real k = 2; Real y = g(function p(a = k)); end C; model M C c; end M;",
     "  Real 'c.y' = g(function p(a = 'c.k'));"},
    {HANDED "model C Real y = g(p) + g(sin) + g(Modelica.Math.cos); end C; model M C c; end M;",
     "  Real 'c.y' = g(p) + g(sin) + g(Modelica.Math.cos);"},
    {HANDED "model C Real y = g(p3); end C; model M C c; end M;", "  Real 'c.y' = g(p3);"},
    {HANDED "model C Real y = p3(7); end C; model M C c; end M;", "    input Real a = 3;"},
    {HANDED "model C Real y = g(p); end C; model M C c; end M;", "  partial function F"},
    {"function c input Real u; output Real y; algorithm y := u; end c;\n"
     "model A Real y = c(time); end A; model M A a; Real c = 1; end M;",
     "  Real 'a.y' = '.c'(time);"},
    {"package P type E = enumeration(a, b); model C parameter E e = E.b; end C; end P;\n"
     "model M P.C c; Real x = if c.e == P.E.a then 1 else 2; end M;",
     "  Real x = if 'c.e' == 'P.E'.a then 1 else 2;"},
    {"record R Real x; end R; record S extends R(x = 1); Real y; end S; model C S s(y = 2); end "
     "C;\n"
     "model M C c; Real z = c.s.x; end M;",
     "  Real z = 'c.s'.x;"},
    {"package P model A Real x = 1; end A; end P; model M import Q = P; import P.A; Q.A q; A a;\n"
     "end M;",
     "  Real 'q.x' = 1;"},
    {"model M model A constant Real k = 2; Real x = k; end A; A a; Real y = A.k; end M;",
     "  Real y = 'M.A.k';"},
    {"record R Real x = 1; end R; package P model R Real y = r.x; .R r; end R; end P;",
     "  '.R' r;"},
    /* the standard library, and its tables */
    {"model C import Modelica.Units.SI; SI.Voltage v = 1; end C; model M C c; end M;",
     "  Modelica.Units.SI.Voltage 'c.v' = 1;"},
    {"model C import Modelica.Constants.pi; Real v = pi*Modelica.Math.sin(time); end C; model M C "
     "c;\n"
     "end M;",
     "  Real 'c.v' = Modelica.Constants.pi * Modelica.Math.sin(time);"},
    {"model C import Modelica.Math.*; Real v = sin(Vectors.interpolate({0, 1}, {0, 2}, time))\n"
     "annotation(__daedal(outside = \"held\")); annotation(__daedal(interpolation = \"akima\")); "
     "end C;\n"
     "model M C c; annotation(__daedal(interpolation = \"steps\")); end M;",
     "  Real 'c.v' = sin(Modelica.Math.Vectors.interpolate({0, 1}, {0, 2}, time)) "
     "annotation(__daedal(interpolation = \"akima\", outside = \"held\"));"},
    /* connections */
    {SIGNALS "model M Gain g, h; equation connect(g.y, h.u); g.u = time; end M;",
     "  'g.y' = 'h.u';"},
    {SIGNALS "model M In u; Gain g; equation connect(u, g.u); end M;", "  input Real u;"},
    {SIGNALS "block V In u[3]; Out y; equation y = sum(u); end V; model M V v; Gain g[2];\n"
             "equation connect(g.y, v.u[2:3]); v.u[1] = 1; g.u = {1, 2}; end M;",
     "  'v.u'[3] = 'g[2].y';"},
    {PIN
     "model C Pin p, n; end C; model M C a, b, c; equation connect(a.p, b.p); connect(c.n, b.p);\n"
     "end M;",
     "  'a.p.i' + 'b.p.i' + 'c.n.i' = 0;"},
    {PIN "model C Pin p, n; end C; model M C a, b; equation connect(a.p, b.p); end M;",
     "  'b.n.i' = 0 \"not connected\";"},
    {PIN "model C Pin p, n; end C; model D Pin p; C c; equation connect(p, c.p); end D;\n"
         "model M D d; end M;",
     "  -'d.p.i' + 'd.c.p.i' = 0;"},
    {PIN "model C Pin p, n; end C; model M parameter Boolean b = true; C c, d;\n"
         "equation if b then connect(c.p, d.p); else connect(c.p, d.n); end if; end M;",
     "  'c.p.v' = 'd.p.v';"},
    {"connector P3 Real r[2]; flow Real f[2]; end P3; model C P3 a; end C; model M C c, d;\n"
     "equation connect(c.a, d.a); end M;",
     "  'c.a.f'[2] + 'd.a.f'[2] = 0;"},
};

/* Whether a text has a line. */
static bool has_line(const char *text_of, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = strstr(text_of, line); at; at = strstr(at + 1, line))
        if ((at == text_of || at[-1] == '\n') && at[length] == '\n') return true;
    return false;
}

START_TEST(facts_of_flat_texts)
{
    const fact *c = &facts[_i];
    flattened f;
    flatten_text(&f, c->text);
    if (!c->line) {
        ck_assert_int_eq(f.status, DAE_MODEL_ERROR);
    } else {
        ck_assert_msg(f.status == DAE_OK, "%s\n%s", c->text, message_string(&f.m));
        ck_assert_msg(has_line(text_string(&f.flat.text), c->line), "%s\nlacks: %s\n%s", c->text,
                      c->line, text_string(&f.flat.text));
    }
    close_flattened(&f);
}
END_TEST

/* Each line of the flat text knows the line of the file from which it comes. */
START_TEST(lines_know_where_they_come_from)
{
    flattened f;
    flatten_text(&f,
                 "model C\n  Real x;\nequation\n  x = time;\nend C;\nmodel M\n  C c;\n  Real y;\n"
                 "equation\n  y = c.x;\nend M;\n");
    const char *flat = text_string(&f.flat.text);
    ck_assert_str_eq(flat, "model M\n  Real 'c.x';\n  Real y;\nequation\n  y = 'c.x';\n"
                           "  'c.x' = time;\nend M;\n");
    const unsigned line[] = {6, 2, 8, 6, 10, 4, 6};
    for (size_t k = 0; k < 7; k++) ck_assert_uint_eq(f.flat.line[k], line[k]);
    close_flattened(&f);
}
END_TEST

/* What the reader says of a flat text names the line of the file. */
START_TEST(mistakes_of_equations_are_told_at_their_lines)
{
    const char *text_of =
        "model C\n  Real x;\nequation\n  x = \"a\";\nend C;\nmodel M\n  C c;\nend M;\n";
    dae_problem *p = dae_problem_parse("m.mo", text_of, strlen(text_of));
    ck_assert_int_eq(dae_problem_status(p), DAE_MODEL_ERROR);
    ck_assert_msg(strncmp(dae_problem_message(p), "m.mo:4:", 7) == 0, "%s", dae_problem_message(p));
    dae_problem_free(p);
}
END_TEST

/* --- what is refused --- */

typedef struct refusal {
    const char *text;
    unsigned line;
    const char *what, *remedy;
} refusal;

static const refusal refusals[] = {
    {"model M\n  replaceable Real x;\nend M; model N M m; end N;", 2,
     "replaceable is not supported yet, in M", "a class for each choice"},
    {"model M\n  outer Real x;\nend M; model N M m; end N;", 2, "outer is not supported yet",
     "connectors"},
    {"model M\n  inner Real x;\nend M; model N M m; end N;", 2, "inner is not supported yet",
     "connectors"},
    {"connector P Real p; flow Real m;\n  stream Real h; end P; model M P p; end M; model N M m; "
     "end N;",
     2, "stream is not supported yet", "fluids flow one way"},
    {CLASS_C "model M\n  C c(redeclare Real R = 2, R = 3); end M;", 4,
     "redeclaration is not supported yet", "the other type"},
    {"class T\n  extends ExternalObject; end T; model M T t; end M;\nmodel N M m; end N;", 2,
     "an external object is not supported yet", "flat models alone"},
    {"expandable connector B end B;\nmodel M B b; end M;", 1, "expandable is not supported yet",
     "declare all variables"},
    {"partial model P Real x; end P;\nmodel M\n  P p;\nend M;", 3, "P is partial", "extends it"},
    {CLASS_C "model M\n  C c(S = 1);\nend M;", 4, "C has no component S", NULL},
    {CLASS_C "model M\n  C c(n = 1);\nend M;", 4, "n is final", "leave the modifier out"},
    {"model A extends B(final k = 2); end A; model B parameter Real k = 1; end B; model M\n"
     "  A a(k = 3); end M;",
     2, "k is final", "leave the modifier out"},
    {CLASS_C "model M\n  C c(x(strat = 1));\nend M;", 4, "c.x has no attribute strat", "start"},
    {CLASS_C "model M\n  C c[2](R = 3);\nend M;", 4, "one value is given for an array", "each"},
    {CLASS_C "model M C c; Real y;\nequation\n  y = c.z;\nend M;", 5, "c has no component z", NULL},
    {CLASS_C "model M C c; Real y;\nequation\n  y = cc.x;\nend M;", 5, "cc is not declared", "c"},
    {CLASS_C "model M C c[2]; Real y;\nequation\n  y = c[3].x;\nend M;", 5, "c has no element 3",
     NULL},
    {LITERALS "C c[E]; type F = enumeration(u, v); Real y;\nequation\n  y = c[F.u].x;\nend M;", 6,
     "c is not indexed by M.F", "written for its size"},
    {LITERALS "C c[2]; Real y;\nequation\n  y = c[true].x;\nend M;", 6,
     "c is not indexed by Boolean", NULL},
    {"model C protected Real x; equation x = 1; end C; model M C c;\n  Real y = c.x; end M;", 2,
     "c.x is protected", "public"},
    {"model C protected parameter Real x = 1; end C; model M\n  C c(x = 2); end M;", 2,
     "x is protected", "public"},
    {"model A\n  B b; end A;\nmodel B A a; end B; model M A a; end M;", 3,
     "A is a component of itself", "cannot contain itself"},
    {"model A\n  A a; Real x = 1; end A;", 2, "A is a component of itself",
     "cannot contain itself"},
    {"model M Real x = 1; end M;\nmodel M Real y = 2; end M;", 2,
     "M is already declared in this text", "another name"},
    {"package P model M Real x = 1; end M;\n  model M Real y = 2; end M; end P;\nmodel N P.M m; "
     "end N;",
     2, "M is already declared in P", "another name"},
    {"model A extends B; end A;\nmodel B extends A; end B; model M A a; end M;", 1,
     "extends itself", "do not extend each other"},
    {"model A = B; model B = A; model M\n  A a; end M;", 2, "in terms of itself", "another class"},
    {FUNCTIONS "model M import P.*;\n  C c[endless(3)]; end M;", 10, "endless(3) decides what",
     "too many steps"},
    {FUNCTIONS "model M import P.*;\n  C c[gcd(3)]; end M;", 10, "gcd(3) decides what",
     "argument has no fitting"},
    {FUNCTIONS "model M import P.*;\n  C c[gcd(1.5, 3)]; end M;", 10, "gcd(1.5, 3) decides what",
     "fitting"},
    {FUNCTIONS "model M import P.*;\n  C c[odd(3)]; end M;", 10, "odd(3) is not a size",
     "whole number"},
    {FUNCTIONS "model M import P.*;\n  C c[first({3, 4})]; end M;", 10, "first({3, 4}) decides",
     "no arrays"},
    {CLASS_C "model M\n  C c[2](R = {1, 2, 3}); end M;", 4,
     "R has 3 values for the 2 elements of c", "each"},
    {CLASS_C "model M\n  C c[3](R = linspace(1, 5, 5)); end M;", 4, "R has 5 values for the 3",
     NULL},
    {CLASS_C "model M\n  C c[2](x(start = {5, 6, 7})); end M;", 4, "start has 3 values for the 2",
     NULL},
    {CLASS_C "model M\n  C c[2](R = {1}); end M;", 4, "R has 1 value for the 2", NULL},
    {CLASS_C "model M\n  C c[2, 2](R = {{1, 2, 3}, {4, 5, 6}}); end M;", 4,
     "R has 3 values for the 2", NULL},
    {CLASS_C "model D C c[2]; end D; model M\n  D d[3](c(R = {{1}, {2}, {3}})); end M;", 4,
     "R has 1 value for the 2 elements of d[1].c", NULL},
    {CLASS_C "model A extends C(R = 2); end A; model B extends C(R = 3); end B;\n"
             "model D extends A; extends B; end D; model M D d; end M;",
     1, "C is extended in two ways", "same modifiers"},
    {"package P model A Real x = 2; end A; end P; package R model A Real x = 3; end A; end R;\n"
     "model M import P.*; import R.*;\n  A a; end M;",
     3, "A may mean P.A or R.A", "import one of them"},
    {CLASS_C "model M\n  C c[k]; Real k; equation k = 2; end M;", 4, "k decides what",
     "changes with time"},
    {CLASS_C "model M\n  C c[k]; parameter Integer k = k + 1; end M;", 4, "k decides what",
     "follows from itself"},
    {CLASS_C "model M parameter Boolean b = false; C c if b;\n  Real y = c.x; end M;", 4,
     "c does not exist: its condition is false", "connections alone"},
    {PIN "model C Pin p; end C; model M C a, b;\nequation\n  connect(a.p, b);\nend M;", 4,
     "b is no connector", NULL},
    {PIN "model C Pin p; end C; model M C a, b;\nequation\n  connect(a.p.v, b.p.v);\nend M;", 4,
     "a.p.v is no connector", NULL},
    {PIN "model C Pin p; end C; model D C c; end D; model M D d; C a;\nequation\n"
         "  connect(a.p, d.c.p);\nend M;",
     4, "d.c.p lies in d.c", "of its components"},
    {PIN "connector Q Real v; end Q; model C Pin p; Q q; end C; model M C a, b;\nequation\n"
         "  connect(a.p, b.q);\nend M;",
     4, "a.p and b.q cannot be connected", NULL},
    {PIN "model C Pin p[2], q[3]; end C; model M C a, b;\nequation\n  connect(a.p, b.q);\nend M;",
     4, "sizes of the connected arrays differ", NULL},
    {PIN "model C Pin p; end C; model M C a, b; equation\n  when time > 1 then\n"
         "    connect(a.p, b.p); end when; end M;",
     3, "a connection in a when", "hold always"},
    {"model C Real y; equation\n  y = inStream(y); end C; model M C c; end M;", 2,
     "inStream is not supported yet", "one way"},
    {HANDED "model C Real y = F(1); end C; model M\n  C c; end M;", 2, "F is partial",
     "extends it"},
    {"function p input Real u; output Real y = u; end p; function q = p(b = 1);\n"
     "model M Real y = q(1); end M;",
     1, "p has no component b", NULL},
    {CLASS_C "model M\n  C c(R = 1, R = 2); end M;", 4, "R is modified twice", "one of them"},
    {CLASS_C "model M\n  C c(x(start = 1), x.start = 2); end M;", 4, "start is modified twice",
     NULL},
    {CLASS_C "model M\n  parameter C c; end M;", 4, "c is a component and has no prefix", NULL},
    {"model C\n  constant Real k = 1; Real y = f(time);\n  function f input Real u; output Real "
     "y;\n"
     "  algorithm y := k*u; end f; end C; model M C c(k = 2); end M;",
     2, "a component modifies k", "a parameter"},
    {"model C Real y; equation if Modelica.Math.Vectors.interpolate({0, 1}, {0, 2}, time) > 1 then "
     "y = 1;\n"
     "else y = 2; end if; annotation(__daedal(interpolation = \"steps\")); end C; model M C c; end "
     "M;",
     1, "a table whose curve is chosen, in a condition", "variable of its own"},
    {"model M Nosuch n; import A.B; Real x = A.B.y;\n  extends P.Q; end M;", 1,
     "Nosuch is not declared", "beside it"},
};

START_TEST(refusals_name_line_and_remedy)
{
    const refusal *c = &refusals[_i];
    flattened f;
    char begins[32];
    flatten_text(&f, c->text);
    const char *said = message_string(&f.m);
    ck_assert_msg(f.status == DAE_MODEL_ERROR, "%s", c->text);
    (void)snprintf(begins, sizeof begins, "m.mo:%u:", c->line);
    const char *what = strstr(said, c->what), *line = what;
    ck_assert_msg(what != NULL, "%s\nnot \"%s\":\n%s", c->text, c->what, said);
    while (line > said && line[-1] != '\n') line--;
    ck_assert_msg(strncmp(line, begins, strlen(begins)) == 0, "%s\nnot %s\n%s", c->text, begins,
                  said);
    ck_assert_msg(!c->remedy || strstr(what, c->remedy), "%s\nno remedy \"%s\":\n%s", c->text,
                  c->remedy ? c->remedy : "", said);
    close_flattened(&f);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("texts");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, facts_of_flat_texts, 0, sizeof facts / sizeof *facts);
    tcase_add_loop_test(tests, refusals_name_line_and_remedy, 0,
                        sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, lines_know_where_they_come_from);
    tcase_add_test(tests, mistakes_of_equations_are_told_at_their_lines);
    return unit_run("hierarchy/texts", tests);
}
