#include "base/workspace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

dae_status workspace_allocate(workspace *space)
{
    if (space->overflow) return DAE_NO_MEMORY;
    space->size = (space->used + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    space->base = aligned_alloc(CACHE_LINE, space->size);
    if (!space->base) return DAE_NO_MEMORY;
    memset(space->base, 0, space->size);
    space->used = 0;
    return DAE_OK;
}

void workspace_free(workspace *space)
{
    free(space->base);
    *space = (workspace){0};
}
