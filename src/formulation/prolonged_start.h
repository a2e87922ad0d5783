/* The system that determines consistent initial values of a prolonged system.
 *
 * Its vector z holds all derivatives of the remaining unknowns, then those explicit variables to
 * which the author gave a start value of their own. Its rows are all equations of the prolongation,
 * the definitions of those variables, and the initial equations. */
#ifndef FORMULATION_PROLONGED_START_H
#define FORMULATION_PROLONGED_START_H

#include "base/text.h"
#include "problem/start.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "symbolic/domain.h"
#include "symbolic/system.h"
#include "symbolic/tape.h"

/* The author's names for the derivatives of unknowns. */

typedef struct prolonged_names {
    const sym_system *system;
    uint32_t *derivative; /* unknowns: the author's name of its derivative (v = der(x)) as an id, or
                             its own id */
} prolonged_names;

/* Names in a system; lives in its arena, under its protection. */
prolonged_names *prolonged_names_create(const sym_system *system);

/* Replace the `order`-th derivative of `id` by the author's name for it: a variable and how often
 * it is differentiated. */
void prolonged_called(const prolonged_names *names, uint32_t *id, uint32_t *order);

/* Append the name of the `order`-th derivative of unknown `id`. */
void prolonged_name(const prolonged_names *names, uint32_t id, uint32_t order, text *t);

/* Append the name of entry `entry` of a prolongation's derivatives. */
void prolonged_name_entry(const prolonged_names *names, const prolongation *p, size_t entry,
                          text *t);

/* Append an expression in the author's names. */
void prolonged_print(const prolonged_names *names, sym f, text *t);

/* The same of a side of a relation: in brackets where it needs them there. */
void prolonged_print_side(const prolonged_names *names, sym f, text *t);

/* Append what sym_report_breakdown() says, in the author's names. */
void prolonged_report_breakdown(const prolonged_names *names, const sym_breakdown *b, text *t);

typedef struct prolonged_start {
    start_system start;
    const sym_system *system;
    const explicit_core *core;
    const prolonged_names *names;
    const prolongation *p;
    size_t extras;      /* explicit variables in z */
    uint32_t *extra;    /* their ids */
    size_t *extra_slot; /* id -> place in the input of tapes; 0: none */
    uint32_t *lender; /* entries: 1 + the explicit variable whose start value they take; 0: none */
    sym_tape *rows;
    sym_matrix *jacobian;
    double *input;
    double time_unit;      /* prolonged_time.h */
    struct author *author; /* of assertions, with ... */
    double *lifted;        /* ... the author's variables; NULL: nothing is asserted */
} prolonged_start;

/* Lives in `a`, under its protection and that of the graph's arena. initial: the system's initial
 * equations, rewritten in the core's unknowns. time_unit: the unit where it is known, as for
 * combinations of equations, whose coefficients may cancel. 0: find it from the equations. */
prolonged_start *prolonged_start_create(arena *a, const sym_system *system,
                                        const explicit_core *core, const prolonged_names *names,
                                        const prolongation *p, const sym *initial,
                                        double time_unit);

/* Messages about the rows of a start: the values of their variables, and the equations related to
 * them. */

/* The equation from which a row is made; *order becomes how often the row differentiates it. */
const sym_equation *prolonged_start_equation(const prolonged_start *s, size_t row, size_t *order);

/* See start_form. */
void prolonged_start_report_values(void *self, size_t row, double t, const double *z,
                                   text *reported);
void prolonged_start_report_beside(void *self, size_t count, const size_t *row, text *reported);

/* Evaluation of some rows alone: see start_form. */
void *prolonged_division_create(void *self, arena *a);
void *prolonged_division_part(void *divided, arena *a, const start_choice *c);
void prolonged_division_value(void *part, double t, const double *z, double *r);
void prolonged_division_jacobian(void *part, double t, const double *z, double *value);

#endif
