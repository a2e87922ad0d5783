/* Declarations: sizes, the values of parameters, and the unknowns. */
#ifndef MODEL_INSTANCE_H
#define MODEL_INSTANCE_H

#include "model/reader.h"

/* Evaluate all declarations: parameters get their values, variables their unknowns. */
void model_instantiate(model_reader *r);

/* Give each scalar variable its unknown, in order of declaration (unknown.c). */
void model_place_unknowns(model_reader *r);
void model_describe_unknowns(model_reader *r); /* start, fixed, nominal, ... */

/* The sizes that a symbol is declared with; ':' is taken from `given`, and 0 where that is NULL.
 * False where they cannot be had (reported). */
bool model_declared_size(model_reader *r, const model_symbol *s, const model_value *given,
                         model_value *shape);

/* A size that must be known and not negative; false if it is not (reported). */
bool model_read_size(model_reader *r, model_expression *e, size_t *size);

/* How many dimensions a symbol is declared with; 0: a scalar. */
uint32_t model_declared_rank(model_reader *r, const model_symbol *s);

/* Whether a size of the declaration is ':'. */
bool model_has_open_size(const model_symbol *s);

/* Whether a value has the sizes of `shape`; else it is reported, called `name`. */
bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v);

/* Make a value one of `type`: Integer becomes Real, whole numbers Integer; false with a report that
 * calls it `name` where it is of another kind. */
bool model_convert(model_reader *r, model_span at, const char *name, model_type type,
                   model_value *v);

/* The type that a type is declared by; NULL: one of the language. */
const model_class *model_alias_base(const model_reader *r, const model_class *type);

/* Start to evaluate what belongs to the model, not to the function that is running; returns the
 * mode to go back to. */
model_mode model_enter_model(model_reader *r);

/* experiment.c: the experiment annotation, into the system */
void model_read_experiment(model_reader *r);

/* setting.c: */

/* Find the symbols that the settings are for. */
void model_match_settings(model_reader *r, size_t count, const model_setting *setting);

/* The number that a setting gives to the i-th element of a symbol, whose sizes are known. */
bool model_setting_of(model_reader *r, const model_symbol *s, size_t i, double *number);

/* DAE_USAGE with a sentence about the first setting that names nothing, or gives no such value. */
dae_status model_check_settings(model_reader *r, message *m);

#endif
