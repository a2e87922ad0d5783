/* The order on F(t, y, y') = 0 of index 1 where the kernel of F_y' moves. */
#ifndef METHOD_MOVING_KERNEL_H
#define METHOD_MOVING_KERNEL_H

#include "method/properties.h"

/* Fill found->moving_kernel from the rest of it. */
void moving_kernel_find(const method *given, method_properties *found);

#endif
