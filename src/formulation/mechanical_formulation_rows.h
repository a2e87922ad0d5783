/* The rows of mechanical_formulation.h by the files that define them, and what these files share.
 * Only mechanical formulations include this header. */
#ifndef FORMULATION_MECHANICAL_FORMULATION_ROWS_H
#define FORMULATION_MECHANICAL_FORMULATION_ROWS_H

#include "formulation/mechanical_formulation.h"

/* mechanical_multipliers.c: multipliers are unknowns, and constraints equations. */
extern const mechanical_formulation_ops *const multiplier_formulation_rows[];

/* mechanical_elimination.c: v' = a(t, q, v), without multipliers. */
extern const mechanical_formulation_ops *const elimination_formulation_rows[];

/* mechanical_minimal.c: as many unknowns as freedoms. Each list ends with NULL. */
extern const mechanical_formulation_ops *const minimal_formulation_rows[];

/* The largest number of velocities plus constraints for which full matrices are made: up to the
 * first number where their null space is computed, up to the second where they are Jacobians. */
enum { FORMULATION_LARGEST = 700, FORMULATION_LARGEST_JACOBIAN = 2000 };

/* mechanical_formulation.c: room, in c->memory, for a name of each unknown and equation and for the
 * index of each unknown. formulated_names_begin() sets c->n. The functions below append to the
 * names in order and advance the counts. */
typedef struct formulated_names {
    mechanical_formulation *c;
    const char **variable, **equation;
    unsigned char *index;
    size_t *author;
    size_t variables, equations;
} formulated_names;

formulated_names formulated_names_begin(mechanical_formulation *c, size_t n);

/* Name `count` unknowns that belong to the author's unknowns from number `first` on: the author's
 * names between `before` and `behind`. */
void formulated_name_unknowns(formulated_names *names, const char *before, size_t first,
                              size_t count, const char *behind, int index);

/* Name `count` equations that belong to the author's equations from number `first` on. */
void formulated_name_equations(formulated_names *names, const char *before, size_t first,
                               size_t count);

/* The description of the equations for their form. */
dae_about formulation_about(const formulated_names *names);

#endif
