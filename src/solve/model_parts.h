/* What a model's course has of one formulation, and what its combinations divide by: for the parts
 * of the course that form equations anew on the way. */
#ifndef SOLVE_MODEL_PARTS_H
#define SOLVE_MODEL_PARTS_H

#include "solve/model_course.h"
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
void model_pivots_begin(model_course *m, double t);

/* model_anew.c: the present ones, and back; those of earlier charts are freed. */
void model_parts_take(const model_course *m, model_parts *p);
void model_parts_put(model_course *m, const model_parts *p);
void model_parts_free(model_course *m);

/* model_anew.c: course_row's. */
dae_status model_course_form_anew(course *c, double t, const double *y, const double *yp,
                                  bool doubt, bool *formed);

/* model_start.c: combinations by pivots that suit these values (n each); false: there are none. */
bool model_course_convert(model_course *m, double t, const double *value, const double *slope);

/* model_rank.c: the system Jacobian at m->z, and where it is singular also beside that: singular at
 * one point is a matter of the start, singular all around, or along the solutions, of the
 * equations. m->z_out is lost. */
dae_status model_course_look_at_rank(model_course *m, double t, local_rank *here, bool *deceived);

/* model_rank.c: whether it is regular there. */
bool model_course_is_regular(model_course *m, double t);

/* model_start.c: projection and blocks of a formulation that has a state. */
bool model_course_settle_formed(model_course *m);

#endif
