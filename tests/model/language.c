/* What the language means: values of expressions against numbers by hand, and what equations
 * become. */
#include "reading.h"

#include <math.h>

/* Declarations, an expression, and its value at time 0.5, where unknowns are 1, 2, 3, ... in order
 * of declaration and their derivatives ten times that. */
typedef struct fact {
    const char *declarations, *expression;
    double value;
} fact;

#define MATRIX "parameter Real A[2, 3] = {{1, 2, 3}, {4, 5, 6}}; "

static const fact facts[] = {
    /* numbers and arithmetic */
    {"", "1 + 2*3", 7},
    {"", "7 - 2 - 3", 2},
    {"", "-2^2", -4},
    {"", "(-2)^2", 4},
    {"", "2*(-3)", -6},
    {"", "12/2/3", 2},
    {"", "1/2", 0.5},
    {"parameter Integer n = 1;", "n/2", 0.5},
    {"", "1.5e-3 + 1E2 + 2. + 10", 112.0015},
    {"", "0.1 + 0.2 - 0.3", 0},
    {"Real x = 0;", "x^0", 1},
    {"", "0^0", 1},
    {"", "+3 - (+2)", 1},
    {"", "(1e-20*exp(92.103403719761827*time))^24", 1},
    {"", "(exp(-200*time)/exp(-202*time))^96*exp(-96)", 1},
    {"", "2 .* 3 ./ 4 .+ 1 .- 0.5 .^ 2", 2.25},
    /* elementary functions */
    {"", "sin(time)", 0.479425538604203},
    {"", "cos(0) + tan(0) + asin(0) + acos(1) + atan(0)", 1},
    {"", "atan2(1, -1)", 2.35619449019234},
    {"", "sinh(1) + cosh(1)", 2.718281828459045},
    {"", "tanh(0) + exp(0) + log(1) + log10(1000)", 4},
    {"", "sqrt(time)", 0.7071067811865476},
    {"", "abs(-time) + sign(-time)", -0.5},
    {"", "min(time, 2) + max(time, 2)", 2.5},
    {"", "floor(-1.5) + ceil(-1.5)", -3},
    {"", "integer(2.7) + integer(-2.2)", -1},
    {"", "mod(-5, 3)", 1},
    {"", "mod({5, -5}, {3, 4})*{1, 10}", 32},
    {"", "rem({-5, 7.5}, 2)*{1, 10}", 14},
    {"", "div(7, {2, 3, 4})*{100, 10, 1}", 321},
    {"Real x[2] = atan2({1, 0}, {1, 1});", "size(atan2(x, 1), 1) + 4*atan2({1, 0}, 1)*{1, 5}",
     5.14159265358979324},
    {"parameter Boolean b[2] = {3 > 4, 3 < 4}; parameter Boolean c[2] = not b;",
     "if c[1] and not c[2] then 1 else 0", 1},
    {"parameter Boolean b[3] = ({true, false, true} and {true, true, false}) or {false, true, "
     "false};",
     "sum(if b[i] then 10^i else 0 for i in 1:3)", 110},
    {"", "rem(-5, 3)", -2},
    {"", "div(-5, 3)", -1},
    {"", "mod(5.5, 2)", 1.5},
    {"", "noEvent(floor(7*time) + mod(time, 0.2))", 3.1},
    {"", "homotopy(simplified = 1, actual = time)", 0.5},
    {"", "homotopy(smooth(0, if time > 1 then 2 else 3), 7)", 3},
    {"", "semiLinear(time, 3, 5) + semiLinear(-time, 3, 5)", -1},
    {"Real x;", "der(x^2)", 20},
    {"Real x;", "der(sin(time)*x)", 10 * 0.479425538604203 + 0.877582561890373},
    {"", "der(3) + der(time)", 1},
    {"constant Real 'Modelica.Constants.pi' = 3;", "'Modelica.Constants.pi' + Modelica.Constants.e",
     3 + 2.718281828459045},
    /* conversions of units */
    {"", "Modelica.Units.Conversions.from_degC(20) + Modelica.Units.Conversions.to_degC(300)", 320},
    {"", "Modelica.Units.Conversions.from_degF(212) - Modelica.Units.Conversions.from_degC(100)",
     0},
    {"", "Modelica.Units.Conversions.to_degF(310.15)", 98.6},
    {"", "Modelica.Units.Conversions.from_rpm(60) - 2*Modelica.Constants.pi", 0},
    {"", "sum(Modelica.SIunits.Conversions.to_bar({2e5, 3e5}))", 5},
    {"Real x;", "Modelica.Units.Conversions.from_kmh(36*x)", 10},
    /* names as flat models have them */
    {"Real a.b[1].c; Real a.b[2].c;", "a.b[1].c + 10*a.b[2].c", 21},
    {"Real a.b[2]; Real a.c;", "a.b[1] + 10*a.b[2] + 100*a.c", 321},
    {"Real 'x y'.z; Real x.'w'[3].v;", "'x y'.z + 10*x.w[3].v + 100*'x.w[3].v'", 221},
    {"Real x[1]; Real x[2]; Real x[3];", "x[1] + 10*x[2] + 100*x[3]", 321},
    {"Real x[1]; Real x[2]; Real x[3];", "sum(x) + 10*size(x, 1)", 36},
    {"Real x[1]; Real x[2]; Real x[3];", "sum(i*x[i] for i in 1:3) + x[end]", 17},
    {"Real A[1,1]; Real A[1,2]; Real A[2,1]; Real A[2,2];", "A[2,1] + 10*sum(A[:,2])", 63},
    {"Real c.x[2]; Real d.x[1]; Real d.x[2];", "c.x*d.x", 11},
    {"Real[2, 3] c.x; Real[2] c.d.y;", "c[2].x[1] + 10*sum(c[i].d.y for i in 1:2)", 4 + 150},
    {"parameter Real p.x[1] = 3; parameter Real p.x[2] = p.x[1] + 1;", "p.x[2]", 4},
    {"function Lib.f input Real u; output Real y; algorithm y := 2*u; end Lib.f;", "Lib.f(time)",
     1},
    {"function f input Real x[2]; output Real y; algorithm y := x[1] + x[2]; end f; Real x[1]; "
     "Real "
     "x[2];",
     "f({x[2], 10})", 12},
    {"function f input Real x; output Real y = 2*x; end f;", "f(time)", 1},
    {"parameter Real a.k[1] = 7; Real x[1, 1] = 3*time;", "a.k[1] + 10*x[1, 1]", 17},
    {"Real $x.y$1;", "$x.y$1", 1},
    {"type Lib.T = enumeration(p, q); parameter Lib.T a.e = Lib.T.q;",
     "if a.e == Lib.T.q then 1 else 2", 1},
    {"type Kind = enumeration(p, q); parameter enumeration(p, q) e = Kind.q;",
     "if e == Kind.q then 1 else 2", 1},
    {"parameter enumeration(p, q) e = Lib.T.q;", "if e == Lib.T.q then 1 else 2", 1},
    {"parameter enumeration(p, q) e = Lib.T.q; parameter enumeration(q, p) d = Lib.S.q;",
     "(if e == Lib.T.p then 1 else 2) + (if d == Lib.S.q then 10 else 20)", 12},
    /* conditions */
    {"", "if time > 1 then 1 elseif time > 0.4 then 2 else 3", 2},
    {"", "if time > 1 then 1 else if time > 0.4 then 2 else 3", 2},
    {"", "if time >= 0.5 and time <= 0.5 and not time <> 0.5 then 1 else 2", 1},
    {"", "if time < 0.5 or time == 0.5 then 1 else 2", 1},
    {"parameter Boolean b = 3 > 2 and not false;", "if b then 1 else 1/0", 1},
    {"parameter String s = \"a\\\"b\";", "if s == \"a\\\"b\" then 1 else 2", 1},
    {"parameter Boolean b = false;", "if b == false then 1 else 2", 1},
    /* parameters and constants */
    {"parameter Real a = b + 1; parameter Real b = 2*c; constant Real c = 3;", "a", 7},
    {"parameter Real a(start = 4);", "a", 4},
    {"parameter Real a; parameter Boolean b;", "if b then 1 else a", 0},
    {"parameter Integer n = 4.0;", "n", 4},
    {"final parameter Real p[3] = fill(2, 3);", "p*p", 12},
    {"type E = enumeration(a, b \"text\", c); parameter E e = E.b;",
     "if e > E.a then Integer(e) else 0", 2},
    {"type E = enumeration(a, b, c); type F = E; parameter Integer k = 2; parameter E e = F(k + "
     "1);",
     "Integer(e) + (if E(1) == E.a then 10 else 0)", 13},
    {"type E = enumeration(a, b, c); Real x[E] = {1, 2, 3};", "x[E.c] + sum(x[e] for e in E)", 9},
    {"type E = enumeration(a, b, c); type F = E; parameter Real x[F] = {1, 2, 4}; parameter E k = "
     "F.b;",
     "10*x[k] + sum(x[E.b:E.c]) + size(x, 1)", 29},
    {"type E = enumeration(a, b); Real x[E, Boolean] = {{1, 2}, {3, 4}};",
     "if time > 0 then 0 else x[E.b, false]", 0},
    {"parameter Real x[Boolean] = {3, 5};", "100*x[true] + 10*x[false] + x[end] + size(x, 1)", 537},
    {"type B = Boolean; parameter Real x[B] = {3, 5};", "x[time > 1] + 10*x[time < 1]", 53},
    {"parameter Real x[Boolean] = {if b then 3 else 5 for b in Boolean};", "x*{10, 1}", 53},
    {"parameter Real x[Boolean] = {3, 5};", "x[false:true]*{10, 1} + x[{true, false}]*{1, 10}", 70},
    {"type V = Real(unit = \"V\"); type W = V[2](each start = 1); W x[3];", "size(x, 1)*size(x, 2)",
     6},
    {"Real[2] x[3];", "10*size(x, 1) + size(x, 2)", 32},
    {"parameter Real p[:, size(p, 1)] = identity(3);", "sum(p) + ndims(p)", 5},
    /* subscripts */
    {MATRIX, "A[2, 1]", 4},
    {MATRIX, "A[end, end]", 6},
    {MATRIX, "sum(A[1, :])", 6},
    {MATRIX, "sum(A[:, 2])", 7},
    {MATRIX, "sum(A[2])", 15},
    {MATRIX, "A[1, {3, 1}]*{10, 1}", 31},
    {MATRIX, "A[1, end:-1:2]*{10, 1}", 32},
    {MATRIX, "A[integer(1.5), size(A, 2) - 1]", 2},
    {MATRIX, "(2*A)[2, 3]", 12},
    {MATRIX, "A[A[1, 2], A[1, 1]]", 4},
    {"parameter Real p[0] = fill(0, 0);", "sum(p) + product(p) + size(p, 1)", 1},
    {"Real x[2, 2];", "1000*x[1, 1] + 100*x[1, 2] + 10*x[2, 1] + x[2, 2]", 1234},
    /* arrays */
    {"", "{1, 2, 3}*{4, 5, 6}", 32},
    {"", "sum([1, 2; 3, 4]*[5; 6])", 17 + 39},
    {"", "({1, 2}*[1, 2; 3, 4])*{1, 100}", 1007},
    {"", "([1, 2; 3, 4]*{1, 10})*{1, 100}", 21 + 4300},
    {"", "sum([1, 2; 3, 4]*[0, 1; 1, 0])", 10},
    {"", "sum([1, 1; 0, 1]^5)", 7},
    {"", "sum([1, 2; 3, 4]^0)", 2},
    {"", "sum({1, 2, 3}/2)", 3},
    {"", "sum(2*{1, 2} - {1, 1} + {5, 5}.*{1, 2})", 19},
    {"", "sum({1, 2}.^2 .+ 1)", 7},
    {"", "sum(1 ./ {1, 2, 4})", 1.75},
    {"", "-{1, 2}*{3, 4}", -11},
    {"", "sum({{i*j for i in 1:2} for j in 1:3})", 18},
    {"", "({i + 10*j for i in 1:2, j in 1:3})[3, 2]", 32},
    {"", "sum({i for i in {1, 5, 9}})", 15},
    {"", "sum(i^2 for i in 1:4)", 30},
    {"", "sum(i*j for i in 1:3, j in 1:2)", 18},
    {"", "product(i for i in 1:5)", 120},
    {"", "max(i*(4 - i) for i in 1:4) + min({3, -1, 2})", 3},
    {"", "max([1, 7; 5, 3])", 7},
    {"", "sum(1:4) + sum(1:2:5) + sum(3:-1:1) + sum(0.5:0.25:1) + sum(2:1)", 10 + 9 + 6 + 2.25},
    {"", "size(0:0.1:1, 1)", 11},
    {MATRIX, "(transpose(A))[3, 1]", 3},
    {"", "cross({1, 2, 3}, {4, 5, 6})*{1, 10, 100}", -3 + 60 - 300},
    {"", "(skew({1, 2, 3})*{4, 5, 6})*{1, 10, 100}", -3 + 60 - 300},
    {"", "(outerProduct({1, 2}, {3, 4}))[2, 1]", 6},
    {"", "(symmetric([1, 2; 3, 4]))[2, 1]", 2},
    {"", "(diagonal({3, 4}))[2, 2] + sum(diagonal({3, 4}))", 11},
    {"", "sum(identity(3)) + sum(zeros(2, 2)) + sum(ones(2, 3)) + sum(fill(0.5, 4))", 11},
    {"", "(linspace(0, 1, 5))[4]", 0.75},
    {"", "size(cat(1, {1, 2}, {3}), 1) + sum(cat(2, [1; 2], [3; 4]))", 13},
    {"", "([{1, 2}, {3, 4}; 5, 6])*{1, 10}*{1, 10, 100}", 31 + 420 + 6500},
    {"", "scalar({{7}}) + sum(vector([1; 2])) + ndims(matrix({1, 2}))", 12},
    {"", "sum(size(fill(1, 2, 3, 4)))", 9},
    {"", "sum(sin({0, 1}) - {0, sin(1)})", 0},
    {"", "sum(abs({-1, 2}))", 3},
    {"", "sum(array(1, 2, 3)) + sum(array(i for i in 1:3))", 12},
    {"", "sum(if time > 1 then {1, 2} else {3, 4})", 7},
    {"Real x[3];", "sum(der(x))", 60},
    {"Real x[3];", "x*x", 14},
    {"parameter Integer n = 3; parameter Real k[n] = {i for i in 1:n};", "k[n] + k*k", 17},
    {"parameter Real t[2, 2, 2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};",
     "t[2, 1, 2] + sum(t[:, 1, :])", 20},
};

static void check_fact(const fact *f)
{
    char text_of_model[2048];
    snprintf(text_of_model, sizeof text_of_model, "model M %s Real r; equation r = %s; end M;",
             f->declarations, f->expression);
    reading r;
    read_right(&r, text_of_model);
    double value = value_of(&r, right_side(&r, "r"));
    ck_assert_msg(fabs(value - f->value) <= 1e-13 * (1 + fabs(f->value)), "%s %s: %.17g, not %.17g",
                  f->declarations, f->expression, value, f->value);
    close_reading(&r);
}

START_TEST(expressions)
{
    check_fact(&facts[_i]);
}
END_TEST

#define TWO                                                                                       \
    "function f input Real a; output Real x = a; output Real y = 2*a; algorithm end f;\n"         \
    "function g input Real a; output Real v[2] = {a, 3*a}; output Real y = 2*a; algorithm end "   \
    "g;\n"                                                                                        \
    "function h input Real a; output Real z; protected Real y; Integer none[0] = {}; algorithm\n" \
    "(, y) := f(a); (z, _) := f(y); (y, z) := (z, 10*y + sum({}) + size(none, 1)); end h;\n"

/* Simpson's rule, which is exact for polynomials up to the third degree, of a function; and
 * f(f(u)), of a function whose other inputs were given before. */
#define INTEGRAL                                                                                  \
    "partial function F input Real u; output Real y; end F;\n"                                    \
    "function poly input Real u; input Real a = 1; input Real n = 2; output Real y; algorithm "   \
    "y := a*u^n; end poly;\n"                                                                     \
    "function integral input Real a; input Real b; input F f; output Real s; algorithm "          \
    "s := (b - a)/6*(f(a) + 4*f(u = (a + b)/2) + f(b)); end integral;\n"                          \
    "function twice input F f; input Real u; output Real y; algorithm y := f(f(u)); end twice;\n" \
    "function scaled input F f; input Real k; output Real y; algorithm "                          \
    "y := integral(0, 1, function f(a = k)); end scaled;\n"

/* Functions are run symbolically: their definitions, a call, and its value. */
static const fact functions[] = {
    /* functions as arguments */
    {INTEGRAL, "integral(0, 3, poly) + 100*integral(0, 2, function poly(n = 3))", 9 + 400},
    {INTEGRAL, "integral(0, 4*time, function poly(a = time))", 4.0 / 3},
    {INTEGRAL, "der(integral(0, time, function poly(a = 3)))", 0.75},
    {INTEGRAL, "twice(poly, 2) + 100*twice(function poly(a = 2), 1)", 16 + 800},
    {INTEGRAL, "twice(function twice(f = function poly(a = 2)), 1)", 32768},
    {INTEGRAL, "scaled(poly, 6) + 10*scaled(function poly(n = 1), 6)", 2 + 30},
    {INTEGRAL, "twice(abs, -3) + 10*twice(Modelica.Math.exp, 0)", 3 + 10 * 2.718281828459045},
    {INTEGRAL, "integral(0, 1, atan) - (0 + 4*atan(0.5) + atan(1))/6", 0},
    {INTEGRAL, "sum(integral(0, k, poly) for k in 1:2) + sum(twice(poly, {1, 2}))", 3 + 17},
    {"partial function F input Real u; output Real a; output Real b; end F; function two input "
     "Real "
     "u; "
     "output Real a = u; output Real b = 2*u; end two; function g input F f; output Real y; "
     "protected "
     "Real p; Real q; algorithm (p, q) := f(3); y := p*q; end g;",
     "g(two)", 18},
    {"partial function F input Real u; output Real y; end F; function g input F f = cos; input "
     "Integer n = 2; output Real y; algorithm y := if n == 0 then 0 else f(0) + g(f, n - 1); end "
     "g;",
     "g() + 10*g(exp, 3)", 32},
    /* elements of what is no name, and lists on both sides */
    {TWO, "f(time)[2] + 10*g(time)[2] + 100*{1, time, 2}[2] + 1000*transpose([1, 2; 3, 4])[2, 1]",
     1 + 15 + 50 + 2000},
    {TWO, "h(time) + size({{}, {}}, 1) + 10*size({{}, {}}, 2)", 10 + 2},
    {"function f input Real a; output Real x = 1; protected Real old = 0; algorithm while abs(x - "
     "old) > 1e-13*x loop old := x; x := (x + a/x)/2; end while; end f;",
     "f(2)^2 + 10*f(2 + time)^2 + 100*f(4)", 2 + 25 + 200},
    {"function f input Integer n; output Integer k = 0; protected Integer m = n; algorithm while m "
     "> "
     "0 loop m := div(m, 10); k := k + 1; if k > 5 then break; end if; end while; end f;",
     "f(12345) + 10*f(0) + 100*f(123456789)", 5 + 600},
    {"function f input Real a; input Real b = 1; output Real y; algorithm y := a^2 + b; end f;",
     "f({1, 2})*{1, 10} + 100*sum(f([1, 2; 3, 4], time)) + sum(f(zeros(0)))", 52 + 3200},
    {"function f input Real v[:]; output Real y[2]; algorithm y := {sum(v), v[1]}; end f;",
     "sum(f([1, 2; 3, 4])*{1, 10}) + size(f([1, 2; 3, 4]), 2)", 50 + 2},
    {"function f input Real c[4]; input Real x; output Real y; algorithm y := 0; for i in 1:4 loop "
     "y := y*x + c[i]; end for; end f;",
     "f({1, -2, 3, -4}, 2)", 2},
    {"function f input Real x[:]; output Real y[size(x, 1)]; algorithm for i in 1:size(x, 1) loop "
     "y[i] := x[end + 1 - i]; end for; end f;",
     "f({1, 2, 3})*{1, 10, 100}", 123},
    {"function f input Real a; input Real b = 2*a; input Real c = 1; output Real y = a + b*c; "
     "algorithm "
     "end f;",
     "f(1) + 100*f(1, c = 3) + 10000*f(b = 0, a = 4)", 3 + 700 + 40000},
    {"function f input Real x; output Real y; algorithm if x > 1 then y := x^2; elseif x > 0 then "
     "y := x; else y := 0; end if; end f;",
     "f(time) + f(2*time + 1) + f(time - 1)", 4.5},
    {"function fac input Integer n; output Integer y; algorithm if n <= 1 then y := 1; else "
     "y := n*fac(n - 1); end if; end fac;",
     "fac(6)", 720},
    {"function f input Real x; output Real a; output Real b; algorithm a := 2*x; b := 3*x; end f; "
     "function g input Real x; output Real y; protected Real p; Real q; algorithm (p, q) := f(x); "
     "y := p + 10*q; (, q) := f(1); y := y + 100*q; end g;",
     "f(1) + g(1)", 2 + 332},
    {"function f input Real x; output Real y; protected Real v[3] = {1, 2, 3}; algorithm y := 0; "
     "for i in 1:3 loop for j in i:3 loop if i == j then y := y + v[i]*x; end if; end for; end "
     "for; "
     "end f;",
     "f(time)", 3},
    {"function f input Real x; output Real y; algorithm y := 0; for i in 1:100 loop if i > 3 then "
     "break; end if; y := y + i*x; end for; end f;",
     "f(1)", 6},
    {"function f input Real x; output Real y; algorithm y := x; if true then return; end if; y := "
     "7; "
     "end f;",
     "f(time)", 0.5},
    {"function f input Real x; output Real y; protected Real v[2, 2]; algorithm v[1, :] := {x, "
     "2*x}; "
     "v[2, {2, 1}] := {3, 4}; y := v[1, 2] + 10*v[2, 1] + 100*v[2, 2]; end f;",
     "f(time)", 1 + 40 + 300},
    {"constant Real k = 3; function f input Real x; output Real y; algorithm y := k*x; end f;",
     "f(f(time))", 4.5},
    {"function f input Real x; output Real y; protected Integer n; Real v[:] = {x, x, x}; "
     "algorithm "
     "n := size(v, 1); y := n*v[n]; end f;",
     "f(time)", 1.5},
};

START_TEST(inlined_functions)
{
    check_fact(&functions[_i]);
}
END_TEST

/* Equations of a model, and what they become, one a line. */
typedef struct becomes {
    const char *model, *equations;
} becomes;

static const becomes flattened[] = {
    {"package P annotation(version = \"1\"); model P \"doc\" annotation(x = 1); Real x = 1; end P; "
     "end P;",
     "x = 1\n"},
    {"model M Real x[3]; equation for i in 1:3 loop der(x[i]) = i*x[i]; end for; end M;",
     "der(x[1]) = x[1] #1\nder(x[2]) = 2*x[2] #2\nder(x[3]) = 3*x[3] #3\n"},
    {"model M Real A[2, 2]; equation for i in 1:2, j in 1:i loop A[i, j] = 1; end for; A[1, 2] = "
     "0; end M;",
     "A[1,1] = 1 #1\nA[2,1] = 1 #2\nA[2,2] = 1 #3\nA[1,2] = 0\n"},
    {"model M Real x = 2*y; Real y; equation y = time; end M;", "x = 2*y\ny = time\n"},
    {"model M Real x, y; equation if time > 1 then x = 1; y = 2; else y = 3; x = 4; end if; end M;",
     "x = if 1 < time then 1 else 4\ny = if 1 < time then 2 else 3\n"},
    {"model M Real x, y; equation if time > 1 then x = 1; 0 = y; else y = 3; x = 4; end if; end M;",
     "if 1 < time then x else y = if 1 < time then 1 else 3\n"
     "if 1 < time then 0 else x = if 1 < time then y else 4\n"},
    {"model M parameter Boolean b = true; Real x, y; equation y = 1; if b then x = 1; else x = 1; "
     "y = 2; "
     "end if; end M;",
     "y = 1\nx = 1\n"},
    {"model M parameter Integer n = 0; Real x; equation x = 1; if n > 0 then x = 2; end if; end M;",
     "x = 1\n"},
    {"model M function f input Real x; output Real a; output Real b[2]; algorithm a := x; b := {x, "
     "2*x}; "
     "end f; Real p, q[2]; equation (p, q) = f(time); end M;",
     "p = time #1\nq[1] = time #2\nq[2] = 2*time #3\n"},
    {"model M Real s, x[2]; equation x = {1, time}; algorithm s := 0; for k in 1:2 loop s := s + "
     "k*x[k]; "
     "end for; if s > 1 then s := 1; end if; end M;",
     "x[1] = 1 #1\nx[2] = time #2\ns = min(1, x[1] + 2*x[2])\n"},
    {"model M function f input Real x; algorithm assert(x > 0, \"f\"); end f; Real x; equation x = "
     "time; "
     "f(x); end M;",
     "x = time\n"},
    {"model M Real x; equation x^2 + 1 = x - x; end M;", "x^2 + 1 = 0\n"},
    {"model M parameter Real p = 2; constant Integer n[2] = {1, 3}; parameter Boolean b = p > 1; "
     "parameter String s = \"x\"; end M;",
     "p = 2\nn[1] = 1\nn[2] = 3\nb = 1\n"},
    {"package 'P' constant Real 'c' = 3; type 'T' = Real(start = 1); function 'f' input 'T' 'x'; "
     "output Real 'y'; algorithm 'y' := 'c'*'x'; end 'f'; model 'P' 'P'.'T' 'a.b[1]'; Real 'x'; "
     "equation 'a.b[1]' = 'f'('x') + 'P'.'c'; 'x' = time; end 'P'; end 'P';",
     "a.b[1] = 3*x + 3\nx = time\n"},
};

START_TEST(equations)
{
    const becomes *b = &flattened[_i];
    reading r;
    text t = {0};
    read_right(&r, b->model);
    for (size_t i = 0; i < r.system->equation.count; i++) {
        const sym_equation *e = &r.system->equation.item[i];
        print_equation(&r, e, &t);
        text_format(&t, e->element ? " #%u\n" : "\n", (unsigned)e->element);
    }
    ck_assert_msg(strcmp(text_string(&t), b->equations) == 0, "%s\n%s", b->model, text_string(&t));
    text_free(&t);
    close_reading(&r);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, expressions, 0, sizeof facts / sizeof *facts);
    tcase_add_loop_test(tests, inlined_functions, 0, sizeof functions / sizeof *functions);
    tcase_add_loop_test(tests, equations, 0, sizeof flattened / sizeof *flattened);
    return unit_run("model/language", tests);
}
