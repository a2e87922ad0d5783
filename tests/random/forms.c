#include "random/forms.h"

#include <stdlib.h>
#include <string.h>

const char *const form_names[FORM_COUNT] = {"text",   "residual",  "mass",      "semi_explicit",
                                            "linear", "invariant", "mechanical"};

/* What a form's functions are made of, in its order of unknowns. */
typedef struct parts {
    random_system *s;
    int n, nx;
    expr residual[SYSTEM_MOST];
    expr mass[SYSTEM_MOST][SYSTEM_MOST], right[SYSTEM_MOST]; /* mass y' = right */
    bool affine;                                             /* there is such a mass */
    bool constant;                                           /* and it is constant */
    int equation[SYSTEM_MOST], variable[SYSTEM_MOST];        /* semi-explicit: the order */
    bool explicit_rows;
} parts;

enum { MOST_INDEX = 3 }; /* of callbacks, as daedal/forms.h has it */

/* The mass and the right side of equations that are affine in y'. */
static void find_mass(parts *q)
{
    expr_pool *p = q->s->pool;
    expr y[SYSTEM_MOST], zero[SYSTEM_MOST];
    q->affine = q->constant = true;
    for (int i = 0; i < q->n; i++) y[i] = expr_y(p, i), zero[i] = expr_constant(p, 0);
    for (int i = 0; i < q->n; i++) {
        for (int j = 0; j < q->n; j++) {
            expr m = q->mass[i][j] = expr_derivative(p, q->residual[i], expr_yp(p, j));
            for (int k = 0; k < q->n; k++)
                q->affine = q->affine && !expr_holds(p, m, expr_yp(p, k));
            q->constant = q->constant && expr_is_constant(p, m, NULL);
        }
        q->right[i] = expr_negative(p, expr_replace(p, q->residual[i], y, zero));
    }
}

/* Equations that hold one derivative each, with a constant, and others that hold none: the former
 * in the order of their unknowns, then the latter. */
static void find_explicit_rows(parts *q)
{
    expr_pool *p = q->s->pool;
    int row_of[SYSTEM_MOST], rest = 0, algebraic[SYSTEM_MOST];
    q->explicit_rows = q->affine && q->constant;
    for (int j = 0; j < q->n; j++) row_of[j] = -1;
    for (int i = 0; i < q->n; i++) {
        int held = 0, which = 0;
        for (int j = 0; j < q->n; j++)
            if (!expr_is_zero(p, q->mass[i][j])) held++, which = j;
        if (held > 1 || (held && row_of[which] >= 0)) q->explicit_rows = false;
        if (held)
            row_of[which] = i;
        else
            algebraic[rest++] = i;
    }
    q->nx = 0;
    for (int j = 0; j < q->n; j++)
        if (row_of[j] >= 0) q->variable[q->nx] = j, q->equation[q->nx++] = row_of[j];
    for (int j = 0, k = q->nx; j < q->n && q->explicit_rows; j++)
        if (row_of[j] < 0) q->variable[k] = j, q->equation[k] = algebraic[k - q->nx], k++;
}

static void find_parts(random_system *s, parts *q)
{
    q->s = s, q->n = s->n;
    for (int i = 0; i < s->n; i++) q->residual[i] = s->equation[i];
    find_mass(q);
    find_explicit_rows(q);
}

static bool is_linear(parts *q)
{
    expr_pool *p = q->s->pool;
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++)
            if (!expr_is_constant(p, expr_derivative(p, q->residual[i], expr_y(p, j)), NULL))
                return false;
    return q->constant;
}

void forms_fit(random_system *s, bool fits[FORM_COUNT])
{
    parts q;
    find_parts(s, &q);
    fits[FORM_TEXT] = fits[FORM_RESIDUAL] = true;
    fits[FORM_MASS] = q.affine;
    fits[FORM_SEMI_EXPLICIT] = q.explicit_rows;
    fits[FORM_LINEAR] = is_linear(&q);
    fits[FORM_INVARIANT] = s->invariants > 0 && q.explicit_rows && q.nx == s->n;
    fits[FORM_MECHANICAL] = s->mechanism.nq > 0;
    for (int f = FORM_RESIDUAL; f < FORM_COUNT && s->index > MOST_INDEX; f++) fits[f] = false;
}

/* Tapes of `count` functions and of their derivatives by y, by columns; then by y', where `yp`. */
static void open_tapes(expr_pool *p, tape *values, tape *slopes, const expr *e, int count, int n,
                       bool yp)
{
    expr slope[2 * SYSTEM_MOST * SYSTEM_MOST];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < count; i++) {
            slope[j * count + i] = expr_derivative(p, e[i], expr_y(p, j));
            if (yp) slope[(n + j) * count + i] = expr_derivative(p, e[i], expr_yp(p, j));
        }
    }
    if (values) tape_open(values, p, count, e);
    if (slopes) tape_open(slopes, p, count * n * (1 + yp), slope);
}

static int call_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    tape_run(&((form_functions *)user)->a, t, y, yp, r);
    return 0;
}

static int call_residual_slopes(double t, const double *y, const double *yp, double *dy,
                                double *dyp, void *user)
{
    form_functions *f = user;
    double both[2 * SYSTEM_MOST * SYSTEM_MOST];
    size_t count = (size_t)f->n * (size_t)f->n;
    tape_run(&f->a_slope, t, y, yp, both);
    memcpy(dy, both, count * sizeof *dy);
    memcpy(dyp, both + count, count * sizeof *dyp);
    return 0;
}

static int call_a(double t, const double *y, double *f, void *user)
{
    tape_run(&((form_functions *)user)->a, t, y, NULL, f);
    return 0;
}

static int call_a_slope(double t, const double *y, double *dy, void *user)
{
    tape_run(&((form_functions *)user)->a_slope, t, y, NULL, dy);
    return 0;
}

static int call_b(double t, const double *y, double *f, void *user)
{
    tape_run(&((form_functions *)user)->b, t, y, NULL, f);
    return 0;
}

static int call_b_slope(double t, const double *y, double *dy, void *user)
{
    tape_run(&((form_functions *)user)->b_slope, t, y, NULL, dy);
    return 0;
}

static const double *joined(form_functions *f, const double *x, const double *z)
{
    memcpy(f->y, x, (size_t)f->nx * sizeof *x);
    memcpy(f->y + f->nx, z, (size_t)(f->n - f->nx) * sizeof *z);
    return f->y;
}

static int call_f(double t, const double *x, const double *z, double *f, void *user)
{
    return call_a(t, joined(user, x, z), f, user);
}

static int call_g(double t, const double *x, const double *z, double *g, void *user)
{
    return call_b(t, joined(user, x, z), g, user);
}

static int call_fg_slopes(double t, const double *x, const double *z, double *j, void *user)
{
    tape_run(&((form_functions *)user)->a_slope, t, joined(user, x, z), NULL, j);
    return 0;
}

static int call_forcing(double t, double *b, void *user)
{
    tape_run(&((form_functions *)user)->a, t, NULL, NULL, b);
    return 0;
}

/* What an author may tell of unknowns in the order `variable` (NULL: as they are). */
static void report(parts *q, form_draw how, const int *variable, form_functions *f,
                   dae_about *about)
{
    bool known = true;
    for (int k = 0; k < q->n; k++) {
        int v = variable ? variable[k] : k;
        f->nominal[k] = q->s->nominal[v];
        f->level[k] = q->s->level[v];
        known = known && f->level[k] > 0;
    }
    about->user = f;
    about->nominal = f->nominal;
    about->detect_pattern = how.pattern;
    if (known && how.levels) about->index = f->level;
}

static dae_problem *residual_form(parts *q, form_draw how, form_functions *f)
{
    open_tapes(q->s->pool, &f->a, &f->a_slope, q->residual, q->n, q->n, true);
    dae_residual_form form = {.n = (size_t)q->n, .residual = call_residual};
    report(q, how, NULL, f, &form.about);
    if (how.slopes) form.jacobian = call_residual_slopes;
    return dae_problem_residual(&form);
}

/* The entries of M by columns, as expressions and, where they are constant, as numbers. */
static void mass_entries(parts *q, expr *e, double *value)
{
    for (int j = 0; j < q->n; j++)
        for (int i = 0; i < q->n; i++) {
            e[j * q->n + i] = q->mass[i][j];
            if (q->constant) expr_is_constant(q->s->pool, q->mass[i][j], &value[j * q->n + i]);
        }
}

static dae_problem *mass_form(parts *q, form_draw how, form_functions *f)
{
    expr e[SYSTEM_MOST * SYSTEM_MOST];
    double value[SYSTEM_MOST * SYSTEM_MOST];
    open_tapes(q->s->pool, &f->a, &f->a_slope, q->right, q->n, q->n, false);
    mass_entries(q, e, value);
    tape_open(&f->b, q->s->pool, q->n * q->n, e);
    dae_mass_form form = {.n = (size_t)q->n, .f = call_a};
    report(q, how, NULL, f, &form.about);
    if (how.slopes) form.f_y = call_a_slope;
    if (q->constant && how.constant)
        form.constant_mass = value;
    else
        form.mass = call_b;
    return dae_problem_mass(&form);
}

/* y' or 0 on one side, of the rows and unknowns in the order of the form. */
static void explicit_right(parts *q, expr *right)
{
    expr_pool *p = q->s->pool;
    expr y[SYSTEM_MOST];
    for (int k = 0; k < q->n; k++) y[q->variable[k]] = expr_y(p, k);
    for (int k = 0; k < q->n; k++) {
        expr e = q->right[q->equation[k]];
        if (k < q->nx) e = expr_quotient(p, e, q->mass[q->equation[k]][q->variable[k]]);
        right[k] = expr_replace(p, e, y, NULL);
    }
}

static dae_problem *semi_explicit_form(parts *q, form_draw how, form_functions *f)
{
    expr right[SYSTEM_MOST];
    explicit_right(q, right);
    f->nx = q->nx;
    tape_open(&f->a, q->s->pool, q->nx, right);
    tape_open(&f->b, q->s->pool, q->n - q->nx, right + q->nx);
    open_tapes(q->s->pool, NULL, &f->a_slope, right, q->n, q->n, false);
    dae_semi_explicit_form form = {
        .nx = (size_t)q->nx, .nz = (size_t)(q->n - q->nx), .f = call_f, .g = call_g};
    report(q, how, q->variable, f, &form.about);
    if (how.slopes) form.jacobian = call_fg_slopes;
    return dae_problem_semi_explicit(&form);
}

static dae_problem *linear_form(parts *q, form_draw how, form_functions *f)
{
    expr_pool *p = q->s->pool;
    expr e[SYSTEM_MOST * SYSTEM_MOST], zero[SYSTEM_MOST], b[SYSTEM_MOST];
    double mass[SYSTEM_MOST * SYSTEM_MOST], a[SYSTEM_MOST * SYSTEM_MOST];
    mass_entries(q, e, mass);
    for (int i = 0; i < q->n; i++) zero[i] = expr_constant(p, 0);
    for (int i = 0; i < q->n; i++) {
        b[i] = expr_replace(p, q->right[i], zero, NULL);
        for (int j = 0; j < q->n; j++)
            expr_is_constant(p, expr_derivative(p, q->right[i], expr_y(p, j)), &a[j * q->n + i]);
    }
    tape_open(&f->a, p, q->n, b);
    dae_linear_form form = {.n = (size_t)q->n, .e = mass, .a = a, .b = call_forcing};
    report(q, how, NULL, f, &form.about);
    return dae_problem_linear(&form);
}

static dae_problem *invariant_form(parts *q, form_draw how, form_functions *f)
{
    expr right[SYSTEM_MOST], c[SYSTEM_MOST], y[SYSTEM_MOST];
    explicit_right(q, right);
    for (int k = 0; k < q->n; k++) y[q->variable[k]] = expr_y(q->s->pool, k);
    for (int k = 0; k < q->s->invariants; k++)
        c[k] = expr_replace(q->s->pool, q->s->invariant[k], y, NULL);
    open_tapes(q->s->pool, &f->a, &f->a_slope, right, q->n, q->n, false);
    open_tapes(q->s->pool, &f->b, &f->b_slope, c, q->s->invariants, q->n, false);
    dae_invariant_form form = {
        .n = (size_t)q->n, .f = call_a, .invariants = (size_t)q->s->invariants, .c = call_b};
    how.levels = false; /* an ODE has none */
    report(q, how, q->variable, f, &form.about);
    if (how.slopes) form.f_y = call_a_slope, form.c_y = call_b_slope;
    return dae_problem_invariant(&form);
}

static int call_force(double t, const double *q, const double *v, double *f, void *user)
{
    form_functions *functions = user;
    memcpy(functions->y, q, (size_t)functions->nx * sizeof *q);
    memcpy(functions->y + functions->nx, v, (size_t)functions->nx * sizeof *v);
    tape_run(&functions->a, t, functions->y, NULL, f);
    return 0;
}

static int call_constraint_t(double t, const double *q, double *dt, void *user)
{
    tape_run(&((form_functions *)user)->c, t, q, NULL, dt);
    return 0;
}

static int call_mass(double t, const double *q, double *m, void *user)
{
    tape_run(&((form_functions *)user)->c_slope, t, q, NULL, m);
    return 0;
}

static int call_velocity(double t, const double *q, double *a, void *user)
{
    tape_run(&((form_functions *)user)->velocity, t, q, NULL, a);
    return 0;
}

static int call_velocity_right(double t, const double *q, double *b, void *user)
{
    tape_run(&((form_functions *)user)->velocity_right, t, q, NULL, b);
    return 0;
}

static void open_velocity(random_system *s, form_functions *f)
{
    const system_mechanism *m = &s->mechanism;
    expr a[SYSTEM_COORDINATES * SYSTEM_COORDINATES];
    for (int i = 0; i < m->nq; i++)
        for (int k = 0; k < m->na; k++) a[i * m->na + k] = m->a[k][i];
    tape_open(&f->velocity, s->pool, m->nq * m->na, a);
    tape_open(&f->velocity_right, s->pool, m->na, m->b);
}

static dae_problem *mechanical_form(parts *q, form_functions *f)
{
    const system_mechanism *m = &q->s->mechanism;
    expr_pool *p = q->s->pool;
    expr mass[SYSTEM_COORDINATES * SYSTEM_COORDINATES], phi_t[SYSTEM_COORDINATES];
    for (int j = 0; j < m->nq; j++)
        for (int i = 0; i < m->nq; i++) mass[j * m->nq + i] = m->mass[i][j];
    for (int k = 0; k < m->nphi; k++) phi_t[k] = expr_derivative(p, m->phi[k], expr_time(p));
    f->nx = m->nq;
    tape_open(&f->a, p, m->nq, m->force);
    open_tapes(p, &f->b, &f->b_slope, m->phi, m->nphi, m->nq, false);
    tape_open(&f->c, p, m->nphi, phi_t);
    tape_open(&f->c_slope, p, m->nq * m->nq, mass);
    dae_mechanical_form form = {.nq = (size_t)m->nq,
                                .holonomic = (size_t)m->nphi,
                                .nonholonomic = (size_t)m->na,
                                .mass = call_mass,
                                .force = call_force};
    if (m->nphi) {
        form.constraint = call_b, form.constraint_q = call_b_slope;
        form.constraint_t = call_constraint_t;
    }
    if (m->na) {
        open_velocity(q->s, f);
        form.velocity_constraint = call_velocity, form.velocity_right = call_velocity_right;
    }
    report(q, (form_draw){.levels = false}, NULL, f, &form.about);
    return dae_problem_mechanical(&form);
}

/* What is known of the unknowns, in the order of the form. */
static void report_unknowns(parts *q, random_form form, const double *effect, const bool *free,
                            formed *f)
{
    bool ordered = form == FORM_SEMI_EXPLICIT || form == FORM_INVARIANT;
    f->n = q->n, f->unique = q->s->unique;
    for (int k = 0; k < q->n; k++) {
        int v = ordered ? q->variable[k] : k;
        f->solution[k] = q->s->solution[v];
        f->nominal[k] = q->s->nominal[v];
        f->effect[k] = effect[v], f->free[k] = free[v];
        f->differential[k] = false;
        for (int i = 0; i < q->n; i++)
            if (!expr_is_zero(q->s->pool, q->mass[i][v])) f->differential[k] = true;
    }
}

bool form_callbacks(random_system *s, random_form form, form_draw how, const double *effect,
                    const bool *free, formed *f)
{
    parts q;
    find_parts(s, &q);
    *f = (formed){.functions = calloc(1, sizeof *f->functions)};
    if (!f->functions) return false;
    f->functions->n = s->n;
    report_unknowns(&q, form, effect, free, f);
    switch (form) {
    case FORM_RESIDUAL: f->problem = residual_form(&q, how, f->functions); break;
    case FORM_MASS: f->problem = mass_form(&q, how, f->functions); break;
    case FORM_SEMI_EXPLICIT: f->problem = semi_explicit_form(&q, how, f->functions); break;
    case FORM_LINEAR: f->problem = linear_form(&q, how, f->functions); break;
    case FORM_INVARIANT: f->problem = invariant_form(&q, how, f->functions); break;
    case FORM_MECHANICAL: f->problem = mechanical_form(&q, f->functions); break;
    default: break;
    }
    return f->problem != NULL;
}

void formed_close(formed *f)
{
    dae_problem_free(f->problem);
    if (!f->functions) return;
    tape *all[] = {&f->functions->a,        &f->functions->a_slope,
                   &f->functions->b,        &f->functions->b_slope,
                   &f->functions->c,        &f->functions->c_slope,
                   &f->functions->velocity, &f->functions->velocity_right};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) tape_close(all[k]);
    free(f->functions);
}
