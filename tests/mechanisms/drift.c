/* The pendulum that drifts (notes on the dynamics of constrained systems, examples 12 to 14): mass
 * 2, length 2.5, from rest at (0.86, 2.35), which is off the circle by 0.0121, for 50 s. As
 * printed, the author's own equations run from there; made consistent, from the nearest point. */
#include "mechanisms/study.h"

#include <stdio.h>

enum { Y = 5, LAMBDA = 4 };

static const double G = 9.81, MASS = 2, LENGTH = 2.5, END = 50, XI = 0.8, OMEGA = 2;
static const double OFF = 0.86 * 0.86 + 2.35 * 2.35 - 2.5 * 2.5;

static double off_circle(const double *q)
{
    return q[0] * q[0] + q[1] * q[1] - LENGTH * LENGTH;
}

/* --- as printed: (4.15), and (4.23) where Baumgarte's terms are wanted (`user`) --- */

static int motion(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = x[2];
    f[1] = x[3];
    f[2] = 2 * x[0] * z[0] / MASS;
    f[3] = 2 * x[1] * z[0] / MASS - G;
    return 0;
}

static int rod(double t, const double *x, const double *z, double *g, void *user)
{
    double f[4], square = x[2] * x[2] + x[3] * x[3];
    motion(t, x, z, f, user);
    g[0] = 2 * (x[0] * f[2] + x[1] * f[3]) + 2 * square;
    if (user) g[0] += 4 * OMEGA * XI * (x[0] * x[2] + x[1] * x[3]) + OMEGA * OMEGA * off_circle(x);
    return 0;
}

static dae_problem *as_printed(bool stabilised)
{
    static int yes;
    dae_semi_explicit_form form = {.nx = 4, .nz = 1, .f = motion, .g = rod};
    form.about.user = stabilised ? &yes : NULL;
    return dae_problem_semi_explicit(&form);
}

/* Where Baumgarte's equation brings phi from the start, at rest (4.18). */
static double decaying(double t)
{
    double damping = XI * OMEGA, rate = OMEGA * sqrt(1 - XI * XI);
    return OFF * exp(-damping * t) * (cos(rate * t) + damping / rate * sin(rate * t));
}

/* --- as a mechanical system --- */

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = -MASS * G;
    return 0;
}

static int circle(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = off_circle(q);
    return 0;
}

static int circle_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

static dae_problem *consistent(void)
{
    static const double mass[] = {2, 0, 0, 2};
    dae_mechanical_form form = {.nq = 2,
                                .holonomic = 1,
                                .constant_mass = mass,
                                .force = weight,
                                .constraint = circle,
                                .constraint_q = circle_q};
    return dae_problem_mechanical(&form);
}

/* --- runs --- */

typedef struct outcome {
    bool whole;
    double start[Y];
    double first, last, most; /* |phi| at most, in the first and the last ten seconds, in all */
    double from_start, from_decaying; /* phi off that of the start, and off decaying(), at most */
} outcome;

static void note(outcome *o, double t, const double *y, figure *phi, figure *x)
{
    double off = off_circle(y), size = fabs(off);
    if (t <= 10) o->first = fmax(o->first, size);
    if (t >= END - 10) o->last = fmax(o->last, size);
    o->most = fmax(o->most, size);
    o->from_start = fmax(o->from_start, fabs(off - off_circle(o->start)));
    o->from_decaying = fmax(o->from_decaying, fabs(off - decaying(t)));
    figure_point(phi, t, fmax(size, 1e-17));
    figure_point(x, t, y[0]);
}

typedef struct swing {
    const char *title, *formulation, *projection;
} swing;

/* `p` is taken. */
static outcome run_swing(dae_problem *p, const swing *by, double tol, figure *phi, figure *x)
{
    const double start[Y] = {0.86, 2.35, 0, 0, (double)NAN};
    dae_options options = dae_options_default();
    double y[Y];
    outcome o = {0};
    options.method = "rodasp";
    options.formulation = by->formulation;
    options.projection = by->projection;
    options.rtol = options.atol = tol;
    dae_solver *s = dae_solver_create(p, &options);
    figure_curve(phi, by->title);
    figure_curve(x, by->title);
    dae_status status = dae_solver_start(s, 0, start);
    if (status == DAE_OK) status = dae_solver_at(s, 0, o.start, NULL);
    while (status == DAE_OK && dae_solver_time(s) < END) {
        status = dae_solver_step(s, END);
        if (status == DAE_OK) status = dae_solver_at(s, dae_solver_time(s), y, NULL);
        if (status == DAE_OK) note(&o, dae_solver_time(s), y, phi, x);
    }
    o.whole = status == DAE_OK;
    printf("  %-10s tolerance %-6g from (%.6f, %.6f), lambda %.4f: |phi| to 10 s %9.2e, from 40 s "
           "%9.2e\n",
           by->title, tol, o.start[0], o.start[1], o.start[LAMBDA], o.first, o.last);
    if (status != DAE_OK) printf("%s\n", dae_solver_message(s));
    dae_solver_free(s);
    dae_problem_free(p);
    return o;
}

static void panel(figure *phi, figure *x, const char *title)
{
    figure_panel(phi, title, "time [s]", "|x^2 + y^2 - 6.25| [m^2]",
                 "set logscale y\nset format y '%.0e'\nset key outside bottom center horizontal");
    figure_panel(x, title, "time [s]", "x [m]", "set key outside bottom center horizontal");
}

static const double LOOSE = 1e-3, TIGHT = 1e-8;

static void printed(study *s, figure *phi, figure *x)
{
    static const swing plain = {"index 1", "auto", "none"};
    static const swing with = {"Baumgarte", "auto", "none"};
    printf(" as printed\n");
    panel(phi, x, "as printed");
    run_swing(as_printed(false), &plain, LOOSE, phi, x);
    run_swing(as_printed(true), &with, LOOSE, phi, x);
    outcome o = run_swing(as_printed(false), &plain, TIGHT, NULL, NULL);
    study_near(s, o.start[LAMBDA], 3.6814, 5e-5, "lambda of q'q at the start");
    study_fact(s, o.whole && o.from_start < 1e-5, "index 1 keeps phi = %.4f from the start to %.1e",
               OFF, o.from_start);
    o = run_swing(as_printed(true), &with, TIGHT, NULL, NULL);
    study_fact(s, o.whole && o.from_decaying < 1e-6,
               "Baumgarte's phi decays as its equation says, to %.1e", o.from_decaying);
}

static void made_consistent(study *s, figure *phi, figure *x)
{
    static const swing by[] = {{"index 1", "index1", "none"},
                               {"Baumgarte", "baumgarte:xi=0.8,omega=2", "none"},
                               {"projection", "index1", "coordinate"}};
    double scale = LENGTH / hypot(0.86, 2.35);
    outcome o[3], tight[3];
    printf(" made consistent\n");
    panel(phi, x, "made consistent");
    for (int k = 0; k < 3; k++) o[k] = run_swing(consistent(), &by[k], LOOSE, phi, x);
    for (int k = 0; k < 3; k++) tight[k] = run_swing(consistent(), &by[k], 1e-6, NULL, NULL);
    double moved = hypot(o[0].start[0] - 0.86 * scale, o[0].start[1] - 2.35 * scale);
    study_fact(s, moved < 1e-12, "the start is the nearest point of the circle, to %.1e", moved);
    study_near(s, o[0].start[LAMBDA], MASS * G * 2.35 * scale / (2 * 6.25), 1e-12, "lambda there");
    study_fact(s, o[0].whole && o[0].last > 2 * o[0].first && tight[0].last > 2 * tight[0].first,
               "index 1 drifts: phi grows");
    study_fact(s, o[1].whole && o[1].last < o[0].last / 10 && tight[1].last < tight[0].last / 10,
               "with Baumgarte's terms it does not");
    study_fact(s, o[2].whole && fmax(o[2].most, tight[2].most) < 1e-13,
               "projection keeps phi at rounding: %.1e", fmax(o[2].most, tight[2].most));
}

void study_drift(study *s)
{
    figure *phi = figure_begin(s, "drift", 1, 2);
    figure *x = figure_begin(s, "drift-motion", 1, 2);
    printf("\nThe pendulum that drifts, 50 s\n");
    study_near(s, OFF, 0.0121, 1e-9, "phi of the printed start");
    study_near(s, MASS * G * 2.35 / (2 * LENGTH * LENGTH), 3.69, 0.005, "the printed lambda");
    printed(s, phi, x);
    made_consistent(s, phi, x);
    figure_end(phi);
    figure_end(x);
}
