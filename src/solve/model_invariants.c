/* The invariants that a model declares: what is kept of them, and whether they are invariant. */
#include "base/round_off.h"
#include "problem/levels.h"
#include "solve/model_simulation.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* A value that an event changes by no more than this part of its terms has stayed. */
static const double STAYS = ROUND_OFF_AMPLIFIED;

struct model_invariants {
    const sym_system *system;
    size_t count;
    uint32_t *kept, *holds; /* count each: cells of the value that is kept, and of 1, or of 0 where
                               nothing is kept because it does not hold in the present modes */
    sym *row;               /* count: holds (value - kept) */
    const formulation *f;
    sym_tape *value, *rate; /* of z: values; rates, and the sums of the sizes of their terms */
    sym_matrix *jacobian;   /* of the rows, by z */
    bool *known;            /* count: z suffices for the rate */
    double *input, *now, *before, *rates, *slope, *terms; /* scratch */
};

static sym row_of(const sym_system *system, size_t i, sym holds, sym kept)
{
    sym_graph *g = system->graph;
    return sym_multiply(g, holds, sym_subtract(g, system->invariant.item[i].value, kept));
}

model_invariants *model_invariants_create(sym_system *system)
{
    arena *a = system->memory;
    sym_graph *g = system->graph;
    size_t count = system->invariant.count;
    if (count == 0) return NULL;
    model_invariants *v = arena_take(a, sizeof *v);
    *v = (model_invariants){.system = system, .count = count};
    v->kept = arena_array(a, count, sizeof *v->kept);
    v->holds = arena_array(a, count, sizeof *v->holds);
    v->row = arena_array(a, count, sizeof *v->row);
    v->known = arena_array(a, count, sizeof *v->known);
    arena_vectors(a, 2 * count, (double **[]){&v->now, &v->before, &v->rates, &v->terms, NULL});
    for (size_t i = 0; i < count; i++) {
        v->kept[i] = (uint32_t)sym_cell_count(g);
        sym kept = sym_new_cell(g, "the value that is kept");
        v->holds[i] = (uint32_t)sym_cell_count(g);
        sym holds = sym_new_cell(g, "whether it is kept");
        v->row[i] = row_of(system, i, holds, kept);
    }
    return v;
}

/* The copy's cells have the same numbers, its nodes others. What is evaluated at an event is
 * shared. */
model_invariants *model_invariants_share(const model_invariants *v, sym_system *system)
{
    model_invariants *own = arena_take(system->memory, sizeof *own);
    *own = *v;
    own->system = system;
    own->known = arena_array(system->memory, v->count, sizeof *own->known);
    own->row = arena_array(system->memory, v->count, sizeof *own->row);
    for (size_t i = 0; i < v->count; i++)
        own->row[i] = row_of(system, i, sym_cell(system->graph, v->holds[i]),
                             sym_cell(system->graph, v->kept[i]));
    return own;
}

const sym *model_invariants_rows(const model_invariants *v, size_t *count)
{
    *count = v ? v->count : 0;
    return v ? v->row : NULL;
}

/* The rate of an expression of the core, and the sum of the sizes of its terms. False: z does not
 * hold the derivatives. */
static bool find_rate(const prolongation *p, sym f, sym *rate, sym *terms)
{
    sym_graph *g = p->g;
    sym_partials by = {0};
    *rate = sym_time_derivative(g, f);
    *terms = sym_number(g, 0);
    sym_gradient(g, f, &by);
    for (size_t k = 0; k < by.count; k++) {
        sym_view leaf = sym_look(g, by.item[k].leaf);
        bool held = leaf.op == SYM_VARIABLE;
        if (held && leaf.order >= p->d[p->column_of[leaf.id]]) return false;
        sym moves = held ? sym_variable(g, leaf.id, leaf.order + 1) : sym_number(g, 1);
        sym term = sym_multiply(g, by.item[k].value, moves);
        *terms = sym_add(g, *terms, sym_function(g, SYM_ABS, term));
    }
    return true;
}

void model_invariants_fit(model_invariants *v, const formulation *f)
{
    arena *a = v->system->memory;
    size_t n = v->count;
    sym *value = arena_array(a, n, sizeof *value), *row = arena_array(a, n, sizeof *row);
    sym *rate = arena_array(a, 2 * n, sizeof *rate);
    v->f = f;
    for (size_t i = 0; i < n; i++) value[i] = v->system->invariant.item[i].value;
    memcpy(row, v->row, n * sizeof *row);
    structure_to_core(f->system, f->core, n, value);
    structure_to_core(f->system, f->core, n, row);
    for (size_t i = 0; i < n; i++) {
        v->known[i] = find_rate(f->p, value[i], &rate[i], &rate[n + i]);
        if (!v->known[i]) rate[i] = rate[n + i] = sym_number(f->p->g, 0);
    }
    v->value = prolongation_tape(a, f->p, n, value);
    v->rate = prolongation_tape(a, f->p, 2 * n, rate);
    v->jacobian = prolongation_jacobian(a, f->p, n, row);
    arena_vectors(a, prolongation_inputs(f->p), (double **[]){&v->input, NULL});
    arena_vectors(a, v->jacobian->pattern->nonzeros + (size_t)1, (double **[]){&v->slope, NULL});
}

static const double *point(model_invariants *v, double t, const double *z)
{
    v->input[0] = t;
    memcpy(v->input + 1, z, v->f->p->size * sizeof *z);
    return v->input;
}

/* The sizes of the terms of the rows. */
static void find_terms(model_invariants *v, const double *z)
{
    const double *nominal = v->f->levels->levels.nominal;
    sym_matrix_eval(v->jacobian, v->input, v->slope);
    miss_terms(v->jacobian->pattern, v->slope, z, nominal, v->terms);
}

/* Whether invariant i changes along the solution at the point evaluated last. Where all terms of
 * its rate vanish, as those of an energy at rest, what is left of them is rounding. */
static bool changes(const model_simulation *m, size_t i)
{
    model_invariants *v = m->invariants;
    double rate = fabs(v->rates[i]);
    double allowed = simulation_allows_off(&m->base) * v->rates[v->count + i];
    if (!v->known[i] || !(rate > allowed)) return false;
    find_terms(v, v->input + 1);
    double unit = problem_time_unit(m->base.problem);
    return rate * unit > allowed * unit + ROUND_OFF_AMPLIFIED * v->terms[i];
}

static dae_status refuse(const model_simulation *m, double t, size_t i)
{
    const model_invariants *v = m->invariants;
    const sym_invariant *x = &v->system->invariant.item[i];
    return message_fail(m->base.solver.message, DAE_USAGE,
                        "the invariant %s (%s:%u) is none: at t = %.9g it changes by %.3g per unit "
                        "of time, of terms that add up to %.3g",
                        x->text, v->system->file, x->at.line, t, v->rates[i],
                        v->rates[v->count + i]);
}

dae_status model_invariants_begin(model_simulation *m, double t, const double *z)
{
    model_invariants *v = m->invariants;
    sym_tape_eval(v->value, point(v, t, z), v->now);
    sym_tape_eval(v->rate, v->input, v->rates);
    for (size_t i = 0; i < v->count; i++) {
        sym_set_cell(v->system->graph, v->kept[i], v->now[i]);
        sym_set_cell(v->system->graph, v->holds[i], 1);
        if (changes(m, i)) return refuse(m, t, i);
    }
    return DAE_OK;
}

void model_invariants_before(model_invariants *v, double t, const double *z)
{
    sym_tape_eval(v->value, point(v, t, z), v->before);
}

void model_invariants_behind(model_simulation *m, double t, const double *z)
{
    model_invariants *v = m->invariants;
    sym_graph *g = v->system->graph;
    double *held_before = v->before + v->count;
    for (size_t i = 0; i < v->count; i++) {
        held_before[i] = sym_cell_value(g, v->holds[i]);
        sym_set_cell(g, v->holds[i], 1);
    }
    sym_tape_eval(v->value, point(v, t, z), v->now);
    sym_tape_eval(v->rate, v->input, v->rates);
    find_terms(v, z);
    for (size_t i = 0; i < v->count; i++) {
        bool held = held_before[i] != 0;
        bool stays = fabs(v->now[i] - v->before[i]) <= STAYS * v->terms[i];
        if (!stays || !held) sym_set_cell(g, v->kept[i], v->now[i]);
        sym_set_cell(g, v->holds[i], !changes(m, i));
    }
}

/* Whether the state lies beyond an event that is still to be found: the equations there are those
 * before it. */
static bool is_beyond_event(model_simulation *m, double t, const double *z)
{
    switching *s = m->switching;
    bool beyond = false;
    if (!s) return false;
    switching_look(s, t, z);
    for (size_t k = 0; k < s->relations && !beyond; k++)
        beyond = s->relation[k].kind == RELATION_STATE &&
                 switching_holds(s, k) != (s->modes->relation[k].is == SYM_HELD_TRUE);
    return beyond;
}

dae_status model_invariants_watch(model_simulation *m, double t, const double *z)
{
    model_invariants *v = m->invariants;
    sym_graph *g = v->system->graph;
    sym_tape_eval(v->rate, point(v, t, z), v->rates);
    for (size_t i = 0; i < v->count; i++) {
        if (sym_cell_value(g, v->holds[i]) == 0 || !changes(m, i)) continue;
        if (is_beyond_event(m, t, z)) return DAE_OK;
        if (m->base.mode_number == 0) return refuse(m, t, i);
        sym_set_cell(g, v->holds[i], 0);
    }
    return DAE_OK;
}

void model_invariants_measure(model_invariants *v, double t, const double *z, double *worst)
{
    const sym_graph *g = v->system->graph;
    sym_tape_eval(v->value, point(v, t, z), v->now);
    find_terms(v, z);
    for (size_t i = 0; i < v->count; i++) {
        bool held = sym_cell_value(g, v->holds[i]) != 0;
        double off = v->now[i] - sym_cell_value(g, v->kept[i]);
        if (held) miss_raise(worst, miss_of_row(off, v->terms[i]));
    }
}
