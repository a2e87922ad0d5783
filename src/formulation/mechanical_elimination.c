/* v' of mechanical_elimination.h by elimination and by least squares. */
#include "formulation/mechanical_elimination.h"

#include "linalg/rows.h"

#include <float.h>
#include <string.h>

static dae_status by_multipliers(elimination *c, double t, const double *q, const double *v,
                                 double *vp)
{
    return mechanical_accelerate_once(c->base.mechanical, t, q, v, vp, c->lambda);
}

/* The stacked matrix and its right side: rows N N^T M with N N^T f, then rows G with -gamma. */
static void stack(elimination *c, size_t freedoms)
{
    const mechanical *m = c->base.mechanical;
    size_t nv = c->nv, rows = nv + c->constraints;
    memset(c->stacked, 0, rows * nv * sizeof *c->stacked);
    memset(c->right, 0, nv * sizeof *c->right);
    for (size_t k = 0; k < freedoms; k++) { /* M is symmetric */
        const double *n = c->basis + k * nv;
        mechanical_mass_times(m, n, c->column);
        double along = vector_dot(nv, n, c->force);
        for (size_t i = 0; i < nv; i++) c->right[i] += n[i] * along;
        for (size_t j = 0; j < nv; j++)
            for (size_t i = 0; i < nv; i++) c->stacked[j * rows + i] += n[i] * c->column[j];
    }
    sparse_spread(m->gradient.pattern, m->gradient.value, rows, c->stacked + nv);
    for (size_t i = 0; i < c->constraints; i++) c->right[nv + i] = -c->level[i];
}

dae_status elimination_name_singular(elimination *c)
{
    dae_status status = mechanical_factor(c->base.mechanical, 0, 1, 0, 0);
    return status == DAE_OK ? DAE_SINGULAR : status;
}

/* Udwadia & Phohomsiri, Proc. R. Soc. A 462 (2006) 2097, Eq. (3.14). */
static dae_status by_least_squares(elimination *c, double t, const double *q, const double *v,
                                   double *vp)
{
    mechanical *m = c->base.mechanical;
    const double *sizes = m->form->nominal + m->nq;
    size_t freedoms = 0;
    dae_status status = mechanical_force(m, t, q, v, c->force);
    if (status == DAE_OK) status = mechanical_gamma(m, t, q, v, c->level);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = mechanical_null_space(m, c->basis, &freedoms);
    if (status != DAE_OK) return status;
    stack(c, freedoms);
    for (size_t i = 0; i < c->nv + c->constraints; i++) c->right[i] = -c->right[i];
    status = min_norm_factor(c->least_squares, c->stacked, sizes, (double)c->nv * DBL_EPSILON);
    if (status != DAE_OK) return status;
    if (min_norm_rank(c->least_squares) < c->nv) return elimination_name_singular(c);
    min_norm_solve(c->least_squares, c->right, vp);
    return DAE_OK;
}

static int right_side(double t, const double *y, double *f, void *user)
{
    elimination *c = user;
    const double *v = y + c->nq;
    dae_status status = mechanical_kinematics(c->base.mechanical, t, y, v, f);
    return formulation_answer(status == DAE_OK ? c->accelerate(c, t, y, v, f + c->nq) : status);
}

/* c->column (nv + constraints) = minus a column of [K; (G v' + gamma)_q], or of [D; gamma_v]. */
static void take_column(elimination *c, const sparse_pattern *p, const double *value,
                        const double *level, size_t j)
{
    const sparse_pattern *l = c->levels->pattern;
    memset(c->column, 0, (c->nv + c->constraints) * sizeof *c->column);
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) c->column[p->row[k]] = -value[k];
    for (sparse_index k = l->start[j]; k < l->start[j + 1]; k++)
        c->column[c->nv + (size_t)l->row[k]] = -level[k];
}

/* df/dy by implicit differentiation: the derivatives of v' and lambda solve the same saddle-point
 * system as v' and lambda. */
static int jacobian_callback_in_blocks(double t, const double *y, double *dy, void *user)
{
    elimination *c = user;
    mechanical *m = c->base.mechanical;
    size_t nv = c->nv, tall = nv + 1; /* entries of a column by v; the first is of q' */
    const double *v = y + c->nq;
    dae_status status = mechanical_accelerate(m, t, y, v, c->vp, c->lambda);
    if (status == DAE_OK) status = formulated_levels_acceleration(c->levels, t, y, v, c->vp);
    if (status == DAE_OK) status = mechanical_linearize(m, t, y, v, c->vp, c->lambda);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    for (size_t j = 0; status == DAE_OK && j < nv; j++) {
        take_column(c, m->stiffness.pattern, m->stiffness.value, c->levels->acceleration_q, j);
        mechanical_solve(m, 0, c->column);
        memcpy(dy + j * nv, c->column, nv * sizeof *dy);
        take_column(c, m->damping.pattern, m->damping.value, c->levels->acceleration_v, j);
        mechanical_solve(m, 0, c->column);
        dy[nv * nv + j * tall] = 1;
        memcpy(dy + nv * nv + j * tall + 1, c->column, nv * sizeof *dy);
    }
    return formulation_answer(status);
}

static void list_blocks(elimination *c)
{
    arena *a = &c->base.memory;
    size_t nv = c->nv;
    const sparse_pattern *ones = sparse_diagonal(a, nv), *all = sparse_full(a, nv, nv);
    c->by_y = (formulated_blocks){
        .count = 3,
        .block = {{.pattern = ones, .to = nv, .column = nv},
                  {.pattern = all, .to = nv, .row = nv},
                  {.pattern = all, .to = nv, .row = nv, .column = nv}},
    };
}

/* The pattern of df/dy: blocks where q' = v, empty for methods without a Jacobian, else dense. */
static dae_pattern jacobian_pattern(elimination *c, bool in_blocks)
{
    if (!in_blocks && !c->base.without_jacobian) return (dae_pattern){.layout = DAE_DENSE};
    if (in_blocks) list_blocks(c);
    c->by_y.n = c->base.n;
    formulated_blocks_build(&c->by_y, &c->base.memory);
    return c->by_y.pattern;
}

dae_status elimination_create(mechanical_formulation *base, elimination *c, bool exact, message *m)
{
    arena *a = &base->memory;
    const mechanical *s = base->mechanical;
    bool in_blocks = !s->form->given.kinematics && !base->without_jacobian;
    c->nq = s->nq;
    c->nv = s->nv;
    c->constraints = s->constraints;
    arena_vectors(a, c->constraints, (double **const[]){&c->lambda, &c->level, &c->pulled, NULL});
    arena_vectors(a, c->nv, (double **const[]){&c->force, &c->vp, NULL});
    c->column = arena_array(a, c->nv + c->constraints, sizeof(double));
    formulated_names names = formulated_names_begin(base, c->nq + c->nv);
    formulated_name_unknowns(&names, "", 0, base->n, "", 1);
    formulated_name_equations(&names, "", 0, base->n);
    if (in_blocks && exact) c->levels = formulated_levels_create(a, base->mechanical);
    const dae_mass_form form = {
        .n = base->n,
        .f = right_side,
        .f_y = in_blocks && exact ? jacobian_callback_in_blocks : NULL,
        .f_pattern = jacobian_pattern(c, in_blocks),
        .about = formulation_about(&names),
    };
    return equations_create(&base->equations, a, EQUATIONS_MASS, &form, m);
}

/* Let s be the part of a row of G that is independent of the other rows. Round-off grows as 1 / s
 * in positions, as 1 / s^2 in v (by G v = 0), and as 1 / s^3 in v'. */
static const double SINGULAR = 1e-4;

/* Prepare to leave constraints out, if the system is not too large: for a large system the check of
 * the rows costs as much as many steps. If no row depends on others at the start, only short steps
 * are checked. If some do, each step is checked; that is too expensive for a large system, which
 * leaves no constraints out. */
static dae_status watch_rank(elimination *c, double t, const double *q)
{
    mechanical *m = c->base.mechanical;
    size_t size = m->constraints + m->nv;
    if (size > DEPENDENT_CONSTRAINTS_MOST) return DAE_OK;
    dependent_constraints *d = dependent_constraints_create(&c->base.memory, m, SINGULAR);
    dae_status status = dependent_constraints_choose(d, t, q);
    if (d->count == 0 || size <= DEPENDENT_CONSTRAINTS_SMALL) c->base.dependent = d;
    return status;
}

static dae_status create_elimination(mechanical_formulation *base, double t,
                                     const mechanical_point *p, message *m)
{
    elimination *c = (elimination *)base;
    c->accelerate = by_multipliers;
    dae_status status = elimination_create(base, c, true, m);
    return status == DAE_OK ? watch_rank(c, t, p->q) : status;
}

static dae_status create_udwadia_kalaba(mechanical_formulation *base, double t,
                                        const mechanical_point *p, message *m)
{
    elimination *c = (elimination *)base;
    arena *a = &base->memory;
    dae_status status = elimination_create(base, c, true, m);
    size_t rows = c->nv + c->constraints;
    if (status != DAE_OK) return status;
    c->accelerate = by_least_squares;
    c->basis = arena_array(a, c->nv * c->nv, sizeof(double));
    c->stacked = arena_array(a, rows * c->nv, sizeof(double));
    c->right = arena_array(a, rows, sizeof(double));
    c->stack = sparse_full(a, rows, c->nv);
    if (status == DAE_OK) status = min_norm_create(&c->least_squares, c->stack, MIN_NORM_RANK);
    if (status == DAE_OK) status = watch_rank(c, t, p->q);
    return status == DAE_OK ? c->accelerate(c, t, p->q, p->v, c->vp) : status;
}

static dae_status lower(mechanical_formulation *base, double t, const mechanical_point *p,
                        double *y, double *yp)
{
    elimination *c = (elimination *)base;
    memcpy(y, p->q, c->nq * sizeof *y);
    memcpy(y + c->nq, p->v, c->nv * sizeof *y);
    memcpy(yp + c->nq, p->vp, c->nv * sizeof *yp);
    dae_status status = mechanical_kinematics(base->mechanical, t, p->q, p->v, yp);
    if (status != DAE_OK || !base->mechanical->out) return status;
    return c->accelerate(c, t, p->q, p->v, yp + c->nq); /* which is not that of all constraints */
}

static dae_status renew(mechanical_formulation *base, double t, const mechanical_point *p)
{
    if (!base->dependent) return DAE_OK;
    dae_status status = dependent_constraints_renew(base, t, p);
    if (base->away) base->mechanical->out = base->dependent->out;
    if (status == DAE_OK) base->at = ++base->renewals;
    return status;
}

static dae_status lift(mechanical_formulation *base, double t, const double *y, const double *yp,
                       mechanical_point *p)
{
    const elimination *c = (const elimination *)base;
    (void)t, (void)yp;
    memcpy(p->q, y, c->nq * sizeof *y);
    memcpy(p->v, y + c->nq, c->nv * sizeof *y);
    return DAE_OK;
}

/* v' by a penalty differs a little from v' of the point. */
static dae_status lower_pulled(mechanical_formulation *base, double t, const mechanical_point *p,
                               double *y, double *yp)
{
    elimination *c = (elimination *)base;
    dae_status status = lower(base, t, p, y, yp);
    return status == DAE_OK ? c->accelerate(c, t, p->q, p->v, yp + c->nq) : status;
}

/* lambda holds the forces that the penalty applies. */
static dae_status lift_pulled(mechanical_formulation *base, double t, const double *y,
                              const double *yp, mechanical_point *p)
{
    elimination *c = (elimination *)base;
    dae_status status = lift(base, t, y, yp, p);
    if (status == DAE_OK) status = c->accelerate(c, t, p->q, p->v, p->vp);
    memcpy(p->lambda, c->lambda, c->constraints * sizeof *c->lambda);
    return status;
}

static void release(mechanical_formulation *base)
{
    elimination *c = (elimination *)base;
    min_norm_free(c->least_squares);
    linear_solver_free(c->solver);
}

/* Of an augmented penalty. */
enum { MOST_ROUNDS = 40 };

/* The arguments after `what` are the source and further members of the row. */
#define ROW(word, is_drifting, made_by, what, ...)                                               \
    &(const mechanical_formulation_ops)                                                          \
    {                                                                                            \
        .name = word, .says = what, .size = sizeof(elimination), .drifts = is_drifting,          \
        .create = made_by, .lower = lower, .lift = lift, .quality = dependent_constraints_judge, \
        .renew = renew, .loosen = dependent_constraints_loosen, .free = release,                 \
        .source = __VA_ARGS__                                                                    \
    }
#define PULLED(word, rounds, what)                                                                \
    &(const mechanical_formulation_ops)                                                           \
    {                                                                                             \
        .name = word, .says = what, .size = sizeof(elimination), .drifts = true, .by_mass = true, \
        .lifts_forces = true, .create = elimination_create_penalty, .kind = &(const int){rounds}, \
        .lower = lower_pulled, .lift = lift_pulled, .quality = elimination_look_at_penalty,       \
        .observe = elimination_observe_penalty, .free = release, .parameter = PENALISED,          \
        .most = FORMULATION_LARGEST,                                                              \
        .source = "Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183" \
    }

/* alpha is in units of the largest entry of M over the squares of the lengths of G's rows. */
#define PENALISED                                                \
    {                                                            \
        {"alpha", 1e7, 0, false, "1"}, {"xi", 1, 0, false, "1"}, \
        {                                                        \
            "omega", 10, 0, false, "1/s"                         \
        }                                                        \
    }

const mechanical_formulation_ops *const elimination_formulation_rows[] = {
    ROW("elimination", true, create_elimination,
        "v' and the multipliers from one linear system at each point",
        "Gauss' principle; Hairer & Wanner II, Eq. (VII.1.47)",
        .most = FORMULATION_LARGEST_JACOBIAN, .full_jacobian_alone = true),
    ROW("udwadia-kalaba", true, create_udwadia_kalaba,
        "v' by the least-squares solution of the motion and the constraints on accelerations, of "
        "systems that are not large",
        "Udwadia & Phohomsiri, Proc. R. Soc. A 462 (2006) 2097", .most = FORMULATION_LARGEST),
    PULLED("penalty", 1,
           "constraints held by forces in proportion to them, of systems that are not large"),
    PULLED(
        "augmented", MOST_ROUNDS,
        "constraints held by forces that are added up until they are met, of systems that are not "
        "large"),
    NULL,
};
