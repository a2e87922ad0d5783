/* Variables by the words of an option's list. */
#ifndef CLI_SELECT_VARIABLES_H
#define CLI_SELECT_VARIABLES_H

#include <daedal/problem.h>
#include <stddef.h>

/* The variables that `name`, in the word of the list of an option, means: see
 * dae_problem_select(). Returns how many they are. 0, and an exit status in *code, if there is none
 * or a slice goes beyond its array, which has been reported. */
size_t select_variables(dae_problem *problem, const char *option, const char *word,
                        const char *name, size_t *at, int *code);

#endif
