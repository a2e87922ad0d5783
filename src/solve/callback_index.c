/* The index of variables where the author of a C program's equations says nothing of it, found at
 * the start, or a little beside it: with M = dF/dy' and K = dF/dy, a part of (alpha M + K)^-1 b
 * that has index k grows like alpha^(k-1) (the pencil's Weierstrass form; Hairer & Wanner II, Sec.
 * VII.1). */
#include "base/scatter.h"
#include "problem/equations_check.h"
#include "problem/pencil.h"
#include "solve/callback_course.h"

#include <math.h>
#include <string.h>

enum { POINTS = 3, MOST_NAMES = 5 };

/* Of alpha: over that which makes M as large as K, and from one to the next. */
static const double ABOVE = 1e3, RISE = 30;

/* How far beside, relative to the size of each variable. */
static const double BESIDE = 1e-3;

typedef struct growth {
    const callbacks *c;
    arena memory;
    pencil *pencil;
    double *mass, *slope; /* n: the largest entry of each row of M and K */
    double *right;        /* n: b */
    double *part[POINTS]; /* n: the solutions */
    unsigned char *index; /* n: found */
} growth;

static void largest_of_rows(const sparse_pattern *p, const double *value, double *largest)
{
    for (size_t k = 0; k < p->nonzeros; k++)
        largest[p->row[k]] = fmax(largest[p->row[k]], fabs(value[k]));
}

static void make(void *argument)
{
    growth *g = argument;
    size_t n = callbacks_slope_pattern(g->c)->columns;
    g->pencil = pencil_create(&g->memory, (pencil_matrix){callbacks_mass_pattern(g->c), NULL},
                              (pencil_matrix){callbacks_slope_pattern(g->c), NULL});
    g->mass = arena_array(&g->memory, n, sizeof *g->mass);
    g->slope = arena_array(&g->memory, n, sizeof *g->slope);
    g->right = arena_array(&g->memory, n, sizeof *g->right);
    g->index = arena_array(&g->memory, n, sizeof *g->index);
    for (int i = 0; i < POINTS; i++) g->part[i] = arena_array(&g->memory, n, sizeof *g->part[i]);
    largest_of_rows(callbacks_mass_pattern(g->c), callbacks_mass(g->c), g->mass);
    largest_of_rows(callbacks_slope_pattern(g->c), callbacks_slope(g->c), g->slope);
    for (size_t i = 0; i < n; i++)
        g->right[i] = (1 + 0.5 * scattered(i)) * (g->slope[i] > 0 ? g->slope[i] : g->mass[i]);
}

static dae_status solve_at(growth *g, size_t n)
{
    const bool is_complex = false;
    double alpha = 0;
    for (size_t i = 0; i < n; i++)
        if (g->mass[i] > 0) alpha = fmax(alpha, g->slope[i] / g->mass[i]);
    alpha = ABOVE * (alpha > 0 ? alpha : 1);
    dae_status status = pencil_reserve(g->pencil, 1, &is_complex);
    for (int i = 0; status == DAE_OK && i < POINTS; i++, alpha *= RISE) {
        status = pencil_factor(g->pencil, 0, alpha, callbacks_mass(g->c), 1, callbacks_slope(g->c),
                               NULL);
        if (status != DAE_OK) break;
        memcpy(g->part[i], g->right, n * sizeof *g->right);
        pencil_solve(g->pencil, 0, g->part[i]);
    }
    return status;
}

/* By how many powers of alpha a part grows, where both rises agree on it. */
static unsigned char index_of(const growth *g, size_t j)
{
    double power[POINTS - 1];
    for (int i = 0; i + 1 < POINTS; i++)
        power[i] = round(log(fabs(g->part[i + 1][j] / g->part[i][j])) / log(RISE));
    if (!(power[0] == power[1]) || !(power[0] >= 1 && power[0] <= 2)) return 1;
    return (unsigned char)(1 + power[0]);
}

static void tell(callback_course *k, const unsigned char *index)
{
    text list = {0};
    size_t named = 0;
    for (size_t j = 0; j < k->base.n; j++) {
        if (index[j] < 2 || named++ >= MOST_NAMES) continue;
        text_format(&list, "%s%s of %d", named > 1 ? ", " : "", k->equations->variable[j],
                    index[j]);
    }
    if (named > MOST_NAMES) text_format(&list, " and %zu more", named - MOST_NAMES);
    message_note(k->base.solver.message,
                 "variables of an index above 1, found at the start: %s; about.index can say it",
                 text_string(&list));
    text_free(&list);
}

static bool take_over(callback_course *k, growth *g)
{
    bool higher = false;
    for (size_t j = 0; j < k->base.n; j++) {
        g->index[j] = index_of(g, j);
        higher = higher || g->index[j] > 1;
    }
    if (higher) memcpy(k->base.problem->index, g->index, k->base.n * sizeof *g->index);
    return higher;
}

/* Beside the start no factor is zero by chance; where there are no values, at the start. */
static dae_status linearize_beside(callback_course *k, double t)
{
    problem *p = k->base.problem;
    const double *y = k->base.y;
    double *beside = k->base.value;
    for (size_t j = 0; j < p->n; j++)
        beside[j] = y[j] + BESIDE * scattered(j) * fmax(fabs(y[j]), p->nominal[j]);
    dae_status status = problem_linearize(p, t, beside, k->base.yp);
    return status == DAE_NOT_EVALUABLE ? problem_linearize(p, t, y, k->base.yp) : status;
}

bool callback_course_find_index(callback_course *k, double t)
{
    problem *p = k->base.problem;
    growth g = {.c = k->callbacks};
    bool algebraic = false;
    if (equations_about(k->equations)->index) return false;
    memset(p->index, 1, p->n * sizeof *p->index);
    for (size_t j = 0; j < p->n; j++) algebraic = algebraic || !p->dynamic[j];
    if (!algebraic && k->equations->kind == EQUATIONS_INVARIANT) return false;
    dae_status status = linearize_beside(k, t);
    if (status == DAE_OK) status = arena_protect(&g.memory, make, &g);
    if (status == DAE_OK) status = solve_at(&g, p->n);
    bool higher = status == DAE_OK && take_over(k, &g);
    if (higher) tell(k, g.index);
    pencil_free(g.pencil);
    arena_free(&g.memory);
    return higher;
}
