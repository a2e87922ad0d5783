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

static const char *unit_of_rate(arena *a, const char *unit)
{
    if (!*unit) return "";
    if (strcmp(unit, "1") == 0) return "1/s";
    return arena_format(a, strpbrk(unit, "/.*") ? "(%s)/s" : "%s/s", unit);
}

typedef struct naming {
    run_columns *columns;
    dae_problem *problem;
} naming;

/* Neighbours often have the same unit, which is kept once. */
static void name_columns(void *argument)
{
    const naming *n = argument;
    run_columns *c = n->columns;
    arena *a = &c->memory;
    const char *last = NULL, *kept = "";
    c->name = arena_array(a, c->count, sizeof *c->name);
    c->unit = arena_array(a, c->count, sizeof *c->unit);
    for (size_t j = 0; j < c->count; j++) {
        bool rate = c->at[j] >= c->variables;
        size_t variable = rate ? c->at[j] - c->variables : c->at[j];
        const char *name = dae_problem_variable(n->problem, variable),
                   *unit = dae_problem_unit(n->problem, variable);
        if (!last || strcmp(unit, last) != 0) kept = arena_copy(a, unit, strlen(unit));
        last = unit;
        c->name[j] = rate ? arena_format(a, "der(%s)", name) : arena_copy(a, name, strlen(name));
        c->unit[j] = rate ? unit_of_rate(a, unit) : kept;
    }
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
    naming n = {to, problem};
    if (!wrong && arena_protect(&to->memory, name_columns, &n) != DAE_OK)
        wrong = report_no_memory();
    return wrong;
}

void run_columns_free(run_columns *c)
{
    free(c->at);
    arena_free(&c->memory);
}
