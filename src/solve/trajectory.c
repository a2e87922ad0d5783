#include "solve/trajectory.h"

#include <stdlib.h>
#include <string.h>

dae_status trajectory_keep(trajectory *kept, const dense_output *step)
{
    if (kept->count == kept->capacity) {
        size_t capacity = kept->capacity ? 2 * kept->capacity : 64;
        dense_output *grown = realloc(kept->segment, capacity * sizeof *grown);
        if (!grown) return DAE_NO_MEMORY;
        kept->segment = grown;
        kept->capacity = capacity;
    }
    size_t size = (size_t)(step->degree + 1) * step->n * sizeof *step->coefficient;
    dense_output copy = *step;
    copy.coefficient = malloc(size + 1);
    if (!copy.coefficient) return DAE_NO_MEMORY;
    memcpy(copy.coefficient, step->coefficient, size);
    kept->segment[kept->count++] = copy;
    return DAE_OK;
}

/* The last segment that begins before t in the run's direction, or at t where `at`. */
static const dense_output *find(const trajectory *kept, double t, bool at)
{
    size_t low = 0, high = kept->count;
    if (kept->count == 0) return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        double way = (t - kept->segment[middle].t) * kept->segment[middle].h;
        if (way > 0 || (at && way == 0))
            low = middle;
        else
            high = middle;
    }
    const dense_output *found = &kept->segment[low];
    double x = (t - found->t) / found->h;
    return x >= -1e-12 && x <= 1 + 1e-12 ? found : NULL;
}

const dense_output *trajectory_find(const trajectory *kept, double t)
{
    return find(kept, t, true);
}

const dense_output *trajectory_before(const trajectory *kept, double t)
{
    return find(kept, t, false);
}

void trajectory_cut(trajectory *kept, double t)
{
    while (kept->count > 0) {
        const dense_output *last = &kept->segment[kept->count - 1];
        if ((last->t - t) * last->h < 0) return;
        free(last->coefficient);
        kept->count--;
    }
}

void trajectory_clear(trajectory *kept)
{
    for (size_t i = 0; i < kept->count; i++) free(kept->segment[i].coefficient);
    free(kept->segment);
    *kept = (trajectory){0};
}
