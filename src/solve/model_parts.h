/* The parts of a model's simulation that belong to one formulation, and the pivots that its
 * combinations divide by. Shared by the files that form equations anew. */
#ifndef SOLVE_MODEL_PARTS_H
#define SOLVE_MODEL_PARTS_H

#include "solve/model_simulation.h"
#include "structure/local_index.h"

/* Pivots of combined equations, as functions of time and the prolongation's z. */
struct model_pivots {
    size_t count;
    sym_tape *tape;
    double *input;
    double *begun, *value; /* count: at the beginning, at present */
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

/* model_anew.c: the pivots of a formulation, in `a` under its protection and that of the graph's
 * arena; NULL: nothing divides. model_pivots_begin() takes their values at m->z as the ones they
 * begin with. */
model_pivots *model_pivots_find(const formulation *f, arena *a);
void model_pivots_begin(model_simulation *m, double t);

/* model_anew.c: copies the present parts; puts parts back; frees the parts of earlier formulations.
 */
void model_parts_take(const model_simulation *m, model_parts *p);
void model_parts_put(model_simulation *m, const model_parts *p);
void model_parts_free(model_simulation *m);

/* model_anew.c: form_anew() of simulation_ops. */
dae_status model_simulation_form_anew(simulation *c, double t, const double *y, const double *yp,
                                      bool doubt, bool *formed);

/* model_start.c: forms combinations by pivots that suit these values (n each); false: there are
 * none. */
bool model_simulation_convert(model_simulation *m, double t, const double *value,
                              const double *value_yp);

/* model_rank.c: the rank of the system Jacobian at m->z, and where it is singular also beside that.
 * If it is singular at one point, the start is the reason. If it is singular all around, or along
 * the solutions, the equations are (*misleads). m->z_out is lost. */
dae_status model_simulation_look_at_rank(model_simulation *m, double t, local_rank *here,
                                         bool *misleads);

/* model_rank.c: whether the system Jacobian is regular there. */
bool model_simulation_is_regular(model_simulation *m, double t);

/* The same, where entries of the Jacobian that may be all rounding count as zero. */
bool model_simulation_is_regular_beyond_rounding(model_simulation *m, double t);

/* model_start.c: creates projection and blocks of a formulation that has a state. */
bool model_simulation_finish_formed(model_simulation *m);

#endif
