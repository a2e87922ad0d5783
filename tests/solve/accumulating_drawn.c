/* Drawn systems whose events accumulate at an instant that is known: bodies under constraints that
 * rebound, tanks that an inflow serves in turn, and balls that are pushed against a wall. By every
 * method and at every tolerance the run ends there, and no body is beyond what it hits. Balls that
 * have an equation for their rest come to rest there. */
#include "solve/models.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { DRAWS = 12, LOOPS = 8, MOST_BODIES = 4 };

static const char *const METHODS[] = {"auto",    "bdf",     "mebdf",      "radau-iia3",
                                      "esdirk4", "rodas5p", "radau-iia5", "kvaerno5"};
static const char *const FIXED[] = {"implicit-euler", "bdf", "radau-iia3", "esdirk4"};
enum { COUNT = sizeof METHODS / sizeof *METHODS };

/* Of each loop; `make study` runs all of them. */
static int draws(void)
{
    static const int OF[] = {[GRID_FULL] = DRAWS, [GRID_THINNED] = 4, [GRID_SANITIZED] = 1};
    return OF[grid_of_run()];
}

static double drawn(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static size_t one_of(uint64_t *seed, size_t count)
{
    return (size_t)drawn(seed, 0, (double)count);
}

typedef struct writing {
    char text[4000];
    size_t length;
} writing;

static void write_more(writing *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int more = vsnprintf(w->text + w->length, sizeof w->text - w->length, format, list);
    va_end(list);
    w->length += (size_t)more;
    ck_assert_uint_lt(w->length, sizeof w->text);
}

/* A run of a model of which events accumulate. */
typedef struct series {
    uint64_t *seed;
    double end;        /* the instant */
    double fall;       /* the acceleration towards what is hit; 0: the run ends by its gaps alone */
    double rest;       /* the time of all flights together, in those of the first of them */
    const char *named; /* the condition */
    const char *gap;   /* the height above what is hit; NULL: there is none */
} series;

/* Runs beyond the end of a series; the time at which its events are said to accumulate. */
static double said_end(dae_solver *s, const writing *w, const series *x, const dae_options *o)
{
    is_ok(s, dae_solver_start(s, 0, NULL));
    dae_status status = dae_solver_run(s, 2 * x->end);
    const char *message = dae_solver_message(s), *says = strstr(message, "accumulate at t = ");
    ck_assert_msg(status == DAE_EVENT && says && strstr(says, x->named), "%s, %g, step %g: %s\n%s",
                  o->method, o->rtol, o->step, message, w->text);
    return strtod(says + strlen("accumulate at t = "), NULL);
}

static void is_not_beyond(dae_solver *s, const series *x, const dae_options *o)
{
    double y[4 * MOST_BODIES];
    if (!x->gap) return;
    is_ok(s, dae_solver_at(s, dae_solver_time(s), y, NULL));
    ck_assert_msg(y[0] > -100 * o->rtol, "%s, %g, step %g: %s = %g", o->method, o->rtol, o->step,
                  x->gap, y[0]);
}

/* Long fixed steps tell no exact time, and let nothing fall either. */
static void ends_with_fixed_steps(const writing *w, const series *x)
{
    dae_options options = tolerance_of(1e-6);
    options.method = FIXED[one_of(x->seed, sizeof FIXED / sizeof *FIXED)];
    options.step = x->end * pow(10, drawn(x->seed, -2.7, -1));
    dae_solver *s = solver_of(w->text, &options);
    said_end(s, w, x, &options);
    is_not_beyond(s, x, &options);
    dae_solver_free(s);
}

/* In flights below a height h all that is left lasts as long as the flight over h does, times
 * `rest`: of h in tolerances, such a time is no more to be told. */
static void ends_there(const writing *w, const series *x)
{
    dae_options options = tolerance_of(pow(10, -3 - (double)one_of(x->seed, 7)));
    options.method = METHODS[one_of(x->seed, COUNT)];
    options.max_steps = 20000;
    dae_solver *s = solver_of(w->text, &options);
    double at = said_end(s, w, x, &options);
    double flight = x->fall > 0 ? sqrt(20 * options.rtol / x->fall) : options.rtol;
    double off = 4 * flight * x->rest + 1e-5 * x->end;
    ck_assert_msg(fabs(at - x->end) <= off && fabs(dae_solver_time(s) - x->end) <= off,
                  "%s, %g: at %g, %g, not %g\n%s", options.method, options.rtol, dae_solver_time(s),
                  at, x->end, w->text);
    is_not_beyond(s, x, &options);
    dae_solver_free(s);
    ends_with_fixed_steps(w, x);
}

/* The flights of a body that falls from h with the speed v, thrown back with the part e. */
static void fly(series *x, double h, double v, double fall, double e)
{
    double speed = sqrt(v * v + 2 * fall * h);
    x->fall = fall;
    x->rest = 1 / (1 - e);
    x->end = (speed - v) / fall + 2 * e * speed / (fall * (1 - e));
}

/* Bodies x_i, each of which is held at c_i x_(i-1) + d_i: masses on rods, ropes and wedges. One
 * way is left to all of them, with the mass sum m_i r_i^2 and the force -sum m_i g_i r_i, where r_i
 * = dx_i/dx_1. What throws back one of them throws back all. Turned over, x_1 would rise. */
START_TEST(bodies_that_hang_together)
{
    uint64_t seed = 1 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        size_t bodies = 2 + one_of(&seed, MOST_BODIES - 1), hit = one_of(&seed, bodies);
        double c[MOST_BODIES], d[MOST_BODIES], m[MOST_BODIES], g[MOST_BODIES], r = 1;
        double mass = 0, force = 0, e = drawn(&seed, 0.02, 0.85), h = drawn(&seed, 0.3, 2);
        for (size_t i = 0; i < bodies; i++) {
            c[i] = drawn(&seed, 0.5, 1.5) * (drawn(&seed, -1, 2) < 0 ? -1 : 1);
            d[i] = drawn(&seed, -1, 1);
            m[i] = drawn(&seed, 0.5, 3);
            if (i > 0) r *= c[i];
            mass += m[i] * r * r;
            g[i] = drawn(&seed, 1, 10) * (r > 0 ? 1 : -1);
            force += m[i] * g[i] * r;
        }
        writing w = {.length = 0};
        write_more(&w, "model M Real x[%zu], v[%zu], F[%zu];\n", bodies, bodies, bodies + 1);
        write_more(&w, "initial equation x[1] = %.17g; v[1] = 0;\n", h);
        write_more(&w, "equation F[1] = 0; F[%zu] = 0;\n", bodies + 1);
        for (size_t i = 0; i < bodies; i++) {
            write_more(&w, "der(x[%zu]) = v[%zu];\n", i + 1, i + 1);
            write_more(&w, "%.17g*der(v[%zu]) = -(%.17g) + F[%zu] - (%.17g)*F[%zu];\n", m[i], i + 1,
                       m[i] * g[i], i + 1, i + 1 < bodies ? c[i + 1] : 0.0, i + 2);
            if (i > 0) write_more(&w, "x[%zu] = %.17g*x[%zu] + (%.17g);\n", i + 1, c[i], i, d[i]);
        }
        write_more(&w, "when x[1] < 0 then reinit(v[%zu], -%.17g*pre(v[%zu])); end when; end M;",
                   hit + 1, e, hit + 1);
        series x = {.seed = &seed, .named = "x[1] < 0", .gap = "x[1]"};
        fly(&x, h, 0, force / mass, e);
        ends_there(&w, &x);
    }
}
END_TEST

/* A bead on a straight wire through 0, which rises with the angle a. */
START_TEST(a_bead_on_a_wire)
{
    uint64_t seed = 100 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double a = drawn(&seed, 0.3, 1.3), e = drawn(&seed, 0.02, 0.85), h = drawn(&seed, 0.3, 2);
        double g = drawn(&seed, 1, 10), v = drawn(&seed, -1, 1);
        const char *set = draw % 2 ? "vx" : "vy";
        writing w = {.length = 0};
        write_more(&w,
                   "model M Real y(start = %.17g, fixed = true), x, vx, vy(start = %.17g, fixed = "
                   "true), L; equation der(x) = vx; der(y) = vy; der(vx) = -L*sin(%.17g);\n"
                   "der(vy) = L*cos(%.17g) - %.17g; y*cos(%.17g) = x*sin(%.17g);\n"
                   "when y < 0 then reinit(%s, -%.17g*pre(%s)); end when; end M;",
                   h * sin(a), v * sin(a), a, a, g, a, a, set, e, set);
        series x = {.seed = &seed, .named = "y < 0", .gap = "y"};
        fly(&x, h, -v, g * sin(a), e);
        ends_there(&w, &x);
    }
}
END_TEST

/* A ball in air, m v' = -m g - k v |v|: a flight that begins with V ends with W, W^2 = g V^2/(g + k
 * V^2), after (atan(V r) + atanh(W r))/sqrt(g k) with r = sqrt(k/g) (D. Greenwood, Principles of
 * Dynamics (1988), Sec. 3.3). A relation of abs lies within each flight. */
START_TEST(a_ball_in_air)
{
    uint64_t seed = 300 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double k = drawn(&seed, 0.01, 0.5), e = drawn(&seed, 0.02, 0.85), g = drawn(&seed, 2, 10);
        double speed = drawn(&seed, 1, 5), r = sqrt(k / g);
        writing w = {.length = 0};
        write_more(&w,
                   "model M Real h(start = 0, fixed = true), v(start = %.17g, fixed = true);\n"
                   "equation der(h) = v; der(v) = -%.17g - %.17g*v*abs(v);\n"
                   "when h < 0 then reinit(v, -%.17g*pre(v)); end when; end M;",
                   speed, g, k, e);
        series x = {.seed = &seed, .named = " < 0", .gap = "h", .fall = g, .rest = 1 / (1 - e)};
        while (speed > 1e-12) {
            double end = speed * sqrt(g / (g + k * speed * speed));
            x.end += (atan(speed * r) + atanh(end * r)) / sqrt(g * k);
            speed = e * end;
        }
        ends_there(&w, &x);
    }
}
END_TEST

typedef struct tanks {
    double start[2], in, out[2], low[2];
} tanks;

static void write_tanks(writing *w, tanks k)
{
    write_more(w,
               "model M Real a(start = %.17g, fixed = true), b(start = %.17g, fixed = true);\n"
               "Boolean first(start = true, fixed = true); equation\n"
               "der(a) = (if first then %.17g else 0) - %.17g;\n"
               "der(b) = (if first then 0 else %.17g) - %.17g;\n"
               "when b < %.17g then first = false; elsewhen a < %.17g then first = true;\n"
               "end when; end M;",
               k.start[0], k.start[1], k.in, k.out[0], k.in, k.out[1], k.low[1], k.low[0]);
}

/* An inflow that serves the tank that has run low, while both drain faster than it flows (Johansson
 * et al., Systems & Control Letters 38 (1999) 141): they run low together. */
START_TEST(two_tanks)
{
    uint64_t seed = 200 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double out[2] = {drawn(&seed, 0.3, 1), drawn(&seed, 0.3, 1)};
        double least = fmax(out[0], out[1]), both = out[0] + out[1];
        double in = least + drawn(&seed, 0.1, 0.8) * (both - least);
        double low[2] = {drawn(&seed, 0, 1), drawn(&seed, 0, 1)};
        double above[2] = {drawn(&seed, 0.3, 1), drawn(&seed, 0.3, 1)};
        writing w = {.length = 0};
        write_tanks(&w, (tanks){{low[0] + above[0], low[1] + above[1]},
                                in,
                                {out[0], out[1]},
                                {low[0], low[1]}});
        series x = {.seed = &seed, .named = "", .rest = 1};
        x.end = (above[0] + above[1]) / (both - in);
        ends_there(&w, &x);
    }
}
END_TEST

/* The same with an inflow that exceeds the larger outflow by any part from 1e-7 on: a level rises
 * by so little that few events can be told apart, and the one that is served may be either. The run
 * stops there; no tank runs empty. */
START_TEST(two_tanks_that_hardly_fill)
{
    uint64_t seed = 600 + (uint64_t)_i;
    for (int draw = 0; draw < 2 * draws(); draw++) {
        double out[2] = {drawn(&seed, 0.3, 1), drawn(&seed, 0.3, 1)};
        double least = fmax(out[0], out[1]), both = out[0] + out[1];
        double in = least + pow(10, drawn(&seed, -7, -0.5)) * (both - least);
        double low[2] = {drawn(&seed, 0, 1), drawn(&seed, 0, 1)};
        double above[2] = {drawn(&seed, 0.3, 1), drawn(&seed, 0.3, 1)};
        double end = (above[0] + above[1]) / (both - in), y[3];
        tanks k = {{low[0] + above[0], low[1] + above[1]}, in, {out[0], out[1]}, {low[0], low[1]}};
        writing w = {.length = 0};
        write_tanks(&w, k);
        dae_options options = tolerance_of(pow(10, -3 - (double)one_of(&seed, 7)));
        options.method = METHODS[one_of(&seed, COUNT)];
        dae_solver *s = solver_of(w.text, &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        ck_assert_msg(dae_solver_run(s, 2 * end) == DAE_EVENT, "%s, %g:\n%s", options.method,
                      options.rtol, w.text);
        double off = 10 * options.rtol + 1e-5 * end;
        ck_assert_double_eq_tol(dae_solver_time(s), end, off);
        is_ok(s, dae_solver_at(s, dae_solver_time(s), y, NULL));
        ck_assert(y[0] > low[0] - off && y[1] > low[1] - off);
        dae_solver_free(s);
    }
}
END_TEST

/* A ball between a wall at 0 and a ball of the same mass that pushes it there. */
typedef struct pair {
    double x[2], v[2], e[2]; /* e: of the impacts at the wall, and of both */
} pair;

/* The instant at which all impacts have passed: speeds of balls that part too little shrink by a
 * part in each cycle, and gaps by its square or more (McNamara & Young, Phys. Fluids A 4 (1992)
 * 496). */
static double end_of_impacts(pair p)
{
    enum { IMPACTS = 400 };
    double t = 0, gap[2] = {p.x[0], p.x[1] - p.x[0]};
    for (int k = 0; k < IMPACTS; k++) {
        double closing = p.v[0] - p.v[1], left = p.v[0] < 0 ? gap[0] / -p.v[0] : HUGE_VAL;
        double right = closing > 0 ? gap[1] / closing : HUGE_VAL, after = fmin(left, right);
        ck_assert_msg(after < HUGE_VAL, "the balls part");
        t += after;
        gap[0] = left < right ? 0 : gap[0] + p.v[0] * after;
        gap[1] = left < right ? fmax(gap[1] - closing * after, 0) : 0;
        double push = 0.5 * (1 + p.e[1]) * closing;
        p.v[1] += left < right ? 0 : push;
        p.v[0] = left < right ? -p.e[0] * p.v[0] : p.v[0] - push;
    }
    return t;
}

/* Gaps shrink by 100 to 10^5 in each cycle, so the last impacts that can be told apart come within
 * rounding of each other. No impact is missed, whether or not the model counts them. */
START_TEST(two_balls_and_a_wall)
{
    uint64_t seed = 400 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double x = drawn(&seed, 0.3, 1);
        pair p = {{x, x + drawn(&seed, 0.3, 1)},
                  {drawn(&seed, -0.5, 0), drawn(&seed, -2, -1)},
                  {drawn(&seed, 0.01, 0.15), drawn(&seed, 0.01, 0.15)}};
        const char *counts = "Integer n(start = 0, fixed = true); equation\n"
                             "when {x1 < 0, x1 > x2} then n = pre(n) + 1; end when;\n";
        writing w = {.length = 0};
        write_more(
            &w,
            "model M Real x1(start = %.17g, fixed = true), v1(start = %.17g, fixed = true),\n"
            "x2(start = %.17g, fixed = true), v2(start = %.17g, fixed = true);\n"
            "%sder(x1) = v1; der(x2) = v2; der(v1) = 0; der(v2) = 0;\n"
            "when x1 < 0 then reinit(v1, -%.17g*pre(v1)); end when;\n"
            "when x1 > x2 then reinit(v1, pre(v1) - %.17g*(pre(v1) - pre(v2)));\n"
            "reinit(v2, pre(v2) + %.17g*(pre(v1) - pre(v2))); end when; end M;",
            p.x[0], p.v[0], p.x[1], p.v[1], draw % 2 ? counts : "equation ", p.e[0],
            0.5 * (1 + p.e[1]), 0.5 * (1 + p.e[1]));
        series s = {.seed = &seed, .named = "x1", .gap = "x1", .rest = 1};
        s.end = end_of_impacts(p);
        ends_there(&w, &s);
    }
}
END_TEST

/* Balls above floors of their own, in any unit. At the end of its flights each of them meets the
 * condition of its rest; before, it does so at no instant. */
START_TEST(balls_that_have_an_equation_for_rest)
{
    static const char *const REST[] = {"x%d <= %.17g and v%d <= 0", "not (x%d > %.17g or v%d > 0)",
                                       "not x%d > %.17g and v%d < 1e-3*V"};
    uint64_t seed = 500 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double time = pow(10, rint(drawn(&seed, -4, 4))), way = pow(10, rint(drawn(&seed, -3, 3)));
        double at[2], end = 0, y[4];
        int balls = 1 + (int)one_of(&seed, 2);
        writing w = {.length = 0}, then = {.length = 0};
        write_more(&w, "model M constant Real X = %g, V = %g, g = %g;\n", way, way / time,
                   2 * way / (time * time));
        for (int k = 0; k < balls; k++) {
            double height = drawn(&seed, 0.3, 2), e = drawn(&seed, 0.05, 0.8);
            at[k] = one_of(&seed, 2) ? way * drawn(&seed, -3, 3) : 0;
            end = fmax(end, time * sqrt(height) * (1 + e) / (1 - e));
            write_more(&w,
                       "Real x%d(start = %.17g, fixed = true, nominal = X);\n"
                       "Real v%d(start = 0, fixed = true, nominal = V);\n",
                       k, at[k] + way * height, k);
            write_more(&then,
                       "der(x%d) = v%d; when x%d < %.17g then reinit(v%d, -%.17g*pre(v%d)); end "
                       "when;\nder(v%d) = if ",
                       k, k, k, at[k], k, e, k, k);
            write_more(&then, REST[one_of(&seed, 3)], k, at[k], k);
            write_more(&then, " then 0 else -g;\n");
        }
        write_more(&w, "equation %s end M;", then.text);
        dae_options options = tolerance_of(pow(10, -3 - (double)one_of(&seed, 7)));
        options.method = METHODS[one_of(&seed, COUNT)];
        dae_solver *s = solver_of(w.text, &options);
        is_ok(s, dae_solver_start(s, 0, NULL));
        dae_status status = dae_solver_run(s, 2 * end);
        ck_assert_msg(status == DAE_OK, "%s, %g: %s\n%s", options.method, options.rtol,
                      dae_solver_message(s), w.text);
        is_ok(s, dae_solver_at(s, 2 * end, y, NULL));
        for (int k = 0; k < balls; k++)
            ck_assert_msg(fabs(y[2 * k] - at[k]) <= 1e-9 * way && y[2 * k + 1] == 0,
                          "%s, %g: %g, %g\n%s", options.method, options.rtol, y[2 * k] - at[k],
                          y[2 * k + 1], w.text);
        dae_solver_free(s);
    }
}
END_TEST

/* The instant of a rest, as T counts it: flights that are lower than errors of the height of the
 * wall are told by those before. */
START_TEST(balls_come_to_rest_in_time)
{
    uint64_t seed = 700 + (uint64_t)_i;
    for (int draw = 0; draw < draws(); draw++) {
        double wall = drawn(&seed, 20, 60), height = drawn(&seed, 0.3, 2);
        double e = drawn(&seed, 0.2, 0.7), end = sqrt(height) * (1 + e) / (1 - e);
        char model[700];
        (void)snprintf(model, sizeof model,
                       "model M constant Real w = %.17g; Boolean rests = x <= w and v <= 0;\n"
                       "Real x(start = %.17g, fixed = true), v(start = 0, fixed = true),\n"
                       "T(start = 0, fixed = true); equation der(x) = v;\n"
                       "der(v) = if rests then 0 else -2; der(T) = if rests then 0 else 1;\n"
                       "when x <= w and v < 0 then reinit(v, -%.17g*pre(v)); end when; end M;",
                       wall, wall + height, e);
        dae_options options = tolerance_of(draw % 2 ? 1e-4 : 1e-6);
        double found = end_of(model, &options, 2 * end, "T");
        ck_assert_msg(fabs(found - end) <= 1e-4 * end, "%g: %.9g, not %.9g\n%s", options.rtol,
                      found, end, model);
    }
}
END_TEST

/* x'' = -a sign(x) - b sign(x') with b < a winds into the origin in a finite time, and rests, also
 * with a force that never does. Where the motion along both surfaces is not found, the run ends
 * where the events accumulate. */
START_TEST(spirals_end)
{
    uint64_t state = (uint64_t)_i + 77;
    for (int draw = 0; draw < draws(); draw++) {
        double a = pow(10, scatter_between(&state, -1, 1.5)),
               b = a * scatter_between(&state, 0.1, 0.9);
        double x = pow(10, scatter_between(&state, -2, 2)) * (draw % 2 ? 1 : -1);
        double turn = sqrt(2 * fabs(x) / (a + b)); /* to the first extremum */
        char model[500];
        bool pushed = draw % 3 == 2;
        snprintf(
            model, sizeof model,
            "model M Real x(start = %.17g, fixed = true), v(start = 0, fixed = true);\n"
            "equation der(x) = v; der(v) = -%.17g*sign(x) - %.17g*sign(v) + %.17g*sin(%.17g*time);"
            "\nend M;",
            x, a, b, pushed ? 0.8 * fmin(b, a - b) : 0, 1 / turn);
        dae_options o = tolerance_of(pow(10, -4 - 2 * (draw % 3)));
        o.method = METHODS[_i % COUNT];
        dae_solver *s = solver_of(model, &o);
        double y[2], long_after = 100 * turn * a / b;
        is_ok(s, dae_solver_start(s, 0, NULL));
        dae_status status = dae_solver_run(s, long_after);
        bool ends = pushed && status == DAE_EVENT;
        ck_assert_msg(ends || status == DAE_OK, "%s: %s\n%s", o.method, dae_solver_message(s),
                      model);
        is_ok(s, dae_solver_at(s, dae_solver_time(s), y, NULL));
        ck_assert_msg(fabs(y[0]) < 1e-6 * fabs(x) && fabs(y[1]) < 1e-3 * a * turn, "%g, %g\n%s",
                      y[0], y[1], model);
        if (!pushed) ck_assert(y[1] == 0);
        dae_solver_free(s);
    }
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    unit_loop(tests, bodies_that_hang_together, 0, LOOPS);
    unit_loop(tests, a_bead_on_a_wire, 0, LOOPS);
    unit_loop(tests, a_ball_in_air, 0, LOOPS);
    unit_loop(tests, two_tanks, 0, LOOPS);
    unit_loop(tests, two_tanks_that_hardly_fill, 0, LOOPS);
    unit_loop(tests, two_balls_and_a_wall, 0, LOOPS);
    unit_loop(tests, balls_that_have_an_equation_for_rest, 0, LOOPS);
    unit_loop(tests, balls_come_to_rest_in_time, 0, LOOPS);
    unit_loop(tests, spirals_end, 0, LOOPS);
    return unit_run("solve/accumulating_drawn", tests);
}
