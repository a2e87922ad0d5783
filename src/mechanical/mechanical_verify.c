/* Whether phi_q, phi_t and gamma are the derivatives of phi and of the level of velocities.
 * Newton's iterations forgive a wrong Jacobian, a mechanical system does not: its reactions act
 * along phi_q, and a run with a wrong one keeps all constraints and moves wrongly. */
#include "base/scatter.h"
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances of central differences, in parts of the sizes of the coordinates or in s. Derivatives
 * that differ by more than the allowed part of their terms are wrong where both differences agree
 * far better than that; below NOISE of the terms of phi, a second, there is round-off. */
static const double LONG_STEP = 0x1p-14, SHORT_STEP = 0x1p-17, AGREED = 0.1;
static const double NOISE = 1e-7;

typedef struct verification {
    mechanical_state *s;
    double t;
    const double *q;
    double allowed;                      /* part of the terms */
    double *direction, *moved, *speed;   /* nq, nq, nv */
    double *before, *after, *far, *near; /* constraints */
    double *given, *size;                /* constraints */
    mechanical_fault *fault;
} verification;

/* d phi along the direction, or along time, by central differences. */
static dae_status difference(verification *k, double step, bool in_time, double *slope)
{
    mechanical_state *s = k->s;
    double t[2] = {k->t, k->t}, way = 2 * step;
    dae_status status = DAE_OK;
    for (int side = 0; side < 2; side++) {
        double distance = side ? step : -step;
        if (in_time) t[side] += distance;
        for (size_t j = 0; j < s->form->nq; j++)
            k->moved[j] = k->q[j] + (in_time ? 0 : distance * k->direction[j]);
        if (status == DAE_OK)
            status = mechanical_call_constraint(s, t[side], k->moved, side ? k->after : k->before);
    }
    if (in_time) way = t[1] - t[0]; /* late times are rounded */
    for (size_t i = 0; status == DAE_OK && i < s->form->holonomic; i++)
        slope[i] = (k->after[i] - k->before[i]) / way;
    return status;
}

static dae_status differences_along(verification *k, bool in_time)
{
    dae_status status = difference(k, LONG_STEP, in_time, k->far);
    return status == DAE_OK ? difference(k, SHORT_STEP, in_time, k->near) : status;
}

/* The row that is off most, in parts of `size`; constraints: none is. */
static size_t worst_row(const verification *k, size_t rows)
{
    double worst = k->allowed;
    size_t found = k->s->form->constraints;
    for (size_t i = 0; i < rows; i++) {
        double error = fabs(k->given[i] - k->near[i]);
        bool agreed = fabs(k->near[i] - k->far[i]) < AGREED * error;
        if (!agreed || !(error > worst * k->size[i])) continue;
        worst = error / k->size[i];
        found = i;
    }
    return found;
}

static void report(verification *k, const char *member, const char *of, size_t row, size_t column)
{
    *k->fault = (mechanical_fault){.member = member,
                                   .of = of,
                                   .row = k->s->first_constraint + row,
                                   .column = column,
                                   .given = k->given[row],
                                   .found = k->near[row]};
}

/* phi_q along k->direction, and the sizes of its terms. */
static void gradient_along(verification *k)
{
    const mechanical_state *s = k->s;
    const sparse_pattern *p = s->form->position.pattern;
    memset(k->given, 0, s->form->holonomic * sizeof *k->given);
    for (size_t i = 0; i < s->form->holonomic; i++) k->size[i] = fabs(k->near[i]);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            double term = s->there.position[e] * k->direction[j];
            k->given[p->row[e]] += term;
            k->size[p->row[e]] += fabs(term);
        }
}

static double size_of(const verification *k, size_t j)
{
    return fmax(fabs(k->q[j]), k->s->nominal_q[j]);
}

/* Which coordinate a row is wrong by: along each alone. */
static dae_status find_column(verification *k, size_t row)
{
    size_t nq = k->s->form->nq;
    double worst = 0;
    for (size_t j = 0; j < nq; j++) {
        memset(k->direction, 0, nq * sizeof *k->direction);
        k->direction[j] = size_of(k, j);
        dae_status status = differences_along(k, false);
        if (status != DAE_OK) return status;
        gradient_along(k);
        double error = fabs(k->given[row] - k->near[row]);
        if (!(error > worst)) continue;
        worst = error;
        k->given[row] /= k->direction[j];
        k->near[row] /= k->direction[j];
        report(k, "constraint_q", "constraint", row, j);
    }
    return DAE_OK;
}

static dae_status verify_gradient(verification *k)
{
    mechanical_state *s = k->s;
    for (size_t j = 0; j < s->form->nq; j++)
        k->direction[j] = size_of(k, j) * (1 + 0.5 * scattered(j));
    dae_status status = mechanical_call_position(s, k->t, k->q, s->there.position);
    if (status == DAE_OK) status = differences_along(k, false);
    if (status != DAE_OK) return status;
    gradient_along(k);
    size_t row = worst_row(k, s->form->holonomic);
    return row < s->form->constraints ? find_column(k, row) : DAE_OK;
}

/* After the gradient: k->size still has the sizes of the terms of phi. */
static dae_status verify_time(verification *k)
{
    mechanical_state *s = k->s;
    dae_status status = mechanical_call_constraint_t(s, k->t, k->q, k->given);
    if (status == DAE_OK) status = differences_along(k, true);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < s->form->holonomic; i++)
        k->size[i] = fmax(fabs(k->given[i]) + fabs(k->near[i]),
                          NOISE / k->allowed * (k->size[i] + DBL_MIN));
    size_t row = worst_row(k, s->form->holonomic);
    if (row < s->form->constraints)
        report(k, s->form->given.constraint_t ? "constraint_t" : "constraint_t (NULL: 0)",
               "constraint", row, PROBLEM_NOWHERE);
    return DAE_OK;
}

/* At k->speed. */
static dae_status verify_gamma_there(verification *k)
{
    mechanical_state *s = k->s;
    size_t rows = s->form->constraints;
    dae_status status = mechanical_call_gamma(s, k->t, k->q, k->speed, k->given);
    if (status == DAE_OK)
        status = mechanical_gamma_by_differences(s, k->t, k->q, k->speed, k->near);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < rows; i++) {
        k->size[i] = fabs(k->given[i]) + fabs(k->near[i]);
        k->far[i] = k->near[i] + s->doubt[i];
    }
    size_t row = worst_row(k, rows);
    if (row < rows) report(k, "gamma", "phi_q S v + phi_t and A v - b", row, PROBLEM_NOWHERE);
    return DAE_OK;
}

/* Beside the velocities, and farther off, by the sizes of the nominal ones: at rest gamma says
 * little, and at fast motions little of what depends on the time. */
static dae_status verify_gamma(verification *k, const double *v)
{
    mechanical_state *s = k->s;
    dae_status status = DAE_OK;
    if (!s->form->given.gamma) return DAE_OK;
    for (int far = 1; far >= 0 && status == DAE_OK && !k->fault->member; far--) {
        for (size_t j = 0; j < s->form->nv; j++) {
            double way = fmax(fabs(v[j]), far ? s->nominal_v[j] : 0);
            k->speed[j] = v[j] + way * (far + 0.5 * scattered(j));
        }
        status = verify_gamma_there(k);
    }
    return status;
}

/* Where there is no value beside the point nothing is said. */
static dae_status verify_all(verification *k, const double *v)
{
    dae_status status = v ? verify_gamma(k, v) : verify_gradient(k);
    if (status == DAE_OK && !v && !k->fault->member) status = verify_time(k);
    return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

dae_status mechanical_verify(mechanical *m, double t, const double *q, const double *v,
                             double allowed, mechanical_fault *fault)
{
    mechanical_state *s = mechanical_inside(m);
    size_t nq = m->nq, nv = m->nv, rows = m->constraints;
    *fault = (mechanical_fault){0};
    if (rows == 0) return DAE_OK;
    double *room = calloc(2 * nq + nv + 6 * rows, sizeof *room), *next = room;
    if (!room) return DAE_NO_MEMORY;
    verification k = {.s = s, .t = t, .q = q, .allowed = allowed, .fault = fault};
    double **const arrays[] = {&k.direction, &k.moved, &k.speed, &k.before, &k.after,
                               &k.far,       &k.near,  &k.given, &k.size};
    const size_t lengths[] = {nq, nq, nv, rows, rows, rows, rows, rows, rows};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        *arrays[i] = next;
        next += lengths[i];
    }
    dae_status status = verify_all(&k, v);
    s->refused = NULL;
    m->bad_value = NULL;
    free(room);
    return status;
}
