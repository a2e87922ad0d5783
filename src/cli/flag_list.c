#include "cli/arguments.h"

#include "base/text.h"

#include <daedal/options.h>
#include <stdbool.h>
#include <string.h>

/* Adds an option of the solver. Its flag has dashes where the member has underscores. */
static void add_option(flag_list *list, const char *member, flag_kind kind, size_t offset,
                       double lowest, double highest, const char *unit, const char *meaning)
{
    if (kind == FLAG_OF_COMMAND) return;
    flag *f = &list->item[list->count++];
    *f = (flag){.argument = kind == FLAG_NAME   ? "NAME"
                            : kind == FLAG_SIZE ? "N"
                                                : "X",
                .meaning = meaning,
                .kind = kind,
                .offset = offset,
                .lowest = lowest,
                .highest = highest,
                .unit = unit};
    for (size_t i = 0; member[i] && i + 1 < FLAG_LONGEST; i++)
        f->name[i] = member[i] == '_' ? '-' : member[i];
}

#define KIND_double   FLAG_DOUBLE
#define KIND_size_t   FLAG_SIZE
#define KIND_dae_name FLAG_NAME
#define KIND_bool     FLAG_OF_COMMAND /* flags.def has those that suit the command */

void flag_list_fill(flag_list *list, char letter)
{
    list->count = 0;
#define X(flag_letter, flag_name, flag_argument, flag_commands, flag_meaning) \
    if (strchr(flag_commands, letter)) {                                      \
        flag *f = &list->item[list->count++];                                 \
        *f = (flag){.letter = flag_letter,                                    \
                    .argument = flag_argument,                                \
                    .meaning = flag_meaning,                                  \
                    .unit = ""};                                              \
        strncpy(f->name, flag_name, FLAG_LONGEST - 1);                        \
    }
#include "cli/flags.def"
#undef X
    if (letter != 'r' && letter != 'l') return;
#define X(type, name, default_value, lowest, highest, unit, meaning)                         \
    add_option(list, #name, KIND_##type, offsetof(dae_options, name), lowest, highest, unit, \
               meaning);
#include <daedal/options.def>
#undef X
}

/* The source that the command prefers to the default of the library, as in cmd_run.c. */
static const char *taken_before(const flag *f)
{
    if (strcmp(f->name, "rtol") == 0) return "the model's experiment, else ";
    if (strcmp(f->name, "atol") == 0) return "that of --rtol or the model's experiment, else ";
    return "";
}

static void print_default(const flag *f, FILE *file)
{
    dae_options options = dae_options_default();
    const void *member = (const char *)&options + f->offset;
    switch (f->kind) {
    case FLAG_DOUBLE: {
        char number[TEXT_NUMBER_SIZE + 1];
        number[text_write_number(number, *(const double *)member)] = '\0';
        fprintf(file, "; default %s%s", taken_before(f), number);
        break;
    }
    case FLAG_SIZE: fprintf(file, "; default %zu", *(const size_t *)member); break;
    case FLAG_NAME: fprintf(file, "; default %s", *(const dae_name *)member); break;
    case FLAG_OF_COMMAND: break;
    }
}

void flag_list_print(const flag_list *list, FILE *file)
{
    for (size_t i = 0; i < list->count; i++) {
        const flag *f = &list->item[i];
        char left[64], letter[5] = "    ";
        bool optional = f->argument && f->argument[0] == '[';
        if (f->letter) snprintf(letter, sizeof letter, "-%c, ", f->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, f->name,
                 f->argument && !optional ? " " : "", f->argument ? f->argument : "");
        fprintf(file, "  %-26s %s", left, f->meaning);
        if (f->unit[0] && strcmp(f->unit, "1") != 0) fprintf(file, ", %s", f->unit);
        print_default(f, file);
        fputc('\n', file);
    }
}

int flag_list_reject(const flag_list *list, const char *word)
{
    const char *names[FLAG_LIST_MOST];
    char bare[FLAG_LONGEST];
    bool letter = word[0] == '-' && word[1] != '-';
    size_t length = 0, known = 0;
    fprintf(stderr, "daedal: there is no option \"%.*s\" here", (int)strcspn(word, "="), word);
    while (*word == '-') word++;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    length = strlen(bare);
    for (size_t i = 0; i < list->count; i++) {
        names[i] = list->item[i].name;
        if (letter || length == 0 || strncmp(names[i], bare, length) != 0) continue;
        fprintf(stderr, "%s--%s", known++ ? ", " : "; options are written in full: ", names[i]);
    }
    const char *nearest = known ? NULL : text_nearest(bare, names, list->count);
    fprintf(stderr, "%s%s\n", nearest ? "; nearest: --" : "", nearest ? nearest : "");
    return 2;
}
