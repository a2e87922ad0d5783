/* The nearest positions and velocities at once. Both change together, by the least change in the
 * norm of the nominal sizes, until both levels are met.
 *
 * The level of velocities depends on q by d(G v + phi_t)/dq, which is found by coloured
 * differences. */
#include "mechanical/mechanical_state.h"

#include <string.h>

sparse_pattern *mechanical_level_pattern(arena *a, const mechanical_form *f)
{
    size_t known = f->kinematics.pattern ? 0 : f->holonomic;
    size_t most = (known ? f->position.pattern->nonzeros : 0) + (f->constraints - known) * f->nq;
    sparse_entries e = sparse_entries_take(a, most);
    if (known) sparse_entries_add_all(&e, f->position.pattern, 0, 0);
    for (size_t j = 0; j < f->nq; j++)
        for (size_t i = known; i < f->constraints; i++) sparse_entries_add(&e, i, j);
    return sparse_entries_build(a, &e, f->constraints, f->nq);
}

static dae_status value(void *self, size_t level, double t, const double *z, double *c)
{
    mechanical_state *s = ((mechanical_way *)self)->s;
    const mechanical_form *f = s->form;
    (void)level;
    dae_status status = mechanical_call_parts(s, t, z, &s->there);
    if (status == DAE_OK) status = mechanical_call(s, CALL_CONSTRAINT, t, z, NULL, c);
    if (status != DAE_OK) return status;
    return mechanical_velocity_of(s, &s->there, t, z, z + f->nq, c + f->holonomic);
}

static dae_status velocity_of_q(void *self, const double *q, double *c)
{
    mechanical_state *s = self;
    return mechanical_velocity(&s->base, s->at_t, q, s->at_v, c);
}

/* d(G v + phi_t)/dq at a point that was evaluated. */
static dae_status turn(mechanical_state *s, double t, const double *q, const double *v)
{
    const vector_function of_q = {.value = velocity_of_q, .self = s};
    s->at_t = t;
    s->at_v = v;
    dae_status status = mechanical_velocity_of(s, &s->here, t, q, v, s->level);
    if (status != DAE_OK) return status;
    return differences_jacobian(s->together.differences, of_q, q, s->nominal_q, s->level,
                                DIFFERENCES_FINE, s->together.turn);
}

static dae_status linearize(void *self, double t, const double *z)
{
    mechanical_state *s = ((mechanical_way *)self)->s;
    const mechanical_form *f = s->form;
    mechanical_together *k = &s->together;
    const struct {
        const double *value;
        size_t count;
    } part[] = {{s->here.position, f->position.pattern->nonzeros},
                {k->turn, k->differences->pattern->nonzeros},
                {s->here.gradient, s->gradient.pattern->nonzeros}};
    dae_status status = mechanical_values_at(s, t, z, &s->here);
    if (status == DAE_OK) status = turn(s, t, z, z + f->nq);
    const uint32_t *where = k->where;
    memset(k->value, 0, s->at_once.level.pattern->nonzeros * sizeof *k->value);
    for (size_t i = 0; i < 3; i++)
        for (size_t e = 0; e < part[i].count; e++) k->value[*where++] += part[i].value[e];
    return status;
}

static const constraint_levels_form of_both = {.value = value,
                                               .linearize = linearize,
                                               .jacobian = mechanical_way_jacobian,
                                               .metric = mechanical_way_metric};

/* The Jacobian of all rows: phi_q, below it d(G v + phi_t)/dq and G side by side. */
static void make(void *argument)
{
    mechanical_state *s = argument;
    const mechanical_form *f = s->form;
    arena *a = &s->memory;
    mechanical_together *k = &s->together;
    const sparse_pattern *turn = mechanical_level_pattern(a, f), *all;
    size_t most = f->position.pattern->nonzeros + turn->nonzeros + s->gradient.pattern->nonzeros;
    sparse_entries e = sparse_entries_take(a, most);
    sparse_entries_add_all(&e, f->position.pattern, 0, 0);
    sparse_entries_add_all(&e, turn, f->holonomic, 0);
    sparse_entries_add_all(&e, s->gradient.pattern, f->holonomic, f->nq);
    k->where = e.where;
    k->value = arena_array(a, most, sizeof(double));
    k->turn = arena_array(a, turn->nonzeros, sizeof(double));
    k->z = arena_array(a, f->nq + f->nv, sizeof(double));
    k->differences = differences_create(a, turn);
    all = sparse_entries_build(a, &e, f->holonomic + f->constraints, f->nq + f->nv);
    s->at_once.jacobian = k->value;
    s->at_once.metric = s->weight;
    s->at_once.left = MECHANICAL_NEARLY;
    s->at_once.level.metric = sparse_diagonal(a, f->nq + f->nv);
    mechanical_way_make(&s->at_once, s, &of_both, all, f->nominal);
}

dae_status mechanical_project_together(mechanical *m, double t, double *q, double *v)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = s->at_once.s ? DAE_OK : arena_protect(&s->memory, make, s);
    if (status != DAE_OK) return status;
    double *z = s->together.z;
    memcpy(z, q, m->nq * sizeof *q);
    memcpy(z + m->nq, v, m->nv * sizeof *v);
    status = mechanical_meet(&s->at_once, t, z);
    memcpy(q, z, m->nq * sizeof *q);
    memcpy(v, z + m->nq, m->nv * sizeof *v);
    if (status == DAE_NO_START && m->bad_row >= s->first_constraint + m->holonomic)
        m->bad_row -= m->holonomic;
    return status == DAE_OK ? mechanical_evaluate(m, t, q) : status;
}
