#include "problem/callback_array.h"
#include "base/round_off.h"
#include "problem/callback_array_parts.h"
#include "problem/callback_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const int CALLBACK_FIRST[SIDES] = {-4, -6, 0};

/* Weights of the values at these nodes for the Taylor coefficients, to order 8, or 6 on one
 * side. */
const double CALLBACK_WEIGHT[SIDES][CALLBACK_ARRAY_MOST][NODES] = {
    {{0, 0, 0, 0, 1, 0, 0, 0, 0},
     {1.0 / 280, -4.0 / 105, 1.0 / 5, -4.0 / 5, 0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
     {-1.0 / 1120, 4.0 / 315, -1.0 / 10, 4.0 / 5, -205.0 / 144, 4.0 / 5, -1.0 / 10, 4.0 / 315,
      -1.0 / 1120}},
    {{0, 0, 0, 0, 0, 0, 1},
     {10.0 / 60, -72.0 / 60, 225.0 / 60, -400.0 / 60, 450.0 / 60, -360.0 / 60, 147.0 / 60},
     {137.0 / 360, -972.0 / 360, 2970.0 / 360, -5080.0 / 360, 5265.0 / 360, -3132.0 / 360,
      812.0 / 360}},
    {{1, 0, 0, 0, 0, 0, 0},
     {-147.0 / 60, 360.0 / 60, -450.0 / 60, 400.0 / 60, -225.0 / 60, 72.0 / 60, -10.0 / 60},
     {812.0 / 360, -3132.0 / 360, 5265.0 / 360, -5080.0 / 360, 2970.0 / 360, -972.0 / 360,
      137.0 / 360}},
};

/* The same from the three nearest nodes. */
static const double COARSE[SIDES][CALLBACK_ARRAY_MOST][NODES] = {
    {{0, 0, 0, 0, 1, 0, 0, 0, 0},
     {0, 0, 0, -0.5, 0, 0.5, 0, 0, 0},
     {0, 0, 0, 0.5, -1, 0.5, 0, 0, 0}},
    {{0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0.5, -2, 1.5}, {0, 0, 0, 0, 0.5, -1, 0.5}},
    {{1, 0, 0, 0, 0, 0, 0}, {-1.5, 2, -0.5, 0, 0, 0, 0}, {0.5, -1, 0.5, 0, 0, 0, 0}},
};

/* The weight of the point itself, if it is the only node. */
static const double ALONE[CALLBACK_ARRAY_MOST] = {1};

void callback_array_prepare(callback_array *g, callbacks *c, arena *a)
{
    size_t n = c->problem.n, all = CALLBACK_ARRAY_MOST * n;
    *g = (callback_array){.c = c, .n = n, .orders = CALLBACK_ARRAY_MOST};
    arena_vectors(a, n,
                  (double **const[]){&g->row, &g->column, &g->y, &g->yp, &g->size, &g->f, NULL});
    arena_vectors(a, all * n, (double **const[]){&g->jacobian, &g->mass, &g->by_y, NULL});
    g->value = arena_array(a, all, sizeof(double));
    g->by_rest = arena_array(a, all * all, sizeof(double));
    g->trial = arena_array(a, 4 * n, sizeof(double));
    g->sample = arena_array(a, NODES * n, sizeof(double));
}

dae_status callback_array_residual(callback_array *g, double t, const double *y, const double *yp,
                                   double *r)
{
    dae_status status = problem_residual(&g->c->problem, t, y, yp, r);
    if (status == DAE_NOT_EVALUABLE) g->missing = true;
    for (size_t i = 0; status == DAE_OK && i < g->n; i++) {
        if (!isfinite(r[i])) g->missing = true;
        r[i] *= g->row[i];
    }
    return status;
}

/* Evaluate the polynomial at t + k h into g->y, g->yp. */
static void go_to(callback_array *g, double k, const double *y, const double *rest)
{
    for (size_t j = 0; j < g->n; j++) {
        double power = 1, value = 0, jacobian = 0;
        for (size_t i = 0; i < g->orders; i++) {
            jacobian += (double)(i + 1) * power * rest[i * g->n + j];
            power *= k;
            value += power * rest[i * g->n + j];
        }
        g->y[j] = y[j] + g->column[j] * value;
        g->yp[j] = g->column[j] * jacobian / g->h;
    }
}

bool callback_array_passed_over(const callback_array *g, const double (*weight)[NODES], int node)
{
    if (g->orders == 1) return weight[0][node] == 0;
    return weight[0][node] == 0 && weight[1][node] == 0 && weight[2][node] == 0;
}

dae_status callback_array_sample(callback_array *g, double t, const double *y, const double *rest,
                                 double factor)
{
    for (int node = 0; node < NODES; node++) {
        if (callback_array_passed_over(g, CALLBACK_WEIGHT[g->side], node)) continue;
        double k = factor * (CALLBACK_FIRST[g->side] + node);
        go_to(g, k, y, rest);
        dae_status status = callback_array_residual(g, t + k * g->h, g->y, g->yp,
                                                    g->sample + (size_t)node * g->n);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

static dae_status value_at_nodes(callback_array *g, double t, const double *y, const double *rest)
{
    const double(*weight)[NODES] = CALLBACK_WEIGHT[g->side];
    size_t n = g->n;
    dae_status status = callback_array_sample(g, t, y, rest, 1);
    memset(g->value, 0, g->orders * n * sizeof *g->value);
    for (size_t node = 0; status == DAE_OK && node < NODES; node++) {
        if (callback_array_passed_over(g, weight, (int)node)) continue;
        for (size_t i = 0; i < g->orders; i++)
            for (size_t j = 0; j < n; j++)
                g->value[i * n + j] += weight[i][node] * g->sample[node * n + j];
    }
    return status;
}

/* The largest of the differences of this order of `count` values. The differences of the order
 * before are overwritten by them. */
static double next_difference(double *value, int count, int order)
{
    double most = 0;
    for (int k = 0; k < count - order; k++) {
        value[k] = value[k + 1] - value[k];
        most = fmax(most, fabs(value[k]));
    }
    return most;
}

void callback_array_truncation(const callback_array *g, double *error)
{
    /* The truncation error of the first and second Taylor coefficient, in highest differences.
     * Nodes on one side have 20 times the error that seven nodes around the point would have. */
    static const double LEAVES[SIDES][2] = {
        {1.0 / 630, 1.0 / 6300}, {20.0 / 140, 20.0 / 1120}, {20.0 / 140, 20.0 / 1120}};
    const int count = g->side == AROUND ? NODES : ON_A_SIDE;
    size_t n = g->n;
    memset(error, 0, g->orders * n * sizeof *error);
    for (size_t i = 0; i < n && g->orders > 1; i++) {
        double value[NODES], size[NODES] = {0};
        for (int node = 0; node < count; node++) value[node] = g->sample[(size_t)node * n + i];
        for (int order = 1; order < count; order++)
            size[order] = next_difference(value, count, order);
        double last = size[count - 2] + size[count - 1], before = size[count - 4] + size[count - 3];
        if (!(last > ROUND_OFF_DIFFERENCE * g->size[i] * g->row[i])) continue;
        double falls = fmin(1, last / before); /* from one order to the next but one */
        bool grows = last > before; /* as the differences of a pulse between the nodes do */
        error[n + i] = grows ? CALLBACK_UNKNOWN : LEAVES[g->side][0] * falls * size[count - 2];
        if (g->orders > 2) error[2 * n + i] = LEAVES[g->side][1] * falls * last;
    }
}

void callback_array_round_off(const callback_array *g, double *error)
{
    size_t n = g->n;
    memset(error, 0, g->orders * n * sizeof *error);
    for (size_t i = 1; i < g->orders; i++)
        for (size_t j = 0; j < n; j++) error[i * n + j] = DBL_EPSILON * g->size[j] * g->row[j];
}

bool callback_array_try_other_side(callback_array *g, dae_status status, int *tried)
{
    if (status != DAE_NOT_EVALUABLE) return false;
    g->side = (g->side + 1) % SIDES;
    return ++*tried < SIDES;
}

dae_status callback_array_value(callback_array *g, double t, const double *y, const double *rest)
{
    dae_status status;
    int tried = 0;
    do status = value_at_nodes(g, t, y, rest);
    while (callback_array_try_other_side(g, status, &tried));
    return status;
}

/* to += factor times a sparse matrix, in units */
static void add_matrix(const callback_array *g, const sparse_pattern *p, const double *value,
                       double factor, double *to)
{
    for (size_t j = 0; j < g->n; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            to[j * g->n + (size_t)p->row[k]] += factor * g->row[p->row[k]] * value[k] *
                                                g->column[j];
}

static dae_status add_linearized(callback_array *g, double t, const double *y, const double *yp,
                                 const double *weight)
{
    callbacks *c = g->c;
    dae_status status = problem_linearize(&c->problem, t, y, yp);
    if (status == DAE_NOT_EVALUABLE) g->missing = true;
    size_t size = g->n * g->n;
    for (size_t i = 0; status == DAE_OK && i < g->orders; i++) {
        if (weight[i] == 0) continue;
        add_matrix(g, c->jacobian_pattern, c->jacobian, weight[i], g->jacobian + i * size);
        add_matrix(g, c->mass_pattern, c->mass, weight[i] / g->h, g->mass + i * size);
    }
    return status;
}

/* Central differences by one entry of y or y', into a column of `to`. Where ranks are found from
 * them their order is 4, since order 2 leaves only half of the digits. */
static dae_status differentiate(callback_array *g, double t, const double *y, const double *yp,
                                double *moved, double step, double unit, double *to)
{
    static const double place[] = {-2, -1, 1, 2};
    static const double fine[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    static const double simple[] = {0, -0.5, 0.5, 0};
    const double *factor = g->coarse ? simple : fine;
    double here = *moved;
    memset(to, 0, g->n * sizeof *to);
    dae_status status = DAE_OK;
    for (int k = 0; status == DAE_OK && k < 4; k++) {
        if (factor[k] == 0) continue;
        *moved = here + place[k] * step;
        status = callback_array_residual(g, t, y, yp, g->f);
        for (size_t i = 0; status == DAE_OK && i < g->n; i++)
            to[i] += factor[k] * g->f[i] / step * unit;
    }
    *moved = here;
    return status;
}

/* The increment, in units of an unknown. */
static const double INCREMENT = 0x1p-10;

/* The j-th column of F_y at g->y, g->yp into a column of `to`; from j = n on, the column j - n of
 * F_y' / h. Increments are `factor` times as long. The column of a derivative that does not occur
 * is 0. */
static dae_status differentiate_by(callback_array *g, double t, size_t j, double factor, double *to)
{
    bool of_yp = j >= g->n;
    size_t at = of_yp ? j - g->n : j;
    double unit = of_yp ? g->column[at] / g->h : g->column[at];
    if (of_yp && !g->c->problem.dynamic[at]) {
        memset(to, 0, g->n * sizeof *to);
        return DAE_OK;
    }
    return differentiate(g, t, g->y, g->yp, (of_yp ? g->yp : g->y) + at, factor * INCREMENT * unit,
                         unit, to);
}

/* The matrices at g->y, g->yp by these differences. */
static dae_status add_differences(callback_array *g, double t, const double *weight)
{
    size_t n = g->n, size = n * n;
    dae_status status = DAE_OK;
    for (size_t j = 0; status == DAE_OK && j < 2 * n; j++) {
        double *to = (j >= n ? g->mass : g->jacobian) + j % n * n;
        status = differentiate_by(g, t, j, 1, g->by_y);
        for (size_t i = 0; i < g->orders; i++)
            for (size_t k = 0; k < n; k++) to[i * size + k] += weight[i] * g->by_y[k];
    }
    return status;
}

double callback_array_uncertainty(callback_array *g, double t, const double *y, const double *rest)
{
    double most = 0, *one = g->trial, *other = g->trial + g->n;
    if (g->c->problem.constant || callback_has_matrices(g->c->e)) return 0;
    go_to(g, 0, y, rest);
    for (size_t j = 0; j < 2 * g->n; j++) {
        if (differentiate_by(g, t, j, 1, one) != DAE_OK) return 0;
        if (differentiate_by(g, t, j, 0.5, other) != DAE_OK) return 0;
        for (size_t i = 0; i < g->n; i++) most = fmax(most, fabs(one[i] - other[i]));
    }
    return most;
}

static void clear_matrices(callback_array *g)
{
    size_t all = g->orders * g->n * g->n;
    memset(g->jacobian, 0, all * sizeof *g->jacobian);
    memset(g->mass, 0, all * sizeof *g->mass);
}

dae_status callback_array_by_time(callback_array *g, double t, const double *y, const double *yp,
                                  const double *rest, double *at_point, double *of_array)
{
    const int side = g->side;
    memset(at_point, 0, g->n * sizeof *at_point);
    memset(of_array, 0, g->orders * g->n * sizeof *of_array);
    for (int node = 0; node < NODES; node++) {
        double factor = CALLBACK_WEIGHT[side][1][node] / g->h,
               there = t + (CALLBACK_FIRST[side] + node) * g->h;
        if (factor == 0) continue;
        dae_status status = callback_array_residual(g, there, y, yp, g->f);
        for (size_t i = 0; i < g->n; i++) at_point[i] += factor * g->f[i];
        if (status == DAE_OK) status = callback_array_value(g, there, y, rest);
        if (status != DAE_OK) return status;
        for (size_t i = 0; i < g->orders * g->n; i++) of_array[i] += factor * g->value[i];
    }
    return DAE_OK;
}

dae_status callback_array_at_point(callback_array *g, double t, const double *y, const double *yp)
{
    clear_matrices(g);
    return add_linearized(g, t, y, yp, ALONE);
}

/* to (block (i, j) of a matrix of orders n rows) = A_(i - j) + j B_(i + 1 - j) */
static void fill_block(const callback_array *g, size_t i, size_t j, double *to)
{
    size_t n = g->n, rows = g->orders * n, size = n * n;
    for (size_t l = 0; l < n; l++) {
        for (size_t k = 0; k < n; k++) {
            double sum = i >= j ? g->jacobian[(i - j) * size + l * n + k] : 0;
            bool has_mass = j > 0 && i + 1 >= j && i + 1 - j < g->orders;
            if (has_mass) sum += (double)j * g->mass[(i + 1 - j) * size + l * n + k];
            to[l * rows + i * n + k] = sum;
        }
    }
}

/* The Taylor coefficients of F_y and F_y' along the polynomial, into jacobian and mass. */
static dae_status matrices_at_nodes(callback_array *g, double t, const double *y,
                                    const double *rest)
{
    const double(*weight)[NODES] = g->coarse ? COARSE[g->side] : CALLBACK_WEIGHT[g->side];
    clear_matrices(g);
    if (g->c->problem.constant) return add_linearized(g, t, y, g->yp, ALONE);
    bool given = callback_has_matrices(g->c->e);
    for (int node = 0; node < NODES; node++) {
        if (callback_array_passed_over(g, weight, node)) continue;
        double k = CLOSER * (CALLBACK_FIRST[g->side] + node), there = t + k * g->h;
        const double here[] = {weight[0][node], weight[1][node] / CLOSER,
                               weight[2][node] / (CLOSER * CLOSER)};
        go_to(g, k, y, rest);
        dae_status status = given ? add_linearized(g, there, g->y, g->yp, here)
                                  : add_differences(g, there, here);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

dae_status callback_array_linearize(callback_array *g, double t, const double *y,
                                    const double *rest)
{
    size_t n = g->n, rows = g->orders * n;
    dae_status status;
    int tried = 0;
    do status = matrices_at_nodes(g, t, y, rest);
    while (callback_array_try_other_side(g, status, &tried));
    for (size_t i = 0; status == DAE_OK && i < g->orders; i++) {
        fill_block(g, i, 0, g->by_y);
        for (size_t j = 1; j <= g->orders; j++)
            fill_block(g, i, j, g->by_rest + (j - 1) * n * rows);
    }
    return status;
}
