/* Checks that the outputs of a command do not overwrite its input or each other. */
#ifndef CLI_OUTPUT_NAMES_H
#define CLI_OUTPUT_NAMES_H

#include "cli/arguments.h"

/* Opens nothing. 0; 2 after a message where two of the named files are the same, links followed.
 * Standard input and output count where they are files. */
int output_names_check(const arguments *given);

#endif
