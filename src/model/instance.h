/* Declarations: sizes, the values of parameters, and the unknowns. */
#ifndef MODEL_INSTANCE_H
#define MODEL_INSTANCE_H

#include "model/reader.h"

/* Evaluate all declarations. Parameters get their values, variables their unknowns. */
void model_instantiate(model_reader *r);

/* Search what `root` needs, depth-first and without recursion, because chains can be long. `done`
 * is called for each new node after all that it needs; NULL: not. `loop` is called for each node
 * that needs itself, with the path to it, which ends in what needs `end`. */
void model_search(model_reader *r, model_node *root,
                  void (*loop)(model_reader *r, const model_nodes *path, const model_node *end),
                  void (*done)(model_reader *r, model_node *node));

/* Give each scalar variable its unknown, in order of declaration (unknown.c). */
void model_place_unknowns(model_reader *r);
void model_describe_unknowns(model_reader *r); /* start, fixed, nominal, ... */

/* The declared sizes of a symbol. The size of ':' comes from `given`, and is 0 if that is NULL.
 * False if they cannot be determined (reported). */
bool model_declared_size(model_reader *r, const model_symbol *s, const model_value *given,
                         model_value *shape);

/* A size that must be known and not negative; false if it is not (reported). */
bool model_read_size(model_reader *r, model_expression *e, size_t *size);

/* Whether a size of the symbol is ':'. */
bool model_has_open_size(const model_symbol *s);

/* Whether a value has the sizes of `shape`. If not, it is reported under `name`. */
bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v);

/* Convert a value to `type`: Integer becomes Real, whole numbers become Integer. Other conversions
 * fail with a report under `name`. */
bool model_convert(model_reader *r, model_span at, const char *name, model_type type,
                   model_value *v);

/* Start to evaluate in the model rather than in the running function. Returns the mode to restore.
 */
model_mode model_enter_model(model_reader *r);

/* experiment.c: the experiment annotation, into the system */
void model_read_experiment(model_reader *r);

/* setting.c: */

/* Find the symbols to which the settings apply. */
void model_match_settings(model_reader *r, size_t count, const model_setting *setting);

/* The number that a setting gives to the i-th element of a symbol, whose sizes are known. */
bool model_setting_of(model_reader *r, const model_symbol *s, size_t i, double *number);

/* DAE_USAGE with a sentence about the first setting whose name is unknown or whose value does not
 * fit. */
dae_status model_check_settings(model_reader *r, message *m);

/* Attributes of variables: start, fixed, nominal, ... */

/* Report attributes that a symbol, or its type, cannot have or has twice. */
void model_check_attributes(model_reader *r, const model_symbol *s);

/* The value of an attribute, from the declaration or else from its type; false if it is missing or
 * wrong (reported). model_element_of() gives its element for the i-th element of the symbol. */
bool model_attribute(model_reader *r, const model_symbol *s, model_attribute_name name,
                     model_value *v);

/* The value for element i of an array, from a value that may have fewer dimensions. */
sym model_element_of(const model_value *v, size_t i);

#endif
