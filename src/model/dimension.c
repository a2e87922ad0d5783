#include "model/dimension.h"

#include "base/round_off.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units with a name: BIPM, The International System of Units, 9th ed. (2019), Tables 2, 4 and 8,
 * and names that Modelica models use. Powers of m, kg, s, A, K, mol, cd. Those that messages use
 * for a product come first. */
typedef struct named_unit {
    const char *name;
    signed char power[DIMENSION_BASES];
    bool prefixed; /* it may have one */
    double factor;
} named_unit;

static const named_unit units[] = {
    {"m", {1}, true, 1},
    {"kg", {0, 1}, false, 1},
    {"s", {0, 0, 1}, true, 1},
    {"A", {0, 0, 0, 1}, true, 1},
    {"K", {0, 0, 0, 0, 1}, true, 1},
    {"mol", {0, 0, 0, 0, 0, 1}, true, 1},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, true, 1},
    {"N", {1, 1, -2}, true, 1},
    {"Pa", {-1, 1, -2}, true, 1},
    {"J", {2, 1, -2}, true, 1},
    {"W", {2, 1, -3}, true, 1},
    {"C", {0, 0, 1, 1}, true, 1},
    {"V", {2, 1, -3, -1}, true, 1},
    {"F", {-2, -1, 4, 2}, true, 1},
    {"Ohm", {2, 1, -3, -2}, true, 1},
    {"S", {-2, -1, 3, 2}, true, 1},
    {"Wb", {2, 1, -2, -1}, true, 1},
    {"T", {0, 1, -2, -1}, true, 1},
    {"H", {2, 1, -2, -2}, true, 1},
    {"ohm", {2, 1, -3, -2}, true, 1},
    {"Hz", {0, 0, -1}, true, 1},
    {"Bq", {0, 0, -1}, true, 1},
    {"Gy", {2, 0, -2}, true, 1},
    {"Sv", {2, 0, -2}, true, 1},
    {"kat", {0, 0, -1, 0, 0, 1}, true, 1},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, true, 1},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, true, 1},
    {"g", {0, 1}, true, 1e-3},
    {"t", {0, 1}, true, 1e3},
    {"rad", {0}, true, 1},
    {"sr", {0}, true, 1},
    {"deg", {0}, false, 0.017453292519943295769},
    {"rev", {0}, false, 6.2831853071795864769},
    {"%", {0}, false, 0.01},
    {"ppm", {0}, false, 1e-6},
    {"min", {0, 0, 1}, false, 60},
    {"h", {0, 0, 1}, false, 3600},
    {"d", {0, 0, 1}, false, 86400},
    {"day", {0, 0, 1}, false, 86400},
    {"rpm", {0, 0, -1}, false, 0.10471975511965977462},
    {"l", {3}, true, 1e-3},
    {"L", {3}, true, 1e-3},
    {"ha", {2}, false, 1e4},
    {"bar", {-1, 1, -2}, true, 1e5},
    {"atm", {-1, 1, -2}, false, 101325},
    {"eV", {2, 1, -2}, true, 1.602176634e-19},
    {"cal", {2, 1, -2}, true, 4.1868},
    {"Wh", {2, 1, -2}, true, 3600},
    {"var", {2, 1, -3}, true, 1},
    {"VA", {2, 1, -3}, true, 1},
    {"u", {0, 1}, false, 1.66053906660e-27},
};

enum { UNITS = sizeof units / sizeof *units, NAMED = 19 /* of them are used in messages */ };

static const struct {
    const char *name;
    double factor;
} prefixes[] = {{"da", 1e1},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},
                {"T", 1e12},  {"G", 1e9},   {"M", 1e6},   {"k", 1e3},   {"h", 1e2},
                {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"n", 1e-9},
                {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}};

enum { PREFIXES = sizeof prefixes / sizeof *prefixes };

dimension dimension_one(void)
{
    return (dimension){.factor = 1};
}

static void set_unit(dimension *d, const named_unit *u, double factor)
{
    *d = (dimension){.factor = u->factor * factor};
    for (int k = 0; k < DIMENSION_BASES; k++) d->power[k] = (short)(DIMENSION_PARTS * u->power[k]);
}

static const named_unit *find_unit(const char *name, size_t length)
{
    for (int k = 0; k < UNITS; k++)
        if (strlen(units[k].name) == length && strncmp(units[k].name, name, length) == 0)
            return &units[k];
    return NULL;
}

static bool read_name(const char *name, size_t length, dimension *d)
{
    if (length == 4 && strncmp(name, "degC", length) == 0) {
        set_unit(d, find_unit("K", 1), 1);
        d->zero = ZERO_OF_CELSIUS;
        return true;
    }
    const named_unit *u = find_unit(name, length);
    if (u) set_unit(d, u, 1);
    for (int k = 0; k < PREFIXES && !u; k++) {
        size_t skip = strlen(prefixes[k].name);
        if (skip >= length || strncmp(prefixes[k].name, name, skip) != 0) continue;
        u = find_unit(name + skip, length - skip);
        if (u && !u->prefixed) u = NULL;
        if (u) set_unit(d, u, prefixes[k].factor);
    }
    return u != NULL;
}

static bool read_product(const char **at, int depth, dimension *d);

/* A name with an exponent, 1, or a product in parentheses. */
static bool read_factor(const char **at, int depth, dimension *d)
{
    if (**at == '(') {
        (*at)++;
        if (depth <= 0 || !read_product(at, depth - 1, d) || **at != ')') return false;
        (*at)++;
        return true;
    }
    if (**at == '1') {
        (*at)++;
        *d = dimension_one();
        return true;
    }
    size_t length = 0;
    while (isalpha((unsigned char)(*at)[length]) || (*at)[length] == '%') length++;
    dimension name;
    if (length == 0 || !read_name(*at, length, &name)) return false;
    *at += length;
    long power = 1;
    if (isdigit((unsigned char)**at) ||
        ((**at == '-' || **at == '+') && isdigit((unsigned char)(*at)[1]))) {
        char *end;
        power = strtol(*at, &end, 10);
        *at = end;
        if (labs(power) > 99) return false;
        *d = dimension_one();
        dimension_multiply(d, &name, (int)power * DIMENSION_PARTS);
    } else {
        *d = name;
    }
    return true;
}

/* Factors with points and slashes between them; what follows a slash is divided by. */
static bool read_product(const char **at, int depth, dimension *d)
{
    if (!read_factor(at, depth, d)) return false;
    bool below = false;
    while (**at == '.' || **at == '*' || **at == '/') {
        below |= **at == '/';
        (*at)++;
        dimension factor;
        if (!read_factor(at, depth, &factor)) return false;
        dimension_multiply(d, &factor, below ? -DIMENSION_PARTS : DIMENSION_PARTS);
    }
    return true;
}

bool dimension_read(const char *unit, dimension *d)
{
    enum { DEEPEST = 8 };
    return read_product(&unit, DEEPEST, d) && *unit == '\0';
}

void dimension_multiply(dimension *d, const dimension *e, int twelfths)
{
    for (int k = 0; k < DIMENSION_BASES; k++)
        d->power[k] = (short)(d->power[k] + e->power[k] * twelfths / DIMENSION_PARTS);
    d->factor *= pow(e->factor, (double)twelfths / DIMENSION_PARTS);
    if (!isfinite(d->factor)) d->factor = 0;
    if (d->zero != ZERO_OF_SI || e->zero != ZERO_OF_SI)
        d->factor = 0; /* of a difference, or wrong */
    d->zero = ZERO_OF_SI;
}

bool dimension_alike(const dimension *d, const dimension *e)
{
    return memcmp(d->power, e->power, sizeof d->power) == 0;
}

bool dimension_equal(const dimension *d, const dimension *e)
{
    if (!dimension_alike(d, e)) return false;
    bool same_zero = d->zero == e->zero || d->zero == ZERO_UNKNOWN || e->zero == ZERO_UNKNOWN;
    bool known = d->factor != 0 && e->factor != 0;
    return same_zero && (!known || fabs(d->factor - e->factor) <= 1e-6 * fabs(e->factor));
}

/* kg.m2/s3 */
static const char *base_text(arena *a, const dimension *d)
{
    const char *above = "", *below = "";
    int divisors = 0;
    static const int order[DIMENSION_BASES] = {1, 0, 2, 3, 4, 5, 6}; /* kg.m2 */
    for (int i = 0; i < DIMENSION_BASES; i++) {
        int k = order[i], n = abs(d->power[k]), whole = n / DIMENSION_PARTS;
        if (n == 0) continue;
        bool up = d->power[k] > 0;
        const char **to = up ? &above : &below;
        const char *number = n % DIMENSION_PARTS ? arena_format(a, "^(%d/%d)", n, DIMENSION_PARTS)
                             : whole > 1         ? arena_format(a, "%d", whole)
                                                 : "";
        *to = arena_format(a, "%s%s%s%s", *to, **to ? "." : "", units[k].name, number);
        divisors += !up;
    }
    if (!divisors) return *above ? above : "1";
    return arena_format(a, divisors > 1 ? "%s/(%s)" : "%s/%s", *above ? above : "1", below);
}

const char *dimension_text(arena *a, const dimension *d)
{
    if (d->zero == ZERO_OF_CELSIUS) return "degC";
    const char *name = NULL;
    for (int k = 0; k < NAMED && !name; k++) {
        dimension u;
        set_unit(&u, &units[k], 1);
        if (dimension_alike(d, &u)) name = units[k].name;
    }
    if (!name) name = base_text(a, d);
    bool plain = d->factor == 0 || fabs(d->factor - 1) <= 1e-6;
    return plain ? name : arena_format(a, "%g %s", d->factor, name);
}
