/* Allocations counted, and made to fail: the linker puts these functions in the place of malloc,
 * calloc, realloc, aligned_alloc and free, and KLU is told to use them. */
#ifndef TESTS_SOLVE_ALLOCATIONS_H
#define TESTS_SOLVE_ALLOCATIONS_H

#include "base/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <suitesparse/SuiteSparse_config.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static struct {
    bool on;            /* only then anything below changes */
    long made, pending; /* allocations, blocks not yet freed */
    long until_failure; /* allocations that still succeed; negative: all */
    double bytes;       /* asked for in all */
} allocations = {.until_failure = -1};

static bool allocation_fails(size_t size)
{
    if (!allocations.on) return false;
    allocations.made++;
    allocations.bytes += (double)size;
    if (allocations.until_failure < 0) return false;
    return allocations.until_failure-- == 0;
}

static void *allocated(void *block)
{
    if (allocations.on && block) allocations.pending++;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails(size) ? NULL : allocated(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails(count * size) ? NULL : allocated(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (allocation_fails(size)) return NULL;
    return old ? __real_realloc(old, size) : allocated(__real_realloc(old, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return allocation_fails(size) ? NULL : allocated(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *p)
{
    if (allocations.on && p) allocations.pending--;
    __real_free(p);
}

static inline void count_in_klu(void)
{
    SuiteSparse_config.malloc_func = __wrap_malloc;
    SuiteSparse_config.calloc_func = __wrap_calloc;
    SuiteSparse_config.realloc_func = __wrap_realloc;
    SuiteSparse_config.free_func = __wrap_free;
}

/* The next allocation that fails. The later one is, the more like its neighbours it is, and the
 * more of them are left out. */
static inline long next_failure(long k)
{
    static const long each[] = {[GRID_FULL] = 200, [GRID_THINNED] = 40, [GRID_SANITIZED] = 15};
    return k + 1 + k / each[grid_of_run()];
}

#endif
