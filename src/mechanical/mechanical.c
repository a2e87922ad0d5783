#include "mechanical/mechanical.h"

#include "mechanical/mechanical_state.h"

#include <stdlib.h>
#include <string.h>

/* Patterns of the matrices of a mechanical system, from the patterns of the author's matrices. */

/* The sum of up to three matrices. The second begins at row `below`. */
static mechanical_sum sum_of(arena *a, size_t rows, size_t columns, const sparse_pattern *first,
                             const sparse_pattern *second, size_t below,
                             const sparse_pattern *third)
{
    size_t thirds = third ? third->nonzeros : 0;
    sparse_entries e = sparse_entries_take(a, first->nonzeros + second->nonzeros + thirds);
    sparse_entries_add_all(&e, first, 0, 0);
    sparse_entries_add_all(&e, second, below, 0);
    if (third) sparse_entries_add_all(&e, third, 0, 0);
    mechanical_sum sum = {.pattern = sparse_entries_build(a, &e, rows, columns)};
    sum.first = e.where;
    sum.second = e.where + first->nonzeros;
    sum.third = sum.second + second->nonzeros;
    return sum;
}

static sparse_pattern *transpose(arena *a, const sparse_pattern *p)
{
    sparse_entries e = sparse_entries_take(a, p->nonzeros);
    sparse_entries_add_transposed(&e, p, 0, 0);
    return sparse_entries_build(a, &e, p->columns, p->rows);
}

/* The pattern of d(phi_q S)^T lambda/dq. A constraint depends on the coordinates of its row of
 * phi_q and acts on the velocities of its row of G. Empty if df/dq is dense, which covers all
 * entries. */
static sparse_pattern *curvature(arena *a, const mechanical_form *f, const sparse_pattern *gradient)
{
    const sparse_pattern *q = transpose(a, f->position.pattern), *v = transpose(a, gradient);
    size_t most = 0, constraints = f->stiffness.dense ? 0 : f->holonomic;
    for (size_t i = 0; i < constraints; i++)
        most += (size_t)(q->start[i + 1] - q->start[i]) * (size_t)(v->start[i + 1] - v->start[i]);
    sparse_entries e = sparse_entries_take(a, most);
    for (size_t i = 0; i < constraints; i++)
        for (sparse_index k = q->start[i]; k < q->start[i + 1]; k++)
            for (sparse_index l = v->start[i]; l < v->start[i + 1]; l++)
                sparse_entries_add(&e, (size_t)v->row[l], (size_t)q->row[k]);
    return sparse_entries_build(a, &e, f->nv, f->nq);
}

static void make_patterns(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    const sparse_pattern *position = f->position.pattern, *stiffness;
    if (f->kinematics.pattern) {
        s->position_product = sparse_product_create(a, position, f->kinematics.pattern);
        position = s->position_product->pattern;
    }
    s->gradient = sum_of(a, f->constraints, f->nv, position, f->velocity.pattern, f->holonomic,
                         NULL);
    s->by_q = sum_of(a, f->nv, f->nq, f->stiffness.pattern, curvature(a, f, s->gradient.pattern), 0,
                     NULL);
    stiffness = s->by_q.pattern;
    if (f->kinematics.pattern) {
        s->stiffness_product = sparse_product_create(a, stiffness, f->kinematics.pattern);
        stiffness = s->stiffness_product->pattern;
    }
    s->all = sum_of(a, f->nv, f->nv, f->mass.pattern, f->damping.pattern, 0, stiffness);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Room for values in the author's layout, and for those of a product. */
static void make_room(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    size_t laid = f->kinematics.pattern ? f->kinematics.length : 0, product = 0;
    laid = larger(laid, larger(f->mass.length, larger(f->stiffness.length, f->damping.length)));
    laid = larger(laid, larger(f->position.length, f->velocity.length));
    if (s->position_product) product = s->position_product->pattern->nonzeros;
    s->laid = arena_array(&s->memory, laid, sizeof(double));
    s->product = arena_array(&s->memory, larger(product, f->stiffness.pattern->nonzeros),
                             sizeof(double));
    s->terms = arena_array(&s->memory, product, sizeof(double));
    s->block = arena_array(&s->memory, larger(s->all.pattern->nonzeros, f->mass.pattern->nonzeros),
                           sizeof(double));
}

static void make_values(mechanical_state *s, mechanical_values *values)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    values->mass = arena_array(a, f->mass.pattern->nonzeros, sizeof(double));
    values->gradient = arena_array(a, s->gradient.pattern->nonzeros, sizeof(double));
    if (f->kinematics.pattern)
        values->kinematics = arena_array(a, f->kinematics.pattern->nonzeros, sizeof(double));
    values->position = arena_array(a, f->position.pattern->nonzeros, sizeof(double));
    values->velocity = arena_array(a, f->velocity.pattern->nonzeros, sizeof(double));
    if (f->constant_mass)
        memcpy(values->mass, f->constant_mass, f->mass.pattern->nonzeros * sizeof(double));
}

static void make_matrices(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    s->damping = arena_array(a, f->damping.pattern->nonzeros, sizeof(double));
    s->stiffness_by_q = s->stiffness = arena_array(a, s->by_q.pattern->nonzeros, sizeof(double));
    if (s->stiffness_product)
        s->stiffness = arena_array(a, s->stiffness_product->pattern->nonzeros, sizeof(double));
    if (!f->given.force_v) s->v_differences = differences_create(a, f->damping.pattern);
    if (!f->given.force_q || !f->constant_mass || f->constraints > 0)
        s->q_differences = differences_create(a, s->by_q.pattern);
}

static void weigh(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    for (size_t j = 0; j < f->nq + f->nv; j++) s->every[j] = j;
    for (size_t j = 0; j < f->nq + f->nv; j++) s->weight[j] = 1 / (f->nominal[j] * f->nominal[j]);
}

static void make_vectors(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    size_t nq = f->nq, nv = f->nv, constraints = f->constraints;
    arena_vectors(a, nq, (double **const[]){&s->rate, &s->moved_q, &s->rate_q, &s->trial_q, NULL});
    arena_vectors(a, nv, (double **const[]){&s->force_here, &s->force_there, NULL});
    arena_vectors(a, constraints,
                  (double **const[]){&s->level, &s->before, &s->doubt, &s->noise, &s->size, NULL});
    for (size_t k = 0; k < MECHANICAL_DISTANCES; k++)
        s->quotient[k] = arena_array(a, constraints, sizeof(double));
    s->right = arena_array(a, nv + constraints, sizeof(double));
    s->weight = arena_array(a, nq + nv, sizeof(double));
    s->every = arena_array(a, nq + nv, sizeof *s->every);
    s->outward = derivative_outward_create(a, constraints);
    weigh(s);
}

static void make_invariance(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    mechanical_invariance *k = &s->invariance;
    size_t count = f->given.invariants, tall = f->nv + f->constraints;
    if (count == 0) return;
    arena_vectors(a, count * f->nq, (double **const[]){&k->by_q, &k->along, NULL});
    arena_vectors(
        a, count,
        (double **const[]){&k->here, &k->missed, &k->size, &k->length, &k->part, &k->ones, NULL});
    k->by_v = arena_array(a, count * f->nv, sizeof(double));
    k->direction = arena_array(a, tall * count, sizeof(double));
    k->product = arena_array(a, count * count, sizeof(double));
    k->before = arena_array(a, f->nv + f->nq, sizeof(double));
    for (size_t i = 0; i < count; i++) k->ones[i] = 1;
    k->square = sparse_full(a, count, count);
    k->q_pattern = sparse_full(a, count, f->nq);
    k->v_pattern = sparse_full(a, count, f->nv);
    if (f->given.invariant_gradient) return;
    k->q_differences = differences_create(a, k->q_pattern);
    k->v_differences = differences_create(a, k->v_pattern);
}

/* Show the matrices to users of the public part. */
static void publish(mechanical_state *s)
{
    mechanical *m = &s->base;
    const sparse_pattern *by_q = s->by_q.pattern;
    m->mass = (mechanical_matrix){s->form->mass.pattern, s->here.mass};
    m->gradient = (mechanical_matrix){s->gradient.pattern, s->here.gradient};
    m->damping = (mechanical_matrix){s->form->damping.pattern, s->damping};
    m->stiffness = (mechanical_matrix){s->stiffness_product ? s->stiffness_product->pattern : by_q,
                                       s->stiffness};
}

static void make(void *argument)
{
    mechanical_state *s = argument;
    make_patterns(s);
    make_room(s);
    make_values(s, &s->here);
    make_values(s, &s->there);
    make_matrices(s);
    make_vectors(s);
    make_invariance(s);
    mechanical_make_calls(s);
    mechanical_make_levels(s);
    meeting_make(&s->meet, &s->memory, s->form->nq + s->form->nv,
                 s->form->holonomic + s->form->constraints);
    publish(s);
}

dae_status mechanical_create(mechanical **created, const mechanical_form *form, message *m)
{
    mechanical_state *s = calloc(1, sizeof *s);
    if (!s) return equations_out_of_memory(form->n, m);
    s->form = form;
    s->base = (mechanical){.form = form,
                           .nq = form->nq,
                           .nv = form->nv,
                           .holonomic = form->holonomic,
                           .nonholonomic = form->nonholonomic,
                           .constraints = form->constraints,
                           .invariants = form->given.invariants,
                           .bad_row = PROBLEM_NOWHERE};
    s->first_motion = form->nq;
    s->first_constraint = form->nq + form->nv;
    s->nominal_q = form->nominal;
    s->nominal_v = form->nominal + form->nq;
    dae_status status = arena_protect(&s->memory, make, s);
    if (status == DAE_OK && s->base.invariants > 0)
        status = min_norm_create(&s->invariance.solver, s->invariance.square, MIN_NORM_RANK);
    if (status != DAE_OK) {
        mechanical_free(&s->base);
        return equations_out_of_memory(form->n, m);
    }
    *created = &s->base;
    return DAE_OK;
}

static void free_factors(mechanical_state *s)
{
    for (size_t i = 0; i < MECHANICAL_MOST_SLOTS; i++) {
        saddle_point_free(s->slot[i].of_mass);
        saddle_point_free(s->slot[i].of_all);
        s->slot[i].of_mass = s->slot[i].of_all = NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        directions_clear(&s->position[i].ways);
        directions_clear(&s->velocity[i].ways);
    }
    directions_clear(&s->at_once.ways);
}

void mechanical_take_sizes(mechanical *m)
{
    mechanical_state *s = mechanical_inside(m);
    free_factors(s);
    weigh(s);
}

void mechanical_free(mechanical *m)
{
    if (!m) return;
    mechanical_state *s = mechanical_inside(m);
    free_factors(s);
    min_norm_free(s->null_rows);
    min_norm_free(s->invariance.solver);
    arena_free(&s->memory);
    free(s);
}
