/* Finds the index of each variable where the author of a C program's equations does not declare it.
 * It is found from the linearised equations at the start or a little beside it. With M = dF/dy' and
 * K = dF/dy, a component of (alpha M + K)^-1 b of index k grows like alpha^(k-1) (the pencil's
 * Weierstrass form; Hairer & Wanner II, Sec. VII.1). alpha must lie above the rates at which the
 * solutions change. Each b_i is in the units of its equation, because an equation with large
 * numbers could hide the growth otherwise. */
#include "base/scatter.h"
#include "linalg/linear_solver_rows.h"
#include "linalg/rows.h"
#include "problem/equations.h"
#include "problem/pencil.h"
#include "solve/callback_simulation.h"
#include "structure/local_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 3, MOST_NAMES = 5 };

/* Growth beyond MOST_INDEX is taken for round-off. Equations of a C program are solved up to
 * SOLVED_INDEX. */
enum { MOST_INDEX = 6, SOLVED_INDEX = 3 };

/* The first alpha, relative to the one that makes M as large as K, and the ratio of one to the
 * next. */
static const double ABOVE = 1e3, RISE = 30;

/* The distance of the point beside the start, relative to the size of each variable. */
static const double BESIDE = 1e-3;

/* An M whose reciprocal condition number is above this is regular: all variables are differential.
 */
static const double REGULAR = 1e-7;

/* The same bound where M has the noise of differences. */
static const double REGULAR_IN_NOISE = 1e-3;

typedef struct growth {
    const problem *problem;
    arena memory;
    pencil *pencil;
    pencil_scales scales;
    double alpha;             /* the first of POINTS */
    double *right;            /* n: b */
    double *missed, *product; /* n: the residual of a solution; (alpha M + K) times a vector */
    double *part[POINTS];     /* n: the solutions */
    unsigned char *index;     /* n: the index found */
} growth;

static void largest_of_rows(pencil_values m, const pencil_scales *s, double *largest)
{
    for (size_t j = 0; j < m.pattern->columns; j++) {
        for (sparse_index k = m.pattern->start[j]; k < m.pattern->start[j + 1]; k++) {
            size_t i = (size_t)m.pattern->row[k];
            largest[i] = fmax(largest[i], s->row[i] * fabs(m.value[k]) * s->column[j]);
        }
    }
}

/* The alpha that makes M as large as K in each row. The units are chosen such that the rates at
 * which components of the solutions change are visible. */
static double alpha_above(growth *g, pencil_values mass, pencil_values jacobian)
{
    size_t n = jacobian.pattern->columns;
    double *of_mass = arena_array(&g->memory, n, sizeof *of_mass), alpha = 0;
    double *of_jacobian = arena_array(&g->memory, n, sizeof *of_jacobian);
    largest_of_rows(mass, &g->scales, of_mass);
    largest_of_rows(jacobian, &g->scales, of_jacobian);
    for (size_t i = 0; i < n; i++)
        if (of_mass[i] > 0) alpha = fmax(alpha, of_jacobian[i] / of_mass[i]);
    return alpha > 0 ? alpha : 1;
}

static void make(void *argument)
{
    growth *g = argument;
    problem_matrix by_yp = g->problem->by_yp, by_y = g->problem->by_y;
    pencil_values mass = {by_yp.pattern, by_yp.value}, jacobian = {by_y.pattern, by_y.value};
    size_t n = jacobian.pattern->columns;
    g->pencil = pencil_create(&g->memory, (pencil_matrix){mass.pattern, NULL},
                              (pencil_matrix){jacobian.pattern, NULL});
    arena_vectors(&g->memory, n,
                  (double **[]){&g->right, &g->missed, &g->product, &g->part[0], &g->part[1],
                                &g->part[2], NULL});
    g->index = arena_array(&g->memory, n, sizeof *g->index);
    g->scales = pencil_scales_find(&g->memory, mass, jacobian);
    g->alpha = ABOVE * alpha_above(g, mass, jacobian);
    for (size_t i = 0; i < n; i++) g->right[i] = (1 + 0.5 * scattered(i)) / g->scales.row[i];
}

/* Each column has its own units, because components of a higher index are large and others small.
 * One step of iterative refinement keeps round-off small relative to each component, however small
 * that is (Skeel, Iterative refinement implies numerical stability for Gaussian elimination, 1980).
 */
static dae_status solve_at(growth *g, size_t n, double alpha, double *x)
{
    const problem_matrix *mass = &g->problem->by_yp, *jacobian = &g->problem->by_y;
    pencil_scales_at(&g->scales, alpha);
    dae_status status = pencil_factor(g->pencil, 0, alpha, mass->value, 1, jacobian->value,
                                      g->scales.column);
    if (status != DAE_OK) return status;
    memcpy(x, g->right, n * sizeof *x);
    pencil_solve(g->pencil, 0, x);
    for (size_t j = 0; j < n; j++) g->missed[j] = alpha * x[j];
    problem_multiply(g->problem, g->missed, g->product);
    sparse_add_product(jacobian->pattern, jacobian->value, x, g->product);
    for (size_t i = 0; i < n; i++) g->missed[i] = g->right[i] - g->product[i];
    pencil_solve(g->pencil, 0, g->missed);
    for (size_t j = 0; j < n; j++) x[j] += g->missed[j];
    return DAE_OK;
}

static dae_status solve(growth *g, size_t n)
{
    const bool is_complex = false;
    double alpha = g->alpha;
    dae_status status = pencil_reserve(g->pencil, 1, &is_complex);
    for (int i = 0; status == DAE_OK && i < POINTS; i++, alpha *= RISE)
        status = solve_at(g, n, alpha, g->part[i]);
    return status;
}

/* One more than the power of alpha with which component j grows. 1 where its two ratios disagree on
 * it. */
static unsigned char index_of(const growth *g, size_t j)
{
    double power[POINTS - 1];
    for (int i = 0; i + 1 < POINTS; i++)
        power[i] = round(log(fabs(g->part[i + 1][j] / g->part[i][j])) / log(RISE));
    if (!(power[0] == power[1]) || !(power[0] >= 1 && power[0] < MOST_INDEX)) return 1;
    return (unsigned char)(1 + power[0]);
}

void callback_simulation_name_index(const callback_simulation *k, text *list)
{
    const unsigned char *index = callbacks_problem(k->callbacks)->index;
    size_t named = 0;
    for (size_t j = 0; j < k->base.n; j++) {
        int found = k->highest > SOLVED_INDEX && j == k->of_highest ? k->highest : index[j];
        if (found < 2 || named++ >= MOST_NAMES) continue;
        text_format(list, "%s%s of %d", named > 1 ? ", " : "", k->equations->variable[j], found);
    }
    if (named > MOST_NAMES) text_format(list, " and %zu more", named - MOST_NAMES);
}

void callback_simulation_report_index(callback_simulation *k)
{
    text list = {0};
    callback_simulation_name_index(k, &list);
    message_note(k->base.solver.message,
                 "variables of an index above 1, found at the start: %s; %s", text_string(&list),
                 k->highest > SOLVED_INDEX
                     ? "one above 3 is solved in models in text alone (dae_problem_parse())"
                     : "about.index can say it");
    text_free(&list);
}

bool callback_simulation_report_beyond(const simulation *c, text *t)
{
    const callback_simulation *k = (const callback_simulation *)c;
    if (k->reduced || k->highest <= SOLVED_INDEX) return false;
    text_format(t,
                "the index of %s is %d, as far as the linearised equations at the start show, and "
                "equations of a C program are solved up to index 3. A model in text "
                "(dae_problem_parse()) may have any index",
                k->equations->variable[k->of_highest], k->highest);
    return true;
}

static bool take_over(callback_simulation *k, growth *g)
{
    bool higher = false;
    for (size_t j = 0; j < k->base.n; j++) {
        g->index[j] = index_of(g, j);
        if (g->index[j] > k->highest) k->highest = g->index[j], k->of_highest = j;
        if (g->index[j] > SOLVED_INDEX) g->index[j] = 1;
        higher = higher || g->index[j] > 1;
    }
    if (higher) memcpy(k->base.problem->index, g->index, k->base.n * sizeof *g->index);
    return higher;
}

/* A state beside the start, where no factor is zero by chance: another one for each number. */
static void go_beside(const callback_simulation *k, size_t number, double *beside)
{
    const problem *p = callbacks_problem(k->callbacks);
    const double *y = k->base.y;
    for (size_t j = 0; j < p->n; j++)
        beside[j] = y[j] + BESIDE * scattered(number * p->n + j) * fmax(fabs(y[j]), p->nominal[j]);
}

/* Linearises beside the start. Where the equations have no values there, it linearises at the
 * start.
 */
static dae_status linearize_beside(callback_simulation *k, double t)
{
    problem *p = k->base.problem;
    go_beside(k, 0, k->base.value);
    dae_status status = problem_linearize(p, t, k->base.value, k->base.yp);
    return status == DAE_NOT_EVALUABLE ? problem_linearize(p, t, k->base.y, k->base.yp) : status;
}

/* The reciprocal condition number; 0 where a matrix cannot be factored. */
static double rcond_of(const sparse_pattern *pattern, const double *value)
{
    linear_solver *solver = NULL;
    dae_status status = linear_solver_create(&solver, pattern, false);
    if (status == DAE_OK) status = linear_solver_factor(solver, value);
    double rcond = status == DAE_OK ? linear_solver_rcond(solver) : 0;
    linear_solver_free(solver);
    return rcond;
}

bool callback_simulation_is_explicit(const callback_simulation *k, double t, const double *y,
                                     const double *yp)
{
    problem *p = callbacks_problem(k->callbacks);
    for (size_t j = 0; j < p->n; j++)
        if (!p->dynamic[j]) return false;
    return problem_linearize(p, t, y, yp) == DAE_OK &&
           rcond_of(p->by_yp.pattern, p->by_yp.value) > REGULAR_IN_NOISE;
}

enum { MOST_SPLIT = 300 };

/* Puts two blocks into one matrix. Rows without derivatives get dF/dy with respect to algebraic
 * variables; the other rows get dF/dy' with respect to differential ones. False where the blocks
 * are not square. */
static bool fill_blocks(const problem *p, double *value)
{
    const sparse_pattern *m = p->by_yp.pattern, *s = p->by_y.pattern;
    const double *mass = p->by_yp.value, *jacobian = p->by_y.value;
    const bool *dynamic = p->dynamic;
    size_t n = p->n, algebraic = 0, without = 0;
    for (size_t j = 0; j < n; j++) {
        algebraic += !dynamic[j];
        for (sparse_index e = m->start[j]; dynamic[j] && e < m->start[j + 1]; e++)
            value[j * n + (size_t)m->row[e]] = mass[e];
    }
    bool *differential = calloc(n, sizeof *differential);
    if (!differential) return false;
    for (size_t e = 0; e < n * n; e++) differential[e % n] = differential[e % n] || value[e] != 0;
    for (size_t i = 0; i < n; i++) without += !differential[i];
    for (size_t j = 0; j < n; j++)
        for (sparse_index e = s->start[j]; !dynamic[j] && e < s->start[j + 1]; e++)
            if (!differential[s->row[e]]) value[j * n + (size_t)s->row[e]] = jacobian[e];
    free(differential);
    return without == algebraic;
}

static bool is_regular(arena *a, size_t n, double *value)
{
    const sparse_pattern *p = sparse_full(a, n, n);
    double *row = arena_array(a, n, sizeof *row), *column = arena_array(a, n, sizeof *column);
    if (equilibrate(p, value, row, column) != DAE_OK) return false;
    for (size_t e = 0; e < n * n; e++) value[e] *= row[e % n] * column[e / n];
    return rcond_of(p, value) > CALLBACK_REGULAR / (double)n;
}

/* The blocks of the current linearisation. */
typedef struct split {
    callback_simulation *k;
    arena memory;
    bool regular;
} split;

static void look_at_blocks(void *argument)
{
    split *s = argument;
    const problem *p = callbacks_problem(s->k->callbacks);
    double *value = arena_array(&s->memory, p->n * p->n, sizeof *value);
    s->regular = fill_blocks(p, value) && is_regular(&s->memory, p->n, value);
}

bool callback_simulation_is_semi_explicit(callback_simulation *k, double t, const double *y,
                                          const double *yp)
{
    problem *p = callbacks_problem(k->callbacks);
    bool split_up = p->n <= MOST_SPLIT && !k->equations->row->differential, holds = true;
    for (int beside = 0; split_up && holds && beside < 2; beside++) {
        split s = {.k = k};
        holds = (beside ? linearize_beside(k, t) : problem_linearize(p, t, y, yp)) == DAE_OK &&
                arena_protect(&s.memory, look_at_blocks, &s) == DAE_OK && s.regular;
        arena_free(&s.memory);
    }
    return split_up && holds;
}

bool callback_simulation_find_index(callback_simulation *k, double t)
{
    problem *p = k->base.problem;
    growth g = {.problem = callbacks_problem(k->callbacks)};
    bool algebraic = false;
    k->highest = 1;
    if (equations_about(k->equations)->index) return false;
    memset(p->index, 1, p->n * sizeof *p->index);
    for (size_t j = 0; j < p->n; j++) algebraic = algebraic || !p->dynamic[j];
    if (!algebraic && k->equations->row->differential) return false;
    dae_status status = linearize_beside(k, t);
    const problem_matrix *mass = &g.problem->by_yp;
    if (status == DAE_OK && !algebraic && rcond_of(mass->pattern, mass->value) > REGULAR)
        return false;
    if (status == DAE_OK) status = arena_protect(&g.memory, make, &g);
    if (status == DAE_OK) status = solve(&g, p->n);
    bool higher = status == DAE_OK && take_over(k, &g);
    pencil_free(g.pencil);
    arena_free(&g.memory);
    return higher;
}

/* Detects equations that do not determine their variables, such as a circuit without a ground or a
 * balance given twice. Then dF/dy + alpha dF/dy' is singular for every alpha, and an iteration
 * fills undetermined variables with amplified rounding. The test is made beside the start.
 *
 * Systems with more than LARGEST unknowns are not examined, because the test finds the rank of a
 * full matrix. */
enum { LARGEST = 100, PROBES = 2, ALPHAS = 2 };

static const double ALPHA[ALPHAS] = {1.3, 41};

typedef struct look {
    callback_simulation *k;
    double t;
    arena memory;
    bool singular;
} look;

static void add(const problem_matrix *m, double factor, double *to)
{
    const sparse_pattern *p = m->pattern;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            to[j * p->rows + (size_t)p->row[k]] += factor * m->value[k];
}

static bool is_singular_at(look *l, arena *a, const sparse_pattern *full, const double *y)
{
    problem *p = callbacks_problem(l->k->callbacks);
    size_t n = full->columns;
    if (problem_linearize(p, l->t, y, l->k->base.yp) != DAE_OK) return false;
    double of_mass = vector_largest(p->by_yp.pattern->nonzeros, p->by_yp.value);
    double of_jacobian = vector_largest(p->by_y.pattern->nonzeros, p->by_y.value);
    double scale = of_mass > 0 && of_jacobian > 0 ? of_jacobian / of_mass : 1;
    for (int i = 0; i < ALPHAS; i++) {
        double *m = arena_array(a, n * n, sizeof *m);
        memset(m, 0, n * n * sizeof *m);
        add(&p->by_y, 1, m);
        add(&p->by_yp, ALPHA[i] * scale, m);
        local_rank rank = {.full = true};
        if (structure_local_rank(full, m, &rank) != DAE_OK || rank.full) return false;
    }
    return true;
}

static void look_beside(void *argument)
{
    look *l = argument;
    const problem *p = callbacks_problem(l->k->callbacks);
    arena *a = &l->memory;
    const sparse_pattern *full = sparse_full(a, p->n, p->n);
    double *y = arena_array(a, p->n, sizeof *y);
    l->singular = true;
    for (size_t point = 0; point < PROBES && l->singular; point++) {
        go_beside(l->k, point, y);
        l->singular = is_singular_at(l, a, full, y);
    }
}

dae_status callback_simulation_refuse_singular(callback_simulation *k, double t)
{
    problem *p = callbacks_problem(k->callbacks);
    const problem_counts counts = p->counts;
    look l = {.k = k, .t = t};
    if (p->n == 0 || p->n > LARGEST) return DAE_OK;
    message *m = k->base.solver.message;
    dae_status status = arena_protect(&l.memory, look_beside, &l);
    arena_free(&l.memory);
    p->counts = counts;
    if (status != DAE_OK) return message_fail(m, status, "memory is exhausted");
    if (!l.singular) return DAE_OK;
    return message_fail(m, DAE_STRUCTURE,
                        "the equations do not determine their variables: around the start dF/dy + "
                        "alpha dF/dy' is singular for each alpha\n  remedy: look for an equation "
                        "that is a combination of the others, as a balance given twice, and for "
                        "one that is missing, as the ground of a circuit");
}
