#include "base/columns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    columns *c;
    const char *path;
    message *m;
    char *rest;  /* of the text */
    size_t line; /* number of the present one */
    char separator;
    size_t room; /* for rows */
} reading;

/* Ends the next line that says something with a zero; NULL: there is none. */
static char *next_line(reading *f)
{
    while (*f->rest) {
        char *line = f->rest;
        size_t length = strcspn(line, "\n");
        f->rest += length + (line[length] == '\n');
        while (length > 0 && strchr(" \t\r", line[length - 1])) length--;
        line[length] = '\0';
        f->line++;
        if (*line && *line != '#') return line;
    }
    return NULL;
}

/* Takes the next field off a line: without blanks and quotes, ended by a zero; NULL: the line has
 * ended. Two quotes in quotes are one. */
static char *next_field(const reading *f, char **line)
{
    char *at = *line, *to, *field;
    if (!at) return NULL;
    at += strspn(at, f->separator == '\t' ? " " : " \t");
    field = to = at;
    if (*at == '"') {
        for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
            at += *at == '"';
            *to++ = *at;
        }
        at += *at == '"';
        while (*at && *at != f->separator) at++;
    } else {
        while (*at && *at != f->separator) *to++ = *at++;
        while (to > field && (to[-1] == ' ' || to[-1] == '\t')) to--;
    }
    *line = *at ? at + 1 : NULL;
    *to = '\0';
    return field;
}

static char separator_of(const char *line)
{
    return strchr(line, ';') ? ';' : strchr(line, ',') ? ',' : strchr(line, '\t') ? '\t' : ',';
}

/* Decimal ones alone: 0x10 is taken for a name. */
static bool is_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    return end != field && *end == '\0' && isfinite(*value) && !strpbrk(field, "xX");
}

static dae_status no_memory(const reading *f)
{
    return message_fail(f->m, DAE_NO_MEMORY, "memory is exhausted in reading %s", f->path);
}

static dae_status read_names(reading *f, char *line)
{
    columns *c = f->c;
    char *field;
    while ((field = next_field(f, &line))) {
        for (size_t i = 0; i < c->count; i++)
            if (strcmp(c->name[i], field) == 0)
                return message_fail(f->m, DAE_USAGE, "%s:%zu: two columns are called %s", f->path,
                                    f->line, field);
        c->name[c->count++] = field;
    }
    return DAE_OK;
}

static dae_status read_row(reading *f, char *line)
{
    columns *c = f->c;
    char *field;
    size_t i = 0;
    double *row = c->value + c->rows * c->count;
    for (; (field = next_field(f, &line)) && i < c->count; i++) {
        if (is_number(field, &row[i])) continue;
        row[i] = (double)NAN;
        if (c->wrong[i]) continue;
        c->wrong[i] = f->line;
        c->said[i] = field;
    }
    if (field || i < c->count)
        return message_fail(f->m, DAE_USAGE,
                            "%s:%zu: this line has %s than the %zu fields of the first", f->path,
                            f->line, field ? "more" : "fewer", c->count);
    c->line[c->rows++] = f->line;
    return DAE_OK;
}

static bool make_room(reading *f)
{
    columns *c = f->c;
    if (c->rows < f->room) return true;
    f->room = 2 * f->room + 64;
    double *value = realloc(c->value, f->room * c->count * sizeof *value);
    if (value) c->value = value;
    size_t *line = value ? realloc(c->line, f->room * sizeof *line) : NULL;
    if (line) c->line = line;
    return line != NULL;
}

/* The first line has names, unless all its fields are numbers. If it begins with a number, a name
 * further on is a mistake; the first row of a table would be lost. */
static dae_status read_first(reading *f, char *line)
{
    columns *c = f->c;
    double value;
    bool numbers = true, first = false;
    size_t count = 0, length = strlen(line);
    char *copy = malloc(length + 1), *rest = copy, *field;
    c->name = malloc((length + 2) * sizeof *c->name);
    dae_status status = copy && c->name ? DAE_OK : no_memory(f);
    if (status == DAE_OK) memcpy(copy, line, length + 1);
    for (; status == DAE_OK && (field = next_field(f, &rest)); count++) {
        bool number = is_number(field, &value);
        if (count == 0) first = number;
        numbers = numbers && number;
        if (first && !number)
            status = message_fail(f->m, DAE_USAGE,
                                  "%s:%zu: the first line has a number and \"%s\": it must have "
                                  "numbers alone, or names alone",
                                  f->path, f->line, field);
    }
    c->wrong = calloc(count + 1, sizeof *c->wrong);
    c->said = calloc(count + 1, sizeof *c->said);
    if (!c->wrong || !c->said) status = no_memory(f);
    if (status == DAE_OK && !numbers) status = read_names(f, line);
    if (status == DAE_OK && numbers) {
        free(c->name);
        c->name = NULL;
        c->count = count;
        status = make_room(f) ? read_row(f, line) : no_memory(f);
    }
    free(copy);
    return status;
}

static dae_status read_lines(reading *f)
{
    char *line = next_line(f);
    if (line && strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3; /* a byte order mark */
    if (!line) return message_fail(f->m, DAE_USAGE, "%s is empty", f->path);
    f->separator = separator_of(line);
    f->c->first_line = f->line;
    dae_status status = read_first(f, line);
    while (status == DAE_OK && (line = next_line(f)))
        status = make_room(f) ? read_row(f, line) : no_memory(f);
    if (status == DAE_OK && f->c->rows == 0)
        return message_fail(f->m, DAE_USAGE, "%s has names, but no values", f->path);
    return status;
}

static int read_all(const char *path, text *all)
{
    char part[16384];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file) return errno;
    errno = 0;
    while (!all->cut && (got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(all, part, got);
    int reason = ferror(file) ? (errno ? errno : EIO) : all->cut ? ENOMEM : 0;
    (void)fclose(file);
    return reason;
}

dae_status columns_read(columns *c, const char *path, message *m)
{
    *c = (columns){0};
    reading f = {.c = c, .path = path, .m = m};
    int reason = read_all(path, &c->all);
    if (reason) return message_fail(m, DAE_USAGE, "%s cannot be read: %s", path, strerror(reason));
    if (strlen(text_string(&c->all)) != c->all.length)
        return message_fail(m, DAE_USAGE, "%s is no text", path);
    f.rest = c->all.string ? c->all.string : (char[]){""};
    return read_lines(&f);
}

dae_status columns_check(const columns *c, size_t k, const char *path, message *m)
{
    if (!c->wrong[k]) return DAE_OK;
    char number[32];
    (void)snprintf(number, sizeof number, "%zu", k + 1);
    return message_fail(m, DAE_USAGE, "%s:%zu: %s is no number in column %s%s", path, c->wrong[k],
                        *c->said[k] ? c->said[k] : "an empty field", c->name ? c->name[k] : number,
                        strchr(c->said[k], ',') ? "; decimals have a point" : "");
}

void columns_free(columns *c)
{
    free(c->name);
    free(c->wrong);
    free(c->said);
    free(c->line);
    free(c->value);
    text_free(&c->all);
    *c = (columns){0};
}
