/* Hash tables of numbers: they find the element of a list that is equal to a key.
 *
 * A table holds the number of each element beside its hash, in one array, and leaves keys and
 * comparisons to its owner:
 *
 *     for (size_t at = hash_start(&table, hash); (k = hash_next(&table, hash, &at)) != HASH_NONE;)
 *         if (list.item[k] is equal to the key) return k;
 *     list_push(a, &list, key);
 *     hash_add(a, &table, hash, (uint32_t)list.count - 1);
 *
 * Open addressing with linear probing (Knuth, The Art of Computer Programming 3, Sec. 6.4,
 * Algorithm L). Numbers are not removed. Of equal elements, the one that was added first is found.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#define HASH_NONE UINT32_MAX

typedef struct hash_slot {
    uint32_t hash;
    uint32_t filled; /* 1 + number; 0: empty */
} hash_slot;

typedef struct hash_table {
    hash_slot *slot;
    size_t size; /* of the array, a power of 2; 0 before the first number */
    size_t count;
} hash_table;

/* One more word of a key in its hash, of which the lower half is used. The multiplier is 2^64 over
 * the golden ratio. Small whole numbers differ, as doubles, in their upper halves alone: these are
 * folded into the lower ones first, for a product passes nothing on to lower bits. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* The hash of a key of `size` bytes, going on from `hash`. */
static inline uint64_t hash_bytes(uint64_t hash, const void *key, size_t size)
{
    const char *bytes = key;
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = hash_mix(hash, word);
    }
    word = size;
    for (size_t i = 0; i < size; i++) word = word << 8 | (unsigned char)bytes[i];
    return hash_mix(hash, word);
}

/* The bits of a number, by which keys with numbers are compared. */
static inline uint64_t hash_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline size_t hash_start(const hash_table *t, uint64_t hash)
{
    return t->size ? (uint32_t)hash & (t->size - 1) : 0;
}

/* Fetches the place of a hash into the cache, for a search that comes a little later. */
static inline void hash_fetch(const hash_table *t, uint64_t hash)
{
#ifdef __GNUC__
    if (t->size) __builtin_prefetch(&t->slot[hash_start(t, hash)], 1);
#else
    (void)t, (void)hash;
#endif
}

/* The next number with this hash; HASH_NONE: no other one. */
static inline uint32_t hash_next(const hash_table *t, uint64_t hash, size_t *at)
{
    if (t->size == 0) return HASH_NONE;
    for (;;) {
        hash_slot s = t->slot[*at];
        if (s.filled == 0) return HASH_NONE;
        *at = (*at + 1) & (t->size - 1);
        if (s.hash == (uint32_t)hash) return s.filled - 1;
    }
}

/* Room for so many numbers in all. Under arena_protect(a). */
void hash_reserve(arena *a, hash_table *t, size_t count);

/* Under arena_protect(a). */
void hash_add(arena *a, hash_table *t, uint64_t hash, uint32_t number);

/* The same numbers, in another arena. */
void hash_copy(arena *a, hash_table *to, const hash_table *from);

#endif
