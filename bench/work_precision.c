/* Digits over processor time on the problems of the Test Set for IVP Solvers, this library beside
 * IDA and, on ODEs, CVODE: comma-separated values on standard output. All solvers take turns, so
 * that what else the machine does strikes each alike, and medians count.
 *
 *   work_precision [ROUNDS [PROBLEM]] */
#include "cvode.h"
#include "ida.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* IDA goes on to smaller tolerances, for as many digits. */
enum { LARGEST = 1, SMALLEST = 10, SMALLEST_OF_IDA = 12, MOST_ROUNDS = 101, MAX_STEPS = 1500000 };

/* A run that has taken longer, in milliseconds, is not repeated. */
static const double LONG = 300;

/* After one that has taken longer a solver is not asked for more digits. */
static const double TOO_LONG = 5000;

typedef enum solver_kind {
    EQUATIONS,
    MODEL,
    MECHANICAL,
    IDA_DENSE,
    IDA_KLU,
    IDA_LOOSE,
    IDA_LOOSEST,
    CVODE
} solver_kind;

static const struct {
    solver_kind kind;
    const char *name, *method;
} solvers[] = {{EQUATIONS, "auto", "auto"},
               {EQUATIONS, "bdf", "bdf"},
               {EQUATIONS, "mebdf", "mebdf"},
               {EQUATIONS, "radau-iia3", "radau-iia3"},
               {EQUATIONS, "radau-iia5", "radau-iia5"},
               {EQUATIONS, "radau", "radau"},
               {EQUATIONS, "esdirk4", "esdirk4"},
               {EQUATIONS, "kvaerno5", "kvaerno5"},
               {EQUATIONS, "rodas4", "rodas4"},
               {EQUATIONS, "rodas5p", "rodas5p"},
               {MODEL, "radau-iia5 model", "radau-iia5"},
               {MODEL, "rodas5p model", "rodas5p"},
               {MECHANICAL, "auto mechanical", "auto"},
               {MECHANICAL, "dop853 mechanical", "dop853"},
               {IDA_DENSE, "IDA", NULL},
               {IDA_KLU, "IDA KLU", NULL},
               {IDA_LOOSE, "IDA loose", NULL},
               {IDA_LOOSEST, "IDA loosest", NULL},
               {CVODE, "CVODE", NULL}};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static bool fits(int s, const zoo_ivp *ivp, int digits)
{
    switch (solvers[s].kind) {
    case EQUATIONS: return digits <= SMALLEST;
    case MODEL: return digits <= SMALLEST && zoo_has_model(ivp);
    case IDA_DENSE: return true;
    case IDA_KLU: return ivp->form->columns != NULL;
    case MECHANICAL: return digits <= SMALLEST && zoo_has_mechanical(ivp);
    case IDA_LOOSE:
    case IDA_LOOSEST: return zoo_index(ivp->form) != NULL;
    default: return cvode_takes(ivp);
    }
}

static void solve(int s, const zoo_ivp *ivp, double rtol, zoo_outcome *found)
{
    ida_settings how = {.sparse = solvers[s].kind == IDA_KLU};
    if (solvers[s].kind == IDA_LOOSE) how.loosened = 1e6;
    if (solvers[s].kind == IDA_LOOSEST) how.loosened = 1e20;
    if (how.loosened > 0) how.sparse = ivp->form->columns != NULL;
    switch (solvers[s].kind) {
    case EQUATIONS: zoo_solve(ivp, solvers[s].method, rtol, MAX_STEPS, found); break;
    case MODEL: zoo_solve_model(ivp, solvers[s].method, rtol, MAX_STEPS, found); break;
    case MECHANICAL: zoo_solve_mechanical(ivp, solvers[s].method, rtol, MAX_STEPS, found); break;
    case CVODE: cvode_solve(ivp, rtol, MAX_STEPS, found); break;
    default: ida_solve(ivp, how, rtol, MAX_STEPS, found); break;
    }
}

static void print_line(int s, const zoo_ivp *ivp, int digits, const zoo_outcome *o, double run,
                       double set_up)
{
    printf("\"%s\",%s,1e-%d,", ivp->name, solvers[s].name, digits);
    if (o->status == DAE_OK) printf("%.2f", o->digits);
    printf(",%zu,%zu,%zu,%zu,%zu,%.4g,%.4g,%s\n", o->steps, o->rejected, o->residual_calls,
           o->jacobian_calls, o->factorizations, run, set_up, dae_status_word(o->status));
}

static void compare(const zoo_ivp *ivp, int digits, int rounds, bool *too_long)
{
    static double run[SOLVERS][MOST_ROUNDS], set_up[SOLVERS][MOST_ROUNDS];
    static zoo_outcome found[SOLVERS];
    int done[SOLVERS] = {0};
    for (int round = 0; round < rounds; round++) {
        for (int s = 0; s < SOLVERS; s++) {
            if (too_long[s] || !fits(s, ivp, digits) || (round > 0 && run[s][0] > LONG)) continue;
            solve(s, ivp, pow(10, -digits), &found[s]);
            run[s][done[s]] = found[s].milliseconds;
            set_up[s][done[s]++] = found[s].set_up;
        }
    }
    for (int s = 0; s < SOLVERS; s++) {
        if (done[s] == 0) continue;
        double taken = zoo_median(done[s], run[s]);
        print_line(s, ivp, digits, &found[s], taken, zoo_median(done[s], set_up[s]));
        too_long[s] = taken > TOO_LONG;
    }
    fflush(stdout);
}

int main(int count, char **argument)
{
    int rounds = count > 1 ? atoi(argument[1]) : 7;
    if (rounds < 1 || rounds > MOST_ROUNDS || (count > 2 && !zoo_ivp_named(argument[2]))) {
        fprintf(stderr, "usage: work_precision [ROUNDS, at most %d [PROBLEM]]\n", MOST_ROUNDS);
        return 2;
    }
    puts("problem,solver,rtol,digits,steps,rejected,residual_calls,jacobian_calls,factorizations,"
         "ms,set_up_ms,status");
    for (size_t k = 0; k < zoo_ivp_count; k++) {
        bool too_long[SOLVERS] = {false};
        if (count > 2 && strcmp(argument[2], zoo_ivps[k]->name) != 0) continue;
        for (int d = LARGEST; d <= SMALLEST_OF_IDA; d++)
            if (pow(10, -d) >= zoo_ivps[k]->tightest) compare(zoo_ivps[k], d, rounds, too_long);
    }
    return 0;
}
