/* Names from other languages, and how to write them in Modelica. */
#include "model/scope.h"

#include <string.h>

typedef struct foreign_name {
    const char *name, *remedy;
} foreign_name;

static const foreign_name functions[] = {
    {"ln", "the natural logarithm is log(x)"},
    {"lg", "the logarithm to base 10 is log10(x)"},
    {"log2", "write log(x)/log(2)"},
    {"pow", "a power is written x^y"},
    {"power", "a power is written x^y"},
    {"sqr", "a square is written x^2"},
    {"square", "a square is written x^2"},
    {"cbrt", "write x^(1/3)"},
    {"fabs", "the absolute value is abs(x)"},
    {"sgn", "the sign is sign(x)"},
    {"arcsin", "the inverse of sin is asin(x)"},
    {"arccos", "the inverse of cos is acos(x)"},
    {"arctan", "the inverse of tan is atan(x)"},
    {"arctan2", "the angle of a vector is atan2(y, x)"},
    {"cot", "write 1/tan(x)"},
    {"asinh", "write log(x + sqrt(x^2 + 1))"},
    {"acosh", "write log(x + sqrt(x^2 - 1))"},
    {"atanh", "write 0.5*log((1 + x)/(1 - x))"},
    {"heaviside", "write (if x > 0 then 1 else 0)"},
    {"step", "write (if time > t0 then 1 else 0)"},
    {"diff", "a derivative by time is written der(x)"},
    {"ddt", "a derivative by time is written der(x)"},
    {"dot", "the scalar product of two vectors is x*y"},
    {"eye", "the unit matrix is identity(n)"},
    {"length", "the number of elements is size(x, 1)"},
    {"round", "write floor(x + 0.5)"},
    {"trunc", "write integer(x), or div(x, 1)"},
    {"fmod", "a remainder is written mod(x, y) or rem(x, y)"},
};

static const foreign_name variables[] = {
    {"pi", "declare it: constant Real pi = 3.14159265358979323846"},
    {"PI", "declare it: constant Real PI = 3.14159265358979323846"},
    {"e", "the number e is exp(1)"},
    {"t", "the time of the simulation is called time"},
    {"inf", "the largest number is 1.7976931348623157e308"},
    {"eps", "declare it: constant Real eps = 2.220446049250313e-16"},
    {"True", "the truth values are true and false"},
    {"False", "the truth values are true and false"},
};

static const char *find(const foreign_name *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return list[i].remedy;
    return NULL;
}

const char *model_foreign_function(const char *name)
{
    return find(functions, sizeof functions / sizeof *functions, name);
}

const char *model_foreign_variable(const char *name)
{
    return find(variables, sizeof variables / sizeof *variables, name);
}
