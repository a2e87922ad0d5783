/* The driver's parts share this; for solve/, and for analysis/ to look at. */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "base/message.h"
#include "formulation/from_model.h"
#include "integrate/engine.h"
#include "method/collocation_rows.h"
#include "projection/coordinate.h"
#include "solve/trajectory.h"

#include <daedal/solver.h>

struct dae_solver {
    message message;
    arena memory; /* of model, formulation and the arrays below */
    dae_options options;
    sym_system *system;
    const structure *own;

    formulation *formulation;
    projection *projection; /* NULL where states are not projected */
    bool project_steps;     /* there are levels below the last */
    collocation_row row;
    engine *engine;
    bool started;
    double t_start;

    bool *open; /* of z: derivatives that the start has chosen; NULL before it was looked at */
    double *z_marked;   /* z at the start, those as the equations determine them, or else NaN */
    double *z, *z_out;  /* derivatives at the present time, and where output is evaluated */
    double *inner[2];   /* y and y' of the engine, for output */
    double *author[2];  /* y and y' of the author's variables */
    double *constraint; /* levels: worst violations */
    trajectory kept;

    dae_times times;
    size_t next_time; /* of the output that is due */
    double *time_list;
    dae_output output;
    void *output_user;
    dae_watch watch;
    void *watch_user;
    dae_watch watch_start;
    void *watch_start_user;

    dae_stats stats;
    text reasons;
    text deceived;   /* how the structure deceives, empty where it does not */
    bool warned[64]; /* of the first assertions: a warning has been noted */
};

/* choose.c: formulation, projection and method for the options; fills s->formulation to s->engine
 * and finds the consistent start at t. */
dae_status solve_start(dae_solver *s, double t);

/* evaluate.c: the author's variables at a time of the last step or of a segment, into s->author,
 * met on all levels; NULL: at the engine's present state. */
dae_status solve_evaluate(dae_solver *s, double t, const dense_output *step);

/* start_derivatives.c: the same at the start, where derivatives that nothing determines are NaN.
 * Later on the derivatives are those of the solution that was followed. */
dae_status solve_lift_start(dae_solver *s, double t);

/* evaluate.c: project the state of the engine that a step has reached. */
dae_status solve_project_step(dae_solver *s);

/* evaluate.c: send what is due up to the present time. */
dae_status solve_send(dae_solver *s, const dense_output *step);

/* evaluate.c: of the values in s->author: whether all are finite and all assertions hold; with the
 * message, DAE_NOT_EVALUABLE or DAE_ASSERTION, or without. */
dae_status solve_check(dae_solver *s, double t);
bool solve_holds(dae_solver *s, double t);

/* evaluate.c: the same at the end of a step, before its state is met on all levels. */
bool solve_step_holds(dae_solver *s);

/* failure.c: where no start was found because a variable that an equation gives has no value at the
 * start values, say that in place of what `m` holds. */
void solve_blame_start(dae_solver *s, double t, message *m);

/* failure.c: why a step failed, in the author's names. */
dae_status solve_explain_step(dae_solver *s, dae_status status);
dae_status solve_explain_missing(dae_solver *s, double t, uint32_t variable);
dae_status solve_explain_projection(dae_solver *s, double t, dae_status status);

#endif
