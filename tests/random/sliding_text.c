#include "base/text.h"
#include "random/sliding.h"

#include <stdlib.h>
#include <string.h>

static const char *surface(const slide_system *s)
{
    return s->level == 2 ? "level*q" : s->level ? "level" : "0";
}

/* if the side is above then `above` else `below`, each as text. */
static void add_side(const slide_system *s, const char *name, int turned, text *t)
{
    const char *to = surface(s);
    switch (s->form) {
    case FORM_ABOVE:
        text_format(t, "(if u > %s then %s1_%d else %s0_%d)", to, name, turned, name, turned);
        return;
    case FORM_BELOW:
        text_format(t, "(if u < %s then %s0_%d else %s1_%d)", to, name, turned, name, turned);
        return;
    case FORM_NOT_ABOVE:
        text_format(t, "(if u <= %s then %s0_%d else %s1_%d)", to, name, turned, name, turned);
        return;
    case FORM_SIGN:
        text_format(t, "((%s1_%d + %s0_%d)/2 + (%s1_%d - %s0_%d)/2*sign(u - %s))", name, turned,
                    name, turned, name, turned, name, turned, to);
        return;
    case FORM_ELSEIF:
        text_format(t, "(if u > %s then %s1_%d elseif u < %s then %s0_%d else (%s1_%d + %s0_%d)/2)",
                    to, name, turned, to, name, turned, name, turned, name, turned);
        return;
    case FORM_BOOLEAN:
        text_format(t, "(if above then %s1_%d else %s0_%d)", name, turned, name, turned);
        return;
    case FORM_TWO_BOOLEANS:
        text_format(t, "(if above then %s1_%d elseif below then %s0_%d else (%s1_%d + %s0_%d)/2)",
                    name, turned, name, turned, name, turned, name, turned);
        return;
    default:
        text_format(t, "((%s1_%d + %s0_%d)/2 + (%s1_%d - %s0_%d)/2*n)", name, turned, name, turned,
                    name, turned, name, turned);
        return;
    }
}

static void add_value(const slide_system *s, const char *name, text *t)
{
    switch (s->turned) {
    case TURN_NONE: add_side(s, name, 0, t); return;
    case TURN_AND:
        text_format(t, "(if u > %s and p < turn then %s1_0 else %s0_0)", surface(s), name, name);
        return;
    case TURN_OR:
        text_format(t, "(if u > %s or time >= turn then %s1_0 else %s0_0)", surface(s), name, name);
        return;
    default: break;
    }
    text_add(t, s->turned == TURN_TIME    ? "(if time < turn then "
                : s->turned == TURN_STATE ? "(if p < turn then "
                                          : "(if k < 0.5 then ");
    add_side(s, name, 0, t);
    text_add(t, " else ");
    add_side(s, name, 1, t);
    text_add(t, ")");
}

static void add_constants(const slide_system *s, text *t)
{
    for (int turned = 0; turned < 2; turned++)
        for (int above = 0; above < 2; above++)
            text_format(t,
                        "  parameter Real a%d_%d = %.17g;\n"
                        "  parameter Real c%d_%d = %.17g;\n",
                        above, turned, s->a[turned][above], above, turned, s->c[turned][above]);
    text_format(t,
                "  parameter Real level = %.17g, turn = %.17g, drive = %.17g, slope = %.17g;\n"
                "  parameter Real swing = %.17g, w = %.17g, phase = %.17g, b = %.17g;\n",
                s->level_at, s->turn, s->drive, s->slope, s->swing, s->w, s->phase, s->b);
}

char *slide_text(const slide_system *s)
{
    text t = {0};
    const char *to = surface(s);
    text_add(&t, "model Sliding\n");
    add_constants(s, &t);
    text_format(&t,
                "  Real u(start = %.17g, fixed = true), z(start = 0, fixed = true);\n"
                "  Real p(start = 0, fixed = true), q(start = 0, fixed = true), r(start = 1, fixed "
                "= true);\n",
                s->x0 + (s->level == 1 ? s->level_at : 0));
    if (s->with_abs) text_add(&t, "  Real far;\n");
    if (s->turned == TURN_WHEN || s->turned == TURN_CROSSED)
        text_add(&t, "  discrete Real k(start = 0, fixed = true);\n");
    if (s->form == FORM_BOOLEAN || s->form == FORM_TWO_BOOLEANS)
        text_format(&t, "  Boolean above = u > %s;\n", to);
    if (s->form == FORM_TWO_BOOLEANS) text_format(&t, "  Boolean below = 2*(u - %s) < 0;\n", to);
    if (s->form == FORM_INTEGER) text_add(&t, "  Integer n;\n");
    text_add(&t, "equation\n  der(p) = 1; der(q) = w*r; der(r) = -w*q;\n");
    if (s->form == FORM_INTEGER)
        text_format(&t, "  n = if u > %s then 1 elseif u < %s then -1 else 0;\n", to, to);
    if (s->turned == TURN_WHEN) text_add(&t, "  when time >= turn then k = 1; end when;\n");
    if (s->turned == TURN_CROSSED) text_add(&t, "  when p >= turn then k = 1; end when;\n");
    if (s->with_abs) text_format(&t, "  far = abs(u - %s);\n", to);
    text_add(&t, "  der(u) = ");
    add_value(s, "a", &t);
    text_format(&t, " + drive + slope*%s + swing*%s%s;\n", s->of_states ? "p" : "time",
                s->of_states ? "q" : "sin(w*time + phase)", s->level == 2 ? " + level*w*r" : "");
    text_format(&t, "  der(z) = b*(u - %s) + ", to);
    add_value(s, "c", &t);
    text_add(&t, ";\nend Sliding;\n");
    return t.string;
}
