/* The answers of `daedal method --json`. */
#ifndef REPORT_METHOD_JSON_H
#define REPORT_METHOD_JSON_H

#include "method/properties.h"

#include <jansson.h>
#include <stdio.h>

/* A method as an element of the list, under the name of its row. NULL without memory. */
json_t *method_json_entry(const method *given, const method_properties *p);

/* Writes a whole method on one line, under its name with parameters, its numbers rounded to double.
 * 0, or -1 where memory or the stream fails. */
int method_json_write(FILE *file, const method *given, const method_properties *p);

#endif
