/* Relations that are held: a formulation is then that of the branches that they choose, whatever
 * the values, in its residual, its matrices, its constraint levels and its start. */
#include "symbolic/modes.h"
#include "base/unit.h"
#include "formulation/formulating.h"

#include <string.h>

enum { MOST = 24, RELATIONS = 2, TEXT = 500 };

static const formulation_choice INDEX1 = {
    .kind = FORMULATION_INDEX1, .replace = true, .project = true};

/* Of index 2, with a relation in what is differentiated and one in what is not. */
static const char MODEL[] =
    "model M Real a(start = 0.1), b, c; equation der(a) = b + %s; der(b) = c - a*b;"
    " sinh(a) + %s = sinh(sin(time)); end M;";
static const char *const FIRST[] = {"(if b < 1 then b^2 else 3*b)", "b^2", "3*b"};
static const char *const SECOND[] = {"(if a*time <= 0.2 then a^3 else a)", "a^3", "a"};

static void begin(formulating *g, int first, int second)
{
    char model[TEXT];
    snprintf(model, sizeof model, MODEL, FIRST[first], SECOND[second]);
    formulate(g, model, INDEX1);
}

static sym relation_of(formulating *g, const char *mark)
{
    sym_system *s = g->r.system;
    for (size_t i = 0; i < s->equation.count; i++) {
        sym found[RELATIONS], roots[] = {s->equation.item[i].lhs, s->equation.item[i].rhs};
        if (sym_relations(s->graph, 2, roots, RELATIONS, found) == 1 &&
            strstr(s->equation.item[i].text, mark))
            return found[0];
    }
    ck_abort_msg("no relation with %s", mark);
}

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

START_TEST(held_relations_choose_the_branches)
{
    static const sym_mode modes[] = {SYM_FREE, SYM_HELD_TRUE, SYM_HELD_FALSE};
    for (int first = 1; first < 3; first++) {
        for (int second = 1; second < 3; second++) {
            formulating g, branches;
            uint64_t state = 17;
            begin(&g, 0, 0);
            begin(&branches, first, second);
            sym_graph *graph = g.r.system->graph;
            sym_hold(graph, relation_of(&g, "b < 1"), modes[first]);
            sym_hold(graph, relation_of(&g, "a*time"), modes[second]);
            for (int trial = 0; trial < 20; trial++) are_alike(&g, &branches, &state);
            end(&g);
            end(&branches);
        }
    }
}
END_TEST

/* What one formulation holds another one of the same text does not see. */
START_TEST(formulations_are_apart)
{
    formulating g, other, free_one;
    uint64_t state = 18;
    begin(&g, 0, 0);
    begin(&other, 0, 0);
    begin(&free_one, 0, 0);
    sym_hold(g.r.system->graph, relation_of(&g, "b < 1"), SYM_HELD_TRUE);
    for (int trial = 0; trial < 20; trial++) are_alike(&other, &free_one, &state);
    sym_hold(g.r.system->graph, relation_of(&g, "b < 1"), SYM_FREE);
    for (int trial = 0; trial < 20; trial++) are_alike(&g, &free_one, &state);
    end(&g);
    end(&other);
    end(&free_one);
}
END_TEST

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

UNIT_MAIN("formulation/modes", 30, held_relations_choose_the_branches, formulations_are_apart,
          inputs_are_functions_of_time)
