/* Attributes of variables: start, fixed, nominal, ... */
#ifndef MODEL_ATTRIBUTE_H
#define MODEL_ATTRIBUTE_H

#include "model/reader.h"

/* Report attributes that a symbol, or its type, cannot have or has twice. */
void model_check_attributes(model_reader *r, const model_symbol *s);

/* The value of an attribute, from the declaration or else from its type; false if it is missing or
 * wrong (reported). model_element_of() gives its element for the i-th element of the symbol. */
bool model_attribute(model_reader *r, const model_symbol *s, model_attribute_name name,
                     model_value *v);

/* The value for element i of an array, from a value that may have fewer dimensions. */
sym model_element_of(const model_value *v, size_t i);

#endif
