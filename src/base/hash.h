/* uthash in an arena: tables take their memory from the arena that is called `home` where its
 * macros are used, never run out of it otherwise than by the arena's jump, and are freed with it.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/arena.h"

#define uthash_malloc(size)     arena_take(home, size)
#define uthash_free(pointer, n) ((void)(pointer))
#define uthash_fatal(message)   ((void)0) /* not reached: arena_take() never returns NULL */
#include <uthash.h>

#endif
