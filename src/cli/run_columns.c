/* The columns of a run that `--vars` asks for. */
#include "cli/run_files.h"
#include "cli/select_variables.h"
#include "cli/tell.h"

#include <stdlib.h>
#include <string.h>

typedef struct choice {
    run_columns *columns;
    dae_problem *problem;
    size_t *found; /* variables: those of a word */
    bool *taken;   /* 2 variables */
} choice;

static void take(choice *c, size_t place)
{
    run_columns *to = c->columns;
    if (c->taken[place]) return;
    c->taken[place] = true;
    to->derivatives = to->derivatives || place >= to->variables;
    to->at[to->count++] = place;
}

/* Whether a word is der(...): `inside` the brackets stand so many characters. */
static bool is_derivative(const choice *c, const char *word, size_t *inside)
{
    size_t length = strlen(word);
    bool brackets = strncmp(word, "der(", 4) == 0 && word[length - 1] == ')';
    if (!brackets || dae_problem_select(c->problem, word, NULL) > 0) return false;
    *inside = length - 5;
    return true;
}

static int take_derivatives(choice *c, const char *word, const char *name)
{
    int code;
    size_t count = select_variables(c->problem, "vars", word, name, c->found, &code), left = 0;
    if (code) return code;
    for (size_t k = 0; k < count; k++) {
        if (dae_problem_is_discrete(c->problem, c->found[k])) continue;
        take(c, c->columns->variables + c->found[k]);
        left++;
    }
    if (left > 0) return 0;
    return report_mistake("--vars: %s does not exist: %s changes at events alone", word,
                          dae_problem_variable(c->problem, c->found[0]));
}

static int take_word(choice *c, const char *word)
{
    size_t inside;
    if (is_derivative(c, word, &inside)) {
        char *name = strndup(word + 4, inside);
        int wrong = name ? take_derivatives(c, word, name) : report_no_memory();
        free(name);
        return wrong;
    }
    int code;
    size_t count = select_variables(c->problem, "vars", word, word, c->found, &code);
    for (size_t k = 0; k < count; k++) take(c, c->found[k]);
    return code;
}

static void append_unit_of_rate(text *t, const char *unit)
{
    if (!*unit) return;
    bool compound = strpbrk(unit, "/.*") != NULL;
    if (strcmp(unit, "1") == 0)
        text_add(t, "1/s");
    else
        text_format(t, compound ? "(%s)/s" : "%s/s", unit);
}

/* Names and units. 0, or what report_no_memory() returns. */
static int name_columns(run_columns *c, dae_problem *problem)
{
    c->name = calloc(c->count + 1, sizeof *c->name);
    c->unit = calloc(c->count + 1, sizeof *c->unit);
    c->made = calloc(2 * c->count + 1, sizeof *c->made);
    if (!c->name || !c->unit || !c->made) return report_no_memory();
    for (size_t j = 0; j < c->count; j++) {
        bool rate = c->at[j] >= c->variables;
        size_t variable = rate ? c->at[j] - c->variables : c->at[j];
        c->name[j] = dae_problem_variable(problem, variable);
        c->unit[j] = dae_problem_unit(problem, variable);
        if (!rate) continue;
        text *name = &c->made[2 * j], *unit = name + 1;
        text_format(name, "der(%s)", c->name[j]);
        append_unit_of_rate(unit, c->unit[j]);
        if (name->cut || unit->cut) return report_no_memory();
        c->name[j] = text_string(name);
        c->unit[j] = text_string(unit);
    }
    return 0;
}

int run_columns_choose(run_columns *to, dae_problem *problem, size_t words, char *const *word)
{
    size_t count = to->variables = dae_problem_size(problem);
    choice c = {.columns = to, .problem = problem};
    c.found = calloc(count + 1, sizeof *c.found);
    c.taken = calloc(2 * count + 1, sizeof *c.taken);
    to->at = calloc(2 * count + 1, sizeof *to->at);
    bool whole = c.found && c.taken && to->at;
    int wrong = whole ? 0 : report_no_memory();
    for (size_t j = 0; !wrong && words == 0 && j < count; j++) take(&c, j);
    for (size_t k = 0; !wrong && k < words; k++) wrong = take_word(&c, word[k]);
    free(c.found);
    free(c.taken);
    return wrong ? wrong : name_columns(to, problem);
}

void run_columns_free(run_columns *c)
{
    for (size_t j = 0; c->made && j < 2 * c->count; j++) text_free(&c->made[j]);
    free(c->at);
    free(c->name);
    free(c->unit);
    free(c->made);
}
