#include "cli/course_file.h"

#include "base/text.h"
#include "cli/tell.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct course_file {
    const char *path;
    char *rest;  /* of the text */
    size_t line; /* number of the present one */
    char separator;
    size_t columns, rows, room;
    char **name;    /* columns */
    double *number; /* rows of columns; room for `room` rows */
} course_file;

/* Ends the next line that says something with a zero; NULL: there is none. */
static char *next_line(course_file *f)
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
static char *next_field(const course_file *f, char **line)
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

static int read_names(course_file *f)
{
    char *line = next_line(f), *field;
    if (line && strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3; /* a byte order mark */
    if (!line) return report_mistake("--input: %s is empty", f->path);
    f->separator = separator_of(line);
    f->name = malloc((strlen(line) + 2) * sizeof *f->name);
    if (!f->name) return report_no_memory();
    while ((field = next_field(f, &line))) {
        for (size_t i = 0; i < f->columns; i++)
            if (strcmp(f->name[i], field) == 0)
                return report_mistake("--input: %s:%zu: two columns are called %s", f->path,
                                      f->line, field);
        f->name[f->columns++] = field;
    }
    if (f->columns > 1) return 0;
    return report_mistake("--input: %s:%zu: the first line has the names of a column of times and "
                          "of one or more inputs, as in time,u",
                          f->path, f->line);
}

static int read_row(course_file *f, char *line)
{
    char *end, *field;
    size_t i = 0;
    double *row = f->number + f->rows * f->columns;
    for (; (field = next_field(f, &line)) && i < f->columns; i++) {
        row[i] = strtod(field, &end);
        if (end != field && *end == '\0' && isfinite(row[i])) continue;
        return report_mistake("--input: %s:%zu: %s is no number in column %s%s", f->path, f->line,
                              *field ? field : "an empty field", f->name[i],
                              strchr(field, ',') ? "; decimals have a point" : "");
    }
    if (field || i < f->columns)
        return report_mistake("--input: %s:%zu: this line has %s than the %zu fields of the first",
                              f->path, f->line, field ? "more" : "fewer", f->columns);
    if (f->rows > 0 && row[0] < row[0 - (ptrdiff_t)f->columns])
        return report_mistake("--input: %s:%zu: the time in %s falls: put the lines in order",
                              f->path, f->line, f->name[0]);
    f->rows++;
    return 0;
}

static int read_rows(course_file *f)
{
    char *line;
    int code = 0;
    while (code == 0 && (line = next_line(f))) {
        if (f->rows == f->room) {
            f->room = 2 * f->room + 64;
            double *grown = realloc(f->number, f->room * f->columns * sizeof *grown);
            if (!grown) return report_no_memory();
            f->number = grown;
        }
        code = read_row(f, line);
    }
    if (code == 0 && f->rows == 0)
        return report_mistake("--input: %s has names, but no values", f->path);
    return code;
}

/* Gives the inputs their columns. */
static int feed_all(const course_file *f, dae_problem *problem)
{
    size_t fed = 0;
    text others = {0};
    double *course = malloc(2 * f->rows * sizeof *course);
    dae_status status = course ? DAE_OK : DAE_NO_MEMORY;
    for (size_t i = 1; status == DAE_OK && i < f->columns; i++) {
        if (!dae_problem_is_input(problem, f->name[i])) {
            text_format(&others, "%s%s", others.length ? ", " : "", f->name[i]);
            continue;
        }
        for (size_t k = 0; k < f->rows; k++) {
            course[k] = f->number[k * f->columns];
            course[f->rows + k] = f->number[k * f->columns + i];
        }
        status = dae_problem_feed(problem, f->name[i], f->rows, course, course + f->rows);
        fed++;
    }
    if (status == DAE_OK && fed == 0)
        status = dae_problem_feed(problem, f->name[1], 1, f->number, f->number); /* says why */
    if (status == DAE_OK && others.length)
        fprintf(stderr, "daedal: note: columns of %s that are no inputs: %s\n", f->path,
                text_string(&others));
    text_free(&others);
    free(course);
    return exit_status(status);
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
    fclose(file);
    return reason;
}

int read_courses(const char *path, dae_problem *problem)
{
    text all = {0};
    course_file f = {.path = path};
    int code, reason = read_all(path, &all);
    if (reason)
        code = report_mistake("--input: %s cannot be read: %s", path, strerror(reason));
    else if (strlen(text_string(&all)) != all.length)
        code = report_mistake("--input: %s is no text", path);
    else {
        f.rest = all.string ? all.string : (char[]){""};
        code = read_names(&f);
        if (code == 0) code = read_rows(&f);
        if (code == 0) code = feed_all(&f, problem);
    }
    free(f.name);
    free(f.number);
    text_free(&all);
    return code;
}
