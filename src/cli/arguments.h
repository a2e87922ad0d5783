/* The arguments of the command line. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <daedal/options.h>
#include <daedal/problem.h>
#include <stdbool.h>

typedef struct arguments {
    const char *operand; /* a model, or for `method` a name; NULL: not given */
    dae_options options;
    bool has_rtol, has_atol;
    bool has_start, has_stop;
    double start, stop;
    size_t points; /* 0: not given */
    double interval;
    double *at; /* at_count: times, ascending; owned */
    size_t at_count;
    char **var; /* vars: names; owned */
    size_t vars;
    const char **set; /* sets: NAME=VALUE; the list is owned */
    size_t sets;
    const char *out, *plot, *stats_file;
    const char *view; /* the view of a method; NULL: not given */
    bool stats, json, quiet, help;
} arguments;

/* Reads the arguments after the subcommand that has this letter. `operand` is as the help writes
 * it; in brackets, "[NAME]", it is optional. 0, or 2 after an error, which has been reported on
 * standard error. */
int arguments_read(arguments *given, char letter, const char *operand, int count, char **argument);

void arguments_free(arguments *given);

#endif
