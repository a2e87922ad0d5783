/* Creation, renewal and quality of the charts of mechanical_minimal.h. */
#include "formulation/mechanical_minimal.h"

#include <math.h>
#include <string.h>

static void lower_yp(const minimal *c, const basis *b, const double *v, const double *vp,
                     double *yp)
{
    for (size_t k = 0; k < c->positions; k++) yp[k] = vector_dot(c->n, b->v + k * c->n, v);
    for (size_t k = 0; k < c->speeds; k++)
        yp[c->positions + k] = vector_dot(c->n, b->w + k * c->n, vp);
}

/* The place of chart `number`. Either all charts are kept, or only the newest and the one before
 * it. */
static size_t slot_of(const minimal *c, size_t number)
{
    size_t own = number - c->base.first;
    return c->base.keeps ? own : own % 2;
}

static const basis *newest(const minimal *c)
{
    return &c->charts.item[slot_of(c, c->base.renewals)];
}

static int right_side(double t, const double *y, double *f, void *user)
{
    minimal *c = user;
    dae_status status = minimal_find_point(c, newest(c), t, y);
    if (status == DAE_OK)
        status = mechanical_accelerate(c->base.mechanical, t, c->q, c->v, c->vp, c->lambda);
    if (status == DAE_OK) lower_yp(c, newest(c), c->v, c->vp, f);
    return formulation_answer(status);
}

static void take_stacked(minimal *c, stacked *s, size_t constraints, size_t columns)
{
    arena *a = &c->base.memory;
    s->constraints = constraints;
    s->rows = constraints + columns;
    s->pattern = sparse_full(a, s->rows, c->n);
    s->value = arena_array(a, s->rows * c->n, sizeof(double));
    s->right = arena_array(a, s->rows, sizeof(double));
}

/* Move the first rows of G together, by columns. Columns are scaled by the sizes of velocities,
 * then rows are scaled to length 1. */
static void take_rows(minimal *c, size_t rows)
{
    size_t height = c->base.mechanical->constraints;
    for (size_t j = 0; j < c->n; j++)
        for (size_t i = 0; i < rows; i++) c->g[j * rows + i] = c->g[j * height + i] * c->sizes[j];
    for (size_t i = 0; i < rows; i++) {
        double square = 0;
        for (size_t j = 0; j < c->n; j++) square += c->g[j * rows + i] * c->g[j * rows + i];
        for (size_t j = 0; square > 0 && j < c->n; j++) c->g[j * rows + i] /= sqrt(square);
    }
}

/* Find columns for the null space of the first rows of G, as spread last, into c->room. Columns of
 * a null space are divided by the sizes, so that products with q and v have no unit. */
static dae_status find_columns(minimal *c, size_t rows, size_t *freedoms)
{
    take_rows(c, rows);
    dae_status status = chart_basis(c->way, rows, c->n, c->g, c->room, freedoms);
    bool are_coordinates = c->way == CHART_BASIS_PARTITION;
    for (size_t k = 0; !are_coordinates && status == DAE_OK && k < *freedoms; k++)
        for (size_t j = 0; j < c->n; j++) c->room[k * c->n + j] /= c->sizes[j];
    minimal_spread(c);
    return status;
}

static double square_length(const minimal *c, const double *x)
{
    double sum = 0;
    for (size_t j = 0; j < c->n; j++) sum += x[j] * x[j] / (c->sizes[j] * c->sizes[j]);
    return sum;
}

/* The length of the longest solution of [G; V^T] dq = (0, e_k), for the system factored last. For
 * orthonormal columns V it is the inverse of the smallest cosine between V and the null space of G.
 * The solutions are stored in `along` unless it is NULL. */
static double find_along(minimal *c, stacked *s, double *along)
{
    double tallest = 0;
    for (size_t k = s->constraints; k < s->rows; k++) {
        memset(s->right, 0, s->rows * sizeof *s->right);
        s->right[k] = -1;
        min_norm_solve(s->solver, s->right, c->change);
        tallest = fmax(tallest, square_length(c, c->change));
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

/* Fill *b at a point. Its arrays are already allocated. */
static dae_status settle(minimal *c, basis *b, double t, const double *q)
{
    const mechanical *m = c->base.mechanical;
    size_t bytes = c->n * sizeof(double);
    dae_status status = minimal_evaluate(c, t, q);
    memcpy(b->q0, q, bytes);
    b->t = t;
    if (status == DAE_OK) status = find_columns(c, m->holonomic, &c->positions);
    if (status == DAE_OK) memcpy(b->v, c->room, c->positions * bytes);
    if (status == DAE_OK) status = find_columns(c, m->constraints, &c->speeds);
    if (status == DAE_OK) memcpy(b->w, c->room, c->speeds * bytes);
    if (status == DAE_OK) status = minimal_factor(c, &c->for_q, b->v);
    if (status != DAE_OK) return status;
    b->tallest[0] = find_along(c, &c->for_q, b->along);
    status = find_drift(c, b, t);
    if (status != DAE_OK) return status;
    status = minimal_factor(c, &c->for_v, b->w);
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
    c->sizes = c->base.mechanical->form->nominal + n;
    c->g = arena_array(a, constraints * n, sizeof(double));
    c->room = arena_array(a, n * n, sizeof(double));
    arena_vectors(a, n, (double **const[]){&c->zero, &c->change, &c->q, &c->v, &c->vp, NULL});
    arena_vectors(a, constraints, (double **const[]){&c->lambda, &c->level, NULL});
}

/* Count the freedoms, from the ranks at the point. */
static dae_status count(minimal *c, double t, const double *q, size_t *positions, size_t *speeds)
{
    const mechanical *m = c->base.mechanical;
    dae_status status = minimal_evaluate(c, t, q);
    *positions = *speeds = PROBLEM_NOWHERE;
    if (status == DAE_OK) status = find_columns(c, m->holonomic, positions);
    return status == DAE_OK ? find_columns(c, m->constraints, speeds) : status;
}

static bool fits(mechanical_formulation *base, double t, const mechanical_point *p)
{
    minimal *c = (minimal *)base;
    size_t positions, speeds;
    dae_status status = count(c, t, p->q, &positions, &speeds);
    return status != DAE_OK || (positions == c->positions && speeds == c->speeds);
}

static dae_status form_equations(minimal *c, message *m)
{
    mechanical_formulation *base = &c->base;
    formulated_names names = formulated_names_begin(base, c->positions + c->speeds);
    for (size_t k = 0; k < base->n; k++) {
        bool speed = k >= c->positions;
        size_t number = (speed ? k - c->positions : k) + 1;
        names.variable[k] = arena_format(&base->memory, "%s %zu", speed ? "speed" : "freedom",
                                         number);
        names.equation[k] = arena_format(&base->memory, "the equation of %s", names.variable[k]);
        names.index[k] = 1;
        names.author[k] = PROBLEM_NOWHERE;
    }
    const dae_mass_form form = {.n = base->n, .f = right_side, .about = formulation_about(&names)};
    return equations_create(&base->equations, &base->memory, EQUATIONS_MASS, &form, m);
}

static dae_status refuse(const mechanical_formulation *base, const char *why, message *m)
{
    return message_fail(m, DAE_UNSUPPORTED, "formulation %s %s", base->ops->name, why);
}

static dae_status create(mechanical_formulation *base, double t, const mechanical_point *p,
                         message *m)
{
    minimal *c = (minimal *)base;
    const mechanical *system = base->mechanical;
    if (system->form->given.kinematics)
        return refuse(base,
                      "takes coordinates whose derivatives are the velocities, and here q' = "
                      "S v: take elimination or ggl",
                      m);
    c->way = *(const chart_basis_way *)base->ops->kind;
    c->n = system->nv;
    take_arrays(c);
    dae_status status = count(c, t, p->q, &c->positions, &c->speeds);
    if (status != DAE_OK) return status;
    if (c->positions == 0)
        return refuse(base,
                      "takes as many unknowns as there are freedoms, and there is none: take "
                      "ggl",
                      m);
    take_stacked(c, &c->for_q, system->holonomic, c->positions);
    take_stacked(c, &c->for_v, system->constraints, c->speeds);
    status = min_norm_create(&c->for_q.solver, c->for_q.pattern, MIN_NORM_RANK);
    if (status == DAE_OK)
        status = min_norm_create(&c->for_v.solver, c->for_v.pattern, MIN_NORM_RANK);
    if (status == DAE_OK) {
        add_basis(c);
        status = settle(c, &c->charts.item[0], t, p->q);
    }
    return status == DAE_OK ? form_equations(c, m) : status;
}

static dae_status lower(mechanical_formulation *base, double t, const mechanical_point *p,
                        double *y, double *yp)
{
    minimal *c = (minimal *)base;
    const basis *b = newest(c);
    (void)t;
    for (size_t j = 0; j < c->n; j++) c->change[j] = p->q[j] - b->q0[j];
    for (size_t k = 0; k < c->positions; k++) y[k] = vector_dot(c->n, b->v + k * c->n, c->change);
    for (size_t k = 0; k < c->speeds; k++)
        y[c->positions + k] = vector_dot(c->n, b->w + k * c->n, p->v);
    lower_yp(c, b, p->v, p->vp, yp);
    return DAE_OK;
}

static dae_status lift(mechanical_formulation *base, double t, const double *y, const double *yp,
                       mechanical_point *p)
{
    minimal *c = (minimal *)base;
    (void)yp;
    if (base->at < base->first) return DAE_NOT_EVALUABLE; /* its charts were of other freedoms */
    dae_status status = minimal_find_point(c, &c->charts.item[slot_of(c, base->at)], t, y);
    if (status != DAE_OK) return status;
    memcpy(p->q, c->q, c->n * sizeof *c->q);
    memcpy(p->v, c->v, c->n * sizeof *c->v);
    return DAE_OK;
}

/* The smallest of three measures: how fast Newton's iteration for q converges, compared with the
 * limit at which a point is outside the chart; and the ratios of the longest columns of dq/dalpha
 * and of dv/dbeta at the chart's point to those here. */
static double quality(mechanical_formulation *base, double t, const double *y)
{
    minimal *c = (minimal *)base;
    const basis *b = newest(c);
    if (minimal_find_point(c, b, t, y) != DAE_OK || minimal_factor(c, &c->for_v, b->w) != DAE_OK)
        return 0;
    double kept = 1 - c->rate / MINIMAL_SLOWEST;
    if (c->speeds) kept = fmin(kept, b->tallest[1] / find_along(c, &c->for_v, NULL));
    if (minimal_factor(c, &c->for_q, b->v) != DAE_OK) return 0;
    return fmin(kept, b->tallest[0] / find_along(c, &c->for_q, NULL));
}

/* The smallest of n tolerances, in the units of the unknowns. With columns that span a null space,
 * a change of 1 in an unknown moves a coordinate by at most its size. With a partition, unknowns
 * are coordinates and have their units. */
static double least_tolerance(const minimal *c, const double *atols)
{
    double least = HUGE_VAL;
    for (size_t j = 0; j < c->n; j++)
        least = fmin(least, atols[j] / (c->way == CHART_BASIS_PARTITION ? 1 : c->sizes[j]));
    return least;
}

static void tolerances(const mechanical_formulation *base, const double *atols, double *inner)
{
    const minimal *c = (const minimal *)base;
    double place = least_tolerance(c, atols), speed = least_tolerance(c, atols + c->n);
    for (size_t k = 0; k < base->n; k++) inner[k] = k < c->positions ? place : speed;
}

static void grow(void *argument)
{
    add_basis(argument);
}

static dae_status renew(mechanical_formulation *base, double t, const mechanical_point *p)
{
    minimal *c = (minimal *)base;
    size_t next = slot_of(c, base->renewals + 1);
    dae_status status = DAE_OK;
    if (next == c->charts.count) status = arena_protect(&base->memory, grow, c);
    if (status == DAE_OK) status = settle(c, &c->charts.item[next], t, p->q);
    if (status == DAE_OK) base->at = ++base->renewals;
    return status;
}

static void chart_state(const minimal *c, basis *b, state_visit *s)
{
    STATE(s, b->t);
    STATE(s, b->tallest);
    state_doubles(s, b->q0, c->n);
    state_doubles(s, b->v, c->n * c->positions);
    state_doubles(s, b->w, c->n * c->speeds);
    state_doubles(s, b->along, c->n * c->positions);
    state_doubles(s, b->drift, c->n);
}

static void state(mechanical_formulation *base, state_visit *s)
{
    minimal *c = (minimal *)base;
    size_t count = c->charts.count;
    STATE(s, count);
    while (c->charts.count < count && s->status == DAE_OK)
        state_fail(s, arena_protect(&base->memory, grow, c));
    for (size_t i = 0; i < count && s->status == DAE_OK; i++) chart_state(c, &c->charts.item[i], s);
}

static void release(mechanical_formulation *base)
{
    minimal *c = (minimal *)base;
    min_norm_free(c->for_q.solver);
    min_norm_free(c->for_v.solver);
}

#define ROW(word, by, what, whom)                                                         \
    &(const mechanical_formulation_ops)                                                   \
    {                                                                                     \
        .name = word, .kind = &(const chart_basis_way){by}, .says = what, .source = whom, \
        .size = sizeof(minimal), .create = create, .lower = lower, .lift = lift,          \
        .quality = quality, .renew = renew, .fits = fits, .tolerances = tolerances,       \
        .state = state, .free = release, .most = FORMULATION_LARGEST                      \
    }

const mechanical_formulation_ops *const minimal_formulation_rows[] = {
    ROW("partition", CHART_BASIS_PARTITION,
        "independent coordinates, chosen by pivoting, where q' = v",
        "Wehage & Haug, J. Mech. Design 104 (1982) 247"),
    ROW("nullspace-qr", CHART_BASIS_QR,
        "coordinates in the null space of the constraints, by a QR decomposition, where q' = v",
        "Kim & Vanderploeg, J. Mech. Trans. Autom. 108 (1986) 183"),
    ROW("nullspace-svd", CHART_BASIS_SVD,
        "coordinates in the null space of the constraints, by singular values, where q' = v",
        "Mani, Haug & Atkinson, J. Mech. Trans. Autom. 107 (1985) 82"),
    ROW("zero-eigenvalue", CHART_BASIS_EIGENVALUES,
        "coordinates in the null space of the constraints, by the eigenvalues 0 of G^T G, where "
        "q' = v",
        "Walton & Steeves, NASA TR R-326 (1969)"),
    NULL,
};
