/* The rows of mechanical_multipliers.h: layout and names of their unknowns and equations, and the
 * constraints that are left out. */
#include "formulation/mechanical_multipliers.h"
#include "linalg/rows.h"

#include <math.h>
#include <string.h>

/* Set the offsets of unknowns and equations. Returns how many there are. */
static size_t lay_out(multipliers *c)
{
    const mechanical *m = c->base.mechanical;
    const multipliers_kind *k = c->kind;
    size_t all = m->constraints, accelerations = k->accelerations ? m->nv : 0;
    c->nq = m->nq;
    c->nv = m->nv;
    c->w = c->nq + c->nv;
    c->motion = c->nq + accelerations;
    c->lambda = c->w + accelerations;
    c->mu = c->lambda + all;
    c->nu = c->mu + (k->mu ? m->holonomic : 0);
    c->from = k->velocity ? 0 : k->phi ? m->holonomic : all;
    c->position = c->lambda;
    c->velocity = c->position + (k->phi ? m->holonomic : 0);
    c->acceleration = c->velocity + (all - c->from);
    return c->nu + (k->nu ? all : 0);
}

/* The indices of velocities and multipliers (Hairer & Wanner II, Sec. VII.2). */
static void name_all(multipliers *c, formulated_names *names)
{
    const mechanical *m = c->base.mechanical;
    const multipliers_kind *k = c->kind;
    size_t first = m->nq + m->nv, all = m->constraints;
    bool deep = k->phi && !k->velocity && m->holonomic > 0;
    int hidden = k->phi || k->velocity ? 2 : 1;
    formulated_name_unknowns(names, "", 0, m->nq, "", 1);
    formulated_name_unknowns(names, "", m->nq, m->nv, "", deep ? 2 : 1);
    if (k->accelerations) formulated_name_unknowns(names, "der(", m->nq, m->nv, ")", 1);
    if (k->acceleration) hidden = 1;
    formulated_name_unknowns(names, "", first, m->holonomic, "", deep ? 3 : hidden);
    formulated_name_unknowns(names, "", first + m->holonomic, m->nonholonomic, "", hidden);
    if (k->mu) formulated_name_unknowns(names, "mu(", first, m->holonomic, ")", 2);
    if (k->nu) formulated_name_unknowns(names, "nu(", first, all, ")", 2);
    formulated_name_equations(names, "", 0, m->nq);
    if (k->accelerations) formulated_name_equations(names, "the acceleration in ", m->nq, m->nv);
    formulated_name_equations(names, "", m->nq, m->nv);
    if (k->phi) formulated_name_equations(names, "", first, m->holonomic);
    for (size_t i = c->from; i < all; i++)
        formulated_name_equations(names, i < m->holonomic ? "the derivative of " : "", first + i,
                                  1);
    if (k->acceleration)
        for (size_t i = 0; i < all; i++)
            formulated_name_equations(
                names, i < m->holonomic ? "the second derivative of " : "the derivative of ",
                first + i, 1);
}

/* Accelerations and multipliers count by their effect on velocities, which is h times their value,
 * whatever their index. So their depth is 2. */
static void count_depth(multipliers *c, const formulated_names *names)
{
    unsigned char *depth = arena_array(&c->base.memory, c->base.n, sizeof *depth);
    memcpy(depth, names->index, c->base.n * sizeof *depth);
    for (size_t j = c->w; j < c->mu; j++) depth[j] = 2;
    c->base.depth = depth;
}

/* mu and nu are 0 on solutions, and the error test covers the variables that they correct. Their
 * unit is chosen so large that they need not be found more accurately than round-off in the
 * constraints allows. */
static dae_status choose_unit(multipliers *c, double t, const double *q)
{
    static const double MANY = 1e4;
    mechanical *m = c->base.mechanical;
    dae_status status = mechanical_evaluate(m, t, q);
    if (status != DAE_OK) return status;
    double gradient = vector_largest(m->gradient.pattern->nonzeros, m->gradient.value);
    double mass = vector_largest(m->mass.pattern->nonzeros, m->mass.value);
    c->unit = gradient > 0 ? MANY * (c->kind->by_mass ? mass : 1) / gradient : 1;
    return DAE_OK;
}

/* Mark the equations of constraints that are left out. */
static void mark_left_out(multipliers *c)
{
    const mechanical *m = c->base.mechanical;
    size_t *stand_in = c->stand_in;
    for (size_t i = 0; i < c->base.n; i++) stand_in[i] = PROBLEM_NOWHERE;
    for (size_t i = 0; i < m->constraints; i++) {
        c->marks[i] = c->base.dependent->out[i];
        if (!c->base.dependent->out[i]) continue;
        if (c->kind->phi && i < m->holonomic)
            stand_in[c->position + i] = multipliers_of_position(c) + i;
        if (i >= c->from) stand_in[c->velocity + i - c->from] = multipliers_of_velocity(c) + i;
        if (c->kind->acceleration) stand_in[c->acceleration + i] = c->lambda + i;
    }
}

/* Multipliers that are unknowns become large, and Newton's iteration slow, long before rows of G
 * become dependent. */
static const double SINGULAR = 0.1;

/* Prepare to leave constraints out, if the system is not too large. The equations multiplier = 0
 * add diagonal entries to constraint rows, which causes fill-in in sparse factors. So this is done
 * only if there are dependent constraints at the start, or if the system is small; then some may
 * appear during the run. */
static dae_status make_dependent(multipliers *c, double t, const double *q)
{
    mechanical *m = c->base.mechanical;
    arena *a = &c->base.memory;
    if (m->constraints + m->nv > DEPENDENT_CONSTRAINTS_MOST) return DAE_OK;
    c->base.dependent = dependent_constraints_create(a, m, SINGULAR);
    c->stand_in = arena_array(a, c->base.n, sizeof *c->stand_in);
    c->marks = arena_array(a, m->constraints, sizeof *c->marks);
    dae_status status = dependent_constraints_choose(c->base.dependent, t, q);
    if (status == DAE_OK) mark_left_out(c);
    c->base.away = c->base.dependent->away;
    if (c->base.dependent->count == 0 && m->constraints + m->nv > DEPENDENT_CONSTRAINTS_SMALL)
        c->base.dependent = NULL;
    return status;
}

static dae_status create(mechanical_formulation *base, double t, const mechanical_point *p,
                         message *m)
{
    multipliers *c = (multipliers *)base;
    const mechanical *system = base->mechanical;
    arena *a = &base->memory;
    const multipliers_kind *kind = c->kind = base->ops->kind;
    bool plain = !system->form->given.kinematics;
    if (kind->by_mass && !plain)
        return message_fail(m, DAE_UNSUPPORTED,
                            "formulation %s weighs q' - v by the mass, and here q' = S v: take ggl",
                            base->ops->name);
    baumgarte_begin(c, t);
    c->is_mass_form = system->form->constant_mass || kind->accelerations;
    c->sign = c->is_mass_form ? -1 : 1;
    formulated_names names = formulated_names_begin(base, lay_out(c));
    name_all(c, &names);
    if (kind->accelerations) count_depth(c, &names);
    c->by_y.n = c->by_yp.n = base->n;
    c->zero = arena_array(a, base->n, sizeof(double));
    arena_vectors(a, system->constraints,
                  (double **const[]){&c->some, &c->other, &c->turned, NULL});
    arena_vectors(a, c->nv, (double **const[]){&c->pull, &c->through, NULL});
    dae_status status = choose_unit(c, t, p->q);
    if (status == DAE_OK) status = make_dependent(c, t, p->q);
    if (status != DAE_OK) return status;
    multipliers_list_by_yp(c);
    if (plain) {
        c->levels = formulated_levels_create(a, base->mechanical);
        multipliers_list_by_y(c);
    }
    return multipliers_form(c, &names, m);
}

static dae_status lower(mechanical_formulation *base, double t, const mechanical_point *p,
                        double *y, double *yp)
{
    const multipliers *c = (const multipliers *)base;
    memset(y, 0, base->n * sizeof *y);
    memset(yp, 0, base->n * sizeof *yp);
    memcpy(y, p->q, c->nq * sizeof *y);
    memcpy(y + c->nq, p->v, c->nv * sizeof *y);
    if (c->kind->accelerations) memcpy(y + c->w, p->vp, c->nv * sizeof *y);
    memcpy(y + c->lambda, p->lambda, base->mechanical->constraints * sizeof *y);
    memcpy(yp + c->nq, p->vp, c->nv * sizeof *yp);
    if (c->base.dependent && c->base.dependent->count > 0) {
        mechanical *m = base->mechanical;
        const bool *out = m->out;
        m->out = c->base.dependent->out;
        dae_status status = mechanical_accelerate(m, t, p->q, p->v, yp + c->nq, y + c->lambda);
        m->out = out;
        if (status != DAE_OK) return status;
        if (c->kind->accelerations) memcpy(y + c->w, yp + c->nq, c->nv * sizeof *y);
    }
    return mechanical_kinematics(base->mechanical, t, p->q, p->v, yp);
}

static dae_status lift(mechanical_formulation *base, double t, const double *y, const double *yp,
                       mechanical_point *p)
{
    const multipliers *c = (const multipliers *)base;
    memcpy(p->q, y, c->nq * sizeof *y);
    memcpy(p->v, y + c->nq, c->nv * sizeof *y);
    memcpy(p->lambda, y + c->lambda, base->mechanical->constraints * sizeof *y);
    memcpy(p->vp, multipliers_acceleration(c, y, yp), c->nv * sizeof *y);
    return c->base.dependent ? dependent_constraints_shorten(c->base.dependent, t, p->q, p->lambda)
                             : DAE_OK;
}

static dae_status renew(mechanical_formulation *base, double t, const mechanical_point *p)
{
    multipliers *c = (multipliers *)base;
    if (!base->dependent) return DAE_OK;
    dae_status status = dependent_constraints_renew(base, t, p);
    if (status == DAE_OK) mark_left_out(c);
    if (base->engine_moves && base->away) base->mechanical->out = c->base.dependent->out;
    if (status == DAE_OK)
        status = mechanical_accelerate(base->mechanical, t, p->q, p->v, p->vp, p->lambda);
    if (status == DAE_OK) base->at = ++base->renewals;
    return status;
}

static void state(mechanical_formulation *base, state_visit *s)
{
    multipliers *c = (multipliers *)base;
    STATE(s, c->pace);
    if (c->kind->stabilised && s->way == STATE_RESTORE) multipliers_weigh_pull(c);
    if (base->dependent) mark_left_out(c);
}

/* Violations decay like an oscillator with damping ratio xi and frequency omega. */
#define STABILISED                                            \
    {                                                         \
        {.name = "xi", .value = 1, .unit = "1"},              \
        {                                                     \
            .name = "omega", .automatic = true, .unit = "1/s" \
        }                                                     \
    }

/* The arguments after `what` are the source and further members of the row. */
#define KIND(...)                     \
    .kind = &(const multipliers_kind) \
    {                                 \
        __VA_ARGS__                   \
    }
#define ROW(word, highest, is_drifting, what, ...)                                            \
    &(const mechanical_formulation_ops)                                                       \
    {                                                                                         \
        .name = word, .says = what, .size = sizeof(multipliers), .index = highest,            \
        .drifts = is_drifting, .by_mass = true, .holds_multipliers = true, .create = create,  \
        .lower = lower, .lift = lift, .quality = dependent_constraints_judge, .renew = renew, \
        .loosen = dependent_constraints_loosen, .state = state, .source = __VA_ARGS__         \
    }

const mechanical_formulation_ops *const multiplier_formulation_rows[] = {
    ROW("index3", 3, false, "the equations as given, with the constraints on positions",
        "Hairer & Wanner II, Eq. (VII.1.46)", KIND(.phi = true)),
    ROW("index2", 2, true, "the constraints on velocities in place of those on positions",
        "Hairer & Wanner II, Eq. (VII.1.46b)", KIND(.velocity = true)),
    ROW("index1", 1, true, "the constraints on accelerations in place of those on positions",
        "Hairer & Wanner II, Eq. (VII.1.47)", KIND(.accelerations = true, .acceleration = true)),
    ROW("baumgarte", 1, false,
        "the constraints on accelerations, to which those on velocities and positions are added",
        "Baumgarte, Comput. Meth. Appl. Mech. Engng. 1 (1972) 1", .observe = baumgarte_observe,
        .parameter = STABILISED,
        KIND(.accelerations = true, .acceleration = true, .stabilised = true)),
    ROW("ggl", 2, false,
        "the constraints on positions and on velocities, with a multiplier in q' = v",
        "Gear, Leimkuhler & Gupta, J. Comp. Appl. Math. 12&13 (1985) 77",
        KIND(.mu = true, .phi = true, .velocity = true)),
    ROW("ggl-mass", 2, false,
        "the constraints on positions and on velocities, with a multiplier in M q' = M v, where q' "
        "= v",
        "Gear, Leimkuhler & Gupta, J. Comp. Appl. Math. 12&13 (1985) 77",
        KIND(.mu = true, .by_mass = true, .phi = true, .velocity = true)),
    ROW("fuhrer-leimkuhler", 2, false,
        "the constraints on all levels, with multipliers in q' = v and v' = w",
        "Fuhrer & Leimkuhler, Numer. Math. 59 (1991) 55",
        KIND(.accelerations = true, .mu = true, .nu = true, .phi = true, .velocity = true,
             .acceleration = true)),
    NULL,
};
