/* Whether the outputs of a command would overwrite what it reads, or each other. */
#ifndef CLI_OUTPUT_NAMES_H
#define CLI_OUTPUT_NAMES_H

#include "cli/arguments.h"

/* Nothing is opened. 0, or 2 after a message where two of the files that are named, or standard
 * input and output where they are files, are the same one, links followed. */
int output_names_check(const arguments *given);

#endif
