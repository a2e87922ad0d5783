#include "solve/start_reals.h"

#include "base/round_off.h"
#include "linalg/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most turns that are looked at. */
enum { MOST_KEPT = 20 };

struct start_reals {
    size_t count, most, kept;
    double *given, *miss;  /* most x count: G(d) and G(d) - d of the last turns, the newest first */
    double *size;          /* count */
    double *step, *change; /* most x count: changes of the miss, made orthonormal, and of G(d) */
};

start_reals *start_reals_create(size_t count)
{
    start_reals *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->count = count;
    r->most = count + 1 < MOST_KEPT ? count + 1 : MOST_KEPT;
    size_t room = r->most * count + 1;
    r->given = calloc(4 * room + count, sizeof *r->given);
    if (!r->given) {
        free(r);
        return NULL;
    }
    r->miss = r->given + room;
    r->step = r->miss + room;
    r->change = r->step + room;
    r->size = r->change + room;
    return r;
}

void start_reals_free(start_reals *r)
{
    if (!r) return;
    free(r->given);
    free(r);
}

void start_reals_forget(start_reals *r)
{
    r->kept = 0;
}

bool start_reals_note(start_reals *r, const double *taken, const double *defined)
{
    size_t n = r->count, moved = (r->most - 1) * n;
    bool same = true;
    memmove(r->given + n, r->given, moved * sizeof *r->given);
    memmove(r->miss + n, r->miss, moved * sizeof *r->miss);
    if (r->kept < r->most) r->kept++;
    for (size_t i = 0; i < n; i++) {
        r->given[i] = defined[i];
        r->miss[i] = defined[i] - taken[i];
        r->size[i] = fmax(fabs(taken[i]), fabs(defined[i]));
        same = same && fabs(r->miss[i]) <= ROUND_OFF_ITERATED * r->size[i];
        if (r->size[i] == 0) r->size[i] = 1;
    }
    return same;
}

/* Takes the part along the first j changes of the miss away from change j, and makes that a unit
 * vector. False: it follows from those. */
static bool orthogonalize(const start_reals *r, size_t j)
{
    size_t n = r->count;
    double *step = r->step + j * n, *change = r->change + j * n;
    double whole = sqrt(vector_dot(n, step, step));
    for (size_t k = 0; k < j; k++) {
        const double *by = r->step + k * n, *with = r->change + k * n;
        double part = vector_dot(n, by, step);
        for (size_t i = 0; i < n; i++) step[i] -= part * by[i], change[i] -= part * with[i];
    }
    double left = sqrt(vector_dot(n, step, step));
    if (!(left > ROUND_OFF_AMPLIFIED * whole)) return false;
    for (size_t i = 0; i < n; i++) step[i] /= left, change[i] /= left;
    return true;
}

void start_reals_next(const start_reals *r, double *value)
{
    size_t n = r->count, columns = 0;
    memcpy(value, r->given, n * sizeof *value);
    for (size_t turn = 1; turn < r->kept; turn++) {
        double *step = r->step + columns * n, *change = r->change + columns * n;
        double along = 0;
        for (size_t i = 0; i < n; i++) {
            step[i] = (r->miss[turn * n + i] - r->miss[i]) / r->size[i];
            change[i] = r->given[turn * n + i] - r->given[i];
        }
        if (!orthogonalize(r, columns)) continue;
        for (size_t i = 0; i < n; i++) along += step[i] * r->miss[i] / r->size[i];
        for (size_t i = 0; i < n; i++) value[i] -= along * change[i];
        columns++;
    }
}
