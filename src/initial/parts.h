/* The parts of a start's system that nothing links, so that the start of each can be found by
 * itself. Only the files of initial/ include this header. */
#ifndef INITIAL_PARTS_H
#define INITIAL_PARTS_H

#include "problem/start.h"

/* Rows and entries in a chain of occurrences are in one part. By all entries: a fixed value that
 * contradicts one equation may be needed by another, so that an explanation needs both. By free
 * ones: a fixed entry is in each part that contains it. What occurs nowhere is in the first. */
typedef enum parts_linked { LINKED_BY_ALL, LINKED_BY_FREE } parts_linked;

typedef struct start_parts {
    const start_system *s;
    size_t count;
    size_t *first_row, *row;     /* count + 1: where the rows of each part begin in `row` */
    size_t *first_entry, *entry; /* the same of entries; both ascend within a part */
    size_t *local;               /* pattern's rows: room for their numbers in a view */
    double *z, *r, *value;       /* room for an evaluation of the whole */
    void *division;              /* of the form; NULL: it has none */
    arena memory;
} start_parts;

/* Find the parts; one alone if rows of the form cannot be evaluated apart. DAE_NO_MEMORY. p is to
 * be freed in any case. */
dae_status start_parts_find(start_parts *p, const start_system *s, parts_linked linked);
void start_parts_free(start_parts *p);

/* Some parts as a system of their own, whose `nearest` is room of the view if the whole has one. */
typedef struct start_view {
    start_system system;
    start_parts *parts;
    size_t *row, *entry;                 /* which they are of the whole */
    size_t *part_of_row, *part_of_entry; /* the how manieth of the chosen parts */
    uint32_t *nonzero;                   /* pattern's nonzeros: the place in that of the whole */
    void *alone;                         /* part of the division; NULL: the whole is evaluated */
    arena memory;
} start_view;

/* The chosen parts of `s`, which differs from p->s in what is fixed, given or guessed. */
dae_status start_view_create(start_view **created, start_parts *p, const start_system *s,
                             const size_t *part, size_t count);

/* Put the values of a view (its system.size) in their places among those of the whole. */
void start_view_put(const start_view *v, const double *z, double *whole);

/* Whether its equations, or those that it is a view of, have a text. */
bool start_is_of_text(const start_system *s);

void start_view_free(start_view *v); /* NULL is fine */

#endif
