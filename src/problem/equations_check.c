#include "problem/equations_check.h"

#include "base/names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

size_t equations_length(const dae_pattern *p, size_t n)
{
    switch (p->layout) {
    case DAE_BANDED: return n * (p->lower + p->upper + 1);
    case DAE_SPARSE: return p->start[n];
    default: return n * n;
    }
}

static bool refuse(message *m, const char *form, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(message *m, const char *form, const char *format, ...)
{
    va_list arguments;
    message_fail(m, DAE_USAGE, "the %s form is wrong: ", form);
    va_start(arguments, format);
    text_format_list(&m->sentence, format, arguments);
    va_end(arguments);
    return false;
}

/* The rows of one column of a sparse pattern. */
static bool column_holds(const equations *e, const char *member, const dae_pattern *p, size_t j,
                         message *m)
{
    if (p->start[j + 1] < p->start[j])
        return refuse(m, e->form_name, "start of %s descends after column %zu", member, j);
    if (p->start[j + 1] - p->start[j] > e->n)
        return refuse(m, e->form_name, "column %zu of %s has more entries than rows", j, member);
    for (size_t k = p->start[j]; k < p->start[j + 1]; k++) {
        if (p->row[k] >= e->n)
            return refuse(m, e->form_name,
                          "row[%zu] = %zu of %s is out of range; rows count from 0 to %zu", k,
                          p->row[k], member, e->n - 1);
        if (k > p->start[j] && p->row[k] <= p->row[k - 1])
            return refuse(m, e->form_name, "the rows of column %zu of %s do not ascend", j, member);
    }
    return true;
}

static bool pattern_holds(const equations *e, const char *member, const dae_pattern *p, message *m)
{
    switch (p->layout) {
    case DAE_DENSE: return true;
    case DAE_BANDED:
        if (p->lower < e->n && p->upper < e->n) return true;
        return refuse(m, e->form_name, "%s has lower = %zu and upper = %zu diagonals, of n = %zu",
                      member, p->lower, p->upper, e->n);
    case DAE_SPARSE:
        if (!p->start || (!p->row && p->start[e->n] > 0))
            return refuse(m, e->form_name, "%s is sparse, and its %s is missing", member,
                          p->start ? "row" : "start");
        if (p->start[0] != 0)
            return refuse(m, e->form_name, "start[0] of %s is %zu, not 0", member, p->start[0]);
        for (size_t j = 0; j < e->n; j++)
            if (!column_holds(e, member, p, j, m)) return false;
        return true;
    default: return refuse(m, e->form_name, "the layout of %s is none", member);
    }
}

static bool values_hold(const equations *e, const char *member, const double *value,
                        const dae_pattern *p, message *m)
{
    size_t length = equations_length(p, e->n);
    for (size_t k = 0; k < length; k++)
        if (!isfinite(value[k]))
            return refuse(m, e->form_name, "%s[%zu] is not a finite number", member, k);
    return true;
}

static bool names_hold(const equations *e, const char *member, const char *const *name, arena *a,
                       message *m)
{
    names *known = names_create(a);
    for (size_t i = 0; name && i < e->n; i++) {
        if (!name[i] || !*name[i])
            return refuse(m, e->form_name, "%s[%zu], a name, is missing", member, i);
        uint32_t number = names_intern(known, name[i], strlen(name[i]));
        if (number != i)
            return refuse(m, e->form_name, "%s[%" PRIu32 "] and %s[%zu] are both called \"%s\"",
                          member, number, member, i, name[i]);
    }
    return true;
}

static bool about_holds(const equations *e, arena *a, message *m)
{
    const dae_about *about = equations_about(e);
    for (size_t j = 0; about->index && j < e->n; j++)
        if (about->index[j] < 1 || about->index[j] > 3)
            return refuse(m, e->form_name, "index[%zu] = %u is not 1, 2 or 3", j, about->index[j]);
    for (size_t j = 0; about->nominal && j < e->n; j++)
        if (!(about->nominal[j] > 0) || !isfinite(about->nominal[j]))
            return refuse(m, e->form_name, "nominal[%zu] = %g is not a number above 0", j,
                          about->nominal[j]);
    if (about->roots > 0 && !about->root)
        return refuse(m, e->form_name, "roots = %zu, and root is missing", about->roots);
    return names_hold(e, "variable", about->variable, a, m) &&
           names_hold(e, "equation", about->equation, a, m);
}

static bool missing(const equations *e, const char *member, message *m)
{
    return refuse(m, e->form_name, "%s is missing", member);
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
        return refuse(m, e->form_name, "constant_mass and mass are both given");
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
        return refuse(m, e->form_name,
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
        return refuse(m, e->form_name, "%s, and there is nothing to solve",
                      semi_explicit ? "nx and nz are 0" : "n = 0");
    /* A number below 0 that was turned into a size; n * n is to fit into one. */
    if (e->n > INT32_MAX || (semi_explicit && (nx > INT32_MAX || nz > INT32_MAX)))
        return refuse(m, e->form_name, "n = %zu is more than can be solved", e->n);
    return kind_holds(e, m) && about_holds(e, a, m);
}
