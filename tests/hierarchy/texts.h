/* Classes that several tests of hierarchical models use, and their flattening. */
#ifndef TESTS_HIERARCHY_TEXTS_H
#define TESTS_HIERARCHY_TEXTS_H

#include "base/unit.h"
#include "hierarchy/hierarchy.h"

#include <daedal/daedal.h>

#define ELECTRICAL                                                                                \
    "connector Pin Real v; flow Real i; end Pin;\n"                                               \
    "partial model TwoPin Pin p, n; Real v, i; equation v = p.v - n.v; 0 = p.i + n.i; i = p.i;\n" \
    "end TwoPin;\n"                                                                               \
    "model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;\n"      \
    "model Capacitor extends TwoPin(v(start = 0, fixed = true)); parameter Real C = 1;\n"         \
    "equation C*der(v) = i; end Capacitor;\n"                                                     \
    "model Inductor extends TwoPin(i(start = 0, fixed = true)); parameter Real L = 1;\n"          \
    "equation L*der(i) = v; end Inductor;\n"                                                      \
    "model Diode extends TwoPin; parameter Real Is = 1e-6, Vt = 0.1;\n"                           \
    "equation i = Is*(exp(v/Vt) - 1) + 1e-4*v; end Diode;\n"                                      \
    "model Sine extends TwoPin; parameter Real V = 1, w = 1; equation v = V*sin(w*time); end "    \
    "Sine;\n"                                                                                     \
    "model Constant extends TwoPin; parameter Real V = 1; equation v = V; end Constant;\n"        \
    "model Ground Pin p; equation p.v = 0; end Ground;\n"

#define ROTATIONAL                                                                          \
    "connector Flange Real phi; flow Real tau; end Flange;\n"                               \
    "model Inertia Flange a, b; parameter Real J = 1; Real phi(start = 0, fixed = true);\n" \
    "Real w(start = 0, fixed = true); equation phi = a.phi; phi = b.phi; der(phi) = w;\n"   \
    "J*der(w) = a.tau + b.tau; end Inertia;\n"                                              \
    "model Gear Flange a, b; parameter Real ratio = 1; equation a.phi = ratio*b.phi;\n"     \
    "0 = ratio*a.tau + b.tau; end Gear;\n"                                                  \
    "model Friction Flange a; parameter Real d = 1; equation a.tau = d*der(a.phi); end "    \
    "Friction;\n"

typedef struct flattened {
    message m;
    hierarchy_flat flat;
    dae_status status;
} flattened;

static inline void flatten_text(flattened *f, const char *model)
{
    *f = (flattened){0};
    const model_text given = {.file = "m.mo", .bytes = model, .length = strlen(model)};
    const hierarchy_request request = {.text = &given};
    f->status = hierarchy_flatten(&request, &f->m, &f->flat);
}

static inline void close_flattened(flattened *f)
{
    hierarchy_flat_free(&f->flat);
    message_free(&f->m);
}

/* The problem of a text that must be right. */
static inline dae_problem *right_problem(const char *model)
{
    dae_problem *p = dae_problem_parse("m.mo", model, strlen(model));
    ck_assert_msg(dae_problem_status(p) == DAE_OK, "%s\n%s", dae_problem_message(p), model);
    return p;
}

#endif
