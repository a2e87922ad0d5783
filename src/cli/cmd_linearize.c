/* daedal linearize: matrices, eigenvalues and modes at a consistent point. */
#include "cli/commands.h"
#include "cli/select_variables.h"
#include "cli/tell.h"
#include "report/json.h"

#include <daedal/linearize.h>
#include <stdlib.h>

/* The variables of a list of words, in its order. 0, or an exit status after a message. */
static int find_ports(dae_problem *problem, const char *list, size_t words, char *const *word,
                      size_t **found, size_t *count)
{
    size_t all = dae_problem_size(problem), *some = malloc((all + 1) * sizeof *some);
    bool *taken = calloc(all + 1, sizeof *taken);
    int code = some && taken ? 0 : report_no_memory();
    *found = words > 0 ? malloc((all + 1) * sizeof **found) : NULL;
    if (words > 0 && !*found && code == 0) code = report_no_memory();
    for (size_t k = 0; code == 0 && k < words; k++) {
        size_t several = select_variables(problem, list, word[k], word[k], some, &code);
        for (size_t i = 0; i < several; i++) {
            if (!taken[some[i]]) (*found)[(*count)++] = some[i];
            taken[some[i]] = true;
        }
    }
    free(some);
    free(taken);
    return code;
}

static int answer(const arguments *given, dae_solver *solver, const dae_ports *ports)
{
    dae_linearization *l = dae_linearize(solver, ports);
    if (!l) return report_no_memory();
    int failed = 0;
    if (given->json)
        failed = json_linearization(stdout, l);
    else
        linear_words_print(l);
    int code = flush_answer(failed ? failed : exit_status(l->status));
    report_notes(l->notes);
    if (l->status != DAE_OK) report_failure(l->status, l->message);
    dae_linearization_free(l);
    return code;
}

/* Goes to the point. */
static int go(const arguments *given, dae_problem *problem, const dae_ports *ports)
{
    dae_experiment e = dae_problem_experiment(problem);
    double start = given->has_start ? given->start : e.has_start ? e.start : 0;
    dae_options options = options_of_run(given, problem);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_status status = solver ? dae_solver_start(solver, start, NULL) : DAE_NO_MEMORY;
    if (status == DAE_OK && given->at_count) status = dae_solver_run(solver, given->at[0]);
    if (solver) report_notes(dae_solver_notes(solver));
    const char *words = solver ? dae_solver_message(solver) : "memory is exhausted";
    int code = status == DAE_OK ? answer(given, solver, ports)
                                : report_no_start(given, status, words);
    dae_solver_free(solver);
    return code;
}

static int linearize(const arguments *given, dae_problem *problem)
{
    size_t *input = NULL, *output = NULL;
    dae_ports ports = {0};
    int code = find_ports(problem, "inputs", given->ports[0], given->port[0], &input,
                          &ports.inputs);
    if (code == 0)
        code = find_ports(problem, "outputs", given->ports[1], given->port[1], &output,
                          &ports.outputs);
    ports.input = input;
    ports.output = output;
    if (code == 0) code = go(given, problem, &ports);
    free(input);
    free(output);
    return code;
}

int cmd_linearize(const arguments *given)
{
    int code = 0;
    if (given->at_count > 1)
        return report_mistake("--at: a linearisation has one time, and %zu are given",
                              given->at_count);
    dae_problem *problem = read_problem(given, &code);
    if (problem && code == 0) {
        dae_status status = dae_problem_status(problem);
        code = status == DAE_OK ? linearize(given, problem)
                                : report_no_start(given, status, dae_problem_message(problem));
    }
    dae_problem_free(problem);
    return code;
}
