/* The picture of a trajectory (picture.h): rows, and a curve for each column. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stddef.h>

typedef struct plot plot;

/* Begin a picture of these columns; units group them into panels ("" is a unit of its own). What
 * the picture's file holds stays until the end; path is borrowed until then. NULL with errno where
 * it cannot be written, a temporary file cannot be made, or memory is out. */
plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit,
                 const char **where);

/* A row of values y[column[j]]. 0, or -1. */
int plot_row(plot *p, double t, const double *y, const size_t *column);

/* Draw, and free p. 0; -1 where gnuplot fails (errno 0) or the picture cannot be written (errno).
 */
int plot_end(plot *p);

/* Free p without drawing; NULL is fine. */
void plot_discard(plot *p);

#endif
