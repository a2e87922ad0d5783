#include "base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int reserve(text *t, size_t extra)
{
    if (extra < t->capacity - t->length) return 1;
    size_t capacity = 2 * (t->length + extra) + 64;
    char *string = realloc(t->string, capacity);
    if (!string) {
        t->cut = 1;
        return 0;
    }
    t->string = string;
    t->capacity = capacity;
    return 1;
}

void text_add_bytes(text *t, const char *bytes, size_t length)
{
    if (!reserve(t, length)) return;
    memcpy(t->string + t->length, bytes, length);
    t->length += length;
    t->string[t->length] = '\0';
}

void text_add(text *t, const char *string)
{
    text_add_bytes(t, string, strlen(string));
}

void text_spaces(text *t, size_t count)
{
    if (!reserve(t, count)) return;
    memset(t->string + t->length, ' ', count);
    t->length += count;
    t->string[t->length] = '\0';
}

void text_whole(text *t, size_t value)
{
    char digits[20]; /* of 2^64 */
    size_t first = sizeof digits;
    do digits[--first] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    text_add_bytes(t, digits + first, sizeof digits - first);
}

void text_format_list(text *t, const char *format, va_list arguments)
{
    va_list again;
    size_t room = t->capacity - t->length;
    va_copy(again, arguments);
    int length = vsnprintf(room ? t->string + t->length : NULL, room, format, again);
    va_end(again);
    bool fits = length >= 0 && (size_t)length < room;
    if (room && !fits) t->string[t->length] = '\0';
    if (length < 0 || (!fits && !reserve(t, (size_t)length))) return;
    if (!fits) vsnprintf(t->string + t->length, t->capacity - t->length, format, arguments);
    t->length += (size_t)length;
}

void text_format(text *t, const char *format, ...)
{
    TEXT_FORMAT_ARGUMENTS(t);
}

void text_number(text *t, double value)
{
    char buffer[TEXT_NUMBER_SIZE];
    text_add_bytes(t, buffer, text_write_number(buffer, value));
}

static char escaped(char c)
{
    static const char letter[] = "abfnrtv", meaning[] = "\a\b\f\n\r\t\v";
    const char *found = c ? strchr(letter, c) : NULL;
    return found ? meaning[found - letter] : c;
}

void text_unquote(char *to, const char *quoted, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        bool escape = quoted[i] == '\\' && i + 2 < length;
        if (escape) i++;
        *to++ = escape ? escaped(quoted[i]) : quoted[i];
    }
    *to = '\0';
}

bool text_equals(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && strncmp(at, word, length) == 0;
}

const char *text_string(const text *t)
{
    return t->string ? t->string : "";
}

void text_shorten(text *t, size_t length)
{
    if (length >= t->length) return;
    t->length = length;
    t->string[length] = '\0';
}

void text_clear(text *t)
{
    t->length = 0;
    if (t->string) t->string[0] = '\0';
}

void text_free(text *t)
{
    free(t->string);
    *t = (text){0};
}

size_t text_characters(const char *string)
{
    size_t count = 0;
    for (; *string; string++) count += ((unsigned char)*string & 0xc0) != 0x80;
    return count;
}

enum { LONGEST_WORD = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[3][LONGEST_WORD + 1];
    size_t *before = row[0], *last = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++) last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            now[j] = smaller(last[j - 1] + change, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

bool text_is_nearer(const char *word, const char *candidate, size_t length, size_t *best)
{
    size_t own = strlen(word);
    if (own > LONGEST_WORD || length > LONGEST_WORD) return false;
    size_t distance = edit_distance(word, own, candidate, length);
    if (distance >= smaller(smaller(*best, own / 3 + 2), length)) return false;
    *best = distance;
    return true;
}

const char *text_nearest(const char *word, const char *const *candidate, size_t count)
{
    size_t best = SIZE_MAX;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++)
        if (text_is_nearer(word, candidate[i], strlen(candidate[i]), &best)) nearest = candidate[i];
    return nearest;
}
