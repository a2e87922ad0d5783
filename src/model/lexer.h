/* From the text of a model to its tokens. */
#ifndef MODEL_LEXER_H
#define MODEL_LEXER_H

#include "base/names.h"
#include "model/source.h"

#include <stdbool.h>

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

#endif
