#include "problem/equations.h"

static const char *const form_names[] = {"residual", "mass", "semi_explicit", "linear",
                                         "invariant"};

static void take_form(equations *e, const void *form)
{
    e->form_name = form_names[e->kind];
    switch (e->kind) {
    case EQUATIONS_RESIDUAL:
        e->form.residual = *(const dae_residual_form *)form;
        e->n = e->form.residual.n;
        break;
    case EQUATIONS_MASS:
        e->form.mass = *(const dae_mass_form *)form;
        e->n = e->form.mass.n;
        break;
    case EQUATIONS_SEMI_EXPLICIT:
        e->form.semi_explicit = *(const dae_semi_explicit_form *)form;
        e->n = e->form.semi_explicit.nx + e->form.semi_explicit.nz;
        break;
    case EQUATIONS_LINEAR:
        e->form.linear = *(const dae_linear_form *)form;
        e->n = e->form.linear.n;
        break;
    case EQUATIONS_INVARIANT:
        e->form.invariant = *(const dae_invariant_form *)form;
        e->n = e->form.invariant.n;
        e->invariants = e->form.invariant.invariants;
        break;
    }
}

static void read_mass_form(equations *e, arena *a)
{
    dae_mass_form *f = &e->form.mass;
    author_copy_pattern(a, &f->f_pattern, e->n);
    e->jacobian = author_matrix_read(a, &f->f_pattern, e->n, e->n);
    if (!f->mass && !f->constant_mass) {
        e->mass = author_matrix_identity(a, e->n, e->n, &e->constant_mass);
        return;
    }
    author_copy_pattern(a, &f->mass_pattern, e->n);
    f->constant_mass = author_copy_array(
        a, f->constant_mass, author_matrix_length(&f->mass_pattern, e->n, e->n), sizeof(double));
    e->mass = f->mass ? author_matrix_read(a, &f->mass_pattern, e->n, e->n)
                      : author_matrix_constant(a, &f->mass_pattern, e->n, e->n, f->constant_mass,
                                               &e->constant_mass);
}

static void read_linear_form(equations *e, arena *a)
{
    dae_linear_form *f = &e->form.linear;
    author_copy_pattern(a, &f->e_pattern, e->n);
    author_copy_pattern(a, &f->a_pattern, e->n);
    f->e = author_copy_array(a, f->e, author_matrix_length(&f->e_pattern, e->n, e->n),
                             sizeof(double));
    f->a = author_copy_array(a, f->a, author_matrix_length(&f->a_pattern, e->n, e->n),
                             sizeof(double));
    e->mass = author_matrix_constant(a, &f->e_pattern, e->n, e->n, f->e, &e->constant_mass);
    e->jacobian = author_matrix_constant(a, &f->a_pattern, e->n, e->n, f->a, &e->constant_jacobian);
}

static void read_matrices(equations *e, arena *a)
{
    switch (e->kind) {
    case EQUATIONS_RESIDUAL:
        author_copy_pattern(a, &e->form.residual.y_pattern, e->n);
        author_copy_pattern(a, &e->form.residual.yp_pattern, e->n);
        e->jacobian = author_matrix_read(a, &e->form.residual.y_pattern, e->n, e->n);
        e->mass = author_matrix_read(a, &e->form.residual.yp_pattern, e->n, e->n);
        break;
    case EQUATIONS_MASS: read_mass_form(e, a); break;
    case EQUATIONS_SEMI_EXPLICIT:
        author_copy_pattern(a, &e->form.semi_explicit.pattern, e->n);
        e->jacobian = author_matrix_read(a, &e->form.semi_explicit.pattern, e->n, e->n);
        e->mass = author_matrix_identity(a, e->n, e->form.semi_explicit.nx, &e->constant_mass);
        break;
    case EQUATIONS_LINEAR: read_linear_form(e, a); break;
    case EQUATIONS_INVARIANT:
        author_copy_pattern(a, &e->form.invariant.f_pattern, e->n);
        e->jacobian = author_matrix_read(a, &e->form.invariant.f_pattern, e->n, e->n);
        e->mass = author_matrix_identity(a, e->n, e->n, &e->constant_mass);
        break;
    }
}

static const char *const *default_names(const equations *e, arena *a)
{
    const char **name = arena_array(a, e->n, sizeof *name);
    bool split = e->kind == EQUATIONS_SEMI_EXPLICIT;
    size_t nx = split ? e->form.semi_explicit.nx : e->n;
    for (size_t j = 0; j < e->n; j++)
        name[j] = j < nx ? arena_format(a, "%c%zu", split ? 'x' : 'y', j + 1)
                         : arena_format(a, "z%zu", j - nx + 1);
    return name;
}

static void describe(equations *e, arena *a)
{
    const dae_about *about = equations_about(e);
    unsigned char *index = arena_array(a, e->n, sizeof *index);
    double *nominal = arena_array(a, e->n, sizeof *nominal);
    for (size_t j = 0; j < e->n; j++) {
        index[j] = about->index ? about->index[j] : 1;
        nominal[j] = about->nominal ? about->nominal[j] : 1;
    }
    e->index = index;
    e->nominal = nominal;
    e->name = about->name ? about->name : "the problem";
    e->variable = about->variable ? about->variable : default_names(e, a);
    e->equation = about->equation;
    e->detect_pattern = about->detect_pattern;
    e->user = about->user;
    e->stop = arena_take(a, sizeof *e->stop);
}

typedef struct making {
    arena *a;
    message *m;
    equations_kind kind;
    const void *form;
    const equations *made;
} making;

static void make(void *argument)
{
    making *g = argument;
    equations *e = arena_take(g->a, sizeof *e);
    e->kind = g->kind;
    take_form(e, g->form);
    if (!equations_hold(e, g->a, g->m)) return;
    author_copy_about(g->a, (dae_about *)equations_about(e), e->n);
    read_matrices(e, g->a);
    describe(e, g->a);
    g->made = e;
}

dae_status equations_out_of_memory(size_t n, message *m)
{
    enum { LARGE = 1000 };
    message_fail(m, DAE_NO_MEMORY, "memory is exhausted");
    if (n >= LARGE)
        message_more(m,
                     ": without a pattern a matrix of %zu equations is taken for dense\n  remedy: "
                     "give the patterns of sparse ones (dae_pattern)",
                     n);
    return m->status;
}

dae_status equations_create(const equations **created, arena *a, equations_kind kind,
                            const void *form, message *m)
{
    making g = {.a = a, .m = m, .kind = kind, .form = form};
    if (arena_protect(a, make, &g) != DAE_OK) {
        equations known = {.kind = kind};
        take_form(&known, form);
        return equations_out_of_memory(known.n, m);
    }
    *created = g.made;
    return m->status;
}

void equations_share_stop(const equations *e, stop_request *stop)
{
    ((equations *)e)->stop = stop; /* made by equations_create(), and not const there */
}

dae_status equations_copy(const equations **copied, arena *a, const equations *e)
{
    message m = {0};
    dae_status status = equations_create(copied, a, e->kind, &e->form, &m);
    message_free(&m);
    return status;
}
