/* Trajectories as comma-separated values, RFC 4180; numbers read back to the same double. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/text.h"

/* Appended, the end of the line included: "time", then the names. */
void csv_header(text *to, size_t columns, const char *const *name);

/* The same: the time, then of y the entries that `column` lists (columns). */
void csv_row(text *to, double t, const double *y, size_t columns, const size_t *column);

#endif
