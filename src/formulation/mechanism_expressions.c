/* The functions of a mechanism's form as expressions, compiled. */
#include "formulation/mechanism_form.h"

#include "structure/signature.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>

typedef struct making {
    const mechanism *found;
    const sym_system *system;
    sym_graph *g;
    arena *a;
    size_t n;
    mechanism_form *f;
    sym *own;                   /* n: divisors of the rows of motion, SYM_NONE for none */
    sym_entries mass, velocity; /* entries of M and A, which force_q covers */
} making;

/* Leaves that are replaced by a number: derivatives of this order and higher, and multipliers. */
typedef struct held {
    const making *m;
    uint32_t order;
    double number;
} held;

static sym replace(void *context, sym leaf)
{
    const held *h = context;
    sym_view view = sym_look(h->m->g, leaf);
    if (view.op != SYM_VARIABLE) return leaf;
    bool is_multiplier = h->m->found->names->highest[view.id] == 0;
    return view.order >= h->order || is_multiplier ? sym_number(h->m->g, h->number) : leaf;
}

static sym with(const making *m, uint32_t order, double number, sym f)
{
    held h = {m, order, number};
    sym_substitute(m->g, 1, &f, replace, &h);
    return f;
}

/* A coefficient that depends only on time and coordinates. Derivatives and multipliers that still
 * occur in it have no effect and are replaced by 1. */
static sym coefficient(const making *m, sym f)
{
    return with(m, 1, 1, f);
}

/* A term of row i of motion with the scale, sign and divisor that it has in the form. */
static sym scaled(const making *m, size_t i, double sign, sym f)
{
    f = sym_scale(m->g, sign * m->found->row_scale[i], f);
    return m->own[i] == SYM_NONE ? f : sym_divide(m->g, f, m->own[i]);
}

static void find_divisors(making *m)
{
    const sym_entries *mass = &m->found->mass;
    m->own = arena_array(m->a, m->n, sizeof *m->own);
    for (size_t i = 0; i < m->n; i++) m->own[i] = SYM_NONE;
    for (size_t k = 0; m->found->divided && k < mass->count; k++) {
        const sym_entry *one = &mass->item[k];
        if (one->row == one->column) m->own[one->row] = coefficient(m, one->value);
    }
}

static size_t slot(void *context, const sym_view *leaf)
{
    const mechanism_form *f = context;
    if (leaf->op == SYM_TIME) return 0;
    return 1 + leaf->order * f->n + f->place[leaf->id];
}

static sym_tape *list_of(const making *m, size_t count, const sym *expression)
{
    return sym_tape_compile(m->a, m->g, count, expression, 1 + 2 * m->n, slot, m->f);
}

/* A matrix with as many columns as there are coordinates. */
static sym_matrix *matrix_of(const making *m, size_t rows, const sym_entries *entries)
{
    return sym_matrix_compile(m->a, m->g, rows, m->n, entries, 1 + 2 * m->n, slot, m->f);
}

/* The force's derivatives, too. */
static void take_motion(making *m, sym *force)
{
    const mechanism *found = m->found;
    sym_entries direction = {0};
    for (size_t k = 0; k < found->mass.count; k++) {
        sym_entry one = found->mass.item[k];
        one.value = scaled(m, one.row, 1, coefficient(m, one.value));
        list_push(m->a, &m->mass, one);
    }
    for (size_t k = 0; k < found->direction.count; k++) {
        sym_entry one = found->direction.item[k];
        sym value = scaled(m, one.row, -1, coefficient(m, one.value));
        list_push(m->a, &direction, ((sym_entry){one.column, one.row, value}));
    }
    for (size_t i = 0; i < m->n; i++)
        force[i] = scaled(m, i, -1, with(m, 2, 0, found->names->residual[found->motion[i]]));
    m->f->mass.matrix = matrix_of(m, m->n, &m->mass);
    m->f->direction.matrix = matrix_of(m, m->f->m, &direction);
    m->f->force.tape = list_of(m, m->n, force);
}

static size_t by_coordinate(void *context, size_t row, const sym_view *leaf)
{
    const making *m = context;
    (void)row;
    return leaf->op == SYM_VARIABLE && leaf->order == 0 ? m->f->place[leaf->id] : SIZE_MAX;
}

static size_t by_velocity(void *context, size_t row, const sym_view *leaf)
{
    const making *m = context;
    (void)row;
    return leaf->op == SYM_VARIABLE && leaf->order == 1 ? m->f->place[leaf->id] : SIZE_MAX;
}

/* Add zero entries to force_q where an expression of the given row depends on coordinates. */
static void mark(making *m, bool *seen, size_t row, sym f, sym_entries *force_q)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(m->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(m->g, leaf[k].node);
        size_t column = by_coordinate(m, row, &view);
        if (column == SIZE_MAX || seen[row * m->n + column]) continue;
        seen[row * m->n + column] = true;
        list_push(m->a, force_q, ((sym_entry){row, column, sym_number(m->g, 0)}));
    }
}

/* force_q has zeros where M, or reactions A^T mu, depend on q. */
static void differentiate_force(making *m, const sym *force)
{
    sym_entries by_v = sym_jacobian_entries(m->a, m->g, m->n, force, by_velocity, m);
    sym_entries by_q = sym_jacobian_entries(m->a, m->g, m->n, force, by_coordinate, m);
    bool *seen = arena_array(m->a, m->n * m->n, sizeof *seen);
    for (size_t k = 0; k < by_q.count; k++)
        seen[by_q.item[k].row * m->n + by_q.item[k].column] = true;
    for (size_t k = 0; k < m->mass.count; k++)
        mark(m, seen, m->mass.item[k].row, m->mass.item[k].value, &by_q);
    for (size_t k = 0; k < m->velocity.count; k++)
        mark(m, seen, m->velocity.item[k].column, m->velocity.item[k].value, &by_q);
    m->f->force_v.matrix = matrix_of(m, m->n, &by_v);
    m->f->force_q.matrix = matrix_of(m, m->n, &by_q);
}

static sym partial_by_time(making *m, sym f, sym_partials *partials)
{
    sym_gradient(m->g, f, partials);
    for (size_t k = 0; k < partials->count; k++)
        if (sym_look(m->g, partials->item[k].leaf).op == SYM_TIME) return partials->item[k].value;
    return sym_number(m->g, 0);
}

/* A list of which one is not 0; NULL: all are. */
static sym_tape *unless_zero(const making *m, size_t count, const sym *expression)
{
    for (size_t i = 0; i < count; i++)
        if (!sym_is(m->g, expression[i], 0)) return list_of(m, count, expression);
    return NULL;
}

static void take_gradients(making *m)
{
    const mechanism *found = m->found;
    size_t holonomic = found->holonomic;
    sym_entries gradient = {0}, constraint_q = {0};
    for (size_t k = 0; k < found->jacobian.count; k++) {
        sym_entry one = found->jacobian.item[k];
        bool of_velocities = one.row >= holonomic;
        one.value = coefficient(m, one.value);
        list_push(m->a, &gradient, one);
        if (of_velocities) one.row -= holonomic;
        list_push(m->a, of_velocities ? &m->velocity : &constraint_q, one);
    }
    m->f->gradient.matrix = matrix_of(m, m->f->m, &gradient);
    m->f->constraint_q.matrix = matrix_of(m, holonomic, &constraint_q);
    m->f->velocity.matrix = matrix_of(m, m->f->m - holonomic, &m->velocity);
}

static void take_constraints(making *m)
{
    const mechanism *found = m->found;
    size_t holonomic = found->holonomic, others = found->constraints - holonomic;
    sym_partials partials = {0};
    sym *constraint = arena_array(m->a, holonomic, sizeof *constraint);
    sym *constraint_t = arena_array(m->a, holonomic, sizeof *constraint_t);
    sym *right = arena_array(m->a, others, sizeof *right);
    sym *gamma = arena_array(m->a, found->constraints, sizeof *gamma);
    for (size_t l = 0; l < found->constraints; l++) {
        sym row = found->names->residual[found->constraint[l]], rate = row;
        if (l < holonomic) {
            constraint[l] = row;
            constraint_t[l] = partial_by_time(m, row, &partials);
            rate = sym_time_derivative(m->g, row);
        } else {
            right[l - holonomic] = sym_negate(m->g, with(m, 1, 0, row));
        }
        gamma[l] = with(m, 2, 0, sym_time_derivative(m->g, rate));
    }
    take_gradients(m);
    m->f->constraint.tape = list_of(m, holonomic, constraint);
    m->f->constraint_t.tape = unless_zero(m, holonomic, constraint_t);
    m->f->right.tape = unless_zero(m, others, right);
    m->f->gamma.tape = list_of(m, found->constraints, gamma);
}

/* An equation c1 v + c2 der(x) + ... = 0 with constant coefficients defines the author's velocity
 * v. Returns the factor of der(x) in v. */
static double velocity_factor(making *m, size_t j, sym_partials *partials)
{
    const mechanism *found = m->found;
    uint32_t v = found->velocity[j];
    if (v == INCIDENCE_NONE) return 1;
    sym_gradient(m->g, found->names->value[v], partials);
    double factor = 1;
    for (size_t k = 0; k < partials->count; k++) {
        sym_view leaf = sym_look(m->g, partials->item[k].leaf);
        if (leaf.op == SYM_VARIABLE && leaf.id == found->coordinate[j] && leaf.order == 1)
            sym_is_number(m->g, partials->item[k].value, &factor);
    }
    return fabs(factor);
}

static void place_unknowns(making *m)
{
    const mechanism *found = m->found;
    sym_partials partials = {0};
    m->f->place = arena_array(m->a, m->system->unknown.count, sizeof *m->f->place);
    m->f->velocity_factor = arena_array(m->a, m->n, sizeof *m->f->velocity_factor);
    for (uint32_t j = 0; j < m->n; j++) {
        m->f->place[found->coordinate[j]] = j;
        m->f->velocity_factor[j] = velocity_factor(m, j, &partials);
    }
    for (uint32_t l = 0; l < found->constraints; l++) m->f->place[found->multiplier[l]] = l;
}

void mechanism_form_compile(mechanism_form *f)
{
    making m = {.found = f->found,
                .system = f->system,
                .g = f->system->graph,
                .a = f->system->memory,
                .n = f->n,
                .f = f};
    sym *force = arena_array(m.a, f->n, sizeof *force);
    place_unknowns(&m);
    find_divisors(&m);
    take_motion(&m, force);
    take_constraints(&m);
    differentiate_force(&m, force);
}
