#include "mechanical/mechanical_form.h"

#include "mechanical/mechanical.h"
#include "problem/equations.h"

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
    if (!mechanical_form_holds(f, g->a, g->m)) return;
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
