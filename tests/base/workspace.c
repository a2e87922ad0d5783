/* The workspace: measuring and carving agree, arrays are aligned, zeroed and apart. */
#include "base/arena.h"

#include "base/unit.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 40 };

typedef struct carved {
    double *array[ARRAYS];
    size_t count[ARRAYS];
    char *bytes;
} carved;

static void carve(carved *c, workspace *space)
{
    uint64_t state = 5;
    for (size_t i = 0; i < ARRAYS; i++) {
        c->count[i] = scatter_below(&state, 30);
        c->array[i] = workspace_doubles(space, c->count[i]);
    }
    c->bytes = workspace_take(space, 3, 1);
}

START_TEST(measured_as_carved)
{
    workspace space = {0};
    carved c;
    carve(&c, &space);
    for (size_t i = 0; i < ARRAYS; i++) ck_assert_ptr_null(c.array[i]);
    size_t measured = space.used;
    ck_assert_int_eq(workspace_allocate(&space), DAE_OK);
    ck_assert_uint_eq(space.used, 0);
    carve(&c, &space);
    ck_assert_uint_eq(space.used, measured);
    ck_assert_uint_le(space.used, space.size);
    for (size_t i = 0; i < ARRAYS; i++) {
        ck_assert_uint_eq((uintptr_t)c.array[i] % 64, 0);
        for (size_t k = 0; k < c.count[i]; k++) {
            ck_assert(c.array[i][k] == 0);
            c.array[i][k] = (double)(100 * i + k);
        }
    }
    memset(c.bytes, 1, 3);
    for (size_t i = 0; i < ARRAYS; i++)
        for (size_t k = 0; k < c.count[i]; k++) ck_assert(c.array[i][k] == (double)(100 * i + k));
    workspace_free(&space);
    ck_assert_ptr_null(space.base);
}
END_TEST

START_TEST(overflow_is_remembered)
{
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 8 - 8, SIZE_MAX / 16};
    for (size_t i = 0; i < 4; i++) {
        workspace space = {0};
        workspace_take(&space, counts[i], 8);
        workspace_take(&space, counts[i], 8);
        workspace_take(&space, 1, 8);
        ck_assert_int_eq(workspace_allocate(&space), DAE_NO_MEMORY);
        ck_assert_ptr_null(space.base);
        workspace_free(&space);
    }
}
END_TEST

UNIT_MAIN("base/workspace", 20, measured_as_carved, overflow_is_remembered)
