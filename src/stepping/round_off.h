/* Whether round-off decides how long steps are. */
#ifndef INTEGRATE_ROUND_OFF_H
#define INTEGRATE_ROUND_OFF_H

#include <stdbool.h>

/* Steps that have become short for the sake of the error are tried again at several times the
 * length: the error of a method rises at least with the square of the step, that of round-off at
 * most in proportion (as where a longer step carries on values of index 2 or 3 that hold the
 * round-off of shorter ones over the step). Controllers that predict from the last steps cannot see
 * this: where the error does not fall, they only take still shorter steps. */
typedef struct round_off {
    double longest;       /* step since errors were last seen to rise with the step; 0: none */
    double before, error; /* step before the trial, and its error; 0: no trial is under way */
    int wait;             /* steps to the next trial */
    int seen;             /* trials that showed round-off, less those that showed the opposite */
    int behind;           /* looks back that showed round-off, by weight, less those that did not */
} round_off;

/* After a step h > 0 had this error (1 is the limit, below it is accepted), of an estimate of this
 * order: the length of the next step where that is to be a trial, else 0. Steps below `least` are
 * short in any case. `cut`: the step ended where an interval does. */
double round_off_follow(round_off *r, double h, double error, int order, double least, bool cut);

/* The same without trials, of a method that looks back, after each accepted step: the sizes of the
 * second and third differences of the last points, 1 being the limit of the error; both 0 after
 * steps of an order above 1. Where steps are short for the sake of an error and resolve the
 * solution, differences fall; those of round-off do not, and keep the order down. Where it comes
 * and goes the steps between win. */
void round_off_look_back(round_off *r, double second, double third);

/* Whether it has been seen so often that to go on would be of no use. */
bool round_off_rules(const round_off *r);

#endif
