#include "formulation/mechanism_form.h"
#include "structure/signature.h"

#include <string.h>

void mechanism_form_evaluate(mechanism_form *f, const mechanism_part *part, double t,
                             const double *q, const double *v, double *value)
{
    f->input[0] = t;
    memcpy(f->input + 1, q, f->n * sizeof *q);
    if (v) memcpy(f->input + 1 + f->n, v, f->n * sizeof *v);
    if (part->tape)
        sym_tape_eval(part->tape, f->input, value);
    else
        sym_matrix_eval(part->matrix, f->input, value);
}

/* Callbacks of the form, by the part that each evaluates. */
#define OF_PLACE(part)                                                           \
    static int call_##part(double t, const double *q, double *value, void *user) \
    {                                                                            \
        mechanism_form *f = user;                                                \
        mechanism_form_evaluate(f, &f->part, t, q, NULL, value);                 \
        return 0;                                                                \
    }
#define OF_MOTION(part)                                                                           \
    static int call_##part(double t, const double *q, const double *v, double *value, void *user) \
    {                                                                                             \
        mechanism_form *f = user;                                                                 \
        mechanism_form_evaluate(f, &f->part, t, q, v, value);                                     \
        return 0;                                                                                 \
    }

OF_PLACE(mass)
OF_PLACE(constraint)
OF_PLACE(constraint_q)
OF_PLACE(constraint_t)
OF_PLACE(velocity)
OF_PLACE(right)
OF_MOTION(force)
OF_MOTION(force_q)
OF_MOTION(force_v)
OF_MOTION(gamma)

#undef OF_PLACE
#undef OF_MOTION

static dae_pattern pattern_of(const mechanism_form *f, const mechanism_part *part)
{
    return author_pattern_of(f->system->memory, part->matrix->pattern);
}

static void connect_motion(mechanism_form *f)
{
    dae_mechanical_form *form = &f->form;
    form->mass_pattern = pattern_of(f, &f->mass);
    if (f->mass.matrix->varying == 0)
        form->constant_mass = f->mass.matrix->numbers;
    else
        form->mass = call_mass;
    form->force = call_force;
    form->force_q = call_force_q;
    form->force_v = call_force_v;
    form->force_q_pattern = pattern_of(f, &f->force_q);
    form->force_v_pattern = pattern_of(f, &f->force_v);
}

static void connect_constraints(mechanism_form *f)
{
    dae_mechanical_form *form = &f->form;
    form->holonomic = f->found->holonomic;
    form->nonholonomic = f->m - form->holonomic;
    form->gamma = call_gamma;
    if (form->holonomic) {
        form->constraint = call_constraint;
        form->constraint_q = call_constraint_q;
        form->constraint_pattern = pattern_of(f, &f->constraint_q);
    }
    if (form->nonholonomic) {
        form->velocity_constraint = call_velocity;
        form->velocity_pattern = pattern_of(f, &f->velocity);
    }
    if (f->constraint_t.tape) form->constraint_t = call_constraint_t;
    if (f->right.tape) form->velocity_right = call_right;
}

static const char *equation_name(const mechanism_form *f, uint32_t equation, text *line)
{
    const sym_system *system = f->system;
    text_clear(line);
    sym_equation_name(system, &system->equation.item[equation], line);
    return arena_copy(system->memory, text_string(line), line->length);
}

static const char *velocity_name(const mechanism_form *f, size_t j)
{
    const mechanism *found = f->found;
    const sym_unknown *unknown = f->system->unknown.item;
    uint32_t v = found->velocity[j];
    sym own = sym_variable(f->system->graph, found->coordinate[j], 1);
    if (v != INCIDENCE_NONE && found->names->value[v] == own) return unknown[v].name;
    return arena_format(f->system->memory, "der(%s)", unknown[found->coordinate[j]].name);
}

static void name_all(mechanism_form *f, text *line)
{
    const mechanism *found = f->found;
    arena *a = f->system->memory;
    size_t n = f->n, m = f->m;
    const char **variable = arena_array(a, 2 * n + m, sizeof *variable);
    const char **equation = arena_array(a, 2 * n + m, sizeof *equation);
    for (size_t j = 0; j < n; j++) {
        variable[j] = f->system->unknown.item[found->coordinate[j]].name;
        variable[n + j] = velocity_name(f, j);
        equation[j] = found->kinematic[j] == INCIDENCE_NONE
                          ? arena_format(a, "the derivative of %s", variable[j])
                          : equation_name(f, found->kinematic[j], line);
        equation[n + j] = equation_name(f, found->motion[j], line);
    }
    for (size_t l = 0; l < m; l++) {
        equation[2 * n + l] = equation_name(f, found->constraint[l], line);
        variable[2 * n + l] = arena_format(a, "the reaction of %s", equation[2 * n + l]);
    }
    f->form.about.name = f->system->name;
    f->form.about.variable = variable;
    f->form.about.equation = equation;
}

void mechanism_form_take_nominal(mechanism_form *f)
{
    const sym_unknown *unknown = f->system->unknown.item;
    const mechanism *found = f->found;
    for (size_t j = 0; j < f->n; j++) {
        uint32_t q = found->coordinate[j], v = found->velocity[j];
        f->nominal[j] = unknown[q].nominal;
        f->nominal[f->n + j] = v == INCIDENCE_NONE ? unknown[q].nominal
                                                   : unknown[v].nominal / f->velocity_factor[j];
    }
    for (size_t l = 0; l < f->m; l++) f->nominal[2 * f->n + l] = 1;
    f->form.about.nominal = f->nominal;
}

mechanism_form *mechanism_form_create(const mechanism *found, text *line)
{
    const sym_system *system = found->names->system;
    arena *a = system->memory;
    mechanism_form *f = arena_take(a, sizeof *f);
    f->found = found;
    f->system = system;
    f->n = f->form.nq = f->form.nv = found->coordinates;
    f->m = found->constraints;
    f->form.about.user = f;
    f->input = arena_array(a, 1 + 2 * f->n, sizeof *f->input);
    f->nominal = arena_array(a, 2 * f->n + f->m, sizeof *f->nominal);
    mechanism_form_compile(f);
    connect_motion(f);
    connect_constraints(f);
    name_all(f, line);
    mechanism_form_take_nominal(f);
    return f;
}

/* Variables that were taken out are given by expressions. Equations of motion and constraints
 * remain. */
static void make_core(mechanism_lift *l)
{
    const mechanical_names *names = l->found->names;
    const sym_system *system = names->system;
    arena *a = system->memory;
    size_t unknowns = system->unknown.count, n = l->found->coordinates + l->found->constraints;
    explicit_core *core = &l->core;
    uint32_t *unknown = core->unknown = arena_array(a, n, sizeof *core->unknown);
    core->equation = arena_array(a, n, sizeof *core->equation);
    core->residual = arena_array(a, n, sizeof *core->residual);
    core->column_of = arena_array(a, unknowns, sizeof *core->column_of);
    core->value = names->value;
    core->given_by = names->given_by;
    for (uint32_t v = 0; v < unknowns; v++) {
        core->column_of[v] = INCIDENCE_NONE;
        if (names->highest[v] == MECHANICAL_ABSENT) continue;
        core->column_of[v] = (uint32_t)core->n;
        unknown[core->n++] = v;
    }
    for (uint32_t i = 0, row = 0; i < system->equation.count; i++) {
        if (names->residual[i] == SYM_NONE) continue;
        core->equation[row] = i;
        core->residual[row++] = names->residual[i];
    }
}

mechanism_lift *mechanism_lift_create(const mechanism *found)
{
    const sym_system *system = found->names->system;
    arena *a = system->memory;
    mechanism_lift *l = arena_take(a, sizeof *l);
    l->found = found;
    make_core(l);
    uint32_t *c = arena_array(a, l->core.n, sizeof *c), *d = arena_array(a, l->core.n, sizeof *d);
    for (size_t j = 0; j < l->core.n; j++) d[j] = found->names->highest[l->core.unknown[j]];
    l->p = structure_prolong(a, system->graph, &l->core, c, d);
    l->z = arena_array(a, l->p->size + 1, sizeof *l->z);
    return l;
}

void mechanism_lift_point(mechanism_lift *l, const mechanical_point *point)
{
    const mechanism *found = l->found;
    const prolongation *p = l->p;
    for (size_t j = 0; j < found->coordinates; j++) {
        double *at = l->z + p->first[p->column_of[found->coordinate[j]]];
        at[0] = point->q[j];
        at[1] = point->v[j];
        at[2] = point->vp[j];
    }
    for (size_t k = 0; k < found->constraints; k++)
        l->z[p->first[p->column_of[found->multiplier[k]]]] = point->lambda[k];
}

void mechanism_lift_to(mechanism_lift *l, const prolongation *to)
{
    const sym_system *system = l->found->names->system;
    arena *a = system->memory;
    sym *value = arena_array(a, to->size, sizeof *value);
    for (size_t j = 0; j < to->n; j++)
        for (uint32_t k = 0; k <= to->d[j]; k++)
            value[to->first[j] + k] = sym_variable(system->graph, to->unknown[j], k);
    structure_to_core(system, &l->core, to->size, value);
    l->count = to->size;
    l->all = true;
    l->known = arena_array(a, to->size, sizeof *l->known);
    author_find_known(a, l->p, l->p->d, to->size, value, l->known);
    for (size_t i = 0; i < to->size; i++) {
        l->all = l->all && l->known[i];
        if (!l->known[i]) value[i] = sym_number(system->graph, 0);
    }
    l->entries = prolongation_tape(a, l->p, to->size, value);
    arena_vectors(a, to->size + 1, (double **[]){&l->entry, NULL});
    arena_vectors(a, prolongation_inputs(l->p), (double **[]){&l->input, NULL});
}

void mechanism_lift_entries(mechanism_lift *l, double t, double *entry)
{
    l->input[0] = t;
    memcpy(l->input + 1, l->z, l->p->size * sizeof *l->z);
    sym_tape_eval(l->entries, l->input, l->entry);
    for (size_t i = 0; i < l->count; i++)
        if (l->known[i]) entry[i] = l->entry[i];
}
