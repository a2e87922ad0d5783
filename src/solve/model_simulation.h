/* The simulation of a model, whose equations a formulation provides. For solve/, and for analysis/
 * to examine. */
#ifndef SOLVE_MODEL_SIMULATION_H
#define SOLVE_MODEL_SIMULATION_H

#include "event/events.h"
#include "event/switching.h"
#include "formulation/from_model.h"
#include "solve/delays.h"
#include "solve/simulation.h"
#include "structure/local_index.h"
#include "symbolic/specialize.h"

/* Whether the options exclude, allow or require a mechanical system (mechanism_simulation.h). */
typedef enum mechanism_wish { MECHANISM_NO, MECHANISM_OPEN, MECHANISM_YES } mechanism_wish;

typedef struct model_divisors model_divisors;
typedef struct model_blocks model_blocks;
typedef struct model_pivots model_pivots;
typedef struct model_invariants model_invariants;
typedef struct model_homotopy model_homotopy;
typedef struct model_turned model_turned; /* of model_turned.c */

/* The equations as written, of all modes; and what selects branches in them. */
typedef struct model_whole {
    sym_system *system;
    const structure *own;
    sym_selectors selectors;
    model_invariants *invariants; /* NULL: there are none */
    bool usable;                  /* formulation 0 is theirs */
    formulation_choice choice;    /* with which the start was sought, and each mode is formulated */
} model_whole;

/* The equations of the present modes as they are written: of all modes, or of one alone. An
 * embedding (model_embedded.c) is of these. */
typedef struct model_written {
    sym_system *system;
    const structure *own;
    model_turned *turned; /* what a jump would change in these; NULL: it was not asked */
} model_written;

/* The modes of all relations and the values of all cells. */
typedef struct model_modes {
    unsigned char *mode;   /* relations */
    double *cell;          /* cells */
    past_window *window;   /* of delays */
    unsigned char *slides; /* relations: whether it is the first one of a surface along which the
                              solution slides */
    formulation_choice choice; /* of a formulation of these modes alone */
    size_t size;               /* of an array: of z, ... */
    double *made, t; /* ... which, with the time, tells it what has a higher index; owned */
    double *from; /* of combinations: 1 + 2 n, as in the simulation; owned; NULL: there are none */
    double time_unit; /* of these */
    bool embeds;      /* the equations of the modes are embedded: it is not made again */
} model_modes;

/* A mode that was visited. */
typedef struct model_visit {
    unsigned char *key; /* the modes of selecting relations, the values of selecting cells, and the
                           surfaces along which the solution slides */
    size_t number;      /* of its formulation */
} model_visit;

typedef struct model_formed model_formed;
typedef struct model_failures model_failures; /* attempts of an event (model_failures.c) */

typedef struct model_simulation model_simulation;

/* How events know the state of the equations as they are integrated. z and y, y' are states of
 * m->formulation and of the engine. Statuses are those of event_source_ops. */
typedef struct model_events_way {
    /* z at a point of the engine within the last step, not projected. */
    dae_status (*state)(model_simulation *m, double t, const double *y, const double *yp,
                        double *z);

    /* z at an event, brought to the equations before it. */
    dae_status (*before)(model_simulation *m, double t, const double *y, const double *yp,
                         double *z);

    switching_resolve resolve; /* whose self is the model_simulation */

    /* y and y' after an event, where the state is m->z; has m->formulation been `replaced`, those
     * of the simulation. */
    dae_status (*settle)(model_simulation *m, double t, bool replaced, double *y, double *yp);

    /* The failure of an event, after its message. NULL: it is this one. */
    dae_status (*fail)(model_simulation *m, double t, dae_status status);
} model_events_way;

struct model_simulation {
    simulation base;
    arena memory;           /* holds model, formulation and arrays */
    arena *home, *own_home; /* of the present formulation: that, or one of its own (model_formed.c),
                               which it owns; NULL: it has none */
    sym_system *system;     /* of the present formulation */
    const structure *own;   /* NULL where the equations are structurally wrong */
    model_written written;  /* without an embedding */
    formulation *formulation;
    size_t room;  /* of base.value and what else has a member for each unknown: n, and those of
                     sliding motions and embeddings */
    double *from; /* 1 + 2 n: what it was formed anew from, the time and the author's variables and
                     derivatives; owned; NULL: formed at the start */

    struct {
        message told;             /* its notes, until the formulation is chosen */
        double *value, *value_yp; /* n each: what it has found where the structure misleads */
        local_rank rank;          /* of the system Jacobian there ... */
        bool misleads;            /* ... and whether the structure misleads by it */
    } searched;                   /* by the search for the start */

    struct {
        size_t size; /* of z; 0: none is kept */
        formulation_choice choice;
        double *z, *cell;
        bool *mode; /* relations: start_modes */
        text redundancy;
    } whole_start; /* of the equations of all modes, to go back to without a search: owned */

    bool *open; /* of z: derivatives that the start has chosen; NULL before they were determined */
    double *z_marked;          /* z at the start where the equations determine it, NaN elsewhere */
    double *z, *z_out;         /* derivatives at the present time, and where output is evaluated */
    double *z_before;          /* z before the last projection */
    double *z_low, *z_high;    /* bounds of z in a part of a step; scratch */
    text start_event;          /* what changes in an event of time at the start */
    message unsettled;         /* why the start does not agree with the discrete variables, until
                                  the event of the start has found whether it does */
    bool takes_unsettled;      /* such a start is taken */
    double *near_cells;        /* cells: asks for their values where the first search without a
                                  start has come nearest to one; NULL: nobody asks */
    bool knows_near;           /* ... which are known */
    size_t alone;              /* the part of the start that is formulated alone, + 1; 0: all are */
    bool sought_elsewhere;     /* starts in single modes have been sought */
    text *redundancy;          /* a note of redundant start conditions, until the modes are known */
    bool *start_modes;         /* relations: whether they hold where these were compared */
    text misleads;             /* how the structure misleads, empty where it does not */
    bool *warned;              /* for each assertion: its warning has been noted */
    bool smooth;               /* nothing in the equations switches or is piecewise */
    bool smooth_between;       /* ... but where relations do that are held between events */
    model_divisors *divisors;  /* of equations that do not switch, or NULL */
    model_blocks *blocks;      /* of the formulation, or NULL */
    model_blocks *held_blocks; /* those that switch between steps, or NULL */
    formulation_choice chosen; /* for the formulation made last, without a point */
    switching *switching;      /* of the formulation; NULL: nothing switches */
    model_invariants *invariants;  /* that the model declares; NULL: none */
    const delays_view *delayed;    /* how the formulation sees what is delayed; NULL: nothing is */
    projection *settles;           /* meets the equations after an event ... */
    struct start_laws *start_laws; /* made at a first start that needs them; owned */
    struct model_array *array;     /* ... and those of an array besides; NULL before they are met */
    event_source source;           /* of the events ... */
    const model_events_way *way;   /* ... and how they know the state */
    model_modes *earlier; /* earlier_count: modes and cells before each event; before the last
                             one alone, if no trajectory is kept */
    size_t earlier_count;
    model_pivots *pivots;   /* what combined equations divide by; NULL: nothing */
    model_formed *formed;   /* newest + 1: the formulations, by their numbers (model_formed.h);
                               NULL: there is one */
    size_t newest;          /* number of the formulation that was made last ... */
    size_t newest_before;   /* ... and of the last one before the present event */
    size_t number_before;   /* of the formulation before the present event */
    size_t held, most_held; /* bytes of formulations of modes that are not present, and how many
                               may stay */
    size_t uses;            /* counts how often one became present or was evaluated */
    switching_modes *modes; /* of the relations */
    model_whole whole;      /* the equations of all modes */
    model_visit *visit;     /* visits: the modes that were visited, the last one first */
    size_t visits;
    model_failures *failures; /* modes that the present event has tried in vain; NULL: none */
    bool converts;            /* combinations serve at the start */
    formulation_choice converted_by; /* at the start, without the point; and its unit of time */
    double time_unit;
    double formed_at;         /* the time of the last attempt to form equations anew */
    size_t formed_anew;       /* how many were */
    model_homotopy *homotopy; /* model_homotopy.h; NULL: nothing is led to the start */
    mechanism_wish wish;
    bool looked; /* a mechanism was searched */
    struct mechanism_simulation
        *mechanism; /* mechanism_simulation.h; NULL: not searched, or none */
};

/* Creates the simulation of a model, which is flattened once more. NULL only when memory is
 * exhausted. After other failures the simulation exists and the solver has the message. */
simulation *model_simulation_create(const dae_problem *source, const simulation_solver *solver);

/* The same of the model with homotopy() led by a cell (model_homotopy.h), for its start alone. */
simulation *model_simulation_create_led(const dae_problem *source, const simulation_solver *solver);

/* The model's simulation after `c`; NULL for a simulation of another kind. */
model_simulation *model_simulation_of(simulation *c);

/* model_start.c: start() of simulation_ops. */
extern const start_stages model_simulation_stages;

/* start_derivatives.c: computes the author's variables at the start, where derivatives that nothing
 * determines are NaN. Later, derivatives are those of the solution that is followed. */
dae_status model_simulation_lift_start(model_simulation *m, double t);

/* model_simulation.c: members of simulation_ops for a model, whatever is integrated. */
long model_simulation_missing(const simulation *c);
bool model_simulation_warns(simulation *c, double t);
bool model_simulation_holds(simulation *c, double t);
size_t model_simulation_margins(simulation *c, double **room);
void model_simulation_take_margins(simulation *c, double t, double *value);
dae_status model_simulation_check(simulation *c, double t);
void model_simulation_blame_values(simulation *c, text *t);
void model_simulation_free(simulation *c);

/* model_simulation.c: for an evaluation of which the rates are asked, those at z of the formulation
 * that has evaluated, m's own or one of another mode. DAE_NO_MEMORY. */
dae_status model_simulation_rate(model_simulation *m, const model_simulation *then, double t,
                                 const double *z);

/* model_simulation.c: append that an equation has no value. Appends the equation as well if it
 * gives an explicit variable at the point that was lifted last; false otherwise. */
bool model_simulation_blame(model_simulation *m, text *t);

/* model_blocks.c: the varying blocks of the system Jacobian of the formulation reduced to index 1
 * that do not switch, or those whose branches are held within steps, in the arena of the system,
 * under its protection, and their number; their members of simulation_ops. */
model_blocks *model_blocks_find(const formulation *f, bool held, size_t *count);
void model_blocks_evaluate(simulation *c, double t, const double *y, const double *yp,
                           double *found);
bool model_blocks_turn(simulation *c, const engine_point *at, turning_question question);
void model_blocks_state(model_blocks *b, state_visit *s);
bool model_blocks_nonlinear(const simulation *c, size_t which);
size_t model_blocks_variables(simulation *c, const engine_point *at, size_t which, double *value);
double model_blocks_moved(simulation *c, const engine_point *at, size_t which, const double *by);
void model_blocks_name(const simulation *c, size_t which, text *t);

/* model_divisors.c: the divisors of the equations whose sign may change, in `a` under its
 * protection and that of the graph's arena, and their number; their members of simulation_ops. A
 * divisor is written, or is the coefficient of the variable that an equation gives. own: the
 * structure, or NULL. Where not `smooth`, only divisors of equations that do not switch, made of
 * differentiated variables, because others may jump past 0. */
model_divisors *model_divisors_find(const sym_system *system, const structure *own, bool smooth,
                                    const dae_options *options, arena *a, size_t *count);
void model_divisors_evaluate(simulation *c, double t, const double *y, const double *yp,
                             double *divisor);
double model_divisors_size(simulation *c, double t, const double *y, const double *yp,
                           size_t which);
bool model_divisors_is_pole(simulation *c, const engine_point *from, const engine_point *to,
                            const engine_point *between, size_t which, double *pole);
double model_divisors_beyond(simulation *c, const engine_point *p, size_t which, double pole);
void model_divisors_name(const simulation *c, size_t which, text *t);

/* model_rank.c: fails with DAE_STRUCTURE where equations depend on each other whatever the
 * values; examined around these values of the unknowns. contradicts: only where they contradict
 * each other. */
dae_status model_simulation_depends(model_simulation *m, double t, const double *value,
                                    bool contradicts);

/* model_anew.c: the pivots that the combinations of a formulation divide by, in `a` under its
 * protection and that of the graph's arena; NULL: nothing divides. model_pivots_begin() takes their
 * values at m->z as the ones they begin with. */
model_pivots *model_pivots_find(const formulation *f, arena *a);
void model_pivots_begin(model_simulation *m, double t);
void model_pivots_state(model_pivots *p, state_visit *s);

/* model_anew.c: pivot_left() of simulation_ops. */
double model_pivots_left(simulation *c, double t, const double *y, const double *yp);

/* model_anew.c: guess the state in the present formulation from z_last and the author's values (n
 * each) in another one, with higher derivatives as far as they were known there; and carry counts
 * and measured violations over. */
void model_simulation_guess(const model_simulation *m, const model_simulation *last,
                            const double *z_last, const double *value, const double *value_yp,
                            double *guess);
void model_simulation_carry_measures(model_simulation *m, const model_simulation *last);

/* model_anew.c: form_anew() of simulation_ops; and forms equations as another simulation has
 * formed them, from m->from. */
dae_status model_simulation_form_anew(simulation *c, double t, const double *y, const double *yp,
                                      bool doubt, bool *formed);
bool model_simulation_convert_again(model_simulation *m);

/* model_formulate.c: makes a formulation of m->system, in place of the present one; or one by the
 * choice that was made last; or one with combinations by pivots that suit these values (n each;
 * false: there are none). */
dae_status model_simulation_formulate_as(model_simulation *m, const formulation_choice *choice);
dae_status model_simulation_formulate(model_simulation *m);
bool model_simulation_convert(model_simulation *m, double t, const double *value,
                              const double *value_yp);

/* model_formulate.c: tells how the equations are reduced, unless that was told already. */
void model_simulation_report_way(model_simulation *m);

/* model_formulate.c: what a formulation that has a state still needs: its blocks, and the
 * projection; both for one that is made during a run. */
dae_status model_simulation_find_blocks(model_simulation *m);
dae_status model_simulation_choose_projection(model_simulation *m);
bool model_simulation_finish_formed(model_simulation *m);

/* model_rank.c: the rank of the system Jacobian at m->z, and where it is singular also beside that.
 * If it is singular at one point, the start is the reason. If it is singular all around, or along
 * the solutions, the equations are (*misleads). m->z_out and m->z_before are lost. */
dae_status model_simulation_look_at_rank(model_simulation *m, double t, local_rank *here,
                                         bool *misleads);

/* Whether the system Jacobian is singular around m->z, but regular at the start values. */
bool model_simulation_is_flat(model_simulation *m, double t);

/* beyond_rounding.c: the Jacobian of a formulation's levels at z, with entries set to 0 that may be
 * all rounding, where z is exact up to so many digits. In a row that vanishes at an instant, or on
 * solutions, such an entry would seem to determine something. SOLVE_FOUND: what searches leave. */
#define SOLVE_FOUND 1e-9
dae_status solve_jacobian_beyond_rounding(const formulation *f, double t, const double *z,
                                          double digits, double *value);

/* model_rank.c: another solution near m->z, about `size` of all values and of the unit of time
 * away: its time and z. False: none was found. m->z_before is lost. */
bool model_simulation_go_beside(model_simulation *m, double t, double size, double *moved,
                                double *z);

/* model_embedded.c: for a structure that misleads: embeds the equations in larger systems until
 * the structure does not mislead, and finds their start and the values there (m->searched.value).
 * *count: of equations; 0: that has failed, and m->formulation is to be made again. DAE_STOPPED
 * with its message. */
dae_status model_simulation_embed(model_simulation *m, double t, size_t *count);

/* model_embedded.c: the same for a state during a run, that of `last` in base.value and
 * last->z_out. False: there is no such system, or it has the state elsewhere. */
bool model_simulation_embed_again(model_simulation *m, double t, const model_simulation *last);

/* model_embedded.c: gives the new unknowns of an embedding the values in a state z of another
 * formulation, whose variables these are, of what they stand for. */
void model_embedded_carry(const model_simulation *m, const model_simulation *last, const double *z,
                          double *value, double *value_yp);

/* model_embedded.c: whether the equations that others imply hold at z. */
bool model_embedded_implies(model_simulation *m, double t, const double *z);

/* model_continue.c: where equations are differentiated more often than needed, what looks like a
 * constraint may only be a rate that changes. Whether the equations can be met after an event while
 * all variables that the author differentiates keep their values in z. If so, z becomes that state,
 * the nearest in all other variables. */
bool model_settle_continue(model_simulation *m, double t, double *z);

/* model_continue.c: equations may have several solutions at an event. Where z has another value of
 * an algebraic variable than the state `before`, and a solution has all variables of that state, z
 * becomes that one, which differs in derivatives alone. */
void model_settle_stay(model_simulation *m, double t, const double *before, double *z);

/* model_continue.c: a state z with all variables of a state `guess` of the same formulation, up to
 * the tolerance of a start. False: there is none. */
bool model_settle_keep(model_simulation *m, double t, const double *guess, double *z);

/* model_continue.c: the values (of the author's unknowns) that these variables have in the state z,
 * which is the state before an event or after a jump; false: some are not known. */
bool model_settle_before(model_simulation *m, double t, const double *z, double *before);

/* model_continue.c: whether these variables have the same values at z as before an event (values of
 * the author's unknowns). */
bool model_settle_goes_on(model_simulation *m, double t, const double *before, const double *z);

/* model_continue.c: model_events_settle() in an embedded system, where no jump is determined. */
dae_status model_embedded_settle(model_simulation *m, double t, double *z, message *to);

/* model_embedded.c: how many unknowns a formulation of the system may have. */
size_t model_simulation_room(const sym_system *system);

/* model_lost.c: where hardly anything is left of an equation at the values evaluated last, names it
 * and the instant. */
bool model_simulation_report_lost(model_simulation *m, double t, text *to);

/* model_rank.c: whether the system Jacobian is regular there. */
bool model_simulation_is_regular(model_simulation *m, double t);

/* The same, where entries of the Jacobian that may be all rounding count as zero. */
bool model_simulation_is_regular_beyond_rounding(model_simulation *m, double t);

/* The same of a state during a run, which meets the equations as a search leaves it (SOLVE_FOUND):
 * what vanishes on solutions is not 0 there. */
bool model_simulation_is_regular_as_found(model_simulation *m, double t);

/* model_rank.c: z of a formulation that meets its equations near a guess of it, with nothing fixed
 * and no condition added; `keeps`: values change as little as possible. False: none is found. */
bool model_simulation_start_near(model_simulation *m, double t, const double *guess, bool keeps,
                                 double *z);

/* start_bounds.c: for the start in m->z with what was told of it: another one with which fewer
 * unknowns are outside the bounds that their author gives, if one is found, and what is told of it;
 * otherwise a note is added. DAE_STOPPED, DAE_NO_MEMORY. */
dae_status start_come_within(model_simulation *m, double t, message *told);

/* start_bounds.c: the entry of z that is an unknown, or another name of it (SIZE_MAX: it is none,
 * because its equation gives it); by how much a value is beyond a bound of it, below it negative; a
 * value within the bound that another one is beyond by `off`, farther within by a part of that; and
 * how many unknowns are outside at z, whose values m->base.value become. */
size_t start_bounds_entry(const formulation *f, uint32_t id);
double start_bounds_beyond(const sym_unknown *u, double value);
double start_bounds_within(const sym_unknown *u, double off, double part);
size_t start_bounds_outside(model_simulation *m, double t, const double *z);

/* settle_bounds.c: after an attempt to meet the equations at an event from `before`, with its
 * status and result in z: another solution with the same states, at which fewer unknowns are
 * outside the bounds that their author gives. Whether there is one, in z. */
bool settle_within_bounds(model_simulation *m, double t, const double *before, bool met, double *z);

/* start_turns.c: finds consistent values at t, into m->z, with messages in `collected`. */
dae_status model_simulation_find_start(model_simulation *m, double t, message *collected);

/* start_verify.c: in the event of the start, whether z (of the present formulation) keeps what is
 * fixed and meets the initial equations, where the search had not found values of the discrete
 * variables that agree, or the event has turned relations or changed values. DAE_NO_START with its
 * message. The first notes the start at m->z, the second is a switching_verify of it. */
void start_verify_begin(model_simulation *m, double t);
dae_status start_verify(void *self, double t, const double *z);

/* model_misleading.c: replaces a formulation of equations whose structure misleads near the
 * author's variables by their derivative array; false: its index is not found, or not wanted. And
 * finds the variables of higher index of such a formulation, at m->z. */
bool model_simulation_formulate_array(model_simulation *m, double t, const double *value,
                                      const double *value_yp, formulation_choice *chosen);
dae_status model_simulation_mark_hidden(model_simulation *m, double t, const double *z);

/* model_events.c: at the end of a start, with consistent values in m->z: holds the relations and
 * iterates the event of the start. The simulation has a source of events then. */
dae_status model_events_begin(model_simulation *m, double t, const model_events_way *way);

/* model_events.c: the way of a model's own formulations. */
extern const model_events_way model_events_own;

/* model_modes.c: makes the formulation of the present modes the present one. m->z_out becomes the
 * state in it, the same as z in the formulation of s, which need not be the present one. DAE_EVENT
 * with its message: there is none.
 */
dae_status model_modes_take(model_simulation *m, double t, const switching *s, double *z,
                            message *to);

/* model_start_modes.c: keeps the modes in which the start was found; once the run has its modes,
 * tells which start conditions are redundant in them. Those that are so in the modes of the search
 * alone may be needed. */
void model_start_modes_keep(model_simulation *m, double t);

/* model_start_modes.c: keeps the start of the equations of all modes that was found last, in m->z,
 * and forgets it. */
typedef struct start_laws start_laws;
void start_laws_free(start_laws *l); /* start_laws.c; NULL is fine */

void model_whole_start_keep(model_simulation *m);
void model_whole_start_forget(model_simulation *m);
void model_start_modes_tell(model_simulation *m);

/* model_start_modes.c: where the structure of all modes together misleads, takes the equations of
 * the modes at the values that were found for the start. *found: they do not mislead, and have a
 * start.
 */
dae_status model_modes_start(model_simulation *m, double t, bool *found);

/* The same where those of the modes mislead as well: with combinations of them, or embedded in a
 * larger system, near m->z, whose values are m->searched.value. */
dae_status model_modes_start_misled(model_simulation *m, double t, bool *found);

/* The same where the equations of all modes have no start with the values of the relations at the
 * guesses: *found, in m->searched as well. Otherwise the formulation is the one before. */
dae_status model_modes_start_elsewhere(model_simulation *m, double t, bool *found);

/* model_start_modes.c: goes back to the equations of all modes, before a start. */
void model_modes_reset(model_simulation *m);

/* model_settle.c: meets the equations of the present formulation at z after an event, as a
 * switching_resolve does. */
dae_status model_events_settle(model_simulation *m, double t, double *z, message *to);

/* model_settle.c: at the end of an event: brings a state that misses a constraint by more than a
 * tolerance, but by too little for a jump, to it, as the ends of steps are. Else the first step
 * would move by more than its error, however short it is. */
dae_status model_events_meet(model_simulation *m, double t, double *z);

/* model_settle.c: moves the variables of flat laws (symbolic/flat_laws.h) a little. */
void model_leave_flat(const model_simulation *m, double *z);

/* model_events.c: exchanges the modes and cells of a graph with those before event `number`. */
void model_modes_exchange(const model_simulation *m, sym_graph *g, size_t number);

/* model_invariants.c: the invariants of a system, NULL: none; the same ones for a copy of the
 * system in one of its modes; and their rows, expressions of the author's variables that are 0
 * where all have the values that are kept. Under the protection of the system's arena, as the next
 * one, which takes what it needs of a formulation. */
model_invariants *model_invariants_create(sym_system *system);
model_invariants *model_invariants_share(const model_invariants *v, sym_system *system);
const sym *model_invariants_rows(const model_invariants *v, size_t *count);
void model_invariants_fit(model_invariants *v, const formulation *f);

/* model_invariants.c: keeps their values at z, a consistent start. DAE_USAGE where one changes
 * along the solution there. */
dae_status model_invariants_begin(model_simulation *m, double t, const double *z);

/* model_invariants.c: an event, from the state before it to the one after: what it changes is kept
 * with its new value, if it is invariant there. */
void model_invariants_before(model_invariants *v, double t, const double *z);
void model_invariants_behind(model_simulation *m, double t, const double *z);

/* model_invariants.c: at a state that has been brought back to them: DAE_USAGE where one changes
 * along the solution; after an event it is not kept from then on. */
dae_status model_invariants_watch(model_simulation *m, double t, const double *z);

/* model_invariants.c: raise *worst to how far they are missed (problem/levels.h). */
void model_invariants_measure(model_invariants *v, double t, const double *z, double *worst);

/* model_events.c: counts the root functions of the present formulation. */
void model_events_count_roots(model_simulation *m);

/* model_events.c: begins delays from z (of the formulation) at t. */
dae_status model_delays_start(model_simulation *m, double t, const double *z);

/* model_events.c: the modes of relations, the values of discrete variables. */
void model_events_state(model_simulation *m, state_visit *s);

/* model_settle.c: creates the projection that meets the equations after events, if there is none;
 * its state. */
dae_status model_settles_need(model_simulation *m);
void model_settles_state(model_simulation *m, state_visit *s);

/* model_settle.c: says that after an event the equations have no solution near. */
dae_status model_settle_report(model_simulation *m, double t, dae_status status, message *to);

/* States after an event that miss a constraint by more than this part of its terms do not lie on
 * it. What they miss by less may be an error of the state, or a jump that is small, as the last
 * ones of a bouncing body. */
#define MODEL_SETTLE_OFF 1e-6

/* model_array.c: the state z becomes one after an event that meets the array. Statuses and
 * messages of model_events_settle(). */
typedef struct model_array model_array;
dae_status model_array_settle(model_simulation *m, double t, double *z, message *to);
void model_array_free(model_array *a); /* NULL is fine */

/* model_turned.c: fails with DAE_EVENT where the jump between two states, z, depends on its way.
 * For combinations and arrays, of which nothing else shows that. */
dae_status model_turned_look(model_simulation *m, double t, const double *before, const double *z,
                             message *to);

void model_events_free(model_simulation *m);

/* The differential index at the consistent start. */

typedef struct index_at_start {
    int index;          /* -1: not determined */
    const char *reason; /* how it was determined, or why not; static text */
    unsigned *variable; /* as many as the author's unknowns: the index of each, beside the start,
                           where no factor is zero by chance; NULL where not determined */
} index_at_start;

/* index_at_start.c: the index of equations whose system Jacobian is regular at the start. f has
 * been started, and its author's variables have been lifted there. Under the protection of the
 * system's arena. */
index_at_start solve_index_regular(const formulation *f);

/* The index of equations whose structure misleads, from the array of the equations as written,
 * differentiated up to `highest` times: near the author's variables and their derivatives; NULL:
 * near the start values. Under the protection of the system's arena. */
index_at_start solve_index_beyond_structure(const sym_system *system, const structure *own,
                                            double t, unsigned highest, const double *value,
                                            const double *yp);

/* model_simulation.c: append where equations as given hide constraints that another formulation
 * meets; false: they do not. */
bool model_simulation_report_hidden(const model_simulation *m, text *t);

/* model_simulation.c: from now on, use the model's own formulation. */
void model_simulation_follow_own(model_simulation *m);

/* model_simulation.c: for a start that was not found because a variable given by an equation has no
 * value at the start values: replaces the message in `reported` by one that says so. */
void model_simulation_blame_start(model_simulation *m, double t, message *reported);

#endif
