/* Points near the guesses of a start.
 *
 * Which entries occur alike is found by colours, which are refined by those of the neighbours: B.
 * Weisfeiler & A. Lehman, Nauchno-Techn. Inf. Ser. 2, 9 (1968). Few rounds tell what is alike
 * nearby: the inner cells of a chain, whatever its length. */
#include "base/scatter.h"
#include "initial/reduced_start.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };

/* S. Vigna's splitmix64, whose results for numbers that follow each other have nothing in common.
 */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 is 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* What an author says of an entry. */
static uint64_t first_colour(const start_system *s, size_t j)
{
    uint64_t flags = (uint64_t)s->given[j] << 0 | (uint64_t)s->fixed[j] << 1 |
                     (uint64_t)s->variable[j] << 2 |
                     (uint64_t)(s->differentiated && s->differentiated[j]) << 3;
    return mixed(mixed(mixed(flags) ^ bits_of(s->guess[j])) ^ bits_of(s->nominal[j]));
}

/* Each colour becomes that of it and its neighbours, in whatever order: of rows by their entries,
 * then of entries by their rows. */
static void refine(const start_system *s, uint64_t *row, uint64_t *entry)
{
    const sparse_pattern *p = s->pattern;
    for (size_t i = 0; i < p->rows; i++) row[i] = mixed(i < s->equations);
    for (size_t j = 0; j < s->size; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            row[p->row[k]] += mixed(entry[j]);
    for (size_t j = 0; j < s->size; j++) {
        uint64_t sum = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) sum += mixed(row[p->row[k]]);
        entry[j] = mixed(entry[j] ^ mixed(sum));
    }
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool all_differ(uint64_t *colour, size_t count)
{
    qsort(colour, count, sizeof *colour, by_size);
    for (size_t j = 1; j < count; j++)
        if (colour[j] == colour[j - 1]) return false;
    return true;
}

static dae_status scatter_alike(reduced_start *r)
{
    const start_system *s = r->s;
    uint64_t *entry = malloc((s->size + s->pattern->rows + 1) * sizeof *entry);
    if (!entry) return DAE_NO_MEMORY;
    for (size_t j = 0; j < s->size; j++) entry[j] = first_colour(s, j);
    for (int k = 0; k < ROUNDS; k++) refine(s, entry + s->size, entry);
    for (size_t j = 0; j < s->size; j++) r->aside[j] = 2 * ((double)(entry[j] >> 11) * 0x1p-53) - 1;
    r->each = all_differ(entry, s->size);
    free(entry);
    return DAE_OK;
}

dae_status start_scatter(reduced_start *r, scatter_seed seed)
{
    if (r->scattered == (int)seed + 1) return DAE_OK;
    if (seed == SCATTER_ALIKE && scatter_alike(r) != DAE_OK) return DAE_NO_MEMORY;
    for (size_t j = 0; j < r->s->size && seed == SCATTER_EACH; j++) r->aside[j] = scattered(j);
    r->scattered = (int)seed + 1;
    return DAE_OK;
}

bool start_scatter_is_each(const reduced_start *r)
{
    return r->each;
}
