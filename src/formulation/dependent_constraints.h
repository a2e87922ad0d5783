/* Constraints that depend on others, in formulations whose unknowns include multipliers. They are
 * left out of the equations, and their multipliers are 0 there. Pivoting chooses the constraints
 * that stay, holonomic ones first, so that no constraint on velocities displaces one on positions.
 * The author sees the shortest multipliers that give the same forces, relative to the lengths of
 * the rows of G (mechanical.h).
 *
 * At a singular configuration the rank of G falls. Constraints that are left out there are taken
 * back after it. They have to be left out because finite forces in the lost direction would need
 * infinite multipliers. */
#ifndef FORMULATION_DEPENDENT_CONSTRAINTS_H
#define FORMULATION_DEPENDENT_CONSTRAINTS_H

#include "formulation/mechanical_formulation.h"
#include "linalg/min_norm.h"

typedef struct dependent_constraints {
    mechanical *m;
    bool *out;         /* constraints: whether it is left out */
    double singular;   /* as given */
    double tolerance;  /* a row of G depends on others if the rest of it is at most this */
    size_t count;      /* constraints that are left out */
    bool suspect;      /* more are to be left out at the next check */
    double t, longest; /* end of the last step; longest step since the last choice */
    double missed;     /* largest violation of a constraint on positions, at the last check */
    double best;       /* largest rest of the last row taken, so far */
    bool away;         /* some that are left out do not depend on others */
    bool *taken;       /* constraints: work space */
    bool *allowed;     /* constraints: work space */
    double *rows;      /* constraints x nv: G, with rows of the length 1; work space */
    double *force;     /* nv */
    double *length;    /* constraints: of G's rows */
    double *level;     /* constraints */
    min_norm *minimal; /* of G; made when first needed */
} dependent_constraints;

/* Velocities plus constraints: above the first number the methods here are too expensive; up to the
 * second a check costs little compared with a step. */
enum { DEPENDENT_CONSTRAINTS_MOST = 700, DEPENDENT_CONSTRAINTS_SMALL = 60 };

/* In `a`, under its protection; `m` is borrowed. Nothing is left out at first. Where steps fail or
 * become short, a row is left out if its rest is below `singular` times the largest rest so far. */
dependent_constraints *dependent_constraints_create(arena *a, mechanical *m, double singular);
void dependent_constraints_free(
    dependent_constraints *d); /* what is outside the arena; NULL is fine */

/* Choose the constraints at a point. Like all functions below, this evaluates M and G there. */
dae_status dependent_constraints_choose(dependent_constraints *d, double t, const double *q);

/* Choose anew for a formulation, as its renew(). Constraints that are taken back may have been
 * violated meanwhile, so the point is projected. */
dae_status dependent_constraints_renew(mechanical_formulation *c, double t,
                                       const mechanical_point *p);

/* 1: the choice is as good as a new one. 0: rows that are left out are independent, or rows that
 * are kept are not. */
double dependent_constraints_quality(dependent_constraints *d, double t, const double *q);

/* The same for a formulation, as its quality(); y begins with q. Where the formulation holds no
 * multipliers, or the engine moves the system by its own equations, the quality counts only while
 * the choice is suspect or constraints are left out that are violated. */
double dependent_constraints_judge(mechanical_formulation *c, double t, const double *y);

/* As the loosen() of a formulation, where a step has failed. Returns whether more constraints can
 * be left out because the rank of G is about to fall. The quality is then 0 until the choice is
 * renewed. Once the run has passed the singular configuration, the constraints are kept again. */
bool dependent_constraints_loosen(mechanical_formulation *c, double t, const double *y);

/* The rest, at a point, of the last row of G that does not depend on others; 1 where that cannot be
 * evaluated. */
double dependent_constraints_least(dependent_constraints *d, double t, const double *q);

/* See base/state.h; which constraints `m` leaves out, too. */
void dependent_constraints_state(dependent_constraints *d, state_visit *s);

/* lambda (constraints) becomes the shortest vector with the same forces. */
dae_status dependent_constraints_shorten(dependent_constraints *d, double t, const double *q,
                                         double *lambda);

#endif
