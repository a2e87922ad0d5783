/* The parts of JSON answers. Without memory a part is NULL, which jansson passes on until the
 * answer is written. */
#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

json_t *json_of_real(double value); /* null where it is not finite */
json_t *json_of_whole(long value);  /* null where it is negative */
json_t *json_of_count(size_t value);
json_t *json_of_string(const char *value); /* null for NULL; "?" where it is not UTF-8 */

/* An array of the nonempty lines of a text. */
json_t *json_of_lines(const char *text);

json_t *json_of_strings(size_t number, const char *const *item);

/* Writes and releases an answer. 0, or -1 where memory or the stream fails. */
int json_line(FILE *file, json_t *object);

#endif
