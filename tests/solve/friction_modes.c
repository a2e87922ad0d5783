/* Friction by modes, as the clutch of docs/events.md: what sticks holds w = 0, so that w has the
 * sign of a rounding where the next mode begins. End values are compared with exact solutions. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static const char *const METHODS[] = {"auto", "radau", "bdf", "rodas5p", "esdirk4"};
enum { METHODS_COUNT = sizeof METHODS / sizeof *METHODS };

static const double RTOL[] = {1e-4, 1e-6, 1e-8};

/* A run with method m ends at the exact value, at one tolerance or at all of them. */
static void meets(const char *model, int m, double stop, const char *name, double wanted)
{
    enum { TOLERANCES = sizeof RTOL / sizeof *RTOL };
    static int runs;
    runs++;
    for (int k = 0; k < TOLERANCES; k++)
        if (grid_of_run() == GRID_FULL || (m + runs) % TOLERANCES == k)
            ends_near(model, METHODS[m], RTOL[k], stop, name, wanted);
}

/* The ways to write that the slip has changed its direction. */
static const char *const BACK[] = {"pre(mode) <> 0 and pre(mode)*w < 0", "pre(mode)*w < 0",
                                   "pre(mode)*(w + 1) < pre(mode)",
                                   "(if pre(mode) == 1 then w else -w) < 0 and pre(mode) <> 0",
                                   "0 > w*(if pre(mode) > 0 then 2 else 3*pre(mode))"};

/* The driving torque M is so large that the slip turns round without sticking: w = 1 - (T - M) t up
 * to 0, and -(T + M) t from there on. Friction that begins may be less than that which holds. */
START_TEST(slip_turns_round)
{
    static const double less[] = {10, 8};
    char model[500];
    for (size_t i = 0; i < sizeof BACK / sizeof *BACK; i++) {
        for (int k = 0; k < 2; k++) {
            double turn = 1 / (20 + less[k]);
            snprintf(model, sizeof model,
                     "model M Real w(start = 1, fixed = true), T; Integer mode(start = 1, "
                     "fixed = true);\nequation der(w) = -20 - T; 0 = if mode == 0 then w else T - "
                     "mode*%g;\nwhen %s then mode = 0; elsewhen pre(mode) == 0 and T > 10 then "
                     "mode = 1;\nelsewhen pre(mode) == 0 and T < -10 then mode = -1; end when; "
                     "end M;",
                     less[k], BACK[i]);
            meets(model, _i, 1, "w", -(20 - less[k]) * (1 - turn));
        }
    }
}
END_TEST

enum { BELT = 500 };
static const double SPEED = 0.1, SLOPE = 1.5;

/* A block on a belt, of which the friction falls with the slip from the one that holds it: where it
 * begins to slip, its acceleration is 0 but for rounding. Letters that name it. */
static void belt(char *declared, char *equations, char x, char v, char F, char m, double k)
{
    snprintf(declared, BELT,
             "Real %c(start = 0, fixed = true), %c(start = %g, fixed = true), %c, %cr = %c - %g; "
             "Integer %c(start = 0, fixed = true);\n",
             x, v, SPEED, F, v, v, SPEED, m);
    snprintf(equations, BELT,
             "der(%c) = %c; der(%c) = %c - %.17g*%c; 0 = if %c == 0 then %cr else %c + %c*(1 - "
             "%g*abs(%cr));\nwhen pre(%c) == 0 and %c > 1 then %c = -1; elsewhen pre(%c) == 0 and "
             "%c < -1 then %c = 1;\nelsewhen pre(%c) <> 0 and pre(%c)*%cr < 0 then %c = 0; end "
             "when;\n",
             x, v, v, F, k, x, m, v, F, m, SLOPE, v, m, F, m, m, F, m, m, m, v, m);
}

/* Its speed a time s after it has begun to slip: x - 1/k = z of z'' = SLOPE (z' - SPEED) - k z. */
static double speed_after(double k, double s)
{
    double half = SLOPE / 2, w = sqrt(k - half * half), a = SLOPE * SPEED / k;
    double b = (SPEED - half * a) / w;
    return exp(half * s) *
           (half * (a * cos(w * s) + b * sin(w * s)) + w * (b * cos(w * s) - a * sin(w * s)));
}

START_TEST(a_block_begins_to_slip)
{
    char model[2 * BELT + 50], declared[BELT], equations[BELT];
    for (int i = 0; i < 4; i++) {
        double k = 3 + 0.7 * i, s = 0.9;
        belt(declared, equations, 'x', 'v', 'F', 'm', k);
        snprintf(model, sizeof model, "model M %sequation %send M;", declared, equations);
        meets(model, _i, 1 / (k * SPEED) + s, "v", speed_after(k, s));
    }
}
END_TEST

/* Two blocks do not see each other: each moves as it does alone. */
START_TEST(two_blocks)
{
    char model[4 * BELT + 50], one[2][BELT], two[2][BELT];
    for (int i = 0; i < 2; i++) {
        double k = 5, k2 = 4.5 + 0.4 * i, s = 0.8;
        belt(one[0], one[1], 'x', 'v', 'F', 'm', k);
        belt(two[0], two[1], 'y', 'u', 'G', 'n', k2);
        snprintf(model, sizeof model, "model M %s%sequation %s%send M;", one[0], two[0], one[1],
                 two[1]);
        double stop = fmax(1 / (k * SPEED), 1 / (k2 * SPEED)) + s;
        meets(model, _i, stop, "v", speed_after(k, stop - 1 / (k * SPEED)));
        meets(model, _i, stop, "u", speed_after(k2, stop - 1 / (k2 * SPEED)));
    }
}
END_TEST

/* The friction of the Modelica Standard Library (PartialFriction) as compilers flatten it, under a
 * force A sin 2t: the mass slips forward from A sin 2t = 2 on, rests, and slips backward alike. */
START_TEST(partial_friction)
{
    char model[1200];
    for (int i = 0; i < 3; i++) {
        double A = 2.15 + 0.3 * i, begins = asin(2 / A) / 2, later = acos(2 / A) / 2;
        snprintf(
            model, sizeof model,
            "model M Real v(start = 0, fixed = true), f, sa, a, F; Integer mode(start = 0, "
            "fixed = true);\nBoolean fwd(start = false, fixed = true), bwd(start = false, "
            "fixed = true), locked(start = true, fixed = true);\nequation F = %.17g*sin(2*time);"
            " a = der(v); a = F - f;\nfwd = pre(mode) == 0 and sa > 2; bwd = pre(mode) == 0 "
            "and sa < -2;\nlocked = not (pre(mode) == 1 or fwd or pre(mode) == -1 or bwd);\n"
            "a = if locked then 0 else if fwd then sa - 2 else if bwd then sa + 2 else if "
            "pre(mode) == 1 then sa - 2 else sa + 2;\nf = if locked then sa else if fwd then "
            "2 else if bwd then -2 else if pre(mode) == 1 then 2 else -2;\nmode = if "
            "(pre(mode) == 1 or fwd) and v > 0 then 1 else if (pre(mode) == -1 or bwd) and v "
            "< 0 then -1 else 0; end M;",
            A);
        double stop = begins + later, half = asin(1); /* within its first slip; half a period */
        double v = A / 2 * (cos(2 * begins) - cos(2 * stop)) - 2 * later;
        meets(model, _i, stop + half, "v", -v);
        meets(model, _i, stop + 2 * half, "v", v);
    }
}
END_TEST

/* A body that slides at -3 m/s against a friction of 1 N comes back from a wall with half its
 * speed, 1.5 sqrt(7/9), and rests at 0.875; a blow of -1 m/s at 3 s sets it going again by 0.5. */
static const char WALL[] =
    "model M Real s(start = 1, fixed = true), v(start = -3, fixed = true), f; Integer mode(start = "
    "-1, fixed = true);\nequation der(s) = v; der(v) = -f; 0 = if mode == 0 then v else f - mode;\n"
    "when pre(mode) <> 0 and pre(mode)*v < 0 then mode = %s;\nelsewhen pre(mode) == 0 and f > 1 "
    "then mode = 1; elsewhen pre(mode) == 0 and f < -1 then mode = -1; end when;\nwhen s < 0 then "
    "reinit(v, -0.5*pre(v)); end when; when time > 3 then reinit(v, -1); end when; end M;";

START_TEST(a_blow_turns_the_slip)
{
    char model[sizeof WALL + 100];
    snprintf(model, sizeof model, WALL, "if pre(mode)*v < -1e-9 then -pre(mode) else 0");
    meets(model, _i, 2.5, "s", 0.875);
    meets(model, _i, 5, "s", 0.375);
}
END_TEST

/* What holds v = 0 excludes the speed that reinit() gives: that is told, and not dropped. */
START_TEST(a_blow_is_not_lost)
{
    char model[sizeof WALL + 100];
    snprintf(model, sizeof model, WALL, "0");
    dae_options options = dae_options_default();
    options.method = METHODS[_i];
    dae_problem *p = dae_problem_parse("M.mo", model, strlen(model));
    dae_solver *s = dae_solver_create(p, &options);
    ck_assert_int_eq(dae_solver_start(s, 0, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_run(s, 5), DAE_EVENT);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "reinit() gives"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "if mode == 0 then v"));
    dae_solver_free(s);
    dae_problem_free(p);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    unit_loop(tests, slip_turns_round, 0, METHODS_COUNT);
    unit_loop(tests, a_block_begins_to_slip, 0, METHODS_COUNT);
    unit_loop(tests, two_blocks, 0, METHODS_COUNT);
    unit_loop(tests, partial_friction, 0, METHODS_COUNT);
    unit_loop(tests, a_blow_turns_the_slip, 0, METHODS_COUNT);
    unit_loop(tests, a_blow_is_not_lost, 0, METHODS_COUNT);
    return unit_run("solve/friction_modes", tests);
}
