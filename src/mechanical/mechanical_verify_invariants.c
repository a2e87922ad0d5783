/* Check the invariants that a form declares: they must not change along q' = S v and v', where v'
 * follows from the system. */
#include "mechanical/mechanical_state.h"

#include <string.h>

typedef struct verification {
    mechanical_state *s;
    double *z, *rate, *nominal; /* nq + nv each */
    double *jacobian;           /* invariants x (nq + nv), all of them in the pattern */
    const sparse_pattern *pattern;
    double *lambda; /* constraints */
    arena memory;
} verification;

static void make(void *argument)
{
    verification *k = argument;
    const mechanical *m = &k->s->base;
    size_t n = m->nq + m->nv;
    arena_vectors(&k->memory, n, (double **const[]){&k->z, &k->rate, &k->nominal, NULL});
    k->pattern = sparse_full(&k->memory, m->invariants, n);
    k->jacobian = arena_array(&k->memory, m->invariants, n * sizeof(double));
    k->lambda = arena_array(&k->memory, m->constraints, sizeof(double));
}

static dae_status value_of(void *self, double t, const double *z, double *c)
{
    const verification *k = self;
    return mechanical_invariants(&k->s->base, t, z, z + k->s->base.nq, c);
}

static dae_status verify(verification *k, double t, double allowed, invariant_fault *fault)
{
    mechanical *m = &k->s->base;
    size_t nq = m->nq, nv = m->nv, count = m->invariants;
    const double *q = k->z, *v = k->z + nq, *by_q, *by_v;
    const invariant_source source = {
        .n = nq + nv, .count = count, .value = value_of, .self = k, .nominal = k->nominal};
    const invariant_point point = {t, k->z, k->pattern, k->jacobian, allowed};
    dae_status status = mechanical_invariant_gradient(m, t, q, v, &by_q, &by_v);
    if (status != DAE_OK) return status;
    memcpy(k->jacobian, by_q, count * nq * sizeof *by_q);
    memcpy(k->jacobian + count * nq, by_v, count * nv * sizeof *by_v);
    if (k->s->form->given.invariant_gradient)
        status = invariant_check(&source, &point, NULL, fault);
    if (status != DAE_OK || fault->wrong) return status;
    status = mechanical_kinematics(m, t, q, v, k->rate);
    if (status == DAE_OK) status = mechanical_accelerate(m, t, q, v, k->rate + nq, k->lambda);
    return status == DAE_OK ? invariant_check(&source, &point, k->rate, fault) : status;
}

dae_status mechanical_verify_invariants(mechanical *m, double t, const double *q, const double *v,
                                        double allowed, invariant_fault *fault)
{
    verification k = {.s = mechanical_inside(m)};
    *fault = (invariant_fault){0};
    if (m->invariants == 0) return DAE_OK;
    dae_status status = arena_protect(&k.memory, make, &k);
    if (status == DAE_OK) {
        memcpy(k.z, q, m->nq * sizeof *q);
        memcpy(k.z + m->nq, v, m->nv * sizeof *v);
        memcpy(k.nominal, k.s->nominal_q, m->nq * sizeof *k.nominal);
        memcpy(k.nominal + m->nq, k.s->nominal_v, m->nv * sizeof *k.nominal);
        status = verify(&k, t, allowed, fault);
    }
    k.s->refused = NULL;
    m->bad_value = NULL;
    arena_free(&k.memory);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}
