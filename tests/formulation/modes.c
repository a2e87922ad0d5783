/* Modes through a whole formulation: with its relations held a model is the model that has the held
 * branches alone, in every residual, matrix, level, condition of the start and measure; with free
 * ones it is the model of the branches that the crossing expressions choose. */
#include "formulation/formulating.h"

#include "base/unit.h"

enum { RELATIONS = 4, MOST = 4096 };

/* A constraint that is differentiated, an explicit variable, a differential and an initial equation
 * each with two branches of the same variables. */
static const char *const BRANCH[RELATIONS][3] = {
    {"if x - 2*y < 0.3 then %s else %s", "(x*v - u)", "(3*u*x + v)"},
    {"if u <= v*x then %s else %s", "(-l*x + w)", "(-2*l*x - w*w)"},
    {"if y + 0.1*x < 0.2 then %s else %s", "(x^2 + y^2 + x)", "(x^2 + 2*y^2 - x*y)"},
    {"if x > 0.7 then %s else %s", "(x - y)", "(2*x + y*x)"},
};

static const char MODEL[] =
    "model M Real x(start = 1), y, u, v, l, w; equation der(x) = u; der(y) = v; w = %s;"
    " der(u) = %s; der(v) = -l*y - 9.81; 2 = %s; initial equation 1 = %s; end M;";

/* left - right of each relation, in its author's variables */
static void crossings_wanted(const formulating *g, const double *lifted, double *value)
{
    const sym_unknown *first = g->r.system->unknown.item;
    double x = lifted[unknown_called(&g->r, "x") - first];
    double y = lifted[unknown_called(&g->r, "y") - first];
    double u = lifted[unknown_called(&g->r, "u") - first];
    double v = lifted[unknown_called(&g->r, "v") - first];
    value[0] = x - 2 * y - 0.3;
    value[1] = u - v * x;
    value[2] = y + 0.1 * x - 0.2;
    value[3] = 0.7 - x;
}

/* The text with all branches, or with those alone whose bit is set in `which`. */
static void write_model(char *to, size_t size, bool all, unsigned which)
{
    char part[RELATIONS][160];
    for (int k = 0; k < RELATIONS; k++) {
        const char *yes = BRANCH[k][1], *no = BRANCH[k][2];
        if (all)
            snprintf(part[k], sizeof part[k], BRANCH[k][0], yes, no);
        else
            snprintf(part[k], sizeof part[k], "%s", which >> k & 1 ? yes : no);
    }
    snprintf(to, size, MODEL, part[0], part[1], part[2], part[3]);
}

static void formulate_model(formulating *g, bool all, unsigned which, formulation_choice choice)
{
    char model[1024];
    write_model(model, sizeof model, all, which);
    formulate(g, model, choice);
    problem *p = &g->f->form->problem;
    ck_assert_int_eq(problem_reserve(p, 1, (const bool[]){false}), DAE_OK);
}

/* All numbers that a formulation gives at a point. */
typedef struct numbers {
    size_t count;
    double value[MOST];
} numbers;

static double *take(numbers *n, size_t count)
{
    n->count += count;
    ck_assert_uint_le(n->count, MOST);
    return n->value + n->count - count;
}

/* A sparse matrix, all its places. */
static void take_matrix(numbers *n, const sparse_pattern *p, const double *value)
{
    double *all = take(n, p->rows * p->columns);
    memset(all, 0, p->rows * p->columns * sizeof *all);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            all[(size_t)p->row[k] * p->columns + j] = value[k];
}

static void take_form(formulating *g, numbers *n, double t)
{
    problem *p = &g->f->form->problem;
    prolonged_form_scatter(g->f->form, g->z, g->y, g->yp);
    ck_assert_int_eq(problem_residual(p, t, g->y, g->yp, take(n, p->n)), DAE_OK);
    ck_assert_int_eq(problem_linearize(p, t, g->y, g->yp), DAE_OK);
    ck_assert_int_eq(problem_factor(p, 0, 3.5, 1.5), DAE_OK);
    double *right = take(n, p->n), *product = take(n, p->n), *by_time = take(n, p->n);
    for (size_t i = 0; i < p->n; i++) right[i] = 1 / (1.0 + (double)i);
    problem_multiply(p, right, product);
    problem_solve(p, 0, right);
    ck_assert_int_eq(p->form->time_derivative(p->self, t, g->y, g->yp, by_time), DAE_OK);
}

static void take_levels(formulating *g, numbers *n, double t)
{
    const constraint_levels *l = &g->f->levels->levels;
    double value[512];
    ck_assert_int_eq(l->form->linearize(l->self, t, g->z), DAE_OK);
    for (size_t k = 0; k < l->count; k++) {
        ck_assert_int_eq(l->form->value(l->self, k, t, g->z, take(n, l->level[k].rows)), DAE_OK);
        ck_assert_int_le(l->level[k].pattern->nonzeros, 512);
        l->form->jacobian(l->self, k, value);
        take_matrix(n, l->level[k].pattern, value);
    }
}

static void take_start(formulating *g, numbers *n, double t)
{
    const start_system *s = &g->f->start->start;
    double value[512], z[64];
    ck_assert_uint_le(s->size, 64);
    for (size_t i = 0; i < s->size; i++) z[i] = i < g->f->p->size ? g->z[i] : 0.4;
    ck_assert_int_eq(s->form->value(s->self, t, z, take(n, s->rows)), DAE_OK);
    ck_assert_int_le(s->pattern->nonzeros, 512);
    ck_assert_int_eq(s->form->jacobian(s->self, t, z, value), DAE_OK);
    take_matrix(n, s->pattern, value);
}

static void take_author(formulating *g, numbers *n, double t)
{
    size_t unknowns = g->r.system->unknown.count;
    double *residual = take(n, 1), *violation = take(n, g->f->constraint_levels);
    *residual = 0;
    memset(violation, 0, g->f->constraint_levels * sizeof *violation);
    author_lift(g->f->author, t, g->z, take(n, unknowns), NULL);
    formulation_measure(g->f, t, g->z, residual, violation);
}

/* At a point of g, whose z is filled. */
static void take_all(formulating *g, numbers *n, double t)
{
    n->count = 0;
    take_form(g, n, t);
    take_levels(g, n, t);
    take_start(g, n, t);
    take_author(g, n, t);
}

/* Round-off of sums of a few terms of size 10 and of a linear system of condition 1e3. */
static void agree(const numbers *a, const numbers *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        ck_assert_double_eq_tol(a->value[i], b->value[i], 1e-11 * (1 + fabs(b->value[i])));
}

static double largest_difference(const numbers *a, const numbers *b)
{
    double most = 0;
    for (size_t i = 0; i < a->count; i++) most = fmax(most, fabs(a->value[i] - b->value[i]));
    return most;
}

static void hold_all(formulating *g, unsigned which)
{
    for (unsigned k = 0; k < RELATIONS; k++)
        sym_hold_relation(g->r.system->graph, k, which >> k & 1 ? SYM_HELD_TRUE : SYM_HELD_FALSE);
}

static void free_all(formulating *g)
{
    for (unsigned k = 0; k < RELATIONS; k++) sym_hold_relation(g->r.system->graph, k, SYM_FREE);
}

/* The branches that the crossing expressions choose: right - left of the author's x > 0.7 is what
 * is negative where that holds. */
static unsigned chosen_at(formulating *g, double t)
{
    double value[RELATIONS], wanted[RELATIONS], lifted[16];
    unsigned which = 0;
    ck_assert_uint_eq(g->f->crossings->count, RELATIONS);
    crossings_value(g->f->crossings, t, g->z, value);
    author_lift(g->f->author, t, g->z, lifted, NULL);
    crossings_wanted(g, lifted, wanted);
    for (unsigned k = 0; k < RELATIONS; k++) {
        ck_assert_double_eq_tol(value[k], wanted[k], 1e-14);
        which |= (unsigned)(value[k] < 0) << k;
    }
    return which;
}

static void scatter_point(formulating *g, uint64_t *state)
{
    for (size_t i = 0; i < g->f->p->size; i++) g->z[i] = 1.5 * scatter(state);
}

static void follows_modes(formulation_choice choice)
{
    static numbers of_modes, of_branches, of_free;
    formulating g, one;
    uint64_t state = 17;
    unsigned wrong = 0, seen = 0;
    formulate_model(&g, true, 0, choice);
    for (unsigned which = 0; which < 1u << RELATIONS; which++) {
        formulate_model(&one, false, which, choice);
        ck_assert_uint_eq(one.f->p->size, g.f->p->size);
        for (int trial = 0; trial < 4; trial++) {
            scatter_point(&g, &state);
            memcpy(one.z, g.z, g.f->p->size * sizeof *g.z);
            free_all(&g);
            take_all(&g, &of_free, 0.3);
            unsigned chosen = chosen_at(&g, 0.3);
            hold_all(&g, which);
            ck_assert_uint_eq(chosen_at(&g, 0.3), chosen); /* crossings know no mode */
            take_all(&g, &of_modes, 0.3);
            take_all(&one, &of_branches, 0.3);
            agree(&of_modes, &of_branches);
            wrong += chosen != which;
            seen |= chosen ^ which;
            if (chosen != which) ck_assert_double_gt(largest_difference(&of_modes, &of_free), 1e-3);
            hold_all(&g, chosen); /* what is free is what is held as the signs are, bit by bit */
            take_all(&g, &of_modes, 0.3);
            ck_assert(memcmp(of_modes.value, of_free.value, of_free.count * sizeof(double)) == 0);
        }
        end(&one);
    }
    ck_assert_uint_gt(wrong, 20);
    ck_assert_uint_eq(seen, (1u << RELATIONS) - 1); /* each was held on its wrong side */
    end(&g);
}

START_TEST(held_branches_alone)
{
    follows_modes((formulation_choice){
        .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true});
    follows_modes((formulation_choice){.kind = FORMULATION_INDEX1, .project = true});
    follows_modes((formulation_choice){.kind = FORMULATION_DIRECT, .replace = EXPLICIT_SOLVED});
    follows_modes((formulation_choice){.kind = FORMULATION_ARRAY, .project = true, .extra = 2});
}
END_TEST

/* Within noEvent() and smooth() nothing is held, and an assertion is no branch. */
START_TEST(literal_relations_have_no_mode)
{
    formulating g;
    formulate(
        &g,
        "model M Real x(start = 1); equation der(x) = noEvent(if x < 0 then 1 else 2) +"
        " smooth(1, if x > 3 then x else 3) + noEvent(max(x, 2)) + (if time < 1 then 1 else 0);"
        " assert(x < 100, \"far\"); end M;",
        (formulation_choice){.kind = FORMULATION_DIRECT});
    double value;
    ck_assert_uint_eq(g.f->crossings->count, 1);
    g.z[0] = 50;
    crossings_value(g.f->crossings, 3, g.z, &value);
    ck_assert(value == 2);
    end(&g);
}
END_TEST

/* Two solvers share nothing: what one holds is free in the other. */
START_TEST(two_formulations_share_no_mode)
{
    static numbers before, after;
    const formulation_choice choice = {.kind = FORMULATION_DIRECT};
    formulating g, other;
    uint64_t state = 3;
    formulate_model(&g, true, 0, choice);
    formulate_model(&other, true, 0, choice);
    scatter_point(&other, &state);
    take_all(&other, &before, 0);
    hold_all(&g, ~chosen_at(&other, 0));
    take_all(&other, &after, 0);
    ck_assert(memcmp(before.value, after.value, before.count * sizeof(double)) == 0);
    end(&g);
    end(&other);
}
END_TEST

UNIT_MAIN("formulation/modes", 60, held_branches_alone, literal_relations_have_no_mode,
          two_formulations_share_no_mode)
