/* The equations of a C program in one normal form, copied from the author's form.
 *
 * The five forms are F(t, y, y') = 0; the mechanical form has a room of its own (mechanical/). All
 * but the residual form are M y' - f(t, y) = 0. M is constant unless the mass form computes it. x
 * and z of the semi-explicit form are the two parts of y. Values that a callback lays out dense,
 * banded or sparse are read through one pattern by columns. */
#ifndef PROBLEM_EQUATIONS_H
#define PROBLEM_EQUATIONS_H

#include "base/arena.h"
#include "base/message.h"
#include "base/stop_request.h"
#include "linalg/sparse.h"

#include <daedal/forms.h>
#include <stdbool.h>

/* Matrices whose values an author lays out, read through one pattern by columns; and copies of the
 * other parts of a form. */

/* A matrix whose values the author lays out. */
typedef struct author_matrix {
    const sparse_pattern *pattern; /* where it may be nonzero */
    const size_t *place;           /* nonzeros: the place of each in the author's array ... */
    size_t length;                 /* ... which has this many values */
    bool dense;                    /* the author gave no zeros */
} author_matrix;

/* How many values an array in the layout of a pattern has. */
size_t author_matrix_length(const dae_pattern *p, size_t rows, size_t columns);

/* The layout of a sparse matrix with this pattern. In `a`, under its protection. */
dae_pattern author_pattern_of(arena *a, const sparse_pattern *p);

/* The places of all entries of a matrix in the layout of `p`. All in `a`, under its protection, as
 * below. */
author_matrix author_matrix_read(arena *a, const dae_pattern *p, size_t rows, size_t columns);

/* The nonzeros of a constant matrix, `from` in the author's layout; *value: their values in the
 * order of the pattern. */
author_matrix author_matrix_constant(arena *a, const dae_pattern *p, size_t rows, size_t columns,
                                     const double *from, const double **value);

/* n x n: a diagonal of ones for the first `ones` unknowns, no entries for the others. */
author_matrix author_matrix_identity(arena *a, size_t n, size_t ones, const double **value);

/* Copies; NULL remains NULL. */
const char *const *author_copy_names(arena *a, const char *const *from, size_t count);
void author_copy_pattern(arena *a, dae_pattern *p, size_t columns);
void author_copy_about(arena *a, dae_about *about, size_t n);

typedef enum equations_kind {
    EQUATIONS_RESIDUAL,
    EQUATIONS_MASS,
    EQUATIONS_SEMI_EXPLICIT,
    EQUATIONS_LINEAR,
    EQUATIONS_INVARIANT,
    EQUATIONS_KINDS
} equations_kind;

/* One of the author's functions: its name, and the pointer of the shape that it has. None: it is
 * not given. */
typedef struct form_call {
    const char *name;
    int (*of_t)(double t, double *out, void *user);
    int (*of_y)(double t, const double *y, double *out, void *user);
    int (*of_two)(double t, const double *y, const double *second, double *out, void *user);
    int (*of_both)(double t, const double *y, const double *yp, double *dy, double *dyp,
                   void *user);
} form_call;

static inline bool form_call_given(const form_call *f)
{
    return f->of_y || f->of_two || f->of_both || f->of_t;
}

/* A matrix of a form, with the names that its members have there. */
typedef struct given_matrix {
    const char *pattern_name;
    dae_pattern *pattern; /* NULL: there is no such matrix */
    const char *value_name;
    const double **value; /* NULL, or *value is NULL: it is not constant */
} given_matrix;

typedef struct equations equations;

/* What differs between the forms, in equations.c. A form's struct begins with its number of
 * unknowns. */
typedef struct equations_row {
    const char *name;   /* "residual", "mass", ... */
    size_t size, about; /* of the struct; the place of its dae_about */
    size_t algebraic;   /* the place of the number of further unknowns; 0: there is none */
    bool implicit;      /* F(t, y, y') = 0 is computed as a whole; else M y' - f(t, y) is */
    bool differential;  /* dF/dy' is regular, whatever is given */
    bool (*take)(equations *e, message *m); /* check which members are given; set `calls`, `given`,
                                               `invariants` */
} equations_row;

struct equations {
    equations_kind kind;
    const equations_row *row;
    size_t n, split; /* unknowns; those before the further ones of the semi-explicit form */
    union { /* as the author filled it in; everything that it points to is copied, except callbacks
               and user */
        dae_residual_form residual;
        dae_mass_form mass;
        dae_semi_explicit_form semi_explicit;
        dae_linear_form linear;
        dae_invariant_form invariant;
    } form;
    struct {
        form_call value[2];   /* F or f; the second one computes the entries from `split` on. None:
                                   0. A constant Jacobian times y is added */
        form_call by_y, by_t; /* their derivatives */
        form_call mass, mass_by_y; /* M(t, y), and the derivative of M(t, y) y' */
        form_call invariants, invariants_by_y;
    } calls;                /* where y' plays no part, the second argument is y from `split` on */
    given_matrix given[2];  /* of dF/dy or df/dy, and of dF/dy' */
    author_matrix jacobian; /* dF/dy of the residual form, else df/dy */
    author_matrix mass;     /* dF/dy' */
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
};

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

/* The part that all forms share. */
const dae_about *equations_about(const equations *e);

/* Checks of the parts that the forms of C programs share: whether they are complete and consistent.
 * Each function returns true, or false with DAE_USAGE and the sentence in `m` that names the
 * member. */

/* "the FORM form is wrong: ..."; returns false. */
bool author_refuse(message *m, const char *form, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool author_missing(message *m, const char *form, const char *member);

/* A pattern of rows x columns, both at least 1. */
bool author_pattern_holds(message *m, const char *form, const char *member, const dae_pattern *p,
                          size_t rows, size_t columns);

/* Whether the values of a constant matrix, in the layout of such a pattern, are finite. */
bool author_values_hold(message *m, const char *form, const char *member, const double *value,
                        const dae_pattern *p, size_t rows, size_t columns);

/* What the author states about n unknowns and equations. Under the protection of `a`. */
bool author_about_holds(message *m, const char *form, const dae_about *about, size_t n, arena *a);

#endif
