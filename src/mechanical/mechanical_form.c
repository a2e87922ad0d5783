#include "mechanical/mechanical_form.h"

#include "problem/equations.h"

#include <stdint.h>

/* Whether a form is complete and does not contradict itself, before anything is copied. */

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

static bool form_holds(const mechanical_form *f, arena *a, message *m)
{
    if (!sizes_hold(f, m) || !forces_hold(f, m) || !mass_holds(f, m) || !constraints_hold(f, m) ||
        !invariants_hold(f, m))
        return false;
    if (f->given.about.index)
        return author_refuse(m, FORM, "index is given, and follows from the form");
    return author_about_holds(m, FORM, &f->given.about, f->n, a);
}

static void take_sizes(mechanical_form *f, const dae_mechanical_form *given)
{
    f->given = *given;
    f->nq = given->nq;
    f->nv = given->nv > 0 ? given->nv : given->nq;
    f->holonomic = given->holonomic;
    f->nonholonomic = given->nonholonomic;
    f->constraints = f->holonomic + f->nonholonomic;
    f->n = f->nq + f->nv + f->constraints;
}

static void copy_mass(mechanical_form *f, arena *a)
{
    dae_mechanical_form *g = &f->given;
    author_copy_pattern(a, &g->mass_pattern, f->nv);
    if (g->mass) {
        f->mass = author_matrix_read(a, &g->mass_pattern, f->nv, f->nv);
    } else if (g->constant_mass) {
        size_t length = author_matrix_length(&g->mass_pattern, f->nv, f->nv);
        g->constant_mass = arena_duplicate(a, g->constant_mass, length, sizeof(double));
        f->mass = author_matrix_constant(a, &g->mass_pattern, f->nv, f->nv, g->constant_mass,
                                         &f->constant_mass);
    } else {
        f->mass = author_matrix_identity(a, f->nv, f->nv, &f->constant_mass);
    }
}

static author_matrix copy_pattern(arena *a, dae_pattern *p, size_t rows, size_t columns)
{
    if (rows == 0) *p = (dae_pattern){0}; /* the author's pattern is ignored */
    author_copy_pattern(a, p, columns);
    return author_matrix_read(a, p, rows, columns);
}

static void copy_matrices(mechanical_form *f, arena *a)
{
    dae_mechanical_form *g = &f->given;
    copy_mass(f, a);
    if (g->kinematics)
        f->kinematics = copy_pattern(a, &g->kinematics_pattern, f->nq, f->nv);
    else
        g->kinematics_pattern = (dae_pattern){0};
    f->stiffness = copy_pattern(a, &g->force_q_pattern, f->nv, f->nq);
    f->damping = copy_pattern(a, &g->force_v_pattern, f->nv, f->nv);
    f->position = copy_pattern(a, &g->constraint_pattern, f->holonomic, f->nq);
    f->velocity = copy_pattern(a, &g->velocity_pattern, f->nonholonomic, f->nv);
}

static const char *const *default_names(const mechanical_form *f, arena *a)
{
    const char **name = arena_array(a, f->n, sizeof *name);
    for (size_t j = 0; j < f->n; j++)
        name[j] = j < f->nq           ? arena_format(a, "q%zu", j + 1)
                  : j < f->nq + f->nv ? arena_format(a, "v%zu", j - f->nq + 1)
                                      : arena_format(a, "lambda%zu", j - f->nq - f->nv + 1);
    return name;
}

static void describe(mechanical_form *f, arena *a)
{
    const dae_about *about = &f->given.about;
    f->nominal = arena_array(a, f->n, sizeof *f->nominal);
    for (size_t j = 0; j < f->n; j++) f->nominal[j] = about->nominal ? about->nominal[j] : 1;
    f->name = about->name ? about->name : "the problem";
    f->variable = about->variable ? about->variable : default_names(f, a);
    f->equation = about->equation;
    f->user = about->user;
    f->stop = arena_take(a, sizeof *f->stop);
    f->reported = arena_take(a, sizeof *f->reported);
    f->reported->q = arena_array(a, f->nq, sizeof *f->reported->q);
}

typedef struct making {
    arena *a;
    message *m;
    const dae_mechanical_form *given;
    const mechanical_form *made;
} making;

static void make(void *argument)
{
    making *g = argument;
    mechanical_form *f = arena_take(g->a, sizeof *f);
    take_sizes(f, g->given);
    if (!form_holds(f, g->a, g->m)) return;
    author_copy_about(g->a, &f->given.about, f->n);
    copy_matrices(f, g->a);
    describe(f, g->a);
    g->made = f;
}

dae_status mechanical_form_create(const mechanical_form **created, arena *a,
                                  const dae_mechanical_form *given, message *m)
{
    making g = {.a = a, .m = m, .given = given};
    mechanical_form known = {0};
    take_sizes(&known, given);
    if (arena_protect(a, make, &g) != DAE_OK) return equations_out_of_memory(known.n, m);
    *created = g.made;
    return m->status;
}
