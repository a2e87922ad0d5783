/* The equations of mechanical_multipliers.h, and their Jacobian. */
#include "formulation/mechanical_multipliers.h"

#include <string.h>

const double *multipliers_acceleration(const multipliers *c, const double *y, const double *yp)
{
    return c->kind->accelerations ? y + c->w : yp + c->nq;
}

/* pull (nv) = G^T times mu or nu, in their unit; mu has only a holonomic part. */
static void pull_back(multipliers *c, const double *multiplier, size_t count)
{
    memset(c->some, 0, c->base.mechanical->constraints * sizeof *c->some);
    memcpy(c->some, multiplier, count * sizeof *c->some);
    mechanical_gradient_transposed(c->base.mechanical, c->some, c->pull);
    for (size_t j = 0; j < c->nv; j++) c->pull[j] *= c->unit;
}

/* Uses M and G as evaluated last. */
static dae_status kinematic_rows(multipliers *c, double t, const double *y, const double *yp,
                                 double *r)
{
    mechanical *m = c->base.mechanical;
    const double *v = y + c->nq;
    memset(c->pull, 0, c->nv * sizeof *c->pull);
    if (c->kind->mu) pull_back(c, y + c->mu, m->holonomic);
    for (size_t j = 0; j < c->nv; j++)
        c->through[j] = c->kind->by_mass ? yp[j] - v[j] : v[j] + c->pull[j];
    if (c->kind->by_mass) {
        mechanical_mass_times(m, c->through, r);
        for (size_t j = 0; j < c->nv; j++) r[j] -= c->pull[j];
        return DAE_OK;
    }
    dae_status status = mechanical_kinematics(m, t, y, c->through, r);
    for (size_t j = 0; j < c->nq; j++) r[j] = yp[j] - r[j];
    return status;
}

/* v' = w + G^T nu */
static void acceleration_rows(multipliers *c, const double *y, const double *yp, double *r)
{
    memset(c->pull, 0, c->nv * sizeof *c->pull);
    if (c->kind->nu) pull_back(c, y + c->nu, c->base.mechanical->constraints);
    for (size_t j = 0; j < c->nv; j++) r[c->nq + j] = yp[c->nq + j] - y[c->w + j] - c->pull[j];
}

/* c->other = G w + gamma, plus terms for stability (Baumgarte, 1972): the velocity level times 2 xi
 * omega and the position level times omega^2. */
static dae_status last_level(multipliers *c, double t, const double *y)
{
    mechanical *m = c->base.mechanical;
    double xi = c->base.parameter[BAUMGARTE_XI], omega = c->base.parameter[BAUMGARTE_OMEGA];
    mechanical_gradient_times(m, y + c->w, c->some);
    dae_status status = mechanical_gamma(m, t, y, y + c->nq, c->other);
    for (size_t i = 0; i < m->constraints; i++) c->other[i] += c->some[i];
    if (status != DAE_OK || !c->kind->stabilised) return status;
    status = mechanical_velocity(m, t, y, y + c->nq, c->some);
    for (size_t i = 0; i < m->constraints; i++) c->other[i] += 2 * xi * omega * c->some[i];
    if (status == DAE_OK) status = mechanical_position(m, t, y, c->some);
    for (size_t i = 0; i < m->holonomic; i++) c->other[i] += omega * omega * c->some[i];
    return status;
}

static dae_status constraint_rows(multipliers *c, double t, const double *y, double *r)
{
    mechanical *m = c->base.mechanical;
    size_t rest = (m->constraints - c->from) * sizeof *r;
    dae_status status = DAE_OK;
    if (c->kind->acceleration) {
        status = last_level(c, t, y);
        memcpy(r + c->acceleration, c->other, m->constraints * sizeof *r);
    }
    if (status == DAE_OK && c->kind->phi) status = mechanical_position(m, t, y, r + c->position);
    if (status != DAE_OK || rest == 0) return status;
    status = mechanical_velocity(m, t, y, y + c->nq, c->other);
    memcpy(r + c->velocity, c->other + c->from, rest);
    return status;
}

static dae_status residual(multipliers *c, double t, const double *y, const double *yp, double *r)
{
    dae_status status = mechanical_motion(c->base.mechanical, t, y, y + c->nq,
                                          multipliers_acceleration(c, y, yp), y + c->lambda, NULL,
                                          r + c->motion);
    if (status == DAE_OK) status = kinematic_rows(c, t, y, yp, r);
    if (status == DAE_OK && c->kind->accelerations) acceleration_rows(c, y, yp, r);
    if (status == DAE_OK) status = constraint_rows(c, t, y, r);
    /* equations that are left out are replaced by multiplier = 0 */
    bool left_out = status == DAE_OK && c->base.dependent && c->base.dependent->count > 0;
    for (size_t i = 0; left_out && i < c->base.n; i++)
        if (c->stand_in[i] != PROBLEM_NOWHERE) r[i] = y[c->stand_in[i]];
    return status;
}

static int residual_callback(double t, const double *y, const double *yp, double *r, void *user)
{
    return formulation_answer(residual(user, t, y, yp, r));
}

static int right_side_callback(double t, const double *y, double *f, void *user)
{
    multipliers *c = user;
    dae_status status = residual(c, t, y, c->zero, f);
    for (size_t i = 0; i < c->base.n; i++) f[i] = -f[i];
    return formulation_answer(status);
}

/* Levels come first, because their differences leave M and G at other points. */
static dae_status linearize(multipliers *c, double t, const double *y, const double *yp)
{
    const double *v = y + c->nq, *w = multipliers_acceleration(c, y, yp);
    const multipliers_kind *k = c->kind;
    dae_status status = DAE_OK;
    if (k->stabilised || c->from < c->base.mechanical->constraints)
        status = formulated_levels_velocity(c->levels, t, y, v);
    if (status == DAE_OK && k->acceleration)
        status = formulated_levels_acceleration(c->levels, t, y, v, w);
    if (status != DAE_OK) return status;
    return mechanical_linearize(c->base.mechanical, t, y, v, w, y + c->lambda);
}

static void put_together(const multipliers *c, const formulated_blocks *b, double *value)
{
    const mechanical *m = c->base.mechanical;
    formulated_blocks_add(b, ONES, NULL, value);
    formulated_blocks_add(b, MASS, m->mass.value, value);
    formulated_blocks_add(b, GRADIENT, m->gradient.value, value);
    formulated_blocks_add(b, DAMPING, m->damping.value, value);
    formulated_blocks_add(b, STIFFNESS, m->stiffness.value, value);
    formulated_blocks_add(b, LEVEL_2, c->levels->velocity_q, value);
    formulated_blocks_add(b, LEVEL_3Q, c->levels->acceleration_q, value);
    formulated_blocks_add(b, LEVEL_3V, c->levels->acceleration_v, value);
}

static void put_left_out(const multipliers *c, double *value)
{
    const dae_pattern *p = &c->by_y.pattern;
    for (size_t k = 0; k < p->start[c->base.n]; k++)
        if (c->stand_in[p->row[k]] != PROBLEM_NOWHERE) value[k] = 0;
    formulated_blocks_add(&c->by_y, LEFT_OUT, c->marks, value);
}

static void put_by_y(const multipliers *c, double *value)
{
    put_together(c, &c->by_y, value);
    if (c->base.dependent && c->base.dependent->count > 0) put_left_out(c, value);
}

static int jacobian_callback(double t, const double *y, const double *yp, double *dy, double *dyp,
                             void *user)
{
    multipliers *c = user;
    dae_status status = linearize(c, t, y, yp);
    if (status != DAE_OK) return formulation_answer(status);
    put_by_y(c, dy);
    put_together(c, &c->by_yp, dyp);
    return 0;
}

/* df/dy of f = -F. c->sign has already given the blocks the opposite sign. */
static int by_y_callback(double t, const double *y, double *dy, void *user)
{
    multipliers *c = user;
    dae_status status = linearize(c, t, y, c->zero);
    if (status == DAE_OK) put_by_y(c, dy);
    return formulation_answer(status);
}

/* With q' = S v no Jacobian is given: the problem takes differences of the whole residual. */
dae_status multipliers_form(multipliers *c, const formulated_names *names, message *m)
{
    mechanical_formulation *base = &c->base;
    bool known = !base->mechanical->form->given.kinematics;
    const dae_pattern unknown = {.layout = DAE_DENSE};
    if (!c->is_mass_form) {
        const dae_residual_form form = {
            .n = base->n,
            .residual = residual_callback,
            .jacobian = known ? jacobian_callback : NULL,
            .y_pattern = known ? c->by_y.pattern : unknown,
            .yp_pattern = known ? c->by_yp.pattern : unknown,
            .about = formulation_about(names),
        };
        return equations_create(&base->equations, &base->memory, EQUATIONS_RESIDUAL, &form, m);
    }
    double *mass = arena_array(&base->memory, c->by_yp.pattern.start[base->n], sizeof *mass);
    formulated_blocks_add(&c->by_yp, ONES, NULL, mass);
    formulated_blocks_add(&c->by_yp, MASS, base->mechanical->form->constant_mass, mass);
    const dae_mass_form form = {
        .n = base->n,
        .f = right_side_callback,
        .f_y = known ? by_y_callback : NULL,
        .f_pattern = known ? c->by_y.pattern : unknown,
        .constant_mass = mass,
        .mass_pattern = c->by_yp.pattern,
        .about = formulation_about(names),
    };
    return equations_create(&base->equations, &base->memory, EQUATIONS_MASS, &form, m);
}
