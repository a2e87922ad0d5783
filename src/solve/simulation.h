/* What a solver follows: the way from the author's equations to what an engine integrates, and back
 * to the author's variables.
 *
 * The driver, its output, its trajectory and its messages use only this seam. A model's simulation
 * chooses among formulations; the simulation of a C program's equations integrates them as given or
 * reduced to index 1. */
#ifndef SOLVE_SIMULATION_H
#define SOLVE_SIMULATION_H

#include "base/message.h"
#include "base/stop_request.h"
#include "problem/callbacks.h"
#include "problem/problem.h"
#include "projection/projection.h"
#include "stepping/engine.h"

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

/* The place of an evaluation: the start, with the values found there; the end of the last step,
 * whose state has been projected; within a step; or any place, with the state as it is and without
 * projection. */
typedef enum simulation_place {
    SIMULATION_START,
    SIMULATION_STEP_END,
    SIMULATION_WITHIN,
    SIMULATION_UNMET
} simulation_place;

typedef struct simulation_ops {
    /* Chooses formulation and projection, and finds consistent values at t. Fills the part of the
     * struct below that is marked so. `start` as in dae_solver_start(). Failures with their
     * message. */
    const start_stages *start; /* start_stages.h: fills what is filled at the start below */

    /* The same from given values and derivatives, which are not changed. NULL: not offered. */

    /* Computes the author's variables, into c->value and c->value_yp, from y and y' of the engine,
     * brought back to the constraints as the projection does it. The caller reports a status
     * without a message. */
    dae_status (*evaluate)(simulation *c, double t, const double *y, const double *yp,
                           simulation_place where);

    /* Projects the end of a step onto the constraints, into c->y and c->yp. Only where
     * c->project_steps. */
    dae_status (*project)(simulation *c, double t, const double *y, const double *yp);

    /* Discards the end of the step that was projected last: restores what that projection kept for
     * the next one. NULL: nothing is kept. */
    void (*leave)(simulation *c);

    /* Whether the run may continue from the end of a step; its values are then in c->value. NULL:
     * always. */
    bool (*step_holds)(simulation *c, double t, const double *y, const double *yp);

    /* After a step that ends with y: *renewed tells whether there is a new formulation of the
     * engine's variables. If so, c->y and c->yp are the state in it. NULL: one formulation serves
     * the whole run. */
    dae_status (*renew)(simulation *c, double t, const double *y, const double *yp, bool *renewed);

    /* Before a step from y: *formed tells whether the equations have been formed anew. If so, c->y
     * and c->yp are the state in their unknowns, and c->problem is another one. `doubt`: a step has
     * failed, or the combinations of equations determine little. NULL: equations are never formed
     * anew. */
    dae_status (*form_anew)(simulation *c, double t, const double *y, const double *yp, bool doubt,
                            bool *formed);

    /* After a step from y has failed: whether it may succeed after renew(). NULL: never. */
    bool (*loosen)(simulation *c, double t, const double *y);

    /* After renew(): carries y of the past, at t, from the old formulation to the new one.
     * DAE_NOT_EVALUABLE where it has no counterpart there; c->value is lost. NULL with renew(). */
    dae_status (*carry)(simulation *c, double t, double *y);

    /* About the values evaluated last. missing(): a variable without a finite value, or -1.
     * holds(): whether the author's assertions hold, without a message. check(): the same with the
     * message. NULL for the last two: there are no assertions. */
    long (*missing)(const simulation *c);
    bool (*holds)(simulation *c, double t);
    dae_status (*check)(simulation *c, double t);

    /* Raises stats->max_residual and c->constraint to the worst violations by the values evaluated
     * last. */
    dae_status (*measure)(simulation *c, double t);

    /* Computes absolute tolerances of the engine's variables (problem->n) from those of the
     * author's. */
    void (*tolerances)(const simulation *c, const double *atols, double *inner);

    /* The author's variable that is unknown j of the engine; PROBLEM_NOWHERE where the unknown is a
     * derivative or belongs to a formulation only. */
    size_t (*author_of)(const simulation *c, size_t j);

    /* Whether an author's variable that author_of() names has values other than the engine's
     * unknown, as a multiple of a derivative does. NULL: none has. */
    bool (*has_other_values)(const simulation *c, size_t variable);

    /* Append the name of an author's variable; the name of the equation that gives it, or else the
     * variable's again. */
    void (*name)(const simulation *c, size_t variable, text *t);
    void (*name_source)(const simulation *c, size_t variable, text *t);

    /* divisors(): what the author's equations divide by (c->divisors), from y and y' of the engine.
     * divided(): the size of the equation's side that divides by one of them. c->value and
     * c->value_yp are lost. NULL: not known. */
    void (*divisors)(simulation *c, double t, const double *y, const double *yp, double *divisor);
    double (*divided)(simulation *c, double t, const double *y, const double *yp, size_t which);
    /* For a divisor that depends on one variable and changes its sign from one point to another, at
     * `between`. has_pole(): whether its side has an exact pole there, whatever the errors of other
     * variables, and at which value of the variable. beyond(): how many tolerances a point is from
     * that value. name_divided(): appends the equation that divides. */
    bool (*has_pole)(simulation *c, const engine_point *from, const engine_point *to,
                     const engine_point *between, size_t which, double *pole);
    double (*beyond)(simulation *c, const engine_point *p, size_t which, double pole);
    void (*name_divided)(const simulation *c, size_t which, text *t);

    /* determinants(): those of the blocks of the system Jacobian that vary (c->determinants), from
     * y and y' of the engine. nonlinear(): whether the block is nonlinear in its own unknowns, so
     * that other solutions may come close. name_determined(): appends the unknowns of the block.
     * NULL: not known. */
    void (*determinants)(simulation *c, double t, const double *y, const double *yp, double *found);
    bool (*nonlinear)(const simulation *c, size_t which);
    void (*name_determined)(const simulation *c, size_t which, text *t);

    /* Appends what had no value in the evaluation that failed last; `row` is the problem's. */
    void (*report_missing)(simulation *c, size_t row, text *t);
    /* Appends which part of which equation has no finite value at the values evaluated last. NULL:
     * not known. */
    void (*blame)(simulation *c, text *t);

    /* Appends why a state could not be evaluated or projected, with that status. NULL:
     * c->projection knows. */
    void (*report_point)(simulation *c, dae_status status, text *t);

    /* Where steps fail because the equations have an index that is not solved: appends that, and
     * what to do. Returns whether it did. NULL: that never happens. */
    bool (*report_beyond)(const simulation *c, text *t);

    /* Appends what else may be tried to the message on what stopped steps or projections. NULL:
     * nothing. */
    void (*report_remedy)(simulation *c, text *t);

    /* At the end of a run, at the values evaluated last: DAE_USAGE with its message where
     * derivatives that the author gave are wrong. NULL: nothing is checked. */
    dae_status (*verify)(simulation *c, double t);

    /* The equations that have been formed anew. Restoring forms them once more, after a start;
     * returns whether c->problem is another one then. NULL with form_anew(). */
    bool (*formed)(simulation *c, state_visit *s);

    /* What is its own, beside the members below. NULL: nothing. */
    void (*state)(simulation *c, state_visit *s);

    void (*free)(simulation *c);
} simulation_ops;

/* The part that each simulation begins with. */
struct simulation {
    const simulation_ops *ops;
    simulation_solver solver;
    dae_watch watch; /* of the search for the start */
    void *watch_user;
    bool *reported; /* whether the data that the author's functions share belong to the point told
                       last. Any other call of the author may have changed them. NULL: nothing is
                       shared */
    stop_request *stop;    /* stop requests of the author's functions; NULL: there are none */
    size_t n;              /* number of the author's variables */
    const double *nominal; /* n: their typical sizes */
    const double *least;   /* n: sizes whose round-off is negligible; NULL: the nominal ones */
    bool solves_yp;      /* each evaluation of y' solves a linear system, and a Jacobian takes many:
                            explicit methods of high order suit, if explicit ones do at all */
    size_t divisors;     /* number of divisors that may change their sign continuously */
    size_t determinants; /* number of varying blocks at the start, if these do not switch; else 0 */
    bool switches;       /* relations in the equations switch, and the instants are not located */
    double left;   /* what is left of the weakest constraint at the last step, set by the driver; 1
                      before */
    bool bent;     /* the equations are nonlinear in derivatives */
    bool smooth;   /* nothing in the equations is known to switch or to be piecewise */
    bool asserts;  /* there are assertions */
    bool combined; /* combinations of equations are integrated, which may be singular */

    size_t ends; /* of runs since the start */

    /* Filled at the start: */
    problem *problem;         /* for the engine; NULL before */
    const char *formulation;  /* its name */
    double *y, *yp;           /* problem->n: the engine's start, later room for y and y' */
    double *value, *value_yp; /* n: the author's variables and their derivatives, evaluated last */
    /* 8 n: values and derivatives at four times to one side of the evaluation, because there may be
     * none where a divisor of combined equations vanishes. NULL: combined equations have no
     * divisors. */
    double *beside;
    bool passed; /* the values are extrapolated from `beside`: no residual can be measured */
    double step; /* the length of the step that evaluations belong to; 0: none */
    size_t formulation_number, segment_formulation; /* number of the newest formulation; number of
                                                       the one that evaluated values belong to */
    const constraint_levels *levels;
    projection *projection; /* NULL: states are not projected */
    bool project_steps;     /* the ends of steps are projected, too */
    bool keep_values; /* the run continues with the projected derivatives of those ends, but not
                         with their values */
    bool yp_meets;    /* the method has solved the equations at the ends of steps, for y' as well */
    bool rows_meet;   /* all equations are solved wherever values are asked for */
    const struct event_source *events; /* borrowed; NULL: there are none (events.h) */
    size_t constraint_levels;          /* number of constraint levels that are measured */
    double *constraint;                /* constraint_levels: worst violations */
};

/* Start values of an author (n each): those of this start, NULL or NAN where there is none, before
 * those of the problem. */
void simulation_merge_start(const simulation *c, const double *start, const double *given,
                            double *merged);

/* Whether the value of an option is this word. */
bool option_is(const char *value, const char *word);

/* Adds to the reasons in the statistics. */
void simulation_reason(simulation *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the options ask for the projection of that name. */
bool simulation_projects_by(const simulation *c, const char *word);

/* How far a derivative that the author gives may be off, relative to its terms. */
double simulation_allows_off(const simulation *c);

/* Makes the next call tell the author's functions of their point anew. */
void simulation_report_anew(simulation *c);

/* Creates the projection onto c->levels that the options name, where `wanted`. There must be none
 * before. DAE_UNSUPPORTED where it cannot meet these levels. */
dae_status simulation_create_projection(simulation *c, bool wanted, bool at_steps);

/* After a projection into c->y and c->yp: restores y where c->keep_values. */
void simulation_keep_values(simulation *c, const double *y);

/* See base/state.h; after formed() of the ops. */
void simulation_state(simulation *c, state_visit *s);

/* Measures how far values and derivatives miss the equations of a C program.
 *
 * It has an instance of the callbacks of its own. The engine's linearisation stays untouched, so
 * that a solution does not depend on where it is examined, and the counts are those of the run
 * alone. */

typedef struct violation violation;

/* Creates it for equations (borrowed), near t and y (n). DAE_NO_MEMORY, DAE_STOPPED. */
dae_status violation_create(violation **created, const equations *e, double t, const double *y);

typedef struct violations {
    double equation;  /* the worst miss of all equations */
    size_t row;       /* its row */
    double algebraic; /* the worst miss of equations without derivatives */
} violations;

/* Raises *worst to the misses of F(t, y, y') = 0, as problem/levels.h defines them. y and y' (n
 * each) are the variables; entries of y' that are NAN do not occur. HUGE_VAL where F has no value;
 * DAE_STOPPED. The Jacobian, which differences make expensive, is evaluated only if *worst would be
 * raised by the last one. */
dae_status violation_raise(violation *v, double t, const double *y, const double *yp,
                           violations *worst);

/* The number of equations without derivatives. */
size_t violation_algebraic(const violation *v);

/* The callbacks in use. */
callbacks *violation_callbacks(violation *v);

void violation_free(violation *v); /* NULL is fine */

#endif
