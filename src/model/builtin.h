/* The functions that are part of the language, in one table. */
#ifndef MODEL_BUILTIN_H
#define MODEL_BUILTIN_H

#include "model/curve.h"
#include "model/reader.h"

enum { MODEL_FEW_ARGUMENTS = 3 }; /* arguments that need no memory of the arena */

/* The arguments of a call; their number is already checked. Do not copy it: `expression` may point
 * to `few`. */
typedef struct model_arguments {
    model_expression *call;
    uint32_t count;
    model_expression **expression; /* count, in the function's order */
    const model_value *value;      /* count; NULL where the function evaluates them itself */
    model_expression *few[MODEL_FEW_ARGUMENTS];
} model_arguments;

typedef model_value model_builtin_function(model_reader *r, const model_arguments *a);

struct model_builtin {
    const char *name;
    uint32_t least, most;  /* arguments; MODEL_ANY_NUMBER: no limit */
    const char *arguments; /* their names, as in "actual,simplified"; "" where they have none */
    bool raw;              /* evaluates its arguments itself */
    model_builtin_function *apply;
    sym_op op;       /* of an elementary function */
    model_base base; /* type of the result of a refused function */
};

#define MODEL_ANY_NUMBER UINT32_MAX

/* Fill r->builtin_of; names are added to r->words. */
void model_name_builtins(model_reader *r);

/* The function that a path names, whose part in this text is `part`: sqrt, Modelica.Math.sin; NULL:
 * none. */
const model_builtin *model_builtin_called(const model_reader *r, const model_path *path,
                                          const model_part *part);

/* Bind the arguments of a call in the order of the function, without evaluation. False if their
 * number or names are wrong (reported). */
bool model_bind_arguments(model_reader *r, model_expression *call, model_arguments *a);

/* The value of a call of a built-in function. */
model_value model_call_builtin(model_reader *r, model_expression *call);

/* All built-in functions. */
extern const model_builtin model_builtins[];
extern const size_t model_builtin_count;

/* Whether a function has no meaning inside functions, like der, pre, sample, ... */
bool model_needs_model(const model_builtin *f);

/* Whether all arguments are numbers; if not, it is reported. With `scalars`, arrays are refused as
 * well. */
bool model_are_numbers(model_reader *r, const model_arguments *a, bool scalars);

/* A function of one number, applied to each element of the argument. A result that is not finite is
 * reported. */
typedef sym model_scalar_function(model_reader *r, sym_op op, sym x);
model_value model_map(model_reader *r, const model_arguments *a, model_base base,
                      model_scalar_function *function);

/* The smaller or larger of two numbers. Where they change places, equations bend. */
sym model_min_max(model_reader *r, sym_op op, sym a, sym b);

/* The functions that rows of the table call.
 *
 * elementary.c: scalars, and arrays element by element. enumeration_number: Integer(e) */
model_builtin_function model_elementary, model_square_root, model_atan2, model_enumeration_number,
    model_semi_linear;

/* elementary.c, too: der, and operators around expressions. without_event: noEvent, smooth;
 * refused_like: others of the type of their argument; no_value: assert, reinit, terminate */
model_builtin_function model_der, model_without_event, model_homotopy, model_refused,
    model_refused_like, model_no_value;

/* whole_part.c: functions that jump or bend. whole_part: floor, ceil, integer */
model_builtin_function model_whole_part, model_div_mod_rem, model_abs_sign;

/* Whether a jump or bend of a function of `x` is an event: in equations that always hold, where x
 * changes between events. */
bool model_makes_events(model_reader *r, sym x);

/* A sum whose numbers are whole multiples of 1/n, as n times itself: 5/6 + 1/6 is less than 1, 5 +
 * 1 no less than 6. *times: n, 1 if there is none. The numbers are pinned. */
enum { MODEL_MOST_FRACTIONS = 16 };
sym model_without_fractions(sym_graph *g, sym x, double *times);

/* event_function.c. edge_change: edge, change; initial_terminal: initial, terminal */
model_builtin_function model_pre, model_edge_change, model_initial_terminal, model_sample;

/* string.c: String; instance_name: getInstanceName */
model_builtin_function model_string, model_instance_name;

/* delay.c */
model_builtin_function model_delay;

/* transport.c: spatialDistribution(), and all of its results; NULL: they are not known (reported)
 */
model_builtin_function model_transport;
const model_value *model_transport_results(model_reader *r, model_expression *call, size_t *count);

/* elementary.c: Modelica.Units.Conversions */
model_builtin_function model_conversion;

/* table.c: Modelica.Math.Vectors.interpolate, Daedal.Tables.interpolate2 */
model_builtin_function model_interpolate, model_interpolate2;

/* A curve at x, and a surface at two values: each point is an event where the arguments change.
 * `as`: how the author writes it. */
sym model_value_of_curve(model_reader *r, const curve *c, sym x, const char *as, model_span at);
sym model_value_of_surface(model_reader *r, const surface *s, const sym *at, const char *as,
                           model_span where);

/* floor(x/period), with events */
sym model_periods(model_reader *r, sym x, double period, const char *as, model_span at);

/* The curve through points whose x ascend, at x, by the shape that the annotations of a variable,
 * of its type and of the classes around it give; SYM_NONE: one of these is wrong (reported).
 * `steps`: it has steps, whatever they say. `as`: how the author writes it. */
sym model_curve_at(model_reader *r, size_t points, const double *x, const double *y, sym at,
                   bool steps, const char *as, const model_symbol *of);

/* array_function.c. reduction: sum, product, min, max; fill: fill, zeros, ones; reshaped: scalar,
 * vector, matrix */
model_builtin_function model_reduction, model_size, model_ndims, model_fill, model_identity,
    model_linspace, model_array_of, model_cat, model_reshaped, model_transpose, model_symmetric,
    model_diagonal, model_cross, model_skew, model_outer_product;

#endif
