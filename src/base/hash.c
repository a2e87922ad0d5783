#define _DEFAULT_SOURCE /* madvise() */
#include "base/hash.h"

#include <stdbool.h>
#include <sys/mman.h>

enum { FIRST_SIZE = 64 };

/* Places of a table are asked for in no order. In a large one, each is a page of its own, of which
 * the processor knows the addresses of few: more than half the time of a search goes there. So the
 * system is asked for large pages, where it has them (madvise(2)). They take no more memory, for
 * numbers are everywhere in a table. */
enum { LARGE_PAGE = 2 * 1024 * 1024 };

static void ask_for_large_pages(hash_slot *slot, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t first = (uintptr_t)slot, end = (uintptr_t)(slot + size);
    first = (first + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    end = end / LARGE_PAGE * LARGE_PAGE;
    if (first < end) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)slot, (void)size;
#endif
}

static void put(hash_table *t, hash_slot s)
{
    size_t at = s.hash & (t->size - 1);
    while (t->slot[at].filled) at = (at + 1) & (t->size - 1);
    t->slot[at] = s;
}

/* A larger size. What comes later in a run of full places comes later in the new one. */
static void grow(arena *a, hash_table *t, size_t size)
{
    hash_table old = *t;
    hash_slot *slot = arena_array(a, size, sizeof *slot); /* memory may end here: t is whole */
    t->size = size;
    t->slot = slot;
    ask_for_large_pages(slot, size);
    size_t first = 0; /* the start of a run */
    while (first < old.size && old.slot[first].filled) first++;
    for (size_t i = 0; i < old.size; i++) {
        hash_slot s = old.slot[(first + i) & (old.size - 1)];
        if (s.filled) put(t, s);
    }
    arena_return(a, old.slot, old.size, sizeof *old.slot);
}

static bool is_room(size_t size, size_t count)
{
    return 4 * count <= 3 * size;
}

void hash_reserve(arena *a, hash_table *t, size_t count)
{
    size_t size = t->size ? t->size : FIRST_SIZE;
    while (!is_room(size, count)) size *= 2;
    if (size > t->size) grow(a, t, size);
}

void hash_add(arena *a, hash_table *t, uint64_t hash, uint32_t number)
{
    if (!is_room(t->size, t->count + 1)) hash_reserve(a, t, t->count + 1);
    put(t, (hash_slot){(uint32_t)hash, number + 1});
    t->count++;
}

void hash_copy(arena *a, hash_table *to, const hash_table *from)
{
    hash_slot *slot = arena_duplicate(a, from->slot, from->size, sizeof *slot);
    *to = *from;
    to->slot = slot;
}
