/* Files of courses in time, for the inputs of a model. */
#ifndef CLI_COURSE_FILE_H
#define CLI_COURSE_FILE_H

#include "cli/arguments.h"

#include <daedal/problem.h>

/* Reads a CSV file and gives the inputs that its columns name their courses. The first line has the
 * names, the first column the times. Fields are separated by commas, semicolons or tabulators, and
 * may stand in double quotes; lines that are empty or begin with # are skipped. Columns that name
 * no input are noted on standard error. Returns an exit status; failures have been reported. */
int read_courses(const char *path, const arguments *given, dae_problem *problem);

#endif
