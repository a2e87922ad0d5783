/* Numbers from their digits, correctly rounded, independent of the decimal point of the locale. */
#include "model/lexer.h"

#include <math.h>
#include <stdlib.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* State while the digits of a number are scanned. */
typedef struct scanned {
    double mantissa; /* of the first 15 significant digits, without the point */
    int significant; /* number of digits, without leading zeros */
    long exponent;   /* power of ten for all digits as a whole number */
} scanned;

static size_t scan_digits(const char *string, size_t i, size_t length, scanned *s)
{
    for (; i < length && is_digit(string[i]); i++) {
        if (s->significant || string[i] != '0') s->significant++;
        if (s->significant <= 15) s->mantissa = 10 * s->mantissa + (string[i] - '0');
    }
    return i;
}

/* Read the bytes from `i` on as an exponent; false if they are not one. */
static bool scan_exponent(const char *string, size_t i, size_t length, scanned *s)
{
    if (i == length) return true;
    if (string[i] != 'e' && string[i] != 'E') return false;
    bool minus = ++i < length && string[i] == '-';
    if (i < length && (string[i] == '-' || string[i] == '+')) i++;
    if (i == length) return false;
    long exponent = 0;
    for (; i < length && is_digit(string[i]); i++)
        if (exponent < 100000000) exponent = 10 * exponent + (string[i] - '0');
    s->exponent += minus ? -exponent : exponent;
    return i == length;
}

/* strtod() of the digits without their point, because the locale may have another decimal point. */
static double round_digits(arena *a, const char *string, size_t length, long exponent)
{
    char *digits = arena_array(a, length + 24, 1), *to = digits;
    for (size_t i = 0; i < length && (is_digit(string[i]) || string[i] == '.'); i++)
        if (string[i] != '.') *to++ = string[i];
    return strtod(arena_format(a, "%se%ld", digits, exponent), NULL);
}

bool model_parse_number(arena *a, const char *string, size_t length, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { EXACT_POWERS = sizeof ten / sizeof *ten };
    scanned s = {0};
    size_t whole = scan_digits(string, 0, length, &s), i = whole;
    if (i < length && string[i] == '.') {
        i = scan_digits(string, i + 1, length, &s);
        s.exponent = -(long)(i - whole - 1);
    }
    if (whole == 0 && s.exponent == 0) return false; /* no digit at all */
    if (!scan_exponent(string, i, length, &s)) return false;
    if (s.significant > 15 || labs(s.exponent) >= EXACT_POWERS)
        *value = round_digits(a, string, length, s.exponent);
    else /* both numbers are exact, so that one rounding is the right one (Clinger 1990) */
        *value = s.exponent < 0 ? s.mantissa / ten[-s.exponent] : s.mantissa * ten[s.exponent];
    return isfinite(*value);
}
