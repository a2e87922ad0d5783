/* What the files of the conversion share: conversion_each.c finds the parts of the core that are
 * converted; conversion.c eliminates; conversion_samples.c chooses the points at which expressions
 * are evaluated, and frees combinations of divisors; conversion_sparsify.c makes equations simpler;
 * conversion_combine.c makes the combinations, and conversion_made.c keeps what they are made of;
 * conversion_attempts.c takes the best of several ways. */
#ifndef STRUCTURE_CONVERSION_PARTS_H
#define STRUCTURE_CONVERSION_PARTS_H

#include "structure/conversion.h"
#include "structure/prolongation.h"
#include "structure/signature.h"

#include <math.h>

enum { SAMPLES = 4 };

/* A remainder of terms below this part of them counts as zero. */

/* An expression with its values at the samples, and the sizes of the terms that made them. */
typedef struct term {
    sym value;
    double at[SAMPLES], size[SAMPLES];
} term;

/* Of one part of a core (deceived_parts.h), which is a core of its own. */
typedef struct conversion {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    explicit_core *core;
    const conversion_point *point;
    size_t n;
    const signature *s;
    prolongation *p;
    bool as_given; /* no equation is differentiated, and J contains only the columns of highest
                      derivatives */
    double *input[SAMPLES];
    term *row, *factor; /* n x n: the rest of J, and the equations that make it */
    term *divided;      /* n: a saved row of `factor` */
    double *largest;    /* n rows, n columns */
    double *row_size;   /* SAMPLES x n: the largest entry of each row of J */
    size_t *reduced;    /* n: by how many pivots each row has been reduced */
    bool *done;         /* n: the row has a pivot */
    size_t pivots, *pivot_row, *pivot_column;
    bool switches;   /* an expression that was taken for zero switches */
    bool turns;      /* combinations are to be freed of divisors */
    LIST(sym) freed; /* p^2 + a^2 of those that were (conversion_free_of_divisor()) */
    LIST(core_part) part;
} conversion;

/* What is less at the point than this part of what it is at the samples is near its zero there. */
#define CONVERSION_NEAR_ZERO 0.1

static inline bool conversion_is_near_zero(double at_point, double most)
{
    return fabs(at_point) < CONVERSION_NEAR_ZERO * most;
}

/* conversion.c: room for elimination; and powers of two that bring the rows to similar sizes. If
 * numbers differ by 1e6, elimination makes factors in which the information of the smaller ones is
 * lost. Powers of two cause no rounding. */
void conversion_reserve(conversion *v);
void conversion_balance(conversion *v, double *scale);

/* conversion.c: the size of a derivative of a column. Entries of a row are compared together with
 * what they multiply. */
double conversion_size(const conversion *v, size_t j, uint32_t order);

/* What is left out of a combination as rounding does no more than this part of what stays. */
#define CONVERSION_LITTLE 1e-3

/* An entry whose own terms cancel counts as zero below this many times its rounding error. */
#define CONVERSION_ROUNDINGS 10

/* conversion.c: combine the core's residuals until J is regular, or until one holds only what
 * counts as known: that is a constraint for other equations. Returns how many were replaced, or -1.
 */
long conversion_until_regular(conversion *v);

/* conversion.c: lay algebraic equations bare. An equation that is algebraic except for multiples of
 * others is freed of these; `plain`: with numbers as factors. Returns how many were replaced. */
long conversion_bare_algebraic(conversion *v, bool plain);

/* conversion_sparsify.c: subtract equations times numbers from others where that makes these
 * simpler. Returns how often. conversion.c: find samples for the residuals as they are. */
long conversion_sparsify(conversion *v);
bool conversion_look_around(conversion *v);

/* conversion_attempts.c: replace the core's residuals, which are the given ones, by the best
 * combinations. Returns how many; 0: none are to be taken. */
long conversion_take_best(conversion *v, const sym *given);

/* After its n residuals the core has room for the variables of their parts. */

/* Find samples at which the entries of J and the rows have values. value: the entries at the
 * samples (SAMPLES x entries->count). rounding: the effect of rounding on them. False if there are
 * none. */
bool conversion_find_samples(conversion *v, const sym_entries *entries, double *value,
                             double *rounding);

/* The effect of rounding on expressions with these values at the samples, sample by sample. */
void conversion_find_rounding(const conversion *v, size_t count, const sym *f, const double *value,
                              double *rounding);

/* Values of expressions at the samples, sample by sample; false if a value is not finite. */
bool conversion_look(const conversion *v, size_t count, const sym *f, double *value);

/* conversion_combine.c: whether f[0] and f[1] agree at the samples, relative to the parts f[2], ...
 */
bool conversion_agree(const conversion *v, size_t count, const sym *f);

/* The combination that replaces equation l, by its row of v->factor; SYM_NONE if it does not
 * hold. without_bent: equations that are not differentiated, and not linear in the derivative they
 * give, are left out, and the combination keeps that derivative. */
sym conversion_combine(const conversion *v, size_t l, bool without_bent);

/* conversion_made.c: the core's residuals (2 n) are the first parts; each combination becomes one,
 * made of others (SYM_NONE: that is not known), with its variable; and what the core has in the
 * end. */
void conversion_begin_parts(conversion *v, explicit_core *core);
sym conversion_add_part(conversion *v, sym residual, sym made);
void conversion_end_parts(const conversion *v, explicit_core *core);

/* Whether what is made so holds whatever the modes are, and so is missed at no event. */
bool conversion_always_holds(const conversion *v, sym made);

/* What that combination is made of. */
sym conversion_made(const conversion *v, size_t l, bool without_bent);

/* A divisor of a combination: its factor of the equation `other` is above / below. */
typedef struct divisor {
    size_t other;
    sym above, below;
} divisor;

/* Multiply the combination that replaces equation l by its divisor `below`. False if there is not
 * exactly one divisor; v->factor then stays. Where `below` vanishes, the other equation no longer
 * follows from the combination, so it is replaced as well, by conversion_across(). With p = below
 * and a = above, p f_l + a f_k and p f_k - a f_l are equivalent to f_l and f_k wherever a and p are
 * not both 0, because the determinant is p^2 + a^2. residual: the core's, or their parts. */
bool conversion_free_of_divisor(conversion *v, size_t l, divisor *d);
sym conversion_across(const conversion *v, size_t l, const divisor *d, const sym *residual);

/* Multiply the combination that replaces equation l by all divisors of its factors, *below. False:
 * there are none; v->factor then stays. */
bool conversion_clear_divisors(conversion *v, size_t l, sym *below);

/* Equation l with its leading derivatives replaced, one after the other, by what the pivots'
 * equations give for them. This serves where the combination's factors depend on leading
 * derivatives themselves, so that the combination still contains them (the expression substitution
 * method of Tan, Nedialkov & Pryce). SYM_NONE if the equations are not linear in them, or some
 * remain. *made: what it is made of, as for conversion_made(); SYM_NONE: that is not known. */
sym conversion_substitute(const conversion *v, size_t l, sym *made);

static inline bool term_is_zero(const conversion *v, const term *x)
{
    return sym_is(v->g, x->value, 0);
}

#endif
