#include "report/json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *whole(long value)
{
    return value < 0 ? json_null() : json_integer(value);
}

static json_t *count(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *string(const char *value)
{
    if (!value) return json_null();
    json_t *made = json_string(value);
    return made ? made : json_string_nocheck("?"); /* not UTF-8 */
}

static json_t *lines(const char *text)
{
    json_t *list = json_array();
    while (*text) {
        size_t length = strcspn(text, "\n");
        json_t *line = json_stringn(text, length);
        if (length) json_array_append_new(list, line ? line : json_string_nocheck("?"));
        text += length + (text[length] == '\n');
    }
    return list;
}

static json_t *strings(size_t number, const char *const *item)
{
    json_t *list = json_array();
    for (size_t i = 0; i < number; i++) json_array_append_new(list, string(item[i]));
    return list;
}

static int write_line(FILE *file, json_t *object)
{
    int status = json_dumpf(object, file,
                            JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    json_decref(object);
    putc('\n', file);
    return status != 0 || ferror(file) ? -1 : 0;
}

#define JSON_OF(value) \
    _Generic((value),            \
        double: real,            \
        long: whole,             \
        size_t: count,           \
        const char *: string,    \
        const double *: nothing)(value)

/* Lists of numbers are written with their count, below. */
static json_t *nothing(const double *list)
{
    (void)list;
    return json_null();
}

int json_stats(FILE *file, const dae_stats *stats)
{
    json_t *object = json_object();
#define X(type, name, meaning) json_object_set_new(object, #name, JSON_OF(stats->name));
#include <daedal/stats.def>
#undef X
    json_t *list = json_array();
    for (size_t i = 0; i < stats->constraint_levels; i++)
        json_array_append_new(list, real(stats->max_constraint[i]));
    json_object_set_new(object, "max_constraint", list);
    json_object_del(object, "constraint_levels");
    return write_line(file, object);
}

static const char *null_if_empty(const char *value)
{
    return value && *value ? value : NULL;
}

int json_description(FILE *file, const dae_description *d)
{
    json_t *object = json_object(), *blocks = json_array();
    for (size_t i = 0; i < d->blocks; i++) json_array_append_new(blocks, count(d->block[i]));
    json_object_set_new(object, "model", string(d->name));
    json_object_set_new(object, "status", string(dae_status_word(d->status)));
    json_object_set_new(object, "message", string(d->message));
    json_object_set_new(object, "equations", count(d->equations));
    json_object_set_new(object, "unknowns", count(d->unknowns));
    json_object_set_new(object, "structural_index", whole(d->structural_index));
    json_object_set_new(object, "index", whole(d->index));
    json_object_set_new(object, "index_note", string(d->index_note));
    json_object_set_new(object, "degrees_of_freedom", whole(d->degrees_of_freedom));
    json_object_set_new(object, "states", strings(d->states, d->state));
    json_object_set_new(object, "hidden_constraints",
                        strings(d->hidden_constraints, d->hidden_constraint));
    json_object_set_new(object, "blocks", blocks);
    json_object_set_new(object, "form", string(null_if_empty(d->form)));
    json_object_set_new(object, "singular", string(d->singular));
    json_object_set_new(object, "deceived", string(d->deceived));
    json_object_set_new(object, "rank_margin", real(d->rank_margin));
    json_object_set_new(object, "notes", lines(d->notes));
    return write_line(file, object);
}

int json_initial(FILE *file, const json_initial_values *v)
{
    json_t *object = json_object(), *values = json_object(), *derivatives = json_object();
    for (size_t i = 0; i < v->count; i++) {
        json_object_set_new(values, v->name[i], real(v->value[i]));
        if (!isnan(v->derivative[i]))
            json_object_set_new(derivatives, v->name[i], real(v->derivative[i]));
    }
    json_object_set_new(object, "time", real(v->time));
    json_object_set_new(object, "values", values);
    json_object_set_new(object, "derivatives", derivatives);
    json_object_set_new(object, "residual", real(v->residual));
    json_object_set_new(object, "notes", lines(v->notes));
    return write_line(file, object);
}

int json_failed_initial(FILE *file, dae_status status, const char *message)
{
    json_t *object = json_object();
    json_object_set_new(object, "status", string(dae_status_word(status)));
    json_object_set_new(object, "message", string(message));
    return write_line(file, object);
}
