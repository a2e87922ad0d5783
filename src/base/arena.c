#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    arena_chunk *previous;
    size_t used, size;
    max_align_t data[];
};

/* A large piece. */
struct arena_block {
    arena_block *previous, *next; /* the older and the newer one */
    size_t size;
    max_align_t data[];
};

/* The address sanitizer knows blocks of malloc(). It is told of the pieces of a chunk, and of gaps
 * between them. */
#ifndef __has_feature /* of clang; gcc defines a macro */
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GAP = 16, LARGE = 256 }; /* so that it sees the use of what was given back */
enum { LEAST_ALIGNMENT = 8 };   /* of what it keeps its books */
#else
#define ASAN_POISON_MEMORY_REGION(from, size)
#define ASAN_UNPOISON_MEMORY_REGION(from, size)
enum { GAP = 0, LARGE = 64 * 1024 }; /* bytes of a piece that is a block of its own */
enum { LEAST_ALIGNMENT = 1 };
#endif

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 4 * 1024 * 1024 };

dae_status arena_protect(arena *a, void (*work)(void *argument), void *argument)
{
    jmp_buf here;
    jmp_buf *outer = a->on_failure;
    a->on_failure = &here;
    if (setjmp(here) != 0) {
        a->on_failure = outer;
        return DAE_NO_MEMORY;
    }
    work(argument);
    a->on_failure = outer;
    return DAE_OK;
}

_Noreturn void arena_fail(const arena *a)
{
    while (!a->on_failure && a->whole) a = a->whole;
    longjmp(*a->on_failure, 1);
}

static void add_chunk(arena *a, size_t wanted)
{
    size_t size = a->chunk ? 2 * a->chunk->size : FIRST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < wanted) size = wanted;
    arena_chunk *chunk = size < SIZE_MAX - sizeof *chunk ? calloc(1, sizeof *chunk + size) : NULL;
    if (!chunk) arena_fail(a);
    chunk->previous = a->chunk;
    chunk->used = 0;
    chunk->size = size;
    a->chunk = chunk;
    ASAN_POISON_MEMORY_REGION(chunk->data, size);
}

static void link_block(arena *a, arena_block *block)
{
    if (block->previous) block->previous->next = block;
    if (block->next)
        block->next->previous = block;
    else
        a->block = block;
}

static void *take_block(arena *a, size_t size)
{
    arena_block *block = size < SIZE_MAX - sizeof *block ? calloc(1, sizeof *block + size) : NULL;
    if (!block) arena_fail(a);
    block->size = size;
    block->previous = a->block;
    link_block(a, block);
    return block->data;
}

static arena_block *block_of(const void *data)
{
    return (arena_block *)((char *)(uintptr_t)data - offsetof(arena_block, data));
}

static void free_block(arena *a, arena_block *block)
{
    if (block->previous) block->previous->next = block->next;
    if (block->next)
        block->next->previous = block->previous;
    else
        a->block = block->previous;
    free(block);
}

/* A larger block with the same contents. */
static void *grow_block(arena *a, const void *data, size_t size)
{
    arena_block *old = block_of(data);
    arena_block *grown = size < SIZE_MAX - sizeof *old ? realloc(old, sizeof *old + size) : NULL;
    if (!grown) arena_fail(a);
    grown->size = size;
    link_block(a, grown);
    return grown->data;
}

/* The alignment of a type divides its size (C17, 6.2.8 and 6.5.3.4), so that characters stand side
 * by side. */
static size_t alignment_for(size_t size)
{
    size_t align = size & -size;
    if (align < LEAST_ALIGNMENT) align = LEAST_ALIGNMENT;
    return align < _Alignof(max_align_t) ? align : _Alignof(max_align_t);
}

/* `size` bytes for elements of a size. */
static void *take(arena *a, size_t size, size_t element)
{
    if (size >= LARGE) return take_block(a, size);
    size_t align = alignment_for(element), room = size + align - 1 + GAP;
    if (!a->chunk || a->chunk->size - a->chunk->used < room) add_chunk(a, room);
    a->chunk->used = (a->chunk->used + align - 1) / align * align;
    char *piece = (char *)a->chunk->data + a->chunk->used;
    ASAN_UNPOISON_MEMORY_REGION(piece, size);
    a->chunk->used += size + GAP;
    return piece;
}

void *arena_take(arena *a, size_t size)
{
    return take(a, size, size);
}

void arena_return(arena *a, const void *array, size_t count, size_t size)
{
    if (!array) return;
    if (count * size < LARGE) {
        ASAN_POISON_MEMORY_REGION(array, count * size);
        return;
    }
    free_block(a, block_of(array));
}

void arena_at_end(arena *a, void (*end)(void *of), void *of)
{
    arena_ending *ending = arena_take(a, sizeof *ending);
    *ending = (arena_ending){a->ending, end, of};
    a->ending = ending;
}

/* Those that are newer than the last one. */
static void end_down_to(arena *a, const arena_ending *last)
{
    for (; a->ending != last; a->ending = a->ending->before) a->ending->end(a->ending->of);
}

arena *arena_part(arena *whole)
{
    arena *part = arena_take(whole, sizeof *part);
    part->whole = whole;
    part->before = whole->part;
    whole->part = part;
    return part;
}

arena_mark arena_here(const arena *part)
{
    size_t used = part->chunk ? part->chunk->used : 0;
    return (arena_mark){part->chunk, part->block, part->ending, used};
}

static void free_chunk(arena *a)
{
    arena_chunk *chunk = a->chunk;
    a->chunk = chunk->previous;
    free(chunk);
}

/* The first chunk stays: most uses of a part need no more, and no call of malloc() then. */
void arena_back(arena *part, arena_mark mark)
{
    end_down_to(part, mark.ending);
    while (part->block != mark.block) free_block(part, part->block);
    while (part->chunk != mark.chunk && part->chunk->previous) free_chunk(part);
    arena_chunk *chunk = part->chunk;
    if (!chunk) return;
    size_t length = chunk->used - mark.used;
    char *from = (char *)chunk->data + mark.used;
    ASAN_UNPOISON_MEMORY_REGION(from, length);
    memset(from, 0, length);
    ASAN_POISON_MEMORY_REGION(from, length);
    chunk->used = mark.used;
}

void *arena_array(arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) arena_fail(a);
    return take(a, count * size, size);
}

void *arena_duplicate(arena *a, const void *from, size_t count, size_t size)
{
    if (!from) return NULL;
    void *copy = arena_array(a, count, size);
    if (count) memcpy(copy, from, count * size);
    return copy;
}

void *arena_grow(arena *a, const void *array, size_t count, size_t size, size_t *capacity)
{
    size_t wanted = count < 2 ? 2 : count < 8 ? 8 : 2 * count; /* many lists have one or two */
    if (count > SIZE_MAX / 2 / size) arena_fail(a);
    void *grown;
    if (count * size >= LARGE) {
        grown = grow_block(a, array, wanted * size);
    } else {
        grown = arena_array(a, wanted, size);
        if (count) memcpy(grown, array, count * size);
        arena_return(a, array, count, size);
    }
    *capacity = wanted;
    return grown;
}

/* What remains is large, too, so that it is known as a block of its own. If the system does not cut
 * it, it stays as it is. */
void *arena_fit(arena *a, const void *array, size_t count, size_t size, size_t *capacity)
{
    size_t least = (LARGE + size - 1) / size, wanted = count > least ? count : least;
    if (wanted >= *capacity) return (void *)(uintptr_t)array;
    arena_block *old = block_of(array), *cut = realloc(old, sizeof *old + wanted * size);
    if (!cut) return (void *)(uintptr_t)array;
    cut->size = wanted * size;
    link_block(a, cut);
    *capacity = wanted;
    return cut->data;
}

void arena_vectors(arena *a, size_t count, double **const *vector)
{
    for (; *vector; vector++) **vector = arena_array(a, count, sizeof(double));
}

char *arena_copy(arena *a, const char *text, size_t length)
{
    char *copy = arena_array(a, length + 1, 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

enum { USUAL_LENGTH = 128 }; /* of a formatted string: most need one pass */

char *arena_format_list(arena *a, const char *format, va_list arguments)
{
    char usual[USUAL_LENGTH];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(usual, sizeof usual, format, again);
    va_end(again);
    if (length >= 0 && (size_t)length < sizeof usual) return arena_copy(a, usual, (size_t)length);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_array(a, size, 1);
    vsnprintf(text, size, format, arguments);
    return text;
}

char *arena_format(arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_format_list(a, format, arguments);
    va_end(arguments);
    return text;
}

size_t arena_size(const arena *a)
{
    size_t size = 0;
    for (const arena_chunk *chunk = a->chunk; chunk; chunk = chunk->previous) size += chunk->size;
    for (const arena_block *block = a->block; block; block = block->previous) size += block->size;
    for (const arena *part = a->part; part; part = part->before) size += arena_size(part);
    return size;
}

void arena_free(arena *a)
{
    for (arena *part = a->part; part; part = part->before) arena_free(part);
    a->part = NULL; /* it lies in a chunk */
    end_down_to(a, NULL);
    while (a->chunk) free_chunk(a);
    while (a->block) free_block(a, a->block);
}

enum { CACHE_LINE = 64 };

void *workspace_take(workspace *space, size_t count, size_t size)
{
    if (space->used > SIZE_MAX - CACHE_LINE) space->overflow = 1;
    size_t start = (space->used + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (space->overflow || (size && count > (SIZE_MAX - start - CACHE_LINE) / size)) {
        space->overflow = 1;
        return NULL;
    }
    space->used = start + count * size;
    return space->base ? space->base + start : NULL;
}

void workspace_vectors(workspace *space, size_t count, double **const *vector)
{
    for (; *vector; vector++) **vector = workspace_doubles(space, count);
}

dae_status workspace_allocate(workspace *space)
{
    if (space->overflow || space->used > SIZE_MAX - 3 * CACHE_LINE) return DAE_NO_MEMORY;
    space->size = (space->used + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    space->block = calloc(1, space->size + CACHE_LINE);
    if (!space->block) return DAE_NO_MEMORY;
    space->base = space->block + (CACHE_LINE - (uintptr_t)space->block % CACHE_LINE) % CACHE_LINE;
    space->used = 0;
    return DAE_OK;
}

void workspace_free(workspace *space)
{
    free(space->block);
    *space = (workspace){0};
}
