/* The orders that theory promises on DAEs, from order, simplifying assumptions and stability. */
#ifndef METHOD_DAE_ORDERS_H
#define METHOD_DAE_ORDERS_H

#include "method/properties.h"

/* Fills found->index1, index2, index3 and moving_kernel from its other members. DAE_NO_MEMORY. */
dae_status dae_orders_find(const method *given, method_properties *found);

#endif
