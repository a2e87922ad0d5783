#include "base/names.h"

#include "base/hash.h"

#include <string.h>

typedef struct name {
    const char *string;
    size_t length;
} name;

struct names {
    arena *home;
    hash_table table;
    LIST(name) name;
};

names *names_create(arena *a)
{
    names *table = arena_take(a, sizeof *table);
    table->home = a;
    return table;
}

static uint32_t find(const names *table, uint64_t hash, const char *string, size_t length)
{
    uint32_t number;
    size_t at = hash_start(&table->table, hash);
    while ((number = hash_next(&table->table, hash, &at)) != HASH_NONE) {
        const name *n = &table->name.item[number];
        if (n->length == length && memcmp(n->string, string, length) == 0) return number;
    }
    return NAMES_NONE;
}

uint32_t names_find(const names *table, const char *string, size_t length)
{
    return find(table, hash_bytes(0, string, length), string, length);
}

uint32_t names_intern(names *table, const char *string, size_t length)
{
    uint64_t hash = hash_bytes(0, string, length);
    uint32_t number = find(table, hash, string, length);
    if (number != NAMES_NONE) return number;
    arena *home = table->home;
    number = (uint32_t)table->name.count;
    list_push(home, &table->name, ((name){arena_copy(home, string, length), length}));
    hash_add(home, &table->table, hash, number);
    return number;
}

const char *names_string(const names *table, uint32_t number)
{
    return table->name.item[number].string;
}

size_t names_count(const names *table)
{
    return table->name.count;
}
