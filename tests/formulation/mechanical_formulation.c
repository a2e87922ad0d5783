/* Formulations of mechanical systems: the way into their unknowns and back, their equations at
 * known motions, their Jacobians, and what makes a formulation be renewed. */
#include "formulation/mechanical_formulation.h"

#include "base/unit.h"
#include "problem/callbacks.h"
#include "solve/callback_simulation.h"
#include "zoo/mechanical.h"

#include <stdlib.h>
#include <string.h>

typedef struct made {
    const mechanical_form *form;
    mechanical *system;                  /* the formulation's point comes from it */
    mechanical_formulation *formulation; /* NULL where it is refused */
    zoo_motion at;
    mechanical_point point; /* of `at` */
    double t, *y, *yp;      /* lowered */
    message message;
} made;

/* A point of the motion that is neither special nor at rest. */
static void take_point(made *m, const zoo_mechanical *z)
{
    const mechanical_point *p = &m->point;
    z->start(p->q, p->v);
    if (z->exact) {
        m->t = 0.3 * z->stop;
        z->exact(m->t, &m->at);
        memcpy(p->q, m->at.q, m->form->nq * sizeof *p->q);
        memcpy(p->v, m->at.v, m->form->nv * sizeof *p->v);
    } else if (z->references) {
        const double *row = z->reference + (z->references - 1) * (1 + m->form->n);
        m->t = row[0];
        memcpy(p->q, row + 1, m->form->nq * sizeof *p->q);
        memcpy(p->v, row + 1 + m->form->nq, m->form->nv * sizeof *p->v);
    }
    ck_assert_int_eq(mechanical_project(m->system, m->t, p->q, p->v, false), DAE_OK);
    int status = mechanical_accelerate(m->system, m->t, p->q, p->v, p->vp, p->lambda);
    ck_assert_int_eq(status, DAE_OK);
}

static made make(arena *a, const zoo_mechanical *z, const char *name)
{
    made m = {.t = 0};
    ck_assert_int_eq(mechanical_form_create(&m.form, a, &z->form, &m.message), DAE_OK);
    ck_assert_int_eq(mechanical_create(&m.system, m.form, &m.message), DAE_OK);
    double *room = arena_array(a, 4 * ZOO_MECHANICAL_MOST, sizeof *room);
    m.point = (mechanical_point){.q = room,
                                 .v = room + ZOO_MECHANICAL_MOST,
                                 .lambda = room + 2 * ZOO_MECHANICAL_MOST,
                                 .vp = room + 3 * ZOO_MECHANICAL_MOST};
    take_point(&m, z);
    dae_status status = mechanical_formulation_create(&m.formulation, m.form, name, false, m.t,
                                                      &m.point, &m.message);
    if (status != DAE_OK) {
        ck_assert_msg(status == DAE_UNSUPPORTED, "%s", message_string(&m.message));
        m.formulation = NULL;
        return m;
    }
    m.y = arena_array(a, m.formulation->n, sizeof(double));
    m.yp = arena_array(a, m.formulation->n, sizeof(double));
    status = m.formulation->ops->lower(m.formulation, m.t, &m.point, m.y, m.yp);
    ck_assert_int_eq(status, DAE_OK);
    return m;
}

static void release(made *m)
{
    mechanical_formulation_free(m->formulation);
    mechanical_free(m->system);
    message_free(&m->message);
}

static double distance(size_t n, const double *a, const double *b)
{
    double far = 0;
    for (size_t j = 0; j < n; j++) far = fmax(far, fabs(a[j] - b[j]) / fmax(fabs(b[j]), 1));
    return far;
}

/* How far the point that is lifted from (y, y') is from m's. */
static double lifted_distance(made *m, const double *y, const double *yp)
{
    zoo_motion other;
    mechanical_point back = {other.q, other.v, other.lambda, other.vp};
    ck_assert_int_eq(m->formulation->ops->lift(m->formulation, m->t, y, yp, &back), DAE_OK);
    double far = fmax(distance(m->form->nq, back.q, m->point.q),
                      distance(m->form->nv, back.v, m->point.v));
    if (!m->formulation->ops->holds_multipliers) return far;
    far = fmax(far, distance(m->form->constraints, back.lambda, m->point.lambda));
    return fmax(far, distance(m->form->nv, back.vp, m->point.vp));
}

/* All formulations of all systems. */
static void for_each(arena *a, void (*check)(made *m))
{
    for (size_t i = 0; zoo_mechanical_at(i); i++) {
        for (size_t k = 0; mechanical_formulation_at(k); k++) {
            made m = make(a, zoo_mechanical_at(i), mechanical_formulation_at(k)->name);
            if (m.formulation) check(&m);
            release(&m);
        }
    }
}

static void check_way_back(made *m)
{
    double far = lifted_distance(m, m->y, m->yp);
    ck_assert_msg(far < 1e-10, "%s, %s: %g", m->form->name, m->formulation->ops->name, far);
}

ARENA_TEST(what_is_lowered_is_lifted_to_round_off)
{
    for_each(memory_, check_way_back);
}

/* Penalties are alpha times what is missed, and so meet the equations to 1/alpha alone. */
static void check_equations(made *m)
{
    violation v = {0};
    violations found = {0};
    double met = m->formulation->ops->parameter[2].name ? 1e-4 : 1e-10;
    ck_assert_int_eq(violation_create(&v, m->formulation->equations, m->t, m->y), DAE_OK);
    ck_assert_int_eq(violation_raise(&v, m->t, m->y, m->yp, &found), DAE_OK);
    ck_assert_msg(found.equation < met, "%s, %s: %g in %s", m->form->name,
                  m->formulation->ops->name, found.equation,
                  m->formulation->equations->equation[found.row]);
    violation_free(&v);
}

ARENA_TEST(equations_hold_at_consistent_points)
{
    for_each(memory_, check_equations);
}

/* r (n) = F at y + by * direction. */
static void beside(problem *p, const made *m, const double *direction, double by, double *r)
{
    double y[6 * ZOO_MECHANICAL_MOST];
    for (size_t j = 0; j < p->n; j++) y[j] = m->y[j] + by * direction[j];
    ck_assert_int_eq(problem_residual(p, m->t, y, m->yp, r), DAE_OK);
}

/* Central differences along a direction of test, by what the terms of each row add up to. */
static void compare_along(callbacks *c, const made *m)
{
    enum { MOST = 6 * ZOO_MECHANICAL_MOST };
    static const double STEP = 1e-6;
    problem *p = callbacks_problem(c);
    const sparse_pattern *s = callbacks_problem(c)->by_y.pattern;
    double direction[MOST], after[MOST], before[MOST], along[MOST] = {0}, terms[MOST] = {0};
    double most = 0;
    uint64_t state = 5;
    for (size_t j = 0; j < p->n; j++) direction[j] = fmax(fabs(m->y[j]), 1) * scatter(&state);
    ck_assert_int_eq(problem_linearize(p, m->t, m->y, m->yp), DAE_OK);
    for (size_t j = 0; j < p->n; j++) {
        for (sparse_index k = s->start[j]; k < s->start[j + 1]; k++) {
            along[s->row[k]] += callbacks_problem(c)->by_y.value[k] * direction[j];
            terms[s->row[k]] += fabs(callbacks_problem(c)->by_y.value[k] * direction[j]);
        }
    }
    for (size_t i = 0; i < p->n; i++) most = fmax(most, terms[i]);
    beside(p, m, direction, STEP, after);
    beside(p, m, direction, -STEP, before);
    for (size_t i = 0; i < p->n; i++) {
        double off = fabs((after[i] - before[i]) / (2 * STEP) - along[i]);
        ck_assert_msg(off < 1e-5 * terms[i] + 1e-5 * most, "%s, %s: %g of %g in %s", m->form->name,
                      m->formulation->ops->name, off, terms[i],
                      m->formulation->equations->equation[i]);
    }
}

/* Where the formulation gives its Jacobian. */
static void check_jacobian(made *m)
{
    const equations *e = m->formulation->equations;
    callbacks *c = NULL;
    if (e->kind == EQUATIONS_MASS ? !e->form.mass.f_y : !e->form.residual.jacobian) return;
    ck_assert_int_eq(callbacks_create(&c, e, m->t, m->y, &m->message), DAE_OK);
    compare_along(c, m);
    callbacks_free(c);
}

ARENA_TEST(jacobians_are_those_of_the_equations)
{
    for_each(memory_, check_jacobian);
}

/* The row says it, and the variables as the engine is told of them. */
ARENA_TEST(the_index_is_that_of_the_variables)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        made m = make(memory_, &zoo_andrews, mechanical_formulation_at(k)->name);
        int highest = 1, said = mechanical_formulation_at(k)->index;
        for (size_t j = 0; j < m.formulation->n; j++)
            if (m.formulation->equations->index[j] > highest)
                highest = m.formulation->equations->index[j];
        ck_assert_int_eq(highest, said > 1 ? said : 1);
        release(&m);
    }
}

ARENA_TEST(the_freedoms_are_counted)
{
    static const struct {
        const zoo_mechanical *system;
        size_t unknowns;
    } known[] = {{&zoo_pendulum, 2}, {&zoo_double_pendulum, 4},     {&zoo_free_crank, 2},
                 {&zoo_andrews, 2},  {&zoo_mechanical_car_axis, 4}, {&zoo_skate, 5},
                 {&zoo_platform, 2}};
    static const char *const names[] = {"partition", "nullspace-qr", "nullspace-svd",
                                        "zero-eigenvalue"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        for (size_t k = 0; k < 4; k++) {
            made m = make(memory_, known[i].system, names[k]);
            ck_assert_ptr_nonnull(m.formulation);
            ck_assert_uint_eq(m.formulation->n, known[i].unknowns);
            release(&m);
        }
    }
}

/* Whether its unknowns are those of the freedoms, and of the neighbourhood of a point. */
static bool is_minimal(const mechanical_formulation_ops *row)
{
    return row->renew && !row->holds_multipliers && !row->drifts;
}

/* The pendulum, turned by an angle from where the formulation was made. */
static double quality_after(made *m, double angle)
{
    double q[2] = {cos(angle) * m->point.q[0] - sin(angle) * m->point.q[1],
                   sin(angle) * m->point.q[0] + cos(angle) * m->point.q[1]};
    double v[2] = {0, 0}, vp[2] = {0, 0}, lambda = 0, y[2], yp[2];
    const mechanical_point there = {q, v, &lambda, vp};
    ck_assert_int_eq(m->formulation->ops->lower(m->formulation, m->t, &there, y, yp), DAE_OK);
    return m->formulation->ops->quality(m->formulation, m->t, y);
}

ARENA_TEST(a_chart_that_turns_away_loses_its_quality)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        if (!is_minimal(mechanical_formulation_at(k))) continue;
        made m = make(memory_, &zoo_pendulum, mechanical_formulation_at(k)->name);
        ck_assert_double_eq_tol(quality_after(&m, 0), 1, 1e-12);
        ck_assert_double_gt(quality_after(&m, 0.2), 0.8);
        ck_assert_double_lt(quality_after(&m, 0.2), 1);
        ck_assert_double_lt(quality_after(&m, 1.5), 0.2);
        release(&m);
    }
}

/* At another point; the one before can still be lifted from, and all of them where they are kept.
 */
ARENA_TEST(a_renewed_chart_knows_the_one_before)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        if (!is_minimal(mechanical_formulation_at(k))) continue;
        for (int keeps = 0; keeps < 2; keeps++) {
            made m = make(memory_, &zoo_andrews, mechanical_formulation_at(k)->name);
            double y[2], yp[2];
            m.formulation->keeps = keeps;
            for (int round = 0; round < (keeps ? 5 : 1); round++) {
                ck_assert_int_eq(m.formulation->ops->renew(m.formulation, m.t, &m.point), DAE_OK);
                ck_assert_int_eq(m.formulation->ops->lower(m.formulation, m.t, &m.point, y, yp),
                                 DAE_OK);
                ck_assert_double_lt(lifted_distance(&m, y, yp), 1e-11);
            }
            ck_assert_uint_eq(m.formulation->renewals, keeps ? 5 : 1);
            m.formulation->at = 0;
            ck_assert_double_lt(lifted_distance(&m, m.y, m.yp), 1e-11);
            release(&m);
        }
    }
}

ARENA_TEST(parameters_stand_behind_a_colon)
{
    made m = make(memory_, &zoo_pendulum, "baumgarte:omega=2,xi=0.8");
    ck_assert_double_eq(m.formulation->parameter[0], 0.8);
    ck_assert_double_eq(m.formulation->parameter[1], 2);
    release(&m);
    static const char *const found[] = {"baumgarte", "baumgarte:omega=auto"};
    for (int i = 0; i < 2; i++) {
        m = make(memory_, &zoo_pendulum, found[i]);
        ck_assert_double_eq(m.formulation->parameter[0], 1);
        ck_assert_double_eq(m.formulation->parameter[1], 0);
        release(&m);
    }
}

ARENA_TEST(wrong_parameters_are_refused)
{
    static const char *const wrong[] = {
        "baumgarte:zeta=1",  "baumgarte:xi=-1",    "baumgarte:xi=1x",
        "baumgarte:xi",      "baumgarte:",         "ggl:xi=1",
        "penalty:alpha=nan", "penalty:omega=auto", "baumgarte:omega=0"};
    made m = make(memory_, &zoo_pendulum, "ggl");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mechanical_formulation *none = NULL;
        message reported = {0};
        int status = mechanical_formulation_create(&none, m.form, wrong[i], false, m.t, &m.point,
                                                   &reported);
        ck_assert_msg(status == DAE_USAGE && strstr(message_string(&reported), "formulation"),
                      "%s: %s", wrong[i], message_string(&reported));
        ck_assert_ptr_null(none);
        message_free(&reported);
    }
    release(&m);
}

/* Two of three parallel cranks hold the platform. The shortest multipliers that add up to that of
 * the pendulum are, with rows of the lengths 2 sqrt(1 + y^2), 2 and 2 sqrt(1 + y^2), in the ratio
 * 1 : 1 + y^2 : 1; of penalties they are met to 1/alpha. */
ARENA_TEST(multipliers_of_dependent_constraints_are_the_shortest)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        const mechanical_formulation_ops *row = mechanical_formulation_at(k);
        if (!row->holds_multipliers && !row->lifts_forces) continue;
        made m = make(memory_, &zoo_platform, row->name);
        zoo_motion pendulum, other;
        mechanical_point back = {other.q, other.v, other.lambda, other.vp};
        zoo_swing(sqrt(0.75), m.t, &pendulum);
        double y = m.point.q[1], middle = 1 + y * y, met = row->lifts_forces ? 1e-6 : 1e-10;
        const double shortest[] = {1 / (2 + middle), middle / (2 + middle), 1 / (2 + middle)};
        ck_assert_int_eq(row->lift(m.formulation, m.t, m.y, m.yp, &back), DAE_OK);
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(other.lambda[i], shortest[i] * pendulum.lambda[0], met);
        ck_assert_double_eq(row->quality(m.formulation, m.t, m.y), 1);
        release(&m);
    }
}

/* Where all but one of them are left out, they come back: begun where the cranks lie in one line.
 */
ARENA_TEST(constraints_come_back_behind_singular_configurations)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        if (!mechanical_formulation_at(k)->holds_multipliers) continue;
        made m = make(memory_, &zoo_platform, mechanical_formulation_at(k)->name);
        double y[18], yp[18], *q = m.point.q;
        const double before[] = {q[0], q[1], q[2]};
        q[0] = 1, q[1] = q[2] = 0;
        ck_assert_int_eq(m.formulation->ops->renew(m.formulation, m.t, &m.point), DAE_OK);
        memcpy(q, before, sizeof before);
        ck_assert_int_eq(m.formulation->ops->lower(m.formulation, m.t, &m.point, y, yp), DAE_OK);
        ck_assert_double_eq(m.formulation->ops->quality(m.formulation, m.t, y), 0);
        ck_assert_int_eq(m.formulation->ops->renew(m.formulation, m.t, &m.point), DAE_OK);
        ck_assert_int_eq(m.formulation->ops->lower(m.formulation, m.t, &m.point, y, yp), DAE_OK);
        ck_assert_double_eq(m.formulation->ops->quality(m.formulation, m.t, y), 1);
        ck_assert(!m.formulation->away);
        release(&m);
    }
}

/* Before a singular configuration constraints are left out where a step fails, not elsewhere. */
ARENA_TEST(constraints_go_where_a_step_fails)
{
    for (size_t k = 0; mechanical_formulation_at(k); k++) {
        if (!mechanical_formulation_at(k)->holds_multipliers) continue;
        made m = make(memory_, &zoo_platform, mechanical_formulation_at(k)->name);
        double y[18], yp[18], *q = m.point.q;
        ck_assert(!m.formulation->ops->loosen(m.formulation, m.t, m.y));
        q[0] = cos(0.01), q[1] = sin(0.01), q[2] = 0;
        ck_assert_int_eq(m.formulation->ops->lower(m.formulation, m.t, &m.point, y, yp), DAE_OK);
        ck_assert_double_gt(m.formulation->ops->quality(m.formulation, m.t, y), 0.4);
        ck_assert(m.formulation->ops->loosen(m.formulation, m.t, y));
        ck_assert_double_eq(m.formulation->ops->quality(m.formulation, m.t, y), 0);
        ck_assert_int_eq(m.formulation->ops->renew(m.formulation, m.t, &m.point), DAE_OK);
        ck_assert(m.formulation->away);
        release(&m);
    }
}

/* Of q' = v, v' = a(q, v): only what a method asks for is held. */
ARENA_TEST(without_a_jacobian_elimination_says_nothing_of_it)
{
    made m = make(memory_, &zoo_pendulum, "elimination");
    double here[4], there[4];
    mechanical_formulation *bare = NULL;
    int status = mechanical_formulation_create(&bare, m.form, "elimination", true, m.t, &m.point,
                                               &m.message);
    ck_assert_int_eq(status, DAE_OK);
    ck_assert_uint_eq(bare->equations->jacobian.pattern->nonzeros, 0);
    ck_assert_uint_eq(m.formulation->equations->jacobian.pattern->nonzeros, 10);
    const equations *one = m.formulation->equations, *two = bare->equations;
    ck_assert_int_eq(one->form.mass.f(m.t, m.y, here, one->user), 0);
    ck_assert_int_eq(two->form.mass.f(m.t, m.y, there, two->user), 0);
    ck_assert_mem_eq(here, there, sizeof here);
    mechanical_formulation_free(bare);
    release(&m);
}

UNIT_MAIN("formulation/mechanical_formulation", 120, what_is_lowered_is_lifted_to_round_off,
          equations_hold_at_consistent_points, jacobians_are_those_of_the_equations,
          the_index_is_that_of_the_variables, the_freedoms_are_counted,
          a_chart_that_turns_away_loses_its_quality, a_renewed_chart_knows_the_one_before,
          multipliers_of_dependent_constraints_are_the_shortest, constraints_go_where_a_step_fails,
          constraints_come_back_behind_singular_configurations, parameters_stand_behind_a_colon,
          wrong_parameters_are_refused, without_a_jacobian_elimination_says_nothing_of_it)
