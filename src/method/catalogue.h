/* The rows of the catalogue by their names. */
#ifndef METHOD_CATALOGUE_H
#define METHOD_CATALOGUE_H

#include "method/method.h"

/* The row of that name or alias (`length` bytes of `name`), NULL where there is none. */
const method_row *catalogue_find(const char *name, size_t length);

/* The name or alias that is nearest to `name`, into `nearest` of `size` bytes; "" where none is
 * near, or memory is exhausted. */
void catalogue_nearest(const char *name, char *nearest, size_t size);

#endif
