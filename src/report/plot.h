/* The picture of a trajectory (picture.h), made of rows, with a curve for each column. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "method/method.h"

#include <stddef.h>

typedef struct plot plot;

/* Begins a picture of these columns. Units group them into panels ("" is a unit of its own, whose
 * variables are parted by their size). The picture's file keeps its content until the end; path is
 * borrowed until then. NULL with errno where it cannot be written, a temporary file cannot be made,
 * or memory is exhausted. */
plot *plot_begin(const char *path, size_t columns, const char *const *name, const char *const *unit,
                 const char **where);

/* Adds a row of values y[column[j]]. Two rows of one time, the values before an event and those
 * after it, are a jump. 0, or -1. */
int plot_row(plot *p, double t, const double *y, const size_t *column);

/* Draws, and frees p. 0; -1 where gnuplot fails (errno 0) or the picture cannot be written (errno).
 */
int plot_end(plot *p);

/* Frees p without drawing; NULL is fine. */
void plot_discard(plot *p);

/* Pictures of a method. */

typedef enum method_view {
    METHOD_VIEW_STABILITY, /* the region where |R(z)| <= 1; for a multistep method, where all its
                              roots are */
    METHOD_VIEW_STAR, /* the order star, where |R(z) / e^z| > 1 (Wanner, Hairer & Norsett 1978); not
                         for a multistep method */
    METHOD_VIEW_FREQUENCY /* damping and phase error of an undamped oscillation over its frequency,
                             and the largest root */
} method_view;

/* Draws into a file without an obstacle (picture.h). Returns 0; 2 with errno where the file cannot
 * be written, and `where` names it; 1 where nothing was drawn, with errno, or 0 for gnuplot's own
 * reasons. */
int method_plot(const method *given, method_view view, const char *path, const char **where);

#endif
