/* A model in which a mechanism was found (structure/mechanism.h), as a mechanical system
 * (daedal/forms.h) whose callbacks evaluate the model's expressions.
 *
 * Its q are the coordinates, its v their derivatives. Rows of motion are scaled or divided as the
 * mechanism specifies. Its multipliers are mu = T lambda, for which B lambda = G^T mu. They equal
 * the author's only if the author's reactions act along exactly the gradients of the constraints.
 * All derivatives are exact. */
#ifndef FORMULATION_MECHANISM_FORM_H
#define FORMULATION_MECHANISM_FORM_H

#include "formulation/author.h"
#include "formulation/mechanical_formulation.h"
#include "mechanical/mechanical_form.h"
#include "structure/mechanism.h"

/* Compiled expressions: a list, or the entries of a matrix. */
typedef struct mechanism_part {
    sym_tape *tape;     /* NULL: a matrix, or nothing */
    sym_matrix *matrix; /* NULL: a list, or nothing */
} mechanism_part;

typedef struct mechanism_form {
    dae_mechanical_form form; /* whose user is this; about.nominal of the multipliers is 1 */
    const mechanism *found;
    const sym_system *system;
    size_t n, m;             /* coordinates, constraints */
    uint32_t *place;         /* unknowns: index among coordinates or multipliers */
    double *velocity_factor; /* n: of der(q) in the author's velocity; else 1 */
    double *nominal;         /* 2 n + m: about.nominal; the mass may change it */
    mechanism_part mass, force, force_q, force_v;
    mechanism_part constraint, constraint_q, constraint_t, velocity, right, gamma;
    mechanism_part gradient;  /* G: m x n */
    mechanism_part direction; /* B^T: m x n */
    double *input;            /* t, q, v as evaluated last */
} mechanism_form;

/* Make the form of a mechanism, in the system's arena, under its protection. `line` is work space
 * for names. The caller owns it and frees it even after a failure. */
mechanism_form *mechanism_form_create(const mechanism *found, text *line);

/* Reset the sizes to those that the author gives. */
void mechanism_form_take_nominal(mechanism_form *f);

/* The values of a part at (t, q, v), those of a matrix in the order of its pattern. v: NULL where
 * the part depends on the place alone. */
void mechanism_form_evaluate(mechanism_form *f, const mechanism_part *part, double t,
                             const double *q, const double *v, double *value);

/* mechanism_expressions.c: compile the functions of the form from the residuals of its mechanism.
 */
void mechanism_form_compile(mechanism_form *f);

/* From a point of a mechanism to the author's variables. author.h computes these from a
 * prolongation, whose unknowns here are the coordinates with two derivatives and the multipliers.
 */

typedef struct mechanism_lift {
    const mechanism *found;
    explicit_core core; /* with the names of the mechanism */
    prolongation *p;
    double *z; /* p->size */

    /* To the entries of a prolongation of the same system by other unknowns: */
    sym_tape *entries; /* NULL: none is wanted */
    size_t count;
    bool *known; /* count: z suffices to compute this entry ... */
    bool all;    /* ... and each other one */
    double *input, *entry;
} mechanism_lift;

/* In the system's arena, under its protection. */
mechanism_lift *mechanism_lift_create(const mechanism *found);

/* From now on lift to the entries of `to` as well. In the system's arena, under its protection. */
void mechanism_lift_to(mechanism_lift *l, const prolongation *to);

/* Set those of its entries (to->size) that l->z gives. */
void mechanism_lift_entries(mechanism_lift *l, double t, double *entry);

/* Set l->z from a point that holds the author's multipliers. */
void mechanism_lift_point(mechanism_lift *l, const mechanical_point *point);

#endif
