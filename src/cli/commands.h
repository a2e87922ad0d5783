/* The subcommands, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/arguments.h"

/* Each returns the exit status. */
int cmd_run(const arguments *given);
int cmd_check(const arguments *given);
int cmd_init(const arguments *given);

typedef struct command {
    const char *name;
    char letter; /* in flags.def */
    const char *meaning;
    int (*run)(const arguments *given);
} command;

/* All of them; the last has no name. */
extern const command commands[];

/* The exit status that goes with a status of the library. */
int exit_status(dae_status status);

/* Read the model and apply `--set`; NULL after an error, which has been told, with its exit status.
 */
dae_problem *read_problem(const arguments *given, int *exit_code);

/* Lines on standard error, each after "daedal: note: ". */
void tell_notes(const char *notes);

/* A failure on standard error: a wrong model's message as it is, others after "daedal: ". */
void tell_failure(dae_status status, const char *message);

#endif
