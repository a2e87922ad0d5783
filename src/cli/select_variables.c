#include "cli/select_variables.h"

#include "base/pattern.h"
#include "cli/tell.h"

static int refuse(dae_problem *problem, const char *option, const char *word, const char *name)
{
    const char *nearest = dae_problem_nearest(problem, name);
    const char *what = pattern_is_one(name) ? "matches" : "is called";
    return report_mistake("--%s: no variable %s \"%s\"%s%s", option, what, word,
                          nearest ? "; nearest: " : "", nearest ? nearest : "");
}

/* Whether the slices of a name lie within their arrays (else reported). */
static int check_slices(dae_problem *problem, const char *option, const char *word,
                        const char *name)
{
    text last = {0};
    int code = 0;
    pattern_last(name, &last);
    if (last.cut)
        code = report_no_memory();
    else if (dae_problem_select(problem, text_string(&last), NULL) == 0)
        code = report_mistake("--%s: %s goes beyond its array: there is no %s", option, word,
                              text_string(&last));
    text_free(&last);
    return code;
}

size_t select_variables(dae_problem *problem, const char *option, const char *word,
                        const char *name, size_t *at, int *code)
{
    size_t count = dae_problem_select(problem, name, at);
    *code = count == 0 ? refuse(problem, option, word, name)
                       : check_slices(problem, option, word, name);
    return *code == 0 ? count : 0;
}
