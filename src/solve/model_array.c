/* The state of a model after an event where its equations are a derivative array: no level shows
 * which states these determine. */
#include "event/kernel_impulse.h"
#include "formulation/prolonged_integrated.h"
#include "solve/model_formed.h"

#include <stdlib.h>
#include <string.h>

struct model_array {
    arena memory;
    prolonged_integrated *held; /* the array with all that is integrated */
    projection *stays;          /* meets them */
    double *before, *near;      /* entries of z */
    double *y, *yp, *strength;  /* of the form */
};

static void make(void *argument)
{
    model_simulation *m = argument;
    model_array *a = m->array;
    prolonged_form *f = m->formulation->form;
    size_t size = m->formulation->p->size, n = f->problem.n;
    a->held = prolonged_integrated_create(&a->memory, &m->formulation->levels->levels, f);
    arena_vectors(&a->memory, size + 1, (double **[]){&a->before, &a->near, NULL});
    arena_vectors(&a->memory, n + 1, (double **[]){&a->y, &a->yp, &a->strength, NULL});
}

static dae_status need(model_simulation *m)
{
    if (m->array) return DAE_OK;
    m->array = calloc(1, sizeof *m->array);
    if (!m->array) return DAE_NO_MEMORY;
    dae_status status = arena_protect(&m->array->memory, make, m);
    if (status == DAE_OK)
        status = projection_create(&m->array->stays, &m->array->held->levels,
                                   PROJECTION_COORDINATE);
    if (status == DAE_OK) return DAE_OK;
    model_array_free(m->array);
    m->array = NULL;
    return status;
}

void model_array_free(model_array *a)
{
    if (!a) return;
    projection_free(a->stays);
    arena_free(&a->memory);
    free(a);
}

/* Meets the array from z, and keeps what is integrated there as far as that is possible. The
 * shortest change of all entries would move a state where this spares an algebraic variable a
 * longer way. *moved: how much of what is integrated has moved. */
static dae_status meet(model_simulation *m, double t, double *z, double *moved)
{
    model_array *a = m->array;
    double missed;
    size_t level, row, bytes = m->formulation->p->size * sizeof *z;
    *moved = 0;
    if (prolonged_integrated_hold(a->held, t, z) != DAE_OK)
        return projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level, &row);
    memcpy(a->near, z, bytes);
    dae_status status = projection_settle(a->stays, t, z, MODEL_SETTLE_OFF, &missed, &level, &row);
    if (status == DAE_NO_MEMORY || status == DAE_STOPPED) return status;
    if (status != DAE_OK) memcpy(z, a->near, bytes);
    status = projection_settle(m->settles, t, z, MODEL_SETTLE_OFF, &missed, &level, &row);
    if (status == DAE_OK) *moved = prolonged_integrated_moved(a->held, z);
    return status;
}

/* The differential variable that z and the state before differ in most, and by how much of its
 * size. */
static size_t find_moved(const model_simulation *m, const double *z, double *by_most)
{
    const problem *p = &m->formulation->form->problem;
    const size_t *entry = m->formulation->form->entry;
    double most = 0;
    size_t found = 0;
    for (size_t j = 0; j < p->n; j++) {
        double was = m->array->before[entry[j]];
        double by = fabs(z[entry[j]] - was) / fmax(fabs(was), p->nominal[j]);
        if (p->dynamic[j] && by > most) most = by, found = j;
    }
    *by_most = most;
    return found;
}

static dae_status report(model_simulation *m, double t, const double *z, message *to)
{
    problem *p = &m->formulation->form->problem;
    double most;
    message_fail(to, DAE_EVENT,
                 "the event at t = %.9g changes a constraint so that the states before it do not "
                 "meet it, and the jump of ",
                 t);
    p->form->name_variable(p->self, find_moved(m, z, &most), &to->sentence);
    message_more(to, " is not determined. The structure of the equations does not show how "
                     "impulses balance\n  remedy: let the input change within a short time, or "
                     "reinit() the states");
    return DAE_EVENT;
}

static bool has_set(const model_simulation *m)
{
    size_t count = m->switching ? m->system->discrete.action.count : 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(m->modes->unset[i])) return true;
    return false;
}

/* Gives the differential variables of z their values before the event, and the jump from there.
 * What is delayed may have an impulse that nothing shows here, and no equation is known to give way
 * to reinit(). */
static dae_status apply_impulses(model_simulation *m, double t, double *z)
{
    prolonged_form *f = m->formulation->form;
    model_array *a = m->array;
    problem *p = &f->problem;
    if (m->base.delays || has_set(m)) return DAE_SINGULAR;
    prolonged_form_scatter(f, z, a->y, a->yp);
    for (size_t j = 0; j < p->n; j++)
        if (p->dynamic[j]) a->y[j] = a->before[f->entry[j]];
    dae_status status = kernel_impulse(p, t, a->yp, a->y, a->strength);
    for (size_t j = 0; j < p->n && m->switching; j++)
        m->switching->strength[f->entry[j]] = a->strength[j];
    prolonged_form_gather(f, a->y, a->yp, z);
    return status;
}

/* States that do not meet the array have jumped by impulses, which leave nothing that is integrated
 * for the array to move. near: the nearest state that meets it. */
static dae_status jump(model_simulation *m, double t, double *z, message *to)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    double moved, *near = malloc(bytes + 1);
    if (!near) return message_status(to, DAE_NO_MEMORY);
    memcpy(near, z, bytes);
    if (m->switching) switching_jumped(m->switching);
    if (m->modes) m->modes->moves = true;
    dae_status status = apply_impulses(m, t, z);
    if (status == DAE_OK) status = meet(m, t, z, &moved);
    if (status == DAE_NO_MEMORY || status == DAE_STOPPED) {
        message_status(to, status);
    } else if (status != DAE_OK || moved > MODEL_SETTLE_OFF) {
        memcpy(z, near, bytes); /* a sliding motion begins off its surface by errors */
        bool slides = m->modes && m->modes->sliding > 0;
        status = slides ? DAE_OK : report(m, t, z, to);
    }
    free(near);
    return status;
}

/* Whether the array can be met with the variables that are differentiated as they were: z becomes
 * such a state. The shortest change may be a longer one for these, and no impulse is needed. */
static bool goes_on(model_simulation *m, double t, double *z)
{
    size_t bytes = m->formulation->p->size * sizeof *z;
    double *near = malloc(bytes + 1);
    if (!near) return false;
    memcpy(near, z, bytes);
    memcpy(z, m->array->before, bytes);
    bool found = model_settle_continue(m, t, z);
    if (!found) memcpy(z, near, bytes);
    free(near);
    return found;
}

static dae_status settle(model_simulation *m, double t, double *z, message *to)
{
    double moved, by;
    dae_status status = meet(m, t, z, &moved);
    if (status != DAE_OK) return model_settle_report(m, t, status, to);
    find_moved(m, z, &by);
    if (by > MODEL_SETTLE_OFF && goes_on(m, t, z)) return DAE_OK;
    if (has_set(m)) moved = by; /* not even what is not integrated may give way */
    return moved > MODEL_SETTLE_OFF ? jump(m, t, z, to) : DAE_OK;
}

dae_status model_array_settle(model_simulation *m, double t, double *z, message *to)
{
    if (need(m) != DAE_OK) return message_status(to, DAE_NO_MEMORY);
    memcpy(m->array->before, z, m->formulation->p->size * sizeof *z);
    dae_status status = settle(m, t, z, to);
    return status == DAE_OK ? model_turned_look(m, t, m->array->before, z, to) : status;
}
