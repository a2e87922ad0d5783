#include "mechanical/mechanical.h"

#include "mechanical/mechanical_state.h"

#include <stdlib.h>
#include <string.h>

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
    mechanical_make_patterns(s);
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
                           .constant_mass = form->constant_mass != NULL,
                           .bad_row = PROBLEM_NOWHERE};
    s->first_motion = form->nq;
    s->first_constraint = form->nq + form->nv;
    s->nominal_q = form->nominal;
    s->nominal_v = form->nominal + form->nq;
    dae_status status = arena_protect(&s->memory, make, s);
    if (status == DAE_OK && s->base.invariants > 0)
        status = min_norm_create(&s->invariance.solver, s->invariance.square, true);
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
