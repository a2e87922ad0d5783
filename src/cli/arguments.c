#include "cli/arguments.h"

#include "base/text.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLAGS = 64, LONGEST_FLAG = 32 };

/* One flag, from either list. */
typedef struct flag {
    char name[LONGEST_FLAG];
    char letter;
    const char *argument, *commands, *meaning, *unit;
    enum { FLAG_OF_COMMAND, FLAG_DOUBLE, FLAG_SIZE, FLAG_NAME } kind;
    size_t offset; /* of an option of the solver, in dae_options */
    double lowest, highest;
} flag;

typedef struct reader {
    arguments *given;
    flag flag[MOST_FLAGS];
    size_t flags;
} reader;

/* Options of the solver: their flags have dashes where the members have underscores. */
static void add_option(reader *r, const char *member, int kind, size_t offset, double lowest,
                       double highest, const char *unit, const char *meaning)
{
    flag *f = &r->flag[r->flags++];
    *f = (flag){.argument = kind == FLAG_NAME   ? "NAME"
                            : kind == FLAG_SIZE ? "N"
                                                : "X",
                .commands = "r",
                .meaning = meaning,
                .unit = unit,
                .offset = offset,
                .lowest = lowest,
                .highest = highest};
    f->kind = kind;
    for (size_t i = 0; member[i] && i + 1 < LONGEST_FLAG; i++)
        f->name[i] = member[i] == '_' ? '-' : member[i];
}

#define OPTION_double(...)   add_option(r, __VA_ARGS__);
#define OPTION_size_t(...)   add_option(r, __VA_ARGS__);
#define OPTION_dae_name(...) add_option(r, __VA_ARGS__);
#define OPTION_bool(...)     /* not for the command, which streams its output */
#define KIND_double          FLAG_DOUBLE
#define KIND_size_t          FLAG_SIZE
#define KIND_dae_name        FLAG_NAME
#define KIND_bool            0

static void list_flags(reader *r, char letter)
{
#define X(flag_letter, flag_name, flag_argument, flag_commands, flag_meaning) \
    if (strchr(flag_commands, letter)) {                                      \
        flag *f = &r->flag[r->flags++];                                       \
        *f = (flag){.letter = flag_letter,                                    \
                    .argument = flag_argument,                                \
                    .commands = flag_commands,                                \
                    .meaning = flag_meaning,                                  \
                    .unit = ""};                                              \
        strncpy(f->name, flag_name, LONGEST_FLAG - 1);                        \
    }
#include "cli/flags.def"
#undef X
    if (letter != 'r') return;
#define X(type, name, default_value, lowest, highest, unit, meaning) \
    OPTION_##type(#name, KIND_##type, offsetof(dae_options, name), lowest, highest, unit, meaning)
#include <daedal/options.def>
#undef X
}

static int fail(const char *what, const char *given, const char *remedy)
{
    fprintf(stderr, "daedal: %s \"%s\"%s%s\n", what, given, *remedy ? ": " : "", remedy);
    return 2;
}

static bool read_number(const char *word, double *value)
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

static int read_times(arguments *given, const char *list)
{
    size_t count = 1;
    for (const char *c = list; *c; c++) count += *c == ',';
    given->at = realloc(given->at, (given->at_count + count) * sizeof *given->at);
    if (!given->at) return fail("memory is exhausted by", list, "");
    while (*list) {
        char one[64];
        size_t length = strcspn(list, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, list);
        if (!read_number(one, &given->at[given->at_count++]))
            return fail("--at: this is no time:", one, "");
        list += length + (list[length] == ',');
    }
    qsort(given->at, given->at_count, sizeof *given->at, compare);
    return 0;
}

/* The name without the quotes around it, if there are any. */
static char *copy_name(const char *name, size_t length)
{
    if (length > 1 && name[0] == '\'' && name[length - 1] == '\'') name++, length -= 2;
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, name, length);
    copy[length] = '\0';
    return copy;
}

/* Commas separate names, but not inside brackets or quotes. */
static int read_names(arguments *given, const char *list)
{
    while (*list) {
        int depth = 0;
        bool quoted = false;
        size_t length = 0;
        for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++) {
            if (list[length] == '\'') quoted = !quoted;
            if (!quoted) depth += (list[length] == '[') - (list[length] == ']');
        }
        char **grown = realloc(given->var, (given->vars + 1) * sizeof *grown);
        if (!grown) return fail("memory is exhausted by", list, "");
        given->var = grown;
        given->var[given->vars] = copy_name(list, length);
        if (!given->var[given->vars++]) return fail("memory is exhausted by", list, "");
        list += length + (list[length] == ',');
    }
    return 0;
}

static int read_option(reader *r, const flag *f, const char *value)
{
    char *member = (char *)&r->given->options + f->offset;
    double number = 0;
    if (f->kind == FLAG_NAME) {
        *(dae_name *)(void *)member = value;
        return 0;
    }
    bool good = read_number(value, &number) && number >= f->lowest && number <= f->highest;
    if (!good || (f->kind == FLAG_SIZE && number != floor(number))) {
        fprintf(stderr, "daedal: --%s %s: expected a %snumber from %.6g to %.6g\n", f->name, value,
                f->kind == FLAG_SIZE ? "whole " : "", f->lowest, f->highest);
        return 2;
    }
    if (f->kind == FLAG_SIZE)
        *(size_t *)(void *)member = (size_t)number;
    else
        *(double *)(void *)member = number;
    if (strcmp(f->name, "rtol") == 0) r->given->has_rtol = true;
    if (strcmp(f->name, "atol") == 0) r->given->has_atol = true;
    return 0;
}

static int read_set(arguments *given, const char *value)
{
    if (!strchr(value, '=')) return fail("--set expects NAME=VALUE, not", value, "");
    const char **grown = realloc(given->set, (given->sets + 1) * sizeof *grown);
    if (!grown) return fail("memory is exhausted by", value, "");
    given->set = grown;
    given->set[given->sets++] = value;
    return 0;
}

static int read_count(const char *value, size_t *count)
{
    double number;
    if (!read_number(value, &number) || number < 2 || number > 1e9 || number != floor(number))
        return fail("--points expects a whole number from 2 on, not", value, "");
    *count = (size_t)number;
    return 0;
}

static int read_flag(reader *r, const flag *f, const char *value)
{
    arguments *given = r->given;
    if (f->kind != FLAG_OF_COMMAND) return read_option(r, f, value);
    if (strcmp(f->name, "start") == 0) {
        given->has_start = true;
        return read_number(value, &given->start) ? 0
                                                 : fail("--start expects a time, not", value, "");
    }
    if (strcmp(f->name, "stop") == 0) {
        given->has_stop = true;
        return read_number(value, &given->stop) ? 0 : fail("--stop expects a time, not", value, "");
    }
    if (strcmp(f->name, "interval") == 0) {
        if (read_number(value, &given->interval) && given->interval > 0) return 0;
        return fail("--interval expects a time above 0, not", value, "");
    }
    if (strcmp(f->name, "points") == 0) return read_count(value, &given->points);
    if (strcmp(f->name, "at") == 0) return read_times(given, value);
    if (strcmp(f->name, "vars") == 0) return read_names(given, value);
    if (strcmp(f->name, "set") == 0) return read_set(given, value);
    if (strcmp(f->name, "out") == 0) given->out = value;
    if (strcmp(f->name, "plot") == 0) given->plot = value;
    if (strcmp(f->name, "stats") == 0) given->stats = true, given->stats_file = value;
    if (strcmp(f->name, "json") == 0) given->json = true;
    if (strcmp(f->name, "quiet") == 0) given->quiet = true;
    if (strcmp(f->name, "help") == 0) given->help = true;
    return 0;
}

static int reject(const reader *r, const char *word)
{
    const char *names[MOST_FLAGS];
    char bare[LONGEST_FLAG];
    for (size_t i = 0; i < r->flags; i++) names[i] = r->flag[i].name;
    while (*word == '-') word++;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = text_nearest(bare, names, r->flags);
    fprintf(stderr, "daedal: there is no option \"--%s\" here%s%s\n", bare,
            nearest ? "; nearest: --" : "", nearest ? nearest : "");
    return 2;
}

/* What does not go together, and what cannot be. */
static int check(const arguments *given)
{
    int kinds = (given->points > 0) + (given->interval > 0) + (given->at_count > 0);
    if (kinds > 1) {
        fprintf(stderr, "daedal: of --points, --interval and --at only one can be given\n");
        return 2;
    }
    if (given->out) {
        size_t length = strlen(given->out);
        if (length < 5 || strcmp(given->out + length - 4, ".csv") != 0)
            return fail("--out: a trajectory can be written as .csv, not as", given->out, "");
    }
    return 0;
}

int arguments_read(arguments *given, char letter, int count, char **argument)
{
    reader r = {.given = given};
    struct option known[MOST_FLAGS + 1] = {{0}};
    char letters[MOST_FLAGS + 2] = ":";
    list_flags(&r, letter);
    for (size_t i = 0; i < r.flags; i++) {
        const flag *f = &r.flag[i];
        bool optional = f->argument && f->argument[0] == '[';
        known[i] = (struct option){.name = f->name, .val = 256 + (int)i};
        known[i].has_arg = !f->argument ? no_argument
                           : optional   ? optional_argument
                                        : required_argument;
        if (f->letter)
            snprintf(letters + strlen(letters), 3, "%c%s", f->letter, f->argument ? ":" : "");
    }
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(count, argument, letters, known, NULL)) != -1;) {
        if (found == '?') return reject(&r, argument[optind - 1]);
        if (found == ':') return fail("a value is missing after", argument[optind - 1], "");
        size_t at = 0;
        while (at < r.flags && (found < 256 ? r.flag[at].letter != found : (int)at + 256 != found))
            at++;
        int wrong = read_flag(&r, &r.flag[at], optarg);
        if (wrong) return wrong;
    }
    if (given->help) return 0;
    if (optind >= count) {
        fprintf(stderr, "daedal: which model? Name a model file, or - for standard input\n");
        return 2;
    }
    if (optind + 1 < count)
        return fail("one model at a time; this is one too many:", argument[optind + 1], "");
    given->model = argument[optind];
    return check(given);
}

void arguments_help(FILE *file, char letter)
{
    reader r = {.given = NULL};
    list_flags(&r, letter);
    for (size_t i = 0; i < r.flags; i++) {
        const flag *f = &r.flag[i];
        char left[64];
        bool optional = f->argument && f->argument[0] == '[';
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", f->letter ? '-' : ' ',
                 f->letter ? f->letter : ' ', f->letter ? "," : " ", f->name,
                 f->argument && !optional ? " " : "", f->argument ? f->argument : "");
        fprintf(file, "  %-26s %s", left, f->meaning);
        if (f->unit[0] && strcmp(f->unit, "1") != 0) fprintf(file, ", %s", f->unit);
        fputc('\n', file);
    }
}

void arguments_free(arguments *given)
{
    for (size_t i = 0; i < given->vars; i++) free(given->var[i]);
    free(given->var);
    free(given->set);
    free(given->at);
}
