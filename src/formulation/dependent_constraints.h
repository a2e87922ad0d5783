/* Constraints that depend on others, of a formulation whose unknowns are multipliers: they are left
 * out of its equations, and their multipliers are 0 there. Those that stay are chosen by pivoting,
 * holonomic ones first, so that no constraint on positions is lost to one on velocities. The
 * multipliers that the author sees are the shortest that give the same forces, relative to the
 * lengths of the rows, as mechanical.h has it.
 *
 * Where the rank of G falls on the way, at a singular configuration, what is then left out comes
 * back behind it: forces that are finite ask for multipliers there which are not, where these act
 * in the direction that is lost. */
#ifndef FORMULATION_DEPENDENT_CONSTRAINTS_H
#define FORMULATION_DEPENDENT_CONSTRAINTS_H

#include "formulation/mechanical_formulation.h"
#include "linalg/min_norm.h"

typedef struct dependent_constraints {
    mechanical *m;
    bool *out;         /* constraints: left out */
    double singular;   /* as given */
    double tolerance;  /* rows of G of which no more is left than this part depend on others */
    size_t count;      /* so many of them */
    bool suspect;      /* others are to be left out at the next look */
    double t, longest; /* the end of the last step, the longest since the last choice */
    double missed;     /* the most by which a constraint on positions is missed, at the last look */
    double best;       /* the most that was ever left of the last row that is taken */
    bool away;         /* of those that are left out some do not depend on others */
    bool *taken;       /* constraints: work space */
    bool *allowed;     /* constraints: work space */
    double *rows;      /* constraints x nv: G, with rows of the length 1; work space */
    double *force;     /* nv */
    double *length;    /* constraints: of G's rows */
    double *level;     /* constraints */
    min_norm *minimal; /* of G; made when it is needed first */
} dependent_constraints;

/* More velocities and constraints than that are too many for what is done here; up to so many a
 * look costs little beside a step. */
enum { DEPENDENT_CONSTRAINTS_MOST = 700, DEPENDENT_CONSTRAINTS_SMALL = 60 };

/* In `a`, under its protection; `m` is borrowed. Nothing is left out so far. Where steps fail or
 * become short, what is left of a row has to be below the part `singular` of the most that ever was
 * for it to be left out. */
dependent_constraints *dependent_constraints_create(arena *a, mechanical *m, double singular);
void dependent_constraints_free(
    dependent_constraints *d); /* what is not in the arena; NULL is fine */

/* Choose at a point. Evaluates M and G there, as all that follow. */
dae_status dependent_constraints_choose(dependent_constraints *d, double t, const double *q);

/* 1: the choice is as good as a new one, 0: rows that are left out are independent, or others are
 * not. */
double dependent_constraints_quality(dependent_constraints *d, double t, const double *q);

/* A step has failed there: whether more can be left out, because the rank of G is about to fall.
 * The quality is then 0 until it is renewed, and what is left out comes back behind it. */
bool dependent_constraints_loosen(dependent_constraints *d, double t, const double *q);

/* How much is left at a point of the last row of G that does not depend on others; 1 where that
 * cannot be evaluated. */
double dependent_constraints_least(dependent_constraints *d, double t, const double *q);

/* lambda (constraints) becomes the shortest with the same forces. */
dae_status dependent_constraints_shorten(dependent_constraints *d, double t, const double *q,
                                         double *lambda);

#endif
