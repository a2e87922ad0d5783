/* Lists on the command line, separated by commas. */
#ifndef CLI_LISTS_H
#define CLI_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the whole of a word is a finite number. */
bool list_number(const char *word, double *value);

/* Append the times of a list to `*at` and sort them. NULL, or what is wrong. */
const char *list_times(const char *list, double **at, size_t *count);

/* Append the names of a list to `*name`, which owns them; a comma in brackets or quotes separates
 * nothing. NULL, or what is wrong. */
const char *list_names(const char *list, char ***name, size_t *count);

#endif
