/* Numbers as text, by integer arithmetic.
 *
 * A number v = m 2^e is scaled to X = v 10^(16 - E) in [1e16, 1e17). 17 digits of X and 64 bits
 * after them are known: 10^q is the product of a power of 10^27, to 128 bits, and of an exact
 * power. If these bits do not suffice for a decision (a digit, or whether the text reads back as
 * v), the C library makes it. */
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide; /* gcc and clang */

/* 10^(27 i) = (high 2^64 + low) 2^exponent, rounded down, for i from FIRST on. */
typedef struct coarse_power {
    uint64_t high, low;
    int exponent;
} coarse_power;

enum { COARSE = 27, FIRST = -11, DIGITS = 17 };

static const coarse_power coarse_powers[] = {
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e, -1114},
    {0x873e4f75e2224e68, 0x5a7744a6e804a291, -1024},
    {0xda7f5bf590966848, 0xaf39a475506a899e, -935},
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3, -845},
    {0x8e938662882af53e, 0x547eb47b7282ee9c, -755},
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112, -666},
    {0xba121a4650e4ddeb, 0x92f34d62616ce413, -576},
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f, -486},
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3, -397},
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886, -307},
    {0x9e74d1b791e07e48, 0x775ea264cf55347d, -217},
    {0x8000000000000000, 0x0000000000000000, -127},
    {0xcecb8f27f4200f3a, 0x0000000000000000, -38},
    {0xa70c3c40a64e6c51, 0x999090b65f67d924, 52},
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 142},
    {0xda01ee641a708de9, 0xe80e6f4820cc9495, 231},
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 321},
    {0x8e41ade9fbebc27d, 0x14588f13be847307, 411},
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 500},
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 590},
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 680},
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 769},
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8, 859},
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 949},
};

/* 5^k for k < COARSE, in two factors; 5^26 < 2^61. */
enum { FINE = 9 };
static const uint64_t fine_fives[FINE] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625};
static const uint64_t coarse_fives[COARSE / FINE] = {1, 1953125, 3814697265625};

/* The roundings on the way to X 2^64 may add up to two units of its last bit. */
static const unsigned MARGIN = 16;

typedef struct scaled {
    wide x, half; /* X 2^64; half the distance of v to the next number, in the same unit */
    int exponent; /* E */
    bool is_least_of_binade; /* the number below is only half as far */
} scaled;

typedef enum answer { NO, YES, OPEN } answer;

/* (a b) / 2^64, rounded down */
static wide upper_product(wide a, uint64_t b)
{
    wide low = (wide)(uint64_t)a * b;
    return (a >> 64) * b + (low >> 64);
}

/* x > 0 */
static int leading_zeros(uint64_t x)
{
    return __builtin_clzll(x); /* gcc and clang */
}

/* significand 2^exponent 10^q 2^64, where the significand fills 64 bits */
static wide scale(uint64_t significand, int exponent, int q)
{
    int i = (q >= 0 ? q : q - (COARSE - 1)) / COARSE, j = q - COARSE * i;
    const coarse_power *c = &coarse_powers[i - FIRST];
    uint64_t fives = fine_fives[j % FINE] * coarse_fives[j / FINE];
    int shift = leading_zeros(fives);
    wide power = upper_product((wide)c->high << 64 | c->low, fives << shift);
    int right = -(exponent + c->exponent + j - shift + 3 * 64);
    return upper_product(power, significand) >> right;
}

static scaled find_scaled(double size)
{
    static const uint64_t most = 100000000000000000;
    int exponent;
    uint64_t m = (uint64_t)ldexp(frexp(size, &exponent), 53);
    exponent -= 53;
    while (m % 2 == 0 && exponent < -1074) m /= 2, exponent++; /* below the normal numbers */
    int shift = leading_zeros(m);
    int decimal = (int)floor((exponent + 64 - shift - 1) * 0.30102999566398120);
    scaled s = {.exponent = decimal, .is_least_of_binade = m == (uint64_t)1 << 52};
    s.x = scale(m << shift, exponent - shift, DIGITS - 1 - decimal);
    if (s.x >> 64 >= most) {
        s.exponent++;
        s.x = scale(m << shift, exponent - shift, DIGITS - 1 - s.exponent);
    }
    s.half = s.x / (2 * m);
    return s;
}

/* X rounded to `digits` digits, in units of the last of 17. */
static answer round_to(const scaled *s, int digits, uint64_t *rounded)
{
    uint64_t unit = digits == DIGITS ? 1 : digits == DIGITS - 1 ? 10 : 100;
    uint64_t whole = (uint64_t)(s->x >> 64), over = whole % unit;
    wide rest = (wide)over << 64 | (uint64_t)s->x, middle = ((wide)unit << 64) / 2;
    if (rest + MARGIN >= middle && rest <= middle + MARGIN) return OPEN;
    *rounded = whole - over + (rest > middle ? unit : 0);
    return YES;
}

/* Whether that reads back as v. */
static answer reads_back(const scaled *s, uint64_t rounded)
{
    wide at = (wide)rounded << 64, off = at > s->x ? at - s->x : s->x - at;
    wide half = s->is_least_of_binade && at < s->x ? s->half / 2 : s->half;
    if (off + MARGIN < half) return YES;
    return off > half + MARGIN ? NO : OPEN;
}

/* Write the digits of a number, 0 < rounded < 10^17, without zeros at its end: their count, and the
 * first one of them in `digit` (DIGITS + 1). */
static int split(uint64_t rounded, char *digit, const char **first)
{
    static const char pair[] = "00010203040506070809101112131415161718192021222324"
                               "25262728293031323334353637383940414243444546474849"
                               "50515253545556575859606162636465666768697071727374"
                               "75767778798081828384858687888990919293949596979899";
    int begin = DIGITS + 1, end = DIGITS + 1;
    for (; rounded; rounded /= 100) begin -= 2, memcpy(digit + begin, pair + rounded % 100 * 2, 2);
    begin += digit[begin] == '0';
    while (digit[end - 1] == '0') end--;
    *first = digit + begin;
    return end - begin;
}

/* Write as printf's %.*g does, with `digits` digits or fewer. */
static size_t write_digits(char *buffer, bool negative, uint64_t rounded, int exponent, int digits)
{
    char digit[DIGITS + 1], *to = buffer;
    const char *from;
    if (rounded >= 100000000000000000) rounded /= 10, exponent++;
    int count = split(rounded, digit, &from);
    bool scientific = exponent < -4 || exponent >= digits;
    int point = scientific ? 1 : exponent + 1; /* digits before the point */
    if (negative) *to++ = '-';
    if (point <= 0) {
        *to++ = '0', *to++ = '.';
        for (int k = point; k < 0; k++) *to++ = '0';
    }
    for (int k = 0; k < count || k < point; k++) {
        if (k == point && k > 0) *to++ = '.';
        *to++ = k < count ? from[k] : '0';
    }
    if (scientific) to += snprintf(to, 8, "e%+03d", exponent);
    *to = '\0';
    return (size_t)(to - buffer);
}

static size_t write_slowly(char *buffer, double value)
{
    int length = 0;
    for (int digits = DIGITS - 2; digits <= DIGITS; digits++) {
        length = snprintf(buffer, TEXT_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return (size_t)length;
}

size_t text_write_number(char *buffer, double value)
{
    if (isnan(value)) return (size_t)snprintf(buffer, TEXT_NUMBER_SIZE, "nan");
    if (isinf(value)) return (size_t)snprintf(buffer, TEXT_NUMBER_SIZE, value > 0 ? "inf" : "-inf");
    if (value == 0) return (size_t)snprintf(buffer, TEXT_NUMBER_SIZE, signbit(value) ? "-0" : "0");
    scaled s = find_scaled(fabs(value));
    uint64_t rounded = 0;
    for (int digits = DIGITS - 2; digits <= DIGITS; digits++) {
        answer back = round_to(&s, digits, &rounded);
        if (back == YES && digits < DIGITS) back = reads_back(&s, rounded);
        if (back == OPEN) break;
        if (back == YES) return write_digits(buffer, value < 0, rounded, s.exponent, digits);
    }
    return write_slowly(buffer, value);
}
