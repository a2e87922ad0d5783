/* Digits against processor time: the adaptive methods of the catalogue on eight problems of the
 * Test Set for IVP Solvers and, where it is installed, IDA, in one table on standard output (CSV).
 *
 *   work_precision [--problem NAME] [--method NAME] [--from RTOL] [--to RTOL] [--runs N]
 *                  [--max-steps N] [--no-ida] [--no-models] */
#include "comparison.h"
#include "method/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 8, MOST_RUNS = 25 };

static const char *const problems[PROBLEMS] = {"Robertson",
                                               "transistor amplifier",
                                               "chemical Akzo Nobel",
                                               "HIRES",
                                               "ring modulator",
                                               "water tube",
                                               "car axis",
                                               "Fekete"};

static const struct {
    const char *problem, *path, *names[11];
} models[] = {{"Robertson", MODELS "/tests/corpus/RobertsonDae.mo", {"y1", "y2", "y3"}},
              {"transistor amplifier",
               MODELS "/examples/transistor_amplifier.mo",
               {"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8"}},
              {"chemical Akzo Nobel",
               MODELS "/examples/chemical_akzo_nobel.mo",
               {"y1", "y2", "y3", "y4", "y5", "y6"}},
              {"car axis",
               MODELS "/examples/car_axis.mo",
               {"xl", "yl", "xr", "yr", "ul", "vl", "ur", "vr", "lam1", "lam2"}}};

typedef struct request {
    const char *problem, *method; /* NULL: all */
    double from, to;              /* the largest and the smallest tolerance */
    int runs;
    size_t max_steps;
    bool no_ida, no_models;
} request;

typedef enum solver_kind { DAEDAL, MODEL, IDA_DENSE, IDA_KLU } solver_kind;

/* --- one line of the table --- */

static void run(solver_kind kind, const zoo_ivp *ivp, const char *name, double rtol,
                const request *r, outcome *found)
{
    switch (kind) {
    case DAEDAL: run_daedal(ivp, name, rtol, r->max_steps, found); break;
    case MODEL:
        for (size_t k = 0; k < sizeof models / sizeof *models; k++)
            if (strcmp(models[k].problem, ivp->name) == 0)
                run_model(ivp, models[k].path, models[k].names, name, rtol, r->max_steps, found);
        break;
    default:
#ifdef WITH_IDA
        run_ida(ivp, kind == IDA_KLU, rtol, r->max_steps, found);
#endif
        break;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_line(solver_kind kind, const zoo_ivp *ivp, const char *name, double rtol,
                       const request *r)
{
    static const char *const prefix[] = {"", "model ", "", ""};
    static outcome found;
    double time[MOST_RUNS];
    for (int k = 0; k < r->runs; k++) {
        run(kind, ivp, name, rtol, r, &found);
        time[k] = found.milliseconds;
    }
    qsort(time, (size_t)r->runs, sizeof *time, ascending);
    printf("%s,%s%s,%.0e,", ivp->name, prefix[kind], name, rtol);
    if (found.reached) printf("%.2f", zoo_digits(ivp, found.y));
    printf(",%zu,%zu,%zu,%zu,%zu,%.4g,%s\n", found.steps, found.rejected, found.residual_calls,
           found.jacobian_calls, found.factorizations, time[r->runs / 2], found.status);
    fflush(stdout);
}

static void print_tolerances(solver_kind kind, const zoo_ivp *ivp, const char *name,
                             const request *r)
{
    for (double rtol = r->from; rtol > r->to * 0.99; rtol /= 10)
        print_line(kind, ivp, name, rtol, r);
}

/* --- all lines of a problem --- */

static bool is_adaptive(const char *name)
{
    message m = {.status = DAE_OK};
    method *found = NULL;
    bool adaptive = method_create(&found, name, &m) == DAE_OK && method_is_adaptive(found);
    method_free(found);
    message_free(&m);
    return adaptive;
}

static bool has_model(const char *problem)
{
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        if (strcmp(models[k].problem, problem) == 0) return true;
    return false;
}

static void print_problem(const zoo_ivp *ivp, const request *r)
{
    for (size_t k = 0; method_row_at(k); k++) {
        const char *name = method_row_at(k)->name;
        if (!is_adaptive(name) || (r->method && strcmp(r->method, name) != 0)) continue;
        print_tolerances(DAEDAL, ivp, name, r);
        if (has_model(ivp->name) && !r->no_models) print_tolerances(MODEL, ivp, name, r);
    }
#ifdef WITH_IDA
    if (r->no_ida) return;
    print_tolerances(IDA_DENSE, ivp, "IDA", r);
    if (ivp->form->columns) print_tolerances(IDA_KLU, ivp, "IDA KLU", r);
#endif
}

/* --- what was asked for --- */

static int usage(const char *wrong)
{
    fprintf(stderr, "work_precision: %s: what is that?\n", wrong);
    return 2;
}

static bool read_value(request *r, const char *name, const char *value)
{
    if (strcmp(name, "--problem") == 0)
        r->problem = value;
    else if (strcmp(name, "--method") == 0)
        r->method = value;
    else if (strcmp(name, "--from") == 0)
        r->from = atof(value);
    else if (strcmp(name, "--to") == 0)
        r->to = atof(value);
    else if (strcmp(name, "--runs") == 0)
        r->runs = atoi(value);
    else if (strcmp(name, "--max-steps") == 0)
        r->max_steps = (size_t)atol(value);
    else
        return false;
    return r->from > 0 && r->to > 0 && r->runs > 0 && r->runs <= MOST_RUNS;
}

int main(int count, char **argument)
{
    request r = {.from = 1e-3, .to = 1e-10, .runs = 1, .max_steps = 300000};
    for (int i = 1; i < count; i++) {
        if (strcmp(argument[i], "--no-ida") == 0)
            r.no_ida = true;
        else if (strcmp(argument[i], "--no-models") == 0)
            r.no_models = true;
        else if (i + 1 == count || !read_value(&r, argument[i], argument[i + 1]))
            return usage(argument[i]);
        else
            i++;
    }
    puts("problem,method,rtol,digits,steps,rejected,residual_calls,jacobian_calls,factorizations,"
         "cpu_ms,status");
    for (int k = 0; k < PROBLEMS; k++)
        if (!r.problem || strcmp(r.problem, problems[k]) == 0)
            print_problem(zoo_ivp_named(problems[k]), &r);
    return 0;
}
