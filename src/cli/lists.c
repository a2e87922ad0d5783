#include "cli/lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "memory is exhausted";

bool list_number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*value);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

const char *list_times(const char *list, double **at, size_t *count)
{
    size_t entries = 1;
    for (const char *c = list; *c; c++) entries += *c == ',';
    double *grown = realloc(*at, (*count + entries) * sizeof *grown);
    if (!grown) return no_memory;
    *at = grown;
    for (; entries > 0; entries--) {
        char one[64];
        size_t length = strcspn(list, ",");
        if (length == 0) return "a time is missing";
        if (length >= sizeof one) return "this is no time";
        memcpy(one, list, length);
        one[length] = '\0';
        if (!list_number(one, &grown[*count])) return "this is no time";
        ++*count;
        list += length + (list[length] == ',');
    }
    qsort(grown, *count, sizeof *grown, compare);
    return NULL;
}

/* The length of the first entry: up to a comma outside of brackets and quotes. */
static size_t entry_length(const char *list)
{
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++) {
        if (quoted && list[length] == '\\' && list[length + 1]) {
            length++;
            continue;
        }
        bool begins = length == 0 || strchr(".,[", list[length - 1]);
        if (list[length] == '\'' && (quoted || begins)) quoted = !quoted;
        if (!quoted) depth += (list[length] == '[') - (list[length] == ']');
    }
    return length;
}

const char *list_names(const char *list, char ***name, size_t *count)
{
    for (bool more = true; more;) {
        size_t length = entry_length(list);
        if (length == 0) return "a name is missing";
        char **grown = realloc(*name, (*count + 1) * sizeof *grown);
        if (!grown) return no_memory;
        *name = grown;
        grown[*count] = malloc(length + 1);
        if (!grown[*count]) return no_memory;
        memcpy(grown[*count], list, length);
        grown[(*count)++][length] = '\0';
        more = list[length] == ',';
        list += length + more;
    }
    return NULL;
}
