/* The Test Set for IVP Solvers from end to end: each problem by the methods that suit it, at four
 * tolerances, as one table. Fails where a run that claims success is wrong by more than 100 of its
 * tolerances in what is differentiated (zoo_units()), and where `auto` does not reach the end.
 *
 *   test_set [--short] [PROBLEM]
 *
 * digits: of the values at the end, as the test set measures them for the problem; error: the
 * largest, over its tolerance, of what is differentiated; ms: processor time of the run, the median
 * of several where it is short. --short: two tolerances, without what takes long. */
#include "zoo/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RUNS = 9, MAX_STEPS = 1000000 };

/* Runs that take longer than this together, in milliseconds, are not repeated. */
static const double LONG = 40;

/* Errors of single steps, each below the tolerance, may have grown to this much of it. */
static const double GROWTH = 100;

/* `only`: where it suits no other problem. */
static const struct {
    const char *name, *only;
} methods[] = {{"auto", NULL},       {"bdf", NULL},    {"mebdf", NULL},   {"radau", NULL},
               {"radau-iia3", NULL}, {"rodasp", NULL}, {"esdirk4", NULL}, {"dop853", "HIRES"}};

static const int tolerances[] = {4, 6, 8, 10};

typedef struct table {
    bool brief;
    int runs, wrong, failed_auto;
} table;

/* Once, or again until that took long enough to be measured. */
static void solve(const zoo_ivp *ivp, const char *name, double rtol, zoo_outcome *found)
{
    double time[MOST_RUNS], sum = 0;
    int runs = 0;
    while (runs < MOST_RUNS && sum < LONG) {
        zoo_solve(ivp, name, rtol, MAX_STEPS, found);
        time[runs++] = found->milliseconds;
        sum += found->milliseconds;
    }
    found->milliseconds = zoo_median(runs, time);
}

static void print_row(const zoo_ivp *ivp, const char *name, int k, const zoo_outcome *o)
{
    printf("%-23s%-11s 1e-%-3d", ivp->name, name, k);
    if (o->status == DAE_OK)
        printf("%6.2f%9.2g", o->digits, o->units);
    else
        printf("%15s", "");
    printf("%8zu%8zu%8zu%8zu%10.3g  %s", o->steps, o->rejected, o->jacobian_calls,
           o->factorizations, o->milliseconds, dae_status_word(o->status));
}

static void run_once(table *t, const zoo_ivp *ivp, const char *name, int k)
{
    zoo_outcome o;
    solve(ivp, name, pow(10, -k), &o);
    bool wrong = o.status == DAE_OK && !(o.units <= GROWTH);
    bool failed = o.status != DAE_OK && strcmp(name, "auto") == 0;
    print_row(ivp, name, k, &o);
    printf("%s%s\n", wrong ? ", but wrong" : "", failed ? ", but auto must not fail" : "");
    t->runs++, t->wrong += wrong, t->failed_auto += failed;
    fflush(stdout);
}

static bool is_long(const zoo_ivp *ivp)
{
    return strcmp(ivp->name, "ring modulator") == 0 || zoo_size(ivp->form) > 300;
}

static void run_method(table *t, const zoo_ivp *ivp, const char *name)
{
    for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
        if (pow(10, -tolerances[k]) < ivp->tightest) continue;
        if (t->brief && tolerances[k] > (is_long(ivp) ? 4 : 6)) continue;
        run_once(t, ivp, name, tolerances[k]);
    }
}

static void run_problem(table *t, const zoo_ivp *ivp)
{
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        if (methods[m].only && strcmp(methods[m].only, ivp->name) != 0) continue;
        if (t->brief && is_long(ivp) && m > 0) continue;
        run_method(t, ivp, methods[m].name);
    }
}

int main(int count, char **argument)
{
    table t = {.brief = count > 1 && strcmp(argument[1], "--short") == 0};
    const char *one = count > 1 + t.brief ? argument[1 + t.brief] : NULL;
    if (one && !zoo_ivp_named(one)) {
        fprintf(stderr, "usage: test_set [--short] [PROBLEM]\n");
        return 2;
    }
    printf("%-23s%-11s %-6s%6s%9s%8s%8s%8s%8s%10s  %s\n", "problem", "method", "rtol", "digits",
           "error", "steps", "reject", "jacob.", "factor.", "ms", "status");
    for (size_t k = 0; k < zoo_ivp_count; k++)
        if (!one || strcmp(one, zoo_ivps[k]->name) == 0) run_problem(&t, zoo_ivps[k]);
    printf("runs: %d, wrong: %d, auto failed: %d\n", t.runs, t.wrong, t.failed_auto);
    return t.wrong > 0 || t.failed_auto > 0;
}
