#include "base/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A place in a pattern. */
typedef struct place_in {
    const char *at;
    bool quoted;
} place_in;

/* Whether a slice begins here: a bracket with a colon in it. */
static bool begins_slice(const char *at)
{
    size_t length = *at == '[' ? strcspn(at, "]") : 0;
    return at[length] == ']' && memchr(at, ':', length);
}

static bool is_wild(const place_in *p)
{
    return !p->quoted && (*p->at == '*' || begins_slice(p->at));
}

/* To the next character of the pattern; a quote begins or ends what stands for itself, and a
 * backslash within quotes takes the next character along. */
static void go_on(place_in *p)
{
    if (*p->at == '\'')
        p->quoted = !p->quoted;
    else if (p->quoted && *p->at == '\\' && p->at[1])
        p->at++;
    p->at++;
}

/* The first wild place, and the end of the last one; both at the end where there is none. */
static void find_wild(const char *pattern, const char **first, const char **behind)
{
    place_in p = {.at = pattern};
    *first = *behind = NULL;
    for (; *p.at; go_on(&p)) {
        if (!is_wild(&p)) continue;
        if (!*first) *first = p.at;
        *behind = p.at + (*p.at == '[' ? strcspn(p.at, "]") : 0) + 1;
    }
    if (!*first) *first = *behind = p.at;
}

bool pattern_is_one(const char *pattern)
{
    const char *first, *behind;
    find_wild(pattern, &first, &behind);
    return *first != '\0';
}

size_t pattern_prefix(const char *pattern)
{
    const char *first, *behind;
    find_wild(pattern, &first, &behind);
    return (size_t)(first - pattern);
}

size_t pattern_suffix(const char *pattern)
{
    const char *first, *behind;
    find_wild(pattern, &first, &behind);
    return strlen(behind);
}

static const char *skip_space(const char *at)
{
    while (*at == ' ') at++;
    return at;
}

/* Reads a number; *given tells whether there is one. */
static const char *read_number(const char *at, bool *given, long *number)
{
    char *end;
    at = skip_space(at);
    *given = isdigit((unsigned char)*at) != 0;
    if (!*given) return at;
    *number = strtol(at, &end, 10);
    return skip_space(end);
}

/* Reads an item of a slice and asks whether it holds a subscript. NULL: it does not, or is none. */
static const char *match_item(const char *at, long subscript)
{
    long part[3] = {0};
    bool given[3] = {false};
    int parts = 0;
    if (*skip_space(at) == '*') return skip_space(skip_space(at) + 1);
    at = read_number(at, &given[0], &part[0]);
    for (parts = 1; parts < 3 && *at == ':'; parts++) {
        at = read_number(at + 1, &given[parts], &part[parts]);
        if (!given[parts] && strncmp(at, "end", 3) == 0) at = skip_space(at + 3);
    }
    if (parts == 1) return given[0] && subscript == part[0] ? at : NULL;
    long from = given[0] ? part[0] : 1, step = parts == 3 && given[1] ? part[1] : 1;
    bool ends = given[parts - 1];
    if (step < 1 || subscript < from || (ends && subscript > part[parts - 1])) return NULL;
    return (subscript - from) % step == 0 ? at : NULL;
}

/* Appends the last subscript of an item, or the item as it is where that is open; returns its end.
 */
static const char *append_last(const char *at, text *last)
{
    const char *begin = at;
    long part[3] = {0};
    bool given[3] = {false};
    int parts = 1;
    at = read_number(at, &given[0], &part[0]);
    for (; parts < 3 && *at == ':'; parts++) at = read_number(at + 1, &given[parts], &part[parts]);
    long from = given[0] ? part[0] : 1, step = parts == 3 && given[1] ? part[1] : 1;
    long end = part[parts - 1];
    bool closed = parts > 1 && given[parts - 1] && step > 0 && end >= from;
    if (closed) text_format(last, "%ld", end - (end - from) % step);
    at = begin + strcspn(begin, ",]");
    if (!closed) text_add_bytes(last, begin, (size_t)(at - begin));
    return at;
}

void pattern_last(const char *pattern, text *last)
{
    place_in p = {.at = pattern};
    while (*p.at) {
        const char *from = p.at;
        if (!p.quoted && begins_slice(p.at)) {
            do {
                text_add_bytes(last, p.at, 1);
                p.at = append_last(p.at + 1, last);
            } while (*p.at == ',');
        } else {
            go_on(&p);
            text_add_bytes(last, from, (size_t)(p.at - from));
        }
    }
}

/* Matches a slice with the brackets of a name, and goes after both. */
static bool match_slice(const char **slice, const char **name)
{
    const char *p = *slice, *s = *name;
    if (*s != '[') return false;
    do {
        bool given;
        long subscript;
        s = read_number(s + 1, &given, &subscript);
        p = given ? match_item(p + 1, subscript) : NULL;
        if (!p) return false;
    } while (*p == ',' && *s == ',');
    if (*p != ']' || *s != ']') return false;
    *slice = p + 1;
    *name = s + 1;
    return true;
}

/* Matches what stands at a place, other than `*`, and goes after it in both. */
static bool match_one(place_in *p, const char **name)
{
    if (!p->quoted && begins_slice(p->at)) return match_slice(&p->at, name);
    if (*p->at == '\'' && **name != '\'') { /* names are shown without their quotes */
        go_on(p);
        return true;
    }
    bool escaped = p->quoted && *p->at == '\\' && p->at[1];
    if (escaped) p->at++;
    if (!*p->at || *p->at != **name) return false;
    if (*p->at == '\'' && !escaped) p->quoted = !p->quoted;
    p->at++;
    ++*name;
    return true;
}

/* After a mismatch, the last `*` takes one character more. */
bool pattern_matches(const char *pattern, const char *name)
{
    place_in p = {.at = pattern}, star = {0};
    const char *from = NULL;
    for (;;) {
        bool at_star = !p.quoted && *p.at == '*';
        if (at_star) {
            p.at++;
            star = p;
            from = name;
            continue;
        }
        if (!*p.at && (!*name || *name == '[')) return true;
        if (*p.at && match_one(&p, &name)) continue;
        if (!from || !*from) return false;
        name = ++from;
        p = star;
    }
}
