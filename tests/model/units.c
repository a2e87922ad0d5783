/* Units: what a text says of them, and which equations differ in them. */
#include "model/dimension.h"
#include "reading.h"

#include <math.h>

#define PI 3.14159265358979323846

/* --- units as written --- */

/* A unit, and what it is in another way of writing. */
static const struct {
    const char *unit, *same;
} alike[] = {
    {"N", "kg.m/s2"},
    {"N.m", "J"},
    {"W", "V.A"},
    {"Ohm", "V/A"},
    {"F", "C/V"},
    {"H", "V.s/A"},
    {"Wb", "T.m2"},
    {"Pa", "N/m2"},
    {"J/(kg.K)", "m2/(s2.K)"},
    {"J/kg/K", "m2.s-2.K-1"},
    {"W/(m2.K4)", "kg.s-3.K-4"},
    {"rad/s", "1/s"},
    {"Hz", "s-1"},
    {"km/h", "m/s*1"},
    {"kW.h", "J*1"},
    {"mm2", "m2*1"},
    {"m3/(s.Pa)", "m4.s.kg-1"},
    {"1", "rad"},
    {"(m/s)", "m.s-1"},
};

/* Factors to the unit of the SI. */
static const struct {
    const char *unit;
    double factor;
} factors[] = {
    {"mm", 1e-3},
    {"km/h", 1 / 3.6},
    {"kW.h", 3.6e6},
    {"mm2", 1e-6},
    {"bar", 1e5},
    {"mbar", 1e2},
    {"l/min", 1e-3 / 60},
    {"uF", 1e-6},
    {"MPa", 1e6},
    {"g/cm3", 1e3},
    {"deg", PI / 180},
    {"1/ms", 1e3},
    {"kmol", 1e3},
    {"daN", 10},
    {"rpm", 2 * PI / 60},
    {"min", 60},
    {"m", 1},
    {"Pa", 1},
    {"cd", 1},
    {"hPa", 100},
    {"dB1", 0},
};

static const char *const no_units[] = {"Nm", "m^2",  "kWhh", "EUR", "m/",   "/s",
                                       "",   "m..s", "(m",   "m)",  "m2.5", "mkg"};

START_TEST(units_are_read)
{
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++) {
        dimension a, b;
        char other[64];
        size_t length = strcspn(alike[k].same, "*");
        (void)snprintf(other, sizeof other, "%.*s", (int)length, alike[k].same);
        ck_assert_msg(dimension_read(alike[k].unit, &a), "%s", alike[k].unit);
        ck_assert_msg(dimension_read(other, &b), "%s", other);
        ck_assert_msg(dimension_alike(&a, &b), "%s is no %s", alike[k].unit, other);
        bool equal = alike[k].same[length] == '\0';
        ck_assert_msg(dimension_equal(&a, &b) == equal, "%s and %s", alike[k].unit, other);
    }
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        dimension d;
        bool is = dimension_read(factors[k].unit, &d);
        ck_assert_msg(is == (factors[k].factor != 0), "%s", factors[k].unit);
        if (is)
            ck_assert_msg(fabs(d.factor / factors[k].factor - 1) < 1e-12, "%s is %.15g",
                          factors[k].unit, d.factor);
    }
    for (size_t k = 0; k < sizeof no_units / sizeof *no_units; k++) {
        dimension d;
        ck_assert_msg(!dimension_read(no_units[k], &d), "%s", no_units[k]);
    }
}
END_TEST

/* --- equations --- */

#define MASS                                                                                      \
    "parameter Real m(unit = \"kg\") = 2, k(unit = \"N/m\") = 3, l(unit = \"m\") = 1, f = 2;\n"   \
    "parameter Real g(unit = \"m/s2\") = 9.81, R(unit = \"Ohm\") = 2; parameter Integer n = 2;\n" \
    "Real x(unit = \"m\", start = 1), v(unit = \"m/s\", start = 1), a, b, s[2];\n"                \
    "Real C(unit = \"degC\"), K(unit = \"K\");\n"                                                 \
    "function area input Real r(unit = \"m\"); output Real y(unit = \"m2\");\n"                   \
    "algorithm y := 3*r^2; end area; record Ball Real u(unit = \"kg\"); Real w; end Ball; "       \
    "function lift input Ball c; input Real h(unit = \"m\"); output Real y(unit = \"m2\"); "      \
    "algorithm y := c.w*h; end lift;\n"

/* An equation of the model above, and what is told of it; NULL: nothing. */
static const struct {
    const char *equation, *told;
} equations[] = {
    {"der(x) = v", NULL},
    {"m*der(v) = -k*x - m*g*sin(x/l)", NULL},
    {"m*der(v) = -k*x - m*g*sin(x)", "the argument of sin has a unit: x is in m"},
    {"m*v = -k*x", "m*v is in kg.m/s, -k*x in N"},
    {"a = 0.5*m*v^2 + k*x^2/2", NULL},
    {"a = 0.5*m*v + k*x^2/2", "0.5*m*v is in kg.m/s, k*x^2/2 in J"},
    {"a = 0.5*m*v + 0.7*k*x^2", NULL}, /* 0.7 may be a quantity */
    {"a = 0.5*m*v^2 + sqrt(x)", "sqrt(x) in m^(6/12)"},
    {"a = sqrt(x^2 + l^2) - x", NULL},
    {"a = x^(1/3)*l^(2/3) + x", NULL},
    {"K = Modelica.Units.Conversions.from_degC(C)", NULL},
    {"C = Modelica.Units.Conversions.to_degC(K) + 1", NULL},
    {"K = Modelica.Units.Conversions.from_degC(20)", NULL},
    {"K = Modelica.Units.Conversions.from_degF(a)", NULL},
    {"C = Modelica.Units.Conversions.from_degC(C)", "C is in degC, Modelica.Units.Conversions."},
    {"K = Modelica.Units.Conversions.from_degC(K)",
     "K is in K, Modelica.Units.Conversions.from_degC converts from degC"},
    {"v = Modelica.Units.Conversions.from_kmh(v)",
     "v is in m/s, Modelica.Units.Conversions.from_kmh converts from km/h"},
    {"a = x + 3", NULL},
    {"v = sin(3*time)", NULL}, /* an amplitude of 1 m/s */
    {"v = 10*exp(-time/2)*(x/l)", NULL},
    {"v = x/time", NULL},
    {"v = x*time", "v is in m/s, x*time in m.s"},
    {"a = if time > 1 then x else v", "x is in m, v in m/s"},
    {"a = if x > v then 1 else 2", "x is in m, v in m/s"},
    {"a = max(x, v)", "x is in m, v in m/s"},
    {"a = atan2(x, l) + exp(x/l)", NULL},
    {"a = exp(v)", "the argument of exp has a unit: v is in m/s"},
    {"a = x^v", "the argument of ^ has a unit: v is in m/s"},
    {"v = n*x*(1/time)", NULL},
    {"v = f*x", NULL}, /* f has no unit */
    {"v = 100*x", NULL},
    {"v = 0.1*x + 10*x", NULL},
    {"v = 0.75*x", "v is in m/s, 0.75*x in m"},
    {"v = x/128", "v is in m/s, x/128 in m"},
    {"s[1] = x; s[2] = v", NULL}, /* signals */
    {"C = (K - 273.15 + C)/2; K = 300", NULL},
    {"C = sum({C, 20})/2 + 0.5*(C - 20); K = 0.5*C + 0.5*C + 273.15", NULL},
    {"C = K; K = 300", "C is in degC, K in K"},
    {"C = 2*v; K = 300", "C is in degC, 2*v in m/s"},
    {"v = 2*x", "v is in m/s, 2*x in m"},
    {"a = area(x)/l + x", NULL},
    {"a = area(v)", "v is in m/s, the input r of area in m"},
    {"a = lift(Ball(m, 2), x)", NULL},
    {"a = lift(Ball(m, 2), v)", "v is in m/s, the input h of lift in m"},
    {"a = area(x) + x", "area(x) is in m2, x in m"},
    {"a = noEvent(abs(x)) + smooth(1, v)", "noEvent(abs(x)) is in m, smooth(1, v) in m/s"},
    {"a = {x, v}*{v, x}", NULL},
    {"a = x; b + v = 0; a = b", "a is in m (by line 8), b in m/s (by line 8)"},
    {"b = a; a = x; b = v", "b is in m/s (by line 8), a in m (by line 8)"},
};

START_TEST(units_of_equations)
{
    reading got;
    char model[2048];
    (void)snprintf(model, sizeof model, "model M %sequation\n%s;\nend M;", MASS,
                   equations[_i].equation);
    read_right(&got, model);
    const char *notes = text_string(&got.m.notes), *at = strstr(notes, "unit");
    if (!equations[_i].told)
        ck_assert_msg(!at, "%s: %s", equations[_i].equation, notes);
    else
        ck_assert_msg(at && strstr(notes, equations[_i].told), "%s: %s", equations[_i].equation,
                      notes);
    close_reading(&got);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("units");
    tcase_add_test(tests, units_are_read);
    tcase_add_loop_test(tests, units_of_equations, 0, sizeof equations / sizeof *equations);
    return unit_run("model/units", tests);
}
