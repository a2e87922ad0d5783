/* Problems for tests and comparisons: their equations in the forms of <daedal/forms.h>, with exact
 * Jacobians, starts and what is known of their solutions. Rows of two tables, to loop over. */
#ifndef TESTS_ZOO_ZOO_H
#define TESTS_ZOO_ZOO_H

#include <daedal/daedal.h>
#include <daedal/forms.h>
#include <stdbool.h>

typedef enum zoo_kind { ZOO_RESIDUAL, ZOO_MASS, ZOO_SEMI_EXPLICIT } zoo_kind;

/* One of the forms. */
typedef struct zoo_form {
    zoo_kind kind;
    union {
        dae_residual_form residual;
        dae_mass_form mass;
        dae_semi_explicit_form semi_explicit;
    } as;
    /* Writes a sparse Jacobian column after column, or counts it where there are no values; its
     * form has DAE_SPARSE without the arrays, which zoo_problem() makes. */
    struct zoo_columns *(*columns)(double t, const double *y, struct zoo_columns *sink);
} zoo_form;

/* Where the columns of a sparse matrix go: `value`, or where that is NULL `start` and `row`, or
 * where these are, too, no more than their number. */
typedef struct zoo_columns {
    double *value;
    size_t *start, *row;
    size_t column, entries;
} zoo_columns;

/* The problem as the library sees it; NULL where memory is out. */
dae_problem *zoo_problem(const zoo_form *form);

/* The pattern of a form with `columns`; `start`, to be freed, is NULL where memory is out. */
dae_pattern zoo_sparse(const zoo_form *form);

dae_about *zoo_about(zoo_form *form);
size_t zoo_size(const zoo_form *form);
const unsigned char *zoo_index(const zoo_form *form); /* of each unknown, NULL: all 1 */

/* r = F(t, y, y'), with F = M y' - f(t, y) of what is not given as a residual, and
 * `matrix` (n x n, by columns) = alpha dF/dy' + beta dF/dy, where dM/dy is left
 * out unless the form has it. What the callback returns, or -1 where memory is out. */
int zoo_residual(const zoo_form *form, double t, const double *y, const double *yp, double *r);
int zoo_matrix(const zoo_form *form, double t, const double *y, const double *yp, double alpha,
               double beta, double *matrix);
/* dF/dt. */
int zoo_slope(const zoo_form *form, double t, const double *y, const double *yp, double *r);

/* y' of the differential unknowns at a point that meets the equations, 0 for the others, where
 * dF/dy' is regular or the form semi-explicit. Not 0 where there is none. */
int zoo_slopes(const zoo_form *form, double t, const double *y, double *yp);

enum { ZOO_MOST = 350 }; /* unknowns */

/* Test Set for IVP Solvers, release 2.4 (Mazzia & Magherini, 2008). */
typedef struct zoo_ivp {
    const char *name;
    const zoo_form *form;
    void (*start)(double *y, double *yp); /* consistent values at t = 0 */
    double t_end;
    const double *weight;    /* absolute over relative tolerance of each unknown; NULL: 1 */
    double restart_every;    /* where the right side has corners: its multiples; 0: nowhere */
    const double *reference; /* at the end; NAN: not known */
    size_t known;            /* of how many leading unknowns; 0: as many as count */
    size_t counted;          /* unknowns whose digits count: */
    const size_t *which;     /* these, or where NULL the leading ones */
    bool mixed;              /* digits relative to weight + |reference| instead of |reference| */
    double digits;           /* of the reference that can be trusted */
    /* In the place of what the form has as `user`: other parameters; and their start, or NULL: the
     * same but for y', which follows where the form has zoo_slopes(). */
    const void *other;
    void (*other_start)(double *y, double *yp);
    const struct zoo_variant *variant; /* NULL, or of what it is one */
    double tightest; /* tolerance at which the equations still have a solution to find */
} zoo_ivp;

/* Unknown k of those that count; how many leading unknowns have a reference. */
size_t zoo_counted(const zoo_ivp *ivp, size_t k);
size_t zoo_known(const zoo_ivp *ivp);

extern const zoo_ivp *const zoo_ivps[];
extern const size_t zoo_ivp_count;

const zoo_ivp *zoo_ivp_named(const char *name);

/* The values at t = 0; as `start` of a problem that is no variant. */
void zoo_start(const zoo_ivp *ivp, double *y, double *yp);

/* Correct digits of y at the end, that is scd or mescd as the row says. */
double zoo_digits(const zoo_ivp *ivp, const double *y);

/* atol[i] for a relative tolerance. */
void zoo_tolerances(const zoo_ivp *ivp, double rtol, double *atol);

/* Problems with exact solutions, nonlinear in each variable and in time. */
typedef struct zoo_order {
    const char *name;
    int index; /* 0: no algebraic variables */
    const zoo_form *form;
    double t_end;
    void (*exact)(double t, double *y, double *yp);
    const struct manufactured *made; /* where `exact` is NULL */
    double round_off;                /* errors below would say nothing */
    int fine;                        /* so many steps resolve the solution well */
    int least, most; /* orders between which errors stand out from round-off and are not large */
    const char *classes; /* a letter for each unknown: "yyz", or positions, velocities and
                            multipliers as "yyzzu" */
    bool squared;        /* index 3: the multipliers enter nonlinearly */
} zoo_order;

/* y and y' of the solution. */
void zoo_exact(const zoo_order *problem, double t, double *y, double *yp);

extern const zoo_order *const zoo_orders[];
extern const size_t zoo_order_count;

#endif
