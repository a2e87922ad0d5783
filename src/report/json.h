/* Writes answers as JSON objects on one line. Numbers that JSON cannot represent (NaN, infinity)
 * become null. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "method/properties.h"

#include <daedal/description.h>
#include <daedal/linearize.h>
#include <daedal/solver.h>
#include <jansson.h>
#include <stdio.h>

/* The parts of answers. Without memory a part is NULL, and so is all that it is put into. */

void json_set(json_t **object, const char *key, json_t *value);
void json_append(json_t **array, json_t *value);

json_t *json_of_real(double value); /* null where it is not finite */
json_t *json_of_whole(long value);  /* null where it is negative */
json_t *json_of_count(size_t value);
json_t *json_of_string(const char *value); /* null for NULL; "?" where it is not UTF-8 */

/* An array of the nonempty parts of a text between separators (one character). */
json_t *json_of_parts(const char *list, const char *separator);

json_t *json_of_strings(size_t number, const char *const *item);

/* Writes and releases an answer. 0, or -1 where memory or the stream fails. */
int json_line(FILE *file, json_t *object);

/* Writes all statistics, in the order of stats.def. 0, or -1 where memory or the stream fails. */
int json_stats(FILE *file, const dae_stats *stats);

/* Writes the answer of `daedal check --json`. */
int json_description(FILE *file, const dae_description *d);

/* Writes the answer of `daedal linearize --json`; after a failure what there is, with status and
 * message. */
int json_linearization(FILE *file, const dae_linearization *l);

/* Consistent initial values: `count` variables with their derivatives (NAN: none). */
typedef struct json_initial_values {
    double time, residual;
    size_t count;
    const char *const *name;
    const double *value, *derivative;
    const char *notes; /* one per line */
} json_initial_values;

/* Writes the answer of `init --json` where no initial values were found. */
int json_failed_initial(FILE *file, dae_status status, const char *message);

int json_initial(FILE *file, const json_initial_values *values);

/* The answers of `daedal method --json`. */

/* A method as an element of the list, under the name of its row. NULL without memory. */
json_t *method_json_entry(const method *given, const method_properties *p);

/* Writes a whole method on one line, under its name with parameters, its numbers rounded to double.
 * 0, or -1 where memory or the stream fails. */
int method_json_write(FILE *file, const method *given, const method_properties *p);

#endif
