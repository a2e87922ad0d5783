/* Saddle-point systems of a mechanical system, accelerations, the null space of its constraints. */
#include "base/round_off.h"
#include "mechanical/mechanical_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* If a refinement with factors of a nearby point reduces the error by less than FALLS, new factors
 * are cheaper. Corrections of ROUND_OFF_ELIMINATED count as converged then. */
static const double FALLS = 0.0625;

enum { MOST_REFINEMENTS = 8 };

/* a M + d D + k K, in the pattern of all three. */
static void form_block(mechanical_state *s, double a, double d, double k)
{
    const mechanical_form *f = s->form;
    memset(s->block, 0, s->all.pattern->nonzeros * sizeof *s->block);
    for (size_t e = 0; e < f->mass.pattern->nonzeros; e++)
        s->block[s->all.first[e]] += a * s->here.mass[e];
    for (size_t e = 0; d != 0 && e < f->damping.pattern->nonzeros; e++)
        s->block[s->all.second[e]] += d * s->damping[e];
    size_t stiff = s->base.stiffness.pattern->nonzeros;
    for (size_t e = 0; k != 0 && e < stiff; e++) s->block[s->all.third[e]] += k * s->stiffness[e];
}

dae_status mechanical_factor(mechanical *m, size_t slot, double a, double d, double k)
{
    mechanical_state *s = mechanical_inside(m);
    mechanical_slot *of = &s->slot[slot];
    of->all = d != 0 || k != 0;
    saddle_point **p = of->all ? &of->of_all : &of->of_mass;
    const sparse_pattern *block = of->all ? s->all.pattern : s->form->mass.pattern;
    dae_status status = DAE_OK;
    if (!*p) status = saddle_point_create(p, block, s->gradient.pattern, s->nominal_v);
    if (status != DAE_OK) return status;
    if (of->all)
        form_block(s, a, d, k);
    else
        for (size_t e = 0; e < block->nonzeros; e++) s->block[e] = a * s->here.mass[e];
    size_t before = saddle_point_factored(*p);
    status = saddle_point_factor(*p, s->block, s->here.gradient);
    m->factorizations += saddle_point_factored(*p) - before;
    m->dependent = saddle_point_knows_rank(*p) ? m->constraints - saddle_point_rank(*p)
                                               : MECHANICAL_UNCOUNTED;
    if (status == DAE_SINGULAR) m->bad_row = s->form->nq + saddle_point_undetermined(*p);
    return status;
}

saddle_point *mechanical_factors(const mechanical *m, size_t slot)
{
    const mechanical_slot *of = &mechanical_look(m)->slot[slot];
    return of->all ? of->of_all : of->of_mass;
}

void mechanical_solve(mechanical *m, size_t slot, double *x)
{
    saddle_point_solve(mechanical_factors(m, slot), x);
}

typedef void solving(saddle_point *p, double *x);

static dae_status accelerate(mechanical *m, double t, const double *q, const double *v, double *vp,
                             double *lambda, solving *solve)
{
    mechanical_state *s = mechanical_inside(m);
    size_t nv = m->nv, constraints = m->constraints;
    dae_status status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = mechanical_force(&s->base, t, q, v, s->right);
    if (status == DAE_OK) status = mechanical_gamma(m, t, q, v, s->right + nv);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < constraints; i++) s->right[nv + i] = -s->right[nv + i];
    solve(mechanical_factors(m, 0), s->right);
    memcpy(vp, s->right, nv * sizeof *vp);
    memcpy(lambda, s->right + nv, constraints * sizeof *lambda);
    return DAE_OK;
}

dae_status mechanical_accelerate(mechanical *m, double t, const double *q, const double *v,
                                 double *vp, double *lambda)
{
    return accelerate(m, t, q, v, vp, lambda, saddle_point_solve);
}

dae_status mechanical_accelerate_once(mechanical *m, double t, const double *q, const double *v,
                                      double *vp, double *lambda)
{
    return accelerate(m, t, q, v, vp, lambda, saddle_point_solve_once);
}

/* s->right becomes the residual of the equations at v' and lambda. f and gamma are in s->force_here
 * and s->level. */
static void take_residual(mechanical_state *s, const double *vp, const double *lambda)
{
    const mechanical *m = &s->base;
    double *motion = s->right, *constraint = s->right + m->nv;
    mechanical_mass_times(m, vp, motion);
    for (size_t j = 0; j < m->nv; j++) motion[j] = s->force_here[j] - motion[j];
    sparse_add_transposed(s->gradient.pattern, s->here.gradient, 1, lambda, motion);
    mechanical_gradient_times(m, vp, constraint);
    for (size_t i = 0; i < m->constraints; i++) constraint[i] = -s->level[i] - constraint[i];
}

/* x += change. Returns the largest change relative to the largest x. */
static double amend(size_t n, double *x, const double *change)
{
    double moved = 0, size = 0;
    for (size_t j = 0; j < n; j++) {
        x[j] += change[j];
        moved = fmax(moved, fabs(change[j]));
        size = fmax(size, fabs(x[j]));
    }
    return size > 0 ? moved / size : moved;
}

/* Iterative refinement with the factors in slot 0. Returns whether it converged to round-off. */
static bool refine(mechanical_state *s, double *vp, double *lambda)
{
    size_t nv = s->base.nv, constraints = s->base.constraints;
    double before = HUGE_VAL;
    memset(vp, 0, nv * sizeof *vp);
    memset(lambda, 0, constraints * sizeof *lambda);
    for (int i = 0; i < MOST_REFINEMENTS; i++) {
        take_residual(s, vp, lambda);
        mechanical_solve(&s->base, 0, s->right);
        double moved = fmax(amend(nv, vp, s->right), amend(constraints, lambda, s->right + nv));
        if (moved <= DBL_EPSILON) return true;
        if (!(moved < FALLS * before)) return moved <= ROUND_OFF_ELIMINATED;
        before = moved;
    }
    return false;
}

dae_status mechanical_accelerate_nearby(mechanical *m, double t, const double *q, const double *v,
                                        double *vp, double *lambda)
{
    mechanical_state *s = mechanical_inside(m);
    bool factored = s->slot[0].of_mass && !s->slot[0].all && m->dependent == 0;
    if (!factored) return mechanical_accelerate(m, t, q, v, vp, lambda);
    dae_status status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = mechanical_force(&s->base, t, q, v, s->force_here);
    if (status == DAE_OK) status = mechanical_gamma(m, t, q, v, s->level);
    if (status != DAE_OK || refine(s, vp, lambda)) return status;
    return mechanical_accelerate(m, t, q, v, vp, lambda);
}

dae_status mechanical_null_space(mechanical *m, double *basis, size_t *freedoms)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = DAE_OK;
    if (!s->null_rows) status = min_norm_create(&s->null_rows, s->gradient.pattern, MIN_NORM_RANK);
    if (status == DAE_OK)
        status = min_norm_factor(s->null_rows, s->here.gradient, s->nominal_v,
                                 SADDLE_POINT_DEPENDENT);
    if (status == DAE_OK && !min_norm_knows_null_space(s->null_rows)) return DAE_UNSUPPORTED;
    if (status != DAE_OK) return status;
    *freedoms = m->nv - min_norm_rank(s->null_rows);
    min_norm_null_space(s->null_rows, basis);
    return DAE_OK;
}
