#include "mechanical/mechanical.h"

#include "problem/equations.h"

#include <stdint.h>

static const char FORM[] = "mechanical";

static bool missing(message *m, const char *member)
{
    return author_missing(m, FORM, member);
}

static bool sizes_hold(const mechanical_form *f, message *m)
{
    const dae_mechanical_form *g = &f->given;
    if (f->nq == 0) return author_refuse(m, FORM, "nq = 0, and there is nothing to solve");
    /* Such large sizes may be negative numbers that were converted. The limit also makes products
     * of two sizes fit into size_t. */
    if (f->nq > INT32_MAX || f->nv > INT32_MAX || f->holonomic > INT32_MAX ||
        f->nonholonomic > INT32_MAX || f->n > INT32_MAX)
        return author_refuse(m, FORM,
                             "nq = %zu, nv = %zu, holonomic = %zu, nonholonomic = %zu are "
                             "more than can be solved",
                             g->nq, g->nv, g->holonomic, g->nonholonomic);
    if (f->nv != f->nq && !g->kinematics)
        return author_refuse(m, FORM, "nv = %zu is not nq = %zu, and kinematics is missing", f->nv,
                             f->nq);
    if (f->nv > f->nq)
        return author_refuse(
            m, FORM,
            "nv = %zu is more than nq = %zu: give each velocity a coordinate with q' = v, even if "
            "nothing depends on that coordinate",
            f->nv, f->nq);
    return true;
}

static bool constraints_hold(const mechanical_form *f, message *m)
{
    const dae_mechanical_form *g = &f->given;
    if (f->holonomic > 0 && !g->constraint) return missing(m, "constraint");
    if (f->holonomic > 0 && !g->constraint_q) return missing(m, "constraint_q");
    if (f->nonholonomic > 0 && !g->velocity_constraint) return missing(m, "velocity_constraint");
    if (f->holonomic == 0 && g->constraint)
        return author_refuse(m, FORM, "constraint is given, and holonomic = 0");
    if (f->nonholonomic == 0 && g->velocity_constraint)
        return author_refuse(m, FORM, "velocity_constraint is given, and nonholonomic = 0");
    return (f->holonomic == 0 ||
            author_pattern_holds(m, FORM, "constraint_pattern", &g->constraint_pattern,
                                 f->holonomic, f->nq)) &&
           (f->nonholonomic == 0 ||
            author_pattern_holds(m, FORM, "velocity_pattern", &g->velocity_pattern, f->nonholonomic,
                                 f->nv));
}

static bool mass_holds(const mechanical_form *f, message *m)
{
    const dae_mechanical_form *g = &f->given;
    if (g->constant_mass && g->mass)
        return author_refuse(m, FORM, "constant_mass and mass are both given");
    if (!author_pattern_holds(m, FORM, "mass_pattern", &g->mass_pattern, f->nv, f->nv))
        return false;
    return !g->constant_mass || author_values_hold(m, FORM, "constant_mass", g->constant_mass,
                                                   &g->mass_pattern, f->nv, f->nv);
}

static bool forces_hold(const mechanical_form *f, message *m)
{
    const dae_mechanical_form *g = &f->given;
    if (!g->force) return missing(m, "force");
    return author_pattern_holds(m, FORM, "kinematics_pattern", &g->kinematics_pattern, f->nq,
                                f->nv) &&
           author_pattern_holds(m, FORM, "force_q_pattern", &g->force_q_pattern, f->nv, f->nq) &&
           author_pattern_holds(m, FORM, "force_v_pattern", &g->force_v_pattern, f->nv, f->nv);
}

static bool invariants_hold(const mechanical_form *f, message *m)
{
    const dae_mechanical_form *g = &f->given;
    if (g->invariants > INT32_MAX)
        return author_refuse(m, FORM, "invariants = %zu are more than can be kept", g->invariants);
    if (g->invariants > 0 && !g->invariant) return missing(m, "invariant");
    if (g->invariants > 0) return true;
    if (g->invariant) return author_refuse(m, FORM, "invariant is given, and invariants = 0");
    return !g->invariant_gradient ||
           author_refuse(m, FORM, "invariant_gradient is given, and invariants = 0");
}

bool mechanical_form_holds(const mechanical_form *f, arena *a, message *m)
{
    if (!sizes_hold(f, m) || !forces_hold(f, m) || !mass_holds(f, m) || !constraints_hold(f, m) ||
        !invariants_hold(f, m))
        return false;
    if (f->given.about.index)
        return author_refuse(m, FORM, "index is given, and follows from the form");
    return author_about_holds(m, FORM, &f->given.about, f->n, a);
}
