/* Names as numbers, and the hash table in an arena below them. */
#include "base/names.h"

#include "base/unit.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 20000 };

static const char *name_of(char *buffer, int i)
{
    snprintf(buffer, 32, "x[%d,%d]", i / 100, i % 100);
    return buffer;
}

ARENA_TEST(numbers_in_order_of_arrival)
{
    char buffer[32];
    names *table = names_create(memory_);
    ck_assert_uint_eq(names_count(table), 0);
    for (int i = 0; i < MANY; i++) {
        name_of(buffer, i);
        ck_assert_uint_eq(names_find(table, buffer, strlen(buffer)), NAMES_NONE);
        ck_assert_uint_eq(names_intern(table, buffer, strlen(buffer)), i);
    }
    for (int i = MANY - 1; i >= 0; i--) { /* the table owns its strings */
        name_of(buffer, i);
        ck_assert_uint_eq(names_find(table, buffer, strlen(buffer)), i);
        ck_assert_uint_eq(names_intern(table, buffer, strlen(buffer)), i);
        ck_assert_str_eq(names_string(table, (uint32_t)i), buffer);
    }
    ck_assert_uint_eq(names_count(table), MANY);
}

ARENA_TEST(length_counts)
{
    names *table = names_create(memory_);
    uint32_t whole = names_intern(table, "velocity", 8), part = names_intern(table, "velocity", 3);
    uint32_t empty = names_intern(table, "", 0), zero = names_intern(table, "a\0b", 3);
    ck_assert_uint_ne(whole, part);
    ck_assert_str_eq(names_string(table, part), "vel");
    ck_assert_str_eq(names_string(table, empty), "");
    ck_assert_uint_ne(names_intern(table, "a\0c", 3), zero);
    ck_assert_uint_eq(names_find(table, "vel", 3), part);
    ck_assert_uint_eq(names_find(table, "velo", 4), NAMES_NONE);
}

ARENA_TEST(tables_are_apart)
{
    names *one = names_create(memory_), *other = names_create(memory_);
    names_intern(one, "x", 1);
    ck_assert_uint_eq(names_find(other, "x", 1), NAMES_NONE);
    ck_assert_uint_eq(names_count(other), 0);
}

UNIT_MAIN("base/names", 20, numbers_in_order_of_arrival, length_counts, tables_are_apart)
