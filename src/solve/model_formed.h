/* The formulations of a run.
 *
 * The start makes formulation 0. Others follow where equations are formed anew (model_anew.c) or
 * where a mode needs its own (model_modes.c). One is present: the simulation itself. The others are
 * copies of the simulation as it was with them, and evaluate their segments into the same arrays of
 * values. Those of modes are given up where they take too much memory, and are made again when they
 * are needed: their number stands for them in segments of a trajectory. */
#ifndef SOLVE_MODEL_FORMED_H
#define SOLVE_MODEL_FORMED_H

#include "solve/model_simulation.h"

/* Formulations of modes may take so much memory, in bytes, where there are more than a few. */
enum { MODEL_MOST_HELD = 256 * 1024 * 1024 };

/* Room for modes; those that the switching and the graph of the present formulation have, with the
 * windows of delays; and both. DAE_NO_MEMORY. */
dae_status model_modes_make(const model_simulation *m, model_modes *to);
void model_modes_take_present(const model_simulation *m, model_modes *to);
dae_status model_modes_note(const model_simulation *m, model_modes *to);
void model_modes_free(model_modes *modes);

/* Gives a graph these modes of relations and values of cells, and takes those that it had. */
void model_modes_swap(model_modes *modes, sym_graph *g);

/* A formulation other than the present one; made again if it was given up. NULL: memory is
 * exhausted. `trims`: others may be given up for it, because nothing points to them. */
model_simulation *model_formed_at(model_simulation *m, size_t number, bool trims);

/* The memory that formulations of modes may take together, unless they are no more than a few:
 * gives up those that were not used for longest. */
void model_formed_trim(model_simulation *m);

/* At an event, before its modes are sought. */
void model_formed_begin_event(model_simulation *m);

/* Parts of making another formulation, when the present one has been copied to `last`: begin; keep
 * that one, after which the new one has its number (false: memory is exhausted); or make the
 * simulation what it was. `modes`: of a formulation of one mode, which takes them over, with the z
 * that it was made with; otherwise NULL. */
void model_formed_leave(model_simulation *m);
bool model_formed_keep(model_simulation *m, const model_simulation *last, model_modes *modes);
void model_formed_go_back(model_simulation *m, model_simulation *last);

/* Makes a formulation of one mode: of these equations alone, with levels and projection. False:
 * they do not determine the variables, or memory is exhausted. */
bool model_formed_make(model_simulation *m, const model_modes *modes);

/* Makes a formulation that was kept the present one; its state is to follow. DAE_NO_MEMORY. */
dae_status model_formed_enter(model_simulation *m, size_t number);

/* The number of the formulation whose relations and root functions these are. */
size_t model_formed_number(const model_simulation *m, const switching *s);

/* model_equal.c: finds the relations whose sides the present equations hold equal, by states that
 * meet them around z at t. DAE_NO_MEMORY, DAE_STOPPED. */
dae_status model_equal_find(model_simulation *m, double t, const double *z);

/* model_modes.c: whether the system Jacobian of the present formulation is regular at z. */
bool model_modes_are_regular(model_simulation *m, double t, const double *z);

/* model_modes.c: puts the state z of `last` into m->z_out of a formulation that was made for other
 * modes; and whether there is a state after the event, near m->z_out, that meets its equations and
 * whose derivatives they determine. */
void model_modes_carry(model_simulation *m, const model_simulation *last, double t,
                       const double *z);
bool model_modes_serve(model_simulation *m, double t, message *told);

/* model_mode_forms.c: for equations of one mode whose structure misleads: makes m->formulation one
 * of combinations of them, or of a larger system, with the state z of `last` in m->z_out. False:
 * there is none with which that state goes on. */
bool model_modes_combine(model_simulation *m, const model_simulation *last, double t,
                         const double *z, model_modes *modes, message *told);

/* model_mode_forms.c: the same with a start, for the present modes. */
bool model_modes_start_combined(model_simulation *m, double t, message *told);

/* model_modes.c: forgets the modes that were visited; their state. */
void model_modes_forget(model_simulation *m);
void model_modes_state(model_simulation *m, state_visit *s);

/* What an attempt to find a formulation of new modes depends on: the modes, all numbers of the
 * system, and the state before them. */
typedef struct model_attempt {
    unsigned char *data; /* owned */
    size_t bytes;
} model_attempt;

/* model_failures.c: notes the attempt from the state z at t (DAE_NO_MEMORY), where `key` stands for
 * modes. */
dae_status model_attempt_note(const model_simulation *m, double t, const double *z,
                              const unsigned char *key, size_t key_bytes, model_attempt *to);
void model_attempt_free(model_attempt *a);

/* model_failures.c: whether the attempt has failed at this event, with its message; keeps one that
 * has failed, and takes it over; forgets all, as each event does. */
bool model_failures_find(const model_simulation *m, const model_attempt *a, message *to);
void model_failures_keep(model_simulation *m, model_attempt *a, const message *why);
void model_failures_forget(model_simulation *m);

/* Frees what the present formulation has outside the arena of the model. */
void model_formed_free_present(model_simulation *m);

/* Frees all others; the present one becomes number 0. */
void model_formed_forget(model_simulation *m);

/* formed() of simulation_ops, and the state of each formulation. */
bool model_simulation_formed(simulation *c, state_visit *s);
void model_formed_state(const model_simulation *m, state_visit *s);

#endif
