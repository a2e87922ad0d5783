/* A formulation of mechanical equations at work.
 *
 * It turns the system into equations that an engine integrates, in its own unknowns. lower() maps
 * the author's point to these unknowns; lift() maps back. Some formulations degrade during a run: a
 * basis turns, or a partition becomes singular. They report their quality and are renewed. The
 * caller then transfers the engine's history to the new unknowns, or restarts the engine. */
#ifndef FORMULATION_MECHANICAL_FORMULATION_H
#define FORMULATION_MECHANICAL_FORMULATION_H

#include "base/message.h"
#include "base/state.h"
#include "mechanical/mechanical.h"
#include "problem/equations.h"
#include "problem/problem.h"

typedef struct mechanical_formulation mechanical_formulation;

/* The author's point: q (nq), v (nv), lambda (constraints), and v' (nv). */
typedef struct mechanical_point {
    double *q, *v, *lambda, *vp;
} mechanical_point;

enum { FORMULATION_MOST_PARAMETERS = 3 };

typedef struct formulation_parameter {
    const char *name; /* NULL beyond the last */
    double value;     /* default */
    double above;     /* allowed values are larger, and finite ... */
    bool automatic;   /* ... or "auto", stored as 0: the formulation finds it during the run */
    const char *unit;
} formulation_parameter;

typedef struct mechanical_formulation_ops {
    const char *name;       /* as in dae_options.formulation, before a colon */
    const char *says;       /* what it does, for which systems; shown as reason of a choice */
    const char *source;     /* author, year, equation */
    size_t size;            /* of its struct, in bytes */
    const void *kind;       /* what its file needs to know of the row beside that; NULL: nothing */
    int index;              /* differential index of the integrated equations; 0: an ODE */
    bool drifts;            /* the equations do not keep the constraints: states are projected */
    bool by_mass;           /* states are projected along M^-1 G^T */
    bool holds_multipliers; /* lambda, and v' or its derivative, are among its unknowns */
    size_t most; /* limit of velocities plus constraints, as it has full matrices; 0: it has none */
    bool full_jacobian_alone; /* its only full matrix is the Jacobian */
    formulation_parameter parameter[FORMULATION_MOST_PARAMETERS];

    bool lifts_forces; /* lambda and v' are not unknowns; lift() computes them */

    /* Make unknowns and equations from a point at time t, as a form of problem/equations.h. Its
     * callbacks call the formulation. Under the protection of c->memory. */
    dae_status (*create)(mechanical_formulation *c, double t, const mechanical_point *p,
                         message *m);

    /* The formulation's y and yp (n each) of a point. Entries of yp that occur in no equation are
     * 0. */
    dae_status (*lower)(mechanical_formulation *c, double t, const mechanical_point *p, double *y,
                        double *yp);

    /* The author's q and v, and lambda and v' if holds_multipliers or lifts_forces. */
    dae_status (*lift)(mechanical_formulation *c, double t, const double *y, const double *yp,
                       mechanical_point *p);

    /* Called after each step with its end. The formulation may adapt a parameter; returns the
     * parameter that has changed, or NULL. As a member, NULL: no parameter is adapted. */
    const formulation_parameter *(*observe)(mechanical_formulation *c, double t, const double *y);

    /* Between 1, as good as new, and 0, unusable. NULL, together with renew(): it does not degrade.
     */
    double (*quality)(mechanical_formulation *c, double t, const double *y);

    /* Renew at a point, with the same number of unknowns. lift() still works from the formulation
     * before. */
    dae_status (*renew)(mechanical_formulation *c, double t, const mechanical_point *p);

    /* Whether the number of its unknowns is that of the freedoms at a point, where an event may
     * have changed constraints. If not, a formulation has to be created there. NULL: always. */
    bool (*fits)(mechanical_formulation *c, double t, const mechanical_point *p);

    /* Called when a step from there has failed. Returns whether it may succeed after renew(). NULL:
     * never. */
    bool (*loosen)(mechanical_formulation *c, double t, const double *y);

    /* Absolute tolerances (n) of its unknowns from those of the author's unknowns. NULL: each takes
     * the tolerance of its unknown in `author`, or the smallest of all. */
    void (*tolerances)(const mechanical_formulation *c, const double *atols, double *inner);

    /* What it remembers between steps and what renew() has made, beside the members below. NULL:
     * nothing. */
    void (*state)(mechanical_formulation *c, state_visit *s);

    void (*free)(mechanical_formulation *c); /* what is outside c->memory; NULL: nothing */
} mechanical_formulation_ops;

/* The first member of each formulation's struct. */
struct mechanical_formulation {
    const mechanical_formulation_ops *ops;
    mechanical *mechanical; /* evaluates the system for the equations; owned */
    arena memory;
    struct dependent_constraints *dependent; /* the constraints left out; NULL: none ever */
    const equations *equations;              /* filled by create(); in `memory` */
    size_t n;                                /* its unknowns */
    bool without_jacobian;      /* no method will need a Jacobian: a full one is not held, and the
                                   equations have an empty pattern */
    const size_t *author;       /* n: the author's unknown whose tolerance is taken;
                                   PROBLEM_NOWHERE: the smallest of all */
    const unsigned char *depth; /* n: problem_depth() of its unknowns; NULL: their index */
    size_t first, renewals;     /* the number of the one that create() made, and of the newest */
    double observed;            /* the time of the last observe(), or of create() */
    size_t at;                  /* the number of the formulation from which lift() maps */
    bool keeps;                 /* lift() works from all of them; set before the first renewal */
    bool away; /* near a singular configuration, constraints are left out that are violated there:
                  states must not be projected onto them before the next renewal */
    bool engine_moves; /* the engine moves the system by its own equations; constraints are left out
                          of these by mechanical->out, not by this formulation */
    double parameter[FORMULATION_MOST_PARAMETERS]; /* in the order of the row's */
};

/* Rows in the order in which they are listed to users; NULL beyond the last. */
const mechanical_formulation_ops *mechanical_formulation_at(size_t i);

/* The row with the name that stands before a colon; NULL: there is none. */
const mechanical_formulation_ops *mechanical_formulation_find(const char *name);

/* The formulation of that name, with parameters after a colon ("baumgarte:xi=0.8,omega=2"), at a
 * point that meets the constraints, for methods that need a Jacobian, or for others
 * (`without_jacobian`). `form` and `name` are borrowed. DAE_USAGE with a sentence on the
 * parameters; DAE_UNSUPPORTED with the reason, where it does not suit the system; DAE_NO_MEMORY.
 * Other failures have no sentence: *created is then to be freed, and its `mechanical` tells which
 * callback failed. */
dae_status mechanical_formulation_create(mechanical_formulation **created,
                                         const mechanical_form *form, const char *name,
                                         bool without_jacobian, double t, const mechanical_point *p,
                                         message *m);
void mechanical_formulation_free(mechanical_formulation *c); /* NULL is fine */

/* A new formulation is numbered from there on, before its first renewal. */
void mechanical_formulation_number(mechanical_formulation *c, size_t first);

/* See base/state.h; renewals included. A restoring allocates: DAE_NO_MEMORY. */
void mechanical_formulation_state(mechanical_formulation *c, state_visit *s);

/* Names of the author's equations (form->n): given names, or names made from their kind. In `a`,
 * under its protection. */
const char *const *mechanical_equation_names(arena *a, const mechanical_form *form);

/* The return value of a callback for a status of the system. */
int formulation_answer(dae_status status);

#endif
