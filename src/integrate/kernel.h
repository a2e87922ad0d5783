/* One rule for all methods on F(t, y, y') = 0 of index 1: whether the kernel of F_y' affects the
 * order. */
#ifndef INTEGRATE_KERNEL_H
#define INTEGRATE_KERNEL_H

#include "base/message.h"
#include "method/method.h"
#include "stepping/engine.h"

/* Where a run begins. */
typedef struct kernel_start {
    double t;
    const double *y, *yp; /* n each */
} kernel_start;

/* To be called before an engine is created, since its factorisations take the place of the
 * engine's. If the kernel moves and the method loses order, `m` gets a note with both orders; if
 * the method diverges, the result is DAE_UNSUPPORTED. One-leg methods that do not lessen errors in
 * what F_y' leaves open give DAE_UNSUPPORTED even if the kernel stands still. With other methods a
 * kernel that stands still costs nothing and is not mentioned. DAE_NO_MEMORY, or a status of the
 * problem. */
dae_status kernel_examine(problem *p, const method *which, const engine_options *options,
                          const kernel_start *start, message *m);

#endif
