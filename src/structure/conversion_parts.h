/* What the parts of the conversion share: conversion.c eliminates, conversion_samples.c finds the
 * points at which expressions are looked at, conversion_combine.c makes the combinations,
 * conversion_divisor.c frees them of what they divide by. */
#ifndef STRUCTURE_CONVERSION_PARTS_H
#define STRUCTURE_CONVERSION_PARTS_H

#include "structure/conversion.h"
#include "structure/prolongation.h"
#include "structure/signature.h"

enum { SAMPLES = 4 };

/* An expression with its values at the samples, and the sizes of the terms that made them. */
typedef struct term {
    sym value;
    double at[SAMPLES], size[SAMPLES];
} term;

typedef struct conversion {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    explicit_core *core;
    const conversion_point *point;
    size_t n;
    const signature *s;
    prolongation *p;
    bool as_given; /* no equation is differentiated, and J is that by highest derivatives alone */
    double *input[SAMPLES];
    term *row, *factor; /* n x n: what is left of J, and of which equations it was made */
    term *divided;      /* n: a row of `factor`, kept */
    double *largest;    /* n rows, n columns */
    double *row_size;   /* SAMPLES x n: the largest entry of each row of J */
    size_t *reduced;    /* n: by how many pivots */
    bool *done;         /* n: the row has a pivot */
    size_t pivots, *pivot_row, *pivot_column;
    bool switches; /* an expression that was taken for zero does */
    bool turns;    /* what divides is to be freed of that */
} conversion;

/* Samples at which the entries of J and the rows have values; the values of the entries (SAMPLES x
 * entries->count), and how far rounding moves these. False where there are none. */
bool conversion_find_samples(conversion *v, const sym_entries *entries, double *value,
                             double *rounding);

/* Values of expressions at the samples, one after the other; false where they have none. */
bool conversion_look(const conversion *v, size_t count, const sym *f, double *value);

/* The combination in place of equation l, by its row of v->factor; SYM_NONE where it does not do.
 */
sym conversion_combine(const conversion *v, size_t l);

/* By what a combination divides: its factor of another equation is above / below. */
typedef struct divisor {
    size_t other;
    sym above, below;
} divisor;

/* conversion_divisor.c: the combination in place of equation l multiplied by what it divides by,
 * `below`; false where that is not one expression, or none, and v->factor as it was. Where `below`
 * vanishes the other equation no longer follows from the combination, and is to be replaced as
 * well: by the one across. p f_l + a f_k and p f_k - a f_l say what f_l and f_k do wherever a and p
 * are not both 0, for the determinant is p^2 + a^2. */
bool conversion_free_of_divisor(conversion *v, size_t l, divisor *d);
sym conversion_across(const conversion *v, size_t l, const divisor *d);

/* Equation l with leading derivatives as the equations of pivots give them, one after the other:
 * for where the combination's factors depend on leading derivatives themselves, so that it still
 * holds these (the expression substitution method of Tan, Nedialkov & Pryce). SYM_NONE where they
 * are not linear in them, or some remain. */
sym conversion_substitute(const conversion *v, size_t l);

static inline bool term_is_zero(const conversion *v, const term *x)
{
    return sym_is(v->g, x->value, 0);
}

#endif
