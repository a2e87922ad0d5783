/* Patterns of variables' names.
 *
 * `*` stands for any characters, dots and brackets among them. A slice in brackets stands for the
 * subscripts that it contains: [2:5], [1:2:9], [3:end], [:]; one item for each subscript. Between
 * single quotes each character stands for itself. A name may go on with brackets after a pattern,
 * because the name of an array means its elements. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether there is a `*` or a slice outside of quotes. */
bool pattern_is_one(const char *pattern);

bool pattern_matches(const char *pattern, const char *name);

/* The characters before the first `*` or slice, and those after the last one. */
size_t pattern_prefix(const char *pattern);
size_t pattern_suffix(const char *pattern);

/* Append the pattern with the last subscript in place of each slice that has one, as J[9] for
 * J[3:9]: what must exist if the slice lies within the array. */
void pattern_last(const char *pattern, text *last);

#endif
