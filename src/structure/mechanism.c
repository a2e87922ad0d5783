#include "structure/mechanism.h"

#include "structure/signature.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first part tests by numbers whether multipliers act along the constraints' gradients and
 * whether inertia is symmetric. */

enum { SAMPLES = 6, TRIES = 60 };

/* Relative size below which a value counts as zero. */
static const double ZERO = 1e-8;

typedef enum part { MOTION, HOLONOMIC, VELOCITY } part;

typedef struct recognition {
    mechanical_names *names;
    const sym_system *system;
    sym_graph *g;
    arena *a;
    mechanism *form;
    uint32_t *place; /* unknowns: place among the coordinates or the multipliers */
    LIST(sym) zeros; /* expressions that must vanish, each before one to compare its size with */
    LIST(uint32_t) coordinate, multiplier, equation[VELOCITY + 1];
    sym_partials partials, inner;
    /* of the samples: */
    size_t n, m; /* coordinates, constraints */
    size_t inputs;
    double *input, *nonzero, *zero;
    sym_matrix *mass, *direction, *jacobian;
    sym_tape *vanishing;
    uint64_t state; /* of the random numbers */
    mechanical_sample at[SAMPLES];
} recognition;

/* Numbers between -1 and 1, the same on every machine (Steele, Lea & Flood, OOPSLA 2014). */
static double scatter(recognition *p)
{
    uint64_t x = p->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Inputs are time, then q, q', q'' and the multipliers. */
static size_t slot(void *context, const sym_view *leaf)
{
    const recognition *p = context;
    if (leaf->op == SYM_TIME) return 0;
    bool multiplier = p->form->names->highest[leaf->id] == 0;
    return 1 + (multiplier ? 3 : leaf->order) * p->n + p->place[leaf->id];
}

static void choose_point(recognition *p, double radius)
{
    const dae_experiment *e = &p->system->experiment;
    p->input[0] = (e->has_start ? e->start : 0) + radius * (1 + scatter(p));
    for (size_t j = 0; j < p->n; j++) {
        const sym_unknown *u = &p->system->unknown.item[p->form->coordinate[j]];
        p->input[1 + j] = u->start + radius * fmax(u->nominal, fabs(u->start)) * scatter(p);
        p->input[1 + p->n + j] = u->nominal * (1 + scatter(p) / 2);
        p->input[1 + 2 * p->n + j] = u->nominal * (1 + scatter(p) / 2);
    }
    for (size_t l = 0; l < p->m; l++) p->input[1 + 3 * p->n + l] = 1 + scatter(p) / 2;
}

/* The entries of a matrix, by rows; false if one is not finite. */
static bool evaluate(recognition *p, const sym_matrix *matrix, double *value)
{
    const sparse_pattern *of = matrix->pattern;
    sym_matrix_eval(matrix, p->input, p->nonzero);
    memset(value, 0, of->rows * of->columns * sizeof *value);
    for (size_t j = 0; j < of->columns; j++) {
        for (sparse_index k = of->start[j]; k < of->start[j + 1]; k++) {
            value[(size_t)of->row[k] * of->columns + j] = p->nonzero[k];
            if (!isfinite(p->nonzero[k])) return false;
        }
    }
    return true;
}

static bool all_vanish(recognition *p)
{
    sym_tape_eval(p->vanishing, p->input, p->zero);
    for (size_t k = 0; k < p->zeros.count; k += 2)
        if (!(fabs(p->zero[k]) <= ZERO * fabs(p->zero[k + 1]))) return false;
    return true;
}

/* Discrete variables may have other values later. */
static void choose_cells(recognition *p, const double *value)
{
    for (uint32_t i = 0; i < sym_cell_count(p->g); i++)
        sym_set_cell(p->g, i, (value[i] == 0 ? 1 : value[i]) * (1 + scatter(p) / 2));
}

/* Take points near the start at which all values are finite. If they are not, points move
 * nearer. */
static bool take_points(recognition *p, const double *cell)
{
    double radius = 0.5;
    size_t taken = 0;
    for (int k = 0; k < TRIES && taken < SAMPLES; k++) {
        mechanical_sample *s = &p->at[taken];
        choose_point(p, radius);
        choose_cells(p, cell);
        if (evaluate(p, p->mass, s->mass) && evaluate(p, p->direction, s->direction) &&
            evaluate(p, p->jacobian, s->jacobian)) {
            if (!all_vanish(p)) return false;
            taken++;
        } else {
            radius /= 2;
        }
    }
    return taken == SAMPLES;
}

static bool take_samples(recognition *p)
{
    size_t count = sym_cell_count(p->g);
    double *cell = arena_array(p->a, count, sizeof *cell);
    if (count) memcpy(cell, sym_cell_values(p->g), count * sizeof *cell);
    bool taken = take_points(p, cell);
    if (count) memcpy(sym_cell_values(p->g), cell, count * sizeof *cell);
    return taken;
}

/* Assign an equation of motion to each coordinate, so that the product of the entries M_ii is
 * largest. A positive definite matrix has the largest product on its diagonal, among all
 * permutations and whatever the scales of its rows, because M_ij^2 < M_ii M_jj. */
static bool assign_rows(recognition *p, uint32_t *row)
{
    static const double STEPS = 1e4; /* steps of the logarithm as an integer */
    size_t n = p->n;
    const double *mass = p->at[0].mass;
    incidence in = {.rows = n, .columns = n};
    in.start = arena_array(p->a, n + 1, sizeof *in.start);
    in.column = arena_array(p->a, n * n, sizeof *in.column);
    in.order = arena_array(p->a, n * n, sizeof *in.order);
    for (size_t i = 0; i < n; i++) {
        size_t next = in.start[i];
        for (size_t j = 0; j < n; j++) {
            if (mass[i * n + j] == 0) continue;
            in.column[next] = (uint32_t)j;
            in.order[next++] = (uint32_t)(STEPS * (1100 + log2(fabs(mass[i * n + j]))));
        }
        in.start[i + 1] = next;
    }
    signature *best = structure_signature(p->a, &in, NULL);
    if (!best->regular) return false;
    for (uint32_t i = 0; i < n; i++) row[best->match[i]] = i;
    return true;
}

static void reorder(recognition *p, const uint32_t *row, size_t columns, double *matrix,
                    double *copy)
{
    memcpy(copy, matrix, p->n * columns * sizeof *copy);
    for (size_t i = 0; i < p->n; i++)
        memcpy(&matrix[i * columns], &copy[row[i] * columns], columns * sizeof *copy);
}

static void compile(recognition *p)
{
    const mechanism *f = p->form;
    sym_graph *g = p->g;
    p->mass = sym_matrix_compile(p->a, g, p->n, p->n, &f->mass, p->inputs, slot, p);
    p->direction = sym_matrix_compile(p->a, g, p->n, p->m, &f->direction, p->inputs, slot, p);
    p->jacobian = sym_matrix_compile(p->a, g, p->m, p->n, &f->jacobian, p->inputs, slot, p);
    p->vanishing = sym_tape_compile(p->a, g, p->zeros.count, p->zeros.item, p->inputs, slot, p);
    size_t nonzeros = p->n;
    const sym_matrix *all[] = {p->mass, p->direction, p->jacobian};
    for (size_t k = 0; k < 3; k++)
        if (all[k]->pattern->nonzeros > nonzeros) nonzeros = all[k]->pattern->nonzeros;
    p->nonzero = arena_array(p->a, nonzeros, sizeof *p->nonzero);
    p->zero = arena_array(p->a, p->zeros.count, sizeof *p->zero);
}

/* Divide the rows of motion by the coefficients of their own accelerations. */
static void divide_rows(recognition *p)
{
    for (size_t k = 0; k < SAMPLES; k++) {
        mechanical_sample *s = &p->at[k];
        for (size_t i = 0; i < p->n; i++) {
            double own = s->mass[i * p->n + i];
            if (own == 0) continue;
            for (size_t j = 0; j < p->n; j++) s->mass[i * p->n + j] /= own;
            for (size_t l = 0; l < p->m; l++) s->direction[i * p->m + l] /= own;
        }
    }
}

/* Test a form of which everything but row scales and the order of motion equations is known. True:
 * it is mechanical, and has its scales. Then row[i] (coordinates) is the motion equation, in the
 * order so far, that belongs to coordinate i. In the system's arena, under its protection. */
static bool mechanical_proof(recognition *p, uint32_t *row)
{
    mechanism *form = p->form;
    size_t n = p->n = form->coordinates, m = p->m = form->constraints;
    p->state = 1;
    p->inputs = 1 + 3 * n + m;
    p->input = arena_array(p->a, p->inputs, sizeof *p->input);
    for (size_t k = 0; k < SAMPLES; k++) {
        p->at[k].mass = arena_array(p->a, n * n, sizeof *p->at[k].mass);
        p->at[k].direction = arena_array(p->a, n * m, sizeof *p->at[k].direction);
        p->at[k].jacobian = arena_array(p->a, m * n, sizeof *p->at[k].jacobian);
    }
    compile(p);
    if (!take_samples(p) || !assign_rows(p, row)) return false;
    double *copy = arena_array(p->a, n * n, sizeof *copy);
    for (size_t k = 0; k < SAMPLES; k++) {
        reorder(p, row, n, p->at[k].mass, copy);
        reorder(p, row, m, p->at[k].direction, copy);
    }
    form->divided = !mechanical_scale(p->a, n, m, SAMPLES, p->at, form->row_scale);
    if (!form->divided) return true;
    divide_rows(p);
    return mechanical_scale(p->a, n, m, SAMPLES, p->at, form->row_scale);
}

static bool is_multiplier(const recognition *r, const sym_leaf *leaf)
{
    return r->names->highest[leaf->id] == 0;
}

/* Sort the unknowns: coordinates occur with second derivatives, multipliers without derivatives. */
static bool sort_unknowns(recognition *r)
{
    const sym_system *system = r->system;
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
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(r->g, residual, &leaf);
    part found = HOLONOMIC;
    for (size_t k = 0; k < leaves; k++) {
        if (leaf[k].order == 2 || is_multiplier(r, &leaf[k])) return MOTION;
        if (leaf[k].order == 1) found = VELOCITY;
    }
    return found;
}

static bool sort_equations(recognition *r)
{
    for (uint32_t i = 0; i < r->system->equation.count; i++) {
        sym residual = r->names->residual[i];
        if (residual != SYM_NONE) list_push(r->a, &r->equation[part_of(r, residual)], i);
    }
    return r->equation[MOTION].count == r->coordinate.count &&
           r->equation[HOLONOMIC].count + r->equation[VELOCITY].count == r->multiplier.count;
}

/* Whether a leaf belongs to the matrices of a part, and so must enter linearly: accelerations and
 * multipliers in equations of motion, velocities in velocity constraints. */
static bool enters(const recognition *r, part p, const sym_leaf *leaf)
{
    if (p == MOTION) return leaf->order == 2 || is_multiplier(r, leaf);
    return leaf->order == (p == VELOCITY);
}

/* Steps are what derivatives do not show. */
static bool is_step(sym_op op)
{
    return (op >= SYM_LESS && op <= SYM_IF) || op == SYM_SIGN || op == SYM_FLOOR ||
           op == SYM_CEIL || op == SYM_INTERVAL;
}

static bool is_place(const recognition *r, const sym_leaf *leaf)
{
    return leaf->order == 0 && !is_multiplier(r, leaf);
}

/* Matrices may depend on time and coordinates only. For a seeming dependence on more, the
 * derivative is stored as one that must vanish. False if the dependence is a step. */
static bool depends_on_place(recognition *r, sym coefficient)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(r->g, coefficient, &leaf), seeming = 0, known = 0;
    for (size_t k = 0; k < leaves; k++) seeming += !is_place(r, &leaf[k]);
    if (seeming == 0) return true;
    sym_gradient(r->g, coefficient, &r->inner);
    for (size_t k = 0; k < r->inner.count; k++) {
        sym_leaf by;
        if (!sym_as_leaf(r->g, r->inner.item[k].leaf, &by) || is_place(r, &by)) continue;
        known++;
        list_push(r->a, &r->zeros, r->inner.item[k].value);
        list_push(r->a, &r->zeros, coefficient);
    }
    return known == seeming || !sym_any(r->g, 1, &coefficient, is_step);
}

/* Take the derivatives of one equation by the leaves that enter linearly. False if they enter in
 * another way. */
static bool take_row(recognition *r, part p, size_t row, sym residual)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(r->g, residual, &leaf), entering = 0, known = 0;
    for (size_t k = 0; k < leaves; k++) entering += enters(r, p, &leaf[k]);
    sym_gradient(r->g, residual, &r->partials);
    for (size_t k = 0; k < r->partials.count; k++) {
        sym_leaf by;
        sym value = r->partials.item[k].value;
        if (!sym_as_leaf(r->g, r->partials.item[k].leaf, &by) || !enters(r, p, &by)) continue;
        known++;
        if (sym_has_pieces(r->g, value)) return false; /* the start knows nothing of others */
        if (p != HOLONOMIC && !depends_on_place(r, value)) return false;
        sym_entries *to = p != MOTION    ? &r->form->jacobian
                          : by.order > 0 ? &r->form->mass
                                         : &r->form->direction;
        list_push(r->a, to, ((sym_entry){row, r->place[by.id], value}));
    }
    return known > 0 && (known == entering || !sym_any(r->g, 1, &residual, is_step));
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
    const uint32_t *before = arena_duplicate(r->a, f->motion, n, sizeof *before);
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
    recognition r = {.names = mechanical_names_remove(system, reactions_first),
                     .system = system,
                     .g = system->graph,
                     .a = a};
    mechanism *f = r.form = arena_take(a, sizeof *f);
    r.place = arena_array(a, system->unknown.count, sizeof *r.place);
    if (!sort_unknowns(&r) || (r.multiplier.count > 0) != constrained) return NULL;
    if (!sort_equations(&r)) return NULL;
    name_parts(&r);
    if (!take_part(&r, MOTION, 0, f->motion) || !take_part(&r, HOLONOMIC, 0, f->constraint) ||
        !take_part(&r, VELOCITY, f->holonomic, f->constraint))
        return NULL;
    uint32_t *row = arena_array(a, f->coordinates, sizeof *row);
    if (!mechanical_proof(&r, row)) return NULL;
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
