#include "event/impulse.h"

#include "base/arena.h"
#include "base/round_off.h"
#include "linalg/linear_solver.h"

#include <math.h>
#include <string.h>

/* A jump is found where twice as many parts change it by no more than EXACT of its size, in at most
 * MOST_PARTS. Ways that lead further apart than ALIKE are different. */
static const double EXACT = 1e-9, ALIKE = 1e-6;
enum { MOST_PARTS = 256 };

/* An equation is linear in what has an impulse if a strength of FAR times the sizes changes its
 * balance by no more than STRAIGHT of its terms. */
static const double FAR = 1e3, STRAIGHT = 1e-6;

/* The most corrections behind the parts, which leave round-off. */
enum { MOST_CORRECTIONS = 10 };

typedef struct impulse {
    const constraint_levels *l;
    const constraint_level *last, *level; /* the last, and the one before it */
    size_t number;                        /* of `level` */
    linear_solver *solver;
    double t;
    double *missed, *row;        /* level->rows each: `missed` at the beginning */
    double *value, *other;       /* level->rows, nonzeros of the last level twice */
    double *xi, *change, *terms; /* last->rows each */
    double *slope[4];            /* l->size each */
    double *from, *point, *end, *coarse, *other_end; /* l->size each */
    workspace space;
} impulse;

static void carve(impulse *p)
{
    size_t size = p->l->size, nonzeros = p->last->pattern->nonzeros;
    workspace_vectors(&p->space, p->level->rows, (double **[]){&p->missed, &p->row, NULL});
    workspace_vectors(&p->space, nonzeros, (double **[]){&p->value, &p->other, NULL});
    workspace_vectors(&p->space, p->last->rows, (double **[]){&p->xi, &p->change, &p->terms, NULL});
    workspace_vectors(&p->space, size,
                      (double **[]){&p->slope[0], &p->slope[1], &p->slope[2], &p->slope[3],
                                    &p->from, &p->point, &p->end, &p->coarse, &p->other_end, NULL});
}

static dae_status create(impulse *p)
{
    dae_status status = linear_solver_create(&p->solver, p->last->pattern, false);
    if (status != DAE_OK) return status;
    carve(p);
    if (workspace_allocate(&p->space) != DAE_OK) return DAE_NO_MEMORY;
    carve(p);
    return DAE_OK;
}

static dae_status factor(impulse *p, const double *z)
{
    const constraint_levels_form *form = p->l->form;
    dae_status status = form->linearize(p->l->self, p->t, z);
    if (status != DAE_OK) return status;
    form->jacobian(p->l->self, p->l->count - 1, p->value);
    return linear_solver_factor(p->solver, p->value);
}

/* The strengths that change the rows of the level by `change`. */
static void solve(impulse *p, const double *change)
{
    memset(p->xi, 0, p->last->rows * sizeof *p->xi);
    for (size_t i = 0; i < p->level->rows; i++) p->xi[p->level->last_row[i]] = change[i];
    linear_solver_solve(p->solver, p->xi);
}

static void add(const impulse *p, double *z)
{
    for (size_t j = 0; j < p->level->columns; j++)
        if (p->level->last_column[j] != LEVEL_NOWHERE)
            z[p->level->column[j]] += p->xi[p->level->last_column[j]];
}

/* The derivative of the states at z along a way on which row i is missed by (1 - x)^power of what
 * it was. On the first way all powers are 1, on the other one they differ. */
static dae_status find_slope(impulse *p, const double *z, double x, bool other_way, double *slope)
{
    dae_status status = factor(p, z);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < p->level->rows; i++) {
        double power = other_way ? 1 + (double)(i % 3) : 1;
        p->row[i] = -p->missed[i] * power * pow(fmax(0, 1 - x), power - 1);
    }
    solve(p, p->row);
    memset(slope, 0, p->l->size * sizeof *slope);
    add(p, slope);
    return DAE_OK;
}

/* z = from + part * slope */
static void go(const impulse *p, const double *from, double part, const double *slope, double *z)
{
    for (size_t j = 0; j < p->l->size; j++) z[j] = from[j] + part * slope[j];
}

/* The classical method of Runge and Kutta in so many parts, from p->from into p->end. */
static dae_status run(impulse *p, int parts, bool other_way)
{
    double h = 1.0 / parts, **k = p->slope;
    memcpy(p->end, p->from, p->l->size * sizeof *p->end);
    for (int i = 0; i < parts; i++) {
        double x = i * h;
        dae_status status = find_slope(p, p->end, x, other_way, k[0]);
        go(p, p->end, h / 2, k[0], p->point);
        if (status == DAE_OK) status = find_slope(p, p->point, x + h / 2, other_way, k[1]);
        go(p, p->end, h / 2, k[1], p->point);
        if (status == DAE_OK) status = find_slope(p, p->point, x + h / 2, other_way, k[2]);
        go(p, p->end, h, k[2], p->point);
        if (status == DAE_OK) status = find_slope(p, p->point, x + h, other_way, k[3]);
        if (status != DAE_OK) return status;
        for (size_t j = 0; j < p->l->size; j++)
            p->end[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    return DAE_OK;
}

/* Whether two points differ by no more than a part of the jump that leads there. */
static bool alike(const impulse *p, const double *a, const double *b, double part)
{
    double apart = 0, jump = 0, size = 0;
    for (size_t j = 0; j < p->l->size; j++) {
        double unit = fmax(fabs(p->from[j]), p->l->nominal[j]);
        apart = fmax(apart, fabs(a[j] - b[j]) / unit);
        jump = fmax(jump, fabs(a[j] - p->from[j]) / unit);
        size = fmax(size, fabs(a[j]) / unit);
    }
    return apart <= part * jump + ROUND_OFF_ITERATED * size;
}

static dae_status find_jump(impulse *p, bool other_way, bool *found)
{
    *found = false;
    dae_status status = run(p, 1, other_way);
    for (int parts = 2; parts <= MOST_PARTS && status == DAE_OK && !*found; parts *= 2) {
        memcpy(p->coarse, p->end, p->l->size * sizeof *p->coarse);
        status = run(p, parts, other_way);
        *found = status == DAE_OK && alike(p, p->end, p->coarse, EXACT);
    }
    return status;
}

/* Meets the level to round-off, in the same directions. */
static dae_status finish(impulse *p, double *z)
{
    dae_status status = DAE_OK;
    for (int i = 0; i < MOST_CORRECTIONS && status == DAE_OK; i++) {
        status = p->l->form->value(p->l->self, p->number, p->t, z, p->row);
        if (status == DAE_OK) status = factor(p, z);
        if (status != DAE_OK) break;
        for (size_t k = 0; k < p->level->rows; k++) p->row[k] = -p->row[k];
        solve(p, p->row);
        double size = 0;
        for (size_t j = 0; j < p->level->columns; j++) {
            size_t at = p->level->column[j], from = p->level->last_column[j];
            double unit = fmax(fabs(z[at]), p->l->nominal[at]);
            if (from != LEVEL_NOWHERE) size = fmax(size, fabs(p->xi[from]) / unit);
        }
        add(p, z);
        if (size <= ROUND_OFF_SOLVED) break;
    }
    return status;
}

/* Whether the balance of each equation over the impulse is linear in the strengths: the Jacobian
 * must not depend on them. */
static dae_status is_straight(impulse *p, bool *straight, size_t *row)
{
    const sparse_pattern *pattern = p->last->pattern;
    dae_status status = factor(p, p->from);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < p->level->rows; i++) p->row[i] = -p->missed[i];
    solve(p, p->row);
    double most = 0;
    memcpy(p->point, p->from, p->l->size * sizeof *p->point);
    for (size_t j = 0; j < p->last->columns; j++)
        most = fmax(most, fabs(p->xi[j]) / p->l->nominal[p->last->column[j]]);
    for (size_t j = 0; j < p->last->columns && most > 0; j++)
        p->point[p->last->column[j]] += FAR / most * p->xi[j];
    memcpy(p->other, p->value, pattern->nonzeros * sizeof *p->other);
    status = p->l->form->linearize(p->l->self, p->t, p->point);
    *straight = status == DAE_OK;
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    p->l->form->jacobian(p->l->self, p->l->count - 1, p->value);
    for (size_t k = 0; k < pattern->nonzeros; k++) p->value[k] -= p->other[k];
    memset(p->change, 0, p->last->rows * sizeof *p->change);
    memset(p->terms, 0, p->last->rows * sizeof *p->terms);
    for (size_t j = 0; j < pattern->columns; j++) {
        for (sparse_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            p->change[pattern->row[k]] += p->value[k] * p->xi[j];
            p->terms[pattern->row[k]] += fabs(p->other[k] * p->xi[j]);
        }
    }
    for (size_t i = 0; i < p->last->rows && *straight; i++) {
        *straight = fabs(p->change[i]) <= STRAIGHT * p->terms[i];
        *row = i;
    }
    return DAE_OK;
}

static dae_status apply(impulse *p, double *z, impulse_fault *fault, size_t *row)
{
    bool found = true, other = true;
    size_t bytes = p->l->size * sizeof *z;
    memcpy(p->from, z, bytes);
    dae_status status = p->l->form->value(p->l->self, p->number, p->t, z, p->missed);
    *fault = IMPULSE_BENT;
    if (status == DAE_OK) status = is_straight(p, &found, row);
    if (status != DAE_OK || !found) return status;
    *row = 0;
    *fault = IMPULSE_OF_WAY;
    if (p->level->rows > 1) status = find_jump(p, true, &other);
    memcpy(p->other_end, p->end, bytes);
    if (status == DAE_OK) status = find_jump(p, false, &found);
    if (status != DAE_OK || !found || !other) return status;
    if (p->level->rows > 1 && !alike(p, p->end, p->other_end, ALIKE)) return DAE_OK;
    memcpy(p->coarse, p->end, bytes);
    status = finish(p, p->coarse);
    if (status != DAE_OK) return status;
    memcpy(z, p->coarse, bytes);
    *fault = IMPULSE_FOUND;
    return DAE_OK;
}

dae_status impulse_apply(const constraint_levels *levels, double t, double *z, impulse_fault *fault,
                         size_t *row)
{
    *fault = IMPULSE_DEEP;
    if (levels->count < 2) return DAE_OK;
    impulse p = {.l = levels, .number = levels->count - 2, .t = t};
    p.last = &levels->level[levels->count - 1];
    p.level = &levels->level[p.number];
    if (!p.level->last_row) return DAE_OK;
    dae_status status = create(&p);
    if (status == DAE_OK) status = apply(&p, z, fault, row);
    linear_solver_free(p.solver);
    workspace_free(&p.space);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY || status == DAE_OK) return status;
    *fault = IMPULSE_SINGULAR;
    return DAE_OK;
}
