#include "initial/forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 30 };

typedef struct forwarding {
    reduced_start *r;
    double *z;
    bool *known;     /* size: entries */
    size_t *unknown; /* rows: how many entries of each are not known, and ... */
    size_t *sum;     /* ... their sum: the entry, where it is one */
    size_t *row;     /* rows: those that are solved together, each for its entry */
    size_t *place;   /* rows: the nonzero of each of these */
    double *before;  /* rows: of the entry */
    bool *used;      /* rows */
    size_t count;    /* of those that are solved together */
} forwarding;

static void count_unknown(forwarding *f)
{
    const start_system *s = f->r->s;
    const sparse_pattern *p = s->pattern;
    for (size_t j = 0; j < s->size; j++) {
        f->known[j] = s->fixed[j] || (s->given[j] && s->differentiated && s->differentiated[j]);
        for (sparse_index k = p->start[j]; k < p->start[j + 1] && !f->known[j]; k++) {
            f->unknown[p->row[k]]++;
            f->sum[p->row[k]] += j;
        }
    }
}

/* The rows with one unknown entry, none for an entry that another one has. */
static void choose_rows(forwarding *f)
{
    const sparse_pattern *p = f->r->s->pattern;
    f->count = 0;
    for (size_t i = 0; i < f->r->s->rows; i++) {
        size_t j = f->sum[i];
        if (f->used[i] || f->unknown[i] != 1 || f->known[j]) continue;
        sparse_index k = p->start[j];
        while ((size_t)p->row[k] != i) k++;
        f->known[j] = f->used[i] = true;
        f->place[f->count] = (size_t)k;
        f->before[f->count] = f->z[j];
        f->row[f->count++] = i;
    }
}

/* One iteration of Newton's for each of these rows by itself; others may have no value here. */
static bool iterate(forwarding *f, double *change)
{
    reduced_start *r = f->r;
    const start_system *s = r->s;
    for (size_t i = 0; i < s->rows; i++) r->row_all[i] = (double)NAN;
    dae_status status = s->form->value(s->self, r->t, f->z, r->row_all);
    if (status == DAE_STOPPED) return false;
    status = s->form->jacobian(s->self, r->t, f->z, r->value_all);
    *change = 0;
    for (size_t k = 0; status == DAE_OK && k < f->count; k++) {
        size_t i = f->row[k], j = f->sum[i];
        double step = r->row_all[i] / r->value_all[f->place[k]];
        if (!isfinite(step)) continue; /* it stays where it is, and the search looks at it */
        f->z[j] -= step;
        *change = fmax(*change, fabs(step) / fmax(fabs(f->z[j]), s->nominal[j]));
    }
    return status == DAE_OK;
}

static bool solve_rows(forwarding *f)
{
    static const double ROUND_OFF = 1e-14;
    double change = HUGE_VAL;
    for (int k = 0; k < MOST_ITERATIONS && change > ROUND_OFF; k++)
        if (!iterate(f, &change)) return false;
    for (size_t k = 0; k < f->count; k++)
        if (!isfinite(f->z[f->sum[f->row[k]]])) f->z[f->sum[f->row[k]]] = f->before[k];
    return true;
}

static void take_known(forwarding *f)
{
    const sparse_pattern *p = f->r->s->pattern;
    for (size_t k = 0; k < f->count; k++) {
        size_t j = f->sum[f->row[k]];
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            if ((size_t)p->row[e] == f->row[k]) continue; /* it is used up, and tells the entry */
            f->unknown[p->row[e]]--;
            f->sum[p->row[e]] -= j;
        }
    }
}

bool start_forward(reduced_start *r, double *z)
{
    const start_system *s = r->s;
    forwarding f = {.r = r, .z = z};
    f.known = calloc(s->size + 1, sizeof *f.known);
    f.unknown = calloc(4 * s->rows + 1, sizeof *f.unknown);
    f.before = calloc(s->rows + 1, sizeof *f.before);
    f.used = calloc(s->rows + 1, sizeof *f.used);
    bool ready = f.known && f.unknown && f.before && f.used, any = false;
    if (ready) {
        f.sum = f.unknown + s->rows, f.row = f.sum + s->rows, f.place = f.row + s->rows;
        memcpy(z, s->guess, s->size * sizeof *z);
        count_unknown(&f);
        choose_rows(&f);
    }
    while (ready && f.count > 0 && solve_rows(&f)) {
        any = true;
        take_known(&f);
        choose_rows(&f);
    }
    free(f.known);
    free(f.unknown);
    free(f.before);
    free(f.used);
    return any;
}
