#include "problem/equations.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool missing(const equations *e, const char *member, message *m)
{
    return author_missing(m, e->row->name, member);
}

static bool take_residual(equations *e, message *m)
{
    dae_residual_form *f = &e->form.residual;
    e->calls.value[0] = (form_call){"residual", .of_two = f->residual};
    e->calls.by_y = (form_call){"jacobian", .of_both = f->jacobian};
    e->calls.by_t = (form_call){"time_derivative", .of_two = f->time_derivative};
    e->given[0] = (given_matrix){"y_pattern", .pattern = &f->y_pattern};
    e->given[1] = (given_matrix){"yp_pattern", .pattern = &f->yp_pattern};
    return f->residual || missing(e, "residual", m);
}

static bool take_mass(equations *e, message *m)
{
    dae_mass_form *f = &e->form.mass;
    e->calls.value[0] = (form_call){"f", .of_y = f->f};
    e->calls.by_y = (form_call){"f_y", .of_y = f->f_y};
    e->calls.mass = (form_call){"mass", .of_y = f->mass};
    e->calls.mass_by_y = (form_call){"mass_y", .of_two = f->mass_y};
    if (!f->mass) e->calls.by_t = (form_call){"f_t", .of_y = f->f_t}; /* not of M y' */
    e->given[0] = (given_matrix){"f_pattern", .pattern = &f->f_pattern};
    if (f->mass || f->constant_mass)
        e->given[1] = (given_matrix){"mass_pattern", &f->mass_pattern, "constant_mass",
                                     &f->constant_mass};
    if (!f->f) return missing(e, "f", m);
    if (f->constant_mass && f->mass)
        return author_refuse(m, e->row->name, "constant_mass and mass are both given");
    return !f->mass_y || f->mass || missing(e, "mass, of which mass_y is the derivative,", m);
}

static bool take_semi_explicit(equations *e, message *m)
{
    dae_semi_explicit_form *f = &e->form.semi_explicit;
    if (f->nx > 0) e->calls.value[0] = (form_call){"f", .of_two = f->f};
    if (f->nz > 0) e->calls.value[1] = (form_call){"g", .of_two = f->g};
    e->calls.by_y = (form_call){"jacobian", .of_two = f->jacobian};
    e->calls.by_t = (form_call){"time_derivative", .of_two = f->time_derivative};
    e->given[0] = (given_matrix){"pattern", .pattern = &f->pattern};
    if (f->nx > 0 && !f->f) return missing(e, "f", m);
    return f->nz == 0 || f->g || missing(e, "g", m);
}

static bool take_linear(equations *e, message *m)
{
    dae_linear_form *f = &e->form.linear;
    e->calls.value[0] = (form_call){"b", .of_t = f->b};
    e->calls.by_t = (form_call){"b_t", .of_t = f->b_t};
    e->given[0] = (given_matrix){"a_pattern", &f->a_pattern, "a", &f->a};
    e->given[1] = (given_matrix){"e_pattern", &f->e_pattern, "e", &f->e};
    if (!f->e) return missing(e, "e", m);
    if (!f->a) return missing(e, "a", m);
    return !f->b_t || f->b || missing(e, "b, of which b_t is the derivative,", m);
}

static bool take_invariant(equations *e, message *m)
{
    dae_invariant_form *f = &e->form.invariant;
    e->invariants = f->invariants;
    e->calls.value[0] = (form_call){"f", .of_y = f->f};
    e->calls.by_y = (form_call){"f_y", .of_y = f->f_y};
    e->calls.by_t = (form_call){"f_t", .of_y = f->f_t};
    e->calls.invariants = f->c ? (form_call){"c", .of_y = f->c}
                               : (form_call){"c_with_yp", .of_two = f->c_with_yp};
    e->calls.invariants_by_y = (form_call){"c_y", .of_y = f->c_y};
    e->given[0] = (given_matrix){"f_pattern", .pattern = &f->f_pattern};
    if (!f->f) return missing(e, "f", m);
    if (f->invariants > 0 && !f->c && !f->c_with_yp) return missing(e, "c", m);
    if (f->c && f->c_with_yp)
        return author_refuse(m, e->row->name,
                             "c and c_with_yp are both given, and one stands for the other");
    return true;
}

static const equations_row rows[] = {
    [EQUATIONS_RESIDUAL] = {"residual", sizeof(dae_residual_form),
                            offsetof(dae_residual_form, about), .implicit = true,
                            .take = take_residual},
    [EQUATIONS_MASS] = {"mass", sizeof(dae_mass_form), offsetof(dae_mass_form, about),
                        .take = take_mass},
    [EQUATIONS_SEMI_EXPLICIT] = {"semi_explicit", sizeof(dae_semi_explicit_form),
                                 offsetof(dae_semi_explicit_form, about),
                                 offsetof(dae_semi_explicit_form, nz), .take = take_semi_explicit},
    [EQUATIONS_LINEAR] = {"linear", sizeof(dae_linear_form), offsetof(dae_linear_form, about),
                          .take = take_linear},
    [EQUATIONS_INVARIANT] = {"invariant", sizeof(dae_invariant_form),
                             offsetof(dae_invariant_form, about), .differential = true,
                             .take = take_invariant},
};

_Static_assert(sizeof rows / sizeof *rows == EQUATIONS_KINDS, "each form has a row");

const dae_about *equations_about(const equations *e)
{
    return (const void *)((const unsigned char *)&e->form + e->row->about);
}

static size_t number_at(const void *form, size_t place)
{
    size_t number;
    memcpy(&number, (const unsigned char *)form + place, sizeof number);
    return number;
}

/* Copy the author's struct itself. */
static equations begin(equations_kind kind, const void *form)
{
    equations e = {.kind = kind, .row = &rows[kind], .split = number_at(form, 0)};
    e.n = e.split + (e.row->algebraic ? number_at(form, e.row->algebraic) : 0);
    memcpy(&e.form, form, e.row->size);
    return e;
}

static bool matrix_holds(const equations *e, const given_matrix *g, message *m)
{
    const char *form = e->row->name;
    if (!g->pattern) return true;
    if (!author_pattern_holds(m, form, g->pattern_name, g->pattern, e->n, e->n)) return false;
    return !g->value || !*g->value ||
           author_values_hold(m, form, g->value_name, *g->value, g->pattern, e->n, e->n);
}

/* Whether the form is complete and does not contradict itself, before anything is copied. */
static bool holds(equations *e, arena *a, message *m)
{
    const equations_row *row = e->row;
    if (e->n == 0)
        return author_refuse(m, row->name, "%s, and there is nothing to solve",
                             row->algebraic ? "nx and nz are 0" : "n = 0");
    /* A negative number converted to size_t is that large. n * n has to fit into a size_t. */
    if (e->n > INT32_MAX || e->n < e->split)
        return author_refuse(m, row->name, "n = %zu is more than can be solved", e->n);
    return row->take(e, m) && matrix_holds(e, &e->given[0], m) &&
           matrix_holds(e, &e->given[1], m) &&
           author_about_holds(m, row->name, equations_about(e), e->n, a);
}

/* Copy a matrix of the form, and read it. */
static author_matrix read_matrix(const equations *e, arena *a, const given_matrix *g,
                                 const double **constant)
{
    if (!g->pattern) return author_matrix_identity(a, e->n, e->split, constant);
    author_copy_pattern(a, g->pattern, e->n);
    if (!g->value || !*g->value) return author_matrix_read(a, g->pattern, e->n, e->n);
    *g->value = arena_duplicate(a, *g->value, author_matrix_length(g->pattern, e->n, e->n),
                                sizeof **g->value);
    return author_matrix_constant(a, g->pattern, e->n, e->n, *g->value, constant);
}

static const char *const *default_names(const equations *e, arena *a)
{
    const char **name = arena_array(a, e->n, sizeof *name);
    char first = e->row->algebraic ? 'x' : 'y';
    for (size_t j = 0; j < e->n; j++)
        name[j] = j < e->split ? arena_format(a, "%c%zu", first, j + 1)
                               : arena_format(a, "z%zu", j - e->split + 1);
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
    *e = begin(g->kind, g->form);
    if (!holds(e, g->a, g->m)) return;
    author_copy_about(g->a, (dae_about *)equations_about(e), e->n);
    e->jacobian = read_matrix(e, g->a, &e->given[0], &e->constant_jacobian);
    e->mass = read_matrix(e, g->a, &e->given[1], &e->constant_mass);
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
    if (arena_protect(a, make, &g) != DAE_OK)
        return equations_out_of_memory(begin(kind, form).n, m);
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
