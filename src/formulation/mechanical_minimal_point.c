/* The author's q and v from the unknowns of mechanical_minimal.h. */
#include "base/round_off.h"
#include "formulation/mechanical_minimal.h"

#include "nonlinear/corrections.h"

#include <float.h>
#include <math.h>
#include <string.h>

void minimal_spread(minimal *c)
{
    const mechanical *m = c->base.mechanical;
    sparse_spread(m->gradient.pattern, m->gradient.value, m->constraints, c->g);
}

dae_status minimal_factor(minimal *c, stacked *s, const double *v)
{
    size_t height = c->base.mechanical->constraints;
    for (size_t j = 0; j < c->n; j++) {
        memcpy(s->value + j * s->rows, c->g + j * height, s->constraints * sizeof *s->value);
        for (size_t k = s->constraints; k < s->rows; k++)
            s->value[j * s->rows + k] = v[(k - s->constraints) * c->n + j];
    }
    dae_status status = min_norm_factor(s->solver, s->value, c->sizes, (double)c->n * DBL_EPSILON);
    if (status != DAE_OK) return status;
    return min_norm_rank(s->solver) < c->n ? DAE_SINGULAR : DAE_OK;
}

static double size_of(const minimal *c, const double *x, const double *nominal)
{
    double size = 0;
    for (size_t j = 0; j < c->n; j++) size = fmax(size, fabs(x[j]) / nominal[j]);
    return size;
}

dae_status minimal_evaluate(minimal *c, double t, const double *q)
{
    dae_status status = mechanical_evaluate(c->base.mechanical, t, q);
    if (status == DAE_OK) minimal_spread(c);
    return status;
}

typedef struct point_run {
    minimal *c;
    const basis *b;
    double t;
    const double *alpha;
    double *q, last; /* last: the size of the last change */
} point_run;

/* One step of Newton's iteration from q. *moved becomes the length of the step, relative to q. */
static dae_status correct_q(void *self, double *moved)
{
    point_run *r = self;
    minimal *c = r->c;
    const basis *b = r->b;
    stacked *s = &c->for_q;
    const double *nominal = c->base.mechanical->form->nominal;
    double *q = r->q;
    dae_status status = minimal_evaluate(c, r->t, q);
    if (status == DAE_OK) status = mechanical_position(c->base.mechanical, r->t, q, s->right);
    if (status == DAE_OK) status = minimal_factor(c, s, b->v);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < c->n; j++) c->change[j] = q[j] - b->q0[j];
    for (size_t k = 0; k < c->positions; k++)
        s->right[s->constraints + k] = vector_dot(c->n, b->v + k * c->n, c->change) - r->alpha[k];
    min_norm_solve(s->solver, s->right, c->change);
    double size = size_of(c, c->change, nominal);
    for (size_t j = 0; j < c->n; j++) q[j] += c->change[j];
    *moved = size / fmax(size_of(c, q, nominal), 1);
    if (*moved > ROUND_OFF_AMPLIFIED)
        c->rate = fmax(c->rate, fmin(size / r->last, MINIMAL_SLOWEST));
    r->last = size;
    return DAE_OK;
}

/* Predict q (n) in the tangent space of the chart's point. */
static void predict_q(const minimal *c, const basis *b, double t, const double *alpha, double *q)
{
    for (size_t j = 0; j < c->n; j++) q[j] = b->q0[j] + (t - b->t) * b->drift[j];
    for (size_t k = 0; k < c->positions; k++)
        for (size_t j = 0; j < c->n; j++) q[j] += b->along[k * c->n + j] * alpha[k];
}

/* The point is outside the chart. Note the constraint with the largest violation in bad_row. */
static dae_status outside(minimal *c, const stacked *s)
{
    mechanical *m = c->base.mechanical;
    size_t worst = 0;
    for (size_t i = 1; i < s->constraints; i++)
        if (fabs(s->right[i]) > fabs(s->right[worst])) worst = i;
    m->bad_value = NULL;
    m->bad_row = s->constraints ? m->nq + m->nv + worst : PROBLEM_NOWHERE;
    return DAE_NOT_EVALUABLE;
}

/* Find q (n) from alpha. The iteration starts in the tangent space and ends when corrections no
 * longer decrease. If corrections decrease too slowly, q is outside the chart; a q found then might
 * lie on another branch of the constraint manifold. */
static dae_status find_q(minimal *c, const basis *b, double t, const double *alpha, double *q)
{
    static const correction_ops OPS = {.find = correct_q};
    static const correction_rules RULES = {.most = 25,
                                           .round_off = ROUND_OFF_VALUE,
                                           .nearly = ROUND_OFF_AMPLIFIED,
                                           .falls = MINIMAL_SLOWEST,
                                           .must_fall = true};
    point_run r = {c, b, t, alpha, q, HUGE_VAL};
    c->rate = 0;
    predict_q(c, b, t, alpha, q);
    dae_status status = corrections_run(&OPS, &r, &RULES, NULL);
    return status == DAE_SINGULAR || status == DAE_NEWTON ? outside(c, &c->for_q) : status;
}

/* v (n) from beta at q. */
static dae_status find_v(minimal *c, const basis *b, double t, const double *q, const double *beta,
                         double *v)
{
    stacked *s = &c->for_v;
    dae_status status = minimal_evaluate(c, t, q);
    if (status == DAE_OK) status = mechanical_velocity(c->base.mechanical, t, q, c->zero, s->right);
    if (status == DAE_OK) status = minimal_factor(c, s, b->w);
    if (status != DAE_OK) return status == DAE_SINGULAR ? outside(c, s) : status;
    for (size_t k = 0; k < c->speeds; k++) s->right[s->constraints + k] = -beta[k];
    min_norm_solve(s->solver, s->right, v);
    return DAE_OK;
}

dae_status minimal_find_point(minimal *c, const basis *b, double t, const double *y)
{
    dae_status status = find_q(c, b, t, y, c->q);
    return status == DAE_OK ? find_v(c, b, t, c->q, y + c->positions, c->v) : status;
}
