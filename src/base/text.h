/* Text that grows. Built outside arenas, for messages and descriptions that outlive them. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A string that is appended to. When memory runs out the text is cut and stays readable. */
typedef struct text {
    char *string; /* zero-terminated; NULL while empty */
    size_t length, capacity;
    int cut; /* something did not fit into memory */
} text;

void text_add(text *t, const char *string);
void text_add_bytes(text *t, const char *bytes, size_t length);
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_format_list(text *t, const char *format, va_list arguments);

/* Appends the variable arguments of the function in which it stands, whose last named parameter is
 * `format`. */
#define TEXT_FORMAT_ARGUMENTS(t)                \
    do {                                        \
        va_list arguments;                      \
        va_start(arguments, format);            \
        text_format_list(t, format, arguments); \
        va_end(arguments);                      \
    } while (0)

/* What a flat text of many lines consists of, without the cost of a format: spaces, and a whole
 * number. */
void text_spaces(text *t, size_t count);
void text_whole(text *t, size_t value);

/* The shortest decimal that reads back to the same double; nan, inf and -inf by those words. */
void text_number(text *t, double value);

/* The characters between the quotes of a name or a string of `length` bytes, with escapes replaced
 * as in the Modelica specification (2.3.1), into `to`, which has room for `length` bytes;
 * zero-terminated. */
void text_unquote(char *to, const char *quoted, size_t length);

/* Whether `length` bytes at `at` are this word. */
bool text_equals(const char *at, size_t length, const char *word);

/* Never NULL. */
const char *text_string(const text *t);

void text_clear(text *t);                  /* empty, memory kept */
void text_shorten(text *t, size_t length); /* to that length, if it is longer */
void text_free(text *t);

/* The number of characters; one may have several bytes in UTF-8. */
size_t text_characters(const char *string);

enum { TEXT_NUMBER_SIZE = 32 };

/* The text of text_number() into a buffer of TEXT_NUMBER_SIZE bytes; returns its length. */
size_t text_write_number(char *buffer, double value);

/* Whether `length` bytes at `candidate` are nearer to `word` than *best, which is then replaced.
 * *best is the edit distance so far; SIZE_MAX: none yet. False where the candidate is not near at
 * all. */
bool text_is_nearer(const char *word, const char *candidate, size_t length, size_t *best);

/* The candidate that is nearest to `word` by edit distance, NULL if none is near.
 * Wagner & Fischer, J. ACM 21 (1974), with adjacent transpositions. */
const char *text_nearest(const char *word, const char *const *candidate, size_t count);

#endif
