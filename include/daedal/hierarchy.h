/** Hierarchical models: components, connectors, inheritance. They are flattened before they are
 * read. */
#ifndef DAEDAL_HIERARCHY_H
#define DAEDAL_HIERARCHY_H

#include <daedal/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Choose the model of a text that has several. Otherwise it is the one that no other class uses.
 *  @param model its name, as "M" or "P.M"
 *  @return #DAE_USAGE for a NULL or for a problem that is no text. Whether there is such a model is
 *      told by dae_problem_status(). */
DAE_API dae_status dae_problem_choose(dae_problem *problem, const char *model);

/** The model as one flat text in legal Modelica, or the text itself where it is flat and nothing
 * was set. What dae_problem_set() has set is in the text: values of parameters, start values of
 *  variables.
 *  @return a string owned by the problem; NULL after a failure */
DAE_API const char *dae_problem_flat(dae_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
