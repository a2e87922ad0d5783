/* What a variant is made of: shared by its making and its callbacks. */
#ifndef TESTS_ZOO_VARIANT_PARTS_H
#define TESTS_ZOO_VARIANT_PARTS_H

#include "zoo/variants.h"

/* A matrix of the problem in the order of the variant: entry k of its values goes to place[k],
 * times factor[k]. */
typedef struct zoo_mapped {
    size_t count;
    size_t *place;
    double *factor, *old; /* the values of the problem */
    dae_pattern pattern;  /* of the variant; its arrays are owned */
} zoo_mapped;

/* Unknown i is that of the problem with the number unknown[i], in units of unit[i]; equation i is
 * the one with the number equation[i], over divisor[i]. */
typedef struct zoo_variant {
    zoo_ivp ivp;
    zoo_form form;
    zoo_change change;
    const zoo_ivp *of;
    const zoo_form *was;
    void *user; /* of the problem's callbacks */
    size_t n, unknown[ZOO_MOST], equation[ZOO_MOST], which[ZOO_MOST];
    double unit[ZOO_MOST], divisor[ZOO_MOST], weight[ZOO_MOST], reference[ZOO_MOST];
    unsigned char index[ZOO_MOST];
    double *constant_mass;
    zoo_mapped by_y, by_yp; /* or the mass */
    char name[80];
} zoo_variant;

/* values += those of the problem in their new places. */
void zoo_spread(const zoo_mapped *m, double *values);

/* Puts callbacks that call the problem's into the form. */
void zoo_variant_wrap(zoo_variant *v);

#endif
