#include "cli/course_file.h"

#include "base/columns.h"
#include "cli/tell.h"

#include <stdlib.h>
#include <string.h>

/* Whether a column has numbers alone (else reported). */
static int check_numbers(const columns *c, size_t k, const char *path)
{
    message m = {0};
    int code = 0;
    if (columns_check(c, k, path, &m) != DAE_OK)
        code = report_mistake("--input: %s", message_string(&m));
    message_free(&m);
    return code;
}

/* Whether the columns are those of courses (else reported). */
static int check(const columns *c, const char *path)
{
    if (!c->name || c->count < 2)
        return report_mistake("--input: %s:%zu: the first line has the names of a column of times "
                              "and of one or more inputs, as in time,u",
                              path, c->first_line);
    int code = check_numbers(c, 0, path);
    if (code) return code;
    for (size_t k = 1; k < c->rows; k++)
        if (c->value[k * c->count] < c->value[(k - 1) * c->count])
            return report_mistake("--input: %s:%zu: the time in %s falls: put the lines in order",
                                  path, c->line[k], c->name[0]);
    return 0;
}

/* Gives the inputs their columns. */
static int feed_all(const columns *c, const char *path, dae_problem *problem)
{
    size_t fed = 0;
    text others = {0};
    double *course = malloc(2 * c->rows * sizeof *course);
    dae_status status = course ? DAE_OK : DAE_NO_MEMORY;
    for (size_t i = 1; status == DAE_OK && i < c->count; i++) {
        if (!dae_problem_is_input(problem, c->name[i])) {
            text_format(&others, "%s%s", others.length ? ", " : "", c->name[i]);
            continue;
        }
        int code = check_numbers(c, i, path);
        if (code) {
            text_free(&others);
            free(course);
            return code;
        }
        for (size_t k = 0; k < c->rows; k++) {
            course[k] = c->value[k * c->count];
            course[c->rows + k] = c->value[k * c->count + i];
        }
        status = dae_problem_feed(problem, c->name[i], c->rows, course, course + c->rows);
        fed++;
    }
    if (status == DAE_OK && fed == 0)
        status = dae_problem_feed(problem, c->name[1], 1, c->value, c->value); /* says why */
    if (status == DAE_OK && others.length)
        fprintf(stderr, "daedal: note: columns of %s that are no inputs: %s\n", path,
                text_string(&others));
    text_free(&others);
    free(course);
    return exit_status(status);
}

/* Whether a setting is the start value of an input that has a course (else reported). */
static int check_settings(const columns *c, const char *path, const arguments *given,
                          dae_problem *problem)
{
    for (size_t k = 0; k < given->sets; k++) {
        size_t length = (size_t)(arguments_setting(given->set[k]) - given->set[k]);
        for (size_t i = 1; i < c->count; i++)
            if (strncmp(c->name[i], given->set[k], length) == 0 && !c->name[i][length] &&
                dae_problem_is_input(problem, c->name[i]))
                return report_mistake("--set: the input %s has a course in %s: give one of them",
                                      c->name[i], path);
    }
    return 0;
}

int read_courses(const char *path, const arguments *given, dae_problem *problem)
{
    columns c;
    message m = {0};
    dae_status status = columns_read(&c, path, &m);
    int code = status == DAE_NO_MEMORY ? report_no_memory()
               : status != DAE_OK      ? report_mistake("--input: %s", message_string(&m))
                                       : check(&c, path);
    if (code == 0) code = check_settings(&c, path, given, problem);
    if (code == 0) code = feed_all(&c, path, problem);
    columns_free(&c);
    message_free(&m);
    return code;
}
