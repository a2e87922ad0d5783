/* Wrong texts: each error with its place, its words and its remedy; several in one text; and what
 * is correct but not supported. */
#include "reading.h"

/* A wrong text, where the error is found, words of it, and words of the remedy. */
typedef struct wrong {
    const char *text;
    unsigned line, column;
    const char *what, *remedy; /* remedy NULL: none */
} wrong;

/* A model with its equations from line 3 on. */
#define EQUATIONS(list)                                                                   \
    "model M Real x, y, v[3], w[2, 3]; Boolean c; parameter Real p = 0;\nequation\n" list \
    "\nend M;\n"
#define FUNCTION(body)                                                                       \
    "model M\nfunction f\ninput Real x; input Integer n = 1; output Real y; protected Real " \
    "v[3];\n"                                                                                \
    "algorithm\n" body "\nend f; Real x;\nequation\nx = f(time);\nend M;\n"

static const wrong mistakes[] = {
    /* lexical */
    {"model M \"abc\n Real x;\n", 1, 9, "unterminated string", NULL},
    {"model M \"a\n b\" Real x; \"c\nend M;", 2, 13, "unterminated string", "begins in line 1"},
    {"model M\n Real x; /* abc\nend M;", 2, 10, "unterminated comment", NULL},
    {"model M Real 'x;\nend M;", 1, 14, "unterminated quoted name", NULL},
    {"model M Real ''; end M;", 1, 14, "empty quoted name", NULL},
    {EQUATIONS("x' = 3; y = 4;"), 3, 2, "a quote directly behind a name", "der(x)"},
    {EQUATIONS("x'' = 3;"), 3, 2, "a quote directly behind a name", "der(x)"},
    {EQUATIONS("x = 2**3;"), 3, 6, "** is not an operator", "a power is written ^"},
    {EQUATIONS("x = if y != 3 then 1 else 2;"), 3, 10, "!= is not an operator", "<>"},
    {EQUATIONS("x = if y > 3 && x > 2 then 1 else 2;"), 3, 14, "&& is not an operator", "'and'"},
    {EQUATIONS("x = 5 % 3;"), 3, 7, "% is not an operator", "mod(a, b)"},
    {EQUATIONS("x = .5;"), 3, 5, "begins with a digit", "0.5"},
    {EQUATIONS("x = 3y;"), 3, 5, "goes over into a name", "*"},
    {EQUATIONS("x = 1e999;"), 3, 5, "too large", NULL},
    {EQUATIONS("x = w\xC3\xA4rme;"), 3, 6, "unexpected character", "quotes"},
    {EQUATIONS("x = y @ 3;"), 3, 7, "unexpected character", NULL},
    /* syntax */
    {"", 1, 1, "the text is empty", "model NAME"},
    {" \n \n", 3, 1, "the text is empty", NULL},
    {"Real x;", 1, 1, "expected 'model' or 'package', found Real", NULL},
    {"package P end P;", 1, 9, "no model in this text", "model NAME"},
    {"model M Real x; end M; hello", 1, 24, "nothing may follow the end of the model", NULL},
    {"model M\n Real x;\nequation\n x = 1;\n", 4, 8, "expected 'end M;', found the end of the text",
     "line 1"},
    {"model M\n Real x;\nend N;", 3, 5, "expected 'end M;', found 'end N;'", "line 1"},
    {"model M\nfunction f\ninput Real x; output Real y;\nalgorithm\ny := x;\nend M;", 6, 5,
     "expected 'end f;', found 'end M;'", "line 2"},
    {"model M\n Real x\nequation\n x = 1;\nend M;", 2, 8, "expected ';' after the declaration of x",
     NULL},
    {"model M\n Real x\n Real y;\nend M;", 2, 8,
     "expected ';' after the declaration of x, found Real", NULL},
    {"model M\n Real x y;\nend M;", 2, 8, "expected ';' after the declaration of x, found y", NULL},
    {EQUATIONS("x = 1\ny = 2;"), 3, 6, "expected ';' after the equation, found y", NULL},
    {EQUATIONS("x = 2 y;"), 3, 6, "expected ';' after the equation, found y", NULL},
    {EQUATIONS("x = y + ;"), 3, 9, "expected an expression, found ';'", NULL},
    {EQUATIONS("x = * y;"), 3, 5, "expected an expression, found '*'", NULL},
    {EQUATIONS("x = 2*(y + 1;"), 3, 13, "expected ')', found ';'", NULL},
    {EQUATIONS("x = sin(y;"), 3, 10, "expected ')' after the arguments", NULL},
    {EQUATIONS("v = {1, 2, 3;"), 3, 13, "expected '}' after the elements", NULL},
    {EQUATIONS("v[1 = 3;"), 3, 5, "expected ']' after the subscripts", NULL},
    {EQUATIONS("v = {};"), 3, 5, "an array needs an element", "fill(0, 0)"},
    {EQUATIONS("x := 1;"), 3, 3, "expected '=', found ':='", "algorithm"},
    {EQUATIONS("x == 1;"), 3, 3, "expected '=', found '=='", "single ="},
    {EQUATIONS("x;"), 3, 2, "expected '=' in this equation", NULL},
    {EQUATIONS("if x = 1 then y = 2; end if;"), 3, 6, "expected 'then'", "compared with =="},
    {EQUATIONS("if x > 1\n y = 2; end if;"), 3, 9, "expected 'then'", NULL},
    {EQUATIONS("if x > 1 then\n y = 2;"), 5, 1, "expected 'end if' before 'end M'", "line 3"},
    {EQUATIONS("for i in 1:3 loop\n v[i] = 2;"), 5, 1, "expected 'end for' before 'end M'",
     "line 3"},
    {EQUATIONS("for i in 1:3 loop if i > 1 then v[i] = 2; end for;"), 3, 43,
     "expected 'end if' before 'end for'", "'if' of line 3"},
    {EQUATIONS("if x > 1 then y = 2; end for;"), 3, 22, "expected 'end if' before 'end for'", NULL},
    {EQUATIONS("for i in 1:3\n v[i] = 2; end for;"), 3, 13, "expected 'loop'", NULL},
    {EQUATIONS("for i = 1:3 loop v[i] = 2; end for;"), 3, 7, "expected 'in'", NULL},
    {EQUATIONS("x = 1; end if;"), 3, 8, "end if without an open 'if'", NULL},
    {EQUATIONS("else x = 1;"), 3, 1, "else without", NULL},
    {EQUATIONS("x = if y > 1 then 2;"), 3, 5, "no else", "if ... then ... else"},
    {EQUATIONS("x = 1 + if y > 1 then 2 else 3;"), 3, 9, "needs parentheses", "(if"},
    {EQUATIONS("x = 2*-y;"), 3, 7, "a sign needs parentheses", "a*(-b)"},
    {EQUATIONS("x = 2^-1;"), 3, 7, "a sign needs parentheses", "a^(-b)"},
    {EQUATIONS("x = 2^3^y;"), 3, 8, "power of a power needs parentheses", "(a^b)^c"},
    {EQUATIONS("x = if 1 < y < 3 then 1 else 2;"), 3, 14, "relations cannot be chained",
     "a < b and b < c"},
    {EQUATIONS("x = transpose(w)[3, 1];"), 3, 17, "expected ';'", NULL},
    {EQUATIONS("x = end;"), 3, 5, "end is a number only in subscripts", NULL},
    {EQUATIONS("x = end + 1;"), 3, 5, "end is a number only in subscripts", NULL},
    {EQUATIONS("x = then;"), 3, 5, "the keyword 'then'", NULL},
    {"model M Real output; equation output = 2*output; end M;", 1, 14, "output is a keyword",
     "'output'"},
    {"model M\n der(x) = 2;\n x = 3;\nend M;", 2, 2, "expected a declaration, found an equation",
     "'equation'"},
    {"model M\n x = 3;\nend M;", 2, 2, "expected a declaration, found an equation", "'equation'"},
    {"model M Real x := 2; end M;", 1, 16, "expected '=', found ':='", "with ="},
    {"model M Real x(start = 1; end M;", 1, 25, "expected ')' after the attributes", NULL},
    {"model M Real x[3; end M;", 1, 17, "expected ']'", NULL},
    {"model M parameter constant Real x = 3; end M;", 1, 19, "contradicts", NULL},
    {"model M Real x; algorithm x = 3; end M;", 1, 29, "expected ':=', found '='",
     "written with :="},
    {"model M Real x; initial x = 3; end M;", 1, 17, "'initial equation'", NULL},
    {"model M Real x; annotation(a(b, c); end M;", 1, 27, "parenthesis is never closed", NULL},
    {EQUATIONS("when x > 1 then y = 2; else y = 3; end when;"), 3, 24, "a when has no else",
     "elsewhen"},
    {EQUATIONS("x = sin(u = 3, 4);"), 3, 16, "an argument without a name follows", NULL},
    /* names */
    {EQUATIONS("x = tme;"), 3, 5, "tme is not declared", "nearest name: time"},
    {EQUATIONS("x = 'y';"), 3, 5, "y is not declared", NULL},
    {EQUATIONS("x = pi*y;"), 3, 5, "pi is not declared", "constant Real pi = 3.14159"},
    {EQUATIONS("x = sin(t);"), 3, 9, "t is not declared", "called time"},
    {EQUATIONS("x = pow(y, 2);"), 3, 5, "the function pow is not declared", "x^y"},
    {EQUATIONS("x = ln(y);"), 3, 5, "the function ln is not declared", "log(x)"},
    {EQUATIONS("x = sine(y);"), 3, 5, "the function sine is not declared", "nearest name: sin"},
    {EQUATIONS("x = v(1);"), 3, 5, "v is a variable and no function", "v[1]"},
    {EQUATIONS("x = y.z;"), 3, 7, "y is a Real and has no component z", NULL},
    {EQUATIONS("x = Modelica.Constants.pi;"), 3, 5, "Modelica.Constants.pi is not declared",
     "constant Real pi"},
    {EQUATIONS("for i in 1:3 loop v[i] = 1; end for; x = i;"), 3, 42, "i is not declared", NULL},
    {"model M Reel x; end M;", 1, 9, "the type Reel is not declared", "nearest name: Real"},
    {"model M type E = enumeration(a, b, a); Real x; end M;", 1, 36, "the literal a is already",
     NULL},
    {"model M type T = Reel; T x; end M;", 1, 18, "the type Reel is not declared", "Real"},
    {"model M type A = B; type B = A; A x; end M;", 1, 14, "the type A is declared by itself",
     NULL},
    {"model M Modelica.Units.SI.Mass m; end M;", 1, 9, "Modelica.Units.SI.Mass is not declared",
     "type Voltage"},
    {"model M\n Real x;\n parameter Real x = 2;\nend M;", 3, 17, "x is already declared in line 2",
     NULL},
    {"model M type T = Real; Real T; end M;", 1, 29, "T is already declared in line 1", NULL},
    {"model M Real time; end M;", 1, 14, "time", NULL},
    {"model M type E = enumeration(red, green); parameter E e = E.gren; end M;", 1, 61,
     "E has no literal gren", "nearest name: green"},
    {FUNCTION("y := z;"), 5, 6, "z is not declared", NULL},
    {"model M Real x; function f input Real a; output Real b; algorithm b := x; end f; end M;", 1,
     72, "x is not visible in the function", "input"},
    {FUNCTION("y := time;"), 5, 6, "time is not known in a function", "input"},
    {FUNCTION("y := der(x);"), 5, 6, "der cannot be used in a function", NULL},
    /* types and sizes */
    {EQUATIONS("x = if y then 1 else 2;"), 3, 8, "a condition must be Boolean, y is Real", NULL},
    {EQUATIONS("x = y + true;"), 3, 9, "true is Boolean, a number is needed",
     "if true then 1 else 0"},
    {EQUATIONS("x = if y > 1 and 3 then 1 else 2;"), 3, 18, "3 is Integer, a Boolean is needed",
     NULL},
    {EQUATIONS("x = if y > true then 1 else 2;"), 3, 8, "cannot compare Real y with Boolean true",
     NULL},
    {EQUATIONS("x = y > 1;"), 3, 1, "the sides of this equation differ: Real = Boolean", NULL},
    {EQUATIONS("x = if y > 1 then 1 else true;"), 3, 26,
     "the branches differ: Integer a scalar before", NULL},
    {EQUATIONS("v = if y > 1 then {1, 2, 3} else {1, 2};"), 3, 34, "Integer [2] here", NULL},
    {EQUATIONS("v = {1, 2};"), 3, 1, "differ in size: [3] = [2]", NULL},
    {EQUATIONS("v = 2;"), 3, 1, "differ in size: [3] = a scalar", "fill(value, 3)"},
    {EQUATIONS("v = v + {1, 2};"), 3, 9, "sizes do not fit: [3] + [2]", NULL},
    {EQUATIONS("v = v - 1;"), 3, 9, "sizes do not fit: [3] - a scalar", ".-"},
    {EQUATIONS("v = v*w;"), 3, 7, "sizes do not fit: [3] * [2, 3]", NULL},
    {EQUATIONS("x = 1/v;"), 3, 7, "sizes do not fit: a scalar / [3]", "./"},
    {EQUATIONS("v = v^2;"), 3, 5, "needs a square matrix", ".^"},
    {EQUATIONS("v[4] = 1;"), 3, 3, "subscript 4 is out of bounds 1:3 in v[4]", NULL},
    {EQUATIONS("v[0] = 1;"), 3, 3, "subscript 0 is out of bounds 1:3", NULL},
    {EQUATIONS("for i in 1:4 loop v[i] = i; end for;"), 3, 21, "subscript 4 is out of bounds 1:3",
     NULL},
    {EQUATIONS("v[1.5] = 1;"), 3, 3, "must be a whole number", NULL},
    {EQUATIONS("v[true] = 1;"), 3, 3, "true is Boolean, an Integer is needed", NULL},
    {EQUATIONS("v[1, 2] = 1;"), 3, 1, "2 subscripts for an array [3]", NULL},
    {EQUATIONS("x[1] = 1;"), 3, 1, "1 subscript for a scalar", NULL},
    {EQUATIONS("v = {1, {2}, 3};"), 3, 9, "the elements differ in size: a scalar before, [1] here",
     NULL},
    {EQUATIONS("v = {1, true, 3};"), 3, 9, "the elements differ: Integer before, Boolean here",
     NULL},
    {EQUATIONS("w = [1, 2; 3];"), 3, 5, "sizes do not fit: [1, 2] beside [1, 1]", NULL},
    {EQUATIONS("v = cat(1, {1}, [2]);"), 3, 5, "sizes do not fit: [1] beside [1, 1]", NULL},
    {EQUATIONS("x = sin(true);"), 3, 9, "true is Boolean, a number is needed", NULL},
    {EQUATIONS("x = sin(x, y);"), 3, 5, "sin needs 1 argument, found 2", NULL},
    {EQUATIONS("x = smooth(y);"), 3, 5, "smooth needs 2 arguments, found 1", "p,expr"},
    {EQUATIONS("x = homotopy(actual = 1, simple = 2);"), 3, 35, "homotopy has no argument simple",
     "actual,simplified"},
    {EQUATIONS("x = max(y);"), 3, 9, "an array is needed", NULL},
    {EQUATIONS("x = cross(v, {1, 2})*v;"), 3, 14, "a vector of 3 numbers is needed", NULL},
    {EQUATIONS("x = size(v, 2);"), 3, 13, "dimension 2 of an array [3]", NULL},
    {EQUATIONS("x = size(y, 1);"), 3, 13, "dimension 1 of a scalar", NULL},
    {EQUATIONS("v = fill(1, -3);"), 3, 13, "must not be negative, -3 is -3", NULL},
    {EQUATIONS("v = zeros(1.5);"), 3, 11, "whole number", NULL},
    {EQUATIONS("x = sum(i for i in 3);"), 3, 20, "runs through a vector, this is a scalar", NULL},
    {EQUATIONS("(x, y) = 3;"), 3, 10, "only a function has several results", NULL},
    {EQUATIONS("x = assert(true, \"a\");"), 3, 5, "is an equation of its own", NULL},
    {EQUATIONS("sin(x);"), 3, 1, "is no equation", "left side = right side"},
    {EQUATIONS("assert(3, \"a\");"), 3, 8, "a condition must be Boolean, 3 is Integer", NULL},
    {EQUATIONS("assert(true, \"a\", 3);"), 3, 19, "an AssertionLevel is needed", NULL},
    {EQUATIONS("true = false;"), 3, 1, "between values of type Boolean has no unknown", NULL},
    {EQUATIONS("x = if time > 1 then 1 else \"a\";"), 3, 29, "the branches differ", NULL},
    /* declarations */
    {"model M Real x(strat = 1); end M;", 1, 16, "Real has no attribute strat",
     "nearest name: start"},
    {"model M parameter Integer n(unit = \"m\") = 3; end M;", 1, 29,
     "Integer has no attribute unit", NULL},
    {"model M Real x(start = 1, start = 2); end M;", 1, 27, "start is given twice", NULL},
    {"model M Real x(fixed = 2); end M;", 1, 24, "fixed is Boolean, but its value is Integer",
     NULL},
    {"model M Real x(unit = 2); end M;", 1, 23, "unit is String, but its value is Integer", NULL},
    {"model M Real x(min = \"a\"); end M;", 1, 22, "min is Real, but its value is String", NULL},
    {"model M Real x(nominal = 0); end M;", 1, 14, "nominal value of x", NULL},
    {"model M Real x(stateSelect = 3); end M;", 1, 30, "a StateSelect is needed", NULL},
    {"model M Real x[3](start = {1, 2}); end M;", 1, 27, "x is [3], but its start is [2]", NULL},
    {"model M Real x(start = y), y; end M;", 1, 14, "depends on what changes with time",
     "initial equation"},
    {"model M parameter Real p[2] = {1, 2, 3}; end M;", 1, 31, "p is [2], but its value is [3]",
     NULL},
    {"model M parameter Real p[2] = 1; end M;", 1, 31, "p is [2], but its value is a scalar",
     "fill(value, 2)"},
    {"model M parameter Integer n = 2.5; end M;", 1, 31, "n is Integer, but its value is 2.5",
     NULL},
    {"model M parameter Boolean b = 1; end M;", 1, 31, "b is Boolean, but its value is Integer",
     NULL},
    {"model M constant Real c; end M;", 1, 23, "the constant c has no value", NULL},
    {"model M Real x[:]; end M;", 1, 14, "the size of x is ':', but it has no value", NULL},
    {"model M Real x[-1]; end M;", 1, 16, "a size must not be negative", NULL},
    {"model M Real x[n]; parameter Real n = 2.5; end M;", 1, 16,
     "n is 2.5, a whole number is needed", NULL},
    {"model M Real x[k]; parameter Real k(fixed = false); end M;", 1, 16, "size", NULL},
    {"model M parameter Real a = b, b = c, c = 2*a; end M;", 1, 24,
     "a depends on itself: a -> b -> c -> a", NULL},
    {"model M parameter Real a = a + 1; end M;", 1, 24, "a depends on itself", NULL},
    {"model M parameter Integer n = size(x, 1); Real x[n]; end M;", 1, 27,
     "n depends on itself: n -> x -> n", NULL},
    {"model M Real x = 1; parameter Real p = x; end M;", 1, 40,
     "p is a parameter, but its value depends", NULL},
    {"model M parameter Real p = 1e300*1e300; end M;", 1, 28, "not finite", NULL},
    /* numbers */
    {EQUATIONS("x = 1/p;"), 3, 7, "division by p, which is 0", NULL},
    {EQUATIONS("x = 1/(2*p);"), 3, 7, "division by (2*p), which is 0", NULL},
    {EQUATIONS("x = y/0;"), 3, 7, "division by 0", NULL},
    {EQUATIONS("v = v ./ {1, p, 1};"), 3, 10,
     "division by {1, p, 1}, which has an element that is 0", NULL},
    {EQUATIONS("x = mod(3, p);"), 3, 12, "division by p, which is 0 in mod(3, p)", NULL},
    {EQUATIONS("x = sqrt(p - 1);"), 3, 5, "sqrt(p - 1) has no finite value, the argument is -1",
     NULL},
    {EQUATIONS("x = p^(-1);"), 3, 5, "has no finite value", NULL},
    {EQUATIONS("x = sum(1:0:3);"), 3, 11, "the step of a range is 0", NULL},
    {EQUATIONS("x = min(fill(0, 0));"), 3, 5, "min of an empty array", NULL},
    /* equations */
    {EQUATIONS("if time > 1 then x = 1; else x = 2; y = 3; end if;"), 3, 25,
     "unbalanced: this branch of the if has 2 equations, the first one 1", "same number"},
    {EQUATIONS("if time > 1 then x = 1; end if;"), 3, 1,
     "unbalanced: this if has 1 equation and no else", NULL},
    {EQUATIONS("if time > 1 then x = foo; else x = 2; end if;"), 3, 22, "foo is not declared",
     NULL},
    {EQUATIONS("while x > 1 loop x = 1; end while;"), 3, 1, "while stands only in algorithms",
     NULL},
    {EQUATIONS("x = der(der(y));"), 3, 5, "has a derivative in it already", "v = der(x)"},
    {EQUATIONS("x = der(2*der(y) + 1);"), 3, 5, "has a derivative in it already", "v = der(x)"},
    {EQUATIONS("x = der(c);"), 3, 5, "der(c): c is Boolean, a derivative needs a Real", NULL},
    {"model M discrete Real d; Real x; equation\nx = der(d); end M;", 2, 5, "d is discrete", NULL},
    {"model M Integer n; Real x; equation\nx = der(n); end M;", 2, 5, "n is Integer", NULL},
    /* functions */
    {FUNCTION("y := x; x := 2;"), 5, 9, "x is an input of the function and cannot be assigned to",
     NULL},
    {FUNCTION("if x > 1 then y := 2; end if;"), 8, 5, "the output y of f gets no value", NULL},
    {FUNCTION("y := v[1];"), 5, 6, "v[1] is used before it has a value", NULL},
    {FUNCTION("v := {1, 2}; y := 2;"), 5, 1, "v is [3], but its value is [2]", NULL},
    {FUNCTION("v[4] := 1; y := 2;"), 5, 3, "out of bounds", NULL},
    {FUNCTION("v[1:2] := {1, 2, 3}; y := 2;"), 5, 1, "sizes do not fit: [2] := [3]", NULL},
    {FUNCTION("y := f(x);"), 5, 6, "nested too deeply", "call itself"},
    {FUNCTION("y := true;"), 5, 1, "y is Real, but its value is Boolean", NULL},
    {FUNCTION("for i in 1:3 loop i := 2; end for; y := 1;"), 5, 19, "i cannot be assigned to",
     NULL},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "x = f(); end M;",
     3, 5, "the input a of f is missing", "its inputs: a"},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "x = f(1, 2); end M;",
     3, 10, "too many arguments for f", "its inputs: a"},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "x = f(b = 1); end M;",
     3, 11, "f has no input b", "its inputs: a"},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "x = f(1, a = 1); end M;",
     3, 14, "the input a is given twice", NULL},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "x = f({1, 2}); end M;",
     3, 1, "the sides of this equation differ in size: a scalar = [2]", NULL},
    {"model M function f input Real a; input Real b; output Real c; algorithm c := a + b; end f; "
     "Real x[2];\nequation\nx = f({1, 2}, {1, 2, 3}); end M;",
     3, 15, "sizes do not fit: this argument is [3], another [2]", NULL},
    {"model M function f input Real a; output Real b; algorithm b := a; end f; Real x;\nequation\n"
     "(x, x) = f(1); end M;",
     3, 1, "2 results on the left, the function has 1", NULL},
    {"model M function f input Real a; algorithm end f; Real x;\nequation\nx = f(1); end M;", 3, 5,
     "no output", NULL},
    {"model M partial function f input Real a; output Real b; end f; Real x;\nequation\nx = f(1); "
     "end M;",
     3, 5, "is partial", NULL},
    {FUNCTION("(y, v) := f(x, 1);"), 5, 13, "nested too deeply", NULL},
    {FUNCTION("(y, v) := 3;"), 5, 11, "only a function has several results", NULL},
    {FUNCTION("if x > 1 then v := {1, 2, 3}; else v[4] := 1; end if; y := v[1];"), 5, 38,
     "out of bounds", NULL},
    {FUNCTION("y := sum(v[i] for i in 1:2);"), 5, 10, "before it has a value", NULL},
    {"model M record P Real x; end P; P p; Real y = p.z; end M;", 1, 49,
     "the record P has no component z", NULL},
    {EQUATIONS("x = sum(v for i in 1:2);"), 3, 9, "v is Real [3], a scalar is needed", NULL},
    {EQUATIONS("x = max({true, false});"), 3, 9, "a number is needed", NULL},
    {EQUATIONS("x = sin(i for i in 1:2);"), 3, 5, "sin cannot be used with for", "for an array"},
    {EQUATIONS("x = scalar(v);"), 3, 5, "scalar() of an array [3]", NULL},
    {EQUATIONS("x = linspace(0, 1, 1)*v;"), 3, 5, "needs two numbers and n >= 2", NULL},
    {EQUATIONS("x = sum(symmetric(w));"), 3, 19, "a square matrix is needed", NULL},
    {EQUATIONS("x = Integer(1.5);"), 3, 13, "a literal of an enumeration is needed", "integer(x)"},
    {EQUATIONS("when x > 1 then p = 1; end when;"), 3, 17, "the left side must be a variable",
     NULL},
    {"model M Real x; initial equation when x > 1 then x = 2; end when; end M;", 1, 34,
     "cannot stand in an initial equation", NULL},
    {"model M Real x; annotation(experiment(StopTime = true)); end M;", 1, 50,
     "StopTime of the experiment must be a number", NULL},
    /* events */
    {EQUATIONS("when x > 1 then when x > 2 then y = 1; end when; end when;"), 3, 17,
     "a when inside of a when", NULL},
    {EQUATIONS("when x > 1 then y = 1; end when;\nwhen x > 2 then y = 2; end when;"), 4, 17,
     "y is over-determined: assigned in more than one when-clause, also in line 3", "elsewhen"},
    {EQUATIONS("when x then y = 1; end when;"), 3, 6,
     "the condition of a when must be Boolean, x is Real", NULL},
    {EQUATIONS("when x > 1 then 2*y = 1; end when;"), 3, 17, "the left side must be a variable",
     NULL},
    {EQUATIONS("when x > 1 then y = true; end when;"), 3, 17, "differ: Real = Boolean", NULL},
    {EQUATIONS("when x > 1 then reinit(y, 2); end when; x = y^2;"), 3, 17,
     "reinit(y): y is not a state", NULL},
    {EQUATIONS("reinit(y, 2);"), 3, 1, "stands only in a when", NULL},
    {EQUATIONS("c = not c;"), 3, 1, "Boolean loop: c depends on itself", "pre(c)"},
    {"model M Boolean a, b, c; equation\na = b and time > 1; b = not c;\nc = a; end M;", 2, 1,
     "Boolean loop: a depends on itself through b, c", NULL},
};

START_TEST(one_mistake)
{
    const wrong *w = &mistakes[_i];
    reading r;
    char place_text[64];
    read_text(&r, w->text);
    const char *said = message_string(&r.m);
    snprintf(place_text, sizeof place_text, "m.mo:%u:%u: error: ", w->line, w->column);
    ck_assert_msg(r.status == DAE_MODEL_ERROR, "status %d: %s", r.status, w->text);
    ck_assert_ptr_null(r.system);
    ck_assert_msg(strncmp(said, place_text, strlen(place_text)) == 0, "%s\nnot at %u:%u:\n%s",
                  w->text, w->line, w->column, said);
    const char *first_line = strchr(said, '\n');
    const char *what = strstr(said, w->what);
    ck_assert_msg(what && what < first_line, "%s\nnot \"%s\":\n%s", w->text, w->what, said);
    ck_assert_msg(!strstr(said + 1, "m.mo:"), "more than one report of one mistake\n%s\n%s",
                  w->text, said);
    const char *caret = strstr(said, "^");
    const char *remedy = caret ? strstr(caret, "\n  ") : NULL;
    ck_assert_msg(remedy != NULL, "%s\nno remedy:\n%s", w->text, said);
    ck_assert_msg(!w->remedy || (remedy && strstr(remedy, w->remedy)), "%s\nno remedy \"%s\":\n%s",
                  w->text, w->remedy ? w->remedy : "", said);
    close_reading(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model/wrong_texts");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, one_mistake, 0, sizeof mistakes / sizeof *mistakes);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
