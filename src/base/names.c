#include "base/names.h"

#include "base/hash.h"

typedef struct name {
    const char *string;
    uint32_t number;
    UT_hash_handle hh;
} name;

struct names {
    arena *home;
    name *table; /* uthash's head */
    LIST(const char *) string;
};

names *names_create(arena *a)
{
    names *table = arena_take(a, sizeof *table);
    table->home = a;
    return table;
}

uint32_t names_find(const names *table, const char *string, size_t length)
{
    name *found = NULL;
    HASH_FIND(hh, table->table, string, length, found);
    return found ? found->number : NAMES_NONE;
}

uint32_t names_intern(names *table, const char *string, size_t length)
{
    uint32_t number = names_find(table, string, length);
    if (number != NAMES_NONE) return number;
    arena *home = table->home;
    name *added = arena_take(home, sizeof *added);
    added->string = arena_copy(home, string, length);
    added->number = (uint32_t)table->string.count;
    list_push(home, &table->string, added->string);
    HASH_ADD_KEYPTR(hh, table->table, added->string, length, added);
    return added->number;
}

const char *names_string(const names *table, uint32_t number)
{
    return table->string.item[number];
}

size_t names_count(const names *table)
{
    return table->string.count;
}
