/* The rows of chart.h, by the files that hold them, and what these share; for the charts alone. */
#ifndef FORMULATION_CHART_ROWS_H
#define FORMULATION_CHART_ROWS_H

#include "formulation/chart.h"

/* mechanical_multipliers.c: multipliers are unknowns, and constraints equations. */
extern const chart_ops *const chart_multiplier_rows[];

/* mechanical_elimination.c: v' = a(t, q, v), without multipliers. */
extern const chart_ops *const chart_elimination_rows[];

/* mechanical_minimal.c: as many unknowns as freedoms. Each list ends with NULL. */
extern const chart_ops *const chart_minimal_rows[];

/* Velocities and constraints together of a system for which matrices without zeros are made: their
 * null space is found up to the first number, and Jacobians are held up to the second. */
enum { CHART_LARGEST = 700, CHART_LARGEST_SLOPE = 2000 };

/* charts.c: room for a name of each unknown and equation and the index of each unknown (1), in
 * c->memory; c->n is set. They are filled in order by the functions below, which count on. */
typedef struct chart_names {
    chart *c;
    const char **variable, **equation;
    unsigned char *index;
    size_t *author;
    size_t variables, equations;
} chart_names;

chart_names chart_names_begin(chart *c, size_t n);

/* `count` unknowns that belong to the author's from the `first` on, named with what stands before
 * and behind his names. */
void chart_name_unknowns(chart_names *names, const char *before, size_t first, size_t count,
                         const char *behind, int index);

/* `count` equations that belong to the author's from the `first` on. */
void chart_name_equations(chart_names *names, const char *before, size_t first, size_t count);

/* What the form of the equations says of them. */
dae_about chart_about(const chart_names *names);

#endif
