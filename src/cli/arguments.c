#include "cli/arguments.h"

#include "cli/tell.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Lists on the command line, separated by commas. */

static const char no_memory[] = "memory is exhausted";

/* Whether the whole of a word is a finite number. */
static bool list_number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*value);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Appends the times of a list to `*at` and sorts them. Returns NULL, or what is wrong. */
static const char *list_times(const char *list, double **at, size_t *count)
{
    size_t entries = 1;
    for (const char *c = list; *c; c++) entries += *c == ',';
    double *grown = realloc(*at, (*count + entries) * sizeof *grown);
    if (!grown) return no_memory;
    *at = grown;
    for (; entries > 0; entries--) {
        char one[64];
        size_t length = strcspn(list, ",");
        if (length == 0) return "a time is missing";
        if (length >= sizeof one) return "not a time";
        memcpy(one, list, length);
        one[length] = '\0';
        if (!list_number(one, &grown[*count])) return "not a time";
        ++*count;
        list += length + (list[length] == ',');
    }
    qsort(grown, *count, sizeof *grown, compare);
    return NULL;
}

/* The length of the first entry: up to the first comma outside brackets and quotes. */
static size_t entry_length(const char *list)
{
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++) {
        if (quoted && list[length] == '\\' && list[length + 1]) {
            length++;
            continue;
        }
        bool begins = length == 0 || strchr(".,[(", list[length - 1]);
        if (list[length] == '\'' && (quoted || begins)) quoted = !quoted;
        if (!quoted) depth += (list[length] == '[') - (list[length] == ']');
    }
    return length;
}

/* Appends the names of a list to `*name`, which owns them. A comma in brackets or quotes does not
 * separate. Returns NULL, or what is wrong. */
static const char *list_names(const char *list, char ***name, size_t *count)
{
    for (bool more = true; more;) {
        size_t length = entry_length(list);
        if (length == 0) return "a name is missing";
        char **grown = realloc(*name, (*count + 1) * sizeof *grown);
        if (!grown) return no_memory;
        *name = grown;
        grown[*count] = malloc(length + 1);
        if (!grown[*count]) return no_memory;
        memcpy(grown[*count], list, length);
        grown[(*count)++][length] = '\0';
        more = list[length] == ',';
        list += length + more;
    }
    return NULL;
}

typedef struct reader {
    arguments *given;
    flag_list flags;
} reader;

/* Refuses a value with a message such as `--at: not a time: "x"`; NULL: nothing is wrong. */
static int refuse(const char *name, const char *why, const char *value)
{
    if (why == no_memory) return report_no_memory();
    return why ? report_mistake("--%s: %s: \"%s\"", name, why, value) : 0;
}

static int read_option(reader *r, const flag *f, const char *value)
{
    char *member = (char *)&r->given->options + f->offset;
    double number = 0;
    if (f->kind == FLAG_NAME) {
        *(dae_name *)(void *)member = value;
        return 0;
    }
    bool good = list_number(value, &number) && number >= f->lowest && number <= f->highest;
    if (!good || (f->kind == FLAG_SIZE && number != floor(number)))
        return report_mistake("--%s %s: expected a %snumber from %.6g to %.6g", f->name, value,
                              f->kind == FLAG_SIZE ? "whole " : "", f->lowest, f->highest);
    if (f->kind == FLAG_SIZE)
        *(size_t *)(void *)member = (size_t)number;
    else
        *(double *)(void *)member = number;
    if (strcmp(f->name, "rtol") == 0) r->given->has_rtol = true;
    if (strcmp(f->name, "atol") == 0) r->given->has_atol = true;
    return 0;
}

/* Reads NAME=VALUE. A quoted name may contain "="; a value never does. */
const char *arguments_setting(const char *setting)
{
    bool quoted = false;
    const char *c = setting;
    for (; *c && (quoted || *c != '='); c++) {
        bool begins = c == setting || c[-1] == '.'; /* it's = 1 has no quotes, but an apostrophe */
        if (*c == '\\' && quoted && c[1])
            c++;
        else if (*c == '\'' && (quoted || begins))
            quoted = !quoted;
    }
    return *c ? c : NULL;
}

static int read_set(arguments *given, const char *value)
{
    const char *sign = arguments_setting(value);
    if (!sign || sign == value) return refuse("set", "expected NAME=VALUE, not", value);
    const char **grown = realloc(given->set, (given->sets + 1) * sizeof *grown);
    if (!grown) return refuse("set", no_memory, value);
    given->set = grown;
    given->set[given->sets++] = value;
    return 0;
}

static int read_count(const char *value, size_t *count)
{
    double number;
    if (!list_number(value, &number) || number < 2 || number > 1e9 || number != floor(number))
        return refuse("points", "expected a whole number from 2 to 1e9, not", value);
    *count = (size_t)number;
    return 0;
}

static int read_time(const char *name, const char *value, bool *given, double *time)
{
    *given = true;
    return list_number(value, time) ? 0 : refuse(name, "expected a time, not", value);
}

static int read_interval(arguments *given, const char *value)
{
    if (list_number(value, &given->interval) && given->interval > 0) return 0;
    return refuse("interval", "expected a time above 0, not", value);
}

/* Reads a file name. An empty name is refused. So is one that begins like a flag, because then the
 * name was forgotten. */
static int read_path(const char *name, const char *value, const char **path)
{
    *path = value;
    if (value && !*value) return refuse(name, "expected the name of a file, not", value);
    if (!value || *value != '-') return 0;
    return report_mistake(
        "--%s: expected the name of a file, not \"%s\"; a file of that name is \"./%s\"", name,
        value, value);
}

/* A file more in a list. */
static int read_file(const char *name, const char *value, const char ***list, size_t *count)
{
    const char **grown = realloc(*list, (*count + 1) * sizeof *grown);
    if (!grown) return refuse(name, no_memory, value);
    *list = grown;
    return read_path(name, value, &grown[(*count)++]);
}

static int read_format(arguments *given, const char *value)
{
    bool json = strcmp(value, "json") == 0;
    given->json = json;
    return json || strcmp(value, "text") == 0
               ? 0
               : refuse("format", "expected text or json, not", value);
}

static int read_flag(reader *r, const flag *f, const char *value)
{
    arguments *given = r->given;
    const char *name = f->name;
    if (f->kind != FLAG_OF_COMMAND) return read_option(r, f, value);
    if (strcmp(name, "start") == 0) return read_time(name, value, &given->has_start, &given->start);
    if (strcmp(name, "stop") == 0) return read_time(name, value, &given->has_stop, &given->stop);
    if (strcmp(name, "interval") == 0) return read_interval(given, value);
    if (strcmp(name, "points") == 0) return read_count(value, &given->points);
    if (strcmp(name, "at") == 0)
        return refuse(name, list_times(value, &given->at, &given->at_count), value);
    if (strcmp(name, "vars") == 0)
        return refuse(name, list_names(value, &given->var, &given->vars), value);
    if (strcmp(name, "inputs") == 0)
        return refuse(name, list_names(value, &given->port[0], &given->ports[0]), value);
    if (strcmp(name, "outputs") == 0)
        return refuse(name, list_names(value, &given->port[1], &given->ports[1]), value);
    if (strcmp(name, "set") == 0) return read_set(given, value);
    if (strcmp(name, "input") == 0) return read_file(name, value, &given->input, &given->inputs);
    if (strcmp(name, "library") == 0)
        return read_file(name, value, &given->library, &given->libraries);
    if (strcmp(name, "out") == 0) return read_path(name, value, &given->out);
    if (strcmp(name, "plot") == 0) return read_path(name, value, &given->plot);
    if (strcmp(name, "view") == 0) given->view = value;
    if (strcmp(name, "model") == 0) given->model = value;
    if (strcmp(name, "format") == 0) return read_format(given, value);
    if (strcmp(name, "stats") == 0) {
        given->stats = true;
        return read_path(name, value, &given->stats_file);
    }
    if (strcmp(name, "events") == 0) {
        given->events = true;
        return read_path(name, value, &given->events_file);
    }
    if (strcmp(name, "event-rows") == 0) given->options.event_rows = true;
    if (strcmp(name, "json") == 0) given->json = true;
    if (strcmp(name, "list") == 0) given->list = true;
    if (strcmp(name, "quiet") == 0) given->quiet = true;
    if (strcmp(name, "help") == 0) given->help = true;
    return 0;
}

/* Describes the flags for getopt_long(). Long ones are numbered from 256 on. */
static void describe(const flag_list *list, struct option *known, char *letters)
{
    size_t end = 1;
    letters[0] = ':';
    for (size_t i = 0; i < list->count; i++) {
        const flag *f = &list->item[i];
        known[i] = (struct option){.name = f->name, .val = 256 + (int)i};
        known[i].has_arg = !f->argument            ? no_argument
                           : f->argument[0] == '[' ? optional_argument
                                                   : required_argument;
        if (f->letter) letters[end++] = f->letter;
        if (f->letter && f->argument) letters[end++] = ':';
    }
    letters[end] = '\0';
}

/* Whether a long flag was shortened. getopt_long() accepts that, but a script that relies on it
 * breaks when another flag is added. */
static bool is_shortened(const flag *f, char **argument)
{
    const char *word = argument[optind - 1];
    if (optarg == word) word = argument[optind - 2];
    return strcspn(word + 2, "=") != strlen(f->name);
}

static int reject(const reader *r, char **argument)
{
    const char *word = argument[optind - 1];
    char letter[3] = {'-', (char)optopt, '\0'};
    if (optopt >= 256)
        return report_mistake("--%s takes no value: \"%s\"", r->flags.item[optopt - 256].name,
                              word);
    return flag_list_reject(&r->flags, optopt ? letter : word);
}

static int read_flags(reader *r, int count, char **argument)
{
    struct option known[FLAG_LIST_MOST + 1] = {{0}};
    char letters[2 * FLAG_LIST_MOST + 2];
    describe(&r->flags, known, letters);
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(count, argument, letters, known, NULL)) != -1;) {
        if (found == '?') return reject(r, argument);
        if (found == ':')
            return report_mistake("a value is missing after \"%s\"", argument[optind - 1]);
        size_t at = 0;
        while (found < 256 ? r->flags.item[at].letter != found : (int)at + 256 != found) at++;
        if (found >= 256 && is_shortened(&r->flags.item[at], argument))
            return flag_list_reject(&r->flags,
                                    argument[optind - 1 - (optarg == argument[optind - 1])]);
        int wrong = read_flag(r, &r->flags.item[at], optarg);
        if (wrong) return wrong;
    }
    return 0;
}

/* Reads the one operand, if any, after the flags. */
static int read_operand(arguments *given, bool optional, int count, char **argument)
{
    if (optind >= count) {
        if (optional) return 0;
        return report_mistake("which model? Name a model file, or - for standard input");
    }
    bool for_stats = given->stats && !given->stats_file;
    if (optind + 1 < count)
        return report_mistake("one %s at a time; this is one too many: \"%s\"%s",
                              optional ? "name" : "model", argument[optind + 1],
                              for_stats ? "; a file for statistics is given as --stats=FILE" : "");
    given->operand = argument[optind];
    return 0;
}

int arguments_read(arguments *given, char letter, const char *operand, int count, char **argument)
{
    reader r = {.given = given};
    flag_list_fill(&r.flags, letter);
    int wrong = read_flags(&r, count, argument);
    if (wrong || given->help) return wrong;
    wrong = read_operand(given, operand[0] == '[', count, argument);
    int kinds = (given->points > 0) + (given->interval > 0) + (given->at_count > 0);
    if (wrong || kinds <= 1) return wrong;
    return report_mistake("of --points, --interval and --at only one can be given");
}

void arguments_free(arguments *given)
{
    for (size_t i = 0; i < given->vars; i++) free(given->var[i]);
    free(given->var);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < given->ports[k]; i++) free(given->port[k][i]);
        free(given->port[k]);
    }
    free(given->set);
    free(given->input);
    free(given->library);
    free(given->at);
}
