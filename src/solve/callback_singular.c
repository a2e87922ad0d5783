/* Detects equations of a C program that do not determine their variables, such as a circuit without
 * a ground or a balance given twice. Then dF/dy + alpha dF/dy' is singular for every alpha, and an
 * iteration fills undetermined variables with amplified rounding. The test is made beside the
 * start, where no factor is 0 by chance. */
#include "base/scatter.h"
#include "solve/callback_simulation.h"
#include "structure/local_index.h"

#include <math.h>
#include <string.h>

/* Systems with more than LARGEST unknowns are not examined, because the test finds the rank of a
 * full matrix. */
enum { LARGEST = 100, POINTS = 2, ALPHAS = 2 };

static const double BESIDE = 1e-3, ALPHA[ALPHAS] = {1.3, 41};

typedef struct look {
    callback_simulation *k;
    double t;
    arena memory;
    bool singular;
} look;

static double largest_of(const problem_matrix *m)
{
    double most = 0;
    for (size_t k = 0; k < m->pattern->nonzeros; k++) most = fmax(most, fabs(m->value[k]));
    return most;
}

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
    double of_mass = largest_of(&p->by_yp), of_jacobian = largest_of(&p->by_y);
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
    for (size_t point = 0; point < POINTS && l->singular; point++) {
        for (size_t j = 0; j < p->n; j++) {
            double size = fmax(fabs(l->k->base.y[j]), p->nominal[j]);
            y[j] = l->k->base.y[j] + BESIDE * scattered(point * p->n + j) * size;
        }
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
