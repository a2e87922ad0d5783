/* Strings, and messages made of them. */
#ifndef MODEL_STRING_H
#define MODEL_STRING_H

#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/said.h"

/* The text of an element of a String; NULL: it changes. */
const char *model_text_at(const model_reader *r, sym node);

/* A scalar with this text. */
model_value model_text_value(model_reader *r, const char *string);

/* The word that a call of String() is; false: it is wrong (reported). Its text, if its value is a
 * number; else NULL. */
bool model_read_word(model_reader *r, model_expression *call, sym_word *w);
const char *model_word_text(model_reader *r, const sym_word *w);

/* a + b of Strings, and a < b and so on. */
model_value model_join_texts(model_reader *r, const model_expression *e, const model_value *v);
model_value model_compare_texts(model_reader *r, model_expression *e, sym a, sym b);

/* Variables of type String are what their equations say: finds these, and evaluates one. */
void model_find_texts(model_reader *r);
void model_evaluate_text(model_reader *r, model_symbol *s);

#endif
