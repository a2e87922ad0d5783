/* The nearest configuration and velocities at once: positions and velocities change together, by
 * the least in the norm of the nominal sizes, until both levels are met.
 *
 * The level of velocities depends on q by d(G v + phi_t)/dq, which is found by coloured
 * differences. */
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 20 };

/* Of d(G v + phi_t)/dq: that of phi_q where q' = v; what S and A depend on is not known. */
static const sparse_pattern *turn_pattern(arena *a, const mechanical_form *f)
{
    size_t known = f->kinematics.pattern ? 0 : f->holonomic;
    mechanical_entries e = mechanical_entries_take(a, f->position.pattern->nonzeros +
                                                          f->constraints * f->nq);
    if (known) mechanical_entries_add_all(&e, f->position.pattern, 0, 0);
    for (size_t j = 0; j < f->nq; j++)
        for (size_t i = known; i < f->constraints; i++) mechanical_entries_add(&e, i, j);
    return mechanical_entries_build(a, &e, f->constraints, f->nq);
}

/* All rows: phi_q, then d(G v + phi_t)/dq beside G. */
static void make(void *argument)
{
    mechanical_state *s = argument;
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    mechanical_together *k = &s->together;
    size_t n = f->nq + f->nv, rows = f->holonomic + f->constraints;
    const sparse_pattern *turn = turn_pattern(a, f);
    size_t most = f->position.pattern->nonzeros + turn->nonzeros + s->gradient.pattern->nonzeros;
    mechanical_entries e = mechanical_entries_take(a, most);
    mechanical_entries_add_all(&e, f->position.pattern, 0, 0);
    mechanical_entries_add_all(&e, turn, f->holonomic, 0);
    mechanical_entries_add_all(&e, s->gradient.pattern, f->holonomic, f->nq);
    k->where = e.where;
    k->rows = mechanical_entries_build(a, &e, rows, n);
    k->value = arena_array(a, most, sizeof(double));
    k->change = arena_array(a, n + rows, sizeof(double));
    k->weight = arena_array(a, n, sizeof(double));
    k->turn = arena_array(a, turn->nonzeros, sizeof(double));
    k->unit = sparse_diagonal(a, n);
    k->differences = differences_create(a, turn);
}

static dae_status prepare(mechanical_state *s)
{
    mechanical_together *k = &s->together;
    const double *nominal = s->form->nominal;
    if (k->solver) return DAE_OK;
    dae_status status = k->unit ? DAE_OK : arena_protect(&s->memory, make, s);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < k->unit->columns; j++) k->weight[j] = 1 / (nominal[j] * nominal[j]);
    return saddle_point_create(&k->solver, k->unit, k->rows, nominal);
}

static dae_status velocity_of_q(void *self, const double *q, double *c)
{
    mechanical_state *s = self;
    return mechanical_velocity(&s->base, s->at_t, q, s->at_v, c);
}

/* k->change: minus what is missed behind room for what it is met by. Returns how much that is,
 * relative to the terms. */
static dae_status take_missed(mechanical_state *s, double t, const double *q, const double *v,
                              double *worst)
{
    const mechanical_form *f = s->form;
    mechanical_together *k = &s->together;
    double *phi = k->change + f->nq + f->nv, *level = phi + f->holonomic;
    dae_status status = mechanical_values_at(s, t, q, &s->here);
    if (status == DAE_OK) status = mechanical_call_constraint(s, t, q, phi);
    if (status == DAE_OK) status = mechanical_velocity_of(s, &s->here, t, q, v, level);
    if (status != DAE_OK) return status;
    size_t row = 0, of_velocity = 0;
    miss_terms(f->position.pattern, s->here.position, q, s->nominal_q, s->size);
    *worst = miss_largest(f->holonomic, phi, s->size, &row);
    miss_terms(s->gradient.pattern, s->here.gradient, v, s->nominal_v, s->size);
    double slower = miss_largest(f->constraints, level, s->size, &of_velocity);
    s->base.bad_row = s->first_constraint + (slower > *worst ? of_velocity : row);
    *worst = fmax(*worst, slower);
    return DAE_OK;
}

/* The Jacobian of all rows at a point that was evaluated, factored. */
static dae_status factor(mechanical_state *s, double t, const double *q, const double *v)
{
    const mechanical_form *f = s->form;
    mechanical_together *k = &s->together;
    const double *level = k->change + f->nq + f->nv + f->holonomic;
    const vector_function of_q = {.value = velocity_of_q, .self = s};
    const struct {
        const double *value;
        size_t count;
    } part[] = {{s->here.position, f->position.pattern->nonzeros},
                {k->turn, k->differences->pattern->nonzeros},
                {s->here.gradient, s->gradient.pattern->nonzeros}};
    s->at_t = t;
    s->at_v = v;
    dae_status status = differences_jacobian(k->differences, of_q, q, s->nominal_q, level,
                                             DIFFERENCES_FINE, k->turn);
    if (status != DAE_OK) return status;
    memset(k->value, 0, k->rows->nonzeros * sizeof *k->value);
    const size_t *where = k->where;
    for (size_t i = 0; i < 3; i++)
        for (size_t e = 0; e < part[i].count; e++) k->value[*where++] += part[i].value[e];
    return saddle_point_factor(k->solver, k->weight, k->value);
}

dae_status mechanical_project_together(mechanical *m, double t, double *q, double *v)
{
    mechanical_state *s = mechanical_inside(m);
    mechanical_together *k = &s->together;
    size_t n = m->nq + m->nv, rows = m->holonomic + m->constraints;
    double now = HUGE_VAL, last = HUGE_VAL;
    dae_status status = prepare(s);
    for (int i = 0; status == DAE_OK && i < MOST_ITERATIONS; i++) {
        status = take_missed(s, t, q, v, &now);
        if (status != DAE_OK) return status;
        if (mechanical_is_met(now, last)) return DAE_OK;
        status = factor(s, t, q, v);
        if (status == DAE_SINGULAR) m->bad_row = saddle_point_undetermined(k->solver);
        if (status != DAE_OK) return status;
        memset(k->change, 0, n * sizeof *k->change);
        for (size_t j = n; j < n + rows; j++) k->change[j] = -k->change[j];
        saddle_point_solve(k->solver, k->change);
        for (size_t j = 0; j < m->nq; j++) q[j] += k->change[j];
        for (size_t j = 0; j < m->nv; j++) v[j] += k->change[m->nq + j];
        last = now;
    }
    return status == DAE_OK ? DAE_NO_START : status;
}
