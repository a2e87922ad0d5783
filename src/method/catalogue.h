/* The catalogue of methods. */
#ifndef METHOD_CATALOGUE_H
#define METHOD_CATALOGUE_H

#include <stddef.h>

typedef enum method_family { METHOD_RADAU_IIA } method_family;

typedef struct method_row {
    const char *name, *alias;
    method_family family;
    int stages;
} method_row;

/* The row of that name or alias; "auto" gives the method that is taken where nothing speaks for
 * another. NULL for a name that is not in the catalogue. */
const method_row *method_find(const char *name);

/* The name in the catalogue that is nearest to a wrong one, NULL if none is near. */
const char *method_nearest(const char *name);

#endif
