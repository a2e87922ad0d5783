/* A random system F(t, y, y') = 0 with its solution. */
#ifndef RANDOM_SYSTEM_H
#define RANDOM_SYSTEM_H

#include "random/draw.h"
#include "random/expression.h"

enum { SYSTEM_MOST = 14, SYSTEM_COORDINATES = 5 };

/* The same equations as a mechanical system, in its own units and order of unknowns: q, v, then
 * multipliers; with coordinates y_0 ... and velocities y_nq .... */
typedef struct system_mechanism {
    int nq, nphi, na; /* coordinates, constraints phi = 0 and a v = b; nq = 0: it is none */
    expr mass[SYSTEM_COORDINATES][SYSTEM_COORDINATES];
    expr force[SYSTEM_COORDINATES];
    expr phi[SYSTEM_COORDINATES];
    expr a[SYSTEM_COORDINATES][SYSTEM_COORDINATES], b[SYSTEM_COORDINATES];
} system_mechanism;

typedef struct random_system {
    const char *kind;
    expr_pool *pool;
    int n;
    expr equation[SYSTEM_MOST]; /* each is 0 */
    expr solution[SYSTEM_MOST]; /* functions of the time */
    double nominal[SYSTEM_MOST];
    unsigned char
        level[SYSTEM_MOST]; /* index of each unknown, as its author may tell; 0: not known */
    bool unique;            /* constraints have one solution, however far a guess is */
    double t0, t1;
    int index;        /* differential index that the kind is made with */
    bool exact_units; /* coefficients decide on ranks */
    int freedom;      /* dimension of its consistent values */
    int invariants;
    expr invariant[SYSTEM_MOST]; /* constant along each solution */
    system_mechanism mechanism;
    bool turned;        /* system_turn_rows() has turned some */
    char variation[64]; /* in words: what was shuffled and scaled */
} random_system;

/* Make equations hold for the solution: what F leaves is taken off. */
void system_manufacture(random_system *s);

/* Smooth functions of the time, of moderate size, for all unknowns. */
void system_draw_solution(random_system *s, draw *d);
expr system_draw_function(random_system *s, draw *d);

/* Two pairs of equations are turned into each other, by angles that move in time, in place. */
void system_turn_rows(random_system *s, draw *d);

/* The same problem in another order and in other units, in place. `mechanism` stays as it was. */
typedef struct system_order {
    int variable[SYSTEM_MOST]; /* new place: old one */
    double scale[SYSTEM_MOST]; /* by old place: new value = scale times old value */
} system_order;
void system_vary(random_system *s, draw *d, system_order *order);
/* Now and then in another unit of time as well, from nanoseconds to decades, in place. */
void system_vary_time(random_system *s, draw *d);
/* The mechanical form in other units of coordinates and constraints; its own order stays. */
void system_mechanism_vary(random_system *s, draw *d, system_order *order);

/* As flat Modelica; `start` and `fixed` by variable, to be freed. */
char *system_text(random_system *s, const double *start, const bool *fixed, double tolerance);
char *expr_text(const expr_pool *p, expr e);

#endif
