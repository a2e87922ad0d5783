/* The table of numbers: each is found by its key, of equal ones the first. */
#include "base/hash.h"

#include "base/unit.h"

enum { MANY = 1000 };

/* The number of a key, HASH_NONE: not there. Hashes of few values make runs of full places. */
static uint32_t find(const hash_table *t, const uint64_t *key, uint64_t wanted, uint64_t hash)
{
    uint32_t k;
    size_t at = hash_start(t, hash);
    while ((k = hash_next(t, hash, &at)) != HASH_NONE)
        if (key[k] == wanted) return k;
    return HASH_NONE;
}

static void check_table(arena *a, uint64_t hashes)
{
    hash_table t = {0}, copy;
    uint64_t *key = arena_array(a, 2 * MANY, sizeof *key);
    ck_assert_uint_eq(find(&t, key, 0, 0), HASH_NONE);
    for (uint32_t k = 0; k < 2 * MANY; k++) { /* each key twice */
        key[k] = 3 * (k % MANY);
        if (k < MANY)
            ck_assert_uint_eq(find(&t, key, key[k], hash_mix(0, key[k]) % hashes), HASH_NONE);
        hash_add(a, &t, hash_mix(0, key[k]) % hashes, k);
    }
    ck_assert_uint_eq(t.count, 2 * MANY);
    hash_copy(a, &copy, &t);
    hash_add(a, &t, hash_mix(0, 1) % hashes, 0);
    for (uint32_t k = 0; k < MANY; k++) {
        uint64_t hash = hash_mix(0, key[k]) % hashes;
        ck_assert_uint_eq(find(&t, key, key[k], hash), k);
        ck_assert_uint_eq(find(&copy, key, key[k], hash), k);
        ck_assert_uint_eq(find(&t, key, key[k] + 1, hash_mix(0, key[k] + 1) % hashes), HASH_NONE);
    }
}

ARENA_TEST(numbers_by_their_keys)
{
    check_table(memory_, UINT64_MAX);
}

ARENA_TEST(keys_whose_hashes_are_equal)
{
    check_table(memory_, 50);
}

/* So many numbers that their places are large pages, where the system has them. */
ARENA_TEST(very_many_numbers)
{
    enum { VERY_MANY = 400000 };
    hash_table t = {0};
    uint64_t *key = arena_array(memory_, VERY_MANY, sizeof *key);
    for (uint32_t k = 0; k < VERY_MANY; k++) {
        key[k] = 3 * k;
        hash_add(memory_, &t, hash_mix(0, key[k]), k);
    }
    for (uint32_t k = 0; k < VERY_MANY; k++) {
        hash_fetch(&t, hash_mix(0, key[k]));
        if (find(&t, key, key[k], hash_mix(0, key[k])) != k) ck_abort_msg("%u is lost", k);
    }
    ck_assert_uint_eq(find(&t, key, 1, hash_mix(0, 1)), HASH_NONE);
}

/* How many places are looked at for a number that is there, on an average, as a part of what
 * numbers with random hashes take: (1 + 1/(1 - f)) / 2 where a part f of the places is filled
 * (Knuth, Sec. 6.4, (24)). */
static double looks(arena *a, uint32_t count, double unit)
{
    hash_table t = {0};
    size_t all = 0;
    for (uint32_t k = 0; k < count; k++) hash_add(a, &t, hash_mix(0, hash_bits(k * unit)), k);
    for (uint32_t k = 0; k < count; k++) {
        uint64_t hash = hash_mix(0, hash_bits(k * unit));
        size_t start = hash_start(&t, hash), at = start;
        while (hash_next(&t, hash, &at) != k) continue;
        all += (at - start) & (t.size - 1);
    }
    double filled = (double)count / (double)t.size;
    return (double)all / count / (0.5 * (1 + 1 / (1 - filled)));
}

ARENA_TEST(numbers_in_a_row_lie_scattered)
{
    static const double unit[] = {1, 0.5, 1024, 1e-5, 0.1};
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        for (uint32_t count = 1000; count < 100000; count *= 3)
            ck_assert_double_le(looks(memory_, count, unit[k]), 1.5);
}

ARENA_TEST(bytes)
{
    const char key[] = "abcdefghijklmnop";
    for (size_t length = 0; length < sizeof key; length++)
        for (size_t other = 0; other < length; other++)
            ck_assert_uint_ne(hash_bytes(0, key, length), hash_bytes(0, key, other));
    ck_assert_uint_ne(hash_bytes(0, "a\0", 2), hash_bytes(0, "a", 1));
    ck_assert_uint_eq(hash_bytes(7, key + 1, 9), hash_bytes(7, "bcdefghij", 9));
    (void)memory_;
}

UNIT_MAIN("base/hash", 20, numbers_by_their_keys, keys_whose_hashes_are_equal,
          numbers_in_a_row_lie_scattered, very_many_numbers, bytes)
