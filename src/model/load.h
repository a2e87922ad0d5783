/* From the text of a model to its equations. */
#ifndef MODEL_LOAD_H
#define MODEL_LOAD_H

#include "base/message.h"
#include "base/shared_library.h"
#include "symbolic/system.h"

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_LARGEST_TEXT = 256 << 20 }; /* bytes */

/* Whether a text is flat. */
typedef enum model_structure {
    MODEL_FLAT,
    MODEL_MAYBE_STRUCTURED, /* names are not declared, or twice: in other texts or classes? */
    MODEL_STRUCTURED        /* it has what flattening removes */
} model_structure;

/* A model's text and its name in messages. */
typedef struct model_text {
    const char *file;  /* for messages, for example "pendulum.mo" */
    const char *bytes; /* need not end with a zero */
    size_t length;
    const unsigned
        *line; /* of a text made from another one: the line there of each line; else NULL */
    model_structure *structure; /* set by reading; NULL: not asked for */
} model_text;

/* NAME=VALUE of `--set`: a parameter's value, or the start value of a variable. */
typedef struct model_setting {
    const char *name;  /* as the model writes it, or without quotes: "p", "x[2]", "motor.J" */
    const char *value; /* a number with an optional sign, true or false, or a literal */
} model_setting;

/* The course of an input of the model: its values at ascending times, in s. */
typedef struct model_course {
    const char *name; /* of the input, or an element of it, as in a setting */
    size_t count;     /* at least 1 */
    const double *time, *value;
} model_course;

/* A shared library in which external functions are looked for, opened; or one function, by the name
 * that it has in C. */
typedef struct model_code {
    const char *name; /* of the library's file, or of the function */
    void *library;    /* NULL: a function */
    shared_function function;
} model_code;

/* What is given beside the text. */
typedef struct model_given {
    size_t settings;
    const model_setting *setting;
    size_t courses;
    const model_course *course;
    size_t codes;
    const model_code *code;
    bool leads; /* homotopy(actual, simplified) is a mixture of both: system->homotopy.led */
} model_given;

/* Read flat Modelica (docs/language.md) and flatten it into scalar equations.
 *
 * A text of more than MODEL_LARGEST_TEXT bytes is a model error. `traces`: numbers that follow from
 * tunable parameters, including start values of unknowns, are traced (traced.h), for a system that
 * is to be copied (sym_system_copy()).
 *
 * `*system` and all in it live in `a`, which may hold remains after a failure; then `*system` is
 * NULL. It may be called outside arena_protect(a). If a name is set twice, the last setting counts.
 * given NULL: nothing.
 * Errors: DAE_MODEL_ERROR with all errors found (at most 20, in order of lines) in m->sentence.
 * Each consists of FILE:LINE:COLUMN: error: and a sentence, the line, a caret, and a remedy where
 * one is known. Unsupported but correct constructs are errors, too, if nothing else is wrong.
 * DAE_USAGE for a setting with an unknown name (with the nearest name) or an unfit value, and for
 * the course of what is no input;
 * DAE_NO_MEMORY. Notes, such as parameters without a value, go to m->notes. */
dae_status model_load(arena *a, const model_text *source, const model_given *given, bool traces,
                      message *m, sym_system **system);

/* The number in a setting of a Real; false if it is not one. Under the protection of `a`. */
bool model_setting_number(arena *a, const char *value, double *number);

#endif
