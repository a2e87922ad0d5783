/* The arena: pieces are aligned, zeroed and apart; exhausted memory leaves by the innermost jump.
 */
#include "base/unit.h"

#include <stdbool.h>
#include <string.h>

static bool holds(const unsigned char *piece, size_t size, size_t value)
{
    for (size_t k = 0; k < size; k++)
        if (piece[k] != value) return false;
    return true;
}

/* The alignment of a type divides its size, and is at most that of max_align_t. */
static size_t strictest(size_t size)
{
    size_t align = 1;
    while (size && align < _Alignof(max_align_t) && size % (2 * align) == 0) align *= 2;
    return align;
}

ARENA_TEST(pieces_are_aligned_zeroed_and_apart)
{
    enum { PIECES = 3000 };
    arena *a = memory_;
    unsigned char *piece[PIECES];
    size_t size[PIECES];
    uint64_t state = 1;
    for (size_t i = 0; i < PIECES; i++) {
        size[i] = i % 100 == 99 ? 100000 : scatter_below(&state, 200);
        piece[i] = arena_take(a, size[i]);
        ck_assert_ptr_nonnull(piece[i]);
        ck_assert_uint_eq((uintptr_t)piece[i] % strictest(size[i]), 0);
        ck_assert(holds(piece[i], size[i], 0));
        memset(piece[i], (int)(i % 251 + 1), size[i]);
    }
    for (size_t i = 0; i < PIECES; i++) ck_assert(holds(piece[i], size[i], i % 251 + 1));
}

/* An array is aligned for its elements, and characters take no more than they are. */
ARENA_TEST(elements_are_aligned)
{
    enum { STRINGS = 10000, LENGTH = 5 };
    arena *a = memory_;
    for (size_t i = 0; i < 400; i++) {
        size_t element = 1 + i % 40;
        ck_assert_uint_eq((uintptr_t)arena_array(a, 1 + i % 7, element) % strictest(element), 0);
    }
    size_t before = arena_size(a);
    for (size_t i = 0; i < STRINGS; i++) arena_copy(a, "abcde", LENGTH);
    if (grid_of_run() != GRID_SANITIZED) /* where each piece is set apart */
        ck_assert_uint_le(arena_size(a) - before, 3 * STRINGS * (LENGTH + 1));
}

typedef struct visit {
    arena *a;
    size_t count, size;
    int before, after;
} visit;

static void take_array(void *argument)
{
    visit *v = argument;
    arena_take(v->a, 100);
    v->before++;
    arena_array(v->a, v->count, v->size);
    v->after++;
}

static dae_status array_of(arena *a, size_t count, size_t size)
{
    visit v = {.a = a, .count = count, .size = size};
    dae_status status = arena_protect(a, take_array, &v);
    ck_assert_int_eq(v.before, 1);
    ck_assert_int_eq(v.after, status == DAE_OK);
    return status;
}

START_TEST(sizes_that_do_not_exist)
{
    arena a = {0};
    ck_assert_int_eq(array_of(&a, 10, 8), DAE_OK);
    ck_assert_int_eq(array_of(&a, 0, 8), DAE_OK);
    ck_assert_int_eq(array_of(&a, 8, 0), DAE_OK);
    ck_assert_int_eq(array_of(&a, SIZE_MAX / 8 + 1, 8), DAE_NO_MEMORY); /* the product wraps to 0 */
    ck_assert_int_eq(array_of(&a, (size_t)1 << 33, (size_t)1 << 33), DAE_NO_MEMORY);
    for (size_t less = 0; less < 64; less++)
        ck_assert_int_eq(array_of(&a, SIZE_MAX - less, 1), DAE_NO_MEMORY);
    ck_assert_int_eq(array_of(&a, 10, 8), DAE_OK); /* it stays usable */
    arena_free(&a);
    ck_assert_ptr_null(a.chunk);
    ck_assert_int_eq(array_of(&a, 10, 8), DAE_OK);
    arena_free(&a);
}
END_TEST

static void nested(void *argument)
{
    visit *v = argument;
    ck_assert_int_eq(array_of(v->a, SIZE_MAX, 1), DAE_NO_MEMORY); /* ends here */
    v->before++;
    arena_take(v->a, SIZE_MAX); /* and this in the test below */
    v->after++;
}

START_TEST(the_innermost_protection_is_left)
{
    arena a = {0};
    visit v = {.a = &a};
    ck_assert_int_eq(arena_protect(&a, nested, &v), DAE_NO_MEMORY);
    ck_assert_int_eq(v.before, 1);
    ck_assert_int_eq(v.after, 0);
    ck_assert_ptr_null(a.on_failure);
    arena_free(&a);
}
END_TEST

ARENA_TEST(lists_keep_what_was_pushed)
{
    arena *a = memory_;
    LIST(double) list = {0};
    for (int i = 0; i < 10000; i++) list_push(a, &list, i * 0.5);
    ck_assert_uint_eq(list.count, 10000);
    ck_assert_uint_ge(list.capacity, list.count);
    for (int i = 0; i < 10000; i++) ck_assert(list.item[i] == i * 0.5);
}

ARENA_TEST(lists_that_grow_beside_each_other)
{
    arena *a = memory_;
    LIST(int) list[3] = {{0}};
    for (int i = 0; i < 100000; i++)
        for (int k = 0; k < 3; k++) list_push(a, &list[k], 3 * i + k);
    for (int i = 0; i < 100000; i++)
        for (int k = 0; k < 3; k++) ck_assert_int_eq(list[k].item[i], 3 * i + k);
    ck_assert_uint_le(arena_size(a), 4 * 3 * sizeof(int) * 100000); /* nothing is left behind */
}

/* What a list has beyond its elements, and only where that is much; it can grow again. */
ARENA_TEST(lists_are_cut_to_their_elements)
{
    arena *a = memory_;
    static const int left[] = {3, 50, 60000};
    for (int k = 0; k < 3; k++) {
        LIST(int) list = {0};
        for (int i = 0; i < 200000; i++) list_push(a, &list, i);
        size_t before = arena_size(a), capacity = list.capacity;
        list.count = (size_t)left[k];
        list_fit(a, &list);
        ck_assert_uint_lt(list.capacity, capacity / 2);
        ck_assert_uint_eq(before - arena_size(a), (capacity - list.capacity) * sizeof(int));
        for (int i = left[k]; i < 100000; i++) list_push(a, &list, i);
        for (int i = 0; i < 100000; i++) ck_assert_int_eq(list.item[i], i);
        list_return(a, &list);
    }
    LIST(int) few = {0};
    for (int i = 0; i < 5; i++) list_push(a, &few, i);
    const int *item = few.item;
    list_fit(a, &few);
    ck_assert_ptr_eq(few.item, item);
    for (int i = 0; i < 5; i++) ck_assert_int_eq(few.item[i], i);
}

ARENA_TEST(large_arrays_are_given_back)
{
    enum { LENGTH = 1 << 20 };
    arena *a = memory_;
    unsigned char *piece[4];
    size_t before = arena_size(a);
    for (int k = 0; k < 4; k++) memset(piece[k] = arena_array(a, LENGTH, 1), k + 1, LENGTH);
    arena_return(a, NULL, LENGTH, 1);
    arena_return(a, piece[1], LENGTH, 1); /* one in the middle, the last and the first */
    arena_return(a, piece[3], LENGTH, 1);
    ck_assert_uint_eq(arena_size(a), before + 2 * LENGTH);
    ck_assert(holds(piece[0], LENGTH, 1));
    ck_assert(holds(piece[2], LENGTH, 3));
    arena_return(a, piece[0], LENGTH, 1);
    ck_assert(holds(piece[2], LENGTH, 3));
    piece[0] = arena_array(a, LENGTH, 1);
    ck_assert(holds(piece[0], LENGTH, 0));
    arena_return(a, piece[0], LENGTH, 1);
    arena_return(a, piece[2], LENGTH, 1);
    ck_assert_uint_eq(arena_size(a), before);
}

static void exhaust(void *argument)
{
    visit *v = argument;
    v->before++;
    arena_take(v->a, SIZE_MAX);
    v->after++;
}

ARENA_TEST(parts_go_back_to_marks)
{
    arena *part = arena_part(memory_);
    size_t before = 0;
    for (int round = 0; round < 100; round++) {
        arena_mark outer = arena_here(part);
        unsigned char *kept = arena_array(part, 100, 1);
        ck_assert(holds(kept, 100, 0)); /* zeroed after each round */
        memset(kept, 1, 100);
        arena_mark inner = arena_here(part);
        for (int k = 0; k < 200; k++) memset(arena_array(part, 500, 1), 2, 500);
        memset(arena_array(part, 200000, 1), 3, 200000);
        arena_back(part, inner);
        ck_assert(holds(kept, 100, 1));
        ck_assert(holds(arena_array(part, 300, 1), 300, 0));
        arena_back(part, outer);
        if (round == 0) before = arena_size(memory_);
        ck_assert_uint_eq(arena_size(memory_), before);
    }
    visit v = {.a = part};
    ck_assert_int_eq(arena_protect(memory_, exhaust, &v), DAE_NO_MEMORY); /* that of the whole */
    ck_assert_int_eq(v.before, 1);
    ck_assert_int_eq(v.after, 0);
}

ARENA_TEST(strings)
{
    arena *a = memory_;
    char *copy = arena_copy(a, "pendulum", 4);
    ck_assert_str_eq(copy, "pend");
    ck_assert_str_eq(arena_copy(a, NULL, 0), "");
    ck_assert_str_eq(arena_format(a, "%s[%d]", copy, 17), "pend[17]");
    char *wide = arena_format(a, "%*d", 5000, 7);
    ck_assert_uint_eq(strlen(wide), 5000);
    ck_assert_int_eq(wide[4999], '7');
}

static char ended[8], names[5][2] = {"a", "b", "c", "d", "e"};

static void note_end(void *of)
{
    strcat(ended, of);
}

static void with_endings(void *argument)
{
    arena *a = argument;
    arena_at_end(a, note_end, names[0]);
    arena_at_end(a, note_end, names[1]);
    arena *part = arena_part(a);
    arena_at_end(part, note_end, names[2]);
    arena_mark here = arena_here(part);
    arena_at_end(part, note_end, names[3]);
    arena_at_end(part, note_end, names[4]);
    ck_assert_str_eq(ended, "");
    arena_back(part, here);
    ck_assert_str_eq(ended, "ed");
}

/* What is freed ends, each once, the newest first; parts before their whole. */
START_TEST(endings)
{
    arena a = {0};
    ck_assert_int_eq(arena_protect(&a, with_endings, &a), DAE_OK);
    arena_free(&a);
    ck_assert_str_eq(ended, "edcba");
    arena_free(&a);
    ck_assert_str_eq(ended, "edcba");
}
END_TEST

UNIT_MAIN("base/arena", 20, pieces_are_aligned_zeroed_and_apart, elements_are_aligned,
          sizes_that_do_not_exist, the_innermost_protection_is_left, lists_keep_what_was_pushed,
          lists_that_grow_beside_each_other, lists_are_cut_to_their_elements,
          large_arrays_are_given_back, parts_go_back_to_marks, strings, endings)
