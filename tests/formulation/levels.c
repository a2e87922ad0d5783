/* The equations differentiated and their levels: each row is the time derivative of the one before
 * along any curve, all vanish along exact solutions, and Jacobians are those of the values. */
#include "formulation/formulating.h"

#include "base/unit.h"

static const formulation_choice INDEX1 = {
    .kind = FORMULATION_INDEX1, .replace = EXPLICIT_SOLVED, .project = true};
static const formulation_choice ARRAY = {
    .kind = FORMULATION_ARRAY, .replace = EXPLICIT_NONE, .project = true, .extra = 2};

/* A constraint of index 3 with most of what expressions may hold. */
static const char WILD_PENDULUM[] =
    "model M Real x, y, u, v, l; equation der(x) = u; der(y) = v;"
    " der(u) = -l*x + tanh(v)*cos(time); der(v) = -l*y - 9.81 + sqrt(4 + u^2)/(3 + x);"
    " x^2 + exp(0.3*y)*(2 + sin(time)) + atan2(y, 3) = 1 + log(2 + x^2*time); end M;";

/* A curve through nowhere in particular. */
static double curve(size_t j, unsigned order, double t)
{
    double w = 0.7 + 0.2 * (double)j;
    return 0.4 * pow(w, order) * sine(order, w * t + (double)(j * j));
}

typedef struct row_values {
    formulating *g;
    double *row; /* p->rows */
    double t;
    sym_tape *tape;
    double *input;
} row_values;

static void compile_rows(void *argument)
{
    row_values *v = argument;
    const prolongation *p = v->g->f->p;
    arena *a = &v->g->r.memory;
    v->tape = prolongation_tape(a, p, p->rows, p->row);
    v->input = arena_array(a, prolongation_inputs(p), sizeof(double));
}

static void rows_along_curve(row_values *v, double t, double *row)
{
    const prolongation *p = v->g->f->p;
    v->input[0] = t;
    for (size_t j = 0; j < p->n; j++)
        for (unsigned k = 0; k <= p->d[j]; k++) v->input[1 + p->first[j] + k] = curve(j, k, t);
    sym_tape_eval(v->tape, v->input, row);
}

static void each_row_differentiates_the_last(const char *model, formulation_choice choice)
{
    formulating g;
    formulate(&g, model, choice);
    const prolongation *p = g.f->p;
    row_values v = {.g = &g};
    double row[4][64], now[64], h = 1e-3;
    size_t compared = 0;
    ck_assert_uint_le(p->rows, 64);
    ck_assert_int_eq(arena_protect(&g.r.memory, compile_rows, &v), DAE_OK);
    for (double t = 0.3; t < 3; t += 0.4) {
        const double at[4] = {-2, -1, 1, 2};
        for (int s = 0; s < 4; s++) rows_along_curve(&v, t + at[s] * h, row[s]);
        rows_along_curve(&v, t, now);
        for (size_t i = 0; i < p->n; i++) {
            for (unsigned k = 0; k < p->c[i]; k++, compared++) {
                size_t at_row = p->first_row[i] + k;
                double slope = (row[0][at_row] - 8 * row[1][at_row] + 8 * row[2][at_row] -
                                row[3][at_row]) /
                               (12 * h);
                /* truncation h^4 y^(5)/30, round-off 1e-16/h; values and derivatives below 1e3 */
                ck_assert_double_eq_tol(now[at_row + 1], slope, 1e-9 * (1 + fabs(slope)));
            }
        }
    }
    ck_assert_uint_gt(compared, 0);
    end(&g);
}

START_TEST(rows_are_time_derivatives)
{
    each_row_differentiates_the_last(WILD_PENDULUM, INDEX1);
    each_row_differentiates_the_last(WILD_PENDULUM, ARRAY);
    each_row_differentiates_the_last(CIRCLE, INDEX1);
}
END_TEST

/* All levels, the equations that are integrated, and what is measured in the author's variables. */
static void vanishes_along(const char *model, formulation_choice choice, exact solution)
{
    formulating g;
    formulate(&g, model, choice);
    const constraint_levels *l = &g.f->levels->levels;
    double c[64], lifted[16], slopes[16], residual, violation[8];
    for (double t = -1; t < 4; t += 0.37) {
        take_exact(&g, solution, t);
        for (size_t k = 0; k < l->count; k++) {
            ck_assert_uint_le(l->level[k].rows, 64);
            ck_assert_int_eq(l->form->value(l->self, k, t, g.z, c), DAE_OK);
            for (size_t i = 0; i < l->level[k].rows; i++) ck_assert_double_eq_tol(c[i], 0, 1e-13);
        }
        prolonged_form_scatter(g.f->form, g.z, g.y, g.yp);
        ck_assert_int_eq(problem_residual(&g.f->form->problem, t, g.y, g.yp, c), DAE_OK);
        for (size_t i = 0; i < g.f->form->problem.n; i++) ck_assert_double_eq_tol(c[i], 0, 1e-13);
        author_lift(g.f->author, t, g.z, lifted, slopes);
        for (size_t i = 0; i < g.r.system->unknown.count; i++) {
            const char *name = g.r.system->unknown.item[i].name;
            ck_assert_double_eq_tol(lifted[i], solution(name, 0, t), 1e-13);
            if (!isnan(slopes[i])) ck_assert_double_eq_tol(slopes[i], solution(name, 1, t), 1e-13);
        }
        residual = 0;
        memset(violation, 0, sizeof violation);
        formulation_measure(g.f, t, g.z, &residual, violation);
        ck_assert_double_lt(residual, 8 * DBL_EPSILON);
        for (size_t k = 0; k < g.f->constraint_levels; k++)
            ck_assert_double_lt(violation[k], 8 * DBL_EPSILON);
    }
    ck_assert_uint_eq(g.f->constraint_levels, 3 + (choice.kind == FORMULATION_ARRAY));
    end(&g);
}

START_TEST(exact_solutions)
{
    vanishes_along(CIRCLE, INDEX1, around_circle);
    vanishes_along(LINEAR, INDEX1, linear_exact);
    formulation_choice whole = INDEX1;
    whole.replace = EXPLICIT_NONE;
    vanishes_along(CIRCLE, whole, around_circle);
    vanishes_along(CIRCLE, ARRAY, around_circle);
    vanishes_along(LINEAR, ARRAY, linear_exact);
}
END_TEST

/* A violation is |c| / sum |dc/dy_j| max(|y_j|, nominal_j): at (2.2, 0) on x^2 + y^2 = 4 it is
 * 0.84 / (4.4 * 2.2 + 0), with nominal values of 1. */
START_TEST(violations_as_defined)
{
    formulating g;
    double lifted[16], residual = 0, violation[8] = {0};
    formulate(&g, CIRCLE, INDEX1);
    const prolongation *p = g.f->p;
    take_exact(&g, around_circle, 0);
    g.z[p->first[0]] = 2.2;
    g.z[p->first[1]] = 0;
    author_lift(g.f->author, 0, g.z, lifted, NULL);
    formulation_measure(g.f, 0, g.z, &residual, violation);
    ck_assert_double_eq_tol(violation[0], 0.84 / (4.4 * 2.2), 1e-14);
    ck_assert_double_eq_tol(residual, 0.84 / (4.4 * 2.2), 1e-14);
    /* 2 x u + 2 y v = 0 with u = 0.3: 1.32 / (4.4 * 1 + 2 * 0.3 * 2.2 + 6 * 1), y and u below 1 */
    g.z[p->first[0] + 1] = 0.3;
    author_lift(g.f->author, 0, g.z, lifted, NULL);
    memset(violation, 0, sizeof violation);
    formulation_measure(g.f, 0, g.z, &residual, violation);
    ck_assert_double_eq_tol(violation[1], 1.32 / (4.4 + 0.6 * 2.2 + 6), 1e-14);
    end(&g);
}
END_TEST

/* Of an array each derivative has its own level after the constraints as written: another x'' is
 * seen where equations are differentiated once and twice, and nowhere else. */
START_TEST(levels_of_an_array)
{
    formulating g;
    double lifted[16], residual = 0, violation[8] = {0};
    formulate(&g, CIRCLE, ARRAY);
    take_exact(&g, around_circle, 0.3);
    g.z[g.f->p->first[0] + 2] += 0.5;
    author_lift(g.f->author, 0.3, g.z, lifted, NULL);
    formulation_measure(g.f, 0.3, g.z, &residual, violation);
    ck_assert_double_lt(residual, 8 * DBL_EPSILON);
    ck_assert_double_lt(violation[0], 8 * DBL_EPSILON);
    ck_assert_double_lt(violation[1], 8 * DBL_EPSILON);
    ck_assert_double_gt(violation[2], 0.01);
    ck_assert_double_gt(violation[3], 0.01);
    end(&g);
}
END_TEST

/* dc/dz of each level by the entries that it determines, against differences of its values, at a
 * point that satisfies nothing: the Jacobians of all levels are parts of one matrix. */
static void jacobians_match(const char *model, formulation_choice choice)
{
    formulating g;
    formulate(&g, model, choice);
    const constraint_levels *l = &g.f->levels->levels;
    const prolongation *p = g.f->p;
    double t = 0.6, h = 1e-5, above[64], below[64], value[1024];
    for (size_t j = 0; j < p->n; j++)
        for (unsigned k = 0; k <= p->d[j]; k++) g.z[p->first[j] + k] = curve(j, k, t);
    ck_assert_int_eq(l->form->linearize(l->self, t, g.z), DAE_OK);
    for (size_t k = 0; k < l->count; k++) {
        const constraint_level *level = &l->level[k];
        ck_assert_uint_le(level->pattern->nonzeros, 1024);
        l->form->jacobian(l->self, k, value);
        for (size_t j = 0; j < level->columns; j++) {
            double column[64] = {0}, *entry = &g.z[level->column[j]], kept = *entry;
            for (sparse_index e = level->pattern->start[j]; e < level->pattern->start[j + 1]; e++)
                column[level->pattern->row[e]] = value[e];
            *entry = kept + h;
            ck_assert_int_eq(l->form->value(l->self, k, t, g.z, above), DAE_OK);
            *entry = kept - h;
            ck_assert_int_eq(l->form->value(l->self, k, t, g.z, below), DAE_OK);
            *entry = kept;
            for (size_t i = 0; i < level->rows; i++)
                ck_assert_double_eq_tol(column[i], (above[i] - below[i]) / (2 * h),
                                        1e-7 * (1 + fabs(column[i])));
        }
    }
    end(&g);
}

START_TEST(jacobians_of_levels)
{
    jacobians_match(WILD_PENDULUM, INDEX1);
    jacobians_match(WILD_PENDULUM, ARRAY);
    jacobians_match(LINEAR, INDEX1);
}
END_TEST

/* Where the root has no slope, the level of x' alone holds x. */
START_TEST(what_has_no_slope_is_held)
{
    formulating g;
    formulate(&g,
              "model M Real x, u, v; equation der(x) + sqrt(x) = 1; u = der(x); v = der(u); end M;",
              INDEX1);
    const constraint_levels *l = &g.f->levels->levels;
    const constraint_level *first = &l->level[0];
    double value[8];
    size_t of_x = 0;
    ck_assert_uint_le(first->pattern->nonzeros, 8);
    for (int k = 0; k < 2; k++) {
        memset(g.z, 0, g.f->p->size * sizeof *g.z);
        g.z[g.f->p->first[0]] = k;
        ck_assert_int_eq(l->form->linearize(l->self, 0, g.z), DAE_OK);
        l->form->jacobian(l->self, 0, value);
        for (size_t j = 0; j < first->columns; j++)
            for (sparse_index e = first->pattern->start[j]; e < first->pattern->start[j + 1]; e++) {
                if (first->column[j] != g.f->p->first[0]) continue;
                ck_assert_double_eq(value[e], k == 0 ? 0 : 0.5);
                of_x++;
            }
    }
    ck_assert_uint_eq(of_x, 2);
    end(&g);
}
END_TEST

START_TEST(names_of_rows)
{
    formulating g;
    text t = {0};
    formulate(&g, CIRCLE, INDEX1);
    const constraint_levels *l = &g.f->levels->levels;
    const char *const wanted[] = {"x^2 + y^2 = 4", "the derivative of x^2 + y^2 = 4",
                                  "derivative 2 of x^2 + y^2 = 4"};
    ck_assert_uint_eq(l->count, 3);
    for (size_t k = 0; k < 3; k++) {
        bool found = false;
        for (size_t i = 0; i < l->level[k].rows; i++) {
            text_clear(&t);
            l->form->name_row(l->self, k, i, &t);
            found = found || strncmp(text_string(&t), wanted[k], strlen(wanted[k])) == 0;
        }
        ck_assert_msg(found, "level %zu", k);
    }
    text_free(&t);
    end(&g);
}
END_TEST

int UNIT_ENTRY(void)
{
    const TTest *const tests[] = {rows_are_time_derivatives,
                                  exact_solutions,
                                  violations_as_defined,
                                  levels_of_an_array,
                                  jacobians_of_levels,
                                  what_has_no_slope_is_held,
                                  names_of_rows};
    return unit_main("formulation/levels", 30, 7, tests);
}
