/* A chain of N links through the general sparse interface: what its set-up and a step cost, in
 * time, in counted operations and in memory, against N.
 *
 * From rest, the same smooth motion for every N. Implicit methods follow it in steps of 1 ms;
 * explicit ones in steps of 0.1/N s, for the highest frequency grows as N; `auto` by itself. Each
 * way starts anew for each N; ms are of processor time, set-up is all before the first step, MB
 * are what was asked for from creation to end. Fails where operations of a step or of an iteration,
 * or memory, grow faster than N^1.1 from one N to the next, beyond 100 links, and where times grow
 * faster than N^1.5: they measure the machine as well, caches at least, and show no more than that
 * nothing costs N^2.
 *
 *   chain [--short | --least]
 *
 * The largest systems take most of the time. --short: 10,000 links by two ways that differ most;
 * --least: by none. */
#include "solve/allocations.h"
#include "zoo/mechanical_chain.h"
#include "zoo/run.h"

#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20, SIZES = 4 };

static const size_t links[SIZES] = {10, 100, 1000, 10000};

/* The highest exponent of N that counts as linear, of what is counted. Times are shown. */
static const double LINEAR = 1.1;

typedef enum choice_of_steps { OF_A_MILLISECOND, STABLE, CONTROLLED } choice_of_steps;

static const struct way {
    const char *method, *formulation;
    choice_of_steps steps;
    bool always_whole; /* shortened, too */
} ways[] = {
    {"radau-iia3", "ggl", OF_A_MILLISECOND, false},
    {"bdf3", "ggl", OF_A_MILLISECOND, false},
    {"bdf3", "index3", OF_A_MILLISECOND, false},
    {"generalized-alpha", "index3", OF_A_MILLISECOND, true},
    {"hem4", "index2", STABLE, false},
    {"dop853", "elimination", STABLE, false},
    {"auto", "auto", CONTROLLED, true},
};

/* An evaluation counts as many operations as there are unknowns, a factorisation or solution as
 * many as there are nonzeros in the factors. */
typedef enum quantity { SET_UP, STEP, STEP_OPERATIONS, OPERATIONS, MEGABYTES, QUANTITIES } quantity;

static const char *const heads[QUANTITIES] = {"set-up ms", "ms/step", "op./step", "op./iter.",
                                              "MB"};

typedef struct cost {
    double of[QUANTITIES]; /* milliseconds; operations; in all */
    double iterations;     /* of Newton, a step */
} cost;

static double length_of_step(const struct way *w, size_t count)
{
    return w->steps == STABLE ? 0.1 / (double)count : 1e-3;
}

/* In as many steps of a constant length, or over as long. */
static dae_status go(dae_solver *s, const zoo_chain *c, double *y, double step, cost *found)
{
    size_t n = c->form.nq;
    for (size_t j = 0; j < n + 2 * c->links; j++) y[n + j] = (double)NAN;
    zoo_chain_start(c, y, y + n);
    dae_status status = dae_solver_start(s, 0, y);
    found->of[SET_UP] += zoo_clock();
    found->of[STEP] = -zoo_clock();
    if (status == DAE_OK) status = dae_solver_run(s, STEPS * step);
    found->of[STEP] += zoo_clock();
    return status;
}

static void weigh(const dae_stats *s, const zoo_chain *c, cost *found)
{
    double steps = (double)s->steps, iterations = (double)s->newton_iterations;
    double evaluations = (double)(s->residual_calls + s->jacobian_calls);
    double solved = (iterations + (double)s->factorizations) * (double)s->factor_nonzeros;
    double operations = evaluations * 8 * (double)c->links + solved;
    found->of[STEP] /= steps;
    found->of[STEP_OPERATIONS] = operations / steps;
    found->of[OPERATIONS] = operations / fmax(iterations, 1);
    found->of[MEGABYTES] = allocations.bytes / 1e6;
    found->iterations = iterations / steps;
}

/* False where the run failed. */
static bool run(const struct way *w, size_t count, cost *found)
{
    dae_options o = dae_options_default();
    zoo_chain *c = zoo_chain_create(count);
    double *y = calloc(8 * count, sizeof *y), step = length_of_step(w, count);
    o.method = w->method;
    o.formulation = w->formulation;
    if (w->steps != CONTROLLED) o.step = step;
    if (!c || !y) return false;
    allocations.bytes = 0;
    allocations.on = true;
    found->of[SET_UP] = -zoo_clock();
    dae_problem *p = dae_problem_mechanical(&c->form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    dae_status status = go(s, c, y, step, found);
    weigh(dae_solver_stats(s), c, found);
    if (status != DAE_OK) printf("%s\n", dae_solver_message(s));
    dae_solver_free(s);
    allocations.on = false;
    free(y);
    zoo_chain_free(c);
    return status == DAE_OK;
}

/* One row of the table; whether it shows more than linear growth. */
static bool print_row(const cost *at, int size)
{
    const cost *before = at + (size > 0 ? size - 1 : 0), *now = at + size;
    bool wrong = false;
    printf("%7zu%11.3g", links[size], now->iterations);
    for (quantity q = 0; q < QUANTITIES; q++) {
        double tenfold = size > 0 ? log10(now->of[q] / before->of[q]) : 0;
        bool counted = q != SET_UP && q != STEP;
        printf("%12.4g%7.2f", now->of[q], tenfold);
        wrong = wrong || (size > 1 && counted && !(tenfold <= LINEAR));
    }
    printf("%s\n", wrong ? "  not linear" : "");
    return wrong;
}

/* Failures of one way. */
static int table(const struct way *w, int sizes)
{
    int failed = 0;
    cost at[SIZES];
    printf("\n%s, %s\n%7s%11s", w->method, w->formulation, "N", "iterations");
    for (quantity q = 0; q < QUANTITIES; q++) printf("%12s%7s", heads[q], "slope");
    printf("\n");
    for (int k = 0; k < sizes; k++) {
        if (!run(w, links[k], &at[k])) return failed + 1;
        failed += print_row(at, k);
    }
    return failed;
}

int main(int count, char **argument)
{
    int failed = 0, left_out = 0;
    bool least = count > 1 && strcmp(argument[1], "--least") == 0;
    bool brief = least || (count > 1 && strcmp(argument[1], "--short") == 0);
    count_in_klu();
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        bool shortened = least || (brief && !ways[k].always_whole);
        failed += table(&ways[k], shortened ? SIZES - 1 : SIZES);
        left_out += shortened;
    }
    if (left_out > 0)
        printf("\nleft out: %zu links by %d ways, whose growth up to %zu is seen (make chain)\n",
               links[SIZES - 1], left_out, links[SIZES - 2]);
    return failed > 0;
}
