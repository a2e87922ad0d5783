/** Describes the equations of a problem, as `daedal check` prints it. */
#ifndef DAEDAL_DESCRIPTION_H
#define DAEDAL_DESCRIPTION_H

#include <daedal/problem.h>
#include <daedal/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A description of a problem's equations. Strings and lists are owned by it. */
typedef struct dae_description {
    dae_status status;   /**< #DAE_OK, or why the description ends early */
    const char *message; /**< message of that failure, "" where there is none */
    const char *notes;   /**< remarks, one per line */
    const char *name;    /**< name of the model */

    size_t equations, unknowns; /**< numbers of scalar equations and unknowns, as written */
    size_t discrete;            /**< of both: discrete variables, which change at events alone */
    long structural_index;      /**< -1 where the equations are structurally singular */
    long index;               /**< differential index at the consistent start; -1: not determined */
    const char *index_note;   /**< how the index was found, or why not */
    long degrees_of_freedom;  /**< -1: not determined */
    size_t states;            /**< variables that could be the states at the start */
    const char *const *state; /**< states: their names */
    size_t hidden_constraints; /**< number of constraints that follow by differentiation */
    const char *const *hidden_constraint; /**< hidden_constraints: each as text */
    size_t blocks;                  /**< number of strongly connected parts of the equations */
    const size_t *block;            /**< blocks: their sizes, in the order of computation */
    const char *form;               /**< the problem form that was recognised */
    size_t coordinates;             /**< coordinates of a mechanism, form "mechanical"; else 0 */
    size_t holonomic, nonholonomic; /**< its constraints on positions, on velocities */
    size_t multipliers;             /**< multipliers of its constraints */
    size_t invariants; /**< invariants that a C program declares, in either form that has them */
    const char *formulation; /**< formulation that `auto` takes; "" where no start was found */
    const char *singular; /**< NULL, or which equations over- or under-determine which unknowns */
    const char *misleads; /**< NULL, or how the structure misleads */
    double rank_margin; /**< margin of the system Jacobian at the start; NAN: no start was found */
    size_t
        structural_parameters; /**< that decide, with their present value, what the equations are */
    const char *const *structural_parameter; /**< structural_parameters: "name: why" of each */
} dae_description;

/** Describe a problem. A start is searched at `t`, for properties that only numbers can show. For
 *  equations of a C program, the description contains the sizes, the form, and the index as their
 *  author gives it.
 *  @return to be freed by dae_description_free(); NULL only when memory is exhausted */
DAE_API dae_description *dae_describe(dae_problem *problem, double t);

/** Free it; NULL is fine. */
DAE_API void dae_description_free(dae_description *description);

#ifdef __cplusplus
}
#endif
#endif
