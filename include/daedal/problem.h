/** A problem: equations as their author wrote them. */
#ifndef DAEDAL_PROBLEM_H
#define DAEDAL_PROBLEM_H

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A problem handle. It must not be shared between threads while it is being changed. Solvers made
 *  from it keep what they need, so that it may be freed before them. For a handle that is NULL,
 *  each function returns #DAE_USAGE, NULL, or what it returns after a failure. */
typedef struct dae_problem dae_problem;

/** Read a model in Modelica, flat or of components, from a file ("-": standard input).
 *  @return a handle to be freed by dae_problem_free(); NULL only when memory is exhausted. The
 *      status of the handle is #DAE_FILE_ERROR for a file that cannot be read, #DAE_MODEL_ERROR or
 *      #DAE_STRUCTURE for a wrong model, and #DAE_USAGE for a path or text that is NULL: ask
 *      dae_problem_status() and dae_problem_message(). */
DAE_API dae_problem *dae_problem_read(const char *path);

/** The same from text in memory.
 *  @param name    what messages call the text, for example "pendulum.mo"
 *  @param text    `length` bytes, copied */
DAE_API dae_problem *dae_problem_parse(const char *name, const char *text, size_t length);

/** Set a parameter of a model, or the start value of a variable (its `fixed` stays as it was). A
 *  parameter whose value does not decide what the equations are (see dae_description) is set
 *  without reading the model again. A model that is wrong is read again, for it may lack this
 * value, as the name of a file. A solver keeps the values with which it was created.
 *  @param name as the model writes it, with or without its quotes: "p", "x[2]", "'motor.J'"
 *  @param value a number, or true or false, or the name of a literal, or the text of a String
 *  @return #DAE_USAGE where no parameter or variable has this name (the message gives the nearest
 *      one), or where the value is not valid. */
DAE_API dae_status dae_problem_set(dae_problem *problem, const char *name, const char *value);

/** Give an input of a model, `input Real u` without an equation of its own, its course in time.
 *  Between the points it has straight lines, outside of them the value of the first or last one,
 *  unless an annotation of its declaration says otherwise (docs/tables.md). Each point is an event.
 *  Two points at one time are a jump. An input that changes at events alone keeps each value until
 *  the next point: 0 or 1 of a Boolean, the number of a literal, from 1, of an enumeration. An
 * input without a course keeps its start value. A second course replaces the first. The model is
 * read again.
 *  @param name  as for dae_problem_set(): "u", "u[2]"
 *  @param count at least 1
 *  @param time  `count` times that do not fall, in s; copied
 *  @param value `count` values; copied
 *  @return #DAE_USAGE where no input has this name (the message lists those that there are), where
 *      times or values are missing, not finite, or fall, or where its type lacks a value */
DAE_API dae_status dae_problem_feed(dae_problem *problem, const char *name, size_t count,
                                    const double *time, const double *value);

/** Whether a name is that of an input of the model, or of an element of one. */
DAE_API bool dae_problem_is_input(dae_problem *problem, const char *name);

/** The first failure of this handle, or #DAE_OK. Analyses the model if that has not been done yet.
 */
DAE_API dae_status dae_problem_status(dae_problem *problem);

/** The message of that failure: for a wrong model FILE:LINE:COLUMN: error: ..., for each error
 * found.
 *  @return a string owned by the problem, "" where there is no failure */
DAE_API const char *dae_problem_message(dae_problem *problem);

/** Remarks that are not failures, one per line; owned by the problem. */
DAE_API const char *dae_problem_notes(dae_problem *problem);

/** The number of variables of the author's model; 0 after a failure. */
DAE_API size_t dae_problem_size(dae_problem *problem);

/** The name of variable i (from 0), without quotes; NULL where there is none. Owned by the problem.
 */
DAE_API const char *dae_problem_variable(dae_problem *problem, size_t i);

/** The unit of variable i as in the model, "" where it has none; NULL where there is no variable i.
 */
DAE_API const char *dae_problem_unit(dae_problem *problem, size_t i);

/** The number of the variable with this name, or (size_t)-1. The name is as dae_problem_variable()
 *  returns it, or in the quotes in which a model would write it. */
DAE_API size_t dae_problem_find(dae_problem *problem, const char *name);

/** The variables that a word of a list means, as `daedal run --vars` takes them.
 *  @param pattern a name as for dae_problem_find(); the name of an array, for all its elements; or
 *      a pattern: `*` stands for any characters, `[2:5]`, `[1:2:9]`, `[3:end]` and `[:]` for
 *      subscripts, as in "motor.*", "c[2:5].v", "*.i". Between single quotes each character stands
 *      for itself
 *  @param found NULL, or room for dae_problem_size() numbers of variables, which ascend
 *  @return how many there are; 0 where nothing matches */
DAE_API size_t dae_problem_select(dae_problem *problem, const char *pattern, size_t *found);

/** Whether variable i changes at events alone, so that it has no derivative. */
DAE_API bool dae_problem_is_discrete(dae_problem *problem, size_t i);

/** The name of a variable that is nearest to a name that does not exist, or to a pattern that
 *  matches none; NULL if none is near. */
DAE_API const char *dae_problem_nearest(dae_problem *problem, const char *name);

/** The contents of the model's `experiment` annotation. */
typedef struct dae_experiment {
    bool has_start, has_stop, has_tolerance, has_interval; /**< which of these it contains */
    double start, stop;                                    /**< s */
    double tolerance;                                      /**< relative */
    double interval;                                       /**< s, between outputs */
} dae_experiment;

/** The experiment annotation; all false after a failure. */
DAE_API dae_experiment dae_problem_experiment(dae_problem *problem);

/** Free the handle; NULL is fine. */
DAE_API void dae_problem_free(dae_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
