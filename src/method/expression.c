#include "method/tableau.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* 10^34 < 2^113, so that this many digits are exact, as are the powers of ten up to 10^48. Half of
 * them are a whole number that fits into 64 bits. */
enum { EXACT_DIGITS = 34, HALF = 17, LARGEST_EXPONENT = 5000, MOST_ARGUMENTS = 16 };

static const char NOT_UNDERSTOOD[] = "a line is not closed, or not understood";

static const double LARGEST = 1e305; /* which a double can hold */

const quad *definitions_find(const definitions *d, const char *name, size_t length)
{
    for (int i = 0; i < d->count; i++)
        if (text_equals(name, length, d->name[i])) return &d->value[i];
    return NULL;
}

bool definitions_add(definitions *d, const char *name, size_t length, quad value)
{
    if (d->count == DEFINITIONS_MOST || length >= DEFINITION_SIZE) return false;
    memcpy(d->name[d->count], name, length);
    d->name[d->count][length] = '\0';
    d->value[d->count++] = value;
    return true;
}

size_t expression_name(const char *at)
{
    size_t length = 0;
    if (!isalpha((unsigned char)at[0])) return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}

quad expression_fail(expression *e, const char *error)
{
    if (!e->error) e->error = error;
    return 0;
}

static char next(expression *e)
{
    while (e->depth > 0 && *e->at == ' ') e->at++;
    return *e->at;
}

static bool take(expression *e, char wanted)
{
    if (next(e) != wanted) return false;
    e->at++;
    return true;
}

static int exponent(expression *e)
{
    int value = 0, sign = 1;
    if (*e->at == '-' || *e->at == '+') sign = *e->at++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)*e->at)) expression_fail(e, "an exponent without digits");
    for (; isdigit((unsigned char)*e->at); e->at++)
        if (value < LARGEST_EXPONENT) value = 10 * value + (*e->at - '0');
    return sign * value;
}

/* 10^k, exact up to k = 44 as a product of two exact doubles. */
static quad power_of_ten(int k)
{
    enum { MOST = 22 };
    static const double power[MOST + 1] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (k <= MOST) return (quad)power[k];
    if (k <= 2 * MOST) return (quad)power[MOST] * (quad)power[k - MOST];
    return quad_power(10, k);
}

/* Reads digits that a quad holds exactly, multiplied or divided by a power of ten: rounded once. */
static quad decimal(expression *e)
{
    uint64_t half[2] = {0, 0};
    int digits = 0, power = 0, seen = 0;
    bool point = false;
    for (;; e->at++) {
        if (*e->at == '.' && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)*e->at)) break;
        seen++;
        bool kept = digits < EXACT_DIGITS;
        uint64_t *part = &half[digits >= HALF];
        if (kept) *part = 10 * *part + (uint64_t)(*e->at - '0');
        if (kept && (half[0] > 0 || digits > 0)) digits++;
        power += (kept ? 0 : 1) - (point ? 1 : 0);
    }
    if (seen == 0) return expression_fail(e, "a number is missing");
    if (*e->at == 'e' || *e->at == 'E') {
        e->at++;
        power += exponent(e);
    }
    quad value = (quad)half[0];
    if (digits > HALF) value = value * power_of_ten(digits - HALF) + (quad)half[1];
    return power < 0 ? value / power_of_ten(-power) : value * power_of_ten(power);
}

static quad sum(expression *e);

/* Reads the list up to the closing parenthesis. The opening one has been read. */
static int list(expression *e, quad *value, int most)
{
    int count = 0;
    e->depth++;
    do {
        quad item = sum(e);
        if (count < most) value[count] = item;
        count++;
    } while (!e->error && take(e, ','));
    if (!take(e, ')')) expression_fail(e, "a parenthesis is not closed");
    e->depth--;
    return count;
}

static quad polynomial(int count, const quad *coefficient, quad x)
{
    quad value = 0;
    for (int k = count - 1; k >= 0; k--) value = value * x + coefficient[k];
    return value;
}

/* Finds the root by bisection until low and high are neighbours. */
static quad root(expression *e, int count, const quad *value)
{
    if (count < 4) return expression_fail(e, "root() needs an interval and a polynomial");
    quad low = value[0], high = value[1];
    bool rises = polynomial(count - 2, value + 2, high) > 0;
    if (!(low < high) || (polynomial(count - 2, value + 2, low) > 0) == rises)
        return expression_fail(e, "root() finds no change of sign in its interval");
    for (;;) {
        quad middle = (low + high) / 2;
        if (!(low < middle && middle < high)) return low;
        if ((polynomial(count - 2, value + 2, middle) > 0) == rises)
            high = middle;
        else
            low = middle;
    }
}

/* The moment of x (x - c_2) ... (x - c_n), divided by its value at c_1. */
static quad weight(expression *e, int count, const quad *value)
{
    int n = count / 2;
    if (count % 2 != 0) return expression_fail(e, "weight() needs as many moments as nodes");
    quad p[MOST_ARGUMENTS] = {1}, sought = value[0], moment = 0;
    for (int j = 1; j < n; j++) {
        sought *= value[0] - value[j];
        for (int k = j; k > 0; k--) p[k] = p[k - 1] - value[j] * p[k];
        p[0] *= -value[j];
    }
    for (int k = 0; k < n; k++) moment += p[k] * value[n + k];
    return moment / sought;
}

static quad call(expression *e, const char *name, size_t length)
{
    quad value[MOST_ARGUMENTS] = {0};
    int count = list(e, value, MOST_ARGUMENTS);
    if (e->error) return 0;
    if (count > MOST_ARGUMENTS) return expression_fail(e, "too many numbers in parentheses");
    if (text_equals(name, length, "root")) return root(e, count, value);
    if (text_equals(name, length, "weight")) return weight(e, count, value);
    if (!text_equals(name, length, "sqrt"))
        return expression_fail(e, "an unknown function; there are sqrt, root and weight");
    if (count != 1) return expression_fail(e, "sqrt() needs one number");
    return value[0] < 0 ? expression_fail(e, "the square root of a negative number")
                        : quad_sqrt(value[0]);
}

static quad named(expression *e)
{
    const char *name = e->at;
    size_t length = expression_name(name);
    e->at += length;
    if (*e->at == '(') {
        e->at++;
        return call(e, name, length);
    }
    const quad *value = e->names ? definitions_find(e->names, name, length) : NULL;
    return value ? *value : expression_fail(e, "an unknown name");
}

static quad operand(expression *e)
{
    char first = next(e);
    if (first == '(') {
        quad value;
        e->at++;
        return list(e, &value, 1) == 1 ? value : expression_fail(e, "a comma outside a list");
    }
    return isalpha((unsigned char)first) ? named(e) : decimal(e);
}

static quad factor(expression *e)
{
    bool negative = take(e, '-');
    quad value = operand(e);
    if (take(e, '^')) value = quad_power(value, exponent(e));
    return negative ? -value : value;
}

static quad product(expression *e)
{
    quad value = factor(e);
    while (!e->error) {
        if (take(e, '*'))
            value *= factor(e);
        else if (take(e, '/'))
            value /= factor(e);
        else
            break;
    }
    return value;
}

static quad sum(expression *e)
{
    quad value = product(e);
    while (!e->error) {
        if (take(e, '+'))
            value += product(e);
        else if (take(e, '-'))
            value -= product(e);
        else
            break;
    }
    return value;
}

quad expression_value(expression *e)
{
    quad value = sum(e);
    if (!(quad_abs(value) < (quad)LARGEST))
        expression_fail(e, "a number that is not finite, as after division by zero");
    return value;
}

static void skip_blanks(expression *e)
{
    e->at += strspn(e->at, " ");
}

int expression_row(expression *e, int most, const char *too_many, quad *value)
{
    int count = 0;
    for (skip_blanks(e); *e->at != ';' && !e->error; skip_blanks(e)) {
        if (count == most)
            expression_fail(e, too_many);
        else if (e->takes_open && take(e, '?'))
            value[count++] = (quad)NAN;
        else
            value[count++] = expression_value(e);
        if (*e->at != ' ' && *e->at != ';') expression_fail(e, NOT_UNDERSTOOD);
    }
    return count;
}

/* Reads a line such as "g = 1/4;", in which blanks mean nothing. False: it is another one. */
static bool read_definition(expression *e)
{
    const char *name = e->at;
    size_t length = expression_name(name);
    const char *sign = name + length + strspn(name + length, " ");
    if (length == 0 || *sign != '=') return false;
    e->at = sign + 1;
    e->depth = 1;
    quad value = expression_value(e);
    e->depth = 0;
    if (!e->error && !definitions_add(e->names, name, length, value))
        expression_fail(e, "too many names, or one that is too long");
    return true;
}

const char *expression_lines(expression *e, void (*read_line)(void *self), void *self)
{
    for (skip_blanks(e); *e->at && !e->error; skip_blanks(e)) {
        if (!read_definition(e) && read_line) read_line(self);
        if (*e->at != ';') expression_fail(e, NOT_UNDERSTOOD);
        if (!e->error) e->at++;
    }
    return e->error;
}
