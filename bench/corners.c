/* Circuits whose inputs have corners: this library, to which these are announced events, beside
 * IDA, which is stopped at each and started again. For each tolerance the largest error at a corner
 * or at the end, and what was counted; and the work at equal errors, by interpolation.
 *
 *   corners [PROBLEM [METHOD...]] */
#include "zoo/corners.h"
#include "ida.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CORNERS = 80, TOLERANCES = 8, LOOSEST = 2, SOLVERS = 8, MAX_STEPS = 1500000 };

/* The problems, and down to which tolerance they go. The adder is the mended one: as published it
 * has no solution to compare with. */
static const struct {
    const char *name;
    int tightest;
} problems[] = {{"NAND gate", 9}, {"two bit adder, mended", 8}};

/* Of the run to compare with, which another method checks. */
static const double TIGHT = 1e-12;
static const char *const REFERENCE = "radau-iia5", *const CHECK = "mebdf";

/* Values at each corner, and at the end. */
typedef struct course {
    size_t n, count;
    double y[MOST_CORNERS][ZOO_MOST];
} course;

static int keep_before(const dae_event *e, void *user)
{
    course *c = user;
    memcpy(c->y[c->count++], e->y_before, c->n * sizeof(double));
    return 0;
}

static dae_solver *solver_of(const zoo_ivp *ivp, const char *method, double rtol)
{
    double atol[ZOO_MOST];
    dae_options options = dae_options_default();
    zoo_tolerances(ivp, rtol, atol);
    options.method = method, options.rtol = rtol, options.atols = atol;
    options.max_steps = MAX_STEPS;
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    return solver;
}

static void solve(const zoo_ivp *ivp, const char *method, double rtol, course *c, zoo_outcome *o)
{
    double y[ZOO_MOST], yp[ZOO_MOST];
    zoo_cornered cornered;
    *o = (zoo_outcome){.status = DAE_NO_MEMORY};
    c->n = zoo_size(ivp->form), c->count = 0;
    if (!zoo_cornered_make(&cornered, ivp)) return;
    dae_solver *solver = solver_of(&cornered.ivp, method, rtol);
    zoo_start(ivp, y, yp);
    dae_solver_watch_events(solver, keep_before, c);
    o->status = dae_solver_start_with(solver, 0, y, yp);
    if (o->status == DAE_OK) o->status = dae_solver_run(solver, ivp->t_end);
    if (o->status == DAE_OK) o->status = dae_solver_at(solver, ivp->t_end, c->y[c->count++], NULL);
    if (o->status == DAE_OK) o->digits = zoo_digits(ivp, c->y[c->count - 1]);
    const dae_stats *s = dae_solver_stats(solver);
    o->steps = s->steps, o->rejected = s->rejected, o->residual_calls = s->residual_calls;
    o->jacobian_calls = s->jacobian_calls, o->factorizations = s->factorizations;
    if (o->status != DAE_OK) fprintf(stderr, "%s: %s\n", method, dae_solver_message(solver));
    dae_solver_free(solver);
    zoo_cornered_free(&cornered);
}

static void solve_by_ida(const zoo_ivp *ivp, double rtol, course *c, zoo_outcome *o)
{
    ida_settings how = {.sparse = ivp->form->columns != NULL, .corners = c->y[0], .room = ZOO_MOST};
    c->n = zoo_size(ivp->form);
    c->count = (size_t)ceil(ivp->t_end / ivp->restart_every);
    ida_solve(ivp, how, rtol, MAX_STEPS, o);
}

/* The largest of what counts, relative to 1 + |y|. */
static double error_of(const zoo_ivp *ivp, const course *c, const course *known)
{
    double worst = c->count == known->count ? 0 : HUGE_VAL;
    for (size_t k = 0; k < c->count && worst < HUGE_VAL; k++)
        for (size_t i = 0; i < ivp->counted; i++) {
            size_t j = zoo_counted(ivp, i);
            double right = known->y[k][j];
            worst = fmax(worst, fabs(c->y[k][j] - right) / (1 + fabs(right)));
        }
    return worst;
}

/* As bench/compare.py weighs it. */
static double work(const zoo_outcome *o)
{
    return (double)o->residual_calls + 0.3 * (double)(o->steps + o->rejected) +
           4 * (double)(o->jacobian_calls + o->factorizations);
}

typedef struct curve {
    const char *name;
    int count;
    double error[TOLERANCES], work[TOLERANCES];
} curve;

static void print_row(int digits, curve *of, double error, const zoo_outcome *o)
{
    printf("| 1e-%d | %s |", digits, of->name);
    if (o->status != DAE_OK) {
        printf(" %s | | | | | | |\n", dae_status_word(o->status));
        return;
    }
    printf(" %.1e | %zu | %zu | %zu | %zu | %zu | %.0f |\n", error, o->steps, o->rejected,
           o->residual_calls, o->jacobian_calls, o->factorizations, work(o));
    of->error[of->count] = error;
    of->work[of->count++] = work(o);
}

/* The least work between two runs of neighbouring tolerances; NAN: no run is that exact. */
static double work_at(const curve *c, double error)
{
    double least = (double)NAN;
    for (int k = 0; k + 1 < c->count; k++) {
        double high = log(c->error[k]), low = log(c->error[k + 1]), at = log(error);
        if (!(low <= at && at <= high && low < high)) continue;
        double part = (high - at) / (high - low);
        least = fmin(least, exp((1 - part) * log(c->work[k]) + part * log(c->work[k + 1])));
    }
    return least;
}

static void print_at_equal_errors(const curve *curves, int count)
{
    printf("\n| error |");
    for (int s = 0; s < count; s++) printf(" work, %s |", curves[s].name);
    printf("\n|");
    for (int s = 0; s <= count; s++) printf(" --- |");
    for (int digits = 3; digits <= 8; digits++) {
        printf("\n| 1e-%d |", digits);
        for (int s = 0; s < count; s++) printf(" %.0f |", work_at(&curves[s], pow(10, -digits)));
    }
    printf("\n\n");
}

static void compare(const zoo_ivp *ivp, int tightest, const char **method, int methods)
{
    static course known, found;
    static zoo_outcome o;
    curve curves[SOLVERS] = {{.name = "IDA"}};
    for (int s = 1; s <= methods; s++) curves[s].name = method[s - 1];
    solve(ivp, REFERENCE, TIGHT, &known, &o);
    printf("%s: %s at %.0e agrees with the published end to %.1f digits, ", ivp->name, REFERENCE,
           TIGHT, o.digits);
    solve(ivp, CHECK, TIGHT, &found, &o);
    printf("with %s to %.1e at all corners\n\n", CHECK, error_of(ivp, &found, &known));
    puts("| rtol | | error | steps | rejected | residuals | Jacobians | factorisations | work |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int digits = LOOSEST; digits <= tightest; digits++)
        for (int s = 0; s <= methods; s++) {
            if (s == 0)
                solve_by_ida(ivp, pow(10, -digits), &found, &o);
            else
                solve(ivp, method[s - 1], pow(10, -digits), &found, &o);
            print_row(digits, &curves[s], error_of(ivp, &found, &known), &o);
            fflush(stdout);
        }
    print_at_equal_errors(curves, methods + 1);
}

int main(int count, const char **argument)
{
    const char *usual[] = {"auto", "bdf"}, **method = count > 2 ? argument + 2 : usual;
    int methods = count > 2 ? count - 2 : 2;
    if (methods >= SOLVERS || (count > 1 && !zoo_ivp_named(argument[1]))) {
        fprintf(stderr, "usage: corners [PROBLEM [METHOD...]]\n");
        return 2;
    }
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        if (count < 2 || strcmp(argument[1], problems[k].name) == 0)
            compare(zoo_ivp_named(problems[k].name), problems[k].tightest, method, methods);
    return 0;
}
