/* Where the time of a run goes: functions, Jacobians, factorisations, solutions, for
 * bench/peers.py. The linker passes the calls of each through here (--wrap), so that the library
 * needs no timers. One run measures what a call costs, by repeating it now and then; others are
 * timed as they are.
 *
 *   shares PROBLEM METHOD RTOL
 *
 * prints milliseconds: the whole run, then each of the four. */
#include "linalg/linear_solver_rows.h"
#include "problem/callback_state.h"
#include "zoo/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, BATCHES = 3, BATCH = 300, MAX_STEPS = 1500000 };

typedef enum part { RESIDUAL, JACOBIAN, FACTOR, SOLVE, PARTS = SOLVE + 1 } part;

/* Of real and of complex numbers. */
static struct {
    size_t calls;
    double cost, spent; /* ms: of a call as measured last, of all calls */
} account[PARTS][2];

static bool measures, within; /* a call's own calls are its own */

typedef struct call {
    part kind;
    linear_solver *solver;
    const void *values;
    void *b;
    callbacks *c;
    double t, increment;
    const double *y, *yp;
    double *r;
} call;

dae_status __real_callback_residual(callbacks *c, double t, const double *y, const double *yp,
                                    double *r);
dae_status __real_callback_linearize(callbacks *c, double t, const double *y, const double *yp,
                                     double increment);
dae_status __real_linear_solver_factor(linear_solver *solver, const void *values);
void __real_linear_solver_solve(linear_solver *solver, void *b);
dae_status __real_dae_solver_run(dae_solver *s, double t_end);

dae_status __wrap_callback_residual(callbacks *c, double t, const double *y, const double *yp,
                                    double *r);
dae_status __wrap_callback_linearize(callbacks *c, double t, const double *y, const double *yp,
                                     double increment);
dae_status __wrap_linear_solver_factor(linear_solver *solver, const void *values);
void __wrap_linear_solver_solve(linear_solver *solver, void *b);
dae_status __wrap_dae_solver_run(dae_solver *s, double t_end);

static dae_status make(const call *k, void *b)
{
    switch (k->kind) {
    case RESIDUAL: return __real_callback_residual(k->c, k->t, k->y, k->yp, k->r);
    case JACOBIAN: return __real_callback_linearize(k->c, k->t, k->y, k->yp, k->increment);
    case FACTOR: return __real_linear_solver_factor(k->solver, k->values);
    default: __real_linear_solver_solve(k->solver, b); return DAE_OK;
    }
}

/* The fastest of some batches. */
static double measure(const call *k)
{
    static double b[2 * ZOO_MOST];
    size_t size = k->solver ? k->solver->pattern->rows * (k->solver->is_complex ? 2 : 1) : 0;
    double least = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        double begun = zoo_clock();
        for (int i = 0; i < BATCH; i++) {
            if (k->kind == SOLVE) memcpy(b, k->b, size * sizeof *b);
            make(k, b);
        }
        double taken = (zoo_clock() - begun) / BATCH;
        if (batch == 0 || taken < least) least = taken;
    }
    return least;
}

static dae_status pass(const call *k)
{
    if (!measures || within) return make(k, k->b);
    within = true;
    int is_complex = k->solver && k->solver->is_complex;
    size_t calls = ++account[k->kind][is_complex].calls;
    if ((calls & (calls - 1)) == 0) account[k->kind][is_complex].cost = measure(k);
    account[k->kind][is_complex].spent += account[k->kind][is_complex].cost;
    dae_status status = make(k, k->b);
    within = false;
    return status;
}

dae_status __wrap_callback_residual(callbacks *c, double t, const double *y, const double *yp,
                                    double *r)
{
    return pass(&(call){.kind = RESIDUAL, .c = c, .t = t, .y = y, .yp = yp, .r = r});
}

dae_status __wrap_callback_linearize(callbacks *c, double t, const double *y, const double *yp,
                                     double increment)
{
    return pass(
        &(call){.kind = JACOBIAN, .c = c, .t = t, .y = y, .yp = yp, .increment = increment});
}

dae_status __wrap_linear_solver_factor(linear_solver *solver, const void *values)
{
    return pass(&(call){.kind = FACTOR, .solver = solver, .values = values});
}

void __wrap_linear_solver_solve(linear_solver *solver, void *b)
{
    pass(&(call){.kind = SOLVE, .solver = solver, .b = b});
}

static bool measuring_run;

/* Not of what a run begins with. */
dae_status __wrap_dae_solver_run(dae_solver *s, double t_end)
{
    measures = measuring_run;
    dae_status status = __real_dae_solver_run(s, t_end);
    measures = false;
    return status;
}

int main(int count, char **argument)
{
    const zoo_ivp *ivp = count == 4 ? zoo_ivp_named(argument[1]) : NULL;
    zoo_outcome found;
    double taken[RUNS];
    if (!ivp) {
        fprintf(stderr, "usage: shares PROBLEM METHOD RTOL\n");
        return 2;
    }
    measuring_run = true;
    zoo_solve(ivp, argument[2], atof(argument[3]), MAX_STEPS, &found);
    measuring_run = false;
    for (int i = 0; i < RUNS; i++) {
        zoo_solve(ivp, argument[2], atof(argument[3]), MAX_STEPS, &found);
        taken[i] = found.milliseconds;
    }
    printf("%.4g", zoo_median(RUNS, taken));
    for (int k = 0; k < PARTS; k++) printf(",%.4g", account[k][0].spent + account[k][1].spent);
    puts("");
    return found.status == DAE_OK ? 0 : 1;
}
