/* A random system in one of the forms in which daedal takes it: model text, or callbacks. */
#ifndef RANDOM_FORMS_H
#define RANDOM_FORMS_H

#include "random/condition.h"
#include "random/system.h"
#include "random/tape.h"

#include <daedal/daedal.h>

typedef enum random_form {
    FORM_TEXT,
    FORM_RESIDUAL,
    FORM_MASS,
    FORM_SEMI_EXPLICIT,
    FORM_LINEAR,
    FORM_INVARIANT,
    FORM_MECHANICAL,
    FORM_COUNT
} random_form;

extern const char *const form_names[FORM_COUNT];

/* The functions behind the callbacks, in the form's order of unknowns. */
typedef struct form_functions {
    int n, nx;
    tape a, a_slope, b, b_slope, c, c_slope, velocity,
        velocity_right; /* what these are, the form says */
    double y[SYSTEM_MOST];
    double nominal[SYSTEM_MOST];
    unsigned char level[SYSTEM_MOST];
} form_functions;

/* A system in a form: its unknowns in the form's order. */
typedef struct formed {
    dae_problem *problem;
    int n;
    expr solution[SYSTEM_MOST];
    double nominal[SYSTEM_MOST], effect[SYSTEM_MOST];
    bool free[SYSTEM_MOST], differential[SYSTEM_MOST];
    bool unique;               /* of the system */
    form_functions *functions; /* NULL: text */
} formed;

/* Which forms a system fits. `plain`: before it was put into another order. */
void forms_fit(random_system *s, bool fits[FORM_COUNT]);

typedef struct form_draw {
    bool slopes;   /* Jacobians are given */
    bool constant; /* so is a mass, where it is constant */
    bool levels;   /* so is the index of each unknown, where it is known */
    bool pattern;  /* zeros of Jacobians are to be found */
} form_draw;

/* The system as callbacks; `effect` and `free` are those of `s`. */
bool form_callbacks(random_system *s, random_form form, form_draw how, const double *effect,
                    const bool *free, formed *f);
void formed_close(formed *f);

#endif
