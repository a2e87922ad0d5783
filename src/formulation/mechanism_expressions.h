/* The functions of a mechanical system as expressions, from the residuals of a mechanism. */
#ifndef FORMULATION_MECHANISM_EXPRESSIONS_H
#define FORMULATION_MECHANISM_EXPRESSIONS_H

#include "structure/mechanism.h"

/* Names as in daedal/forms.h, for n coordinates and m constraints. Shapes are in the comments. */
typedef struct mechanism_expressions {
    uint32_t *place;     /* unknowns: index among coordinates or multipliers */
    sym_entries mass;    /* n x n */
    sym *force;          /* n */
    sym_entries force_q; /* n x n; has zeros where M, or reactions A^T mu, depend on q */
    sym_entries force_v; /* n x n */
    sym *constraint;     /* holonomic ones */
    sym *constraint_t;
    sym_entries constraint_q, velocity; /* holonomic; the others, rows counted from 0 */
    sym_entries gradient;               /* G, of all constraints: m x n */
    sym *right;                         /* the others */
    sym *gamma;                         /* m */
    sym_entries direction;              /* B^T: m x n */
    double *velocity_factor;            /* n: of der(q) in its named velocity; else 1 */
} mechanism_expressions;

/* In the system's arena, under its protection. */
mechanism_expressions mechanism_expressions_of(const mechanism *found);

#endif
