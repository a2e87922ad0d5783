/* The command: selects the subcommand, and has the functions that all of them share. */
#include "cli/commands.h"

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/course_file.h"
#include "cli/tell.h"

#include <daedal/external.h>
#include <daedal/hierarchy.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <string.h>
#include <unistd.h>

const command commands[] = {
    {"run", 'r', "MODEL", "simulate, and write the trajectory", cmd_run},
    {"check", 'c', "MODEL",
     "say what the equations are: sizes, index, hidden constraints, states, blocks", cmd_check},
    {"init", 'i', "MODEL", "print consistent initial values", cmd_init},
    {"linearize", 'l', "MODEL", "linearise: matrices, eigenvalues and modes at a consistent point",
     cmd_linearize},
    {"flatten", 'f', "MODEL", "print a hierarchical model as one flat text", cmd_flatten},
    {"method", 'm', "[NAME]", "list the methods, or say all that is known of one", cmd_method},
    {NULL, 0, NULL, NULL, NULL},
};

dae_options options_of_run(const arguments *given, dae_problem *problem)
{
    dae_experiment e = dae_problem_experiment(problem);
    dae_options options = given->options;
    if (!given->has_rtol && e.has_tolerance) options.rtol = e.tolerance;
    if (!given->has_atol && (given->has_rtol || e.has_tolerance)) options.atol = options.rtol;
    return options;
}

/* Applies NAME=VALUE. A quoted name may contain "=", and so may the text of a String. */
static dae_status apply_setting(dae_problem *problem, const char *setting)
{
    const char *value = arguments_setting(setting);
    text name = {0};
    text_add_bytes(&name, setting, (size_t)(value - setting));
    dae_status status = dae_problem_set(problem, text_string(&name), value + 1);
    text_free(&name);
    return status;
}

dae_problem *read_problem(const arguments *given, int *exit_code)
{
    const char *cause = "";
    dae_problem *problem = dae_problem_read(given->operand);
    if (problem && given->model) dae_problem_choose(problem, given->model);
    for (size_t k = 0; problem && k < given->libraries; k++)
        dae_problem_library(problem, given->library[k]);
    dae_status status = DAE_OK;
    if (!problem) status = DAE_NO_MEMORY;
    if (problem && given->sets == 0) status = dae_problem_status(problem);
    /* a setting may mend the model, as the name of a file that is not there */
    for (size_t k = 0; k < given->sets && (status == DAE_OK || status == DAE_MODEL_ERROR); k++) {
        status = apply_setting(problem, given->set[k]);
        if (status == DAE_USAGE) cause = "--set: ";
    }
    for (size_t k = 0; status == DAE_OK && k < given->inputs; k++) {
        cause = "--input: ";
        int code = read_courses(given->input[k], given, problem);
        status = dae_problem_status(problem);
        if (code == 0 || status != DAE_OK) continue;
        *exit_code = code; /* the file is wrong, which has been reported */
        return problem;
    }
    int code = exit_status(status);
    if (code == 0 || code == 3) return problem;
    const char *words = problem ? dae_problem_message(problem) : "memory is exhausted";
    fprintf(stderr, "daedal: %s%s\n", cause, words);
    *exit_code = code;
    return problem;
}

static void print_help(FILE *file)
{
    fprintf(file,
            "usage: daedal SUBCOMMAND [OPTIONS] MODEL|NAME\n\n"
            "Solves differential-algebraic equations as their author wrote them. MODEL is a file\n"
            "in Modelica (.mo, .bmo), or - for standard input; NAME is that of a method.\n\n");
    for (const command *c = commands; c->name; c++)
        fprintf(file, "  %-9s %-6s  %s\n", c->name, c->operand, c->meaning);
    fprintf(file, "\n  --help      this help; daedal SUBCOMMAND --help for its options\n"
                  "  --version   the version\n");
}

static int run_command(const command *c, int count, char **argument)
{
    arguments given = {.options = dae_options_default()};
    int code = arguments_read(&given, c->letter, c->operand, count, argument);
    if (code == 0 && given.help) {
        flag_list flags;
        flag_list_fill(&flags, c->letter);
        printf("usage: daedal %s [OPTIONS] %s\n%s\n\n", c->name, c->operand, c->meaning);
        flag_list_print(&flags, stdout);
    } else if (code == 0) {
        code = c->run(&given);
    }
    arguments_free(&given);
    return code;
}

/* Reports that there is no such subcommand. It may be misspelt, or be an option or the model
 * itself. */
static int reject(const char *word)
{
    static const char *const options[] = {"--help", "--version"};
    const char *names[8];
    size_t known = 0;
    for (const command *c = commands; c->name; c++) names[known++] = c->name;
    bool option = word[0] == '-' && word[1];
    const char *nearest = option ? text_nearest(word, options, 2)
                                 : text_nearest(word, names, known);
    fprintf(stderr, "daedal: there is no %s \"%s\"", option ? "option" : "subcommand", word);
    if (nearest)
        fprintf(stderr, "; nearest: %s", nearest);
    else if (!option && access(word, F_OK) == 0)
        fprintf(stderr, "; to simulate the model: daedal run %s", word);
    fprintf(stderr, "; daedal --help lists them\n");
    return 2;
}

static int dispatch(int count, char **argument)
{
    if (count < 2) {
        print_help(stderr);
        return 2;
    }
    const char *word = argument[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(stdout), 0;
    if (strcmp(word, "--version") == 0) return printf("daedal %s\n", dae_version()), 0;
    for (const command *c = commands; c->name; c++)
        if (strcmp(word, c->name) == 0) return run_command(c, count - 1, argument + 1);
    return reject(word);
}

/* Occupies a standard stream that is closed, so that no file of the run gets its number. It is
 * opened in the wrong direction, so that each use of it fails, as it should. */
static bool occupy(int stream, int direction)
{
    return fcntl(stream, F_GETFD) != -1 || open("/dev/null", direction) == stream;
}

/* Pieces of memory that are mapped on their own go back to the system as they are freed. glibc
 * raises the size from which they are, up to 32 MiB, with each one that is freed (mallopt(3)); then
 * the large arrays that the set-up of a model gives back would leave gaps that nothing later fits
 * into. */
enum { MAPPED_FROM = 256 * 1024 }; /* bytes */

static void keep_large_pieces_apart(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
#endif
}

int main(int count, char **argument)
{
    keep_large_pieces_apart();
    if (!occupy(STDIN_FILENO, O_WRONLY) || !occupy(STDOUT_FILENO, O_RDONLY) ||
        !occupy(STDERR_FILENO, O_RDWR))
        return 1;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe shows when writing fails */
    return flush_answer(dispatch(count, argument));
}
