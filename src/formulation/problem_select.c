/* Which variables a word of a list means. */
#include "base/pattern.h"
#include "formulation/problem_handle.h"

#include <stdlib.h>
#include <string.h>

/* Whether a variable is an element of the array with this name. */
static bool is_element(const char *variable, const char *name)
{
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '[';
}

/* Whether a variable belongs to a component with this name, or to one element of an array of
 * components whose subscripts the name leaves out: plate.T and plate[2].T. */
static bool is_within(const char *variable, const char *name)
{
    for (; *name; name++, variable++) {
        if (*variable == '[' && *name != '[') variable += strcspn(variable, "]") + 1;
        if (*variable != *name) return false;
    }
    return *variable == '\0' || *variable == '[' || *variable == '.';
}

static size_t select_within(dae_problem *p, const char *name, size_t *at)
{
    size_t found = 0, count = dae_problem_size(p);
    for (size_t i = 0; i < count; i++) {
        if (!is_within(p->kind->variable(p, i), name)) continue;
        if (at) at[found] = i;
        found++;
    }
    return found;
}

size_t dae_problem_select(dae_problem *p, const char *pattern, size_t *at)
{
    size_t found = 0, count = dae_problem_size(p);
    size_t one = dae_problem_find(p, pattern);
    if (one != (size_t)-1) {
        if (at) at[0] = one;
        return 1;
    }
    if (!p || !pattern) return 0;
    bool wild = pattern_is_one(pattern);
    for (size_t i = 0; i < count; i++) {
        const char *name = p->kind->variable(p, i);
        if (!(wild ? pattern_matches(pattern, name) : is_element(name, pattern))) continue;
        if (at) at[found] = i;
        found++;
    }
    return found || wild ? found : select_within(p, pattern, at);
}

/* The variable whose beginning is nearest to that of a pattern, or else whose end is. */
static const char *nearest_to_pattern(dae_problem *p, const char *pattern)
{
    size_t best = (size_t)-1, count = dae_problem_size(p);
    size_t before = pattern_prefix(pattern), behind = pattern_suffix(pattern);
    const char *nearest = NULL, *end = pattern + strlen(pattern) - behind;
    char *begin = malloc(before + 1);
    if (!begin) return NULL;
    memcpy(begin, pattern, before);
    begin[before] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *name = p->kind->variable(p, i);
        size_t length = strlen(name), first = before < length ? before : length;
        size_t last = behind < length ? behind : length;
        bool nearer = before > 0
                          ? text_is_nearer(begin, name, first, &best)
                          : behind > 0 && text_is_nearer(end, name + length - last, last, &best);
        if (nearer) nearest = name;
    }
    free(begin);
    return nearest;
}

const char *dae_problem_nearest(dae_problem *p, const char *name)
{
    if (!p || !name) return NULL;
    if (pattern_is_one(name)) return nearest_to_pattern(p, name);
    size_t count = dae_problem_size(p);
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names) return NULL;
    for (size_t i = 0; i < count; i++) names[i] = p->kind->variable(p, i);
    const char *nearest = text_nearest(name, names, count);
    free(names);
    return nearest;
}
