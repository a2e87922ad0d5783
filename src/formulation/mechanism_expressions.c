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
    mechanism_expressions *e;
    sym *own; /* n: divisors of the rows of motion, SYM_NONE for none */
} making;

/* Leaves that are replaced by a number: derivatives of this order and higher, and multipliers. */
typedef struct held {
    const making *m;
    uint32_t order;
    double number;
} held;

static bool is_multiplier(const making *m, const sym_view *leaf)
{
    return m->found->names->highest[leaf->id] == 0;
}

static sym replace(void *context, sym leaf)
{
    const held *h = context;
    sym_view view = sym_look(h->m->g, leaf);
    if (view.op != SYM_VARIABLE) return leaf;
    bool goes = view.order >= h->order || is_multiplier(h->m, &view);
    return goes ? sym_number(h->m->g, h->number) : leaf;
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

static void take_motion(making *m)
{
    const mechanism *found = m->found;
    mechanism_expressions *e = m->e;
    for (size_t k = 0; k < found->mass.count; k++) {
        sym_entry one = found->mass.item[k];
        one.value = scaled(m, one.row, 1, coefficient(m, one.value));
        list_push(m->a, &e->mass, one);
    }
    for (size_t k = 0; k < found->direction.count; k++) {
        sym_entry one = found->direction.item[k];
        sym value = scaled(m, one.row, -1, coefficient(m, one.value));
        list_push(m->a, &e->direction, ((sym_entry){one.column, one.row, value}));
    }
    e->force = arena_array(m->a, m->n, sizeof *e->force);
    for (size_t i = 0; i < m->n; i++)
        e->force[i] = scaled(m, i, -1, with(m, 2, 0, found->names->residual[found->motion[i]]));
}

static size_t by_coordinate(void *context, size_t row, const sym_view *leaf)
{
    const making *m = context;
    (void)row;
    return leaf->op == SYM_VARIABLE && leaf->order == 0 ? m->e->place[leaf->id] : SIZE_MAX;
}

static size_t by_velocity(void *context, size_t row, const sym_view *leaf)
{
    const making *m = context;
    (void)row;
    return leaf->op == SYM_VARIABLE && leaf->order == 1 ? m->e->place[leaf->id] : SIZE_MAX;
}

/* Add zero entries to force_q where an expression of the given row depends on coordinates. */
static void mark(making *m, bool *seen, size_t row, sym f)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(m->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(m->g, leaf[k].node);
        size_t column = by_coordinate(m, row, &view);
        if (column == SIZE_MAX || seen[row * m->n + column]) continue;
        seen[row * m->n + column] = true;
        list_push(m->a, &m->e->force_q, ((sym_entry){row, column, sym_number(m->g, 0)}));
    }
}

static void differentiate_force(making *m)
{
    mechanism_expressions *e = m->e;
    e->force_v = sym_jacobian_entries(m->a, m->g, m->n, e->force, by_velocity, m);
    e->force_q = sym_jacobian_entries(m->a, m->g, m->n, e->force, by_coordinate, m);
    bool *seen = arena_array(m->a, m->n * m->n, sizeof *seen);
    for (size_t k = 0; k < e->force_q.count; k++)
        seen[e->force_q.item[k].row * m->n + e->force_q.item[k].column] = true;
    for (size_t k = 0; k < e->mass.count; k++)
        mark(m, seen, e->mass.item[k].row, e->mass.item[k].value);
    for (size_t k = 0; k < e->velocity.count; k++)
        mark(m, seen, e->velocity.item[k].column, e->velocity.item[k].value);
}

static sym partial_by_time(making *m, sym f, sym_partials *partials)
{
    sym_gradient(m->g, f, partials);
    for (size_t k = 0; k < partials->count; k++)
        if (sym_look(m->g, partials->item[k].leaf).op == SYM_TIME) return partials->item[k].value;
    return sym_number(m->g, 0);
}

static void take_constraints(making *m)
{
    const mechanism *found = m->found;
    mechanism_expressions *e = m->e;
    size_t holonomic = found->holonomic, others = found->constraints - holonomic;
    sym_partials partials = {0};
    e->constraint = arena_array(m->a, holonomic, sizeof *e->constraint);
    e->constraint_t = arena_array(m->a, holonomic, sizeof *e->constraint_t);
    e->right = arena_array(m->a, others, sizeof *e->right);
    e->gamma = arena_array(m->a, found->constraints, sizeof *e->gamma);
    for (size_t l = 0; l < found->constraints; l++) {
        sym row = found->names->residual[found->constraint[l]], rate = row;
        if (l < holonomic) {
            e->constraint[l] = row;
            e->constraint_t[l] = partial_by_time(m, row, &partials);
            rate = sym_time_derivative(m->g, row);
        } else {
            e->right[l - holonomic] = sym_negate(m->g, with(m, 1, 0, row));
        }
        e->gamma[l] = with(m, 2, 0, sym_time_derivative(m->g, rate));
    }
    for (size_t k = 0; k < found->jacobian.count; k++) {
        sym_entry one = found->jacobian.item[k];
        bool of_velocities = one.row >= holonomic;
        one.value = coefficient(m, one.value);
        list_push(m->a, &e->gradient, one);
        if (of_velocities) one.row -= holonomic;
        list_push(m->a, of_velocities ? &e->velocity : &e->constraint_q, one);
    }
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
    m->e->place = arena_array(m->a, m->system->unknown.count, sizeof *m->e->place);
    m->e->velocity_factor = arena_array(m->a, m->n, sizeof *m->e->velocity_factor);
    for (uint32_t j = 0; j < m->n; j++) {
        m->e->place[found->coordinate[j]] = j;
        m->e->velocity_factor[j] = velocity_factor(m, j, &partials);
    }
    for (uint32_t l = 0; l < found->constraints; l++) m->e->place[found->multiplier[l]] = l;
}

mechanism_expressions mechanism_expressions_of(const mechanism *found)
{
    mechanism_expressions e = {0};
    const sym_system *system = found->names->system;
    making m = {.found = found,
                .system = system,
                .g = system->graph,
                .a = system->memory,
                .n = found->coordinates,
                .e = &e};
    place_unknowns(&m);
    find_divisors(&m);
    take_motion(&m);
    take_constraints(&m);
    differentiate_force(&m);
    return e;
}
