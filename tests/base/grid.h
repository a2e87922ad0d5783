/* Grids of alike settings, which are thinned, and what is said of those that are left out. */
#ifndef TESTS_BASE_GRID_H
#define TESTS_BASE_GRID_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef UNIT_SANITIZED
#define UNIT_SANITIZED 0 /* the build says it: tests/CMakeLists.txt */
#endif

/* Grids of many alike settings are thinned, and thinned once more where sanitizers make each of
 * them slow; `make study` runs them in full (THINNED=no). */
typedef enum unit_grid { GRID_FULL, GRID_THINNED, GRID_SANITIZED } unit_grid;

static inline unit_grid grid_of_run(void)
{
    const char *thinned = getenv("THINNED");
    if (thinned && strcmp(thinned, "no") == 0) return GRID_FULL;
    return UNIT_SANITIZED ? GRID_SANITIZED : GRID_THINNED;
}

/* Each case that is left out is counted with its reason. */
static inline void report_left_out(const char *of, long left_out, long all, const char *reason)
{
    if (left_out == 0) return;
    printf("%s: %ld of %ld left out: %s\n", of, left_out, all, reason);
    fflush(stdout); /* a test ends its process without */
}

#endif
