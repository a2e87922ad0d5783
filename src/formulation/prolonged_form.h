/* The residual form of a prolonged system, as engines see it.
 *
 * Of each equation one derivative is integrated, of each unknown x the engine's vector y holds x,
 * x', ..., x^(top-1) (x alone where top is 0), and x^(top) is the derivative of the last of them.
 * The rows y_k' = y_(k+1) in between have two entries each, which pencil.h solves by themselves. */
#ifndef FORMULATION_PROLONGED_FORM_H
#define FORMULATION_PROLONGED_FORM_H

#include "formulation/prolonged_names.h"
#include "problem/problem.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "symbolic/matrix.h"

/* How one of the problem's matrices is filled: value[where[k]] = jacobian_value[from[k]], k <
 * count. */
typedef struct prolonged_matrix {
    double *value;
    size_t count, *from, *where;
} prolonged_matrix;

typedef struct prolonged_form {
    problem problem;   /* for the engine; its self is this, and its form ... */
    problem_form form; /* ... this */
    const prolongation *p;
    const sym_system *system;
    const prolonged_names *names;
    const explicit_core *core;
    const uint32_t *top;   /* n: the derivative of each unknown that y' stands for */
    const uint32_t *level; /* n: how often each equation is differentiated */
    size_t *first;         /* n + 1: where each unknown begins in y */
    sym_tape *rows;        /* the n equations */
    double *rows_work;
    sym_entries entries;  /* n x p->size: by all derivatives of all unknowns ... */
    sym_matrix *jacobian; /* ... compiled */
    double *jacobian_work, *jacobian_value; /* its values as linearised last */
    sym_matrix *by_time;                    /* n x 1: dF/dt */
    double *by_time_work;
    double *input;     /* time, then z */
    double *row_value; /* n */
    double *beside;    /* 3 n: see prolonged_beside.h */

    prolonged_matrix by_yp, by_y;
    struct prolonged_leading
        *leading; /* prolonged_leading.h; NULL: not linear in highest derivatives */
    arena *memory;
} prolonged_form;

/* Sizes of derivatives are those in this unit of time (prolonged_time_unit.h), once. In the form's
 * arena, under its protection. */
void prolonged_form_use_time_unit(prolonged_form *f, double unit);

/* Make the form: equation i enters differentiated level[i] times. Lives in `a`, under its
 * protection and that of the graph's arena, but for its factorisations: prolonged_form_free(). */
prolonged_form *prolonged_form_create(arena *a, const sym_system *system, const explicit_core *core,
                                      const prolonged_names *names, const prolongation *p,
                                      const uint32_t *level, const uint32_t *top);

/* Entries of z that y and y' hold: into z (p->size), and back. */
void prolonged_form_gather(const prolonged_form *f, const double *y, const double *yp, double *z);
void prolonged_form_scatter(const prolonged_form *f, const double *z, double *y, double *yp);

void prolonged_form_free(prolonged_form *f); /* NULL is fine */

#endif
