/* What structural methods cannot do, and what does not converge. */
#include "base/round_off.h"
#include "integrate/structural_parts.h"
#include "method/structural.h"

static const char *level_word(int level)
{
    return level == 3 ? "positions" : "velocities";
}

int structural_level(const problem *p)
{
    const mechanical *m = p->mechanical;
    if (m->constraints == 0 && p->level > 0) return 1;
    return p->level == 3 && m->holonomic == 0 ? 2 : p->level;
}

/* The error estimate reads accelerations. With constraints on positions these have the errors of
 * multipliers, which are an error of position divided by h^2. If such errors do not decay, each
 * change of the step adds to them, and the next steps get shorter still (Cardona & Geradin, Comput.
 * Struct. 33 (1989) 801). */
static dae_status refuse_adaptive(const problem *p, const method *which, message *m)
{
    const method_structural *s = which->structural;
    if (structural_order(s, false) < 2)
        return message_fail(m, DAE_USAGE,
                            "%s is of order 1, and error control would take about 1/rtol steps: "
                            "give a fixed step (option step), or take generalized-alpha",
                            which->name);
    if (structural_level(p) < 3 || structural_radius_at_infinity(s, 3) < 1 - ROUND_OFF_ITERATED)
        return DAE_OK;
    return message_fail(m, DAE_USAGE,
                        "%s has no error control with constraints on positions: errors of its "
                        "multipliers do not decay, and each change of the step adds to them; give "
                        "a fixed step (option step), or take formulation tangent, or "
                        "generalized-alpha with rho_inf < 1",
                        which->name);
}

dae_status structural_refuse(const problem *p, const method *which, const engine_options *options,
                             message *m)
{
    const mechanical *mech = p->mechanical;
    const method_structural *s = which->structural;
    if (!mech)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s advances mechanical systems M v' = f + G^T lambda as they are, and "
                            "these equations are not given so; take another "
                            "method, such as trapezoidal or radau-iia3",
                            which->name);
    if (p->level == 0 && s->delta != 0 && mech->form->given.kinematics)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s is corrected to order 4 where q' = v, and here q' = S v; take "
                            "fox-goodwin, of order 2",
                            which->name);
    int level = structural_level(p);
    if ((level == 3 && s->beta == 0) || (level == 2 && s->gamma == 0))
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s cannot meet constraints on %s: those of a step do not depend on "
                            "its accelerations; take formulation index1 or tangent",
                            which->name, level_word(level));
    return options->fixed_step > 0 ? DAE_OK : refuse_adaptive(p, which, m);
}

void structural_refuse_size(const structural *e, message *m)
{
    message_fail(m, DAE_UNSUPPORTED,
                 "the tangent formulation finds null spaces by dense decompositions, whose cost a "
                 "step grows with the cube of the size, and here there are %zu velocities and %zu "
                 "constraints; take generalized-alpha with formulation index3, whose matrices "
                 "are sparse",
                 e->nv, e->constraints);
}

void structural_note_level(const problem *p, const method *which, message *m)
{
    int level = structural_level(p);
    if (level < 2) return;
    double radius = structural_radius_at_infinity(which->structural, level);
    if (radius < 1 - ROUND_OFF_ITERATED) return;
    message_note(m,
                 "%s does not converge with constraints on %s: errors of the multipliers are "
                 "multiplied by %.4g in each step; formulation tangent has no such error, and "
                 "generalized-alpha with rho_inf < 1 lets it decay",
                 which->name, level_word(level), radius);
}
