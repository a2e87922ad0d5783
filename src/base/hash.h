/* uthash in an arena. Tables take their memory from the arena that is called `home` where uthash's
 * macros are used. When memory runs out, the arena jumps. The tables are freed with the arena. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/arena.h"

#define uthash_malloc(size)     arena_take(home, size)
#define uthash_free(pointer, n) ((void)(pointer))
#define uthash_fatal(message)   ((void)0) /* not reached: arena_take() never returns NULL */
#include <uthash.h>

#endif
