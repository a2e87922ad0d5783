/* Files of tables as text, as the Modelica Standard Library reads them:
 *
 *     #1
 *     double name(2, 3) # a comment
 *     0  1  2
 *     1  3.5  -4e2
 *
 * Numbers are separated by blanks, tabulators, commas, semicolons and ends of lines. */
#include "model/table_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct table_text {
    model_reader *r;
    model_span at; /* the call, for reports */
    const char *path;
    const char *rest;
    unsigned line;
} table_text;

static bool fail(const table_text *t, const char *why, const char *what)
{
    return model_error(t->r, t->at, "%s:%u: %s%s", NULL, t->path, t->line, why, what);
}

/* The text of a file in the arena; NULL: it cannot be read (reported). */
static const char *read_all(model_reader *r, model_span at, const char *path, size_t *length)
{
    char part[16384];
    size_t got;
    text all = {0};
    FILE *file = fopen(path, "rb");
    int reason = file ? 0 : errno;
    while (file && !all.cut && all.length <= MODEL_LARGEST_TEXT &&
           (got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(&all, part, got);
    if (file && ferror(file)) reason = EIO;
    if (all.cut || all.length > MODEL_LARGEST_TEXT) reason = ENOMEM;
    if (file) (void)fclose(file);
    const char *copy = reason ? NULL : arena_copy(r->a, text_string(&all), all.length);
    *length = all.length;
    text_free(&all);
    if (reason)
        model_error(r, at, "%s cannot be read: %s",
                    "the name of a file is relative to the directory of the model", path,
                    strerror(reason));
    return copy;
}

/* Goes on to what is neither blank nor a comment. */
static void skip(table_text *t, const char *blanks)
{
    for (;; t->rest++) {
        if (*t->rest == '#') t->rest += strcspn(t->rest, "\n");
        if (*t->rest == '\n') t->line++;
        if (!*t->rest || (*t->rest != '\n' && !strchr(blanks, *t->rest))) return;
    }
}

/* The next word, up to one of these characters. */
static const char *word(table_text *t, const char *ends)
{
    size_t length = strcspn(t->rest, ends);
    const char *found = arena_copy(t->r->a, t->rest, length);
    t->rest += length;
    return found;
}

static bool read_extent(table_text *t, char end, size_t *extent)
{
    double value;
    t->rest += strspn(t->rest, " \t");
    const char *said = word(t, " \t,)\r\n#");
    t->rest += strspn(t->rest, " \t");
    bool fits = model_setting_number(t->r->a, said, &value) && value >= 1 && value <= INT_MAX &&
                value == (double)(size_t)value && *t->rest == end;
    if (!fits) return fail(t, "a table begins with double NAME(ROWS, COLUMNS), found ", said);
    t->rest++;
    *extent = (size_t)value;
    return true;
}

/* double name(rows, columns) */
static bool read_header(table_text *t, const char **name, size_t *rows, size_t *width)
{
    const char *type = word(t, " \t\r\n#(");
    if (strcmp(type, "double") != 0 && strcmp(type, "float") != 0)
        return fail(t, "a table begins with double NAME(ROWS, COLUMNS), found ", type);
    t->rest += strspn(t->rest, " \t");
    *name = word(t, " \t\r\n#(");
    t->rest += strspn(t->rest, " \t");
    if (*t->rest != '(') return fail(t, "no sizes in parentheses after ", *name);
    t->rest++;
    if (!read_extent(t, ',', rows) || !read_extent(t, ')', width)) return false;
    t->rest += strcspn(t->rest, "\n");
    if (*width == 0 || *rows <= MODEL_MOST_ELEMENTS / *width) return true;
    return fail(t, "too many numbers in ", *name);
}

/* The numbers of a table; NULL: they are not all there (reported). */
static double *read_numbers(table_text *t, size_t count)
{
    static const char BLANKS[] = " \t\r,;";
    double *value = arena_array(t->r->a, count, sizeof *value);
    for (size_t i = 0; i < count; i++) {
        skip(t, BLANKS);
        const char *said = word(t, " \t\r\n,;#");
        if (*said && model_setting_number(t->r->a, said, &value[i])) continue;
        fail(t, *said ? "no number: " : "the file ends within a table", said);
        return NULL;
    }
    return value;
}

static const char *path_of(model_reader *r, const char *file)
{
    const char *slash = strrchr(r->source.file, '/');
    if (file[0] == '/' || !slash) return file;
    return arena_format(r->a, "%.*s%s", (int)(slash + 1 - r->source.file), r->source.file, file);
}

static bool is_mat_file(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".mat") == 0;
}

const double *model_read_table_file(model_reader *r, model_span at, const char *file,
                                    const char *wanted, size_t *rows, size_t *width)
{
    table_text t = {.r = r, .at = at, .path = path_of(r, file), .line = 1};
    const char *name = "", *list = "";
    size_t length;
    if (strncmp(file, "modelica:", 9) == 0) {
        model_refuse(r, at, NULL, "a file of a library, %s,", "name the file by its path", file);
        return NULL;
    }
    t.rest = read_all(r, at, t.path, &length);
    if (!t.rest) return NULL;
    if (is_mat_file(t.path) && strncmp(t.rest, "MATLAB", 6) != 0)
        return model_read_mat_file(r, at, t.path, t.rest, length, wanted, rows, width);
    if (strncmp(t.rest, "#1", 2) != 0) {
        model_error(r, at, "%s is no file of tables as text, and none of MATLAB 4",
                    "the first line is #1; a file of a later MATLAB is stored as version "
                    "4 by save(..., '-v4')",
                    t.path);
        return NULL;
    }
    for (skip(&t, " \t\r"); *t.rest; skip(&t, " \t\r")) {
        if (!read_header(&t, &name, rows, width)) return NULL;
        const double *value = read_numbers(&t, *rows * *width);
        if (!value || strcmp(name, wanted) == 0) return value;
        list = arena_format(r->a, "%s%s%s", list, *list ? ", " : "", name);
        t.rest += strcspn(t.rest, "\n");
    }
    model_error(r, at, "%s has no table %s", NULL, t.path, wanted);
    model_remedy(r, "its tables: %s", *list ? list : "none");
    return NULL;
}
