/* A chain of N links through the general sparse interface: what a step costs, in time, in counted
 * operations and in memory, against N.
 *
 *   chain [--short]
 *
 * Constant steps from rest, of 1/N ms: the highest frequency grows as N. Each way starts anew for
 * each N; ms are of processor time, MB are what was asked for from creation to end. Fails where
 * operations of an iteration or memory grow faster than N^1.1 from one N to the next, beyond 100
 * links; time is printed alone, for it measures the machine as well. */
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

/* The highest exponent of N that counts as linear. */
static const double LINEAR = 1.1;

static const struct {
    const char *method, *formulation;
} ways[] = {
    {"radau-iia3", "ggl"}, {"bdf3", "ggl"}, {"hem4", "index2"}, {"generalized-alpha", "index3"}};

/* Of one step: milliseconds and Newton's iterations, which take more where round-off is all that is
 * left to remove. Of one iteration: operations, an evaluation counting as many as there are
 * unknowns, a solution as many as there are nonzeros in the factors. In all: what was asked for. */
typedef struct cost {
    double milliseconds, iterations, operations, megabytes;
} cost;

static dae_status go(dae_solver *s, const zoo_chain *c, double *y, double step, double *time)
{
    size_t n = c->form.nq;
    for (size_t j = 0; j < n + 2 * c->links; j++) y[n + j] = (double)NAN;
    zoo_chain_start(c, y, y + n);
    dae_status status = dae_solver_start(s, 0, y);
    *time = -zoo_clock();
    if (status == DAE_OK) status = dae_solver_run(s, STEPS * step);
    *time += zoo_clock();
    return status;
}

static cost weigh(const dae_stats *s, const zoo_chain *c, double time)
{
    double steps = (double)s->steps, n = 8 * (double)c->links;
    double evaluations = (double)(s->residual_calls + s->jacobian_calls);
    double iterations = (double)s->newton_iterations;
    double solved = (iterations + (double)s->factorizations) * (double)s->factor_nonzeros;
    return (cost){.milliseconds = time / steps,
                  .iterations = iterations / steps,
                  .operations = (evaluations * n + solved) / iterations,
                  .megabytes = allocations.bytes / 1e6};
}

/* False where the run failed. */
static bool run(size_t way, size_t count, cost *found)
{
    dae_options o = dae_options_default();
    zoo_chain *c = zoo_chain_create(count);
    double *y = calloc(8 * count, sizeof *y), time = 0;
    o.method = ways[way].method;
    o.formulation = ways[way].formulation;
    o.step = 1e-3 / (double)count;
    if (!c || !y) return false;
    allocations.bytes = 0;
    allocations.on = true;
    dae_problem *p = dae_problem_mechanical(&c->form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    dae_status status = go(s, c, y, o.step, &time);
    *found = weigh(dae_solver_stats(s), c, time);
    if (status != DAE_OK) printf("%s\n", dae_solver_message(s));
    dae_solver_free(s);
    allocations.on = false;
    free(y);
    zoo_chain_free(c);
    return status == DAE_OK;
}

static double exponent(double before, double now, size_t size)
{
    return log(now / before) / log((double)links[size] / (double)links[size - 1]);
}

/* Failures of one way. */
static int table(size_t way, int sizes)
{
    int failed = 0;
    cost at[SIZES];
    printf("\n%s, %s\n%7s%12s%8s%12s%14s%8s%10s%8s\n", ways[way].method, ways[way].formulation, "N",
           "ms/step", "slope", "iterations", "operations", "slope", "MB", "slope");
    for (int k = 0; k < sizes; k++) {
        if (!run(way, links[k], &at[k])) return failed + 1;
        const cost *a = at + k;
        double slope[3] = {0, 0, 0};
        if (k > 0) {
            slope[0] = exponent(a[-1].milliseconds, a->milliseconds, (size_t)k);
            slope[1] = exponent(a[-1].operations, a->operations, (size_t)k);
            slope[2] = exponent(a[-1].megabytes, a->megabytes, (size_t)k);
        }
        bool wrong = k > 1 && !(slope[1] <= LINEAR && slope[2] <= LINEAR);
        printf("%7zu%12.4g%8.2f%12.3g%14.4g%8.2f%10.3g%8.2f%s\n", links[k], a->milliseconds,
               slope[0], a->iterations, a->operations, slope[1], a->megabytes, slope[2],
               wrong ? "  not linear" : "");
        failed += wrong;
    }
    return failed;
}

int main(int count, char **argument)
{
    int sizes = count > 1 && strcmp(argument[1], "--short") == 0 ? SIZES - 1 : SIZES, failed = 0;
    count_in_klu();
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) failed += table(way, sizes);
    return failed > 0;
}
