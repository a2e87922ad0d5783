/* A mechanical system of the zoo, moved once from its start to a time at which its motion is
 * known, and how far off it was then. */
#ifndef TESTS_ZOO_MOVE_H
#define TESTS_ZOO_MOVE_H

#include "zoo/mechanical.h"

#include <daedal/daedal.h>

typedef struct zoo_moved {
    dae_status status;
    bool begun;          /* it was not refused at the start */
    char message[1000];  /* of its failure, empty without one */
    char method[64];     /* that was used, of several the last */
    double q, v, lambda; /* largest errors, relative to what is above 1; of lambda 0 if unknown */
    size_t levels;       /* of the constraints */
    double level[3];     /* their worst violation at 11 times */
    bool projected;      /* states are brought back to the constraints */
    size_t steps;
    double milliseconds; /* of processor time */
} zoo_moved;

/* The time of a row of the reference, or that of an exact solution. */
double zoo_known_time(const zoo_mechanical *z, size_t row, double of_exact);

/* To the time of that row, or of the exact solution to `of_exact`. */
void zoo_move(const zoo_mechanical *z, const dae_options *options, size_t row, double of_exact,
              zoo_moved *found);

#endif
