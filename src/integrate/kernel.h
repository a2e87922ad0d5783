/* One rule for all methods on F(t, y, y') = 0 of index 1: whether the kernel of F_y' bears on the
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

/* Before an engine is made, whose factorisations these replace. Where the kernel moves: a note with
 * both orders where the method loses some, DAE_UNSUPPORTED where it diverges; of one-leg methods
 * that do not lessen errors in what F_y' leaves open DAE_UNSUPPORTED in any case. Else a kernel
 * that stands still takes nothing from a method and is not mentioned. DAE_NO_MEMORY, or a status of
 * the problem. */
dae_status kernel_examine(problem *p, const method *which, const engine_options *options,
                          const kernel_start *start, message *m);

#endif
