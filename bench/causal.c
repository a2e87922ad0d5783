/* A causal model in text beside its author's hand-written code: the same equations, all explicit,
 * whose explicit variables are variables of the text, and local numbers in C, where f and its
 * Jacobian are written by hand. Same method, tolerance and span, by turns in one process.
 *
 *   causal [ROUNDS]
 *   causal SYSTEM METHOD text|code PART
 *
 * From the top folder; prints for each system and method time(text)/time(C) of runs without set-up,
 * the median over rounds and the ratio of the least times; then the steps of both. The second form
 * makes one run to that part of its end. */
#include <daedal/daedal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 99 };

/* --- a drive: a motor with controllers of speed and current, a shaft that twists, heat --- */

enum { I, W, V, TWIST, SW, SI, T, DRIVE_SIZE };

static int drive(double t, const double *y, double *f, void *user)
{
    (void)user;
    double wish = 100 * (1 + 0.5 * sin(2 * t)), ew = wish - y[W], i_wish = 2 * ew + 8 * y[SW];
    double ei = i_wish - y[I], u = 0.8 * ei + 20 * y[SI], R = 0.5 * (1 + 0.004 * (y[T] - 293));
    double drop = R * y[I], slip = y[W] - y[V], loss_s = 0.05 * slip;
    double tau_s = 400 * y[TWIST] + loss_s, load = 1e-4 * y[V] * y[V] + 0.5 * tanh(y[V]);
    f[I] = (u - drop - 0.3 * y[W]) / 0.01;
    f[W] = (0.3 * y[I] - tau_s) / 0.02;
    f[V] = (tau_s - load) / 0.05;
    f[TWIST] = slip;
    f[SW] = ew;
    f[SI] = ei;
    f[T] = (drop * y[I] + loss_s * slip - 0.8 * (y[T] - 293)) / 50;
    return 0;
}

static int drive_y(double t, const double *y, double *j, void *user)
{
    (void)t, (void)user;
    enum { N = DRIVE_SIZE };
    double R = 0.5 * (1 + 0.004 * (y[T] - 293)), slip = y[W] - y[V], h = tanh(y[V]);
#define J(row, column) j[(row) + (column)*N]
    J(I, I) = (-0.8 - R) / 0.01, J(I, W) = (-1.6 - 0.3) / 0.01, J(I, SW) = 6.4 / 0.01;
    J(I, SI) = 20 / 0.01, J(I, T) = -0.002 * y[I] / 0.01;
    J(W, I) = 0.3 / 0.02, J(W, W) = -0.05 / 0.02, J(W, V) = 0.05 / 0.02, J(W, TWIST) = -400 / 0.02;
    J(V, W) = 0.05 / 0.05, J(V, V) = (-0.05 - 2e-4 * y[V] - 0.5 * (1 - h * h)) / 0.05;
    J(V, TWIST) = 400 / 0.05;
    J(TWIST, W) = 1, J(TWIST, V) = -1, J(SW, W) = -1, J(SI, I) = -1, J(SI, W) = -2, J(SI, SW) = 8;
    J(T, I) = 2 * R * y[I] / 50, J(T, W) = 0.1 * slip / 50, J(T, V) = -0.1 * slip / 50;
    J(T, T) = (0.002 * y[I] * y[I] - 0.8) / 50;
#undef J
    return 0;
}

/* --- reactions: HIRES (E. Schaefer, J. Math. Biol. 2 (1975) 41-56), by its rates --- */

static int reactions(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    double k = 280 * y[5] * y[7], m = 1.81 * y[6];
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    f[5] = -k + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = k - m;
    f[7] = -k + m;
    return 0;
}

static int reactions_y(double t, const double *y, double *j, void *user)
{
    (void)t, (void)user;
#define J(row, column) j[(row) + (column)*8]
    J(0, 0) = -1.71, J(0, 1) = 0.43, J(0, 2) = 8.32, J(1, 0) = 1.71, J(1, 1) = -8.75;
    J(2, 2) = -10.03, J(2, 3) = 0.43, J(2, 4) = 0.035, J(3, 1) = 8.32, J(3, 2) = 1.71;
    J(3, 3) = -1.12, J(4, 4) = -1.745, J(4, 5) = J(4, 6) = 0.43;
    J(5, 3) = 0.69, J(5, 4) = 1.71, J(5, 5) = -280 * y[7] - 0.43, J(5, 6) = 0.69;
    J(5, 7) = -280 * y[5], J(6, 5) = 280 * y[7], J(6, 6) = -1.81, J(6, 7) = 280 * y[5];
    J(7, 5) = -280 * y[7], J(7, 6) = 1.81, J(7, 7) = -280 * y[5];
#undef J
    return 0;
}

/* --- a chain of masses between springs that harden --- */

enum { MASSES = 60 };

static double force(double s)
{
    return 50 * s + 20 * s * s * s;
}

static int chain(double t, const double *y, double *f, void *user)
{
    (void)user;
    double left = force(y[0] - 0.3 * sin(3 * t));
    for (int i = 0; i < MASSES; i++) {
        double right = force((i + 1 < MASSES ? y[i + 1] : 0) - y[i]);
        f[i] = y[MASSES + i];
        f[MASSES + i] = right - left - 0.4 * y[MASSES + i];
        left = right;
    }
    return 0;
}

/* With the pattern below: of each velocity's column its own row of x and of v, of x's three of v.
 */
static int chain_y(double t, const double *y, double *j, void *user)
{
    (void)user;
    double left = y[0] - 0.3 * sin(3 * t), kl = 50 + 60 * left * left;
    double k[MASSES + 1] = {kl};
    for (int i = 0; i < MASSES; i++) {
        double s = (i + 1 < MASSES ? y[i + 1] : 0) - y[i];
        k[i + 1] = 50 + 60 * s * s;
    }
    for (int i = 0; i < MASSES; i++) {
        if (i > 0) *j++ = k[i];
        *j++ = -k[i] - k[i + 1];
        if (i + 1 < MASSES) *j++ = k[i + 1];
    }
    for (int i = 0; i < MASSES; i++) *j++ = 1, *j++ = -0.4;
    return 0;
}

/* --- species that all feed on each other (Lotka and Volterra), with seasons --- */

enum { SPECIES = 12 };

static double meeting(int i, int j)
{
    return sin(3 * (i + 1) + 7 * (j + 1)) + (i == j ? 2 : 0);
}

static double meetings[SPECIES][SPECIES], own[SPECIES];

static void growths(double t, const double *y, double *growth)
{
    double season = 0.3 * sin(t);
    for (int i = 0; i < SPECIES; i++) {
        double loss = 0;
        for (int j = 0; j < SPECIES; j++) loss += meetings[i][j] * y[j];
        growth[i] = own[i] + season - loss;
    }
}

static int species(double t, const double *y, double *f, void *user)
{
    (void)user;
    growths(t, y, f);
    for (int i = 0; i < SPECIES; i++) f[i] *= y[i];
    return 0;
}

static int species_y(double t, const double *y, double *j, void *user)
{
    (void)user;
    double growth[SPECIES];
    growths(t, y, growth);
    for (int k = 0; k < SPECIES; k++)
        for (int i = 0; i < SPECIES; i++)
            j[i + k * SPECIES] = (i == k ? growth[i] : 0) - y[i] * meetings[i][k];
    return 0;
}

static void find_meetings(void)
{
    for (int i = 0; i < SPECIES; i++) {
        own[i] = 1 + 0.2 * sin(i + 1);
        for (int j = 0; j < SPECIES; j++) meetings[i][j] = meeting(i, j);
    }
}

/* --- both by turns --- */

typedef struct causal {
    const char *name, *path;
    size_t n;
    int (*f)(double, const double *, double *, void *);
    int (*f_y)(double, const double *, double *, void *);
    double start[2 * MASSES], end;
} causal;

static causal systems[] = {
    {"Drive", "bench/models/Drive.mo", DRIVE_SIZE, drive, drive_y, {[T] = 293}, 20},
    {"Reactions",
     "bench/models/Reactions.mo",
     8,
     reactions,
     reactions_y,
     {1, [7] = 0.0057},
     321.8122},
    {"Chain", "bench/models/Chain.mo", 2 * MASSES, chain, chain_y, {0}, 10},
    {"Species",
     "bench/models/Species.mo",
     SPECIES,
     species,
     species_y,
     {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3},
     200},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static dae_problem *written(const causal *c)
{
    static size_t start[2 * MASSES + 1], row[5 * MASSES];
    dae_mass_form form = {.n = c->n, .f = c->f, .f_y = c->f_y, .about = {.name = c->name}};
    if (c->f == chain) {
        size_t k = 0;
        for (size_t j = 0; j < MASSES; j++) {
            for (size_t i = j == 0 ? 0 : j - 1; i <= j + 1 && i < MASSES; i++)
                row[k++] = MASSES + i;
            start[j + 1] = k;
        }
        for (size_t j = 0; j < MASSES; j++) {
            row[k++] = j, row[k++] = MASSES + j;
            start[MASSES + j + 1] = k;
        }
        form.f_pattern = (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = row};
    }
    return dae_problem_mass(&form);
}

/* Milliseconds of a run from its start on; the state that it ends with, by the order of C. */
static double run(dae_problem *p, const causal *c, const dae_options *o, bool text, double *y,
                  size_t *steps)
{
    dae_solver *s = dae_solver_create(p, o);
    dae_solver_start(s, 0, text ? NULL : c->start);
    double begun = now();
    dae_status status = dae_solver_run(s, c->end);
    double spent = now() - begun;
    if (status != DAE_OK) {
        fprintf(stderr, "%s with %s: %s\n", c->name, o->method, dae_solver_message(s));
        exit(1);
    }
    dae_solver_at(s, c->end, y, NULL);
    *steps = dae_solver_stats(s)->steps;
    dae_solver_free(s);
    return spent;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void compare(const causal *c, const char *method, int rounds)
{
    double ratio[MOST_ROUNDS], text[1000], code[2 * MASSES], least[2] = {1e300, 1e300};
    size_t steps[2];
    dae_options o = dae_options_default();
    o.method = method;
    o.rtol = o.atol = 1e-6;
    dae_problem *p[2] = {dae_problem_read(c->path), written(c)};
    for (int k = 0; k < rounds; k++) {
        double a = run(p[0], c, &o, true, text, &steps[0]);
        double b = run(p[1], c, &o, false, code, &steps[1]);
        ratio[k] = a / b;
        least[0] = fmin(least[0], a), least[1] = fmin(least[1], b);
    }
    qsort(ratio, (size_t)rounds, sizeof *ratio, ascending);
    printf("%-10s %-12s %6.2f %6.2f   %6zu %6zu   %.3g ms\n", c->name, method, ratio[rounds / 2],
           least[0] / least[1], steps[0], steps[1], least[1]);
    for (int k = 0; k < 2; k++) dae_problem_free(p[k]);
}

/* One run, to a part of its end: for bench/causal.py, which counts its instructions. */
static int run_once(char **argument)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        causal c = systems[i];
        if (strcmp(c.name, argument[1]) != 0) continue;
        double state[1000];
        size_t steps;
        bool text = strcmp(argument[3], "text") == 0;
        dae_options o = dae_options_default();
        o.method = argument[2];
        o.rtol = o.atol = 1e-6;
        c.end *= atof(argument[4]);
        dae_problem *p = text ? dae_problem_read(c.path) : written(&c);
        run(p, &c, &o, text, state, &steps);
        dae_problem_free(p);
        printf("%zu\n", steps);
        return 0;
    }
    return 2;
}

int main(int count, char **argument)
{
    static const char *const methods[] = {"auto",       "dopri5", "dop853",
                                          "radau-iia3", "bdf",    "rodas5p"};
    find_meetings();
    if (count == 5) return run_once(argument);
    int rounds = count > 1 ? atoi(argument[1]) : 9;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    printf("system     method       median least   steps  in C      least in C\n");
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            compare(&systems[i], methods[k], rounds);
    return 0;
}
