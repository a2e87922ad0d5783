/* The text of a model: lines, places in it, its tokens, and slices of it for messages. */
#ifndef MODEL_SOURCE_H
#define MODEL_SOURCE_H

#include "base/arena.h"
#include "base/message.h"
#include "base/names.h"
#include "base/place.h"
#include "model/load.h"

#include <stdbool.h>
#include <stdint.h>

/* A piece of the text: bytes from `begin` to before `end`. */
typedef struct model_span {
    uint32_t begin, end;
} model_span;

typedef struct model_reader model_reader; /* reader.h */

typedef struct model_source {
    const char *file;
    const char *bytes; /* without byte order mark; not owned */
    uint32_t length;
    const unsigned *origin; /* of each line, where the text is made from another one; or NULL */
    LIST(uint32_t) line;    /* where each line begins */
    struct {
        uint32_t begin, column; /* the last place found; columns are counted from there */
    } last;
} model_source;

/* Open a text of at most MODEL_LARGEST_TEXT bytes. Only under arena_protect(a). */
void model_source_open(arena *a, const model_text *from, model_source *s);

/* The span from the begin of one to the end of another. */
model_span model_join(model_span first, model_span last);

/* Line and column, both from 1, in characters (code points of UTF-8); the length ends with the
 * line. */
place model_place(model_source *s, model_span span);

/* The line (from 0) that a byte lies in. */
uint32_t model_line(const model_source *s, uint32_t byte);

/* The number of a line in messages, from 1. */
unsigned model_line_number(const model_reader *r, model_span at);

/* A line without its end; returns its length in bytes. */
uint32_t model_line_text(const model_source *s, uint32_t line, const char **bytes);

/* The offset of a byte that occurs in no text: zero or a control character. `length` if there is
 * none. */
uint32_t model_find_binary(const model_source *s);

/* The number of bytes of the first character (UTF-8, The Unicode Standard, Table 3-7); 0 if the
 * bytes do not begin with a character. `length` > 0. */
uint32_t model_character(const char *bytes, size_t length);

/* Replace each byte that is not part of a character by a question mark. */
void model_clean(char *bytes, size_t length);

/* Tokens (lexer.c). */

/* The keywords come first: a keyword's kind is its number among the names. */
typedef enum model_token_kind {
#define KEYWORD(kind, spelling) TOKEN_##kind,
#include "model/tokens.def"
#undef KEYWORD
    TOKEN_KEYWORDS, /* the number of keywords */
    TOKEN_NAME,
    TOKEN_NUMBER, /* with a point or an exponent */
    TOKEN_WHOLE,  /* a number without them */
    TOKEN_STRING,
#define SIGN(kind, spelling) TOKEN_##kind,
#include "model/tokens.def"
#undef SIGN
    TOKEN_TEXT_END
} model_token_kind;

typedef struct model_token {
    model_token_kind kind;
    model_span at;
    union {
        uint32_t name; /* of TOKEN_NAME; quoted names with their quotes, escapes replaced */
        double number;
    };
} model_token;

typedef struct model_tokens {
    model_token *item; /* the last one is TOKEN_TEXT_END */
    size_t count, capacity;
} model_tokens;

/* Divide the text of the reader into its tokens, and begin its table of names. Mistakes are
 * reported and replaced by the tokens probably meant. */
void model_lex(model_reader *r);

/* A name's text for messages, without quotes. */
const char *model_spelled(const model_reader *r, uint32_t name);

/* The name of a kind of token in messages, for example "';'" or "a name". */
const char *model_token_name(model_token_kind kind);

/* The contents of single or double quotes, with escapes replaced, as a copy in the arena. The
 * `length` bytes include the quotes. */
const char *model_unquote(arena *a, const char *quoted, size_t length);

/* The number written in `length` bytes without a sign, independent of the decimal point of the
 * locale. False if the bytes are anything else, or the number is beyond the range of a double. */
bool model_parse_number(arena *a, const char *string, size_t length, double *value);

/* The text of a span on one line, without comments, cut with "..." after about 100 characters. */
const char *model_excerpt(const model_reader *r, model_span span);
const char *model_excerpt_in(arena *a, const model_reader *r, model_span span); /* a copy there */

/* Errors in a model's text, collected during one run and written in order of place.
 *
 * An error is a mistake of the author. A refusal is correct Modelica that is not supported (yet).
 * Refusals are written only if there are no errors, because a wrong text does not need an
 * unsupported feature. */

typedef struct model_report {
    model_span at;
    const char *what, *remedy; /* remedy NULL: none is known */
    const char *feature;       /* of a refusal; NULL for an error */
    size_t number;             /* in order of arrival */
} model_report;

typedef struct model_reports {
    LIST(model_report) list;
    size_t errors;
    model_report *last; /* takes remedies; NULL if the report was dropped */
    uint32_t text_ends; /* text from here on is ignored: a comment or string is open */
} model_reports;

enum { MODEL_MOST_REPORTS = 100, MODEL_MOST_SHOWN = 20 };

/* Report an error: what is wrong, a format for the arguments after the remedy, and how to mend it
 * (NULL: not known, or added by model_remedy()). It is dropped if there is one at the same place.
 * Returns false, so that a check can end with it. */
bool model_error(model_reader *r, model_span at, const char *what, const char *remedy, ...)
    __attribute__((format(printf, 3, 5)));

/* Report an unsupported feature, once for each `feature` (NULL: `what` is its name). Returns false.
 */
bool model_refuse(model_reader *r, model_span at, const char *feature, const char *what,
                  const char *remedy, ...) __attribute__((format(printf, 4, 6)));

/* Give another remedy to the last report. Returns false. */
bool model_remedy(model_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add the nearest of `count` candidates as the remedy, if one is near. */
void model_remedy_nearest(model_reader *r, const char *word, size_t count,
                          const char *const *candidate);

/* A word that may stand in place of another one, and the remedy. */
typedef struct model_hint {
    const char *word, *remedy;
} model_hint;

/* The remedy for a word, from a list that ends with {NULL, that for any other word}. */
const char *model_hint_for(const model_hint *list, const char *word);

/* Write all errors, or else all refusals, into `m`; DAE_OK if there are none. */
dae_status model_reports_write(model_reader *r, message *m);

#endif
