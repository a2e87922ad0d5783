/* What of an object is state: all that its future depends on. The rest is scratch, which each use
 * fills anew, or follows from how the object was made.
 *
 * A function `x_state(x, s)` visits each piece of the state in a fixed order. One and the same
 * function counts the bytes, saves them and restores them, so that the three cannot disagree.
 * Restoring into an object that was made alike, in another solver as well, makes it go on bit for
 * bit as the one that was saved. */
#ifndef BASE_STATE_H
#define BASE_STATE_H

#include <daedal/status.h>
#include <stddef.h>
#include <string.h>

typedef enum state_way { STATE_COUNT, STATE_SAVE, STATE_RESTORE } state_way;

typedef struct state_visit {
    state_way way;
    unsigned char *at; /* where the next piece is saved; borrowed; not used while counting */
    size_t size;       /* bytes visited so far */
    dae_status status; /* of a restoring that has to allocate or factor; the first failure stays */
} state_visit;

/* Visit `size` bytes; no pointers that another object does not share. */
static inline void state_bytes(state_visit *s, void *piece, size_t size)
{
    if (s->way == STATE_SAVE && size > 0) memcpy(s->at + s->size, piece, size);
    if (s->way == STATE_RESTORE && size > 0) memcpy(piece, s->at + s->size, size);
    s->size += size;
}

static inline void state_doubles(state_visit *s, double *piece, size_t count)
{
    state_bytes(s, piece, count * sizeof *piece);
}

static inline void state_fail(state_visit *s, dae_status status)
{
    if (s->status == DAE_OK) s->status = status;
}

/* One member or variable. */
#define STATE(s, piece) state_bytes(s, &(piece), sizeof(piece))

/* Members of an object from `first` up to the one before `behind`. */
#define STATE_MEMBERS(s, type, object, first, behind)                 \
    state_bytes(s, (unsigned char *)(object) + offsetof(type, first), \
                offsetof(type, behind) - offsetof(type, first))

#endif
