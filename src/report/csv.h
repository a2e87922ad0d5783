/* Trajectories as comma-separated values, RFC 4180; numbers read back to the same double. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdio.h>

/* The header: "time", then the names. 0, or -1 where the stream fails (errno says why). */
int csv_header(FILE *file, size_t columns, const char *const *name);

/* A row: the time, then of y the entries that `column` lists (columns). */
int csv_row(FILE *file, double t, const double *y, size_t columns, const size_t *column);

#endif
