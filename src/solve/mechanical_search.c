/* Searches the start of a mechanical system. First coordinates, then velocities are brought to the
 * constraints, each by the least change. Accelerations and reactions follow from them. */
#include "solve/mechanical_simulation.h"
#include "solve/start_notes.h"
#include "solve/start_stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The constraints on one level, as a system of initial/consistent.h. */
typedef struct level_search {
    start_system system;
    mechanical_simulation *k;
    bool of_velocities;
    double *guess, *preference;
    bool *given, *fixed, *variable;
} level_search;

static dae_status level_value(void *self, double t, const double *z, double *r)
{
    level_search *l = self;
    mechanical_simulation *k = l->k;
    return l->of_velocities ? mechanical_velocity(k->system, t, k->point.q, z, r)
                            : mechanical_position(k->system, t, z, r);
}

static dae_status level_jacobian(void *self, double t, const double *z, double *value)
{
    level_search *l = self;
    mechanical_simulation *k = l->k;
    size_t nonzeros = l->system.pattern->nonzeros;
    if (!l->of_velocities) return mechanical_position_gradient(k->system, t, z, value);
    dae_status status = mechanical_evaluate(k->system, t, k->point.q);
    if (status == DAE_OK) memcpy(value, mechanical_gradient(k->system), nonzeros * sizeof *value);
    return status;
}

static void level_name_row(void *self, size_t row, text *t)
{
    const level_search *l = self;
    const mechanical_form *f = l->k->form;
    if (l->of_velocities && row < f->holonomic) text_add(t, "the derivative of ");
    text_add(t, l->k->equation[f->nq + f->nv + row]);
}

static void level_locate_row(void *self, size_t row, text *t)
{
    (void)row;
    text_add(t, ((level_search *)self)->k->form->name);
}

static void level_name_entry(void *self, size_t entry, text *t)
{
    const level_search *l = self;
    text_add(t, l->k->form->variable[(l->of_velocities ? l->k->form->nq : 0) + entry]);
}

static dae_status prepare(level_search *l, mechanical_simulation *k, bool of_velocities)
{
    static const start_form form = {
        .value = level_value,
        .jacobian = level_jacobian,
        .name_row = level_name_row,
        .locate_row = level_locate_row,
        .name_entry = level_name_entry,
    };
    const mechanical_form *f = k->form;
    size_t n = of_velocities ? f->nv : f->nq, first = of_velocities ? f->nq : 0;
    *l = (level_search){.k = k, .of_velocities = of_velocities};
    l->guess = calloc(2 * n, sizeof *l->guess);
    l->given = calloc(3 * n, sizeof *l->given);
    if (!l->guess || !l->given) return DAE_NO_MEMORY;
    l->preference = l->guess + n;
    l->fixed = l->given + n;
    l->variable = l->fixed + n;
    for (size_t j = 0; j < n; j++) {
        l->given[j] = !isnan(k->start[first + j]);
        l->guess[j] = l->given[j] ? k->start[first + j] : 0;
        l->preference[j] = l->given[j] ? 2 : 1;
        l->variable[j] = true;
    }
    l->system = (start_system){.form = &form,
                               .self = l,
                               .size = n,
                               .guess = l->guess,
                               .given = l->given,
                               .fixed = l->fixed,
                               .held = l->given,
                               .variable = l->variable,
                               .nominal = f->nominal + first,
                               .preference = l->preference};
    l->system.pattern = of_velocities ? mechanical_gradient_pattern(k->system)
                                      : f->position.pattern;
    l->system.equations = l->system.rows = l->system.pattern->rows;
    return DAE_OK;
}

static void release(level_search *l)
{
    free(l->guess);
    free(l->given);
}

static dae_status take_failure(mechanical_simulation *k, double t, message *collected)

/* Takes over the message of a search that found nothing. */
{
    int code = 0;
    bool stopped = collected->status == DAE_STOPPED;
    if (stopped || !mechanical_refused(k->system, &code) || code <= 0)
        return start_take_failure(&k->base, collected);
    message_free(collected);
    return mechanical_simulation_fail_at_start(k, t, DAE_NOT_EVALUABLE);
}

/* Searches z (l->system.size) that meets the level. */
static dae_status search_level(level_search *l, double t, double *z)
{
    mechanical_simulation *k = l->k;
    if (l->system.rows == 0) {
        memcpy(z, l->guess, l->system.size * sizeof *z);
        return DAE_OK;
    }
    /* Receives notes written for models; they do not fit mechanical systems and are dropped. */
    message collected = {0};
    if (start_search(&k->base, &l->system, t, z, &collected) != DAE_OK)
        return take_failure(k, t, &collected);
    message_free(&collected);
    return DAE_OK;
}

/* Both levels, to be released whatever comes of it. */
static dae_status prepare_both(level_search *l, mechanical_simulation *k)
{
    l[1] = (level_search){.k = k};
    dae_status status = prepare(&l[0], k, false);
    if (status == DAE_OK) status = prepare(&l[1], k, true);
    return status == DAE_OK ? DAE_OK
                            : message_fail(k->base.solver.message, status, "memory is exhausted");
}

dae_status mechanical_simulation_search(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    level_search l[2];
    dae_status status = prepare_both(l, k);
    if (status == DAE_OK) status = search_level(&l[0], t, k->point.q);
    if (status == DAE_OK) status = search_level(&l[1], t, k->point.v);
    release(&l[0]);
    release(&l[1]);
    if (status != DAE_OK) return status;
    status = mechanical_simulation_finish_sizes(k, t);
    if (status == DAE_OK) status = mechanical_simulation_accelerate(k, t);
    return status == DAE_OK ? DAE_OK : mechanical_simulation_fail_at_start(k, t, status);
}

/* In the author's sizes. */
static dae_status note(const mechanical_simulation *k, double t, level_search *l)
{
    const mechanical_form *f = k->form;
    const simulation *c = &k->base;
    const start_system *systems[] = {&l[0].system, &l[1].system};
    bool *counts = calloc(f->n + 1, sizeof *counts);
    if (!counts) return DAE_NO_MEMORY;
    for (size_t j = 0; j < f->n; j++) counts[j] = true;
    l[0].system.nominal = c->nominal;
    l[1].system.nominal = c->nominal + f->nq;
    const start_notes notes = {.n = f->nq + f->nv,
                               .counts = counts,
                               .given = k->start,
                               .found = c->value,
                               .nominal = c->nominal,
                               .variable = f->variable,
                               .message = c->solver.message};
    start_note_changes(&notes);
    dae_status status = start_note_open(&notes, systems, 2, t);
    free(counts);
    return status;
}

dae_status mechanical_simulation_note(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    level_search l[2];
    dae_status status = prepare_both(l, k);
    if (status == DAE_OK) status = note(k, t, l);
    release(&l[0]);
    release(&l[1]);
    return status == DAE_OK ? DAE_OK
                            : message_fail(c->solver.message, status, "memory is exhausted");
}
