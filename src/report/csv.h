/* Trajectories as comma-separated values, RFC 4180; numbers read back to the same double. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/text.h"

/* Appends a line: "time", then the names. */
void csv_header(text *to, size_t columns, const char *const *name);

/* Appends a line of these texts. */
void csv_texts(text *to, size_t columns, const char *const *field);

/* Appends a line: the time, then the entries of y that `column` lists (columns). */
void csv_row(text *to, double t, const double *y, size_t columns, const size_t *column);

#endif
