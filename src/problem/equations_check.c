#include "problem/equations.h"

#include <stdint.h>

const dae_about *equations_about(const equations *e)
{
    switch (e->kind) {
    case EQUATIONS_RESIDUAL: return &e->form.residual.about;
    case EQUATIONS_MASS: return &e->form.mass.about;
    case EQUATIONS_SEMI_EXPLICIT: return &e->form.semi_explicit.about;
    case EQUATIONS_LINEAR: return &e->form.linear.about;
    default: return &e->form.invariant.about;
    }
}

static bool pattern_holds(const equations *e, const char *member, const dae_pattern *p, message *m)
{
    return author_pattern_holds(m, e->form_name, member, p, e->n, e->n);
}

static bool values_hold(const equations *e, const char *member, const double *value,
                        const dae_pattern *p, message *m)
{
    return author_values_hold(m, e->form_name, member, value, p, e->n, e->n);
}

static bool missing(const equations *e, const char *member, message *m)
{
    return author_missing(m, e->form_name, member);
}

static bool residual_holds(const equations *e, message *m)
{
    const dae_residual_form *f = &e->form.residual;
    if (!f->residual) return missing(e, "residual", m);
    return pattern_holds(e, "y_pattern", &f->y_pattern, m) &&
           pattern_holds(e, "yp_pattern", &f->yp_pattern, m);
}

static bool mass_holds(const equations *e, message *m)
{
    const dae_mass_form *f = &e->form.mass;
    if (!f->f) return missing(e, "f", m);
    if (f->constant_mass && f->mass)
        return author_refuse(m, e->form_name, "constant_mass and mass are both given");
    if (f->mass_y && !f->mass) return missing(e, "mass, of which mass_y is the derivative,", m);
    if (!pattern_holds(e, "f_pattern", &f->f_pattern, m)) return false;
    if (!f->constant_mass && !f->mass) return true;
    if (!pattern_holds(e, "mass_pattern", &f->mass_pattern, m)) return false;
    return !f->constant_mass ||
           values_hold(e, "constant_mass", f->constant_mass, &f->mass_pattern, m);
}

static bool semi_explicit_holds(const equations *e, message *m)
{
    const dae_semi_explicit_form *f = &e->form.semi_explicit;
    if (f->nx > 0 && !f->f) return missing(e, "f", m);
    if (f->nz > 0 && !f->g) return missing(e, "g", m);
    return pattern_holds(e, "pattern", &f->pattern, m);
}

static bool linear_holds(const equations *e, message *m)
{
    const dae_linear_form *f = &e->form.linear;
    if (!f->e) return missing(e, "e", m);
    if (!f->a) return missing(e, "a", m);
    if (f->b_t && !f->b) return missing(e, "b, of which b_t is the derivative,", m);
    return pattern_holds(e, "e_pattern", &f->e_pattern, m) &&
           pattern_holds(e, "a_pattern", &f->a_pattern, m) &&
           values_hold(e, "e", f->e, &f->e_pattern, m) &&
           values_hold(e, "a", f->a, &f->a_pattern, m);
}

static bool invariant_holds(const equations *e, message *m)
{
    const dae_invariant_form *f = &e->form.invariant;
    if (!f->f) return missing(e, "f", m);
    if (f->invariants > 0 && !f->c && !f->c_with_yp) return missing(e, "c", m);
    if (f->c && f->c_with_yp)
        return author_refuse(m, e->form_name,
                             "c and c_with_yp are both given, and one stands for the other");
    return pattern_holds(e, "f_pattern", &f->f_pattern, m);
}

static bool kind_holds(const equations *e, message *m)
{
    switch (e->kind) {
    case EQUATIONS_RESIDUAL: return residual_holds(e, m);
    case EQUATIONS_MASS: return mass_holds(e, m);
    case EQUATIONS_SEMI_EXPLICIT: return semi_explicit_holds(e, m);
    case EQUATIONS_LINEAR: return linear_holds(e, m);
    default: return invariant_holds(e, m);
    }
}

bool equations_hold(const equations *e, arena *a, message *m)
{
    bool semi_explicit = e->kind == EQUATIONS_SEMI_EXPLICIT;
    size_t nx = e->form.semi_explicit.nx, nz = e->form.semi_explicit.nz;
    if (e->n == 0)
        return author_refuse(m, e->form_name, "%s, and there is nothing to solve",
                             semi_explicit ? "nx and nz are 0" : "n = 0");
    /* A negative number converted to size_t is that large. n * n has to fit into a size_t. */
    if (e->n > INT32_MAX || (semi_explicit && (nx > INT32_MAX || nz > INT32_MAX)))
        return author_refuse(m, e->form_name, "n = %zu is more than can be solved", e->n);
    return kind_holds(e, m) && author_about_holds(m, e->form_name, equations_about(e), e->n, a);
}
