/* Pictures by gnuplot.
 *
 * Rows are collected in a file of a temporary folder; at the end gnuplot reads them there and
 * draws, and the picture is copied to its place. Each name and each unit is the whole of a small
 * file that gnuplot reads as a string: what an author wrote is data, never script. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stddef.h>

typedef struct plot plot;

/* Whether a picture can be made: NULL, or a sentence with the remedy (no gnuplot; an ending that is
 * not .svg, .png or .pdf). */
const char *plot_obstacle(const char *path);

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
