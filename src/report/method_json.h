/* What `daedal method --json` answers. */
#ifndef REPORT_METHOD_JSON_H
#define REPORT_METHOD_JSON_H

#include "method/properties.h"

#include <jansson.h>
#include <stdio.h>

/* A method as an element of the list, under the name of its row. NULL without memory. */
json_t *method_json_entry(const method *given, const method_properties *p);

/* The whole of a method, under its name with parameters, its numbers rounded to double, on one
 * line. 0, or -1 where memory or the stream fails. */
int method_json_write(FILE *file, const method *given, const method_properties *p);

#endif
