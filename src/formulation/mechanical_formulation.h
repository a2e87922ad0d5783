/* A formulation of mechanical equations at work.
 *
 * It turns the system into equations that an engine integrates, in unknowns of its own, and back:
 * lower() takes the author's point to them, lift() gives it back. Formulations that degrade along
 * the way (a basis that turns, a partition that becomes singular) say how good they are and are
 * renewed; the caller then carries what the engine has of the past into the new one, or starts it
 * anew. */
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
    double value;     /* where none is given */
    double above;     /* allowed values are larger, and finite ... */
    bool automatic;   /* ... or "auto", 0: the formulation finds it on the way */
    const char *unit;
} formulation_parameter;

typedef struct mechanical_formulation_ops {
    const char *name;         /* as in dae_options.formulation, before a colon */
    const char *says;         /* what it does and of which systems, for the reasons of a run */
    const char *source;       /* author, year, equation */
    size_t size;              /* of its formulation */
    int index;                /* differential index of what is integrated; 0: an ODE */
    bool drifts;              /* constraints are not kept by the equations: states are projected */
    bool by_mass;             /* the way back is that along M^-1 G^T */
    bool holds_multipliers;   /* lambda, and v' or its derivative, are among its unknowns */
    size_t most;              /* velocities and constraints, as it has matrices without zeros; 0: it
                                 has none */
    bool full_jacobian_alone; /* the only one is the Jacobian */
    formulation_parameter parameter[FORMULATION_MOST_PARAMETERS];

    bool lifts_forces; /* lambda and v' are no unknowns, but lift() finds them by the equations */

    /* Unknowns and equations from a point at time t, as a form of problem/equations.h, whose
     * callbacks call the formulation. Under the protection of c->memory. */
    dae_status (*create)(mechanical_formulation *c, double t, const mechanical_point *p,
                         message *m);

    /* The formulation's y and y' (n each) of a point; those of y' that no equation holds are 0. */
    dae_status (*lower)(mechanical_formulation *c, double t, const mechanical_point *p, double *y,
                        double *yp);

    /* The author's q and v, and lambda and v' where the formulation holds or finds them. */
    dae_status (*lift)(mechanical_formulation *c, double t, const double *y, const double *yp,
                       mechanical_point *p);

    /* After each step: the parameter that is another one from now on, as the formulation finds it
     * by where the step has ended. NULL: none has changed, or none is found. */
    const formulation_parameter *(*observe)(mechanical_formulation *c, double t, const double *y);

    /* 1: as new, 0: lost. NULL, and renew() with it: it does not degrade. */
    double (*quality)(mechanical_formulation *c, double t, const double *y);

    /* Made anew at a point, for as many unknowns; the one before can still be lifted from. */
    dae_status (*renew)(mechanical_formulation *c, double t, const mechanical_point *p);

    /* A step from there has failed: whether it may succeed after renew(). NULL: never. */
    bool (*loosen)(mechanical_formulation *c, double t, const double *y);

    /* Absolute tolerances (n) of its unknowns from those of the author's. NULL: each takes that of
     * its author's unknown, or the least of all. */
    void (*tolerances)(const mechanical_formulation *c, const double *atols, double *inner);

    /* What it remembers between steps, beside its parameters and what renew() makes. NULL: nothing.
     */
    void (*state)(mechanical_formulation *c, state_visit *s);

    void (*free)(mechanical_formulation *c); /* what is not in c->memory; NULL: nothing */
} mechanical_formulation_ops;

/* The part that each formulation begins with. */
struct mechanical_formulation {
    const mechanical_formulation_ops *ops;
    mechanical *mechanical; /* at work for the equations; owned */
    arena memory;
    const equations *equations; /* filled by create(); in `memory` */
    size_t n;                   /* its unknowns */
    bool without_jacobian;      /* no method will ask for a Jacobian: one without zeros is not held,
                                and the equations have an empty pattern */
    const size_t *author;       /* n: the author's unknown whose tolerance is taken;
                                   PROBLEM_NOWHERE: the smallest of all */
    const unsigned char *depth; /* n: problem_depth() of its unknowns; NULL: their index */
    size_t renewals;            /* so far */
    size_t at;                  /* the formulation that lift() is to take, counted by renewals */
    bool keeps;                 /* all can be lifted from; set before the first renewal */
    bool away; /* near a singular configuration constraints are left out that are not met there:
                  states are not to be brought back to them before the next renewal */
    bool engine_moves; /* the system by equations of its own, of which constraints are left out by
                          mechanical->out, not by this formulation's */
    double parameter[FORMULATION_MOST_PARAMETERS]; /* in the order of the row's */
};

/* Rows in the order in which they are told; NULL beyond the last. */
const mechanical_formulation_ops *mechanical_formulation_at(size_t i);

/* The row of a name, before a colon; NULL: there is none. */
const mechanical_formulation_ops *mechanical_formulation_find(const char *name);

/* The formulation of that name, with parameters behind a colon ("baumgarte:xi=0.8,omega=2"), at a
 * point that meets the constraints, for methods that ask for a Jacobian or `without_jacobian`.
 * `form` and `name` are borrowed. DAE_USAGE with a sentence on the parameters, DAE_UNSUPPORTED
 * where it does not suit the system, with the sentence that says why; DAE_NO_MEMORY. */
dae_status mechanical_formulation_create(mechanical_formulation **created,
                                         const mechanical_form *form, const char *name,
                                         bool without_jacobian, double t, const mechanical_point *p,
                                         message *m);
void mechanical_formulation_free(mechanical_formulation *c); /* NULL is fine */

/* Names of the author's equations (form->n), given or by what they are. In `a`, under its
 * protection. */
const char *const *mechanical_equation_names(arena *a, const mechanical_form *form);

/* What a status of the system says as the return value of a callback. */
int formulation_answer(dae_status status);

#endif
