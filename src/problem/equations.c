#include "problem/equations.h"

#include "problem/equations_check.h"

#include <string.h>

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

/* NULL remains NULL. */
static void *copy_array(arena *a, const void *from, size_t count, size_t size)
{
    if (!from) return NULL;
    void *copy = arena_array(a, count, size);
    if (count) memcpy(copy, from, count * size);
    return copy;
}

static const char *const *copy_names(arena *a, const char *const *from, size_t count)
{
    if (!from) return NULL;
    const char **copy = arena_array(a, count, sizeof *copy);
    for (size_t i = 0; i < count; i++) copy[i] = arena_copy(a, from[i], strlen(from[i]));
    return copy;
}

static void copy_pattern(arena *a, dae_pattern *p, size_t n)
{
    if (p->layout != DAE_SPARSE) return;
    p->row = copy_array(a, p->row, p->start[n], sizeof *p->row);
    p->start = copy_array(a, p->start, n + 1, sizeof *p->start);
}

static void copy_about(arena *a, dae_about *about, size_t n)
{
    if (about->name) about->name = arena_copy(a, about->name, strlen(about->name));
    about->variable = copy_names(a, about->variable, n);
    about->equation = copy_names(a, about->equation, n);
    about->index = copy_array(a, about->index, n, sizeof *about->index);
    about->nominal = copy_array(a, about->nominal, n, sizeof *about->nominal);
}

static size_t first_of_band(const dae_pattern *p, size_t j)
{
    return j > p->upper ? j - p->upper : 0;
}

static size_t end_of_band(const dae_pattern *p, size_t j, size_t n)
{
    return p->lower < n - j ? j + p->lower + 1 : n;
}

/* Where the entry of row i or of the k-th place of column j stands in the author's array. */
static author_matrix read_pattern(arena *a, const dae_pattern *p, size_t n)
{
    sparse_pattern *all = arena_take(a, sizeof *all);
    size_t most = equations_length(p, n), next = 0; /* of a band some are outside */
    size_t *place = arena_array(a, most, sizeof *place);
    all->rows = all->columns = n;
    all->start = arena_array(a, n + 1, sizeof *all->start);
    all->row = arena_array(a, most, sizeof *all->row);
    for (size_t j = 0; j < n; j++) {
        bool sparse = p->layout == DAE_SPARSE, banded = p->layout == DAE_BANDED;
        size_t from = sparse ? p->start[j] : banded ? first_of_band(p, j) : 0;
        size_t end = sparse ? p->start[j + 1] : banded ? end_of_band(p, j, n) : n;
        for (size_t i = from; i < end; i++) {
            all->row[next] = (sparse_index)(sparse ? p->row[i] : i);
            place[next++] = sparse   ? i
                            : banded ? j * (p->lower + p->upper + 1) + p->upper + i - j
                                     : j * n + i;
        }
        all->start[j + 1] = (sparse_index)next;
    }
    all->nonzeros = next;
    return (author_matrix){all, place, most, p->layout == DAE_DENSE};
}

/* A matrix that is constant: its nonzeros alone. */
static author_matrix read_constant(arena *a, const dae_pattern *p, size_t n, const double *from,
                                   const double **value)
{
    author_matrix all = read_pattern(a, p, n);
    sparse_pattern *kept = arena_take(a, sizeof *kept);
    size_t *place = arena_array(a, all.pattern->nonzeros, sizeof *place);
    double *held = arena_array(a, all.pattern->nonzeros, sizeof *held);
    kept->rows = kept->columns = n;
    kept->start = arena_array(a, n + 1, sizeof *kept->start);
    kept->row = arena_array(a, all.pattern->nonzeros, sizeof *kept->row);
    for (size_t j = 0; j < n; j++) {
        for (sparse_index k = all.pattern->start[j]; k < all.pattern->start[j + 1]; k++) {
            if (from[all.place[k]] == 0) continue;
            held[kept->nonzeros] = from[all.place[k]];
            place[kept->nonzeros] = all.place[k];
            kept->row[kept->nonzeros++] = all.pattern->row[k];
        }
        kept->start[j + 1] = (sparse_index)kept->nonzeros;
    }
    *value = held;
    return (author_matrix){kept, place, all.length, false};
}

/* Ones for the first `ones` unknowns, nothing for the others. */
static author_matrix identity(arena *a, size_t n, size_t ones, const double **value)
{
    size_t *start = arena_array(a, n + 1, sizeof *start), *row = arena_array(a, n, sizeof *row);
    double *one = arena_array(a, n, sizeof *one);
    for (size_t j = 0; j < n; j++) {
        row[j] = j;
        one[j] = 1;
        start[j + 1] = j < ones ? j + 1 : ones;
    }
    const dae_pattern p = {.layout = DAE_SPARSE, .start = start, .row = row};
    return read_constant(a, &p, n, one, value);
}

static void read_mass_form(equations *e, arena *a)
{
    dae_mass_form *f = &e->form.mass;
    copy_pattern(a, &f->f_pattern, e->n);
    e->slope = read_pattern(a, &f->f_pattern, e->n);
    if (!f->mass && !f->constant_mass) {
        e->mass = identity(a, e->n, e->n, &e->constant_mass);
        return;
    }
    copy_pattern(a, &f->mass_pattern, e->n);
    f->constant_mass = copy_array(a, f->constant_mass, equations_length(&f->mass_pattern, e->n),
                                  sizeof(double));
    e->mass = f->mass
                  ? read_pattern(a, &f->mass_pattern, e->n)
                  : read_constant(a, &f->mass_pattern, e->n, f->constant_mass, &e->constant_mass);
}

static void read_linear_form(equations *e, arena *a)
{
    dae_linear_form *f = &e->form.linear;
    copy_pattern(a, &f->e_pattern, e->n);
    copy_pattern(a, &f->a_pattern, e->n);
    f->e = copy_array(a, f->e, equations_length(&f->e_pattern, e->n), sizeof(double));
    f->a = copy_array(a, f->a, equations_length(&f->a_pattern, e->n), sizeof(double));
    e->mass = read_constant(a, &f->e_pattern, e->n, f->e, &e->constant_mass);
    e->slope = read_constant(a, &f->a_pattern, e->n, f->a, &e->constant_slope);
}

static void read_matrices(equations *e, arena *a)
{
    switch (e->kind) {
    case EQUATIONS_RESIDUAL:
        copy_pattern(a, &e->form.residual.y_pattern, e->n);
        copy_pattern(a, &e->form.residual.yp_pattern, e->n);
        e->slope = read_pattern(a, &e->form.residual.y_pattern, e->n);
        e->mass = read_pattern(a, &e->form.residual.yp_pattern, e->n);
        break;
    case EQUATIONS_MASS: read_mass_form(e, a); break;
    case EQUATIONS_SEMI_EXPLICIT:
        copy_pattern(a, &e->form.semi_explicit.pattern, e->n);
        e->slope = read_pattern(a, &e->form.semi_explicit.pattern, e->n);
        e->mass = identity(a, e->n, e->form.semi_explicit.nx, &e->constant_mass);
        break;
    case EQUATIONS_LINEAR: read_linear_form(e, a); break;
    case EQUATIONS_INVARIANT:
        copy_pattern(a, &e->form.invariant.f_pattern, e->n);
        e->slope = read_pattern(a, &e->form.invariant.f_pattern, e->n);
        e->mass = identity(a, e->n, e->n, &e->constant_mass);
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
    copy_about(g->a, (dae_about *)equations_about(e), e->n);
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

dae_status equations_copy(const equations **copied, arena *a, const equations *e)
{
    message m = {0};
    dae_status status = equations_create(copied, a, e->kind, &e->form, &m);
    message_free(&m);
    return status;
}
