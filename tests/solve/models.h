/* Models and runs for the tests of the solver handle. */
#ifndef TESTS_SOLVE_MODELS_H
#define TESTS_SOLVE_MODELS_H

#include "base/unit.h"

#include <daedal/daedal.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char DECAY[] = "model Decay Real x(start = 1, fixed = true);\n"
                            "equation der(x) = -x; end Decay;";

static const char OSCILLATOR[] =
    "model Oscillator Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(x) = v; der(v) = -x; end Oscillator;";

/* Index 3: once around a circle of radius 1 in 2 pi. */
static const char CIRCLING[] =
    "model Circling Real x(start = 1, fixed = true), y, u, v(start = 1, fixed = true), l;\n"
    "equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y; x^2 + y^2 = 1;\n"
    "end Circling;";

static const char PENDULUM[] =
    "model Pendulum parameter Real L = 1, g = 9.81;\n"
    "  Real x(start = 0, fixed = true), y(start = -1), u(start = 7, fixed = true), v, T;\n"
    "equation der(x) = u; der(y) = v; der(u) = -T*x; der(v) = -T*y - g; x^2 + y^2 = L^2;\n"
    "end Pendulum;";

/* Its rod is written twice: constraints depend on each other. */
static const char TWICE_HELD[] =
    "model Twice Real x(start = 0, fixed = true), y(start = -1), u(start = 7, fixed = true), v;\n"
    "  Real F, N;\n"
    "equation der(x) = u; der(y) = v; der(u) = -2*x*F - 4*x*(x^2 + y^2)*N;\n"
    "  der(v) = -2*y*F - 4*y*(x^2 + y^2)*N - 9.81; x^2 + y^2 = 1; (x^2 + y^2)^2 = 1; end Twice;";

/* Index 3: equations that turn into each other in time, so that other combinations are formed on
 * the way. */
static const char TURNS[] =
    "model Turns Real x1, x2, x3; equation\n"
    "0 = cos(1.1*time + 0.4)*(der(x3) - x2) - sin(1.1*time + 0.4)*(der(x2) - x1);\n"
    "0 = cos(0.7*time + 2)*(sin(1.1*time + 0.4)*(der(x3) - x2) + cos(1.1*time + 0.4)*(der(x2) - "
    "x1)) - sin(0.7*time + 2)*(x3 - sin(time));\n"
    "0 = sin(0.7*time + 2)*(sin(1.1*time + 0.4)*(der(x3) - x2) + cos(1.1*time + 0.4)*(der(x2) - "
    "x1)) + cos(0.7*time + 2)*(x3 - sin(time));\n"
    "end Turns;\n";

/* So long a chain that its matrices are sparse. */
static const char LADDER[] =
    "model Ladder parameter Integer n = 150; Real u[n](each start = 0, each fixed = true);\n"
    "equation der(u[1]) = 100*(sin(time) - 2*u[1] + u[2]);\n"
    "  for i in 2:n-1 loop der(u[i]) = 100*(u[i-1] - 2*u[i] + u[i+1]); end for;\n"
    "  der(u[n]) = 100*(u[n-1] - u[n]); end Ladder;";

/* A bridge of diodes behind three phases: sparse factors, methods that take turns. */
static const char BRIDGE[] =
    "model Bridge constant Real pi = 3.141592653589793;\n"
    "  parameter Real R = 0.5, L = 20e-3, RL = 30, Is = 1e-8, Vt = 0.05, U = 325, G = 1e-9;\n"
    "  Real u[3] = {U*sin(100*pi*time - 2*pi*(k - 1)/3) for k in 1:3};\n"
    "  Real v[3], is[3], up[3], dn[3], p, n, iL(start = 0, fixed = true);\n"
    "equation for k in 1:3 loop v[k] = u[k] - R*is[k];\n"
    "    up[k] = Is*(exp((v[k] - p)/Vt) - 1) + G*(v[k] - p);\n"
    "    dn[k] = Is*(exp((n - v[k])/Vt) - 1) + G*(n - v[k]); is[k] = up[k] - dn[k]; end for;\n"
    "  sum(up) = iL; sum(dn) = iL; L*der(iL) = p - n - RL*iL; end Bridge;";

/* The structure misleads: two capacitors in parallel, written twice. */
static const char CAPACITORS[] =
    "model Capacitors Real a(start = 1, fixed = true), b, i;\n"
    "equation der(a) - der(b) = i - a; der(b) - der(a) = a + b - i; i = b + sin(time);\n"
    "end Capacitors;";

static inline dae_problem *problem_of(const char *model)
{
    return dae_problem_parse("m.mo", model, strlen(model));
}

static inline dae_solver *solver_of(const char *model, const dae_options *options)
{
    dae_problem *read = problem_of(model);
    dae_solver *solver = dae_solver_create(read, options);
    dae_problem_free(read); /* which need not outlive it */
    return solver;
}

static inline dae_options tolerance_of(double rtol)
{
    dae_options options = dae_options_default();
    options.rtol = options.atol = rtol;
    return options;
}

static inline void is_ok(dae_solver *solver, dae_status status)
{
    ck_assert_msg(status == DAE_OK, "%s: %s", dae_status_word(status), dae_solver_message(solver));
}

/* The last value of a variable, in the run of a model from 0 to `stop` with these options. */
static inline double end_of(const char *model, const dae_options *options, double stop,
                            const char *name)
{
    dae_problem *read = problem_of(model);
    dae_solver *solver = dae_solver_create(read, options);
    double *y = calloc(dae_problem_size(read), sizeof *y), last;
    size_t at = dae_problem_find(read, name);
    dae_problem_free(read);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    dae_status status = dae_solver_run(solver, stop);
    ck_assert_msg(status == DAE_OK, "%s, rtol %g, atol %g: %s\n%s", options->method, options->rtol,
                  options->atol, dae_solver_message(solver), model);
    is_ok(solver, dae_solver_at(solver, stop, y, NULL));
    dae_solver_free(solver);
    last = y[at];
    free(y);
    return last;
}

/* A run with a method, at this tolerance, ends within 100 of it. */
static inline void ends_near(const char *model, const char *with, double rtol, double stop,
                             const char *name, double wanted)
{
    dae_options o = tolerance_of(rtol);
    o.method = with;
    o.max_steps = 20000;
    double off = fabs(end_of(model, &o, stop, name) - wanted) / rtol;
    ck_assert_msg(off <= 100, "%s at %g: %s is off by %.3g tolerances\n%s", with, rtol, name, off,
                  model);
}

#endif
