/* daedal flatten: prints a hierarchical model as one flat text. */
#include "cli/commands.h"
#include "cli/run_files.h"
#include "cli/tell.h"

#include <daedal/hierarchy.h>
#include <errno.h>

static int write_file(const char *path, const char *flat)
{
    FILE *file = fopen(path, "w");
    if (!file) return report_unwritable("--out", path);
    fputs(flat, file);
    int reason = flush_stream(file);
    if (fclose(file) != 0 && !reason) reason = errno;
    if (reason) report_unwritten("the flat text", path, reason);
    return reason ? 1 : 0;
}

static int answer(const arguments *given, dae_problem *problem)
{
    const char *flat = dae_problem_flat(problem);
    if (!flat) {
        report_failure(dae_problem_status(problem), dae_problem_message(problem));
        return exit_status(dae_problem_status(problem));
    }
    if (given->out) return write_file(given->out, flat);
    fputs(flat, stdout);
    return flush_answer(0);
}

int cmd_flatten(const arguments *given)
{
    int code = output_names_check(given);
    dae_problem *problem = code == 0 ? read_problem(given, &code) : NULL;
    if (problem && code == 0) code = answer(given, problem);
    dae_problem_free(problem);
    return code;
}
