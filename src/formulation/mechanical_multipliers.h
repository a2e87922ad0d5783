/* Formulations in which multipliers are unknowns and constraints are equations, on one level or on
 * several.
 *
 * The unknowns are q, v, lambda, accelerations w where constraints on accelerations are equations,
 * and the multipliers mu and nu. These belong to constraints on positions and velocities that are
 * equations in addition to those of a higher level; mu and nu are 0 on solutions. The equations are
 *
 *   q' = S (v + G^T mu)   or   M (q' - v) = G^T mu,
 *   M v' = f + G^T lambda   or   v' = w + G^T nu,  M w = f + G^T lambda,
 *
 * then the levels: phi, G v + phi_t, G w + gamma. The Jacobian leaves out the derivatives by q of
 * G^T mu and of other terms that vanish with mu and nu.
 *
 * If constraints depend on others, their multipliers are not determined. Then some constraints are
 * left out (dependent_constraints.h). On each level, the equation multiplier = 0 replaces such a
 * constraint. */
#ifndef FORMULATION_MECHANICAL_MULTIPLIERS_H
#define FORMULATION_MECHANICAL_MULTIPLIERS_H

#include "formulation/dependent_constraints.h"
#include "formulation/mechanical_formulation_parts.h"

typedef struct multipliers_kind {
    bool accelerations; /* w is among the unknowns */
    bool mu, nu;
    bool by_mass;                /* mu acts through the inverse mass */
    bool phi;                    /* the constraints on positions are equations ... */
    bool velocity, acceleration; /* ... those on velocities, on accelerations */
    bool stabilised;             /* terms of the lower levels are added to those on accelerations */
} multipliers_kind;

/* Parameters of stabilised kinds. */
enum { BAUMGARTE_XI, BAUMGARTE_OMEGA };

/* How fast gradients of constraints turn, and the steps at which this is measured. */
typedef struct baumgarte_pace {
    bool automatic;       /* omega follows from it */
    double begun;         /* time of the start */
    double turned, moved; /* largest |gamma| / |G| and |v| so far, in nominal sizes */
    double step;          /* typical length of the last steps; 0: none yet */
    size_t first_pull;    /* first of the three blocks that omega weights */
} baumgarte_pace;

typedef struct multipliers {
    mechanical_formulation base;
    const multipliers_kind *kind;
    size_t nq, nv, w, lambda, mu, nu;                /* offsets of unknowns; nq is that of v */
    size_t motion, position, velocity, acceleration; /* offsets of equations */
    size_t from; /* the first constraint that is an equation on the level of velocities */
    baumgarte_pace pace;
    double unit;       /* of mu and nu; so large that their round-off is far below tolerances */
    bool is_mass_form; /* dF/dy' is constant */
    double sign;       /* of the Jacobian's blocks: -1 in the mass form, as f = -F */
    formulated_blocks by_y, by_yp;
    formulated_levels *levels;
    size_t *stand_in;       /* n: the multiplier that is 0 in place of an equation that is left out;
                               PROBLEM_NOWHERE: the equation holds */
    double *marks;          /* constraints: 1 where they are left out */
    double *zero;           /* n: a y' that is 0 */
    double *some, *other;   /* constraints */
    double *turned;         /* constraints, for the pace: gamma */
    double *pull, *through; /* nv */
} multipliers;

/* The matrices whose values the blocks of the Jacobian take. */
typedef enum block_source {
    ONES,
    MASS,
    GRADIENT,
    DAMPING,
    STIFFNESS,
    LEVEL_2,
    LEVEL_3Q,
    LEVEL_3V,
    LEFT_OUT
} block_source;

/* mechanical_multipliers.c: w (nv), as an unknown or as a derivative. */
const double *multipliers_acceleration(const multipliers *c, const double *y, const double *yp);

/* baumgarte.c: observe() of the row, and its initialisation. */
void baumgarte_begin(multipliers *c, double t);
const formulation_parameter *baumgarte_observe(mechanical_formulation *base, double t,
                                               const double *y);

/* mechanical_multiplier_blocks.c: list the blocks of dF/dy, which needs c->levels, and of dF/dy';
 * set the block factors that depend on omega. */
void multipliers_list_by_y(multipliers *c);
void multipliers_list_by_yp(multipliers *c);
void multipliers_weigh_pull(multipliers *c);

/* The offsets of the multipliers that belong to the constraints on positions and on velocities.
 * lambda belongs to those on accelerations. */
static inline size_t multipliers_of_position(const multipliers *c)
{
    return c->kind->mu ? c->mu : c->lambda;
}

static inline size_t multipliers_of_velocity(const multipliers *c)
{
    return c->kind->nu ? c->nu : c->lambda;
}

/* mechanical_multipliers.c: make the form of the equations. Needs layout and blocks. */
dae_status multipliers_form(multipliers *c, const formulated_names *names, message *m);

#endif
