/* Records: values of their components against numbers by hand, what their equations become, and
 * what is said of mistakes. */
#include "wrong.h"

#include <math.h>

/* Declarations, an expression, and its value at time 0.5, where unknowns are 1, 2, 3, ... in order
 * of declaration; those of an array of records component by component. */
typedef struct fact {
    const char *declarations, *expression;
    double value;
} fact;

#define POINT "record P Real x; Real y = 3; end P; "
#define LINE  POINT "record L P a(x = 7); P b[2]; parameter Integer n = 2; Real v[n]; end L; "
#define FREE  "record F Real x; Real y; end F; "

static const fact facts[] = {
    /* variables */
    {FREE "F p; F q;", "p.x + 10*p.y + 100*q.x + 1000*q.y", 4321},
    {FREE "F p[2]; Real z;", "p[1].x + 10*p[2].x + 100*p[1].y + 1000*p[2].y + 10000*z", 54321},
    {FREE "F p[3];", "p.x*{1, 10, 100} + sum(p[:].y) + p[end].y + sum(p[2:3].x)", 321 + 15 + 6 + 5},
    {FREE "F p[2, 3];", "p[2, 1].x + 10*sum(p[1, :].x) + 100*size(p, 2) + 1000*ndims(p)",
     4 + 60 + 300 + 2000},
    {FREE "F[2] p[3];", "10*size(p, 1) + size(p.x, 2)", 32},
    {FREE "type G = F; G p; F q;", "p.x + 10*q.y", 41},
    {"record V Real u[2]; Real w; end V; V p[2];",
     "p[1].u[2] + 10*p[2].u[1] + 100*p[2].w + 1000*sum(p[2].u)", 2 + 30 + 600 + 7000},
    {"record V parameter Integer n = 2; Real u[n]; end V; V p(n = 3);",
     "size(p.u, 1) + 10*p.u[3] + 100*p.n", 333},
    {"record V Integer n; Real u[n]; end V; parameter V p(n = 2, u = {4, 5});",
     "p.u*{1, 10} + 100*p.n", 254},
    {"record A Real x; end A; record B A a[2]; A c; end B; B b[2];",
     "b[1].a[2].x + 10*b[2].a[1].x + 100*b[2].c.x + 1000*sum(b[2].a.x)", 2 + 30 + 600 + 7000},
    /* parameters, constants, defaults and modifiers */
    {POINT "parameter P p(x = 2);", "p.x + 10*p.y", 32},
    {POINT "parameter P p = P(2, 4);", "p.x + 10*p.y", 42},
    {POINT "constant P p = P(y = 4, x = 2);", "p.x + 10*p.y", 42},
    {POINT "constant P p = P(2); parameter P q = p;", "q.x + 10*q.y", 32},
    {POINT "parameter P p[2](x = {1, 2}, each y = 5);", "p.x*{1, 10} + 100*sum(p.y)", 1021},
    {POINT "parameter P p[2](x = {1, 2});", "p.x*{1, 10} + 100*sum(p.y)", 621},
    {POINT "parameter P p[:] = {P(1, 2), P(3, 4)};", "p.x*{1, 10} + p.y*{100, 1000}", 4231},
    {POINT "parameter P p[2] = fill(P(1, 2), 2);", "sum(p.x) + 10*sum(p.y)", 42},
    {POINT "parameter P p[2] = P({1, 2});", "p.x*{1, 10} + 100*sum(p.y)", 621},
    {"record R Real a; Real b = a^2; Real c = a*b; end R; parameter R r(a = 3);", "r.b + 10*r.c",
     9 + 270},
    {"record R Real a[2]; Real b = a*a; end R; parameter R r[2](a = {{1, 2}, {3, 4}});",
     "r.b*{1, 100}", 5 + 2500},
    {"record R final parameter Real a = 2; Real b = a; end R; parameter R r[:] = {R(1), R()};",
     "sum(r.a) + 10*r[1].b + 100*r[2].b", 4 + 10 + 200},
    {"record R parameter Integer n = 2; Real u[n]; end R; R r[2](each n = 3);",
     "size(r.u, 2) + 10*r[2].u[3]", 63},
    {POINT "record Q = P(x = 1, y = 2); record S = Q(y = 5); parameter S p; parameter Q q[2](x = "
           "{6, 7});",
     "p.x + 10*p.y + 100*sum(q.x) + 10000*sum(q.y)", 1 + 50 + 1300 + 40000},
    {POINT "record Q = P; parameter Q p = Q(1); parameter P q = Q(3, 4);", "p.y + 10*q.y", 43},
    {POINT "type Q = P[2](x = 1); record B Q q(each y = 4); end B; parameter B b;",
     "sum(b.q.x) + 10*sum(b.q.y)", 2 + 80},
    {"type E = enumeration(p, q); record R Real a = 2; Real b = 3*a; end R; parameter R r[E](a = "
     "{1, 2});",
     "r[E.q].b + 10*size(r.b, 1)", 26},
    {"constant Real k = 5; record R Real a = k; end R; parameter R r;", "r.a", 5},
    {"record R parameter Real a = 2; final constant Integer n = 3; Real x; end R; R r;",
     "r.a + 10*r.n + 100*r.x", 132},
    {LINE "parameter L l(b = {P(1), P(2)}, v = {8, 9}, a.y = 4);",
     "l.a.x + 10*l.a.y + 100*l.b[2].x + 1000*sum(l.v)", 7 + 40 + 200 + 17000},
    {LINE "parameter L l = L(P(1, 2), {P(3, 4), P(5, 6)}, 1, {9});",
     "l.a.y + 10*l.b[2].x + 100*l.n + 1000*l.v[1]", 2 + 50 + 100 + 9000},
    {LINE "parameter L l(a = P(1, 2), b(x = {3, 4}), v = {0, 0});",
     "l.a.x + 10*l.b[2].x + 100*sum(l.b.y)", 1 + 40 + 600},
    {LINE "parameter L l[2](each b(each x = 4), each v = {1, 2});",
     "sum(l.b.x) + 100*sum(l.v) + 1000*sum(l.a.x)", 16 + 600 + 14000},
    {"type E = enumeration(p, q); record R E e = E.q; Boolean b; String s = \"t\"; end R; "
     "parameter R r(b = true);",
     "Integer(r.e) + (if r.b and r.s == \"t\" then 10 else 0)", 12},
    {"record C Real re; Real im; end C; parameter C c(re = 1, im = 2);", "c.re + 10*c.im", 21},
    {"record R Real a = 2; end R; record S R r = R(5); R q; end S; parameter S s; parameter S "
     "t(r(a "
     "= 6));",
     "s.r.a + 10*s.q.a + 100*t.r.a", 5 + 20 + 600},
    {"record R parameter Real x[:]; parameter Real y[size(x, 1)] = x; end R; parameter R r = R(x = "
     "{1, 2});",
     "r.y*{1, 10}", 21},
    {"record R Real n[2]; end R; parameter Real r[2] = (R({1, 2})).n;", "r*{1, 10}", 21},
    {POINT "P p = if time > 1 then P(1, 2) elseif time > 0.4 then P(time, 4) else P(5, 6);",
     "(if time > 1 then P(1, 2) elseif time > 0.4 then P(time, 4) else P(5, 6)).x", 0.5},
    /* quoted names, and names with dots in them */
    {"record 'R.S' Real 'x'; Real 'y z'; end 'R.S'; 'R.S' 'r';", "'r'.'x' + 10*'r'.'y z'", 21},
    {"record 'R.S' Real 'x'; end 'R.S'; 'R.S' 'a.r'[2];", "'a.r'[1].'x' + 10*'a.r'[2].'x'", 21},
    {FREE "F a.r; F b.c[2];", "a.r.x + 10*a.r.y + 100*b.c[2].y", 1 + 20 + 600},
    {FREE "Lib.F p; record Lib.F Real z; end Lib.F;", "p.z", 1},
    {FREE "parameter F 'a.r' = 'M.F'(1, 2);", "'a.r'.y", 2},
    {"record A Real x; end A; record B A a; end B; B b; Real c.x;", "b.a.x + 10*c.x", 21},
    /* a record whose components alone are declared */
    {FREE "Real r.x; Real r.y; function f input F p; output Real z = p.x + 10*p.y; end f;", "f(r)",
     21},
    {FREE
     "Real r[1].x; Real r[1].y; Real r[2].x; Real r[2].y; function f input F p[2]; output Real "
     "z = p[2].x + 10*p[1].y; end f;",
     "f(r) + 100*r[2].y + sum(r[i].x for i in 1:2)", 3 + 20 + 400 + 4},
    {"Real a.r.v[1]; Real a.r.v[2]; Real a.r.w.z; record W Real z; end W; record R W w; Real v[:]; "
     "end R; function f input R r; output Real y = r.w.z + 10*size(r.v, 1); end f;",
     "f(a.r)", 23},
    /* a record whose constructor alone is declared */
    {"function Lib.C \"constructor\" input Real re; input Real im = 3; output C res; end Lib.C; "
     "function f input C c; output C d; algorithm d := Lib.C(c.im, 2*c.re); end f; "
     "C c = Lib.C(time);",
     "(f(Lib.C(1, 2))).re + 10*(f(Lib.C(1))).im + 100*(f(Lib.C(1))).re", 2 + 20 + 300},
    {"record R Real x; end R; function R input Real x; output R res; end R; parameter R r = R(4);",
     "r.x", 4},
    {"record R Real x; final constant Integer n = 3; end R; parameter R r = R(4, 3);",
     "r.x + 10*r.n", 34},
    {"record C Real re; Real im; end C; function C.'constructor'.fromReal input Real re; input "
     "Real "
     "im = 0; output C result = C.'constructor'.fromReal(re, im); algorithm end "
     "C.'constructor'.fromReal;",
     "(C.'constructor'.fromReal(2)).re + (C.'constructor'.fromReal(2, 3)).im", 5},
};

#define SWAP POINT "function s input P p; output P q; algorithm q.x := p.y; q.y := p.x; end s; "

static const fact functions[] = {
    {SWAP, "(s(P(1, 2))).x + 10*(s(P(1, 2))).y", 12},
    {SWAP "P p = s(P(time));", "(s(s(P(1, 2)))).x", 1},
    {POINT "function f input P p = P(1, 2); output Real y = p.x + 10*p.y; end f;",
     "f() + 100*f(P(4))", 21 + 3400},
    {POINT "function f input Real u; output Real y; protected P p; P q = P(u, 2*u); P r[2]; "
           "algorithm p := q; p.x := 3*p.x; r[1] := p; r[2] := q; r[2].y := 5; "
           "y := p.x + 10*sum(r.x) + 100*r[2].y + r[1].y; end f;",
     "f(1)", 3 + 40 + 500 + 2},
    {POINT "function f input Real u; output P p; algorithm if u > 0 then p := P(u, 1); else p.x := "
           "-u; p.y := 2; end if; end f;",
     "(f(time)).x + 10*(f(time)).y + 100*(f(-time)).y", 0.5 + 10 + 200},
    {POINT "function f input Integer n; output P p[n]; algorithm for i in 1:n loop p[i] := P(i, "
           "i^2); end for; end f;",
     "(f(3)).x*{1, 10, 100} + ((f(3))[2]).y", 321 + 4},
    {POINT "function f input P p; output Real a; output P q; algorithm a := 1; q := P(p.y, p.x); "
           "end f; function g input Real u; output Real y; protected Real a; P p; algorithm (a, p) "
           ":= f(P(u, 5)); y := a + 10*p.x + p.y; end g;",
     "g(2)", 1 + 50 + 2},
    {POINT "function f input P p; output Real y = p.x + p.y; end f;",
     "f({P(1, 2), P(3, 4)})*{1, 10} + sum(f(fill(P(0, 1), 3)))", 73 + 3},
    {POINT "function f input P p[:]; output Real y = size(p, 1) + p[end].x; end f;",
     "f({P(1), P(2), P(9)})", 12},
    {LINE "function f input L l; output Real y = l.b[2].x + 10*sum(l.v) + 100*l.a.y; end f;",
     "f(L(P(1, 2), {P(3), P(4)}, 3, {1, 2, 3}))", 4 + 60 + 200},
    {"record C Real re; Real im; end C; function '*' input C a; input C b; output C c; algorithm c "
     ":= C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end '*';",
     "('*'(C(1, 2), C(3, 4))).re + 100*('*'(C(1, 2), C(3, 4))).im", -5 + 1000},
    {POINT "function f input Real u; output P p(x = 2*u); output P q = p; end f; "
           "function g input Real u; output P p(x = u, y = 2*u); end g;",
     "(f(3)).x + 10*(f(3)).y + 100*(g(4)).y", 6 + 30 + 800},
    {POINT "constant P c = P(2, 4); function f input Real u; output Real y = u*c.y; end f;", "f(3)",
     12},
    {"record R Real x; parameter Real k = 2; end R; function f input R r; output R s; algorithm s "
     ":= r; s.x := s.k*r.x; end f;",
     "(f(R(3))).x + 10*(f(R(3, 5))).x + 1000*(f(R(3, 5))).k", 6 + 150 + 5000},
};

static void check_fact(const fact *f)
{
    char string[2048];
    snprintf(string, sizeof string, "model M %s Real r0; equation r0 = %s; end M;", f->declarations,
             f->expression);
    reading r;
    read_right(&r, string);
    double value = value_of(&r, right_side(&r, "r0"));
    ck_assert_msg(fabs(value - f->value) <= 1e-13 * (1 + fabs(f->value)), "%s %s: %.17g, not %.17g",
                  f->declarations, f->expression, value, f->value);
    close_reading(&r);
}

START_TEST(components)
{
    check_fact(&facts[_i]);
}
END_TEST

START_TEST(in_functions)
{
    check_fact(&functions[_i]);
}
END_TEST

/* Models, and the equations that they become, one a line. */
static const struct {
    const char *model, *equations;
} flattened[] = {
    {"model M " FREE "F p; F q = F(1, time); equation p = q; end M;",
     "q.x = 1\nq.y = time\np.x = q.x #1\np.y = q.y #2\n"},
    {"model M " FREE "F p; equation F(1, 2*time) = p; end M;", "1 = p.x #1\n2*time = p.y #2\n"},
    {"model M " POINT "P p(x(start = 2, fixed = true)); equation der(p.x) = -p.y*p.x; end M;",
     "p.y = 3\nder(p.x) = -p.x*p.y\n"},
    {"model M " FREE "F p[2]; equation for i in 1:2 loop p[i] = F(i, time); end for; end M;",
     "p[1].x = 1 #1\np[1].y = time #2\np[2].x = 2 #3\np[2].y = time #4\n"},
    {"model M " FREE "F p[2]; equation p = {F(1, 2), F(3, time)}; end M;",
     "p[1].x = 1 #1\np[2].x = 3 #2\np[1].y = 2 #3\np[2].y = time #4\n"},
    {"model M " FREE "F p[2]; equation p.x = {1, 2}; p[1].y = 3; p[2].y = p[1].y; end M;",
     "p[1].x = 1 #1\np[2].x = 2 #2\np[1].y = 3\np[2].y = p[1].y\n"},
    {"model M " FREE "F p; equation p = if time > 1 then F(1, 2) else F(3, 4); end M;",
     "p.x = if 1 < time then 1 else 3 #1\np.y = if 1 < time then 2 else 4 #2\n"},
    {"model M " FREE "F p; equation if time > 1 then p = F(1, 2); else p.y = 3; p.x = 4; end if; "
     "end M;",
     "p.x = if 1 < time then 1 else 4 #1\np.y = if 1 < time then 2 else 3 #2\n"},
    {"model M record R Real x; constant Integer n = 3; parameter Real k = 2; end R; R p; equation "
     "p = R(time, 3, 2); end M;",
     "p.x = time\n"},
    {"model M " FREE "Real r.x; Real r.y; function f input F a; output F b = F(a.y, 2); end f; "
     "equation r = f(r); end M;",
     "r.x = r.y #1\nr.y = 2 #2\n"},
    {"model M " FREE "function f input Real u; output Real a; output F p = F(u, 2); algorithm a := "
     "7; end f; F p; Real a; equation (a, p) = f(time); end M;",
     "a = 7 #1\np.x = time #2\np.y = 2 #3\n"},
    {"model M " FREE "F p; F q; algorithm p := F(time, 2); q := p; q.x := 2*p.x; end M;",
     "p.x = time #1\np.y = 2 #2\nq.x = 2*time\nq.y = 2\n"},
    {"model M " FREE "Real r.x; Real r.y; algorithm r := F(time, 2); r.y := 3*r.x; end M;",
     "r.x = time\nr.y = 3*time\n"},
    {"model M " FREE "Real r.x; final constant Real r.y = 2; algorithm r := F(time, 2); end M;",
     "r.x = time\n"},
    {"//! base 0.1.0\npackage 'M' record 'R' Real 'x'; Real 'z'[2]; end 'R'; model 'M' 'R' "
     "'m.r'('x'(start = 1.0) = 1.0, 'z'(start = {1.0, 2.0})); equation 'm.r'.'z' = {time, 2.0}; "
     "end "
     "'M'; end 'M';",
     "m.r.x = 1\nm.r.z[1] = time #1\nm.r.z[2] = 2 #2\n"},
    {"model M record E end E; E e; E f[3]; Real x = 1; equation e = E(); f = fill(E(), 3); end M;",
     "x = 1\n"},
};

START_TEST(equations)
{
    reading r;
    text t = {0};
    read_right(&r, flattened[_i].model);
    for (size_t i = 0; i < r.system->equation.count; i++) {
        const sym_equation *e = &r.system->equation.item[i];
        print_equation(&r, e, &t);
        text_format(&t, e->element ? " #%u\n" : "\n", (unsigned)e->element);
    }
    ck_assert_msg(strcmp(text_string(&t), flattened[_i].equations) == 0, "%s\n%s",
                  flattened[_i].model, text_string(&t));
    text_free(&t);
    close_reading(&r);
}
END_TEST

/* The attributes of components. */
START_TEST(attributes)
{
    reading r;
    read_right(&r, "model M record R Real x(start = 1, unit = \"m\", nominal = 10); Real y(start = "
                   "x0); parameter Real x0 = 4; end R;\n"
                   "R a; R b(x(start = 2, fixed = true), x0 = 5); R c[2](x(start = {6, 7}), each "
                   "y(fixed = true), x0 = {8, 9}); R d[2](each x.start = 3);\n"
                   "equation der(a.x) = a.y; a.y = b.y; b.x = b.y; der(b.x) = 0; der(c.x) = c.y; "
                   "der(c.y) = -c.x; d.x = d.y; der(d.x) = d.y; end M;");
    static const struct {
        const char *name;
        double start;
        bool fixed;
    } wanted[] = {
        {"a.x", 1, false},    {"a.y", 4, false},    {"b.x", 2, true},    {"b.y", 5, false},
        {"c[1].x", 6, false}, {"c[2].x", 7, false}, {"c[1].y", 8, true}, {"c[2].y", 9, true},
        {"d[1].x", 3, false}, {"d[2].x", 3, false},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const sym_unknown *u = unknown_called(&r, wanted[i].name);
        ck_assert_msg(u->start_given && u->start == wanted[i].start && u->fixed == wanted[i].fixed,
                      "%s: start %g, fixed %d", wanted[i].name, u->start, u->fixed);
        if (strchr(u->name, 'x')) ck_assert_str_eq(u->unit, "m");
        if (strchr(u->name, 'x')) ck_assert_double_eq(u->nominal, 10);
    }
    close_reading(&r);
}
END_TEST

/* A function in the value of a record is run once, and so are its asserts. */
START_TEST(values_are_evaluated_once)
{
    reading r;
    read_right(&r,
               "model M record R Real a; Real b; Real c; end R; function f input Real u; output "
               "R r; algorithm assert(u > -1, \"u\"); r := R(u, 2*u, 3*u); end f; "
               "R r = f(time); end M;");
    ck_assert_uint_eq(r.system->assertion.count, 1);
    close_reading(&r);
    char nested[4096] = "model M record R Real a; Real b; Real c; Real d; end R;\n"
                        "function f0 input R p; output R q = R(p.b, p.c, p.d, p.a); end f0;\n";
    for (int i = 1; i <= 12; i++) /* 4^12 runs of f0 otherwise */
        snprintf(
            nested + strlen(nested), sizeof nested - strlen(nested),
            "function f%d input R p; output R q; protected R s = f%d(p); algorithm q := s; end "
            "f%d;\n",
            i, i - 1, i);
    strcat(nested, "R r = f12(R(time, 2, 3, 4)); end M;");
    read_right(&r, nested);
    ck_assert_double_eq(value_of(&r, right_side(&r, "r.a")), 2);
    close_reading(&r);
}
END_TEST

static const struct {
    const char *name, *value;
    double x;
} settings[] = {
    {"p.k", "5", 5 + 60},         {"p.y", "7", 2 + 60},        {"q[2].k", "9", 2 + 90},
    {"'p'.'k'", "4", 4 + 60},     {"'q'[2].'k'", "8", 2 + 80}, {"q[ 2 ].k", "9", 2 + 90},
    {"v[2].u[1]", "3", 62 + 300},
};

START_TEST(settings_of_components)
{
    const model_setting setting = {settings[_i].name, settings[_i].value};
    const char *string =
        "model M record R parameter Real k = 2; Real y(start = 1); end R; record V "
        "parameter Real u[2] = {0, 0}; end V; V v[2]; R p; R q[2](k = {5, 6}); "
        "Real x; equation x = p.k + 10*q[2].k + 100*v[2].u[1]; p.y = 1; q.y = {1, "
        "2}; end M;";
    reading r;
    read_bytes(&r, "m.mo", string, strlen(string), 1, &setting);
    ck_assert_msg(r.status == DAE_OK, "%s: %s", setting.name, message_string(&r.m));
    ck_assert_double_eq(value_of(&r, right_side(&r, "x")), settings[_i].x);
    if (strcmp(setting.name, "p.y") == 0) ck_assert_double_eq(unknown_called(&r, "p.y")->start, 7);
    close_reading(&r);
}
END_TEST

static const wrong mistakes[] = {
    {"model M " POINT "P p; equation p.x = p.yy; end M;", 1, 67, "the record P has no component yy",
     "its components: x, y"},
    {"model M " POINT "P p(xx = 1); end M;", 1, 49, "the record P has no component xx",
     "its components: x, y"},
    {"model M " POINT "P p = P(z = 1); end M;", 1, 57, "P has no input z", "its inputs: x, y"},
    {"model M " POINT "P p = P(1, 2, 3); end M;", 1, 59, "too many arguments for P", "x, y"},
    {"model M " POINT "P p = P(y = 2); end M;", 1, 51, "the input x of P is missing", "x, y"},
    {"model M " POINT "P p = 3; end M;", 1, 51, "3 is Integer, a value of P is needed", "P(...)"},
    {"model M " POINT "P p = P({1, 2}, 3); end M;", 1, 51, "p.x is a scalar, but its value is [2]",
     "size"},
    {"model M " POINT "P p = P(true, 3); end M;", 1, 53, "x is Real, but its value is Boolean",
     "number"},
    {"model M " POINT "P p; equation p = 3; end M;", 1, 59, "differ in type: P = Integer", NULL},
    {"model M " POINT FREE "F p; Real x; equation p = F(1, 2); x = p + 1; end M;", 1, 116,
     "p is F, a number is needed", NULL},
    {"model M " POINT "P p; Real x; equation x = sin(p); end M;", 1, 75, "p is P, a number", NULL},
    {"model M " POINT "P p; Real x; equation x = sum(p); end M;", 1, 75, "p is P", NULL},
    {"model M " POINT "P p; Real x; equation x = der(p); end M;", 1, 75, "p is P", NULL},
    {"model M " POINT "P p; Boolean b = p == p; end M;", 1, 62, "cannot compare P", NULL},
    {"model M record Q Real a; end Q; " POINT "P p; Q q; equation p = q; end M;", 1, 88,
     "differ in type: P = Q", NULL},
    {"model M record R parameter Integer n = 2; Real u[n]; end R; R r[2](n = {2, 3}); end M;", 1,
     50, "components differ in size", "one by one"},
    {"model M record R R r; Real x; end R; R r; end M;", 1, 16, "the record R contains itself",
     "never one of its own"},
    {"model M record A B b; end A; record B A a; end B; A a; end M;", 1, 16,
     "the record A contains itself", NULL},
    {"model M " POINT "P p(x = 1, x = 2); end M;", 1, 56, "x is given twice", NULL},
    {"model M " POINT "P p(x = 1) = P(2, 3); end M;", 1, 49, "x is given twice", "leave one"},
    {"model M record R final parameter Real k = 1; end R; R r(k = 2); end M;", 1, 57,
     "k is final in its record", "leave the value out"},
    {"model M record R Real x; constant Integer n = 3; end R; R r; equation r = R(1, 4); end M;", 1,
     71, "the sides of this equation differ in n", "where it is declared"},
    {"model M " FREE "F p[2]; Real y = p[3].x; end M;", 1, 60,
     "subscript 3 is out of bounds 1:2 in p[3].x", NULL},
    {"model M " FREE "F p; Real y = p[1].x; end M;", 1, 55, "1 subscript for p", NULL},
    {"model M " FREE "F p; Real y = p.x.z; end M;", 1, 59, "p.x is a Real and has no component z",
     NULL},
    {"model M " FREE "F p; F q[2]; equation q = {p, 3}; p = F(1, 2); end M;", 1, 71,
     "the elements differ in type: F before, Integer here", NULL},
    {"model M " FREE "F p[2]; equation p = [F(1, 2), F(3, 4)]; end M;", 1, 63,
     "records cannot be joined", "{a, b}"},
    {"model M " FREE "F p; Real p.x; equation p = F(1, 2); end M;", 1, 51,
     "p.x is already declared in line 1", NULL},
    {"model M " FREE "function f input F p; output Real y; algorithm p.x := 1; y := 2; end f; Real "
     "y = f(F(1, 2)); end M;",
     1, 88, "p.x is an input", NULL},
    {"model M " FREE "function f input Real u; output F p; algorithm p.x := u; end f; F p = f(1); "
     "end M;",
     1, 111, "the output p.y of f gets no value", NULL},
    {"model M " FREE "function f input Real u; output Real y; protected F p; algorithm p.x := 1; y "
     ":= p.y; end f; Real y = f(1); end M;",
     1, 121, "p.y is used before it has a value", NULL},
    {"model M " FREE "function f input Real u; output Real y; protected F p; F q; algorithm p.x := "
     "1; q := p; y := q.x; end f; Real y = f(1); end M;",
     1, 126, "p.y is used before it has a value", NULL},
    {"model M " FREE "function f input F p; output F q = p; end f; Real y = f(F(1, 2)).x; end M;",
     1, 105, "a component of the result of a call needs parentheses", "write (f(F(1, 2))).x"},
    {"model M " FREE "partial function f input F p; output Real y; end f; Real y = f(F(1, 2)); end "
     "M;",
     1, 102, "the function f is partial", NULL},
    {"model M Real x = 1; Real y = (x).z; end M;", 1, 34, "(x) is Real and has no component z",
     NULL},
    {"model M record R Real x; equation x = 1; end R; R r; end M;", 1, 16,
     "the record R has equations", "in the model"},
    {"model M record R Real x; end R; function f input R r; output Real y = r.x; end f; Real q.z; "
     "Real y; equation q.z = 1; y = f(q); end M;",
     1, 125, "r is R, but its value is q", NULL},
    {"model M " FREE "Real y; equation for p in {F(1, 2)} loop y = 1; end for; end M;", 1, 67,
     "a vector of numbers is needed", NULL},
};

START_TEST(messages)
{
    reading r;
    read_wrong(&r, &mistakes[_i]);
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, components, 0, sizeof facts / sizeof *facts);
    tcase_add_loop_test(tests, in_functions, 0, sizeof functions / sizeof *functions);
    tcase_add_loop_test(tests, equations, 0, sizeof flattened / sizeof *flattened);
    tcase_add_test(tests, attributes);
    tcase_add_test(tests, values_are_evaluated_once);
    tcase_add_loop_test(tests, settings_of_components, 0, sizeof settings / sizeof *settings);
    tcase_add_loop_test(tests, messages, 0, sizeof mistakes / sizeof *mistakes);
    return unit_run("model/records", tests);
}
