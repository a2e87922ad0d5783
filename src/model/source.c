#include "model/source.h"

#include "model/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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
                        .length = (uint32_t)from->length - (marked ? 3 : 0),
                        .origin = from->line};
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
    uint32_t line = model_line(&r->source, at.begin);
    return r->source.origin ? r->source.origin[line] : line + 1;
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
    if (s->origin) return (place){.line = s->origin[line], .column = 1, .length = 1};
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

/* Errors in a text, and how its names, tokens and pieces are spelled in them. */

/* Add a report, unless there are too many, or it is known. */
static void add(model_reader *r, model_report report, const char *format, va_list arguments)
{
    model_reports *all = &r->reports;
    all->last = NULL;
    size_t alike = report.feature ? all->list.count - all->errors : all->errors;
    if (report.at.begin >= all->text_ends || alike >= MODEL_MOST_REPORTS) return;
    for (size_t i = 0; i < all->list.count; i++) {
        const model_report *known = &all->list.item[i];
        if (!known->feature != !report.feature) continue;
        if (report.feature ? strcmp(known->feature, report.feature) == 0
                           : known->at.begin == report.at.begin)
            return;
    }
    report.number = all->list.count;
    report.what = arena_format_list(r->a, format, arguments);
    list_push(r->a, &all->list, report);
    all->errors += !report.feature;
    all->last = &all->list.item[all->list.count - 1];
}

bool model_error(model_reader *r, model_span at, const char *what, const char *remedy, ...)
{
    va_list arguments;
    va_start(arguments, remedy);
    add(r, (model_report){.at = at, .remedy = remedy}, what, arguments);
    va_end(arguments);
    return false;
}

bool model_refuse(model_reader *r, model_span at, const char *feature, const char *what,
                  const char *remedy, ...)
{
    va_list arguments;
    va_start(arguments, remedy);
    model_report report = {.at = at, .feature = feature ? feature : what, .remedy = remedy};
    add(r, report, what, arguments);
    va_end(arguments);
    return false;
}

bool model_remedy(model_reader *r, const char *format, ...)
{
    if (!r->reports.last) return false;
    va_list arguments;
    va_start(arguments, format);
    r->reports.last->remedy = arena_format_list(r->a, format, arguments);
    va_end(arguments);
    return false;
}

void model_remedy_nearest(model_reader *r, const char *word, size_t count,
                          const char *const *candidate)
{
    if (!r->reports.last) return;
    const char *nearest = text_nearest(word, candidate, count);
    if (nearest) model_remedy(r, "nearest name: %s", nearest);
}

const char *model_hint_for(const model_hint *list, const char *word)
{
    while (list->word && strcmp(list->word, word) != 0) list++;
    return list->remedy;
}

static int by_place(const void *a, const void *b)
{
    const model_report *x = a, *y = b;
    if (!x->feature != !y->feature) return x->feature ? 1 : -1; /* errors before refusals */
    if (x->at.begin != y->at.begin) return x->at.begin < y->at.begin ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

enum { SHOWN_BEFORE = 60, SHOWN_AFTER = 90, INDENT = 4 }; /* of a long line, around the place */

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The bytes [*from, *to) of a line of `length` bytes that are shown around byte `at`. */
static void window(const char *line, uint32_t length, uint32_t at, uint32_t *from, uint32_t *to)
{
    *from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
    *to = length > at + SHOWN_AFTER ? at + SHOWN_AFTER : length;
    if (length <= SHOWN_BEFORE + SHOWN_AFTER) *from = 0, *to = length;
    while (*from < at && continues(line[*from])) ++*from; /* whole characters */
    while (*to > at && *to < length && continues(line[*to])) --*to;
}

/* Write characters of a line. Bytes that a terminal would not show as a character become question
 * marks. `blank`: write blanks instead, up to the caret. Returns the number of characters. */
static uint32_t write_characters(message *m, const char *bytes, uint32_t count, bool blank)
{
    uint32_t characters = 0;
    for (uint32_t i = 0; i < count; characters++) {
        uint32_t length = model_character(bytes + i, count - i);
        unsigned char first = (unsigned char)bytes[i],
                      second = length > 1 ? (unsigned char)bytes[i + 1] : 0;
        bool control = first == 0x7F || (first < ' ' && first != '\t') ||
                       (first == 0xC2 && second < 0xA0);
        if (blank)
            text_add(&m->sentence, first == '\t' ? "\t" : " ");
        else if (control || !length)
            text_add(&m->sentence, "?");
        else
            text_add_bytes(&m->sentence, bytes + i, length);
        i += length ? length : 1;
    }
    return characters;
}

/* The line with a caret under the place. A tab of the line is a tab before the caret. */
static void write_line(message *m, const model_source *s, model_span span, uint32_t tail)
{
    const char *line;
    uint32_t number = model_line(s, span.begin), from, to;
    uint32_t length = model_line_text(s, number, &line), at = span.begin - s->line.item[number];
    if (at > length) at = length;
    window(line, length, at, &from, &to);
    message_more(m, "\n%*s%s", INDENT, "", from ? "..." : "");
    uint32_t shown = write_characters(m, line + from, to - from, false);
    message_more(m, "%s\n%*s", to < length ? "..." : "", from ? INDENT + 3 : INDENT, "");
    uint32_t before = write_characters(m, line + from, at - from, true);
    message_more(m, "^");
    for (uint32_t i = 1; i < tail && before + i < shown; i++) message_more(m, "~");
}

static void write_report(message *m, model_source *s, const model_report *report)
{
    place at = model_place(s, report->at);
    message_more(m, "%s:%u:%u: error: %s", s->file, (unsigned)at.line, (unsigned)at.column,
                 report->what);
    write_line(m, s, report->at, at.length);
    if (report->remedy) message_more(m, "\n  %s", report->remedy);
}

dae_status model_reports_write(model_reader *r, message *m)
{
    if (r->reports.list.count == 0) return DAE_OK;
    qsort(r->reports.list.item, r->reports.list.count, sizeof *r->reports.list.item, by_place);
    size_t count = r->reports.errors ? r->reports.errors : r->reports.list.count;
    if (message_fail(m, DAE_MODEL_ERROR, "%s", "") != DAE_MODEL_ERROR) return m->status;
    for (size_t i = 0; i < count && i < MODEL_MOST_SHOWN; i++) {
        if (i > 0) message_more(m, "\n");
        write_report(m, &r->source, &r->reports.list.item[i]);
    }
    if (count > MODEL_MOST_SHOWN)
        message_more(m, "\nand %s%zu more", count >= MODEL_MOST_REPORTS ? "at least " : "",
                     count - MODEL_MOST_SHOWN);
    return DAE_MODEL_ERROR;
}

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

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a comment begins here: the second character tells of which kind it is. */
static bool begins_comment(const char *bytes, uint32_t at, uint32_t end)
{
    return at + 1 < end && bytes[at] == '/' && (bytes[at + 1] == '/' || bytes[at + 1] == '*');
}

static uint32_t behind_comment(const char *bytes, uint32_t at, uint32_t end)
{
    bool of_line = bytes[at + 1] == '/';
    for (at += 2; at < end; at++) {
        if (of_line && (bytes[at] == '\n' || bytes[at] == '\r')) return at;
        if (!of_line && at + 1 < end && bytes[at] == '*' && bytes[at + 1] == '/') return at + 2;
    }
    return end;
}

/* After white space and comments. */
static uint32_t behind_gap(const char *bytes, uint32_t at, uint32_t end)
{
    while (at < end) {
        if (is_blank(bytes[at]))
            at++;
        else if (begins_comment(bytes, at, end))
            at = behind_comment(bytes, at, end);
        else
            break;
    }
    return at;
}

/* After a string or a quoted name. */
static uint32_t behind_quoted(const char *bytes, uint32_t at, uint32_t end)
{
    char quote = bytes[at++];
    while (at < end && bytes[at] != quote) at += bytes[at] == '\\' ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* Up to the next gap. */
static uint32_t behind_run(const char *bytes, uint32_t at, uint32_t end)
{
    while (at < end && !is_blank(bytes[at]) && !begins_comment(bytes, at, end))
        at = bytes[at] == '"' || bytes[at] == '\'' ? behind_quoted(bytes, at, end) : at + 1;
    return at;
}

/* By the text alone: its tokens are many, and are given back before most excerpts are made. */
const char *model_excerpt_in(arena *a, const model_reader *r, model_span span)
{
    enum { LONGEST = 100 };
    const char *written = r->source.bytes;
    char excerpt[LONGEST + 8];
    size_t length = 0;
    uint32_t before = span.begin, at = behind_gap(written, before, span.end);
    while (at < span.end) {
        uint32_t behind = behind_run(written, at, span.end);
        size_t gap = at > before, bytes = behind - at, room = LONGEST - length;
        bool fits = gap + bytes <= room;
        if (gap && room) excerpt[length++] = ' ';
        if (!fits) bytes = room > gap ? room - gap : 0;
        while (!fits && bytes && continues(written[at + bytes])) bytes--; /* whole characters */
        memcpy(excerpt + length, written + at, bytes);
        length += bytes;
        if (!fits) {
            memcpy(excerpt + length, "...", 3);
            length += 3;
            break;
        }
        before = behind;
        at = behind_gap(written, behind, span.end);
    }
    for (size_t i = 0; i < length; i++)
        if (excerpt[i] == '\n' || excerpt[i] == '\r' || excerpt[i] == '\t') excerpt[i] = ' ';
    model_clean(excerpt, length);
    return arena_copy(a, excerpt, length);
}

const char *model_excerpt(const model_reader *r, model_span span)
{
    return model_excerpt_in(r->a, r, span);
}
