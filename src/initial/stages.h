/* The search for a start in many parts, stage by stage. Only the files of initial/ include this
 * header. */
#ifndef INITIAL_STAGES_H
#define INITIAL_STAGES_H

#include "initial/divided.h"
#include "initial/parts.h"

/* The search in a system of several parts. What succeeds at the first attempt is found for many
 * parts together, for that is as good as by themselves; all else is sought part by part. */

/* As what z is the start of a part. */
typedef enum part_found {
    NOT_YET,
    WITH_HELD,
    WITH_STATES, /* fixed, so that it is the guess of the last search */
    AS_GIVEN
} part_found;

typedef struct divided {
    start_parts parts;
    const start_system *s;
    double t;
    double *z, *guess;   /* size: found; from which it was found last */
    part_found *found;   /* parts */
    bool *fixed;         /* size: as which z was found */
    const bool *leading; /* size: of the system; NULL: all given values count alike */
    size_t *list;        /* parts: room */
    size_t iterations, failures;
    message *m; /* notes, ... */
    message failure;
    dae_status status; /* ... and what ends all of the search */
} divided;

/* How the start of parts is sought. */
typedef struct stage {
    start_system system;
    effort most;
    part_found found; /* what success means */
} stage;

/* Room for the search, under the protection of the parts' memory. */
void divided_build(void *self);

/* Whether a part has values of states that are not fixed. */
bool divided_has_free_states(const divided *d, size_t part);

/* Search in a part by itself. */
void divided_search_alone(divided *d, const stage *g, size_t part);

/* A stage for all parts that are not found yet. */
void divided_run_stage(divided *d, const stage *g);

#endif
