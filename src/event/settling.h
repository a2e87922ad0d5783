/* What the parts of settling an event share. */
#ifndef EVENT_SETTLING_H
#define EVENT_SETTLING_H

#include "event/switching.h"

/* What settles an event. */
typedef struct settling {
    switching *s;
    double t, *z;
    switching_resolve resolve;
    switching_verify verify; /* after the first round of the first rounds; NULL: nothing is */
    void *self;
    message *m;
    switching_result *result;
    double accumulates; /* in this time events accumulate; 0: they do not */
    double nears;       /* in this time if their gaps go on to shrink; 0: they do not */
    bool jumped;        /* states have been moved at the event */
    double blur;        /* the error of its instant, by the relations that were crossed */
    message tried;      /* of the equations in the modes tried last */
    size_t begun;       /* attempts before the present search for modes */
    switching *from_s;  /* where the search for modes begins: each trial starts there, with ... */
    double *from_z;     /* ... what is in from_s->before */
    size_t unsettled;   /* solutions in a row after which Real definitions have changed */
    const sym_discrete *open; /* one whose definition and the equations give it no value */
    size_t part;    /* modes are sought for this part of the model alone, while those of others
                       stay; SETTLING_ALL: for all parts */
    bool leniently; /* the present search has found a part's modes up to errors of the state */
} settling;

enum { SETTLING_ALL = 0 };

/* Whether modes of relation k are sought. What follows from time alone belongs to all parts. */
static inline bool settling_seeks(const settling *e, size_t k)
{
    size_t part = e->s->modes->relation[k].part;
    return e->part == SETTLING_ALL || part == SWITCHING_NO_PART || part + 1 == e->part;
}

/* Gives relation k a mode. */
void settling_hold(switching *s, size_t k, bool is);

/* at_zero.c: whether relation k has a value that its mode excludes, by the last switching_look().
 * at_zero: a value of exactly 0 counts as it stands. */
bool settling_contradicts(const switching *s, size_t k, bool at_zero);

/* Whether relation k is 0 but for rounding, by the last switching_look(); and whether it is so, or
 * has been located there. */
bool settling_is_rounding(const switching *s, size_t k);
bool settling_is_at_surface(const switching *s, size_t k);

/* discrete_factor.c: finds the discrete factors of relations, under the protection of `a`. Whether
 * that of relation k is 0, or has another sign than where its mode was found: *is becomes its mode,
 * in which left - right counts as 0 if it is no more than rounding. By the last switching_look().
 * And takes the modes as found with the present factors. */
void settling_compile_factors(switching *s, arena *a, sym_graph *g);
bool settling_has_other_factor(const switching *s, size_t k, bool *is);
void settling_take_factors(switching *s);

/* surfaces.c: finds which relations have one surface; in the formulation of all modes, under the
 * protection of its arena. */
void settling_find_surfaces(const switching *s, arena *a, sym_graph *g);

/* parts.c: the same for the parts of the model that nothing links at an instant. */
void settling_find_parts(const switching *s, arena *a, sym_graph *g);

/* The same for the relations at which nothing switches, but equations bend. */
void settling_find_kinks(const switching *s, arena *a, sym_graph *g);

/* The same for the discrete variables that keep count of a relation. */
void settling_find_memories(const switching *s, arena *a, sym_graph *g);

/* Notes that such a variable waits for a relation along which the solution has begun to slide. */
void settling_note_memories(settling *e);

/* Gives the relations of a surface (its first one) the modes that they have where that one is true,
 * or false. They are crossed at this event. */
void settling_hold_side(switching *s, size_t surface, bool is);

/* Appends relations as their author wrote them, with commas and an "and". */
void settling_name(const settling *e, size_t count, const size_t *which, text *t);

/* What may help where the motion along such relations is not determined. */
const char *settling_remedy(const settling *e, size_t count, const size_t *which);

/* search.c: finds modes and values that belong together, for the present values of the states.
 * Statuses of `resolve`; DAE_EVENT with a message if there are none. */
dae_status settling_find_modes(settling *e);

/* The same after it has found none: relations that turn with the solution in the modes before, and
 * from which actions or discrete variables follow, keep that mode. */
dae_status settling_find_with_risen(settling *e);

/* Modes can be tried one after the other: begins with the present state; goes back to it, modes
 * stay; tells whether the modes are those of the solution in them. Only DAE_STOPPED and
 * DAE_NO_MEMORY are statuses of that. */
void settling_begin_search(settling *e);
void settling_search_again(settling *e);
dae_status settling_try_modes(settling *e, bool *found);

/* rounds.c: goes through the rounds of an event; gives pre() of continuous variables their values
 * at z; gives values before those that discrete variables have now, and returns whether one has
 * changed, *seen (or NULL): one that equations contain; and forgets what reinit() has replaced. */
dae_status settling_run_rounds(settling *e);
void settling_keep_left(switching *s, double t, const double *z);
bool settling_keep_values(switching *s, bool *seen);
void settling_forget_unset(const switching *s);

/* sliding.c: decides anew whether a sliding motion goes on. Values are to be found after that. */
dae_status settling_review_sliding(settling *e);

/* Where events accumulate: whether the solution slides from there on along the surfaces of these
 * relations (part: relations), so many at least, as at the end of a spiral. Otherwise all is as
 * before, but values are to be found. */
dae_status settling_slide_together(settling *e, const bool *part, size_t least, bool *found);

/* second_order.c: whether the solution slides from the event on along the surface that it has
 * crossed, as flights to and fro over it come to rest. Otherwise all is as before. */
dae_status settling_slide_with_second_order(settling *e, bool *slides);

/* sliding.c: leaves such surfaces before a reinit(), which may give their states a rate, and
 * returns whether there are any. What does not lead away from them is found again. Modes are to be
 * found after it. */
bool settling_leave_second_order(switching *s);

/* The same after a reinit(): leaves the surfaces beside which that has set the state. */
void settling_leave_beside(settling *e);

/* ahead.c: before anything is done at an event: which relations stand at 0, and how well its
 * instant is known. By the last switching_look(). */
dae_status settling_look_before(settling *e);

/* Whether the rate of relation k, by which it leaves the side of its mode, is no more than
 * the rounding of time makes of 0, and the one after it leads to that side: at the instant at which
 * the current of a diode ends, the rate of its voltage is 0, and the second derivative decides. By
 * the last switching_look_at_rates(), which holds again after it. */
dae_status settling_look_ahead(settling *e, size_t k, bool *stays);

/* At the end of an event: notes the relations that leave 0 to the side of their modes by a rate
 * that is no more than that. */
dae_status settling_note_lingering(settling *e);

/* How far a look ahead goes, in time. */
double settling_way_ahead(const settling *e);

/* Moves a state by its derivatives. */
void settling_move(const prolongation *p, double *z, double step);

/* vertex.c: in the formulation of all modes, under the protection of its arena: finds the relations
 * of variables that their author differentiates. */
void settling_find_differentiated(const switching *s, arena *a, sym_graph *g);

/* Where several relations stand at 0 and rates do not tell how they leave it, finds the modes in
 * which the solution goes on. */
dae_status settling_leave_vertex(settling *e);

/* Whether the solution leaves the surface of relation k in the present modes to the side of its
 * mode, by the last switching_look_at_rates(). *done: it is known. */
dae_status settling_goes_on(settling *e, size_t k, bool *on, bool *done);

/* fold.c: where both modes of a relation lead back to its surface, goes on in other modes. */
dae_status settling_leave_fold(settling *e);

/* The same after no motion along its surface has been found either: fails if there are no other
 * modes, as where the solution chatters. */
dae_status settling_leave_chatter(settling *e, size_t k);

/* trials.c: keeps values, modes and cells; and goes back to them, those of this switching and its
 * state, with the values of relations there. */
void settling_keep(settling *e);
void settling_restore(settling *e, switching *s, double *z);

/* Keeps the cells before an event; and tells whether it has changed one in the equations. */
void settling_keep_cells(switching *s);
bool settling_has_switched(const settling *e);

/* Whether a trial from what was kept in s has taken back what was crossed at this event: not at
 * the surface that it tries (or SIZE_MAX), nor at those that the solution slides along or has left.
 * Of a surface, what was crossed in its part of the model. */
bool settling_takes_back(const settling *e, const switching *s, size_t surface);

/* Messages of a trial are not heard: what was told before is put aside, and comes back after it. A
 * note that the trial would have told once is still to be told. */
typedef struct settling_aside {
    message unheard, *heard;
    bool told_several;
} settling_aside;
void settling_hush(settling *e, settling_aside *a);
void settling_hear(settling *e, settling_aside *a);

/* How fast both sides of a surface lead away from it: that where its relation is false, and that
 * where it is true. NaN: it is not known. */
typedef struct settling_ways {
    double of[2], clear;  /* from this size on they are clearly not 0 */
    double bend[2], pull; /* the same of second derivatives */
    bool off;             /* the solution does not stand at the surface any more */
    bool back;            /* they are those of modes that take back what was crossed */
} settling_ways;

/* Whether the solution slides along a surface. */
static inline void settling_set_slides(switching_modes *m, size_t surface, bool slides)
{
    m->sliding += (size_t)slides - (size_t)m->relation[surface].slides;
    m->relation[surface].slides = slides;
}

/* shares.c: tries one side of a surface, on it or where the state is, while the solution slides
 * along others; all is then as it was before. Nothing is done yet of what conditions want done. */
dae_status settling_try_side(settling *e, size_t surface, bool is, bool on, settling_ways *w);

/* Tries both sides of a surface on it, or beside it where it has no values there. */
dae_status settling_look_at_sides(settling *e, size_t surface, settling_ways *w);

/* Counts the surfaces along which the solution slides in each part of the model. */
void settling_count_sliding(const switching_modes *m);

/* Of so many surfaces of a part all motions along some of them are tried; of more, each one is not
 * tried by itself. */
enum { SETTLING_FEW_SURFACES = 5 };

/* The same on them for all surfaces that are the only ones of their parts along which the solution
 * slides, but for those of second order, as far as they are known (relations). */
dae_status settling_look_at_only_ones(settling *e, settling_ways *way, bool *known);

/* The ways out of all surfaces along which the solution slides, of each while it goes on
 * to slide along the others (relations), as far as they are known (relations). All is then as it
 * was before. */
dae_status settling_look_at_shares(settling *e, settling_ways *way, bool *known);

/* rest.c: where events accumulate, goes on to the instant at which they do if all is at rest there:
 * e->result->rests. */
dae_status settling_find_rest(settling *e);

/* missed.c: at the end of an event, finds relations whose events are missed, which end the run:
 * e->result->blurred. Statuses of `resolve` that end all. */
dae_status settling_look_for_missed(settling *e);

/* The same while an event goes on, of relations for which something waits: the event of one has led
 * it back, and that of another, at the same instant, leads it on. By the last
 * switching_look_at_rates(). */
void settling_look_for_overrun(settling *e);

/* Relations that stand at 0 and leave it to the side that their mode excludes change at once, in an
 * event of their own: no step needs to show it. Where both sides lead back the solution slides. */
dae_status settling_leave_surfaces(settling *e);

/* told.c: at the end of an event: notes that an impulse leads through a relation and back. */
void settling_note_pierced(settling *e);

/* Notes that the solution may leave a surface to both sides; at the start, such surfaces. */
void settling_note_repelling(settling *e, size_t surface);
dae_status settling_note_repelling_starts(settling *e);

/* At the start: keeps the conditions that are true there, and notes what is compared by =
 * and changes between events. */
void settling_look_at_start(switching *s, message *m);

#endif
