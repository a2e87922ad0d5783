/* Pictures by gnuplot.
 *
 * Rows are collected in a file of a temporary folder; at the end gnuplot reads them there and
 * writes the picture to the open file. Names reach it as data, in the head of that file, never as
 * script. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stddef.h>

typedef struct plot plot;

/* Whether a picture can be made: NULL, or a sentence with the remedy (no gnuplot; an ending that is
 * not .svg, .png or .pdf). */
const char *plot_obstacle(const char *path);

/* Begin a picture of these columns; units group them into panels ("" is a unit of its own). The
 * picture file is opened now. NULL with errno where a file cannot be made, or memory is out. */
plot *plot_begin(const char *path, size_t columns, const char *const *name,
                 const char *const *unit);

/* A row of values y[column[j]]. 0, or -1. */
int plot_row(plot *p, double t, const double *y, const size_t *column);

/* Draw, and free p. 0; -1 where gnuplot fails. */
int plot_end(plot *p);

#endif
