/* Preloaded by command/memory: the allocation that ALLOCATION_FAILS counts to fails, all others do
 * not. With ALLOCATIONS_TO, the count of all is written to that descriptor at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long made, failing = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *which = getenv("ALLOCATION_FAILS");
    made = 0;
    failing = which ? atol(which) : -1;
}

__attribute__((destructor)) static void end(void)
{
    const char *to = getenv("ALLOCATIONS_TO");
    if (to) dprintf(atoi(to), "%ld\n", made);
}

static int fails(void)
{
    if (made++ != failing) return 0;
    errno = ENOMEM;
    return 1;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}
