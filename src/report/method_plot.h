/* Pictures of a method. */
#ifndef REPORT_METHOD_PLOT_H
#define REPORT_METHOD_PLOT_H

#include "method/method.h"

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
