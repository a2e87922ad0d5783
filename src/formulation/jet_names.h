/* The author's names for the derivatives of unknowns. */
#ifndef FORMULATION_JET_NAMES_H
#define FORMULATION_JET_NAMES_H

#include "base/text.h"
#include "structure/explicit.h"

typedef struct jet_names {
    const sym_system *system;
    uint32_t **alias; /* unknown id, order - 1: the id of the variable that the author gave to that
                         derivative (v = der(x)), or INCIDENCE_NONE */
    uint32_t *alias_count; /* unknowns: orders that have an entry */
} jet_names;

/* Names over a core; lives in the system's arena, under its protection. */
jet_names *jet_names_create(const sym_system *system, const explicit_core *core);

/* Append the name of the `order`-th derivative of unknown `id`. */
void jet_name(const jet_names *names, uint32_t id, uint32_t order, text *t);

/* Append an expression in the author's names. */
void jet_print(const jet_names *names, sym f, text *t);

#endif
