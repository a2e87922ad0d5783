#include "cli/select_variables.h"

#include "base/pattern.h"
#include "cli/tell.h"
#include "formulation/from_model.h"
#include "symbolic/traced.h"

#include <string.h>

/* The parameter with this name, or the first element of it; NULL: there is none. */
static const sym_parameter *find_parameter(const dae_problem *asked, const char *name)
{
    const sym_system *system = model_problem_system(asked);
    size_t length = strlen(name);
    for (size_t i = 0; system && i < system->parameter.count; i++) {
        const char *own = system->parameter.item[i].name;
        bool named = strncmp(own, name, length) == 0;
        if (named && (own[length] == '\0' || own[length] == '[')) return &system->parameter.item[i];
    }
    return NULL;
}

/* Reports a parameter, which is no variable, with its value. */
static int refuse_parameter(const dae_problem *asked, const char *option, const char *name,
                            const sym_parameter *p)
{
    char value[TEXT_NUMBER_SIZE];
    text_write_number(value, sym_value(model_problem_system(asked)->graph, p->value));
    const char *quote = p->text ? "\"" : "";
    bool element = strcmp(p->name, name) != 0;
    return report_mistake("--%s: %s is a parameter, %s%s%s%s%s%s all the time, and no variable; "
                          "`daedal check --list` lists parameters",
                          option, name, element ? "with " : "", element ? p->name : "",
                          element ? " = " : "", quote, p->text ? p->text : value, quote);
}

/* Whether a subscript is a word, such as a literal. */
static bool has_literal(const char *name)
{
    for (const char *bracket = strchr(name, '['); bracket; bracket = strchr(bracket + 1, '['))
        if (bracket[1 + strspn(bracket + 1, "0123456789,:* ")] != ']' &&
            strncmp(bracket + 1 + strspn(bracket + 1, "0123456789,:* "), "end", 3) != 0)
            return true;
    return false;
}

static int refuse(dae_problem *asked, const char *option, const char *word, const char *name)
{
    const sym_parameter *parameter = find_parameter(asked, name);
    if (parameter) return refuse_parameter(asked, option, name, parameter);
    if (strcmp(name, "time") == 0)
        return report_mistake("--%s: \"time\" is always there, and no variable", option);
    if (has_literal(name))
        return report_mistake("--%s: no variable is called \"%s\"; subscripts are numbers here: "
                              "literals count from 1, false is 1 and true is 2",
                              option, word);
    const char *nearest = dae_problem_nearest(asked, name);
    const char *what = pattern_is_one(name) ? "matches" : "is called";
    return report_mistake("--%s: no variable %s \"%s\"%s%s", option, what, word,
                          nearest ? "; nearest: " : "", nearest ? nearest : "");
}

/* Whether the slices of a name lie within their arrays (else reported). */
static int check_slices(dae_problem *asked, const char *option, const char *word, const char *name)
{
    text last = {0};
    int code = 0;
    pattern_last(name, &last);
    if (last.cut)
        code = report_no_memory();
    else if (dae_problem_select(asked, text_string(&last), NULL) == 0)
        code = report_mistake("--%s: %s goes beyond its array: there is no %s", option, word,
                              text_string(&last));
    text_free(&last);
    return code;
}

size_t select_variables(dae_problem *asked, const char *option, const char *word, const char *name,
                        size_t *at, int *code)
{
    size_t count = dae_problem_select(asked, name, at);
    *code = count == 0 ? refuse(asked, option, word, name)
                       : check_slices(asked, option, word, name);
    return *code == 0 ? count : 0;
}
