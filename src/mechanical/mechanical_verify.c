/* Whether phi_q, phi_t and gamma are the derivatives of phi and of the level of velocities.
 * Newton's iterations tolerate a wrong Jacobian; a mechanical system does not. Its reactions act
 * along phi_q, so a run with a wrong phi_q meets all constraints and yet moves wrongly. */
#include "base/round_off.h"
#include "base/scatter.h"
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <stdlib.h>

/* A derivative is wrong if it differs from the difference by more than the allowed fraction of its
 * terms, and the difference is known far more accurately than that. Time derivatives below this
 * fraction of the terms of phi per unit of time are treated as round-off. */
static const double NOISE = 1e-7;

/* Round-off of phi, as a fraction of its terms. */
static const double OF_TERMS = ROUND_OFF_SUM / 2;

/* Distances along time, in its unit. The range is wide, because the unit follows from sizes that
 * may be far from those of the coordinates. Beyond a unit, functions need not have values, and
 * nothing above NOISE needs longer distances. */
static const double LEAST_TIME = 0x1p-60, MOST_TIME = 1;

typedef struct verification {
    mechanical_state *s;
    double t;
    const double *q;
    double unit;                  /* of time */
    double allowed;               /* fraction of the terms */
    double *speed;                /* nv */
    double *given, *size, *terms; /* constraints; terms: of phi */
    mechanical_fault *fault;
} verification;

static dae_status phi_at(void *self, double t, const double *q, double *phi)
{
    return mechanical_call(self, CALL_CONSTRAINT, t, q, NULL, phi);
}

static dae_status phi_along_time(void *self, double distance, double *phi)
{
    verification *k = self;
    return mechanical_call(k->s, CALL_CONSTRAINT, k->t + distance, k->q, NULL, phi);
}

/* Report the first row whose derivative is wrong; the difference is in s->outward. */
static void judge(verification *k, size_t rows, const char *member, const char *of)
{
    const double *found = k->s->outward->derivative;
    size_t row = derivative_outward_denies(k->s->outward, rows, k->given, k->size, k->allowed);
    if (row < rows)
        *k->fault = (mechanical_fault){
            member, of, k->s->first_constraint + row, PROBLEM_NOWHERE, k->given[row], found[row]};
}

static dae_status verify_gradient(verification *k)
{
    mechanical_state *s = k->s;
    const sparse_pattern *p = s->form->position.pattern;
    const invariant_source phi = {s->form->nq, s->form->holonomic, phi_at, s, s->nominal_q};
    const invariant_point point = {k->t, k->q, p, s->there.position, k->allowed};
    invariant_fault fault = {0};
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_Q, k->t, k->q, NULL, s->there.position);
    if (status == DAE_OK) status = invariant_check(&phi, &point, NULL, &fault);
    if (status != DAE_OK) return status;
    /* of the actual coordinates, because nominal sizes may be far from these */
    miss_terms(p, s->there.position, k->q, NULL, k->terms);
    if (fault.wrong)
        *k->fault = (mechanical_fault){
            "constraint_q", "constraint", s->first_constraint + fault.row,
            fault.column,   fault.given,  fault.found};
    return DAE_OK;
}

/* Called after verify_gradient(), which sets the sizes of the terms. */
static dae_status verify_time(verification *k)
{
    mechanical_state *s = k->s;
    size_t rows = s->form->holonomic;
    double late = ROUND_OFF_LONG_SUM * fabs(k->t);
    const derivative_range range = {.rows = rows,
                                    .least = fmax(LEAST_TIME * k->unit, late),
                                    .most = fmax(MOST_TIME * k->unit, 256 * late),
                                    .noise = s->noise,
                                    .argument = late / 16};
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_T, k->t, k->q, NULL, k->given);
    for (size_t i = 0; i < rows; i++) s->noise[i] = OF_TERMS * k->terms[i];
    if (status == DAE_OK) status = derivative_outward_find(s->outward, phi_along_time, k, &range);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < rows; i++)
        k->size[i] = fmax(fabs(k->given[i]) + fabs(s->outward->derivative[i]),
                          NOISE / k->allowed * (k->terms[i] + DBL_MIN) / k->unit);
    judge(k, rows, s->form->given.constraint_t ? "constraint_t" : "constraint_t (NULL: 0)",
          "constraint");
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
    for (size_t i = 0; i < rows; i++)
        k->size[i] = fabs(k->given[i]) + fabs(s->outward->derivative[i]);
    judge(k, rows, "gamma", "phi_q S v + phi_t and A v - b");
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
    size_t nv = m->nv, rows = m->constraints;
    *fault = (mechanical_fault){0};
    if (rows == 0) return DAE_OK;
    double *room = calloc(nv + 3 * rows, sizeof *room);
    if (!room) return DAE_NO_MEMORY;
    verification k = {.s = s, .t = t, .q = q, .unit = unit, .allowed = allowed, .fault = fault};
    k.speed = room;
    k.given = room + nv;
    k.size = k.given + rows;
    k.terms = k.size + rows;
    dae_status status = verify_all(&k, v);
    s->refused = NULL;
    m->bad_value = NULL;
    free(room);
    return status;
}
