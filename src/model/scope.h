/* The declarations of a text (its one model, types, functions, constants and variables), and the
 * meanings of its names. */
#ifndef MODEL_SCOPE_H
#define MODEL_SCOPE_H

#include "model/reader.h"

/* Gather all classes and symbols under r->root. Reports duplicate names, unknown types, a text
 * without a model or with several. r->model is NULL if there is none. */
void model_declare(model_reader *r);

/* Write into the tree the meaning of each name, and into each symbol the symbols that its value
 * needs. Reports names that are not declared. */
void model_resolve(model_reader *r);

/* The variable of a function by its name, NULL if there is none. */
model_symbol *model_local(const model_class *function, uint32_t name);

/* The last name of a path if all names before it are packages of the text; NULL otherwise. */
const model_part *model_own_part(const model_reader *r, const model_path *path);

/* The type of the text by which a type is declared; NULL: a built-in type. */
const model_class *model_alias_base(const model_reader *r, const model_class *type);

/* Find a type by its path. Fills `type`, and `alias` with the class if the text declares it. */
bool model_find_type(const model_reader *r, const model_path *path, model_type *type,
                     const model_class **alias);

#endif
