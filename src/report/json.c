#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void json_set(json_t **object, const char *key, json_t *value)
{
    if (json_object_set_new(*object, key, value) == 0) return;
    json_decref(*object);
    *object = NULL;
}

void json_append(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) == 0) return;
    json_decref(*array);
    *array = NULL;
}

json_t *json_of_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_whole(long value)
{
    return value < 0 ? json_null() : json_integer(value);
}

json_t *json_of_count(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *string_of(const char *value, size_t length)
{
    errno = 0;
    json_t *made = json_stringn(value, length);
    return made || errno == ENOMEM ? made : json_string_nocheck("?"); /* not UTF-8 */
}

json_t *json_of_string(const char *value)
{
    if (!value) return json_null();
    return string_of(value, strlen(value));
}

json_t *json_of_parts(const char *list, const char *separator)
{
    json_t *array = json_array();
    while (*list) {
        size_t length = strcspn(list, separator);
        if (length) json_append(&array, string_of(list, length));
        list += length + (list[length] != '\0');
    }
    return array;
}

json_t *json_of_strings(size_t number, const char *const *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < number; i++) json_append(&list, json_of_string(item[i]));
    return list;
}

int json_line(FILE *file, json_t *object)
{
    int status = json_dumpf(object, file,
                            JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    json_decref(object);
    putc('\n', file);
    return status != 0 || ferror(file) ? -1 : 0;
}

#define JSON_OF(value) \
    _Generic((value),            \
        double: json_of_real,            \
        long: json_of_whole,             \
        size_t: json_of_count,           \
        const char *: json_of_string,    \
        const double *: nothing)(value)

/* Lists of numbers are null here; they are written below, with their counts. */
static json_t *nothing(const double *list)
{
    (void)list;
    return json_null();
}

int json_stats(FILE *file, const dae_stats *stats)
{
    json_t *object = json_object();
#define X(type, name, meaning) json_set(&object, #name, JSON_OF(stats->name));
#include <daedal/stats.def>
#undef X
    json_t *list = json_array();
    for (size_t i = 0; i < stats->constraint_levels; i++)
        json_append(&list, json_of_real(stats->max_constraint[i]));
    json_set(&object, "max_constraint", list);
    json_object_del(object, "constraint_levels");
    return json_line(file, object);
}

static const char *null_if_empty(const char *value)
{
    return value && *value ? value : NULL;
}

/* The sizes of a mechanism; null for equations of another form. */
static json_t *json_of_mechanism(const dae_description *d)
{
    if (d->coordinates == 0) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "coordinates", json_of_count(d->coordinates),
                     "holonomic", json_of_count(d->holonomic), "nonholonomic",
                     json_of_count(d->nonholonomic), "multipliers", json_of_count(d->multipliers));
}

static json_t *json_of_variable(const dae_described_variable *v)
{
    json_t *o = json_object();
    json_set(&o, "name", json_of_string(v->name));
    json_set(&o, "unit", json_of_string(v->unit));
    json_set(&o, "kind",
             json_of_string(v->discrete   ? "discrete"
                            : v->constant ? "constant"
                                          : "continuous"));
    json_set(&o, "causality", json_of_string(v->input ? "input" : v->output ? "output" : "local"));
    json_set(&o, "start", json_of_real(v->start));
    json_set(&o, "start_use", json_of_string(null_if_empty(v->start_use)));
    json_set(&o, "value", json_of_real(v->value));
    json_set(&o, "line", v->line ? json_of_count(v->line) : json_null());
    return o;
}

/* Numbers as they are, Booleans as true and false. */
static json_t *json_of_parameter(const dae_described_parameter *p)
{
    json_t *o = json_object(), *value = json_of_real(p->value);
    bool truth = strcmp(p->type, "Boolean") == 0;
    if (p->text || truth) json_decref(value);
    if (p->text) value = json_of_string(p->text);
    if (truth) value = json_boolean(p->value != 0);
    json_set(&o, "name", json_of_string(p->name));
    json_set(&o, "unit", json_of_string(p->unit));
    json_set(&o, "type", json_of_string(p->type));
    json_set(&o, "value", value);
    json_set(&o, "line", json_of_count(p->line));
    return o;
}

static json_t *json_of_inputs(const dae_description *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->variables; i++)
        if (d->variable[i].input) json_append(&list, json_of_string(d->variable[i].name));
    return list;
}

static void add_lists(json_t **object, const dae_description *d)
{
    json_t *variables = json_array(), *parameters = json_array(), *parts = json_array();
    json_t *differentiated = json_array();
    for (size_t i = 0; i < d->variables; i++)
        json_append(&variables, json_of_variable(&d->variable[i]));
    for (size_t i = 0; i < d->parameters; i++)
        json_append(&parameters, json_of_parameter(&d->parameter[i]));
    for (size_t k = 0; d->parts && k < d->blocks; k++) {
        json_t *part = json_object();
        json_set(&part, "unknowns", json_of_strings(d->parts[k].size, d->parts[k].unknown));
        json_set(&part, "equations", json_of_strings(d->parts[k].size, d->parts[k].equation));
        json_set(&part, "torn", json_of_strings(d->parts[k].torn, d->parts[k].tearing));
        json_append(&parts, part);
    }
    for (size_t i = 0; i < d->differentiated; i++) {
        json_t *one = json_object();
        json_set(&one, "equation", json_of_string(d->differentiation[i].text));
        json_set(&one, "times", json_of_count(d->differentiation[i].times));
        json_append(&differentiated, one);
    }
    json_set(object, "inputs", json_of_inputs(d));
    json_set(object, "differentiated", differentiated);
    json_set(object, "block_contents", parts);
    json_set(object, "variables", variables);
    json_set(object, "parameters", parameters);
}

int json_description(FILE *file, const dae_description *d)
{
    json_t *object = json_object(), *blocks = json_array();
    for (size_t i = 0; i < d->blocks; i++) json_append(&blocks, json_of_count(d->block[i]));
    json_set(&object, "model", json_of_string(d->name));
    json_set(&object, "status", json_of_string(dae_status_word(d->status)));
    json_set(&object, "message", json_of_string(d->message));
    json_set(&object, "equations", json_of_count(d->equations));
    json_set(&object, "unknowns", json_of_count(d->unknowns));
    json_set(&object, "discrete", json_of_count(d->discrete));
    json_set(&object, "structural_index", json_of_whole(d->structural_index));
    json_set(&object, "index", json_of_whole(d->index));
    json_set(&object, "index_note", json_of_string(d->index_note));
    json_set(&object, "degrees_of_freedom", json_of_whole(d->degrees_of_freedom));
    json_set(&object, "states", json_of_strings(d->states, d->state));
    json_set(&object, "hidden_constraints",
             json_of_strings(d->hidden_constraints, d->hidden_constraint));
    json_set(&object, "blocks", blocks);
    json_set(&object, "solved", json_of_count(d->solved));
    json_set(&object, "form", json_of_string(null_if_empty(d->form)));
    json_set(&object, "mechanism", json_of_mechanism(d));
    json_set(&object, "invariants", json_of_count(d->invariants));
    json_set(&object, "formulation", json_of_string(null_if_empty(d->formulation)));
    json_set(&object, "singular", json_of_string(d->singular));
    json_set(&object, "misleads", json_of_string(d->misleads));
    json_set(&object, "rank_margin", json_of_real(d->rank_margin));
    json_set(&object, "structural_parameters",
             json_of_strings(d->structural_parameters, d->structural_parameter));
    add_lists(&object, d);
    json_set(&object, "notes", json_of_parts(d->notes, "\n"));
    return json_line(file, object);
}

int json_initial(FILE *file, const json_initial_values *v)
{
    json_t *values = json_object(), *derivatives = json_object();
    for (size_t i = 0; i < v->count; i++) {
        json_set(&values, v->name[i], json_of_real(v->value[i]));
        if (!isnan(v->derivative[i]))
            json_set(&derivatives, v->name[i], json_of_real(v->derivative[i]));
    }
    return json_line(file,
                     json_pack("{s:o, s:o, s:o, s:o, s:o}", "time", json_of_real(v->time), "values",
                               values, "derivatives", derivatives, "residual",
                               json_of_real(v->residual), "notes", json_of_parts(v->notes, "\n")));
}

int json_failed_initial(FILE *file, dae_status status, const char *words)
{
    return json_line(file,
                     json_pack("{s:o, s:o}", "status", json_of_string(dae_status_word(status)),
                               "message", json_of_string(words)));
}
