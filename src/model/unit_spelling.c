/* Units that are written as elsewhere, m/s^2 or N*m for m/s2 and N.m, and are therefore not read.
 */
#include "model/evaluator.h"
#include "model/units.h"

#include <string.h>

enum { LONGEST_UNIT = 60, MOST_NOTED = 4 };

/* The unit with the signs of the language: `.` between factors, an exponent after its name. */
static const char *with_own_signs(arena *a, const char *unit)
{
    char *own = arena_copy(a, unit, strlen(unit)), *to = own;
    for (const char *c = unit; *c; c++) {
        if (*c == '^' || (*c == '*' && c[1] == '*')) {
            c += *c == '*';
            continue;
        }
        *to++ = *c == '*' || *c == ' ' ? '.' : *c;
    }
    *to = '\0';
    return own;
}

/* The unit with a point in it, as kg.m for kgm; NULL: that is none. */
static const char *with_point(arena *a, const char *unit)
{
    dimension d;
    for (size_t k = 1; k < strlen(unit) && k < LONGEST_UNIT; k++) {
        const char *parted = arena_format(a, "%.*s.%s", (int)k, unit, unit + k);
        if (dimension_read(parted, &d)) return parted;
    }
    return NULL;
}

/* How a unit that is not read may be meant; NULL: it is some other name, as EUR. */
static const char *meant(arena *a, const char *unit)
{
    dimension d;
    const char *own = with_own_signs(a, unit);
    if (strcmp(own, unit) == 0) return with_point(a, unit);
    return dimension_read(own, &d) ? own : "";
}

void model_note_spellings(model_reader *r)
{
    const char *noted[MOST_NOTED], *list = "";
    size_t count = 0;
    dimension d;
    for (size_t i = 0; i < r->symbol.count && count < MOST_NOTED; i++) {
        const model_symbol *s = r->symbol.item[i];
        const model_expression *e = s->type.base == TYPE_REAL
                                        ? model_attribute_written(r, s, ATTRIBUTE_UNIT)
                                        : NULL;
        const char *unit = e && e->kind == EXPRESSION_STRING ? names_string(r->words, e->name) : "";
        bool known = !*unit || strlen(unit) > LONGEST_UNIT || dimension_read(unit, &d);
        for (size_t k = 0; k < count && !known; k++) known = strcmp(noted[k], unit) == 0;
        const char *better = known ? NULL : meant(r->a, unit);
        if (!better) continue;
        noted[count++] = unit;
        const char *advice = *better ? arena_format(r->a, " (write %s)", better) : "";
        list = arena_format(r->a, "%s%s%s of %s%s", list, *list ? ", " : "", unit, s->name, advice);
    }
    if (count > 0)
        list_push(r->a, &r->note,
                  arena_format(r->a, "%s: not read as units, and so not compared: %s",
                               r->source.file, list));
}
