/* The picture of a trajectory (picture.h), made of rows, with a curve for each column. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stddef.h>

typedef struct plot plot;

/* Begins a picture of these columns. Units group them into panels ("" is a unit of its own). The
 * picture's file keeps its content until the end; path is borrowed until then. NULL with errno
 * where it cannot be written, a temporary file cannot be made, or memory is exhausted. */
plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit,
                 const char **where);

/* Adds a row of values y[column[j]]. 0, or -1. */
int plot_row(plot *p, double t, const double *y, const size_t *column);

/* Draws, and frees p. 0; -1 where gnuplot fails (errno 0) or the picture cannot be written (errno).
 */
int plot_end(plot *p);

/* Frees p without drawing; NULL is fine. */
void plot_discard(plot *p);

#endif
