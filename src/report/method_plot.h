/* Pictures of a method. */
#ifndef REPORT_METHOD_PLOT_H
#define REPORT_METHOD_PLOT_H

#include "method/method.h"

typedef enum method_view {
    METHOD_VIEW_STABILITY, /* where |R(z)| <= 1; of a multistep method where all its roots are */
    METHOD_VIEW_STAR,     /* the order star: where |R(z) / e^z| > 1 (Wanner, Hairer & Norsett 1978);
                             not of a multistep method */
    METHOD_VIEW_FREQUENCY /* damping and phase error of an undamped oscillation over its frequency,
                             and the largest root */
} method_view;

/* Draw into a file that has no obstacle (picture.h). 0; 2 with errno where it cannot be written,
 * and in `where` what; 1 where it is not drawn, with errno or 0 for gnuplot's own reasons. */
int method_plot(const method *given, method_view view, const char *path, const char **where);

#endif
