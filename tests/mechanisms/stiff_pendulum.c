#include "mechanisms/stiff_pendulum.h"

#include <stdio.h>
#include <string.h>

static const double G = 9.8;

/* --- in two sets of coordinates --- */

static int of_angle(double t, const double *q, const double *v, double *f, void *user)
{
    (void)v;
    f[0] = *(const double *)user * sin(0.1 * t) - G * sin(q[0]);
    return 0;
}

static int of_angle_q(double t, const double *q, const double *v, double *dq, void *user)
{
    (void)t, (void)v, (void)user;
    dq[0] = -G * cos(q[0]);
    return 0;
}

static int torque(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v;
    f[0] = 0;
    f[1] = -G;
    f[2] = *(const double *)user * sin(0.1 * t);
    return 0;
}

void pendulum_begin(run *r, double *size, way by)
{
    static const double one[1] = {1}, zero[1] = {0};
    double q[3], v[3];
    dae_mechanical_form form = zoo_pendulum_torque.form;
    form.force = torque;
    if (!by.formulation)
        form = (dae_mechanical_form){
            .nq = 1, .constant_mass = one, .force = of_angle, .force_q = of_angle_q};
    form.about.user = size;
    zoo_pendulum_torque.start(q, v);
    bool alone = !by.formulation;
    if (alone) by.formulation = "auto";
    run_begin(r, &form, alone ? zero : q, alone ? zero : v, by);
}

double pendulum_angle(const run *r)
{
    return r->y[r->nq - 1];
}

void pendulum_reaction(const run *r, double force[2])
{
    double s = sin(r->y[0]), c = cos(r->y[0]), rate = r->y[1], a = r->yp[1];
    bool alone = r->nq == 1;
    force[0] = alone ? c * a - s * rate * rate : r->y[6];
    force[1] = alone ? G + s * a + c * rate * rate : r->y[7];
}

/* --- limits of the step --- */

typedef struct trial {
    way by;
    double most, off; /* the largest angle over 1000 s by independent programs, to their digits;
                         HUGE_VAL: beyond 1000; 0: not known */
} trial;

static double swing(way by, figure *f)
{
    run r;
    double size = 0.1, most = 0;
    char title[40];
    snprintf(title, sizeof title, "h = %g s", by.h);
    figure_panel(f, title, "time [s]", "angle [rad]", "unset key\n");
    figure_curve(f, "");
    pendulum_begin(&r, &size, by);
    while (run_step(&r, 1000)) {
        double angle = pendulum_angle(&r);
        most = fmax(most, fabs(angle));
        if (r.t <= 200) figure_point(f, r.t, angle);
    }
    printf("  %-20s %-8s %-7g %10.5g  to %6.1f s", by.method,
           by.formulation ? by.formulation : "angle", by.h, most, r.t);
    double limit = dae_solver_stats(r.solver)->stable_step;
    if (limit > 0) printf("  stable to %.5f s", limit);
    putchar('\n');
    run_finish(&r);
    return r.status == DAE_OK ? most : HUGE_VAL;
}

/* By the equation without constraints, eq. (11); `limit` is HUGE_VAL where there is none. Beyond it
 * the motion is bounded, as the frequency falls with the angle. */
static void judge(study *s, double h, double limit, double most)
{
    if (h <= 0.997 * limit) study_fact(s, most < 0.02, "%g s is stable, as predicted", h);
    if (h >= 1.002 * limit) study_fact(s, most > 0.05, "%g s is not, as predicted", h);
}

static void swings(study *s, const char *name, double limit, const trial *of, size_t count)
{
    figure *f = figure_begin(s, name, (int)(count + 1) / 2, 2);
    for (size_t k = 0; k < count; k++) {
        double most = swing(of[k].by, f);
        judge(s, of[k].by.h, limit, most);
        if (isinf(of[k].most))
            study_fact(s, !(most < 1e3), "the angle grows beyond all bounds");
        else if (of[k].most > 0)
            study_near(s, most, of[k].most, of[k].off, "the largest angle");
    }
    figure_end(f);
}

#define COUNT(of) (sizeof(of) / sizeof *(of))

static void in_the_angle(study *s)
{
    /* at 0.65 s errors of rounding grow to 0.002 */
    static const trial central[] = {{{"central-difference", NULL, 0.01}, 0.01054, 5e-6},
                                    {{"central-difference", NULL, 0.1}, 0, 0},
                                    {{"central-difference", NULL, 0.6}, 0.01116, 5e-6},
                                    {{"central-difference", NULL, 0.638}, 0.0164, 5e-5},
                                    {{"central-difference", NULL, 0.64}, 0.216, 5e-4},
                                    {{"central-difference", NULL, 0.65}, 0.658, 3e-3},
                                    {{"central-difference", NULL, 0.7}, HUGE_VAL, 0}};
    static const trial fox[] = {
        {{"fox-goodwin", NULL, 0.01}, 0, 0},          {{"fox-goodwin", NULL, 0.1}, 0, 0},
        {{"fox-goodwin", NULL, 0.6}, 0.01072, 5e-6},  {{"fox-goodwin", NULL, 0.7}, 0, 0},
        {{"fox-goodwin", NULL, 0.78}, 0.01432, 5e-6}, {{"fox-goodwin", NULL, 0.7824}, 0.0321, 5e-5},
        {{"fox-goodwin", NULL, 0.783}, 0.137, 5e-4},  {{"fox-goodwin", NULL, 0.79}, 0.493, 5e-4}};
    static const trial trapezoid[] = {{{"newmark", NULL, 0.1}, 0.01054, 5e-6},
                                      {{"newmark", NULL, 0.7}, 0, 0},
                                      {{"newmark", NULL, 0.79}, 0.01054, 5e-6},
                                      {{"newmark", NULL, 6}, 0.01049, 5e-6}};
    printf("The stiff pendulum in its angle: the largest angle of 1000 s\n");
    swings(s, "stiff-pendulum-angle-central", 2 / sqrt(G), central, COUNT(central));
    swings(s, "stiff-pendulum-angle-fox-goodwin", sqrt(6 / G), fox, COUNT(fox));
    swings(s, "stiff-pendulum-angle-trapezoid", HUGE_VAL, trapezoid, COUNT(trapezoid));
}

static void in_the_tangent(study *s)
{
    static const trial central[] = {{{"central-difference", "tangent", 0.6369}, 0, 0},
                                    {{"central-difference", "tangent", 0.6402}, 0, 0},
                                    {{"central-difference", "tangent", 0.7}, 0, 0}};
    static const trial fox[] = {{{"fox-goodwin", "tangent", 0.1}, 0.0105, 5e-5},
                                {{"fox-goodwin", "tangent", 0.6}, 0, 0},
                                {{"fox-goodwin", "tangent", 0.78}, 0.0143, 5e-5},
                                {{"fox-goodwin", "tangent", 0.7824}, 0.0305, 5e-5},
                                {{"fox-goodwin", "tangent", 0.783}, 0.0958, 5e-5},
                                {{"fox-goodwin", "tangent", 0.79}, 0.290, 5e-4}};
    static const trial trapezoid[] = {{{"newmark", "tangent", 0.1}, 0.0105, 5e-5},
                                      {{"newmark", "tangent", 0.7}, 0, 0},
                                      {{"newmark", "tangent", 0.79}, 0, 0},
                                      {{"newmark", "tangent", 6}, 0.0105, 5e-5}};
    printf("The stiff pendulum in (x, y, angle), in the tangent: the same\n");
    swings(s, "stiff-pendulum-tangent-central", 2 / sqrt(G), central, COUNT(central));
    swings(s, "stiff-pendulum-tangent-fox-goodwin", sqrt(6 / G), fox, COUNT(fox));
    swings(s, "stiff-pendulum-tangent-trapezoid", HUGE_VAL, trapezoid, COUNT(trapezoid));
}

/* --- constraints on positions --- */

/* rho^2 + 10 rho + 1 = 0 of multipliers with beta = 1/12, gamma = 1/2. */
static const double factor = -9.898979485566356;

/* Fox-Goodwin until it fails: lambda takes over whatever the step. */
static void grow(study *s, double h, figure *f)
{
    run r;
    double size = 0.1, before = 0, ratio = 0, most = 0, force[2];
    char title[40];
    snprintf(title, sizeof title, "h = %g s", h);
    figure_curve(f, title);
    pendulum_begin(&r, &size, (way){"fox-goodwin", "index3", h});
    for (int k = 1; run_step(&r, 1000); k++) {
        pendulum_reaction(&r, force);
        double off = force[1] - G;
        if (fabs(off) < 10) ratio = off / before; /* later on the pendulum is thrown about */
        before = off;
        most = fmax(most, fabs(off));
        if (off != 0) figure_point(f, k, fabs(off));
    }
    printf("  fox-goodwin  index3  %-6g lambda_y - g up to %-9.3g fails at %.2f s\n", h, most, r.t);
    study_fact(s, r.status == DAE_NEWTON && r.t < 40 * h, "it fails within 40 steps, h = %g s", h);
    study_near(s, ratio, factor, 0.01, "the factor of lambda in a step,");
    run_finish(&r);
}

static void classical(study *s)
{
    static const double steps[] = {0.01, 0.1, 0.6, 0.78, 0.79};
    static const trial trapezoid[] = {{{"newmark", "index3", 0.1}, 0.01054, 5e-6},
                                      {{"newmark", "index3", 0.7}, 0, 0},
                                      {{"newmark", "index3", 0.79}, 0.01054, 5e-6},
                                      {{"newmark", "index3", 6}, 0.01049, 5e-6}};
    printf("The stiff pendulum with constraints on positions, Newmark's classical way\n");
    swings(s, "stiff-pendulum-classical-trapezoid", HUGE_VAL, trapezoid, COUNT(trapezoid));
    figure *f = figure_begin(s, "stiff-pendulum-classical-fox-goodwin", 1, 1);
    figure_panel(f, "Fox-Goodwin fails with every step", "step", "|lambda_y - g| [N]",
                 "set logscale y\nset key bottom right");
    for (size_t k = 0; k < COUNT(steps); k++) grow(s, steps[k], f);
    figure_end(f);
}

void study_stiff_pendulum(study *s)
{
    in_the_angle(s);
    in_the_tangent(s);
    classical(s);
}
