/* Impulses of charge in small units: a converter with inductance, capacitance and time in the unit
 * u has at the time u t the currents and voltages that it has at t with u = 1. */
#include "solve/models.h"

#include <math.h>
#include <stdio.h>

typedef struct part {
    const char *declares, *equations;
} part;

/* Each with one diode, of voltage vd and current id, that a switch forces to block or conduct. */
static const part CELL[] = {
    /* boost: the switch would short the capacitor through the diode */
    {"Real i(start = 0.1, fixed = true), vl;", "L*der(i) = vl; vl = 1 - vs; vd = vs - v;"
                                               "i = is + id; C*der(v) = id - g*v;"},
    /* buck-boost */
    {"Real i(start = 0.1, fixed = true), vl;", "L*der(i) = vl; vl = -vd - v; vs = 1 - vl;"
                                               "i = is + id; C*der(v) = id - g*v;"},
    /* flyback, with n turns per turn */
    {"Real i(start = 0.1, fixed = true), vl;",
     "L*der(i) = vl; vs = 1 - vl;"
     "vd = -n*vl - v; i = is + n*id; C*der(v) = id - g*v;"},
    /* a second capacitor gives charge through the diode, or keeps it */
    {"Real w(start = 0.1, fixed = true);", "L*der(w) = 1.4 - w - is; is = id;"
                                           "w - v = vs + vd; C*der(v) = id + 0.3 - g*v;"},
    /* the same, the other way around */
    {"Real w(start = 0.7, fixed = true);", "L*der(w) = 1.4 - w - is; is = -id;"
                                           "v - w = vd - vs; C*der(v) = 0.3 - id - g*v;"}};

static const part DIODE[] = {
    {"Boolean off = s < 0;", "vd = if off then s else 0; id = if off then 0 else s;"},
    {"", "vd = if s > 0 then 0 else s; id = if s > 0 then s else 0;"},
    {"", "min(id, -vd) = 0; s = id;"}};

enum { CELLS = sizeof CELL / sizeof *CELL, DIODES = sizeof DIODE / sizeof *DIODE };

typedef struct cell {
    double inductance, capacitance, conductance, turns, opens, closes;
    size_t kind, diode;
} cell;

static cell drawn(uint64_t *seed, size_t kind, size_t diode)
{
    return (cell){.inductance = scatter_between(seed, 0.5, 2),
                  .capacitance = scatter_between(seed, 0.5, 3),
                  .conductance = scatter_between(seed, 0, 0.5),
                  .turns = scatter_between(seed, 0.5, 2),
                  .opens = scatter_between(seed, 0.3, 0.8),
                  .closes = scatter_between(seed, 0.9, 1.6),
                  .kind = kind,
                  .diode = diode};
}

static double end_in_unit(const cell *c, double unit)
{
    char model[1200];
    dae_options options = tolerance_of(1e-9);
    snprintf(model, sizeof model,
             "model M parameter Real L = %.17g, C = %.17g, g = %.17g, n = %.17g, u = %g;\n"
             "Real v(start = 0.2, fixed = true), vd, id, vs, is, s;\n"
             "Boolean on = time < %.17g*u or time > %.17g*u;\n%s %s\n"
             "equation 0 = if on then vs else is;\n%s\n%s\nend M;",
             c->inductance * unit, c->capacitance * unit, c->conductance, c->turns, unit, c->opens,
             c->closes, CELL[c->kind].declares, DIODE[c->diode].declares, CELL[c->kind].equations,
             DIODE[c->diode].equations);
    return end_of(model, &options, 2 * unit, "v");
}

START_TEST(converters)
{
    static const double UNIT[] = {1e-3, 1e-6, 1e-9};
    uint64_t seed = 7;
    for (size_t k = 0; k < (size_t)CELLS * DIODES; k++) {
        cell c = drawn(&seed, k % CELLS, k / CELLS);
        double wanted = end_in_unit(&c, 1);
        for (size_t i = 0; i < sizeof UNIT / sizeof *UNIT; i++) {
            double found = end_in_unit(&c, UNIT[i]);
            ck_assert_msg(fabs(found - wanted) < 1e-7,
                          "cell %zu, diode %zu: %.12g in %g, not %.12g", c.kind, c.diode, found,
                          UNIT[i], wanted);
        }
    }
}
END_TEST

UNIT_MAIN("solve/impulse_units", 60, converters)
