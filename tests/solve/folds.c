/* Drawn models whose solution ends at a time that is known, at a fold of the algebraic equations or
 * a pole of a variable: no method may change to another branch there. Beside them models that
 * come close to a fold and turn back, steep fronts, and what grows from rest: these arrive, and are
 * right. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto", "bdf", "mebdf", "radau", "radau-iia5", "rodas5p"};
static const char *const EXPLICIT[] = {"auto",    "bdf",     "mebdf",      "radau",  "radau-iia5",
                                       "rodas5p", "esdirk4", "radau-iia3", "gauss2", "gauss3",
                                       "dopri5",  "dop853",  "kvaerno5",   "hedop5", "rodas4"};
enum {
    METHODS_COUNT = sizeof METHODS / sizeof *METHODS,
    EXPLICIT_COUNT = sizeof EXPLICIT / sizeof *EXPLICIT,
    TEXT = 600
};

static const double RTOL[] = {1e-4, 1e-6, 1e-8};

/* What ends a solution: time turns along its curve, or it grows without bound. */
typedef enum ending { FOLDS, BLOWS_UP } ending;

/* A drawn model, and a time at which something of it is known. */
typedef struct drawn {
    char text[TEXT];
    double t;
    const char *name; /* a variable whose value at that time is known, or NULL: the solution ends */
    double value;
    ending ending; /* where the solution ends */
} drawn;

typedef void drawing(drawn *d, uint64_t *state);

/* y = z - z^3/3, der(y) = k z, from |z0| > 1 on: dy = (1 - z^2) dz gives the time to |z| = 1. */
static void slow_flow(drawn *d, uint64_t *state)
{
    double z = scatter_between(state, 1.3, 2.2),
           k = scatter(state) < 0 ? 1 : scatter_between(state, 0.3, 3);
    double side = scatter(state) < 0 ? -1 : 1;
    d->t = ((z * z - 1) / 2 - log(z)) / k;
    char flow[40] = "z";
    if (k != 1) snprintf(flow, sizeof flow, "%.17g*z", k);
    snprintf(d->text, TEXT,
             "model M Real y, z(start = %.17g); initial equation z = %.17g;\n"
             "equation der(y) = %s; y = z - z^3/3; end M;",
             side * z, side * z, flow);
}

/* A cubic driven by time to its fold, in other units, with what integrates it. */
static void driven_cubic(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, 0.3, 3), c = scatter_between(state, -2, 2);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real z(start = %.17g), u, w(start = 0, fixed = true);\n"
             "equation u = (z - (%.17g))/%.17g; u^3 - 3*u = -2*time/%.17g; der(w) = %s; end M;",
             c + a * sqrt(3.), c, a, d->t, scatter(state) < 0 ? "z" : "z - w");
}

static void square_root(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, 0.3, 3);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true), z(start = %.17g);\n"
             "equation der(y) = %s; z^2 = %.17g*(%.17g - time); end M;",
             sqrt(a * d->t), scatter(state) < 0 ? "z" : "-z - y", a, d->t);
}

/* The same as its author wrote it, without a name for the derivative. */
static void slope_root(drawn *d, uint64_t *state)
{
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true), x(start = 1, fixed = true);\n"
             "equation der(x) = -x*y; der(y)^2 = %.17g*(%.17g - time); end M;",
             scatter_between(state, 0.3, 3), d->t);
}

/* exp(z) = z + 1 + k (t - time), which touches at z = 0. */
static void exponential(drawn *d, uint64_t *state)
{
    double z = scatter_between(state, -2, -0.5);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real w(start = 1, fixed = true), z(start = %.17g);\n"
             "equation der(w) = %s; exp(z) = z + 1 + %.17g*(%.17g - time); end M;",
             z, scatter(state) < 0 ? "z" : "z - w", (exp(z) - z - 1) / d->t, d->t);
}

/* Of two algebraic variables a combination folds, where a state has come to 1. */
static void pair(drawn *d, uint64_t *state)
{
    double k = scatter_between(state, 0.5, 2), p = sqrt(3.), q = 0.1 * p;
    d->t = log(2) / k;
    snprintf(
        d->text, TEXT,
        "model M Real y(start = 0, fixed = true), x(start = 1, fixed = true);\n"
        "  Real z1(start = %.17g), z2(start = %.17g);\n"
        "equation der(y) = %.17g*(2 - y); der(x) = z1 - z2 - x;\n"
        "  (z1 + 2*z2)^3 - 3*(z1 + 2*z2) = -2*y; z1 - z2 = sin(time) + 0.1*(z1 + 2*z2); end M;",
        q + (p - q) / 3, (p - q) / 3, k);
}

static void pole(drawn *d, uint64_t *state)
{
    double speed = scatter_between(state, 0.3, 2), k = scatter_between(state, 0.2, 3);
    bool acts = scatter(state) < 0;
    d->ending = BLOWS_UP;
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real %s y(start = 0, fixed = true), z(start = %.17g);\n"
             "equation der(y) = %.17g; z*(y - %.17g) = %.17g; %s end M;",
             acts ? "w(start = 0, fixed = true)," : "", -k / (speed * d->t), speed, speed * d->t, k,
             acts ? "der(w) = z - w;" : "");
}

/* u >= 1 of u^3 - 3 u = -2 s, s < 1. */
static double upper_root(double s)
{
    double low = 1, high = 3;
    for (int i = 0; i < 100; i++) {
        double u = (low + high) / 2;
        if (u * u * u - 3 * u + 2 * s > 0)
            high = u;
        else
            low = u;
    }
    return low;
}

static void turns_back(drawn *d, uint64_t *state)
{
    double s = 1 - pow(10, scatter_between(state, -4, -1)), T = scatter_between(state, 0.5, 3);
    d->t = T * acos(-1) * scatter_between(state, 0.8, 2);
    d->name = "z";
    d->value = upper_root(s * sin(d->t / T));
    snprintf(d->text, TEXT,
             "model M Real z(start = 1.73), w(start = 0, fixed = true);\n"
             "equation z^3 - 3*z = -2*%.17g*sin(time/%.17g); der(w) = %s; end M;",
             s, T, scatter(state) < 0 ? "z" : "z - w");
}

/* z + z^3 = a tanh((time - t0)/width) */
static void front(drawn *d, uint64_t *state)
{
    double width = pow(10, scatter_between(state, -4, -1.5)), t0 = scatter_between(state, 0.3, 1.5);
    double a = scatter_between(state, 0.5, 3), right, z = 0.5;
    d->t = t0 * scatter_between(state, 1.2, 2);
    right = a * tanh((d->t - t0) / width);
    for (int i = 0; i < 100; i++) z -= (z + z * z * z - right) / (1 + 3 * z * z);
    d->name = "z";
    d->value = z;
    snprintf(d->text, TEXT,
             "model M Real z(start = %.17g), w(start = 0, fixed = true);\n"
             "equation z + z^3 = %.17g*tanh((time - %.17g)/%.17g); der(w) = %s; end M;",
             -z, a, t0, width, scatter(state) < 0 ? "z" : "z - w");
}

/* z + z^3 = time^power: from rest on. */
static void smooth_growth(drawn *d, uint64_t *state)
{
    int power = 2 + (int)scatter_below(state, 4);
    double z = 0.5;
    d->t = scatter_between(state, 0.5, 2);
    for (int i = 0; i < 100; i++) z -= (z + z * z * z - pow(d->t, power)) / (1 + 3 * z * z);
    d->name = "z";
    d->value = z;
    snprintf(d->text, TEXT,
             "model M Real z(start = 0), w(start = 0, fixed = true);\n"
             "equation z + z^3 = time^%d; der(w) = z; end M;",
             power);
}

/* Beside a derivative with a cubic, y stays: its derivative is 0 up to rounding, and any change of
 * that is a large part of it. */
static void constant(drawn *d, uint64_t *state)
{
    double f = scatter_between(state, 0.3, 3), right = scatter_between(state, -1, 1);
    d->t = scatter_between(state, 1, 4);
    d->name = "y";
    d->value = right / f;
    snprintf(d->text, TEXT,
             "model M Real x(start = -0.96, fixed = true), y, z;\n"
             "equation der(x) + 0.1*der(x)^3 + %.17g*x - z = -sin(2*time); %.17g*y = %.17g;\n"
             "der(y) - z - 0.13*x = -cos(2*time); end M;",
             scatter_between(state, 1, 3), f, right);
}

/* y^p der(y) = -a, with y^(p + 1) = (p + 1) a (t* - t): with an even p the tangent at t* is
 * vertical, and the solution goes on. */
static void ends_or_passes(drawn *d, double a, double power)
{
    if (fmod(power, 2) == 1) return;
    d->name = "y";
    d->value = -pow((power + 1) * a * 0.5 * d->t, 1 / (power + 1));
    d->t *= 1.5;
}

/* der(y) = -a/y^p */
static void explicit_fold(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, 0.2, 3), power = 1 + (double)scatter_below(state, 4);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = %.17g, fixed = true), w(start = 0, fixed = true);\n"
             "equation der(y) = -%.17g/y^%g; der(w) = y - w; end M;",
             pow((power + 1) * a * d->t, 1 / (power + 1)), a, power);
    ends_or_passes(d, a, power);
}

/* sin(y) der(y) = -a */
static void sine_fold(drawn *d, uint64_t *state)
{
    double y = scatter_between(state, 0.5, 2.5);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = %.17g, fixed = true); equation der(y) = -%.17g/sin(y); end M;",
             y, (1 - cos(y)) / d->t);
}

static void pole_in_time(drawn *d, uint64_t *state)
{
    d->ending = BLOWS_UP;
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = 0, fixed = true);\n"
             "equation der(y) = %.17g/(%.17g - time)^%d - y; end M;",
             scatter_between(state, 0.2, 3), d->t, 1 + (int)scatter_below(state, 3));
}

/* Of a variable that an equation gives. */
static void defined_pole(drawn *d, uint64_t *state)
{
    double speed = scatter_between(state, 0.3, 3);
    bool acts = scatter(state) < 0;
    d->ending = BLOWS_UP;
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real %s y(start = %.17g, fixed = true), z;\n"
             "equation der(y) = -%.17g; z = %s; %s end M;",
             acts ? "w(start = 0, fixed = true)," : "", speed * d->t, speed,
             scatter(state) < 0 ? "1/y^2" : "tan(1.5707963267948966 - y)/2",
             acts ? "der(w) = z - w;" : "");
}

/* (a y)/y and sin(y)/y where y passes 0: divisors become 0, and quotients have limits. */
static void quotient(drawn *d, uint64_t *state)
{
    double start = scatter_between(state, 0.3, 3), end = -scatter_between(state, 0.3, 3),
           k = scatter_between(state, 0.3, 2);
    d->t = scatter_between(state, 0.5, 2);
    d->name = "z";
    d->value = sin(k * end) / end;
    snprintf(d->text, TEXT,
             "model M Real y(start = %.17g, fixed = true), z, w(start = 0, fixed = true);\n"
             "equation der(y) = %.17g; z = sin(%.17g*y)/y; der(w) = %s; end M;",
             start, (end - start) / d->t, k, scatter(state) < 0 ? "z" : "(1 - cos(y))/y - w");
}

/* x = cos(t), y = sin(t) cos(t) as states, y/x = sin(t): both pass 0 at the same time, as
 * far as tolerances go. */
static void common_zero(drawn *d, uint64_t *state)
{
    double phase = scatter_between(state, 1.5, 3);
    d->t = scatter_between(state, 3.5, 5) - phase + 1.5;
    d->name = "z";
    d->value = sin(d->t + phase);
    snprintf(
        d->text, TEXT,
        "model M Real x(start = %.17g, fixed = true), y(start = %.17g, fixed = true), z;\n"
        "equation der(x) = -sin(time + %.17g); der(y) = cos(2*(time + %.17g)); z = y/x; end M;",
        cos(phase), sin(phase) * cos(phase), phase, phase);
}

/* u = 1, of a divisor that one variable and time make: at one time its zero is that variable's
 * alone, while both sides of the quotient pass 0 together. */
static void common_zero_in_time(drawn *d, uint64_t *state)
{
    double c = scatter_between(state, 0.3, 1.5);
    d->t = 2 * c;
    d->name = "u";
    d->value = 1;
    snprintf(d->text, TEXT,
             "model M Real y(start = %.17g, fixed = true), u; equation der(y) = -1;\n"
             "  u = (%.17g - 2*time)/(y - time); end M;",
             c, c);
}

/* The same, with y^p as the coefficient */
static void coefficient_fold(drawn *d, uint64_t *state)
{
    double a = scatter_between(state, 0.2, 3), power = 1 + (double)scatter_below(state, 4);
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real y(start = %.17g, fixed = true), w(start = 0, fixed = true);\n"
             "equation y^%g*der(y) = -%.17g; der(w) = y - w; end M;",
             pow((power + 1) * a * d->t, 1 / (power + 1)), power, a);
    ends_or_passes(d, a, power);
}

/* z y^p = k, where y passes 0: with an even power z keeps its sign. */
static void multiple_pole(drawn *d, uint64_t *state)
{
    static const char *const others[] = {"", "der(w) = z - w;", "der(w) = 100*(z*y - w);"};
    double speed = scatter_between(state, 0.3, 3), k = scatter_between(state, 0.3, 2);
    int power = 1 + (int)scatter_below(state, 4);
    const char *other = others[scatter_below(state, 3)];
    d->ending = BLOWS_UP;
    d->t = scatter_between(state, 0.3, 2.5);
    snprintf(d->text, TEXT,
             "model M Real %s y(start = %.17g, fixed = true), z(start = %.17g);\n"
             "equation der(y) = -%.17g; z*y^%d = %.17g; %s end M;",
             *other ? "w(start = 0, fixed = true)," : "", speed * d->t,
             k / pow(speed * d->t, power), speed, power, k, other);
}

/* s + K log(s) = 1 - V t: a divisor that nearly vanishes where s does. */
static void saturation(drawn *d, uint64_t *state)
{
    double K = pow(10, scatter_between(state, -9, -2)), V = scatter_between(state, 0.5, 3), p;
    double low = -800, high = 0; /* of log(s) */
    d->t = scatter_between(state, 0.5, 2) / V;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        bool above = exp(middle) + K * middle > 1 - V * d->t;
        *(above ? &high : &low) = middle;
    }
    p = 1 - exp(low);
    d->name = "p";
    d->value = p;
    snprintf(d->text, TEXT,
             "model M Real s(start = 1, fixed = true), p(start = 0, fixed = true);\n"
             "equation der(s) = -%.17g*s/(s + %.17g); der(p) = %.17g*s/(s + %.17g); end M;",
             V, K, V, K);
}

/* 1/c of what relaxes fast to a small value. */
static void fast_divisor(drawn *d, uint64_t *state)
{
    double rate = pow(10, scatter_between(state, 1, 6)), c = pow(10, scatter_between(state, -2, 0));
    d->t = scatter_between(state, 0.5, 2) + 20 / rate;
    d->name = "c";
    d->value = c;
    snprintf(d->text, TEXT,
             "model M Real c(start = 2, fixed = true), z, w(start = 0, fixed = true);\n"
             "equation der(c) = -%.17g*(c - %.17g); c*z = 1; der(w) = %s; end M;",
             rate, c, scatter(state) < 0 ? "z - w" : "1/c");
}

/* v i = P where v and P pass 0 together, and time - c as the factor of both sides. */
static void common_factor(drawn *d, uint64_t *state)
{
    double w = scatter_between(state, 1, 4), c = scatter_between(state, 0.2, 0.8);
    d->t = scatter_between(state, 1, 2);
    d->name = "y";
    d->value = sin(w * d->t) / w;
    if (scatter(state) < 0)
        snprintf(d->text, TEXT,
                 "model M Real y(start = 0, fixed = true);\n"
                 "equation (time - %.17g)*der(y) = (time - %.17g)*cos(%.17g*time); end M;",
                 c, c, w);
    else
        snprintf(d->text, TEXT,
                 "model M Real y(start = 0, fixed = true), v, i(start = 1), P;\n"
                 "equation v = %.17g - time; P = v*cos(%.17g*time); v*i = P; der(y) = i; end M;",
                 c, w);
}

static drawing *const ENDS[] = {slow_flow,   driven_cubic, square_root, slope_root,
                                exponential, pair,         pole};
static drawing *const GOES_ON[] = {turns_back, front, smooth_growth, constant};
static drawing *const QUOTIENTS_END[] = {explicit_fold, sine_fold, pole_in_time, defined_pole};
static drawing *const COEFFICIENTS_END[] = {coefficient_fold, multiple_pole};
static drawing *const QUOTIENTS_GO_ON[] = {quotient, common_zero};
static drawing *const COEFFICIENTS_GO_ON[] = {fast_divisor, common_factor};
enum {
    ENDS_COUNT = sizeof ENDS / sizeof *ENDS,
    GOES_ON_COUNT = sizeof GOES_ON / sizeof *GOES_ON,
    EACH = 3
};

static void ends_right(dae_solver *solver, dae_problem *read, const drawn *d, const char *method,
                       double rtol)
{
    double y[8];
    size_t at = dae_problem_find(read, d->name);
    is_ok(solver, dae_solver_at(solver, d->t, y, NULL));
    ck_assert_msg(fabs(y[at] - d->value) < 100 * rtol * (1 + fabs(d->value)),
                  "%s, %g: %g, not %g\n%s", method, rtol, y[at], d->value, d->text);
}

/* What ends the solution is never taken for something else, and folds are always recognised.
 * rodas5p may end a step far beyond one, at numbers that say nothing. */
static void is_named(const dae_solver *solver, const drawn *d, const char *method, double rtol)
{
    static const char *const said[] = {"impasse at", "without bound"};
    const char *reported = dae_solver_message(solver);
    bool far = strcmp(method, "rodas5p") == 0 && rtol > 1e-5;
    for (int k = FOLDS; k <= BLOWS_UP; k++)
        ck_assert_msg(k == (int)d->ending || !strstr(reported, said[k]), "%s, %g: %s\n%s", method,
                      rtol, reported, d->text);
    ck_assert_msg(d->ending == BLOWS_UP || far || strstr(reported, said[d->ending]),
                  "%s, %g: %s\n%s", method, rtol, reported, d->text);
}

static void run_drawn(const drawn *d, const char *method, double rtol)
{
    dae_options options = tolerance_of(rtol);
    dae_problem *read = problem_of(d->text);
    options.method = method;
    options.max_steps = 100000;
    dae_solver *solver = dae_solver_create(read, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    dae_status status = dae_solver_run(solver, d->name ? d->t : 2 * d->t);
    if (d->name) {
        ck_assert_msg(status == DAE_OK, "%s, %g: %s\n%s", method, rtol, dae_solver_message(solver),
                      d->text);
        ends_right(solver, read, d, method, rtol);
    } else {
        double off = fabs(dae_solver_time(solver) - d->t) / d->t;
        ck_assert_msg(status != DAE_OK, "%s, %g: past the end at %g\n%s", method, rtol, d->t,
                      d->text);
        ck_assert_msg(off < fmax(100 * rtol, 1e-5), "%s, %g: %s, not at %g\n%s", method, rtol,
                      dae_solver_message(solver), d->t, d->text);
        is_named(solver, d, method, rtol);
    }
    dae_solver_free(solver);
    dae_problem_free(read);
}

static void draw_from(uint64_t state, drawing *const *drawings, size_t count, const char *method)
{
    for (size_t k = 0; k < count * EACH; k++) {
        drawn d = {.name = NULL};
        drawings[k % count](&d, &state);
        for (size_t i = 0; i < sizeof RTOL / sizeof *RTOL; i++) run_drawn(&d, method, RTOL[i]);
    }
}

static void draw_and_run(drawing *const *drawings, size_t count, const char *method)
{
    draw_from(20, drawings, count, method);
}

START_TEST(solutions_end_at_folds_and_poles)
{
    draw_and_run(ENDS, ENDS_COUNT, METHODS[_i]);
}
END_TEST

START_TEST(what_comes_close_goes_on)
{
    draw_and_run(GOES_ON, GOES_ON_COUNT, METHODS[_i]);
}
END_TEST

static const char *const FRONTS[] = {"rodas4",  "rodasp",   "rodas5p",
                                     "esdirk4", "kvaerno5", "gauss3"};
enum { FRONTS_COUNT = sizeof FRONTS / sizeof *FRONTS };

/* What a rejected attempt makes of z there is far off, and no start for the next one. */
START_TEST(fronts_are_passed)
{
    static drawing *const drawings[] = {front};
    for (uint64_t k = 33; k < 38; k++) draw_from(k, drawings, 1, FRONTS[_i]);
}
END_TEST

START_TEST(no_step_passes_a_divisor_of_0)
{
    draw_and_run(QUOTIENTS_END, 4, EXPLICIT[_i]);
}
END_TEST

START_TEST(quotients_that_have_limits_go_on)
{
    draw_and_run(QUOTIENTS_GO_ON, 2, EXPLICIT[_i]);
}
END_TEST

START_TEST(so_they_do_in_time)
{
    uint64_t state = 24;
    for (size_t k = 0; k < EACH; k++) {
        drawn d = {.name = NULL};
        common_zero_in_time(&d, &state);
        for (double rtol = 1e-2; rtol > 1e-8; rtol /= 10) run_drawn(&d, EXPLICIT[_i], rtol);
    }
}
END_TEST

/* Where K is less than the tolerance a step may pass s = 0 and the pole at s = -K, behind which s
 * falls for ever: it may have to stop, but is not taken for a solution. */
START_TEST(no_step_falls_through_a_saturation)
{
    uint64_t state = 23;
    for (size_t k = 0; k < 24; k++) {
        drawn d = {.name = NULL};
        saturation(&d, &state);
        dae_options options = tolerance_of(RTOL[k % 3]);
        dae_problem *read = problem_of(d.text);
        options.method = EXPLICIT[_i];
        options.max_steps = 5000;
        dae_solver *solver = dae_solver_create(read, &options);
        dae_solver_start(solver, 0, NULL);
        dae_status status = dae_solver_run(solver, d.t);
        if (status == DAE_OK) ends_right(solver, read, &d, EXPLICIT[_i], options.rtol);
        dae_solver_free(solver);
        dae_problem_free(read);
    }
}
END_TEST

static const char *const IMPLICIT[] = {"auto",    "bdf",     "mebdf",      "radau",  "radau-iia5",
                                       "rodas5p", "esdirk4", "radau-iia3", "rodas4", "kvaerno5"};
enum { IMPLICIT_COUNT = sizeof IMPLICIT / sizeof *IMPLICIT };

START_TEST(no_step_passes_a_coefficient_of_0)
{
    draw_and_run(COEFFICIENTS_END, 2, IMPLICIT[_i]);
}
END_TEST

START_TEST(coefficients_that_stay_or_cancel_go_on)
{
    draw_and_run(COEFFICIENTS_GO_ON, 2, IMPLICIT[_i]);
}
END_TEST

/* Where y is less than its absolute tolerance, steps may bounce. */
START_TEST(nor_does_a_loose_tolerance)
{
    static const double loose[] = {1e-2, 3e-3, 1e-3, 3e-4};
    uint64_t state = 21;
    for (size_t k = 0; k < 2 * EACH; k++) {
        drawn d = {.name = NULL};
        COEFFICIENTS_END[k % 2](&d, &state);
        for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
            run_drawn(&d, IMPLICIT[_i], loose[i]);
    }
}
END_TEST

/* y' = y^p up to its pole: what is given there, if anything, is not the solution. */
START_TEST(no_run_ends_on_a_pole)
{
    uint64_t state = 22;
    for (size_t k = 0; k < 12; k++) {
        drawn d = {.t = scatter_between(&state, 0.3, 2.5)};
        double power = scatter_between(&state, 1.5, 3);
        snprintf(d.text, TEXT,
                 "model M Real y(start = 1, fixed = true); equation der(y) = %.17g*y^%.17g; end M;",
                 1 / ((power - 1) * d.t), power);
        dae_options options = tolerance_of(pow(10, scatter_between(&state, -9, -2)));
        options.method = EXPLICIT[_i];
        options.max_steps = 100000;
        dae_solver *solver = solver_of(d.text, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        ck_assert_msg(dae_solver_run(solver, d.t) != DAE_OK, "%s, %g: ends at a pole\n%s",
                      EXPLICIT[_i], options.rtol, d.text);
        dae_solver_free(solver);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    unit_loop(tests, solutions_end_at_folds_and_poles, 0, METHODS_COUNT);
    unit_loop(tests, what_comes_close_goes_on, 0, METHODS_COUNT);
    unit_loop(tests, fronts_are_passed, 0, FRONTS_COUNT);
    unit_loop(tests, no_step_passes_a_divisor_of_0, 0, EXPLICIT_COUNT);
    unit_loop(tests, quotients_that_have_limits_go_on, 0, EXPLICIT_COUNT);
    unit_loop(tests, so_they_do_in_time, 0, EXPLICIT_COUNT);
    unit_loop(tests, no_step_falls_through_a_saturation, 0, EXPLICIT_COUNT);
    unit_loop(tests, no_step_passes_a_coefficient_of_0, 0, IMPLICIT_COUNT);
    unit_loop(tests, coefficients_that_stay_or_cancel_go_on, 0, IMPLICIT_COUNT);
    unit_loop(tests, nor_does_a_loose_tolerance, 0, IMPLICIT_COUNT);
    unit_loop(tests, no_run_ends_on_a_pole, 0, EXPLICIT_COUNT);
    return unit_run("solve/folds", tests);
}
