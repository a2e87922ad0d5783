/* The residual form of a prolonged system, as engines see it.
 *
 * One derivative of each equation is integrated. For each unknown x the engine's vector y holds x,
 * x', ..., x^(top-1), or only x where top is 0; x^(top) is the derivative of the last of these. The
 * rows y_k' = y_(k+1) between the equations have two entries each. pencil.h solves them separately.
 */
#ifndef FORMULATION_PROLONGED_FORM_H
#define FORMULATION_PROLONGED_FORM_H

#include "formulation/prolonged_start.h"
#include "problem/problem.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "symbolic/tape.h"

/* How one of the problem's matrices is filled: value[k] = jacobian_value[from[k]], k < nonzeros,
 * where from[k] is a place and not SPARSE_NOWHERE, the mark of a number. */
typedef struct prolonged_matrix {
    double *value;
    size_t nonzeros;
    uint32_t *from;
} prolonged_matrix;

typedef struct prolonged_given prolonged_given; /* of prolonged_given.c */

typedef struct prolonged_form {
    problem problem;   /* for the engine; its self is this struct, its form ... */
    problem_form form; /* ... this */
    const prolongation *p;
    const sym_system *system;
    const prolonged_names *names;
    const explicit_core *core;
    const uint32_t *top;    /* n: the derivative of each unknown that yp holds */
    const uint32_t *level;  /* n: how often each equation is differentiated */
    size_t *first;          /* n + 1: where each unknown begins in y */
    size_t *entry;          /* problem.n: the entry of z that each entry of y is */
    uint32_t *group;        /* problem.n: the unknown to which it belongs, and the equation */
    sym *row;               /* n: the equations */
    sym_tape *rows;         /* their values */
    sym_matrix *jacobian;   /* n x p->size: by all derivatives of all unknowns */
    double *jacobian_value; /* values as linearised last */
    sym_matrix *by_time;    /* n x 1: dF/dt */
    double *input;          /* time, then z */
    double *row_value;      /* n */
    double *beside;         /* 3 n: see prolonged_time.h */

    prolonged_matrix by_yp, by_y;
    prolonged_given *given; /* dF/dp and dF/du; NULL: nobody has asked for them */
    struct prolonged_leading
        *leading; /* prolonged_levels.h; NULL: not linear in highest derivatives */
    arena *memory;
} prolonged_form;

/* Make the form: equation i enters differentiated level[i] times. The sizes of derivatives are
 * scaled to the unit of time (prolonged_time.h). Lives in `a`, under its protection and that of the
 * graph's arena, except for its factorisations, which prolonged_form_free() frees. */
prolonged_form *prolonged_form_create(arena *a, const sym_system *system, const explicit_core *core,
                                      const prolonged_names *names, const prolongation *p,
                                      const uint32_t *level, const uint32_t *top, double time_unit);

/* prolonged_given.c: form->linearize_given, dF/dp and dF/du, which the first call forms. dF/dp has
 * columns only where the form's graph keeps its traced numbers (traced.h); parameters whose value
 * was needed to form the equations have none. Takes its memory from the form's arena. */
dae_status prolonged_given_linearize(void *form, double t, const double *y, const double *yp,
                                     problem_given *given);

/* Copy the entries of z that y and yp hold into z (p->size), and back. */
void prolonged_form_gather(const prolonged_form *f, const double *y, const double *yp, double *z);
void prolonged_form_scatter(const prolonged_form *f, const double *z, double *y, double *yp);

void prolonged_form_free(prolonged_form *f); /* NULL is fine */

#endif
