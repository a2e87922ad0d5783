/* What tolerances give: every method with error control on the problems of the Test Set for IVP
 * Solvers, four of them as models, too. Prints a table, and fails where a run that reached the end
 * is wrong: by more than 100 times its tolerance in what is differentiated (zoo_units()), or if
 * that error has grown while the tolerance fell, to more than three times of what a larger one gave
 * or asked for. Refusals and runs that end early are rows of the table like others.
 *
 *   tolerances [--full] [PROBLEM]
 *
 * Without --full: three tolerances, few steps, and not the problems that take long. */
#include "method/method.h"
#include "zoo/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 3, SMALLEST = 10 };

/* Errors of single steps, each below the tolerance, may have grown to this much of it. */
static const double GROWTH = 100;

/* Errors scatter by so much from one tolerance to the next. */
static const double SCATTER = 3;

typedef struct study {
    bool full;
    const char *problem; /* NULL: all */
    int wrong;
} study;

static size_t most_steps(const study *s, const zoo_ivp *ivp)
{
    if (!s->full) return 5000;
    return zoo_size(ivp->form) > 300 ? 5000 : zoo_size(ivp->form) > 100 ? 20000 : 100000;
}

/* `least`: what larger tolerances gave, or asked for if that is more. */
static bool is_wrong(const zoo_ivp *ivp, const zoo_outcome *o, double tolerance, double *least)
{
    if (o->status != DAE_OK) return false;
    double allowed = fmax(*least, 10 * pow(10, -ivp->digits)), error = o->units * tolerance;
    *least = fmin(*least, fmax(error, tolerance));
    return !(o->units <= GROWTH) || error > SCATTER * allowed;
}

static void print_row(const zoo_ivp *ivp, const char *form, const char *name, int k,
                      const zoo_outcome *o, bool wrong)
{
    printf("%-21s%-6s%-15s 1e-%-3d", ivp->name, form, name, k);
    if (o->status == DAE_OK)
        printf("%6.2f%9.2g", o->digits, o->units);
    else
        printf("%15s", "");
    printf("%8zu%7zu%9zu%8zu%8zu  %s%s\n", o->steps, o->rejected, o->residual_calls,
           o->jacobian_calls, o->factorizations, dae_status_word(o->status),
           wrong ? ", but wrong" : "");
}

static void run_tolerances(study *s, const zoo_ivp *ivp, bool model, const char *name)
{
    const char *form = model ? "model" : "C";
    double least = HUGE_VAL;
    for (int k = LARGEST; k <= (s->full ? SMALLEST : 7); k += s->full ? 1 : 3) {
        zoo_outcome o;
        double rtol = pow(10, -k);
        if (rtol < ivp->tightest) break;
        (model ? zoo_solve_model : zoo_solve)(ivp, name, rtol, most_steps(s, ivp), &o);
        bool this_is = is_wrong(ivp, &o, rtol, &least);
        print_row(ivp, form, name, k, &o, this_is);
        s->wrong += this_is;
    }
    fflush(stdout);
}

static bool is_in(const study *s, const zoo_ivp *ivp)
{
    static const char *const take_long[] = {
        "ring modulator",        "Fekete",       "NAND gate",     "two bit adder",
        "two bit adder, mended", "slider crank", "car axis, GGL", "Andrews squeezer, GGL"};
    if (s->problem) return strcmp(s->problem, ivp->name) == 0;
    for (size_t k = 0; !s->full && k < sizeof take_long / sizeof *take_long; k++)
        if (strcmp(ivp->name, take_long[k]) == 0) return false;
    return true;
}

int main(int count, char **argument)
{
    study s = {.full = count > 1 && strcmp(argument[1], "--full") == 0};
    if (count > 1 + s.full) s.problem = argument[1 + s.full];
    if (s.problem && !zoo_ivp_named(s.problem)) {
        fprintf(stderr, "usage: tolerances [--full] [PROBLEM]\n");
        return 2;
    }
    printf("%-21s%-6s%-15s %-6s%6s%9s%8s%7s%9s%8s%8s  %s\n", "problem", "form", "method", "rtol",
           "digits", "error", "steps", "reject", "calls", "jacob.", "factor.", "status");
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        if (!is_in(&s, zoo_ivps[k])) continue;
        for (size_t m = 0; method_row_at(m); m++) {
            const char *name = method_row_at(m)->name;
            if (!zoo_is_adaptive(name)) continue;
            run_tolerances(&s, zoo_ivps[k], false, name);
            if (zoo_has_model(zoo_ivps[k])) run_tolerances(&s, zoo_ivps[k], true, name);
        }
    }
    printf("wrong: %d\n", s.wrong);
    return s.wrong > 0;
}
