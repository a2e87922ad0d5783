/* The start that homotopy(actual, simplified) leads to (Modelica 3.6, Sec. 3.7.4.4).
 *
 * The author gives simplified equations whose start is easy to find, and means that solution of the
 * actual ones to which the simplified one leads when simplified values turn into actual ones. So
 * this path is followed first, and what it leads to replaces the guesses of the search, which finds
 * it at once. Otherwise the root that is found would depend on the guesses. Where there is no path,
 * the actual equations are searched from the author's guesses. */
#ifndef SOLVE_MODEL_HOMOTOPY_H
#define SOLVE_MODEL_HOMOTOPY_H

#include "solve/model_simulation.h"

typedef struct model_homotopy model_homotopy;

/* The path of a model whose system has calls of homotopy() with two different values; `as` is its
 * simulation. NULL only when memory is exhausted. */
model_homotopy *model_homotopy_create(const dae_problem *source, const model_simulation *as);

/* Before the search for the start at t: follows the path and takes its end for guesses.
 * DAE_STOPPED, DAE_NO_MEMORY. */
dae_status model_homotopy_lead(model_simulation *m, double t);

/* Appends how far the path has led to the message of a search that has failed. */
void model_homotopy_blame(const model_simulation *m, message *failed);

/* Takes the guesses of the author again. */
void model_homotopy_forget(model_simulation *m);

void model_homotopy_free(model_homotopy *h); /* NULL is fine */

#endif
