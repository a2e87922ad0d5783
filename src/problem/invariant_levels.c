#include "problem/invariants.h"

#include "linalg/rows.h"
#include "problem/callback_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct invariant_levels {
    constraint_levels levels;
    constraint_level level;
    callbacks *c;
    arena memory;
    size_t n, count;   /* unknowns, invariants */
    double *kept;      /* count: the values at the start */
    double *jacobian;  /* count x n: dc/dy as linearised last */
    double *here;      /* count */
    double *yp;        /* n: f(t, y), for invariants that contain y' */
    double *rate;      /* n: the same, at a point that is checked */
    differences *by_y; /* NULL: the author gave the Jacobian */
    double t;          /* the time of the differences that are being taken */
};

/* The accuracy of a Jacobian by differences, with a margin for curvature. */
static const double DIFFERENCE_ACCURACY = 1e-6;

static dae_status invariants(invariant_levels *l, double t, const double *y, double *value)
{
    const form_call *c = &l->c->e->calls.invariants;
    if (callback_is_stopped(l->c)) return DAE_STOPPED;
    dae_status status = c->of_two ? callback_right_side(l->c, t, y, l->yp) : DAE_OK;
    if (status == DAE_OK) status = callback_call(l->c, c, t, y, l->yp, value);
    return status == DAE_OK && !vector_is_finite(l->count, value) ? DAE_NOT_EVALUABLE : status;
}

static dae_status invariants_of_y(void *self, const double *y, double *value)
{
    invariant_levels *l = self;
    return invariants(l, l->t, y, value);
}

static dae_status levels_value(void *self, size_t level, double t, const double *z, double *value)
{
    invariant_levels *l = self;
    (void)level;
    dae_status status = invariants(l, t, z, value);
    for (size_t i = 0; status == DAE_OK && i < l->count; i++) value[i] -= l->kept[i];
    return status;
}

static dae_status levels_linearize(void *self, double t, const double *z)
{
    invariant_levels *l = self;
    const form_call *by_y = &l->c->e->calls.invariants_by_y;
    size_t nonzeros = l->level.pattern->nonzeros;
    dae_status status;
    if (callback_is_stopped(l->c)) return DAE_STOPPED;
    if (form_call_given(by_y)) {
        memset(l->jacobian, 0, nonzeros * sizeof *l->jacobian);
        status = callback_call(l->c, by_y, t, z, NULL, l->jacobian);
    } else {
        const vector_function c = {.value = invariants_of_y, .self = l};
        l->t = t;
        status = invariants(l, t, z, l->here);
        if (status == DAE_OK)
            status = differences_jacobian(l->by_y, c, z, l->c->problem.nominal, l->here,
                                          DIFFERENCES_FINE, l->jacobian);
    }
    bool finite = vector_is_finite(nonzeros, l->jacobian);
    return status == DAE_OK && !finite ? DAE_NOT_EVALUABLE : status;
}

static void levels_jacobian(void *self, size_t level, double *value)
{
    const invariant_levels *l = self;
    (void)level;
    memcpy(value, l->jacobian, l->level.pattern->nonzeros * sizeof *value);
}

static void levels_name_row(void *self, size_t level, size_t row, text *t)
{
    (void)self;
    (void)level;
    text_format(t, "invariant %zu", row + 1);
}

static const constraint_levels_form invariant_form = {
    .value = levels_value,
    .linearize = levels_linearize,
    .jacobian = levels_jacobian,
    .name_row = levels_name_row,
};

static void make(void *argument)
{
    invariant_levels *l = argument;
    arena *a = &l->memory;
    const equations *e = l->c->e;
    l->n = e->n;
    l->count = e->invariants;
    double *nominal = arena_array(a, 2 * l->n, sizeof *nominal);
    size_t *column = arena_array(a, l->n, sizeof *column);
    for (size_t j = 0; j < l->n; j++) {
        nominal[j] = e->nominal[j];
        nominal[l->n + j] = l->c->yp_nominal[j];
        column[j] = j;
    }
    arena_vectors(a, l->count, (double **const[]){&l->kept, &l->here, NULL});
    arena_vectors(a, l->n, (double **const[]){&l->yp, &l->rate, NULL});
    l->jacobian = arena_array(a, l->count, l->n * sizeof(double));
    sparse_pattern *all = sparse_full(a, l->count, l->n);
    if (!form_call_given(&e->calls.invariants_by_y)) l->by_y = differences_create(a, all);
    l->level = (constraint_level){
        .rows = l->count, .columns = l->n, .column = column, .pattern = all};
    l->levels = (constraint_levels){.form = &invariant_form,
                                    .self = l,
                                    .size = 2 * l->n,
                                    .count = 1,
                                    .level = &l->level,
                                    .nominal = nominal,
                                    .accuracy = l->by_y ? DIFFERENCE_ACCURACY : 0};
}

dae_status invariant_levels_create(invariant_levels **created, callbacks *c)
{
    invariant_levels *l = calloc(1, sizeof *l);
    if (!l) return DAE_NO_MEMORY;
    l->c = c;
    dae_status status = arena_protect(&l->memory, make, l);
    if (status == DAE_OK)
        *created = l;
    else
        invariant_levels_free(l);
    return status;
}

dae_status invariant_levels_begin(invariant_levels *l, double t, const double *y)
{
    return invariants(l, t, y, l->kept);
}

static dae_status value_of(void *self, double t, const double *y, double *c)
{
    return invariants(self, t, y, c);
}

dae_status invariant_levels_check(invariant_levels *l, double t, const double *y, double allowed,
                                  bool along, invariant_fault *fault)
{
    const invariant_source source = {
        .n = l->n, .count = l->count, .value = value_of, .self = l, .nominal = l->c->e->nominal};
    const invariant_point p = {t, y, l->level.pattern, l->jacobian, allowed};
    *fault = (invariant_fault){0};
    if (!along && l->by_y) return DAE_OK;
    dae_status status = levels_linearize(l, t, y);
    if (status == DAE_OK && along) status = callback_right_side(l->c, t, y, l->rate);
    if (status == DAE_OK) status = invariant_check(&source, &p, along ? l->rate : NULL, fault);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    l->c->refused = NULL; /* a refusal at a nearby point has no meaning for the run */
    l->c->code = 0;
    return DAE_OK;
}

const constraint_levels *invariant_levels_form(const invariant_levels *l)
{
    return &l->levels;
}

void invariant_levels_free(invariant_levels *l)
{
    if (!l) return;
    arena_free(&l->memory);
    free(l);
}
