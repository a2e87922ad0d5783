/* Names as small numbers: equal strings have equal numbers, counted from 0 in order of arrival. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

typedef struct names names;

#define NAMES_NONE UINT32_MAX

/* An empty table that lives in `a`. Only under arena_protect(a), as names_intern(). */
names *names_create(arena *a);

/* The number of a string of `length` bytes, added if it is new. */
uint32_t names_intern(names *table, const char *string, size_t length);

/* The same without adding: NAMES_NONE if it is not there. */
uint32_t names_find(const names *table, const char *string, size_t length);

/* The string, zero-terminated; owned by the arena. */
const char *names_string(const names *table, uint32_t number);

size_t names_count(const names *table);

#endif
