#include "hierarchy/tree.h"

#include "base/hash.h"

#include <string.h>

typedef struct hier_key {
    uint32_t owner, name;
} hier_key;

struct hier_entry {
    hier_key key;
    void *item;
    UT_hash_handle hh;
};

void hier_put(hier *h, uint32_t owner, uint32_t name, void *item)
{
    arena *home = h->a;
    hier_entry *e = arena_take(home, sizeof *e);
    e->key = (hier_key){owner, name};
    e->item = item;
    HASH_ADD(hh, h->map, key, sizeof e->key, e);
}

void *hier_get(const hier *h, uint32_t owner, uint32_t name)
{
    hier_key key = {owner, name};
    hier_entry *found = NULL;
    HASH_FIND(hh, h->map, &key, sizeof key, found);
    return found ? found->item : NULL;
}

uint32_t hier_word(hier *h, const char *word)
{
    return names_intern(h->words, word, strlen(word));
}
