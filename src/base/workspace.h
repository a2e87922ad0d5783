/* Memory of the numerical phase: one block per solver, measured and laid out by the same code.
 *
 * A function `carve(w, &space, n)` asks workspace_take() for each array. With an empty workspace it
 * only counts; after workspace_allocate() the same function places the arrays. So size and layout
 * cannot disagree. There is one allocation and one free, and no allocation inside a step. */
#ifndef BASE_WORKSPACE_H
#define BASE_WORKSPACE_H

#include <daedal/status.h>
#include <stddef.h>

typedef struct workspace {
    unsigned char *base; /* NULL while measuring */
    size_t used, size;   /* bytes */
    int overflow;        /* the sizes asked for do not fit into size_t */
} workspace;

/* `count` elements of `size` bytes, aligned to a cache line and zeroed; NULL while measuring. */
void *workspace_take(workspace *space, size_t count, size_t size);

/* Allocate what was measured; the next workspace_take() starts at the beginning. */
dae_status workspace_allocate(workspace *space);

void workspace_free(workspace *space);

/* An array of `count` doubles. */
#define workspace_doubles(space, count) ((double *)workspace_take(space, count, sizeof(double)))

#endif
