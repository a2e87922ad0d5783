#include "structure/mechanical_proof.h"

#include "structure/mechanical_scale.h"
#include "structure/signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6, TRIES = 60 };

/* What counts as zero, relative to what it is compared with. */
static const double ZERO = 1e-8;

typedef struct proof {
    const mechanism *form;
    const sym_system *system;
    arena *a;
    size_t n, m; /* coordinates, constraints */
    uint32_t *place;
    size_t inputs;
    double *input, *nonzero, *zero, *work;
    sym_matrix *mass, *direction, *jacobian;
    sym_tape *vanishing;
    uint64_t state; /* of the random numbers */
    mechanical_sample at[SAMPLES];
} proof;

/* Numbers between -1 and 1, the same on every machine (Steele, Lea & Flood, OOPSLA 2014). */
static double scatter(proof *p)
{
    uint64_t x = p->state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Time, then q, q', q'' and the multipliers. */
static size_t slot(void *context, const sym_view *leaf)
{
    const proof *p = context;
    if (leaf->op == SYM_TIME) return 0;
    bool multiplier = p->form->names->highest[leaf->id] == 0;
    return 1 + (multiplier ? 3 : leaf->order) * p->n + p->place[leaf->id];
}

static void choose_point(proof *p, double radius)
{
    const sym_experiment *e = &p->system->experiment;
    p->input[0] = (e->has_start ? e->start : 0) + radius * (1 + scatter(p));
    for (size_t j = 0; j < p->n; j++) {
        const sym_unknown *u = &p->system->unknown.item[p->form->coordinate[j]];
        p->input[1 + j] = u->start + radius * fmax(u->nominal, fabs(u->start)) * scatter(p);
        p->input[1 + p->n + j] = u->nominal * (1 + scatter(p) / 2);
        p->input[1 + 2 * p->n + j] = u->nominal * (1 + scatter(p) / 2);
    }
    for (size_t l = 0; l < p->m; l++) p->input[1 + 3 * p->n + l] = 1 + scatter(p) / 2;
}

/* The entries of a matrix, by rows; false where one is not finite. */
static bool evaluate(proof *p, const sym_matrix *matrix, double *value)
{
    const sparse_pattern *of = matrix->pattern;
    sym_matrix_prepare(matrix, p->work);
    sym_matrix_eval(matrix, p->input, p->nonzero, p->work);
    memset(value, 0, of->rows * of->columns * sizeof *value);
    for (size_t j = 0; j < of->columns; j++) {
        for (sparse_index k = of->start[j]; k < of->start[j + 1]; k++) {
            value[(size_t)of->row[k] * of->columns + j] = p->nonzero[k];
            if (!isfinite(p->nonzero[k])) return false;
        }
    }
    return true;
}

static bool all_vanish(proof *p, size_t count)
{
    sym_tape_prepare(p->vanishing, p->work);
    sym_tape_eval(p->vanishing, p->input, p->zero, p->work);
    for (size_t k = 0; k < count; k++)
        if (!(fabs(p->zero[2 * k]) <= ZERO * fabs(p->zero[2 * k + 1]))) return false;
    return true;
}

/* Points near the start at which all is finite: nearer ones where it is not. */
static bool take_samples(proof *p, size_t zeros)
{
    double radius = 0.5;
    size_t taken = 0;
    for (int k = 0; k < TRIES && taken < SAMPLES; k++) {
        mechanical_sample *s = &p->at[taken];
        choose_point(p, radius);
        if (evaluate(p, p->mass, s->mass) && evaluate(p, p->direction, s->direction) &&
            evaluate(p, p->jacobian, s->jacobian)) {
            if (!all_vanish(p, zeros)) return false;
            taken++;
        } else {
            radius /= 2;
        }
    }
    return taken == SAMPLES;
}

/* To each coordinate the equation of motion in which its acceleration is largest, for all together:
 * of a positive definite matrix the diagonal has the largest product among all permutations,
 * because M_ij^2 < M_ii M_jj, whatever the scales of its rows. */
static bool assign_rows(proof *p, uint32_t *row)
{
    static const double STEPS = 1e4; /* of the logarithm's integer part */
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

static void reorder(proof *p, const uint32_t *row, size_t columns, double *matrix, double *copy)
{
    memcpy(copy, matrix, p->n * columns * sizeof *copy);
    for (size_t i = 0; i < p->n; i++)
        memcpy(&matrix[i * columns], &copy[row[i] * columns], columns * sizeof *copy);
}

static void place_unknowns(proof *p)
{
    const mechanism *f = p->form;
    p->place = arena_array(p->a, p->system->unknown.count, sizeof *p->place);
    for (uint32_t j = 0; j < p->n; j++) p->place[f->coordinate[j]] = j;
    for (uint32_t l = 0; l < p->m; l++) p->place[f->multiplier[l]] = l;
}

static void compile(proof *p, const mechanical_zeros *zeros)
{
    const mechanism *f = p->form;
    sym_graph *g = p->system->graph;
    sym *vanishing = arena_array(p->a, 2 * zeros->count, sizeof *vanishing);
    for (size_t k = 0; k < zeros->count; k++) {
        vanishing[2 * k] = zeros->item[k].value;
        vanishing[2 * k + 1] = zeros->item[k].of;
    }
    p->mass = sym_matrix_compile(p->a, g, p->n, p->n, &f->mass, p->inputs, slot, p);
    p->direction = sym_matrix_compile(p->a, g, p->n, p->m, &f->direction, p->inputs, slot, p);
    p->jacobian = sym_matrix_compile(p->a, g, p->m, p->n, &f->jacobian, p->inputs, slot, p);
    p->vanishing = sym_tape_compile(p->a, g, 2 * zeros->count, vanishing, p->inputs, slot, p);
    size_t work = sym_tape_work(p->vanishing), nonzeros = p->n;
    const sym_matrix *all[] = {p->mass, p->direction, p->jacobian};
    for (size_t k = 0; k < 3; k++) {
        if (sym_matrix_work(all[k]) > work) work = sym_matrix_work(all[k]);
        if (all[k]->pattern->nonzeros > nonzeros) nonzeros = all[k]->pattern->nonzeros;
    }
    p->work = arena_array(p->a, work, sizeof *p->work);
    p->nonzero = arena_array(p->a, nonzeros, sizeof *p->nonzero);
    p->zero = arena_array(p->a, 2 * zeros->count, sizeof *p->zero);
}

/* Divide the rows of motion by the coefficients of their own accelerations. */
static void divide_rows(proof *p)
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

bool mechanical_proof(const mechanism *form, const mechanical_zeros *zeros, uint32_t *row,
                      double *scale, bool *divided)
{
    const sym_system *system = form->names->system;
    size_t n = form->coordinates, m = form->constraints;
    proof p = {.form = form, .system = system, .a = system->memory, .n = n, .m = m, .state = 1};
    p.inputs = 1 + 3 * n + m;
    p.input = arena_array(p.a, p.inputs, sizeof *p.input);
    for (size_t k = 0; k < SAMPLES; k++) {
        p.at[k].mass = arena_array(p.a, n * n, sizeof *p.at[k].mass);
        p.at[k].direction = arena_array(p.a, n * m, sizeof *p.at[k].direction);
        p.at[k].jacobian = arena_array(p.a, m * n, sizeof *p.at[k].jacobian);
    }
    place_unknowns(&p);
    compile(&p, zeros);
    if (!take_samples(&p, zeros->count) || !assign_rows(&p, row)) return false;
    double *copy = arena_array(p.a, n * n, sizeof *copy);
    for (size_t k = 0; k < SAMPLES; k++) {
        reorder(&p, row, n, p.at[k].mass, copy);
        reorder(&p, row, m, p.at[k].direction, copy);
    }
    *divided = !mechanical_scale(p.a, n, m, SAMPLES, p.at, scale);
    if (!*divided) return true;
    divide_rows(&p);
    return mechanical_scale(p.a, n, m, SAMPLES, p.at, scale);
}
