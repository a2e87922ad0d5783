/* A switched system as a model text and as a C program. */
#ifndef RANDOM_SWITCHED_FORMS_H
#define RANDOM_SWITCHED_FORMS_H

#include "random/switched_system.h"

#include <daedal/daedal.h>

/* How it is written. */
typedef struct sw_style {
    bool text;      /* else a C program */
    int fixed_mode; /* >= 0: a piece: this mode, whatever happens */
    bool discrete;  /* the mode is a discrete variable, and not a condition in each equation */
    bool branches;  /* if-equations, and not if-expressions */
    int variant;    /* 0 or 1: of alike constructs */
} sw_style;

/* What callbacks see; it must outlive the problem. */
typedef struct sw_program {
    const sw_system *s;
    sw_style how;
    int mode;
} sw_program;

/* The text, to be freed; v (total): values at the start. */
char *sw_text(const sw_system *s, const sw_style *how, const double *v);

/* A handle in either form; its unknowns are in the order of sw_values(). */
dae_problem *sw_problem(sw_program *p, const double *v);

#endif
