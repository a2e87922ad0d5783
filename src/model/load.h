/* From the text of a model to its equations. */
#ifndef MODEL_LOAD_H
#define MODEL_LOAD_H

#include "base/message.h"
#include "symbolic/system.h"

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_LARGEST_TEXT = 256 << 20 }; /* bytes */

/* A model's text and the name by which messages call it. */
typedef struct model_text {
    const char *file;  /* for messages, for example "pendulum.mo" */
    const char *bytes; /* need not end with a zero */
    size_t length;
} model_text;

/* NAME=VALUE of `--set`: a parameter's value, or the start value of a variable. */
typedef struct model_setting {
    const char *name;  /* as the model writes it, or without quotes: "p", "x[2]", "motor.J" */
    const char *value; /* a number with an optional sign, true or false, or a literal */
} model_setting;

/* Read flat Modelica (docs/language.md) and flatten it into scalar equations.
 *
 * A text of more than MODEL_LARGEST_TEXT bytes is a model error.
 *
 * `*system` and all in it live in `a`, which may hold remains after a failure; then `*system` is
 * NULL. A call outside arena_protect(a) is fine, it protects itself. Of two settings for one name
 * the last one counts. Errors: DAE_MODEL_ERROR with all that were found (at most 20, in order of
 * lines) in m->sentence, each as FILE:LINE:COLUMN: error: what, the line, a caret, and a remedy
 * where one is known. What is correct but not supported is an error, too, where nothing else is
 * wrong. DAE_USAGE for a setting that names nothing (with the nearest name) or has no such value;
 * DAE_NO_MEMORY. Notes, such as parameters without a value, go to m->notes. */
dae_status model_load(arena *a, const model_text *source, size_t settings,
                      const model_setting *setting, message *m, sym_system **system);

/* The same, for a system of which copies are made (sym_system_copy()): the numbers of it that
 * follow from tunable parameters are traced (traced.h), start values of unknowns among them. */
dae_status model_load_traced(arena *a, const model_text *source, size_t settings,
                             const model_setting *setting, message *m, sym_system **system);

/* The number that a setting of a Real gives; false: it is none. Under the protection of `a`. */
bool model_setting_number(arena *a, const char *value, double *number);

#endif
