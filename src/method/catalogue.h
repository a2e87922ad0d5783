/* Finds rows of the catalogue by their names. */
#ifndef METHOD_CATALOGUE_H
#define METHOD_CATALOGUE_H

#include "method/method.h"

/* The row of that name or alias (`length` bytes of `name`); NULL if there is none. */
const method_row *catalogue_find(const char *name, size_t length);

/* Puts the name or alias nearest to `name` into `nearest` of `size` bytes; "" if none is near or
 * memory is exhausted. */
void catalogue_nearest(const char *name, char *nearest, size_t size);

#endif
