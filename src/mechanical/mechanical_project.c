/* The nearest positions and the nearest velocities that meet the constraints. Each level is met
 * separately, positions first. */
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most damped corrections. It is large, because a start may be far from the constraints. */
enum { MOST_DAMPED = 100 };

static dae_status position_value(void *self, size_t level, double t, const double *q, double *phi)
{
    (void)level;
    return mechanical_call(((mechanical_way *)self)->s, CALL_CONSTRAINT, t, q, NULL, phi);
}

static dae_status position_linearize(void *self, double t, const double *q)
{
    const mechanical_way *w = self;
    mechanical_state *s = w->s;
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_Q, t, q, NULL, s->here.position);
    if (status == DAE_OK && w->metric == s->here.mass)
        status = mechanical_call(s, CALL_MASS, t, q, NULL, s->here.mass);
    return status;
}

static dae_status velocity_value(void *self, size_t level, double t, const double *v, double *c)
{
    mechanical_state *s = ((mechanical_way *)self)->s;
    (void)level;
    return mechanical_velocity_of(s, &s->here, t, s->at_q, v, c);
}

/* M and G are already evaluated at q. */
static dae_status velocity_linearize(void *self, double t, const double *v)
{
    (void)self, (void)t, (void)v;
    return DAE_OK;
}

void mechanical_way_jacobian(void *self, size_t level, double *value)
{
    const mechanical_way *w = self;
    (void)level;
    memcpy(value, w->jacobian, w->level.pattern->nonzeros * sizeof *value);
}

const double *mechanical_way_metric(void *self, size_t level)
{
    (void)level;
    return ((mechanical_way *)self)->metric;
}

static const constraint_levels_form of_position = {.value = position_value,
                                                   .linearize = position_linearize,
                                                   .jacobian = mechanical_way_jacobian,
                                                   .metric = mechanical_way_metric};

static const constraint_levels_form of_velocity = {.value = velocity_value,
                                                   .linearize = velocity_linearize,
                                                   .jacobian = mechanical_way_jacobian,
                                                   .metric = mechanical_way_metric};

void mechanical_way_make(mechanical_way *w, mechanical_state *s, const constraint_levels_form *form,
                         const sparse_pattern *pattern, const double *nominal)
{
    w->s = s;
    w->level.rows = pattern->rows;
    w->level.columns = pattern->columns;
    w->level.column = s->every;
    w->level.pattern = pattern;
    w->levels = (constraint_levels){.form = form,
                                    .self = w,
                                    .size = pattern->columns,
                                    .count = 1,
                                    .level = &w->level,
                                    .nominal = nominal,
                                    .met = MECHANICAL_MET};
}

void mechanical_make_levels(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    for (int by_mass = 0; by_mass < 2; by_mass++) {
        mechanical_way *q = &s->position[by_mass], *v = &s->velocity[by_mass];
        bool turned = f->kinematics.pattern != NULL;
        mechanical_way_make(q, s, &of_position, f->position.pattern, s->nominal_q);
        mechanical_way_make(v, s, &of_velocity, s->gradient.pattern, s->nominal_v);
        q->level.metric = by_mass && !turned ? f->mass.pattern : sparse_diagonal(&s->memory, f->nq);
        q->metric = by_mass && !turned ? s->here.mass : s->weight;
        v->level.metric = by_mass ? f->mass.pattern : sparse_diagonal(&s->memory, f->nv);
        v->metric = by_mass ? s->here.mass : s->weight + f->nq;
        q->jacobian = s->here.position;
        v->jacobian = s->here.gradient;
        q->left = MECHANICAL_NEARLY;
        v->left = SADDLE_POINT_DEPENDENT;
    }
}

static dae_status prepare(mechanical_way *w)
{
    return w->ways.work ? DAE_OK : directions_begin(&w->ways, &w->levels, false, NULL);
}

/* Rows that depend on others are met only in the least-squares sense, as they may contradict one
 * another. */
static dae_status check(mechanical_way *w, double t, const double *z, size_t *row)
{
    bool dependent = saddle_point_rank(w->ways.work->nearest) < w->level.rows;
    double most = dependent ? w->left : MECHANICAL_NEARLY;
    if (meeting_missed(&w->s->meet, 0, z, row) <= most) return DAE_OK;
    dae_status status = meeting_look(&w->s->meet, 0, t, z);
    if (status != DAE_OK) return status;
    return meeting_missed(&w->s->meet, 0, z, row) <= most ? DAE_OK : DAE_CONSTRAINT;
}

dae_status mechanical_meet(mechanical_way *w, double t, double *z)
{
    mechanical_state *s = w->s;
    size_t row = 0;
    dae_status status = prepare(w);
    if (status == DAE_OK) status = directions_linearize(&w->ways, t, z);
    if (status != DAE_OK || w->level.rows == 0) return status;
    s->meet.d = &w->ways;
    status = meeting_from_afar(&s->meet, 0, t, z, MOST_DAMPED);
    if (status == DAE_OK) status = check(w, t, z, &row);
    if (status == DAE_OK) return DAE_OK;
    if (status == DAE_SINGULAR) s->base.bad_row = saddle_point_undetermined(w->ways.work->nearest);
    if (status == DAE_CONSTRAINT) {
        meeting_missed(&s->meet, 0, z, &row);
        s->base.bad_row = s->first_constraint + row;
        status = DAE_NO_START;
    }
    memcpy(z, s->meet.from, w->levels.size * sizeof *z);
    return status;
}

dae_status mechanical_velocity_norm(mechanical_state *s, bool by_mass, const double *v,
                                    saddle_point **p)
{
    mechanical_way *w = &s->velocity[by_mass];
    dae_status status = prepare(w);
    if (status != DAE_OK) return status;
    directions_linearize(&w->ways, 0, v);
    *p = w->ways.work->nearest;
    status = directions_factor(&w->ways, 0, v);
    if (status == DAE_SINGULAR) s->base.bad_row = s->form->nq + saddle_point_undetermined(*p);
    return status;
}

dae_status mechanical_blow(mechanical *m, const double *v, double *w)
{
    mechanical_state *s = mechanical_inside(m);
    saddle_point *p;
    dae_status status = mechanical_velocity_norm(s, true, v, &p);
    size_t rows = s->velocity[true].level.rows;
    double *x = status == DAE_OK ? calloc(m->nv + rows + 1, sizeof *x) : NULL;
    if (status == DAE_OK && !x) status = DAE_NO_MEMORY;
    if (status != DAE_OK) return status;
    memcpy(x, w, m->nv * sizeof *x);
    saddle_point_solve(p, x);
    memcpy(w, x, m->nv * sizeof *w);
    free(x);
    return DAE_OK;
}

dae_status mechanical_project(mechanical *m, double t, double *q, double *v, bool by_mass)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = mechanical_meet(&s->position[by_mass], t, q);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status != DAE_OK) return status;
    s->at_q = q;
    status = mechanical_meet(&s->velocity[by_mass], t, v);
    if (status == DAE_SINGULAR) m->bad_row += m->nq;
    return status;
}
