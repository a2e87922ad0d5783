/* Searches the start of a mechanical system. First coordinates, then velocities are brought to the
 * constraints, each by the least change. Accelerations and reactions follow from them. */
#include "solve/mechanical_simulation.h"

#include <math.h>
#include <string.h>

/* The constraints on one level, as a system of initial/consistent.h. */
struct level_search {
    start_system system;
    mechanical_simulation *k;
    bool of_velocities;
    double *guess, *preference;
    bool *given;
};

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
    if (status == DAE_OK) memcpy(value, k->system->gradient.value, nonzeros * sizeof *value);
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

static void make(level_search *l, mechanical_simulation *k, bool of_velocities)
{
    static const start_form form = {
        .value = level_value,
        .jacobian = level_jacobian,
        .name_row = level_name_row,
        .locate_row = level_locate_row,
        .name_entry = level_name_entry,
    };
    const mechanical_form *f = k->form;
    arena *a = &k->memory;
    size_t n = of_velocities ? f->nv : f->nq;
    *l = (level_search){.k = k, .of_velocities = of_velocities};
    arena_vectors(a, n, (double **[]){&l->guess, &l->preference, NULL});
    l->given = arena_array(a, n, sizeof *l->given);
    bool *variable = arena_array(a, n, sizeof *variable);
    memset(variable, true, n * sizeof *variable);
    l->system = (start_system){.form = &form,
                               .self = l,
                               .size = n,
                               .guess = l->guess,
                               .given = l->given,
                               .fixed = arena_array(a, n, sizeof(bool)),
                               .held = l->given,
                               .variable = variable,
                               .nominal = f->nominal + (of_velocities ? f->nq : 0),
                               .preference = l->preference};
}

level_search *mechanical_simulation_make_search(mechanical_simulation *k)
{
    level_search *l = arena_array(&k->memory, 2, sizeof *l);
    make(&l[0], k, false);
    make(&l[1], k, true);
    return l;
}

/* For the values of this start. */
static void prepare(level_search *l)
{
    const mechanical_simulation *k = l->k;
    const double *start = k->base.start + (l->of_velocities ? k->form->nq : 0);
    for (size_t j = 0; j < l->system.size; j++) {
        l->given[j] = !isnan(start[j]);
        l->guess[j] = l->given[j] ? start[j] : 0;
        l->preference[j] = l->given[j] ? 2 : 1;
    }
    l->system.pattern = l->of_velocities ? k->system->gradient.pattern : k->form->position.pattern;
    l->system.equations = l->system.rows = l->system.pattern->rows;
}

/* Takes over the message of a search that found nothing. */
static dae_status take_failure(mechanical_simulation *k, double t, message *collected)
{
    int code = 0;
    bool stopped = collected->status == DAE_STOPPED;
    bool refused = mechanical_refused(k->system, &code) && code > 0;
    bool valueless = collected->status == DAE_NOT_EVALUABLE && k->system->bad_value;
    if (stopped || !(refused || valueless)) return start_take_failure(&k->base, collected);
    message_free(collected);
    return mechanical_simulation_fail_at_start(k, t, DAE_NOT_EVALUABLE);
}

/* Searches z (l->system.size) that meets the level. */
static dae_status search_level(level_search *l, double t, double *z)
{
    mechanical_simulation *k = l->k;
    prepare(l);
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

dae_status mechanical_simulation_search(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    dae_status status = search_level(&k->search[0], t, k->point.q);
    if (status == DAE_OK) status = search_level(&k->search[1], t, k->point.v);
    if (status != DAE_OK) return status;
    status = mechanical_simulation_finish_sizes(k, t);
    if (status == DAE_OK) status = mechanical_simulation_accelerate(k, t);
    return status == DAE_OK ? DAE_OK : mechanical_simulation_fail_at_start(k, t, status);
}

/* In the author's sizes. */
dae_status mechanical_simulation_note(simulation *c, double t)
{
    const mechanical_simulation *k = (mechanical_simulation *)c;
    const mechanical_form *f = k->form;
    start_system level[] = {k->search[0].system, k->search[1].system};
    const start_system *systems[] = {&level[0], &level[1]};
    level[0].nominal = c->nominal;
    level[1].nominal = c->nominal + f->nq;
    const start_notes notes = {.simulation = c, .n = f->nq + f->nv, .found = c->value};
    start_note_changes(&notes);
    return start_note_open(&notes, systems, 2, t);
}
