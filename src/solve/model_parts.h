/* What a model's simulation has of one formulation, and what its combinations divide by: for the
 * parts of the simulation that form equations anew on the way. */
#ifndef SOLVE_MODEL_PARTS_H
#define SOLVE_MODEL_PARTS_H

#include "solve/model_simulation.h"
#include "structure/local_index.h"

/* Pivots of combined equations: over time and the prolongation's z. */
struct model_pivots {
    size_t count;
    sym_tape *tape;
    double *work, *input;
    double *begun, *value; /* count: where the formulation was formed, and at present */
};

struct model_parts {
    formulation *formulation;
    model_pivots *pivots;
    model_blocks *blocks;
    bool *open;
    double *z, *z_out, *z_before, *z_marked;
    problem *problem;
    double *y, *yp;
    size_t determinants, constraint_levels;
    double *constraint;
    const constraint_levels *levels;
    projection *projection;
    bool project_steps;
};

/* model_anew.c: those of a formulation, in `a` under its protection and that of the graph's arena;
 * NULL: nothing divides. Their values at m->z are those that they begin with. */
model_pivots *model_pivots_find(const formulation *f, arena *a);
void model_pivots_begin(model_simulation *m, double t);

/* model_anew.c: the present ones, and back; those of earlier formulations are freed. */
void model_parts_take(const model_simulation *m, model_parts *p);
void model_parts_put(model_simulation *m, const model_parts *p);
void model_parts_free(model_simulation *m);

/* model_anew.c: simulation_ops's. */
dae_status model_simulation_form_anew(simulation *c, double t, const double *y, const double *yp,
                                      bool doubt, bool *formed);

/* model_start.c: combinations by pivots that suit these values (n each); false: there are none. */
bool model_simulation_convert(model_simulation *m, double t, const double *value,
                              const double *value_yp);

/* model_rank.c: the system Jacobian at m->z, and where it is singular also beside that: singular at
 * one point is a matter of the start, singular all around, or along the solutions, of the
 * equations. m->z_out is lost. */
dae_status model_simulation_look_at_rank(model_simulation *m, double t, local_rank *here,
                                         bool *misleads);

/* model_rank.c: whether it is regular there. */
bool model_simulation_is_regular(model_simulation *m, double t);

/* The same where what rounding may have made of an entry of the Jacobian counts as zero. */
bool model_simulation_is_regular_beyond_rounding(model_simulation *m, double t);

/* model_start.c: projection and blocks of a formulation that has a state. */
bool model_simulation_finish_formed(model_simulation *m);

#endif
