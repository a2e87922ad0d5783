/* Whether phi_q, phi_t and gamma are the derivatives of phi and of the level of velocities.
 * Newton's iterations tolerate a wrong Jacobian; a mechanical system does not. Its reactions act
 * along phi_q, so a run with a wrong phi_q meets all constraints and yet moves wrongly. */
#include "base/round_off.h"
#include "base/scatter.h"
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A derivative is wrong if it differs from the difference by more than the allowed fraction of its
 * terms, and the difference is known far more accurately than that. Time derivatives below this
 * fraction of the terms of phi per unit of time are treated as round-off. */
static const double NOISE = 1e-7;

/* Round-off of phi, as a fraction of its terms. */
static const double OF_TERMS = ROUND_OFF_SUM / 2;

/* Distances along coordinates, as fractions of their sizes, and along time, in its unit. The range
 * for time is wide, because the unit follows from sizes that may be far from those of the
 * coordinates. */
static const double LEAST_WAY = 0x1p-40, MOST_WAY = 0x1p-3;
static const double LEAST_TIME = 0x1p-60, MOST_TIME = 0x1p10;

typedef struct verification {
    mechanical_state *s;
    double t;
    const double *q;
    double unit;                       /* of time */
    double allowed;                    /* fraction of the terms */
    double *direction, *moved, *speed; /* nq, nq, nv */
    double *found;                     /* constraints: values by differences */
    double *given, *size, *terms;      /* constraints; terms: of phi */
    mechanical_fault *fault;
} verification;

static double size_of(const verification *k, size_t j)
{
    return fmax(fabs(k->q[j]), k->s->nominal_q[j]);
}

static dae_status phi_along_time(void *self, double distance, double *phi)
{
    verification *k = self;
    return mechanical_call(k->s, CALL_CONSTRAINT, k->t + distance, k->q, NULL, phi);
}

static dae_status phi_along_direction(void *self, double distance, double *phi)
{
    verification *k = self;
    for (size_t j = 0; j < k->s->form->nq; j++) k->moved[j] = k->q[j] + distance * k->direction[j];
    return mechanical_call(k->s, CALL_CONSTRAINT, k->t, k->moved, NULL, phi);
}

static void take_found(verification *k, size_t rows)
{
    memcpy(k->found, k->s->outward->derivative, rows * sizeof *k->found);
}

/* k->found becomes the derivative of phi along k->direction, or by time. */
static dae_status difference(verification *k, bool in_time)
{
    size_t rows = k->s->form->holonomic;
    double late = ROUND_OFF_LONG_SUM * fabs(k->t);
    derivative_range range = {
        .rows = rows, .least = LEAST_WAY, .most = MOST_WAY, .noise = k->s->noise};
    if (in_time) {
        range.most = fmax(MOST_TIME * k->unit, 256 * late);
        range.least = fmax(LEAST_TIME * k->unit, late);
        range.argument = late / 16;
    } else
        for (size_t j = 0; j < k->s->form->nq; j++)
            range.argument = fmax(range.argument, OF_TERMS * fabs(k->q[j]) / size_of(k, j));
    for (size_t i = 0; i < rows; i++) k->s->noise[i] = OF_TERMS * k->terms[i];
    dae_status status = derivative_outward_find(
        k->s->outward, in_time ? phi_along_time : phi_along_direction, k, &range);
    if (status == DAE_OK) take_found(k, rows);
    return status;
}

/* The first row whose derivative is wrong; `constraints` if none is. */
static size_t denied_row(const verification *k, size_t rows)
{
    size_t row = derivative_outward_denies(k->s->outward, rows, k->given, k->size, k->allowed);
    return row < rows ? row : k->s->form->constraints;
}

static void report(verification *k, const char *member, const char *of, size_t row, size_t column)
{
    *k->fault = (mechanical_fault){.member = member,
                                   .of = of,
                                   .row = k->s->first_constraint + row,
                                   .column = column,
                                   .given = k->given[row],
                                   .found = k->found[row]};
}

/* k->given becomes phi_q times k->direction, and k->size the sizes of its terms. */
static void gradient_along(verification *k)
{
    const sparse_pattern *p = k->s->form->position.pattern;
    sparse_multiply(p, k->s->there.position, k->direction, k->given);
    miss_terms(p, k->s->there.position, k->direction, NULL, k->size);
}

/* Find both derivatives along k->direction. The difference counts as a term as well. */
static dae_status compare_along(verification *k)
{
    dae_status status = difference(k, false);
    if (status == DAE_OK) gradient_along(k);
    for (size_t i = 0; status == DAE_OK && i < k->s->form->holonomic; i++)
        k->size[i] += fabs(k->found[i]);
    return status;
}

/* Find the coordinate by which a row is wrong, by comparing along each coordinate separately. */
static dae_status find_column(verification *k, size_t row)
{
    size_t nq = k->s->form->nq;
    double worst = 0;
    for (size_t j = 0; j < nq; j++) {
        memset(k->direction, 0, nq * sizeof *k->direction);
        k->direction[j] = size_of(k, j);
        dae_status status = compare_along(k);
        if (status != DAE_OK) return status;
        double error = fabs(k->given[row] - k->found[row]);
        if (!(error > worst)) continue;
        worst = error;
        k->given[row] /= k->direction[j];
        k->found[row] /= k->direction[j];
        report(k, "constraint_q", "constraint", row, j);
    }
    return DAE_OK;
}

static dae_status verify_gradient(verification *k)
{
    mechanical_state *s = k->s;
    for (size_t j = 0; j < s->form->nq; j++)
        k->direction[j] = size_of(k, j) * (1 + 0.5 * scattered(j));
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_Q, k->t, k->q, NULL, s->there.position);
    if (status != DAE_OK) return status;
    /* of the actual coordinates, because nominal sizes may be far from these */
    miss_terms(s->form->position.pattern, s->there.position, k->q, NULL, k->terms);
    status = compare_along(k);
    if (status != DAE_OK) return status;
    size_t row = denied_row(k, s->form->holonomic);
    return row < s->form->constraints ? find_column(k, row) : DAE_OK;
}

/* Called after verify_gradient(), which sets the sizes of the terms. */
static dae_status verify_time(verification *k)
{
    mechanical_state *s = k->s;
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_T, k->t, k->q, NULL, k->given);
    if (status == DAE_OK) status = difference(k, true);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < s->form->holonomic; i++)
        k->size[i] = fmax(fabs(k->given[i]) + fabs(k->found[i]),
                          NOISE / k->allowed * (k->terms[i] + DBL_MIN) / k->unit);
    size_t row = denied_row(k, s->form->holonomic);
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
    dae_status status = mechanical_call(s, CALL_GAMMA, k->t, k->q, k->speed, k->given);
    if (status == DAE_OK) status = mechanical_gamma_outward(s, k->t, k->q, k->speed);
    if (status != DAE_OK) return status;
    take_found(k, rows);
    for (size_t i = 0; i < rows; i++) k->size[i] = fabs(k->given[i]) + fabs(k->found[i]);
    size_t row = denied_row(k, rows);
    if (row < rows) report(k, "gamma", "phi_q S v + phi_t and A v - b", row, PROBLEM_NOWHERE);
    return DAE_OK;
}

/* Verify gamma at velocities close to v, and at others that differ from v by nominal sizes. At rest
 * a comparison says little about gamma; at fast motions it says little about terms that depend on
 * time. */
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

/* If there are no values beside the point, no fault is reported. */
static dae_status verify_all(verification *k, const double *v)
{
    dae_status status = v ? verify_gamma(k, v) : verify_gradient(k);
    if (status == DAE_OK && !v && !k->fault->member) status = verify_time(k);
    return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

dae_status mechanical_verify(mechanical *m, double t, const double *q, const double *v, double unit,
                             double allowed, mechanical_fault *fault)
{
    mechanical_state *s = mechanical_inside(m);
    size_t nq = m->nq, nv = m->nv, rows = m->constraints;
    *fault = (mechanical_fault){0};
    if (rows == 0) return DAE_OK;
    double *room = calloc(2 * nq + nv + 4 * rows, sizeof *room), *next = room;
    if (!room) return DAE_NO_MEMORY;
    verification k = {.s = s, .t = t, .q = q, .unit = unit, .allowed = allowed, .fault = fault};
    double **const arrays[] = {&k.direction, &k.moved, &k.speed, &k.found,
                               &k.given,     &k.size,  &k.terms};
    const size_t lengths[] = {nq, nq, nv, rows, rows, rows, rows};
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
