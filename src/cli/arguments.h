/* The arguments of the command line. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <daedal/options.h>
#include <daedal/problem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The flags of a subcommand: those of flags.def, and for `run` and `linearize` the options of the
 * solver. */

enum { FLAG_LIST_MOST = 64, FLAG_LONGEST = 32 };

typedef enum flag_kind { FLAG_OF_COMMAND, FLAG_DOUBLE, FLAG_SIZE, FLAG_NAME } flag_kind;

typedef struct flag {
    char name[FLAG_LONGEST];
    char letter;          /* 0: it has none */
    const char *argument; /* NULL: it takes none; "[=...]": optional */
    const char *meaning;
    flag_kind kind;
    size_t offset; /* the following describe an option of the solver: its offset in dae_options */
    double lowest, highest;
    const char *unit;
} flag;

typedef struct flag_list {
    flag item[FLAG_LIST_MOST];
    size_t count;
} flag_list;

/* Fills the list with all flags of the subcommand that has this letter. */
void flag_list_fill(flag_list *list, char letter);

/* Prints meanings and defaults, as in --help. */
void flag_list_print(const flag_list *list, FILE *file);

/* Reports on standard error that there is no such flag, and which one may have been meant. Returns
 * 2, the exit status. */
int flag_list_reject(const flag_list *list, const char *word);

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
    char **port[2]; /* ports: names of inputs and of outputs; owned */
    size_t ports[2];
    const char **set; /* sets: NAME=VALUE; the list is owned */
    size_t sets;
    const char **input; /* inputs: files of courses; the list is owned */
    size_t inputs;
    const char **library; /* libraries: shared ones; the list is owned */
    size_t libraries;
    const char *out, *plot, *stats_file, *events_file;
    const char *model; /* of a text with several; NULL: not given */
    const char *view;  /* the view of a method; NULL: not given */
    bool stats, events, json, list, quiet, help;
} arguments;

/* Reads the arguments after the subcommand that has this letter. `operand` is as the help writes
 * it; in brackets, "[NAME]", it is optional. 0, or 2 after an error, which has been reported on
 * standard error. */
int arguments_read(arguments *given, char letter, const char *operand, int count, char **argument);

/* The "=" of NAME=VALUE, which is not within quotes; NULL: there is none. */
const char *arguments_setting(const char *setting);

void arguments_free(arguments *given);

#endif
