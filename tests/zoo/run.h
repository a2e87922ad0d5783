/* A problem of the Test Set solved once by a method of the catalogue, and what that gave. */
#ifndef TESTS_ZOO_RUN_H
#define TESTS_ZOO_RUN_H

#include "zoo/zoo.h"

typedef struct zoo_outcome {
    dae_status status;
    char message[400];
    double digits; /* of the values at the end (zoo_digits()); 0 where it was not reached */
    double units;  /* their largest error over its tolerance (zoo_units()) */
    size_t steps, rejected, residual_calls, jacobian_calls, factorizations;
    bool reduced;                /* to index 1 */
    double set_up, milliseconds; /* of processor time: before and during the integration */
} zoo_outcome;

/* The largest error, over its tolerance and what the digits of the reference leave open, of what
 * counts and is differentiated. What is of index 1 counts in full, velocities of index 2 with
 * the last step h: their local errors grow as 1/h, and so their tolerances are meant (Hairer,
 * Lubich & Roche, LNM 1409 (1989), p. 84). `h` 0: a formulation in which all are of index 1. */
double zoo_units(const zoo_ivp *ivp, double rtol, double h, const double *y);

/* By the equations as C functions. */
void zoo_solve(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
               zoo_outcome *found);

/* The same, with the values at the end. */
void zoo_solve_for(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                   zoo_outcome *found, double *y);

/* By the same equations as a model, in the default formulation, where there is one: velocities are
 * then of index 1. */
bool zoo_has_model(const zoo_ivp *ivp);
void zoo_solve_model(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                     zoo_outcome *found);

/* As a constrained mechanical system, in the formulation of the automatic choice, where there is
 * such a form of it. */
bool zoo_has_mechanical(const zoo_ivp *ivp);
void zoo_solve_mechanical(const zoo_ivp *ivp, const char *name, double rtol, size_t max_steps,
                          zoo_outcome *found);

/* Whether a method of the catalogue can choose its steps, on these problems. */
bool zoo_is_adaptive(const char *name);

/* Processor time of this process, in milliseconds. */
double zoo_clock(void);

/* Of so many values, at least one, which come into ascending order. */
double zoo_median(int count, double *value);

#endif
