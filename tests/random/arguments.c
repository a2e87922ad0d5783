#include "random/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool flag(const char *word, arguments *a)
{
    if (strcmp(word, "--all") == 0) return a->all = true;
    if (strcmp(word, "--print") == 0) return a->print = true;
    if (strcmp(word, "--verbose") == 0) return a->verbose = true;
    if (strcmp(word, "--brief") == 0) return a->brief = true;
    if (strcmp(word, "--check") == 0) return a->check = true;
    if (strcmp(word, "--turned") == 0) return a->turned = true;
    return false;
}

static bool valued(const char *word, const char *value, arguments *a)
{
    if (!value) return false;
    if (strcmp(word, "--seed") == 0)
        a->seed = strtoull(value, NULL, 10);
    else if (strcmp(word, "--count") == 0)
        a->count = atol(value);
    else if (strcmp(word, "--only") == 0)
        a->first = atol(value), a->count = 1, a->jobs = 1;
    else if (strcmp(word, "--show") == 0)
        a->show = atol(value);
    else if (strcmp(word, "--first") == 0)
        a->first = atol(value);
    else if (strcmp(word, "--kind") == 0)
        a->kind = value;
    else if (strcmp(word, "--form") == 0)
        a->form = value;
    else if (strcmp(word, "--method") == 0)
        a->method = value;
    else if (strcmp(word, "--formulation") == 0)
        a->formulation = value;
    else if (strcmp(word, "--rtol") == 0)
        a->rtol = strtod(value, NULL);
    else if (strcmp(word, "--jobs") == 0)
        a->jobs = atoi(value);
    else
        return false;
    return true;
}

bool read_arguments(int count, char **argument, arguments *a)
{
    *a = (arguments){.seed = 1, .count = 200, .show = 3};
    a->jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int k = 1; k < count; k++) {
        if (flag(argument[k], a)) continue;
        if (k + 1 < count && valued(argument[k], argument[k + 1], a)) {
            k++;
            continue;
        }
        fprintf(stderr, "random: %s is not understood; tests/random/random.c says what is\n",
                argument[k]);
        return false;
    }
    if (a->jobs < 1) a->jobs = 1;
    if (a->jobs > 16) a->jobs = 16;
    return true;
}
