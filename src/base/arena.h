/* Memory of the set-up phase: many small pieces, freed together.
 *
 * An arena grows in chunks and is freed at once. When memory runs out it does not return NULL, but
 * jumps to the place that arena_protect() has set. So a parser or a graph builder needs no check at
 * each of its thousand allocations, and nothing leaks, because the arena still owns all its pieces.
 * Code under arena_protect() therefore owns nothing but memory taken from arenas. A large piece is
 * a block of its own, which grows in place and can be given back before the rest.
 *
 * The numerical phase does not use arenas: see arena.h. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <daedal/status.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena_chunk arena_chunk;
typedef struct arena_block arena_block;

/* What is to be done as memory of an arena is freed. */
typedef struct arena_ending {
    struct arena_ending *before;
    void (*end)(void *of);
    void *of;
} arena_ending;

typedef struct arena {
    arena_chunk *chunk;  /* newest chunk; each points to the one before it */
    arena_block *block;  /* the newest large piece; each points to both its neighbours */
    jmp_buf *on_failure; /* where to go when memory is exhausted; not owned */
    struct arena *whole; /* of a part: the arena to which it belongs */
    struct arena *part;  /* the newest part; each points to the one before it */
    struct arena *before;
    struct arena_ending *ending; /* the newest one */
} arena;

/* Run `work(argument)`; DAE_NO_MEMORY if an allocation from `a` failed in it, else DAE_OK.
 * Calls nest: the innermost protection is the one that is jumped to. */
dae_status arena_protect(arena *a, void (*work)(void *argument), void *argument);

/* Jumps to arena_protect() because memory is exhausted outside the arena. */
_Noreturn void arena_fail(const arena *a);

/* `size` bytes, zeroed, aligned for any type of that size. Only under arena_protect(a). Never NULL.
 */
void *arena_take(arena *a, size_t size);

/* `count` elements of `size` bytes, zeroed, aligned for any type of that size. A product that
 * overflows counts as exhausted memory. */
void *arena_array(arena *a, size_t count, size_t size);

/* A copy of such an array; NULL for NULL. */
void *arena_duplicate(arena *a, const void *from, size_t count, size_t size);

/* One zeroed array of `count` doubles for each pointer of a list that ends with NULL. */
void arena_vectors(arena *a, size_t count, double **const *vector);

/* A copy of `length` bytes of `text` with a terminating zero. */
char *arena_copy(arena *a, const char *text, size_t length);

/* A formatted string. */
char *arena_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_format_list(arena *a, const char *format, va_list arguments);

/* Give back an array that is no longer needed: at once where it is large, with the rest where it is
 * not. NULL is fine. */
void arena_return(arena *a, const void *array, size_t count, size_t size);

/* Call end(of) before what the arena has now is freed, the newest call first: for what lies outside
 * of it. */
void arena_at_end(arena *a, void (*end)(void *of), void *of);

/* A part of an arena, for what is needed for a while only: pieces that were taken from it after
 * arena_here() are given back by arena_back(), which may nest. Exhausted memory leads to where it
 * leads for the whole, with which a part is freed. */
arena *arena_part(arena *whole);

typedef struct arena_mark {
    arena_chunk *chunk;
    arena_block *block;
    arena_ending *ending;
    size_t used;
} arena_mark;

arena_mark arena_here(const arena *part);
void arena_back(arena *part, arena_mark mark);

/* The bytes that it has taken. */
size_t arena_size(const arena *a);

/* Free all; the arena is empty and usable again. */
void arena_free(arena *a);

/* A list that grows in an arena: LIST(int) numbers = {0}; list_push(a, &numbers, 7). */
#define LIST(type)       \
    struct {             \
        type *item;      \
        size_t count;    \
        size_t capacity; \
    }

/* The same for lists of which there are very many, each with less than 2^32 elements. */
#define SHORT_LIST(type)   \
    struct {               \
        type *item;        \
        uint32_t count;    \
        uint32_t capacity; \
    }

#define list_push(a, list, value)                                                           \
    do {                                                                                    \
        if ((list)->count == (list)->capacity) {                                            \
            size_t list_room;                                                               \
            (list)->item = arena_grow(a, (list)->item, (list)->count, sizeof *(list)->item, \
                                      &list_room);                                          \
            (list)->capacity = list_room;                                                   \
        }                                                                                   \
        (list)->item[(list)->count++] = (value);                                            \
    } while (0)

/* Give back the elements of a list, which is empty then. */
#define list_return(a, list)                                                   \
    do {                                                                       \
        arena_return(a, (list)->item, (list)->capacity, sizeof *(list)->item); \
        (list)->item = NULL;                                                   \
        (list)->count = (list)->capacity = 0;                                  \
    } while (0)

/* Give back the room that a list has beyond its elements. */
#define list_fit(a, list)                                                           \
    ((list)->item = arena_fit(a, (list)->item, (list)->count, sizeof *(list)->item, \
                              &(list)->capacity))

/* Copy the elements of a list into another arena, as the list `to`. */
#define list_copy(a, to, from)                                                                   \
    do {                                                                                         \
        (to)->count = (to)->capacity = (from)->count;                                            \
        (to)->item = arena_array(a, (from)->count, sizeof *(to)->item);                          \
        if ((from)->count) memcpy((to)->item, (from)->item, (from)->count * sizeof *(to)->item); \
    } while (0)

/* Double an array of `count` elements, which is full. The old one must not be used any more. The
 * new elements have no values yet. */
void *arena_grow(arena *a, const void *array, size_t count, size_t size, size_t *capacity);

/* Cut an array of `capacity` elements to about `count`, if it is large: returns the array, which
 * may have moved, and its capacity. */
void *arena_fit(arena *a, const void *array, size_t count, size_t size, size_t *capacity);

/* Memory of the numerical phase: one block per solver, measured and laid out by the same code.
 *
 * A function `carve(w, &space, n)` asks workspace_take() for each array. With an empty workspace it
 * only counts; after workspace_allocate() the same function places the arrays. So size and layout
 * cannot disagree. There is one allocation and one free, and no allocation inside a step. */

typedef struct workspace {
    unsigned char *base;  /* NULL while measuring */
    unsigned char *block; /* from calloc(), so that what is never used takes no memory */
    size_t used, size;    /* bytes */
    int overflow;         /* the sizes asked for do not fit into size_t */
} workspace;

/* `count` elements of `size` bytes, aligned to a cache line and zeroed; NULL while measuring. */
void *workspace_take(workspace *space, size_t count, size_t size);

/* Allocate what was measured; the next workspace_take() starts at the beginning. */
dae_status workspace_allocate(workspace *space);

void workspace_free(workspace *space);

/* An array of `count` doubles. */
#define workspace_doubles(space, count) ((double *)workspace_take(space, count, sizeof(double)))

/* One array of `count` doubles for each pointer of a list that ends with NULL. */
void workspace_vectors(workspace *space, size_t count, double **const *vector);

#endif
