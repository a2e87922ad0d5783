/* Which method a run is made with, where its author leaves that to daedal: from what the problem is
 * at the start, and from what the run shows of it. */
#ifndef SOLVE_CHOICE_H
#define SOLVE_CHOICE_H

#include "base/text.h"
#include "solve/method_trial.h"
#include "stepping/stiffness.h"

typedef struct method_selection {
    bool automatic;
    const char *name;   /* of the method at work; NULL before there is one */
    const char *next;   /* to go on with, before the next step; NULL: the same */
    method_trial trial; /* the arm at work, and what others would do */
    bool suspect;       /* damped eigenvalues were seen at the start */
    stiffness stiffness;
    double *weight; /* n */
    workspace space;
    size_t stiff, calm; /* steps, or looks, in a row */
    size_t bound;       /* steps of an explicit method that stability may have bound */
    double longest;     /* step of this run */
    double begun;       /* the problem's work before this run */
    bool started;       /* there was a run before, ... */
    double start;       /* ... or is one, from this time on */
    bool behind;        /* this run continues an earlier one, which may have ended at a jump of the
                           input, or its steps have crept */
    bool failed;        /* a method has stopped, and another one went on */
    unsigned tried;     /* of those that go on after a failure: bits, since the run came on */
    size_t since_failure; /* steps since then */
} method_selection;

/* What is known when the choice is made. */
typedef struct method_view {
    problem *problem;
    double t, rtol, atol;
    const double *y, *atols; /* problem->n; atols NULL: atol for all */
    bool fixed_step;
    bool solves_yp; /* simulation.h */
    bool switches;  /* in the equations, at instants that are not located */
} method_view;

/* The method to begin with, and why: appended to `reasons`. DAE_NO_MEMORY. */
dae_status method_selection_begin(method_selection *c, const method_view *v, text *reasons);

/* After an accepted step of length h, of which the engine saw so much stiffness (engine.h): fills
 * c->next where another method suits better, and says why. */
void method_selection_watch(method_selection *c, const method_view *v, double h, double shown,
                            text *reasons);

/* The first step of the method that is to go on after one of length h; 0: it is to be found. */
double method_selection_first_step(const method_selection *c, double h);

/* The method at work has stopped: another one is to go on, c->next, the most robust first. False
 * where each has been tried since the run last came on. */
bool method_selection_after_failure(method_selection *c, const method_view *v, text *reasons);

/* After that, where the run goes back to an earlier point: from there each may be tried again. */
void method_selection_go_back(method_selection *c, const method_view *v, text *reasons);

void method_selection_free(method_selection *c);

#endif
