/* The equations of a C program in one normal form, copied from the author's form.
 *
 * All five forms are F(t, y, y') = 0. All but the residual form are M y' - f(t, y) = 0. M is
 * constant unless the mass form computes it. x and z of the semi-explicit form are the two parts of
 * y. Values that a callback lays out dense, banded or sparse are read through one pattern by
 * columns. */
#ifndef PROBLEM_EQUATIONS_H
#define PROBLEM_EQUATIONS_H

#include "base/message.h"
#include "base/stop_request.h"
#include "problem/author_matrix.h"

typedef enum equations_kind {
    EQUATIONS_RESIDUAL,
    EQUATIONS_MASS,
    EQUATIONS_SEMI_EXPLICIT,
    EQUATIONS_LINEAR,
    EQUATIONS_INVARIANT
} equations_kind;

typedef struct equations {
    equations_kind kind;
    const char *form_name; /* "residual", "mass", ... */
    size_t n;
    union { /* as the author filled it in; everything that it points to is copied, except callbacks
               and user */
        dae_residual_form residual;
        dae_mass_form mass;
        dae_semi_explicit_form semi_explicit;
        dae_linear_form linear;
        dae_invariant_form invariant;
    } form;
    author_matrix jacobian;      /* dF/dy of the residual form, else df/dy */
    author_matrix mass;          /* dF/dy' */
    const double *constant_mass; /* in the order of mass.pattern; NULL: it is not constant */
    const double
        *constant_jacobian; /* in the order of jacobian.pattern; NULL: it is not constant */
    size_t invariants;

    const char *name;            /* of the problem */
    const char *const *variable; /* n: names, given or by default */
    const char *const *equation; /* n: names; NULL: by number */
    const unsigned char *index;  /* n: as given, else 1 */
    const double *nominal;       /* n: as given, else 1 */
    bool detect_pattern;
    void *user;
    stop_request *stop; /* shared by all that call the callbacks */
} equations;

/* Check a form (a dae_residual_form, ... as `kind` says) and copy it into `a`. Returns DAE_USAGE,
 * with the sentence in `m` that names the wrong member, or DAE_NO_MEMORY. */
dae_status equations_create(const equations **created, arena *a, equations_kind kind,
                            const void *form, message *m);

/* For equations whose functions call those of other equations: both share one request to stop. */
void equations_share_stop(const equations *e, stop_request *stop);

/* DAE_NO_MEMORY with its sentence. For many equations the sentence asks for their pattern. */
dae_status equations_out_of_memory(size_t n, message *m);

/* Copy equations into another arena: a solver has its own and outlives its problem. */
dae_status equations_copy(const equations **copied, arena *a, const equations *e);

#endif
