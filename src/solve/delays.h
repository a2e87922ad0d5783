/* Delays of a model: what delayed expressions were along the run, and where their breaking points
 * come back.
 *
 * delay(value, lag) is an input of the expression graph (symbolic/node.h), whose values at time -
 * lag come from the kept past (event/past.h). Where value has a jump, or one of its derivatives
 * has, the equations have it again after the lag. So each such breaking point makes an event there,
 * as long as the order of the derivative that jumps is low enough for methods to notice. A constant
 * lag makes known times of it, and no step is longer than the lag. Of a lag that varies, the
 * passage is a root function.
 *
 * Where an equation holds a derivative of a delay, the past keeps the derivative of what is delayed
 * as well, as the equations give it: that of the polynomial through the values has their error
 * divided by the step. */
#ifndef SOLVE_DELAYS_H
#define SOLVE_DELAYS_H

#include "event/past.h"
#include "formulation/from_model.h"
#include "solve/delayed_levels.h"
#include "solve/transports.h"

/* What depends on the formulation. */
typedef struct delays_view {
    sym_tape *tape;      /* values, then lags, by time and the author's variables */
    sym_tape *rate_tape; /* derivatives of the values, by time, the author's variables, and their
                            derivatives; NULL: no equation holds one */
    size_t variables;    /* of the author, and the share of a sliding motion */
    sym_tape *lag_tape;  /* lags, by time and z of the formulation */
    bool *smooths;       /* count: made of states alone, which are smoother than the equations */
    bool *held;          /* count: changes at events alone */
    bool of_states;      /* all are */
    bool nested; /* what is delayed holds a delay whose lag varies: a step may need it that does not
                    read it itself */
    bool pieces; /* what is delayed, or what it follows from, may be another piece after an event */
    size_t derived;         /* highest derivative of a delay in the equations */
    delayed_levels *levels; /* NULL: the structure does not tell */
    bool whole;             /* its equations are those of all modes */
    double *z_input;        /* scratch */
} delays_view;

typedef struct delays {
    const sym_system *system;
    size_t count, varying;   /* delays; those whose lag varies, and ends of transports */
    transports *transports;  /* NULL: there are none */
    past past;               /* 2 count: values, then their derivatives; NAN: these are not known */
    past_window *window;     /* count: through which each is read in the present mode */
    double *lag;             /* count: of those that do not vary */
    double most;             /* the largest lag of all */
    double least;            /* the smallest that does not vary; infinite: all vary */
    bool keeps_all;          /* nothing is forgotten */
    const delays_view *view; /* of the present formulation */
    bool *by_relation, *by_cell; /* relations, cells: equations, or what is delayed, depend on it */
    delayed_levels *levels;      /* of the equations of all modes; NULL: not known */
    unsigned char *arriving;     /* count: lowest level of the breaking points of each that come to
                                    the present event */
    const delays_view *view_before; /* before it */
    double *y_before;               /* the author's variables before it, */
    bool *moved;                    /* and whether it changes them */
    unsigned char *level;           /* 2 count: scratch */
    bool settling;                  /* the values after an event ... */
    double event;                   /* ... at this time are being found */
    double reached; /* latest time at which a step has asked for values beyond the past */
    bool supposed;  /* the last segment of the past is what the step at work is supposed to find, */
    double known;   /* from this time on */
    int repeats;    /* of the step at work */
    double *behind; /* 2 count: past.behind before it */
    double *begun;  /* count: the values at the beginning of the last step */
    double *input, *now, *before, *at_nodes; /* scratch */
} delays;

/* For a system with delays, in its arena, under its protection; NULL: there is none. It becomes the
 * source of the graph's inputs. */
delays *delays_create(const sym_system *system, bool keeps_all);

/* How a formulation, of all modes or of one, sees them: in the arena of its system, under its
 * protection. */
const delays_view *delays_fit(delays *d, const formulation *f);

/* Takes the view of the present formulation. */
void delays_look_through(delays *d, const delays_view *view);

/* Whether equations or what is delayed switch by a relation, or depend on a cell, whose value in
 * this graph is another one than before. `moved`: states have been reinitialised. */
bool delays_see(const delays *d, const sym_graph *g, const unsigned char *mode_before,
                const double *cell_before, bool moved);

/* The values (count), and the lags where wanted (count, or NULL), at the author's variables y. */
void delays_look(delays *d, double t, const double *y, double *value, double *lag);

/* The derivatives of the values (count) there, with derivatives yp of the variables; NAN where none
 * is wanted, or one is not known. */
void delays_look_at_rates(delays *d, double t, const double *y, const double *yp, double *rate);

/* Begins a run with the author's variables y. DAE_NO_MEMORY. */
dae_status delays_start(delays *d, double t, const double *y);

/* Takes the values just after the start, where an event has changed them. */
dae_status delays_settle_start(delays *d, double t, const double *y);

/* delayed_points.c: times closer than this are one. */
double delays_resolution(double t, double lag);

/* Moves the window of delay k on to the one that contains the delayed time. At a breaking point
 * that is the window after it. */
void delays_follow(delays *d, size_t k, double t, double lag);

/* The next known breaking point of the equations after t; infinite: there is none. */
double delays_next(const delays *d, double t);

/* The root functions (varying) at z: positive while the delayed time stays between breaking points.
 */
void delays_roots(delays *d, double t, const double *z, double *value);

/* Append, with commas, the delays whose known breaking points are at t. */
void delays_name_due(const delays *d, double t, text *to);
const char *delays_root_name(const delays *d, size_t root);

/* At an event at t, whose state has author's variables y: the past ends there; and from now on what
 * is delayed is read after the breaking points that are passed. crossed (varying): roots that are
 * crossed. */
void delays_pass(delays *d, double t, const double *y, const signed char *crossed);

/* After the event, with y and yp: marks the breaking points that it makes. The graph of the present
 * modes and cells, and those before it; `moved`: states have been reinitialised. DAE_NO_MEMORY;
 * DAE_UNSUPPORTED: x of a transport jumps (reported). */
dae_status delays_mark(delays *d, double t, const double *y, const double *yp, const sym_graph *g,
                       const unsigned char *mode_before, const double *cell_before, bool moved,
                       message *to);

/* Whether delay k has a root function. */
bool delays_has_root(const delays *d, size_t k);

/* Adds a step, or a part of one, to the past by values and derivatives at its nodes (nodes x 2
 * count). DAE_NO_MEMORY. */
dae_status delays_add(delays *d, double t, double h, size_t nodes, const double *value);

/* After a whole step from `begin` on has been added: forgets what is not needed any more. */
void delays_end_step(delays *d, double begin);

/* Append "the lag of delay(x, L, 2) is 3, ...", where a failed assertion was that of its bounds, at
 * author's variables y; false: it was none of these. */
bool delays_report_lag(delays *d, size_t assertion, double t, const double *y, text *to);

/* A delay of what has an impulse, by the entries of z (p->size) that have one; NULL: there is none.
 * DAE_NO_MEMORY. */
dae_status delays_find_impulse(const formulation *f, const bool *has, const sym_delay **found);

/* Takes values at the nodes of the step at work (nodes x 2 count) for those that it will find.
 * DAE_NO_MEMORY. */
dae_status delays_suppose(delays *d, double t, double h, size_t nodes, const double *value);

/* Forgets them. */
void delays_forget_supposed(delays *d);

/* The values after the end of the past that is known (2 count). */
const double *delays_behind(const delays *d);

/* Where the past ends that is known. */
double delays_known(const delays *d);

/* Whether what delay k reads is still being kept, in a window. */
bool delays_reads_open(const delays *d, size_t k, past_window *w);

void delays_state(delays *d, state_visit *s);
void delays_free(delays *d);

#endif
