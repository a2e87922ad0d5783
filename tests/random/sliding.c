/* Random motions along one surface, solved by daedal by each of several methods.
 *
 *   sliding [--seed S] [--count N] [--only K] [--method NAME] [--print] [--verbose]
 *
 * The end values of all of them are exact up to one multiple of the tolerance, the same for all
 * methods. */
#include "random/sliding.h"

#include <daedal/daedal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double BOUND = 10; /* tolerances */

static const char *const methods[] = {"auto",    "esdirk4", "radau-iia3", "radau-iia5",
                                      "rodas5p", "bdf",     "mebdf",      "gauss3"};

enum { METHODS = sizeof methods / sizeof *methods, LEAST_POWER = 3, MOST_POWER = 9 };

typedef struct arguments {
    uint64_t seed;
    long first, count;
    const char *method;
    bool print, verbose;
} arguments;

typedef struct tally {
    long runs, failed, beyond;
    double worst; /* error in tolerances */
} tally;

/* How far the end is off, in tolerances; infinite: there is none. */
static double run(const char *model, const slide_system *s, const slide_path *exact,
                  const char *method, double rtol, char *why, size_t room)
{
    double y[32], worst = (double)INFINITY;
    dae_problem *problem = dae_problem_parse("sliding.mo", model, strlen(model));
    dae_options options = dae_options_default();
    options.rtol = options.atol = rtol;
    options.method = method;
    options.max_steps = 200000;
    dae_solver *solver = dae_solver_create(problem, &options);
    size_t u = dae_problem_find(problem, "u"), z = dae_problem_find(problem, "z");
    dae_status status = dae_solver_start(solver, 0, NULL);
    if (status == DAE_OK) status = dae_solver_run(solver, s->stop);
    if (status == DAE_OK) status = dae_solver_at(solver, s->stop, y, NULL);
    *why = '\0';
    if (status == DAE_OK)
        worst = fmax(fabs(y[u] - exact->u) / (1 + fabs(exact->u)),
                     fabs(y[z] - exact->z) / (1 + fabs(exact->z))) /
                rtol;
    else
        snprintf(why, room, "%s", dae_solver_message(solver));
    dae_solver_free(solver);
    dae_problem_free(problem);
    return worst;
}

static void run_number(const arguments *a, long number, tally *of)
{
    slide_system s;
    slide_path path;
    char why[160];
    draw d = draw_of(a->seed, (uint64_t)number);
    slide_draw(&s, &path, &d);
    char *model = slide_text(&s);
    if (a->print) {
        printf("%s// --stop %.17g: u = %.17g, z = %.17g, events at", model, s.stop, path.u, path.z);
        for (int k = 0; k < path.events; k++) printf(" %.15g", path.event[k]);
        printf("\n");
    }
    for (int k = 0; k < METHODS; k++) {
        int power = draw_between(&d, LEAST_POWER, MOST_POWER);
        if (a->method && strcmp(a->method, methods[k]) != 0) continue;
        double off = run(model, &s, &path, methods[k], pow(10, -power), why, sizeof why);
        of[k].runs++;
        of[k].failed += isinf(off);
        of[k].beyond += !isinf(off) && !(off <= BOUND);
        if (!isinf(off)) of[k].worst = fmax(of[k].worst, off);
        if (off <= BOUND && !a->verbose) continue;
        printf("%5ld %-10s 1e-%d form %d turn %d: %.3g tolerances %s\n", number, methods[k], power,
               s.form, s.turned, off, why);
    }
    free(model);
}

static bool read_arguments(int count, char **argument, arguments *a)
{
    *a = (arguments){.seed = 1, .count = 100};
    for (int k = 1; k < count; k++) {
        const char *word = argument[k], *value = k + 1 < count ? argument[k + 1] : "";
        if (strcmp(word, "--print") == 0)
            a->print = true;
        else if (strcmp(word, "--verbose") == 0)
            a->verbose = true;
        else if (strcmp(word, "--seed") == 0)
            a->seed = strtoull(value, NULL, 10), k++;
        else if (strcmp(word, "--count") == 0)
            a->count = atol(value), k++;
        else if (strcmp(word, "--only") == 0)
            a->first = atol(value), a->count = 1, k++;
        else if (strcmp(word, "--method") == 0)
            a->method = value, k++;
        else
            return false;
    }
    return true;
}

int main(int count, char **argument)
{
    arguments a;
    tally of[METHODS] = {0};
    long bad = 0;
    if (!read_arguments(count, argument, &a)) {
        fprintf(stderr, "sliding: tests/random/sliding.c says what is understood\n");
        return 2;
    }
    for (long k = a.first; k < a.first + a.count; k++) run_number(&a, k, of);
    for (int k = 0; k < METHODS; k++) {
        printf("%-12s %6ld runs, %4ld stopped, %4ld beyond the bound, at most %.3g tolerances\n",
               methods[k], of[k].runs, of[k].failed, of[k].beyond, of[k].worst);
        bad += of[k].failed + of[k].beyond;
    }
    return bad > 0;
}
