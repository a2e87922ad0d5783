#include "model/source.h"

#include "model/reader.h"

#include <string.h>

static void find_lines(arena *a, model_source *s)
{
    list_push(a, &s->line, 0);
    for (uint32_t i = 0; i < s->length; i++) {
        bool lone_return = s->bytes[i] == '\r' && (i + 1 == s->length || s->bytes[i + 1] != '\n');
        if (s->bytes[i] == '\n' || lone_return) list_push(a, &s->line, i + 1);
    }
}

void model_source_open(arena *a, const model_text *from, model_source *s)
{
    static const char mark[] = "\xEF\xBB\xBF";
    bool marked = from->length >= 3 && memcmp(from->bytes, mark, 3) == 0;
    *s = (model_source){.file = from->file,
                        .bytes = from->length ? from->bytes + (marked ? 3 : 0) : "",
                        .length = (uint32_t)from->length - (marked ? 3 : 0)};
    find_lines(a, s);
}

model_span model_join(model_span first, model_span last)
{
    return (model_span){first.begin, last.end};
}

/* The number of bytes of a character, from its first byte, and the bounds of its second byte. */
static uint32_t sequence(unsigned char first, unsigned char *low, unsigned char *high)
{
    *low = 0x80, *high = 0xBF;
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    if (first < 0xE0) return 2;
    if (first == 0xE0) *low = 0xA0;
    if (first == 0xED) *high = 0x9F;
    if (first < 0xF0) return 3;
    if (first == 0xF0) *low = 0x90;
    if (first == 0xF4) *high = 0x8F;
    return 4;
}

uint32_t model_character(const char *bytes, size_t length)
{
    unsigned char low, high;
    uint32_t count = sequence((unsigned char)bytes[0], &low, &high);
    if (count > length) return 0;
    for (uint32_t i = 1; i < count; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte < low || byte > high) return 0;
        low = 0x80, high = 0xBF;
    }
    return count;
}

void model_clean(char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t count = model_character(bytes + i, length - i);
        if (count == 0) bytes[i] = '?';
        i += count ? count : 1;
    }
}

/* Count characters. An invalid byte counts as one character, because it is shown as one. */
static uint32_t characters(const model_source *s, uint32_t begin, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; count++) {
        uint32_t length = model_character(s->bytes + i, s->length - i);
        i += length ? length : 1;
    }
    return count;
}

uint32_t model_line(const model_source *s, uint32_t byte)
{
    size_t low = 0, high = s->line.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->line.item[middle] <= byte)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

unsigned model_line_number(const model_reader *r, model_span at)
{
    return (unsigned)model_line(&r->source, at.begin) + 1;
}

uint32_t model_line_text(const model_source *s, uint32_t line, const char **bytes)
{
    uint32_t begin = s->line.item[line];
    uint32_t end = line + 1 < s->line.count ? s->line.item[line + 1] : s->length;
    while (end > begin && (s->bytes[end - 1] == '\n' || s->bytes[end - 1] == '\r')) end--;
    *bytes = s->bytes + begin;
    return end - begin;
}

place model_place(model_source *s, model_span span)
{
    if (span.begin > s->length) span.begin = s->length;
    uint32_t line = model_line(s, span.begin), from = s->line.item[line], column = 1;
    if (s->last.column && s->last.begin >= from && s->last.begin <= span.begin) {
        from = s->last.begin;
        column = s->last.column;
    }
    column += characters(s, from, span.begin);
    s->last.begin = span.begin;
    s->last.column = column;

    const char *bytes;
    uint32_t line_end = s->line.item[line] + model_line_text(s, line, &bytes);
    uint32_t end = span.end < line_end ? span.end : line_end;
    uint32_t length = end > span.begin ? characters(s, span.begin, end) : 0;
    return (place){.line = line + 1, .column = column, .length = length ? length : 1};
}

uint32_t model_find_binary(const model_source *s)
{
    for (uint32_t i = 0; i < s->length; i++) {
        unsigned char byte = (unsigned char)s->bytes[i];
        if ((byte < ' ' && !strchr("\t\n\r\f\v", byte)) || byte == 0 || byte == 0x7F) return i;
    }
    return s->length;
}
