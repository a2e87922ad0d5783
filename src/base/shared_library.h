/* Shared libraries, and the functions in them. A library that was opened stays in the process until
 * it ends: what was found in it may be called by any problem or solver, and opening it once more
 * costs nothing. */
#ifndef BASE_SHARED_LIBRARY_H
#define BASE_SHARED_LIBRARY_H

#include "base/text.h"

typedef void (*shared_function)(void);

/* Opens a library. A path without a '/' is that of a file here, if there is one, or else a name
 * that the loader of the system looks for. NULL: it cannot be loaded; why is appended. */
void *shared_library_open(const char *path, text *why);

/* The function with this name; NULL: there is none. */
shared_function shared_library_find(void *library, const char *name);

enum { SHARED_LIBRARY_NAME = 64 }; /* bytes of a name, with its end */

/* The name of a function in the library of this path that is nearest to `name`, if it is nearer
 * than *best (text_is_nearer()), into `nearest`, of SHARED_LIBRARY_NAME bytes. A library that the
 * loader looked for is not looked into. */
void shared_library_nearest(const char *path, const char *name, size_t *best, char *nearest);

#endif
