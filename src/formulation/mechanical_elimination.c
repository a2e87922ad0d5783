/* Formulations q' = S v, v' = a(t, q, v): multipliers are eliminated, and v' is computed from q and
 * v. They differ in how.
 *
 * Elimination solves M v' = f + G^T lambda, G v' + gamma = 0 for both (Gauss' principle).
 * Udwadia and Kalaba's equations take v' as the least-squares solution of N^T M v' = N^T f,
 * G v' = -gamma, N N^T being the projection onto the null space of G; M may be semidefinite.
 * Penalties pull with lambda = -alpha c, c = G v' + gamma + 2 xi omega (G v + phi_t) + omega^2 phi;
 * augmented ones add up lambda until c is 0. */
#include "formulation/chart_blocks.h"
#include "formulation/chart_levels.h"
#include "formulation/chart_rows.h"
#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 40 };

typedef struct elimination {
    chart base;
    size_t nq, nv, constraints;
    dae_status (*accelerate)(struct elimination *c, double t, const double *q, const double *v,
                             double *vp);
    double *lambda;         /* constraints */
    double *force;          /* nv */
    double *level, *pulled; /* constraints */
    chart_blocks by_y;      /* where q' = v: df/dy */
    chart_levels *levels;
    double *vp, *column; /* nv, nv + constraints */

    /* Udwadia & Kalaba: */
    double *basis, *stacked, *right; /* nv x nv; (nv + constraints) x nv, and its right side */
    const sparse_pattern *stack;
    double *ones; /* nv */
    min_norm *least_squares;

    /* Penalties: */
    double alpha; /* in units of the mass */
    double *penalised, *gradient; /* nv x nv: M + alpha G^T G; constraints x nv: G */
    double *change; /* nv */
    const sparse_pattern *square;
    linear_solver *solver;
} elimination;

static dae_status by_multipliers(elimination *c, double t, const double *q, const double *v,
                                 double *vp)
{
    return mechanical_accelerate(c->base.mechanical, t, q, v, vp, c->lambda);
}

/* dense (rows x columns, with `ld` rows) = a sparse matrix. */
static void spread(const sparse_pattern *p, const double *value, size_t ld, double *dense)
{
    for (size_t j = 0; j < p->columns; j++) {
        memset(dense + j * ld, 0, p->rows * sizeof *dense);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            dense[j * ld + (size_t)p->row[k]] = value[k];
    }
}

/* The stacked matrix and its right side: N N^T M, N N^T f; G, -gamma. */
static void stack(elimination *c, size_t freedoms)
{
    const mechanical *m = c->base.mechanical;
    size_t nv = c->nv, rows = nv + c->constraints;
    memset(c->stacked, 0, rows * nv * sizeof *c->stacked);
    memset(c->right, 0, nv * sizeof *c->right);
    for (size_t k = 0; k < freedoms; k++) { /* M is symmetric */
        const double *n = c->basis + k * nv;
        double along = 0;
        mechanical_mass_times(m, n, c->column);
        for (size_t j = 0; j < nv; j++) along += n[j] * c->force[j];
        for (size_t i = 0; i < nv; i++) c->right[i] += n[i] * along;
        for (size_t j = 0; j < nv; j++)
            for (size_t i = 0; i < nv; i++) c->stacked[j * rows + i] += n[i] * c->column[j];
    }
    spread(mechanical_gradient_pattern(m), mechanical_gradient(m), rows, c->stacked + nv);
    for (size_t i = 0; i < c->constraints; i++) c->right[nv + i] = -c->level[i];
}

/* Udwadia & Phohomsiri, Proc. R. Soc. A 462 (2006) 2097, Eq. (3.14). */
static dae_status by_least_squares(elimination *c, double t, const double *q, const double *v,
                                   double *vp)
{
    mechanical *m = c->base.mechanical;
    size_t freedoms = 0;
    dae_status status = mechanical_force(m, t, q, v, c->force);
    if (status == DAE_OK) status = mechanical_gamma(m, t, q, v, c->level);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = mechanical_null_space(m, c->basis, &freedoms);
    if (status != DAE_OK) return status;
    stack(c, freedoms);
    for (size_t i = 0; i < c->nv + c->constraints; i++) c->right[i] = -c->right[i];
    status = min_norm_factor(c->least_squares, c->stacked, c->ones, (double)c->nv * DBL_EPSILON);
    if (status != DAE_OK) return status;
    if (min_norm_rank(c->least_squares) < c->nv) return DAE_SINGULAR;
    min_norm_solve(c->least_squares, c->right, vp);
    return DAE_OK;
}

/* What the equations miss but for G v': gamma + 2 xi omega (G v + phi_t) + omega^2 phi. */
static dae_status miss(elimination *c, double t, const double *q, const double *v)
{
    mechanical *m = c->base.mechanical;
    double xi = c->base.parameter[1], omega = c->base.parameter[2];
    dae_status status = mechanical_gamma(m, t, q, v, c->level);
    if (status == DAE_OK) status = mechanical_velocity(m, t, q, v, c->pulled);
    for (size_t i = 0; i < c->constraints; i++) c->level[i] += 2 * xi * omega * c->pulled[i];
    if (status == DAE_OK) status = mechanical_position(m, t, q, c->pulled);
    for (size_t i = 0; i < m->holonomic; i++) c->level[i] += omega * omega * c->pulled[i];
    return status;
}

static double largest(const double *value, size_t count)
{
    double size = 0;
    for (size_t k = 0; k < count; k++) size = fmax(size, fabs(value[k]));
    return size;
}

/* alpha is a number in the units of M over G^T G, fixed at the start. */
static void scale_penalty(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    double gradient = largest(mechanical_gradient(m), mechanical_gradient_pattern(m)->nonzeros);
    double mass = largest(mechanical_mass(m), mechanical_mass_pattern(m)->nonzeros);
    c->alpha = c->base.parameter[0] * mass / (gradient > 0 ? gradient * gradient : 1);
}

/* M + alpha G^T G, factored. */
static dae_status factor_penalised(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    size_t nv = c->nv, rows = c->constraints;
    const double *g = c->gradient;
    spread(mechanical_mass_pattern(m), mechanical_mass(m), nv, c->penalised);
    spread(mechanical_gradient_pattern(m), mechanical_gradient(m), rows, c->gradient);
    for (size_t j = 0; j < nv; j++) {
        for (size_t i = 0; i < nv; i++) {
            double sum = 0;
            for (size_t k = 0; k < rows; k++) sum += g[i * rows + k] * g[j * rows + k];
            c->penalised[j * nv + i] += c->alpha * sum;
        }
    }
    return linear_solver_factor(c->solver, c->penalised);
}

/* One round: lambda -= alpha c, and v' by it. Returns how far v' has changed, relative to it. */
static double pull(elimination *c, double *vp)
{
    mechanical *m = c->base.mechanical;
    for (size_t i = 0; i < c->constraints; i++) c->pulled[i] = c->lambda[i] - c->alpha * c->level[i];
    mechanical_gradient_transposed(m, c->pulled, c->change);
    for (size_t j = 0; j < c->nv; j++) c->change[j] += c->force[j];
    linear_solver_solve(c->solver, c->change);
    double size = largest(c->change, c->nv), moved = 0;
    for (size_t j = 0; j < c->nv; j++) moved = fmax(moved, fabs(c->change[j] - vp[j]));
    memcpy(vp, c->change, c->nv * sizeof *vp);
    mechanical_gradient_times(m, vp, c->pulled);
    for (size_t i = 0; i < c->constraints; i++)
        c->lambda[i] -= c->alpha * (c->pulled[i] + c->level[i]);
    return size > 0 ? moved / size : 0;
}

static dae_status pull_for(elimination *c, double t, const double *q, const double *v, double *vp,
                           int rounds)
{
    mechanical *m = c->base.mechanical;
    dae_status status = mechanical_force(m, t, q, v, c->force);
    if (status == DAE_OK) status = miss(c, t, q, v);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = factor_penalised(c);
    memset(c->lambda, 0, c->constraints * sizeof *c->lambda);
    memset(vp, 0, c->nv * sizeof *vp);
    double before = HUGE_VAL, moved = HUGE_VAL;
    /* until round-off: it falls by about alpha a round */
    for (int i = 0; status == DAE_OK && i < rounds; i++) {
        moved = pull(c, vp);
        if (moved < DBL_EPSILON || (moved < 1e-6 && moved >= 0.5 * before)) break;
        before = moved;
    }
    return status;
}

/* Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183, Eq. (14). */
static dae_status by_penalty(elimination *c, double t, const double *q, const double *v, double *vp)
{
    return pull_for(c, t, q, v, vp, 1);
}

/* The same, Eq. (21): the augmented Lagrangian. */
static dae_status by_augmentation(elimination *c, double t, const double *q, const double *v,
                                  double *vp)
{
    return pull_for(c, t, q, v, vp, MOST_ROUNDS);
}

static int right_side(double t, const double *y, double *f, void *user)
{
    elimination *c = user;
    const double *v = y + c->nq;
    dae_status status = mechanical_kinematics(c->base.mechanical, t, y, v, f);
    return chart_answer(status == DAE_OK ? c->accelerate(c, t, y, v, f + c->nq) : status);
}

/* c->column (nv + constraints) = minus a column of [K; (G v' + gamma)_q], or of [D; gamma_v]. */
static void take_column(elimination *c, const sparse_pattern *p, const double *value,
                        const double *level, size_t j)
{
    const sparse_pattern *l = c->levels->pattern;
    memset(c->column, 0, (c->nv + c->constraints) * sizeof *c->column);
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        c->column[p->row[k]] = -value[k];
    for (sparse_index k = l->start[j]; k < l->start[j + 1]; k++)
        c->column[c->nv + (size_t)l->row[k]] = -level[k];
}

/* The derivatives of v' and lambda solve the same saddle-point system as these. */
static int slopes(double t, const double *y, double *dy, void *user)
{
    elimination *c = user;
    mechanical *m = c->base.mechanical;
    size_t nv = c->nv, tall = nv + 1; /* entries of a column by v, the first being that of q' */
    const double *v = y + c->nq;
    dae_status status = mechanical_accelerate(m, t, y, v, c->vp, c->lambda);
    if (status == DAE_OK) status = chart_levels_acceleration(c->levels, t, y, v, c->vp);
    if (status == DAE_OK) status = mechanical_linearize(m, t, y, v, c->vp, c->lambda);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    for (size_t j = 0; status == DAE_OK && j < nv; j++) {
        take_column(c, mechanical_stiffness_pattern(m), mechanical_stiffness(m),
                    c->levels->acceleration_q, j);
        mechanical_solve(m, 0, c->column);
        memcpy(dy + j * nv, c->column, nv * sizeof *dy);
        take_column(c, mechanical_damping_pattern(m), mechanical_damping(m),
                    c->levels->acceleration_v, j);
        mechanical_solve(m, 0, c->column);
        dy[nv * nv + j * tall] = 1;
        memcpy(dy + nv * nv + j * tall + 1, c->column, nv * sizeof *dy);
    }
    return chart_answer(status);
}

static void list_blocks(elimination *c)
{
    arena *a = &c->base.memory;
    size_t nv = c->nv;
    const sparse_pattern *ones = chart_diagonal_pattern(a, nv), *all = chart_dense_pattern(a, nv, nv);
    c->by_y = (chart_blocks){
        .n = 2 * nv,
        .count = 3,
        .block = {{.pattern = ones, .to = nv, .column = nv},
                  {.pattern = all, .to = nv, .row = nv},
                  {.pattern = all, .to = nv, .row = nv, .column = nv}},
    };
    chart_blocks_build(&c->by_y, a);
}

static dae_status create(chart *base, elimination *c, bool exact, message *m)
{
    arena *a = &base->memory;
    const mechanical *s = base->mechanical;
    bool plain = !s->form->given.kinematics;
    c->nq = s->nq;
    c->nv = s->nv;
    c->constraints = s->constraints;
    c->lambda = arena_array(a, c->constraints, sizeof(double));
    c->level = arena_array(a, c->constraints, sizeof(double));
    c->pulled = arena_array(a, c->constraints, sizeof(double));
    c->force = arena_array(a, c->nv, sizeof(double));
    c->vp = arena_array(a, c->nv, sizeof(double));
    c->column = arena_array(a, c->nv + c->constraints, sizeof(double));
    chart_names names = chart_names_begin(base, c->nq + c->nv);
    chart_name_unknowns(&names, "", 0, base->n, "", 1);
    chart_name_equations(&names, "", 0, base->n);
    if (plain) list_blocks(c);
    if (plain && exact) c->levels = chart_levels_create(a, base->mechanical);
    const dae_mass_form form = {
        .n = base->n,
        .f = right_side,
        .f_y = plain && exact ? slopes : NULL,
        .f_pattern = plain ? c->by_y.pattern : (dae_pattern){.layout = DAE_DENSE},
        .about = chart_about(&names),
    };
    return equations_create(&base->equations, a, EQUATIONS_MASS, &form, m);
}

static dae_status create_elimination(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    (void)t, (void)p;
    c->accelerate = by_multipliers;
    return create(base, c, true, m);
}

static dae_status create_udwadia_kalaba(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    (void)t, (void)p;
    arena *a = &base->memory;
    dae_status status = create(base, c, true, m);
    size_t rows = c->nv + c->constraints;
    c->accelerate = by_least_squares;
    c->basis = arena_array(a, c->nv * c->nv, sizeof(double));
    c->stacked = arena_array(a, rows * c->nv, sizeof(double));
    c->right = arena_array(a, rows, sizeof(double));
    c->ones = arena_array(a, c->nv, sizeof(double));
    for (size_t j = 0; j < c->nv; j++) c->ones[j] = 1;
    c->stack = chart_dense_pattern(a, rows, c->nv);
    return status == DAE_OK ? min_norm_create(&c->least_squares, c->stack, true) : status;
}

static dae_status create_penalty(chart *base, elimination *c, double t, const chart_point *p,
                                 message *m)
{
    arena *a = &base->memory;
    dae_status status = create(base, c, false, m);
    c->penalised = arena_array(a, c->nv * c->nv, sizeof(double));
    c->gradient = arena_array(a, c->constraints * c->nv, sizeof(double));
    c->change = arena_array(a, c->nv, sizeof(double));
    c->square = chart_dense_pattern(a, c->nv, c->nv);
    if (status == DAE_OK) status = linear_solver_create(&c->solver, c->square, false);
    if (status == DAE_OK) status = mechanical_evaluate(base->mechanical, t, p->q);
    if (status == DAE_OK) scale_penalty(c);
    return status;
}

static dae_status create_penalties(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    c->accelerate = by_penalty;
    return create_penalty(base, c, t, p, m);
}

static dae_status create_augmented(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    c->accelerate = by_augmentation;
    return create_penalty(base, c, t, p, m);
}

static dae_status lower(chart *base, double t, const chart_point *p, double *y, double *yp)
{
    const elimination *c = (const elimination *)base;
    memcpy(y, p->q, c->nq * sizeof *y);
    memcpy(y + c->nq, p->v, c->nv * sizeof *y);
    memcpy(yp + c->nq, p->vp, c->nv * sizeof *yp);
    return mechanical_kinematics(base->mechanical, t, p->q, p->v, yp);
}

static dae_status lift(chart *base, double t, const double *y, const double *yp, chart_point *p)
{
    const elimination *c = (const elimination *)base;
    (void)t, (void)yp;
    memcpy(p->q, y, c->nq * sizeof *y);
    memcpy(p->v, y + c->nq, c->nv * sizeof *y);
    return DAE_OK;
}

static void release(chart *base)
{
    elimination *c = (elimination *)base;
    min_norm_free(c->least_squares);
    linear_solver_free(c->solver);
}

#define ROW(word, is_drifting, made_by, what, whom, ...)                                   \
    &(const chart_row)                                                                     \
    {                                                                                      \
        .name = word, .says = what, .source = whom, .size = sizeof(elimination),           \
        .drifts = is_drifting, .create = made_by, .lower = lower, .lift = lift,            \
        .free = release, __VA_ARGS__                                                       \
    }

/* alpha is in units of the largest entry of M over the square of that of G. */
#define PENALISED {{"alpha", 1e7, 0, "1"}, {"xi", 1, 0, "1"}, {"omega", 10, 0, "1/s"}}

const chart_row *const chart_elimination_rows[] = {
    ROW("elimination", true, create_elimination,
        "v' by elimination of the multipliers, of index 1 solved at each point",
        "Gauss' principle; Hairer & Wanner II, Eq. (VII.1.47)", .index = 0),
    ROW("udwadia-kalaba", true, create_udwadia_kalaba,
        "v' by the least-squares solution of the motion and the constraints on accelerations",
        "Udwadia & Phohomsiri, Proc. R. Soc. A 462 (2006) 2097", .index = 0),
    ROW("penalty", false, create_penalties, "constraints held by forces in proportion to them",
        "Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183",
        .parameter = PENALISED),
    ROW("augmented", false, create_augmented,
        "constraints held by forces that are added up until they are met",
        "Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183",
        .parameter = PENALISED),
    NULL,
};
