/* The command: which subcommand, and what all of them share. */
#include "cli/commands.h"

#include "base/text.h"

#include <signal.h>
#include <string.h>

const command commands[] = {
    {"run", 'r', "simulate, and write the trajectory", cmd_run},
    {"check", 'c', "say what the equations are: sizes, index, hidden constraints, states, blocks",
     cmd_check},
    {"init", 'i', "print consistent initial values", cmd_init},
    {NULL, 0, NULL, NULL},
};

int exit_status(dae_status status)
{
    switch (status) {
#define X(name, value, word, code, meaning) \
    case DAE_##name:                        \
        return code;
#include <daedal/status.def>
#undef X
    default: return 1;
    }
}

void tell_notes(const char *notes)
{
    while (*notes) {
        size_t length = strcspn(notes, "\n");
        if (length) fprintf(stderr, "daedal: note: %.*s\n", (int)length, notes);
        notes += length + (notes[length] == '\n');
    }
}

void tell_failure(dae_status status, const char *message)
{
    bool located = status == DAE_MODEL_ERROR || status == DAE_STRUCTURE ||
                   status == DAE_CONTRADICTION;
    size_t length = strlen(message);
    fprintf(stderr, "%s%s%s", located ? "" : "daedal: ", message,
            length && message[length - 1] == '\n' ? "" : "\n");
}

dae_problem *read_problem(const arguments *given, int *exit_code)
{
    dae_problem *problem = dae_problem_read(given->model);
    dae_status status = problem ? dae_problem_status(problem) : DAE_NO_MEMORY;
    for (size_t k = 0; status == DAE_OK && k < given->sets; k++) {
        const char *value = strchr(given->set[k], '=');
        text name = {0};
        text_add_bytes(&name, given->set[k], (size_t)(value - given->set[k]));
        status = dae_problem_set(problem, text_string(&name), value + 1);
        text_free(&name);
    }
    if (status == DAE_OK) return problem;
    tell_failure(status, problem ? dae_problem_message(problem) : "memory is exhausted");
    *exit_code = exit_status(status);
    dae_problem_free(problem);
    return NULL;
}

static void print_help(FILE *file)
{
    fprintf(file,
            "usage: daedal SUBCOMMAND [OPTIONS] MODEL\n\n"
            "Solves differential-algebraic equations as their author wrote them. MODEL is a file\n"
            "in flat Modelica (.mo, .bmo), or - for standard input.\n\n");
    for (const command *c = commands; c->name; c++)
        fprintf(file, "  %-8s %s\n", c->name, c->meaning);
    fprintf(file, "\n  --help      this help; daedal SUBCOMMAND --help for its options\n"
                  "  --version   the version\n");
}

static int run_command(const command *c, int count, char **argument)
{
    arguments given = {.options = dae_options_default()};
    int code = arguments_read(&given, c->letter, count, argument);
    if (code == 0 && given.help) {
        printf("usage: daedal %s [OPTIONS] MODEL\n%s\n\n", c->name, c->meaning);
        arguments_help(stdout, c->letter);
    } else if (code == 0) {
        code = c->run(&given);
    }
    arguments_free(&given);
    return code;
}

int main(int count, char **argument)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is found when writing fails */
    if (count < 2) {
        print_help(stderr);
        return 2;
    }
    const char *word = argument[1], *names[8];
    size_t known = 0;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(stdout), 0;
    if (strcmp(word, "--version") == 0) return printf("daedal %s\n", dae_version()), 0;
    for (const command *c = commands; c->name; c++) {
        if (strcmp(word, c->name) == 0) return run_command(c, count - 1, argument + 1);
        names[known++] = c->name;
    }
    const char *nearest = text_nearest(word, names, known);
    fprintf(stderr, "daedal: there is no subcommand \"%s\"%s%s; daedal --help lists them\n", word,
            nearest ? "; nearest: " : "", nearest ? nearest : "");
    return 2;
}
