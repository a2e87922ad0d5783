/** Describes the equations of a problem, as `daedal check` prints it. */
#ifndef DAEDAL_DESCRIPTION_H
#define DAEDAL_DESCRIPTION_H

#include <daedal/problem.h>
#include <daedal/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A variable, as its author declared it, and what the start makes of it. */
typedef struct dae_described_variable {
    const char *name, *unit; /**< "" where it has no unit */
    bool discrete;           /**< changes at events alone */
    bool constant;           /**< a parameter that the start determines */
    bool input, output;      /**< of the model */
    double start;            /**< start value; NAN where none is given */
    const char *start_use;   /**< "fixed": it has to hold; "taken": no condition fixes the variable,
                                  so that its start value, or the value nearest to it, was used;
                                  "guess": equations and conditions give the value; "held": of
                                  an input that nothing gives; "" where there
                                  is no start value, or no consistent start */
    double value;            /**< at the consistent start; NAN: there is none */
    size_t line;             /**< of its declaration in the file; 0: not of a text */
} dae_described_variable;

/** A parameter of a model with its present value. */
typedef struct dae_described_parameter {
    const char *name, *unit; /**< "" where it has no unit */
    const char *type;        /**< "Real", "Integer", "Boolean", "String" or "enumeration" */
    double value;            /**< 0 and 1 of a Boolean; the number of a literal; NAN of an array of
                                  more than 1000 elements, which is one entry, as table[1:300,1:9] */
    const char *text;        /**< the value of a String; else NULL */
    size_t line;             /**< of its declaration in the file */
} dae_described_parameter;

/** A strongly connected part of the equations, to be solved at once. */
typedef struct dae_described_block {
    size_t size;
    const char *const *unknown;  /**< size: variables, or derivatives of them */
    const char *const *equation; /**< size: each with its place */
    size_t torn;                 /**< of a part of several unknowns: those that steps solve for, the
                                      others being expressions in them; 0 where no start was found */
    const char *const *tearing;  /**< torn: their names */
} dae_described_block;

/** An equation that the structure differentiates. */
typedef struct dae_described_equation {
    const char *text; /**< with its place */
    size_t times;
} dae_described_equation;

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
    size_t blocks;       /**< number of strongly connected parts of the equations */
    const size_t *block; /**< blocks: their sizes, in the order of computation */
    size_t solved; /**< unknowns that steps solve for, explicit variables being taken out; 0 where
                      no start was found */
    const char *form;               /**< the problem form that was recognised */
    size_t coordinates;             /**< coordinates of a mechanism, form "mechanical"; else 0 */
    size_t holonomic, nonholonomic; /**< its constraints on positions, on velocities */
    size_t multipliers;             /**< multipliers of its constraints */
    size_t invariants; /**< invariants that a C program declares, in either form that has them */
    const char *formulation; /**< formulation that `auto` takes; "" where no start was found */
    const char *singular; /**< NULL, or which equations over- or under-determine which unknowns */
    const char *misleads; /**< NULL, or how the structure misleads */
    bool embedded; /**< a larger system, whose structure does not, stands in for the equations */
    double rank_margin; /**< margin of the system Jacobian at the start; NAN: no start was found */
    size_t
        structural_parameters; /**< that decide, with their present value, what the equations are */
    const char *const *structural_parameter; /**< structural_parameters: "name: why" of each */

    size_t variables; /**< in the author's order; 0 after a failure in reading */
    const dae_described_variable *variable;
    size_t parameters; /**< with values, in the author's order */
    const dae_described_parameter *parameter;
    const dae_described_block *parts; /**< blocks: what they contain, in the order of `block` */
    size_t differentiated;            /**< equations that are differentiated */
    const dae_described_equation *differentiation;
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
