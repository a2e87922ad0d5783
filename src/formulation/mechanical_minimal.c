/* Formulations with as many unknowns as freedoms, where q' = v: alpha = V^T (q - q0) and
 * beta = W^T v with matrices V and W that are fixed until the chart is renewed. q follows from phi
 * = 0 and alpha by Newton's iteration, v from its level of constraints and beta, and
 *
 *   alpha' = V^T v,   beta' = W^T v',   v' from M v' = f + G^T lambda, G v' + gamma = 0.
 *
 * So constraints are met on all levels, and none drifts. V and W are unit vectors (coordinate
 * partition, Wehage & Haug, J. Mech. Design 104 (1982) 247) or span the null spaces of phi_q and of
 * G at q0: local coordinates in the tangent space (Mani, Haug & Atkinson, J. Mech. Trans. Autom.
 * 107 (1985) 82; Potra & Rheinboldt, Mech. Struct. Mach. 19 (1991) 1). */
#include "formulation/chart_basis.h"
#include "formulation/chart_blocks.h"
#include "formulation/chart_rows.h"
#include "linalg/min_norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 25 };

/* Corrections of this part of q may be round-off. */
static const double ROUND_OFF = 1e-9;

/* A correction of q is less than this part of the one before, inside the chart. */
static const double SLOWEST = 0.5;

/* What one chart is: the point, and its columns. */
typedef struct basis {
    double t, *q0;     /* the instant and nq */
    double *v, *w;     /* n x positions, n x speeds: columns of alpha and of beta */
    double *along;     /* n x positions: dq/dalpha there */
    double *drift;     /* n: dq/dt there where alpha stays */
    double tallest[2]; /* dq/dalpha and dv/dbeta there: their longest columns */
} basis;

/* [G's first rows; V^T], decomposed, and what it takes. */
typedef struct stacked {
    const sparse_pattern *pattern;
    size_t constraints, rows; /* constraints + columns of V */
    double *value, *right;    /* rows x n, rows */
    min_norm *solver;
} stacked;

typedef struct minimal {
    chart base;
    chart_basis_way way;
    size_t n, positions, speeds; /* coordinates; unknowns alpha and beta */
    LIST(basis) charts;
    stacked for_q, for_v;
    double *g;                   /* constraints x n: G, by columns */
    double *room;                /* n x n */
    double *ones, *zero;         /* n */
    double *change;              /* n */
    double rate;                 /* of the corrections of q: the slowest at the last point */
    double *level;               /* constraints */
    double *q, *v, *vp, *lambda; /* of the point that is evaluated */
} minimal;

static void spread_gradient(minimal *c)
{
    const mechanical *m = c->base.mechanical;
    const sparse_pattern *p = mechanical_gradient_pattern(m);
    const double *value = mechanical_gradient(m);
    memset(c->g, 0, p->rows * p->columns * sizeof *c->g);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            c->g[j * p->rows + (size_t)p->row[k]] = value[k];
}

/* Decompose [G; V^T], G as spread last. DAE_SINGULAR where it does not determine all. */
static dae_status factor(minimal *c, stacked *s, const double *v)
{
    size_t height = c->base.mechanical->constraints;
    for (size_t j = 0; j < c->n; j++) {
        memcpy(s->value + j * s->rows, c->g + j * height, s->constraints * sizeof *s->value);
        for (size_t k = s->constraints; k < s->rows; k++)
            s->value[j * s->rows + k] = v[(k - s->constraints) * c->n + j];
    }
    dae_status status = min_norm_factor(s->solver, s->value, c->ones, (double)c->n * DBL_EPSILON);
    if (status != DAE_OK) return status;
    return min_norm_rank(s->solver) < c->n ? DAE_SINGULAR : DAE_OK;
}

static double product(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

static double size_of(const minimal *c, const double *x, const double *nominal)
{
    double size = 0;
    for (size_t j = 0; j < c->n; j++) size = fmax(size, fabs(x[j]) / nominal[j]);
    return size;
}

static dae_status evaluate_gradient(minimal *c, double t, const double *q)
{
    dae_status status = mechanical_evaluate(c->base.mechanical, t, q);
    if (status == DAE_OK) spread_gradient(c);
    return status;
}

/* One step of Newton's iteration from q, whose length becomes *moved. */
static dae_status correct_q(minimal *c, const basis *b, double t, const double *alpha, double *q,
                            double *moved)
{
    stacked *s = &c->for_q;
    dae_status status = evaluate_gradient(c, t, q);
    if (status == DAE_OK) status = mechanical_position(c->base.mechanical, t, q, s->right);
    if (status == DAE_OK) status = factor(c, s, b->v);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < c->n; j++) c->change[j] = q[j] - b->q0[j];
    for (size_t k = 0; k < c->positions; k++)
        s->right[s->constraints + k] = product(c->n, b->v + k * c->n, c->change) - alpha[k];
    min_norm_solve(s->solver, s->right, c->change);
    *moved = size_of(c, c->change, c->base.mechanical->form->nominal);
    for (size_t j = 0; j < c->n; j++) q[j] += c->change[j];
    return DAE_OK;
}

/* q (n) in the tangent space. */
static void predict_q(const minimal *c, const basis *b, double t, const double *alpha, double *q)
{
    for (size_t j = 0; j < c->n; j++) q[j] = b->q0[j] + (t - b->t) * b->drift[j];
    for (size_t k = 0; k < c->positions; k++)
        for (size_t j = 0; j < c->n; j++) q[j] += b->along[k * c->n + j] * alpha[k];
}

/* q (n) from alpha, beginning in the tangent space, until corrections no longer fall. Where they
 * fall slowly before, q is outside the chart, and might be found on another branch. */
static dae_status find_q(minimal *c, const basis *b, double t, const double *alpha, double *q)
{
    const double *nominal = c->base.mechanical->form->nominal;
    double moved, before = HUGE_VAL;
    c->rate = 0;
    predict_q(c, b, t, alpha, q);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        dae_status status = correct_q(c, b, t, alpha, q, &moved);
        if (status != DAE_OK) return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
        double size = fmax(size_of(c, q, nominal), 1);
        bool falls = moved < SLOWEST * before;
        if (moved <= 4 * DBL_EPSILON * size || (moved <= ROUND_OFF * size && !falls)) return DAE_OK;
        if (!falls) break;
        if (moved > ROUND_OFF * size) c->rate = fmax(c->rate, moved / before);
        before = moved;
    }
    c->base.mechanical->bad_row = PROBLEM_NOWHERE;
    return DAE_NOT_EVALUABLE;
}

/* v (n) from beta at q. */
static dae_status find_v(minimal *c, const basis *b, double t, const double *q, const double *beta,
                         double *v)
{
    stacked *s = &c->for_v;
    dae_status status = evaluate_gradient(c, t, q);
    if (status == DAE_OK) status = mechanical_velocity(c->base.mechanical, t, q, c->zero, s->right);
    if (status == DAE_OK) status = factor(c, s, b->w);
    if (status != DAE_OK) return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
    for (size_t k = 0; k < c->speeds; k++) s->right[s->constraints + k] = -beta[k];
    min_norm_solve(s->solver, s->right, v);
    return DAE_OK;
}

static dae_status find_point(minimal *c, const basis *b, double t, const double *y)
{
    dae_status status = find_q(c, b, t, y, c->q);
    return status == DAE_OK ? find_v(c, b, t, c->q, y + c->positions, c->v) : status;
}

static void lower_slopes(const minimal *c, const basis *b, const double *v, const double *vp,
                         double *yp)
{
    for (size_t k = 0; k < c->positions; k++) yp[k] = product(c->n, b->v + k * c->n, v);
    for (size_t k = 0; k < c->speeds; k++)
        yp[c->positions + k] = product(c->n, b->w + k * c->n, vp);
}

/* Of two charts, the newest and the one before it, or of all of them. */
static size_t slot_of(const minimal *c, size_t number)
{
    return c->base.keeps ? number : number % 2;
}

static const basis *newest(const minimal *c)
{
    return &c->charts.item[slot_of(c, c->base.renewals)];
}

static int right_side(double t, const double *y, double *f, void *user)
{
    minimal *c = user;
    dae_status status = find_point(c, newest(c), t, y);
    if (status == DAE_OK)
        status = mechanical_accelerate(c->base.mechanical, t, c->q, c->v, c->vp, c->lambda);
    if (status == DAE_OK) lower_slopes(c, newest(c), c->v, c->vp, f);
    return chart_answer(status);
}

static void take_stacked(minimal *c, stacked *s, size_t constraints, size_t columns)
{
    arena *a = &c->base.memory;
    s->constraints = constraints;
    s->rows = constraints + columns;
    s->pattern = chart_dense_pattern(a, s->rows, c->n);
    s->value = arena_array(a, s->rows * c->n, sizeof(double));
    s->right = arena_array(a, s->rows, sizeof(double));
}

/* Columns for the null space of the first rows of G, as spread last, into c->room. */
static dae_status find_columns(minimal *c, size_t rows, size_t *freedoms)
{
    size_t height = c->base.mechanical->constraints;
    for (size_t j = 0; j < c->n; j++) /* the rows that are wanted, closed up */
        memmove(c->g + j * rows, c->g + j * height, rows * sizeof *c->g);
    dae_status status = chart_basis(c->way, rows, c->n, c->g, c->room, freedoms);
    spread_gradient(c);
    return status;
}

/* The longest of the solutions of [G; V^T] dq = (0, e_k), for the system factored last: over
 * orthonormal columns V the inverse of the least cosine between V and the null space of G. They are
 * kept where there is room for them. */
static double find_along(minimal *c, stacked *s, double *along)
{
    double tallest = 0;
    for (size_t k = s->constraints; k < s->rows; k++) {
        memset(s->right, 0, s->rows * sizeof *s->right);
        s->right[k] = -1;
        min_norm_solve(s->solver, s->right, c->change);
        tallest = fmax(tallest, product(c->n, c->change, c->change));
        if (along) memcpy(along + (k - s->constraints) * c->n, c->change, c->n * sizeof *along);
    }
    return sqrt(tallest);
}

static dae_status find_drift(minimal *c, basis *b, double t)
{
    stacked *s = &c->for_q;
    dae_status status = mechanical_velocity(c->base.mechanical, t, b->q0, c->zero, c->level);
    memset(s->right, 0, s->rows * sizeof *s->right);
    memcpy(s->right, c->level, s->constraints * sizeof *s->right);
    if (status == DAE_OK) min_norm_solve(s->solver, s->right, b->drift);
    return status;
}

/* Fill *b, which has its room, at a point. */
static dae_status settle(minimal *c, basis *b, double t, const double *q)
{
    const mechanical *m = c->base.mechanical;
    size_t bytes = c->n * sizeof(double);
    dae_status status = evaluate_gradient(c, t, q);
    memcpy(b->q0, q, bytes);
    b->t = t;
    if (status == DAE_OK) status = find_columns(c, m->holonomic, &c->positions);
    if (status == DAE_OK) memcpy(b->v, c->room, c->positions * bytes);
    if (status == DAE_OK) status = find_columns(c, m->constraints, &c->speeds);
    if (status == DAE_OK) memcpy(b->w, c->room, c->speeds * bytes);
    if (status == DAE_OK) status = factor(c, &c->for_q, b->v);
    if (status != DAE_OK) return status;
    b->tallest[0] = find_along(c, &c->for_q, b->along);
    status = find_drift(c, b, t);
    if (status != DAE_OK) return status;
    status = factor(c, &c->for_v, b->w);
    if (status == DAE_OK) b->tallest[1] = find_along(c, &c->for_v, NULL);
    return status;
}

static void add_basis(minimal *c)
{
    arena *a = &c->base.memory;
    basis b = {
        .q0 = arena_array(a, c->n, sizeof(double)),
        .v = arena_array(a, c->n * c->positions, sizeof(double)),
        .w = arena_array(a, c->n * c->speeds, sizeof(double)),
        .along = arena_array(a, c->n * c->positions, sizeof(double)),
        .drift = arena_array(a, c->n, sizeof(double)),
    };
    list_push(a, &c->charts, b);
}

static void take_arrays(minimal *c)
{
    arena *a = &c->base.memory;
    size_t n = c->n, constraints = c->base.mechanical->constraints;
    c->g = arena_array(a, constraints * n, sizeof(double));
    c->room = arena_array(a, n * n, sizeof(double));
    c->ones = arena_array(a, n, sizeof(double));
    c->zero = arena_array(a, n, sizeof(double));
    c->change = arena_array(a, n, sizeof(double));
    c->q = arena_array(a, n, sizeof(double));
    c->v = arena_array(a, n, sizeof(double));
    c->vp = arena_array(a, n, sizeof(double));
    c->lambda = arena_array(a, constraints, sizeof(double));
    c->level = arena_array(a, constraints, sizeof(double));
    for (size_t j = 0; j < n; j++) c->ones[j] = 1;
}

/* How many freedoms there are, by the ranks at the point. */
static dae_status count(minimal *c, double t, const double *q)
{
    const mechanical *m = c->base.mechanical;
    dae_status status = evaluate_gradient(c, t, q);
    c->positions = c->speeds = PROBLEM_NOWHERE;
    if (status == DAE_OK) status = find_columns(c, m->holonomic, &c->positions);
    return status == DAE_OK ? find_columns(c, m->constraints, &c->speeds) : status;
}

static dae_status form_equations(minimal *c, message *m)
{
    chart *base = &c->base;
    chart_names names = chart_names_begin(base, c->positions + c->speeds);
    for (size_t k = 0; k < base->n; k++) {
        bool speed = k >= c->positions;
        size_t number = (speed ? k - c->positions : k) + 1;
        names.variable[k] = arena_format(&base->memory, "%s %zu", speed ? "speed" : "freedom",
                                         number);
        names.equation[k] = arena_format(&base->memory, "the equation of %s", names.variable[k]);
        names.index[k] = 1;
        names.author[k] = PROBLEM_NOWHERE;
    }
    const dae_mass_form form = {.n = base->n, .f = right_side, .about = chart_about(&names)};
    return equations_create(&base->equations, &base->memory, EQUATIONS_MASS, &form, m);
}

static dae_status refuse(const chart *base, const char *why, message *m)
{
    return message_fail(m, DAE_UNSUPPORTED, "formulation %s %s", base->row->name, why);
}

static dae_status create(chart *base, double t, const chart_point *p, message *m)
{
    minimal *c = (minimal *)base;
    const mechanical *system = base->mechanical;
    if (system->form->given.kinematics)
        return refuse(base,
                      "takes coordinates whose derivatives are the velocities, and here q' = "
                      "S v: take elimination or ggl",
                      m);
    for (size_t i = 0; chart_minimal_rows[i] != base->row; i++) c->way++;
    c->n = system->nv;
    take_arrays(c);
    dae_status status = count(c, t, p->q);
    if (status != DAE_OK) return status;
    if (c->positions == 0)
        return refuse(base,
                      "takes as many unknowns as there are freedoms, and there is none: take "
                      "ggl",
                      m);
    take_stacked(c, &c->for_q, system->holonomic, c->positions);
    take_stacked(c, &c->for_v, system->constraints, c->speeds);
    status = min_norm_create(&c->for_q.solver, c->for_q.pattern, true);
    if (status == DAE_OK) status = min_norm_create(&c->for_v.solver, c->for_v.pattern, true);
    if (status == DAE_OK) {
        add_basis(c);
        status = settle(c, &c->charts.item[0], t, p->q);
    }
    return status == DAE_OK ? form_equations(c, m) : status;
}

static dae_status lower(chart *base, double t, const chart_point *p, double *y, double *yp)
{
    minimal *c = (minimal *)base;
    const basis *b = newest(c);
    (void)t;
    for (size_t j = 0; j < c->n; j++) c->change[j] = p->q[j] - b->q0[j];
    for (size_t k = 0; k < c->positions; k++) y[k] = product(c->n, b->v + k * c->n, c->change);
    for (size_t k = 0; k < c->speeds; k++)
        y[c->positions + k] = product(c->n, b->w + k * c->n, p->v);
    lower_slopes(c, b, p->v, p->vp, yp);
    return DAE_OK;
}

static dae_status lift(chart *base, double t, const double *y, const double *yp, chart_point *p)
{
    minimal *c = (minimal *)base;
    (void)yp;
    dae_status status = find_point(c, &c->charts.item[slot_of(c, base->at)], t, y);
    if (status != DAE_OK) return status;
    memcpy(p->q, c->q, c->n * sizeof *c->q);
    memcpy(p->v, c->v, c->n * sizeof *c->v);
    return DAE_OK;
}

/* By how fast q is found, beside what would be outside the chart, and by how long the ways of alpha
 * and beta were at the chart's point to how long they are. */
static double quality(chart *base, double t, const double *y)
{
    minimal *c = (minimal *)base;
    const basis *b = newest(c);
    if (find_point(c, b, t, y) != DAE_OK || factor(c, &c->for_v, b->w) != DAE_OK) return 0;
    double kept = 1 - c->rate / SLOWEST;
    if (c->speeds) kept = fmin(kept, b->tallest[1] / find_along(c, &c->for_v, NULL));
    if (factor(c, &c->for_q, b->v) != DAE_OK) return 0;
    return fmin(kept, b->tallest[0] / find_along(c, &c->for_q, NULL));
}

static void grow(void *argument)
{
    add_basis(argument);
}

static dae_status renew(chart *base, double t, const chart_point *p)
{
    minimal *c = (minimal *)base;
    size_t next = slot_of(c, base->renewals + 1);
    dae_status status = DAE_OK;
    if (next == c->charts.count) status = arena_protect(&base->memory, grow, c);
    if (status == DAE_OK) status = settle(c, &c->charts.item[next], t, p->q);
    if (status == DAE_OK) base->at = ++base->renewals;
    return status;
}

static void release(chart *base)
{
    minimal *c = (minimal *)base;
    min_norm_free(c->for_q.solver);
    min_norm_free(c->for_v.solver);
}

#define ROW(word, what, whom)                                                                  \
    &(const chart_row)                                                                         \
    {                                                                                          \
        .name = word, .says = what, .source = whom, .size = sizeof(minimal), .create = create, \
        .lower = lower, .lift = lift, .quality = quality, .renew = renew, .free = release      \
    }

/* In the order of chart_basis_way. */
const chart_row *const chart_minimal_rows[] = {
    ROW("partition", "independent coordinates, chosen by pivoting",
        "Wehage & Haug, J. Mech. Design 104 (1982) 247"),
    ROW("nullspace-qr", "coordinates in the null space of the constraints, by a QR decomposition",
        "Kim & Vanderploeg, J. Mech. Trans. Autom. 108 (1986) 183"),
    ROW("nullspace-svd", "coordinates in the null space of the constraints, by singular values",
        "Mani, Haug & Atkinson, J. Mech. Trans. Autom. 107 (1985) 82"),
    ROW("zero-eigenvalue",
        "coordinates in the null space of the constraints, by the eigenvalues 0 of G^T G",
        "Walton & Steeves, NASA TR R-326 (1969)"),
    NULL,
};
