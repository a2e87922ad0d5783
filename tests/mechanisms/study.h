/* The experiments on mechanisms of two texts, run by this library: tables, pictures, and facts that
 * they are held to. */
#ifndef MECHANISMS_STUDY_H
#define MECHANISMS_STUDY_H

#include "zoo/mechanical.h"

#include <daedal/daedal.h>
#include <stdbool.h>

typedef struct study {
    const char *folder; /* of pictures; NULL: none are drawn */
    bool brief;         /* what takes long is left out */
    int facts, failed;
} study;

/* --- facts --- */

/* What must hold, told as a sentence. */
bool study_fact(study *s, bool holds, const char *format, ...);

/* |found - expected| <= off. */
bool study_near(study *s, double found, double expected, double off, const char *what);

/* --- runs with constant steps --- */

typedef struct run {
    dae_problem *problem;
    dae_solver *solver;
    size_t nq, constraints;
    dae_status status;
    double t;
    double y[3 * ZOO_MECHANICAL_MOST], yp[3 * ZOO_MECHANICAL_MOST]; /* (q, v, lambda), and rates */
    double frequency; /* the largest natural one of the last step; 0: not found */
} run;

/* As a structural method is asked for. */
typedef struct way {
    const char *method, *formulation;
    double h;
} way;

/* From (q, v), which meet the constraints. */
void run_begin(run *r, const dae_mechanical_form *form, const double *q, const double *v, way by);

/* A row of the zoo from its start. */
void run_row(run *r, const zoo_mechanical *row, way by);

/* One step towards `end`: whether it was made. */
bool run_step(run *r, double end);

void run_finish(run *r);

/* --- pictures --- */

typedef struct figure figure;

/* Panels in rows and columns; NULL where none are drawn, which the others take. */
figure *figure_begin(const study *s, const char *name, int rows, int columns);

/* The next panel. `settings`: gnuplot's, or "". */
void figure_panel(figure *f, const char *title, const char *x, const char *y, const char *settings);

/* The next curve of the panel, and its points in order. */
void figure_curve(figure *f, const char *title);
void figure_point(figure *f, double x, double y);

void figure_end(figure *f);

/* --- experiments --- */

void study_stiff_pendulum(study *s);
void study_torques(study *s);
void study_double_pendulum(study *s);
void study_andrews(study *s);
void study_orders(study *s);
void study_drift(study *s);

#endif
