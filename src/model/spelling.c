/* Spelling of names, tokens and pieces of the text: without quotes, and in messages. */
#include "model/reader.h"

#include <string.h>

const char *model_spelled(const model_reader *r, uint32_t name)
{
    const char *string = names_string(r->words, name);
    return string[0] == '\'' ? arena_copy(r->a, string + 1, strlen(string) - 2) : string;
}

const char *model_token_name(model_token_kind kind)
{
    static const char *const name[] = {
#define KEYWORD(token, spelling) [TOKEN_##token] = "'" spelling "'",
#define SIGN(token, spelling)    [TOKEN_##token] = "'" spelling "'",
#include "model/tokens.def"
#undef KEYWORD
#undef SIGN
        [TOKEN_NAME] = "a name",
        [TOKEN_NUMBER] = "a number",
        [TOKEN_WHOLE] = "a number",
        [TOKEN_STRING] = "a string",
        [TOKEN_TEXT_END] = "the end of the text",
    };
    return name[kind] ? name[kind] : "";
}

const char *model_unquote(arena *a, const char *quoted, size_t length)
{
    char *copy = arena_array(a, length + 1, 1);
    text_unquote(copy, quoted, length);
    return copy;
}

/* The first token that ends behind a byte. */
static size_t first_token(const model_tokens *tokens, uint32_t byte)
{
    size_t low = 0, high = tokens->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->item[middle].at.end <= byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *model_excerpt(const model_reader *r, model_span span)
{
    enum { LONGEST = 100 };
    const model_tokens *tokens = &r->tokens;
    const char *written = r->source.bytes;
    char *excerpt = arena_array(r->a, LONGEST + 8, 1);
    size_t length = 0;
    uint32_t end = span.begin;
    for (size_t i = first_token(tokens, span.begin); i < tokens->count; i++) {
        model_span at = tokens->item[i].at;
        if (at.begin >= span.end || at.end == at.begin) break;
        size_t gap = at.begin > end, bytes = at.end - at.begin, room = LONGEST - length;
        bool fits = gap + bytes <= room;
        if (gap && room) excerpt[length++] = ' ';
        if (!fits) bytes = room > gap ? room - gap : 0;
        while (!fits && bytes && ((unsigned char)written[at.begin + bytes] & 0xC0) == 0x80) bytes--;
        memcpy(excerpt + length, written + at.begin, bytes);
        length += bytes;
        end = at.end;
        if (!fits) {
            memcpy(excerpt + length, "...", 4);
            break;
        }
    }
    for (size_t i = 0; i < length; i++)
        if (excerpt[i] == '\n' || excerpt[i] == '\r' || excerpt[i] == '\t') excerpt[i] = ' ';
    model_clean(excerpt, length);
    return excerpt;
}
