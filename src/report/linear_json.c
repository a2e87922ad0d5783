#include "report/json.h"

#include <math.h>

static json_t *numbers(size_t count, const double *value)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_append(&list, json_of_real(value[i]));
    return list;
}

/* A matrix as a list of its rows. */
static json_t *matrix(size_t rows, size_t columns, const double *value)
{
    json_t *list = json_array();
    if (!value) {
        json_decref(list);
        return json_null();
    }
    for (size_t i = 0; i < rows; i++) json_append(&list, numbers(columns, value + i * columns));
    return list;
}

/* Of variables, by their names; NaN is left out. */
static json_t *by_name(size_t count, const char *const *name, const double *value)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i])) json_set(&object, name[i], json_of_real(value[i]));
    return object;
}

static json_t *shape(const dae_linearization *l, const dae_mode *m)
{
    json_t *object = json_object();
    for (size_t j = 0; j < l->n; j++) {
        const double both[] = {m->shape_real[j], m->shape_imaginary[j]};
        json_set(&object, l->variable[j], numbers(2, both));
    }
    return object;
}

static json_t *mode(const dae_linearization *l, const dae_mode *m)
{
    json_t *object = json_object();
    json_set(&object, "real", json_of_real(m->real));
    json_set(&object, "imaginary", json_of_real(m->imaginary));
    json_set(&object, "frequency", json_of_real(m->frequency));
    json_set(&object, "damping", json_of_real(m->damping));
    json_set(&object, "time_constant", json_of_real(m->time_constant));
    json_set(&object, "participation", by_name(l->states, l->state, m->participation));
    json_set(&object, "shape", shape(l, m));
    return object;
}

static json_t *state_space(const dae_linearization *l)
{
    json_t *object = json_object(), *d = json_array();
    size_t each = l->outputs * l->inputs;
    for (size_t k = 0; k <= l->derivatives; k++)
        json_append(&d, matrix(l->outputs, l->inputs, l->d + k * each));
    json_set(&object, "states", json_of_strings(l->states, l->state));
    json_set(&object, "shifted", json_boolean(l->shifted));
    json_set(&object, "A", matrix(l->states, l->states, l->a));
    json_set(&object, "B", matrix(l->states, l->inputs, l->b));
    json_set(&object, "C", matrix(l->outputs, l->states, l->c));
    json_set(&object, "D", d);
    return object;
}

/* What belongs to eigenvalues. */
static void add_reduced(json_t **object, const dae_linearization *l)
{
    json_t *modes = json_array();
    for (size_t q = 0; q < l->states; q++) json_append(&modes, mode(l, &l->mode[q]));
    json_set(object, "states", json_of_count(l->states));
    json_set(object, "infinite", json_of_count(l->infinite));
    json_set(object, "index", json_of_whole(l->index));
    json_set(object, "structural", json_boolean(l->structural));
    json_set(object, "margin", json_of_real(l->margin));
    json_set(object, "state_space", state_space(l));
    json_set(object, "eigenvalues", modes);
    json_set(object, "cross_check", json_of_real(l->cross_check));
}

int json_linearization(FILE *file, const dae_linearization *l)
{
    json_t *object = json_object();
    json_set(&object, "status", json_of_string(dae_status_word(l->status)));
    json_set(&object, "message", json_of_string(l->message));
    json_set(&object, "time", json_of_real(l->t));
    if (l->E) {
        json_set(&object, "variables", json_of_strings(l->n, l->variable));
        json_set(&object, "values", by_name(l->n, l->variable, l->y));
        json_set(&object, "derivatives", by_name(l->n, l->variable, l->yp));
        json_set(&object, "inputs", json_of_strings(l->inputs, l->input));
        json_set(&object, "outputs", json_of_strings(l->outputs, l->output));
        json_set(&object, "E", matrix(l->n, l->n, l->E));
        json_set(&object, "A", matrix(l->n, l->n, l->A));
        json_set(&object, "B", matrix(l->n, l->inputs, l->B));
        json_set(&object, "C", matrix(l->outputs, l->n, l->C));
    }
    if (l->mode) add_reduced(&object, l);
    json_set(&object, "notes", json_of_parts(l->notes, "\n"));
    return json_line(file, object);
}
