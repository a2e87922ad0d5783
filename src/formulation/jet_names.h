/* The author's names for the derivatives of unknowns. */
#ifndef FORMULATION_JET_NAMES_H
#define FORMULATION_JET_NAMES_H

#include "base/text.h"
#include "symbolic/breakdown.h"
#include "symbolic/system.h"

typedef struct jet_names {
    const sym_system *system;
    uint32_t *derivative; /* unknowns: the variable that the author calls its derivative (v =
                             der(x)), or its own id */
} jet_names;

/* Names in a system; lives in its arena, under its protection. */
jet_names *jet_names_create(const sym_system *system);

/* The variable, and how often differentiated, that the `order`-th derivative of `id` is called by.
 */
void jet_called(const jet_names *names, uint32_t *id, uint32_t *order);

/* Append the name of the `order`-th derivative of unknown `id`. */
void jet_name(const jet_names *names, uint32_t id, uint32_t order, text *t);

/* Append an expression in the author's names. */
void jet_print(const jet_names *names, sym f, text *t);

/* The same of what sym_tell_breakdown() says. */
void jet_tell_breakdown(const jet_names *names, const sym_breakdown *b, text *t);

#endif
