/* Inputs: a formulation is that with what their source says in their place, in its residual, its
 * matrices, its constraint levels and its start. */
#include "base/unit.h"
#include "formulation/formulating.h"

#include <string.h>

enum { MOST = 24 };

static const formulation_choice INDEX1 = {
    .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};

static void draw(formulating *g, uint64_t *state)
{
    for (size_t j = 0; j < g->f->form->problem.n; j++)
        g->y[j] = 2 * scatter(state), g->yp[j] = 2 * scatter(state);
    for (size_t j = 0; j < g->f->p->size; j++) g->z[j] = 2 * scatter(state);
}

static void vectors_agree(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(a[i], b[i], 1e-13 * (1 + fabs(b[i])));
}

/* At the same points the same values. */
static void are_alike(formulating *one, formulating *other, uint64_t *state)
{
    problem *p = &one->f->form->problem, *q = &other->f->form->problem;
    const constraint_levels *l = &one->f->levels->levels, *k = &other->f->levels->levels;
    const start_system *s = &one->f->start->start, *o = &other->f->start->start;
    double r[2][MOST], v[MOST], t = 0.5 + 0.4 * scatter(state);
    ck_assert(p->n == q->n && l->count == k->count && s->rows == o->rows && p->n <= MOST);
    uint64_t same = *state;
    draw(one, state);
    draw(other, &same);
    ck_assert_int_eq(problem_residual(p, t, one->y, one->yp, r[0]), DAE_OK);
    ck_assert_int_eq(problem_residual(q, t, other->y, other->yp, r[1]), DAE_OK);
    vectors_agree(p->n, r[0], r[1]);
    ck_assert_int_eq(problem_linearize(p, t, one->y, one->yp), DAE_OK);
    ck_assert_int_eq(problem_linearize(q, t, other->y, other->yp), DAE_OK);
    for (size_t j = 0; j < p->n; j++) v[j] = scatter(state);
    problem_multiply(p, v, r[0]);
    problem_multiply(q, v, r[1]);
    vectors_agree(p->n, r[0], r[1]);
    sparse_multiply(p->by_y.pattern, p->by_y.value, v, r[0]);
    sparse_multiply(q->by_y.pattern, q->by_y.value, v, r[1]);
    vectors_agree(p->n, r[0], r[1]);
    for (size_t level = 0; level < l->count; level++) {
        ck_assert_int_eq(l->form->value(l->self, level, t, one->z, r[0]), DAE_OK);
        ck_assert_int_eq(k->form->value(k->self, level, t, other->z, r[1]), DAE_OK);
        vectors_agree(l->level[level].rows, r[0], r[1]);
    }
    ck_assert_int_eq(s->form->value(s->self, t, one->z, r[0]), DAE_OK);
    ck_assert_int_eq(o->form->value(o->self, t, other->z, r[1]), DAE_OK);
    vectors_agree(s->rows, r[0], r[1]);
}

static double sine_of(void *self, uint32_t id, uint32_t order, double t)
{
    (void)self;
    return (id + 1.0) * sine(order, t);
}

/* The right sides of the last two equations become inputs. */
static void take_inputs(void *argument)
{
    sym_system *s = ((formulating *)argument)->r.system;
    for (uint32_t k = 0; k < 2; k++)
        s->equation.item[s->equation.count - 2 + k].rhs = sym_input(s->graph, k, 0,
                                                                    sym_time(s->graph));
    sym_give_inputs(s->graph, (sym_inputs){sine_of, NULL});
}

/* One is differentiated twice, for a constraint of index 3. */
START_TEST(inputs_are_functions_of_time)
{
    static const char model[] = "model M Real a, b, c, d; equation der(a) = b*d; der(b) = c - a*b;"
                                " a = sin(time); d + d^3*cos(a) = 2*sin(time); end M;";
    formulating g = {.choice = INDEX1}, other;
    uint64_t state = 19;
    read_right(&g.r, model);
    ck_assert_int_eq(arena_protect(&g.r.memory, take_inputs, &g), DAE_OK);
    ck_assert_int_eq(arena_protect(&g.r.memory, formulate_protected, &g), DAE_OK);
    formulate(&other, model, INDEX1);
    for (int trial = 0; trial < 20; trial++) {
        are_alike(&g, &other, &state);
        double by_time[2][MOST], t = 1.5 * trial;
        problem *p = &g.f->form->problem, *q = &other.f->form->problem;
        memcpy(other.y, g.y, p->n * sizeof *g.y);
        memcpy(other.yp, g.yp, p->n * sizeof *g.yp);
        ck_assert_int_eq(p->form->time_derivative(p->self, t, g.y, g.yp, by_time[0]), DAE_OK);
        ck_assert_int_eq(q->form->time_derivative(q->self, t, other.y, other.yp, by_time[1]),
                         DAE_OK);
        vectors_agree(p->n, by_time[0], by_time[1]);
    }
    end(&g);
    end(&other);
}
END_TEST

UNIT_MAIN("formulation/inputs", 30, inputs_are_functions_of_time)
