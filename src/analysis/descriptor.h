/* Linear equations E y' = A y + B u with constant matrices, of which E may be singular, and what is
 * left of them once constraints are taken out. Matrices have contiguous rows; everything lives in
 * an arena, under its protection. */
#ifndef ANALYSIS_DESCRIPTOR_H
#define ANALYSIS_DESCRIPTOR_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct descriptor {
    size_t n, inputs;
    double *E, *A, *B;     /* n x n, n x n, n x inputs */
    const double *nominal; /* n: typical sizes of y, > 0 */
    double rounding;       /* how far entries may be off, relative: ranks are decided above it */
} descriptor;

/*  x' = a x + b_0 u + b_1 u' + ...,    y = t x + p_0 u + p_1 u' + ... */
typedef struct reduction {
    size_t states, powers; /* powers: of b and p each */
    long index;            /* of the pencil */
    double margin;         /* of the ranks, relative: about round-off where they are doubtful */
    size_t *variable;      /* states: x_i is a variable ... */
    uint32_t *order;       /* ... or its derivative of this order, less a part of the inputs */
    double *a;             /* states x states */
    double *b;             /* powers x states x inputs */
    double *t;             /* n x states */
    double *p;             /* powers x n x inputs */
    size_t dropped;        /* equations that follow from others, and as many variables ... */
    size_t *row, *open;    /* ... that nothing determines or needs: which; they stay as they are */
} reduction;

/* By the structure of the entries that are not 0: each equation is differentiated as often as
 * Pryce's method says. No rank is decided but that of the system Jacobian; false where that is
 * singular, and nothing is filled. */
bool descriptor_reduce(arena *a, const descriptor *d, reduction *r);

/* By ranks: the equations without derivatives of E's null rows are solved for as many variables and
 * substituted, until E is regular (the shuffle algorithm: Luenberger, IEEE Trans. Automat. Control
 * 22 (1977) 312). Equations of which nothing is left are dropped where the variables that remain
 * without an equation act on no other one. False: the pencil s E - A is singular in another way, or
 * its index is above 12. */
bool descriptor_deflate(arena *a, const descriptor *d, reduction *r);

/* Rows of a matrix, to be exchanged. */
typedef double *matrix_row;

/* Gauss-Jordan elimination with complete pivoting on rows of `width` numbers. Pivots are sought
 * among the columns from `first` to before `end`, where entries count `weight` (end - first) times;
 * it ends where none is above `least`. Row r becomes the one with a 1 in column pivot[r] (counted
 * from `first`), where all other rows get a 0. *smallest becomes the least pivot, weighted, if it
 * is less. Returns the rank. */
size_t eliminate(arena *a, size_t rows, size_t width, matrix_row *row, size_t first, size_t end,
                 const double *weight, double least, size_t *pivot, double *smallest);

/* Rows of zeros. */
matrix_row *matrix_rows(arena *a, size_t rows, size_t width);

#endif
