/* Events: a ball that bounces, as roots of its height; and a capacitor behind a nonlinear resistor,
 * whose source is switched at known times, so that its current jumps. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>

static const double GRAVITY = 9.81, BACK = 0.9, RTOL = 1e-9, HALF_PERIOD = 0.25;

static int fall(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1], f[1] = -GRAVITY;
    return 0;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user, g[0] = y[0];
    return 0;
}

static int bounce(dae_event *e, void *user)
{
    *(double *)user = e->t; /* when it was last on the ground */
    e->y[1] = -BACK * e->y_before[1];
    e->changed = true;
    return 0;
}

/* v' = i, i + i^3 = source - v; y = (v, i). The source is a mode, and no function of t. */
static int charge(double t, const double *y, double *f, void *user)
{
    (void)t, f[0] = y[1];
    f[1] = y[1] + y[1] * y[1] * y[1] - *(const double *)user + y[0];
    return 0;
}

static double next_edge(double t, void *user)
{
    return (void)user, (floor(t / HALF_PERIOD) + 1) * HALF_PERIOD;
}

static int edge(dae_event *e, void *user)
{
    *(double *)user = 2 - *(double *)user;
    e->changed = true; /* the current is found anew, from the voltage before the edge */
    return 0;
}

static size_t solve(const dae_mass_form *form, double stop, double *y)
{
    dae_options options = dae_options_default();
    options.rtol = options.atol = RTOL;
    dae_problem *problem = dae_problem_mass(form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_solver_start(solver, 0, y);
    if (dae_solver_run(solver, stop) == DAE_OK) dae_solver_at(solver, stop, y, NULL);
    fputs(dae_solver_message(solver), stderr);
    size_t steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver), dae_problem_free(problem);
    return steps;
}

int main(void)
{
    double last = 0, source = 2, y[] = {1, 0}, v[] = {0, 1}, mass[] = {1, 0, 0, 0};
    const signed char falls[] = {-1};
    dae_mass_form ball = {.n = 2, .f = fall}, circuit = {.n = 2, .f = charge};
    ball.about = (dae_about){.roots = 1, .root = height, .event = bounce, .user = &last};
    ball.about.root_direction = falls;
    circuit.constant_mass = mass;
    circuit.about = (dae_about){.next_event = next_edge, .event = edge, .user = &source};
    size_t steps = solve(&ball, 5, y) + solve(&circuit, 1, v);
    double ground = sqrt(2 / GRAVITY); /* then flights that are 0.9 times as long each time */
    for (double t = 2 * BACK * ground; ground + t <= 5; t *= BACK) ground += t;
    double error = fmax(fabs(last / ground - 1), fabs(v[0] / 0.3356282166822824 - 1));
    printf("relative error %.2e with rtol %.0e, %zu steps\n", error, RTOL, steps);
    return error > 100 * RTOL;
}
