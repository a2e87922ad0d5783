/* Messages with values of the time at which they are given, as "T = " + String(T). */
#ifndef SYMBOLIC_SAID_H
#define SYMBOLIC_SAID_H

#include "base/text.h"
#include "symbolic/node.h"

typedef enum sym_word_kind {
    SYM_WORD_TEXT,  /* as it stands */
    SYM_WORD_REAL,  /* a number by its format, */
    SYM_WORD_WHOLE, /* the same of an Integer */
    SYM_WORD_NAME   /* the name with this number, from 0 */
} sym_word_kind;

typedef struct sym_word {
    sym_word_kind kind;
    const char *text; /* as it stands, or the conversion of a number as in printf: "%.6g" */
    sym value;        /* of the others */
    size_t names;
    const char *const *name;
    int least; /* characters, filled with blanks: */
    bool left; /* ... on the right */
} sym_word;

typedef struct sym_said {
    size_t count;
    const sym_word *word;
} sym_said;

/* The values that a message needs, in order, from value[0] on (NULL: they are only counted). Said
 * NULL: none. */
size_t sym_said_values(const sym_said *said, sym *value);

/* Append the message with these values. A value that is no number is written as nan. */
void sym_say(const sym_said *said, const double *value, text *t);

/* A copy in another arena, under its protection; NULL for NULL. And a visit to the values of one.
 */
const sym_said *sym_said_copy(arena *a, const sym_said *said);
void sym_said_visit(const sym_said *copy, sym_visit *visit, void *context);

#endif
