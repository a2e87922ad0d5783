/* The rows of formulation.h, by the files that hold them, and what these share; for the
 * formulations alone. */
#ifndef FORMULATION_MECHANICAL_FORMULATION_ROWS_H
#define FORMULATION_MECHANICAL_FORMULATION_ROWS_H

#include "formulation/mechanical_formulation.h"

/* mechanical_multipliers.c: multipliers are unknowns, and constraints equations. */
extern const mechanical_formulation_ops *const multiplier_formulation_rows[];

/* mechanical_elimination.c: v' = a(t, q, v), without multipliers. */
extern const mechanical_formulation_ops *const elimination_formulation_rows[];

/* mechanical_minimal.c: as many unknowns as freedoms. Each list ends with NULL. */
extern const mechanical_formulation_ops *const minimal_formulation_rows[];

/* Velocities and constraints together of a system for which matrices without zeros are made: their
 * null space is found up to the first number, and Jacobians are held up to the second. */
enum { FORMULATION_LARGEST = 700, FORMULATION_LARGEST_JACOBIAN = 2000 };

/* formulations.c: room for a name of each unknown and equation and the index of each unknown (1),
 * in c->memory; c->n is set. They are filled in order by the functions below, which count on. */
typedef struct formulated_names {
    mechanical_formulation *c;
    const char **variable, **equation;
    unsigned char *index;
    size_t *author;
    size_t variables, equations;
} formulated_names;

formulated_names formulated_names_begin(mechanical_formulation *c, size_t n);

/* `count` unknowns that belong to the author's from the `first` on, named with what stands before
 * and behind his names. */
void formulated_name_unknowns(formulated_names *names, const char *before, size_t first,
                              size_t count, const char *behind, int index);

/* `count` equations that belong to the author's from the `first` on. */
void formulated_name_equations(formulated_names *names, const char *before, size_t first,
                               size_t count);

/* What the form of the equations says of them. */
dae_about formulation_about(const formulated_names *names);

#endif
