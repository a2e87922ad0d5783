/* The linearised equations at a time, prolonged. */
#ifndef RANDOM_DERIVATIVE_ARRAY_H
#define RANDOM_DERIVATIVE_ARRAY_H

#include "random/system.h"
#include "random/tape.h"

enum { ROUNDINGS = 2, ARRAY_ORDER = 4 };

/* The equations, their Jacobians and the solution, made ready. */
typedef struct linearised {
    int n, index;
    bool algebraic[SYSTEM_MOST];         /* unknowns whose derivative does not occur */
    tape solution, equations, jacobians; /* F_y, then F_y', by rows */
    unsigned char *signs[ROUNDINGS];
} linearised;

void linearised_open(linearised *l, random_system *s, draw *d);
void linearised_close(linearised *l);

/* d' = slope d + push; of d those that depend: d = -by d + level. Right sides one a rounding. */
typedef struct level_at {
    double y[SYSTEM_MOST];
    quad slope[SYSTEM_MOST][SYSTEM_MOST], push[SYSTEM_MOST][ROUNDINGS];
    bool dependent[SYSTEM_MOST];
    quad by[SYSTEM_MOST][SYSTEM_MOST], level[SYSTEM_MOST][ROUNDINGS];
    int freedom;
} level_at;

/* False where d' is not determined: the index is higher. */
bool derivative_array(const linearised *l, double t, level_at *at);

#endif
