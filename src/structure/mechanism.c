#include "structure/mechanism.h"

#include "structure/incidence.h"
#include "structure/mechanical_proof.h"
#include "symbolic/derive.h"

#include <string.h>

typedef enum part { MOTION, HOLONOMIC, VELOCITY } part;

typedef struct recognition {
    mechanical_names *names;
    sym_graph *g;
    arena *a;
    mechanism *form;
    uint32_t *place; /* unknowns: among the coordinates or the multipliers */
    mechanical_zeros zeros;
    LIST(uint32_t) coordinate, multiplier, equation[VELOCITY + 1];
    sym_partials partials, inner;
} recognition;

static bool is_multiplier(const recognition *r, const sym_view *leaf)
{
    return leaf->op == SYM_VARIABLE && r->names->highest[leaf->id] == 0;
}

/* Coordinates occur with their second derivatives, multipliers without any. */
static bool sort_unknowns(recognition *r)
{
    const sym_system *system = r->names->system;
    for (uint32_t v = 0; v < system->unknown.count; v++) {
        uint32_t highest = r->names->highest[v];
        if (system->unknown.item[v].parameter) return false;
        if (highest == 2) {
            r->place[v] = (uint32_t)r->coordinate.count;
            list_push(r->a, &r->coordinate, v);
        } else if (highest == 0) {
            r->place[v] = (uint32_t)r->multiplier.count;
            list_push(r->a, &r->multiplier, v);
        } else if (highest != MECHANICAL_ABSENT || r->names->given_by[v] == INCIDENCE_NONE) {
            return false;
        }
    }
    return r->coordinate.count > 0 && r->coordinate.count >= r->multiplier.count &&
           r->coordinate.count <= MECHANICAL_LARGEST;
}

static part part_of(const recognition *r, sym residual)
{
    const sym *leaf;
    size_t leaves = sym_leaves(r->g, residual, &leaf);
    part found = HOLONOMIC;
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(r->g, leaf[k]);
        if (view.order == 2 || is_multiplier(r, &view)) return MOTION;
        if (view.order == 1) found = VELOCITY;
    }
    return found;
}

static bool sort_equations(recognition *r)
{
    for (uint32_t i = 0; i < r->names->system->equation.count; i++) {
        sym residual = r->names->residual[i];
        if (residual != SYM_NONE) list_push(r->a, &r->equation[part_of(r, residual)], i);
    }
    return r->equation[MOTION].count == r->coordinate.count &&
           r->equation[HOLONOMIC].count + r->equation[VELOCITY].count == r->multiplier.count;
}

/* Whether a leaf stands in the matrices of a part, and so must enter linearly: accelerations and
 * multipliers in equations of motion, velocities in constraints of velocities. */
static bool enters(const recognition *r, part p, const sym_view *leaf)
{
    if (p == MOTION) return leaf->order == 2 || is_multiplier(r, leaf);
    return leaf->op == SYM_VARIABLE && leaf->order == (p == VELOCITY);
}

/* Whether an expression has steps, of which derivatives know nothing. */
static bool has_steps(recognition *r, sym f)
{
    const sym *node;
    size_t nodes = sym_reach(r->g, 1, &f, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_op op = sym_look(r->g, node[k]).op;
        if (op >= SYM_LESS && op <= SYM_IF) return true;
        if (op == SYM_SIGN || op == SYM_FLOOR || op == SYM_CEIL) return true;
    }
    return false;
}

/* Whether an expression is made of pieces: of what it is elsewhere, values near the start know
 * nothing. */
static bool has_pieces(recognition *r, sym f)
{
    const sym *node;
    size_t nodes = sym_reach(r->g, 1, &f, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_op op = sym_look(r->g, node[k]).op;
        if (op == SYM_MIN || op == SYM_MAX || op == SYM_ABS) return true;
    }
    return has_steps(r, f);
}

/* Matrices depend on time and coordinates alone. What seems to depend on more is remembered as a
 * derivative that must vanish; false where it depends by a step. */
static bool depends_on_place(recognition *r, sym coefficient)
{
    const sym *leaf;
    size_t leaves = sym_leaves(r->g, coefficient, &leaf), seeming = 0, known = 0;
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(r->g, leaf[k]);
        seeming += view.order > 0 || is_multiplier(r, &view);
    }
    if (seeming == 0) return true;
    sym_gradient(r->g, coefficient, &r->inner);
    for (size_t k = 0; k < r->inner.count; k++) {
        sym_view view = sym_look(r->g, r->inner.item[k].leaf);
        if (view.order == 0 && !is_multiplier(r, &view)) continue;
        known++;
        list_push(r->a, &r->zeros, ((mechanical_zero){r->inner.item[k].value, coefficient}));
    }
    return known == seeming || !has_steps(r, coefficient);
}

/* The derivatives of one equation by what enters it; false where it enters in another way. */
static bool take_row(recognition *r, part p, size_t row, sym residual)
{
    const sym *leaf;
    size_t leaves = sym_leaves(r->g, residual, &leaf), entering = 0, known = 0;
    for (size_t k = 0; k < leaves; k++) {
        sym_view view = sym_look(r->g, leaf[k]);
        entering += enters(r, p, &view);
    }
    sym_gradient(r->g, residual, &r->partials);
    for (size_t k = 0; k < r->partials.count; k++) {
        sym_view view = sym_look(r->g, r->partials.item[k].leaf);
        sym value = r->partials.item[k].value;
        if (!enters(r, p, &view)) continue;
        known++;
        if (has_pieces(r, value)) return false;
        if (p != HOLONOMIC && !depends_on_place(r, value)) return false;
        sym_entries *to = p != MOTION      ? &r->form->jacobian
                          : view.order > 0 ? &r->form->mass
                                           : &r->form->direction;
        list_push(r->a, to, ((sym_entry){row, r->place[view.id], value}));
    }
    return known > 0 && (known == entering || !has_steps(r, residual));
}

static bool take_part(recognition *r, part p, size_t first, uint32_t *equation)
{
    for (size_t k = 0; k < r->equation[p].count; k++) {
        uint32_t i = equation[first + k] = r->equation[p].item[k];
        if (!take_row(r, p, first + k, r->names->residual[i])) return false;
    }
    return true;
}

static void name_parts(recognition *r)
{
    mechanism *f = r->form;
    size_t n = f->coordinates = r->coordinate.count;
    f->constraints = r->multiplier.count;
    f->holonomic = r->equation[HOLONOMIC].count;
    f->names = r->names;
    f->coordinate = r->coordinate.item;
    f->multiplier = r->multiplier.item;
    f->velocity = arena_array(r->a, n, sizeof *f->velocity);
    f->kinematic = arena_array(r->a, n, sizeof *f->kinematic);
    f->motion = arena_array(r->a, n, sizeof *f->motion);
    f->row_scale = arena_array(r->a, n, sizeof *f->row_scale);
    f->constraint = arena_array(r->a, f->constraints, sizeof *f->constraint);
    for (size_t j = 0; j < n; j++) {
        uint32_t v = f->velocity[j] = r->names->velocity[f->coordinate[j]];
        f->kinematic[j] = v == INCIDENCE_NONE ? INCIDENCE_NONE : r->names->given_by[v];
    }
}

/* The i-th equation of motion becomes that of the i-th coordinate. */
static void order_motion(recognition *r, const uint32_t *row)
{
    mechanism *f = r->form;
    size_t n = f->coordinates;
    size_t *now = arena_array(r->a, n, sizeof *now);
    uint32_t *before = arena_array(r->a, n, sizeof *before);
    memcpy(before, f->motion, n * sizeof *before);
    for (size_t j = 0; j < n; j++) {
        now[row[j]] = j;
        f->motion[j] = before[row[j]];
    }
    for (size_t k = 0; k < f->mass.count; k++) f->mass.item[k].row = now[f->mass.item[k].row];
    for (size_t k = 0; k < f->direction.count; k++)
        f->direction.item[k].row = now[f->direction.item[k].row];
}

static const mechanism *recognise(const sym_system *system, bool constrained, bool reactions_first)
{
    arena *a = system->memory;
    recognition r = {
        .names = mechanical_names_remove(system, reactions_first), .g = system->graph, .a = a};
    mechanism *f = r.form = arena_take(a, sizeof *f);
    r.place = arena_array(a, system->unknown.count, sizeof *r.place);
    if (!sort_unknowns(&r) || (r.multiplier.count > 0) != constrained) return NULL;
    if (!sort_equations(&r)) return NULL;
    name_parts(&r);
    if (!take_part(&r, MOTION, 0, f->motion) || !take_part(&r, HOLONOMIC, 0, f->constraint) ||
        !take_part(&r, VELOCITY, f->holonomic, f->constraint))
        return NULL;
    uint32_t *row = arena_array(a, f->coordinates, sizeof *row);
    if (!mechanical_proof(f, &r.zeros, row, f->row_scale, &f->divided)) return NULL;
    order_motion(&r, row);
    return f;
}

const mechanism *structure_mechanical(const sym_system *system)
{
    const mechanism *found = recognise(system, true, false);
    return found ? found : recognise(system, true, true);
}

const mechanism *structure_unconstrained(const sym_system *system)
{
    return recognise(system, false, false);
}
