/* daedal check: describes the equations. */
#include "analysis/describe.h"
#include "cli/commands.h"
#include "cli/tell.h"
#include "report/json.h"

#include <daedal/description.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *plural(size_t number)
{
    return number == 1 ? "" : "s";
}

static void print_lines(size_t count, const char *const *line)
{
    enum { MOST = 30 };
    for (size_t i = 0; i < count && i < MOST; i++) printf("    %s\n", line[i]);
    if (count > MOST) printf("    and %zu more\n", count - MOST);
}

static void print_index(const dae_description *d)
{
    printf("  structural index %ld", d->structural_index);
    if (d->index >= 0)
        printf(", differential index %ld (%s)\n", d->index, d->index_note);
    else
        printf("; differential index not determined: %s\n", d->index_note);
    if (d->misleads)
        printf("  the structure misleads: %s;\n  %s\n", d->misleads,
               d->embedded ? "a larger system stands in for the equations"
               : strcmp(d->formulation, "index1") == 0
                   ? "combinations of equations stand in for those concerned"
                   : "the equations are integrated as given");
}

static void print_blocks(const dae_description *d)
{
    size_t largest = 0, single = 0;
    for (size_t i = 0; i < d->blocks; i++) {
        if (d->block[i] > largest) largest = d->block[i];
        single += d->block[i] == 1;
    }
    printf("  %zu block%s to be solved one after the other: %zu of one unknown, the largest of "
           "%zu\n",
           d->blocks, plural(d->blocks), single, largest);
    if (d->solved > 0)
        printf("  each step solves for %zu of the %zu unknowns; the others are given explicitly\n",
               d->solved, d->unknowns);
}

/* The number of the subscript in which b differs from a, as in x[1] and x[2]: where it begins in
 * both, and its value in each. False: they differ in something else. */
static bool differ_in_subscript(const char *a, const char *b, size_t *begin, long number[2])
{
    size_t at = 0;
    char *end[2];
    while (a[at] && a[at] == b[at]) at++;
    while (at > 0 && a[at - 1] >= '0' && a[at - 1] <= '9') at--;
    *begin = at;
    if (at == 0 || !strchr("[,", a[at - 1])) return false;
    number[0] = strtol(a + at, &end[0], 10);
    number[1] = strtol(b + at, &end[1], 10);
    return end[0] > a + at && end[1] > b + at && strcmp(end[0], end[1]) == 0;
}

/* How many names from the first one on differ in one subscript alone, which counts up. */
static size_t run_of_names(size_t count, const char *const *name)
{
    size_t run = 1, begin, first = 0;
    long number[2];
    for (; run < count; run++) {
        bool next = differ_in_subscript(name[run - 1], name[run], &begin, number) &&
                    number[1] == number[0] + 1;
        if (!next || (run > 1 && begin != first)) break;
        first = begin;
    }
    return run;
}

/* Names in a line, x[1:20] for many elements, and the number of those that are left out. */
static void print_names(size_t count, const char *const *name)
{
    enum { FEWEST = 4, MOST = 30 };
    size_t i = 0, begin;
    for (int k = 0; i < count && k < MOST; k++) {
        size_t run = run_of_names(count - i, name + i);
        if (run < FEWEST) run = 1;
        const char *last = name[i + run - 1];
        long number[2];
        printf("%s", i ? ", " : "");
        if (run > 1 && differ_in_subscript(name[i], last, &begin, number))
            printf("%.*s%ld:%s", (int)begin, last, number[0], last + begin);
        else
            printf("%s", name[i]);
        i += run;
    }
    if (i < count) printf(" and %zu more, which --json lists", count - i);
}

static void print_states(const dae_description *d)
{
    if (d->degrees_of_freedom < 0) {
        printf("  degrees of freedom and states not determined\n");
        return;
    }
    printf("  %ld degree%s of freedom", d->degrees_of_freedom,
           plural((size_t)d->degrees_of_freedom));
    if (d->states > 0) printf("; possible states: ");
    print_names(d->states, d->state);
    putchar('\n');
}

static void print_hidden(const dae_description *d)
{
    bool unsure = d->degrees_of_freedom < 0 && d->misleads;
    if (d->hidden_constraints == 0) {
        printf(unsure ? "  hidden constraints not determined\n" : "  no hidden constraints\n");
        return;
    }
    printf("  %zu hidden constraint%s%s:\n", d->hidden_constraints, plural(d->hidden_constraints),
           unsure ? " found, perhaps not all and perhaps dependent on each other" : "");
    print_lines(d->hidden_constraints, d->hidden_constraint);
}

static void print_mechanism(const dae_description *d)
{
    if (d->coordinates == 0) return;
    printf("  a constrained mechanical system: %zu coordinate%s, ", d->coordinates,
           plural(d->coordinates));
    if (d->holonomic) printf("%zu constraint%s of positions", d->holonomic, plural(d->holonomic));
    if (d->holonomic && d->nonholonomic) printf(" and ");
    if (d->nonholonomic)
        printf("%zu constraint%s of velocities", d->nonholonomic, plural(d->nonholonomic));
    printf(", %zu multiplier%s\n", d->multipliers, plural(d->multipliers));
    if (*d->formulation)
        printf("  auto takes formulation %s; others of mechanical systems can be asked for\n",
               d->formulation);
}

static void print_inputs(const dae_description *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->variables; i++) {
        if (!d->variable[i].input) continue;
        printf("%s%s", count++ ? ", " : "  inputs: ", d->variable[i].name);
    }
    if (count > 0) putchar('\n');
}

static void print_description(const dae_description *d)
{
    bool sound = d->structural_index >= 0;
    printf("%s: %zu equation%s, %zu unknown%s", d->name, d->equations, plural(d->equations),
           d->unknowns, plural(d->unknowns));
    if (d->discrete) printf(" (%zu of them discrete)", d->discrete);
    printf("%s%s\n", sound ? ", form " : "", sound ? d->form : "");
    print_inputs(d);
    if (!sound) return;
    print_mechanism(d);
    print_index(d);
    if (d->singular) return;
    print_states(d);
    print_hidden(d);
    print_blocks(d);
    if (d->structural_parameters > 0)
        printf("  structural parameters, which decide what the equations are:\n");
    print_lines(d->structural_parameters, d->structural_parameter);
    if (!isnan(d->rank_margin))
        printf("  distance of the system Jacobian from singularity at the start: %.1e\n",
               d->rank_margin);
}

static int answer(const arguments *given, const dae_description *d)
{
    int failed = 0;
    if (given->json)
        failed = json_description(stdout, d);
    else if (d->status != DAE_MODEL_ERROR)
        print_description(d);
    if (given->list && !given->json) list_words_print(d);
    int code = flush_answer(failed ? failed : exit_status(d->status));
    report_notes(d->notes);
    if (d->status != DAE_OK) report_failure(d->status, d->message);
    return code;
}

int cmd_check(const arguments *given)
{
    int code = 0;
    dae_problem *problem = read_problem(given, &code);
    if (problem && code == 0) {
        dae_experiment e = dae_problem_experiment(problem);
        double t = given->has_start ? given->start : e.has_start ? e.start : 0;
        dae_description *d = describe_last(problem, t);
        problem = NULL;
        code = d ? answer(given, d) : report_no_memory();
        dae_description_free(d);
    }
    dae_problem_free(problem);
    return code;
}
