/* The engine of modified extended BDF of variable order (J. R. Cash, Comput. Math. Appl. 9 (1983)
 * 645; Cash & Considine, ACM TOMS 18 (1992) 142; on equations of index 1 to 3: Cash, Comput. Math.
 * Appl. 40 (2000) 1165). */
#ifndef INTEGRATE_MEBDF_H
#define INTEGRATE_MEBDF_H

#include "method/method.h"
#include "stepping/engine.h"

/* As engine_create(). */
dae_status mebdf_create(engine **created, problem *p, const method *which,
                        const engine_options *options, message *m);

#endif
