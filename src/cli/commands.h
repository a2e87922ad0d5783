/* The subcommands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/arguments.h"
#include "method/properties.h"

#include <daedal/description.h>
#include <daedal/linearize.h>

/* Each returns its exit status. */
int cmd_run(const arguments *given);
int cmd_check(const arguments *given);
int cmd_init(const arguments *given);
int cmd_linearize(const arguments *given);
int cmd_flatten(const arguments *given);
int cmd_method(const arguments *given);

typedef struct command {
    const char *name;
    char letter;         /* its letter in flags.def */
    const char *operand; /* as the help writes it; optional if in brackets */
    const char *meaning;
    int (*run)(const arguments *given);
} command;

/* All subcommands; the last one has no name. */
extern const command commands[];

/* Reads the model and applies `--set`. Errors of the model are in the problem's status. Errors of
 * the command line or the file have been reported, and `*exit_code` is set. NULL only without
 * memory, which has been reported as well. */
dae_problem *read_problem(const arguments *given, int *exit_code);

/* The options of the command line, with the tolerances that it leaves open from the model. */
dae_options options_of_run(const arguments *given, dae_problem *problem);

/* Reports that there is no start, as JSON too. Returns the exit status. */
int report_no_start(const arguments *given, dae_status status, const char *words);

/* Prints the lists of a description on standard output. */
void list_words_print(const dae_description *d);

/* Prints a linearisation on standard output. */
void linear_words_print(const dae_linearization *l);

/* Prints the tableau of a method and all its computed properties on standard output. */
void method_words_print(const method *given, const method_properties *p);

#endif
