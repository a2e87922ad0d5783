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
#include "problem/invariants.h"
#include "problem/problem.h"
#include "problem/start.h"
#include "projection/projection.h"
#include "stepping/engine.h"

#include <daedal/solver.h>

typedef struct simulation simulation;

/* What a simulation sees of its solver; borrowed. */
typedef struct simulation_solver {
    message *message;
    const dae_options *options;
    dae_stats *stats;
    text *reasons;
    bool describes; /* tells what the equations are, and runs nothing */
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

/* One start for all simulations: its stages in their order.
 *
 *   take | search, or accept | verify_derivatives | formulate | project | verify_invariants | note
 *
 * What differs between a model, the equations of a C program and a mechanical system is a row of
 * functions. A mechanism in a model is started in the model's stage `formulate`, by its own row.
 *
 * A stage that fails has told its message, and ends the start. NULL: there is nothing to do. */
typedef struct start_stages {
    /* What the last start has made goes, and c->start is taken. DAE_UNSUPPORTED where options do
     * not suit the equations. */
    dae_status (*take)(simulation *c, double t);

    /* Values that meet the equations, near those that were taken. */
    dae_status (*search)(simulation *c, double t);

    /* In place of the search: finite values and derivatives (n each) as they are; by how much they
     * miss the equations, relative to their terms, and where they do so most. NULL: not offered. */
    dae_status (*accept)(simulation *c, double t, const double *y, const double *yp, double *miss,
                         text *where);
    bool (*is_differentiated)(const simulation *c, size_t j);

    /* After the search, which ended with `search`: DAE_USAGE where derivatives that the author gave
     * are wrong, else `search`. */
    dae_status (*verify_derivatives)(simulation *c, double t, dae_status search);

    /* The formulation by the options, and from those values the problem for the engine with its
     * start: what is filled at the start in a simulation, but for the projection. */
    dae_status (*formulate)(simulation *c, double t);

    /* What is done to states on the way. */
    dae_status (*project)(simulation *c, double t);

    /* DAE_USAGE where invariants that states are brought back to are none. */
    dae_status (*verify_invariants)(simulation *c, double t);

    /* Notes on what the search has changed and chosen. */
    dae_status (*note)(simulation *c, double t);
} start_stages;

typedef enum turning_question { TURNING_BEGINS, TURNING_KEEPS, TURNING_ASKS } turning_question;

/* A pivot that combined equations divide by is worn where so little is left of it. */
#define PIVOT_WORN 0.1

/* The most unknowns of a block whose determinant is followed: it costs a factorisation. */
enum { SIMULATION_BLOCK = 30 };

typedef struct simulation_ops {
    /* Chooses formulation and projection, and finds consistent values at t. Fills the part of the
     * struct below that is marked so. `start` as in dae_solver_start(). Failures with their
     * message. */
    const start_stages *start;

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

    /* What is left of the weakest pivot that combined equations divide by, as part of its value
     * when they were formed; negative where it has passed 0. NULL with form_anew(). */
    double (*pivot_left)(simulation *c, double t, const double *y, const double *yp);

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

    /* The number of relations in assertions, with room (AUTHOR_MARGINS times as many) for: */
    size_t (*margins)(simulation *c, double **room);

    /* left - right of each, by the values evaluated last. NULL: there are no assertions. */
    void (*take_margins)(simulation *c, double t, double *value);

    /* Whether check() would note an assertion that is a warning. NULL: there is none. */
    bool (*warns)(simulation *c, double t);

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

    /* divisors(): what the author's equations divide by (c->divisors), from y and y' of the engine;
     * NULL: from the values evaluated last.
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
     * that other solutions may come close. variables(): the values of the variables that the block
     * determines, or derivatives of them; returns how many, at most SIMULATION_BLOCK. moved(): its
     * determinant where these are moved by so much.
     * name_determined(): appends the unknowns of the block.
     * turns(): asks whether the determinant of a nonlinear block whose branches are held within
     * steps is near 0 or has another sign than the largest one that was kept since its modes began.
     * NULL: not known. */
    void (*determinants)(simulation *c, double t, const double *y, const double *yp, double *found);
    bool (*nonlinear)(const simulation *c, size_t which);
    size_t (*variables)(simulation *c, const engine_point *at, size_t which, double *value);
    double (*moved)(simulation *c, const engine_point *at, size_t which, const double *by);
    void (*name_determined)(const simulation *c, size_t which, text *t);
    bool (*turns)(simulation *c, const engine_point *at, turning_question question);

    /* Appends the equation that the values measured last miss most, and by how much. NULL: not
     * known. */
    void (*name_missed)(const simulation *c, text *t);

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

    /* Appends what else may be tried to the message on what stopped steps or projections. Returns
     * whether it has named equations that say nothing there, so that no fold and no pole is needed
     * to stop it. NULL: nothing. */
    bool (*report_remedy)(simulation *c, text *t);

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
    dae_watch watch; /* of searches: for the start, and for the modes after events */
    void *watch_user;
    simulation *followed; /* the mechanical system that a model is followed as; NULL: none */
    bool *reported; /* whether the data that the author's functions share belong to the point told
                       last. Any other call of the author may have changed them. NULL: nothing is
                       shared */
    stop_request *stop;          /* stop requests of the author's functions; NULL: there are none */
    size_t n;                    /* number of the author's variables */
    size_t hidden;               /* the last of these, which stand for expressions and are not
                                    shown */
    const char *const *variable; /* n: their names */
    const double *nominal;       /* n: their typical sizes */
    double *given; /* n: start values of the problem, NAN where there is none, as for a model, whose
                      equations hold them */
    double *start; /* n: those of this start, before those of the problem */
    const double *least; /* n: sizes whose round-off is negligible; NULL: the nominal ones */
    bool solves_yp;      /* each evaluation of y' solves a linear system, and a Jacobian takes many:
                            explicit methods of high order suit, if explicit ones do at all */
    size_t divisors;     /* number of divisors that may change their sign continuously */
    size_t determinants; /* number of varying blocks at the start, if these do not switch; else 0 */
    bool switches;       /* relations in the equations switch, and the instants are not located */
    double left; /* what is left of the weakest constraint at the last step, set by the driver; 1
                    before */
    bool bent;   /* the equations are nonlinear in derivatives */
    bool
        smooth; /* nothing in the equations is known to be piecewise, or to switch between events */
    bool flat;  /* laws leave open how fast a variable changes at a point (flat_laws.h) */
    bool switched;   /* ... but relations in them switch there */
    bool asserts;    /* there are assertions */
    size_t warnings; /* assertions that are warnings, and not noted yet */
    bool combined;   /* combinations of equations are integrated, which may be singular */

    size_t ends;            /* of runs since the start */
    const char *terminated; /* by the event of the start, with this message; NULL: it is not */
    const char
        *start_event;     /* what changes in an event of time at the start; NULL: there is none */
    double *before_start; /* 2 n: the author's variables and their derivatives before it */
    bool starts_to_slide; /* the event of the start begins a motion along a surface */

    /* Filled at the start: */
    problem *problem;         /* for the engine; NULL before */
    const char *formulation;  /* its name */
    double *y, *yp;           /* problem->n: the engine's start, later room for y and y' */
    double *value, *value_yp; /* n: the author's variables and their derivatives, evaluated last */
    /* n: the same derivatives, and those that do not occur in the equations, of the evaluation made
     * last while `asked`; NULL: none are computed. */
    double *rate;
    bool asked, rated; /* rates are wanted; `rate` belongs to the values */
    /* 8 n: values and derivatives at four times to one side of the evaluation, because there may be
     * none where a divisor of combined equations vanishes. NULL: combined equations have no
     * divisors. */
    double *beside;
    bool passed; /* the values are extrapolated from `beside`: no residual can be measured */
    double step; /* the length of the step that evaluations belong to; 0: none */
    size_t formulation_number, segment_formulation; /* number of the newest formulation; number of
                                                       the one that evaluated values belong to */
    size_t mode_number, segment_modes; /* number of events that have changed modes; how many had
                                          before the segment that evaluated values belong to */
    const constraint_levels *levels;
    projection *projection; /* NULL: states are not projected */
    bool project_steps;     /* the ends of steps are projected, too */
    bool keep_values; /* the run continues with the projected derivatives of those ends, but not
                         with their values */
    bool yp_meets;    /* the method has solved the equations at the ends of steps, for y' as well */
    bool rows_meet;   /* all equations are solved wherever values are asked for */
    const struct event_source *events; /* borrowed; NULL: there are none (events.h) */
    struct delays *delays;             /* borrowed; NULL: nothing is delayed (delays.h) */
    size_t constraint_levels;          /* number of constraint levels that are measured */
    double *constraint;                /* constraint_levels: worst violations */
    bool drifts; /* the last of them are invariants to which states are not brought back */
};

/* Whether the value of an option is this word. */
bool option_is(const char *value, const char *word);

/* Adds to the reasons in the statistics what is not there yet. */
void simulation_reason(simulation *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the options ask for the projection of that name. */
bool simulation_projects_by(const simulation *c, const char *word);

/* How far a derivative that the author gives may be off, relative to its terms. */
double simulation_allows_off(const simulation *c);

/* The derivatives to be shown of the values evaluated last: c->rate where that belongs to them. */
const double *simulation_shown_yp(const simulation *c);

/* Takes the rates that an evaluation has found into c->rate (n), where the values themselves do not
 * give the derivative. */
void simulation_take_rates(simulation *c);

/* missing() of simulation_ops: the first of c->value that is not finite, or -1. */
long simulation_missing(const simulation *c);

/* Makes the next call tell the author's functions of their point anew. */
void simulation_report_anew(simulation *c);

/* Creates the projection onto c->levels that the options name, where `wanted`. There must be none
 * before. DAE_UNSUPPORTED where it cannot meet these levels. */
dae_status simulation_create_projection(simulation *c, bool wanted, bool at_steps);

/* After a projection into c->y and c->yp: restores y where c->keep_values. */
void simulation_keep_values(simulation *c, const double *y);

/* start_stages.c: a start from values y (n), which may be NULL and NAN, as dae_solver_start(); or,
 * where derivatives yp (n) are given, as dae_solver_start_with(), which the simulation offers.
 * c->ops may be another row afterwards. */
dae_status simulation_start(simulation *c, double t, const double *y, const double *yp);

/* start_stages.c: the same after an event, from values y (n). What was chosen at the start is not
 * told again. A failure has its message. */
dae_status simulation_start_behind(simulation *c, double t, const double *y);

/* See base/state.h; after formed() of the ops. */
void simulation_state(simulation *c, state_visit *s);

/* start_stages.c: DAE_USAGE with its sentence for a function of that form that is not invariant, or
 * whose gradient is wrong; the names are those of the form's members. */
dae_status start_refuse_invariant(const simulation *c, double t, const invariant_fault *f,
                                  const char *form, const char *member, const char *gradient);

/* start_stages.c: z (plain->size) as initial_consistent() finds it, whose notes and failure are
 * collected. The simulation's watch is asked before each evaluation: where it wants an end, or an
 * equation does, the failure is DAE_STOPPED. */
dae_status start_search(const simulation *c, const start_system *plain, double t, double *z,
                        message *collected);

/* start_stages.c: a state beside a start, z (n) by the sizes of its values, and its time where a
 * value goes as far as its size in `unit`: there is seen what is 0 or right at the start alone. */
void start_go_beside(size_t n, const double *value, const double *nominal, double *z);
double start_time_beside(double t, double unit);

/* start_stages.c: a failure that was collected, if it is one, becomes that of the simulation; what
 * was collected is freed. Returns its status. */
dae_status start_take_failure(const simulation *c, message *collected);

/* start_stages.c: what a start has made of the values that were given for it, in notes. */
typedef struct start_notes {
    const simulation *simulation;
    size_t n;            /* variables, the first of the simulation's */
    const bool *counts;  /* n: those whose change is told; NULL: of all */
    const double *found; /* n; where its `start` is NAN a value was to be found */
} start_notes;

/* Those that were given and have changed. Values of algebraic variables are no more than guesses.
 */
void start_note_changes(const start_notes *s);

/* Of those that were to be found the ones that nothing determines, by the systems that the start
 * solved one after the other (`count`), whose entries are first the variables from where the last
 * one's ended. DAE_NO_MEMORY with its message. */
dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t);

#endif
