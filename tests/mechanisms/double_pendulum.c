/* The stiff double pendulum in the variant whose parameters are known (zoo_double_pendulum; those
 * of the tangent-space paper, Sec. 6, are not printed). Its fast mode has a damping rate of 2.8e5
 * 1/s and begins out of balance, so that lambda begins with 7e5 N and is 60 N a millisecond later.
 */
#include "mechanisms/study.h"

#include <stdio.h>

enum { ROWS = 4, Q = 6, FORCE_X = 2 * Q, FORCE_Y = FORCE_X + 1 };

static const double WEIGHT = 3.3 * 9.81;

/* Half the lengths of the bars: from a pin to the centre. */
static const double HALF_1 = 0.5, HALF_2 = 0.75;

/* How the second derivative of the pins differs from G v'. */
static int pins_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    double first = HALF_1 * v[2] * v[2], second = HALF_2 * v[5] * v[5];
    (void)t, (void)user;
    gamma[0] = first * cos(q[2]);
    gamma[1] = first * sin(q[2]);
    gamma[2] = second * cos(q[5]) + gamma[0];
    gamma[3] = second * sin(q[5]) + gamma[1];
    return 0;
}

/* --- Newmark's parameters --- */

/* The largest factor of lambda in a step with constraints on positions: the roots of
 * beta r^2 + (1/2 + alpha - 2 beta) r + 1/2 - alpha + beta. */
static double factor_of(double alpha, double beta)
{
    double half = (0.5 + alpha - 2 * beta) / (2 * beta), product = (0.5 - alpha + beta) / beta;
    double inside = half * half - product;
    return inside > 0 ? half + sqrt(inside) : sqrt(product);
}

typedef struct outcome {
    double end, early,
        late;     /* |R_y - weight| at most: from 1 s to 1.5 s, in the last half second */
    double angle; /* off the reference at 2 s */
    double at[3]; /* R_y - weight at 0.2, 0.4, 0.6 s */
    int turns;    /* changes of its sign between 0.2 s and 0.6 s */
} outcome;

static outcome newmark(double alpha, double beta, const char *formulation, double end, figure *f)
{
    run r;
    char name[64], title[100];
    outcome o = {0};
    const double *last = zoo_double_pendulum.reference +
                         (zoo_double_pendulum.references - 1) * (1 + 2 * Q + ROWS);
    snprintf(name, sizeof name, "newmark:alpha=%.9g,beta=%.9g", alpha, beta);
    snprintf(title, sizeof title, "alpha = %.9g, beta = %.9g, %s", alpha, beta, formulation);
    figure_panel(f, title, "time [s]", "R_y [N]", "unset key");
    figure_curve(f, "");
    run_row(&r, &zoo_double_pendulum, (way){name, formulation, 1e-3});
    double before = 0;
    for (int k = 1; run_step(&r, end); k++) {
        double now = r.y[FORCE_Y] - WEIGHT, off = fabs(now);
        if (k % 200 == 0 && k <= 600) o.at[k / 200 - 1] = now;
        if (k > 200 && k <= 600) o.turns += now * before < 0;
        before = now;
        if (r.t > 1 && r.t < 1.5) o.early = fmax(o.early, off);
        if (r.t > end - 0.5) o.late = fmax(o.late, off);
        if (k == 2000) o.angle = fmax(fabs(r.y[2] - last[3]), fabs(r.y[5] - last[6]));
        if (r.t <= 2) figure_point(f, r.t, r.y[FORCE_Y]);
    }
    o.end = r.t;
    printf("  %-42s %-8s %8.1e %9.2e %9.2e  to %.3f s\n", name, formulation, o.angle, o.early,
           o.late, o.end);
    run_finish(&r);
    return o;
}

/* lambda, which begins large, decays by the largest factor in a step, if it does. */
static void parameters(study *s)
{
    static const double set[][2] = {
        {0.5, 0.25}, {0.5000005, 0.2500006}, {0.5001, 0.2507}, {0.75, 0.390625}};
    double end = s->brief ? 3 : 10;
    figure *f = figure_begin(s, "double-pendulum-newmark", 3, 2);
    outcome o[4];
    printf("\nThe stiff double pendulum, Newmark, h = 1e-3 s, to %g s: angles at 2 s off the "
           "reference;\n|R_y - weight| at most, from 1 s to 1.5 s and in the last half second\n",
           end);
    for (int k = 0; k < 4; k++) o[k] = newmark(set[k][0], set[k][1], "index3", end, f);
    outcome tangent = newmark(0.5, 0.25, "tangent", end, f);
    figure_end(f);
    double bend = o[0].at[2] - 2 * o[0].at[1] + o[0].at[0];
    study_fact(s, o[0].end < 2, "(0.5, 0.25) fails");
    study_fact(s, o[0].turns == 400 && fabs(bend) < 0.02 * fabs(o[0].at[2]),
               "the reaction alternates and grows linearly, by %.3g N a step",
               fabs(o[0].at[2] - o[0].at[1]) / 200);
    study_fact(s, o[1].end >= end && o[1].angle < 1e-4 && o[1].late > 1e5,
               "of (0.5000005, 0.2500006) the angles are right, and the reaction is lost");
    double decay = pow(factor_of(0.5001, 0.2507), (end - 1.5) / 1e-3);
    study_fact(s, o[2].end >= end && o[2].angle < 1e-4 && o[2].late < 2 * decay * o[2].early,
               "of (0.5001, 0.2507) the reaction decays by %.5f a step", factor_of(0.5001, 0.2507));
    study_fact(s, o[3].end >= end && o[3].angle < 1e-4 && o[3].late < 1e-3,
               "(0.75, 0.390625) solves it; its factor is %.2f", factor_of(0.75, 0.390625));
    study_fact(s, tangent.end >= end && tangent.angle < 1e-4 && tangent.late < 1e-3,
               "(0.5, 0.25) in the tangent solves it");
}

/* --- constraints in the tangent --- */

/* The three levels at a point: Euclidean norms, and the largest term of each sum. */
typedef struct levels {
    double norm[3], term[3];
} levels;

static void add_row(levels *l, int level, int terms, const double *term)
{
    double sum = 0;
    for (int i = 0; i < terms; i++) {
        sum += term[i];
        l->term[level] = fmax(l->term[level], fabs(term[i]));
    }
    l->norm[level] = hypot(l->norm[level], sum);
}

static levels levels_at(const run *r)
{
    const double *q = r->y, *v = q + Q, *a = r->yp + Q;
    double c[2] = {cos(q[2]), cos(q[5])}, s[2] = {sin(q[2]), sin(q[5])};
    double x[2] = {HALF_1 * c[0], HALF_2 * c[1]}, y[2] = {HALF_1 * s[0], HALF_2 * s[1]};
    levels l = {0};
    add_row(&l, 0, 2, (double[]){q[0], -x[0]});
    add_row(&l, 0, 2, (double[]){q[1], -y[0]});
    add_row(&l, 0, 4, (double[]){q[3], -x[1], -q[0], -x[0]});
    add_row(&l, 0, 4, (double[]){q[4], -y[1], -q[1], -y[0]});
    for (int level = 1; level <= 2; level++) {
        const double *of = level == 1 ? v : a;
        double turn[2] = {level == 2 ? v[2] * v[2] : 0, level == 2 ? v[5] * v[5] : 0};
        double dx[2] = {y[0] * of[2], y[1] * of[5]}, dy[2] = {-x[0] * of[2], -x[1] * of[5]};
        double bx[2] = {x[0] * turn[0], x[1] * turn[1]}, by[2] = {y[0] * turn[0], y[1] * turn[1]};
        add_row(&l, level, 3, (double[]){of[0], dx[0], bx[0]});
        add_row(&l, level, 3, (double[]){of[1], dy[0], by[0]});
        add_row(&l, level, 6, (double[]){of[3], dx[1], -of[0], dx[0], bx[1], bx[0]});
        add_row(&l, level, 6, (double[]){of[4], dy[1], -of[1], dy[0], by[1], by[0]});
    }
    return l;
}

typedef struct curves {
    double t, angle, force, frequency;
    levels l;
} curves;

enum { STEPS = 4000 };

static void draw_constraints(const study *s, const curves *at, int count)
{
    static const char *const title[] = {"constraints on positions", "on velocities",
                                        "on accelerations"};
    figure *f = figure_begin(s, "double-pendulum-tangent", 3, 2);
    figure_panel(f, "Fox-Goodwin in the tangent, h = 5e-4 s", "time [s]", "angle of bar 1 [rad]",
                 "unset key");
    figure_curve(f, "");
    for (int k = 0; k < count; k++) figure_point(f, at[k].t, at[k].angle);
    figure_panel(f, "largest natural frequency", "time [s]", "[rad/s]", "unset key");
    figure_curve(f, "");
    for (int k = 0; k < count; k++) figure_point(f, at[k].t, at[k].frequency);
    for (int level = 0; level < 3; level++) {
        figure_panel(f, title[level], "time [s]", "norm",
                     level ? "set logscale y\nset key top right" : "unset key");
        figure_curve(f, "norm");
        for (int k = 0; k < count; k++) figure_point(f, at[k].t, at[k].l.norm[level]);
        if (level) figure_curve(f, "1e-14 (1 + largest term)");
        for (int k = 0; level && k < count; k++)
            figure_point(f, at[k].t, 1e-14 * (1 + at[k].l.term[level]));
    }
    figure_panel(f, "reaction on the ground", "time [s]", "R_y [N]", "unset key");
    figure_curve(f, "");
    for (int k = 0; k < count; k++) figure_point(f, at[k].t, at[k].force);
    figure_end(f);
}

static void constraints(study *s)
{
    static curves at[STEPS];
    zoo_mechanical row = zoo_double_pendulum;
    double norm[3] = {0}, share[3] = {0}, term[3] = {0};
    int count = 0;
    run r;
    row.form.gamma = pins_gamma;
    run_row(&r, &row, (way){"fox-goodwin", "tangent", 5e-4});
    while (count < STEPS && run_step(&r, 2)) {
        levels l = levels_at(&r);
        for (int i = 0; i < 3; i++) {
            norm[i] = fmax(norm[i], l.norm[i]);
            term[i] = fmax(term[i], l.term[i]);
            share[i] = fmax(share[i], l.norm[i] / (1 + l.term[i]));
        }
        at[count++] = (curves){r.t, r.y[2], r.y[FORCE_Y], r.frequency, l};
    }
    printf("Fox-Goodwin in the tangent, h = 5e-4 s, to 2 s: constraints after each step\n");
    printf("  norms at most %.1e, %.1e, %.1e; over 1 + the largest term %.1e, %.1e, %.1e\n",
           norm[0], norm[1], norm[2], share[0], share[1], share[2]);
    printf("  (largest terms %.1e, %.1e, %.1e)\n", term[0], term[1], term[2]);
    printf(
        "  the angle of bar 1 at 0.1 s is %.3f rad, and should be 4.756: a mode that fast is kept "
        "stable, not followed\n",
        at[199].angle);
    study_fact(s, count == STEPS, "the steps come to the end");
    study_fact(s, norm[0] <= 3e-14, "positions: norms at most 3e-14");
    study_fact(s, share[1] <= 1e-14 && share[2] <= 1e-14,
               "velocities and accelerations: at most 1e-14 times 1 + the largest term");
    study_near(s, at[STEPS - 1].frequency, 1565, 1, "at rest the largest frequency");
    draw_constraints(s, at, count);
    run_finish(&r);
}

/* The limit of Fox-Goodwin's step, sqrt(6)/1565.18 = 1.56499e-3 s, from near rest, bar 2 turned by
 * 1e-3 rad: what alternates from step to step in its angle, late over early. (From the start of the
 * tables a step of 1.6e-3 s would throw the bars by 2 rad.) */
static double growth(double h)
{
    run r;
    double q[Q], v[Q], early = 0, late = 0, before[2], a = 1.5 * acos(-1.0), b = a + 1e-3;
    zoo_double_pendulum.start(q, v);
    q[2] = a;
    q[5] = before[0] = before[1] = b;
    q[3] = q[0] + HALF_1 * cos(a) + HALF_2 * cos(b);
    q[4] = q[1] + HALF_1 * sin(a) + HALF_2 * sin(b);
    run_begin(&r, &zoo_double_pendulum.form, q, v, (way){"fox-goodwin", "tangent", h});
    while (run_step(&r, 2 - h / 2)) { /* whole steps */
        double second = fabs(r.y[5] - 2 * before[1] + before[0]);
        if (r.t > 0.2 && r.t < 0.4) early = fmax(early, second);
        if (r.t > 1.6) late = fmax(late, second);
        before[0] = before[1];
        before[1] = r.y[5];
    }
    printf("  h = %g s: %.1e to %.1e\n", h, early, late);
    if (r.status != DAE_OK) late = HUGE_VAL;
    run_finish(&r);
    return late / early;
}

static void limit(study *s)
{
    printf("Fox-Goodwin in the tangent near rest: what alternates, early and late\n");
    study_fact(s, growth(1.56e-3) < 1, "1.56e-3 s is stable, as predicted");
    study_fact(s, growth(1.57e-3) > 1, "1.57e-3 s is not, as predicted");
}

void study_double_pendulum(study *s)
{
    parameters(s);
    constraints(s);
    limit(s);
}
