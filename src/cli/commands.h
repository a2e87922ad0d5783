/* The subcommands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/arguments.h"

/* Each returns the exit status. */
int cmd_run(const arguments *given);
int cmd_check(const arguments *given);
int cmd_init(const arguments *given);
int cmd_method(const arguments *given);

typedef struct command {
    const char *name;
    char letter;         /* in flags.def */
    const char *operand; /* as help writes it; in brackets it need not be given */
    const char *meaning;
    int (*run)(const arguments *given);
} command;

/* All of them; the last has no name. */
extern const command commands[];

/* Read the model and apply `--set`. A wrong model is in the problem's status; what is wrong with
 * the command line or the file has been told and `*exit_code` set. NULL only without memory, told
 * as well. */
dae_problem *read_problem(const arguments *given, int *exit_code);

#endif
