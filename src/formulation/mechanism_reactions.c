#include "formulation/mechanism_reactions.h"

#include <math.h>
#include <string.h>

static const sparse_pattern *gradient_of(const mechanism_reactions *r)
{
    return r->form->gradient.matrix->pattern;
}

static const sparse_pattern *direction_of(const mechanism_reactions *r)
{
    return r->form->direction.matrix->pattern;
}

mechanism_reactions *mechanism_reactions_create(mechanism_form *f)
{
    arena *a = f->system->memory;
    mechanism_reactions *r = arena_take(a, sizeof *r);
    r->form = f;
    r->direction = arena_array(a, direction_of(r)->nonzeros, sizeof(double));
    r->gradient = arena_array(a, gradient_of(r)->nonzeros, sizeof(double));
    arena_vectors(a, f->n, (double **const[]){&r->weight, &r->size, &r->force_weight, NULL});
    r->right = arena_array(a, f->n + f->m, sizeof(double));
    r->unit = sparse_diagonal(a, f->n);
    for (size_t j = 0; j < f->n; j++) r->size[j] = r->weight[j] = r->force_weight[j] = 1;
    return r;
}

static const double *sizes_of(const mechanism_reactions *r)
{
    return r->form->nominal + r->form->n;
}

/* The unit of a force does not follow from the unit of its velocity alone, because an equation of
 * motion may have been divided by a mass. Scaled by sizes of velocities, B could lose its numerical
 * rank. So the force unit is mass times velocity size. */
void mechanism_reactions_take_sizes(mechanism_reactions *r, const double *mass)
{
    const sparse_pattern *p = r->form->mass.matrix->pattern;
    const double *size = sizes_of(r);
    for (size_t j = 0; j < r->form->n; j++) {
        double force = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if ((size_t)p->row[k] == j) force = fabs(mass[k]) * size[j];
        bool known = force > 0 && isfinite(force);
        r->weight[j] = 1 / (size[j] * size[j]);
        r->size[j] = known ? 1 / force : size[j];
        r->force_weight[j] = 1 / (r->size[j] * r->size[j]);
    }
}

dae_status mechanism_reactions_factors(mechanism_reactions *r)
{
    dae_status status = saddle_point_create(&r->by_direction, r->unit, direction_of(r), r->size);
    if (status != DAE_OK) return status;
    return saddle_point_create(&r->by_gradient, r->unit, gradient_of(r), sizes_of(r));
}

static dae_status factor(saddle_point *p, const double *weight, const double *value)
{
    dae_status status = saddle_point_factor(p, weight, value);
    return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status; /* the unit is regular */
}

static void evaluate(mechanism_reactions *r, double t, const double *q)
{
    mechanism_form_evaluate(r->form, &r->form->direction, t, q, NULL, r->direction);
    mechanism_form_evaluate(r->form, &r->form->gradient, t, q, NULL, r->gradient);
}

/* r->right = -A^T x, then zeros. */
static void transposed(mechanism_reactions *r, const sparse_pattern *p, const double *value,
                       const double *x)
{
    memset(r->right, 0, (r->form->n + r->form->m) * sizeof *r->right);
    sparse_add_transposed(p, value, -1, x, r->right);
}

dae_status mechanism_reactions_of_author(mechanism_reactions *r, double t, const double *q,
                                         const double *mu, double *lambda)
{
    evaluate(r, t, q);
    dae_status status = factor(r->by_direction, r->force_weight, r->direction);
    if (status != DAE_OK) return status;
    transposed(r, gradient_of(r), r->gradient, mu);
    saddle_point_solve(r->by_direction, r->right);
    memcpy(lambda, r->right + r->form->n, r->form->m * sizeof *lambda);
    return DAE_OK;
}

dae_status mechanism_reactions_shares(mechanism_reactions *r, double t, const double *q,
                                      double *share)
{
    size_t n = r->form->n, m = r->form->m;
    evaluate(r, t, q);
    dae_status status = factor(r->by_gradient, r->weight, r->gradient);
    for (size_t l = 0; status == DAE_OK && l < m; l++) {
        double *column = share + l * m;
        memset(column, 0, m * sizeof *column);
        column[l] = 1;
        transposed(r, direction_of(r), r->direction, column);
        saddle_point_solve(r->by_gradient, r->right);
        for (size_t k = 0; k < m; k++) column[k] = fabs(r->right[n + k]);
    }
    return status;
}

void mechanism_reactions_free(mechanism_reactions *r)
{
    if (!r) return;
    saddle_point_free(r->by_direction);
    saddle_point_free(r->by_gradient);
    r->by_direction = r->by_gradient = NULL;
}
