/* What a solver follows: the way from the author's equations to what an engine integrates, and back
 * to his variables.
 *
 * The driver, its output, its trajectory and its messages know this seam alone. A model's
 * simulation chooses among formulations; that of a C program's equations integrates them as they
 * are given. */
#ifndef SOLVE_SIMULATION_H
#define SOLVE_SIMULATION_H

#include "base/message.h"
#include "base/stop_request.h"
#include "problem/problem.h"
#include "projection/projection.h"

#include <daedal/solver.h>

typedef struct simulation simulation;
typedef struct start_stages start_stages;

/* What a simulation sees of its solver; borrowed. */
typedef struct simulation_solver {
    message *message;
    const dae_options *options;
    dae_stats *stats;
    text *reasons;
} simulation_solver;

/* Where values are asked for: as they were found at the start; at the end of the last step, whose
 * state has been projected; within a step; wherever it is, but as it stands, without bringing it
 * back to the equations. */
typedef enum simulation_place {
    SIMULATION_START,
    SIMULATION_STEP_END,
    SIMULATION_WITHIN,
    SIMULATION_UNMET
} simulation_place;

/* A point of the engine. */
typedef struct simulation_point {
    double t;
    const double *y, *yp;
} simulation_point;

typedef struct simulation_ops {
    const start_stages *start; /* start_stages.h: fills what is filled at the start below */

    /* The author's variables, into c->value and c->value_yp, from y and y' of the engine: brought
     * back to the constraints as the projection does it. A status without a message is told by the
     * caller. */
    dae_status (*evaluate)(simulation *c, double t, const double *y, const double *yp,
                           simulation_place where);

    /* The end of a step, brought back to the constraints: into c->y and c->yp. Only where
     * c->project_steps. */
    dae_status (*project)(simulation *c, double t, const double *y, const double *yp);

    /* The end of the step that was projected last is discarded: restore what that projection has
     * kept for the next one. NULL: nothing is kept. */
    void (*leave)(simulation *c);

    /* Whether the run may continue from the end of a step; its values are then in c->value. NULL:
     * always. */
    bool (*step_holds)(simulation *c, double t, const double *y, const double *yp);

    /* After a step that ends with y: whether the formulation of the engine's variables has been
     * made anew, *renewed, and then the state in the new one, into c->y and c->yp. NULL: there is
     * one for the whole run. */
    dae_status (*renew)(simulation *c, double t, const double *y, const double *yp, bool *renewed);

    /* Before a step from y, with doubt where one has failed or little is left of what the equations
     * say: whether they have been formed anew, *formed, and then the state in their unknowns, into
     * c->y and c->yp; c->problem is another one. NULL: they never are. */
    dae_status (*form_anew)(simulation *c, double t, const double *y, const double *yp, bool doubt,
                            bool *formed);

    /* A step from y has failed: whether it may succeed after renew(). NULL: never. */
    bool (*loosen)(simulation *c, double t, const double *y);

    /* After renew(): y of the past, at t, from the formulation before to the new one.
     * DAE_NOT_EVALUABLE where it has none there; c->value is lost. NULL with renew(). */
    dae_status (*carry)(simulation *c, double t, double *y);

    /* Of the values evaluated last: a variable without a finite value, or -1; whether the author's
     * assertions hold, without a word; the same with the message. NULL for these two: there are
     * none. */
    long (*missing)(const simulation *c);
    bool (*holds)(simulation *c, double t);
    dae_status (*check)(simulation *c, double t);

    /* Raise stats->max_residual and c->constraint to the worst violations by those values. */
    dae_status (*measure)(simulation *c, double t);

    /* Absolute tolerances of the engine's variables (problem->n) from those of the author's. */
    void (*tolerances)(const simulation *c, const double *atols, double *inner);

    /* The author's variable that is unknown j of the engine; PROBLEM_NOWHERE where that is a
     * derivative, or another unknown of a formulation. */
    size_t (*author_of)(const simulation *c, size_t j);

    /* NULL: none. Whether an author's variable that author_of() names has other values than the
     * engine's unknown, as one has that is a multiple of a derivative. */
    bool (*has_other_values)(const simulation *c, size_t variable);

    /* Appended: the name of an author's variable, and of the equation that gives it or else of it
     * again. */
    void (*name)(const simulation *c, size_t variable, text *t);
    void (*name_source)(const simulation *c, size_t variable, text *t);

    /* What the author's equations divide by (c->divisors), from y and y' of the engine; how large
     * the side of an equation is that divides by one of them; appended: that equation. c->value and
     * c->value_yp are lost. NULL: it is not known. */
    void (*divisors)(simulation *c, double t, const double *y, const double *yp, double *divisor);
    double (*divided)(simulation *c, double t, const double *y, const double *yp, size_t which);
    /* Of a divisor of one variable that changes its sign from one point to another, at `between`:
     * whether its side has an exact pole there, whatever errors other variables have, and at which
     * value of that variable; how many tolerances that is from such a value. */
    bool (*has_pole)(simulation *c, const simulation_point *from, const simulation_point *to,
                     const simulation_point *between, size_t which, double *pole);
    double (*beyond)(simulation *c, const simulation_point *p, size_t which, double pole);
    void (*name_divided)(const simulation *c, size_t which, text *t);

    /* Determinants of the blocks of the system Jacobian that vary (c->determinants), from y and y'
     * of the engine; whether one is not linear in its own unknowns, so that other solutions of it
     * may come close; appended: these. NULL: they are not known. */
    void (*determinants)(simulation *c, double t, const double *y, const double *yp, double *found);
    bool (*nonlinear)(const simulation *c, size_t which);
    void (*name_determined)(const simulation *c, size_t which, text *t);

    /* Appended: what had no value in the evaluation that failed last, `row` being the problem's. */
    void (*report_missing)(simulation *c, size_t row, text *t);
    /* Appended: which part of which equation has no finite value at the values evaluated last.
     * NULL: that is not known. */
    void (*blame)(simulation *c, text *t);

    /* Appended: why a state could not be evaluated or brought back to the constraints, with that
     * status. NULL: by c->projection. */
    void (*report_point)(simulation *c, dae_status status, text *t);

    /* Appended, where steps fail because the equations are of an index that is not solved: that
     * they are, and what to do. NULL: they never are. */
    bool (*report_beyond)(const simulation *c, text *t);

    /* Appended to what stopped steps or projections: what else may be tried. NULL: nothing. */
    void (*report_remedy)(simulation *c, text *t);

    /* At the ends number 1, 2, 4, 8, ... of runs, at the values evaluated last: DAE_USAGE with its
     * sentence where what the author gave for derivatives is wrong. NULL: nothing is looked at. */
    dae_status (*verify)(simulation *c, double t);

    void (*free)(simulation *c);
} simulation_ops;

/* The part that each simulation begins with. */
struct simulation {
    const simulation_ops *ops;
    simulation_solver solver;
    dae_watch watch; /* of the search for the start */
    void *watch_user;
    bool
        *reported; /* whether what the author's functions share is that of the point told last; he
                  may have changed it wherever he was called for something else. NULL: nothing is */
    stop_request *stop;    /* of the author's functions; NULL: there are none */
    size_t n;              /* the author's variables */
    const double *nominal; /* n: their typical sizes */
    const double *least;   /* n: sizes of which round-off is dust; NULL: the nominal ones */
    bool solves_yp;        /* each evaluation of y' solves a linear system, of which Jacobians take
                                  many: explicit methods of high order suit, where any do */
    size_t divisors;       /* that may change their sign, and do not jump */
    size_t determinants;   /* of blocks that do not switch, at the start; else 0 */
    bool switches;         /* relations in the equations switch, at instants that are not located */
    double left;           /* of the weakest constraint at the last step, by the driver; 1 before */
    bool bent;             /* and they are not linear in derivatives */
    bool smooth;           /* nothing in the equations is known to switch or to be made of pieces */
    bool asserts;          /* there are assertions */
    bool combined;         /* combinations of equations are integrated, that may be singular */

    size_t ends; /* of runs since the start */

    /* Filled at the start: */
    problem *problem;         /* for the engine; NULL before */
    const char *formulation;  /* its name */
    double *y, *yp;           /* problem->n: the engine's start, later room for y and y' */
    double *value, *value_yp; /* n: the author's variables and their derivatives, evaluated last */
    /* 8 n: values and derivatives at four times to one side of where they are asked for, as there
     * may be none where a divisor of combined equations vanishes; NULL: nothing divides. */
    double *beside;
    bool passed; /* values are such as these lead to: nothing can be measured there */
    double step; /* in which, or at whose end, values are evaluated; 0: none */
    size_t formulation_number, segment_formulation; /* the newest; that of what is evaluated */
    const constraint_levels *levels;
    projection *projection; /* NULL where states are not projected */
    bool project_steps;     /* nor the ends of steps */
    bool keep_values;       /* of those ends only the derivatives go on */
    bool yp_meets;          /* there the method has solved the equations, for y' as well */
    bool rows_meet;         /* wherever values are asked for, all equations are solved for them */
    const struct event_source *events; /* borrowed; NULL: there are none (events.h) */
    size_t constraint_levels;          /* that are measured */
    double *constraint;                /* constraint_levels: worst violations */
};

/* Start values of an author (n each): those of this start, NULL or NAN where there is none, before
 * those of the problem. */
void simulation_merge_start(const simulation *c, const double *start, const double *given,
                            double *merged);

/* Whether the value of an option is that word. */
bool option_is(const char *value, const char *word);

/* Add to what the statistics tell as reasons. */
void simulation_reason(simulation *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the options ask for the projection of that name. */
bool simulation_projects_by(const simulation *c, const char *word);

/* By how much, in parts of its terms, a derivative that the author gives may be off. */
double simulation_allows_off(const simulation *c);

/* The author's functions are told of the next point. */
void simulation_report_anew(simulation *c);

/* A projection onto c->levels, where they are wanted, as the options name it; none before.
 * DAE_UNSUPPORTED where these levels cannot be met so. */
dae_status simulation_create_projection(simulation *c, bool wanted, bool at_steps);

/* Of a state projected into c->y and c->yp: where c->keep_values, y goes on instead. */
void simulation_keep_values(simulation *c, const double *y);

#endif
