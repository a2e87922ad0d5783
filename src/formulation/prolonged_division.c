/* The rows of a start that belong to one of its parts, evaluated by themselves: a model of a
 * thousand unlinked parts must not cost a thousand times a thousand evaluations. */
#include "formulation/prolonged_start.h"

#include <string.h>

typedef struct division {
    const prolonged_start *s;
    uint32_t *room;     /* sym_tape_part() */
    size_t *varying_of; /* sym_matrix_part() */
} division;

typedef struct division_part {
    sym_tape *rows;
    sym_matrix *jacobian;
    size_t size; /* entries */
    double *input;
} division_part;

void *prolonged_division_create(void *self, arena *a)
{
    const prolonged_start *s = self;
    const sym_matrix *m = s->jacobian;
    division *d = arena_take(a, sizeof *d);
    size_t rows = sym_tape_work(s->rows), entries = sym_tape_work(m->tape);
    d->s = s;
    d->room = arena_array(a, rows > entries ? rows : entries, sizeof *d->room);
    d->varying_of = arena_array(a, m->nonzeros, sizeof *d->varying_of);
    for (size_t k = 0; k < m->varying; k++) d->varying_of[m->place[k]] = k + 1;
    return d;
}

void *prolonged_division_part(void *divided, arena *a, const start_choice *c)
{
    const division *d = divided;
    division_part *part = arena_take(a, sizeof *part);
    size_t *input = arena_array(a, 1 + c->entries, sizeof *input); /* the time is the first */
    for (size_t j = 0; j < c->entries; j++) input[1 + j] = 1 + c->entry[j];
    part->size = c->entries;
    part->rows = sym_tape_part(a, d->s->rows, c->rows, c->row, 1 + c->entries, input, d->room);
    part->jacobian = sym_matrix_part(a, d->s->jacobian, c->nonzeros, c->nonzero, d->varying_of,
                                     1 + c->entries, input, d->room);
    part->input = arena_array(a, 1 + c->entries, sizeof *part->input);
    return part->rows && part->jacobian ? part : NULL;
}

static const double *fill(division_part *part, double t, const double *z)
{
    part->input[0] = t;
    memcpy(part->input + 1, z, part->size * sizeof *z);
    return part->input;
}

void prolonged_division_value(void *part, double t, const double *z, double *r)
{
    division_part *p = part;
    sym_tape_eval(p->rows, fill(p, t, z), r);
}

void prolonged_division_jacobian(void *part, double t, const double *z, double *value)
{
    division_part *p = part;
    sym_matrix_eval(p->jacobian, fill(p, t, z), value);
}
