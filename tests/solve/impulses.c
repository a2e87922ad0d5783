/* Jumps that an event forces: charge and momentum are kept, and a jump that is not determined is
 * refused by name. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

static void ends(const char *model, const char *name, double wanted, double tolerance)
{
    dae_options options = tolerance_of(1e-9);
    double found = end_of(model, &options, 2, name);
    ck_assert_msg(fabs(found - wanted) <= tolerance, "%s = %.17g, not %.17g\n%s", name, found,
                  wanted, model);
}

static void refuses(const char *model, const char *part)
{
    dae_options options = tolerance_of(1e-9);
    dae_solver *s = solver_of(model, &options);
    is_ok(s, dae_solver_start(s, 0, NULL));
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_EVENT);
    const char *said = dae_solver_message(s);
    ck_assert_msg(strstr(said, "the event at t = 1") && strstr(said, part), "%s", said);
    dae_solver_free(s);
}

/* 2 C and 3 C: 6 before, shared by 5 after. */
START_TEST(a_loop_of_capacitors_closes)
{
    static const char *const HOW[] = {"if closed then v1 = v2; else i = 0; end if",
                                      "0 = if closed then v1 - v2 else i"};
    for (int k = 0; k < 2; k++) {
        char model[400];
        snprintf(model, sizeof model,
                 "model M Real v1(start = 3, fixed = true), v2(start = 0, fixed = true), i1, i2, i;"
                 "Boolean closed = time > 1; equation 2*der(v1) = i1; 3*der(v2) = i2; i1 = -i;"
                 "i2 = i; %s; end M;",
                 HOW[k]);
        ends(model, "v1", 1.2, 1e-12);
        ends(model, "v2", 1.2, 1e-12);
    }
}
END_TEST

/* v + v^3/3 + 2 w is 4/3 before and after, where v = w. */
START_TEST(a_capacitor_that_is_not_linear)
{
    static const char MODEL[] =
        "model M Real v(start = 1, fixed = true), w(start = 0, fixed = true), q, i;"
        "Boolean c = time > 1; equation q = v + v^3/3; der(q) = -i; 2*der(w) = i;"
        "if c then v = w; else i = 0; end if; end M;";
    double v = 0.5;
    for (int i = 0; i < 20; i++) v -= (3 * v + v * v * v / 3 - 4.0 / 3) / (3 + v * v);
    ends(MODEL, "v", v, 1e-12);
    ends(MODEL, "w", v, 1e-12);
}
END_TEST

/* u steps by 2, so that i = 2 u' has an impulse of 4, by which q jumps. */
START_TEST(a_current_that_is_integrated)
{
    ends("model M Real u, i, q(start = 0, fixed = true); equation u = if time < 1 then 1 else 3;"
         "i = 2*der(u); der(q) = i - q/2; end M;",
         "q", 4 * exp(-0.5), 1e-8);
}
END_TEST

/* 2 and 3 kg at 4 and 1 m/s: 11 kg m/s. */
START_TEST(masses_that_are_coupled)
{
    static const char CLUTCH[] =
        "model M Real v1(start = 4, fixed = true), v2(start = 1, fixed = true), f;"
        "Boolean c = time > 1; equation 2*der(v1) = -f; 3*der(v2) = f;"
        "if c then v1 = v2; else f = 0; end if; end M;";
    static const char STEP[] =
        "model M Real v1(start = 4, fixed = true), v2, f; equation 2*der(v1) = -f;"
        "3*der(v2) = f; v1 = v2 + (if time < 1 then 3 else 1); end M;";
    ends(CLUTCH, "v1", 2.2, 1e-12);
    ends(CLUTCH, "v2", 2.2, 1e-12);
    ends(STEP, "v1", 2.8, 1e-12);
    ends(STEP, "v2", 1.8, 1e-12);
}
END_TEST

/* A blow on mass 1 gives both 5 m/s; on mass 3 of three in a row, whose first two are joined by a
 * spring, the others take up nothing. */
START_TEST(states_that_are_given)
{
    static const char CLUTCH[] =
        "model M Real v1(start = 1, fixed = true), v2, f; equation 2*der(v1) = -f;"
        "3*der(v2) = f; v1 = v2; when time > 1 then reinit(v1, 5); end when; end M;";
    static const char ROW[] =
        "model M Real v1(start = 1, fixed = true), v2(start = 1, fixed = true), v3, f;"
        "equation 2*der(v1) = 0; 3*der(v2) = -f; 4*der(v3) = f; v2 = v3;"
        "when time > 1 then reinit(v3, -2*pre(v3)); end when; end M;";
    ends(CLUTCH, "v1", 5, 1e-12);
    ends(CLUTCH, "v2", 5, 1e-12);
    ends(ROW, "v1", 1, 1e-12);
    ends(ROW, "v2", -2, 1e-12);
    ends(ROW, "v3", -2, 1e-12);
}
END_TEST

START_TEST(jumps_that_are_not_determined)
{
    refuses("model M Real v1(start = 1, fixed = true), v2, f; equation 2*der(v1) = -f;"
            "3*der(v2) = f; v1 = v2; when time > 1 then reinit(v1, 5); reinit(v2, 3); end when;"
            "end M;",
            "two values, 5 and 3, to v1 and v2");
    refuses("model M Real x(start = 1, fixed = true), y, u(start = 0, fixed = true), v, f;"
            "equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 1; x^2 + y^2 = 4;"
            "when time > 1 then reinit(u, 5); reinit(v, 3); end when; end M;",
            "the derivative of x^2 + y^2 = 4 (m.mo:1), which is off by");
    refuses(
        "model M Real v1(start = 1, fixed = true), v2(start = 1, fixed = true), v3, f;"
        "Real v4(start = 0, fixed = true);"
        "equation 2*der(v1) + der(v2) = -f; der(v1) + 3*der(v2) = 0; der(v3) = f; 5*der(v4) = f;"
        "v1 = v3 + v4;"
        "when time > 1 then reinit(v1, 5); end when; end M;",
        "which of them has the impulse");
    /* whether a skate is turned with its velocity, or first and then stopped across */
    refuses("model M Real u(start = 1, fixed = true), v, L, a; equation a + a^3/10 = if time < 1 "
            "then 0 else 1.1; der(u) = -sin(a)*L; der(v) = cos(a)*L; cos(a)*v = sin(a)*u; end M;",
            "depends on the way");
    refuses("model M Real x, z, y(start = 0, fixed = true); equation"
            " x = if time < 1 then 0 else 1; z = der(x)^2; der(y) = z; end M;",
            "not linear in what jumps or has an impulse");
}
END_TEST

/* A message names the constraint, by how much it is missed, and what it holds, whether a relation
 * of time or of the state leads there. Its remedy is not what the model does. */
START_TEST(states_that_miss_constraints)
{
    static const char MODEL[] =
        "model M Real x(start = 1, fixed = true), y(start = 1), u(start = 0, fixed = true), v, f;"
        "Real s(start = 0, fixed = true);"
        "equation der(s) = 1; der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 1;"
        "x^2 + y^2 = 2; when %s then %s end when; end M;";
    static const char *const when[] = {"time > 1", "s > 1"};
    static const char OFF[] = "x^2 + y^2 = 2 (m.mo:1), which is off by 0.5";
    static const char HIDDEN[] = "the derivative of x^2 + y^2 = 2 (m.mo:1), which is off by 4";
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text, MODEL, when[k], "reinit(x, 1.5); reinit(y, 0.5);");
        refuses(text, OFF);
        refuses(text, "with x = 1.5, y = 0.5");
        refuses(text, "remedy: give values that meet it, in all states that it holds");
        snprintf(text, sizeof text, MODEL, when[k],
                 "reinit(x, 1); reinit(y, 1); reinit(u, 1); reinit(v, 1);");
        refuses(text, HIDDEN);
        refuses(text, "with u = 1, v = 1");
        refuses(text, "or reinit() fewer states");
    }
}
END_TEST

/* x = u is hidden, and der(x) has its impulse in z. */
#define HIDDEN(U, MORE)                                                                        \
    "model M Real x, y(start = 0, fixed = true), z; equation der(x) + der(y) + z = sin(time);" \
    "(if time > 9 then 2 else 1)*der(x) + der(y) + z + x = " U " + sin(time);" MORE " end M;"

START_TEST(what_is_hidden_and_not_determined)
{
    static const char GIVEN[] = "the values that reinit() gives";
    refuses(HIDDEN("(if time < 1 then 0 else 1)", "der(y) = z + z^2;"), "der(y) = z + z^2");
    refuses(HIDDEN("(if time < 1 then 0 else 1)", "der(y) = z + z^2;"), "is not linear in what");
    refuses(HIDDEN("(if time < 1 then 0 else 1)", "der(y) = z + der(x)^2;"),
            "depends on how the input changes within the instant");
    refuses(HIDDEN("1", "der(y) = z; when time > 1 then reinit(x, 2); end when;"), GIVEN);
    refuses(HIDDEN("(if time < 1 then 0 else 1)", "der(y) = z + delay(z, 1);"), "delay(z, 1)");
}
END_TEST

/* Equations that are replaced by combinations, which differentiate u twice with its s taken out;
 * and such whose index is 1, where x1 and x2 jump and w does not: 2 x1 + x5 = exp(t/2), w = x2 - x1
 * + 2 x3 = exp(-t/2). */
START_TEST(what_combinations_leave)
{
    static const char U[] = "(if time < 1 then s^2 else 1 + s^2)";
    char model[1200];
    snprintf(model, sizeof model,
             "model M Real s = time - 1, x1, x2, x3, x4, x5, z = 2*x1 + x5;\n"
             "initial equation 2*x1 + x5 = 1; equation\n"
             "-2*der(x1) + 4*der(x2) + 2*der(x4) - 2*der(x5) + 2*x1 + 2*x2 + x3 + x5 = 0;\n"
             "-3*der(x1) + 2*der(x2) + der(x4) - 2*der(x5) + 3*x1 + 3*x2 + x4 + x5 = %s;\n"
             "2*der(x1) + der(x5) - x1 - 0.5*x5 = 0;\n"
             "2*der(x1) + 5*der(x2) + 2*der(x4) + 2*x1 + 4*x2 + 2*x3 + x4 = %s;\n"
             "2*der(x1) + 5*der(x2) + 2*der(x4) + x1 + 2*x2 + 2*x3 = 0; end M;",
             U, U);
    ends(model, "z", exp(1), 1e-7);
    snprintf(model, sizeof model,
             "model M Real x1, x2, x3, w = x2 - x1 + 2*x3, u = if time < 1 then 0 else 1,\n"
             "v = if time < 1 then 1 else 3; initial equation x2 - x1 + 2*x3 = 1; equation\n"
             "2*der(x2) - 2*der(x1) + 4*der(x3) + x2 - x1 + 2*x3 + 0.5*(x1 - u) + x2 - v = 0;\n"
             "2*der(x2) - 2*der(x1) + 4*der(x3) + x2 - x1 + 2*x3 + x1 - u + x2 - v = 0;\n"
             "der(x1) - der(x2) - 2*der(x3) - 0.5*(x2 - x1 + 2*x3) + x1 - u + x2 - v = 0; end M;");
    ends(model, "w", exp(-1), 1e-7);
    ends(model, "x1", 1, 1e-9);
    ends(model, "x2", 3, 1e-9);
}
END_TEST

/* The rules of differentiation take pieces by themselves; the jump between them is an impulse. */
START_TEST(pieces_that_jump)
{
    static const char X[] = "model M Real x(start = 1, fixed = true), w(start = 0, fixed = true);";
    char model[400];
    const struct {
        const char *text;
        double from, to; /* its values at 0 and 2 */
    } jumping[] = {{"if time < 1 then x else 3*x", 1, 3 * exp(-2)},
                   {"n*x", 1, 3 * exp(-2)},
                   {"if time < 1 then time*x else x^2", 0, exp(-4)}};
    for (int k = 0; k < 3; k++) {
        snprintf(model, sizeof model,
                 "%s discrete Integer n(start = 1, fixed = true);"
                 "equation when time >= 1 then n = pre(n) + 2; end when;"
                 "der(x) = -x; der(w) = x + der(%s); end M;",
                 X, jumping[k].text);
        ends(model, "w", 1 - exp(-2) + jumping[k].to - jumping[k].from, 1e-7);
    }
    snprintf(model, sizeof model,
             "%s Real u; equation u = if time < 1 then x else 3*x;"
             "der(x) = -x; der(w) = der(u); end M;",
             X);
    ends(model, "w", 3 * exp(-2) - 1, 1e-7);
    snprintf(model, sizeof model, /* both meet, where time and where x says so */
             "%s equation der(x) = -x; der(w) = der(if x > 0.5 then x else 0.5) +"
             "der(if time < 1 then x else x + (time - 1)); end M;",
             X);
    ends(model, "w", exp(-2) - 0.5, 1e-7);
    snprintf(model, sizeof model, /* a jump of x alone is one of x, not of the pieces */
             "%s Real y, u; equation u = if time < 1 then 1 else 2; y = u; x = y;"
             "der(w) = der(if time < 1.5 then x^2 else x*(x + time - 1.5)); end M;",
             "model M Real x, w(start = 0, fixed = true);");
    ends(model, "w", 4, 1e-7);
}
END_TEST

/* Parts of an expression that meet have no impulse. */
START_TEST(what_bends_is_differentiated)
{
    ends("model M Real x(start = 0, fixed = true); equation"
         " der(x) = der(if time < 1 then time else 2 - time) + der(abs(time - 1.5)); end M;",
         "x", -1, 1e-8);
}
END_TEST

/* --- drawn at random: two masses whose distance is a function of a state, with corners --- */

enum { MOST_PIECES = 4 };

typedef struct driven {
    char text[2000];
    double m1, m2, force, wave, p, v; /* p, v: of the first mass at the start */
    int pieces;
    double from[MOST_PIECES + 1], at[MOST_PIECES], slope[MOST_PIECES], bend[MOST_PIECES];
} driven;

static void draw_driven(driven *d, uint64_t *state)
{
    d->m1 = scatter_between(state, 0.5, 2), d->m2 = scatter_between(state, 0.5, 2);
    d->force = scatter_between(state, -1, 1), d->wave = scatter_between(state, -0.5, 0.5);
    d->p = 1, d->v = scatter_between(state, -1, 1);
    d->pieces = 2 + (int)scatter_below(state, MOST_PIECES - 1);
    d->from[0] = 0, d->at[0] = scatter_between(state, -1, 1);
    char all[1200] = "";
    for (int k = 0; k < d->pieces; k++) {
        char one[300];
        double width = scatter_between(state, 0.25, 0.5);
        d->slope[k] = scatter_between(state, -1, 1), d->bend[k] = scatter_between(state, -0.5, 0.5);
        d->from[k + 1] = d->from[k] + width;
        if (k + 1 < d->pieces) d->at[k + 1] = d->at[k] + width * (d->slope[k] + width * d->bend[k]);
        snprintf(one, sizeof one, "(%.17g) + (s - %.17g)*(%.17g + (s - %.17g)*(%.17g))", d->at[k],
                 d->from[k], d->slope[k], d->from[k], d->bend[k]);
        size_t length = strlen(all);
        if (k + 1 < d->pieces)
            snprintf(all + length, sizeof all - length, "if s < %.17g then %s else ",
                     d->from[k + 1], one);
        else
            snprintf(all + length, sizeof all - length, "%s", one);
    }
    snprintf(d->text, sizeof d->text,
             "model M Real s(start = 0, fixed = true), p1(start = 1, fixed = true), p2,\n"
             "  v1(start = %.17g, fixed = true), v2, L;\n"
             "equation der(s) = 1 + (%.17g)*sin(3*time); der(p1) = v1; der(p2) = v2;\n"
             "  %.17g*der(v1) = %.17g - L; %.17g*der(v2) = L; p1 - p2 = %s; end M;",
             d->v, d->wave, d->m1, d->force, d->m2, all);
}

/* p1, p2, v1 and v2 at t: the centre of mass moves as by the force, the distance as it is given. */
static void driven_at(const driven *d, double t, double *is)
{
    double s = t + d->wave * (1 - cos(3 * t)) / 3, rate = 1 + d->wave * sin(3 * t);
    int k = d->pieces - 1;
    while (s < d->from[k]) k--;
    double u = s - d->from[k], share = d->m2 / (d->m1 + d->m2);
    double g = d->at[k] + u * (d->slope[k] + u * d->bend[k]);
    double v = (d->slope[k] + 2 * u * d->bend[k]) * rate;
    double v_centre = d->v - share * d->slope[0] + d->force / (d->m1 + d->m2) * t;
    double centre = d->p - share * d->at[0] + (d->v - share * d->slope[0]) * t +
                    0.5 * d->force / (d->m1 + d->m2) * t * t;
    is[0] = centre + share * g, is[1] = centre - (1 - share) * g;
    is[2] = v_centre + share * v, is[3] = v_centre - (1 - share) * v;
}

/* After each corner the velocities jump by an impulse; positions do not, however far the located
 * state is off by the error of the step. */
START_TEST(corners_of_a_distance)
{
    static const char *const methods[] = {"auto", "bdf", "mebdf", "radau-iia5", "dopri5"};
    static const char *const names[] = {"p1", "p2", "v1", "v2"};
    static const char *const projections[] = {"auto", "none", "derivative"};
    uint64_t state = 17;
    driven d;
    for (int k = 0; k < 24; k++) {
        draw_driven(&d, &state);
        if (!is_sampled("distances", (size_t)k, 6)) continue;
        for (int way = 0; way < 30; way++) {
            dae_options o = tolerance_of(way % 2 ? 1e-3 : 1e-5);
            double is[4], y[6];
            o.method = methods[way / 6];
            o.projection = projections[way / 2 % 3];
            driven_at(&d, 2, is);
            dae_solver *solver = solver_of(d.text, &o);
            dae_status status = dae_solver_run(solver, 2);
            ck_assert_msg(status == DAE_OK, "%s, %s, %g: %s\n%s", o.method, o.projection, o.rtol,
                          dae_solver_message(solver), d.text);
            is_ok(solver, dae_solver_at(solver, 2, y, NULL));
            for (int i = 0; i < 4; i++) {
                double off = fabs(y[i + 1] - is[i]) / o.rtol;
                ck_assert_msg(off <= 3, "%s, %s, %g: %s is off by %.3g tolerances\n%s", o.method,
                              o.projection, o.rtol, names[i], off, d.text);
            }
            dae_solver_free(solver);
        }
    }
}
END_TEST

UNIT_MAIN("solve/impulses", 60, a_loop_of_capacitors_closes, a_capacitor_that_is_not_linear,
          a_current_that_is_integrated, masses_that_are_coupled, states_that_are_given,
          jumps_that_are_not_determined, states_that_miss_constraints,
          what_is_hidden_and_not_determined, what_combinations_leave, pieces_that_jump,
          what_bends_is_differentiated, corners_of_a_distance)
