/* Every adaptive method of the catalogue, and `auto`, on the problems of the Test Set for IVP
 * Solvers and on three variants of each: in other units, in another order, with other parameters.
 * Digits over processor time, setting up included, the least of several runs, as comma-separated
 * values, for fixed_choices.py.
 *
 *   fixed_choices [--few] [PROBLEM]
 *
 * --few: of the methods only those that are the fastest of some problem, which takes some
 * minutes in place of many.
 *
 * Where a variant has no published reference, a tight run is that, and what agrees with a tight run
 * of another method are its digits. */
#include "method/method.h"
#include "zoo/run.h"
#include "zoo/variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 3, SMALLEST = 11, DIGITS = 8, MOST_ROWS = 200, MOST_RUNS = 15, MAX_STEPS = 60000 };

/* Runs that take longer than this together, in milliseconds, are not repeated. */
static const double LONG = 150;

/* A method that took so many times as long as the fastest one is not asked for more digits. */
static const double HOPELESS = 6;

static void solve(const zoo_ivp *ivp, const char *name, double rtol, zoo_outcome *found)
{
    double least = HUGE_VAL, sum = 0;
    int runs = 0;
    do {
        zoo_solve(ivp, name, rtol, MAX_STEPS, found);
        least = fmin(least, found->milliseconds + found->set_up);
        sum += found->milliseconds + found->set_up;
    } while (++runs < MOST_RUNS && sum < LONG && found->status == DAE_OK);
    found->milliseconds = least;
}

/* The first two of these that reach the end. */
static bool find_reference(const zoo_ivp *ivp)
{
    static const struct {
        const char *name;
        double rtol;
    } tight[] = {
        {"radau", 1e-11}, {"radau-iia5", 1e-11}, {"radau-iia5", 1e-10}, {"radau-iia3", 1e-9}};
    double y[ZOO_MOST];
    bool have = false;
    for (size_t k = 0; k < sizeof tight / sizeof *tight; k++) {
        zoo_outcome o;
        zoo_solve_for(ivp, tight[k].name, tight[k].rtol, 100 * MAX_STEPS, &o, y);
        if (o.status != DAE_OK) continue;
        if (have) return zoo_variant_reference(ivp, zoo_digits(ivp, y)), true;
        memcpy(zoo_variant_reference(ivp, 0), y, zoo_size(ivp->form) * sizeof *y);
        have = true;
    }
    return false;
}

static void study(const zoo_ivp *ivp, const char *const *names, size_t count)
{
    bool hopeless[MOST_ROWS] = {false}, exact[MOST_ROWS] = {false}; /* twice */
    int reached[MOST_ROWS] = {0};
    double time[MOST_ROWS] = {0}; /* of the last run */
    for (int d = LARGEST; d <= SMALLEST && pow(10, -d) >= ivp->tightest; d++) {
        double fastest = HUGE_VAL;
        for (size_t k = 0; k < count; k++) {
            zoo_outcome o = {.status = DAE_OK};
            if (hopeless[k]) continue;
            if (!exact[k]) solve(ivp, names[k], pow(10, -d), &o);
            bool ended = o.status == DAE_OK;
            if (!exact[k]) time[k] = o.milliseconds;
            if (ended) fastest = fmin(fastest, time[k]);
            hopeless[k] = k > 0 && (o.status == DAE_INDEX || o.status == DAE_UNSUPPORTED);
            if (!exact[k] && !hopeless[k])
                printf("\"%s\",%s,1e-%d,%.2f,%.4g,%s\n", ivp->name, names[k], d,
                       ended ? fmin(o.digits, ivp->digits) : 0, time[k], dae_status_word(o.status));
            if (!exact[k] && ended && o.digits >= DIGITS) exact[k] = ++reached[k] == 2;
        }
        for (size_t k = 1; k < count; k++)
            hopeless[k] = hopeless[k] || (!exact[k] && time[k] > HOPELESS * fmax(fastest, 0.1));
        fflush(stdout);
    }
}

static void study_all(const zoo_ivp *ivp, const char *const *names, size_t count)
{
    study(ivp, names, count);
    for (zoo_change c = ZOO_SCALED; c < ZOO_CHANGES; c++) {
        const zoo_ivp *variant = zoo_variant_make(ivp, c);
        if (variant && (c != ZOO_OTHER || find_reference(variant))) study(variant, names, count);
        zoo_variant_free(variant);
    }
}

static const char *const FEW[] = {"radau-iia3", "radau-iia5", "radau-iia7", "radau",
                                  "mebdf",      "bdf",        "rodas5p",    "rodas4"};

static size_t take_methods(const char **names, bool few)
{
    size_t methods = 1;
    names[0] = "auto";
    for (size_t m = 0; few && m < sizeof FEW / sizeof *FEW; m++) names[methods++] = FEW[m];
    for (size_t m = 0; !few && method_row_at(m) && methods < MOST_ROWS; m++)
        if (zoo_is_adaptive(method_row_at(m)->name)) names[methods++] = method_row_at(m)->name;
    return methods;
}

int main(int count, char **argument)
{
    const char *names[MOST_ROWS];
    bool few = count > 1 && strcmp(argument[1], "--few") == 0;
    const char *only = argument[1 + few];
    if (only && !zoo_ivp_named(only)) {
        fprintf(stderr, "usage: fixed_choices [--few] [PROBLEM]\n");
        return 2;
    }
    size_t methods = take_methods(names, few);
    puts("problem,solver,rtol,digits,ms,status");
    for (size_t k = 0; k < zoo_ivp_count; k++)
        if (!only || strcmp(only, zoo_ivps[k]->name) == 0) study_all(zoo_ivps[k], names, methods);
    return 0;
}
