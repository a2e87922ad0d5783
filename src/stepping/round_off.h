/* Whether round-off decides how long steps are. */
#ifndef STEPPING_ROUND_OFF_H
#define STEPPING_ROUND_OFF_H

#include <stdbool.h>

/* Steps that have become short because of the error are tried again at several times their length.
 * The error of a method rises at least with the square of the step. That of round-off rises at most
 * in proportion, for instance where a longer step continues values of index 2 or 3 that hold the
 * round-off of shorter steps. Controllers that predict from the last steps cannot see this: if the
 * error does not fall, they only take shorter steps. */
typedef struct round_off_watch {
    double longest;       /* longest step since errors last rose with the step; 0: none */
    double before, error; /* step before the trial, its error; 0: no trial is under way */
    int wait;             /* steps to the next trial */
    int seen;             /* trials that showed round-off, less those that showed the opposite */
    int behind;           /* weighted looks back that showed round-off, less the others */
} round_off_watch;

/* To be called after a step h > 0 with this error (1 is the limit, below it the step is accepted),
 * of an estimate of this order. Returns the length of the next step if that is to be a trial, else
 * 0. Steps below `least` count as short. `cut`: the step ended at the end of an interval. */
double round_off_follow(round_off_watch *r, double h, double error, int order, double least,
                        bool cut);

/* The same without trials, for a method that looks back after each accepted step. `second` and
 * `third` are the sizes of the second and third differences of the last points, 1 being the limit
 * of the error; both are 0 after steps of an order above 1. Where steps are short because of an
 * error and resolve the solution, differences fall with their order. Those of round-off do not, and
 * keep the order low. Where round-off comes and goes, the steps in between prevail. */
void round_off_look_back(round_off_watch *r, double second, double third);

/* Whether round-off has been seen so often that continuing is of no use. */
bool round_off_rules(const round_off_watch *r);

#endif
