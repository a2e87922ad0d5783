/* daedal init: finds consistent initial values. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/tell.h"
#include "report/json.h"

#include <daedal/solver.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prints a number, padded to its column unless it is the last. */
static void print_number(const char *before, double value, bool last)
{
    char number[TEXT_NUMBER_SIZE];
    int length = (int)text_write_number(number, value);
    printf("%s%.*s%*s", before, length, number, last ? 0 : 24 - length, "");
}

static void print_values(dae_problem *problem, const json_initial_values *v)
{
    int widest = 4;
    for (size_t i = 0; i < v->count; i++) {
        int width = (int)text_characters(v->name[i]);
        if (width > widest) widest = width;
    }
    for (size_t i = 0; i < v->count; i++) {
        const char *unit = dae_problem_unit(problem, i);
        bool moves = isfinite(v->derivative[i]), has_unit = unit && *unit;
        printf("%s%*s", v->name[i], widest - (int)text_characters(v->name[i]), "");
        print_number(" = ", v->value[i], !moves && !has_unit);
        if (moves) print_number(" der = ", v->derivative[i], !has_unit);
        if (!moves && has_unit) printf("%*s", 31, "");
        printf("%s%s\n", has_unit ? " " : "", has_unit ? unit : "");
    }
    printf("worst violation of an equation: %.1e\n", v->residual);
}

static int answer(const arguments *given, dae_problem *problem, dae_solver *solver, double t)
{
    size_t count = dae_problem_size(problem);
    const char **name = calloc(count + 1, sizeof *name);
    double *y = calloc(2 * count + 1, sizeof *y), *yp = y ? y + count : NULL;
    int code = name && y ? 1 : report_no_memory();
    if (name && y && dae_solver_at(solver, t, y, yp) == DAE_OK) {
        for (size_t i = 0; i < count; i++) name[i] = dae_problem_variable(problem, i);
        const json_initial_values v = {.time = t,
                                       .residual = dae_solver_stats(solver)->max_residual,
                                       .count = count,
                                       .name = name,
                                       .value = y,
                                       .derivative = yp,
                                       .notes = dae_solver_notes(solver)};
        code = given->json ? json_initial(stdout, &v) : 0;
        if (!given->json) print_values(problem, &v);
    }
    free(name);
    free(y);
    return code;
}

int report_no_start(const arguments *given, dae_status status, const char *words)
{
    int failed = given->json ? json_failed_initial(stdout, status, words) : 0;
    int code = flush_answer(failed ? failed : exit_status(status));
    report_failure(status, words);
    return code;
}

static int find_start(const arguments *given, dae_problem *problem)
{
    dae_experiment e = dae_problem_experiment(problem);
    double t = given->has_start ? given->start : e.has_start ? e.start : 0;
    dae_solver *solver = dae_solver_create(problem, &given->options);
    dae_status status = solver ? dae_solver_start(solver, t, NULL) : DAE_NO_MEMORY;
    if (solver) report_notes(dae_solver_notes(solver));
    const char *words = solver ? dae_solver_message(solver) : "memory is exhausted";
    int code = status == DAE_OK ? answer(given, problem, solver, t)
                                : report_no_start(given, status, words);
    dae_solver_free(solver);
    return code;
}

int cmd_init(const arguments *given)
{
    int code = 0;
    dae_problem *problem = read_problem(given, &code);
    if (problem && code == 0) {
        dae_status status = dae_problem_status(problem);
        code = status == DAE_OK ? find_start(given, problem)
                                : report_no_start(given, status, dae_problem_message(problem));
    }
    dae_problem_free(problem);
    return code;
}
