/* The library of components, library/ of the sources, which is compiled into the program
 * (cmake/shipped.cmake). */
#ifndef HIERARCHY_SHIPPED_H
#define HIERARCHY_SHIPPED_H

#include <stddef.h>

typedef struct hier_shipped {
    const char *path; /* as Daedal/package.mo; NULL after the last one */
    const unsigned char *bytes;
    size_t length;
} hier_shipped;

extern const hier_shipped hier_shipped_texts[];

#endif
