/* A model's mechanism as a mechanical system: its functions against the model's own equations, and
 * its derivatives against differences. */
#include "formulation/mechanism_reactions.h"
#include "model/reading.h"
#include "structure/signature.h"

#include <math.h>

enum { MOST = 8 };

typedef struct found {
    reading r;
    const mechanism *mechanism;
    mechanism_form *f;
    mechanism_reactions *reactions;
    text line;
    double t, q[MOST], v[MOST], vp[MOST], lambda[MOST];
} found;

static void find(void *argument)
{
    found *m = argument;
    m->mechanism = structure_mechanical(m->r.system);
    ck_assert_ptr_nonnull(m->mechanism);
    m->f = mechanism_form_create(m->mechanism, &m->line);
    m->reactions = mechanism_reactions_create(m->f);
}

static void look_at(found *m, const char *model)
{
    uint64_t state = 3;
    *m = (found){0};
    read_right(&m->r, model);
    ck_assert_int_eq(arena_protect(&m->r.memory, find, m), DAE_OK);
    ck_assert_int_eq(mechanism_reactions_factors(m->reactions), DAE_OK);
    ck_assert_uint_le(m->f->n, MOST);
    m->t = 0.3;
    for (size_t j = 0; j < MOST; j++) {
        m->q[j] = 0.5 + 0.4 * scatter(&state);
        m->v[j] = scatter(&state);
        m->vp[j] = scatter(&state);
        m->lambda[j] = 1 + scatter(&state) / 2;
    }
}

static void leave(found *m)
{
    mechanism_reactions_free(m->reactions);
    text_free(&m->line);
    close_reading(&m->r);
}

/* Rows that are scaled and coupled, two kinds of constraints, one of them with time, velocities
 * under other names and sizes, reactions that combine multipliers with factors that depend on q. */
static const char COUPLED[] =
    "model M Real x(start = 0.3), y(start = 0.4), p(start = 0.5), s(start = 0.2), u, v, w, o;"
    "  Real F, N, drag; equation"
    "  2*der(x) = u; der(y) = v; der(p) = o; der(s) = -w;"
    "  3*(2*der(u) + cos(p)*der(o)) = 3*(drag - (2 + y)*(exp(x)*F - 2*sin(s)*N) - u^2*y);"
    "  -5*der(v) = 5*((F*(2 + y) + 9.81) + time*y*v);"
    "  0.1*cos(p)*der(u)*0.5 + 0.1*4*der(o) = 0.1*sin(p)*o^2;"
    "  -0.25*der(w) = -0.5*(2 + y)*N*cos(s) - 0.2*w*x*y;"
    "  drag = -0.3*sqrt(1 + u^2)*u; exp(x) + y = 2 + 0.1*sin(3*time);"
    "  -2*sin(s)*u/2 - cos(s)*w = 0.1*cos(time)*(1 + s); end M;";

/* The same mechanism once more as a pendulum whose rows are divided by functions. */
static const char DIVIDED[] =
    "model M Real x(start = 0.3), y(start = 0.4), u, v, T; equation der(x) = u; der(y) = v;"
    " (2 + x^2)*der(u) = -(2 + x^2)*x*T; exp(y)*der(v) = -exp(y)*(y*T + 9.81 + 0.1*v);"
    " x^2 + y^2 = 0.25; end M;";

/* Time, then each unknown with its two derivatives: what remains in residuals. */
typedef struct whole {
    const found *m;
    double *input;
    double residual[2 * MOST];
} whole;

static size_t place_of_leaf(void *context, const sym_view *leaf)
{
    const whole *w = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * w->m->r.system->unknown.count + leaf->id;
}

static void evaluate_motion(void *argument)
{
    whole *w = argument;
    const mechanism *f = w->m->mechanism;
    sym residual[2 * MOST];
    for (size_t i = 0; i < f->coordinates; i++) residual[i] = f->names->residual[f->motion[i]];
    arena *a = w->m->r.system->memory;
    size_t inputs = 1 + 3 * w->m->r.system->unknown.count;
    sym_tape *tape = sym_tape_compile(a, w->m->r.system->graph, f->coordinates, residual, inputs,
                                      place_of_leaf, w);
    sym_tape_eval(tape, w->input, w->residual);
}

static void residuals(const found *m, whole *w)
{
    size_t unknowns = m->r.system->unknown.count;
    const mechanism *f = m->mechanism;
    *w = (whole){.m = m, .input = calloc(1 + 3 * unknowns, sizeof(double))};
    w->input[0] = m->t;
    for (size_t j = 0; j < f->coordinates; j++) {
        w->input[1 + f->coordinate[j]] = m->q[j];
        w->input[1 + unknowns + f->coordinate[j]] = m->v[j];
        w->input[1 + 2 * unknowns + f->coordinate[j]] = m->vp[j];
    }
    for (size_t l = 0; l < f->constraints; l++) w->input[1 + f->multiplier[l]] = m->lambda[l];
    ck_assert_int_eq(arena_protect(m->r.system->memory, evaluate_motion, w), DAE_OK);
    free(w->input);
}

static const double *mass_of(found *m, double *value)
{
    if (m->f->form.constant_mass) return m->f->form.constant_mass;
    m->f->form.mass(m->t, m->q, value, m->f);
    return value;
}

/* r = M q'' - f - B lambda */
static void motion(found *m, double *r)
{
    double value[MOST * MOST], direction[MOST * MOST];
    const sparse_pattern *p = m->f->mass.matrix->pattern, *b = m->f->direction.matrix->pattern;
    m->f->form.force(m->t, m->q, m->v, r, m->f);
    for (size_t i = 0; i < m->f->n; i++) r[i] = -r[i];
    sparse_add_product(p, mass_of(m, value), m->vp, r);
    mechanism_form_evaluate(m->f, &m->f->direction, m->t, m->q, NULL, direction);
    for (size_t j = 0; j < b->columns; j++)
        for (sparse_index k = b->start[j]; k < b->start[j + 1]; k++)
            r[j] -= direction[k] * m->lambda[b->row[k]];
}

static void assert_motion(const char *model)
{
    found m;
    whole w;
    double r[MOST];
    look_at(&m, model);
    residuals(&m, &w);
    motion(&m, r);
    const sparse_pattern *p = m.f->mass.matrix->pattern;
    for (size_t i = 0; i < m.f->n; i++) {
        double scale = m.mechanism->row_scale[i];
        if (m.mechanism->divided) { /* by the coefficient of its own acceleration */
            whole more;
            m.vp[i] += 1;
            residuals(&m, &more);
            m.vp[i] -= 1;
            scale /= more.residual[i] - w.residual[i];
        }
        ck_assert_double_eq_tol(r[i], scale * w.residual[i], 1e-12);
    }
    ck_assert_uint_eq(p->rows, m.f->n);
    leave(&m);
}

START_TEST(motion_is_that_of_the_equations)
{
    assert_motion(COUPLED);
    assert_motion(DIVIDED);
}
END_TEST

START_TEST(mass_is_symmetric)
{
    static const char *const models[] = {COUPLED, DIVIDED};
    for (int k = 0; k < 2; k++) {
        found m;
        double value[MOST * MOST], dense[MOST][MOST] = {{0}};
        look_at(&m, models[k]);
        const sparse_pattern *p = m.f->mass.matrix->pattern;
        const double *mass = mass_of(&m, value);
        for (size_t j = 0; j < p->columns; j++)
            for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
                dense[p->row[e]][j] = mass[e];
        for (size_t i = 0; i < m.f->n; i++)
            for (size_t j = 0; j < i; j++) ck_assert_double_eq_tol(dense[i][j], dense[j][i], 1e-13);
        leave(&m);
    }
}
END_TEST

static const double STEP = 1e-5;

typedef int (*of_motion)(double, const double *, const double *, double *, void *);

/* Columns of a matrix against central differences of a list, along q or v. */
static void assert_columns(found *m, of_motion list, const sparse_pattern *p, const double *value,
                           double *moved)
{
    for (size_t j = 0; j < m->f->n; j++) {
        double column[MOST] = {0}, above[MOST], below[MOST], was = moved[j];
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) column[p->row[e]] = value[e];
        moved[j] = was + STEP;
        list(m->t, m->q, m->v, above, m->f);
        moved[j] = was - STEP;
        list(m->t, m->q, m->v, below, m->f);
        moved[j] = was;
        for (size_t i = 0; i < p->rows; i++)
            ck_assert_double_eq_tol(column[i], (above[i] - below[i]) / (2 * STEP), 1e-8);
    }
}

START_TEST(forces_are_differentiated)
{
    found m;
    double value[MOST * MOST];
    look_at(&m, COUPLED);
    const dae_mechanical_form *form = &m.f->form;
    form->force_q(m.t, m.q, m.v, value, m.f);
    assert_columns(&m, form->force, m.f->force_q.matrix->pattern, value, m.q);
    form->force_v(m.t, m.q, m.v, value, m.f);
    assert_columns(&m, form->force, m.f->force_v.matrix->pattern, value, m.v);
    leave(&m);
}
END_TEST

/* The level of velocities: phi_q v + phi_t, A v - b. */
static int velocity_level(double t, const double *q, const double *v, double *c, void *user)
{
    mechanism_form *f = user;
    const dae_mechanical_form *form = &f->form;
    double value[MOST * MOST], b[MOST] = {0};
    size_t holonomic = form->holonomic;
    memset(c, 0, f->m * sizeof *c);
    if (form->constraint_t) form->constraint_t(t, q, c, f);
    form->constraint_q(t, q, value, f);
    sparse_add_product(f->constraint_q.matrix->pattern, value, v, c);
    if (form->nonholonomic == 0) return 0;
    form->velocity_constraint(t, q, value, f);
    sparse_add_product(f->velocity.matrix->pattern, value, v, c + holonomic);
    if (form->velocity_right) form->velocity_right(t, q, b, f);
    for (size_t l = 0; l < form->nonholonomic; l++) c[holonomic + l] -= b[l];
    return 0;
}

/* A list moved along (1, v) by `step`. */
static void along(found *m, double step, bool of_velocities, double *c)
{
    double q[MOST];
    for (size_t j = 0; j < m->f->n; j++) q[j] = m->q[j] + step * m->v[j];
    if (of_velocities)
        velocity_level(m->t + step, q, m->v, c, m->f);
    else
        m->f->form.constraint(m->t + step, q, c, m->f);
}

START_TEST(levels_are_derivatives_of_each_other)
{
    found m;
    double level[MOST], gamma[MOST], above[MOST], below[MOST];
    look_at(&m, COUPLED);
    ck_assert_uint_eq(m.f->form.holonomic, 1);
    ck_assert_uint_eq(m.f->form.nonholonomic, 1);
    velocity_level(m.t, m.q, m.v, level, m.f);
    along(&m, STEP, false, above);
    along(&m, -STEP, false, below);
    ck_assert_double_eq_tol(level[0], (above[0] - below[0]) / (2 * STEP), 1e-8);
    m.f->form.gamma(m.t, m.q, m.v, gamma, m.f);
    along(&m, STEP, true, above);
    along(&m, -STEP, true, below);
    for (size_t l = 0; l < m.f->m; l++)
        ck_assert_double_eq_tol(gamma[l], (above[l] - below[l]) / (2 * STEP), 1e-8);
    leave(&m);
}
END_TEST

/* B lambda = G^T mu both ways, with T that depends on q and couples multipliers. */
START_TEST(reactions_are_the_same_forces)
{
    found m;
    double share[MOST * MOST], mu[MOST], lambda[MOST];
    look_at(&m, COUPLED);
    size_t rows = m.f->m;
    ck_assert_int_eq(mechanism_reactions_shares(m.reactions, m.t, m.q, share), DAE_OK);
    for (size_t l = 0; l < rows; l++) { /* shares are |T|, and lambda = e_l gives back e_l */
        double size = 0;
        for (size_t k = 0; k < rows; k++) size += share[l * rows + k];
        ck_assert_double_gt(size, 0.1);
    }
    for (size_t k = 0; k < rows; k++) mu[k] = 1 + (double)k;
    ck_assert_int_eq(mechanism_reactions_of_author(m.reactions, m.t, m.q, mu, lambda), DAE_OK);
    const sparse_pattern *g = m.f->gradient.matrix->pattern, *b = m.f->direction.matrix->pattern;
    double gradient[MOST * MOST], direction[MOST * MOST];
    mechanism_form_evaluate(m.f, &m.f->gradient, m.t, m.q, NULL, gradient);
    mechanism_form_evaluate(m.f, &m.f->direction, m.t, m.q, NULL, direction);
    for (size_t j = 0; j < m.f->n; j++) {
        double own = 0, authors = 0;
        for (sparse_index e = g->start[j]; e < g->start[j + 1]; e++)
            own += gradient[e] * mu[g->row[e]];
        for (sparse_index e = b->start[j]; e < b->start[j + 1]; e++)
            authors += direction[e] * lambda[b->row[e]];
        ck_assert_double_eq_tol(own, authors, 1e-12);
    }
    ck_assert_double_gt(fabs(lambda[0] - mu[0]), 0.1);
    leave(&m);
}
END_TEST

START_TEST(names_and_sizes_are_the_authors)
{
    found m;
    look_at(&m, "model M Real x(start = 0.3, nominal = 2), y(start = 0.4), u(nominal = 12), v, T;"
                " equation 3*der(x) = u; der(y) = v; der(u) = -3*x*T; der(v) = -y*T - 9.81;"
                " x^2 + y^2 = 0.25; end M;");
    const dae_about *about = &m.f->form.about;
    size_t x = strcmp(about->variable[0], "x") == 0 ? 0 : 1, n = m.f->n;
    ck_assert_str_eq(about->variable[x], "x");
    ck_assert_str_eq(about->variable[n + x], "der(x)"); /* u is three times that */
    ck_assert_str_eq(about->variable[n + 1 - x], "v");
    ck_assert_double_eq(about->nominal[x], 2);
    ck_assert_double_eq_tol(about->nominal[n + x], 4, 1e-15);
    ck_assert_ptr_nonnull(strstr(about->equation[2 * n], "x^2 + y^2 = 0.25"));
    ck_assert_ptr_nonnull(strstr(about->equation[n + x], "der(u) = -3*x*T"));
    ck_assert_ptr_nonnull(m.f->form.constant_mass);
    leave(&m);
}
END_TEST

UNIT_MAIN("formulation/mechanism", 20, motion_is_that_of_the_equations, mass_is_symmetric,
          forces_are_differentiated, levels_are_derivatives_of_each_other,
          reactions_are_the_same_forces, names_and_sizes_are_the_authors)
