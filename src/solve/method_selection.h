/* Chooses the method of a run where the author leaves it to daedal, from properties of the problem
 * at the start and from what the run shows. */
#ifndef SOLVE_CHOICE_H
#define SOLVE_CHOICE_H

#include "base/text.h"
#include "solve/method_trial.h"
#include "stepping/stiffness.h"

typedef struct method_selection {
    bool automatic;
    const char *name;   /* the method at work; NULL before there is one */
    const char *next;   /* the method to change to before the next step; NULL: no change */
    method_trial trial; /* the arm at work, and how others compare */
    bool suspect;       /* damped eigenvalues were seen at the start */
    stiffness stiffness;
    double *weight; /* n */
    workspace space;
    size_t stiff, calm; /* consecutive steps (stiff) or looks (calm) */
    size_t bound;       /* steps of an explicit method that stability may have bound */
    double longest;     /* longest step of this run */
    double begun;       /* the problem's work before this run */
    bool started;       /* a run has begun, */
    double start;       /* at this time */
    bool behind;        /* this run continues an earlier one, which may have ended at a jump of the
                           input, or its steps have crept */
    bool failed;        /* a method has stopped, and another one continued */
    unsigned tried;     /* methods tried after a failure, as bits, since the run last advanced */
    size_t since_failure; /* steps since the last failure */
} method_selection;

/* What is known when the choice is made. */
typedef struct method_view {
    problem *problem;
    double t, rtol, atol;
    const double *y, *atols; /* problem->n; atols NULL: atol for all */
    bool fixed_step;
    bool solves_yp; /* simulation.h */
    bool switches;  /* relations in the equations switch, at instants that are not located */
} method_view;

/* Chooses the method to begin with; why is appended to `reasons`. DAE_NO_MEMORY. */
dae_status method_selection_begin(method_selection *c, const method_view *v, text *reasons);

/* After an accepted step of length h, for which the engine measured this stiffness (`shown`,
 * engine.h). Fills c->next where another method suits better, and appends why. */
void method_selection_watch(method_selection *c, const method_view *v, double h, double shown,
                            text *reasons);

/* The first step of the method that continues after one of length h; 0: the method finds it. */
double method_selection_first_step(const method_selection *c, double h);

/* After the method at work has stopped: sets c->next to another one, the most robust first. False
 * where each has been tried since the run last advanced. */
bool method_selection_after_failure(method_selection *c, const method_view *v, text *reasons);

/* After that, where the run goes back to an earlier point: all methods may be tried again from
 * there. */
void method_selection_go_back(method_selection *c, const method_view *v, text *reasons);

void method_selection_free(method_selection *c);

#endif
