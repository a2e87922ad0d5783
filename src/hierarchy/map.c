#include "hierarchy/tree.h"

#include <string.h>

static uint64_t hash_of(uint32_t owner, uint32_t name)
{
    return hash_mix(0, (uint64_t)owner << 32 | name);
}

static hier_entry *find(const hier *h, uint32_t owner, uint32_t name)
{
    uint64_t hash = hash_of(owner, name);
    uint32_t k;
    size_t at = hash_start(&h->map.table, hash);
    while ((k = hash_next(&h->map.table, hash, &at)) != HASH_NONE) {
        hier_entry *e = &h->map.entry.item[k];
        if (e->owner == owner && e->name == name) return e;
    }
    return NULL;
}

void hier_put(hier *h, uint32_t owner, uint32_t name, void *item)
{
    hier_entry *known = find(h, owner, name);
    if (known) {
        known->item = item;
        return;
    }
    uint32_t number = (uint32_t)h->map.entry.count;
    list_push(h->a, &h->map.entry, ((hier_entry){owner, name, item}));
    hash_add(h->a, &h->map.table, hash_of(owner, name), number);
}

void *hier_get(const hier *h, uint32_t owner, uint32_t name)
{
    const hier_entry *found = find(h, owner, name);
    return found ? found->item : NULL;
}

uint32_t hier_word(hier *h, const char *word)
{
    return names_intern(h->words, word, strlen(word));
}
