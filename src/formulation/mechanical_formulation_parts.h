/* What the formulations of mechanical systems share. */
#ifndef FORMULATION_MECHANICAL_FORMULATION_PARTS_H
#define FORMULATION_MECHANICAL_FORMULATION_PARTS_H

#include "formulation/mechanical_formulation.h"
#include "linalg/sparse.h"
#include "mechanical/mechanical.h"
#include "nonlinear/differences.h"

#include <daedal/forms.h>
#include <stdbool.h>

/* For a run backwards in time, terms that draw to constraints have a negative omega. Call once in
 * observe(). Changes the sign of parameter `omega` if the step that ends at t has the other
 * direction, and returns whether it did. */
bool formulation_turn(mechanical_formulation *c, size_t omega, double t);

/* A sparse matrix assembled from blocks. A block is a part of another matrix times a number. */

typedef struct formulated_block {
    const sparse_pattern *pattern;
    size_t from, to;    /* rows of the pattern that are used, `to` excluded */
    size_t row, column; /* place of the first of them, transposed or not */
    bool turned;        /* transposed */
    double factor;
    int source; /* which values, for formulated_blocks_add() */
} formulated_block;

enum { FORMULATED_MOST_BLOCKS = 20 };

typedef struct formulated_blocks {
    size_t n; /* rows and columns */
    size_t count;
    formulated_block block[FORMULATED_MOST_BLOCKS];
    dae_pattern pattern;   /* sparse, by formulated_blocks_build() */
    const uint32_t *where; /* entries, block by block: places in the pattern */
} formulated_blocks;

/* In `a`, under its protection. */
void formulated_blocks_build(formulated_blocks *b, arena *a);

/* value (in the order of the pattern) += the blocks of this source, with values `from` (NULL:
 * ones). */
void formulated_blocks_add(const formulated_blocks *b, int source, const double *from,
                           double *value);

/* Jacobians of the hidden constraints by q and v, on the levels of velocities and accelerations, by
 * coloured differences. Only where q' = v. */

typedef struct formulated_levels {
    mechanical *m;
    const sparse_pattern *pattern; /* constraints x nv, of all three */
    double *velocity_q;            /* of G v + phi_t, or A v - b, by q */
    double *acceleration_q;        /* of G v' + gamma by q ... */
    double *acceleration_v;        /* ... and by v */
    differences *differences;
    double *here, *level; /* constraints */
    double t;             /* the point at which differences are taken */
    const double *q, *v, *vp;
} formulated_levels;

/* In `a`, under its protection; `m` is borrowed. */
formulated_levels *formulated_levels_create(arena *a, mechanical *m);

/* Jacobians at a point. Afterwards M and G hold values of another point. DAE_NOT_EVALUABLE or
 * DAE_STOPPED. */
dae_status formulated_levels_velocity(formulated_levels *l, double t, const double *q,
                                      const double *v);
dae_status formulated_levels_acceleration(formulated_levels *l, double t, const double *q,
                                          const double *v, const double *vp);

/* The rows of mechanical_formulation.h by the files that define them, and what these files share.
 * Only mechanical formulations include this header. */

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
