/* The author's names for the derivatives of unknowns. */
#ifndef FORMULATION_PROLONGED_NAMES_H
#define FORMULATION_PROLONGED_NAMES_H

#include "base/text.h"
#include "symbolic/breakdown.h"
#include "symbolic/system.h"

typedef struct prolonged_names {
    const sym_system *system;
    uint32_t *derivative; /* unknowns: the author's name of its derivative (v = der(x)) as an id, or
                             its own id */
} prolonged_names;

/* Names in a system; lives in its arena, under its protection. */
prolonged_names *prolonged_names_create(const sym_system *system);

/* Replace the `order`-th derivative of `id` by the author's name for it: a variable and how often
 * it is differentiated. */
void prolonged_called(const prolonged_names *names, uint32_t *id, uint32_t *order);

/* Append the name of the `order`-th derivative of unknown `id`. */
void prolonged_name(const prolonged_names *names, uint32_t id, uint32_t order, text *t);

/* Append an expression in the author's names. */
void prolonged_print(const prolonged_names *names, sym f, text *t);

/* Append what sym_report_breakdown() says, in the author's names. */
void prolonged_report_breakdown(const prolonged_names *names, const sym_breakdown *b, text *t);

#endif
